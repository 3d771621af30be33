use serde_json::json;

use super::*;

fn settings() -> GuardSettings {
    GuardSettings {
        release: "analytics".to_owned(),
        operator_user: "system:serviceaccount:operations:analytics".to_owned(),
        approving_service_accounts: vec!["system:serviceaccount:argocd:controller".to_owned()],
    }
}

/// The cluster as it is after the chart's installation.
fn installed() -> Vec<FoundObject> {
    expected(&settings())
        .into_iter()
        .map(|guard| FoundObject {
            kind: guard.kind,
            object: json!({
                "metadata": { "name": guard.name, "uid": "1" },
                "spec": guard.spec,
                "status": { "observedGeneration": 1, "typeChecking": {} },
            }),
        })
        .collect()
}

fn problems(change: impl Fn(&mut Vec<FoundObject>)) -> Vec<String> {
    let mut found = installed();
    change(&mut found);
    verify(&expected(&settings()), &found).expect_err("something is wrong")
}

fn at<'a>(found: &'a mut [FoundObject], kind: GuardKind, name: &str) -> &'a mut Value {
    let same = |object: &&mut FoundObject| object.kind == kind && object.object["metadata"]["name"] == name;
    &mut found.iter_mut().find(same).expect("there is such a guard").object
}

#[test]
fn what_the_chart_installs_is_right() {
    assert_eq!(verify(&expected(&settings()), &installed()), Ok(()));
}

#[test]
fn each_policy_has_its_binding_and_no_placeholder_is_left() {
    let guards = expected(&settings());
    assert_eq!(guards.len(), 8);
    for pair in guards.chunks(2) {
        assert_eq!((pair[0].kind, pair[1].kind), (GuardKind::Policy, GuardKind::Binding));
        assert_eq!(pair[1].spec["policyName"], pair[0].name.as_str());
        assert_eq!(pair[0].spec["failurePolicy"], "Fail");
        assert!(!pair[0].spec.to_string().contains("${"), "{}", pair[0].spec);
    }
}

#[test]
fn a_user_name_never_becomes_an_expression() {
    assert_eq!(cel_text("a'] || true || 'b' in ['"), r"'a\'] || true || \'b\' in [\''");
}

#[test]
fn a_missing_policy_is_named() {
    let sentences = problems(|found| found.retain(|object| object.kind == GuardKind::Binding));
    assert_eq!(sentences[0], "ValidatingAdmissionPolicy `analytics-adopted` is missing");
    assert_eq!(sentences.len(), 4);
}

#[test]
fn a_missing_binding_is_named() {
    let sentences = problems(|found| {
        found.retain(|object| {
            object.kind == GuardKind::Policy || object.object["metadata"]["name"] != "analytics-decisions"
        });
    });
    assert_eq!(sentences, ["ValidatingAdmissionPolicyBinding `analytics-decisions` is missing"]);
}

#[test]
fn a_weakened_policy_is_named_with_what_differs() {
    let sentences = problems(|found| {
        let policy = at(found, GuardKind::Policy, "analytics-decisions");
        policy["spec"]["validations"][1]["expression"] = json!("true");
        policy["spec"]["matchConditions"] = json!([{ "name": "never", "expression": "false" }]);
    });
    assert_eq!(
        sentences,
        [
            "ValidatingAdmissionPolicy `analytics-decisions`: spec.validations[1].expression is not the one that this \
             version ships",
            "ValidatingAdmissionPolicy `analytics-decisions`: spec.matchConditions is there and should not be",
        ]
    );
}

#[test]
fn a_policy_that_lets_errors_pass_is_named() {
    let sentences = problems(|found| {
        at(found, GuardKind::Policy, "analytics-status")["spec"]["failurePolicy"] = json!("Ignore");
    });
    assert_eq!(
        sentences[0],
        "ValidatingAdmissionPolicy `analytics-status` lets requests pass that it cannot judge: its failurePolicy is \
         not `Fail`"
    );
}

#[test]
fn a_binding_that_only_warns_or_leaves_namespaces_out_is_named() {
    let sentences = problems(|found| {
        let binding = at(found, GuardKind::Binding, "analytics-history");
        binding["spec"]["validationActions"] = json!(["Warn"]);
        binding["spec"]["matchResources"] = json!({ "namespaceSelector": { "matchLabels": { "a": "b" } } });
    });
    assert_eq!(
        sentences[0],
        "ValidatingAdmissionPolicyBinding `analytics-history` does not deny: its validationActions lack `Deny`"
    );
    assert!(sentences.iter().any(|text| text.ends_with("spec.matchResources is there and should not be")));
}

#[test]
fn type_warnings_and_deletion_are_named() {
    let sentences = problems(|found| {
        let policy = at(found, GuardKind::Policy, "analytics-status");
        policy["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        policy["status"]["typeChecking"]["expressionWarnings"] =
            json!([{ "fieldRef": "spec.validations[0].expression", "warning": "undefined field\nmore" }]);
    });
    assert_eq!(
        sentences,
        [
            "ValidatingAdmissionPolicy `analytics-status` is being deleted",
            "ValidatingAdmissionPolicy `analytics-status`: the API server warns of spec.validations[0].expression: \
             undefined field",
        ]
    );
}

#[test]
fn other_settings_are_another_policy() {
    let other = GuardSettings { approving_service_accounts: Vec::new(), ..settings() };
    let sentences = verify(&expected(&other), &installed()).expect_err("one account more may approve");
    assert_eq!(sentences.len(), 1);
    assert!(sentences[0].contains("spec.validations[2].expression"), "{sentences:?}");
}

#[test]
fn guards_that_were_made_anew_or_changed_have_another_stamp() {
    let before = stamp(&installed());
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut found = installed();
        change(at(&mut found, GuardKind::Binding, "analytics-decisions"));
        stamp(&found)
    };
    assert_ne!(changed(&|guard| guard["metadata"]["uid"] = json!("2")), before);
    assert_ne!(changed(&|guard| guard["metadata"]["generation"] = json!(3)), before);
    assert_eq!(changed(&|guard| guard["metadata"]["labels"] = json!({ "a": "b" })), before);
    assert_eq!(stamp(&installed().into_iter().rev().collect::<Vec<_>>()), before);
}

#[test]
fn the_last_change_is_of_a_spec_not_of_a_status() {
    let mut found = installed();
    assert_eq!(last_change(&found), None);
    let guard = at(&mut found, GuardKind::Policy, "analytics-status");
    guard["metadata"]["creationTimestamp"] = json!("2026-01-01T00:00:00Z");
    guard["metadata"]["managedFields"] = json!([
        { "manager": "helm", "time": "2026-01-02T00:00:00Z" },
        { "manager": "kube-controller-manager", "subresource": "status", "time": "2026-01-03T00:00:00Z" },
    ]);
    assert_eq!(last_change(&found).map(|time| time.to_string()).as_deref(), Some("2026-01-02T00:00:00Z"));
}
