//! `snapshot`: what the compiler knows of the warehouse, as a file, so that `check` and `compile` need no server.
//!
//! Names, types, keys and engines; no row, no address, no account but the definer's name, no password. The same tables
//! give the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{CommandError, tables};
use crate::catalog::{Catalog, Table};
use crate::configuration::Configuration;
use crate::manifest;

/// The format of the file; one that this program does not know is refused.
pub const FORMAT: u32 = 1;

/// Engines whose arguments name no other system, and so no account of one.
const PLAIN_ENGINES: [&str; 4] = ["MergeTree", "Distributed", "View", "Dictionary"];

/// The catalog's view of the warehouse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Snapshot {
    /// The format.
    pub format: u32,
    /// The connections by name.
    pub connections: BTreeMap<String, SnapshotConnection>,
}

/// One connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SnapshotConnection {
    /// The database of the views.
    pub datasets_database: String,
    /// The definer of the views.
    pub definer: String,
    /// The logical names of the databases in which sources live.
    pub databases: BTreeSet<String>,
    /// The tables.
    pub catalog: Catalog,
}

impl Snapshot {
    /// Reads the tables of all connections of a configuration.
    ///
    /// # Errors
    /// If a password cannot be read or a server does not answer.
    pub async fn take(configuration: &Configuration) -> Result<Self, CommandError> {
        let warehouses = tables::servers(configuration).await?;
        let mut connections = BTreeMap::new();
        for (name, connection) in &configuration.connections {
            let failed = |cause| CommandError::Warehouse { connection: name.clone(), cause };
            let mut catalog = warehouses[name].read_catalog(&connection.databases, None).await.map_err(failed)?;
            catalog.tables.sort_by(|a, b| (&a.database, &a.name).cmp(&(&b.database, &b.name)));
            catalog.tables.iter_mut().for_each(forget_other_systems);
            catalog.reserved_databases = [connection.datasets_database.clone()].into();
            catalog.cluster = connection.cluster();
            let snapshot = SnapshotConnection {
                datasets_database: connection.datasets_database.clone(),
                definer: connection.user.clone(),
                databases: connection.databases.keys().cloned().collect(),
                catalog,
            };
            connections.insert(name.clone(), snapshot);
        }
        Ok(Self { format: FORMAT, connections })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is of another format or is no snapshot.
    pub fn open(path: &Path) -> Result<Self, CommandError> {
        let failed = |why: String| CommandError::Snapshot { path: path.to_owned(), why };
        Self::parse(&manifest::read_large_file(path).map_err(failed)?).map_err(failed)
    }

    fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        // JSON is YAML; its own reader is faster and knows no anchors.
        let json = text.trim_start().starts_with('{');
        let no_snapshot = |why: String| {
            let why = why.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
            format!("it is no snapshot: {why}; `analytics-catalog snapshot` writes one")
        };
        let format = match json {
            true => serde_json::from_str::<Format>(text).map_err(|error| no_snapshot(error.to_string()))?,
            false => read_yaml::<Format>(text).map_err(no_snapshot)?,
        };
        if format.format != FORMAT {
            return Err(format!(
                "it has the format {}; this program reads {FORMAT}. Take the snapshot again with this program",
                format.format
            ));
        }
        match json {
            true => serde_json::from_str(text).map_err(|error| no_snapshot(error.to_string())),
            false => read_yaml(text).map_err(no_snapshot),
        }
    }

    /// The file's text, as JSON or as YAML.
    ///
    /// # Errors
    /// Where it has no form, which would be a mistake in the types.
    pub fn render(&self, json: bool) -> Result<String, CommandError> {
        let failed = |why: String| CommandError::Unwritable { why };
        match json {
            true => {
                serde_json::to_string_pretty(self).map(|text| text + "\n").map_err(|error| failed(error.to_string()))
            }
            false => {
                let text = serde_saphyr::to_string(self).map_err(|error| failed(error.to_string()))?;
                Ok(format!(
                    "# What the compiler knows of the warehouse; written by `analytics-catalog snapshot`.\n{text}"
                ))
            }
        }
    }
}

/// A snapshot is our own file, and may hold more than a hand writes.
fn read_yaml<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    let budget = serde_saphyr::budget! { max_events: usize::MAX, max_nodes: usize::MAX };
    let options = serde_saphyr::options! { budget: budget };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| error.without_snippet().to_string())
}

/// An engine over another system may show an address or an account of it, and is no source anyway.
fn forget_other_systems(table: &mut Table) {
    let plain = PLAIN_ENGINES.iter().any(|engine| table.engine.ends_with(engine));
    if !plain {
        table.engine_full.clear();
    }
    if let Some(view) = table.view.as_mut().filter(|view| !view.untraced.is_empty()) {
        view.select.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot() -> Snapshot {
        let tables = serde_json::json!({"tables": [
            {"database": "wow", "name": "a", "engine": "MergeTree", "engineFull": "MergeTree ORDER BY id",
             "columns": [{"name": "id", "type": "String"}]},
        ]});
        let connection = SnapshotConnection {
            datasets_database: "wow_datasets".to_owned(),
            definer: "catalog".to_owned(),
            databases: ["wow".to_owned()].into(),
            catalog: serde_json::from_value(tables).expect("a catalog"),
        };
        Snapshot { format: FORMAT, connections: [("default".to_owned(), connection)].into() }
    }

    #[test]
    fn what_is_written_is_read_again_in_both_forms() {
        for json in [true, false] {
            let text = snapshot().render(json).expect("it can be written");
            assert_eq!(Snapshot::parse(&text).expect("it can be read"), snapshot());
            assert_eq!(snapshot().render(json).expect("it can be written"), text);
        }
    }

    #[test]
    fn another_format_and_other_files_are_refused_in_words() {
        let later = snapshot().render(true).expect("it can be written").replace("\"format\": 1", "\"format\": 2");
        let problem = Snapshot::parse(&later).expect_err("a later format");
        assert_eq!(problem, "it has the format 2; this program reads 1. Take the snapshot again with this program");
        for other in ["", "hello", "a: 1", "{", "format: x", "format: 1\nconnections: {a: {b: c}}"] {
            let problem = Snapshot::parse(other).expect_err(other);
            assert!(problem.starts_with("it is no snapshot: ") && problem.len() < 300, "{problem}");
        }
    }

    #[test]
    fn arguments_of_an_engine_over_another_system_are_left_out() {
        for (engine, kept) in
            [("ReplicatedReplacingMergeTree", true), ("Distributed", true), ("MySQL", false), ("S3", false)]
        {
            let mut table = Table {
                engine: engine.to_owned(),
                engine_full: format!("{engine}('host', 'secret')"),
                ..Table::default()
            };
            forget_other_systems(&mut table);
            assert_eq!(!table.engine_full.is_empty(), kept, "{engine}");
        }
    }
}
