//! Starts a role: configuration, telemetry, shutdown, and the role itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kube::Client;
use prometheus_client::registry::Registry as MetricsRegistry;
use tokio_util::sync::CancellationToken;

use crate::cli::{RoleArguments, StandaloneArguments};
use crate::configuration::{Configuration, ConfiguredMode, is_name};
use crate::controller::kubernetes;
use crate::server::{self, Registry, ServerState};
use crate::standalone::{self, Options};
use crate::telemetry::{ServerMetrics, admin_routes};

/// What a role ends with where it cannot go on; for people.
pub type RoleError = Box<dyn std::error::Error + Send + Sync>;

/// The file in which a pod finds its own namespace.
const NAMESPACE_FILE: &str = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

/// Runs the operator.
///
/// # Errors
/// If it cannot start.
pub async fn controller(arguments: RoleArguments) -> Result<(), RoleError> {
    let configuration = load(arguments.config.as_deref())?;
    require_urls(&configuration)?;
    if configuration.approval.mode == Some(ConfiguredMode::Automatic) {
        return Err("approval.mode: Automatic is for standalone; in a cluster approvals are annotations".into());
    }
    let namespace = namespace(arguments.namespace)?;
    if !is_name(&namespace, "") {
        return Err(format!("`{namespace}` is no namespace").into());
    }
    let shutdown = shutdown_signal();
    let client = Client::try_default().await?;
    let (ready, is_ready) = readiness();
    let admin =
        admin_server(configuration.serve.admin_address(), MetricsRegistry::default(), is_ready, shutdown.clone())
            .await?;
    let started = move || ready.store(true, Ordering::Relaxed);
    tracing::info!(%namespace, "the operator starts");
    kubernetes::run(client, &namespace, &configuration, started, shutdown.clone()).await?;
    shutdown.cancel();
    admin.await?;
    Ok(())
}

/// Runs the query server.
///
/// # Errors
/// If it cannot start.
pub async fn serve(arguments: RoleArguments) -> Result<(), RoleError> {
    let configuration = load(arguments.config.as_deref())?;
    require_urls(&configuration)?;
    let settings = configuration.serve.clone();
    let namespaces = match settings.namespaces.is_empty() {
        true => vec![namespace(arguments.namespace)?],
        false => settings.namespaces.clone(),
    };
    let shutdown = shutdown_signal();
    let registry = Arc::new(Registry::new(server::readers(&configuration)?));
    let mut metrics = MetricsRegistry::default();
    let state = Arc::new(ServerState::new(registry.clone(), settings.clone(), ServerMetrics::new(&mut metrics)));
    let is_ready = {
        let registry = registry.clone();
        move || registry.snapshot().is_loaded()
    };
    let admin = admin_server(settings.admin_address(), metrics, is_ready, shutdown.clone()).await?;
    let (listener, local) = server::listen(&settings.listen).await?;
    tracing::info!(address = %local, namespaces = %namespaces.join(", "), "queries are answered");
    let client = Client::try_default().await?;
    let following = server::follow(client, &namespaces, registry, &settings, shutdown.clone());
    let (served, ()) = tokio::join!(server::serve(listener, state, shutdown.clone()), following);
    served?;
    admin.await?;
    Ok(())
}

/// Runs operator and query server over a folder.
///
/// # Errors
/// If it cannot start.
pub async fn standalone(arguments: StandaloneArguments) -> Result<(), RoleError> {
    let mut configuration = load(arguments.config.as_deref())?;
    if let Some(url) = arguments.clickhouse_url {
        let made_up =
            serde_json::from_value(serde_json::json!({})).expect("every member of a connection has a default");
        configuration.connections.entry("default".to_owned()).or_insert(made_up).url = url;
    }
    let options = Options {
        folder: arguments.folder,
        state: arguments.state,
        setup_sql: arguments.setup_sql,
        program: std::env::current_exe()?,
    };
    let shutdown = shutdown_signal();
    let mut metrics = MetricsRegistry::default();
    let server_metrics = ServerMetrics::new(&mut metrics);
    let (ready, is_ready) = readiness();
    // Many run on one machine: the port is taken only where it is stated.
    let admin = match &configuration.serve.admin_listen {
        Some(address) => Some(admin_server(address, metrics, is_ready, shutdown.clone()).await?),
        None => None,
    };
    let started = |address: std::net::SocketAddr, setup: &standalone::Setup| {
        ready.store(true, Ordering::Relaxed);
        tracing::info!(%address, "queries are answered");
        if let Some(url) = setup.embedded() {
            tracing::info!(%url, "the embedded ClickHouse answers");
        }
        if let Some(path) = &arguments.address_file
            && let Err(error) = std::fs::write(path, address.to_string())
        {
            tracing::error!(path = %path.display(), %error, "the address file could not be written");
        }
    };
    standalone::run(configuration, options, server_metrics, started, shutdown).await?;
    if let Some(admin) = admin {
        admin.await?;
    }
    Ok(())
}

/// Whether a role has started its work, and the question for it.
fn readiness() -> (Arc<AtomicBool>, impl Fn() -> bool + Clone + Send + Sync + 'static) {
    let ready = Arc::new(AtomicBool::new(false));
    (ready.clone(), move || ready.load(Ordering::Relaxed))
}

fn load(path: Option<&Path>) -> Result<Configuration, RoleError> {
    Ok(Configuration::load(path, std::env::vars_os())?)
}

fn require_urls(configuration: &Configuration) -> Result<(), RoleError> {
    if configuration.connections.is_empty() {
        return Err("the configuration has no connections; state at least connections.default.url".into());
    }
    match configuration.connections.iter().find(|(_, connection)| connection.has_no_server()) {
        Some((name, _)) => {
            Err(format!("the connection `{name}` has no url; only standalone starts a ClickHouse of its own").into())
        }
        None => Ok(()),
    }
}

fn namespace(stated: Option<String>) -> Result<String, RoleError> {
    if let Some(namespace) = stated {
        return Ok(namespace);
    }
    std::fs::read_to_string(PathBuf::from(NAMESPACE_FILE))
        .map(|text| text.trim().to_owned())
        .map_err(|_| "the process runs in no pod; state its namespace with --namespace".into())
}

async fn admin_server(
    address: &str,
    metrics: MetricsRegistry,
    is_ready: impl Fn() -> bool + Clone + Send + Sync + 'static,
    shutdown: CancellationToken,
) -> Result<tokio::task::JoinHandle<()>, RoleError> {
    let (listener, local) = server::listen(address)
        .await
        .map_err(|cause| format!("the admin address `{address}` cannot be listened on: {cause}"))?;
    tracing::info!(address = %local, "the admin routes answer");
    let routes = admin_routes(metrics, is_ready);
    Ok(tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, routes).with_graceful_shutdown(shutdown.cancelled_owned()).await {
            tracing::error!(%error, "the admin routes failed");
        }
    }))
}

/// A token that is cancelled by Ctrl-C or SIGTERM; a second signal ends the process at once.
fn shutdown_signal() -> CancellationToken {
    let token = CancellationToken::new();
    let cancelled = token.clone();
    tokio::spawn(async move {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        else {
            return;
        };
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        tracing::info!("stopping; what is under way is finished first");
        cancelled.cancel();
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        std::process::exit(130);
    });
    token
}
