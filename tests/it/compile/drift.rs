//! Tables that change under a published view: the type guard refuses every reader, the fingerprint tells the operator.

use analytics_catalog::compile::Fingerprint;

use super::case::{Case, folders};
use super::on_clickhouse::{create, published, read_catalog};
use crate::support::clickhouse::{Ground, clickhouse};

/// A column, and the types that it is changed to.
const CHANGES: &[(&str, &[&str])] = &[
    ("UInt8", &["UInt16", "Int16", "Nullable(UInt8)", "LowCardinality(UInt8)", "String"]),
    ("Float32", &["Float64"]),
    ("String", &["Nullable(String)", "LowCardinality(String)", "FixedString(100)"]),
    ("LowCardinality(String)", &["String", "LowCardinality(Nullable(String))"]),
    ("Nullable(String)", &["String"]),
    ("DateTime64(3)", &["DateTime64(6)", "DateTime64(3, 'Asia/Tokyo')", "DateTime"]),
    ("DateTime", &["DateTime('UTC')"]),
    ("Decimal(10, 2)", &["Decimal(18, 2)", "Decimal(10, 4)", "Float64"]),
    ("Date", &["Date32"]),
    ("UUID", &["String"]),
    ("Bool", &["UInt8"]),
    ("Array(UInt8)", &["Array(UInt16)", "Array(Nullable(UInt8))"]),
    ("Map(String, UInt8)", &["Map(String, UInt16)"]),
    ("JSON", &["JSON(a String)", "JSON(max_dynamic_paths=8)"]),
    ("Enum8('a' = 1)", &["String", "Nullable(Enum8('a' = 1))", "LowCardinality(String)"]),
    ("Nullable(Enum8('a' = 1))", &["Enum8('a' = 1)", "Nullable(String)"]),
];

/// Changes after which every reader reads on.
const HARMLESS: &[(&str, &str)] = &[
    ("Enum8('a' = 1)", "Enum8('a' = 1, 'b' = 2)"),
    ("Enum8('a' = 1)", "Enum16('a' = 1, 'b' = 1000)"),
    ("Nullable(Enum8('a' = 1))", "Nullable(Enum8('a' = 1, 'b' = 2))"),
];

/// A case of one table that has all those columns, or of two that are joined.
fn case(place: &str) -> Case {
    let folder = folders().into_iter().find(|folder| folder.ends_with(place)).expect("the case exists");
    Case::of(&folder)
}

async fn probe(ground: &Ground, view: &str) -> Result<String, String> {
    let query = format!("SELECT * FROM {}.{view} LIMIT 1", ground.datasets);
    let scope = r#"{"tenant":"T-a","owner":null,"space":null}"#;
    ground.clickhouse.as_reader(&query, &[("log_comment", scope)]).await
}

/// Gives a column of the table another type. From Nullable that needs a default for a moment.
async fn retype(ground: &Ground, column: &str, to: &str) -> Result<(), String> {
    let alter = |change: String| {
        ground.physical(&format!("ALTER TABLE wow.d_every_change MODIFY COLUMN {column} {change} SETTINGS allow_suspicious_low_cardinality_types = 1"))
    };
    let attempt = ground.clickhouse.try_sql(&alter(to.to_owned())).await;
    match attempt {
        Err(problem) if problem.contains("Please specify `DEFAULT`") => {
            let literal = analytics_catalog::sql::literal::string(to);
            ground.clickhouse.try_sql(&alter(format!("{to} DEFAULT defaultValueOfTypeName({literal})"))).await?;
            ground.clickhouse.try_sql(&alter("REMOVE DEFAULT".to_owned())).await.map(|_| ())
        }
        other => other.map(|_| ()),
    }
}

fn column_of(column_type: &str) -> String {
    let index = CHANGES.iter().position(|(known, _)| *known == column_type).expect("a type of the case");
    format!("c{index}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retyped_column_refuses_every_reader_even_without_rows_and_goes_on_when_it_is_back() {
    let clickhouse = clickhouse().await;
    let ground = clickhouse.ground().await;
    let case = case("drift/every-change");
    let table = case.catalog.table("wow", "d_every_change").expect("the case has a table").clone();
    for (index, (column_type, _)) in CHANGES.iter().enumerate() {
        assert_eq!(table.column(&format!("c{index}")).map(|column| column.column_type.as_str()), Some(*column_type));
    }
    create(&ground, &table).await;
    let catalog = read_catalog(&ground).await;
    let compiled = published(clickhouse, &ground, &case, &catalog).await.expect("the case can be published");
    let view = case.version(&compiled, &ground.datasets).record.view.name;
    let fingerprint = &compiled.fingerprints[0];
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for rows in [false, true] {
        if rows {
            ground.sql("INSERT INTO wow.d_every_change (tenant_id, id) VALUES ('T-b', '1')").await;
        }
        let changes = CHANGES.iter().flat_map(|(from, changes)| changes.iter().map(move |to| (from, to, true)));
        let harmless = HARMLESS.iter().map(|(from, to)| (from, to, false));
        for (from, to, refused) in changes.chain(harmless) {
            let column = column_of(from);
            if let Err(problem) = retype(&ground, &column, to).await {
                // The server itself refuses some changes; then there is nothing to guard against.
                println!("not possible: {from} → {to}: {}", problem.lines().next().unwrap_or_default());
                continue;
            }
            tried += 1;
            let answer = probe(&ground, &view).await;
            let right = match &answer {
                Ok(_) => !refused,
                Err(refusal) => refused && refusal.contains("Code: 349."),
            };
            if !right {
                wrong.push(format!("{from} → {to} (rows: {rows}): {answer:?}"));
            }
            let now = read_catalog(&ground).await;
            let difference =
                fingerprint.difference(now.table("wow", "d_every_change").expect("the table is there"), &now);
            if difference.is_some() != refused {
                wrong.push(format!("{from} → {to}: the fingerprint says {difference:?}"));
            }
            retype(&ground, &column, from).await.unwrap_or_else(|problem| panic!("{to} → {from}: {problem}"));
            if let Err(refusal) = probe(&ground, &view).await {
                wrong.push(format!("{from} → {to} → {from}: {refusal}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{tried} changes of types");
    assert!(tried >= 40, "{tried} changes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retyped_column_of_any_joined_source_refuses_every_reader() {
    let clickhouse = clickhouse().await;
    let ground = clickhouse.ground().await;
    let case = case("joins/dimension");
    for (database, table) in [("wow", "shop_order_state"), ("crm", "customers"), ("crm", "regions")] {
        create(&ground, case.catalog.table(database, table).expect("a shared table")).await;
    }
    let compiled =
        published(clickhouse, &ground, &case, &read_catalog(&ground).await).await.expect("the case can be published");
    let view = case.version(&compiled, &ground.datasets).record.view.name;
    for (table, column, from, to) in [
        ("wow.shop_order_state", "state", "JSON", "JSON(a UInt8)"),
        ("wow.shop_order_state", "deleted", "Bool", "UInt8"),
        ("crm.customers", "region", "LowCardinality(Nullable(String))", "Nullable(String)"),
        ("crm.regions", "vat", "Decimal(5, 2)", "Decimal(9, 2)"),
    ] {
        ground.sql(&format!("ALTER TABLE {table} MODIFY COLUMN {column} {to}")).await;
        let refusal = probe(&ground, &view).await.expect_err("a changed type is refused");
        assert!(refusal.contains("Code: 349."), "{table}.{column}: {refusal}");
        ground.sql(&format!("ALTER TABLE {table} MODIFY COLUMN {column} {from}")).await;
        probe(&ground, &view).await.expect("the type is back");
    }
    // A column that the view does not read may change.
    ground.sql("ALTER TABLE crm.customers MODIFY COLUMN visits UInt64").await;
    probe(&ground, &view).await.expect("the view does not read it");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fingerprint_tells_what_the_types_do_not() {
    let clickhouse = clickhouse().await;
    let ground = clickhouse.ground().await;
    let case = case("drift/fingerprint");
    create(&ground, case.catalog.table("wow", "d_fingerprint").expect("the case has a table")).await;
    let compiled =
        published(clickhouse, &ground, &case, &read_catalog(&ground).await).await.expect("the case can be published");
    let before = compiled.fingerprints[0].clone();
    let alter = |change: &str| format!("ALTER TABLE wow.d_fingerprint {change}");
    let steps = [
        ("ADD COLUMN added String FIRST", None),
        ("ADD COLUMN last UInt8 DEFAULT 7", None),
        ("MODIFY COLUMN unread UInt64", None),
        ("MODIFY COMMENT 'other'", None),
        (
            "RENAME COLUMN a TO x, RENAME COLUMN b TO a, RENAME COLUMN x TO b",
            Some("its columns stand in another order"),
        ),
        ("RENAME COLUMN a TO x, RENAME COLUMN b TO a, RENAME COLUMN x TO b", None),
        ("MODIFY COLUMN computed String ALIAS upper(a2)", Some("the default of computed is another")),
        ("MODIFY COLUMN computed String ALIAS upper(tenant_id)", None),
        ("RENAME COLUMN a TO gone", Some("the column a is gone")),
    ];
    for (change, expected) in steps {
        for part in change.split(", ") {
            ground.sql(&alter(part)).await;
        }
        assert_eq!(difference(&ground, &before).await.as_deref(), expected, "{change}");
    }
    ground.sql("DROP TABLE wow.d_fingerprint").await;
    ground.sql("CREATE TABLE wow.d_fingerprint (tenant_id String, a String, b String, computed String ALIAS upper(tenant_id), unread UInt8, a2 String) ENGINE = MergeTree ORDER BY tenant_id").await;
    assert_eq!(difference(&ground, &before).await.as_deref(), Some("its engine or key is another"));
}

async fn difference(ground: &Ground, before: &Fingerprint) -> Option<String> {
    let now = read_catalog(ground).await;
    before.difference(now.table("wow", "d_fingerprint").expect("the table is there"), &now)
}
