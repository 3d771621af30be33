//! The publication record: all that the query server needs to answer for a dataset (design 3.5).

use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::definition::{ColumnTexts, Demand};
use super::measure::Measure;
use super::pending::Approval;
use super::sensitivity::{Level, Mask, Sensitivity};

/// The record format that this program writes and understands.
pub const FORMAT: u32 = 1;
/// The view column that holds a row's tenant (design 4.2).
pub const TENANT_COLUMN: &str = "__tenant";
/// The view column that holds a row's owner.
pub const OWNER_COLUMN: &str = "__owner";
/// The view column that holds a row's space.
pub const SPACE_COLUMN: &str = "__space";

/// What is published of a dataset.
#[derive(KubeSchema, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublicationRecord {
    /// The format of the record; a server that does not know it keeps what it has.
    pub format: u32,
    /// `<context>.<name>`.
    #[schemars(length(max = 210))]
    pub id: String,
    /// The version served.
    pub version: u64,
    /// The connection's name.
    #[schemars(length(max = 63))]
    pub connection: String,
    /// The view of the version.
    pub view: ViewReference,
    /// The hash that the view's comment carries too.
    #[schemars(length(max = 80))]
    pub content_hash: String,
    /// When this version was published, RFC 3339 in UTC.
    #[schemars(length(max = 40))]
    pub published_at: String,
    /// Who approved the version, where an approval was needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// Whether queries are answered.
    pub available: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1000))]
    pub unavailable_reason: Option<String>,
    /// The scope columns.
    #[serde(default)]
    pub scope: RecordScope,
    /// The column that identifies a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<RecordIdentity>,
    /// The column that relative-time filters read where they name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 100))]
    pub event_time: Option<String>,
    /// The dataset's IANA zone.
    #[schemars(length(max = 60))]
    pub time_zone: String,
    /// The columns, in the view's order.
    #[schemars(length(max = 512))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub columns: Vec<RecordColumn>,
    /// The measures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub measures: Vec<Measure>,
    /// What the dataset is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 4000))]
    pub description: Option<String>,
    /// Whom to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub contact: Option<String>,
}

/// A view in ClickHouse, by its physical names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewReference {
    /// The database.
    #[schemars(length(max = 200))]
    pub database: String,
    /// The view's name.
    #[schemars(length(max = 200))]
    pub name: String,
}

/// Which parts of the scope the rows have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordScope {
    /// The tenant column; absent only for a platform dimension, which every tenant may read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<RecordScopeColumn>,
    /// The owner column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<RecordScopeColumn>,
    /// The space column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<RecordScopeColumn>,
}

impl RecordScope {
    /// What callers had to state for `before` and need not state for this one, in words; parts that rows no longer have
    /// are no demand.
    pub fn demands_less_than(&self, before: &Self) -> Vec<String> {
        let parts = [("owner", &self.owner, &before.owner), ("space", &self.space, &before.space)];
        let dropped = parts.into_iter().filter(|(_, now, then)| {
            let demand = |column: &Option<RecordScopeColumn>| column.as_ref().map(|column| column.demand);
            (demand(now), demand(then)) == (Some(Demand::Optional), Some(Demand::Required))
        });
        dropped
            .map(|(part, ..)| {
                format!("callers need no longer state their {part}, and then read the rows of every {part}")
            })
            .collect()
    }
}

/// One part of the scope.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordScopeColumn {
    /// The ClickHouse type of the view's column.
    #[serde(rename = "type")]
    #[schemars(length(max = 200))]
    pub column_type: String,
    /// Whether callers must state it.
    #[serde(default)]
    pub demand: Demand,
}

/// The column that identifies a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordIdentity {
    /// The column's name.
    #[schemars(length(max = 100))]
    pub column: String,
    /// Whether it is known to be unique.
    pub uniqueness: Uniqueness,
}

/// How sure it is that an identity identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Uniqueness {
    /// By the keys of the sources.
    Proved,
    /// By the author.
    Claimed,
}

/// One column of a published version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordColumn {
    /// The name readers use.
    #[schemars(length(max = 100))]
    pub name: String,
    /// The exact ClickHouse type.
    #[serde(rename = "type")]
    #[schemars(length(max = 2000))]
    pub column_type: String,
    /// How the value is protected; absent where it is public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<Protection>,
    /// What describes it.
    #[serde(flatten)]
    pub texts: ColumnTexts,
}

/// The protection of a published column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Protection {
    /// The level.
    pub level: Level,
    /// What stays readable of a masked text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<Mask>,
    /// Whether equality and presence may be asked; such a value is raw in the view and masked by the server.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub comparable: bool,
    /// Whether the value is withheld because it is no text: null, or empty where an array or a map cannot be null.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withheld: bool,
}

impl Protection {
    /// The protection as a sensitivity.
    pub fn sensitivity(&self) -> Sensitivity {
        Sensitivity { level: self.level, mask: self.mask, comparable: self.comparable }
    }
}
