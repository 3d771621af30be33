//! Reads what the compiler must know of the configured databases (ClickHouse facts 10).

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Warehouse, WarehouseError};
use crate::catalog::{Catalog, Table, TableColumn};
use crate::sql::{Sql, literal};

#[derive(Deserialize)]
struct TableRow {
    database: String,
    name: String,
    uuid: String,
    engine: String,
    engine_full: String,
    sorting_key: String,
    row_policy: u8,
}

#[derive(Deserialize)]
struct ColumnRow {
    database: String,
    table: String,
    name: String,
    #[serde(rename = "type")]
    column_type: String,
    default_kind: String,
    default_expression: String,
    in_sorting_key: u8,
}

impl Warehouse {
    /// The tables of the databases, given as logical names with physical ones; only those of `tables`, given as logical
    /// database and table, where they are stated.
    ///
    /// # Errors
    /// If the server cannot be reached or the account may not read the system tables.
    pub async fn read_catalog(
        &self,
        databases: &BTreeMap<String, String>,
        tables: Option<&BTreeSet<(String, String)>>,
    ) -> Result<Catalog, WarehouseError> {
        let list = match tables {
            Some(tables) => {
                let pairs: Vec<String> = tables
                    .iter()
                    .filter_map(|(database, table)| {
                        let physical = databases.get(database)?;
                        Some(format!("({}, {})", literal::string(physical), literal::string(table)))
                    })
                    .collect();
                pairs.join(", ")
            }
            None => databases.values().map(|physical| literal::string(physical)).collect::<Vec<_>>().join(", "),
        };
        if list.is_empty() {
            return Ok(Catalog::default());
        }
        let (table_key, column_key) = match tables {
            Some(_) => ("(database, name)", "(database, table)"),
            None => ("database", "database"),
        };
        let table_sql = Sql::rendered(format!(
            "SELECT database, name, toString(uuid) AS uuid, engine, engine_full, sorting_key, \
             toUInt8((database, name) IN (SELECT database, table FROM system.row_policies)) AS row_policy \
             FROM system.tables WHERE {table_key} IN ({list}) AND NOT is_temporary ORDER BY database, name"
        ));
        let column_sql = Sql::rendered(format!(
            "SELECT database, table, name, type, default_kind, default_expression, \
             toUInt8(is_in_sorting_key) AS in_sorting_key \
             FROM system.columns WHERE {column_key} IN ({list}) ORDER BY database, table, position"
        ));
        // Types are compared with what the server prints without line breaks (reference view, surprise 5).
        let settings = [("print_pretty_type_names", "0")];
        let mut table_rows: Vec<TableRow> = self.rows(&table_sql, &settings).await?;
        let column_rows: Vec<ColumnRow> = self.rows(&column_sql, &settings).await?;
        table_rows.sort_by(|a, b| (&a.database, &a.name).cmp(&(&b.database, &b.name)));
        let mut columns_of: BTreeMap<(String, String), Vec<TableColumn>> = BTreeMap::new();
        for row in column_rows {
            columns_of.entry((row.database, row.table)).or_default().push(TableColumn {
                name: row.name,
                column_type: row.column_type,
                default_kind: row.default_kind,
                default_expression: row.default_expression,
                in_sorting_key: row.in_sorting_key != 0,
            });
        }
        let mut catalog = Catalog::default();
        for (logical, physical) in databases {
            for row in table_rows.iter().filter(|row| row.database == *physical) {
                catalog.tables.push(Table {
                    database: logical.clone(),
                    physical_database: (logical != physical).then(|| physical.clone()),
                    name: row.name.clone(),
                    uuid: row.uuid.clone(),
                    engine: row.engine.clone(),
                    engine_full: row.engine_full.clone(),
                    sorting_key: row.sorting_key.clone(),
                    row_policy: row.row_policy != 0,
                    columns: columns_of.get(&(physical.clone(), row.name.clone())).cloned().unwrap_or_default(),
                });
            }
        }
        Ok(catalog)
    }

    /// What tells whether a table may have changed, by physical database and table; cheap enough to be asked often.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub async fn table_stamps(&self, databases: &BTreeMap<String, String>) -> Result<TableStamps, WarehouseError> {
        #[derive(Deserialize)]
        struct Row {
            database: String,
            name: String,
            uuid: String,
            modified: u32,
            now: u32,
        }
        let list = databases.values().map(|physical| literal::string(physical)).collect::<Vec<_>>().join(", ");
        if list.is_empty() {
            return Ok(TableStamps::default());
        }
        let sql = Sql::rendered(format!(
            "SELECT database, name, toString(uuid) AS uuid, toUInt32(metadata_modification_time) AS modified, \
             toUInt32(now()) AS now FROM system.tables WHERE database IN ({list}) AND NOT is_temporary"
        ));
        let rows: Vec<Row> = self.rows(&sql, &[]).await?;
        let read_at = rows.iter().map(|row| row.now).max().unwrap_or_default();
        let stamp = |row: Row| ((row.database, row.name), (row.uuid, row.modified));
        Ok(TableStamps { read_at, tables: rows.into_iter().map(stamp).collect() })
    }
}

/// The identity and the last change of each table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableStamps {
    read_at: u32,
    tables: BTreeMap<(String, String), (String, u32)>,
}

impl TableStamps {
    /// The tables that may have changed since `earlier`, by physical database and table.
    pub fn changed_since(&self, earlier: &Self) -> BTreeSet<(String, String)> {
        let gone = earlier.tables.keys().filter(|table| !self.tables.contains_key(*table));
        // The time has a resolution of a second: two changes in one look alike, so a fresh one is looked at again.
        let changed = self
            .tables
            .iter()
            .filter(|(table, stamp)| earlier.tables.get(*table) != Some(*stamp) || stamp.1 + 2 >= earlier.read_at);
        changed.map(|(table, _)| table).chain(gone).cloned().collect()
    }
}
