//! Whether a version may still be served as it was published (design 5.4): its sources must give what they gave, to
//! whom they gave it, and ask for no more protection than it has.

use super::dataset::DatasetObservation;
use super::revision::Version;
use crate::api::condition::shortened;
use crate::api::source::{AnalyticsSourceSpec, SourceColumn};
use crate::api::{AnalyticsDatasetStatus, Reason};
use crate::compile::{self, ColumnExposure, Fingerprint};

/// Takes the served version out of service as soon as it may no longer be served, and back into it; true if a source is
/// gone altogether.
pub(super) fn check(observation: &DatasetObservation<'_>, status: &mut AnalyticsDatasetStatus) -> bool {
    let problem = problem(observation);
    let withdrawn = problem.as_ref().is_some_and(|(reason, _)| *reason == Reason::SourceWithdrawn);
    if let Some(record) = &mut status.published {
        record.available = problem.is_none();
        record.unavailable_reason = problem.map(in_words);
    }
    withdrawn
}

/// The same where not everything could be looked at, or a next version could not be published: what is known to be in
/// the way counts, and what was in the way stays there.
pub(super) fn withhold(observation: &DatasetObservation<'_>, status: &mut AnalyticsDatasetStatus) {
    if let (Some(record), Some(problem)) = (&mut status.published, problem(observation)) {
        record.available = false;
        record.unavailable_reason = Some(in_words(problem));
    }
}

/// How the rows of a source are found and held to their scope: the part of a declaration that a version keeps, to be
/// compared with what is declared later.
pub(super) fn rows_of(declaration: &AnalyticsSourceSpec) -> AnalyticsSourceSpec {
    AnalyticsSourceSpec {
        references: Vec::new(),
        columns: Vec::new(),
        identity: None,
        allowed_namespaces: None,
        ..declaration.clone()
    }
}

fn in_words((reason, text): (Reason, String)) -> String {
    shortened(&format!("{}: {text}", reason.as_str()), 1000)
}

fn problem(observation: &DatasetObservation<'_>) -> Option<(Reason, String)> {
    let served = observation.status.published.as_ref()?.version;
    let version = observation.served.and_then(super::revision::Revision::version)?;
    (version.record.version == served).then(|| unavailable(observation, version))?
}

fn unavailable(observation: &DatasetObservation<'_>, version: &Version) -> Option<(Reason, String)> {
    let of_source = version.fingerprints.iter().find_map(|served| source_problem(observation, version, served));
    of_source.or_else(|| {
        let mut columns = version.exposure.columns.iter();
        columns.find_map(|(name, column)| Some((Reason::NeedsRevision, column_problem(observation, name, column)?)))
    })
}

fn source_problem(
    observation: &DatasetObservation<'_>,
    version: &Version,
    served: &Fingerprint,
) -> Option<(Reason, String)> {
    let id = &served.source_id;
    let Some(source) = observation.sources.get(id) else {
        return Some((Reason::SourceWithdrawn, format!("the source {id} was withdrawn.")));
    };
    if let Some(why) = &source.not_ready {
        return Some((Reason::SourceNotReady, format!("the source {id} cannot be read: {why}")));
    }
    let rows = version.declarations.iter().find(|declaration| declaration.id() == *id);
    if rows.is_some_and(|rows| *rows != rows_of(&source.declaration)) {
        let what = format!("the tenant, owner, space or model of the source {id} is another than at publication.");
        return Some((Reason::NeedsRevision, what));
    }
    let catalog = observation.catalogs.get(&source.declaration.connection)?;
    match catalog.table(&source.declaration.database, &source.declaration.table) {
        None => Some((Reason::TableNotFound, format!("the table of {id} is gone."))),
        Some(table) => served
            .difference(table, catalog)
            .map(|what| (Reason::NeedsRevision, format!("the table of {id} changed: {what}."))),
    }
}

/// What a column shows that its sources no longer allow to be shown like that. One that was allowed to be looser than
/// its sources stays so until they ask for more than they did.
fn column_problem(observation: &DatasetObservation<'_>, name: &str, column: &ColumnExposure) -> Option<String> {
    column.lineage.values().find_map(|(source, value, then)| {
        let shown = || format!("the column {name} shows {value} of {source}");
        let declaration = &observation.sources.get(source)?.declaration;
        // The parts of an array of objects may be listed by the array's type alone.
        let lists = |entry: &SourceColumn| {
            let by_type = entry.column_type.as_deref().is_some_and(|stated| stated.starts_with("Array(Tuple("));
            let rest = value.strip_prefix(&entry.written());
            rest.is_some_and(|rest| rest.is_empty() || by_type && rest.starts_with('.'))
        };
        if !declaration.columns.iter().any(lists) {
            return Some(format!("{}, which its source no longer declares.", shown()));
        }
        let now = declaration.protection(value);
        let raised = match column.below.is_empty() {
            true => column.protection.is_looser_than(&compile::protection_of(&now, column.computed)),
            false => then.is_looser_than(&now),
        };
        raised.then(|| format!("{}, which its source protects more since.", shown()))
    })
}
