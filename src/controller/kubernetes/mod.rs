//! The driver for a cluster: watches, controllers, and the tasks beside them.

mod failures;
mod guards;
mod history;
mod store;
mod watches;

pub use store::KubernetesStore;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::{FutureExt as _, StreamExt as _};
use jiff::Timestamp;
use k8s_openapi::api::core::v1::Namespace;
use kube::api::{Patch, PatchParams};
use kube::runtime::controller::{self, Action};
use kube::runtime::reflector::{self, ObjectRef};
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, ResourceExt as _};
use serde_json::json;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::context::{Context, Settings, check_servers, connections};
use super::source::Settled;
use super::store::Store as _;
use super::{Error, dataset, janitor, source};
use crate::api::{AnalyticsDataset, AnalyticsSource, FINALIZER};
use crate::configuration::Configuration;
use crate::plan::ApprovalMode;
use crate::warehouse::TableStamps;
use failures::Failures;
use guards::Guards;
use watches::Changes;

/// How long the deletion of a dataset waits for its versions to be noted as withdrawn (Kubernetes notes 3).
const WITHDRAWAL_LIMIT: jiff::SignedDuration = jiff::SignedDuration::from_secs(60);
/// How soon it is asked again whether the caches are filled.
const FILL_POLL: Duration = Duration::from_millis(100);
/// How soon a source is looked at again while ClickHouse is away.
const AWAY_POLL: Duration = Duration::from_secs(5);

/// What every reconciliation of a cluster shares.
struct Cluster {
    ctx: Context<KubernetesStore>,
    /// How many of each kind are reconciled at a time, in however many namespaces.
    sources: Semaphore,
    datasets: Semaphore,
    failures: Failures,
}

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
    let (source_stores, source_writers): (Vec<_>, Vec<_>) = source_apis.iter().map(|_| reflector::store()).unzip();
    let (dataset_stores, dataset_writers): (Vec<_>, Vec<_>) = dataset_apis.iter().map(|_| reflector::store()).unzip();
    let (changes, source_triggers, dataset_triggers) = Changes::new(&source_stores, &dataset_stores);
    let store = KubernetesStore::new(
        client.clone(),
        namespace,
        &configuration.watch_namespaces,
        Guards::new(client.clone(), namespace, configuration),
        (source_stores.clone(), dataset_stores.clone()),
    );
    let connections = connections(configuration)?;
    for problem in check_servers(&connections).await {
        tracing::error!(error = %problem, "nothing is published on this connection until it is usable");
    }
    let at_a_time = usize::from(configuration.concurrency);
    let cluster = Arc::new(Cluster {
        ctx: Context::new(store, connections, settings),
        sources: Semaphore::new(at_a_time),
        datasets: Semaphore::new(at_a_time),
        failures: Failures::default(),
    });
    // Before anything is reconciled, so that no pending change is told that the guards are missing when they are not.
    cluster.ctx.look_at_guards().await;

    let config = controller::Config::default().concurrency(configuration.concurrency);
    let mut running = Vec::new();
    let of_sources = source_apis.iter().zip(source_writers).zip(source_stores).zip(source_triggers);
    for (((api, writer), store), triggers) in of_sources {
        let changes = changes.clone();
        let objects = watches::objects(api, writer, move |told| changes.source_told(told));
        let controller = Controller::for_stream(objects, store)
            .with_config(config.clone())
            .reconcile_on(watches::triggers(triggers))
            .graceful_shutdown_on(shutdown.clone().cancelled_owned());
        let events = controller.run(reconcile_source, on_error, cluster.clone());
        running.push(events.for_each(|result| async move { log(&result) }).boxed());
    }
    let of_datasets = dataset_apis.iter().zip(dataset_writers).zip(dataset_stores).zip(dataset_triggers);
    for (((api, writer), store), triggers) in of_datasets {
        let changes = changes.clone();
        let objects = watches::objects(api, writer, move |told| changes.dataset_told(told));
        let controller = Controller::for_stream(objects, store)
            .with_config(config.clone())
            .reconcile_on(watches::triggers(triggers))
            .graceful_shutdown_on(shutdown.clone().cancelled_owned());
        let events = controller.run(reconcile_dataset, on_error, cluster.clone());
        running.push(events.for_each(|result| async move { log(&result) }).boxed());
    }

    let told_ready = async {
        while cluster.ctx.store.filled().await.is_err() {
            tokio::time::sleep(FILL_POLL).await;
        }
        ready();
        std::future::pending::<()>().await;
    };
    let tasks = async {
        tokio::select! {
            () = told_ready => {}
            () = guards::poll(cluster.clone(), &changes) => {}
            () = poll_tables(&cluster.ctx, configuration.source_poll.unsigned_abs(), &changes) => {}
            () = sweep(&cluster.ctx) => {}
            () = shutdown.cancelled() => {}
        }
    };
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

async fn reconcile_source(object: Arc<AnalyticsSource>, cluster: Arc<Cluster>) -> Result<Action, Error> {
    let _turn = cluster.sources.acquire().await;
    cluster.ctx.store.filled().await?;
    let settled = source::reconcile(&cluster.ctx, &object).await?;
    cluster.failures.forget(&*object);
    let resync = cluster.ctx.settings.resync.unsigned_abs();
    Ok(Action::requeue(if settled == Settled::Yes { resync } else { resync.min(AWAY_POLL) }))
}

async fn reconcile_dataset(object: Arc<AnalyticsDataset>, cluster: Arc<Cluster>) -> Result<Action, Error> {
    let _turn = cluster.datasets.acquire().await;
    cluster.ctx.store.filled().await?;
    let ctx = &cluster.ctx;
    let guarded = object.finalizers().iter().any(|finalizer| finalizer == FINALIZER);
    let action = match (object.metadata.deletion_timestamp.is_some(), guarded) {
        (true, true) => {
            if let Err(error) = dataset::withdraw(ctx, &object).await {
                if !may_go(&object, Timestamp::now()) {
                    return Err(error);
                }
                tracing::error!(
                    dataset = %object.spec.id(), %error,
                    "a deleted dataset could not be noted as withdrawn and is let go; its versions expire once the \
                     history can be written"
                );
            }
            set_finalizer(ctx, &object, false).await?;
            Action::await_change()
        }
        (true, false) => Action::await_change(),
        (false, false) => {
            // The update that this causes is what goes on.
            set_finalizer(ctx, &object, true).await?;
            Action::requeue(ctx.settings.resync.unsigned_abs())
        }
        (false, true) => {
            dataset::reconcile(ctx, &object).await?;
            Action::requeue(ctx.settings.resync.unsigned_abs())
        }
    };
    cluster.failures.forget(&*object);
    Ok(action)
}

/// Whether the deletion of a dataset has waited long enough: it never hangs (design 5.2).
fn may_go(object: &AnalyticsDataset, now: Timestamp) -> bool {
    let deleted = object.metadata.deletion_timestamp.as_ref().map(|time| time.0);
    deleted.is_some_and(|deleted| now.duration_since(deleted) > WITHDRAWAL_LIMIT)
}

async fn set_finalizer(ctx: &Context<KubernetesStore>, object: &AnalyticsDataset, wanted: bool) -> Result<(), Error> {
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

fn on_error<K>(object: Arc<K>, error: &Error, cluster: Arc<Cluster>) -> Action
where
    K: kube::Resource<DynamicType = ()>,
{
    let failures = if error.is_race() { 0 } else { cluster.failures.add(&*object) };
    Action::requeue(error.retry_after(failures))
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
async fn poll_tables(ctx: &Context<KubernetesStore>, every: Duration, changes: &Changes) {
    let mut earlier: BTreeMap<String, TableStamps> = BTreeMap::new();
    loop {
        tokio::time::sleep(every).await;
        // All at once: a server that does not answer keeps nobody from noticing what another one says.
        let look = ctx.connections.iter().map(|(name, connection)| async move {
            (name, connection, connection.warehouse.table_stamps(&connection.databases).await)
        });
        for (name, connection, stamps) in futures::future::join_all(look).await {
            let stamps = match stamps {
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
                        changes.source(source);
                    }
                }
            }
            earlier.insert(name.clone(), stamps);
        }
    }
}

async fn sweep(ctx: &Context<KubernetesStore>) {
    loop {
        tokio::time::sleep(ctx.settings.resync.unsigned_abs()).await;
        let swept = match ctx.store.filled().await {
            Ok(()) => janitor::sweep(ctx).await,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = swept {
            tracing::warn!(%error, "the history could not be swept; it is tried again");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deletion_waits_for_a_minute_at_most() {
        let mut dataset: AnalyticsDataset = serde_json::from_value(json!({
            "metadata": { "name": "a" },
            "spec": { "context": "c", "name": "n", "definition": { "sources": [], "subject": "s", "columns": [] } },
        }))
        .expect("a dataset");
        let at = |second: i64| Timestamp::from_second(second).expect("in range");
        assert!(!may_go(&dataset, at(1000)));
        dataset.metadata.deletion_timestamp = Some(k8s_openapi::apimachinery::pkg::apis::meta::v1::Time(at(1000)));
        assert!(!may_go(&dataset, at(1060)));
        assert!(may_go(&dataset, at(1061)));
    }
}
