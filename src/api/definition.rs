//! What a dataset computes (design 3.3).

use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::measure::Measure;
use super::sensitivity::Sensitivity;
use super::source::AggregateName;

/// The part of a dataset that says what it computes.
#[derive(KubeSchema, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// The sources, each under an alias.
    #[schemars(length(min = 1, max = 32))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["alias".into()]))]
    pub sources: Vec<SourceAlias>,
    /// The alias of the source from whose row each result row takes tenant, owner and space.
    #[schemars(length(min = 1, max = 64))]
    pub subject: String,
    /// How the further sources are joined, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 31))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["alias".into()]))]
    pub joins: Vec<Join>,
    /// The columns that readers see.
    #[schemars(length(min = 1, max = 512))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub columns: Vec<Column>,
    /// Conditions that every row meets; two-valued.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64), inner(length(min = 1, max = 4096)))]
    pub filters: Vec<String>,
    /// The column that identifies a row: the author's claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 100))]
    pub identity: Option<String>,
    /// The column that relative-time filters read where they name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 100))]
    pub event_time: Option<String>,
    /// Named aggregates. Not supported yet: refused by a diagnostic when used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub measures: Vec<Measure>,
    /// What callers must state beyond what the server asks of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<ScopeDemand>,
}

/// A source under an alias.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceAlias {
    /// The name by which the definition speaks of it.
    #[schemars(length(min = 1, max = 64))]
    pub alias: String,
    /// `<connection>:<database>:<table>`.
    #[schemars(length(min = 1, max = 470))]
    pub source_id: String,
}

/// A join of a further source.
#[derive(KubeSchema, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Join {
    /// The alias that is joined.
    #[schemars(length(min = 1, max = 64))]
    pub alias: String,
    /// Inner or Left.
    #[serde(default)]
    pub kind: JoinKind,
    /// Equalities; that of the tenants may be left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    pub on: Vec<JoinKey>,
    /// What a bare `on` becomes in tools that speak YAML 1.1, such as kubectl and Helm; write `on`.
    #[serde(default, rename = "true", skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16))]
    pub on_in_yaml_1_1: Vec<JoinKey>,
    /// Whether a row may meet several of the right side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cardinality: Option<Cardinality>,
}

impl Join {
    /// The equalities, however the YAML was read, each with its place.
    pub fn keys(&self) -> impl Iterator<Item = (usize, &JoinKey)> {
        self.on.iter().chain(&self.on_in_yaml_1_1).enumerate()
    }
}

/// The kind of a join.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum JoinKind {
    /// Rows without a match go.
    #[default]
    Inner,
    /// Rows without a match stay, with nulls.
    Left,
}

/// One equality of a join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinKey {
    /// A value of the sources before: `<alias>.<column>[.<path>]`, or an expression.
    #[schemars(length(min = 1, max = 4096))]
    pub left: String,
    /// A value of the joined source.
    #[schemars(length(min = 1, max = 4096))]
    pub right: String,
}

/// How many rows of the right side a row may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Cardinality {
    /// At most one.
    One,
    /// Any number; measures are then over the joined rows.
    Many,
}

/// A column that readers see: `from` or `expression`.
#[derive(KubeSchema, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("has(self.from) != has(self.expression)", "exactly one of from and expression is needed"))]
pub struct Column {
    /// The name readers use.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// `<alias>.<column>` or `<alias>.<column>.<path>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 670))]
    pub from: Option<String>,
    /// An expression over the sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4096))]
    pub expression: Option<String>,
    /// The ClickHouse type that the column must have.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub column_type: Option<String>,
    /// The column's own protection: stricter is free, looser needs approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
    /// What the column's text is for people.
    #[serde(flatten)]
    pub texts: ColumnTexts,
    /// The parts of an array of objects that `from` names; the column is an array of tuples of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["path".into()]))]
    pub elements: Vec<Element>,
}

/// What describes a column to people and clients; changed in place, without a new version (design 3.6).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ColumnTexts {
    /// A short name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub label: Option<String>,
    /// What the value means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1000))]
    pub description: Option<String>,
    /// The unit of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 50))]
    pub unit: Option<String>,
    /// What kind of value it is, beyond its type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semantic: Option<Semantic>,
    /// The values that occur.
    #[serde(default, rename = "enum", skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 256))]
    pub enum_values: Vec<EnumValue>,
    /// Further names that queries may use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 16), inner(length(min = 1, max = 100)))]
    pub aliases: Vec<String>,
    /// Set where readers should move away from the column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecation>,
    /// The aggregate whose identifier the value is; a plain `from` keeps the source column's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<AggregateName>,
}

/// One value that occurs in a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnumValue {
    /// The value.
    #[schemars(length(max = 200))]
    pub value: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    pub description: Option<String>,
}

/// That a column should no longer be used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deprecation {
    /// What to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    pub message: Option<String>,
}

/// What kind of value a column holds (query-language 6).
#[derive(KubeSchema, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("!(self.type in ['TemporalEpoch', 'Duration']) || has(self.timeUnit)", "TemporalEpoch and Duration need timeUnit"))]
#[x_kube(validation = ("self.type != 'TemporalFormatted' || has(self.pattern)", "TemporalFormatted needs pattern"))]
#[x_kube(validation = ("self.type != 'Money' || has(self.currency) != has(self.currencyField)", "Money needs exactly one of currency and currencyField"))]
pub struct Semantic {
    /// The kind.
    #[serde(rename = "type")]
    pub kind: SemanticKind,
    /// The unit of an epoch or a duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_unit: Option<TimeUnit>,
    /// The pattern of a formatted time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 60))]
    pub pattern: Option<String>,
    /// Digits after the point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 34))]
    pub scale: Option<u32>,
    /// An ISO 4217 code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 3, max = 3))]
    pub currency: Option<String>,
    /// The column that holds the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 100))]
    pub currency_field: Option<String>,
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SemanticKind {
    /// A date or an instant.
    TemporalDate,
    /// A number that counts from 1970.
    TemporalEpoch,
    /// A text that is a time.
    TemporalFormatted,
    /// A decimal number.
    Decimal,
    /// An amount of money.
    Money,
    /// A span of time.
    Duration,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub enum TimeUnit {
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Seconds,
    Minutes,
    Hours,
    Days,
}

/// One part of an array of objects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Element {
    /// The path inside an element.
    #[schemars(length(min = 1, max = 400))]
    pub path: String,
    /// Its ClickHouse type.
    #[serde(rename = "type")]
    #[schemars(length(min = 1, max = 1000))]
    pub element_type: String,
    /// Its protection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
}

/// What callers must state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeDemand {
    /// Whether an owner must be stated.
    #[serde(default)]
    pub owner: Demand,
    /// Whether a space must be stated.
    #[serde(default)]
    pub space: Demand,
}

/// Whether callers must state a part of the scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Demand {
    /// Limited if stated.
    #[default]
    Optional,
    /// Refused unless stated.
    Required,
}
