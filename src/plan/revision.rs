//! The documents of the durable history (design 3.6): one immutable revision a version of a dataset, and one an
//! approved declaration of a source. Values only; where they are kept is the driver's.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::api::pending::Approval;
use crate::api::{AnalyticsDatasetSpec, AnalyticsSourceSpec, PublicationRecord};
use crate::canonical;
use crate::compile::{CompiledDataset, Exposure, Fingerprint, Spread};

/// What a revision is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// The kind.
    pub kind: SubjectKind,
    /// The dataset's or the source's ID.
    pub id: String,
}

/// The kinds of subjects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum SubjectKind {
    Dataset,
    Source,
}

impl Subject {
    /// The history of a dataset.
    pub fn dataset(id: impl Into<String>) -> Self {
        Self { kind: SubjectKind::Dataset, id: id.into() }
    }

    /// The history of a source.
    pub fn source(id: impl Into<String>) -> Self {
        Self { kind: SubjectKind::Source, id: id.into() }
    }

    /// A name of 24 characters that fits where IDs do not: labels and object names.
    pub fn short_name(&self) -> String {
        let (kind, letter) = match self.kind {
            SubjectKind::Dataset => ("dataset", "d"),
            SubjectKind::Source => ("source", "s"),
        };
        format!("{letter}-{}", &canonical::hex(format!("{kind} {}", self.id).as_bytes())[..22])
    }

    /// The name of a revision's object.
    pub fn revision_name(&self, number: u64) -> String {
        format!("{}-{number}", self.short_name())
    }
}

/// One revision: immutable once it is created.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// What it is of.
    pub subject: Subject,
    /// Its number; never used twice.
    pub number: u64,
    /// The object that it came from.
    pub origin: Origin,
    /// The decision that allowed it, where one was needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// When it was made.
    pub created_at: Timestamp,
    /// What it holds.
    pub content: Content,
}

/// The object that a revision came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Its uid; of the file's path in standalone.
    pub uid: String,
}

/// What a revision holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Content {
    /// A published version of a dataset.
    Version(Box<Version>),
    /// An approved declaration of a source.
    Declaration(Box<AnalyticsSourceSpec>),
}

/// A version of a dataset, with all that is needed to serve or re-create it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// The specification that it was compiled from.
    pub spec: AnalyticsDatasetSpec,
    /// The body of its view.
    pub select: String,
    /// How its rows lie on the nodes of a cluster, where the view of each gives a part of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
    /// The view's columns, hidden ones first, with their types.
    pub view_columns: Vec<(String, String)>,
    /// Its publication record.
    pub record: PublicationRecord,
    /// What it shows.
    pub exposure: Exposure,
    /// What it depends on.
    pub fingerprints: Vec<Fingerprint>,
    /// How the rows of each source were found and held to their scope: declarations without their columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declarations: Vec<AnalyticsSourceSpec>,
}

impl Version {
    /// The version that a compilation and its record make.
    pub fn of(
        spec: &AnalyticsDatasetSpec,
        compiled: &CompiledDataset,
        record: PublicationRecord,
        declarations: Vec<AnalyticsSourceSpec>,
    ) -> Self {
        let columns = compiled.view_columns.iter();
        Self {
            spec: spec.clone(),
            select: compiled.select.as_str().to_owned(),
            spread: compiled.spread.clone(),
            view_columns: columns.map(|(name, column_type)| (name.clone(), column_type.to_string())).collect(),
            record,
            exposure: compiled.exposure.clone(),
            fingerprints: compiled.fingerprints.clone(),
            declarations,
        }
    }
}

impl Revision {
    /// The hash that tells whether the document is whole and unchanged.
    pub fn document_hash(&self) -> String {
        canonical::hash(self)
    }

    /// The version, if it is one.
    pub fn version(&self) -> Option<&Version> {
        match &self.content {
            Content::Version(version) => Some(version),
            Content::Declaration(_) => None,
        }
    }

    /// The declaration, if it is one.
    pub fn declaration(&self) -> Option<&AnalyticsSourceSpec> {
        match &self.content {
            Content::Version(_) => None,
            Content::Declaration(declaration) => Some(declaration),
        }
    }
}

/// What may change about a revision after it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notes {
    /// When its record was first written: from then on it is a version that readers saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<Timestamp>,
    /// When a later version took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_at: Option<Timestamp>,
    /// From when on its view may be dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// A revision as it is listed: without its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is of.
    pub subject: Subject,
    /// Its number.
    pub number: u64,
    /// The content hash of a version; empty for a declaration.
    pub content_hash: String,
    /// The namespace of the object that it came from.
    pub namespace: String,
    /// Its notes.
    pub notes: Notes,
}
