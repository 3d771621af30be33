//! What waits for a decision, and the decision (design 3.5, 5.3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A change that an approver has to decide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// What an approval names; any change of what is pending makes another one.
    #[schemars(length(max = 80))]
    pub digest: String,
    /// Rises whenever what is pending changes.
    pub serial: u64,
    /// Why a decision is needed.
    #[serde(default)]
    #[schemars(length(max = 64), inner(length(max = 1000)))]
    pub why: Vec<String>,
    /// What would change for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// On which objects the verb `approve` is needed, as `<resource>/<namespace>/<name>`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 17), inner(length(max = 600)))]
    pub approvers: Vec<String>,
    /// The command that approves.
    #[schemars(length(max = 2000))]
    pub command: String,
}

/// The difference between what is served and what is pending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Columns that readers would see in addition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1024), inner(length(max = 1000)))]
    pub columns_added: Vec<String>,
    /// Columns that would go.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1024), inner(length(max = 1000)))]
    pub columns_removed: Vec<String>,
    /// Columns whose type would change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1024), inner(length(max = 1000)))]
    pub columns_retyped: Vec<String>,
    /// Values that would be protected less.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1024), inner(length(max = 1000)))]
    pub protection_lowered: Vec<String>,
    /// What would let more rows through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 128), inner(length(max = 1000)))]
    pub rows_widened: Vec<String>,
    /// Changes of tenant, owner or space.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16), inner(length(max = 1000)))]
    pub scope_changed: Vec<String>,
}

/// A decision that was taken and counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The digest that was approved.
    #[schemars(length(max = 80))]
    pub digest: String,
    /// The approver's user name; `automatic` where the folder's owner is author and approver.
    #[schemars(length(max = 500))]
    pub by: String,
    /// When the operator took it up, RFC 3339 in UTC.
    #[schemars(length(max = 40))]
    pub at: String,
    /// The approver's note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1000))]
    pub note: Option<String>,
    /// The revision of the durable history that holds what was approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    /// The version whose approval this one inherits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inherited_from: Option<u64>,
}
