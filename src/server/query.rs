//! Answers one query: admit, bind, send, stream (design 6.3).

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, header};
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;

use super::ServerState;
use super::caller::{self, PathScope};
use super::problem::Problem;
use super::registry::Served;
use super::rows::{OnFailure, Rows};
use crate::query::{self, Scope, Shape, Statement};
use crate::warehouse::{QueryOptions, RowStream, Warehouse, WarehouseError, WarehouseErrorKind};

/// The largest body (design 7).
pub(super) const BODY_LIMIT: usize = 1024 * 1024;

/// A query as it arrived.
pub(super) struct Arrival {
    pub id: String,
    pub path: PathScope,
    pub shape: Option<Shape>,
    pub headers: HeaderMap,
    pub body: Body,
    pub numbers_as_text: bool,
}

/// The answer, or why there is none.
pub(super) async fn answer(state: &ServerState, arrival: Arrival) -> Result<Response<Body>, Problem> {
    caller::check_host(&arrival.headers, &state.settings.allowed_hosts)?;
    caller::check_accept(&arrival.headers)?;
    caller::check_content(&arrival.headers)?;
    let body = axum::body::to_bytes(arrival.body, BODY_LIMIT);
    let body = tokio::time::timeout(state.settings.body_deadline.unsigned_abs(), body).await;
    let body = body.map_err(|_| Problem::too_slow())?.map_err(|_| Problem::too_large(BODY_LIMIT))?;
    let request = query::parse_request(arrival.shape, &body, &state.settings.limits)?;
    let snapshot = state.registry.snapshot();
    if !snapshot.is_loaded() || snapshot.age().is_none_or(|age| age > state.settings.max_record_age.unsigned_abs()) {
        return Err(Problem::unavailable());
    }
    let served = snapshot.dataset(&arrival.id).ok_or_else(|| Problem::dataset_not_found(&arrival.id))?;
    let scope = caller::scope(&arrival.path, &arrival.headers)?;
    query::scope_is_stated(&served.record, &scope)?;
    if !served.readable || !served.record.available {
        return Err(Problem::dataset_unavailable());
    }
    let bound = query::bind(&request, &served.record, &scope, &state.settings.limits)?;
    let reader = state.registry.reader(&served.record.connection).ok_or_else(Problem::unavailable)?;
    let places = state.admit(bound.total.iter().chain(&bound.rows).count()).await?;
    let run = Run { state, served, reader, scope: &scope, numbers_as_text: arrival.numbers_as_text };
    let mut response = run.respond(&bound, places).await?;
    let version = HeaderValue::from(served.record.version);
    response.headers_mut().insert("wow-dataset-version", version);
    Ok(response)
}

/// One query on its way.
struct Run<'a> {
    state: &'a ServerState,
    served: &'a Arc<Served>,
    reader: &'a Warehouse,
    scope: &'a Scope,
    numbers_as_text: bool,
}

impl Run<'_> {
    async fn respond(
        &self,
        bound: &query::BoundQuery,
        mut places: OwnedSemaphorePermit,
    ) -> Result<Response<Body>, Problem> {
        // The total and the rows of a page are asked for at once: the answer takes as long as the slower of the two.
        let total = async {
            match &bound.total {
                Some(statement) => self.number(statement).await.map(Some),
                None => Ok(None),
            }
        };
        let rows = async {
            match &bound.rows {
                Some(statement) => self.send(statement).await.map(Some),
                None => Ok(None),
            }
        };
        let (total, rows) = tokio::try_join!(total, rows)?;
        let Some((stream, query_id)) = rows else {
            let (number, query_id) = total.unwrap_or_default();
            return Ok(json_response(Body::from(number), &query_id));
        };
        if bound.shape == Shape::Single {
            let body = stream.collect().await.map_err(|error| self.failed(&error, &query_id))?;
            let row = body.strip_suffix(b"\n").unwrap_or(&body);
            if row.is_empty() {
                return Err(Problem::not_found().of_query(&query_id));
            }
            return Ok(json_response(Body::from(row.to_vec()), &query_id));
        }
        let (opening, closing) = match total {
            Some((total, _)) => (format!("{{\"total\":{total},\"list\":["), "]}"),
            None => ("[".to_owned(), "]"),
        };
        // The total is there: one statement runs on.
        let place = places.split(1);
        drop(places);
        let rows = Rows::new(stream, opening, closing, place, self.late_failure(&query_id));
        Ok(json_response(Body::from_stream(rows), &query_id))
    }

    /// The one number that a statement gives, as text, and the statement's identifier.
    async fn number(&self, statement: &Statement) -> Result<(String, String), Problem> {
        let (stream, query_id) = self.send(statement).await?;
        let body = stream.collect().await.map_err(|error| self.failed(&error, &query_id))?;
        let row: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&body).unwrap_or_default();
        let number = row.values().next().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        match number {
            Some(number) => Ok((number, query_id)),
            None => {
                tracing::error!(dataset = %self.served.record.id, %query_id, "a count gave no number");
                Err(Problem::unavailable().of_query(&query_id))
            }
        }
    }

    async fn send(&self, statement: &Statement) -> Result<(RowStream, String), Problem> {
        let query_id = uuid::Uuid::now_v7().to_string();
        let options = QueryOptions {
            query_id: query_id.clone(),
            scope_statement: self.scope_statement(),
            first_rows: self.execution_time() + Duration::from_secs(5),
            idle: Some(self.state.settings.idle_timeout.unsigned_abs()).filter(|idle| !idle.is_zero()),
            settings: self.settings(),
        };
        match self.reader.stream(&statement.sql, &statement.parameters, &options).await {
            Ok(stream) => Ok((stream, query_id)),
            Err(error) => Err(self.failed(&error, &query_id)),
        }
    }

    /// What the view's fence reads. Always texts: a number would be read as its text, and '07' is not 7.
    fn scope_statement(&self) -> String {
        json!({
            "dataset": self.served.record.id,
            "version": self.served.record.version,
            "tenant": self.scope.tenant,
            "owner": self.scope.owner,
            "space": self.scope.space,
        })
        .to_string()
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        let quoted = if self.numbers_as_text { "1" } else { "0" };
        let seconds = self.execution_time().as_secs_f64();
        vec![
            // That cache ignores the scope: the same text would get another tenant's rows.
            ("use_query_cache", "0".to_owned()),
            ("output_format_json_quote_64bit_integers", quoted.to_owned()),
            ("output_format_json_quote_decimals", quoted.to_owned()),
            ("max_execution_time", seconds.to_string()),
        ]
    }

    fn execution_time(&self) -> Duration {
        // Less than a second is refused by the account's constraint.
        self.state.settings.max_execution_time.unsigned_abs().max(Duration::from_secs(1))
    }

    /// Logs a failure. ClickHouse's own words hold the values of the query: scope, operands, pieces of rows. They are for
    /// whoever turns the level of the log up.
    fn failed(&self, error: &WarehouseError, query_id: &str) -> Problem {
        let (dataset, version) = (&self.served.record.id, self.served.record.version);
        let (kind, code) = (error.kind, error.code);
        match kind {
            WarehouseErrorKind::Limit | WarehouseErrorKind::Changed | WarehouseErrorKind::Missing => {
                tracing::warn!(%dataset, version, query_id, %kind, code, "a query was not answered");
            }
            _ => tracing::error!(%dataset, version, query_id, %kind, code, "a query failed"),
        }
        tracing::debug!(query_id, %error, "the cause");
        Problem::of_warehouse(error).of_query(query_id)
    }

    fn late_failure(&self, query_id: &str) -> OnFailure {
        let (dataset, version) = (self.served.record.id.clone(), self.served.record.version);
        let query_id = query_id.to_owned();
        Box::new(move |error| {
            let (kind, code) = (error.kind, error.code);
            tracing::error!(
                %dataset, version, query_id, %kind, code,
                "a query failed after its first rows were sent; the body was broken off"
            );
            tracing::debug!(query_id, %error, "the cause");
        })
    }
}

fn json_response(body: Body, query_id: &str) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert("wow-error-code", HeaderValue::from_static("Ok"));
    if let Ok(value) = HeaderValue::from_str(query_id) {
        headers.insert("wow-query-id", value);
    }
    response
}
