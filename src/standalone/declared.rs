//! What the files of a folder declare, laid over what is known: who keeps a name that two files state, and who was first.
//! Pure.
//!
//! A name, and so an ID, stays with the file and the object that held it. The path decides only between two that are new.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::Resource;
use serde::{Deserialize, Serialize};

use crate::api::{AnalyticsDataset, AnalyticsSource};
use crate::canonical;

/// Namespace and name.
pub(super) type Key = (String, String);

/// An object as it was read last, with its status; kept in the state folder too, so that a broken file takes nothing away.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Kept<Object> {
    pub path: PathBuf,
    pub object: Arc<Object>,
}

/// What all files of a folder declare of a kind, in the order of their paths.
pub(super) struct Declarations<Object> {
    found: Vec<(PathBuf, Object)>,
    unreadable: BTreeSet<PathBuf>,
}

impl<Object> Default for Declarations<Object> {
    fn default() -> Self {
        Self { found: Vec::new(), unreadable: BTreeSet::new() }
    }
}

impl<Object: Stored> Declarations<Object> {
    /// Adds the objects of a file.
    pub fn file(&mut self, path: &Path, found: Vec<Object>) {
        for mut object in found {
            object.meta_mut().namespace.get_or_insert_with(|| "default".to_owned());
            self.found.push((path.to_owned(), object));
        }
    }

    /// Notes that a file, or a folder of files, cannot be read: what it said before counts.
    pub fn unreadable(&mut self, path: &Path) {
        self.unreadable.insert(path.to_owned());
    }

    /// The objects that count, with what was known of each: status, generation, version, and since when it is there.
    pub fn settled(
        self,
        known: &BTreeMap<Key, Kept<Object>>,
        problems: &mut Vec<(PathBuf, String)>,
    ) -> BTreeMap<Key, Kept<Object>> {
        let Self { found, unreadable } = self;
        let stays = |kept: &&Kept<Object>| unreadable.iter().any(|path| kept.path.starts_with(path));
        let mut next: BTreeMap<Key, Kept<Object>> =
            known.iter().filter(|(_, kept)| stays(kept)).map(|(key, kept)| (key.clone(), kept.clone())).collect();
        let stated: BTreeSet<(Key, PathBuf)> =
            found.iter().map(|(path, object)| (key_of(object), path.clone())).collect();
        let youngest = known.values().filter_map(|kept| created(&*kept.object)).max();
        let mut age = youngest.map_or(0, |youngest| youngest + 1);
        for (path, mut object) in found {
            let key = key_of(&object);
            let before = known.get(&key);
            // The file that has it already keeps it, wherever another one sorts.
            let held_elsewhere = before.map(|kept| &kept.path).filter(|held| **held != path);
            let holder = held_elsewhere.filter(|held| stated.contains(&(key.clone(), (*held).clone())));
            if let Some(holder) = holder.or_else(|| next.get(&key).map(|other| &other.path)) {
                let (namespace, name) = &key;
                let problem =
                    format!("{namespace}/{name} is declared in `{}` already; that file keeps it.", holder.display());
                problems.push((path, problem));
                continue;
            }
            let before = before.map(|kept| &*kept.object);
            take_over(&mut object, before, &path, &mut age);
            next.insert(key, Kept { path, object: Arc::new(object) });
        }
        next
    }
}

/// Gives an object what was known of it, or what a new one has.
fn take_over<Object: Stored>(object: &mut Object, before: Option<&Object>, path: &Path, age: &mut i64) {
    let (namespace, name) = key_of(object);
    // What was said of another ID says nothing of this one.
    let same = before.filter(|before| before.same_id(object));
    let generation = match before {
        Some(before) if before.same_spec(object) => before.meta().generation,
        before => Some(before.and_then(|before| before.meta().generation).unwrap_or_default() + 1),
    };
    let meta = object.meta_mut();
    // A file may hold objects of one name in two namespaces.
    let place = format!("{} {namespace}", path.display());
    meta.uid = Some(canonical::hex(place.as_bytes())[..32].to_owned() + "-" + &name);
    // A count, not a time: it says who was first.
    let first = same.and_then(created).unwrap_or_else(|| std::mem::replace(age, *age + 1));
    meta.creation_timestamp = Some(Time(Timestamp::from_second(first).unwrap_or(Timestamp::UNIX_EPOCH)));
    meta.generation = generation;
    meta.resource_version =
        Some(before.and_then(|before| before.meta().resource_version.clone()).unwrap_or_else(|| "0".to_owned()));
    object.take_status(same);
}

/// The count that an object got when it came.
fn created(object: &impl Resource) -> Option<i64> {
    object.meta().creation_timestamp.as_ref().map(|time| time.0.as_second())
}

/// What the two kinds have in common here.
pub(super) trait Stored: Resource<DynamicType = ()> + Clone {
    fn same_spec(&self, other: &Self) -> bool;
    fn same_id(&self, other: &Self) -> bool;
    fn take_status(&mut self, known: Option<&Self>);
}

impl Stored for AnalyticsSource {
    fn same_spec(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
    fn same_id(&self, other: &Self) -> bool {
        self.spec.id() == other.spec.id()
    }
    fn take_status(&mut self, known: Option<&Self>) {
        self.status = known.and_then(|known| known.status.clone());
    }
}

impl Stored for AnalyticsDataset {
    fn same_spec(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
    fn same_id(&self, other: &Self) -> bool {
        self.spec.id() == other.spec.id()
    }
    fn take_status(&mut self, known: Option<&Self>) {
        self.status = known.and_then(|known| known.status.clone());
    }
}

pub(super) fn key_of(object: &impl Resource) -> Key {
    (object.meta().namespace.clone().unwrap_or_default(), object.meta().name.clone().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dataset(object: &str, name: &str) -> AnalyticsDataset {
        let spec = serde_json::json!({
            "context": "shop",
            "name": name,
            "definition": {
                "sources": [{ "alias": "o", "sourceId": "d:b:t" }], "subject": "o",
                "columns": [{ "name": "x", "from": "o.x" }],
            },
        });
        AnalyticsDataset::new(object, serde_json::from_value(spec).expect("a dataset"))
    }

    type Known = BTreeMap<Key, Kept<AnalyticsDataset>>;

    /// The objects of files, laid over what is known, and what is wrong.
    fn settled(
        known: &Known,
        files: &[(&str, AnalyticsDataset)],
        unreadable: &[&str],
    ) -> (Known, Vec<(PathBuf, String)>) {
        let mut declarations = Declarations::default();
        files.iter().for_each(|(path, object)| declarations.file(Path::new(path), vec![object.clone()]));
        unreadable.iter().for_each(|path| declarations.unreadable(Path::new(path)));
        let mut problems = Vec::new();
        let next = declarations.settled(known, &mut problems);
        (next, problems)
    }

    /// The objects by age, the first one first.
    fn by_age(next: &Known) -> Vec<String> {
        let mut all: Vec<_> = next.values().map(|kept| (created(&*kept.object), key_of(&*kept.object).1)).collect();
        all.sort();
        all.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn who_was_there_first_stays_first_and_the_path_decides_between_new_ones_alone() {
        let (known, _) = settled(&BTreeMap::new(), &[("m.yaml", dataset("held", "orders"))], &[]);
        let files = [("a.yaml", dataset("late", "orders")), ("b.yaml", dataset("later", "orders"))];
        let with = [&files[..], &[("m.yaml", dataset("held", "orders"))]].concat();
        let (next, problems) = settled(&known, &with, &[]);
        assert_eq!(
            (by_age(&next), problems.len()),
            (vec!["held".to_owned(), "late".to_owned(), "later".to_owned()], 0)
        );
        // It moves to another file and keeps its age; without it the next one is first.
        let moved = [&files[..], &[("z.yaml", dataset("held", "orders"))]].concat();
        assert_eq!(by_age(&settled(&next, &moved, &[]).0)[0], "held");
        assert_eq!(by_age(&settled(&next, &files, &[]).0), ["late", "later"]);
        // One that turns to another ID has no claim on it from before.
        let turned = [("a.yaml", dataset("late", "sales")), ("m.yaml", dataset("held", "sales"))];
        let (first, _) = settled(&BTreeMap::new(), &[("m.yaml", dataset("held", "orders"))], &[]);
        let (sales, _) =
            settled(&first, &[("a.yaml", dataset("late", "sales")), ("m.yaml", dataset("held", "orders"))], &[]);
        assert_eq!(by_age(&settled(&sales, &turned, &[]).0), ["late", "held"]);
    }

    #[test]
    fn a_copy_under_the_same_name_is_refused_wherever_it_sorts() {
        let (known, _) = settled(&BTreeMap::new(), &[("m.yaml", dataset("held", "orders"))], &[]);
        let copy = ("a.yaml", dataset("held", "sales"));
        let of = |next: &Known| {
            next.values()
                .map(|kept| (kept.path.display().to_string(), kept.object.spec.name.clone()))
                .collect::<Vec<_>>()
        };
        let held = vec![("m.yaml".to_owned(), "orders".to_owned())];
        let (next, problems) = settled(&known, &[copy.clone(), ("m.yaml", dataset("held", "orders"))], &[]);
        assert_eq!(of(&next), held);
        let [(path, problem)] = problems.as_slice() else { panic!("{problems:?}") };
        assert_eq!(path, Path::new("a.yaml"), "the copy is to blame");
        assert!(problem.contains("default/held is declared in `m.yaml` already"), "{problem}");
        // While the file that has it cannot be read, it has it all the same; when it is gone, the copy is what there is.
        assert_eq!(of(&settled(&known, std::slice::from_ref(&copy), &["m.yaml"]).0), held);
        assert_eq!(of(&settled(&known, &[copy], &[]).0), [("a.yaml".to_owned(), "sales".to_owned())]);
    }
}
