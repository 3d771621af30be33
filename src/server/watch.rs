//! Keeps the records current from the API server (design 6.2): a watch, and a full list every few minutes.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use kube::api::ListParams;
use kube::runtime::reflector::{self, Store};
use kube::runtime::watcher::Event;
use kube::runtime::{WatchStreamExt as _, watcher};
use kube::{Api, Client};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::registry::Registry;
use super::snapshot::SnapshotFile;
use crate::api::{AnalyticsDataset, PublicationRecord};

/// How often the full list is read; a few seconds more, so that servers do not ask together.
const LIST_EVERY: Duration = Duration::from_secs(300);
/// How soon a version whose view cannot be read yet is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// Watches until `shutdown`, starting from the snapshot file if there is one.
pub(super) async fn run(
    client: Client,
    namespaces: &[String],
    registry: Arc<Registry>,
    file: Option<SnapshotFile>,
    shutdown: CancellationToken,
) {
    let apis: Vec<Api<AnalyticsDataset>> =
        namespaces.iter().map(|namespace| Api::namespaced(client.clone(), namespace)).collect();
    let mut stores: Vec<Store<AnalyticsDataset>> = Vec::new();
    let mut watches = Vec::new();
    for api in &apis {
        let (store, writer) = reflector::store();
        stores.push(store);
        watches.push(watcher(api.clone(), watcher::Config::default()).default_backoff().reflect(writer).boxed());
    }
    let mut events = futures::stream::select_all(watches);
    let jitter = Duration::from_millis(u64::from(std::process::id()) * 37 % 30_000);
    let mut listed = 0;
    let mut next_list = Instant::now() + LIST_EVERY + jitter;
    // What was taken over last, and when it was true: it is tried again while a view of it cannot be read.
    let mut latest =
        file.as_ref().and_then(SnapshotFile::read).unwrap_or_else(|| (Vec::new(), std::time::Instant::now()));
    let mut retry = None;
    if !latest.0.is_empty() {
        tracing::info!(records = latest.0.len(), "answering from the snapshot file until the API server is heard");
        let complete = registry.replace_as_of(latest.0.clone(), latest.1).await;
        retry = (!complete).then(|| Instant::now() + RETRY);
    }
    loop {
        let records = tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep_until(next_list) => {
                next_list = Instant::now() + LIST_EVERY + jitter;
                match list(&apis).await {
                    Ok(records) => records,
                    Err(error) => {
                        tracing::warn!(%error, "the records could not be listed; what is served stays served");
                        continue;
                    }
                }
            }
            () = sleep_until(retry) => {
                let complete = registry.replace_as_of(latest.0.clone(), latest.1).await;
                retry = (!complete).then(|| Instant::now() + RETRY);
                continue;
            }
            event = events.next() => {
                match event {
                    Some(Ok(Event::InitDone)) => listed += 1,
                    Some(Ok(Event::Init | Event::InitApply(_))) => continue,
                    Some(Ok(Event::Apply(_) | Event::Delete(_))) => {}
                    Some(Err(error)) => {
                        tracing::warn!(%error, "the watch was interrupted; what is served stays served");
                        continue;
                    }
                    None => return,
                }
                // Until every namespace was listed once, a record that is missing may just not be known yet.
                if listed < stores.len() {
                    continue;
                }
                records_of(&stores)
            }
        };
        latest = (records, std::time::Instant::now());
        let complete = registry.replace_as_of(latest.0.clone(), latest.1).await;
        retry = (!complete).then(|| Instant::now() + RETRY);
        if let Some(file) = &file {
            file.write(&registry.snapshot());
        }
    }
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

fn records_of(stores: &[Store<AnalyticsDataset>]) -> Vec<PublicationRecord> {
    stores.iter().flat_map(|store| store.state()).filter_map(|dataset| published(&dataset)).collect()
}

/// The records in the API server's cache.
async fn list(apis: &[Api<AnalyticsDataset>]) -> Result<Vec<PublicationRecord>, kube::Error> {
    let mut records = Vec::new();
    for api in apis {
        let params = ListParams::default().match_any();
        records.extend(api.list(&params).await?.items.iter().filter_map(published));
    }
    Ok(records)
}

/// The record of an object; one that is being deleted has none any more.
fn published(dataset: &AnalyticsDataset) -> Option<PublicationRecord> {
    match dataset.metadata.deletion_timestamp {
        Some(_) => None,
        None => dataset.status.as_ref()?.published.clone(),
    }
}
