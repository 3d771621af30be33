//! What people, tools and the operator do every day, which the guards must not be in the way of.

use super::{BOTH, DATASET, DIGEST, SOURCE, pending};
use crate::support::cluster::{COMMITTER, allowed};

const APPROVED: &str = r".metadata.annotations.analytics\.wow\.dev/approve";

#[tokio::test]
async fn applying_again_keeps_an_approval() {
    let room = pending("apply-again").await;
    for (object, text) in BOTH.into_iter().zip([DATASET, SOURCE]) {
        let approve = format!("approve={DIGEST}");
        allowed(&room.annotate("approver", object, &[&approve, "approved-by=approver"]).await);
        // Client-side apply, server-side apply of a GitOps tool, and a changed spec: none mentions the annotation.
        allowed(&room.apply("editor", text).await);
        let server_side =
            ["apply", "--server-side", "--field-manager=argocd-controller", "--force-conflicts", "-f", "-"];
        allowed(&room.kubectl(COMMITTER, &server_side, Some(text)).await);
        let changed = text.replace("o.id }", "o.number }").replace("tenant_id", "tenant");
        allowed(&room.apply("editor", &changed).await);
        assert_eq!(room.value(object, APPROVED).await, DIGEST);
        // `replace` wipes it, which is a withdrawal.
        allowed(&room.kubectl("editor", &["replace", "-f", "-"], Some(text)).await);
        assert_eq!(room.value(object, APPROVED).await, "");
    }
}

#[tokio::test]
async fn objects_are_labelled_annotated_and_finalized() {
    let room = pending("daily").await;
    for object in BOTH {
        allowed(&room.kubectl("editor", &["label", object, "team=shop"], None).await);
        allowed(&room.kubectl("editor", &["annotate", object, "example.com/ticket=17"], None).await);
        allowed(&room.annotate("editor", object, &["refresh-requested=2026-01-01T00:00:00Z"]).await);
        let finalizers = r#"{"metadata":{"finalizers":["analytics.wow.dev/unpublish"]}}"#;
        allowed(&room.patch("operator", object, finalizers).await);
        allowed(&room.patch_status("operator", object, r#"{"warnings":null,"observedGeneration":1}"#).await);
        allowed(&room.kubectl("editor", &["delete", object, "--wait=false"], None).await);
        allowed(&room.patch("operator", object, r#"{"metadata":{"finalizers":null}}"#).await);
        assert_eq!(allowed(&room.kubectl("viewer", &["get", object, "--ignore-not-found"], None).await), "");
    }
}
