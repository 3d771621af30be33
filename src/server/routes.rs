//! The whole list of URLs (design 6.1).

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, Request, State};
use axum::http::Response;
use axum::routing::post;
use serde::Deserialize;

use super::ServerState;
use super::caller::PathScope;
use super::problem::Problem;
use super::query::{self, Arrival};
use crate::query::Shape;

/// The query routes.
pub(super) fn router(state: Arc<ServerState>) -> Router {
    let mut router = Router::new();
    for scope in ["", "/tenant/{tenant}", "/owner/{owner}", "/tenant/{tenant}/owner/{owner}"] {
        let base = format!("{scope}/wow/dataset/{{context}}/{{name}}");
        router = router.route(
            &format!("{base}/query"),
            post(|state, path, options, request| run(None, state, path, options, request)),
        );
        for (word, shape) in
            [("single", Shape::Single), ("list", Shape::List), ("paged", Shape::Paged), ("count", Shape::Count)]
        {
            let handler = post(move |state, path, options, request| run(Some(shape), state, path, options, request));
            // Clients of snapshot models use the longer form.
            router = router
                .route(&format!("{base}/{word}"), handler.clone())
                .route(&format!("{base}/snapshot/{word}"), handler);
        }
    }
    router
        .method_not_allowed_fallback(|| async { Problem::method_not_allowed().response() })
        .fallback(|| async { Problem::no_route().response() })
        .with_state(state)
}

#[derive(Deserialize)]
struct DatasetPath {
    context: String,
    name: String,
    tenant: Option<String>,
    owner: Option<String>,
}

/// What stands behind `?`, in the order sent.
type Options = Vec<(String, String)>;

/// Whether 64-bit numbers and decimals are answered as strings: the one option there is. Anything else is refused: who
/// states an option relies on it.
fn numbers_as_text(options: &Options) -> Result<bool, Problem> {
    let mut as_text = false;
    for (name, value) in options {
        match (name.as_str(), value.as_str()) {
            ("numbers", _) if as_text => return Err(Problem::bad_request("The option `numbers` is given twice.")),
            ("numbers", "string") => as_text = true,
            ("numbers", _) => return Err(Problem::bad_request("The option `numbers` is `string`, or left out.")),
            _ => return Err(Problem::no_option(name)),
        }
    }
    Ok(as_text)
}

async fn run(
    shape: Option<Shape>,
    State(state): State<Arc<ServerState>>,
    path: Result<Path<DatasetPath>, PathRejection>,
    options: Result<Query<Options>, QueryRejection>,
    request: Request,
) -> Response<Body> {
    let Ok(Path(path)) = path else { return Problem::bad_request("The path is not UTF-8.").response() };
    let Ok(Query(options)) = options else {
        return Problem::bad_request("The part of the URL behind `?` cannot be read.").response();
    };
    let numbers_as_text = match numbers_as_text(&options) {
        Ok(as_text) => as_text,
        Err(problem) => return problem.response(),
    };
    let (parts, body) = request.into_parts();
    let arrival = Arrival {
        id: format!("{}.{}", path.context, path.name),
        path: PathScope { tenant: path.tenant, owner: path.owner },
        shape,
        headers: parts.headers,
        body,
        numbers_as_text,
    };
    let started = std::time::Instant::now();
    let answer = query::answer(&state, arrival).await;
    let code = answer.as_ref().map_or_else(Problem::error_code, |_| "Ok");
    state.metrics.query(code, started.elapsed());
    answer.unwrap_or_else(|problem| problem.response())
}
