//! Approving, refusing, and serving an earlier version.

use std::fs;

use super::{BOTH, DATASET, DIGEST, SOURCE, pending, report_pending};
use crate::support::cluster::{APPROVING_ACCOUNT, COMMITTER, Room, allowed, plane, refused, until};

const OTHER_DIGEST: &str = "sha256:2222222222222222222222222222222222222222222222222222222222222222";

fn approve() -> String {
    format!("approve={DIGEST}")
}

fn refuse() -> String {
    format!("refuse={DIGEST}")
}

#[tokio::test]
async fn an_approver_approves_what_is_pending() {
    let room = pending("approve").await;
    for object in BOTH {
        let before = room.value(object, ".metadata.generation").await;
        let annotations = [approve(), "approved-by=approver".to_owned(), "decision-note=seen".to_owned()];
        let keys: Vec<String> = annotations.iter().map(|key| format!("analytics.wow.dev/{key}")).collect();
        let mut probe = vec!["annotate", "--dry-run=server", object];
        probe.extend(keys.iter().map(String::as_str));
        allowed(&room.kubectl("approver", &probe, None).await);
        assert_eq!(room.value(object, r".metadata.annotations.analytics\.wow\.dev/approve").await, "");

        let annotations: Vec<&str> = annotations.iter().map(String::as_str).collect();
        allowed(&room.annotate("approver", object, &annotations).await);
        assert_eq!(room.value(object, r".metadata.annotations.analytics\.wow\.dev/approve").await, DIGEST);
        assert_eq!(room.value(object, ".metadata.generation").await, before);
    }
}

#[tokio::test]
async fn whoever_lacks_the_verb_cannot_decide() {
    let room = pending("no-verb").await;
    for (object, resource) in BOTH.into_iter().zip(["analyticsdatasets", "analyticssources"]) {
        let sentence = format!(
            "Approving, refusing and taking back a refusal need the verb approve on {resource}.analytics.wow.dev; \
             editor does not have it here."
        );
        refused(&room.annotate("editor", object, &[&approve(), "approved-by=editor"]).await, &sentence);
        refused(&room.annotate("editor", object, &[&refuse(), "approved-by=editor"]).await, &sentence);
        let viewer = room.annotate("viewer", object, &[&approve(), "approved-by=viewer"]).await;
        refused(&viewer, "cannot patch resource");
    }
}

#[tokio::test]
async fn only_the_pending_digest_can_be_decided() {
    let room = pending("stale").await;
    for object in BOTH {
        for key in ["approve", "refuse"] {
            let output =
                room.annotate("approver", object, &[&format!("{key}={OTHER_DIGEST}"), "approved-by=approver"]).await;
            let sentence =
                format!("The value of analytics.wow.dev/{key} is not the pending digest, which is {DIGEST}.");
            refused(&output, &sentence);
        }
        // Published: what was pending is gone, and its digest with it.
        allowed(&room.patch_status("operator", object, r#"{"pending":null}"#).await);
        let again = room.annotate("approver", object, &[&approve(), "approved-by=approver"]).await;
        refused(&again, "Nothing is pending here, so there is nothing to approve.");
        let again = room.annotate("approver", object, &[&refuse(), "approved-by=approver"]).await;
        refused(&again, "Nothing is pending here, so there is nothing to refuse.");
    }
    // Another object under the same name starts from nothing.
    allowed(&room.kubectl("editor", &["delete", BOTH[0]], None).await);
    allowed(&room.apply("editor", DATASET).await);
    let again = room.annotate("approver", BOTH[0], &[&approve(), "approved-by=approver"]).await;
    refused(&again, "The operator has not looked at the latest spec yet");
}

#[tokio::test]
async fn nothing_is_decided_at_creation() {
    let room = Room::new("creation").await;
    let at_creation = "An object cannot be created with analytics.wow.dev/approve or analytics.wow.dev/refuse";
    let alone = "changes only together with a decision.";
    for text in [DATASET, SOURCE] {
        for (key, sentence) in
            [("approve", at_creation), ("refuse", at_creation), ("approved-by", alone), ("decision-note", alone)]
        {
            let annotated = text.replace(
                "{ name: orders }",
                &format!("{{ name: a, annotations: {{ analytics.wow.dev/{key}: 'admin' }} }}"),
            );
            refused(&room.kubectl("admin", &["create", "-f", "-"], Some(&annotated)).await, sentence);
            // An apply that creates is a creation too.
            let apply = ["apply", "--server-side", "-f", "-"];
            refused(&room.kubectl("admin", &apply, Some(&annotated)).await, sentence);
        }
    }
    let served =
        DATASET.replace("{ name: orders }", "{ name: a, annotations: { analytics.wow.dev/serve-version: '3' } }");
    let create = ["create", "--as=anna", "-f", "-"];
    let bind = ["create", "rolebinding", "anna", "--clusterrole=catalog-admin", "--user=anna"];
    allowed(&room.kubectl("admin", &bind, None).await);
    allowed(&room.kubectl("admin", &create, Some(&served)).await);
}

#[tokio::test]
async fn a_decision_is_signed_with_the_own_name() {
    let room = pending("signed").await;
    let sentence = "A decision needs your own user name in analytics.wow.dev/approved-by: approver.";
    for object in BOTH {
        refused(&room.annotate("approver", object, &[&approve()]).await, sentence);
        refused(&room.annotate("approver", object, &[&approve(), "approved-by=editor"]).await, sentence);
        refused(&room.annotate("approver", object, &[&refuse(), "approved-by=editor"]).await, sentence);
        let alone = "analytics.wow.dev/approved-by changes only together with a decision.";
        refused(&room.annotate("approver", object, &["approved-by=approver"]).await, alone);
        let alone = "analytics.wow.dev/decision-note changes only together with a decision.";
        refused(&room.annotate("approver", object, &["decision-note=looks good"]).await, alone);

        allowed(&room.annotate("approver", object, &[&approve(), "approved-by=approver"]).await);
        let changed = room.annotate("approver", object, &["approved-by=editor"]).await;
        refused(&changed, "analytics.wow.dev/approved-by changes only together with a decision.");
        let removed = room.annotate("editor", object, &["approved-by-"]).await;
        refused(&removed, "analytics.wow.dev/approved-by changes only together with a decision.");
        refused(&room.annotate("editor", object, &["decision-note=mine"]).await, alone);
    }
}

#[tokio::test]
async fn a_note_is_as_long_as_the_status_takes_it() {
    let room = pending("note").await;
    for object in BOTH {
        let note = |length: usize| format!("decision-note={}", "ä".repeat(length));
        let longest = "The value of analytics.wow.dev/decision-note has up to 1000 characters.";
        let by = "approved-by=approver";
        refused(&room.annotate("approver", object, &[&refuse(), by, &note(1001)]).await, longest);
        refused(&room.annotate("approver", object, &[&approve(), by, &note(1001)]).await, longest);
        allowed(&room.annotate("approver", object, &[&approve(), by, &note(1000)]).await);
    }
}

#[tokio::test]
async fn a_decision_and_a_change_are_two_requests() {
    let room = pending("with-change").await;
    let metadata = format!(
        r#""metadata":{{"annotations":{{"analytics.wow.dev/approve":"{DIGEST}","analytics.wow.dev/approved-by":"approver"}}}}"#
    );
    for (object, spec) in BOTH.into_iter().zip([r#"{"description":"x"}"#, r#"{"owner":{"column":"o"}}"#]) {
        let output = room.patch("approver", object, &format!(r#"{{{metadata},"spec":{spec}}}"#)).await;
        refused(&output, "A decision and a change of the spec cannot be one request");
        allowed(&room.patch("editor", object, &format!(r#"{{"spec":{spec}}}"#)).await);
        let output = room.patch("approver", object, &format!("{{{metadata}}}")).await;
        refused(&output, "The operator has not looked at the latest spec yet: wait until status.observedGeneration is");
        report_pending(&room, object, "[]").await;
        allowed(&room.patch("approver", object, &format!("{{{metadata}}}")).await);
    }
}

#[tokio::test]
async fn service_accounts_decide_only_where_the_chart_says_so() {
    let room = pending("accounts").await;
    for object in BOTH {
        let sentence = format!(
            "Decisions are taken by people: {COMMITTER} is not among the service accounts that may approve or refuse."
        );
        let by = format!("approved-by={COMMITTER}");
        refused(&room.annotate(COMMITTER, object, &[&approve(), &by]).await, &sentence);
        refused(&room.annotate(COMMITTER, object, &[&refuse(), &by]).await, &sentence);
        let by = format!("approved-by={APPROVING_ACCOUNT}");
        allowed(&room.annotate(APPROVING_ACCOUNT, object, &[&approve(), &by]).await);
    }
}

#[tokio::test]
async fn an_approval_is_withdrawn_by_whoever_may_update() {
    let room = pending("withdraw").await;
    for object in BOTH {
        let by = "approved-by=approver";
        allowed(&room.annotate("approver", object, &[&approve(), by, "decision-note=yes"]).await);
        allowed(&room.annotate("editor", object, &["approve-"]).await);
        allowed(&room.annotate("editor", object, &["approved-by-", "decision-note-"]).await);
        allowed(&room.annotate("approver", object, &[&approve(), by, "decision-note=yes"]).await);
        allowed(&room.annotate(COMMITTER, object, &["approve-", "approved-by-", "decision-note-"]).await);
    }
}

#[tokio::test]
async fn a_refusal_is_final_and_taken_back_by_approvers_only() {
    let room = pending("refuse").await;
    for object in BOTH {
        let by = "approved-by=approver";
        allowed(&room.annotate("approver", object, &[&refuse(), by, "decision-note=too much"]).await);
        let need = "Approving, refusing and taking back a refusal need the verb approve on";
        refused(&room.annotate("editor", object, &["refuse-", "approved-by-", "decision-note-"]).await, need);
        refused(&room.annotate("editor", object, &[&format!("refuse={OTHER_DIGEST}")]).await, need);
        let people = "Decisions are taken by people";
        refused(&room.annotate(COMMITTER, object, &["refuse-", "approved-by-"]).await, people);
        let signed = "analytics.wow.dev/approved-by changes only together with a decision.";
        refused(&room.annotate("editor", object, &["approved-by-"]).await, signed);
        let final_sentence = "This digest was refused, and a refusal is final";
        refused(&room.annotate("approver", object, &[&approve(), by]).await, final_sentence);
        allowed(&room.annotate("approver", object, &["refuse-", "approved-by-", "decision-note-"]).await);

        allowed(&room.annotate("approver", object, &[&approve(), by]).await);
        allowed(&room.annotate("approver", object, &[&refuse(), by]).await);
        let beside = "A refusal cannot be taken back beside an approval of the same digest";
        refused(&room.annotate("approver", object, &["refuse-"]).await, beside);
        allowed(&room.annotate("approver", object, &["refuse-", "approve-", "approved-by-"]).await);
    }
}

#[tokio::test]
async fn going_below_a_source_needs_its_approvers() {
    let room = pending("lowering").await;
    // Anna approves here, and nowhere else.
    let bind = ["create", "rolebinding", "anna", "--clusterrole=catalog-approver", "--user=anna"];
    allowed(&room.kubectl("admin", &bind, None).await);
    let own = "analyticssources/lowering/orders";
    let other = "analyticssources/crm/customers";
    report_pending(&room, BOTH[0], &format!(r#"["{own}"]"#)).await;
    allowed(&room.annotate("anna", BOTH[0], &[&approve(), "approved-by=anna"]).await);
    allowed(&room.annotate("anna", BOTH[0], &["approve-", "approved-by-"]).await);

    // Seventeen, the most there can be, are within what one policy may ask the authorizer.
    for foreign in [0, 2, 3, 16] {
        let mut approvers = [own; 17];
        approvers[foreign] = other;
        report_pending(&room, BOTH[0], &format!("{approvers:?}")).await;
        let output = room.annotate("anna", BOTH[0], &[&approve(), "approved-by=anna"]).await;
        refused(&output, &format!("This approval needs the verb approve on {other} too."));
    }
    allowed(&room.annotate("anna", BOTH[0], &[&refuse(), "approved-by=anna"]).await);
    allowed(&room.annotate("anna", BOTH[0], &["refuse-", "approved-by-"]).await);
    allowed(&room.annotate("approver", BOTH[0], &[&approve(), "approved-by=approver"]).await);
}

#[tokio::test]
async fn a_rollback_needs_its_own_verb() {
    let room = pending("rollback").await;
    let object = BOTH[0];
    let need = "Changing analytics.wow.dev/serve-version needs the verb rollback on analyticsdatasets.analytics.wow.dev; \
                approver does not have it here.";
    refused(&room.annotate("approver", object, &["serve-version=1"]).await, need);
    let number = "The value of analytics.wow.dev/serve-version is the number of a version, such as 3.";
    for value in ["serve-version=0", "serve-version=latest", "serve-version=-1"] {
        refused(&room.annotate("editor", object, &[value]).await, number);
    }
    allowed(&room.annotate("editor", object, &["serve-version=1"]).await);
    refused(&room.annotate("approver", object, &["serve-version-"]).await, need);
    allowed(&room.annotate("editor", object, &["serve-version-"]).await);
    allowed(&room.annotate("editor", object, &["refresh-requested=now"]).await);
}

#[tokio::test]
async fn the_status_cannot_smuggle_an_approval_in() {
    let room = pending("smuggle").await;
    for object in BOTH {
        let patch = format!(
            r#"{{"metadata":{{"annotations":{{"analytics.wow.dev/approve":"{DIGEST}"}}}},"status":{{"id":"a"}}}}"#
        );
        let args = ["patch", object, "--subresource=status", "--type=merge", "--patch", &patch];
        allowed(&room.kubectl("operator", &args, None).await);
        assert!(!room.value(object, ".metadata.annotations").await.contains(DIGEST));
    }
}

#[tokio::test]
async fn the_audit_log_names_digest_and_user() {
    let room: Room = pending("audit").await;
    allowed(&room.annotate("approver", BOTH[0], &[&approve(), "approved-by=approver"]).await);
    allowed(&room.annotate("editor", BOTH[0], &["serve-version=4"]).await);
    let decision = format!(r#""catalog-decisions/decision":"approve {DIGEST}""#);
    let expected = [decision.as_str(), r#""catalog-decisions/serve-version":"4""#];
    let log = plane().await.audit_log();
    until("the audit log has both", async || {
        let text = fs::read_to_string(&log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().filter(|line| line.contains(r#""namespace":"audit""#)).collect();
        expected.iter().zip(["approver", "editor"]).all(|(annotation, user)| {
            let user = format!(r#""catalog-decisions/user":"{user}""#);
            lines.iter().any(|line| line.contains(annotation) && line.contains(&user))
        })
    })
    .await
    .expect("the API server writes what the policy says");
}
