//! Objects and history in the API server.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use k8s_openapi::api::apps::v1::ControllerRevision;
use k8s_openapi::api::core::v1::ObjectReference;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::api::{ListParams, PartialObjectMeta, Patch, PatchParams, PostParams};
use kube::core::NamespaceResourceScope;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::runtime::reflector;
use kube::{Api, Client, Resource, ResourceExt as _};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::guards::Guards;
use super::history;
use crate::api::condition::shortened;
use crate::api::{AnalyticsDataset, AnalyticsDatasetStatus, AnalyticsSource, AnalyticsSourceStatus, Reason};
use crate::controller::store::{Creation, Store, StoreError};
use crate::plan::GuardState;
use crate::plan::revision::{Entry, Notes, Revision, Subject};

/// The field manager of everything that the operator writes.
pub(super) const MANAGER: &str = "analytics-catalog";

/// The longest note of an event, in bytes (`events.k8s.io`).
const LONGEST_NOTE: usize = 1024;
/// How long a reconciliation waits for the caches.
const FILLING: Duration = Duration::from_secs(5);
/// How many documents of a subject are kept: what is served or approved, and what comes next.
const KEPT_DOCUMENTS: usize = 2;

/// Objects and history in the API server.
pub struct KubernetesStore {
    client: Client,
    sources: Vec<reflector::Store<AnalyticsSource>>,
    datasets: Vec<reflector::Store<AnalyticsDataset>>,
    /// The namespaces of these; empty for all.
    namespaces: Vec<String>,
    revisions: Api<ControllerRevision>,
    recorder: Recorder,
    guards: Guards,
    documents: Mutex<Documents>,
}

/// Documents never change, so each is read once; of each subject the latest are kept.
#[derive(Default)]
struct Documents(BTreeMap<Subject, BTreeMap<u64, Arc<Revision>>>);

impl Documents {
    fn get(&self, subject: &Subject, number: u64) -> Option<Arc<Revision>> {
        self.0.get(subject)?.get(&number).cloned()
    }

    fn keep(&mut self, revision: Arc<Revision>) {
        let of_subject = self.0.entry(revision.subject.clone()).or_default();
        of_subject.insert(revision.number, revision);
        while of_subject.len() > KEPT_DOCUMENTS {
            of_subject.pop_first();
        }
    }

    fn forget(&mut self, subject: &Subject, number: u64) {
        let Some(of_subject) = self.0.get_mut(subject) else { return };
        of_subject.remove(&number);
        if of_subject.is_empty() {
            self.0.remove(subject);
        }
    }
}

impl KubernetesStore {
    /// A store over the caches of the controllers, which hold these namespaces (all, if there are none), with its history
    /// in `namespace`.
    pub(super) fn new(
        client: Client,
        namespace: &str,
        namespaces: &[String],
        guards: Guards,
        (sources, datasets): (Vec<reflector::Store<AnalyticsSource>>, Vec<reflector::Store<AnalyticsDataset>>),
    ) -> Self {
        let reporter = Reporter { controller: MANAGER.to_owned(), instance: std::env::var("HOSTNAME").ok() };
        Self {
            sources,
            datasets,
            namespaces: namespaces.to_vec(),
            revisions: Api::namespaced(client.clone(), namespace),
            recorder: Recorder::new(client.clone(), reporter),
            guards,
            client,
            documents: Mutex::default(),
        }
    }

    /// The client, for what is not an object or a revision.
    pub(super) fn client(&self) -> Client {
        self.client.clone()
    }

    /// Waits until all caches hold what there is: a source that was not listed yet looks like one that was withdrawn.
    pub(super) async fn filled(&self) -> Result<(), StoreError> {
        filled(&self.sources, &self.datasets, FILLING).await
    }

    fn documents(&self) -> MutexGuard<'_, Documents> {
        self.documents.lock().expect("no holder of this lock panics")
    }

    async fn apply_status<K>(&self, object: &K, status: &impl Serialize) -> Result<(), StoreError>
    where
        K: Resource<DynamicType = (), Scope = NamespaceResourceScope> + Clone + DeserializeOwned + std::fmt::Debug,
    {
        let meta = object.meta();
        let (namespace, name) =
            (meta.namespace.as_deref().unwrap_or_default(), meta.name.as_deref().unwrap_or_default());
        let patch = json!({
            "apiVersion": K::api_version(&()),
            "kind": K::kind(&()),
            "metadata": { "name": name, "namespace": namespace, "resourceVersion": meta.resource_version },
            "status": status,
        });
        let params = PatchParams::apply(MANAGER).force();
        let api: Api<K> = Api::namespaced(self.client.clone(), namespace);
        api.patch_status(name, &params, &Patch::Apply(&patch)).await.map(|_| ()).map_err(store_error)
    }

    async fn list(&self, selector: &str) -> Result<Vec<PartialObjectMeta<ControllerRevision>>, StoreError> {
        let list = self.revisions.list_metadata(&ListParams::default().labels(selector)).await.map_err(store_error)?;
        Ok(list.items)
    }
}

async fn filled(
    sources: &[reflector::Store<AnalyticsSource>],
    datasets: &[reflector::Store<AnalyticsDataset>],
    patience: Duration,
) -> Result<(), StoreError> {
    let all = async {
        for store in sources {
            store.wait_until_ready().await?;
        }
        for store in datasets {
            store.wait_until_ready().await?;
        }
        Ok::<(), reflector::store::WriterDropped>(())
    };
    match tokio::time::timeout(patience, all).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => {
            let problem = "not all sources and datasets have been listed yet; nothing is decided before".to_owned();
            Err(StoreError::Unavailable(problem))
        }
    }
}

/// A revision that cannot be read is no missing one: its number would be used again.
fn unreadable(metadata: &ObjectMeta) -> StoreError {
    let name = metadata.name.as_deref().unwrap_or_default();
    StoreError::Unavailable(format!("the revision `{name}` cannot be read; its annotations are not the operator's"))
}

impl Store for KubernetesStore {
    fn sources(&self) -> Vec<Arc<AnalyticsSource>> {
        self.sources.iter().flat_map(reflector::Store::state).collect()
    }

    fn datasets(&self) -> Vec<Arc<AnalyticsDataset>> {
        self.datasets.iter().flat_map(reflector::Store::state).collect()
    }

    fn looks_after(&self, namespace: &str) -> bool {
        self.namespaces.is_empty() || self.namespaces.iter().any(|watched| watched == namespace)
    }

    async fn guards(&self) -> GuardState {
        self.guards.look().await
    }

    async fn dataset(&self, namespace: &str, name: &str) -> Result<Option<AnalyticsDataset>, StoreError> {
        Api::namespaced(self.client.clone(), namespace).get_opt(name).await.map_err(store_error)
    }

    async fn write_source_status(
        &self,
        object: &AnalyticsSource,
        status: &AnalyticsSourceStatus,
    ) -> Result<(), StoreError> {
        self.apply_status(object, status).await
    }

    async fn write_dataset_status(
        &self,
        object: &AnalyticsDataset,
        status: &AnalyticsDatasetStatus,
    ) -> Result<(), StoreError> {
        self.apply_status(object, status).await
    }

    async fn report(&self, object: &ObjectReference, reason: Reason, message: &str) {
        let kind = if reason.is_ready() { EventType::Normal } else { EventType::Warning };
        let end = (0..=message.len().min(LONGEST_NOTE)).rev().find(|end| message.is_char_boundary(*end));
        let note = message[..end.unwrap_or_default()].to_owned();
        let event = Event {
            type_: kind,
            reason: reason.as_str().to_owned(),
            note: Some(note),
            action: "Reconcile".to_owned(),
            secondary: None,
        };
        if let Err(error) = self.recorder.publish(&event, object).await {
            tracing::debug!(%error, "an event could not be written");
        }
    }

    async fn history(&self, subject: &Subject) -> Result<Vec<Entry>, StoreError> {
        let revisions = self.list(&format!("{}={}", history::LABEL, subject.short_name())).await?;
        let read = |item: &PartialObjectMeta<ControllerRevision>| {
            history::entry(&item.metadata).ok_or_else(|| unreadable(&item.metadata))
        };
        revisions.iter().map(read).collect()
    }

    async fn histories(&self) -> Result<Vec<Entry>, StoreError> {
        let revisions = self.list(&format!("{}=dataset", history::KIND_LABEL)).await?;
        let subject = |metadata: &ObjectMeta| metadata.labels.as_ref()?.get(history::LABEL).cloned();
        let mut damaged = BTreeSet::new();
        let mut entries = Vec::new();
        for metadata in revisions.iter().map(|item| &item.metadata) {
            match history::entry(metadata) {
                Some(entry) => entries.push(entry),
                None => {
                    tracing::error!(error = %unreadable(metadata), "a history is left as it is");
                    damaged.extend(subject(metadata));
                }
            }
        }
        // Nothing is dropped on half a history.
        entries.retain(|entry: &Entry| !damaged.contains(&entry.subject.short_name()));
        Ok(entries)
    }

    async fn revision(&self, subject: &Subject, number: u64) -> Result<Option<Arc<Revision>>, StoreError> {
        if let Some(known) = self.documents().get(subject, number) {
            return Ok(Some(known));
        }
        let Some(stored) = self.revisions.get_opt(&subject.revision_name(number)).await.map_err(store_error)? else {
            return Ok(None);
        };
        let Some(revision) = history::document(&stored, subject, number).map(Arc::new) else {
            tracing::error!(revision = %stored.name_any(), "a revision is not what its hash says; it is not used");
            return Ok(None);
        };
        self.documents().keep(revision.clone());
        Ok(Some(revision))
    }

    async fn create_revision(&self, revision: &Revision) -> Result<Creation, StoreError> {
        match self.revisions.create(&PostParams::default(), &history::object(revision)).await {
            Ok(_) => Ok(Creation::Created),
            Err(kube::Error::Api(status)) if status.is_already_exists() => Ok(Creation::Taken),
            Err(error) => Err(store_error(error)),
        }
    }

    async fn annotate_revision(&self, subject: &Subject, number: u64, notes: &Notes) -> Result<(), StoreError> {
        let name = subject.revision_name(number);
        // Not a patch: the API server would write the document anew in its own spelling (`<` as `\u003c`), and then refuse
        // it because a document must not change. A replacement carries the bytes that the creation carried.
        let Some(mut stored) = self.revisions.get_opt(&name).await.map_err(store_error)? else {
            // What is gone needs no note.
            return Ok(());
        };
        history::set_notes(&mut stored.metadata, notes);
        match self.revisions.replace(&name, &PostParams::default(), &stored).await {
            Ok(_) => Ok(()),
            Err(kube::Error::Api(status)) if status.is_not_found() => Ok(()),
            Err(error) => Err(store_error(error)),
        }
    }

    async fn delete_revision(&self, subject: &Subject, number: u64) -> Result<(), StoreError> {
        self.documents().forget(subject, number);
        match self.revisions.delete(&subject.revision_name(number), &Default::default()).await {
            Ok(_) => Ok(()),
            Err(kube::Error::Api(status)) if status.is_not_found() => Ok(()),
            Err(error) => Err(store_error(error)),
        }
    }
}

fn store_error(error: kube::Error) -> StoreError {
    match error {
        kube::Error::Api(status) if status.is_conflict() || status.is_not_found() => StoreError::Conflict,
        // The server's text may repeat a whole document.
        kube::Error::Api(status) => StoreError::Unavailable(format!(
            "the API server refused it ({}): {}",
            status.reason,
            shortened(&status.message, 300)
        )),
        other => StoreError::Unavailable(shortened(&other.to_string(), 300)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::revision::{Content, Origin};
    use kube::runtime::watcher;

    #[tokio::test]
    async fn nothing_is_decided_before_every_cache_is_filled() {
        let (sources, mut source_writer) = reflector::store();
        let (datasets, mut dataset_writer) = reflector::store();
        let (sources, datasets) = ([sources], [datasets]);
        source_writer.apply_watcher_event(&watcher::Event::InitDone);
        assert!(filled(&sources, &datasets, Duration::from_millis(1)).await.is_err());
        dataset_writer.apply_watcher_event(&watcher::Event::InitDone);
        assert_eq!(filled(&sources, &datasets, FILLING).await, Ok(()));
    }

    #[test]
    fn documents_of_a_subject_do_not_heap_up() {
        let document = |number: u64| {
            let spec = json!({ "connection": "c", "database": "d", "table": "t" });
            Arc::new(Revision {
                subject: Subject::source("c:d:t"),
                number,
                origin: Origin::default(),
                approval: None,
                created_at: jiff::Timestamp::UNIX_EPOCH,
                content: Content::Declaration(serde_json::from_value(spec).expect("a declaration")),
            })
        };
        let mut documents = Documents::default();
        (1..=9).for_each(|number| documents.keep(document(number)));
        documents.keep(document(3));
        let subject = Subject::source("c:d:t");
        let kept = |documents: &Documents| (1..=9).filter(|number| documents.get(&subject, *number).is_some()).count();
        assert_eq!((kept(&documents), documents.get(&subject, 9).is_some()), (2, true));
        documents.forget(&subject, 8);
        documents.forget(&subject, 9);
        assert!(documents.0.is_empty());
    }
}
