//! What to do about a dataset: publish, keep, wait, withdraw (design 5).

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::approval::ApprovalMode;
use super::availability;
use super::retention;
use super::revision::{Content, Entry, Notes, Origin, Revision, Subject, Version};
use super::source_change;
use super::status::{conditions, published, readiness, with_warnings};
use super::versions;
use crate::api::condition::shortened;
use crate::api::pending::Approval;
use crate::api::{AnalyticsDatasetSpec, AnalyticsDatasetStatus, AnalyticsSourceSpec, PublicationRecord, Reason};
use crate::catalog::Catalog;
use crate::compile::{self, CompiledDataset, Diagnostic, SourceInForce};

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
    pub served: Served<'a>,
    /// The numbers of all views that carry the dataset's mark.
    pub view_numbers: &'a [u64],
    /// Whether the view of the version that is served is known not to be there.
    pub served_view_is_gone: bool,
    /// The sources that its namespace may use.
    pub sources: &'a BTreeMap<String, SourceInForce>,
    /// Why what is declared of some of them now is not in force, by ID: they are read as they were declared before.
    pub troubled: &'a BTreeMap<String, String>,
    /// The tables.
    pub catalogs: &'a BTreeMap<String, Catalog>,
    /// The tables of its connection on each node of a cluster, by the node's URL.
    pub on_nodes: &'a [(String, Catalog)],
    /// The nodes that are away, and that a publication goes on without.
    pub without: &'a [String],
    /// The database of its views.
    pub datasets_database: &'a str,
    /// How decisions are taken.
    pub mode: ApprovalMode,
    /// How long views stay after their version.
    pub retention: SignedDuration,
    /// The time.
    pub now: Timestamp,
}

impl DatasetObservation<'_> {
    /// The connection of its sources.
    pub(super) fn connection(&self) -> &str {
        let first = self.spec.definition.sources.first();
        first.and_then(|source| source.source_id.split(':').next()).unwrap_or_default()
    }
}

/// What is known of the revision of the version that is served, or was served last.
#[derive(Clone, Copy, Debug)]
pub enum Served<'a> {
    /// It could not be looked at.
    Unknown,
    /// There is none, or it is not whole.
    Missing,
    /// It is this one.
    Found(&'a Revision),
}

impl<'a> Served<'a> {
    /// The version, if it is there.
    pub fn version(self) -> Option<&'a Version> {
        match self {
            Self::Found(revision) => revision.version(),
            Self::Unknown | Self::Missing => None,
        }
    }
}

impl<'a> From<Option<&'a Revision>> for Served<'a> {
    /// What a look found.
    fn from(found: Option<&'a Revision>) -> Self {
        found.map_or(Self::Missing, Self::Found)
    }
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
    /// What the status shows more than the one before without that anybody was asked, because the owner of the folder is
    /// author and approver.
    pub growth: Vec<String>,
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

impl Publication {
    /// The notes that are due once the record is written, `history` being the one that was observed.
    pub fn notes(&self, observation: &DatasetObservation<'_>) -> Vec<(u64, Notes)> {
        let mut next = retention::noted(observation.history, observation.status.published.as_ref(), observation.now);
        next.retain(|entry| Some(entry.number) == self.supersedes);
        next.iter_mut().for_each(|entry| entry.notes.superseded_at = Some(observation.now));
        let published = Notes { published_at: Some(observation.now), ..Notes::default() };
        let superseded = next.into_iter().map(|entry| (entry.number, entry.notes));
        std::iter::once((self.revision.number, published)).chain(superseded).collect()
    }
}

/// Decides.
pub fn plan(observation: &DatasetObservation<'_>) -> DatasetPlan {
    let mut status = observation.status.clone();
    status.id = Some(observation.spec.id());
    status.observed_generation = observation.generation;
    status.pending = None;
    let mut verdict = judge(observation, &mut status);
    status.warnings = match &observation.compiled {
        Ok(compiled) => {
            compiled.warnings.iter().take(100).map(|warning| shortened(&warning.to_string(), 2000)).collect()
        }
        Err(_) => Vec::new(),
    };
    status.warnings.extend(observation.without.iter().map(|node| {
        format!("The node `{node}` is away; what is published meanwhile is brought to it once it is back.")
    }));
    // A crash between the record and its notes leaves them to us, whatever becomes of the definition.
    let (noted, notes) = match &status.published {
        Some(_) => {
            let noted = retention::noted(observation.history, observation.status.published.as_ref(), observation.now);
            let notes = retention::changes(observation.history, &noted);
            (noted, notes)
        }
        None => (observation.history.to_vec(), std::mem::take(&mut verdict.notes)),
    };
    status.versions = versions::summaries(observation, &noted, verdict.publication.as_ref());
    let mut states = readiness(verdict.reason, &with_warnings(verdict.reason, &verdict.message, &status.warnings));
    states.push(published_state(&status, &verdict));
    status.conditions = conditions(&observation.status.conditions, states, observation.generation, observation.now);
    let repair = missing_view(observation, &status);
    let Verdict { reason, publication, growth, .. } = verdict;
    DatasetPlan { publication, repair, notes, status, reason, growth }
}

/// The served version, if its view is gone and readers may have it back.
fn missing_view(observation: &DatasetObservation<'_>, status: &AnalyticsDatasetStatus) -> Option<Version> {
    let before = observation.status.published.as_ref()?;
    let served = status.published.as_ref().filter(|record| record.version == before.version && record.available)?;
    let version = observation.served.version().filter(|version| version.record.version == served.version)?;
    observation.served_view_is_gone.then(|| version.clone())
}

/// The status while a publication fails: as it was, with the reason. What is served stays served, but for what its sources
/// no longer allow.
pub fn failed(observation: &DatasetObservation<'_>, reason: Reason, message: &str) -> AnalyticsDatasetStatus {
    let mut status = observation.status.clone();
    availability::withhold(observation, &mut status);
    unchanged(observation, status, reason, message)
}

/// The status to be written before a version is published, if what is served shows what its sources no longer allow:
/// what protects does not wait for the next version (design 5.4).
pub fn closed(observation: &DatasetObservation<'_>, publication: &Publication) -> Option<AnalyticsDatasetStatus> {
    let mut status = observation.status.clone();
    availability::withhold_protected(observation, &mut status);
    if status.published == observation.status.published {
        return None;
    }
    let message = format!("Version {} is being published.", publication.revision.number);
    Some(unchanged(observation, status, Reason::Publishing, &message))
}

fn unchanged(
    observation: &DatasetObservation<'_>,
    mut status: AnalyticsDatasetStatus,
    reason: Reason,
    message: &str,
) -> AnalyticsDatasetStatus {
    status.id = Some(observation.spec.id());
    status.observed_generation = observation.generation;
    let verdict = Verdict::new(reason, message);
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
    growth: Vec<String>,
}

impl Verdict {
    fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), publication: None, notes: Vec::new(), growth: Vec::new() }
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
        let record = observation.status.published.as_ref();
        verdict.notes = retention::retired(observation.history, record, observation.retention, observation.now);
        return verdict;
    }
    let withdrawn = availability::check(observation, status);
    if observation.spec.draft {
        return match &observation.compiled {
            Ok(_) => Verdict::new(Reason::Held, "A draft: it compiles and is not published."),
            Err(diagnostics) => Verdict::new(reason_of(diagnostics, false), in_words(observation, diagnostics)),
        };
    }
    match &observation.compiled {
        Err(diagnostics) => {
            let reason =
                match reason_of(diagnostics, status.published.is_some() && source_change::same_definition(observation))
                {
                    Reason::SourceNotFound if withdrawn => Reason::SourceWithdrawn,
                    reason => reason,
                };
            Verdict::new(reason, in_words(observation, diagnostics))
        }
        Ok(compiled) => compiles(observation, compiled, status),
    }
}

fn compiles(
    observation: &DatasetObservation<'_>,
    compiled: &CompiledDataset,
    status: &mut AnalyticsDatasetStatus,
) -> Verdict {
    let version = observation.served.version();
    let mut growth = compiled.exposure.growth_over(version.map(|version| &version.exposure));
    // A demand is changed in place, so the record knows it, not the version.
    let record = status.published.as_ref().or(version.map(|version| &version.record));
    growth.extend(record.map(|record| compiled.scope.demands_less_than(&record.scope)).unwrap_or_default());
    let served_hash = status.published.as_ref().map(|record| record.content_hash.as_str());
    let same_content = served_hash == Some(&compiled.content_hash);
    if !same_content {
        growth.extend(cannot_be_compared(observation, compiled));
    }
    if !growth.is_empty() && observation.mode == ApprovalMode::Annotation {
        let message = format!(
            "An approver has to decide: {}. Approving a dataset is not supported yet; the definition waits.",
            growth.join("; ")
        );
        return Verdict::new(Reason::ApprovalRequired, message);
    }
    if same_content {
        return Verdict { growth, ..keep(observation, compiled, status) };
    }
    if let Some(changes) = source_change::of_columns(observation, compiled) {
        return Verdict::new(
            Reason::NeedsRevision,
            format!(
                "A source changed so that the columns would: {}. Edit the definition to publish the change.",
                changes.join("; ")
            ),
        );
    }
    if let Some(change) = source_change::of_rows(observation) {
        return Verdict::new(
            Reason::NeedsRevision,
            format!(
                "A source changed so that the same columns may hold other data: {change}. Bring the table back as it was, \
                 or edit the definition to publish the change."
            ),
        );
    }
    Verdict { growth: growth.clone(), ..publish(observation, compiled, status, &growth) }
}

/// Where the version that readers saw last is lost, nobody knows whether another one shows more than it did; that matters
/// where a source has something to protect.
fn cannot_be_compared(observation: &DatasetObservation<'_>, compiled: &CompiledDataset) -> Option<String> {
    let last = match &observation.status.published {
        Some(record) => record.version,
        None => {
            let seen = observation.history.iter().filter(|entry| entry.notes.published_at.is_some());
            seen.map(|entry| entry.number).max()?
        }
    };
    let read = compiled.fingerprints.iter().filter_map(|fingerprint| observation.sources.get(&fingerprint.source_id));
    let mut values = read.flat_map(|source| &source.declaration.columns);
    let protects =
        values.any(|value| value.sensitivity.as_ref().is_some_and(crate::api::sensitivity::Sensitivity::is_protected));
    (observation.served.version().is_none() && protects).then(|| {
        format!(
            "{}, so nobody can tell whether more of protected values would be shown",
            availability::lost_history(last)
        )
    })
}

/// The version that is served is the one that the definition gives: only texts and the like may differ.
fn keep(
    observation: &DatasetObservation<'_>,
    compiled: &CompiledDataset,
    status: &mut AnalyticsDatasetStatus,
) -> Verdict {
    if let Some(record) = &mut status.published {
        let fresh = compiled.record(observation.spec, &record.view.database, record.version);
        let (published_at, approval) = (record.published_at.clone(), record.approval.clone());
        *record = PublicationRecord { published_at, approval, ..fresh };
    }
    Verdict::new(Reason::Published, published_message(status.published.as_ref()))
}

fn publish(
    observation: &DatasetObservation<'_>,
    compiled: &CompiledDataset,
    status: &mut AnalyticsDatasetStatus,
    growth: &[String],
) -> Verdict {
    let supersedes = status.published.as_ref().map(|record| record.version);
    let (number, taken_up) = versions::number(observation, compiled);
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
    let supersedes = supersedes.filter(|earlier| *earlier != number);
    verdict.publication = Some(Publication { revision, taken_up, supersedes });
    verdict
}

/// How the rows of each source are held to their scope in a version.
fn read_sources(observation: &DatasetObservation<'_>, compiled: &CompiledDataset) -> Vec<AnalyticsSourceSpec> {
    let read = compiled.fingerprints.iter().filter_map(|fingerprint| observation.sources.get(&fingerprint.source_id));
    read.map(|source| availability::rows_of(&source.declaration)).collect()
}

/// All diagnostics, and what is wrong with the sources themselves: the cause, where a source lost what is asked of it.
fn in_words(observation: &DatasetObservation<'_>, diagnostics: &[Diagnostic]) -> String {
    let troubled = observation.troubled.iter();
    let causes = troubled.map(|(id, cause)| format!("What the source `{id}` declares now is not in force: {cause}"));
    std::iter::once(compile::lines(diagnostics)).chain(causes).collect::<Vec<_>>().join("\n")
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
