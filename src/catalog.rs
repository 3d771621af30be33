//! Layer 0: what the compiler knows of a warehouse, as plain data. Read by `warehouse`, saved by `snapshot`,
//! written by hand in test cases.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The tables of the configured databases, by logical database and table name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Catalog {
    /// The tables.
    pub tables: Vec<Table>,
}

/// One table or view.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Table {
    /// The logical database name, as sources state it.
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
    /// Whether a row policy is defined on the table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub row_policy: bool,
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
    /// Whether the column is in the sorting key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_sorting_key: bool,
}

impl Catalog {
    /// The table of a logical database, if the catalog has it.
    pub fn table(&self, database: &str, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.database == database && table.name == name)
    }

    /// The tables by logical database and name.
    pub fn by_name(&self) -> BTreeMap<(&str, &str), &Table> {
        self.tables.iter().map(|table| ((table.database.as_str(), table.name.as_str()), table)).collect()
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
}
