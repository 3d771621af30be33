//! Whether a version may still be served as it was published (design 5.4): its sources must give what they gave, to
//! whom they gave it, and ask for no more protection than it has.

use super::dataset::{DatasetObservation, Served};
use super::revision::Version;
use crate::api::condition::shortened;
use crate::api::source::{AnalyticsSourceSpec, SourceColumn};
use crate::api::{AnalyticsDatasetStatus, Reason};
use crate::compile::{self, ColumnExposure, Fingerprint, SourceInForce};

/// Why the served version may not be served as it was published.
struct Problem {
    reason: Reason,
    text: String,
    /// Whether it shows what it must not show: that is never deferred, not until the next version is there either.
    protects: bool,
}

/// Takes the served version out of service as soon as it may no longer be served, and back into it; true if a source is
/// gone altogether.
pub(super) fn check(observation: &DatasetObservation<'_>, status: &mut AnalyticsDatasetStatus) -> bool {
    let problem = problem(observation);
    let withdrawn = problem.as_ref().is_some_and(|problem| problem.reason == Reason::SourceWithdrawn);
    if let Some(record) = &mut status.published {
        record.available = problem.is_none();
        record.unavailable_reason = problem.map(in_words);
    }
    withdrawn
}

/// The same where not everything could be looked at, or a next version could not be published: what is known to be in
/// the way counts, and what was in the way stays there.
pub(super) fn withhold(observation: &DatasetObservation<'_>, status: &mut AnalyticsDatasetStatus) {
    close(status, problem(observation));
}

/// The same while a next version is being published: what shows too much is closed before, not after.
pub(super) fn withhold_protected(observation: &DatasetObservation<'_>, status: &mut AnalyticsDatasetStatus) {
    close(status, problem(observation).filter(|problem| problem.protects));
}

fn close(status: &mut AnalyticsDatasetStatus, problem: Option<Problem>) {
    if let (Some(record), Some(problem)) = (&mut status.published, problem) {
        record.available = false;
        record.unavailable_reason = Some(in_words(problem));
    }
}

/// That what a version was is not known any more.
pub(super) fn lost_history(number: u64) -> String {
    format!("the history of version {number} is missing or damaged")
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

fn in_words(problem: Problem) -> String {
    shortened(&format!("{}: {}", problem.reason.as_str(), problem.text), 1000)
}

fn problem(observation: &DatasetObservation<'_>) -> Option<Problem> {
    let served = observation.status.published.as_ref()?.version;
    let lost = || {
        let text = format!("{}, so nobody can tell whether its sources still allow it.", lost_history(served));
        Some(Problem { reason: Reason::NeedsRevision, text, protects: true })
    };
    match observation.served {
        Served::Unknown => None,
        Served::Missing => lost(),
        Served::Found(revision) => match revision.version().filter(|version| version.record.version == served) {
            None => lost(),
            Some(version) => unavailable(observation, version),
        },
    }
}

fn unavailable(observation: &DatasetObservation<'_>, version: &Version) -> Option<Problem> {
    // What protects comes first: it closes at once, the rest may wait for the next version.
    let of_sources = |protects: bool| {
        let mut sources = version.fingerprints.iter();
        sources.find_map(|served| {
            source_problem(observation, version, served).filter(|problem| problem.protects == protects)
        })
    };
    let of_columns = || {
        let mut columns = version.exposure.columns.iter();
        columns.find_map(|(name, column)| {
            let text = column_problem(observation, name, column)?;
            Some(Problem { reason: Reason::NeedsRevision, text, protects: true })
        })
    };
    of_sources(true).or_else(of_columns).or_else(|| of_sources(false))
}

fn source_problem(observation: &DatasetObservation<'_>, version: &Version, served: &Fingerprint) -> Option<Problem> {
    let id = &served.source_id;
    let protected = |reason, text| Some(Problem { reason, text, protects: true });
    let changed = |reason, text| Some(Problem { reason, text, protects: false });
    let Some(source) = observation.sources.get(id) else {
        return protected(Reason::SourceWithdrawn, format!("the source {id} was withdrawn."));
    };
    if let Some(why) = &source.not_ready {
        return protected(Reason::SourceNotReady, format!("the source {id} cannot be read: {why}"));
    }
    let rows = version.declarations.iter().find(|declaration| declaration.id() == *id);
    if rows.is_some_and(|rows| *rows != rows_of(&source.declaration)) {
        let what = format!("the tenant, owner, space or model of the source {id} is another than at publication.");
        return protected(Reason::NeedsRevision, what);
    }
    let catalog = observation.catalogs.get(&source.declaration.connection)?;
    match catalog.table(&source.declaration.database, &source.declaration.table) {
        None => changed(Reason::TableNotFound, format!("the table of {id} is gone.")),
        Some(table) => match served.known_by(source.declaration.identity).difference(table, catalog) {
            Some(what) => changed(Reason::NeedsRevision, format!("the table of {id} changed: {what}.")),
            None => {
                let (reason, text) = problem_on_a_node(observation, source, served)?;
                changed(reason, text)
            }
        },
    }
}

/// The same of the other nodes of a cluster, each of which answers for its own rows. A table's UUID may be each node's own.
fn problem_on_a_node(
    observation: &DatasetObservation<'_>,
    source: &SourceInForce,
    served: &Fingerprint,
) -> Option<(Reason, String)> {
    let (id, place) = (&served.source_id, &source.declaration);
    let by_columns = served.known_by(None);
    observation.on_nodes.iter().filter(|_| place.connection == observation.connection()).find_map(|(node, catalog)| {
        match catalog.table(&place.database, &place.table) {
            None => Some((Reason::TableNotFound, format!("the table of {id} is gone on the node `{node}`."))),
            Some(table) => {
                let what = by_columns.difference(table, catalog)?;
                Some((Reason::NeedsRevision, format!("the table of {id} changed on the node `{node}`: {what}.")))
            }
        }
    })
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
