//! The guard policies: which admission policies hold the approval annotations, the status, the history and the adopted
//! sources, and whether those in the cluster are the ones that this program ships (design 5.3).
//!
//! The files are the chart's own, with the same placeholders that its template fills in. A policy that someone removed,
//! broke or weakened leaves approvals open to everyone, and its binding looks as if nothing had happened: so everything
//! is compared, not only that it is there.

mod difference;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::canonical;
use difference::differences;

/// The policy files of the chart, in the order of their names; each holds a policy and its binding.
const FILES: [&str; 4] = [
    include_str!("../../charts/analytics-catalog/files/guards/adopted.yaml"),
    include_str!("../../charts/analytics-catalog/files/guards/decisions.yaml"),
    include_str!("../../charts/analytics-catalog/files/guards/history.yaml"),
    include_str!("../../charts/analytics-catalog/files/guards/status.yaml"),
];

/// What an installation fills in: the same values that its chart was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardSettings {
    /// The prefix of the names, which is the chart's full name.
    pub release: String,
    /// The operator's user name, `system:serviceaccount:<namespace>:<name>`.
    pub operator_user: String,
    /// Service accounts that may approve all the same, by user name.
    pub approving_service_accounts: Vec<String>,
}

/// What kind of object guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum GuardKind {
    /// The rules.
    #[serde(rename = "ValidatingAdmissionPolicy")]
    Policy,
    /// What puts them in force.
    #[serde(rename = "ValidatingAdmissionPolicyBinding")]
    Binding,
}

impl GuardKind {
    /// The kind's name in Kubernetes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Policy => "ValidatingAdmissionPolicy",
            Self::Binding => "ValidatingAdmissionPolicyBinding",
        }
    }
}

/// An object that ought to be in the cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// Policy or binding.
    pub kind: GuardKind,
    /// Its name.
    pub name: String,
    /// Its spec, as the API server returns it.
    pub spec: Value,
}

/// An object that is in the cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundObject {
    /// Policy or binding.
    pub kind: GuardKind,
    /// The whole object as the API server returned it, so that no field which this program does not know is lost.
    pub object: Value,
}

#[derive(Deserialize)]
struct Document {
    kind: GuardKind,
    metadata: Metadata,
    spec: Value,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
}

/// The guards that an installation with these settings has.
pub fn expected(settings: &GuardSettings) -> Vec<Guard> {
    FILES
        .iter()
        .flat_map(|file| file.split("\n---\n"))
        .map(|template| {
            let document: Document =
                serde_saphyr::from_str(&filled_in(template, settings)).expect("the guard files are tested");
            Guard { kind: document.kind, name: document.metadata.name, spec: document.spec }
        })
        .collect()
}

fn filled_in(template: &str, settings: &GuardSettings) -> String {
    let accounts: Vec<String> = settings.approving_service_accounts.iter().map(|account| cel_text(account)).collect();
    template
        .replace("${release}", &settings.release)
        .replace("${operator}", &settings.operator_user)
        .replace("${approvingServiceAccounts}", &format!("[{}]", accounts.join(", ")))
}

/// A text in CEL. User names hold neither quotes nor backslashes; one that does must not become an expression.
fn cel_text(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Whether all guards are in place and are the expected ones.
///
/// # Errors
/// One sentence for each thing that is wrong, naming the object.
pub fn verify(expected: &[Guard], found: &[FoundObject]) -> Result<(), Vec<String>> {
    let problems: Vec<String> = expected.iter().flat_map(|guard| problems_of(guard, found)).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// What tells these guards from all that stood before under their names: made anew they have another uid, changed another
/// generation.
pub fn stamp(found: &[FoundObject]) -> String {
    let identity = |found: &FoundObject| {
        let text = |member: &str| found.object["metadata"][member].as_str().unwrap_or_default().to_owned();
        (found.kind.as_str(), text("name"), text("uid"), found.object["metadata"]["generation"].as_i64())
    };
    let mut identities: Vec<_> = found.iter().map(identity).collect();
    identities.sort();
    canonical::hash(&identities)
}

/// When the last of these guards was made or written, as far as the API server says.
pub fn last_change(found: &[FoundObject]) -> Option<Timestamp> {
    let times = found.iter().flat_map(|found| {
        let metadata = &found.object["metadata"];
        let fields = metadata["managedFields"].as_array().into_iter().flatten();
        // The type check writes the status.
        let written = fields.filter(|entry| entry["subresource"] != "status").map(|entry| &entry["time"]);
        written.chain([&metadata["creationTimestamp"]]).filter_map(|time| time.as_str()?.parse().ok())
    });
    times.max()
}

fn problems_of(guard: &Guard, found: &[FoundObject]) -> Vec<String> {
    let title = format!("{} `{}`", guard.kind.as_str(), guard.name);
    let same = |candidate: &&FoundObject| {
        candidate.kind == guard.kind && candidate.object["metadata"]["name"] == guard.name.as_str()
    };
    let Some(FoundObject { object, .. }) = found.iter().find(same) else {
        return vec![format!("{title} is missing")];
    };
    let mut problems = Vec::new();
    if !object["metadata"]["deletionTimestamp"].is_null() {
        problems.push(format!("{title} is being deleted"));
    }
    match guard.kind {
        GuardKind::Policy => problems.extend(problems_of_policy(&title, object)),
        GuardKind::Binding => {
            let actions = object["spec"]["validationActions"].as_array();
            if !actions.is_some_and(|actions| actions.iter().any(|action| action == "Deny")) {
                problems.push(format!("{title} does not deny: its validationActions lack `Deny`"));
            }
        }
    }
    problems.extend(differences("spec", &guard.spec, &object["spec"]).map(|text| format!("{title}: {text}")));
    problems
}

fn problems_of_policy(title: &str, object: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    if object["spec"]["failurePolicy"] != "Fail" {
        problems.push(format!("{title} lets requests pass that it cannot judge: its failurePolicy is not `Fail`"));
    }
    let warnings = object["status"]["typeChecking"]["expressionWarnings"].as_array();
    for warning in warnings.into_iter().flatten() {
        let field = warning["fieldRef"].as_str().unwrap_or("an expression");
        let text = warning["warning"].as_str().unwrap_or_default().lines().next().unwrap_or_default();
        problems.push(format!("{title}: the API server warns of {field}: {text}"));
    }
    problems
}

#[cfg(test)]
mod tests;
