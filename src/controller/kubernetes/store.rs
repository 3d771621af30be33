//! Objects and history in the API server.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use k8s_openapi::api::apps::v1::ControllerRevision;
use k8s_openapi::api::core::v1::ObjectReference;
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::runtime::reflector;
use kube::{Api, Client, ResourceExt as _};
use serde_json::json;

use super::history;
use crate::api::condition::shortened;
use crate::api::{
    AnalyticsDataset, AnalyticsDatasetStatus, AnalyticsSource, AnalyticsSourceStatus, GROUP, Reason, VERSION,
};
use crate::controller::store::{Creation, Store, StoreError};
use crate::plan::revision::{Entry, Notes, Revision, Subject};

/// The field manager of everything that the operator writes.
pub(super) const MANAGER: &str = "analytics-catalog";

/// Objects and history in the API server.
pub struct KubernetesStore {
    client: Client,
    sources: Vec<reflector::Store<AnalyticsSource>>,
    datasets: Vec<reflector::Store<AnalyticsDataset>>,
    revisions: Api<ControllerRevision>,
    recorder: Recorder,
    /// Documents never change, so each is read once.
    documents: Mutex<BTreeMap<(Subject, u64), Arc<Revision>>>,
}

impl KubernetesStore {
    /// A store over the caches of the controllers, with its history in `namespace`.
    pub fn new(
        client: Client,
        namespace: &str,
        sources: Vec<reflector::Store<AnalyticsSource>>,
        datasets: Vec<reflector::Store<AnalyticsDataset>>,
    ) -> Self {
        let reporter = Reporter { controller: MANAGER.to_owned(), instance: std::env::var("HOSTNAME").ok() };
        Self {
            sources,
            datasets,
            revisions: Api::namespaced(client.clone(), namespace),
            recorder: Recorder::new(client.clone(), reporter),
            client,
            documents: Mutex::default(),
        }
    }

    /// The client, for what is not an object or a revision.
    pub(super) fn client(&self) -> Client {
        self.client.clone()
    }

    async fn apply_status(
        &self,
        kind: &str,
        object: &impl kube::Resource,
        plural: Plural<'_>,
    ) -> Result<(), StoreError> {
        let meta = object.meta();
        let (namespace, name) =
            (meta.namespace.as_deref().unwrap_or_default(), meta.name.as_deref().unwrap_or_default());
        let patch = json!({
            "apiVersion": format!("{GROUP}/{VERSION}"),
            "kind": kind,
            "metadata": { "name": name, "namespace": namespace, "resourceVersion": meta.resource_version },
            "status": plural.status(),
        });
        let params = PatchParams::apply(MANAGER).force();
        let patch = Patch::Apply(&patch);
        match plural {
            Plural::Source(_) => Api::<AnalyticsSource>::namespaced(self.client.clone(), namespace)
                .patch_status(name, &params, &patch)
                .await
                .map(|_| ()),
            Plural::Dataset(_) => Api::<AnalyticsDataset>::namespaced(self.client.clone(), namespace)
                .patch_status(name, &params, &patch)
                .await
                .map(|_| ()),
        }
        .map_err(store_error)
    }

    async fn list(&self, selector: &str) -> Result<Vec<Entry>, StoreError> {
        let list = self.revisions.list_metadata(&ListParams::default().labels(selector)).await.map_err(store_error)?;
        Ok(list.items.iter().filter_map(|item| history::entry(&item.metadata)).collect())
    }
}

/// A status with its kind.
#[derive(Clone, Copy)]
enum Plural<'a> {
    Source(&'a AnalyticsSourceStatus),
    Dataset(&'a AnalyticsDatasetStatus),
}

impl Plural<'_> {
    fn status(self) -> serde_json::Value {
        match self {
            Self::Source(status) => json!(status),
            Self::Dataset(status) => json!(status),
        }
    }
}

impl Store for KubernetesStore {
    fn sources(&self) -> Vec<Arc<AnalyticsSource>> {
        self.sources.iter().flat_map(reflector::Store::state).collect()
    }

    fn datasets(&self) -> Vec<Arc<AnalyticsDataset>> {
        self.datasets.iter().flat_map(reflector::Store::state).collect()
    }

    async fn dataset(&self, namespace: &str, name: &str) -> Result<Option<AnalyticsDataset>, StoreError> {
        Api::namespaced(self.client.clone(), namespace).get_opt(name).await.map_err(store_error)
    }

    async fn write_source_status(
        &self,
        object: &AnalyticsSource,
        status: &AnalyticsSourceStatus,
    ) -> Result<(), StoreError> {
        self.apply_status("AnalyticsSource", object, Plural::Source(status)).await
    }

    async fn write_dataset_status(
        &self,
        object: &AnalyticsDataset,
        status: &AnalyticsDatasetStatus,
    ) -> Result<(), StoreError> {
        self.apply_status("AnalyticsDataset", object, Plural::Dataset(status)).await
    }

    async fn report(&self, object: &ObjectReference, reason: Reason, message: &str) {
        let kind = if reason.is_ready() { EventType::Normal } else { EventType::Warning };
        let note: String = message.chars().take(1000).collect();
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
        self.list(&format!("{}={}", history::LABEL, subject.short_name())).await
    }

    async fn histories(&self) -> Result<Vec<Entry>, StoreError> {
        self.list(&format!("{}=dataset", history::KIND_LABEL)).await
    }

    async fn revision(&self, subject: &Subject, number: u64) -> Result<Option<Arc<Revision>>, StoreError> {
        let key = (subject.clone(), number);
        if let Some(known) = self.documents.lock().expect("no holder of this lock panics").get(&key) {
            return Ok(Some(known.clone()));
        }
        let Some(stored) = self.revisions.get_opt(&subject.revision_name(number)).await.map_err(store_error)? else {
            return Ok(None);
        };
        let Some(revision) = history::document(&stored, subject, number).map(Arc::new) else {
            tracing::error!(revision = %stored.name_any(), "a revision is not what its hash says; it is not used");
            return Ok(None);
        };
        self.documents.lock().expect("no holder of this lock panics").insert(key, revision.clone());
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
