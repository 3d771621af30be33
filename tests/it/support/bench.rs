//! The operator's steps one by one, in this process: over a folder and its state, on databases of one test.
#![allow(dead_code, reason = "each test uses the part that it needs")]

use std::sync::Arc;

use analytics_catalog::api::{
    AnalyticsDataset, AnalyticsDatasetStatus, AnalyticsSource, AnalyticsSourceStatus, Reason,
};
use analytics_catalog::configuration::Configuration;
use analytics_catalog::controller::context::connections;
use analytics_catalog::controller::store::{Creation, Store, StoreError};
use analytics_catalog::controller::{self, Context, Error, Settings};
use analytics_catalog::plan::revision::{Entry, Notes, Revision, Subject};
use analytics_catalog::plan::{ApprovalMode, GuardState};
use analytics_catalog::standalone::FolderStore;
use jiff::SignedDuration;
use k8s_openapi::api::core::v1::ObjectReference;

use super::clickhouse::Ground;

/// A configuration, and the environment of its passwords.
pub type Configured = (serde_json::Value, [(&'static str, &'static str); 2]);

/// What a test does between two steps of the operator.
type Meddling = Box<dyn FnOnce(&FolderStore) + Send>;

/// A folder's store whose first claim of a dataset's number may be preceded by something else.
pub struct Meddled {
    pub inner: FolderStore,
    before_claim: std::sync::Mutex<Option<Meddling>>,
}

/// The operator of one test, taken step by step.
pub struct Bench {
    pub ctx: Context<Meddled>,
    folder: tempfile::TempDir,
    state: tempfile::TempDir,
}

impl Bench {
    pub fn new(ground: &Ground, retention: SignedDuration) -> Self {
        Self::over((ground.configuration(), ground.environment()), retention)
    }

    /// Over any ClickHouse, given by a configuration and the environment of its passwords.
    pub fn over(clickhouse: Configured, retention: SignedDuration) -> Self {
        let temporary = || tempfile::tempdir().expect("a folder of the test");
        let (folder, state) = (temporary(), temporary());
        let ctx = context(clickhouse, &folder, &state, retention, true);
        Self { ctx, folder, state }
    }

    /// The same operator after a restart that took its connections away.
    pub fn without_connections(self, ground: &Ground) -> Self {
        self.restarted(ground, false)
    }

    /// The same operator after another restart.
    pub fn with_connections(self, ground: &Ground) -> Self {
        self.restarted(ground, true)
    }

    /// The earlier one has ended: two never share a state folder.
    fn restarted(self, ground: &Ground, connected: bool) -> Self {
        let Self { ctx, folder, state } = self;
        let retention = ctx.settings.retention;
        drop(ctx);
        let ctx = context((ground.configuration(), ground.environment()), &folder, &state, retention, connected);
        Self { ctx, folder, state }
    }

    /// Writes a file of the folder.
    pub fn write(&self, file: &str, yaml: &str) {
        std::fs::write(self.folder.path().join(file), yaml).expect("the folder is ours");
        self.ctx.store.inner.reload();
    }

    /// Takes a file away; its datasets are not withdrawn yet.
    pub fn remove(&self, file: &str) {
        std::fs::remove_file(self.folder.path().join(file)).expect("it was written");
        self.ctx.store.inner.reload();
    }

    /// A path in the folder, for what is written while the operator works.
    pub fn path(&self, file: &str) -> std::path::PathBuf {
        self.folder.path().join(file)
    }

    /// Does something before the next number of a dataset is claimed.
    pub fn before_claim(&self, meddle: impl FnOnce(&FolderStore) + Send + 'static) {
        *self.ctx.store.before_claim.lock().expect("a test holds it") = Some(Box::new(meddle));
    }

    /// Looks at everything once, sources first.
    pub async fn look(&self) -> Result<(), Error> {
        for source in self.ctx.store.sources() {
            controller::source::reconcile(&self.ctx, &source).await?;
        }
        for dataset in self.ctx.store.datasets() {
            controller::dataset::reconcile(&self.ctx, &dataset).await?;
        }
        Ok(())
    }

    /// The dataset's object of a name.
    pub fn dataset(&self, name: &str) -> Arc<AnalyticsDataset> {
        let named = |dataset: &Arc<AnalyticsDataset>| dataset.metadata.name.as_deref() == Some(name);
        self.ctx.store.datasets().into_iter().find(named).expect("the dataset is in the folder")
    }

    /// The notes of a dataset's versions, by number.
    pub async fn notes(&self, id: &str) -> std::collections::BTreeMap<u64, Notes> {
        let history = self.ctx.store.history(&Subject::dataset(id)).await.expect("the history can be read");
        history.into_iter().map(|entry| (entry.number, entry.notes)).collect()
    }
}

fn context(
    (mut configuration, environment): Configured,
    folder: &tempfile::TempDir,
    state: &tempfile::TempDir,
    retention: SignedDuration,
    connected: bool,
) -> Context<Meddled> {
    let connection = &mut configuration["connections"]["default"];
    for (place, (_, password)) in ["/passwordEnvironment", "/reader/passwordEnvironment"].into_iter().zip(environment) {
        // Read by this process, whose environment belongs to all tests.
        let file = state.path().join(format!("{}.txt", place.replace('/', "-")));
        std::fs::write(&file, password).expect("the folder is ours");
        let account = connection.pointer_mut(place.trim_end_matches("/passwordEnvironment")).expect("an account");
        let account = account.as_object_mut().expect("an account is an object");
        account.remove("passwordEnvironment");
        account.insert("passwordFile".to_owned(), file.to_str().expect("a readable name").into());
    }
    let file = state.path().join("configuration.yaml");
    std::fs::write(&file, configuration.to_string()).expect("the folder is ours");
    let configuration = Configuration::load(Some(&file), std::iter::empty()).expect("it is right");
    let connections = connections(&configuration).expect("the passwords can be read");
    let inner = FolderStore::open(folder.path(), state.path()).expect("the folders can be used");
    let settings = Settings {
        mode: ApprovalMode::Automatic,
        retention,
        resync: SignedDuration::from_secs(60),
        installation: "bench".to_owned(),
    };
    let store = Meddled { inner, before_claim: std::sync::Mutex::default() };
    Context::new(store, if connected { connections } else { Default::default() }, settings)
}

impl Store for Meddled {
    fn sources(&self) -> Vec<Arc<AnalyticsSource>> {
        self.inner.sources()
    }

    fn datasets(&self) -> Vec<Arc<AnalyticsDataset>> {
        self.inner.datasets()
    }

    fn looks_after(&self, namespace: &str) -> bool {
        self.inner.looks_after(namespace)
    }

    async fn guards(&self) -> GuardState {
        self.inner.guards().await
    }

    async fn dataset(&self, namespace: &str, name: &str) -> Result<Option<AnalyticsDataset>, StoreError> {
        self.inner.dataset(namespace, name).await
    }

    async fn write_source_status(
        &self,
        object: &AnalyticsSource,
        status: &AnalyticsSourceStatus,
    ) -> Result<(), StoreError> {
        self.inner.write_source_status(object, status).await
    }

    async fn write_dataset_status(
        &self,
        object: &AnalyticsDataset,
        status: &AnalyticsDatasetStatus,
    ) -> Result<(), StoreError> {
        self.inner.write_dataset_status(object, status).await
    }

    async fn report(&self, object: &ObjectReference, reason: Reason, message: &str) {
        self.inner.report(object, reason, message).await;
    }

    async fn history(&self, subject: &Subject) -> Result<Vec<Entry>, StoreError> {
        self.inner.history(subject).await
    }

    async fn histories(&self) -> Result<Vec<Entry>, StoreError> {
        self.inner.histories().await
    }

    async fn revision(&self, subject: &Subject, number: u64) -> Result<Option<Arc<Revision>>, StoreError> {
        self.inner.revision(subject, number).await
    }

    async fn create_revision(&self, revision: &Revision) -> Result<Creation, StoreError> {
        if revision.version().is_some() {
            let meddle = self.before_claim.lock().expect("a test holds it").take();
            if let Some(meddle) = meddle {
                meddle(&self.inner);
            }
        }
        self.inner.create_revision(revision).await
    }

    async fn annotate_revision(&self, subject: &Subject, number: u64, notes: &Notes) -> Result<(), StoreError> {
        self.inner.annotate_revision(subject, number, notes).await
    }

    async fn delete_revision(&self, subject: &Subject, number: u64) -> Result<(), StoreError> {
        self.inner.delete_revision(subject, number).await
    }
}
