//! The whole way on real parts: chart, roles and guards in a real API server, a real ClickHouse, operator and query server
//! as processes with service accounts, people who use kubectl.

use serde_json::{Value, json};

use crate::support::clickhouse::{clickhouse, examples};
use crate::support::cluster::{Room, allowed, refused};
use crate::support::roles::{condition, is_ready_with, object_until, operator, placed, server};

/// Both sources and the dataset of the examples; the dataset's context is the test's own, because an ID belongs to one
/// namespace. The orders have a quantity here, narrow enough to be widened.
fn examples_for(room: &Room, context: &str) -> (String, String) {
    let read =
        |name: &str| std::fs::read_to_string(examples().join("catalog").join(name)).expect("the examples are there");
    let sources = read("sources.yaml")
        .replace("    - { name: created_at }\n", "    - { name: created_at }\n    - { name: quantity }\n");
    let dataset = read("orders.yaml").replace("context: shop", &format!("context: {context}"));
    (placed(&sources, room), placed(&dataset, room))
}

fn all_orders() -> Value {
    json!({"filter": {"op": "MATCH_ALL"}, "sort": [{"field": "order_id", "direction": "ASC"}], "limit": 100})
}

/// Approves what is pending of a source, as the status says it is done.
async fn approve(room: &Room, user: &str, source: &str) -> std::process::Output {
    let pending = object_until(room, &format!("analyticssource/{source}"), "a pending digest", |object| {
        is_ready_with(object, "ApprovalRequired") && object["status"]["pending"]["digest"].is_string()
    })
    .await;
    let digest = pending["status"]["pending"]["digest"].as_str().expect("it was waited for");
    let command = pending["status"]["pending"]["command"].as_str().expect("a pending change has its command");
    assert!(
        command.contains(digest) && command.starts_with(&format!("kubectl -n {} annotate", room.namespace)),
        "{command}"
    );
    room.annotate(
        user,
        &format!("analyticssource/{source}"),
        &[&format!("approve={digest}"), &format!("approved-by={user}")],
    )
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dataset_goes_from_yaml_to_answers_and_through_its_life() {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    ground.sql("ALTER TABLE wow.shop_order_state ADD COLUMN quantity UInt8 DEFAULT 3").await;
    let room = Room::new("first-light").await;
    let _operator = operator(&room, &ground, json!({})).await;
    let server = server(&room, &ground, json!({})).await;
    let (sources, dataset) = examples_for(&room, "first_light");
    let id = "first_light.orders";

    // Until an approver has spoken, nothing is served.
    allowed(&room.apply("editor", &sources).await);
    allowed(&room.apply("editor", &dataset).await);
    let waiting = object_until(&room, "analyticsdataset/shop-orders", "it waits for its sources", |object| {
        is_ready_with(object, "SourceNotReady")
    })
    .await;
    assert_eq!(condition(&waiting, "Published")["reason"], "NeverPublished");
    assert_eq!(server.query(id, Some("acme"), &all_orders()).await.error_code(), "wow.query.dataset-not-found");
    refused(&approve(&room, "editor", "shop-orders").await, "need the verb approve");
    allowed(&approve(&room, "approver", "shop-orders").await);
    allowed(&approve(&room, "approver", "crm-customers").await);

    // Each tenant sees its own rows, masked.
    let acme = server.query_until(id, "acme", &all_orders(), "acme is answered", |answer| answer.status == 200).await;
    assert_eq!(acme.version, Some(1));
    assert_eq!(acme.column("order_id"), ["o-1", "o-3", "o-4"]);
    assert_eq!(acme.column("customer"), [&json!("G***********"), &json!("A**********"), &Value::Null]);
    let globex = server.query(id, Some("globex"), &all_orders()).await;
    assert_eq!(globex.column("order_id"), ["o-1", "o-77"]);
    assert_eq!(server.query(id, None, &all_orders()).await.status, 403);

    // The status is not written while nothing changes.
    let published = object_until(&room, "analyticsdataset/shop-orders", "it is published", |object| {
        is_ready_with(object, "Published")
    })
    .await;
    let approver = object_until(&room, "analyticssource/shop-orders", "its approval is in the status", |object| {
        is_ready_with(object, "Approved")
    })
    .await;
    assert_eq!(approver["status"]["approved"]["by"], "approver");
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    let later = object_until(&room, "analyticsdataset/shop-orders", "it is still there", |_| true).await;
    assert_eq!(
        later["metadata"]["resourceVersion"], published["metadata"]["resourceVersion"],
        "written without a change"
    );

    // Another definition is another version.
    let second = dataset.replace(
        "      - { name: region, from: c.region }\n",
        "      - { name: region, from: c.region }\n      - { name: quantity, from: o.quantity }\n",
    );
    allowed(&room.apply("editor", &second).await);
    let answer =
        server.query_until(id, "acme", &all_orders(), "version 2 answers", |answer| answer.version == Some(2)).await;
    assert_eq!(answer.column("quantity"), [3, 3, 3]);

    // A mistake keeps it served, and the condition says what is wrong.
    allowed(&room.apply("editor", &second.replace("from: c.region", "from: c.regon")).await);
    let broken = object_until(&room, "analyticsdataset/shop-orders", "the mistake is reported", |object| {
        is_ready_with(object, "InvalidDefinition")
    })
    .await;
    let message = condition(&broken, "Ready")["message"].as_str().expect("a condition has a message");
    assert!(
        message.contains("spec.definition.columns[2].from") && message.contains("Did you mean `region`?"),
        "{message}"
    );
    assert_eq!(condition(&broken, "Published")["reason"], "Previous");
    assert_eq!(server.query(id, Some("acme"), &all_orders()).await.version, Some(2));
    allowed(&room.apply("editor", &second).await);
    object_until(&room, "analyticsdataset/shop-orders", "the mistake is mended", |object| {
        is_ready_with(object, "Published")
    })
    .await;

    // A retyped column: at once 409, never a wrapped number; typed back, it goes on.
    ground
        .sql("ALTER TABLE wow.shop_order_state MODIFY COLUMN quantity UInt64 DEFAULT 3 SETTINGS mutations_sync = 2")
        .await;
    ground
        .sql("INSERT INTO wow.shop_order_state SELECT 'acme', 'u-1', 's-1', 'o-6', 1, false, now64(3), '{}'::JSON, 300")
        .await;
    for _ in 0..20 {
        let answer = server.query(id, Some("acme"), &all_orders()).await;
        assert_eq!((answer.status, answer.error_code()), (409, "wow.query.dataset-unavailable"), "{answer:?}");
    }
    let revise = object_until(&room, "analyticsdataset/shop-orders", "the change is noticed", |object| {
        is_ready_with(object, "NeedsRevision")
    })
    .await;
    assert_eq!(revise["status"]["published"]["available"], false);
    assert_eq!(condition(&revise, "Published")["reason"], "Unavailable");
    ground.sql("ALTER TABLE wow.shop_order_state DELETE WHERE id = 'o-6' SETTINGS mutations_sync = 2").await;
    ground
        .sql("ALTER TABLE wow.shop_order_state MODIFY COLUMN quantity UInt8 DEFAULT 3 SETTINGS mutations_sync = 2")
        .await;
    server
        .query_until(id, "acme", &all_orders(), "typed back, it answers", |answer| {
            answer.status == 200 && answer.version == Some(2)
        })
        .await;

    // Deleted, nothing answers; made anew with another definition, the number is a new one.
    allowed(&room.patch("editor", "analyticsdataset/shop-orders", r#"{"spec":{"lifecycle":"Retired"}}"#).await);
    object_until(&room, "analyticsdataset/shop-orders", "it is retired", |object| is_ready_with(object, "Retired"))
        .await;
    allowed(&room.kubectl("editor", &["delete", "analyticsdataset/shop-orders", "--timeout=20s"], None).await);
    server.query_until(id, "acme", &all_orders(), "deleted, it is not found", |answer| answer.status == 404).await;
    allowed(&room.apply("editor", &dataset).await);
    let again =
        server.query_until(id, "acme", &all_orders(), "made anew, it answers", |answer| answer.status == 200).await;
    assert_eq!(again.version, Some(3), "a number is never used twice");
}
