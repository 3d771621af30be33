//! What a source states of its values, found by their names: a declaration may list thousands of paths, and each of them is
//! asked for. What the answers mean is `AnalyticsSourceSpec`'s.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::api::sensitivity::Sensitivity;
use crate::api::source::{AnalyticsSourceSpec, SourceColumn};

/// The entries of a declaration.
#[derive(Debug)]
pub(super) struct Stated<'a> {
    /// By column and path; of two for one value the first.
    entries: BTreeMap<(&'a str, &'a str), &'a SourceColumn>,
    /// The strictest level that is stated for a column and path.
    levels: BTreeMap<(&'a str, &'a str), Sensitivity>,
    /// The same by the value as it is written, `<column>[.<path>]`.
    written: BTreeMap<String, Sensitivity>,
}

impl<'a> Stated<'a> {
    pub(super) fn of(declaration: &'a AnalyticsSourceSpec) -> Self {
        let mut stated = Self { entries: BTreeMap::new(), levels: BTreeMap::new(), written: BTreeMap::new() };
        for entry in &declaration.columns {
            let name = (entry.name.as_str(), entry.path.as_str());
            stated.entries.entry(name).or_insert(entry);
            if let Some(own) = &entry.sensitivity {
                let own = own.normalized();
                let strictest = |level: &mut Sensitivity| *level = level.strictest(&own);
                stated.levels.entry(name).and_modify(strictest).or_insert_with(|| own.clone());
                stated.written.entry(entry.written()).and_modify(strictest).or_insert_with(|| own.clone());
            }
        }
        stated
    }

    /// The entry of a value.
    pub(super) fn entry(&self, column: &str, path: &str) -> Option<&'a SourceColumn> {
        self.entries.get(&(column, path)).copied()
    }

    /// Whether a level is stated for the value or for what contains it, within its column.
    pub(super) fn has_level(&self, column: &str, path: &str) -> bool {
        std::iter::once("").chain(around(path)).any(|outer| self.levels.contains_key(&(column, outer)))
    }

    /// [`AnalyticsSourceSpec::protection`].
    pub(super) fn protection(&self, value: &str) -> Sensitivity {
        let outer = around(value).filter_map(|outer| self.written.get(outer));
        let inside = format!("{value}.");
        let after = (Bound::Included(inside.as_str()), Bound::Unbounded);
        let inner = self.written.range::<str, _>(after).take_while(|(name, _)| name.starts_with(&inside));
        let all = outer.chain(inner.map(|(_, level)| level));
        all.fold(Sensitivity::PUBLIC, |strictest, next| strictest.strictest(next))
    }
}

/// All that contains a path, and the path.
fn around(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('.').map(|(at, _)| &path[..at]).chain([path])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_are_those_of_the_declaration() {
        let names = ["a", "a.b", "a.b.c", "a.bc", "a.b-", "b", "ab", "a.", "", "a.b.c.d", "a.b c"];
        let levels = [
            r#"{"level": "Public"}"#,
            r#"{"level": "Display", "mask": {"keepPrefix": 3}, "comparable": true}"#,
            r#"{"level": "Display", "mask": {"keepPrefix": 1, "keepSuffix": 2}}"#,
            r#"{"level": "Confidential"}"#,
        ];
        for seed in 0..400_usize {
            let entries: Vec<String> = (0..5)
                .map(|index| {
                    let part = |of: usize| (seed * 7919 + index * 104_729 + of * 1_299_709) / (index + 1 + of);
                    let level = match levels.get(part(3) % 5) {
                        Some(level) => format!(r#", "sensitivity": {level}"#),
                        None => String::new(),
                    };
                    let (name, path) = (names[part(1) % names.len()], names[part(2) % names.len()]);
                    format!(r#"{{"name": "{name}", "path": "{path}"{level}}}"#)
                })
                .collect();
            let text =
                format!(r#"{{"connection": "d", "database": "b", "table": "t", "columns": [{}]}}"#, entries.join(", "));
            let declaration: AnalyticsSourceSpec = serde_json::from_str(&text).expect("a declaration");
            let stated = Stated::of(&declaration);
            for name in names {
                assert_eq!(stated.protection(name), declaration.protection(name), "{name} of {text}");
                for path in names {
                    let first = declaration.columns.iter().find(|entry| entry.name == name && entry.path == path);
                    assert_eq!(stated.entry(name, path), first, "{name} and {path} of {text}");
                    let contains = |outer: &str| {
                        outer.is_empty()
                            || path == outer
                            || path.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
                    };
                    let has_level = declaration
                        .columns
                        .iter()
                        .any(|entry| entry.name == name && entry.sensitivity.is_some() && contains(&entry.path));
                    assert_eq!(stated.has_level(name, path), has_level, "{name} and {path} of {text}");
                }
            }
        }
    }
}
