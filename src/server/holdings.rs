//! What was said of publications and what is known of their views → the datasets that are served. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use super::heard::Heard;
use super::registry::{Served, Snapshot};
use crate::api::PublicationRecord;
use crate::api::record::{Protection, RecordColumn};
use crate::canonical;

/// All that is known.
#[derive(Debug, Default)]
pub(super) struct Holdings {
    /// What was heard, by dataset.
    heard: BTreeMap<String, Known>,
    /// When what was heard was true.
    pub(super) confirmed_at: Option<Instant>,
    /// Whether the views of the first records were looked at.
    pub(super) looked_at: bool,
    /// The views that were read and are what their records say.
    readable: BTreeSet<ViewKey>,
    /// Why others could not be, by dataset; each problem is logged once.
    problems: BTreeMap<String, String>,
}

#[derive(Debug)]
struct Known {
    heard: Heard,
    /// Of a record that can be read.
    key: Option<ViewKey>,
}

/// What was held against a view when it was read: a record that says anything else of it is held against it again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ViewKey {
    database: String,
    name: String,
    content_hash: String,
    protection: String,
}

impl ViewKey {
    fn of(record: &PublicationRecord) -> Self {
        let protection: BTreeMap<&str, &Protection> = protection_of(&record.columns);
        Self {
            database: record.view.database.clone(),
            name: record.view.name.clone(),
            content_hash: record.content_hash.clone(),
            protection: canonical::text(&protection),
        }
    }
}

impl Holdings {
    /// Takes over what is said; true if it is something else than before.
    pub(super) fn take(&mut self, heard: Vec<Heard>, confirmed_at: Instant) -> bool {
        let mut news = self.confirmed_at.replace(confirmed_at).is_none();
        let mut before = std::mem::take(&mut self.heard);
        for heard in heard {
            // An ID belongs to one object; should two have it, the first keeps it.
            if self.heard.contains_key(&heard.id) {
                continue;
            }
            let known = match before.remove(&heard.id).filter(|known| known.heard == heard) {
                Some(known) => known,
                None => {
                    news = true;
                    if let Err(why) = &heard.record {
                        tracing::warn!(dataset = %heard.id, %why, "a record cannot be read by this version of the server; what is served stays served");
                    }
                    let key = heard.record.as_ref().ok().map(ViewKey::of);
                    Known { heard, key }
                }
            };
            self.heard.insert(known.heard.id.clone(), known);
        }
        news |= !before.is_empty();
        // Views of versions that are gone are read again should they come back.
        let keys: BTreeSet<&ViewKey> = self.heard.values().filter_map(|known| known.key.as_ref()).collect();
        self.readable.retain(|key| keys.contains(key));
        self.problems.retain(|id, _| self.heard.contains_key(id));
        news
    }

    /// The records whose views have to be read before they count.
    pub(super) fn unread(&self) -> Vec<(ViewKey, PublicationRecord)> {
        let wanted = |known: &Known| {
            let record = known.heard.record.as_ref().ok().filter(|record| record.available)?;
            let key = known.key.as_ref().filter(|key| !self.readable.contains(key))?;
            Some((key.clone(), record.clone()))
        };
        self.heard.values().filter_map(wanted).collect()
    }

    /// Notes what came of reading the view of a record.
    pub(super) fn was_read(&mut self, key: ViewKey, record: &PublicationRecord, result: Result<(), String>) {
        // Another may have been said meanwhile.
        if self.heard.get(&record.id).is_none_or(|known| known.key.as_ref() != Some(&key)) {
            return;
        }
        match result {
            Ok(()) => {
                self.readable.insert(key);
                self.problems.remove(&record.id);
            }
            Err(problem) => {
                if self.problems.get(&record.id) != Some(&problem) {
                    tracing::warn!(dataset = %record.id, version = record.version, %problem, "a published version cannot be read yet");
                }
                self.problems.insert(record.id.clone(), problem);
            }
        }
    }

    /// The datasets to serve, where those of `before` are served now.
    pub(super) fn datasets(&self, before: &Snapshot) -> BTreeMap<String, Arc<Served>> {
        let mut datasets = BTreeMap::new();
        for (id, Known { heard, key }) in &self.heard {
            let earlier = before.dataset(id);
            let Ok(record) = &heard.record else {
                datasets.extend(earlier.map(|earlier| (id.clone(), earlier.clone())));
                continue;
            };
            let readable = key.as_ref().is_some_and(|key| self.readable.contains(key));
            let stays = earlier.filter(|earlier| match readable || !record.available {
                true => earlier.readable == readable && earlier.record == *record,
                // The old version answers meanwhile, unless the new record protects more: that counts at once.
                false => earlier.readable && earlier.record.available && !protects_more(record, &earlier.record),
            });
            let served = stays.cloned().unwrap_or_else(|| Arc::new(Served { record: record.clone(), readable }));
            datasets.insert(id.clone(), served);
        }
        datasets
    }
}

/// The record must protect exactly what the view was made for: less would show values raw, and more would need masks
/// that the view does not have.
pub(super) fn protection_holds(columns: &[RecordColumn], in_view: &BTreeMap<String, Protection>) -> Result<(), String> {
    let stated = protection_of(columns);
    let same = stated.len() == in_view.len()
        && in_view.iter().all(|(name, protection)| stated.get(name.as_str()) == Some(&protection));
    if same { Ok(()) } else { Err("the record's protection is not that of the view".to_owned()) }
}

/// Whether a record shows less of a column, asks more of callers, or limits rows by a part of the scope that the one before
/// did not have: until its view is read, the one before would show what is protected now.
fn protects_more(next: &PublicationRecord, before: &PublicationRecord) -> bool {
    let sensitivity =
        |column: &RecordColumn| column.protection.as_ref().map(Protection::sensitivity).unwrap_or_default();
    let masked = before.columns.iter().any(|column| {
        let now = next.columns.iter().find(|now| now.name == column.name);
        now.is_some_and(|now| sensitivity(column).is_looser_than(&sensitivity(now)))
    });
    let (now, then) = (&next.scope, &before.scope);
    let parts = [(&now.tenant, &then.tenant), (&now.owner, &then.owner), (&now.space, &then.space)];
    let limited = parts.iter().any(|(now, then)| now.is_some() && then.is_none());
    masked || limited || !then.demands_less_than(now).is_empty()
}

fn protection_of(columns: &[RecordColumn]) -> BTreeMap<&str, &Protection> {
    columns.iter().filter_map(|column| Some((column.name.as_str(), column.protection.as_ref()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Level;
    use crate::api::definition::Demand;
    use crate::api::record::{RecordScope, RecordScopeColumn};

    fn version(number: u64) -> PublicationRecord {
        PublicationRecord {
            id: "shop.orders".to_owned(),
            version: number,
            content_hash: format!("sha256:{number}"),
            available: true,
            columns: vec![RecordColumn { name: "a".to_owned(), ..RecordColumn::default() }],
            ..PublicationRecord::default()
        }
    }

    /// A server whose life is told step by step.
    #[derive(Default)]
    struct Life {
        holdings: Holdings,
        snapshot: Snapshot,
    }

    impl Life {
        fn hears(&mut self, heard: impl Into<Heard>) -> &mut Self {
            self.holdings.take(vec![heard.into()], Instant::now());
            self.settle()
        }

        fn reads(&mut self, result: Result<(), &str>) -> &mut Self {
            for (key, record) in self.holdings.unread() {
                self.holdings.was_read(key, &record, result.map_err(str::to_owned));
            }
            self.settle()
        }

        fn settle(&mut self) -> &mut Self {
            self.snapshot.datasets = self.holdings.datasets(&self.snapshot);
            self
        }

        /// The version that answers; none where queries are refused.
        fn answers(&self) -> Option<u64> {
            let served = self.snapshot.dataset("shop.orders")?;
            (served.readable && served.record.available).then_some(served.record.version)
        }
    }

    #[test]
    fn the_old_version_answers_until_the_view_of_the_new_one_was_read() {
        let mut life = Life::default();
        assert_eq!(life.hears(version(1)).answers(), None);
        assert_eq!(life.reads(Ok(())).answers(), Some(1));
        assert_eq!(life.hears(version(2)).answers(), Some(1));
        assert_eq!(life.reads(Err("no such view")).answers(), Some(1));
        assert_eq!(life.reads(Ok(())).answers(), Some(2));
        // One that is superseded before it was read.
        assert_eq!(life.hears(version(3)).hears(version(4)).answers(), Some(2));
        assert_eq!(life.reads(Ok(())).answers(), Some(4));
    }

    #[test]
    fn a_record_first_seen_as_unavailable_is_read_once_it_is_available() {
        let mut life = Life::default();
        life.hears(PublicationRecord { available: false, ..version(1) }).reads(Ok(()));
        assert_eq!(life.answers(), None);
        assert_eq!(life.hears(version(1)).answers(), None, "nobody has looked at its view");
        assert_eq!(life.holdings.unread().len(), 1);
        assert_eq!(life.reads(Ok(())).answers(), Some(1));
        // Known by then: it comes and goes without being read again.
        assert_eq!(life.hears(PublicationRecord { available: false, ..version(1) }).answers(), None);
        assert_eq!(life.hears(version(1)).answers(), Some(1));
    }

    #[test]
    fn a_record_of_an_unknown_format_keeps_what_is_served() {
        let unknown = || Heard { id: "shop.orders".to_owned(), record: Err("its format 2 is not known".to_owned()) };
        let mut life = Life::default();
        assert_eq!(life.hears(unknown()).snapshot.datasets.len(), 0);
        life.hears(version(1)).reads(Ok(()));
        assert_eq!(life.hears(unknown()).reads(Ok(())).answers(), Some(1));
        assert!(life.holdings.take(Vec::new(), Instant::now()));
        assert_eq!(life.settle().snapshot.datasets.len(), 0, "withdrawn");
    }

    #[test]
    fn the_same_said_again_is_no_news() {
        let mut holdings = Holdings::default();
        assert!(holdings.take(Vec::new(), Instant::now()), "the first word is news, even if it says nothing");
        assert!(holdings.take(vec![version(1).into()], Instant::now()));
        let later = Instant::now();
        assert!(!holdings.take(vec![version(1).into()], later));
        assert_eq!(holdings.confirmed_at, Some(later));
    }

    #[test]
    fn what_protects_more_counts_before_its_view_was_read() {
        let part = |demand| Some(RecordScopeColumn { column_type: "String".to_owned(), demand });
        let scope = |tenant, owner, space| RecordScope { tenant, owner, space };
        let (none, some) = (None, part(Demand::Optional));
        let wide = scope(none.clone(), none.clone(), none.clone());
        let with_owner = scope(none.clone(), some.clone(), none.clone());
        for (before, next, answered) in [
            (&wide, scope(some.clone(), none.clone(), none.clone()), None),
            (&wide, scope(none.clone(), some.clone(), none.clone()), None),
            (&wide, scope(none.clone(), none.clone(), some.clone()), None),
            (&with_owner, scope(none.clone(), part(Demand::Required), none.clone()), None),
            (&with_owner, with_owner.clone(), Some(1)),
            (&with_owner, wide.clone(), Some(1)),
        ] {
            let mut life = Life::default();
            life.hears(PublicationRecord { scope: before.clone(), ..version(1) }).reads(Ok(()));
            life.hears(PublicationRecord { scope: next.clone(), ..version(2) });
            assert_eq!(life.answers(), answered, "{before:?} to {next:?}");
            assert_eq!(life.reads(Ok(())).answers(), Some(2));
        }
        let mut life = Life::default();
        let mut stricter = version(2);
        stricter.columns[0].protection = Some(Protection { level: Level::Display, ..Protection::default() });
        assert_eq!(life.hears(version(1)).reads(Ok(())).hears(stricter).answers(), None);
    }
}
