//! What people and environments get wrong, on the real API server and ClickHouse: each is a readable condition, nothing is
//! half published, and what was served stays served.

use serde_json::{Value, json};

use crate::support::clickhouse::{Ground, clickhouse};
use crate::support::cluster::{Room, allowed};
use crate::support::roles::{condition, is_ready_with, object_until, operator, placed};

const SOURCE: &str = r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: { name: customers }
spec:
  connection: default
  database: crm
  table: customers
  tenant: { column: tenant }
  columns:
    - { name: id, sensitivity: { level: Public } }
    - { name: region, sensitivity: { level: Public } }
"#;

fn dataset(object: &str, context: &str, name: &str) -> String {
    format!(
        r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: {{ name: {object} }}
spec:
  context: {context}
  name: {name}
  definition:
    sources: [{{ alias: c, sourceId: "default:crm:customers" }}]
    subject: c
    columns: [{{ name: id, from: c.id }}, {{ name: region, from: c.region }}]
"#
    )
}

async fn prepared(namespace: &'static str) -> (Ground, Room) {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    (ground, Room::new(namespace).await)
}

/// Applies the source and approves it, as an approver does.
async fn approved_source(room: &Room) {
    allowed(&room.apply("editor", &placed(SOURCE, room)).await);
    let object =
        object_until(room, "analyticssource/customers", "it waits", |object| is_ready_with(object, "ApprovalRequired"))
            .await;
    let digest = object["status"]["pending"]["digest"].as_str().expect("a pending digest");
    let annotations = [format!("approve={digest}"), "approved-by=approver".to_owned()];
    allowed(&room.annotate("approver", "analyticssource/customers", &annotations.each_ref().map(String::as_str)).await);
    object_until(room, "analyticssource/customers", "it is approved", |object| is_ready_with(object, "Approved")).await;
}

/// Applies an object and gives the message of `Ready` once it has the reason.
async fn message(room: &Room, yaml: &str, object: &str, reason: &str) -> String {
    allowed(&room.apply("editor", &placed(yaml, room)).await);
    let value = object_until(room, object, reason, |value| is_ready_with(value, reason)).await;
    condition(&value, "Ready")["message"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_are_conditions_that_say_what_would_have_worked() {
    let (ground, room) = prepared("mistakes").await;
    let _operator = operator(&room, &ground, json!({})).await;
    let unknown = dataset("unknown", "mistakes", "unknown");
    let said = message(&room, &unknown, "analyticsdataset/unknown", "SourceNotFound").await;
    assert!(said.contains("No source `mistakes:crm:customers` may be used here."), "{said}");
    approved_source(&room).await;
    object_until(&room, "analyticsdataset/unknown", "once the source is there it is published", |value| {
        is_ready_with(value, "Published")
    })
    .await;

    let twin = message(&room, &dataset("twin", "mistakes", "unknown"), "analyticsdataset/twin", "NameTaken").await;
    assert!(twin.contains("declared by mistakes/unknown already"), "{twin}");
    // Two IDs that fold to one view name (pitfalls E12).
    let folded =
        message(&room, &dataset("folded", "mistakes-unknown", "x"), "analyticsdataset/folded", "Published").await;
    assert!(folded.contains("Version 1"), "{folded}");
    let folding =
        message(&room, &dataset("folding", "mistakes", "unknown-x"), "analyticsdataset/folding", "NameTaken").await;
    assert!(folding.contains("belongs to `mistakes-unknown.x`"), "{folding}");

    let missing =
        SOURCE.replace("name: customers }", "name: missing }").replace("table: customers", "table: custommers");
    let said = message(&room, &missing, "analyticssource/missing", "TableNotFound").await;
    assert!(said.contains("The table `custommers` of the database `crm` does not exist"), "{said}");
    let bare = SOURCE
        .replace("name: customers }", "name: bare }")
        .replace("table: customers", "table: bare")
        .replace("{ name: region, sensitivity: { level: Public } }", "{ name: region }");
    ground
        .sql("CREATE TABLE crm.bare (tenant String, id String, region String) ENGINE = MergeTree ORDER BY tenant")
        .await;
    let said = message(&room, &bare, "analyticssource/bare", "InvalidDefinition").await;
    assert!(
        said.contains("spec.columns[1]: LevelNotStated") && said.contains("level: Public | Display | Confidential"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_view_of_somebody_else_is_left_alone_until_its_owner_moves_it() {
    let (ground, room) = prepared("foreign-view").await;
    let view = format!("{}.ds_foreign_view_orders_v1", ground.datasets);
    ground.clickhouse.sql(format!("CREATE VIEW {view} AS SELECT 1 AS theirs")).await;
    let _operator = operator(&room, &ground, json!({})).await;
    approved_source(&room).await;
    let yaml = dataset("orders", "foreign_view", "orders");
    let said = message(&room, &yaml, "analyticsdataset/orders", "ViewNameTaken").await;
    assert!(said.contains(&view) && said.contains("Rename or drop it."), "{said}");
    let object = object_until(&room, "analyticsdataset/orders", "nothing is published", |_| true).await;
    assert_eq!(object["status"]["published"], Value::Null);
    assert_eq!(ground.clickhouse.sql(format!("SELECT theirs FROM {view}")).await.trim(), "1", "it was left alone");
    ground.clickhouse.sql(format!("DROP VIEW {view} SYNC")).await;
    let object = object_until(&room, "analyticsdataset/orders", "then it is published", |value| {
        is_ready_with(value, "Published")
    })
    .await;
    assert_eq!(object["status"]["published"]["version"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clickhouse_that_is_away_or_refuses_the_account_is_said_and_what_is_served_stays() {
    let (ground, room) = prepared("away").await;
    let mut first = operator(&room, &ground, json!({})).await;
    approved_source(&room).await;
    let yaml = dataset("orders", "away", "orders");
    message(&room, &yaml, "analyticsdataset/orders", "Published").await;
    first.kill();
    let refused = json!({ "connections": { "default": { "passwordEnvironment": "TEST_READER_PASSWORD" } } });
    let mut second = operator(&room, &ground, refused).await;
    let more = yaml.replace("{ name: region, from: c.region }", "{ name: area, from: c.region }");
    let said = message(&room, &more, "analyticsdataset/orders", "WarehouseUnavailable").await;
    assert!(said.contains("ClickHouse refuses the account") && !said.contains("reader-test-password"), "{said}");
    second.kill();
    let away = json!({ "connections": { "default": { "url": "http://127.0.0.1:9" } } });
    let mut third = operator(&room, &ground, away).await;
    let object = object_until(&room, "analyticsdataset/orders", "it is away", |value| {
        condition(value, "Ready")["message"].as_str().is_some_and(|text| text.contains("cannot be reached"))
    })
    .await;
    assert_eq!(object["status"]["published"]["version"], 1, "the old version stays served");
    assert_eq!(condition(&object, "Published")["reason"], "Previous");
    third.kill();
    let _fourth = operator(&room, &ground, json!({})).await;
    let object = object_until(&room, "analyticsdataset/orders", "back, it goes on by itself", |value| {
        is_ready_with(value, "Published")
    })
    .await;
    assert_eq!(object["status"]["published"]["version"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_approval_counts_while_the_guards_are_missing() {
    let (ground, room) = prepared("unguarded").await;
    let mut unguarded = operator(&room, &ground, json!({ "guards": { "release": "nowhere" } })).await;
    let said = message(&room, SOURCE, "analyticssource/customers", "ApprovalGuardMissing").await;
    assert!(said.contains("ValidatingAdmissionPolicy `nowhere-decisions` is missing"), "{said}");
    let object = object_until(&room, "analyticssource/customers", "it shows what waits", |_| true).await;
    let digest = object["status"]["pending"]["digest"].as_str().expect("a pending digest");
    let annotations = [format!("approve={digest}"), "approved-by=approver".to_owned()];
    allowed(&room.annotate("approver", "analyticssource/customers", &annotations.each_ref().map(String::as_str)).await);
    tokio::time::sleep(std::time::Duration::from_secs(4)).await;
    let object = object_until(&room, "analyticssource/customers", "it still waits", |_| true).await;
    assert_eq!(
        (condition(&object, "Ready")["reason"].as_str(), object["status"]["approved"].clone()),
        (Some("ApprovalGuardMissing"), Value::Null)
    );
    // Back in place, they say nothing of what was annotated before.
    unguarded.kill();
    let _guarded = operator(&room, &ground, json!({})).await;
    let object = object_until(&room, "analyticssource/customers", "it asks anew", |object| {
        is_ready_with(object, "ApprovalRequired")
    })
    .await;
    assert_ne!(object["status"]["pending"]["digest"], digest);
    assert_eq!(object["status"]["approved"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_only_the_served_version_reads_still_counts() {
    let (ground, room) = prepared("served-reads").await;
    // Nothing is noticed by looking at everything again.
    let _operator = operator(&room, &ground, json!({ "resync": "1h" })).await;
    approved_source(&room).await;
    let yaml = dataset("orders", "served_reads", "orders");
    message(&room, &yaml, "analyticsdataset/orders", "Published").await;
    let elsewhere = yaml.replace("crm:customers", "crm:nowhere");
    message(&room, &elsewhere, "analyticsdataset/orders", "SourceNotFound").await;
    let object = object_until(&room, "analyticsdataset/orders", "the mistake keeps it served", |_| true).await;
    assert_eq!(object["status"]["published"]["available"], true);
    let stricter = SOURCE.replace(
        "{ name: region, sensitivity: { level: Public } }",
        "{ name: region, sensitivity: { level: Confidential } }",
    );
    allowed(&room.apply("editor", &placed(&stricter, &room)).await);
    object_until(&room, "analyticsdataset/orders", "what is served protects too little now", |object| {
        object["status"]["published"]["available"] == false
    })
    .await;
}
