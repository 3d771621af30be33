//! Every case that compiles, on a real ClickHouse: its tables are as the case says, its view has the names and types
//! that were inferred, can be planned, created by the operator's account and read by the query server's.

use std::collections::BTreeMap;

use analytics_catalog::catalog::{Catalog, Dictionary, Table};
use analytics_catalog::compile::CompiledDataset;
use analytics_catalog::plan::ddl;

use super::case::{self, Case};
use crate::support::clickhouse::{ADMIN_PASSWORD, ClickHouse, Ground, clickhouse};

#[tokio::test(flavor = "multi_thread")]
async fn every_view_has_the_types_that_were_inferred_and_can_be_read() {
    let started = std::time::Instant::now();
    let clickhouse = clickhouse().await;
    let ground = clickhouse.ground().await;
    let cases: Vec<Case> = case::folders().iter().map(|folder| Case::of(folder)).collect();
    let good: Vec<&Case> = cases.iter().filter(|case| case.compile(&case.catalog, "d").is_ok()).collect();
    let mut created = BTreeMap::new();
    for table in good.iter().flat_map(|case| &case.catalog.tables) {
        let name = (table.database.clone(), table.name.clone());
        match created.get(&name) {
            Some(other) => assert_eq!(*other, table, "two cases differ in a table of one name"),
            None if can_be_created(table) && reads_only(table, &created) => {
                create(&ground, table).await;
                created.insert(name, table);
            }
            None => {}
        }
    }
    let actual = read_catalog(&ground).await;
    let mut wrong: Vec<String> = created.values().filter_map(|table| difference(table, &actual)).collect();
    let (mut views, mut columns) = (0, 0);
    for case in good.iter().filter(|case| reads_created(case, &actual)) {
        match published(clickhouse, &ground, case, &actual).await {
            Ok(compiled) => {
                views += 1;
                columns += compiled.view_columns.len();
            }
            Err(problem) => wrong.push(format!("{}: {problem}", case.name)),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{views} views with {columns} columns on ClickHouse in {:?}", started.elapsed());
    assert!(views >= 60, "{views} views");
}

/// Compiles a case against the real tables and takes the steps of a publication.
pub async fn published(
    clickhouse: &ClickHouse,
    ground: &Ground,
    case: &Case,
    catalog: &Catalog,
) -> Result<CompiledDataset, String> {
    let compiled = case
        .compile(catalog, &ground.datasets)
        .map_err(|found| format!("does not compile here: {}", analytics_catalog::compile::lines(&found)))?;
    let operator = clickhouse.catalog();
    let version = case.version(&compiled, &ground.datasets);
    let described = operator.describe(&compiled.select).await.map_err(|error| format!("DESCRIBE: {error}"))?;
    let different: Vec<String> = (version.view_columns.iter().zip(&described))
        .filter(|(inferred, actual)| inferred != actual)
        .map(|(inferred, actual)| format!("{} is {} and was inferred as {}", actual.0, actual.1, inferred.1))
        .collect();
    if !different.is_empty() || described.len() != version.view_columns.len() {
        return Err(different.join("; "));
    }
    operator.explain(&compiled.select).await.map_err(|error| format!("EXPLAIN: {error}"))?;
    for piece in ddl::pieces(&version, "catalog", "tests") {
        operator.execute(&piece.statement).await.map_err(|error| format!("CREATE: {error}"))?;
    }
    let view = &version.record.view;
    clickhouse.reader().probe(&view.database, &view.name).await.map_err(|error| format!("probe: {error}"))?;
    let unscoped = format!("SELECT * FROM {}.{} LIMIT 0", view.database, view.name);
    match (clickhouse.as_reader(&unscoped, &[]).await, &compiled.scope.tenant) {
        (Err(refusal), Some(_)) if refusal.contains("Code: 349") => Ok(compiled),
        (Ok(_), None) => Ok(compiled),
        (other, _) => Err(format!("without a scope: {other:?}")),
    }
}

/// What the operator reads of a test's databases.
pub async fn read_catalog(ground: &Ground) -> Catalog {
    let databases = BTreeMap::from([("wow", &ground.wow), ("crm", &ground.crm)]);
    let databases = databases.into_iter().map(|(logical, physical)| (logical.to_owned(), physical.clone())).collect();
    ground.clickhouse.catalog().read_catalog(&databases, None).await.expect("the catalog can be read")
}

/// Creates a table as a case describes it, and before it those that it reads.
pub async fn create_with_what_it_reads(ground: &Ground, catalog: &Catalog, table: &Table) {
    let mut order = vec![table];
    let mut next = 0;
    while next < order.len() {
        order.extend(catalog.read_by(order[next]));
        next += 1;
    }
    for table in order.into_iter().rev() {
        if read_catalog(ground).await.table(&table.database, &table.name).is_none() {
            create(ground, table).await;
        }
    }
}

/// Creates a table as a case describes it.
pub async fn create(ground: &Ground, table: &Table) {
    if let Some(view) = &table.view {
        ground.sql(&format!("CREATE VIEW {}.{} AS {}", table.database, table.name, view.select)).await;
        return;
    }
    if let Some(dictionary) = &table.dictionary {
        let columns: Vec<String> =
            table.columns.iter().map(|column| format!("{} {}", column.name, column.column_type)).collect();
        let (columns, key, layout) = (columns.join(", "), dictionary.key.join(", "), &dictionary.layout);
        let read = dictionary.reads.as_ref().expect("it loads from a table");
        ground
            .sql(&format!(
                "CREATE DICTIONARY {}.{} ({columns}) PRIMARY KEY {key} SOURCE(CLICKHOUSE(DB '{}' TABLE '{}' USER 'admin' PASSWORD '{ADMIN_PASSWORD}')) LAYOUT({layout}()) LIFETIME(0)",
                table.database, table.name, ground.wow, read.table
            ))
            .await;
        return;
    }
    let columns = table.columns.iter().map(|column| {
        let default = format!(" {} {}", column.default_kind, column.default_expression);
        format!("{} {}{default}", analytics_catalog::sql::Identifier::new(&column.name), column.column_type)
    });
    let engine = match table.engine_full.split_once(" ORDER BY") {
        Some((engine, _)) => engine,
        None => &table.engine,
    };
    let columns = columns.collect::<Vec<_>>().join(", ");
    let (database, name) = (&table.database, &table.name);
    let key = match table.sorting_key.contains(',') {
        true => format!("({})", table.sorting_key),
        false => table.sorting_key.clone(),
    };
    if table.engine == "Memory" {
        ground.sql(&format!("CREATE TABLE {database}.{name} ({columns}) ENGINE = Memory")).await;
        return;
    }
    let engine = engine.split_once(" PARTITION BY").map_or(engine, |(engine, _)| engine);
    let partition = match table.partition_key.as_str() {
        "" => String::new(),
        key => format!(" PARTITION BY {key}"),
    };
    // The version of a record is added to the key by the engine.
    let primary = match table.primary_key.as_str() {
        "" => key,
        key => format!("({key})"),
    };
    ground.sql(&format!("CREATE TABLE {database}.{name} ({columns}) ENGINE = {engine}{partition} ORDER BY {primary} SETTINGS allow_suspicious_low_cardinality_types = 1")).await;
}

/// Tables that need other servers exist in golden files only.
fn can_be_created(table: &Table) -> bool {
    let elsewhere = ["Replicated", "Shared"].iter().any(|prefix| table.engine.starts_with(prefix));
    let stated =
        table.row_policy || table.shard_of.is_some() || table.columns.iter().any(|column| column.query_type.is_some());
    let engine = table.engine.ends_with("MergeTree")
        || ["View", "Memory"].contains(&table.engine.as_str())
        || is_simple_dictionary(table);
    !elsewhere && !stated && engine
}

/// Whether all that a view reads is created.
fn reads_only(table: &Table, created: &BTreeMap<(String, String), &Table>) -> bool {
    table.reads().into_iter().all(|name| created.contains_key(&(name.database, name.table)))
}

fn reads_created(case: &Case, actual: &Catalog) -> bool {
    let mut read = case.spec.definition.sources.iter().filter_map(|source| case.sources.get(&source.source_id));
    read.all(|source| actual.table(&source.declaration.database, &source.declaration.table).is_some())
}

/// How a real table differs from the one that a case describes.
fn difference(stated: &Table, actual: &Catalog) -> Option<String> {
    let found = actual.table(&stated.database, &stated.name)?;
    let shown = |table: &Table| {
        let columns = table.columns.iter();
        let columns: Vec<String> = columns
            .map(|column| {
                let parts = [&column.name, &column.column_type, &column.default_kind, &column.default_expression];
                parts.map(String::as_str).join(" ")
            })
            .collect();
        (table.engine.clone(), table.sorting_key.clone(), columns)
    };
    let (stated_shown, found_shown) = (shown(stated), shown(found));
    (stated_shown != found_shown)
        .then(|| format!("{}: the case says {stated_shown:?}, the server {found_shown:?}", stated.name))
}

/// Layouts of ranges and the like need more than a key.
fn is_simple_dictionary(table: &Table) -> bool {
    let simple = |dictionary: &Dictionary| dictionary.layout == "COMPLEX_KEY_HASHED" && dictionary.reads.is_some();
    table.dictionary.as_ref().is_some_and(simple)
}
