//! What to do about a source: is its declaration sound, is it approved, what of it is in force (design 3.1).

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::approval::{self, Answer, ApprovalMode, Earlier, GuardState, Question};
use super::declaration::{has, is_tightening, key, narrower, normal, same_declaration, same_scope, tightened};
use super::revision::{Content, Entry, Origin, Revision, Subject};
use super::status::{self, with_warnings};
use crate::api::condition::shortened;
use crate::api::sensitivity::Sensitivity;
use crate::api::source::{AnalyticsSourceSpec, AnalyticsSourceStatus};
use crate::api::{Reason, pending::Approval};
use crate::catalog::{Catalog, Table};
use crate::compile::{self, Code, Diagnostic, Severity, SourceInForce};

/// The most reasons that a pending change lists (the CRD's bound).
const MOST_REASONS: usize = 64;

/// All that is looked at.
#[derive(Clone, Debug)]
pub struct SourceObservation<'a> {
    /// The object.
    pub origin: Origin,
    /// Its generation.
    pub generation: Option<i64>,
    /// Its declaration.
    pub spec: &'a AnalyticsSourceSpec,
    /// Its status until now.
    pub status: AnalyticsSourceStatus,
    /// Its annotations.
    pub annotations: &'a BTreeMap<String, String>,
    /// The object that holds the same ID and was first, as `<namespace>/<name>`.
    pub rival: Option<String>,
    /// Its table and what is known with it, or why there is none to be looked at.
    pub table: Result<(&'a Table, &'a Catalog), Unread>,
    /// What the storage conventions say of its table.
    pub convention: Option<Diagnostic>,
    /// What is declared for the tables that its data lives in, where those are other sources.
    pub floors: &'a [AnalyticsSourceSpec],
    /// What of its data could not be traced to a table.
    pub untraced: &'a [String],
    /// The history of the source.
    pub history: &'a [Entry],
    /// The revision that holds the declaration approved last.
    pub approved: Option<&'a Revision>,
    /// The datasets that read it.
    pub used_by: Vec<String>,
    /// How decisions are taken.
    pub mode: ApprovalMode,
    /// Whether annotations can be trusted.
    pub guards: &'a GuardState,
    /// The time.
    pub now: Timestamp,
}

/// Why no table was looked at, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The configuration does not know its place.
    NotConfigured(String),
    /// It is not there, or may not be seen.
    Missing(String),
    /// ClickHouse did not answer as it should.
    Away(String),
}

/// What to do: a revision to create first, if any, then the status to write.
#[derive(Clone, Debug, PartialEq)]
pub struct SourcePlan {
    /// Whether that follows from an annotation, and so from the guards of annotations.
    pub decided_by_annotation: bool,
    /// The declaration to keep for good.
    pub revision: Option<Revision>,
    /// The status.
    pub status: AnalyticsSourceStatus,
    /// The reason of `Ready`.
    pub reason: Reason,
    /// What it lets be read more than the declaration before without that anybody was asked, because the owner of the
    /// folder is author and approver.
    pub growth: Vec<String>,
}

/// Decides.
pub fn plan(observation: &SourceObservation<'_>) -> SourcePlan {
    let mut status = observation.status.clone();
    status.id = Some(observation.spec.id());
    status.observed_generation = observation.generation;
    status.used_by = observation.used_by.clone();
    let verdict = judge(observation, &mut status);
    status.conditions = status::conditions(
        &observation.status.conditions,
        status::readiness(verdict.reason, &with_warnings(verdict.reason, &verdict.message, &status.warnings)),
        observation.generation,
        observation.now,
    );
    let new = |revision: &Revision| {
        revision.approval.as_ref().is_some_and(|approval| approval.inherited_from.is_none())
            && observation.mode == ApprovalMode::Annotation
    };
    SourcePlan {
        decided_by_annotation: verdict.revision.as_ref().is_some_and(new),
        revision: verdict.revision,
        status,
        reason: verdict.reason,
        growth: verdict.growth,
    }
}

struct Verdict {
    reason: Reason,
    message: String,
    revision: Option<Revision>,
    growth: Vec<String>,
}

fn verdict(reason: Reason, message: impl Into<String>) -> Verdict {
    Verdict { reason, message: message.into(), revision: None, growth: Vec::new() }
}

fn judge(observation: &SourceObservation<'_>, status: &mut AnalyticsSourceStatus) -> Verdict {
    let spec = observation.spec;
    if let Some(rival) = &observation.rival {
        status.pending = None;
        return verdict(Reason::NameTaken, format!("The source `{}` is declared by {rival} already.", spec.id()));
    }
    // An approval is of this object: another object under the same ID asks anew.
    let approved = observation.approved.filter(|revision| revision.origin.uid == observation.origin.uid);
    let approved = approved.and_then(|revision| Some((revision, revision.declaration()?)));
    let sound = sound(observation, status);
    // What a change makes stricter is kept for good, though the rest of it waits or is wrong: to take it back is to
    // loosen. A value that a wrong declaration leaves out may be no more than misspelled there, and comes back.
    let stricter = approved.and_then(|(revision, declared)| {
        let mut next = spec.clone();
        if sound.is_some() {
            next.columns.extend(declared.columns.iter().filter(|column| !has(spec, column)).cloned());
        }
        let stricter = tightened(declared, &next);
        let counts = !is_tightening(&stricter, declared) && observation.mode == ApprovalMode::Annotation;
        counts.then(|| inheriting(observation, &stricter, revision))
    });
    if let Some(stricter) = &stricter {
        status.approved = Some(in_status(stricter));
    }
    let mut verdict = match sound {
        Some(verdict) => verdict,
        None => of_sound(observation, status, approved, stricter.as_ref().map(|stricter| stricter.number)),
    };
    verdict.revision = verdict.revision.or(stricter);
    verdict
}

/// What is wrong with a declaration, beside its table; none where it can be decided on.
fn sound(observation: &SourceObservation<'_>, status: &mut AnalyticsSourceStatus) -> Option<Verdict> {
    let spec = observation.spec;
    // What waits is of the declaration that was looked at last.
    let unchanged = observation.status.observed_generation == observation.generation;
    let (table, catalog) = match &observation.table {
        Err(unread) => {
            status.pending = status.pending.take().filter(|_| unchanged);
            let (reason, message) = match unread {
                Unread::NotConfigured(message) => (Reason::NotConfigured, message),
                Unread::Missing(message) => (Reason::TableNotFound, message),
                Unread::Away(message) => return Some(verdict(Reason::WarehouseUnavailable, message.clone())),
            };
            status.undeclared_columns.clear();
            status.warnings.clear();
            return Some(verdict(reason, message.clone()));
        }
        Ok(known) => *known,
    };
    let check = compile::source::check(spec, table, catalog);
    status.undeclared_columns = check.undeclared_columns.iter().take(1000).map(|name| shortened(name, 600)).collect();
    let found = check.diagnostics.into_iter().chain(observation.convention.clone());
    let (warnings, errors): (Vec<_>, Vec<_>) = found.partition(|diagnostic| diagnostic.severity() == Severity::Warning);
    status.warnings = warnings.iter().take(100).map(|warning| shortened(&warning.to_string(), 2000)).collect();
    if !errors.is_empty() {
        status.pending = None;
        return Some(verdict(Reason::InvalidDefinition, compile::lines(&errors)));
    }
    let mut held = SourceInForce { declaration: spec.clone(), not_ready: None };
    observation.floors.iter().for_each(|floor| compile::floors::hold(&mut held, table, floor));
    let problem = held.not_ready?;
    status.pending = None;
    let message = format!("spec: InvalidScopeColumn: The source cannot be read: {problem}");
    Some(verdict(Reason::InvalidDefinition, message))
}

/// A sound declaration: in force, or waiting. `taken` is a number that goes to what became stricter.
fn of_sound(
    observation: &SourceObservation<'_>,
    status: &mut AnalyticsSourceStatus,
    approved: Option<(&Revision, &AnalyticsSourceSpec)>,
    taken: Option<u64>,
) -> Verdict {
    let spec = observation.spec;
    if let Some((revision, declared)) = approved {
        if same_declaration(declared, spec) {
            status.pending = None;
            status.approved = Some(in_status(revision));
            return verdict(Reason::Approved, "The declaration is in force.");
        }
        if is_tightening(declared, spec) {
            let kept = inheriting(observation, spec, revision);
            status.pending = None;
            status.approved = Some(in_status(&kept));
            let mut verdict = verdict(Reason::Approved, "The declaration is in force; it became stricter.");
            verdict.revision = Some(kept);
            return verdict;
        }
    }
    ask(observation, status, approved.map(|(_, declared)| declared), taken)
}

/// A revision that makes an approved one stricter, and needs no approval of its own.
fn inheriting(observation: &SourceObservation<'_>, declaration: &AnalyticsSourceSpec, from: &Revision) -> Revision {
    let mut kept = next_revision(observation);
    kept.content = Content::Declaration(Box::new(normal(declaration)));
    kept.approval = from.approval.clone().map(|approval| Approval { inherited_from: Some(from.number), ..approval });
    kept
}

fn ask(
    observation: &SourceObservation<'_>,
    status: &mut AnalyticsSourceStatus,
    approved: Option<&AnalyticsSourceSpec>,
    taken: Option<u64>,
) -> Verdict {
    let spec = observation.spec;
    let origin = &observation.origin;
    let mut revision = next_revision(observation);
    revision.number = taken.map_or(revision.number, |taken| taken + 1);
    let why = why(spec, approved, observation.untraced);
    // A first declaration is more than nothing by its nature.
    let growth = approved.filter(|_| observation.mode == ApprovalMode::Automatic).map(|_| why.clone());
    let question = Question {
        resource: "analyticssources",
        origin,
        why,
        difference: None,
        number: revision.number,
        content: serde_json::to_value(normal(spec)).expect("a declaration has text keys"),
        approvers: vec![format!("analyticssources/{}/{}", origin.namespace, origin.name)],
    };
    let earlier = Earlier {
        pending: observation.status.pending.as_ref(),
        serial: observation.status.pending_serial.unwrap_or_default(),
        refused: &observation.status.refused,
    };
    match approval::ask(
        question,
        &earlier,
        observation.annotations,
        observation.mode,
        observation.guards,
        observation.now,
    ) {
        Answer::Approved(approval) => {
            revision.approval = Some(approval);
            status.pending = None;
            status.approved = Some(in_status(&revision));
            let mut verdict = verdict(Reason::Approved, "The declaration is in force.");
            verdict.revision = Some(revision);
            verdict.growth = growth.unwrap_or_default();
            verdict
        }
        Answer::Waiting(pending) => {
            let message = format!(
                "The declaration waits for an approver: {}. To approve: {}",
                pending.why.join("; "),
                pending.command
            );
            set_pending(status, pending);
            verdict(Reason::ApprovalRequired, message)
        }
        Answer::Refused { pending, note } => {
            if !status.refused.contains(&pending.digest) {
                status.refused.insert(0, pending.digest.clone());
                status.refused.truncate(20);
            }
            set_pending(status, pending);
            let note = note.map(|note| format!(" {note}")).unwrap_or_default();
            verdict(Reason::Refused, format!("An approver refused the declaration.{note}"))
        }
        Answer::Unguarded { pending, problems } => {
            set_pending(status, pending);
            verdict(Reason::ApprovalGuardMissing, super::unguarded_message(&problems))
        }
    }
}

fn set_pending(status: &mut AnalyticsSourceStatus, pending: crate::api::pending::Pending) {
    status.pending_serial = Some(pending.serial);
    status.pending = Some(pending);
}

fn in_status(revision: &Revision) -> Approval {
    // A revision that an earlier release wrote may hold more than the CRD takes.
    let approval = approval::bounded(revision.approval.clone().unwrap_or_default());
    Approval { revision: Some(revision.number), ..approval }
}

fn next_revision(observation: &SourceObservation<'_>) -> Revision {
    let highest = observation.history.iter().map(|entry| entry.number).max().unwrap_or_default();
    let in_status = observation.status.approved.as_ref().and_then(|approval| approval.revision).unwrap_or_default();
    Revision {
        subject: Subject::source(observation.spec.id()),
        number: 1 + highest.max(in_status),
        origin: observation.origin.clone(),
        approval: None,
        created_at: observation.now,
        content: Content::Declaration(Box::new(normal(observation.spec))),
    }
}

/// The number of the revision that was approved last. A history that is ahead of the status says it: the status could not
/// be written, or was lost.
pub fn newest(status: &AnalyticsSourceStatus, history: &[Entry]) -> Option<u64> {
    let in_status = status.approved.as_ref().and_then(|approval| approval.revision);
    history.iter().map(|entry| entry.number).chain(in_status).max()
}

/// Why a declaration needs an approver, in words that a reviewer can check.
fn why(spec: &AnalyticsSourceSpec, approved: Option<&AnalyticsSourceSpec>, untraced: &[String]) -> Vec<String> {
    let untraced = untraced.iter().map(|what| format!("its data could not be traced: {what}"));
    let Some(approved) = approved else {
        let scope = match &spec.tenant {
            None => "shared by every tenant".to_owned(),
            Some(tenant) => format!("tenant from {}", tenant.column.as_deref().unwrap_or("one fixed value")),
        };
        let protected = spec
            .columns
            .iter()
            .filter(|column| column.sensitivity.as_ref().is_some_and(Sensitivity::is_protected))
            .count();
        let first = format!(
            "first declaration: {} values readable, {protected} of them protected, {scope}",
            spec.columns.len()
        );
        return std::iter::once(first)
            .chain(untraced)
            .take(MOST_REASONS)
            .map(|reason| shortened(&reason, 1000))
            .collect();
    };
    let mut reasons = Vec::new();
    for column in &spec.columns {
        let name = column.written();
        match approved.columns.iter().find(|before| key(before) == key(column)) {
            None => reasons.push(format!("{name} becomes readable")),
            Some(before) => {
                if spec.protection(&column.written()).is_looser_than(&approved.protection(&before.written())) {
                    reasons.push(format!("{name} is protected less"));
                }
                if before.column_type != column.column_type {
                    reasons.push(format!("{name} changes its type"));
                }
            }
        }
    }
    if !same_scope(approved, spec) {
        reasons.push("tenant, owner, space or platform dimension changes".to_owned());
    }
    if !narrower(approved, spec) {
        reasons.push("more namespaces may read it".to_owned());
    }
    for (part, changes) in [
        ("the references change", normal(approved).references != normal(spec).references),
        ("the model changes", approved.model != spec.model),
        ("the identity changes", approved.identity != spec.identity),
    ] {
        if changes {
            reasons.push(part.to_owned());
        }
    }
    reasons.extend(untraced);
    if reasons.len() > MOST_REASONS {
        let more = reasons.len() - (MOST_REASONS - 1);
        reasons.truncate(MOST_REASONS - 1);
        reasons.push(format!("and {more} changes more"));
    }
    reasons
}

/// Whether a diagnostic says that a source, not the definition, is in the way.
pub(super) fn reason_of(code: Code) -> Option<Reason> {
    match code {
        Code::SourceNotFound => Some(Reason::SourceNotFound),
        Code::SourceNotApproved => Some(Reason::SourceNotReady),
        Code::TableNotFound => Some(Reason::TableNotFound),
        _ => None,
    }
}
