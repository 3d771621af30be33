//! Two ClickHouse servers that are the shards of one cluster, called `c`.

use std::net::TcpListener;
use std::path::Path;

use analytics_catalog::standalone::accounts::{self, Account, GrantScope, ProfileSetting, ReaderLimits};
use analytics_catalog::standalone::engine::{Engine, EngineOptions, default_cache};
use analytics_catalog::warehouse::{Endpoint, Warehouse};

use super::bench::Configured;
use super::clickhouse::program;

pub const PASSWORD: &str = "shards-test-password";

/// The databases of sources and of views, on both.
pub const SOURCES: &str = "s_wow";
pub const DATASETS: &str = "d_datasets";

/// The two servers. They end with this value.
pub struct Shards {
    nodes: Vec<Engine>,
    _folder: tempfile::TempDir,
}

impl Shards {
    /// Starts both, with their databases.
    pub async fn start() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let ports = free_ports().map_err(|error| error.to_string())?;
        let mut nodes = Vec::new();
        for (index, own) in ports.iter().enumerate() {
            let directory = folder.path().join(format!("node{index}"));
            write_cluster(&directory, &ports).map_err(|error| error.to_string())?;
            let (sources, datasets) = ([GrantScope::database(SOURCES)], [GrantScope::database(DATASETS)]);
            let options = EngineOptions {
                directory,
                cache: default_cache().ok_or("there is no cache folder: set HOME or ANALYTICS_CATALOG_CACHE")?,
                accounts: vec![
                    accounts::on_nodes(accounts::catalog(PASSWORD, &sources, &datasets, &[]), &datasets),
                    accounts::reader(PASSWORD, &datasets, ReaderLimits::default()),
                    roomy(accounts::reader(PASSWORD, &datasets, ReaderLimits::default())),
                    accounts::admin(PASSWORD),
                    Account { name: "deaf".to_owned(), ..accounts::admin(PASSWORD) }
                        .with_setting(ProfileSetting::constant("log_comment", r#"{"tenant":"T-0"}"#)),
                ],
                child_program: program(),
                ports: Some(*own),
            };
            nodes.push(Engine::start(options).await.map_err(|error| error.to_string())?);
        }
        let shards = Self { nodes, _folder: folder };
        for node in 0..2 {
            for database in [SOURCES, DATASETS] {
                shards.sql(node, &format!("CREATE DATABASE {database}")).await?;
            }
        }
        Ok(shards)
    }

    /// Runs a statement as the administrator of a node.
    pub async fn sql(&self, node: usize, statement: &str) -> Result<String, String> {
        let settings = [("distributed_foreground_insert", "1"), ("allow_suspicious_low_cardinality_types", "1")];
        self.send("admin", node, statement, &settings).await
    }

    /// Runs a statement as the query server's account of the first node, with the scope of a tenant.
    pub async fn read(&self, statement: &str, tenant: &str) -> Result<String, String> {
        self.read_on(0, statement, Some(tenant)).await
    }

    /// The same on a node, perhaps without any scope.
    pub async fn read_on(&self, node: usize, statement: &str, tenant: Option<&str>) -> Result<String, String> {
        self.read_as("reader", node, statement, tenant).await
    }

    /// The same as another account.
    pub async fn read_as(
        &self,
        account: &str,
        node: usize,
        statement: &str,
        tenant: Option<&str>,
    ) -> Result<String, String> {
        let scope = tenant.map(|tenant| format!(r#"{{"tenant":"{tenant}","owner":null,"space":null}}"#));
        let settings: Vec<(&str, &str)> = scope.iter().map(|scope| ("log_comment", scope.as_str())).collect();
        self.send(account, node, statement, &settings).await
    }

    /// Runs a statement under an account whose profile has these settings, with the scope of a tenant.
    pub async fn read_under(
        &self,
        node: usize,
        profile: &[(&str, &str)],
        statement: &str,
        tenant: &str,
    ) -> Result<String, String> {
        let scope = format!(r#"{{"tenant":"{tenant}","owner":null,"space":null}}"#);
        let settings: Vec<(&str, &str)> = profile.iter().copied().chain([("log_comment", scope.as_str())]).collect();
        self.send("admin", node, statement, &settings).await
    }

    /// The URL of a node.
    pub fn url(&self, node: usize) -> String {
        self.nodes[node].http_url()
    }

    /// A configuration over these nodes, as they are reached at `urls`, and the environment of its passwords.
    pub fn configured(&self, urls: [String; 2]) -> Configured {
        let place = |(shard, url): (usize, &String)| serde_json::json!({ "url": url, "shard": shard + 1 });
        self.configured_as("c", urls.iter().enumerate().map(place).collect())
    }

    /// The same over the nodes as replicas of one shard; one that is away is waited for a second.
    pub fn configured_as_twins(&self, urls: [String; 2]) -> Configured {
        let place = |(replica, url): (usize, &String)| serde_json::json!({ "url": url, "replica": replica + 1 });
        let (mut configuration, environment) =
            self.configured_as("twins", urls.iter().enumerate().map(place).collect());
        configuration["connections"]["default"]["nodeTimeout"] = "1s".into();
        (configuration, environment)
    }

    fn configured_as(&self, cluster: &str, nodes: Vec<serde_json::Value>) -> Configured {
        let configuration = serde_json::json!({
            "connections": { "default": {
                "nodes": nodes,
                "cluster": cluster,
                "user": "catalog",
                "passwordEnvironment": "TEST_CATALOG_PASSWORD",
                "reader": { "user": "reader", "passwordEnvironment": "TEST_READER_PASSWORD" },
                "databases": { "wow": SOURCES },
                "datasetsDatabase": DATASETS,
            } },
            "sourcePoll": "1s",
        });
        (configuration, [("TEST_CATALOG_PASSWORD", PASSWORD), ("TEST_READER_PASSWORD", PASSWORD)])
    }

    /// Runs a statement over `wow` on both nodes as the administrator.
    pub async fn on_both(&self, statement: &str) {
        for node in 0..2 {
            self.sql(node, &statement.replace("wow.", &format!("{SOURCES}."))).await.expect("both nodes do it");
        }
    }

    /// The first node under the operator's account.
    pub fn catalog(&self) -> Warehouse {
        Warehouse::new(&Endpoint {
            url: self.nodes[0].http_url(),
            user: "catalog".to_owned(),
            password: PASSWORD.to_owned(),
        })
    }

    async fn send(
        &self,
        user: &str,
        node: usize,
        statement: &str,
        settings: &[(&str, &str)],
    ) -> Result<String, String> {
        let url = self.nodes[node].http_url();
        let request = reqwest::Client::new().post(url).query(settings).basic_auth(user, Some(PASSWORD));
        let answer = request.body(statement.to_owned()).send().await.map_err(|error| error.to_string())?;
        let (status, text) = (answer.status(), answer.text().await.map_err(|error| error.to_string())?);
        if status.is_success() { Ok(text) } else { Err(format!("{statement}\n{text}")) }
    }
}

/// The same account under another name, which may state 0 for the limits of an answer.
fn roomy(reader: Account) -> Account {
    let of_answers =
        |setting: &ProfileSetting| ["max_result_rows", "max_result_bytes"].contains(&setting.name.as_str());
    let settings = reader.settings.iter().filter(|setting| !of_answers(setting)).cloned().collect();
    let account = Account { name: "roomy".to_owned(), settings, ..reader };
    account
        .with_setting(ProfileSetting::changeable_from("max_result_rows", 10_000_001))
        .with_setting(ProfileSetting::changeable_from("max_result_bytes", 17_179_869_184_u64))
}

/// Ports of both nodes, for HTTP and for the native protocol.
fn free_ports() -> std::io::Result<[(u16, u16); 2]> {
    // All are held until all are known, so that they differ.
    let held: Vec<TcpListener> = (0..4).map(|_| TcpListener::bind(("127.0.0.1", 0))).collect::<Result<_, _>>()?;
    let port = |index: usize| held[index].local_addr().map(|address| address.port());
    Ok([(port(0)?, port(1)?), (port(2)?, port(3)?)])
}

/// Beside its own configuration a server reads every file of this folder. All else uses `c`. Of the same nodes are `deaf`,
/// under an account that keeps a comment of its own; `twins`, in which both are replicas of one shard; and `secret`, in
/// which a query goes on under the account that sent it. The second shard of `lame` is away.
fn write_cluster(directory: &Path, ports: &[(u16, u16); 2]) -> std::io::Result<()> {
    let replicas = |account: &str| {
        ports.map(|(_, tcp)| format!("<replica><host>127.0.0.1</host><port>{tcp}</port>{account}</replica>"))
    };
    let account = |user: &str| format!("<user>{user}</user><password>{PASSWORD}</password>");
    let shards = |replicas: [String; 2]| replicas.map(|replica| format!("<shard>{replica}</shard>")).concat();
    let clusters = [
        format!("<c>{}</c>", shards(replicas(&account("admin")))),
        format!("<deaf>{}</deaf>", shards(replicas(&account("deaf")))),
        format!("<twins><shard>{}</shard></twins>", replicas(&account("admin")).concat()),
        format!(
            "<lame>{}<shard><replica><host>127.0.0.1</host><port>1</port></replica></shard></lame>",
            format_args!("<shard>{}</shard>", replicas(&account("admin"))[0])
        ),
        format!("<secret><secret>between the nodes</secret>{}</secret>", shards(replicas(""))),
    ];
    let folder = directory.join("config/config.d");
    std::fs::create_dir_all(&folder)?;
    let text = format!("<clickhouse><remote_servers>{}</remote_servers></clickhouse>\n", clusters.concat());
    std::fs::write(folder.join("cluster.xml"), text)
}
