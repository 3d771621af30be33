//! The driver for a cluster: watches, controllers, and the tasks beside them.

mod guards;
mod history;
mod store;

pub use store::KubernetesStore;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures::{FutureExt as _, Stream, StreamExt as _};
use k8s_openapi::api::core::v1::Namespace;
use kube::api::{Patch, PatchParams};
use kube::runtime::controller::{self, Action};
use kube::runtime::reflector::ObjectRef;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, ResourceExt as _};
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::context::{Context, Settings, check_servers, connections};
use super::{Error, dataset, janitor, source};
use crate::api::{AnalyticsDataset, AnalyticsSource, FINALIZER};
use crate::configuration::Configuration;
use crate::plan::ApprovalMode;
use crate::warehouse::TableStamps;

/// How long a change of the guards may take until the API server uses it; approvals count only after it.
const GUARD_POLL: Duration = Duration::from_secs(10);

type ClusterContext = Context<KubernetesStore>;

/// Runs the operator until `shutdown`; reconciliations under way are finished first.
///
/// # Errors
/// If the API server cannot be reached or the configuration cannot be used.
pub async fn run(
    client: Client,
    namespace: &str,
    configuration: &Configuration,
    ready: impl FnOnce(),
    shutdown: CancellationToken,
) -> Result<(), RunError> {
    let system: Namespace = Api::all(client.clone()).get("kube-system").await.map_err(Error::from)?;
    let installation = configuration
        .installation
        .clone()
        .unwrap_or_else(|| format!("{}/{namespace}", system.metadata.uid.as_deref().unwrap_or_default()));
    let settings = Settings {
        mode: configuration.approval.mode.map_or(ApprovalMode::Annotation, Into::into),
        retention: configuration.version_retention,
        resync: configuration.resync,
        installation,
    };
    let source_apis: Vec<Api<AnalyticsSource>> = apis(&client, &configuration.watch_namespaces);
    let dataset_apis: Vec<Api<AnalyticsDataset>> = apis(&client, &configuration.watch_namespaces);
    let config = controller::Config::default().concurrency(configuration.concurrency);
    let sources: Vec<_> = source_apis.iter().map(|api| controller(api, &config)).collect();
    let datasets: Vec<_> = dataset_apis.iter().map(|api| controller(api, &config)).collect();
    let source_stores: Vec<_> = sources.iter().map(Controller::store).collect();
    let dataset_stores: Vec<_> = datasets.iter().map(Controller::store).collect();
    let store = KubernetesStore::new(client.clone(), namespace, source_stores.clone(), dataset_stores.clone());
    let connections = connections(configuration)?;
    for problem in check_servers(&connections).await {
        tracing::error!(error = %problem, "a connection is not usable; it is tried again");
    }
    let ctx = Arc::new(Context::new(store, connections, settings));

    // Before anything is reconciled, so that no pending change is told that the guards are missing when they are not.
    let expected = guards::expected(namespace, configuration);
    guards::refresh(&client, &ctx, &expected).await;
    let mut changes = Changes::default();
    let mut running = Vec::new();
    for (mut controller, store) in sources.into_iter().zip(source_stores) {
        for api in &dataset_apis {
            let store = store.clone();
            controller = controller.watches(api.clone(), watcher::Config::default(), move |dataset| {
                sources_named_by(&store.state(), &dataset)
            });
        }
        let controller = controller
            .reconcile_on(trigger(&mut changes.sources))
            .graceful_shutdown_on(shutdown.clone().cancelled_owned());
        let events = controller.run(reconcile_source, on_error, ctx.clone());
        running.push(events.for_each(|result| async move { log(&result) }).boxed());
    }
    for (mut controller, store) in datasets.into_iter().zip(dataset_stores) {
        for api in &source_apis {
            let store = store.clone();
            controller = controller.watches(api.clone(), watcher::Config::default(), move |source| {
                readers_of(&store.state(), &source.spec.id())
            });
        }
        let controller = controller
            .reconcile_on(trigger(&mut changes.datasets))
            .graceful_shutdown_on(shutdown.clone().cancelled_owned());
        let events = controller.run(reconcile_dataset, on_error, ctx.clone());
        running.push(events.for_each(|result| async move { log(&result) }).boxed());
    }

    let tasks = async {
        tokio::select! {
            () = guards::poll(client.clone(), ctx.clone(), expected, &changes) => {}
            () = poll_tables(ctx.clone(), configuration.source_poll.unsigned_abs(), &changes) => {}
            () = sweep(ctx.clone()) => {}
            () = shutdown.cancelled() => {}
        }
    };
    ready();
    tokio::join!(futures::future::join_all(running), tasks);
    Ok(())
}

/// Why the operator cannot run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The API server.
    #[error(transparent)]
    Environment(#[from] Error),
    /// The configuration.
    #[error(transparent)]
    Configuration(#[from] crate::configuration::ConfigurationError),
}

/// The objects of all namespaces, or of those that are listed.
fn apis<K>(client: &Client, namespaces: &[String]) -> Vec<Api<K>>
where
    K: kube::Resource<DynamicType = (), Scope = kube::core::NamespaceResourceScope>,
{
    match namespaces.is_empty() {
        true => vec![Api::all(client.clone())],
        false => namespaces.iter().map(|namespace| Api::namespaced(client.clone(), namespace)).collect(),
    }
}

fn controller<K>(api: &Api<K>, config: &controller::Config) -> Controller<K>
where
    K: kube::Resource<DynamicType = ()> + Clone + serde::de::DeserializeOwned + std::fmt::Debug + Send + Sync + 'static,
{
    Controller::new(api.clone(), watcher::Config::default()).with_config(config.clone())
}

/// Where changes that are no watch events are told: to every controller, which leaves alone what is not its own.
#[derive(Default)]
struct Changes {
    sources: Vec<mpsc::UnboundedSender<ObjectRef<AnalyticsSource>>>,
    datasets: Vec<mpsc::UnboundedSender<ObjectRef<AnalyticsDataset>>>,
}

impl Changes {
    /// Has a source and its readers looked at.
    fn source(&self, ctx: &ClusterContext, source: &AnalyticsSource) {
        use super::store::Store as _;
        // The receivers live as long as the controllers; after that nothing is to be told.
        for sender in &self.sources {
            let _ = sender.send(ObjectRef::from_obj(source));
        }
        for dataset in readers_of(&ctx.store.datasets(), &source.spec.id()) {
            for sender in &self.datasets {
                let _ = sender.send(dataset.clone());
            }
        }
    }
}

fn trigger<K: kube::Resource + 'static>(
    senders: &mut Vec<mpsc::UnboundedSender<ObjectRef<K>>>,
) -> impl Stream<Item = ObjectRef<K>> + Send + 'static
where
    K::DynamicType: Send,
    ObjectRef<K>: Send,
{
    let (sender, receiver) = mpsc::unbounded_channel();
    senders.push(sender);
    futures::stream::unfold(
        receiver,
        |mut receiver| async move { receiver.recv().await.map(|object| (object, receiver)) },
    )
}

fn sources_named_by(sources: &[Arc<AnalyticsSource>], dataset: &AnalyticsDataset) -> Vec<ObjectRef<AnalyticsSource>> {
    let named: BTreeSet<&str> =
        dataset.spec.definition.sources.iter().map(|source| source.source_id.as_str()).collect();
    sources
        .iter()
        .filter(|source| named.contains(source.spec.id().as_str()))
        .map(|source| ObjectRef::from_obj(&**source))
        .collect()
}

fn readers_of(datasets: &[Arc<AnalyticsDataset>], id: &str) -> Vec<ObjectRef<AnalyticsDataset>> {
    let reads =
        |dataset: &&Arc<AnalyticsDataset>| dataset.spec.definition.sources.iter().any(|source| source.source_id == id);
    datasets.iter().filter(reads).map(|dataset| ObjectRef::from_obj(&**dataset)).collect()
}

async fn reconcile_source(object: Arc<AnalyticsSource>, ctx: Arc<ClusterContext>) -> Result<Action, Error> {
    source::reconcile(&*ctx, &object).await?;
    Ok(Action::requeue(ctx.settings.resync.unsigned_abs()))
}

async fn reconcile_dataset(object: Arc<AnalyticsDataset>, ctx: Arc<ClusterContext>) -> Result<Action, Error> {
    let guarded = object.finalizers().iter().any(|finalizer| finalizer == FINALIZER);
    match (object.metadata.deletion_timestamp.is_some(), guarded) {
        (true, true) => {
            dataset::withdraw(&*ctx, &object).await?;
            set_finalizer(&ctx, &object, false).await?;
            Ok(Action::await_change())
        }
        (true, false) => Ok(Action::await_change()),
        (false, false) => {
            // The update that this causes is what goes on.
            set_finalizer(&ctx, &object, true).await?;
            Ok(Action::requeue(ctx.settings.resync.unsigned_abs()))
        }
        (false, true) => {
            dataset::reconcile(&*ctx, &object).await?;
            Ok(Action::requeue(ctx.settings.resync.unsigned_abs()))
        }
    }
}

async fn set_finalizer(ctx: &ClusterContext, object: &AnalyticsDataset, wanted: bool) -> Result<(), Error> {
    let mut finalizers: Vec<&str> =
        object.finalizers().iter().map(String::as_str).filter(|finalizer| *finalizer != FINALIZER).collect();
    if wanted {
        finalizers.push(FINALIZER);
    }
    let patch =
        json!({ "metadata": { "finalizers": finalizers, "resourceVersion": object.metadata.resource_version } });
    let api: Api<AnalyticsDataset> = Api::namespaced(ctx.store.client(), &object.namespace().unwrap_or_default());
    match api.patch(&object.name_any(), &PatchParams::default(), &Patch::Merge(&patch)).await {
        Ok(_) => Ok(()),
        Err(kube::Error::Api(status)) if status.is_conflict() => Err(Error::Conflict),
        Err(kube::Error::Api(status)) if status.is_not_found() => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn on_error<K>(_: Arc<K>, error: &Error, _: Arc<ClusterContext>) -> Action {
    // A race is settled by the event that it comes from; the rest waits, so that a server that is away is not hammered.
    Action::requeue(if error.is_race() { Duration::from_millis(50) } else { Duration::from_secs(5) })
}

fn log<K: kube::Resource>(result: &Result<(ObjectRef<K>, Action), controller::Error<Error, watcher::Error>>)
where
    K::DynamicType: std::fmt::Debug,
{
    match result {
        Ok(_) | Err(controller::Error::ObjectNotFound(_)) => {}
        Err(controller::Error::ReconcilerFailed(error, _)) if error.is_race() => {
            tracing::debug!(%error, "looking again")
        }
        Err(error) => tracing::warn!(%error, "a reconciliation failed; it is tried again"),
    }
}

/// Looks at the tables' stamps, and has what reads a changed one looked at again (design 5.4).
async fn poll_tables(ctx: Arc<ClusterContext>, every: Duration, changes: &Changes) {
    use super::store::Store as _;
    let mut earlier: BTreeMap<String, TableStamps> = BTreeMap::new();
    loop {
        tokio::time::sleep(every).await;
        for (name, connection) in &ctx.connections {
            let stamps = match connection.warehouse.table_stamps(&connection.databases).await {
                Ok(stamps) => stamps,
                Err(error) => {
                    tracing::warn!(connection = %name, %error, "the tables could not be looked at");
                    continue;
                }
            };
            if let Some(before) = earlier.get(name) {
                let changed = stamps.changed_since(before);
                let physical =
                    |database: &str| connection.databases.get(database).map_or(database.to_owned(), Clone::clone);
                for source in ctx.store.sources().iter().filter(|source| source.spec.connection == *name) {
                    if changed.contains(&(physical(&source.spec.database), source.spec.table.clone())) {
                        changes.source(&ctx, source);
                    }
                }
            }
            earlier.insert(name.clone(), stamps);
        }
    }
}

async fn sweep(ctx: Arc<ClusterContext>) {
    loop {
        tokio::time::sleep(ctx.settings.resync.unsigned_abs()).await;
        if let Err(error) = janitor::sweep(&*ctx).await {
            tracing::warn!(%error, "the history could not be swept; it is tried again");
        }
    }
}
