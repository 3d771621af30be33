//! Layer 1: a definition and what is known of the warehouse → the body of a view, or diagnostics. Pure.
//!
//! | stage | module | from → to |
//! |---|---|---|
//! | names | `names` | context, name, aliases → accepted or refused |
//! | parse | `parse` | text → [`expression::Expression`] |
//! | resolve | `resolve`, `reference`, `join`, `read`, `value`, `scope` | names → reads of sources, joins, references |
//! | check | `typing`, `predicate`, `protection`, `columns`, `lineage`, `fan_out` | expressions → typed ones, outputs with their protection |
//! | render | `render`, `fence`, `exposure` | all of it → [`CompiledDataset`]; cannot fail |
//!
//! Knows no Kubernetes client, no ClickHouse client, no clock. All diagnostics of a definition come at once.

mod columns;
mod comparison;
mod compiled;
pub mod conventions;
mod convert;
mod diagnostic;
mod element_sql;
mod elements;
mod engine;
mod exposure;
pub mod expression;
#[cfg(test)]
mod expression_cases;
mod fan_out;
mod fence;
mod fingerprint;
pub mod floors;
pub mod functions;
mod growth;
mod join;
mod lexer;
mod lineage;
mod merging;
mod model;
mod names;
mod number;
mod operators;
pub mod parse;
pub mod predicate;
mod problem;
mod protection;
mod read;
mod read_sql;
mod reference;
mod render;
mod resolve;
mod scope;
mod scope_column;
mod sharding;
pub mod source;
mod spread;
mod state;
mod stated;
mod typed;
pub mod typing;
mod value;
mod view;
pub mod without_tables;

pub use compiled::CompiledDataset;
pub use diagnostic::{Code, Diagnostic, Severity, available, lines};
pub use exposure::{ColumnExposure, ConditionExposure, Exposure, JoinExposure};
pub use fingerprint::{Fingerprint, FingerprintColumn, TableBehind};
pub use lineage::{Lineage, protection_of};
pub use names::{view_name, view_prefix};
pub use spread::Spread;

use std::collections::{BTreeMap, BTreeSet};

use crate::api::AnalyticsDatasetSpec;
use crate::api::definition::Definition;
use crate::api::interval;
use crate::api::source::{AnalyticsSourceSpec, SourceIdentity};
use crate::catalog::Catalog;

use join::{ResolvedJoin, ResolvedKey};
use reference::{Condition, Resolved};
use scope::ScopeValues;

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

/// Compiles a definition that is to stand on every node of a cluster. `on_nodes` are the tables of its connection on each
/// of them, by the node's URL: they must allow it one by one.
///
/// # Errors
/// As [`compile`]; where it is another node that does not allow it, each error names the node.
pub fn compile_on(
    input: &CompileInput<'_>,
    on_nodes: &[(String, Catalog)],
) -> Result<CompiledDataset, Vec<Diagnostic>> {
    let compiled = compile(input)?;
    for (node, catalog) in on_nodes {
        let catalogs = BTreeMap::from([(compiled.connection.clone(), catalog.clone())]);
        if let Err(mut found) = compile(&CompileInput { catalogs: &catalogs, ..*input }) {
            let place = format!(" So it is on the node `{node}`.");
            found.iter_mut().for_each(|diagnostic| diagnostic.message.push_str(&place));
            return Err(found);
        }
    }
    Ok(compiled)
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
    protection::of_definition(definition, found);
    if let Some(problem) = spec.version_retention.as_deref().and_then(|text| interval::parse(text).err()) {
        found.push(Diagnostic::new(Code::InvalidDocument, "spec.versionRetention", format!("{problem}.")));
    }
    let mut resolved = resolve::resolve(input, time_zone, found)?;
    note_aggregates(&resolved, definition, found);
    note_views(&resolved, definition, found);
    let scope = scope::values(&mut resolved, definition, found);
    let outputs = columns::outputs(&mut resolved, definition, found);
    let filters = filters(&mut resolved, definition, found);
    fan_out::check(&mut resolved, definition, &filters, found);
    let spread = spread::of(&resolved, definition, found);
    let identity = columns::identity(definition, &outputs, found);
    let event_time = columns::event_time(definition, &outputs, found);
    if found.iter().any(|diagnostic| diagnostic.severity() == Severity::Error) {
        return None;
    }
    let mut compiled = CompiledDataset {
        connection: resolved.reads[0].declaration.connection.clone(),
        select: render::body(&resolved, scope, &outputs, &filters),
        spread,
        view_columns: render::view_columns(&resolved, scope, &outputs),
        scope: scope::record(&resolved, scope, definition),
        identity,
        event_time,
        time_zone: time_zone.to_owned(),
        fingerprints: fingerprints(&resolved, input.served_fingerprints),
        exposure: exposure_of(input, &resolved, scope, &outputs, &filters),
        columns: outputs.into_iter().map(|output| output.record).collect(),
        content_hash: String::new(),
        warnings: Vec::new(),
    };
    compiled.content_hash = compiled::content_hash(&compiled, definition);
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

/// Rows of some sources are sums of rows: counting them counts keys.
fn note_aggregates(resolved: &Resolved<'_>, definition: &Definition, found: &mut Vec<Diagnostic>) {
    for read in resolved.reads.iter().filter(|read| read.mode.is_aggregate()) {
        let index = definition.sources.iter().position(|source| source.alias == read.alias).unwrap_or_default();
        let path = format!("spec.definition.sources[{index}].sourceId");
        let message = format!(
            "The rows of `{}` are merged by key: COUNT counts keys, and AVG averages merged values.",
            read.source_id
        );
        found.push(
            Diagnostic::new(Code::AggregateSource, path, message)
                .help("For an average divide the sum of the merged values by another sum, not by the number of rows."),
        );
    }
}

/// Views that may make one row of rows of several tenants, before any fence sees these.
fn note_views(resolved: &Resolved<'_>, definition: &Definition, found: &mut Vec<Diagnostic>) {
    for read in &resolved.reads {
        let Some((view, clause)) = read.may_mix() else { continue };
        let index = definition.sources.iter().position(|source| source.alias == read.alias).unwrap_or_default();
        let message = format!(
            "Whether the view `{view}` keeps the rows of each tenant apart cannot be told: {clause} is not followed."
        );
        found.push(
            Diagnostic::new(Code::ViewMayMixTenants, format!("spec.definition.sources[{index}].sourceId"), message)
                .help("Join by the tenant, written as `a.tenant = b.tenant`, and read no other table beside; or look at it yourself."),
        );
    }
}

fn filters(resolved: &mut Resolved<'_>, definition: &Definition, found: &mut Vec<Diagnostic>) -> Vec<Condition> {
    let texts = definition.filters.iter().enumerate();
    texts.flat_map(|(index, text)| resolved.filter(text, &format!("spec.definition.filters[{index}]"), found)).collect()
}

fn fingerprints(resolved: &Resolved<'_>, served: &[Fingerprint]) -> Vec<Fingerprint> {
    let mut read_of: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for read in &resolved.reads {
        read_of.entry(read.source_id).or_default().extend(read.used_columns());
    }
    let fingerprint = |(source_id, columns): (&str, BTreeSet<String>)| {
        let read = resolved.reads.iter().find(|read| read.source_id == source_id)?;
        let identity = read.declaration.identity.unwrap_or(SourceIdentity::Columns);
        let earlier = served.iter().find(|earlier| earlier.source_id == source_id);
        Some(Fingerprint::of(source_id, identity, (read.table, read.catalog), &columns, earlier))
    };
    read_of.into_iter().filter_map(fingerprint).collect()
}

fn exposure_of(
    input: &CompileInput<'_>,
    resolved: &Resolved<'_>,
    scope: ScopeValues,
    outputs: &[columns::Output],
    filters: &[Condition],
) -> Exposure {
    let normal = |reference: usize| resolved.normal(reference);
    let filter = |condition: &Condition| {
        let lineage = resolved.lineage(&condition.filter.names);
        let exposure = ConditionExposure { text: condition.text.clone(), lineage };
        (exposure::kept(condition.filter.typed.render(&normal)), exposure)
    };
    let key = |key: &ResolvedKey| {
        let mut lineage = resolved.lineage(&key.left.names);
        lineage.extend(resolved.lineage(&key.right.names));
        let form = format!("{} = {}", key.left.typed.render(&normal), key.right.typed.render(&normal));
        (exposure::kept(form), ConditionExposure { text: key.text.clone(), lineage })
    };
    let join = |join: &ResolvedJoin| JoinExposure {
        source_id: resolved.reads[join.read].source_id.to_owned(),
        occurrence: resolved.occurrence(join.read),
        kind: join.kind,
        keys: join.keys.iter().map(key).collect(),
        leaves_out: join.leaves_out.iter().map(|part| (*part).to_owned()).collect(),
    };
    let untraced = |read: &read::SourceRead<'_>| {
        let catalog = input.catalogs.get(&read.declaration.connection)?;
        let untraced = catalog.untraced(read.table);
        (!untraced.is_empty()).then(|| (read.source_id.to_owned(), untraced))
    };
    Exposure {
        subject: resolved.reads[0].source_id.to_owned(),
        scope: scope.parts().map(str::to_owned).collect(),
        columns: outputs
            .iter()
            .flat_map(|output| {
                let whole = (output.record.name.clone(), output.exposure.clone());
                std::iter::once(whole).chain(output.parts.iter().cloned())
            })
            .collect(),
        filters: filters.iter().map(filter).collect(),
        joins: resolved.joins.iter().map(join).collect(),
        untraced: resolved.reads.iter().filter_map(untraced).collect(),
    }
}
