//! What of a table a version depends on (design 5.4).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::api::source::SourceIdentity;
use crate::catalog::{Catalog, Table, distributed};

/// What a version depends on in one source's table. Two equal fingerprints give the same numbers from the same rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fingerprint {
    /// The source.
    pub source_id: String,
    /// The table's UUID, where another table under the name is another source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The engine with its arguments.
    pub engine: String,
    /// The sorting key.
    pub sorting_key: String,
    /// The columns read.
    pub columns: Vec<FingerprintColumn>,
    /// All columns that the table had when the version was first published, in order.
    pub known: Vec<String>,
    /// The query, of a view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The tables that its rows come from, where they are others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behind: Vec<TableBehind>,
}

/// A table that another one gets its rows from.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableBehind {
    /// Its names on the server, with a dot between them.
    pub table: String,
    /// The engine with its arguments.
    pub engine: String,
    /// The sorting key.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sorting_key: String,
    /// The query, of a view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The columns that are read of the table on each shard, with their types.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
}

/// One column that a version reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FingerprintColumn {
    /// Its name.
    pub name: String,
    /// Its type; any enumeration is as good as any other, because it is read as text.
    #[serde(rename = "type")]
    pub column_type: String,
    /// Its place among the known columns.
    pub place: usize,
    /// The type that the query of a view gives, where it is not the view's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_type: Option<String>,
    /// Its default's kind and expression: an ALIAS gives another value when that changes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub default: String,
}

impl Fingerprint {
    /// The fingerprint of a table for the columns read. With the fingerprint of an earlier version, columns that the
    /// table gained since are left out, so that they change nothing.
    pub fn of(
        source_id: &str,
        identity: SourceIdentity,
        (table, catalog): (&Table, &Catalog),
        read: &BTreeSet<String>,
        earlier: Option<&Self>,
    ) -> Self {
        let all = || table.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
        let known = match earlier {
            Some(earlier) if read.iter().all(|name| earlier.known.contains(name)) => earlier.known.clone(),
            _ => all(),
        };
        let mut columns = Vec::new();
        for (place, column) in table.columns.iter().filter(|column| known.contains(&column.name)).enumerate() {
            if read.contains(&column.name) {
                columns.push(FingerprintColumn {
                    name: column.name.clone(),
                    column_type: comparable_type(&column.column_type),
                    place,
                    query_type: column.query_type.clone(),
                    default: [column.default_kind.as_str(), column.default_expression.as_str()]
                        .join(" ")
                        .trim()
                        .to_owned(),
                });
            }
        }
        Self {
            source_id: source_id.to_owned(),
            // A view that is created anew with the same text is the same view.
            uuid: (identity == SourceIdentity::Table && table.view.is_none())
                .then(|| table.uuid.clone())
                .filter(|uuid| !uuid.is_empty()),
            engine: engine_without_settings(&table.engine_full, &table.engine),
            sorting_key: table.sorting_key.clone(),
            columns,
            known,
            query: query_of(table),
            behind: behind(table, catalog, read),
        }
    }
}

impl Fingerprint {
    /// The fingerprint as it counts under what the source declares now: where that knows a table by its columns, another
    /// table under the name is the same source.
    #[must_use]
    pub fn known_by(&self, identity: Option<SourceIdentity>) -> Self {
        let by_table = identity == Some(SourceIdentity::Table);
        Self { uuid: self.uuid.clone().filter(|_| by_table), ..self.clone() }
    }

    /// What of a table no longer is as the fingerprint was taken; none if all of it is.
    pub fn difference(&self, table: &Table, catalog: &Catalog) -> Option<String> {
        let now = self.now(table, catalog);
        if now == *self {
            return None;
        }
        for before in &self.columns {
            match now.columns.iter().find(|column| column.name == before.name) {
                None => return Some(format!("the column {} is gone", before.name)),
                Some(column) if column.column_type != before.column_type => {
                    return Some(format!("{} was {} and is {}", before.name, before.column_type, column.column_type));
                }
                Some(column) if column.query_type != before.query_type => {
                    let query_type = column.query_type.as_ref().unwrap_or(&column.column_type);
                    return Some(format!("the view's query gives {} as {query_type} now", before.name));
                }
                Some(column) if column.default != before.default => {
                    return Some(format!("the default of {} is another", before.name));
                }
                Some(_) => {}
            }
        }
        if now.query != self.query {
            return Some("the query of the view is another".to_owned());
        }
        if let Some(changed) = now.behind.iter().find(|now| !self.behind.contains(now)) {
            return Some(format!("`{}`, which its rows come from, is another", changed.table));
        }
        self.other_source_than(&now).or_else(|| Some("the tables behind it are others".to_owned()))
    }

    /// What makes a table another source than the one that the fingerprint was taken of, whatever its columns are called
    /// and typed: the same names may stand for other data, so no version follows by itself (design 5.4, pitfalls E4).
    pub fn other_source(&self, table: &Table, catalog: &Catalog) -> Option<String> {
        self.other_source_than(&self.now(table, catalog))
    }

    fn other_source_than(&self, now: &Self) -> Option<String> {
        if now.uuid != self.uuid {
            return Some("it is another table".to_owned());
        }
        if (&now.engine, &now.sorting_key) != (&self.engine, &self.sorting_key) {
            return Some("its engine or key is another".to_owned());
        }
        let moved = |before: &FingerprintColumn| {
            now.columns.iter().any(|column| column.name == before.name && column.place != before.place)
        };
        if self.columns.iter().any(moved) {
            return Some("its columns stand in another order".to_owned());
        }
        let rebuilt = |before: &&TableBehind| {
            let now = now.behind.iter().find(|now| now.table == before.table);
            now.is_some_and(|now| (&now.engine, &now.sorting_key) != (&before.engine, &before.sorting_key))
        };
        let behind = self.behind.iter().find(rebuilt)?;
        Some(format!("`{}`, which its rows come from, is another", behind.table))
    }

    /// The fingerprint of the same columns as they are now.
    fn now(&self, table: &Table, catalog: &Catalog) -> Self {
        let read: BTreeSet<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let identity = if self.uuid.is_some() { SourceIdentity::Table } else { SourceIdentity::Columns };
        let now = Self::of(&self.source_id, identity, (table, catalog), &read, Some(self));
        // What is not known is not another.
        Self { uuid: now.uuid.clone().or_else(|| self.uuid.clone()), ..now }
    }
}

fn query_of(table: &Table) -> Option<String> {
    table.view.as_ref().map(|view| view.select.clone())
}

/// The tables that the rows of a table come from, through views and shards, sorted.
fn behind(table: &Table, catalog: &Catalog, read: &BTreeSet<String>) -> Vec<TableBehind> {
    let mut found: BTreeSet<TableBehind> = BTreeSet::new();
    let mut seen: BTreeSet<String> = [table.physical_name()].into();
    let on_shards = distributed(table).map(|read| format!("{}.{}", read.local.database, read.local.table));
    let mut open = catalog.read_by(table);
    while let Some(next) = open.pop() {
        if !seen.insert(next.physical_name()) {
            continue;
        }
        found.insert(TableBehind {
            table: next.physical_name(),
            engine: engine_without_settings(&next.engine_full, &next.engine),
            sorting_key: next.sorting_key.clone(),
            query: query_of(next),
            columns: if on_shards == Some(next.physical_name()) { types_of(next, read) } else { BTreeMap::new() },
        });
        open.extend(catalog.read_by(next));
    }
    found.into_iter().collect()
}

fn types_of(table: &Table, read: &BTreeSet<String>) -> BTreeMap<String, String> {
    let columns = table.columns.iter().filter(|column| read.contains(&column.name));
    columns.map(|column| (column.name.clone(), comparable_type(&column.column_type))).collect()
}

fn comparable_type(text: &str) -> String {
    match text {
        _ if text.starts_with("Enum") => "Enum".to_owned(),
        _ if text.starts_with("Nullable(Enum") => "Nullable(Enum)".to_owned(),
        _ => text.to_owned(),
    }
}

/// The engine and its arguments; what follows (keys, settings) is compared elsewhere or does not change answers.
fn engine_without_settings(full: &str, name: &str) -> String {
    match full.strip_prefix(name).filter(|rest| rest.starts_with('(')) {
        None => name.to_owned(),
        Some(rest) => {
            let mut depth = 0usize;
            let end = rest.char_indices().find_map(|(index, character)| {
                match character {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                (depth == 0).then_some(index + 1)
            });
            format!("{name}{}", &rest[..end.unwrap_or(rest.len())])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::TableColumn;

    fn table(columns: &[(&str, &str)]) -> Table {
        Table {
            engine: "ReplacingMergeTree".into(),
            engine_full: "ReplacingMergeTree(version) ORDER BY (a, b) SETTINGS index_granularity = 8192".into(),
            columns: columns
                .iter()
                .map(|(name, column_type)| TableColumn {
                    name: (*name).into(),
                    column_type: (*column_type).into(),
                    ..Default::default()
                })
                .collect(),
            ..Default::default()
        }
    }

    fn of(table: &Table, earlier: Option<&Fingerprint>) -> Fingerprint {
        let read = ["a", "b"].map(str::to_owned).into();
        Fingerprint::of("d:x:t", SourceIdentity::Columns, (table, &Catalog::default()), &read, earlier)
    }

    #[test]
    fn a_new_column_changes_nothing_and_a_swap_does() {
        let before = of(&table(&[("a", "String"), ("b", "String"), ("c", "String")]), None);
        assert_eq!(before.engine, "ReplacingMergeTree(version)");
        let grown = of(&table(&[("new", "UInt8"), ("a", "String"), ("b", "String"), ("c", "String")]), Some(&before));
        assert_eq!(grown, before);
        let swapped = of(&table(&[("b", "String"), ("a", "String"), ("c", "String")]), Some(&before));
        assert_ne!(swapped, before);
        let swapped_with_one_not_read = of(&table(&[("a", "String"), ("c", "String"), ("b", "String")]), Some(&before));
        assert_ne!(swapped_with_one_not_read, before);
    }
}
