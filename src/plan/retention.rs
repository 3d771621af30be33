//! What the notes of the history must say (design 5.1), and what of the history may go (design 3.6, 5.2): views after the
//! retention, documents beyond the last three.

use jiff::{SignedDuration, Timestamp};

use super::revision::{Entry, Notes};
use crate::api::PublicationRecord;

/// How many revisions of a dataset stay in any case.
const KEPT: usize = 3;

/// Which views and documents of one dataset are due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// Versions whose views may be dropped.
    pub views: Vec<u64>,
    /// Revisions that may be deleted once their views are gone.
    pub revisions: Vec<u64>,
}

/// What is due of a dataset's history. `served` is never due.
pub fn due(history: &[Entry], served: Option<u64>, retention: SignedDuration, now: Timestamp) -> Due {
    let mut numbers: Vec<&Entry> = history.iter().collect();
    numbers.sort_by_key(|entry| std::cmp::Reverse(entry.number));
    let mut due = Due::default();
    for (place, entry) in numbers.into_iter().enumerate() {
        let superseded = entry.notes.superseded_at.map(|at| at.saturating_add(retention).unwrap_or(Timestamp::MAX));
        // A claim that was never published, below what is served, was cut off or lost a race: it will not be taken up.
        // What was superseded was served, whatever its other note says.
        let unpublished = entry.notes.published_at.is_none() && entry.notes.superseded_at.is_none();
        let abandoned = unpublished && served.is_some_and(|served| entry.number < served);
        if abandoned {
            due.views.push(entry.number);
            due.revisions.push(entry.number);
            continue;
        }
        let ends = [superseded, entry.notes.expires_at].into_iter().flatten().min();
        if Some(entry.number) == served || ends.is_none_or(|ends| ends > now) {
            continue;
        }
        due.views.push(entry.number);
        if place >= KEPT {
            due.revisions.push(entry.number);
        }
    }
    due
}

/// The history as it must be while `record` is in force. The record is written first and the notes after it, so a crash in
/// between leaves them to whoever looks next (design 5.1).
pub fn noted(history: &[Entry], record: Option<&PublicationRecord>, now: Timestamp) -> Vec<Entry> {
    let mut history = history.to_vec();
    let Some(record) = record else { return history };
    for entry in &mut history {
        let notes = &mut entry.notes;
        if entry.number == record.version && (notes.published_at.is_none() || notes.expires_at.is_some()) {
            let published_at = Some(record.published_at.parse().unwrap_or(now));
            *notes = Notes { published_at, superseded_at: None, expires_at: None };
        }
        if entry.number < record.version && notes.published_at.is_some() {
            notes.superseded_at.get_or_insert(now);
        }
    }
    history
}

/// The notes of a retired or deleted dataset: its last version's view goes after the retention too. `record` is what was
/// served of it until now.
pub fn retired(
    history: &[Entry],
    record: Option<&PublicationRecord>,
    retention: SignedDuration,
    now: Timestamp,
) -> Vec<(u64, Notes)> {
    let expires_at = now.saturating_add(retention).unwrap_or(Timestamp::MAX);
    let mut next = noted(history, record, now);
    let open = next.iter_mut().filter(|entry| entry.notes.superseded_at.is_none() && entry.notes.expires_at.is_none());
    open.for_each(|entry| entry.notes.expires_at = Some(expires_at));
    changes(history, &next)
}

/// The notes of `next` that `history` does not have, newest version first.
pub fn changes(history: &[Entry], next: &[Entry]) -> Vec<(u64, Notes)> {
    let changed = next.iter().filter(|entry| !history.contains(entry));
    let mut changes: Vec<(u64, Notes)> = changed.map(|entry| (entry.number, entry.notes.clone())).collect();
    changes.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::revision::Subject;

    fn entry(number: u64, superseded: Option<i64>, expires: Option<i64>) -> Entry {
        let at = |second: i64| Timestamp::from_second(second).expect("in range");
        let notes = Notes { published_at: Some(at(0)), superseded_at: superseded.map(at), expires_at: expires.map(at) };
        Entry { subject: Subject::dataset("a.b"), number, content_hash: String::new(), namespace: "n".into(), notes }
    }

    #[test]
    fn views_go_after_the_retention_and_the_last_three_documents_stay() {
        let history: Vec<Entry> = (1..=5).map(|number| entry(number, (number < 5).then_some(10), None)).collect();
        let hour = SignedDuration::from_hours(1);
        let at = |second: i64| Timestamp::from_second(second).expect("in range");
        assert_eq!(due(&history, Some(5), hour, at(3000)), Due::default());
        assert_eq!(due(&history, Some(5), hour, at(3611)), Due { views: vec![4, 3, 2, 1], revisions: vec![2, 1] });
    }

    #[test]
    fn a_claim_that_was_never_published_goes_once_a_later_version_is_served() {
        let at = |second: i64| Timestamp::from_second(second).expect("in range");
        let mut claim = entry(2, None, None);
        claim.notes.published_at = None;
        let history = [entry(1, Some(10), None), claim.clone(), entry(3, None, None)];
        let hour = SignedDuration::from_hours(1);
        assert_eq!(due(&history, Some(3), hour, at(20)), Due { views: vec![2], revisions: vec![2] });
        assert_eq!(
            due(&[entry(1, None, None), claim], Some(1), hour, at(20)),
            Due::default(),
            "it may still be taken up"
        );
    }

    #[test]
    fn a_version_that_was_superseded_is_no_abandoned_claim() {
        let at = |second: i64| Timestamp::from_second(second).expect("in range");
        let mut superseded = entry(1, Some(10), None);
        superseded.notes.published_at = None;
        let history = [superseded, entry(2, None, None)];
        let hour = SignedDuration::from_hours(1);
        assert_eq!(due(&history, Some(2), hour, at(20)), Due::default());
        assert_eq!(due(&history, Some(2), hour, at(3611)), Due { views: vec![1], revisions: vec![] });
    }

    #[test]
    fn what_the_record_says_is_noted_before_a_dataset_goes() {
        let at = |second: i64| Timestamp::from_second(second).expect("in range");
        let mut served = entry(2, None, None);
        served.notes.published_at = None;
        let record = PublicationRecord { version: 2, published_at: at(7).to_string(), ..PublicationRecord::default() };
        let notes = retired(&[entry(1, None, None), served], Some(&record), SignedDuration::from_secs(5), at(20));
        let last = Notes { published_at: Some(at(7)), superseded_at: None, expires_at: Some(at(25)) };
        let first = Notes { published_at: Some(at(0)), superseded_at: Some(at(20)), expires_at: None };
        assert_eq!(notes, [(2, last), (1, first)]);
    }

    #[test]
    fn a_deleted_dataset_keeps_its_number_and_a_served_version_never_goes() {
        let at = |second: i64| Timestamp::from_second(second).expect("in range");
        let history = [entry(1, None, Some(100))];
        assert_eq!(
            due(&history, None, SignedDuration::from_hours(1), at(200)),
            Due { views: vec![1], revisions: vec![] }
        );
        assert_eq!(due(&history, Some(1), SignedDuration::from_hours(1), at(200)), Due::default());
    }
}
