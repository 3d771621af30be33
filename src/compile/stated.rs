//! What a source states of its values, found by their names: a declaration may list thousands of paths, and each of them is
//! asked for. What the answers mean is `AnalyticsSourceSpec`'s.

use std::cmp::Ordering;

use crate::api::sensitivity::Sensitivity;
use crate::api::source::{AnalyticsSourceSpec, SourceColumn};

/// The entries of a declaration.
#[derive(Debug)]
pub(super) struct Stated<'a> {
    /// By the value as it is written, `<column>[.<path>]`; those of one value as the declaration has them.
    entries: Vec<&'a SourceColumn>,
}

impl<'a> Stated<'a> {
    pub(super) fn of(declaration: &'a AnalyticsSourceSpec) -> Self {
        let mut entries: Vec<&SourceColumn> = declaration.columns.iter().collect();
        entries.sort_by(|one, other| order((&one.name, &one.path), (&other.name, &other.path)));
        Self { entries }
    }

    /// The entry of a value; of two the first.
    pub(super) fn entry(&self, column: &str, path: &str) -> Option<&'a SourceColumn> {
        self.of_value(column, path).next()
    }

    /// The array of objects that a path lies in.
    pub(super) fn array_around(&self, column: &str, path: &str) -> Option<&'a SourceColumn> {
        let is_array =
            |entry: &&SourceColumn| entry.column_type.as_deref().is_some_and(|text| text.starts_with("Array(JSON"));
        path.match_indices('.').filter_map(|(at, _)| self.entry(column, &path[..at])).find(is_array)
    }

    /// Whether a level is stated for the value or for what contains it, within its column.
    pub(super) fn has_level(&self, column: &str, path: &str) -> bool {
        let within = std::iter::once("").chain(around(path));
        within.into_iter().any(|outer| self.of_value(column, outer).any(|entry| entry.sensitivity.is_some()))
    }

    /// [`AnalyticsSourceSpec::protection`].
    pub(super) fn protection(&self, value: &str) -> Sensitivity {
        let outer = around(value).flat_map(|outer| self.written_as(outer, ""));
        let inside = || value.bytes().chain([b'.']);
        let start = self.entries.partition_point(|entry| written(&entry.name, &entry.path).lt(inside()));
        let lies_inside = |entry: &&&SourceColumn| written(&entry.name, &entry.path).take(value.len() + 1).eq(inside());
        let inner = self.entries[start..].iter().take_while(lies_inside).copied();
        let levels = outer.chain(inner).filter_map(|entry| entry.sensitivity.as_ref());
        levels.fold(Sensitivity::PUBLIC, |strictest, next| strictest.strictest(&next.normalized()))
    }

    /// The entries of one column and path.
    fn of_value(&self, column: &str, path: &str) -> impl Iterator<Item = &'a SourceColumn> {
        self.written_as(column, path).filter(move |entry| entry.name == column && entry.path == path)
    }

    /// The entries that are written alike, whatever part of their names is the column's.
    fn written_as(&self, column: &str, path: &str) -> impl Iterator<Item = &'a SourceColumn> {
        let place = |entry: &&SourceColumn| order((&entry.name, &entry.path), (column, path));
        let start = self.entries.partition_point(|entry| place(entry) == Ordering::Less);
        let same = self.entries[start..].iter().take_while(move |entry| place(entry) == Ordering::Equal);
        same.copied()
    }
}

/// The order of two values as they are written.
fn order(one: (&str, &str), other: (&str, &str)) -> Ordering {
    match one.0 == other.0 {
        true => one.1.cmp(other.1),
        false => written(one.0, one.1).cmp(written(other.0, other.1)),
    }
}

/// A value as it is written.
fn written<'n>(column: &'n str, path: &'n str) -> impl Iterator<Item = u8> + 'n {
    let dot = if path.is_empty() { "" } else { "." };
    [column, dot, path].into_iter().flat_map(str::bytes)
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
