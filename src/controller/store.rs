//! What a driver keeps for the reconciliation: objects, their status, and the durable history. Two drivers have it: the
//! API server (`kubernetes`) and a folder (`standalone`).

use std::future::Future;
use std::sync::Arc;

use crate::api::{AnalyticsDataset, AnalyticsDatasetStatus, AnalyticsSource, AnalyticsSourceStatus, Reason};
use crate::plan::GuardState;
use crate::plan::revision::{Entry, Notes, Revision, Subject};

/// Why the store did not do as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The object changed since it was read: look again.
    #[error("the object changed meanwhile")]
    Conflict,
    /// The store cannot be used now.
    #[error("{0}")]
    Unavailable(String),
}

/// What became of the creation of a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Creation {
    /// It is there now.
    Created,
    /// The number is taken.
    Taken,
}

/// Keeps objects and history.
pub trait Store: Send + Sync + 'static {
    /// All sources, as known now.
    fn sources(&self) -> Vec<Arc<AnalyticsSource>>;

    /// All datasets, as known now.
    fn datasets(&self) -> Vec<Arc<AnalyticsDataset>>;

    /// Whether the objects of a namespace are among those that are known.
    fn looks_after(&self, namespace: &str) -> bool;

    /// Whether approval annotations can be trusted, read afresh.
    fn guards(&self) -> impl Future<Output = GuardState> + Send;

    /// A dataset read afresh.
    fn dataset(
        &self,
        namespace: &str,
        name: &str,
    ) -> impl Future<Output = Result<Option<AnalyticsDataset>, StoreError>> + Send;

    /// Writes the status of a source, if it is still the version that was read.
    fn write_source_status(
        &self,
        object: &AnalyticsSource,
        status: &AnalyticsSourceStatus,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Writes the status of a dataset, if it is still the version that was read.
    fn write_dataset_status(
        &self,
        object: &AnalyticsDataset,
        status: &AnalyticsDatasetStatus,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Tells people that a dataset or source entered another state.
    fn report(
        &self,
        object: &k8s_openapi::api::core::v1::ObjectReference,
        reason: Reason,
        message: &str,
    ) -> impl Future<Output = ()> + Send;

    /// The history of a subject, without the documents.
    fn history(&self, subject: &Subject) -> impl Future<Output = Result<Vec<Entry>, StoreError>> + Send;

    /// The histories of all datasets.
    fn histories(&self) -> impl Future<Output = Result<Vec<Entry>, StoreError>> + Send;

    /// A revision's document; none if it does not exist or is not whole.
    fn revision(
        &self,
        subject: &Subject,
        number: u64,
    ) -> impl Future<Output = Result<Option<Arc<Revision>>, StoreError>> + Send;

    /// Creates a revision: the creation is the claim of its number.
    fn create_revision(&self, revision: &Revision) -> impl Future<Output = Result<Creation, StoreError>> + Send;

    /// Writes a revision's notes.
    fn annotate_revision(
        &self,
        subject: &Subject,
        number: u64,
        notes: &Notes,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Deletes a revision.
    fn delete_revision(&self, subject: &Subject, number: u64) -> impl Future<Output = Result<(), StoreError>> + Send;
}
