//! One watch a kind and namespace: it fills the cache, and tells who has to be looked at because of what came.
//!
//! What is told is told after the cache has it, so that whoever looks sees it.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use futures::{Stream, StreamExt as _, stream};
use kube::Api;
use kube::runtime::reflector::{self, ObjectRef, Store};
use kube::runtime::watcher::{self, Event};
use kube::runtime::{WatchStreamExt as _, watcher as watch};
use serde::de::DeserializeOwned;
use tokio::sync::mpsc;

use crate::api::{AnalyticsDataset, AnalyticsSource, Reason, condition};
use crate::plan::declaration::in_the_way;

type Sender<K> = mpsc::UnboundedSender<ObjectRef<K>>;
type Receiver<K> = mpsc::UnboundedReceiver<ObjectRef<K>>;

/// What a watch brings, seen by whom it concerns.
pub(super) enum Told<'a, K> {
    /// An object is there, as it is now.
    There(&'a K),
    /// It is gone.
    Gone(&'a K),
    /// Everything was listed anew: anything may have changed, and something may be gone.
    Listed,
}

/// Where it is told that objects have to be looked at: to every controller of their kind, which leaves alone what is not
/// its own.
pub(super) struct Changes {
    sources: Lane<AnalyticsSource>,
    datasets: Lane<AnalyticsDataset>,
    seen: Mutex<Seen>,
}

/// The caches of a kind, and the controllers over them.
struct Lane<K: kube::Resource<DynamicType = ()> + Clone + 'static> {
    stores: Vec<Store<K>>,
    senders: Vec<Sender<K>>,
}

/// What others depend on, as it was told last.
#[derive(Default)]
struct Seen {
    sources: BTreeMap<(String, String), SourceState>,
    datasets: BTreeMap<(String, String), BTreeSet<String>>,
}

/// What of a source its readers depend on; its other status is its own.
#[derive(PartialEq, Eq)]
struct SourceState {
    uid: Option<String>,
    generation: Option<i64>,
    approved: Option<u64>,
    in_the_way: Option<String>,
    leaving: bool,
}

impl<K> Lane<K>
where
    K: kube::Resource<DynamicType = ()> + Clone + 'static,
{
    fn new(stores: &[Store<K>]) -> (Self, Vec<Receiver<K>>) {
        let (senders, receivers) = stores.iter().map(|_| mpsc::unbounded_channel()).unzip();
        (Self { stores: stores.to_vec(), senders }, receivers)
    }

    fn state(&self) -> impl Iterator<Item = Arc<K>> + '_ {
        self.stores.iter().flat_map(Store::state)
    }

    fn send(&self, object: &K) {
        let reference = ObjectRef::from_obj(object);
        for sender in &self.senders {
            // The receivers live as long as the controllers; after that nothing is to be told.
            let _ = sender.send(reference.clone());
        }
    }
}

impl Changes {
    /// Over the caches of both kinds; what is told comes out of the receivers, one for each cache.
    #[allow(clippy::type_complexity, reason = "both kinds of the same")]
    pub(super) fn new(
        sources: &[Store<AnalyticsSource>],
        datasets: &[Store<AnalyticsDataset>],
    ) -> (Arc<Self>, Vec<Receiver<AnalyticsSource>>, Vec<Receiver<AnalyticsDataset>>) {
        let (sources, of_sources) = Lane::new(sources);
        let (datasets, of_datasets) = Lane::new(datasets);
        (Arc::new(Self { sources, datasets, seen: Mutex::default() }), of_sources, of_datasets)
    }

    /// Has a source and its readers looked at.
    pub(super) fn source(&self, source: &AnalyticsSource) {
        self.sources.send(source);
        self.readers(source);
    }

    fn readers(&self, source: &AnalyticsSource) {
        self.datasets
            .state()
            .filter(|dataset| may_read(dataset, source))
            .for_each(|dataset| self.datasets.send(&dataset));
    }

    /// A source came: its readers are looked at if it is another for them.
    pub(super) fn source_told(&self, told: &Told<'_, AnalyticsSource>) {
        let mut seen = self.seen.lock().expect("no holder of this lock panics");
        match told {
            Told::There(source) => {
                let state = SourceState {
                    uid: source.metadata.uid.clone(),
                    generation: source.metadata.generation,
                    approved: source.status.as_ref().and_then(|status| status.approved.as_ref()?.revision),
                    in_the_way: in_the_way(source),
                    leaving: source.metadata.deletion_timestamp.is_some(),
                };
                let key = key(*source);
                if seen.sources.get(&key) != Some(&state) {
                    seen.sources.insert(key, state);
                    self.readers(source);
                }
            }
            Told::Gone(source) => {
                seen.sources.remove(&key(*source));
                self.readers(source);
            }
            Told::Listed => self.datasets.state().for_each(|dataset| self.datasets.send(&dataset)),
        }
    }

    /// A dataset came: the sources that it names, or named before, say who uses them.
    pub(super) fn dataset_told(&self, told: &Told<'_, AnalyticsDataset>) {
        let mut seen = self.seen.lock().expect("no holder of this lock panics");
        let concerned: BTreeSet<String> = match told {
            Told::There(dataset) => {
                let named = named(dataset);
                match seen.datasets.insert(key(*dataset), named.clone()) {
                    Some(before) if before == named => return,
                    before => before.unwrap_or_default().union(&named).cloned().collect(),
                }
            }
            Told::Gone(dataset) => seen.datasets.remove(&key(*dataset)).unwrap_or_default(),
            Told::Listed => return self.sources.state().for_each(|source| self.sources.send(&source)),
        };
        let of_them = self.sources.state().filter(|source| concerned.contains(&source.spec.id()));
        of_them.for_each(|source| self.sources.send(&source));
    }
}

fn key(object: &impl kube::Resource) -> (String, String) {
    (object.meta().namespace.clone().unwrap_or_default(), object.meta().name.clone().unwrap_or_default())
}

fn named(dataset: &AnalyticsDataset) -> BTreeSet<String> {
    dataset.spec.definition.sources.iter().map(|source| source.source_id.clone()).collect()
}

/// Whether the definition reads a source, or what is served may: while that is no version of the definition, it may read
/// any source of its connection.
fn may_read(dataset: &AnalyticsDataset, source: &AnalyticsSource) -> bool {
    let Some(status) = &dataset.status else { return named(dataset).contains(&source.spec.id()) };
    let is_current = status
        .conditions
        .iter()
        .any(|condition| condition.type_ == condition::PUBLISHED && condition.reason == Reason::Current.as_str());
    let served = status.published.as_ref().filter(|_| !is_current);
    served.is_some_and(|record| record.connection == source.spec.connection)
        || named(dataset).contains(&source.spec.id())
}

/// The objects of a watch, as a controller takes them: each after the cache has it. A list comes as a whole at its end,
/// because until then the cache holds what was there before.
pub(super) fn objects<K>(
    api: &Api<K>,
    writer: reflector::store::Writer<K>,
    tell: impl Fn(&Told<'_, K>) + Send + 'static,
) -> impl Stream<Item = Result<K, watcher::Error>> + Send + 'static
where
    K: kube::Resource<DynamicType = ()> + Clone + DeserializeOwned + std::fmt::Debug + Send + Sync + 'static,
    ObjectRef<K>: Hash + Eq,
{
    let store = writer.as_reader();
    let events = watch(api.clone(), watcher::Config::default()).default_backoff().reflect(writer);
    events.flat_map(move |event| stream::iter(told(event, &store, &tell)))
}

fn told<K>(
    event: Result<Event<K>, watcher::Error>,
    store: &Store<K>,
    tell: &impl Fn(&Told<'_, K>),
) -> Vec<Result<K, watcher::Error>>
where
    K: kube::Resource<DynamicType = ()> + Clone + 'static,
{
    match event {
        Ok(Event::Apply(object)) => {
            tell(&Told::There(&object));
            vec![Ok(object)]
        }
        Ok(Event::Delete(object)) => {
            tell(&Told::Gone(&object));
            Vec::new()
        }
        Ok(Event::InitDone) => {
            let listed = store.state();
            listed.iter().for_each(|object| tell(&Told::There(object)));
            tell(&Told::Listed);
            listed.into_iter().map(|object| Ok((*object).clone())).collect()
        }
        Ok(Event::Init | Event::InitApply(_)) => Vec::new(),
        Err(error) => vec![Err(error)],
    }
}

/// What a receiver brings, as a stream.
pub(super) fn triggers<K: kube::Resource<DynamicType = ()> + Send + 'static>(
    receiver: Receiver<K>,
) -> impl Stream<Item = ObjectRef<K>> + Send + 'static {
    stream::unfold(receiver, |mut receiver| async move { receiver.recv().await.map(|object| (object, receiver)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn source(table: &str, generation: i64, status: &serde_json::Value) -> AnalyticsSource {
        serde_json::from_value(json!({
            "apiVersion": "analytics.wow.dev/v1alpha1", "kind": "AnalyticsSource",
            "metadata": { "namespace": "shop", "name": table, "uid": table, "generation": generation },
            "spec": { "connection": "default", "database": "wow", "table": table, "platformDimension": true },
            "status": status,
        }))
        .expect("a source")
    }

    /// A dataset over `orders` whose version 1 is served.
    fn dataset(published: &str) -> AnalyticsDataset {
        serde_json::from_value(json!({
            "apiVersion": "analytics.wow.dev/v1alpha1", "kind": "AnalyticsDataset",
            "metadata": { "namespace": "shop", "name": "a" },
            "spec": { "context": "shop", "name": "a", "definition": {
                "sources": [{ "alias": "o", "sourceId": "default:wow:orders" }], "subject": "o",
                "columns": [{ "name": "x", "from": "o.x" }],
            } },
            "status": {
                "published": {
                    "format": 1, "id": "shop.a", "version": 1, "connection": "default", "contentHash": "", "publishedAt": "",
                    "view": { "database": "", "name": "" }, "available": true, "timeZone": "UTC", "columns": [],
                },
                "conditions": [{
                    "type": "Published", "status": "True", "reason": published, "message": "",
                    "lastTransitionTime": "2026-01-01T00:00:00Z",
                }],
            },
        }))
        .expect("a dataset")
    }

    fn filled<K>(objects: &[K]) -> Store<K>
    where
        K: kube::Resource<DynamicType = ()> + Clone + 'static,
    {
        let (store, mut writer) = reflector::store();
        objects.iter().for_each(|object| writer.apply_watcher_event(&Event::Apply(object.clone())));
        store
    }

    fn waiting<K: kube::Resource<DynamicType = ()>>(receiver: &mut Receiver<K>) -> usize {
        std::iter::from_fn(|| receiver.try_recv().ok()).count()
    }

    #[test]
    fn readers_are_looked_at_when_a_source_is_another_for_them() {
        let orders = |generation: i64, status: &serde_json::Value| source("orders", generation, status);
        let (changes, _, mut of_datasets) =
            Changes::new(&[filled::<AnalyticsSource>(&[])], &[filled(&[dataset("Current")])]);
        let mut sent = |told: &Told<'_, AnalyticsSource>| {
            changes.source_told(told);
            waiting(&mut of_datasets[0])
        };
        let none = json!({});
        assert_eq!(sent(&Told::There(&orders(1, &none))), 1);
        assert_eq!(
            sent(&Told::There(&orders(1, &json!({ "usedBy": ["shop.a"] })))),
            0,
            "who uses it is nothing to them"
        );
        assert_eq!(sent(&Told::There(&orders(2, &none))), 1);
        let approved = json!({ "approved": { "digest": "", "by": "", "at": "", "revision": 2 } });
        assert_eq!(sent(&Told::There(&orders(2, &approved))), 1);
        assert_eq!(sent(&Told::There(&source("customers", 1, &none))), 0, "another source is nothing to them");
        assert_eq!(sent(&Told::Gone(&orders(2, &approved))), 1);
        assert_eq!(sent(&Told::Listed), 1);
    }

    #[test]
    fn a_version_that_is_no_longer_the_definitions_may_read_any_source_of_its_connection() {
        let customers = source("customers", 1, &json!({}));
        assert!(!may_read(&dataset("Current"), &customers));
        assert!(may_read(&dataset("Previous"), &customers));
        assert!(may_read(&dataset("Unavailable"), &customers));
    }

    #[test]
    fn the_sources_that_a_dataset_names_and_named_say_who_uses_them() {
        let none = json!({});
        let sources = [source("orders", 1, &none), source("customers", 1, &none), source("others", 1, &none)];
        let (changes, mut of_sources, _) = Changes::new(&[filled(&sources)], &[filled::<AnalyticsDataset>(&[])]);
        let mut sent = |told: &Told<'_, AnalyticsDataset>| {
            changes.dataset_told(told);
            waiting(&mut of_sources[0])
        };
        let mut dataset = dataset("Current");
        assert_eq!(sent(&Told::There(&dataset)), 1);
        assert_eq!(sent(&Told::There(&dataset)), 0);
        dataset.spec.definition.sources[0].source_id = "default:wow:customers".into();
        assert_eq!(sent(&Told::There(&dataset)), 2, "the one before too");
        assert_eq!(sent(&Told::Gone(&dataset)), 1);
    }

    #[test]
    fn a_list_is_told_once_the_cache_has_it() {
        let (store, mut writer) = reflector::store();
        let orders = source("orders", 1, &json!({}));
        let given = std::cell::RefCell::new(Vec::new());
        let tell = |told: &Told<'_, AnalyticsSource>| {
            given.borrow_mut().push(matches!(told, Told::There(_)) as usize);
        };
        let mut passed = Vec::new();
        for event in [Event::Init, Event::InitApply(orders), Event::InitDone] {
            writer.apply_watcher_event(&event);
            passed.push(told(Ok(event), &store, &tell).len());
        }
        assert_eq!(passed, [0, 0, 1]);
        assert_eq!(*given.borrow(), [1, 0], "the object, then that everything was listed");
    }
}
