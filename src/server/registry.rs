//! What is published, as the server answers it: one immutable map, swapped as a whole (design 6.2).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use tokio::sync::Mutex;

use crate::api::PublicationRecord;
use crate::api::record::{FORMAT, Protection, RecordColumn};
use crate::canonical;
use crate::warehouse::{Warehouse, WarehouseErrorKind};

/// How long the views of new records may take to be read before the next records are looked at.
const READING: Duration = Duration::from_secs(5);
/// How many views are read at a time.
const READ_AT_A_TIME: usize = 8;

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
    datasets: BTreeMap<String, Arc<Served>>,
    confirmed_at: Option<Instant>,
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
    current: RwLock<Arc<Snapshot>>,
    readers: BTreeMap<String, Warehouse>,
    /// One update at a time.
    read: Mutex<ReadViews>,
}

/// What is known of the views.
#[derive(Default)]
struct ReadViews {
    /// Those that were read and are what their records say.
    readable: BTreeSet<ViewKey>,
    /// Why others could not be, by dataset; each problem is logged once.
    problems: BTreeMap<String, String>,
}

/// What was held against a view when it was read: a record that says anything else of it is held against it again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ViewKey {
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

impl Registry {
    /// An empty registry over the reader accounts of the connections.
    pub fn new(readers: BTreeMap<String, Warehouse>) -> Self {
        Self { current: RwLock::default(), readers, read: Mutex::default() }
    }

    /// The datasets now; a query uses one snapshot from start to end.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.read().expect("no holder of this lock panics").clone()
    }

    /// The reader account of a connection.
    pub fn reader(&self, connection: &str) -> Option<&Warehouse> {
        self.readers.get(connection)
    }

    /// Takes over all records. What is withdrawn or unavailable counts at once, before any view is looked at; a new version
    /// counts once its view was read, and the old one answers until then. The first records count once all views were looked
    /// at: before that the server is not ready. True if every record is in force as it stands.
    pub async fn replace(&self, records: Vec<PublicationRecord>) -> bool {
        self.replace_as_of(records, Instant::now()).await
    }

    /// The same for records that were true at an earlier moment: their age counts from there.
    pub async fn replace_as_of(&self, records: Vec<PublicationRecord>, confirmed_at: Instant) -> bool {
        let mut read = self.read.lock().await;
        let before = self.snapshot();
        let (mut datasets, mut unread) = (BTreeMap::new(), Vec::new());
        let mut settled = BTreeSet::new();
        for record in records {
            let id = record.id.clone();
            let earlier = before.dataset(&id).cloned();
            if record.format != FORMAT {
                tracing::warn!(dataset = %id, format = record.format, "the record's format is not known; what is served stays served");
                datasets.extend(earlier.map(|earlier| (id, earlier)));
                continue;
            }
            let key = ViewKey::of(&record);
            let was_read = read.readable.contains(&key);
            if was_read {
                settled.insert(key.clone());
            }
            if was_read || !record.available {
                datasets.insert(id, Arc::new(Served { record, readable: was_read }));
                continue;
            }
            // The old version answers meanwhile, unless the new record protects more: that counts at once.
            let earlier = earlier.filter(|earlier| {
                earlier.readable && earlier.record.available && !protects_more(&record, &earlier.record)
            });
            datasets
                .insert(id, earlier.unwrap_or_else(|| Arc::new(Served { record: record.clone(), readable: false })));
            unread.push((key, record));
        }
        if before.is_loaded() {
            self.swap(&datasets, confirmed_at);
        }
        let deadline = tokio::time::Instant::now() + READING;
        let mut results = futures::stream::iter(unread)
            .map(|(key, record)| async move {
                let result = tokio::time::timeout_at(deadline, self.read_view(&record)).await;
                (key, record, result.unwrap_or_else(|_| Err("ClickHouse does not answer".to_owned())))
            })
            .buffer_unordered(READ_AT_A_TIME);
        let mut problems = BTreeMap::new();
        while let Some((key, record, result)) = results.next().await {
            let id = record.id.clone();
            match result {
                Ok(()) => {
                    settled.insert(key);
                    datasets.insert(id, Arc::new(Served { record, readable: true }));
                }
                Err(problem) => {
                    if read.problems.get(&id) != Some(&problem) {
                        tracing::warn!(dataset = %id, version = record.version, %problem, "a published version cannot be read yet");
                    }
                    problems.insert(id, problem);
                }
            }
        }
        drop(results);
        self.swap(&datasets, confirmed_at);
        // Views of versions that are gone are read again should they come back.
        *read = ReadViews { readable: settled, problems };
        read.problems.is_empty()
    }

    fn swap(&self, datasets: &BTreeMap<String, Arc<Served>>, confirmed_at: Instant) {
        let next = Snapshot { datasets: datasets.clone(), confirmed_at: Some(confirmed_at) };
        *self.current.write().expect("no holder of this lock panics") = Arc::new(next);
    }

    /// Reads the mark of a record's view and the view itself, as the account that will answer queries.
    async fn read_view(&self, record: &PublicationRecord) -> Result<(), String> {
        let reader = self
            .reader(&record.connection)
            .ok_or_else(|| format!("the connection `{}` is not configured", record.connection))?;
        let view = &record.view;
        let stored = reader.views(&view.database, &view.name).await.map_err(|error| error.to_string())?;
        let stored = stored.into_iter().find(|stored| stored.name == view.name);
        let mark = stored.and_then(|stored| stored.mark).ok_or("the view does not exist, or carries no mark")?;
        if mark.dataset != record.id || mark.content_hash != record.content_hash {
            return Err("the view is not of this version".to_owned());
        }
        let protection: BTreeMap<String, Protection> =
            serde_json::from_value(mark.protection).map_err(|_| "the view's mark cannot be read".to_owned())?;
        protection_holds(&record.columns, &protection)?;
        match reader.probe(&view.database, &view.name).await {
            Ok(()) => Ok(()),
            // The type guard speaks: the record is right, its sources are not. Queries get 409 from the view itself.
            Err(error) if error.kind == WarehouseErrorKind::Changed => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The record must protect exactly what the view was made for: less would show values raw, and more would need masks
/// that the view does not have.
fn protection_holds(columns: &[RecordColumn], in_view: &BTreeMap<String, Protection>) -> Result<(), String> {
    let stated = protection_of(columns);
    let same = stated.len() == in_view.len()
        && in_view.iter().all(|(name, protection)| stated.get(name.as_str()) == Some(&protection));
    if same { Ok(()) } else { Err("the record's protection is not that of the view".to_owned()) }
}

/// Whether a record shows less of a column, or asks more of callers, than the one before.
fn protects_more(next: &PublicationRecord, before: &PublicationRecord) -> bool {
    let sensitivity =
        |column: &RecordColumn| column.protection.as_ref().map(Protection::sensitivity).unwrap_or_default();
    let masked = before.columns.iter().any(|column| {
        let now = next.columns.iter().find(|now| now.name == column.name);
        now.is_some_and(|now| sensitivity(column).is_looser_than(&sensitivity(now)))
    });
    masked || !before.scope.demands_less_than(&next.scope).is_empty()
}

fn protection_of(columns: &[RecordColumn]) -> BTreeMap<&str, &Protection> {
    columns.iter().filter_map(|column| Some((column.name.as_str(), column.protection.as_ref()?))).collect()
}
