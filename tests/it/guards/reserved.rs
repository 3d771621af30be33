//! What only the operator writes: the status, the durable history, adopted sources.

use super::{BOTH, DATASET, SOURCE, pending};
use crate::support::cluster::{COMMITTER, OPERATIONS, OPERATOR_USER, Room, allowed, refused, until};

/// A revision of the durable history.
const REVISION: &str = r#"
apiVersion: apps/v1
kind: ControllerRevision
metadata: { name: NAME, labels: { analytics.wow.dev/history: LABEL } }
revision: 1
data: { a: b }
"#;

fn revision(name: &str, label: &str) -> String {
    REVISION.replace("NAME", name).replace("LABEL", label)
}

#[tokio::test]
async fn only_the_operator_writes_the_status() {
    let room = pending("status").await;
    for (object, resource) in BOTH.into_iter().zip(["analyticsdatasets", "analyticssources"]) {
        let sentence = format!(
            "Only the operator ({OPERATOR_USER}) writes the status of {resource}: query servers answer from it."
        );
        for user in ["admin", COMMITTER] {
            refused(&room.patch_status(user, object, r#"{"id":"forged"}"#).await, &sentence);
        }
        for user in ["editor", "approver", "viewer"] {
            let output = room.patch_status(user, object, r#"{"id":"forged"}"#).await;
            refused(&output, &format!("User \"{user}\" cannot get resource \"{resource}/status\""));
        }
        allowed(&room.patch_status("operator", object, r#"{"id":"true"}"#).await);
        // What is sent along with the object itself is not taken.
        allowed(&room.patch("admin", object, r#"{"status":{"id":"forged"}}"#).await);
        assert_eq!(room.value(object, ".status.id").await, "true");
    }
    let forged = DATASET.replace("orders }", "forged }") + "status: { id: forged }\n";
    allowed(&room.apply("admin", &forged).await);
    assert_eq!(room.value("analyticsdataset/forged", ".status").await, "");
}

#[tokio::test]
async fn only_the_operator_writes_the_history() {
    let room = Room::new("history").await;
    let sentence = format!("Only the operator ({OPERATOR_USER}) creates, changes and deletes ControllerRevisions");
    // Whatever the label's value, and wherever.
    for label in ["dataset", "\"\""] {
        refused(&room.apply("admin", &revision("forged", label)).await, &sentence);
        refused(&room.apply(COMMITTER, &revision("forged", label)).await, &sentence);
    }
    // The operator keeps its history in its own namespace.
    let here = ["--namespace", OPERATIONS];
    let create = ["create", "-f", "-"];
    let kept = revision("kept", "dataset");
    allowed(&room.kubectl("operator", &[&here[..], &create[..]].concat(), Some(&kept)).await);
    for args in [
        &["annotate", "controllerrevision/kept", "a=b"][..],
        &["label", "controllerrevision/kept", "analytics.wow.dev/history-"],
        &["label", "controllerrevision/kept", "--overwrite", "analytics.wow.dev/history=other"],
        &["delete", "controllerrevision/kept"],
        &["delete", "controllerrevision", "--all"],
    ] {
        refused(&room.kubectl("admin", &[&here[..], args].concat(), None).await, &sentence);
    }
    allowed(
        &room.kubectl("operator", &[&here[..], &["annotate", "controllerrevision/kept", "a=b"]].concat(), None).await,
    );
    allowed(&room.kubectl("operator", &[&here[..], &["delete", "controllerrevision/kept"]].concat(), None).await);
    // Those of others are none of ours, until somebody labels one.
    let others = revision("others", "x").replace("analytics.wow.dev/history", "app");
    allowed(&room.apply("admin", &others).await);
    let label = ["label", "controllerrevision/others", "analytics.wow.dev/history=dataset"];
    refused(&room.kubectl("admin", &label, None).await, &sentence);
    allowed(&room.kubectl("admin", &["annotate", "controllerrevision/others", "a=b"], None).await);
    allowed(&room.kubectl("admin", &["delete", "controllerrevision/others"], None).await);
}

#[tokio::test]
async fn adopted_sources_are_the_operators() {
    let room = Room::new("adopted").await;
    let label = "Only the operator sets, changes and removes the label analytics.wow.dev/adopted.";
    let adopted = SOURCE.replace("orders }", "adopted, labels: { analytics.wow.dev/adopted: sink } }");
    for user in ["editor", "admin", COMMITTER] {
        refused(&room.apply(user, &adopted).await, label);
    }
    let create = ["create", "-f", "-"];
    allowed(&room.kubectl("operator", &create, Some(&adopted)).await);
    let object = "analyticssource/adopted";
    for change in ["analytics.wow.dev/adopted-", "analytics.wow.dev/adopted=other"] {
        refused(&room.kubectl("editor", &["label", "--overwrite", object, change], None).await, label);
    }
    let spec = "The spec of an adopted source follows its catalog table and is the operator's";
    for user in ["editor", "admin"] {
        refused(&room.patch(user, object, r#"{"spec":{"owner":{"column":"o"}}}"#).await, spec);
        refused(&room.patch(user, object, r#"{"spec":{"columns":[]}}"#).await, spec);
    }
    allowed(&room.patch("operator", object, r#"{"spec":{"owner":{"column":"o"}}}"#).await);
    allowed(&room.patch("operator", object, r#"{"metadata":{"labels":{"analytics.wow.dev/adopted":"other"}}}"#).await);
    // People may still decide on it, label it and delete it.
    allowed(&room.kubectl("editor", &["label", object, "team=crm"], None).await);
    super::report_pending(&room, object, "[]").await;
    let approve = format!("approve={}", super::DIGEST);
    allowed(&room.annotate("approver", object, &[&approve, "approved-by=approver"]).await);
    allowed(&room.kubectl("editor", &["delete", object], None).await);
    // One that was not adopted does not become so.
    allowed(&room.apply("editor", SOURCE).await);
    let claim = ["label", "analyticssource/orders", "analytics.wow.dev/adopted=sink"];
    refused(&room.kubectl("editor", &claim, None).await, label);
}

#[tokio::test]
async fn a_published_dataset_is_retired_before_it_is_deleted() {
    let room = pending("deletion").await;
    let published = r#"{"published":{"format":1,"id":"shop.orders","version":1,"connection":"default","view":{"database":"d","name":"v"},
        "contentHash":"h","publishedAt":"2026-01-01T00:00:00Z","available":true,"timeZone":"UTC","columns":[]}}"#;
    allowed(&room.patch_status("operator", BOTH[0], published).await);
    let sentence = "This dataset is published: set lifecycle: Retired first";
    refused(&room.kubectl("editor", &["delete", BOTH[0]], None).await, sentence);
    refused(&room.kubectl("admin", &["delete", "analyticsdatasets", "--all"], None).await, sentence);
    allowed(&room.patch("editor", BOTH[0], r#"{"spec":{"lifecycle":"Retired"}}"#).await);
    allowed(&room.kubectl("editor", &["delete", BOTH[0]], None).await);
}

#[tokio::test]
async fn a_namespace_ends_with_everything_in_it() {
    let room = pending("ending").await;
    let published = r#"{"published":{"format":1,"id":"shop.orders","version":1,"connection":"default","view":{"database":"d","name":"v"},
        "contentHash":"h","publishedAt":"2026-01-01T00:00:00Z","available":true,"timeZone":"UTC","columns":[]}}"#;
    allowed(&room.patch_status("operator", BOTH[0], published).await);
    let adopted = SOURCE.replace("orders }", "adopted, labels: { analytics.wow.dev/adopted: sink } }");
    allowed(&room.kubectl("operator", &["create", "-f", "-"], Some(&adopted)).await);
    // As the operator would have them in a namespace of its own.
    let bind = ["create", "rolebinding", "history", "--clusterrole=cluster-admin", "--user", OPERATOR_USER];
    allowed(&room.kubectl("admin", &bind, None).await);
    allowed(&room.kubectl("operator", &["create", "-f", "-"], Some(&revision("kept", "dataset"))).await);

    allowed(&room.kubectl("admin", &["delete", "namespace", "ending", "--wait=false"], None).await);
    until("the namespace is gone", async || {
        !room.kubectl("admin", &["get", "namespace", "ending"], None).await.status.success()
    })
    .await
    .expect("the guards let the namespace controller do its work");
}
