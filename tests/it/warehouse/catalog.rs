//! What is read of tables that get their rows from others.

use std::collections::{BTreeMap, BTreeSet};

use analytics_catalog::catalog::{BaseTable, Catalog, TableName};

use crate::support::clickhouse::{Ground, clickhouse};

async fn read(ground: &Ground, tables: &[&str]) -> Catalog {
    // `crm` is no database that sources may name.
    let databases = BTreeMap::from([("wow".to_owned(), ground.wow.clone())]);
    let tables: BTreeSet<(String, String)> = tables.iter().map(|name| ("wow".to_owned(), (*name).to_owned())).collect();
    ground.clickhouse.catalog().read_catalog(&databases, Some(&tables)).await.expect("the catalog can be read")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tables_behind_a_view_are_traced_through_views_and_dictionaries() {
    let ground = clickhouse().await.ground().await;
    for statement in [
        "CREATE TABLE wow.`odd.name` (tenant_id String, id String, amount UInt8) ENGINE = ReplacingMergeTree ORDER BY (tenant_id, id) PARTITION BY id",
        "CREATE TABLE crm.regions (code String, label String) ENGINE = MergeTree ORDER BY (code, label) PRIMARY KEY code",
        "CREATE TABLE crm.listed (id String) ENGINE = MergeTree ORDER BY id",
        "CREATE DICTIONARY wow.names (code String, label String) PRIMARY KEY code SOURCE(CLICKHOUSE(DB 'crm' TABLE 'regions')) LAYOUT(COMPLEX_KEY_HASHED()) LIFETIME(0)",
        "CREATE VIEW wow.inner_v AS SELECT tenant_id, id, amount FROM wow.`odd.name` AS o FINAL WHERE id IN crm.listed",
        "CREATE VIEW wow.outer_v AS WITH few AS (SELECT id FROM wow.inner_v) SELECT tenant_id, id, amount, dictGet('wow.names', 'label', tuple(id)) AS label, upper(currentUser()) AS u FROM wow.inner_v WHERE id IN (SELECT id FROM few)",
        "CREATE VIEW wow.far_v AS SELECT number FROM numbers(3) AS n, url('http://localhost', 'CSV', 'a UInt8') AS u",
    ] {
        // Names of databases in texts are not seen by `physical`.
        ground.sql(&statement.replace("'crm'", &format!("'{}'", ground.crm))).await;
    }
    let catalog = read(&ground, &["outer_v", "far_v"]).await;
    let outer = catalog.table("wow", "outer_v").expect("the view is read");
    let view = outer.view.as_ref().expect("its query is known");
    assert!(view.functions.contains("currentUser") && view.untraced.is_empty() && view.broken.is_none(), "{view:?}");
    let base = catalog.base_tables(outer);
    let name = |database: &str, table: &str| TableName { database: database.to_owned(), table: table.to_owned() };
    let mut expected = vec![
        BaseTable { logical_database: Some("wow".into()), name: name(&ground.wow, "odd.name") },
        BaseTable { logical_database: None, name: name(&ground.crm, "regions") },
        BaseTable { logical_database: None, name: name(&ground.crm, "listed") },
    ];
    expected.sort();
    assert_eq!((base.tables, base.untraced), (expected, Vec::new()));
    let odd = catalog.table("wow", "odd.name").expect("what is behind is read with its columns");
    assert_eq!((odd.sorting_key.as_str(), odd.partition_key.as_str(), odd.columns.len()), ("tenant_id, id", "id", 3));
    let regions = catalog.physical_table(&ground.crm, "regions").expect("it is read");
    assert_eq!((regions.primary_key.as_str(), regions.database.as_str()), ("code", ""));
    let names = catalog.table("wow", "names").and_then(|table| table.dictionary.as_ref()).expect("it is a dictionary");
    assert_eq!((names.key.as_slice(), names.layout.as_str()), (["code".to_owned()].as_slice(), "COMPLEX_KEY_HASHED"));
    let far = catalog.table("wow", "far_v").and_then(|table| table.view.as_ref()).expect("its query is known");
    assert_eq!(far.untraced, ["the table function `url`"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_view_that_no_longer_shows_what_its_query_gives_is_known() {
    let ground = clickhouse().await.ground().await;
    ground.sql("CREATE TABLE wow.t (id String, amount UInt8, gone UInt8) ENGINE = MergeTree ORDER BY id").await;
    ground.sql("CREATE VIEW wow.v AS SELECT id, amount FROM wow.t").await;
    ground.sql("CREATE VIEW wow.b AS SELECT gone FROM wow.t").await;
    let catalog = read(&ground, &["v", "b"]).await;
    let amount = |catalog: &Catalog| {
        let column =
            catalog.table("wow", "v").and_then(|table| table.column("amount")).expect("the view has it").clone();
        (column.column_type, column.query_type)
    };
    assert_eq!(amount(&catalog), ("UInt8".to_owned(), None));
    ground.sql("ALTER TABLE wow.t MODIFY COLUMN amount UInt16, DROP COLUMN gone").await;
    let catalog = read(&ground, &["v", "b"]).await;
    assert_eq!(amount(&catalog), ("UInt8".to_owned(), Some("UInt16".to_owned())));
    let broken = catalog.table("wow", "b").and_then(|table| table.view.as_ref()?.broken.clone());
    assert!(broken.as_ref().is_some_and(|problem| problem.contains("gone")), "{broken:?}");
}
