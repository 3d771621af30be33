//! An approval counts only where nobody could have forged it: the guards of the annotations are in place, and have been
//! since what waits was published (design 5.3).

use analytics_catalog::plan::guards::{Guard, GuardKind, GuardSettings, expected};
use serde_json::{Value, json};

use crate::support::clickhouse::clickhouse;
use crate::support::cluster::{APPROVING_ACCOUNT, OPERATOR_USER, RELEASE, Room, allowed, plane};
use crate::support::roles::{is_ready_with, object_until, operator, placed};

const SOURCE: &str = r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: { name: customers }
spec:
  connection: default
  database: crm
  table: customers
  tenant: { column: tenant }
  columns: [{ name: id, sensitivity: { level: Public } }]
"#;

const OBJECT: &str = "analyticssource/customers";

/// Guards of a release of this test's own: they say the same as those of all tests, and can be taken away.
fn guards() -> Vec<Guard> {
    expected(&GuardSettings {
        release: "gap".to_owned(),
        operator_user: OPERATOR_USER.to_owned(),
        approving_service_accounts: vec![APPROVING_ACCOUNT.to_owned()],
    })
}

async fn install(guard: &Guard) {
    let object = json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": guard.kind.as_str(),
        "metadata": { "name": guard.name },
        "spec": guard.spec,
    });
    allowed(&plane().await.kubectl("admin", &["apply", "--server-side", "-f", "-"], Some(&object.to_string())).await);
}

async fn remove(guard: &Guard) {
    allowed(&plane().await.kubectl("admin", &["delete", guard.kind.as_str(), &guard.name], None).await);
}

async fn approve(room: &Room, digest: &str) {
    let annotations = [format!("approve={digest}"), "approved-by=approver".to_owned()];
    allowed(&room.annotate("approver", OBJECT, &annotations.each_ref().map(String::as_str)).await);
}

async fn waiting(room: &Room, what: &str, other_than: &str) -> String {
    let object = object_until(room, OBJECT, what, |object| {
        is_ready_with(object, "ApprovalRequired") && object["status"]["pending"]["digest"] != other_than
    })
    .await;
    assert_eq!(object["status"]["approved"], Value::Null);
    object["status"]["pending"]["digest"].as_str().expect("a pending digest").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_annotated_in_a_gap_of_the_guards_does_not_count_after_it() {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    let room = Room::new("gap").await;
    let guards = guards();
    for guard in &guards {
        install(guard).await;
    }
    let decisions = guards
        .iter()
        .find(|guard| guard.kind == GuardKind::Binding && guard.name == "gap-decisions")
        .expect("a binding");
    let overlay = json!({ "guards": { "release": "gap", "serviceAccount": RELEASE } });
    let mut first = operator(&room, &ground, overlay.clone()).await;
    allowed(&room.apply("editor", &placed(SOURCE, &room)).await);
    let before = waiting(&room, "it waits", "").await;

    // A gap that is over before anybody looks, while the operator works.
    remove(decisions).await;
    approve(&room, &before).await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    install(decisions).await;
    let after = waiting(&room, "it asks anew", &before).await;

    // A gap that nobody sees at all.
    first.kill();
    remove(decisions).await;
    approve(&room, &after).await;
    install(decisions).await;
    let _second = operator(&room, &ground, overlay).await;
    let last = waiting(&room, "it asks anew again", &after).await;

    approve(&room, &last).await;
    object_until(&room, OBJECT, "that one counts", |object| is_ready_with(object, "Approved")).await;
    for guard in &guards {
        remove(guard).await;
    }
}
