//! The numbers of a dataset's versions, and what its status lists of them (design 3.5, 3.6).

use super::dataset::{DatasetObservation, Publication};
use super::retention;
use super::revision::Entry;
use crate::api::dataset::VersionSummary;
use crate::compile::CompiledDataset;

/// The most versions that a status lists (the CRD's bound).
const MOST_SUMMARIES: usize = 200;

/// The number of the next version: an unfinished or withdrawn revision with the same content is taken up again, else one
/// more than any number that was ever used (design 3.6).
pub(super) fn number(observation: &DatasetObservation<'_>, compiled: &CompiledDataset) -> (u64, bool) {
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

/// The versions that readers saw and whose views are retained, newest first. `history` is what its notes must say.
pub(super) fn summaries(
    observation: &DatasetObservation<'_>,
    history: &[Entry],
    publication: Option<&Publication>,
) -> Vec<VersionSummary> {
    let served = observation.status.published.as_ref().map(|record| record.version);
    let dropped = retention::due(history, served, observation.retention, observation.now).views;
    let approved_by = |number: u64| {
        let known = observation.status.versions.iter().find(|summary| summary.version == number);
        let record = observation.status.published.as_ref().filter(|record| record.version == number);
        let of_record = || record.and_then(|record| record.approval.as_ref()).map(|approval| approval.by.clone());
        known.and_then(|summary| summary.approved_by.clone()).or_else(of_record)
    };
    let mut summaries: Vec<VersionSummary> = history
        .iter()
        .filter(|entry| entry.notes.published_at.is_some() && !dropped.contains(&entry.number))
        .map(|entry| VersionSummary {
            version: entry.number,
            content_hash: entry.content_hash.clone(),
            published_at: entry.notes.published_at.map(|at| at.to_string()).unwrap_or_default(),
            superseded_at: entry.notes.superseded_at.map(|at| at.to_string()),
            approved_by: approved_by(entry.number),
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
    summaries.truncate(MOST_SUMMARIES);
    summaries
}
