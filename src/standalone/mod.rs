//! Layer 3: operator and query server in one process, over a folder of YAML instead of an API server.
//!
//! `manifest` reads the objects, `declared` says which count, `store` keeps status and history in the state folder, `engine` starts a ClickHouse where no
//! URL is given, `accounts` are its users. Everything else is what a cluster runs.

pub mod accounts;
mod declared;
pub mod engine;
mod setup;
mod store;

pub use setup::{Setup, statements};
pub use store::FolderStore;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use crate::api::PublicationRecord;
use crate::configuration::{Configuration, ConfigurationError};
use crate::controller::context::{check_servers, connections};
use crate::controller::source::Settled;
use crate::controller::store::Store as _;
use crate::controller::{self, Context, Settings};
use crate::plan::ApprovalMode;
use crate::server::{self, Registry, Retry, ServerState};
use crate::telemetry::ServerMetrics;
use crate::warehouse::TableStamps;
use engine::EngineError;

/// How often the folder is looked at.
const FOLDER_POLL: Duration = Duration::from_millis(500);
/// How often the query server is told what is found while a pass goes on.
const TOLD: Duration = Duration::from_millis(250);

/// What standalone is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of YAML.
    pub folder: PathBuf,
    /// The folder of status, history and the embedded ClickHouse.
    pub state: PathBuf,
    /// SQL that the embedded ClickHouse runs at its start, as its administrator.
    pub setup_sql: Vec<PathBuf>,
    /// This program, which starts itself as the engine's process.
    pub program: PathBuf,
}

/// Why standalone cannot run.
#[derive(Debug, thiserror::Error)]
pub enum StandaloneError {
    /// The configuration.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// The embedded ClickHouse.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A folder or file.
    #[error("`{}` cannot be used: {cause}", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        cause: std::io::Error,
    },
    /// A statement of the setup failed.
    #[error("the setup `{}` failed at statement {number}: {cause}", path.display())]
    Setup {
        /// The file.
        path: PathBuf,
        /// Which statement, from 1.
        number: usize,
        /// What ClickHouse said.
        cause: String,
    },
    /// The address of the query routes.
    #[error("the address `{address}` cannot be listened on: {cause}")]
    Listen {
        /// The address.
        address: String,
        /// The system's reason.
        cause: std::io::Error,
    },
}

/// Runs until `shutdown`. `started` is told the address of the query routes.
///
/// # Errors
/// If something that everything needs cannot be had; a mistake in the YAML is no such thing.
pub async fn run(
    mut configuration: Configuration,
    options: Options,
    metrics: ServerMetrics,
    started: impl FnOnce(std::net::SocketAddr, &Setup),
    shutdown: CancellationToken,
) -> Result<(), StandaloneError> {
    let store = FolderStore::open(&options.folder, &options.state)?;
    let setup = Setup::prepare(&mut configuration, &options).await?;
    let installation = match &configuration.installation {
        Some(name) => name.clone(),
        None => store::installation(&options.state)
            .map_err(|cause| StandaloneError::Path { path: options.state.join("installation"), cause })?,
    };
    let settings = Settings {
        mode: configuration.approval.mode.map_or(ApprovalMode::Automatic, Into::into),
        retention: configuration.version_retention,
        resync: configuration.resync,
        installation,
    };
    let connections = setup.connections(connections(&configuration)?);
    for problem in check_servers(&connections).await {
        tracing::error!(error = %problem, "a connection is not usable; it is tried again");
    }
    let readers: BTreeMap<_, _> =
        connections.iter().map(|(name, connection)| (name.clone(), connection.reader.clone())).collect();
    let registry = Arc::new(Registry::new(readers));
    let state = Arc::new(ServerState::new(registry.clone(), configuration.serve.clone(), metrics));
    let address = configuration.serve.listen.clone();
    let (listener, local) =
        server::listen(&address).await.map_err(|cause| StandaloneError::Listen { address: address.clone(), cause })?;
    let ctx = Context::new(store, connections, settings);
    ctx.look_at_guards().await;

    let mut driver = Driver {
        ctx,
        registry,
        poll: configuration.source_poll.unsigned_abs(),
        stamps: BTreeMap::new(),
        away: BTreeSet::new(),
    };
    driver.pass(true).await;
    started(local, &setup);
    let serving = server::serve(listener, state, shutdown.clone());
    let driving = driver.run(shutdown.clone());
    let (served, ()) = tokio::join!(serving, driving);
    setup.stop().await;
    served.map_err(|cause| StandaloneError::Listen { address, cause })
}

/// Reconciles the folder, over and over.
struct Driver {
    ctx: Context<FolderStore>,
    registry: Arc<Registry>,
    poll: Duration,
    stamps: BTreeMap<String, TableStamps>,
    /// The connections whose tables could not be looked at last.
    away: BTreeSet<String>,
}

impl Driver {
    async fn run(&mut self, shutdown: CancellationToken) {
        let resync = self.ctx.settings.resync.unsigned_abs();
        let (mut tables, mut everything) = (Instant::now() + self.poll, Instant::now() + resync);
        let mut retry = Retry::default();
        let mut retry_at = Some(Instant::now());
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = tokio::time::sleep(FOLDER_POLL) => {}
            }
            let mut changed = self.ctx.store.reload();
            if Instant::now() >= tables {
                tables = Instant::now() + self.poll;
                changed |= self.tables_changed().await;
            }
            let due = Instant::now() >= everything;
            if due {
                everything = Instant::now() + resync;
            }
            if changed {
                retry.reset();
            }
            if changed || due || retry_at.is_some_and(|at| Instant::now() >= at) {
                let settled = self.pass(due).await;
                if settled {
                    retry.reset();
                }
                retry_at = (!settled).then(|| Instant::now() + retry.pause());
            }
        }
    }

    /// Reconciles everything once; true if nothing has to be tried again.
    async fn pass(&mut self, sweep: bool) -> bool {
        let mut settled = true;
        for (path, problem) in self.ctx.store.problems() {
            // A line for each, with the file in front, as compilers write it.
            problem.lines().for_each(|problem| tracing::error!("{}: {problem}", path.display()));
        }
        for source in self.ctx.store.removed_sources() {
            let id = source.spec.id();
            controller::report::removed(&*source, &format!("The source `{id}` is gone."));
        }
        for dataset in self.ctx.store.removed() {
            match controller::dataset::withdraw(&self.ctx, &dataset).await {
                Ok(()) => self.ctx.store.forget(&dataset),
                Err(error) => {
                    tracing::warn!(dataset = %dataset.spec.id(), %error, "a removed dataset could not be withdrawn; it is tried again");
                    settled = false;
                }
            }
        }
        for source in self.ctx.store.sources() {
            match controller::source::reconcile(&self.ctx, &source).await {
                Ok(looked) => settled &= looked == Settled::Yes,
                Err(error) => {
                    tracing::warn!(source = %source.spec.id(), %error, "a source could not be reconciled; it is tried again");
                    settled = false;
                }
            }
        }
        // What is served comes first, and what is found of it is told at once: a level that was raised is not to wait for
        // views that are new.
        let mut datasets = self.ctx.store.datasets();
        datasets.sort_by_key(|dataset| dataset.status.as_ref().is_none_or(|status| status.published.is_none()));
        let mut told = Instant::now();
        for dataset in datasets {
            if told.elapsed() >= TOLD && self.registry.snapshot().is_loaded() {
                self.registry.replace(self.records()).await;
                told = Instant::now();
            }
            if let Err(error) = controller::dataset::reconcile(&self.ctx, &dataset).await {
                tracing::warn!(dataset = %dataset.spec.id(), %error, "a dataset could not be reconciled; it is tried again");
                settled = false;
            }
        }
        settled &= self.registry.replace(self.records()).await;
        if sweep && let Err(error) = controller::janitor::sweep(&self.ctx).await {
            tracing::warn!(%error, "the history could not be swept; it is tried again");
        }
        settled
    }

    fn records(&self) -> Vec<PublicationRecord> {
        self.ctx.store.datasets().iter().filter_map(|dataset| dataset.status.as_ref()?.published.clone()).collect()
    }

    /// Whether any table changed, or a connection is back.
    async fn tables_changed(&mut self) -> bool {
        let mut changed = false;
        for (name, connection) in &self.ctx.connections {
            match connection.warehouse.table_stamps(&connection.databases).await {
                Ok(stamps) => {
                    changed |= self.away.remove(name);
                    let before = self.stamps.insert(name.clone(), stamps);
                    changed |= before.is_some_and(|before| !self.stamps[name].changed_since(&before).is_empty());
                }
                Err(error) => {
                    if self.away.insert(name.clone()) {
                        tracing::warn!(connection = %name, %error, "the tables cannot be looked at; it is tried again");
                    }
                }
            }
        }
        changed
    }
}
