//! What to do about a dataset: publish, keep, wait, withdraw (design 5).

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::approval::ApprovalMode;
use super::availability;
use super::retention;
use super::revision::{Content, Entry, Notes, Origin, Revision, Subject, Version};
use super::status::{conditions, published, readiness};
use crate::api::condition::shortened;
use crate::api::dataset::VersionSummary;
use crate::api::pending::Approval;
use crate::api::{AnalyticsDatasetSpec, AnalyticsDatasetStatus, AnalyticsSourceSpec, PublicationRecord, Reason};
use crate::canonical;
use crate::catalog::Catalog;
use crate::compile::{self, CompiledDataset, Diagnostic, Exposure, SourceInForce};

/// All that is looked at.
#[derive(Clone, Debug)]
pub struct DatasetObservation<'a> {
    /// The object.
    pub origin: Origin,
    /// Its generation.
    pub generation: Option<i64>,
    /// What it asks for.
    pub spec: &'a AnalyticsDatasetSpec,
    /// Its status until now.
    pub status: AnalyticsDatasetStatus,
    /// Another object that holds the ID, or an ID that folds to the same view name, and was first: a sentence.
    pub rival: Option<String>,
    /// The compilation of its definition.
    pub compiled: Result<CompiledDataset, Vec<Diagnostic>>,
    /// The history of the dataset.
    pub history: &'a [Entry],
    /// The revision of the version that is served, or was served last.
    pub served: Option<&'a Revision>,
    /// The numbers of all views that carry the dataset's mark.
    pub view_numbers: &'a [u64],
    /// The sources that its namespace may use.
    pub sources: &'a BTreeMap<String, SourceInForce>,
    /// The tables.
    pub catalogs: &'a BTreeMap<String, Catalog>,
    /// The database of its views.
    pub datasets_database: &'a str,
    /// How decisions are taken.
    pub mode: ApprovalMode,
    /// How long views stay after their version.
    pub retention: SignedDuration,
    /// The time.
    pub now: Timestamp,
}

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetPlan {
    /// A version to publish before the status is written.
    pub publication: Option<Publication>,
    /// The version that is served while its view is missing: to be created again.
    pub repair: Option<Version>,
    /// Notes on the history that are due whether or not anything is published.
    pub notes: Vec<(u64, Notes)>,
    /// The status once the publication has succeeded.
    pub status: AnalyticsDatasetStatus,
    /// The reason of `Ready`.
    pub reason: Reason,
}

/// A version on its way to readers; the steps stand in design 5.1.
#[derive(Clone, Debug, PartialEq)]
pub struct Publication {
    /// The revision to create, or one that exists and is taken up again.
    pub revision: Revision,
    /// Whether the revision exists already.
    pub taken_up: bool,
    /// The version that it supersedes.
    pub supersedes: Option<u64>,
}

/// Decides.
pub fn plan(observation: &DatasetObservation<'_>) -> DatasetPlan {
    let mut status = observation.status.clone();
    status.id = Some(observation.spec.id());
    status.observed_generation = observation.generation;
    status.pending = None;
    let verdict = judge(observation, &mut status);
    status.warnings = match &observation.compiled {
        Ok(compiled) => {
            compiled.warnings.iter().take(100).map(|warning| shortened(&warning.to_string(), 2000)).collect()
        }
        Err(_) => Vec::new(),
    };
    status.versions = summaries(observation, verdict.publication.as_ref());
    let mut states = readiness(verdict.reason, &verdict.message);
    states.push(published_state(&status, &verdict));
    status.conditions = conditions(&observation.status.conditions, states, observation.generation, observation.now);
    let repair = missing_view(observation, &status);
    DatasetPlan { publication: verdict.publication, repair, notes: verdict.notes, status, reason: verdict.reason }
}

/// The served version, if no view stands under its number.
fn missing_view(observation: &DatasetObservation<'_>, status: &AnalyticsDatasetStatus) -> Option<Version> {
    let record = observation
        .status
        .published
        .as_ref()
        .filter(|record| Some(record.version) == status.published.as_ref().map(|next| next.version))?;
    let version =
        observation.served.and_then(Revision::version).filter(|version| version.record.version == record.version)?;
    (!observation.view_numbers.contains(&record.version)).then(|| version.clone())
}

/// The status while a publication fails: as it was, with the reason. What is served stays served, but for what its sources
/// no longer allow.
pub fn failed(observation: &DatasetObservation<'_>, reason: Reason, message: &str) -> AnalyticsDatasetStatus {
    let mut status = observation.status.clone();
    status.id = Some(observation.spec.id());
    status.observed_generation = observation.generation;
    availability::withhold(observation, &mut status);
    let verdict = Verdict { reason, message: message.to_owned(), publication: None, notes: Vec::new() };
    let mut states = readiness(reason, message);
    states.push(published_state(&status, &verdict));
    status.conditions = conditions(&observation.status.conditions, states, observation.generation, observation.now);
    status
}

struct Verdict {
    reason: Reason,
    message: String,
    publication: Option<Publication>,
    notes: Vec<(u64, Notes)>,
}

impl Verdict {
    fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), publication: None, notes: Vec::new() }
    }
}

fn judge(observation: &DatasetObservation<'_>, status: &mut AnalyticsDatasetStatus) -> Verdict {
    if let Some(rival) = &observation.rival {
        status.published = None;
        return Verdict::new(Reason::NameTaken, rival.clone());
    }
    if !observation.spec.lifecycle.is_active() {
        status.published = None;
        let mut verdict =
            Verdict::new(Reason::Retired, "Retired; queries are answered with 404 and the history stays.");
        verdict.notes = retention::retired(observation.history, observation.retention, observation.now);
        return verdict;
    }
    let withdrawn = availability::check(observation, status);
    if observation.spec.draft {
        return match &observation.compiled {
            Ok(_) => Verdict::new(Reason::Held, "A draft: it compiles and is not published."),
            Err(diagnostics) => Verdict::new(reason_of(diagnostics, false), compile::lines(diagnostics)),
        };
    }
    match &observation.compiled {
        Err(diagnostics) => {
            let reason = match reason_of(diagnostics, status.published.is_some() && same_definition(observation)) {
                Reason::SourceNotFound if withdrawn => Reason::SourceWithdrawn,
                reason => reason,
            };
            Verdict::new(reason, compile::lines(diagnostics))
        }
        Ok(compiled) => compiles(observation, compiled, status),
    }
}

fn compiles(
    observation: &DatasetObservation<'_>,
    compiled: &CompiledDataset,
    status: &mut AnalyticsDatasetStatus,
) -> Verdict {
    let version = observation.served.and_then(Revision::version);
    let mut growth = compiled.exposure.growth_over(version.map(|version| &version.exposure));
    // A demand is changed in place, so the record knows it, not the version.
    let record = status.published.as_ref().or(version.map(|version| &version.record));
    growth.extend(record.map(|record| compiled.scope.demands_less_than(&record.scope)).unwrap_or_default());
    if !growth.is_empty() && observation.mode == ApprovalMode::Annotation {
        let message = format!(
            "An approver has to decide: {}. Approving a dataset is not supported yet; the definition waits.",
            growth.join("; ")
        );
        return Verdict::new(Reason::ApprovalRequired, message);
    }
    let served_hash = status.published.as_ref().map(|record| record.content_hash.as_str());
    if served_hash == Some(&compiled.content_hash) {
        return keep(observation, compiled, status);
    }
    if let Some(changes) = columns_would_change(observation, compiled) {
        return Verdict::new(
            Reason::NeedsRevision,
            format!(
                "A source changed so that the columns would: {}. Edit the definition to publish the change.",
                changes.join("; ")
            ),
        );
    }
    publish(observation, compiled, status, &growth)
}

/// The version that is served is the one that the definition gives: only texts and the like may differ.
fn keep(
    observation: &DatasetObservation<'_>,
    compiled: &CompiledDataset,
    status: &mut AnalyticsDatasetStatus,
) -> Verdict {
    let mut notes = Vec::new();
    if let Some(record) = &mut status.published {
        let fresh = compiled.record(observation.spec, &record.view.database, record.version);
        let (published_at, approval) = (record.published_at.clone(), record.approval.clone());
        *record = PublicationRecord { published_at, approval, ..fresh };
        // A crash between the record and its note leaves the note to us.
        let entry = observation.history.iter().find(|entry| entry.number == record.version);
        if let Some(entry) =
            entry.filter(|entry| entry.notes.published_at.is_none() || entry.notes.expires_at.is_some())
        {
            let published_at = record.published_at.parse().unwrap_or(observation.now);
            notes.push((
                entry.number,
                Notes { published_at: Some(published_at), superseded_at: None, expires_at: None },
            ));
        }
        for entry in older_unsuperseded(observation, record.version) {
            notes.push((entry.number, Notes { superseded_at: Some(observation.now), ..entry.notes.clone() }));
        }
    }
    let mut verdict = Verdict::new(Reason::Published, published_message(status.published.as_ref()));
    verdict.notes = notes;
    verdict
}

fn publish(
    observation: &DatasetObservation<'_>,
    compiled: &CompiledDataset,
    status: &mut AnalyticsDatasetStatus,
    growth: &[String],
) -> Verdict {
    let supersedes = status.published.as_ref().map(|record| record.version);
    let (number, taken_up) = number(observation, compiled);
    let mut record = compiled.record(observation.spec, observation.datasets_database, number);
    record.published_at = observation.now.to_string();
    // Only the automatic mode comes here with more exposure: the owner of the folder is author and approver.
    let approval = (!growth.is_empty()).then(|| Approval {
        digest: compiled.content_hash.clone(),
        by: "automatic".to_owned(),
        at: observation.now.to_string(),
        note: Some(shortened(&growth.join("; "), 1000)),
        ..Approval::default()
    });
    record.approval = approval.clone();
    let version = Version::of(observation.spec, compiled, record.clone(), read_sources(observation, compiled));
    let revision = Revision {
        subject: Subject::dataset(observation.spec.id()),
        number,
        origin: observation.origin.clone(),
        approval,
        created_at: observation.now,
        content: Content::Version(Box::new(version)),
    };
    status.published = Some(record);
    let mut verdict = Verdict::new(Reason::Published, published_message(status.published.as_ref()));
    verdict.publication =
        Some(Publication { revision, taken_up, supersedes: supersedes.filter(|earlier| *earlier != number) });
    verdict
}

/// How the rows of each source are held to their scope in a version.
fn read_sources(observation: &DatasetObservation<'_>, compiled: &CompiledDataset) -> Vec<AnalyticsSourceSpec> {
    let read = compiled.fingerprints.iter().filter_map(|fingerprint| observation.sources.get(&fingerprint.source_id));
    read.map(|source| availability::rows_of(&source.declaration)).collect()
}

/// The number of the next version: an unfinished or withdrawn revision with the same content is taken up again, else one
/// more than any number that was ever used (design 3.6).
fn number(observation: &DatasetObservation<'_>, compiled: &CompiledDataset) -> (u64, bool) {
    let highest = observation.history.iter().map(|entry| entry.number).max().unwrap_or_default();
    let last = observation.history.iter().find(|entry| entry.number == highest);
    let same_content = last.is_some_and(|entry| {
        entry.content_hash == compiled.content_hash && entry.namespace == observation.origin.namespace
    });
    let in_views = observation.view_numbers.iter().copied().max().unwrap_or_default();
    let in_status = observation.status.published.as_ref().map(|record| record.version).unwrap_or_default();
    let in_summaries = observation.status.versions.iter().map(|summary| summary.version).max().unwrap_or_default();
    let used = highest.max(in_views).max(in_status).max(in_summaries);
    if same_content && highest == used && highest > in_status { (highest, true) } else { (used + 1, false) }
}

/// What a change of a source would change for readers, where the definition itself did not change.
fn columns_would_change(observation: &DatasetObservation<'_>, compiled: &CompiledDataset) -> Option<Vec<String>> {
    let served: &Exposure = &observation.served.and_then(Revision::version)?.exposure;
    if observation.status.published.is_none() || !same_definition(observation) {
        return None;
    }
    let difference = compiled.exposure.difference(Some(served));
    let masked = |name: &str| {
        let changed = |exposure: &Exposure| exposure.columns.get(name).map(|column| column.protection.clone());
        changed(&compiled.exposure) != changed(served)
    };
    // A column that is withheld from now on becomes nullable; that is protection, and protection is never deferred.
    let retyped =
        difference.columns_retyped.into_iter().filter(|text| !masked(text.split(':').next().unwrap_or_default()));
    let changes: Vec<String> =
        difference.columns_added.into_iter().chain(difference.columns_removed).chain(retyped).collect();
    (!changes.is_empty()).then_some(changes)
}

/// Whether the object asks for what the served version was compiled from.
fn same_definition(observation: &DatasetObservation<'_>) -> bool {
    let Some(version) = observation.served.and_then(Revision::version) else { return false };
    let asked = |spec: &AnalyticsDatasetSpec| canonical::hash(&(&spec.definition, &spec.time_zone));
    asked(&version.spec) == asked(observation.spec)
}

/// One reason for a list of diagnostics: what is in the way of all of them, or the author's own mistake.
fn reason_of(diagnostics: &[Diagnostic], source_changed: bool) -> Reason {
    let of_source: Option<BTreeSet<Reason>> =
        diagnostics.iter().map(|diagnostic| super::source::reason_of(diagnostic.code)).collect();
    match of_source.and_then(|reasons| reasons.into_iter().next()) {
        Some(reason) => reason,
        None if source_changed => Reason::NeedsRevision,
        None => Reason::InvalidDefinition,
    }
}

fn published_message(record: Option<&PublicationRecord>) -> String {
    match record {
        Some(record) => {
            format!("Version {} is served as {}.{}.", record.version, record.view.database, record.view.name)
        }
        None => "Nothing is published.".to_owned(),
    }
}

fn published_state(status: &AnalyticsDatasetStatus, verdict: &Verdict) -> crate::api::condition::ConditionState {
    match &status.published {
        None if verdict.reason == Reason::Retired => published(Reason::Retired, "Retired."),
        None => published(Reason::NeverPublished, "No version is served."),
        Some(record) if !record.available => published(
            Reason::Unavailable,
            record.unavailable_reason.as_deref().unwrap_or("Queries are answered with 409."),
        ),
        Some(record) => {
            let reason = if verdict.reason == Reason::Published { Reason::Current } else { Reason::Previous };
            published(reason, &format!("Version {} is served.", record.version))
        }
    }
}

fn older_unsuperseded<'a>(observation: &'a DatasetObservation<'_>, served: u64) -> impl Iterator<Item = &'a Entry> {
    observation.history.iter().filter(move |entry| {
        entry.number < served && entry.notes.published_at.is_some() && entry.notes.superseded_at.is_none()
    })
}

/// The versions that readers saw and whose views are retained, newest first.
fn summaries(observation: &DatasetObservation<'_>, publication: Option<&Publication>) -> Vec<VersionSummary> {
    let served = observation.status.published.as_ref().map(|record| record.version);
    let dropped = retention::due(observation.history, served, observation.retention, observation.now).views;
    let mut summaries: Vec<VersionSummary> = observation
        .history
        .iter()
        .filter(|entry| entry.notes.published_at.is_some() && !dropped.contains(&entry.number))
        .map(|entry| VersionSummary {
            version: entry.number,
            content_hash: entry.content_hash.clone(),
            published_at: entry.notes.published_at.map(|at| at.to_string()).unwrap_or_default(),
            superseded_at: entry.notes.superseded_at.map(|at| at.to_string()),
            approved_by: None,
        })
        .collect();
    if let Some(publication) = publication {
        summaries.retain(|summary| summary.version != publication.revision.number);
        if let Some(earlier) = summaries.iter_mut().find(|summary| Some(summary.version) == publication.supersedes) {
            earlier.superseded_at.get_or_insert_with(|| observation.now.to_string());
        }
        let record = publication.revision.version().map(|version| &version.record);
        summaries.push(VersionSummary {
            version: publication.revision.number,
            content_hash: record.map(|record| record.content_hash.clone()).unwrap_or_default(),
            published_at: observation.now.to_string(),
            superseded_at: None,
            approved_by: publication.revision.approval.as_ref().map(|approval| approval.by.clone()),
        });
    }
    summaries.sort_by_key(|summary| std::cmp::Reverse(summary.version));
    summaries.truncate(200);
    summaries
}
