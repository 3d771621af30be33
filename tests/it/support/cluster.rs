//! One control plane for the whole run, with the chart installed, and how tests speak with it.
#![allow(dead_code, reason = "each test uses the part that it needs")]

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use tokio::sync::OnceCell;

use super::plane::Plane;

/// The chart's release, and so the prefix of all its names.
pub const RELEASE: &str = "catalog";
/// The namespace of the release.
pub const OPERATIONS: &str = "operations";
/// The operator as the API server names it.
pub const OPERATOR_USER: &str = "system:serviceaccount:operations:catalog";
/// A service account that may do everything and is none of the approvers.
pub const COMMITTER: &str = "system:serviceaccount:gitops:committer";
/// A service account that the chart was told may approve.
pub const APPROVING_ACCOUNT: &str = "system:serviceaccount:gitops:approver";

/// A start that failed is kept too: every test says why, and none tries again.
static PLANE: OnceCell<Result<Plane, String>> = OnceCell::const_new();

/// The control plane of this run. The first caller starts it and installs the chart: its users have their roles, the
/// guards are in force, and `operator` is a user too.
pub async fn plane() -> &'static Plane {
    PLANE.get_or_init(installed).await.as_ref().unwrap_or_else(|problem| panic!("{problem}"))
}

/// A namespace of the run's control plane that one test has to itself.
pub struct Room {
    /// The namespace.
    pub namespace: &'static str,
    plane: &'static Plane,
}

impl Room {
    /// Creates the namespace.
    pub async fn new(namespace: &'static str) -> Self {
        let room = Self { namespace, plane: plane().await };
        allowed(&room.kubectl("admin", &["create", "namespace", namespace], None).await);
        room
    }

    /// Runs kubectl in the namespace. A user that the plane does not know by token is impersonated.
    pub async fn kubectl(&self, user: &str, args: &[&str], stdin: Option<&str>) -> Output {
        let known = ["admin", "editor", "approver", "viewer", "operator"].contains(&user);
        let mut all = vec!["--namespace", self.namespace];
        if !known {
            all.extend(["--as", user]);
        }
        all.extend(args);
        self.plane.kubectl(if known { user } else { "admin" }, &all, stdin).await
    }

    /// `kubectl apply` of a text.
    pub async fn apply(&self, user: &str, yaml: &str) -> Output {
        self.kubectl(user, &["apply", "-f", "-"], Some(yaml)).await
    }

    /// `kubectl annotate --overwrite` with `key=value` or `key-`, the prefix left out.
    pub async fn annotate(&self, user: &str, object: &str, annotations: &[&str]) -> Output {
        let keys: Vec<String> = annotations.iter().map(|key| format!("analytics.wow.dev/{key}")).collect();
        let mut args = vec!["annotate", "--overwrite", object];
        args.extend(keys.iter().map(String::as_str));
        self.kubectl(user, &args, None).await
    }

    /// A merge patch of the object.
    pub async fn patch(&self, user: &str, object: &str, patch: &str) -> Output {
        self.kubectl(user, &["patch", object, "--type=merge", "--patch", patch], None).await
    }

    /// A merge patch of the status.
    pub async fn patch_status(&self, user: &str, object: &str, status: &str) -> Output {
        let patch = format!(r#"{{"status":{status}}}"#);
        let args = ["patch", object, "--subresource=status", "--type=merge", "--patch", &patch];
        self.kubectl(user, &args, None).await
    }

    /// One value of an object, by JSONPath; empty where it is not there.
    pub async fn value(&self, object: &str, path: &str) -> String {
        let output = self.kubectl("admin", &["get", object, "-o", &format!("jsonpath={{{path}}}")], None).await;
        allowed(&output)
    }
}

/// What a command that must succeed printed.
#[track_caller]
pub fn allowed(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "this must be allowed: {error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// That a command was refused with this sentence.
#[track_caller]
pub fn refused(output: &Output, sentence: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "this must be refused with: {sentence}");
    assert!(error.contains(sentence), "refused, but not with our sentence.\nexpected: {sentence}\nanswer: {error}");
}

/// The chart's folder.
pub fn chart() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("charts/analytics-catalog")
}

async fn installed() -> Result<Plane, String> {
    let plane = Plane::start().await?;
    let chart = chart();
    let chart = chart.to_str().expect("the folder of the sources has a readable name");
    let accounts = format!("guards.approvingServiceAccounts={{{APPROVING_ACCOUNT}}}");
    let install = ["install", RELEASE, chart, "--namespace", OPERATIONS, "--create-namespace"];
    let values = ["--set", "guards.delete=true", "--set", "operator.secrets={clickhouse}", "--set", &accounts];
    succeed("helm install", &plane.helm("admin", &[&install[..], &values[..]].concat()).await)?;
    for args in [
        "create namespace gitops",
        "create serviceaccount committer --namespace gitops",
        "create serviceaccount approver --namespace gitops",
        "create clusterrolebinding gitops --clusterrole cluster-admin --serviceaccount gitops:committer \
         --serviceaccount gitops:approver",
        "create clusterrolebinding editors --clusterrole edit --group editors",
        "create clusterrolebinding viewers --clusterrole view --group viewers",
        "create clusterrolebinding approvers --clusterrole catalog-approver --group approvers",
    ] {
        let args: Vec<&str> = args.split_whitespace().collect();
        succeed(&args.join(" "), &plane.kubectl("admin", &args, None).await)?;
    }
    let token = plane.kubectl("admin", &["create", "token", RELEASE, "--namespace", OPERATIONS], None).await;
    succeed("create token", &token)?;
    plane.kubeconfig_with_token("operator", String::from_utf8_lossy(&token.stdout).trim());
    wait_until_guarded(&plane).await?;
    Ok(plane)
}

/// Objects that the guards refuse to the administrator; with the last one, the last policy is in force.
const GUARDED: [&str; 3] = [
    r#"{"apiVersion":"apps/v1","kind":"ControllerRevision","revision":1,"data":{},
        "metadata":{"name":"probe","namespace":"default","labels":{"analytics.wow.dev/history":"probe"}}}"#,
    r#"{"apiVersion":"analytics.wow.dev/v1alpha1","kind":"AnalyticsSource",
        "metadata":{"name":"probe","namespace":"default","labels":{"analytics.wow.dev/adopted":"probe"}},
        "spec":{"connection":"c","database":"d","table":"t","platformDimension":true}}"#,
    r#"{"apiVersion":"analytics.wow.dev/v1alpha1","kind":"AnalyticsSource",
        "metadata":{"name":"probe","namespace":"default","annotations":{"analytics.wow.dev/approve":"probe"}},
        "spec":{"connection":"c","database":"d","table":"t","platformDimension":true}}"#,
];

/// The API server takes some seconds to know new kinds and to use new policies; the editor's rights come by
/// aggregation, which takes a moment too.
async fn wait_until_guarded(plane: &Plane) -> Result<(), String> {
    let create = ["create", "--dry-run=server", "-f", "-"];
    for object in GUARDED {
        until("the guards are in force", async || {
            let output = plane.kubectl("admin", &create, Some(object)).await;
            String::from_utf8_lossy(&output.stderr).contains("denied request")
        })
        .await?;
    }
    until("the edit role includes datasets", async || {
        let args = ["auth", "can-i", "create", "analyticsdatasets.analytics.wow.dev"];
        plane.kubectl("editor", &args, None).await.status.success()
    })
    .await
}

/// Waits for a condition, for a minute at most.
pub async fn until(condition: &str, holds: impl AsyncFn() -> bool) -> Result<(), String> {
    for _ in 0..120 {
        if holds().await {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Err(format!("a minute later it is still not so that {condition}"))
}

fn succeed(command: &str, output: &Output) -> Result<(), String> {
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{command}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
