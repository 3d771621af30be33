//! Layer 2: the only code that talks to ClickHouse, and the only user of the `clickhouse` crate.
//!
//! Takes finished [`Sql`], gives plain data or a stream of bytes. Knows no Kubernetes object, no record, no dataset
//! rule. One attempt a call: who retries is decided above.

mod catalog_reader;
mod error;
mod json_paths;
mod query_stream;
mod view_store;

pub use catalog_reader::TableStamps;
pub use error::{WarehouseError, WarehouseErrorKind};
pub use query_stream::{QueryOptions, RowStream};
pub use view_store::{StoredView, ViewMark};

use std::fmt;
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

/// One ClickHouse under one account. Cheap to clone; connections are shared.
#[derive(Clone)]
pub struct Warehouse {
    client: Client,
    url: String,
}

impl Warehouse {
    /// Prepares a client; nothing is sent yet.
    pub fn new(endpoint: &Endpoint) -> Self {
        let client = Client::default()
            .with_url(&endpoint.url)
            .with_user(&endpoint.user)
            .with_password(&endpoint.password)
            .with_product_info("analytics-catalog", env!("CARGO_PKG_VERSION"));
        Self { client, url: without_account(&endpoint.url) }
    }

    /// The URL without any account, for messages.
    pub fn url(&self) -> &str {
        &self.url
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

    /// Runs a statement that gives no rows.
    ///
    /// # Errors
    /// Whatever the server says; see [`WarehouseErrorKind`].
    pub async fn execute(&self, sql: &Sql) -> Result<(), WarehouseError> {
        let executed = self.client.query_raw(sql.as_str()).execute();
        match tokio::time::timeout(STATEMENT_TIMEOUT, executed).await {
            Ok(result) => result.map_err(|error| WarehouseError::from_client(error, &self.url)),
            Err(_) => Err(WarehouseError::timed_out(STATEMENT_TIMEOUT, &self.url)),
        }
    }

    /// Runs a small query and decodes its rows from JSON, in which 64-bit integers are as the server writes them: a query
    /// that has any casts them.
    pub(crate) async fn rows<Row: DeserializeOwned>(
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
