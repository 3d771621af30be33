//! The driver for a cluster: watches, controllers, and the tasks beside them.

mod guards;
mod history;
mod store;

pub use store::KubernetesStore;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures::{Stream, StreamExt as _};
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
    let config = controller::Config::default().concurrency(configuration.concurrency);
    let (source_api, dataset_api) =
        (Api::<AnalyticsSource>::all(client.clone()), Api::<AnalyticsDataset>::all(client.clone()));
    let sources = Controller::new(source_api.clone(), watcher::Config::default()).with_config(config.clone());
    let datasets = Controller::new(dataset_api.clone(), watcher::Config::default()).with_config(config);
    let (source_store, dataset_store) = (sources.store(), datasets.store());
    let store = KubernetesStore::new(client.clone(), namespace, source_store.clone(), dataset_store.clone());
    let connections = connections(configuration)?;
    for problem in check_servers(&connections).await {
        tracing::error!(error = %problem, "a connection is not usable; it is tried again");
    }
    let ctx = Arc::new(Context::new(store, connections, settings));

    let (changed_sources, source_triggers) = trigger();
    let (changed_datasets, dataset_triggers) = trigger();
    let changes = Changes { sources: changed_sources, datasets: changed_datasets };
    let names = source_store.clone();
    let sources = sources
        .watches(dataset_api, watcher::Config::default(), move |dataset| sources_named_by(&names.state(), &dataset))
        .reconcile_on(source_triggers)
        .graceful_shutdown_on(shutdown.clone().cancelled_owned())
        .run(reconcile_source, on_error, ctx.clone())
        .for_each(|result| async move { log(&result) });
    let readers = dataset_store.clone();
    let datasets = datasets
        .watches(source_api, watcher::Config::default(), move |source| readers_of(&readers.state(), &source.spec.id()))
        .reconcile_on(dataset_triggers)
        .graceful_shutdown_on(shutdown.clone().cancelled_owned())
        .run(reconcile_dataset, on_error, ctx.clone())
        .for_each(|result| async move { log(&result) });

    let expected = guards::expected(namespace, configuration);
    let tasks = async {
        tokio::select! {
            () = guards::poll(client.clone(), ctx.clone(), expected, &changes) => {}
            () = poll_tables(ctx.clone(), configuration.source_poll.unsigned_abs(), &changes) => {}
            () = sweep(ctx.clone()) => {}
            () = shutdown.cancelled() => {}
        }
    };
    ready();
    tokio::join!(sources, datasets, tasks);
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

/// Where changes that are no watch events are told.
struct Changes {
    sources: mpsc::UnboundedSender<ObjectRef<AnalyticsSource>>,
    datasets: mpsc::UnboundedSender<ObjectRef<AnalyticsDataset>>,
}

impl Changes {
    /// Has a source and its readers looked at.
    fn source(&self, ctx: &ClusterContext, source: &AnalyticsSource) {
        use super::store::Store as _;
        // The receivers live as long as the controllers; after that nothing is to be told.
        let _ = self.sources.send(ObjectRef::from_obj(source));
        for dataset in readers_of(&ctx.store.datasets(), &source.spec.id()) {
            let _ = self.datasets.send(dataset);
        }
    }
}

fn trigger<K: kube::Resource + Send + 'static>()
-> (mpsc::UnboundedSender<ObjectRef<K>>, impl Stream<Item = ObjectRef<K>> + Send + 'static)
where
    K::DynamicType: Send,
{
    let (sender, receiver) = mpsc::unbounded_channel();
    (
        sender,
        futures::stream::unfold(receiver, |mut receiver| async move {
            receiver.recv().await.map(|object| (object, receiver))
        }),
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
