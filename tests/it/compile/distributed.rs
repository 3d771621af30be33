//! Tables over two shards, on two real servers: every reader sees what an independent query over both shards gives.

use std::collections::BTreeMap;

use analytics_catalog::catalog::{Catalog, Table};
use analytics_catalog::compile::{CompileInput, compile_on};
use analytics_catalog::plan::ddl;
use analytics_catalog::sql::Identifier;

use super::case::{Case, folders};
use crate::support::shards::{DATASETS, SOURCES, Shards};

/// The cases, and the condition by which a plain query over the `Distributed` table finds the current rows.
const CASES: [(&str, &str); 8] = [
    ("distributed/rows-that-each-count", "SELECT tenant_id, id, v FROM {table}"),
    ("distributed/merged-sharded-by-the-tenant", "SELECT tenant_id, id, max(v) FROM {table} GROUP BY tenant_id, id"),
    ("distributed/last-of-each-key", "SELECT tenant_id, id, max(v) FROM {table} GROUP BY tenant_id, id"),
    ("distributed/over-a-view", "SELECT tenant_id, id, v FROM {table}"),
    ("distributed/over-a-merging-view", "SELECT tenant_id, id, max(v) FROM {table} GROUP BY tenant_id, id"),
    ("distributed/over-a-grouping-view", "SELECT tenant_id, id, max(v) FROM {table} GROUP BY tenant_id, id"),
    ("distributed/behind-a-view", "SELECT tenant_id, id, max(v) FROM {table} GROUP BY tenant_id, id"),
    ("pitfalls/d5-json-path-over-distributed", "SELECT tenant_id, id, state.a.b::Nullable(String) FROM {table}"),
];

/// Settings of an account that would give other rows than are meant, were they not held to.
const HOSTILE: [&[(&str, &str)]; 8] = [
    &[("skip_unavailable_shards", "1"), ("skip_unavailable_shards_mode", "unavailable_or_table_missing")],
    &[("distributed_group_by_no_merge", "1")],
    &[("distributed_group_by_no_merge", "2")],
    &[("distributed_product_mode", "local")],
    &[("distributed_product_mode", "allow")],
    &[("distributed_product_mode", "global")],
    &[("prefer_localhost_replica", "0")],
    &[("optimize_skip_unused_shards", "1"), ("allow_nondeterministic_optimize_skip_unused_shards", "1")],
];

fn physical(text: &str) -> String {
    text.replace("wow.", &format!("{SOURCES}.")).replace("'wow'", &format!("'{SOURCES}'"))
}

/// Creates a table on a node: local ones on both, `Distributed` ones and views over them on the first.
async fn create(shards: &Shards, table: &Table, behind_shards: bool) {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("{} {}", Identifier::new(&column.name), column.column_type))
        .collect();
    let (name, columns) = (&table.name, columns.join(", "));
    let statement = match (&table.view, table.engine.as_str()) {
        (Some(view), _) => format!("CREATE VIEW wow.{name} AS {}", view.select),
        (None, "Distributed") => format!("CREATE TABLE wow.{name} ({columns}) ENGINE = {}", table.engine_full),
        (None, _) => format!("CREATE TABLE wow.{name} ({columns}) ENGINE = {}", table.engine_full),
    };
    for node in 0..if behind_shards { 2 } else { 1 } {
        shards.sql(node, &physical(&statement)).await.expect("the table can be created");
    }
}

async fn fill(shards: &Shards, table: &str, json: bool) {
    // Four parts on each shard, merged by nobody: versions of a record lie in different ones.
    for part in 0..4 {
        let value = match json {
            true => format!("concat('{{\"a\":{{\"b\":\"', toString(number + {part}), '\"}}}}')"),
            false => format!("toUInt32(number * 7 % 11 + {part} * (number % 3))"),
        };
        let statement = format!(
            "INSERT INTO {SOURCES}.{table} SELECT concat('T-', toString(number % 5)), toString(number % 40), {value} FROM numbers(200)"
        );
        shards.sql(0, &statement).await.expect("rows can be inserted");
    }
}

fn sorted(rows: &str) -> Vec<&str> {
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.sort_unstable();
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_over_two_shards_are_read_as_one() {
    let shards = Shards::start().await.expect("two servers start");
    let databases = BTreeMap::from([("wow".to_owned(), SOURCES.to_owned())]);
    let mut wrong = Vec::new();
    for (place, plain) in CASES {
        let folder = folders().into_iter().find(|folder| folder.ends_with(place)).expect("the case exists");
        let case = Case::of(&folder);
        let source = &case.spec.definition.sources[0];
        let declaration = &case.sources[&source.source_id].declaration;
        let subject = case.catalog.table("wow", &declaration.table).expect("the case has its table");
        let mut tables = vec![subject];
        while let Some(read) = tables.last().and_then(|table| case.catalog.read_by(table).into_iter().next()) {
            tables.push(read);
        }
        let over = tables.iter().position(|table| table.engine == "Distributed").expect("one is spread over shards");
        for (index, table) in tables.iter().enumerate().rev() {
            create(&shards, table, index > over).await;
        }
        // Rows go to the shards by the sharding key; a view on the shards is filled through its table.
        let filled = match tables.get(over + 1).filter(|table| table.engine == "View") {
            None => tables[over].name.clone(),
            Some(view) => {
                let base = case.catalog.read_by(view)[0].name.clone();
                let statement = format!(
                    "CREATE TABLE wow.{base}_all AS wow.{base} ENGINE = Distributed('c', 'wow', '{base}', cityHash64(tenant_id))"
                );
                shards.sql(0, &physical(&statement)).await.expect("the table can be created");
                format!("{base}_all")
            }
        };
        fill(&shards, &filled, place.contains("json")).await;
        let catalog: Catalog = shards.catalog().read_catalog(&databases, None).await.expect("the catalog can be read");
        assert_eq!(catalog.table("wow", &tables[over].name).and_then(|table| table.shards), Some(2), "{place}");
        let compiled = match case.compile(&catalog, DATASETS) {
            Ok(compiled) => compiled,
            Err(found) => {
                wrong.push(format!("{place}: {}", analytics_catalog::compile::lines(&found)));
                continue;
            }
        };
        let described = shards.catalog().describe(&compiled.select).await.expect("the view can be described");
        let expected: Vec<(String, String)> =
            compiled.view_columns.iter().map(|(name, of)| (name.clone(), of.to_string())).collect();
        assert_eq!(described, expected, "{place}");
        shards.catalog().explain(&compiled.select).await.expect("the view can be planned");
        let version = case.version(&compiled, DATASETS);
        for piece in ddl::pieces(&version, "catalog", "tests") {
            shards.catalog().execute(&piece.statement).await.expect("the view is created");
        }
        let view = format!("{DATASETS}.{}", version.record.view.name);
        let mut seen = 0;
        for tenant in ["T-0", "T-3", "T-none"] {
            let plain = plain.replace("{table}", &format!("{SOURCES}.{}", tables[over].name));
            let plain = format!("SELECT * FROM ({plain}) WHERE tenant_id = '{tenant}'");
            let expected = shards.sql(0, &plain).await.expect("the plain query runs");
            let actual = shards.read(&format!("SELECT * FROM {view}"), tenant).await.expect("the reader reads");
            seen += actual.lines().count();
            if sorted(&actual) != sorted(&expected) {
                wrong.push(format!("{place} for {tenant}:\n--- expected\n{expected}\n--- actual\n{actual}"));
            }
            for profile in HOSTILE {
                let query = format!("SELECT * FROM {view}");
                let actual = shards.read_under(0, profile, &query, tenant).await;
                if actual.is_ok_and(|actual| sorted(&actual) != sorted(&expected)) {
                    wrong.push(format!("{place} for {tenant} under {profile:?}"));
                }
            }
        }
        assert!(seen > 0, "{place}");
        let local = case.catalog.read_by(tables[over])[0];
        let of_shard = catalog.table("wow", &local.name).and_then(|table| table.shard_of.clone());
        assert!(of_shard.is_some(), "{place}: {} holds the rows of one shard", local.name);
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn what_another_node_does_not_allow_is_said_with_its_name() {
    let folder = folders().into_iter().find(|folder| folder.ends_with("nodes/joined-alike")).expect("the case exists");
    let case = Case::of(&folder);
    let mut guarded = case.catalog.clone();
    let local = guarded.tables.iter_mut().find(|table| table.name == "nc_a_local").expect("the case has it");
    local.row_policy = true;
    let catalogs = BTreeMap::from([("default".to_owned(), case.catalog.clone())]);
    let input = CompileInput {
        spec: &case.spec,
        sources: &case.sources,
        catalogs: &catalogs,
        datasets_database: DATASETS,
        served_fingerprints: &[],
    };
    let nodes = [("http://a".to_owned(), case.catalog.clone()), ("http://b".to_owned(), guarded)];
    compile_on(&input, &nodes[..1]).expect("the first node allows it");
    let found = compile_on(&input, &nodes).expect_err("the second one has a row policy");
    let said = analytics_catalog::compile::lines(&found);
    assert!(said.contains("RowPolicy") && said.contains("`wow.nc_a_local`") && said.contains("`http://b`"), "{said}");
}

/// Compiles a case over tables as they are, and creates its view on the first node.
async fn published(shards: &Shards, place: &str) -> String {
    let folder = folders().into_iter().find(|folder| folder.ends_with(place)).expect("the case exists");
    let case = Case::of(&folder);
    let databases = BTreeMap::from([("wow".to_owned(), SOURCES.to_owned())]);
    let catalog = shards.catalog().read_catalog(&databases, None).await.expect("the catalog can be read");
    let compiled = case.compile(&catalog, DATASETS).expect("it compiles");
    let version = case.version(&compiled, DATASETS);
    for piece in ddl::pieces(&version, "catalog", "tests") {
        shards.catalog().execute(&piece.statement).await.expect("the view is created");
    }
    format!("{DATASETS}.{}", version.record.view.name)
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_that_are_spread_otherwise_are_joined_right_by_one_server() {
    let shards = Shards::start().await.expect("two servers start");
    for statement in [
        "CREATE TABLE wow.jl_o (tenant_id String, id String, customer String, v UInt32) ENGINE = MergeTree ORDER BY (tenant_id, id)",
        "CREATE TABLE wow.jl_c (tenant LowCardinality(String), id String, name String) ENGINE = MergeTree ORDER BY (tenant, id)",
    ] {
        shards.on_both(statement).await;
    }
    for (table, local, key) in [("jd_o", "jl_o", "cityHash64(tenant_id)"), ("jd_c", "jl_c", "cityHash64(id)")] {
        let spread =
            format!("CREATE TABLE wow.{table} AS wow.{local} ENGINE = Distributed('c', '{SOURCES}', '{local}', {key})");
        shards.on_both(&spread).await;
    }
    let of_tenant = "concat('T-', toString(number % 5)), toString(number)";
    for rows in [
        format!("INSERT INTO {SOURCES}.jd_o SELECT {of_tenant}, toString(number % 35), number FROM numbers(200)"),
        format!(
            "INSERT INTO {SOURCES}.jd_c SELECT {of_tenant}, concat('customer ', toString(number)) FROM numbers(40)"
        ),
    ] {
        shards.sql(0, &rows).await.expect("rows can be inserted");
    }
    let view = published(&shards, "distributed/joined-on-one-server").await;
    let query = format!("SELECT id, v, ifNull(customer, '-') FROM {view}");
    for tenant in 0..5 {
        let expected = (0..200).filter(|number| number % 5 == tenant);
        let expected = expected.map(|number| format!("{number}\t{number}\tcustomer {}\n", number % 35));
        let expected: String = expected.collect();
        let tenant = format!("T-{tenant}");
        let actual = shards.read(&query, &tenant).await.expect("the reader reads");
        assert_eq!(sorted(&actual), sorted(&expected), "{tenant}");
        for profile in HOSTILE {
            let actual = shards.read_under(0, profile, &query, &tenant).await.expect("it can be read");
            assert_eq!(sorted(&actual), sorted(&expected), "{tenant} under {profile:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_is_away_is_an_error_whatever_the_account_says() {
    let shards = Shards::start().await.expect("two servers start");
    shards.on_both("CREATE TABLE wow.jl_o (tenant_id String, id String, customer String, v UInt32) ENGINE = MergeTree ORDER BY id").await;
    shards.on_both("CREATE TABLE wow.jl_c (tenant LowCardinality(String), id String, name String) ENGINE = MergeTree ORDER BY id").await;
    for (table, local) in [("jd_o", "jl_o"), ("jd_c", "jl_c")] {
        shards
            .on_both(&format!(
                "CREATE TABLE wow.{table} AS wow.{local} ENGINE = Distributed('lame', '{SOURCES}', '{local}')"
            ))
            .await;
    }
    shards
        .sql(0, &format!("INSERT INTO {SOURCES}.jl_o VALUES ('T-0', '1', '1', 1)"))
        .await
        .expect("a row can be inserted");
    let view = published(&shards, "distributed/joined-on-one-server").await;
    let plain = format!("SELECT id FROM {SOURCES}.jd_o");
    let skipping = [("skip_unavailable_shards", "1")];
    let cut = shards.read_under(0, &skipping, &plain, "T-0").await.expect("such an account leaves the shard out");
    assert_eq!(cut.trim(), "1");
    let refused = shards.read_under(0, &skipping, &format!("SELECT id FROM {view}"), "T-0").await;
    assert!(refused.is_err_and(|refused| refused.contains("Code: 279")), "the view says that a shard is away");
}
