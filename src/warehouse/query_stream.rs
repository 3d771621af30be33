//! Runs a caller's query and streams its rows (design 6.3).

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use clickhouse::query::BytesCursor;
use futures::{Stream, StreamExt as _, ready};
use tokio::time::Sleep;

use super::{Node, Warehouse, WarehouseError};
use crate::sql::Sql;

/// What goes with a query besides its text.
#[derive(Clone, Debug, Default)]
pub struct QueryOptions {
    /// The query's own identifier.
    pub query_id: String,
    /// The scope, as the JSON text that the view's fence reads.
    pub scope_statement: String,
    /// How long to wait for the first rows; longer than the server's own limit, which answers before. It also ends a query
    /// that the HTTP client lost with a connection (hyper issue 4122).
    pub first_rows: Duration,
    /// How long the server may be silent between rows (query-language 1.9); none where that is not bounded.
    pub idle: Option<Duration>,
    /// Further settings; each must be changeable for the account.
    pub settings: Vec<(&'static str, String)>,
}

/// Rows as they arrive, one JSON object a line. Ends with an error if the answer broke off; then none of the
/// server's exception text was given out.
pub struct RowStream {
    first: Option<Bytes>,
    cursor: BytesCursor,
    url: String,
    broken: bool,
    idle: Option<Duration>,
    /// Runs while rows are waited for.
    waiting: Option<Pin<Box<Sleep>>>,
}

/// How long the cause of a broken stream is waited for.
const CAUSE: Duration = Duration::from_secs(5);

impl Warehouse {
    /// Sends a query and waits for its first bytes, so that what fails at once fails here.
    ///
    /// # Errors
    /// Whatever the server says before the first rows.
    pub async fn stream(
        &self,
        sql: &Sql,
        parameters: &[(String, String)],
        options: &QueryOptions,
    ) -> Result<RowStream, WarehouseError> {
        let mut away = None;
        for node in self.in_turn() {
            let answer = self.nodes[node].stream(sql, parameters, options).await;
            if let Some(answer) = self.settled(node, answer, &mut away) {
                return answer;
            }
        }
        Err(away.expect("there is a node, and none of them answered"))
    }
}

impl Node {
    async fn stream(
        &self,
        sql: &Sql,
        parameters: &[(String, String)],
        options: &QueryOptions,
    ) -> Result<RowStream, WarehouseError> {
        let mut query = self
            .client
            .query_raw(sql.as_str())
            .with_setting("query_id", &options.query_id)
            .with_setting("log_comment", &options.scope_statement);
        for (name, value) in &options.settings {
            query = query.with_setting(*name, value);
        }
        for (name, value) in parameters {
            // The value is escaped already as the HTTP interface reads it; `param()` would escape it twice.
            query = query.with_setting(format!("param_{name}"), value);
        }
        let failed = |error| WarehouseError::from_client(error, &self.url);
        let mut cursor = query.fetch_bytes("JSONEachRow").map_err(failed)?;
        let first = match tokio::time::timeout(options.first_rows, cursor.next()).await {
            Ok(first) => first.map_err(failed)?,
            Err(_) => return Err(WarehouseError::past_deadline(options.first_rows, &self.url)),
        };
        let mut stream =
            RowStream { first: None, cursor, url: self.url.clone(), broken: false, idle: options.idle, waiting: None };
        if let Some(chunk) = first {
            match stream.checked(chunk) {
                Ok(chunk) => stream.first = Some(chunk),
                Err(error) => return Err(stream.cause_of(error).await),
            }
        }
        Ok(stream)
    }
}

impl RowStream {
    /// A chunk of rows holds no carriage return: JSON escapes it. The server's exception block starts with one, so
    /// from there on nothing is data (ClickHouse facts 8).
    fn checked(&mut self, chunk: Bytes) -> Result<Bytes, WarehouseError> {
        if memchr::memchr(b'\r', &chunk).is_some() {
            self.broken = true;
            return Err(WarehouseError::broken_stream(&self.url));
        }
        Ok(chunk)
    }

    /// The client names the exception once the stream ends; a generic error otherwise.
    async fn cause_of(mut self, generic: WarehouseError) -> WarehouseError {
        let cause = async {
            loop {
                match self.cursor.next().await {
                    Ok(Some(_)) => {}
                    Ok(None) => return None,
                    Err(error) => return Some(WarehouseError::from_client(error, &self.url)),
                }
            }
        };
        tokio::time::timeout(CAUSE, cause).await.ok().flatten().unwrap_or(generic)
    }

    /// All rows at once, for answers that are known to be small.
    ///
    /// # Errors
    /// As the stream.
    pub async fn collect(mut self) -> Result<Vec<u8>, WarehouseError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.next().await {
            body.extend_from_slice(&chunk?);
        }
        Ok(body)
    }
}

impl Stream for RowStream {
    type Item = Result<Bytes, WarehouseError>;

    fn poll_next(self: Pin<&mut Self>, ctx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if this.broken {
            return Poll::Ready(None);
        }
        if let Some(first) = this.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        let chunk = match Pin::new(&mut this.cursor).poll_next(ctx) {
            Poll::Ready(chunk) => chunk,
            Poll::Pending => {
                let Some(idle) = this.idle else { return Poll::Pending };
                let waiting = this.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(idle)));
                ready!(waiting.as_mut().poll(ctx));
                this.broken = true;
                return Poll::Ready(Some(Err(WarehouseError::past_deadline(idle, &this.url))));
            }
        };
        this.waiting = None;
        Poll::Ready(match chunk {
            Some(Ok(chunk)) => Some(this.checked(chunk)),
            Some(Err(error)) => {
                this.broken = true;
                Some(Err(WarehouseError::from_client(error, &this.url)))
            }
            None => None,
        })
    }
}
