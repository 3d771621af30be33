//! What a compilation gives, and the hash of all in it that makes another version (design 3.6).

use std::collections::BTreeMap;

use serde::Serialize;

use super::diagnostic::Diagnostic;
use super::exposure::Exposure;
use super::fingerprint::Fingerprint;
use super::lineage::Lineage;
use super::names::view_name;
use super::spread::Spread;
use crate::api::AnalyticsDatasetSpec;
use crate::api::definition::Definition;
use crate::api::record::{self, PublicationRecord, RecordColumn, RecordIdentity, RecordScope};
use crate::canonical;
use crate::sql::{ColumnType, Sql};

/// A definition that compiles.
#[derive(Clone, Debug)]
pub struct CompiledDataset {
    /// The connection of its sources.
    pub connection: String,
    /// The body of the view.
    pub select: Sql,
    /// How the rows lie on the nodes of a cluster, where the view of each gives a part of them.
    pub spread: Option<Spread>,
    /// The view's columns with their exact types, hidden ones first.
    pub view_columns: Vec<(String, ColumnType)>,
    /// The columns that readers see.
    pub columns: Vec<RecordColumn>,
    /// The scope columns.
    pub scope: RecordScope,
    /// The column that identifies a row.
    pub identity: Option<RecordIdentity>,
    /// The column that relative time reads.
    pub event_time: Option<String>,
    /// The dataset's zone.
    pub time_zone: String,
    /// What the version depends on.
    pub fingerprints: Vec<Fingerprint>,
    /// What readers see.
    pub exposure: Exposure,
    /// The hash of all that makes another version (design 3.6).
    pub content_hash: String,
    /// What is worth knowing, but stops nothing.
    pub warnings: Vec<Diagnostic>,
}

/// What makes another version: the SELECT, the types, the protection as rendered, the claims of the definition, what is
/// read of the tables, and what an approval of the columns rests on. Texts, labels, units and the like are not in it.
pub(super) fn content_hash(compiled: &CompiledDataset, definition: &Definition) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Content<'a> {
        format: u32,
        select: &'a str,
        columns: Vec<(&'a str, String)>,
        protection: BTreeMap<&'a str, &'a record::Protection>,
        identity: Option<&'a str>,
        cardinalities: Vec<(&'a str, String)>,
        computed: Vec<&'a str>,
        looser: BTreeMap<&'a str, &'a Lineage>,
        fingerprints: &'a [Fingerprint],
        #[serde(skip_serializing_if = "Option::is_none")]
        spread: Option<&'a Spread>,
    }
    let shown = || compiled.exposure.columns.iter().map(|(name, column)| (name.as_str(), column));
    canonical::hash(&Content {
        format: record::FORMAT,
        select: compiled.select.as_str(),
        columns: compiled
            .view_columns
            .iter()
            .map(|(name, column_type)| (name.as_str(), column_type.to_string()))
            .collect(),
        protection: compiled.protection(),
        identity: compiled.identity.as_ref().map(|identity| identity.column.as_str()),
        cardinalities: definition
            .joins
            .iter()
            .filter_map(|join| Some((join.alias.as_str(), format!("{:?}", join.cardinality?))))
            .collect(),
        computed: shown().filter(|(_, column)| column.computed).map(|(name, _)| name).collect(),
        looser: shown()
            .filter(|(_, column)| !column.below.is_empty())
            .map(|(name, column)| (name, &column.lineage))
            .collect(),
        fingerprints: &compiled.fingerprints,
        spread: compiled.spread.as_ref(),
    })
}

impl CompiledDataset {
    /// The protection of each protected column, as it stands in the view's comment.
    pub fn protection(&self) -> BTreeMap<&str, &record::Protection> {
        let protected = |column: &'_ RecordColumn| column.protection.is_some();
        self.columns
            .iter()
            .filter(|column| protected(column))
            .filter_map(|column| Some((column.name.as_str(), column.protection.as_ref()?)))
            .collect()
    }

    /// The parts of the publication record that the compilation decides; number, time and availability are the plan's.
    pub fn record(&self, spec: &AnalyticsDatasetSpec, database: &str, version: u64) -> PublicationRecord {
        PublicationRecord {
            format: record::FORMAT,
            id: spec.id(),
            version,
            connection: self.connection.clone(),
            view: record::ViewReference {
                database: database.to_owned(),
                name: view_name(&spec.context, &spec.name, version),
            },
            content_hash: self.content_hash.clone(),
            published_at: String::new(),
            approval: None,
            available: true,
            unavailable_reason: None,
            scope: self.scope.clone(),
            identity: self.identity.clone(),
            event_time: self.event_time.clone(),
            time_zone: self.time_zone.clone(),
            columns: self.columns.clone(),
            measures: Vec::new(),
            description: spec.description.clone(),
            contact: spec.contact.clone(),
        }
    }
}
