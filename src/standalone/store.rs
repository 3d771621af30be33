//! Status and history in a folder. Files are written beside their place and renamed, so that a reader sees the old or the
//! new text, whole (design 3.6).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Resource;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StandaloneError;
use super::declared::{Declarations, Kept, Key, Stored as _, key_of};
use crate::api::{AnalyticsDataset, AnalyticsDatasetStatus, AnalyticsSource, AnalyticsSourceStatus, Reason};
use crate::canonical;
use crate::controller::store::{Creation, Store, StoreError};
use crate::manifest::{self, Contents};
use crate::plan::GuardState;
use crate::plan::revision::{Entry, Notes, Revision, Subject, SubjectKind};

/// Objects of a folder, with their status and history in a state folder.
pub struct FolderStore {
    folder: PathBuf,
    state: PathBuf,
    inner: Mutex<Inner>,
    /// Locked while this value lives: two processes would give one number twice.
    _lock: File,
}

#[derive(Default)]
struct Inner {
    texts: BTreeMap<PathBuf, Result<String, String>>,
    sources: BTreeMap<Key, Kept<AnalyticsSource>>,
    datasets: BTreeMap<Key, Kept<AnalyticsDataset>>,
    problems: Vec<(PathBuf, String)>,
    removed: Vec<Arc<AnalyticsDataset>>,
    removed_sources: Vec<Arc<AnalyticsSource>>,
}

/// The name of this installation: a UUID that is made once.
///
/// # Errors
/// If it cannot be read, or the state folder cannot be written.
pub(super) fn installation(state: &Path) -> std::io::Result<String> {
    let path = state.join("installation");
    match std::fs::read_to_string(&path) {
        Ok(name) if !name.trim().is_empty() => return Ok(name.trim().to_owned()),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        // Under another name the views of this installation would be somebody else's.
        Err(error) => return Err(error),
    }
    let name = uuid::Uuid::new_v4().to_string();
    write_whole(&path, name.as_bytes())?;
    Ok(name)
}

impl FolderStore {
    /// Opens a folder and its state, which then is this process's alone.
    ///
    /// # Errors
    /// If the folder cannot be read, or the state folder cannot be used or is in use.
    pub fn open(folder: &Path, state: &Path) -> Result<Self, StandaloneError> {
        // A folder that is missing would be one without objects, and everything served would be withdrawn.
        std::fs::read_dir(folder).map_err(|cause| StandaloneError::Path { path: folder.to_owned(), cause })?;
        let failed = |cause| StandaloneError::Path { path: state.to_owned(), cause };
        let lock = locked(state).map_err(failed)?;
        for part in ["objects", "revisions"] {
            std::fs::create_dir_all(state.join(part)).map_err(failed)?;
        }
        let inner =
            Inner { sources: read_kept(state, "source"), datasets: read_kept(state, "dataset"), ..Inner::default() };
        let store = Self { folder: folder.to_owned(), state: state.to_owned(), inner: Mutex::new(inner), _lock: lock };
        store.reload();
        Ok(store)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("no holder of this lock panics")
    }

    /// Reads the folder again if anything in it changed; tells whether it did.
    pub fn reload(&self) -> bool {
        let texts = manifest::files(&self.folder);
        let mut inner = self.inner();
        if inner.texts == texts {
            return false;
        }
        let read = texts.iter().map(|(path, text)| {
            let contents = text.as_ref().map_err(Clone::clone).and_then(|text| manifest::contents(text));
            (path.as_path(), contents)
        });
        let (mut sources, mut datasets) = (Declarations::default(), Declarations::default());
        let mut problems = Vec::new();
        for (path, contents) in read {
            match contents {
                Ok(Contents { sources: found, datasets: also }) => {
                    sources.file(path, found);
                    datasets.file(path, also);
                }
                Err(problem) => {
                    // What it said before stays in force.
                    sources.unreadable(path);
                    datasets.unreadable(path);
                    problems.push((path.to_owned(), problem));
                }
            }
        }
        let sources = sources.settled(&inner.sources, &mut problems);
        let datasets = datasets.settled(&inner.datasets, &mut problems);
        let gone: Vec<_> = inner
            .datasets
            .iter()
            // An object that says another ID than before is another dataset: the earlier one is gone.
            .filter(|(key, kept)| datasets.get(key).is_none_or(|next: &Kept<_>| !next.object.same_id(&kept.object)))
            .map(|(_, kept)| kept.object.clone())
            .collect();
        let gone_sources: Vec<_> = inner
            .sources
            .iter()
            .filter(|(key, _)| !sources.contains_key(*key))
            .map(|(_, kept)| kept.object.clone())
            .collect();
        for source in &gone_sources {
            // A source has nothing to withdraw; its datasets see that it is gone.
            let _ = std::fs::remove_file(self.object_path("source", &key_of(&**source)));
        }
        inner.removed.extend(gone);
        inner.removed_sources.extend(gone_sources);
        (inner.texts, inner.sources, inner.datasets, inner.problems) = (texts, sources, datasets, problems);
        true
    }

    /// What is wrong with which files.
    pub fn problems(&self) -> Vec<(PathBuf, String)> {
        std::mem::take(&mut self.inner().problems)
    }

    /// Datasets that are no longer in the folder and were not withdrawn yet.
    pub fn removed(&self) -> Vec<Arc<AnalyticsDataset>> {
        self.inner().removed.clone()
    }

    /// Sources that are no longer in the folder, each given once.
    pub fn removed_sources(&self) -> Vec<Arc<AnalyticsSource>> {
        std::mem::take(&mut self.inner().removed_sources)
    }

    /// Forgets a dataset that was withdrawn.
    pub fn forget(&self, dataset: &AnalyticsDataset) {
        let key = key_of(dataset);
        self.inner().removed.retain(|removed| key_of(&**removed) != key || !removed.same_id(dataset));
        let back = self.inner().datasets.contains_key(&key);
        if !back {
            let _ = std::fs::remove_file(self.object_path("dataset", &key));
        }
    }

    fn object_path(&self, kind: &str, (namespace, name): &Key) -> PathBuf {
        // A hash, because names may hold what file names may not.
        let hash = &canonical::hex(format!("{kind} {namespace} {name}").as_bytes())[..24];
        self.state.join("objects").join(format!("{kind}-{hash}.json"))
    }

    fn revision_path(&self, subject: &Subject, number: u64, suffix: &str) -> PathBuf {
        self.state.join("revisions").join(subject.short_name()).join(format!("{number}{suffix}"))
    }

    fn entries(&self, subject: &str) -> Result<Vec<Entry>, StoreError> {
        let folder = self.state.join("revisions").join(subject);
        let files = match std::fs::read_dir(&folder) {
            Ok(files) => files,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            // An unreadable history is no empty one: its numbers would be used again.
            Err(error) => return Err(unavailable(error)),
        };
        let mut entries = Vec::new();
        for file in files {
            let path = file.map_err(unavailable)?.path();
            let Some(number) =
                path.file_name().and_then(|name| name.to_str()?.strip_suffix(".json")?.parse::<u64>().ok())
            else {
                continue;
            };
            let Some(revision) = read_json::<Revision>(&path)? else { continue };
            let notes = read_json(&self.revision_path(&revision.subject, number, ".notes"))?.unwrap_or_default();
            let content_hash =
                revision.version().map(|version| version.record.content_hash.clone()).unwrap_or_default();
            entries.push(Entry {
                subject: revision.subject,
                number,
                content_hash,
                namespace: revision.origin.namespace,
                notes,
            });
        }
        entries.sort_by_key(|entry| entry.number);
        Ok(entries)
    }
}

impl Store for FolderStore {
    fn sources(&self) -> Vec<Arc<AnalyticsSource>> {
        self.inner().sources.values().map(|kept| kept.object.clone()).collect()
    }

    fn datasets(&self) -> Vec<Arc<AnalyticsDataset>> {
        self.inner().datasets.values().map(|kept| kept.object.clone()).collect()
    }

    fn looks_after(&self, _: &str) -> bool {
        true
    }

    async fn guards(&self) -> GuardState {
        // Whoever may write the files is the owner of all that they say.
        GuardState::unneeded()
    }

    async fn dataset(&self, namespace: &str, name: &str) -> Result<Option<AnalyticsDataset>, StoreError> {
        Ok(self.inner().datasets.get(&(namespace.to_owned(), name.to_owned())).map(|kept| (*kept.object).clone()))
    }

    async fn write_source_status(
        &self,
        object: &AnalyticsSource,
        status: &AnalyticsSourceStatus,
    ) -> Result<(), StoreError> {
        let mut inner = self.inner();
        let key = key_of(object);
        let kept = inner.sources.get_mut(&key).ok_or(StoreError::Conflict)?;
        let mut next = (*kept.object).clone();
        next.status = Some(status.clone());
        replace(kept, next, object, &self.object_path("source", &key))
    }

    async fn write_dataset_status(
        &self,
        object: &AnalyticsDataset,
        status: &AnalyticsDatasetStatus,
    ) -> Result<(), StoreError> {
        let mut inner = self.inner();
        let key = key_of(object);
        let kept = inner.datasets.get_mut(&key).ok_or(StoreError::Conflict)?;
        let mut next = (*kept.object).clone();
        next.status = Some(status.clone());
        replace(kept, next, object, &self.object_path("dataset", &key))
    }

    async fn report(&self, _: &ObjectReference, _: Reason, _: &str) {
        // The log says it already; there is no other place where people look.
    }

    async fn history(&self, subject: &Subject) -> Result<Vec<Entry>, StoreError> {
        self.entries(&subject.short_name())
    }

    async fn histories(&self) -> Result<Vec<Entry>, StoreError> {
        let folders = std::fs::read_dir(self.state.join("revisions")).map_err(unavailable)?;
        let names: BTreeSet<String> =
            folders.filter_map(Result::ok).map(|folder| folder.file_name().to_string_lossy().into_owned()).collect();
        let mut all = Vec::new();
        for name in names {
            all.extend(self.entries(&name)?.into_iter().filter(|entry| entry.subject.kind == SubjectKind::Dataset));
        }
        Ok(all)
    }

    async fn revision(&self, subject: &Subject, number: u64) -> Result<Option<Arc<Revision>>, StoreError> {
        let revision: Option<Revision> = read_json(&self.revision_path(subject, number, ".json"))?;
        Ok(revision.filter(|revision| revision.subject == *subject && revision.number == number).map(Arc::new))
    }

    async fn create_revision(&self, revision: &Revision) -> Result<Creation, StoreError> {
        let path = self.revision_path(&revision.subject, revision.number, ".json");
        if path.exists() {
            return Ok(Creation::Taken);
        }
        std::fs::create_dir_all(path.parent().expect("a revision lies in a folder")).map_err(unavailable)?;
        write_json(&path, revision).map(|()| Creation::Created)
    }

    async fn annotate_revision(&self, subject: &Subject, number: u64, notes: &Notes) -> Result<(), StoreError> {
        write_json(&self.revision_path(subject, number, ".notes"), notes)
    }

    async fn delete_revision(&self, subject: &Subject, number: u64) -> Result<(), StoreError> {
        for suffix in [".json", ".notes"] {
            match std::fs::remove_file(self.revision_path(subject, number, suffix)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(unavailable(error)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Puts a new status in place, if the object is still the version that was read.
fn replace<Object>(kept: &mut Kept<Object>, mut next: Object, read: &Object, path: &Path) -> Result<(), StoreError>
where
    Object: Resource<DynamicType = ()> + Serialize,
{
    let (current, expected) = (&kept.object.meta().resource_version, &read.meta().resource_version);
    if current != expected || kept.object.meta().generation != read.meta().generation {
        return Err(StoreError::Conflict);
    }
    let version: u64 = current.as_deref().and_then(|text| text.parse().ok()).unwrap_or_default();
    next.meta_mut().resource_version = Some((version + 1).to_string());
    let object = Arc::new(next);
    write_json(path, &Kept { path: kept.path.clone(), object: object.clone() })?;
    kept.object = object;
    Ok(())
}

/// The lock of a state folder; the system gives it up with the process, however that ends.
fn locked(state: &Path) -> std::io::Result<File> {
    std::fs::create_dir_all(state)?;
    let file = File::options().create(true).truncate(false).write(true).open(state.join("lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(std::io::Error::other(
            "another process uses this state folder; end it, or choose another with `--state`",
        )),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn read_kept<Object: DeserializeOwned + Resource>(state: &Path, kind: &str) -> BTreeMap<Key, Kept<Object>> {
    let Ok(files) = std::fs::read_dir(state.join("objects")) else { return BTreeMap::new() };
    let ours =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{kind}-")));
    files
        .filter_map(Result::ok)
        .map(|file| file.path())
        .filter(ours)
        .filter_map(|path| read_json::<Kept<Object>>(&path).ok().flatten())
        .map(|kept| (key_of(&*kept.object), kept))
        .collect()
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, StoreError> {
    match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unavailable(error)),
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| StoreError::Unavailable(format!("`{}` cannot be read: {error}", path.display()))),
    }
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    let bytes = serde_json::to_vec_pretty(value).map_err(|error| StoreError::Unavailable(error.to_string()))?;
    write_whole(path, &bytes).map_err(unavailable)
}

fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = path.with_extension("writing");
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

fn unavailable(error: std::io::Error) -> StoreError {
    StoreError::Unavailable(format!("the state folder failed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(namespace: &str) -> String {
        format!(
            "apiVersion: analytics.wow.dev/v1alpha1\nkind: AnalyticsSource\nmetadata: {{name: a, namespace: {namespace}}}\n\
             spec: {{connection: d, database: b, table: t, tenant: {{column: x}}}}\n---\n"
        )
    }

    #[test]
    fn two_namespaces_of_one_file_have_two_objects() {
        let (folder, state) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        std::fs::write(folder.path().join("all.yaml"), source("one") + &source("two")).expect("the folder is ours");
        let store = FolderStore::open(folder.path(), state.path()).expect("the folders can be used");
        let uids: BTreeSet<_> = store.sources().iter().map(|source| source.metadata.uid.clone()).collect();
        assert_eq!(uids.len(), 2, "{uids:?}");
    }

    #[tokio::test]
    async fn an_object_that_says_another_id_is_another_dataset() {
        let (folder, state) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let dataset = |name: &str| {
            format!(
                "apiVersion: analytics.wow.dev/v1alpha1\nkind: AnalyticsDataset\nmetadata: {{name: a}}\nspec:\n  context: shop\n  \
                 name: {name}\n  definition: {{sources: [{{alias: o, sourceId: 'd:b:t'}}], subject: o, columns: [{{name: x, from: o.x}}]}}\n"
            )
        };
        let file = folder.path().join("all.yaml");
        std::fs::write(&file, dataset("orders")).expect("the folder is ours");
        let store = FolderStore::open(folder.path(), state.path()).expect("the folders can be used");
        let before = store.datasets()[0].clone();
        let record = crate::api::PublicationRecord { id: before.spec.id(), version: 3, ..Default::default() };
        let status = AnalyticsDatasetStatus { published: Some(record), ..Default::default() };
        store.write_dataset_status(&before, &status).await.expect("the folder is ours");
        std::fs::write(&file, dataset("sales")).expect("the folder is ours");
        assert!(store.reload());
        assert_eq!((store.datasets()[0].spec.id().as_str(), &store.datasets()[0].status), ("shop.sales", &None));
        let removed: Vec<String> = store.removed().iter().map(|dataset| dataset.spec.id()).collect();
        assert_eq!(removed, ["shop.orders"]);
        store.forget(&store.removed()[0]);
        assert_eq!(store.removed(), []);
    }

    #[tokio::test]
    async fn a_history_that_cannot_be_read_is_no_empty_one() {
        let (folder, state) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let store = FolderStore::open(folder.path(), state.path()).expect("the folders can be used");
        let subject = Subject::dataset("shop.orders");
        assert_eq!(store.history(&subject).await.expect("nothing was published"), []);
        // A file where a folder should be cannot be listed, whoever runs the test.
        let place = state.path().join("revisions").join(subject.short_name());
        std::fs::write(place, "").expect("the folder is ours");
        assert!(store.history(&subject).await.is_err());
    }
    /// A store over a folder with one file below another folder.
    fn store_of_one() -> (tempfile::TempDir, tempfile::TempDir, FolderStore) {
        let (folder, state) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        std::fs::create_dir(folder.path().join("inner")).expect("the folder is ours");
        std::fs::write(folder.path().join("inner/all.yaml"), source("one")).expect("the folder is ours");
        let store = FolderStore::open(folder.path(), state.path()).expect("the folders can be used");
        assert_eq!(store.sources().len(), 1);
        (folder, state, store)
    }

    #[test]
    fn a_folder_that_cannot_be_read_takes_nothing_away_and_an_empty_one_does() {
        let (folder, _state, store) = store_of_one();
        let (inner, aside) = (folder.path().join("inner"), folder.path().join(".aside"));
        // A link to nothing cannot be read, whoever runs the test; then the whole folder.
        std::fs::rename(&inner, &aside).expect("the folder is ours");
        std::os::unix::fs::symlink("/nowhere", &inner).expect("a link");
        assert!(store.reload());
        assert_eq!(store.sources().len(), 1);
        assert_eq!(store.problems().len(), 1);
        let place = folder.path().to_owned();
        std::fs::remove_dir_all(&place).expect("the folder is ours");
        assert!(store.reload());
        assert_eq!(store.sources().len(), 1);
        assert_eq!(store.problems()[0].0, place);
        std::fs::create_dir(&place).expect("its place is free");
        assert!(store.reload());
        assert_eq!(store.sources().len(), 0);
    }

    #[test]
    fn a_folder_that_is_missing_and_a_state_that_is_in_use_are_refused_by_name() {
        let (folder, state, store) = store_of_one();
        let missing = folder.path().join("missing");
        let refused = |folder: &Path, state: &Path| match FolderStore::open(folder, state) {
            Ok(_) => panic!("this must be refused"),
            Err(error) => error.to_string(),
        };
        let other = tempfile::tempdir().expect("a folder");
        let problem = refused(&missing, other.path());
        assert!(problem.contains(&missing.display().to_string()), "{problem}");
        let problem = refused(folder.path(), state.path());
        assert!(
            problem.contains(&state.path().display().to_string()) && problem.contains("another process"),
            "{problem}"
        );
        drop(store);
        assert!(FolderStore::open(folder.path(), state.path()).is_ok());
    }

    #[test]
    fn the_name_of_an_installation_is_made_once_and_never_instead_of_one_that_cannot_be_read() {
        let state = tempfile::tempdir().expect("a folder");
        let name = installation(state.path()).expect("a new name");
        assert_eq!(installation(state.path()).expect("the same"), name);
        let file = state.path().join("installation");
        std::fs::write(&file, [0xff, 0xfe]).expect("the folder is ours");
        assert!(installation(state.path()).is_err());
        assert_eq!(std::fs::read(&file).expect("it is still there"), [0xff, 0xfe]);
        std::fs::write(&file, "\n").expect("the folder is ours");
        assert!(!installation(state.path()).expect("a new name").is_empty());
    }
}
