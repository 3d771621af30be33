//! The records in a file, so that a restarted server answers before it has seen the API server (design 6.2).

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::registry::Snapshot;
use crate::api::PublicationRecord;

/// The file; readable by its owner alone.
#[derive(Clone, Debug)]
pub(super) struct SnapshotFile {
    path: PathBuf,
}

impl SnapshotFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The records that were served last and when they were confirmed; none where there is no file, or none that can be read.
    pub(super) fn read(&self) -> Option<(Vec<PublicationRecord>, Instant)> {
        let bytes = std::fs::read(&self.path).ok()?;
        // The file is written whenever the records are confirmed: a restart does not make them younger.
        let written = std::fs::metadata(&self.path).and_then(|about| about.modified()).ok()?;
        let confirmed_at = Instant::now().checked_sub(written.elapsed().unwrap_or_default())?;
        match serde_json::from_slice(&bytes) {
            Ok(records) => Some((records, confirmed_at)),
            Err(error) => {
                tracing::warn!(path = %self.path.display(), %error, "the snapshot file cannot be read; the API server is asked");
                None
            }
        }
    }

    /// Writes the records beside the file and renames: a reader sees the old or the new ones, whole.
    pub(super) fn write(&self, snapshot: &Snapshot) {
        let bytes = serde_json::to_vec(&snapshot.records()).expect("records have text keys");
        if let Err(error) = write_private(&self.path, &bytes) {
            tracing::warn!(path = %self.path.display(), %error, "the snapshot file could not be written");
        }
    }
}

fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let beside = path.with_extension("writing");
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn records_in_a_file_are_as_old_as_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("snapshot");
        let file = SnapshotFile::new(path.clone());
        assert!(file.read().is_none());
        file.write(&Snapshot::default());
        let hour = Duration::from_secs(3600);
        let written = std::fs::File::options().write(true).open(&path).expect("the file is ours");
        written.set_modified(SystemTime::now() - hour).expect("the file is ours");
        let (records, confirmed_at) = file.read().expect("the records");
        assert!(records.is_empty() && confirmed_at.elapsed() >= hour);
        std::fs::write(&path, "{").expect("the file is ours");
        assert!(file.read().is_none(), "half a file is none");
    }
}
