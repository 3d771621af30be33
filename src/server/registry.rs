//! What is published, as the server answers it: one immutable map, swapped as a whole (design 6.2).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use tokio::sync::{Notify, watch};

use super::heard::Heard;
use super::holdings::{Holdings, ViewKey, protection_holds};
use crate::api::PublicationRecord;
use crate::api::record::Protection;
use crate::warehouse::{StoredView, Warehouse, WarehouseErrorKind};

/// How long a view may take to be read.
const READING: Duration = Duration::from_secs(5);
/// How many views are read at a time.
const READ_AT_A_TIME: usize = 8;
/// How soon a view that was read counts, where many others are still being read.
const SETTLE_EVERY: Duration = Duration::from_millis(200);

/// A dataset as it is answered for.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    /// The record.
    pub record: PublicationRecord,
    /// Whether its view was read, and is what the record says.
    pub readable: bool,
}

/// The datasets at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub(super) datasets: BTreeMap<String, Arc<Served>>,
    pub(super) confirmed_at: Option<Instant>,
}

impl Snapshot {
    /// The dataset of an ID.
    pub fn dataset(&self, id: &str) -> Option<&Arc<Served>> {
        self.datasets.get(id)
    }

    /// Whether any list of records was loaded.
    pub fn is_loaded(&self) -> bool {
        self.confirmed_at.is_some()
    }

    /// How long ago the records were confirmed.
    pub fn age(&self) -> Option<Duration> {
        self.confirmed_at.map(|at| at.elapsed())
    }

    /// The records, for the snapshot file.
    pub fn records(&self) -> Vec<&PublicationRecord> {
        self.datasets.values().map(|served| &served.record).collect()
    }
}

/// Holds the snapshot, and lets new records in only after their views were read.
pub struct Registry {
    current: watch::Sender<Arc<Snapshot>>,
    readers: BTreeMap<String, Warehouse>,
    holdings: Mutex<Holdings>,
    news: Notify,
}

impl Registry {
    /// An empty registry over the reader accounts of the connections.
    pub fn new(readers: BTreeMap<String, Warehouse>) -> Self {
        Self { current: watch::Sender::new(Arc::default()), readers, holdings: Mutex::default(), news: Notify::new() }
    }

    /// The datasets now; a query uses one snapshot from start to end.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.borrow().clone()
    }

    /// Tells of every snapshot that follows.
    pub(super) fn subscribe(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.current.subscribe()
    }

    /// The reader account of a connection.
    pub fn reader(&self, connection: &str) -> Option<&Warehouse> {
        self.readers.get(connection)
    }

    /// Takes over all records, and reads the views of those that are new. True if every record is in force as it stands.
    pub async fn replace(&self, records: Vec<PublicationRecord>) -> bool {
        self.take(records.into_iter().map(Heard::from).collect(), Instant::now());
        self.read_views().await
    }

    /// Takes over all that is said, as it was true at a moment. What is withdrawn or unavailable counts at once; a new
    /// version counts once its view was read, and the old one answers until then. The first records count once all views
    /// were looked at: before that the server is not ready.
    pub fn take(&self, heard: Vec<Heard>, confirmed_at: Instant) {
        let mut holdings = self.holdings();
        if holdings.take(heard, confirmed_at) {
            self.news.notify_one();
        }
        self.settle(&holdings);
    }

    /// Waits until something else was said than before.
    pub(super) async fn news(&self) {
        self.news.notified().await;
    }

    /// Reads the views that were not read yet; true if every record is in force now. A connection that does not answer is
    /// left alone until the next time.
    pub async fn read_views(&self) -> bool {
        let unread = self.holdings().unread();
        let silent = Mutex::new(BTreeSet::new());
        let is_silent = |connection: &str| silent.lock().expect("no holder of this lock panics").contains(connection);
        let read = async |key: ViewKey, record: PublicationRecord| {
            if is_silent(&record.connection) {
                return None;
            }
            let result = match tokio::time::timeout(READING, self.read_view(&record)).await {
                Ok(result) => result,
                Err(_) => {
                    silent.lock().expect("no holder of this lock panics").insert(record.connection.clone());
                    Err("ClickHouse does not answer".to_owned())
                }
            };
            Some((key, record, result))
        };
        let mut results =
            futures::stream::iter(unread).map(|(key, record)| read(key, record)).buffer_unordered(READ_AT_A_TIME);
        let mut settled_at = Instant::now();
        while let Some(result) = results.next().await {
            let Some((key, record, result)) = result else { continue };
            let mut holdings = self.holdings();
            holdings.was_read(key, &record, result);
            // One at a time would be a copy of the map for each.
            if settled_at.elapsed() > SETTLE_EVERY {
                self.settle(&holdings);
                settled_at = Instant::now();
            }
        }
        drop(results);
        let mut holdings = self.holdings();
        holdings.looked_at = holdings.confirmed_at.is_some();
        self.settle(&holdings);
        holdings.unread().is_empty()
    }

    fn holdings(&self) -> MutexGuard<'_, Holdings> {
        self.holdings.lock().expect("no holder of this lock panics")
    }

    fn settle(&self, holdings: &Holdings) {
        if holdings.looked_at {
            let datasets = holdings.datasets(&self.snapshot());
            self.current.send_replace(Arc::new(Snapshot { datasets, confirmed_at: holdings.confirmed_at }));
        }
    }

    /// Reads the mark of a record's view and the view itself, as the account that will answer queries.
    async fn read_view(&self, record: &PublicationRecord) -> Result<(), String> {
        let reader = self
            .reader(&record.connection)
            .ok_or_else(|| format!("the connection `{}` is not configured", record.connection))?;
        let view = &record.view;
        let stored = reader.views_within_reach(&view.database, &view.name).await.map_err(|error| error.to_string())?;
        // A node that was away has no view yet; whichever has one answers, so each must be of this version.
        let stored: Vec<StoredView> = stored.into_iter().filter(|stored| stored.name == view.name).collect();
        if stored.is_empty() {
            return Err("the view does not exist".to_owned());
        }
        for stored in stored {
            let mark = stored.mark.ok_or("the view carries no mark")?;
            if mark.dataset != record.id || mark.content_hash != record.content_hash {
                return Err("the view is not of this version".to_owned());
            }
            let protection: BTreeMap<String, Protection> =
                serde_json::from_value(mark.protection).map_err(|_| "the view's mark cannot be read".to_owned())?;
            protection_holds(&record.columns, &protection)?;
        }
        match reader.probe(&view.database, &view.name).await {
            Ok(()) => Ok(()),
            // The type guard speaks: the record is right, its sources are not. Queries get 409 from the view itself.
            Err(error) if error.kind == WarehouseErrorKind::Changed => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn records_grow_old_however_often_their_views_are_tried() {
        let registry = Registry::new(BTreeMap::new());
        let record =
            PublicationRecord { id: "shop.orders".to_owned(), available: true, ..PublicationRecord::default() };
        let hour = Duration::from_secs(3600);
        let hour_ago = Instant::now().checked_sub(hour).expect("the machine runs for an hour");
        registry.take(vec![record.into()], hour_ago);
        assert!(!registry.snapshot().is_loaded(), "no view was looked at");
        for _ in 0..2 {
            assert!(!registry.read_views().await, "there is no such connection");
            let snapshot = registry.snapshot();
            assert!(snapshot.age().is_some_and(|age| age >= hour));
            assert!(snapshot.dataset("shop.orders").is_some_and(|served| !served.readable));
        }
    }
}
