//! From `kubectl apply` to the first right answer over HTTP, on the real API server with operator and query server as
//! processes of their own.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::clickhouse::clickhouse;
use crate::support::cluster::{Room, allowed};
use crate::support::roles::{is_ready_with, object_until, operator, placed, server};
use crate::{Figures, size};

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

/// A dataset of which `column` is the one thing that changes.
fn dataset(room: &Room, name: &str, column: &str) -> String {
    let yaml = format!(
        r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: {{ name: {name} }}
spec:
  context: latency
  name: {name}
  definition:
    sources: [{{ alias: c, sourceId: "default:crm:customers" }}]
    subject: c
    columns: [{{ name: id, from: c.id }}, {{ name: {column}, from: c.region }}]
"#
    );
    placed(&yaml, room)
}

/// The 95th percentile of publications, every other one of a new dataset and of a changed definition.
pub async fn figure(figures: &mut Figures) {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    let room = Room::new("latency").await;
    let _operator = operator(&room, &ground, json!({ "resync": "5m" })).await;
    let server = server(&room, &ground, json!({})).await;
    allowed(&room.apply("editor", &placed(SOURCE, &room)).await);
    let waits = |object: &serde_json::Value| is_ready_with(object, "ApprovalRequired");
    let object = object_until(&room, "analyticssource/customers", "it waits", waits).await;
    let approve = format!("approve={}", object["status"]["pending"]["digest"].as_str().expect("a pending digest"));
    allowed(&room.annotate("approver", "analyticssource/customers", &[&approve, "approved-by=approver"]).await);

    let publications = size("FIGURES_PUBLICATIONS", 50);
    let everything = json!({ "filter": { "op": "MATCH_ALL" }, "limit": 10 });
    let mut times: Vec<Duration> = Vec::new();
    for publication in 0..publications + 2 {
        let name = format!("d{}", publication / 2);
        let column = format!("region_{}", publication % 2);
        let yaml = dataset(&room, &name, &column);
        let started = Instant::now();
        allowed(&room.apply("editor", &yaml).await);
        let right = |answer: &crate::support::roles::Answer| answer.body[0][&column].is_string();
        server.query_until(&format!("latency.{name}"), "acme", &everything, "it is published", right).await;
        // The first two find nothing warm.
        if publication >= 2 {
            times.push(started.elapsed());
        }
    }
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize].as_secs_f64();
    let value = format!("{:.2} s (median {:.2} s, {publications} publications)", at(0.95), at(0.5));
    figures.print("a.3 kubectl apply to the first right answer, p95", &value, "2 s", at(0.95) <= 2.0);
}
