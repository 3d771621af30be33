//! Layer 1: a definition and what is known of the warehouse → the body of a view, or diagnostics. Pure.
//!
//! | stage | module | from → to |
//! |---|---|---|
//! | names | `names` | context, name, aliases → accepted or refused |
//! | parse | `parse` | text → [`expression::Expression`] |
//! | resolve | `resolve`, `join`, `read`, `value` | names → reads of sources, joins, references |
//! | check | `typing`, `predicate`, `columns` | expressions → typed ones, outputs with their protection |
//! | render | `render`, `fence` | all of it → [`CompiledDataset`]; cannot fail |
//!
//! Knows no Kubernetes client, no ClickHouse client, no clock. All diagnostics of a definition come at once.

mod columns;
mod comparison;
pub mod conventions;
mod convert;
mod diagnostic;
mod engine;
mod exposure;
pub mod expression;
#[cfg(test)]
mod expression_cases;
mod fence;
mod fingerprint;
pub mod functions;
mod join;
mod lexer;
mod names;
mod number;
mod operators;
pub mod parse;
pub mod predicate;
mod problem;
mod read;
mod render;
mod resolve;
pub mod source;
mod typed;
pub mod typing;
mod value;
pub mod without_tables;

pub use diagnostic::{Code, Diagnostic, Severity, available, lines};
pub use exposure::{ColumnExposure, Exposure, JoinExposure};
pub use fingerprint::{Fingerprint, FingerprintColumn};
pub use names::{view_name, view_prefix};

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::api::definition::{Definition, Demand};
use crate::api::interval;
use crate::api::record::{PublicationRecord, RecordColumn, RecordIdentity, RecordScope, RecordScopeColumn};
use crate::api::source::{AnalyticsSourceSpec, SourceIdentity};
use crate::api::{AnalyticsDatasetSpec, record};
use crate::canonical;
use crate::catalog::Catalog;
use crate::sql::{ColumnType, Sql};

use predicate::TypedFilter;
use resolve::{Resolved, check_public};

/// All that a compilation looks at.
#[derive(Clone, Copy)]
pub struct CompileInput<'a> {
    /// The dataset.
    pub spec: &'a AnalyticsDatasetSpec,
    /// The sources that the dataset's namespace may use, by ID.
    pub sources: &'a BTreeMap<String, SourceInForce>,
    /// What is known of each connection's databases.
    pub catalogs: &'a BTreeMap<String, Catalog>,
    /// The database that will hold the view, for the length of its name.
    pub datasets_database: &'a str,
    /// The fingerprints of the version that is served: columns that a table gained since change nothing.
    pub served_fingerprints: &'a [Fingerprint],
}

/// A source as datasets may read it.
#[derive(Clone, Debug)]
pub struct SourceInForce {
    /// The declaration that counts: the approved one, tightened by what is declared since.
    pub declaration: AnalyticsSourceSpec,
    /// Why it cannot be read yet.
    pub not_ready: Option<String>,
}

/// A definition that compiles.
#[derive(Clone, Debug)]
pub struct CompiledDataset {
    /// The connection of its sources.
    pub connection: String,
    /// The body of the view.
    pub select: Sql,
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

/// Compiles a definition.
///
/// # Errors
/// All errors at once. They are the author's to mend; none of them is a failure of the environment.
pub fn compile(input: &CompileInput<'_>) -> Result<CompiledDataset, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let compiled = compile_noting(input, &mut found);
    let (warnings, errors): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|diagnostic| diagnostic.severity() == Severity::Warning);
    match compiled {
        Some(compiled) if errors.is_empty() => Ok(CompiledDataset { warnings, ..compiled }),
        _ => Err(errors),
    }
}

/// All that is found in a definition, warnings beside errors.
pub fn findings(input: &CompileInput<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    compile_noting(input, &mut found);
    found
}

/// Compiles as far as it goes; what is compiled counts only where no error is found.
fn compile_noting(input: &CompileInput<'_>, found: &mut Vec<Diagnostic>) -> Option<CompiledDataset> {
    let spec = input.spec;
    let definition = &spec.definition;
    names::check_dataset_name(&spec.context, &spec.name, input.datasets_database, found);
    refuse_what_comes_later(spec, found);
    let mut time_zone = spec.time_zone.as_deref().unwrap_or("UTC");
    if !functions::valid_zone(time_zone) {
        found.push(
            Diagnostic::new(Code::UnknownTimeZone, "spec.timeZone", format!("`{time_zone}` is no time zone."))
                .help("Use an IANA name as it is spelled, such as `Europe/Berlin` or `Asia/Shanghai`."),
        );
        // What else is wrong does not depend on it.
        time_zone = "UTC";
    }
    check_sizes(definition, found);
    if let Some(problem) = spec.version_retention.as_deref().and_then(|text| interval::parse(text).err()) {
        found.push(Diagnostic::new(Code::InvalidDocument, "spec.versionRetention", format!("{problem}.")));
    }
    let mut resolved = resolve::resolve(input, time_zone, found)?;
    let mut scope = render::ScopeValues { tenant: resolved.root_tenant, ..Default::default() };
    let declaration = resolved.reads[0].declaration;
    for (limit, value) in [(&declaration.owner, &mut scope.owner), (&declaration.space, &mut scope.space)] {
        let Some(limit) = limit else { continue };
        match resolved.reads[0].add_limit(&limit.column, "spec.definition.subject") {
            Ok(index) => *value = Some(index),
            Err(diagnostic) => found.push(diagnostic),
        }
    }
    check_demands(definition, scope, found);
    let outputs = columns::outputs(&mut resolved, definition, found);
    let filters = filters(&mut resolved, definition, found);
    let identity = columns::identity(definition, &outputs, found);
    let event_time = columns::event_time(definition, &outputs, found);
    if found.iter().any(|diagnostic| diagnostic.severity() == Severity::Error) {
        return None;
    }
    let mut compiled = CompiledDataset {
        connection: declaration.connection.clone(),
        select: render::body(&resolved, scope, &outputs, &filters),
        view_columns: render::view_columns(&resolved, scope, &outputs),
        scope: record_scope(&resolved, scope, definition),
        identity,
        event_time,
        time_zone: time_zone.to_owned(),
        fingerprints: fingerprints(&resolved, input.served_fingerprints),
        exposure: exposure_of(&resolved, scope, &outputs, &filters),
        columns: outputs.into_iter().map(|output| output.record).collect(),
        content_hash: String::new(),
        warnings: Vec::new(),
    };
    compiled.content_hash = content_hash(&compiled, definition);
    Some(compiled)
}

/// Fields that stand in the CRD and have no behaviour yet must not seem to work.
fn refuse_what_comes_later(spec: &AnalyticsDatasetSpec, found: &mut Vec<Diagnostic>) {
    let later = [
        ("spec.pin", spec.pin.is_some()),
        ("spec.materialization", spec.materialization.is_some()),
        ("spec.definition.measures", !spec.definition.measures.is_empty()),
    ];
    for (path, _) in later.into_iter().filter(|(_, used)| *used) {
        found.push(
            Diagnostic::new(Code::NotSupportedYet, path, "This version of the operator does not support it.")
                .help("Leave it out for now; nothing else of the object is affected."),
        );
    }
}

/// The most that a definition may hold (design 7); an API server refuses more by its schema, a folder does not.
fn check_sizes(definition: &Definition, found: &mut Vec<Diagnostic>) {
    let sizes = [
        ("sources", definition.sources.len(), 1, 32),
        ("joins", definition.joins.len(), 0, 31),
        ("columns", definition.columns.len(), 1, 512),
        ("filters", definition.filters.len(), 0, 64),
    ];
    for (name, size, least, most) in sizes.into_iter().filter(|(_, size, least, most)| size < least || size > most) {
        let message = format!("There are {size} {name}; {least} to {most} are possible.");
        found.push(Diagnostic::new(Code::LimitExceeded, format!("spec.definition.{name}"), message));
    }
}

/// A part of the scope can be demanded of callers only where rows have it.
fn check_demands(definition: &Definition, scope: render::ScopeValues, found: &mut Vec<Diagnostic>) {
    let demands = definition.scope.unwrap_or_default();
    for (name, demand, value) in [("owner", demands.owner, scope.owner), ("space", demands.space, scope.space)] {
        if demand == Demand::Required && value.is_none() {
            let (path, message) =
                (format!("spec.definition.scope.{name}"), format!("The subject's rows have no {name}."));
            found.push(
                Diagnostic::new(Code::InvalidScopeColumn, path, message)
                    .help(format!("Leave the demand out, or let the subject's source state `{name}`.")),
            );
        }
    }
}

fn filters(resolved: &mut Resolved<'_>, definition: &Definition, found: &mut Vec<Diagnostic>) -> Vec<TypedFilter> {
    let mut filters = Vec::new();
    for (index, text) in definition.filters.iter().enumerate() {
        let path = format!("spec.definition.filters[{index}]");
        let Some(filter) = resolved.filter(text, &path, found) else { continue };
        check_public(resolved, &filter.references(), &path, "filter", found);
        filters.push(filter);
    }
    filters
}

fn record_scope(resolved: &Resolved<'_>, scope: render::ScopeValues, definition: &Definition) -> RecordScope {
    let demands = definition.scope.unwrap_or_default();
    let column = |value: Option<usize>, demand: Demand| {
        value.map(|value| RecordScopeColumn { column_type: resolved.reads[0].outer_type(value).to_string(), demand })
    };
    RecordScope {
        tenant: column(scope.tenant, Demand::Required),
        owner: column(scope.owner, demands.owner),
        space: column(scope.space, demands.space),
    }
}

fn fingerprints(resolved: &Resolved<'_>, served: &[Fingerprint]) -> Vec<Fingerprint> {
    let mut read_of: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for read in &resolved.reads {
        read_of.entry(read.source_id).or_default().extend(read.used_columns().iter().cloned());
    }
    let fingerprint = |(source_id, columns): (&str, BTreeSet<String>)| {
        let read = resolved.reads.iter().find(|read| read.source_id == source_id)?;
        let identity = read.declaration.identity.unwrap_or(SourceIdentity::Columns);
        let earlier = served.iter().find(|earlier| earlier.source_id == source_id);
        Some(Fingerprint::of(source_id, identity, read.table, &columns, earlier))
    };
    read_of.into_iter().filter_map(fingerprint).collect()
}

fn exposure_of(
    resolved: &Resolved<'_>,
    scope: render::ScopeValues,
    outputs: &[columns::Output],
    filters: &[TypedFilter],
) -> Exposure {
    let parts = [("tenant", scope.tenant), ("owner", scope.owner), ("space", scope.space)];
    let column = |output: &columns::Output| {
        let protection = output.record.protection.as_ref().map(record::Protection::sensitivity).unwrap_or_default();
        let exposure = ColumnExposure {
            column_type: output.record.column_type.clone(),
            lineage: output.lineage.iter().cloned().collect(),
            protection,
            looser: output.looser,
        };
        (output.record.name.clone(), exposure)
    };
    Exposure {
        subject: resolved.reads[0].source_id.to_owned(),
        scope: parts.into_iter().filter(|(_, value)| value.is_some()).map(|(name, _)| name.to_owned()).collect(),
        columns: outputs.iter().map(column).collect(),
        filters: filters.iter().map(|filter| filter.render(&|reference| resolved.written(reference))).collect(),
        joins: resolved
            .joins
            .iter()
            .map(|join| JoinExposure {
                source_id: resolved.reads[join.read].source_id.to_owned(),
                kind: join.kind,
                leaves_out: join.leaves_out.iter().map(|part| (*part).to_owned()).collect(),
            })
            .collect(),
    }
}

/// What makes another version: the SELECT, the types, the protection as rendered, the claims of the definition and what
/// is read of the tables. Texts, labels, units and the like are not in it (design 3.6).
fn content_hash(compiled: &CompiledDataset, definition: &Definition) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Content<'a> {
        format: u32,
        select: &'a str,
        columns: Vec<(&'a str, String)>,
        protection: BTreeMap<&'a str, &'a record::Protection>,
        identity: Option<&'a str>,
        cardinalities: Vec<(&'a str, String)>,
        fingerprints: &'a [Fingerprint],
    }
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
        fingerprints: &compiled.fingerprints,
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
