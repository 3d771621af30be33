//! Layer 2: the only code that talks to ClickHouse, and the only user of the `clickhouse` crate.
//!
//! Takes finished [`Sql`], gives plain data or a stream of bytes. Knows no Kubernetes object, no record, no dataset
//! rule. One attempt a call and node: who retries is decided above.

mod catalog_reader;
mod cluster;
mod error;
mod json_paths;
mod query_stream;
mod view_store;

pub use catalog_reader::TableStamps;
pub use cluster::ClusterMember;
pub use error::{WarehouseError, WarehouseErrorKind};
pub use query_stream::{QueryOptions, RowStream};
pub use view_store::{StoredView, ViewMark};

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clickhouse::Client;
use serde::de::DeserializeOwned;

use crate::sql::Sql;

/// The oldest server that the product supports (design 2).
pub const OLDEST_SERVER: (u32, u32) = (26, 3);

/// How long a statement of our own may take; a server that holds the connection and says nothing is away too.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);

/// Where a ClickHouse answers, and as whom.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The URL of the HTTP interface.
    pub url: String,
    /// The account.
    pub user: String,
    /// Its password.
    pub password: String,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Endpoint").field("url", &self.url).field("user", &self.user).finish_non_exhaustive()
    }
}

/// One ClickHouse under one account: a server, or the nodes of a cluster, each of which answers for all of it. Cheap to
/// clone; connections are shared.
#[derive(Clone)]
pub struct Warehouse {
    nodes: Arc<[Node]>,
    /// The node that answered last, which is asked first.
    answering: Arc<AtomicUsize>,
}

/// One server.
#[derive(Clone)]
struct Node {
    client: Client,
    url: String,
}

impl Node {
    fn new(endpoint: &Endpoint) -> Self {
        let client = Client::default()
            .with_url(&endpoint.url)
            .with_user(&endpoint.user)
            .with_password(&endpoint.password)
            .with_product_info("analytics-catalog", env!("CARGO_PKG_VERSION"));
        Self { client, url: without_account(&endpoint.url) }
    }

    async fn rows<Row: DeserializeOwned>(
        &self,
        sql: &Sql,
        settings: &[(&str, &str)],
    ) -> Result<Vec<Row>, WarehouseError> {
        let mut query = self.client.query_raw(sql.as_str());
        for (name, value) in settings {
            query = query.with_setting(*name, *value);
        }
        let failed = |error| WarehouseError::from_client(error, &self.url);
        let mut cursor = query.fetch_bytes("JSONEachRow").map_err(failed)?;
        let body = match tokio::time::timeout(STATEMENT_TIMEOUT, cursor.collect()).await {
            Ok(body) => body.map_err(failed)?,
            Err(_) => return Err(WarehouseError::timed_out(STATEMENT_TIMEOUT, &self.url)),
        };
        body.split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).map_err(|error| WarehouseError::undecodable(&error, &self.url)))
            .collect()
    }
}

impl Warehouse {
    /// Prepares a client for one server; nothing is sent yet.
    pub fn new(endpoint: &Endpoint) -> Self {
        Self::over([endpoint])
    }

    /// Prepares a client for the nodes of a cluster. Whatever only reads goes to one that can be reached.
    ///
    /// # Panics
    /// If there are none.
    pub fn over<'a>(endpoints: impl IntoIterator<Item = &'a Endpoint>) -> Self {
        let nodes: Arc<[Node]> = endpoints.into_iter().map(Node::new).collect();
        assert!(!nodes.is_empty(), "a connection has a server");
        Self { nodes, answering: Arc::default() }
    }

    /// Each node by itself: for what is done on all of them.
    pub fn nodes(&self) -> Vec<Self> {
        let one = |node: &Node| Self { nodes: [node.clone()].into(), answering: Arc::default() };
        self.nodes.iter().map(one).collect()
    }

    /// The same nodes but for some, by their places.
    ///
    /// # Panics
    /// If none is left.
    #[must_use]
    pub fn only(&self, places: &[usize]) -> Self {
        let nodes: Arc<[Node]> = places.iter().filter_map(|place| self.nodes.get(*place).cloned()).collect();
        assert!(!nodes.is_empty(), "a connection has a server");
        Self { nodes, answering: Arc::default() }
    }

    /// The URL of the node that is asked first, without any account: for messages.
    pub fn url(&self) -> &str {
        &self.nodes[self.first()].url
    }

    fn first(&self) -> usize {
        self.answering.load(Ordering::Relaxed).min(self.nodes.len() - 1)
    }

    /// The nodes in the order in which they are asked: first the one that answered last.
    fn in_turn(&self) -> impl Iterator<Item = usize> {
        let (first, count) = (self.first(), self.nodes.len());
        (0..count).map(move |turn| (first + turn) % count)
    }

    /// What a node answered, unless it could not be reached, or lacks what is asked for because it was away: then another
    /// one is asked, and the first failure is kept.
    fn settled<Answer>(
        &self,
        node: usize,
        answer: Result<Answer, WarehouseError>,
        away: &mut Option<WarehouseError>,
    ) -> Option<Result<Answer, WarehouseError>> {
        match answer {
            Err(error) if matches!(error.kind, WarehouseErrorKind::Unreachable | WarehouseErrorKind::Missing) => {
                away.get_or_insert(error);
                None
            }
            answer => {
                self.answering.store(node, Ordering::Relaxed);
                Some(answer)
            }
        }
    }

    /// The server's version, such as `(26, 7)`.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses the account.
    pub async fn version(&self) -> Result<(u32, u32), WarehouseError> {
        #[derive(serde::Deserialize)]
        struct Row {
            version: String,
        }
        let rows: Vec<Row> = self.rows(&Sql::rendered("SELECT version() AS version".to_owned()), &[]).await?;
        let text = rows.into_iter().next().map(|row| row.version).unwrap_or_default();
        let mut parts = text.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
        Ok((parts.next().unwrap_or_default(), parts.next().unwrap_or_default()))
    }

    /// Runs a statement that gives no rows on every node, one after the other.
    ///
    /// # Errors
    /// Whatever the first server says that does not do it; see [`WarehouseErrorKind`].
    pub async fn execute(&self, sql: &Sql) -> Result<(), WarehouseError> {
        for node in self.nodes.iter() {
            let executed = node.client.query_raw(sql.as_str()).execute();
            match tokio::time::timeout(STATEMENT_TIMEOUT, executed).await {
                Ok(result) => result.map_err(|error| WarehouseError::from_client(error, &node.url))?,
                Err(_) => return Err(WarehouseError::timed_out(STATEMENT_TIMEOUT, &node.url)),
            }
        }
        Ok(())
    }

    /// Runs a small query and decodes its rows from JSON, in which 64-bit integers are as the server writes them: a query
    /// that has any casts them.
    pub(crate) async fn rows<Row: DeserializeOwned>(
        &self,
        sql: &Sql,
        settings: &[(&str, &str)],
    ) -> Result<Vec<Row>, WarehouseError> {
        let mut away = None;
        for node in self.in_turn() {
            let answer = self.nodes[node].rows(sql, settings).await;
            if let Some(answer) = self.settled(node, answer, &mut away) {
                return answer;
            }
        }
        Err(away.expect("there is a node, and none of them answered"))
    }
}

/// A URL may name an account and its password; no message does.
fn without_account(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match host.rfind('@') {
        Some(at) => format!("{scheme}://{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_an_account() {
        assert_eq!(without_account("http://u:p@a:8123/x"), "http://a:8123/x");
        assert_eq!(without_account("https://a:8443/?user=@"), "https://a:8443/?user=@");
        assert_eq!(without_account("u:p"), "u:p");
    }
}
