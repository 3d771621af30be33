//! Reads what the compiler must know of the configured databases (ClickHouse facts 10).

mod names;
mod stamps;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Warehouse, WarehouseError};
use crate::catalog::{self, Catalog, Dictionary, Table, TableColumn, TableName};
use crate::sql::{Sql, literal};

pub use stamps::TableStamps;

/// How often what was read is followed to further tables: views over views end somewhere.
const MOST_STEPS: usize = 16;

/// Types are compared with what the server prints without line breaks (reference view, surprise 5).
const SETTINGS: [(&str, &str); 1] = [("print_pretty_type_names", "0")];

#[derive(Deserialize)]
struct TableRow {
    database: String,
    name: String,
    uuid: String,
    engine: String,
    engine_full: String,
    sorting_key: String,
    primary_key: String,
    partition_key: String,
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

/// Which tables are read.
enum Which {
    /// All of some databases.
    Databases(BTreeSet<String>),
    /// These.
    Tables(BTreeSet<TableName>),
}

impl Which {
    fn is_empty(&self) -> bool {
        match self {
            Self::Databases(databases) => databases.is_empty(),
            Self::Tables(tables) => tables.is_empty(),
        }
    }

    /// A condition on the columns of a system table that hold the database and the table.
    fn condition(&self, database: &str, table: &str) -> String {
        match self {
            Self::Databases(databases) => {
                let list: Vec<String> = databases.iter().map(|name| literal::string(name)).collect();
                format!("{database} IN ({})", list.join(", "))
            }
            Self::Tables(tables) => {
                let pair = |name: &TableName| {
                    format!("({}, {})", literal::string(&name.database), literal::string(&name.table))
                };
                let list: Vec<String> = tables.iter().map(pair).collect();
                format!("({database}, {table}) IN ({})", list.join(", "))
            }
        }
    }
}

impl Warehouse {
    /// The tables of the databases, given as logical names with physical ones; only those of `tables`, given as logical
    /// database and table, where they are stated. With them come the tables that their data lives in.
    ///
    /// # Errors
    /// If the server cannot be reached or the account may not read the system tables.
    pub async fn read_catalog(
        &self,
        databases: &BTreeMap<String, String>,
        tables: Option<&BTreeSet<(String, String)>>,
    ) -> Result<Catalog, WarehouseError> {
        let mut which = match tables {
            None => Which::Databases(databases.values().cloned().collect()),
            Some(tables) => Which::Tables(
                tables
                    .iter()
                    .filter_map(|(database, table)| {
                        Some(TableName { database: databases.get(database)?.clone(), table: table.clone() })
                    })
                    .collect(),
            ),
        };
        let mut read: Vec<Table> = Vec::new();
        let mut asked: BTreeSet<TableName> = BTreeSet::new();
        for _ in 0..MOST_STEPS {
            if which.is_empty() {
                break;
            }
            if let Which::Tables(names) = &which {
                asked.extend(names.iter().cloned());
            }
            let mut found = self.read_tables(&which).await?;
            self.trace_views(&mut found).await?;
            self.read_dictionaries(&which, &mut found).await?;
            asked.extend(found.iter().map(physical_name));
            let further = found.iter().flat_map(Table::reads).filter(|name| !asked.contains(name));
            which = Which::Tables(further.collect());
            read.extend(found);
        }
        self.read_clusters(&mut read).await?;
        Ok(Catalog { tables: with_logical_names(databases, read), ..Catalog::default() })
    }

    /// Tables with their columns, under the server's names.
    async fn read_tables(&self, which: &Which) -> Result<Vec<Table>, WarehouseError> {
        let table_sql = Sql::rendered(format!(
            "SELECT database, name, toString(uuid) AS uuid, engine, engine_full, sorting_key, primary_key, partition_key, \
             toUInt8((database, name) IN (SELECT database, table FROM system.row_policies) \
             OR (database, '') IN (SELECT database, table FROM system.row_policies)) AS row_policy \
             FROM system.tables WHERE {} AND NOT is_temporary ORDER BY database, name",
            which.condition("database", "name")
        ));
        let column_sql = Sql::rendered(format!(
            "SELECT database, table, name, type, default_kind, default_expression, \
             toUInt8(is_in_sorting_key) AS in_sorting_key \
             FROM system.columns WHERE {} ORDER BY database, table, position",
            which.condition("database", "table")
        ));
        let table_rows: Vec<TableRow> = self.rows(&table_sql, &SETTINGS).await?;
        let column_rows: Vec<ColumnRow> = self.rows(&column_sql, &SETTINGS).await?;
        let mut columns_of: BTreeMap<(String, String), Vec<TableColumn>> = BTreeMap::new();
        for row in column_rows {
            columns_of.entry((row.database, row.table)).or_default().push(TableColumn {
                name: row.name,
                column_type: row.column_type,
                default_kind: row.default_kind,
                default_expression: row.default_expression,
                query_type: None,
                in_sorting_key: row.in_sorting_key != 0,
            });
        }
        let table = |row: TableRow| Table {
            columns: columns_of.remove(&(row.database.clone(), row.name.clone())).unwrap_or_default(),
            physical_database: Some(row.database),
            name: row.name,
            uuid: row.uuid,
            engine: row.engine,
            engine_full: row.engine_full,
            primary_key: if row.primary_key == row.sorting_key { String::new() } else { row.primary_key },
            sorting_key: row.sorting_key,
            partition_key: row.partition_key,
            row_policy: row.row_policy != 0,
            ..Table::default()
        };
        Ok(table_rows.into_iter().map(table).collect())
    }

    async fn read_dictionaries(&self, which: &Which, tables: &mut [Table]) -> Result<(), WarehouseError> {
        #[derive(Deserialize)]
        struct Row {
            database: String,
            name: String,
            key: Vec<String>,
            layout: String,
            read_databases: Vec<String>,
            read_tables: Vec<String>,
        }
        if tables.iter().all(|table| table.engine != "Dictionary") {
            return Ok(());
        }
        // What `system.dictionaries` says of the layout is empty until the dictionary is loaded.
        let sql = Sql::rendered(format!(
            "SELECT d.database AS database, d.name AS name, d.key.names AS key, \
             extract(t.create_table_query, 'LAYOUT\\\\((\\\\w+)') AS layout, \
             t.loading_dependencies_database AS read_databases, t.loading_dependencies_table AS read_tables \
             FROM system.dictionaries AS d INNER JOIN (SELECT database, name, create_table_query, \
             loading_dependencies_database, loading_dependencies_table FROM system.tables \
             WHERE engine = 'Dictionary' AND {}) AS t ON d.database = t.database AND d.name = t.name",
            which.condition("database", "name")
        ));
        let rows: Vec<Row> = self.rows(&sql, &[]).await?;
        for table in tables.iter_mut().filter(|table| table.engine == "Dictionary") {
            let here = |row: &&Row| table.physical_database() == row.database && table.name == row.name;
            let Some(row) = rows.iter().find(here) else { continue };
            let reads = match (row.read_databases.as_slice(), row.read_tables.as_slice()) {
                ([database], [table]) => Some(TableName { database: database.clone(), table: table.clone() }),
                _ => None,
            };
            table.dictionary = Some(Dictionary { key: row.key.clone(), layout: row.layout.clone(), reads });
        }
        Ok(())
    }

    /// Fills in over how many shards tables are spread.
    async fn read_clusters(&self, tables: &mut [Table]) -> Result<(), WarehouseError> {
        #[derive(Deserialize)]
        struct Row {
            cluster: String,
            shards: u32,
        }
        let sql = "SELECT cluster, toUInt32(max(shard_num)) AS shards FROM system.clusters GROUP BY cluster";
        let rows: Vec<Row> = self.rows(&Sql::rendered(sql.to_owned()), &[]).await?;
        let clusters: BTreeMap<String, u32> = rows.into_iter().map(|row| (row.cluster, row.shards)).collect();
        for table in tables.iter_mut() {
            table.shards =
                catalog::distributed(table).and_then(|distributed| clusters.get(&distributed.cluster).copied());
        }
        // Only where rows are spread at all is it worth to look for what reads them from everywhere.
        if clusters.values().all(|shards| *shards < 2) || tables.is_empty() {
            return Ok(());
        }
        let sql = "SELECT database, name, engine, engine_full FROM system.tables WHERE engine = 'Distributed' ORDER BY database, name";
        #[derive(Deserialize)]
        struct DistributedRow {
            database: String,
            name: String,
            engine: String,
            engine_full: String,
        }
        let rows: Vec<DistributedRow> = self.rows(&Sql::rendered(sql.to_owned()), &[]).await?;
        for row in rows {
            let over = Table {
                database: row.database,
                name: row.name,
                engine: row.engine,
                engine_full: row.engine_full,
                ..Table::default()
            };
            let Some(distributed) = catalog::distributed(&over) else { continue };
            if clusters.get(&distributed.cluster).is_none_or(|shards| *shards < 2) {
                continue;
            }
            for table in tables.iter_mut().filter(|table| physical_name(table) == distributed.local) {
                table.shard_of.get_or_insert_with(|| over.physical_name());
            }
        }
        Ok(())
    }
}

fn physical_name(table: &Table) -> TableName {
    TableName { database: table.physical_database().to_owned(), table: table.name.clone() }
}

/// The tables under the names by which sources state their databases; at the end those that no source can name.
fn with_logical_names(databases: &BTreeMap<String, String>, read: Vec<Table>) -> Vec<Table> {
    let mut read = read;
    read.sort_by(|a, b| (a.physical_database(), &a.name).cmp(&(b.physical_database(), &b.name)));
    let mut tables = Vec::new();
    for (logical, physical) in databases {
        for table in read.iter().filter(|table| table.physical_database() == physical) {
            tables.push(Table {
                database: logical.clone(),
                physical_database: (logical != physical).then(|| physical.clone()),
                ..table.clone()
            });
        }
    }
    let configured: BTreeSet<&String> = databases.values().collect();
    tables.extend(read.into_iter().filter(|table| !configured.contains(&table.physical_database().to_owned())));
    tables
}
