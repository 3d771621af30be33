//! What of a dataset's versions stays and what goes, step by step on a real ClickHouse (design 5.1, 5.2, 3.6).

use std::time::Duration;

use analytics_catalog::api::Reason;
use analytics_catalog::controller::store::Store as _;
use analytics_catalog::controller::{Error, dataset::withdraw, janitor::sweep};
use analytics_catalog::plan::revision::{Notes, Subject};
use jiff::{SignedDuration, Timestamp};

use crate::support::bench::Bench;
use crate::support::clickhouse::{Ground, clickhouse};

const ID: &str = "shop.customers";

const SOURCE: &str = r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: { name: customers }
spec:
  connection: default
  database: crm
  table: customers
  tenant: { column: tenant }
  columns: [{ name: id, sensitivity: { level: Public } }, { name: region, sensitivity: { level: Public } }]
"#;

/// A definition whose one difference is the name of a column.
fn dataset(object: &str, column: &str) -> String {
    format!(
        r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: {{ name: {object} }}
spec:
  context: shop
  name: customers
  definition:
    sources: [{{ alias: c, sourceId: "default:crm:customers" }}]
    subject: c
    columns: [{{ name: id, from: c.id }}, {{ name: {column}, from: c.region }}]
"#
    )
}

const SECOND: SignedDuration = SignedDuration::from_secs(1);

/// A bench with one published version of the object `first`.
async fn published() -> (Ground, Bench) {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    let bench = Bench::new(&ground, SECOND);
    bench.write("source.yaml", SOURCE);
    publish(&bench, "region_1").await;
    (ground, bench)
}

async fn publish(bench: &Bench, column: &str) {
    bench.write("first.yaml", &dataset("first", column));
    bench.look().await.expect("it is published");
}

async fn views(ground: &Ground) -> Vec<String> {
    let query = format!("SELECT name FROM system.tables WHERE database = '{}' ORDER BY name", ground.datasets);
    ground.clickhouse.sql(query).await.lines().map(|line| line.replace("ds_shop_customers_", "")).collect()
}

async fn after_the_retention(bench: &Bench) {
    // Times are kept to the second.
    tokio::time::sleep(Duration::from_millis(2100)).await;
    sweep(&bench.ctx).await.expect("the histories can be listed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_superseded_version_goes_after_the_retention_and_the_served_one_stays() {
    let (ground, bench) = published().await;
    for column in ["region_2", "region_3", "region_4", "region_5"] {
        publish(&bench, column).await;
    }
    // A version whose connection is not configured at present keeps its document, or its view would stay for ever.
    let bench = bench.without_connections(&ground);
    after_the_retention(&bench).await;
    assert_eq!(bench.notes(ID).await.len(), 5);
    let bench = bench.with_connections(&ground);
    after_the_retention(&bench).await;
    assert_eq!(views(&ground).await, ["v5"]);
    assert_eq!(bench.notes(ID).await.into_keys().collect::<Vec<_>>(), [3, 4, 5], "the last three can be told");
    publish(&bench, "region_5").await;
    let status = bench.dataset("first").status.clone().expect("it is published");
    assert_eq!(status.versions.iter().map(|version| version.version).collect::<Vec<_>>(), [5]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_waits_beside_the_holder_of_an_id_has_no_say() {
    let (ground, bench) = published().await;
    bench.write("second.yaml", &dataset("second", "other"));
    bench.look().await.expect("one is refused");
    let reason = |name: &str| {
        let conditions = bench.dataset(name).status.clone().unwrap_or_default().conditions;
        conditions.into_iter().find(|condition| condition.type_ == "Ready").map(|condition| condition.reason)
    };
    assert_eq!(reason("second").as_deref(), Some(Reason::NameTaken.as_str()));
    // Its deletion withdraws nothing.
    let second = bench.dataset("second");
    withdraw(&bench.ctx, &second).await.expect("the history can be written");
    assert_eq!(bench.notes(ID).await[&1].expires_at, None);
    // Nor does it make the janitor believe that nothing is served: a note that a crash left behind says so already.
    let left = Notes {
        published_at: Some(Timestamp::UNIX_EPOCH),
        superseded_at: None,
        expires_at: Some(Timestamp::UNIX_EPOCH),
    };
    bench.ctx.store.annotate_revision(&Subject::dataset(ID), 1, &left).await.expect("the history can be written");
    sweep(&bench.ctx).await.expect("the histories can be listed");
    assert_eq!(views(&ground).await, ["v1"]);
    bench.look().await.expect("it is looked at again");
    assert_eq!(bench.notes(ID).await[&1].expires_at, None, "the record counts, and the note follows it");
    // Once the holder goes, its version does.
    withdraw(&bench.ctx, &bench.dataset("first")).await.expect("the history can be written");
    assert!(bench.notes(ID).await[&1].expires_at.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_whose_object_went_without_a_word_expire() {
    let (ground, bench) = published().await;
    let first = bench.dataset("first");
    bench.remove("first.yaml");
    bench.ctx.store.inner.forget(&first);
    sweep(&bench.ctx).await.expect("the histories can be listed");
    assert!(bench.notes(ID).await[&1].expires_at.is_some());
    assert_eq!(views(&ground).await, ["v1"], "it could still come back");
    after_the_retention(&bench).await;
    assert_eq!(views(&ground).await, Vec::<String>::new());
    publish(&bench, "region_2").await;
    assert_eq!(views(&ground).await, ["v2"], "a number is never used twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_declaration_that_became_stricter_while_a_version_was_made_stops_it() {
    let (ground, bench) = published().await;
    let file = bench.path("source.yaml");
    let stricter = SOURCE
        .replace("name: region, sensitivity: { level: Public }", "name: region, sensitivity: { level: Confidential }");
    bench.before_claim(move |store| {
        std::fs::write(file, stricter).expect("the folder is ours");
        assert!(store.reload());
    });
    bench.write("first.yaml", &dataset("first", "region_2"));
    let stopped = bench.look().await.expect_err("what was compiled knows nothing of it");
    assert!(matches!(stopped, Error::SourceChanged { number: 2 }), "{stopped}");
    let record =
        |bench: &Bench| bench.dataset("first").status.clone().and_then(|status| status.published).expect("a record");
    assert_eq!(record(&bench).version, 1);
    bench.look().await.expect("it is published with the protection");
    let published = record(&bench);
    assert!(published.available && published.version == 3, "{published:?}");
    assert!(published.columns[1].protection.is_some());
    let text = ground
        .clickhouse
        .sql(format!(
            "SELECT create_table_query FROM system.tables WHERE database = '{}' AND name = 'ds_shop_customers_v3'",
            ground.datasets
        ))
        .await;
    assert!(text.contains("Confidential"), "the view says how it protects: {text}");
}
