//! `AnalyticsDataset`: a definition, and what is published of it (design 3.2, 3.5).

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::materialization::Materialization;
use super::pending::Pending;
use super::record::PublicationRecord;

/// A dataset: applying it is the wish to publish.
#[allow(clippy::duplicated_attributes, reason = "printer columns share types and priorities")]
#[derive(CustomResource, KubeSchema, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[kube(
    group = "analytics.wow.dev",
    version = "v1alpha1",
    kind = "AnalyticsDataset",
    doc = "A definition of columns over sources; applying it is the wish to publish it as a versioned view.",
    plural = "analyticsdatasets",
    shortname = "ads",
    category = "analytics",
    namespaced,
    status = "AnalyticsDatasetStatus",
    derive = "PartialEq",
    printcolumn(name = "ID", type_ = "string", json_path = ".status.id"),
    printcolumn(name = "Ready", type_ = "string", json_path = r#".status.conditions[?(@.type=="Ready")].status"#),
    printcolumn(name = "Reason", type_ = "string", json_path = r#".status.conditions[?(@.type=="Ready")].reason"#),
    printcolumn(name = "Version", type_ = "integer", json_path = ".status.published.version"),
    printcolumn(name = "Pending", type_ = "string", json_path = ".status.pending.why[0]"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp"),
    printcolumn(name = "Digest", type_ = "string", json_path = ".status.pending.digest", priority = 1),
    printcolumn(name = "Approved-By", type_ = "string", json_path = ".status.published.approval.by", priority = 1),
    printcolumn(
        name = "Message",
        type_ = "string",
        json_path = r#".status.conditions[?(@.type=="Ready")].message"#,
        priority = 1
    )
)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("self.context == oldSelf.context && self.name == oldSelf.name", "context and name cannot be changed; declare a second dataset instead"))]
pub struct AnalyticsDatasetSpec {
    /// The context that the dataset belongs to.
    #[schemars(length(min = 1, max = 100), regex(pattern = r"^[A-Za-z][A-Za-z0-9_-]*$"))]
    pub context: String,
    /// The dataset's name in its context.
    #[schemars(length(min = 1, max = 100), regex(pattern = r"^[A-Za-z][A-Za-z0-9_-]*$"))]
    pub name: String,
    /// What the dataset is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 4000))]
    pub description: Option<String>,
    /// Whom to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub contact: Option<String>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32), inner(length(min = 1, max = 60)))]
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub tags: Vec<String>,
    /// What it computes.
    pub definition: Definition,
    /// The IANA zone of its dates; UTC where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 60))]
    pub time_zone: Option<String>,
    /// Compile and report only; a published version stays served.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draft: bool,
    /// Serve an earlier version. Not supported yet: refused by a diagnostic when used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<Pin>,
    /// Whether the dataset is served.
    #[serde(default, skip_serializing_if = "Lifecycle::is_active")]
    pub lifecycle: Lifecycle,
    /// How long superseded versions stay, such as `7d`; the operator's setting where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 40))]
    pub version_retention: Option<String>,
    /// What is kept computed. Not supported yet: refused by a diagnostic when used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub materialization: Option<Materialization>,
}

/// A pinned version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pin {
    /// The version to serve.
    #[schemars(range(min = 1))]
    pub version: u64,
}

/// Whether a dataset is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Lifecycle {
    /// Served.
    #[default]
    Active,
    /// Queries are answered with 404; the history stays.
    Retired,
}

impl Lifecycle {
    /// Whether the dataset is served.
    pub fn is_active(&self) -> bool {
        *self == Self::Active
    }
}

/// What the operator says of a dataset.
#[derive(KubeSchema, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalyticsDatasetStatus {
    /// `<context>.<name>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The generation that this status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// Ready, Published, Reconciling, Stalled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<Condition>,
    /// The publication record, from which query servers answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<PublicationRecord>,
    /// What waits for a decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<Pending>,
    /// The highest serial that any pending change of this object had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending_serial: Option<u64>,
    /// Retained versions, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 200))]
    pub versions: Vec<VersionSummary>,
    /// What is worth knowing of the current definition, but stops nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100), inner(length(max = 2000)))]
    pub warnings: Vec<String>,
}

/// One retained version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionSummary {
    /// The version's number.
    pub version: u64,
    /// Its content hash.
    #[schemars(length(max = 80))]
    pub content_hash: String,
    /// When it was published, RFC 3339 in UTC.
    #[schemars(length(max = 40))]
    pub published_at: String,
    /// When a later one took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 40))]
    pub superseded_at: Option<String>,
    /// Who approved it, where an approval was needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    pub approved_by: Option<String>,
}

impl AnalyticsDatasetSpec {
    /// The dataset's ID, `<context>.<name>`.
    pub fn id(&self) -> String {
        format!("{}.{}", self.context, self.name)
    }
}
