//! The part of the configuration that says where ClickHouse is: a connection, its accounts and its nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::ConfigurationError;
use crate::catalog::Cluster;
use crate::warehouse::Endpoint;

/// One ClickHouse.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectionConfiguration {
    /// The URL of its HTTP interface; only `standalone` can do without, and starts a ClickHouse of its own then.
    #[serde(default)]
    pub url: String,
    /// The nodes of a ClickHouse cluster, in place of `url`: versions are published on all of them, and queries go to one
    /// that answers. See [operating](operating.md#a-clickhouse-cluster).
    #[serde(default)]
    pub nodes: Vec<NodeConfiguration>,
    /// The name of the cluster in the servers' own configuration (`remote_servers`); needed with `nodes`.
    #[serde(default)]
    pub cluster: Option<String>,
    /// How long a publication waits for a node that is away, before it goes on where the node's shard has another one.
    #[serde(default = "default_node_timeout", deserialize_with = "super::interval")]
    #[schemars(with = "String", extend("format" = "interval"))]
    pub node_timeout: SignedDuration,
    /// The operator's account, which is the definer of the views.
    #[serde(default = "default_user")]
    pub user: String,
    /// Where its password stands.
    #[serde(flatten)]
    pub password: PasswordConfiguration,
    /// The query server's account.
    #[serde(default)]
    pub reader: ReaderConfiguration,
    /// The databases in which sources live: a list, or logical names with physical ones.
    #[serde(default, deserialize_with = "databases")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub databases: BTreeMap<String, String>,
    /// The database of the views.
    #[serde(default = "default_datasets_database")]
    pub datasets_database: String,
}

/// One server of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NodeConfiguration {
    /// The URL of its HTTP interface.
    pub url: String,
    /// The number of its shard, as `system.clusters` counts them.
    #[serde(default = "one")]
    pub shard: u32,
    /// The number of its replica in the shard.
    #[serde(default = "one")]
    pub replica: u32,
}

/// The query server's account on a connection.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReaderConfiguration {
    /// The account.
    #[serde(default = "default_reader")]
    pub user: String,
    /// Where its password stands.
    #[serde(flatten)]
    pub password: PasswordConfiguration,
}

impl Default for ReaderConfiguration {
    fn default() -> Self {
        Self { user: default_reader(), password: PasswordConfiguration::default() }
    }
}

/// Where a password stands; an empty one where neither is given.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordConfiguration {
    /// The file that holds it; a line break at its end does not count.
    #[serde(default)]
    pub password_file: Option<PathBuf>,
    /// The environment variable that holds it.
    #[serde(default)]
    pub password_environment: Option<String>,
}

impl ConnectionConfiguration {
    /// Where the operator connects, with its password: to one server, or to each node.
    ///
    /// # Errors
    /// If the password cannot be read.
    pub fn endpoints(&self) -> Result<Vec<Endpoint>, ConfigurationError> {
        Ok(self.endpoints_of(&self.user, &self.password.read(&self.user)?))
    }

    /// Where the query server connects, with its password: to one server, or to each node.
    ///
    /// # Errors
    /// If the password cannot be read.
    pub fn reader_endpoints(&self) -> Result<Vec<Endpoint>, ConfigurationError> {
        let user = &self.reader.user;
        Ok(self.endpoints_of(user, &self.reader.password.read(user)?))
    }

    fn endpoints_of(&self, user: &str, password: &str) -> Vec<Endpoint> {
        let endpoint =
            |url: &String| Endpoint { url: url.clone(), user: user.to_owned(), password: password.to_owned() };
        match self.nodes.is_empty() {
            true => vec![endpoint(&self.url)],
            false => self.nodes.iter().map(|node| endpoint(&node.url)).collect(),
        }
    }

    /// The cluster that the nodes are; none where one server is the whole of it.
    pub fn cluster(&self) -> Option<Cluster> {
        let name = self.cluster.clone().filter(|_| !self.nodes.is_empty())?;
        Some(Cluster { name })
    }

    /// Whether no server is configured, so that only `standalone` can provide one.
    pub fn has_no_server(&self) -> bool {
        self.url.is_empty() && self.nodes.is_empty()
    }

    /// What would make a cluster another one than is meant; with the key that says so.
    pub(super) fn check(&self) -> Result<(), (&'static str, String)> {
        if self.nodes.is_empty() {
            let alone = self.cluster.is_some();
            return match alone {
                true => Err(("cluster", "it names the cluster of `nodes`, and there are none".to_owned())),
                false => Ok(()),
            };
        }
        if !self.url.is_empty() {
            return Err(("url", "a connection has one server or the `nodes` of a cluster, not both".to_owned()));
        }
        if self.cluster.as_ref().is_none_or(String::is_empty) {
            let cause = "it is needed with `nodes`: the name that `remote_servers` of the nodes gives to their cluster";
            return Err(("cluster", cause.to_owned()));
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let (same_url, same_place) = (
                |other: &&NodeConfiguration| other.url == node.url,
                |other: &&NodeConfiguration| (other.shard, other.replica) == (node.shard, node.replica),
            );
            if node.url.is_empty() || self.nodes[..index].iter().any(|other| same_url(&other)) {
                return Err((
                    "nodes",
                    format!("each node has a URL of its own; `{}` is empty or stands twice", node.url),
                ));
            }
            if self.nodes[..index].iter().any(|other| same_place(&other)) {
                let cause = format!("two nodes are replica {} of shard {}{COUNTED}", node.replica, node.shard);
                return Err(("nodes", cause));
            }
        }
        self.check_places().map_err(|cause| ("nodes", cause))
    }

    /// That shards, and the replicas of each, are numbered from 1 on without a gap: a node that is not listed would be
    /// asked by the others all the same.
    fn check_places(&self) -> Result<(), String> {
        if let Some(node) = self.nodes.iter().find(|node| node.shard == 0 || node.replica == 0) {
            let (url, shard, replica) = (&node.url, node.shard, node.replica);
            return Err(format!("`{url}` is replica {replica} of shard {shard}: both are counted from 1{COUNTED}"));
        }
        let shards: BTreeSet<u32> = self.nodes.iter().map(|node| node.shard).collect();
        if let Some(missing) = gap(&shards) {
            let most = shards.last().copied().unwrap_or_default();
            return Err(format!(
                "there is a shard {most} and none that is {missing}: list the nodes of all shards{COUNTED}"
            ));
        }
        for shard in shards {
            let of_shard = self.nodes.iter().filter(|node| node.shard == shard);
            let replicas: BTreeSet<u32> = of_shard.map(|node| node.replica).collect();
            if let Some(missing) = gap(&replicas) {
                let most = replicas.last().copied().unwrap_or_default();
                return Err(format!(
                    "shard {shard} has a replica {most} and none that is {missing}: list all replicas{COUNTED}"
                ));
            }
        }
        Ok(())
    }
}

impl PasswordConfiguration {
    fn read(&self, account: &str) -> Result<String, ConfigurationError> {
        let failed =
            |place: String, cause: String| ConfigurationError::Secret { account: account.to_owned(), place, cause };
        match (&self.password_file, &self.password_environment) {
            (Some(path), _) => std::fs::read_to_string(path)
                .map(|text| text.trim_end_matches(['\n', '\r']).to_owned())
                .map_err(|cause| failed(format!("`{}`", path.display()), cause.to_string())),
            (None, Some(name)) => {
                std::env::var(name).map_err(|cause| failed(format!("the variable `{name}`"), cause.to_string()))
            }
            (None, None) => Ok(String::new()),
        }
    }
}

/// What to do about numbers of nodes.
const COUNTED: &str = "; state `shard` and `replica` of each node as `system.clusters` of the nodes counts them";

/// The first number that is missing between 1 and the highest.
fn gap(numbers: &BTreeSet<u32>) -> Option<u32> {
    (1..).zip(numbers).find_map(|(expected, number)| (*number != expected).then_some(expected))
}

fn databases<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Databases {
        List(Vec<String>),
        Map(BTreeMap<String, String>),
    }
    Ok(match Databases::deserialize(deserializer)? {
        Databases::List(names) => names.into_iter().map(|name| (name.clone(), name)).collect(),
        Databases::Map(names) => names,
    })
}

fn default_user() -> String {
    "catalog".to_owned()
}

fn default_reader() -> String {
    "reader".to_owned()
}

fn default_datasets_database() -> String {
    "wow_datasets".to_owned()
}

fn default_node_timeout() -> SignedDuration {
    SignedDuration::from_mins(1)
}

fn one() -> u32 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(url: &str, shard: u32, replica: u32) -> NodeConfiguration {
        NodeConfiguration { url: url.to_owned(), shard, replica }
    }

    #[test]
    fn nodes_are_counted_from_one_on_without_a_gap() {
        let problem = |nodes: &[NodeConfiguration]| {
            let cluster = serde_json::json!({ "cluster": "c" });
            let mut connection: ConnectionConfiguration = serde_json::from_value(cluster).expect("it has defaults");
            connection.nodes = nodes.to_vec();
            connection.check().err().map(|(key, cause)| format!("{key}: {cause}"))
        };
        assert_eq!(problem(&[node("a", 1, 1), node("b", 1, 2), node("c", 2, 1)]), None);
        for (nodes, words) in [
            // The numbers were left out.
            (vec![node("a", 1, 1), node("b", 1, 1)], "two nodes are replica 1 of shard 1; state `shard` and `replica`"),
            (vec![node("a", 0, 1)], "`a` is replica 1 of shard 0: both are counted from 1"),
            (vec![node("a", 1, 0)], "`a` is replica 0 of shard 1: both are counted from 1"),
            (vec![node("a", 1, 1), node("b", 3, 1)], "there is a shard 3 and none that is 2"),
            (vec![node("a", 2, 1)], "there is a shard 2 and none that is 1"),
            (vec![node("a", 1, 1), node("b", 2, 1), node("c", 2, 3)], "shard 2 has a replica 3 and none that is 2"),
        ] {
            let problem = problem(&nodes).unwrap_or_default();
            assert!(problem.starts_with("nodes: ") && problem.contains(words), "{problem}");
        }
    }
}
