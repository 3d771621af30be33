//! Operators that are killed at any moment, and two at once: no version is lost, doubled or half published, and what is
//! served is answered throughout (design 5.1).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::clickhouse::clickhouse;
use crate::support::cluster::{Room, allowed, plane};
use crate::support::roles::{Server, is_ready_with, object_until, operator, placed, server};

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
fn dataset(room: &Room, column: &str) -> String {
    let yaml = format!(
        r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: {{ name: customers }}
spec:
  context: faults
  name: customers
  definition:
    sources: [{{ alias: c, sourceId: "default:crm:customers" }}]
    subject: c
    columns: [{{ name: id, from: c.id }}, {{ name: {column}, from: c.region }}]
"#
    );
    placed(&yaml, room)
}

fn everything() -> Value {
    json!({"filter": {"op": "MATCH_ALL"}, "limit": 10})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn operators_may_die_at_any_moment_and_two_may_work_at_once() {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    let room = Room::new("faults").await;
    let server = Arc::new(server(&room, &ground, json!({})).await);
    let mut first = operator(&room, &ground, json!({})).await;
    allowed(&room.apply("editor", &placed(SOURCE, &room)).await);
    let object = object_until(&room, "analyticssource/customers", "it waits", |object| {
        is_ready_with(object, "ApprovalRequired")
    })
    .await;
    let approve = format!("approve={}", object["status"]["pending"]["digest"].as_str().expect("a pending digest"));
    allowed(&room.annotate("approver", "analyticssource/customers", &[&approve, "approved-by=approver"]).await);
    allowed(&room.apply("editor", &dataset(&room, "region_0")).await);
    server
        .query_until("faults.customers", "acme", &everything(), "it is answered", |answer| answer.status == 200)
        .await;
    first.kill();

    let watch = Watch::start(server.clone());
    // Moments spread over the steps of a publication, which takes about half a second after the start.
    for (round, life) in [300u64, 450, 550, 650, 750, 900, 1100, 1400].into_iter().enumerate() {
        allowed(&room.apply("editor", &dataset(&room, &format!("region_{}", round + 1))).await);
        let mut doomed = operator(&room, &ground, json!({})).await;
        let mut rival = if round % 2 == 1 { Some(operator(&room, &ground, json!({})).await) } else { None };
        tokio::time::sleep(Duration::from_millis(life)).await;
        doomed.kill();
        if let Some(rival) = &mut rival {
            rival.kill();
        }
    }
    let _survivors = (operator(&room, &ground, json!({})).await, operator(&room, &ground, json!({})).await);
    allowed(&room.apply("editor", &dataset(&room, "region_last")).await);
    let last = |answer: &crate::support::roles::Answer| answer.body[0]["region_last"].is_string();
    let answer =
        server.query_until("faults.customers", "acme", &everything(), "the last definition is served", last).await;
    let object =
        object_until(&room, "analyticsdataset/customers", "it is settled", |object| is_ready_with(object, "Published"))
            .await;
    assert_eq!(object["status"]["published"]["version"].as_u64(), answer.version);
    let (asked, failed) = watch.stop().await;
    assert_eq!(failed, 0, "{failed} of {asked} queries were not answered while operators died");

    let revisions = revisions().await;
    let views = ground
        .clickhouse
        .sql(format!("SELECT comment FROM system.tables WHERE database = '{}' FORMAT TSVRaw", ground.datasets))
        .await;
    let marks: Vec<Value> =
        views.lines().map(|line| serde_json::from_str(line).expect("every view carries a mark")).collect();
    assert!(!marks.is_empty() && marks.len() <= revisions.len());
    for mark in &marks {
        let version = mark["version"].as_u64().expect("a mark has a version");
        let revision =
            revisions.get(&version).unwrap_or_else(|| panic!("the view of version {version} has no revision"));
        assert_eq!(mark["contentHash"], revision["record"]["contentHash"], "version {version} means two things");
    }
    let published: Vec<&Value> = revisions.values().filter(|version| version["published"] == true).collect();
    let hashes: BTreeSet<&str> =
        published.iter().filter_map(|version| version["record"]["contentHash"].as_str()).collect();
    assert_eq!(hashes.len(), published.len(), "a definition was published twice");
}

/// The versions in the durable history of the dataset, by number.
async fn revisions() -> BTreeMap<u64, Value> {
    let output = plane()
        .await
        .kubectl("admin", &["get", "controllerrevisions", "--namespace", "operations", "-o", "json"], None)
        .await;
    let list: Value = serde_json::from_str(&allowed(&output)).expect("kubectl prints JSON");
    let ours = |item: &&Value| item["metadata"]["annotations"]["analytics.wow.dev/subject"] == "faults.customers";
    let items = list["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let version = |item: &Value| {
        let mut version = item["data"]["content"]["version"].clone();
        // A claim that lost a race stays a claim: only what readers saw is a version.
        version["published"] = item["metadata"]["annotations"]["analytics.wow.dev/published-at"].is_string().into();
        (item["revision"].as_u64().unwrap_or_default(), version)
    };
    items.iter().filter(ours).map(version).collect()
}

/// Asks all the time, and counts what is not answered.
struct Watch {
    stop: Arc<AtomicBool>,
    asked: Arc<AtomicU64>,
    failed: Arc<AtomicU64>,
    task: tokio::task::JoinHandle<()>,
}

impl Watch {
    fn start(server: Arc<Server>) -> Self {
        let (stop, asked, failed) =
            (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let task = tokio::spawn({
            let (stop, asked, failed) = (stop.clone(), asked.clone(), failed.clone());
            async move {
                while !stop.load(Ordering::Relaxed) {
                    let answer = server.query("faults.customers", Some("acme"), &everything()).await;
                    asked.fetch_add(1, Ordering::Relaxed);
                    if answer.status != 200 || answer.body.as_array().is_none_or(|rows| rows.len() != 2) {
                        eprintln!("not answered: {answer:?}");
                        failed.fetch_add(1, Ordering::Relaxed);
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        });
        Self { stop, asked, failed, task }
    }

    async fn stop(self) -> (u64, u64) {
        self.stop.store(true, Ordering::Relaxed);
        self.task.await.expect("the watch does not panic");
        (self.asked.load(Ordering::Relaxed), self.failed.load(Ordering::Relaxed))
    }
}
