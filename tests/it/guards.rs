//! The guard policies on a real API server: what must be refused is refused, with our sentence; what must work works
//! (Kubernetes notes 8.5).

mod decisions;
mod installed;
mod ordinary;
mod reserved;
mod roles;

use crate::support::cluster::{Room, allowed};

/// What the operator would publish as pending.
const DIGEST: &str = "sha256:1111111111111111111111111111111111111111111111111111111111111111";

/// A dataset as an editor applies it.
const DATASET: &str = r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: { name: orders }
spec:
  context: shop
  name: orders
  definition:
    sources: [{ alias: o, sourceId: "default:wow:orders" }]
    subject: o
    columns: [{ name: id, from: o.id }]
"#;

/// A source as an editor applies it.
const SOURCE: &str = r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: { name: orders }
spec: { connection: default, database: wow, table: orders, tenant: { column: tenant_id } }
"#;

/// The kubectl names of both objects.
const BOTH: [&str; 2] = ["analyticsdataset/orders", "analyticssource/orders"];

/// A namespace with both objects, each with a change that waits for a decision.
async fn pending(namespace: &'static str) -> Room {
    let room = Room::new(namespace).await;
    for (object, text) in BOTH.into_iter().zip([DATASET, SOURCE]) {
        allowed(&room.apply("editor", text).await);
        report_pending(&room, object, "[]").await;
    }
    room
}

/// Writes as the operator does that a change of the present generation waits, and on whom else it depends.
async fn report_pending(room: &Room, object: &str, approvers: &str) {
    let generation = room.value(object, ".metadata.generation").await;
    let status = format!(
        r#"{{"observedGeneration":{generation},"pending":{{"digest":"{DIGEST}","serial":1,"why":["a reason"],
        "approvers":{approvers},"command":"kubectl annotate"}}}}"#
    );
    allowed(&room.patch_status("operator", object, &status).await);
}
