//! Declarations of a source compared: what is stricter, what of two is in force for whom (design 3.1).

use super::revision::{Origin, Revision};
use crate::api::Reason;
use crate::api::condition::{READY, shortened};
use crate::api::sensitivity::Sensitivity;
use crate::api::source::{AnalyticsSource, AnalyticsSourceSpec, SourceColumn};
use crate::compile::SourceInForce;

/// The most characters that others repeat of what a source says of itself.
const LONGEST_CAUSE: usize = 1000;

/// A declaration without what only people read.
pub(super) fn normal(spec: &AnalyticsSourceSpec) -> AnalyticsSourceSpec {
    let mut spec = spec.clone();
    for column in &mut spec.columns {
        column.description = None;
        column.sensitivity = column.sensitivity.as_ref().map(Sensitivity::normalized);
    }
    spec.columns.sort_by(|a, b| key(a).cmp(&key(b)));
    spec.references.sort_by(|a, b| a.column.cmp(&b.column));
    spec.allowed_namespaces.iter_mut().for_each(|namespaces| namespaces.sort());
    spec
}

pub(super) fn same_declaration(a: &AnalyticsSourceSpec, b: &AnalyticsSourceSpec) -> bool {
    normal(a) == normal(b)
}

pub(super) fn same_scope(a: &AnalyticsSourceSpec, b: &AnalyticsSourceSpec) -> bool {
    a.tenant == b.tenant && a.owner == b.owner && a.space == b.space && a.platform_dimension == b.platform_dimension
}

/// Whether `next` only makes data safer: nothing new to read, no level lower, no namespace more.
pub(super) fn is_tightening(approved: &AnalyticsSourceSpec, next: &AnalyticsSourceSpec) -> bool {
    let rest_is_equal = same_scope(approved, next)
        && approved.model == next.model
        && approved.identity == next.identity
        && normal(approved).references == normal(next).references;
    let no_value_more = next.columns.iter().all(|column| {
        approved.columns.iter().any(|before| {
            key(before) == key(column)
                && before.column_type == column.column_type
                && !next.protection(&column.written()).is_looser_than(&approved.protection(&before.written()))
        })
    });
    rest_is_equal && no_value_more && narrower(approved, next)
}

/// Whether no namespace may read `next` that may not read `approved`. Both belong to one object, so to one namespace.
pub(super) fn narrower(approved: &AnalyticsSourceSpec, next: &AnalyticsSourceSpec) -> bool {
    match (&approved.allowed_namespaces, &next.allowed_namespaces) {
        (_, None) => true,
        (None, Some(next)) => next.is_empty(),
        (Some(approved), Some(next)) => {
            approved.iter().any(|namespace| namespace == "*")
                || next.iter().all(|namespace| approved.contains(namespace))
        }
    }
}

pub(super) fn key(column: &SourceColumn) -> (&str, &str) {
    (&column.name, &column.path)
}

/// Whether datasets of a namespace may read a source that stands in another, as it is declared.
pub fn may_read(declaration: &AnalyticsSourceSpec, own: &str, namespace: &str) -> bool {
    let allowed = declaration.allowed_namespaces.as_deref().unwrap_or_default();
    namespace == own || allowed.iter().any(|allowed| allowed == "*" || allowed == namespace)
}

/// What datasets of a namespace may read of a source: the approved declaration, tightened by what is declared now.
/// None if the namespace may not know of it. `in_the_way` is [`in_the_way`]'s.
pub fn in_force(
    origin: &Origin,
    declared: &AnalyticsSourceSpec,
    approved: Option<&Revision>,
    namespace: &str,
    in_the_way: Option<&str>,
) -> Option<SourceInForce> {
    let own = |spec: &AnalyticsSourceSpec| may_read(spec, &origin.namespace, namespace);
    if !own(declared) {
        return None;
    }
    let approved = approved.filter(|revision| revision.origin.uid == origin.uid).and_then(Revision::declaration);
    let not_ready = |what: &str| {
        let why = match in_the_way {
            Some(cause) => format!("{what} is not in force: {cause}"),
            None => format!("{what} waits for an approver."),
        };
        Some(SourceInForce { declaration: declared.clone(), not_ready: Some(why) })
    };
    let Some(approved) = approved else { return not_ready("its declaration") };
    if !own(approved) {
        return not_ready("that this namespace may read it");
    }
    if !same_scope(approved, declared) {
        return not_ready("the change of its tenant, owner or space");
    }
    Some(SourceInForce { declaration: tightened(approved, declared), not_ready: None })
}

/// Why what a source declares now is not in force, in its own words; none where nothing but an approval is missing.
pub fn in_the_way(source: &AnalyticsSource) -> Option<String> {
    let status = source.status.as_ref();
    let mut conditions = status.into_iter().flat_map(|status| &status.conditions);
    let ready = conditions.find(|condition| condition.type_ == READY);
    match ready.filter(|ready| ready.observed_generation == source.metadata.generation) {
        None => Some("nobody looked at it yet.".to_owned()),
        Some(ready) if ready.status == "True" || ready.reason == Reason::ApprovalRequired.as_str() => None,
        Some(ready) => Some(shortened(&format!("{}: {}", ready.reason, ready.message), LONGEST_CAUSE)),
    }
}

/// What the declaration of a table demands of every other source that reads the same data: what was approved, with all
/// levels that are declared since, though the values be no longer readable. None until it was approved once.
pub fn floor(
    origin: &Origin,
    declared: &AnalyticsSourceSpec,
    approved: Option<&Revision>,
) -> Option<AnalyticsSourceSpec> {
    let approved = approved.filter(|revision| revision.origin.uid == origin.uid).and_then(Revision::declaration)?;
    let mut floor = approved.clone();
    floor.tighten(declared.columns.iter());
    Some(floor)
}

/// An approved declaration with all that another makes stricter, and nothing else of it.
pub(super) fn tightened(approved: &AnalyticsSourceSpec, declared: &AnalyticsSourceSpec) -> AnalyticsSourceSpec {
    let mut declaration = approved.clone();
    declaration.columns.retain(|column| has(declared, column));
    // What is no longer listed counts for what it contains or lies in.
    declaration.tighten(approved.columns.iter().chain(&declared.columns));
    if narrower(approved, declared) {
        declaration.allowed_namespaces.clone_from(&declared.allowed_namespaces);
    }
    declaration
}

/// Whether a declaration lists a value.
pub(super) fn has(spec: &AnalyticsSourceSpec, column: &SourceColumn) -> bool {
    spec.columns.iter().any(|entry| key(entry) == key(column))
}
