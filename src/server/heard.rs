//! What the API server's objects say of publications, namespace by namespace. Pure: knows no connection and no view.

use std::collections::BTreeMap;

use kube::api::DynamicObject;
use kube::runtime::watcher::Event;
use serde_json::Value;

use crate::api::PublicationRecord;
use crate::api::record::FORMAT;

/// What is said of one dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// The dataset's ID.
    pub id: String,
    /// Its record, or why this program cannot read it: a later one may write what it does not know (design 3.5).
    pub record: Result<PublicationRecord, String>,
}

impl From<PublicationRecord> for Heard {
    fn from(record: PublicationRecord) -> Self {
        Self { id: record.id.clone(), record: Ok(record) }
    }
}

impl Heard {
    /// What a record says; none where not even the ID can be read. The format is looked at first: of a format that is not
    /// known nothing else is.
    pub(super) fn of_record(record: &Value) -> Option<Self> {
        let id = record.get("id")?.as_str()?.to_owned();
        let record = match record.get("format").and_then(Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => {
                serde_path_to_error::deserialize(record).map_err(|error| error.to_string())
            }
            Some(format) => Err(format!("its format {format} is not known")),
            None => Err("it states no format".to_owned()),
        };
        Some(Self { id, record })
    }

    /// What an object says; nothing where it has no record, or is being deleted.
    fn of_object(object: &DynamicObject) -> Option<Self> {
        if object.metadata.deletion_timestamp.is_some() {
            return None;
        }
        let published = object.data.pointer("/status/published").filter(|record| !record.is_null())?;
        let heard = Self::of_record(published);
        if heard.is_none() {
            tracing::warn!(object = ?object.metadata.name, "the record of an object names no dataset");
        }
        heard
    }
}

/// What each namespace says.
#[derive(Debug)]
pub(super) struct Namespaces(Vec<Namespace>);

#[derive(Clone, Debug, Default)]
struct Namespace {
    /// Whether all its objects were ever listed.
    listed: bool,
    /// By the object's name; objects without a record are left out.
    objects: BTreeMap<String, Heard>,
    /// A list under way; what was known stays in force until it is whole.
    listing: BTreeMap<String, Heard>,
}

impl Namespaces {
    /// So many namespaces of which nothing is known.
    pub(super) fn new(count: usize) -> Self {
        Self(vec![Namespace::default(); count])
    }

    /// Hears an event of the namespace at an index; true if it may be news.
    pub(super) fn hear(&mut self, index: usize, event: Event<DynamicObject>) -> bool {
        let namespace = &mut self.0[index];
        let name = |object: &DynamicObject| object.metadata.name.clone().unwrap_or_default();
        match event {
            Event::Init => namespace.listing.clear(),
            Event::InitApply(object) => {
                namespace.listing.extend(Heard::of_object(&object).map(|heard| (name(&object), heard)));
            }
            Event::InitDone => {
                namespace.objects = std::mem::take(&mut namespace.listing);
                namespace.listed = true;
                return true;
            }
            Event::Apply(object) => {
                match Heard::of_object(&object) {
                    Some(heard) => namespace.objects.insert(name(&object), heard),
                    None => namespace.objects.remove(&name(&object)),
                };
                return true;
            }
            Event::Delete(object) => {
                namespace.objects.remove(&name(&object));
                return true;
            }
        }
        false
    }

    /// Whether every namespace was listed: before that, a record that is missing may just not be known yet.
    pub(super) fn are_listed(&self) -> bool {
        self.0.iter().all(|namespace| namespace.listed)
    }

    /// All that is said.
    pub(super) fn all(&self) -> Vec<Heard> {
        self.0.iter().flat_map(|namespace| namespace.objects.values().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(name: &str, published: &Value) -> DynamicObject {
        serde_json::from_value(json!({
            "apiVersion": "analytics.wow.dev/v1alpha1", "kind": "AnalyticsDataset", "metadata": { "name": name },
            // nothing else of an object may matter: a later program may write what this one cannot read
            "spec": { "lifecycle": "Hibernating" }, "status": { "published": published },
        }))
        .expect("an object")
    }

    fn record(id: &str, format: u32) -> Value {
        let record = PublicationRecord { id: id.to_owned(), format, ..PublicationRecord::default() };
        serde_json::to_value(record).expect("a record is JSON")
    }

    fn ids(namespaces: &Namespaces) -> Vec<String> {
        namespaces.all().into_iter().map(|heard| heard.id).collect()
    }

    #[test]
    fn a_record_that_is_not_understood_is_heard_of_and_takes_no_other_away() {
        let mut strange = record("shop.strange", FORMAT);
        strange["columns"] = json!([{ "name": "a", "type": "String", "protection": { "level": "Sealed" } }]);
        let mut namespaces = Namespaces::new(1);
        namespaces.hear(0, Event::Init);
        for (name, published) in [
            ("a", record("shop.known", FORMAT)),
            ("b", record("shop.later", FORMAT + 1)),
            ("c", strange),
            ("d", Value::Null),
            ("e", json!({ "format": 1 })),
        ] {
            namespaces.hear(0, Event::InitApply(object(name, &published)));
        }
        assert!(namespaces.hear(0, Event::InitDone) && namespaces.are_listed());
        let heard = namespaces.all();
        assert_eq!(ids(&namespaces), ["shop.known", "shop.later", "shop.strange"]);
        assert!(heard[0].record.is_ok());
        assert_eq!(heard[1].record, Err(format!("its format {} is not known", FORMAT + 1)));
        let why = heard[2].record.clone().expect_err("an unknown level");
        assert!(why.contains("columns[0].protection.level") && why.contains("Sealed"), "{why}");
    }

    #[test]
    fn a_namespace_that_lists_twice_does_not_stand_for_one_that_has_not() {
        let mut namespaces = Namespaces::new(2);
        for _ in 0..2 {
            namespaces.hear(0, Event::Init);
            namespaces.hear(0, Event::InitApply(object("a", &record("shop.a", FORMAT))));
            namespaces.hear(0, Event::InitDone);
        }
        assert!(!namespaces.are_listed());
        namespaces.hear(1, Event::Init);
        namespaces.hear(1, Event::InitDone);
        assert!(namespaces.are_listed());
        assert_eq!(ids(&namespaces), ["shop.a"]);
    }

    #[test]
    fn a_list_under_way_changes_nothing_until_it_is_whole() {
        let mut namespaces = Namespaces::new(1);
        namespaces.hear(0, Event::Init);
        namespaces.hear(0, Event::InitApply(object("a", &record("shop.a", FORMAT))));
        namespaces.hear(0, Event::InitDone);
        assert!(!namespaces.hear(0, Event::Init));
        assert!(!namespaces.hear(0, Event::InitApply(object("b", &record("shop.b", FORMAT)))));
        assert_eq!(ids(&namespaces), ["shop.a"]);
        // broken off, and begun anew
        namespaces.hear(0, Event::Init);
        namespaces.hear(0, Event::InitApply(object("c", &record("shop.c", FORMAT))));
        namespaces.hear(0, Event::InitDone);
        assert_eq!(ids(&namespaces), ["shop.c"]);
    }

    #[test]
    fn a_record_goes_with_its_object_and_with_its_deletion() {
        let mut namespaces = Namespaces::new(1);
        namespaces.hear(0, Event::Apply(object("a", &record("shop.a", FORMAT))));
        let mut ending = object("a", &record("shop.a", FORMAT));
        ending.metadata.deletion_timestamp = serde_json::from_value(json!("2026-01-01T00:00:00Z")).expect("a time");
        assert!(namespaces.hear(0, Event::Apply(ending)));
        assert!(ids(&namespaces).is_empty());
        namespaces.hear(0, Event::Apply(object("a", &record("shop.a", FORMAT))));
        namespaces.hear(0, Event::Delete(object("a", &Value::Null)));
        assert!(ids(&namespaces).is_empty());
    }
}
