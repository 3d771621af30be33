//! Layer 0: what the compiler knows of a warehouse, as plain data. Read by `warehouse`, saved by `snapshot`,
//! written by hand in test cases.

mod base;
mod engine;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use base::{BaseTable, BaseTables};
pub use engine::{Distributed, distributed, engine_arguments};

/// The tables of the configured databases, and those that their data lives in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Catalog {
    /// The tables.
    pub tables: Vec<Table>,
    /// The databases on the server that no source may read, directly or through a view: those of datasets,
    /// materializations and catalog tables.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub reserved_databases: BTreeSet<String>,
    /// The cluster on each of whose nodes versions are published; none where one server is asked for everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<Cluster>,
}

/// A cluster of servers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cluster {
    /// Its name in the servers' configuration.
    pub name: String,
}

/// One table or view.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Table {
    /// The logical database name, as sources state it; empty for a table of a database that is not configured, which
    /// stands here because the data of another one lives in it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub database: String,
    /// The database's name on the server, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physical_database: Option<String>,
    /// The table's name.
    pub name: String,
    /// The table's UUID; a re-created table has another.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub uuid: String,
    /// The engine's name, such as `ReplacingMergeTree`.
    pub engine: String,
    /// The engine with its arguments and settings, as the server shows it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub engine_full: String,
    /// The sorting key, as the server shows it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sorting_key: String,
    /// The primary key, as the server shows it, where it is not the sorting key.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub primary_key: String,
    /// The partition key, as the server shows it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub partition_key: String,
    /// Whether a row policy is defined on the table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub row_policy: bool,
    /// The shards of the cluster of a `Distributed` table; none where the server does not know the cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shards: Option<u32>,
    /// The `Distributed` table, as `database.table`, that reads this one on each of several shards: this one holds the
    /// rows of one shard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard_of: Option<String>,
    /// What a plain view reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<View>,
    /// What a dictionary reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dictionary: Option<Dictionary>,
    /// The columns, in the table's order.
    pub columns: Vec<TableColumn>,
}

/// One column of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TableColumn {
    /// The column's name.
    pub name: String,
    /// The type, as the server shows it.
    #[serde(rename = "type")]
    pub column_type: String,
    /// `DEFAULT`, `MATERIALIZED`, `ALIAS`, `EPHEMERAL`, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub default_kind: String,
    /// The expression of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub default_expression: String,
    /// The type that the query of a view gives by now, where it is not the view's: a view casts without a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_type: Option<String>,
    /// Whether the column is in the sorting key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_sorting_key: bool,
}

/// The query of a plain view, and what it reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct View {
    /// The query, as the server writes it.
    pub select: String,
    /// The tables that it names, each as often as it is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<TableName>,
    /// The functions that it calls, table functions too, each once.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub functions: BTreeSet<String>,
    /// Those of the functions that make one value of many rows.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub aggregate_functions: BTreeSet<String>,
    /// Those of the functions that are not ClickHouse's own: what they do is written elsewhere.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub user_defined_functions: BTreeSet<String>,
    /// What of it could not be traced to tables, as parts of a sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untraced: Vec<String>,
    /// Why the query cannot be analysed any more, in the server's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// The key and the source of a dictionary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dictionary {
    /// The attributes of the key.
    pub key: Vec<String>,
    /// Its layout, such as `HASHED`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub layout: String,
    /// The table that it loads from, if that is one of the same server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads: Option<TableName>,
}

/// A table by its names on the server.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TableName {
    /// The database's name on the server.
    pub database: String,
    /// The table's name.
    pub table: String,
}

impl Catalog {
    /// The table of a logical database, if the catalog has it.
    pub fn table(&self, database: &str, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.database == database && table.name == name)
    }

    /// The table of a database as the server names it, if the catalog has it.
    pub fn physical_table(&self, database: &str, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name && table.physical_database() == database)
    }

    /// The tables that a table gets its rows from, one step down, as far as the catalog has them.
    pub fn read_by(&self, table: &Table) -> Vec<&Table> {
        table.reads().iter().filter_map(|name| self.physical_table(&name.database, &name.table)).collect()
    }
}

impl Table {
    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&TableColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The database's name on the server.
    pub fn physical_database(&self) -> &str {
        self.physical_database.as_deref().unwrap_or(&self.database)
    }

    /// The tables that it gets its rows from, one step down: the table on each shard, those that a view or a dictionary
    /// reads.
    pub fn reads(&self) -> Vec<TableName> {
        let shards = distributed(self).map(|distributed| distributed.local);
        let view = self.view.iter().flat_map(|view| view.reads.iter().cloned());
        let dictionary = self.dictionary.as_ref().and_then(|dictionary| dictionary.reads.clone());
        shards.into_iter().chain(view).chain(dictionary).collect()
    }

    /// Whether its rows are its own: it reads no other table.
    pub fn holds_rows(&self) -> bool {
        !matches!(self.engine.as_str(), "Distributed" | "View" | "Dictionary")
    }

    /// The table's names on the server, with a dot between them: for messages.
    pub fn physical_name(&self) -> String {
        format!("{}.{}", self.physical_database(), self.name)
    }
}
