//! The operator's check of the guards, against what the API server returns.

use analytics_catalog::plan::guards::{FoundObject, Guard, GuardKind, GuardSettings, expected, verify};
use serde_json::Value;

use crate::support::cluster::{APPROVING_ACCOUNT, OPERATOR_USER, RELEASE, allowed, plane, until};

fn guards() -> Vec<Guard> {
    expected(&GuardSettings {
        release: RELEASE.to_owned(),
        operator_user: OPERATOR_USER.to_owned(),
        approving_service_accounts: vec![APPROVING_ACCOUNT.to_owned()],
    })
}

/// What the operator would list.
async fn found() -> Vec<FoundObject> {
    let mut found = Vec::new();
    for kind in [GuardKind::Policy, GuardKind::Binding] {
        let output = plane().await.kubectl("operator", &["get", kind.as_str(), "--output=json"], None).await;
        let list: Value = serde_json::from_str(&allowed(&output)).expect("kubectl prints JSON");
        let items = list["items"].as_array().expect("a list has items");
        found.extend(items.iter().map(|object| FoundObject { kind, object: object.clone() }));
    }
    found
}

#[tokio::test]
async fn the_operator_finds_what_the_chart_installed() {
    assert_eq!(verify(&guards(), &found().await), Ok(()));
    // The type checks come later, by a controller; they must find nothing either.
    until("every guard is type-checked", async || {
        let checked = |object: &FoundObject| !object.object["status"]["typeChecking"].is_null();
        found().await.iter().filter(|object| object.kind == GuardKind::Policy).all(checked)
    })
    .await
    .expect("the controller manager checks types");
    assert_eq!(verify(&guards(), &found().await), Ok(()));
}

#[tokio::test]
async fn a_weakened_guard_is_found_out_after_defaulting() {
    // Policies without bindings: they are in nobody's way.
    let weakened: Vec<Guard> =
        guards().into_iter().map(|guard| Guard { name: guard.name.replace(RELEASE, "weakened"), ..guard }).collect();
    for guard in weakened.iter().filter(|guard| guard.kind == GuardKind::Policy) {
        let mut spec = guard.spec.clone();
        // Leaving it out makes it `Fail` by default; so only what is said otherwise differs.
        spec.as_object_mut().expect("a spec has members").remove("failurePolicy");
        if guard.name.ends_with("history") {
            spec["failurePolicy"] = "Ignore".into();
        }
        let object = serde_json::json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicy",
            "metadata": { "name": guard.name },
            "spec": spec,
        });
        let apply = ["apply", "--server-side", "-f", "-"];
        allowed(&plane().await.kubectl("admin", &apply, Some(&object.to_string())).await);
    }
    let problems = verify(&weakened, &found().await).expect_err("there are no bindings");
    assert_eq!(
        problems,
        [
            "ValidatingAdmissionPolicyBinding `weakened-adopted` is missing",
            "ValidatingAdmissionPolicyBinding `weakened-decisions` is missing",
            "ValidatingAdmissionPolicy `weakened-history` lets requests pass that it cannot judge: its failurePolicy is \
             not `Fail`",
            "ValidatingAdmissionPolicy `weakened-history`: spec.failurePolicy is not the one that this version ships",
            "ValidatingAdmissionPolicyBinding `weakened-history` is missing",
            "ValidatingAdmissionPolicyBinding `weakened-status` is missing",
        ]
    );
}

#[tokio::test]
async fn a_guard_that_no_longer_fits_the_schema_is_found_out() {
    let mut guard = guards().into_iter().find(|guard| guard.name == "catalog-adopted").expect("it is among them");
    guard.name = "outdated-adopted".to_owned();
    guard.spec["validations"][0]["expression"] = "object.spec.removed == 'x'".into();
    let object = serde_json::json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": { "name": guard.name },
        "spec": guard.spec,
    });
    let apply = ["apply", "--server-side", "-f", "-"];
    allowed(&plane().await.kubectl("admin", &apply, Some(&object.to_string())).await);
    until("the type check has found it", async || {
        let problems = verify(std::slice::from_ref(&guard), &found().await).err().unwrap_or_default();
        problems.iter().any(|text| {
            text.starts_with(
                "ValidatingAdmissionPolicy `outdated-adopted`: the API server warns of spec.validations[0].expression: \
                 analytics.wow.dev/v1alpha1, Kind=AnalyticsSource: ERROR: <input>:1:12: undefined field 'removed'",
            )
        })
    })
    .await
    .expect("policies are type-checked against our schemas");
}
