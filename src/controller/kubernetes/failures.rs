//! How often looking at an object failed in a row: each failure waits longer for the next attempt.

use std::collections::BTreeMap;
use std::sync::Mutex;

use kube::Resource;

/// Counts of failures by kind, namespace and name.
#[derive(Default)]
pub(super) struct Failures(Mutex<BTreeMap<String, u32>>);

impl Failures {
    /// One more failure; how many there were in a row before it.
    pub(super) fn add(&self, object: &impl Resource<DynamicType = ()>) -> u32 {
        let mut counts = self.0.lock().expect("no holder of this lock panics");
        let count = counts.entry(key(object)).or_default();
        let before = *count;
        *count = count.saturating_add(1);
        before
    }

    /// It went well, or the object is gone.
    pub(super) fn forget(&self, object: &impl Resource<DynamicType = ()>) {
        self.0.lock().expect("no holder of this lock panics").remove(&key(object));
    }
}

fn key<K: Resource<DynamicType = ()>>(object: &K) -> String {
    let part = |part: &Option<String>| part.clone().unwrap_or_default();
    format!("{}/{}/{}", K::kind(&()), part(&object.meta().namespace), part(&object.meta().name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::AnalyticsDataset;

    #[test]
    fn failures_count_until_it_goes_well() {
        let dataset: AnalyticsDataset = serde_json::from_value(serde_json::json!({
            "metadata": { "name": "a" },
            "spec": { "context": "c", "name": "n", "definition": { "sources": [], "subject": "s", "columns": [] } },
        }))
        .expect("a dataset");
        let failures = Failures::default();
        assert_eq!((failures.add(&dataset), failures.add(&dataset)), (0, 1));
        failures.forget(&dataset);
        assert_eq!(failures.add(&dataset), 0);
    }
}
