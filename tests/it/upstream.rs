//! Tables that others change under a published dataset (pitfalls E): the right rows or none, whatever was done and
//! whenever it is noticed, and the status says that a revision is needed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::caller::{Caller, Scope};
use crate::support::clickhouse::{Ground, clickhouse};
use crate::support::standalone::Standalone;

const PATIENCE: Duration = Duration::from_secs(30);

/// A source over `wow.up` and a dataset over it.
fn yaml(identity: &str) -> String {
    format!(
        r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: {{ name: up }}
spec:
  connection: default
  database: wow
  table: up
  tenant: {{ column: tenant }}
  identity: {identity}
  columns:
    - {{ name: id, sensitivity: {{ level: Public }} }}
    - {{ name: small, sensitivity: {{ level: Public }} }}
    - {{ name: other, sensitivity: {{ level: Public }} }}
---
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: {{ name: shop-up }}
spec:
  context: shop
  name: up
  definition:
    sources: [{{ alias: u, sourceId: "default:wow:up" }}]
    subject: u
    columns:
      - {{ name: id, from: u.id }}
      - {{ name: small, from: u.small }}
      - {{ name: other, from: u.other }}
"#
    )
}

const TABLE: &str = "(tenant String, id String, small UInt8, other UInt8) ENGINE = MergeTree ORDER BY (tenant, id)";

/// A published dataset over a table with one row of `acme` and one of `globex`.
struct Upstream {
    ground: Ground,
    standalone: Standalone,
    caller: Caller,
}

impl Upstream {
    async fn of_table(identity: &str) -> Self {
        Self::start(identity, &[format!("CREATE TABLE wow.up {TABLE}"), rows_of("wow.up", 7)]).await
    }

    async fn start(identity: &str, statements: &[String]) -> Self {
        let ground = clickhouse().await.ground().await;
        for statement in statements {
            ground.sql(statement).await;
        }
        let standalone = Standalone::start(&ground, &yaml(identity), |_| {}).await;
        let caller = Caller::new(&standalone.url);
        let upstream = Self { ground, standalone, caller };
        assert_eq!(upstream.ask().await, (200, right()), "before anything changed");
        upstream
    }

    async fn ask(&self) -> (u16, Value) {
        let body = json!({ "filter": { "op": "MATCH_ALL" }, "limit": 10 });
        self.caller.ask("up", "list", &Scope::of("acme"), &body).await
    }

    /// Changes the table, and asks until the dataset is unavailable and its status asks for a revision. Until then only
    /// `meanwhile` may be answered.
    async fn unavailable_after(&self, statements: &[&str], meanwhile: &[Value]) {
        for statement in statements {
            self.ground.sql(statement).await;
        }
        let started = Instant::now();
        loop {
            let (status, answer) = self.ask().await;
            match status {
                409 => assert_eq!(answer["errorCode"], "wow.query.dataset-unavailable"),
                200 => assert!(meanwhile.contains(&answer), "{answer} was answered after {statements:?}"),
                _ => panic!("{status} {answer} after {statements:?}\n{}", self.standalone.log()),
            }
            if status == 409 && !self.available() {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "still available after {statements:?}:\n{}", self.standalone.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Looks for a while: nothing changes for callers, and no version follows.
    async fn goes_on(&self, rows: &Value) {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(4) {
            let (status, answer) = self.ask().await;
            assert_eq!((status, &answer), (200, rows), "{}", self.standalone.log());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let record = self.standalone.record("shop.up");
        assert_eq!((&record["version"], self.available()), (&json!(1), true), "{record}");
    }

    fn available(&self) -> bool {
        self.standalone.record("shop.up")["available"] == json!(true)
    }
}

fn rows_of(table: &str, small: u32) -> String {
    format!("INSERT INTO {table} VALUES ('acme', 'a', {small}, 9), ('globex', 'b', 1, 2)")
}

/// The row of `acme` as it was.
fn right() -> Value {
    json!([{ "id": "a", "small": 7, "other": 9 }])
}

#[tokio::test(flavor = "multi_thread")]
async fn e2_a_wider_column_is_never_cast_back() {
    let upstream = Upstream::of_table("Table").await;
    let wider = ["ALTER TABLE wow.up MODIFY COLUMN small UInt64", "INSERT INTO wow.up VALUES ('acme', 'c', 300, 1)"];
    upstream.unavailable_after(&wider, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn e4_another_table_under_the_name_is_not_read_once_it_is_noticed() {
    let upstream = Upstream::of_table("Table").await;
    let other = json!([{ "id": "a", "small": 8, "other": 9 }]);
    let exchange = [format!("CREATE TABLE wow.new {TABLE}"), rows_of("wow.new", 8)];
    let statements = [&*exchange[0], &exchange[1], "EXCHANGE TABLES wow.up AND wow.new"];
    // The name is the engine's: until the next look it stands for the other table.
    upstream.unavailable_after(&statements, &[right(), other]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn e4_a_renamed_table_is_away() {
    let upstream = Upstream::of_table("Table").await;
    upstream.unavailable_after(&["RENAME TABLE wow.up TO wow.gone"], &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn e4_a_source_known_by_its_columns_goes_on_over_the_like_and_not_over_another() {
    let upstream = Upstream::of_table("Columns").await;
    upstream.ground.sql(&format!("CREATE TABLE wow.new {TABLE}")).await;
    upstream.ground.sql(&rows_of("wow.new", 7)).await;
    upstream.ground.sql("EXCHANGE TABLES wow.up AND wow.new").await;
    upstream.goes_on(&right()).await;
    let other_key = TABLE.replace("ORDER BY (tenant, id)", "ORDER BY id");
    upstream.ground.sql(&format!("CREATE TABLE wow.third {other_key}")).await;
    upstream.ground.sql(&rows_of("wow.third", 7)).await;
    upstream.unavailable_after(&["EXCHANGE TABLES wow.up AND wow.third"], &[right()]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn e4b_columns_that_change_places_are_noticed() {
    let upstream = Upstream::of_table("Table").await;
    let swapped = json!([{ "id": "a", "small": 9, "other": 7 }]);
    let statements = [
        "ALTER TABLE wow.up RENAME COLUMN small TO aside",
        "ALTER TABLE wow.up RENAME COLUMN other TO small",
        "ALTER TABLE wow.up RENAME COLUMN aside TO other",
    ];
    upstream.unavailable_after(&statements, &[swapped]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn e5_a_table_made_anew_without_its_tenant_answers_nothing() {
    let upstream = Upstream::of_table("Columns").await;
    let statements = [
        "DROP TABLE wow.up SYNC",
        "CREATE TABLE wow.up (id String, small UInt8, other UInt8) ENGINE = MergeTree ORDER BY id",
        "INSERT INTO wow.up VALUES ('a', 7, 9), ('b', 1, 2)",
    ];
    upstream.unavailable_after(&statements, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn e7_a_column_that_may_be_null_is_refused_before_a_null_arrives() {
    let upstream = Upstream::of_table("Table").await;
    upstream.unavailable_after(&["ALTER TABLE wow.up MODIFY COLUMN small Nullable(UInt8)"], &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn e8_an_upstream_view_that_is_made_anew_changes_nothing() {
    let view = "CREATE OR REPLACE VIEW wow.up AS SELECT tenant, id, small, other FROM wow.behind";
    let statements = [format!("CREATE TABLE wow.behind {TABLE}"), rows_of("wow.behind", 7), view.to_owned()];
    let upstream = Upstream::start("Columns", &statements).await;
    upstream.ground.sql(view).await;
    upstream.goes_on(&right()).await;
    upstream.ground.sql(view).await;
    upstream.goes_on(&right()).await;
}

/// What is raised counts before anything else that comes with it is published.
#[tokio::test(flavor = "multi_thread")]
async fn a_raised_level_does_not_wait_for_what_is_new() {
    let upstream = Upstream::of_table("Columns").await;
    let declared = yaml("Columns");
    let mut raised = declared.replace(
        "{ name: small, sensitivity: { level: Public } }",
        "{ name: small, sensitivity: { level: Confidential } }",
    );
    assert_ne!(raised, declared);
    let (_, dataset) = declared.split_once("---\n").expect("two objects");
    for number in 0..25 {
        // They sort before it.
        let new = dataset
            .replace("name: shop-up", &format!("name: a{number}"))
            .replace("name: up\n", &format!("name: a{number}\n"));
        raised.push_str(&format!("---\n{new}"));
    }
    upstream.standalone.write("all.yaml", &raised);
    let started = Instant::now();
    while upstream.ask().await == (200, right()) {
        assert!(started.elapsed() < PATIENCE, "still raw:\n{}", upstream.standalone.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let body = json!({ "filter": { "op": "MATCH_ALL" }, "limit": 10 });
    let (last, _) = upstream.caller.ask("a24", "list", &Scope::of("acme"), &body).await;
    assert_eq!(last, 404, "all that is new was published before:\n{}", upstream.standalone.log());
}
