//! Materializations of a dataset (design 8.2). Not supported yet: refused by a diagnostic when used.

use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What of a dataset is kept computed.
#[derive(KubeSchema, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Materialization {
    /// When to refresh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
    /// The oldest refresh that may still answer, such as `2h`; any age where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 40))]
    pub max_staleness: Option<String>,
    /// The materialized views.
    #[schemars(length(min = 1, max = 32))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub views: Vec<MaterializedView>,
}

/// When to refresh: `every` or `cron`.
#[derive(KubeSchema, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("has(self.every) != has(self.cron)", "exactly one of every and cron is needed"))]
pub struct Schedule {
    /// The interval, such as `1h`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 40))]
    pub every: Option<String>,
    /// Five cron fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 100))]
    pub cron: Option<String>,
    /// The zone of `cron`; the dataset's where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 60))]
    pub time_zone: Option<String>,
    /// The span over which starts are spread, such as `5m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 40))]
    pub spread: Option<String>,
}

// That dimensions belong to an Aggregated view is left to the diagnostics: a CEL rule cannot name a field whose items
// are of no one type.
/// One materialized view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaterializedView {
    /// The view's name.
    #[schemars(length(min = 1, max = 60))]
    pub name: String,
    /// Rows as they are, or aggregated.
    #[serde(rename = "type")]
    pub kind: MaterializedViewKind,
    /// The grain: column names, or `{column, unit, timeZone}` for a time grain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 32))]
    pub dimensions: Option<Vec<Dimension>>,
    /// The measures kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64), inner(length(max = 100)))]
    pub measures: Vec<String>,
    /// Columns by which rows are ordered, after the scope.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16), inner(length(max = 100)))]
    pub cluster_by: Vec<String>,
    /// Grain columns by which the target is partitioned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 4), inner(length(max = 100)))]
    pub partition_by: Vec<String>,
}

/// The kind of a materialized view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum MaterializedViewKind {
    /// The dataset's rows.
    Unaggregated,
    /// Aggregate states per grain.
    Aggregated,
}

/// A dimension of the grain: a column, or a column cut to a calendar unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(schema_with = "any_json")]
pub enum Dimension {
    /// The column's values.
    Column(String),
    /// The start of the column's calendar unit.
    Calendar(CalendarDimension),
}

/// A column cut to a calendar unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CalendarDimension {
    /// The column.
    pub column: String,
    /// The unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<CalendarUnit>,
    /// The zone whose calendar counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// A calendar unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub enum CalendarUnit {
    Year,
    Quarter,
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
}

/// A structural schema cannot say "text or object"; the operator's diagnostics check it.
fn any_json(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "x-kubernetes-preserve-unknown-fields": true })
}
