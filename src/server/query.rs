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
use super::rows::Rows;
use crate::api::definition::Demand;
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
    let scope = admitted_scope(served, &arrival.path, &arrival.headers)?;
    if !served.readable || !served.record.available {
        return Err(Problem::dataset_unavailable());
    }
    let bound = query::bind(&request, &served.record, &scope, &state.settings.limits)?;
    let reader = state.registry.reader(&served.record.connection).ok_or_else(Problem::unavailable)?;
    let permit = state.admit().await?;
    let run = Run { state, served, reader, scope: &scope, numbers_as_text: arrival.numbers_as_text };
    let mut response = run.respond(&bound, permit).await?;
    let version = HeaderValue::from(served.record.version);
    response.headers_mut().insert("wow-dataset-version", version);
    Ok(response)
}

/// The scope that the caller states, if it is what the dataset asks for.
fn admitted_scope(served: &Served, path: &PathScope, headers: &HeaderMap) -> Result<Scope, Problem> {
    let scope = caller::scope(path, headers)?;
    let parts = [
        ("tenant", &served.record.scope.tenant, scope.tenant.is_some()),
        ("owner", &served.record.scope.owner, scope.owner.is_some()),
        ("space", &served.record.scope.space, scope.space.is_some()),
    ];
    for (part, column, stated) in parts {
        if column.as_ref().is_some_and(|column| column.demand == Demand::Required) && !stated {
            return Err(Problem::scope_missing(part));
        }
    }
    Ok(scope)
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
        permit: OwnedSemaphorePermit,
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
            return Ok(json_response(Body::from(total.unwrap_or_default()), None));
        };
        if bound.shape == Shape::Single {
            let body = stream.collect().await.map_err(|error| self.failed(&error, &query_id))?;
            let row = body.strip_suffix(b"\n").unwrap_or(&body);
            if row.is_empty() {
                return Err(Problem::not_found());
            }
            return Ok(json_response(Body::from(row.to_vec()), Some(&query_id)));
        }
        let (opening, closing) = match total {
            Some(total) => (format!("{{\"total\":{total},\"list\":["), "]}"),
            None => ("[".to_owned(), "]"),
        };
        let rows = Rows::new(stream, opening, closing, permit, log_late_failure);
        Ok(json_response(Body::from_stream(rows), Some(&query_id)))
    }

    /// The one number that a statement gives, as text.
    async fn number(&self, statement: &Statement) -> Result<String, Problem> {
        let (stream, query_id) = self.send(statement).await?;
        let body = stream.collect().await.map_err(|error| self.failed(&error, &query_id))?;
        let row: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&body).unwrap_or_default();
        let number = row.values().next().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        number.ok_or_else(|| {
            tracing::error!(%query_id, "a count gave no number");
            Problem::unavailable()
        })
    }

    async fn send(&self, statement: &Statement) -> Result<(RowStream, String), Problem> {
        let query_id = uuid::Uuid::now_v7().to_string();
        let options = QueryOptions {
            query_id: query_id.clone(),
            scope_statement: self.scope_statement(),
            first_rows: self.execution_time() + Duration::from_secs(5),
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
        let seconds = self.execution_time().as_secs();
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

    fn failed(&self, error: &WarehouseError, query_id: &str) -> Problem {
        let record = &self.served.record;
        match error.kind {
            WarehouseErrorKind::Limit | WarehouseErrorKind::Changed | WarehouseErrorKind::Missing => {
                tracing::warn!(dataset = %record.id, version = record.version, query_id, %error, "a query was not answered");
            }
            _ => tracing::error!(dataset = %record.id, version = record.version, query_id, %error, "a query failed"),
        }
        Problem::of_warehouse(error)
    }
}

fn log_late_failure(error: &WarehouseError) {
    tracing::error!(%error, "a query failed after its first rows were sent; the body was broken off");
}

fn json_response(body: Body, query_id: Option<&str>) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert("wow-error-code", HeaderValue::from_static("Ok"));
    if let Some(value) = query_id.and_then(|query_id| HeaderValue::from_str(query_id).ok()) {
        headers.insert("wow-query-id", value);
    }
    response
}
