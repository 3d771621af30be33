//! The records in a file, so that a restarted server answers before it has seen the API server (design 6.2).

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use tokio::sync::watch;

use super::heard::Heard;
use super::registry::Snapshot;

/// How much older than its records the file may become.
const WRITTEN_EVERY: Duration = Duration::from_secs(60);

/// The file; readable by its owner alone.
#[derive(Clone, Debug)]
pub(super) struct SnapshotFile {
    path: PathBuf,
}

impl SnapshotFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// What was served last and when it was confirmed; none where there is no file, or none that can be read. A record that
    /// this program does not know is left out.
    pub(super) fn read(&self) -> Option<(Vec<Heard>, Instant)> {
        let bytes = std::fs::read(&self.path).ok()?;
        // The file is as old as its records: a restart does not make them younger.
        let confirmed = std::fs::metadata(&self.path).and_then(|about| about.modified()).ok()?;
        let confirmed_at = Instant::now().checked_sub(confirmed.elapsed().unwrap_or_default())?;
        match serde_json::from_slice::<Vec<Value>>(&bytes) {
            Ok(records) => Some((records.iter().filter_map(Heard::of_record).collect(), confirmed_at)),
            Err(error) => {
                tracing::warn!(path = %self.path.display(), %error, "the snapshot file cannot be read; the API server is asked");
                None
            }
        }
    }

    /// Keeps the file as new as the snapshots: written when the records are others, and else once a minute.
    pub(super) async fn keep(self, mut snapshots: watch::Receiver<Arc<Snapshot>>) {
        let mut written: Option<Arc<Snapshot>> = None;
        while snapshots.changed().await.is_ok() {
            let snapshot = snapshots.borrow_and_update().clone();
            if written.as_ref().is_some_and(|written| is_fresh(written, &snapshot)) {
                continue;
            }
            let (file, next) = (self.clone(), snapshot.clone());
            // A disk may take its time.
            if tokio::task::spawn_blocking(move || file.write(&next)).await.is_ok() {
                written = Some(snapshot);
            }
        }
    }

    /// Writes the records beside the file and renames: a reader sees the old or the new ones, whole.
    fn write(&self, snapshot: &Snapshot) {
        let bytes = serde_json::to_vec(&snapshot.records()).expect("records have text keys");
        let confirmed = SystemTime::now().checked_sub(snapshot.age().unwrap_or_default());
        if let Err(error) = write_private(&self.path, &bytes, confirmed.unwrap_or(SystemTime::UNIX_EPOCH)) {
            tracing::warn!(path = %self.path.display(), %error, "the snapshot file could not be written");
        }
    }
}

/// Whether a file of these records need not be written again.
fn is_fresh(written: &Snapshot, now: &Snapshot) -> bool {
    let older = now.confirmed_at.zip(written.confirmed_at).map(|(now, then)| now.saturating_duration_since(then));
    older.is_some_and(|older| older < WRITTEN_EVERY) && written.records() == now.records()
}

fn write_private(path: &Path, bytes: &[u8], modified: SystemTime) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let beside = path.with_extension("writing");
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(bytes)?;
    file.set_modified(modified)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::PublicationRecord;
    use crate::api::record::FORMAT;
    use crate::server::registry::Served;

    const HOUR: Duration = Duration::from_secs(3600);

    fn snapshot(format: u32, age: Duration) -> Arc<Snapshot> {
        let record = PublicationRecord { id: "shop.orders".to_owned(), format, ..PublicationRecord::default() };
        let datasets = [(record.id.clone(), Arc::new(Served { record, readable: true }))].into();
        Arc::new(Snapshot { datasets, confirmed_at: Instant::now().checked_sub(age) })
    }

    #[test]
    fn records_in_a_file_are_as_old_as_when_they_were_confirmed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("snapshot");
        let file = SnapshotFile::new(path.clone());
        assert!(file.read().is_none());
        file.write(&snapshot(FORMAT, HOUR));
        let (heard, confirmed_at) = file.read().expect("the records");
        assert!(heard[0].record.is_ok() && confirmed_at.elapsed() >= HOUR);
        // Of a later program, before this one was put back.
        file.write(&snapshot(FORMAT + 1, HOUR));
        assert!(file.read().expect("the records").0[0].record.is_err());
        std::fs::write(&path, "{").expect("the file is ours");
        assert!(file.read().is_none(), "half a file is none");
    }

    #[test]
    fn the_same_records_are_written_once_a_minute() {
        let (now, before) = (snapshot(FORMAT, Duration::ZERO), snapshot(FORMAT, Duration::from_secs(30)));
        assert!(is_fresh(&before, &now));
        assert!(!is_fresh(&snapshot(FORMAT, HOUR), &now));
        assert!(!is_fresh(&Snapshot { confirmed_at: before.confirmed_at, ..Snapshot::default() }, &now));
    }
}
