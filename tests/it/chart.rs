//! The chart beyond its guards: what its values change, and what the API server says of the operator's pod.

use crate::support::cluster::{OPERATIONS, Room, allowed, chart, plane, refused};

async fn template(values: &[&str]) -> std::process::Output {
    let chart = chart();
    let chart = chart.to_str().expect("the folder of the sources has a readable name");
    let mut args = vec!["template", "catalog", chart, "--namespace", OPERATIONS, "--kube-version", "1.33.0"];
    for value in values {
        args.extend(["--set", value]);
    }
    plane().await.helm("admin", &args).await
}

/// The objects of a rendering, each as `Kind name`.
fn objects(rendering: &str) -> Vec<String> {
    let value = |document: &str, key: &str| {
        let line = document.lines().find_map(|line| line.strip_prefix(key).map(str::to_owned));
        line.unwrap_or_default()
    };
    rendering
        .split("\n---")
        .map(|document| format!("{} {}", value(document, "kind: "), value(document, "  name: ")))
        .collect()
}

#[tokio::test]
async fn values_switch_parts_off() {
    let all = objects(&allowed(&template(&[]).await));
    for object in [
        "CustomResourceDefinition analyticsdatasets.analytics.wow.dev",
        "ValidatingAdmissionPolicy catalog-decisions",
        "ValidatingAdmissionPolicyBinding catalog-decisions",
        "ClusterRoleBinding catalog-operator",
        "Deployment catalog",
    ] {
        assert!(all.iter().any(|name| name == object), "{object} is not in {all:?}");
    }
    assert!(!all.iter().any(|name| name.ends_with("catalog-delete")));
    let few =
        ["crds.enabled=false", "guards.enabled=false", "operator.enabled=false", "rbac.aggregateClusterRoles=false"];
    let text = allowed(&template(&few).await);
    for absent in ["kind: CustomResourceDefinition", "kind: Validating", "kind: Deployment", "aggregate-to"] {
        assert!(!text.contains(absent), "{absent} is there");
    }
    assert!(!allowed(&template(&["crds.keep=false"]).await).contains("helm.sh/resource-policy"));
}

#[tokio::test]
async fn watched_namespaces_limit_the_rights() {
    let text = allowed(&template(&["watchNamespaces={shop,crm}"]).await);
    let objects = objects(&text);
    assert!(!objects.iter().any(|name| name == "ClusterRoleBinding catalog-operator"));
    assert!(objects.iter().any(|name| name == "ClusterRoleBinding catalog-operator-cluster"));
    assert_eq!(objects.iter().filter(|name| *name == "RoleBinding catalog-operator-objects").count(), 3);
    assert!(text.contains("    watchNamespaces:\n    - crm\n    - operations\n    - shop\n"));
}

#[tokio::test]
async fn the_operator_is_told_which_guards_to_expect() {
    let values =
        ["operator.config.resync=1m", "guards.approvingServiceAccounts={system:serviceaccount:gitops:approver}"];
    let text = allowed(&template(&values).await);
    let configuration = "  config.yaml: |
    guards:
      approvingServiceAccounts:
      - system:serviceaccount:gitops:approver
      release: catalog
      serviceAccount: catalog
    resync: 1m
    serve:
      adminListen: 0.0.0.0:8081
";
    assert!(text.contains(configuration), "{text}");
    assert!(!text.contains("watchNamespaces"));
}

#[tokio::test]
async fn the_operator_listens_where_its_probes_ask() {
    let text = allowed(&template(&["operator.adminPort=9090", "operator.config.serve.maxConcurrent=3"]).await);
    assert!(text.contains("    serve:\n      adminListen: 0.0.0.0:9090\n      maxConcurrent: 3\n"), "{text}");
    assert!(text.contains("containerPort: 9090"), "{text}");
}

#[tokio::test]
async fn values_that_could_become_expressions_are_refused() {
    let output = template(&["guards.approvingServiceAccounts={a'] || true || '}"]).await;
    refused(&output, "values don't meet the specifications of the schema");
    refused(&template(&["guards.aprovingServiceAccounts={}"]).await, "aprovingServiceAccounts");
    refused(&template(&["serviceAccount.name=a'b"]).await, "serviceAccount");
}

#[tokio::test]
async fn the_operators_pod_keeps_to_the_restricted_standard() {
    let room = Room::new("restricted").await;
    let label = ["label", "namespace", "restricted", "pod-security.kubernetes.io/warn=restricted"];
    allowed(&room.kubectl("admin", &label, None).await);
    let text = allowed(&template(&["crds.enabled=false", "guards.enabled=false", "operator.secrets={a.b}"]).await);
    let text = text.replace(&format!("namespace: {OPERATIONS}"), "namespace: restricted");
    let apply = ["apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-"];
    let output = room.kubectl("admin", &apply, Some(&text)).await;
    assert!(allowed(&output).contains("deployment.apps/catalog serverside-applied"));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
