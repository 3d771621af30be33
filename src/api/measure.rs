//! Measures: named aggregates of a dataset (design 8.1).

use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A named aggregate. Not supported yet: refused by a diagnostic when used.
#[derive(KubeSchema, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("self.type != 'Numeric' || has(self.function)", "a Numeric measure needs its function"))]
#[x_kube(validation = ("self.type != 'Percentile' || has(self.percentile)", "a Percentile measure needs its percentile"))]
#[x_kube(validation = ("self.type == 'Count' || has(self.expression)", "every measure but Count needs its expression"))]
pub struct Measure {
    /// The measure's name.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// What it computes.
    #[serde(rename = "type")]
    pub kind: MeasureKind,
    /// The function of a Numeric measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<NumericFunction>,
    /// Over the dataset's columns; for Derived, arithmetic over measure names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 4096))]
    pub expression: Option<String>,
    /// Which rows count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 4096))]
    pub filter: Option<String>,
    /// Between 0 and 100, exclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub percentile: Option<f64>,
    /// The column by which First and Last are taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 100))]
    pub order_by: Option<String>,
    /// A short name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub label: Option<String>,
    /// What the number means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1000))]
    pub description: Option<String>,
    /// The unit of the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 50))]
    pub unit: Option<String>,
}

/// The kind of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum MeasureKind {
    /// The number of rows.
    Count,
    /// A numeric function of a value.
    Numeric,
    /// The number of different values.
    DistinctCount,
    /// A percentile of a value.
    Percentile,
    /// Some value of the group.
    Any,
    /// The value of the earliest row.
    First,
    /// The value of the latest row.
    Last,
    /// Arithmetic over other measures.
    Derived,
}

/// The function of a Numeric measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum NumericFunction {
    /// The sum.
    Sum,
    /// The mean.
    Avg,
    /// The least value.
    Min,
    /// The greatest value.
    Max,
}
