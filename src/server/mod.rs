//! Layer 3: the query server. Reads publication records, answers HTTP; knows no compiler and no operator.
//!
//! `routes` is the list of URLs, `query` the way of one query, `caller` who asks, `problem` what can go wrong,
//! `rows` how rows pass by, `deadline` how long a caller may take to read them. `registry` is what is published: `heard`
//! what the API server says of it, `holdings` what of that is served, `watch` how both are kept current, `snapshot` the file
//! that outlives a restart, `retry` how soon something is tried again.

mod caller;
mod deadline;
mod heard;
mod holdings;
mod problem;
mod query;
pub mod registry;
mod retry;
mod routes;
mod rows;
mod snapshot;
mod watch;

pub use registry::Registry;
pub use retry::Retry;

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::configuration::{Configuration, ConfigurationError, ServeConfiguration};
use crate::telemetry::ServerMetrics;
use crate::warehouse::Warehouse;
use deadline::PatientListener;
use problem::Problem;
use snapshot::SnapshotFile;

/// What every request shares.
pub struct ServerState {
    registry: Arc<Registry>,
    settings: ServeConfiguration,
    places: Arc<Semaphore>,
    metrics: ServerMetrics,
}

impl ServerState {
    /// The state of a server over a registry.
    pub fn new(registry: Arc<Registry>, settings: ServeConfiguration, metrics: ServerMetrics) -> Self {
        let places = Arc::new(Semaphore::new(settings.max_concurrent.max(1)));
        Self { registry, settings, places, metrics }
    }

    /// Places among the statements that run at a time, or all that there are; waits briefly, in order of arrival.
    async fn admit(&self, statements: usize) -> Result<OwnedSemaphorePermit, Problem> {
        let wanted = u32::try_from(statements.min(self.settings.max_concurrent.max(1))).unwrap_or(u32::MAX);
        let places = self.places.clone().acquire_many_owned(wanted);
        match tokio::time::timeout(self.settings.queue_wait.unsigned_abs(), places).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) | Err(_) => Err(Problem::busy()),
        }
    }
}

/// The reader accounts of a configuration.
///
/// # Errors
/// If a password cannot be read.
pub fn readers(
    configuration: &Configuration,
) -> Result<std::collections::BTreeMap<String, Warehouse>, ConfigurationError> {
    let connections = configuration.connections.iter();
    connections.map(|(name, connection)| Ok((name.clone(), Warehouse::over(&connection.reader_endpoints()?)))).collect()
}

/// Keeps a registry current from the API server, starting from the snapshot file if there is one.
pub async fn follow(
    client: kube::Client,
    namespaces: &[String],
    registry: Arc<Registry>,
    settings: &ServeConfiguration,
    shutdown: CancellationToken,
) {
    let file = settings.snapshot.clone().map(SnapshotFile::new);
    watch::run(client, namespaces, registry, file, shutdown).await;
}

/// Listens on an address of the configuration.
///
/// # Errors
/// If the address cannot be used.
pub async fn listen(address: &str) -> std::io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address).await?;
    let local = listener.local_addr()?;
    Ok((listener, local))
}

/// Answers queries until `shutdown`; queries under way are finished.
///
/// # Errors
/// If the listener fails.
pub async fn serve(listener: TcpListener, state: Arc<ServerState>, shutdown: CancellationToken) -> std::io::Result<()> {
    let listener = PatientListener::new(listener, state.settings.write_deadline.unsigned_abs());
    axum::serve(listener, routes::router(state)).with_graceful_shutdown(shutdown.cancelled_owned()).await
}
