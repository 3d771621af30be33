//! Log format, metrics and the admin routes that both roles share.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::get;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use tracing_subscriber::EnvFilter;

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For log stores.
    Json,
}

/// Starts logging to stderr; the level is `RUST_LOG`, or `info`.
pub fn start_logging(format: LogFormat) {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,kube=warn,tower=warn,hyper=warn"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Text => builder.init(),
        LogFormat::Json => builder.json().init(),
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Outcome {
    code: String,
}

/// The metrics of the query server.
#[derive(Clone)]
pub struct ServerMetrics {
    queries: Family<Outcome, Counter>,
    duration: Histogram,
}

impl ServerMetrics {
    /// Registers the metrics.
    pub fn new(registry: &mut Registry) -> Self {
        let buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
        let metrics = Self { queries: Family::default(), duration: Histogram::new(buckets) };
        registry.register(
            "wow_analytics_queries",
            "Queries by their error code; Ok where rows were sent",
            metrics.queries.clone(),
        );
        registry.register(
            "wow_analytics_query_seconds",
            "Time until the first rows of a query were there",
            metrics.duration.clone(),
        );
        metrics
    }

    /// Counts a query.
    pub fn query(&self, code: &str, elapsed: Duration) {
        self.queries.get_or_create(&Outcome { code: code.to_owned() }).inc();
        self.duration.observe(elapsed.as_secs_f64());
    }
}

/// The admin routes: `/healthz`, `/readyz`, `/metrics`, and nothing else (design 6.1).
pub fn admin_routes(registry: Registry, is_ready: impl Fn() -> bool + Clone + Send + Sync + 'static) -> Router {
    let registry = Arc::new(registry);
    let ready = move || {
        let status = if is_ready() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        async move { (status, if status.is_success() { "ready" } else { "not ready" }) }
    };
    let metrics = move || {
        let mut text = String::new();
        let encoded = encode(&mut text, &registry);
        async move {
            match encoded {
                Ok(()) => {
                    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
                        .into_response()
                }
                Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            }
        }
    };
    Router::new().route("/healthz", get(|| async { "ok" })).route("/readyz", get(ready)).route("/metrics", get(metrics))
}
