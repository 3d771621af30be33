//! `AnalyticsSource`: a table or view, and what may be read of it (design 3.1).

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pending::{Approval, Pending};
use super::sensitivity::Sensitivity;

/// A source: which table, who owns each row, which values may be read and how each is protected.
#[allow(clippy::duplicated_attributes, reason = "printer columns share types and priorities")]
#[derive(CustomResource, KubeSchema, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[kube(
    group = "analytics.wow.dev",
    version = "v1alpha1",
    kind = "AnalyticsSource",
    doc = "A table or view of the warehouse: who owns each row, what may be read of it, and how each value is protected.",
    plural = "analyticssources",
    shortname = "asrc",
    category = "analytics",
    namespaced,
    status = "AnalyticsSourceStatus",
    derive = "PartialEq",
    printcolumn(name = "ID", type_ = "string", json_path = ".status.id"),
    printcolumn(name = "Ready", type_ = "string", json_path = r#".status.conditions[?(@.type=="Ready")].status"#),
    printcolumn(name = "Reason", type_ = "string", json_path = r#".status.conditions[?(@.type=="Ready")].reason"#),
    printcolumn(name = "Pending", type_ = "string", json_path = ".status.pending.why[0]"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp"),
    printcolumn(name = "Digest", type_ = "string", json_path = ".status.pending.digest", priority = 1),
    printcolumn(name = "Approved-By", type_ = "string", json_path = ".status.approved.by", priority = 1),
    printcolumn(
        name = "Message",
        type_ = "string",
        json_path = r#".status.conditions[?(@.type=="Ready")].message"#,
        priority = 1
    )
)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("self.connection == oldSelf.connection && self.database == oldSelf.database && self.table == oldSelf.table", "connection, database and table cannot be changed; declare a second source instead"))]
#[x_kube(validation = ("(has(self.tenant) ? 1 : 0) + (has(self.platformDimension) && self.platformDimension ? 1 : 0) == 1", "exactly one of tenant and platformDimension: true is needed"))]
#[x_kube(validation = ("!(has(self.platformDimension) && self.platformDimension) || (!has(self.owner) && !has(self.space))", "a platform dimension has no owner and no space"))]
pub struct AnalyticsSourceSpec {
    /// The connection's name in the operator's configuration.
    #[schemars(length(min = 1, max = 63))]
    pub connection: String,
    /// The logical database name.
    #[schemars(length(min = 1, max = 200))]
    pub database: String,
    /// The table or view.
    #[schemars(length(min = 1, max = 200))]
    pub table: String,
    /// Whose each row is: a column, or one value for a table of a single tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<TenantScope>,
    /// The column that names the owner of a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<ColumnScope>,
    /// The column that names the space of a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<ColumnScope>,
    /// A table that every tenant shares, such as regions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub platform_dimension: bool,
    /// Columns that hold identifiers of known aggregates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["column".into()]))]
    pub references: Vec<SourceReference>,
    /// The columns and JSON paths that may be read; what is not listed cannot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1024))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into(), "path".into()]))]
    pub columns: Vec<SourceColumn>,
    /// How rows of one key make up a record, where the engine does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<TableModel>,
    /// Whether another table under the same name is another source (`Table`) or the same (`Columns`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<SourceIdentity>,
    /// Namespaces whose datasets may read this source; its own where absent, `*` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 64), inner(length(max = 63)))]
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub allowed_namespaces: Option<Vec<String>>,
}

/// Whose rows: `column` or `value`.
#[derive(KubeSchema, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("has(self.column) != has(self.value)", "exactly one of column and value is needed"))]
pub struct TenantScope {
    /// The column, or a typed path `column.path` into a JSON column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 400))]
    pub column: Option<String>,
    /// The one tenant whose rows the table holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 400))]
    pub value: Option<String>,
}

/// The column that names the owner or the space of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ColumnScope {
    /// The column, or a typed path `column.path` into a JSON column.
    #[schemars(length(min = 1, max = 400))]
    pub column: String,
}

/// A column that holds identifiers of an aggregate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceReference {
    /// The column.
    #[schemars(length(min = 1, max = 200))]
    pub column: String,
    /// The aggregate that it refers to.
    pub aggregate: AggregateName,
}

/// The name of an aggregate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AggregateName {
    /// The bounded context.
    #[schemars(length(min = 1, max = 100))]
    pub context: String,
    /// The aggregate's name in it.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
}

/// One readable value: a column, or a path inside a JSON or JSON-text column.
#[derive(KubeSchema, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("!has(self.path) || size(self.path) == 0 || has(self.type)", "a path needs its type, such as type: String"))]
pub struct SourceColumn {
    /// The column's name in the table.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// The path inside it, dotted; empty for the column itself.
    // The schema states the default because keys of a list map must have one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = 400), extend("default" = ""))]
    pub path: String,
    /// The ClickHouse type: needed for a path; for a column it must be the table's.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub column_type: Option<String>,
    /// How the value is protected; needed for every value that is or contains text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
    /// What the value means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1000))]
    pub description: Option<String>,
}

// Design 4.7.
/// How rows of one key make up a record.
#[derive(KubeSchema, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("self.kind == 'Duplicate' || (has(self.key) && size(self.key) > 0)", "a Unique or Aggregate model needs its key"))]
pub struct TableModel {
    /// Which of the three models.
    pub kind: TableModelKind,
    /// The columns of the key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32), inner(length(max = 200)))]
    pub key: Vec<String>,
    /// The column that orders rows of one key; the highest wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub version: Option<String>,
    /// The column that marks a deleted record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub deleted: Option<String>,
    /// The merging function of each value column of an Aggregate model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1024))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["column".into()]))]
    pub functions: Vec<MergeFunction>,
}

/// The model of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TableModelKind {
    /// Every row counts.
    Duplicate,
    /// The last row of a key counts.
    Unique,
    /// Rows of a key are merged column by column.
    Aggregate,
}

/// How one column of an Aggregate model is merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergeFunction {
    /// The column.
    #[schemars(length(min = 1, max = 200))]
    pub column: String,
    /// The aggregate function, such as `sum`.
    #[schemars(length(min = 1, max = 100))]
    pub function: String,
}

// Design 5.4.
/// What makes a table the same source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SourceIdentity {
    /// The columns read, the engine and the keys; a rebuilt table goes on.
    Columns,
    /// The table itself, by its UUID.
    Table,
}

/// What the operator says of a source.
#[derive(KubeSchema, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalyticsSourceStatus {
    /// `<connection>:<database>:<table>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The generation that this status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// Ready, Reconciling, Stalled, Overlay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<Condition>,
    /// The approval in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<Approval>,
    /// What waits for a decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<Pending>,
    /// The highest serial that any pending change of this object had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending_serial: Option<u64>,
    /// Digests that were refused, newest first; each is final.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 20), inner(length(max = 80)))]
    pub refused: Vec<String>,
    /// The datasets that read this source, by ID.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000), inner(length(max = 210)))]
    pub used_by: Vec<String>,
    /// Columns of the table that the declaration does not list, hence unreadable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000), inner(length(max = 600)))]
    pub undeclared_columns: Vec<String>,
    /// What is worth knowing of the declaration, but stops nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100), inner(length(max = 2000)))]
    pub warnings: Vec<String>,
}

impl AnalyticsSourceSpec {
    /// The source's ID, `<connection>:<database>:<table>`, in logical names.
    pub fn id(&self) -> String {
        format!("{}:{}:{}", self.connection, self.database, self.table)
    }

    /// The protection that a value has, `<column>[.<path>]`: the strictest of its own, of what contains it and of what it
    /// contains (design 3.1).
    pub fn protection(&self, value: &str) -> Sensitivity {
        let related = self.columns.iter().filter(|entry| entry.lies_around(value));
        let stated = related.filter_map(|entry| entry.sensitivity.as_ref());
        stated.fold(Sensitivity::PUBLIC, |strictest, next| strictest.strictest(&next.normalized()))
    }

    /// Makes the levels as strict as those that are stated in other places. What is stated for a value that is listed here
    /// too counts as stated for this one, and not for what stands beside it; the rest counts for all that contains it or
    /// lies inside it.
    pub fn tighten<'s>(&mut self, others: impl Iterator<Item = &'s SourceColumn>) {
        let mut alike: BTreeMap<(String, String), Sensitivity> = BTreeMap::new();
        for (key, level) in self.columns.iter().map(listed) {
            alike.entry(key).and_modify(|own| *own = own.strictest(&level)).or_insert(level);
        }
        let mut beside = Vec::new();
        for other in others.filter(|other| other.sensitivity.is_some()) {
            let (key, level) = listed(other);
            match alike.get_mut(&key) {
                Some(own) => *own = own.strictest(&level),
                None => beside.push((other, level)),
            }
        }
        for column in &mut self.columns {
            let (key, own) = listed(column);
            let own = alike.get(&key).unwrap_or(&own);
            let value = column.written();
            let around = beside.iter().filter(|(other, _)| other.lies_around(&value));
            let strictest = around.fold(own.clone(), |strictest, (_, level)| strictest.strictest(level));
            if column.sensitivity.is_some() || strictest.is_protected() {
                column.sensitivity = Some(strictest);
            }
        }
    }
}

/// An entry's column and path, and the level that it states.
fn listed(column: &SourceColumn) -> ((String, String), Sensitivity) {
    let level = column.sensitivity.as_ref().map_or(Sensitivity::PUBLIC, Sensitivity::normalized);
    ((column.name.clone(), column.path.clone()), level)
}

impl SourceColumn {
    /// The value as people write it, `<column>[.<path>]`.
    pub fn written(&self) -> String {
        if self.path.is_empty() { self.name.clone() } else { format!("{}.{}", self.name, self.path) }
    }

    /// Whether it is the value, contains it or lies inside it.
    fn lies_around(&self, value: &str) -> bool {
        let ends = |rest: &str| rest.is_empty() || rest.starts_with('.');
        if let Some(rest) = self.name.strip_prefix(value) {
            return ends(rest);
        }
        match value.strip_prefix(self.name.as_str()) {
            Some(rest) if self.path.is_empty() => ends(rest),
            Some(rest) => rest.strip_prefix('.').is_some_and(|rest| {
                [rest.strip_prefix(self.path.as_str()), self.path.strip_prefix(rest)].into_iter().flatten().any(ends)
            }),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(columns: &str) -> AnalyticsSourceSpec {
        let text = format!(r#"{{"connection": "d", "database": "b", "table": "t", "columns": [{columns}]}}"#);
        serde_json::from_str(&text).expect("a declaration")
    }

    fn entry(path: &str, level: &str) -> String {
        let level =
            if level.is_empty() { String::new() } else { format!(r#", "sensitivity": {{"level": "{level}"}}"#) };
        format!(r#"{{"name": "doc", "path": "{path}"{level}}}"#)
    }

    #[test]
    fn what_is_stated_for_a_part_holds_for_the_whole_and_not_for_the_parts_beside_it() {
        let columns =
            [entry("items", "Public"), entry("items.sku", ""), entry("items.email", "Confidential")].join(", ");
        let mut held = spec(&columns);
        held.tighten(spec(&columns).columns.iter());
        held.tighten(spec(&columns).columns.iter());
        let levels =
            ["doc.items", "doc.items.sku", "doc.items.email"].map(|value| held.protection(value).is_protected());
        assert_eq!(levels, [true, false, true]);
    }

    #[test]
    fn nothing_is_protected_less_than_in_either_place() {
        let paths = ["a", "a.b", "a.b.c", "a.c", "b"];
        let levels = ["", "Public", "Display", "Confidential"];
        for seed in 0..1500_usize {
            let part = |of: usize| seed.wrapping_mul(7919).wrapping_add(of * 104_729) / (of + 1);
            let list = |from: usize| {
                let entries = (from..from + 3).map(|at| entry(paths[part(at) % 5], levels[part(at + 9) % 4]));
                spec(&entries.collect::<Vec<_>>().join(", "))
            };
            let (own, other) = (list(0), list(3));
            let mut held = own.clone();
            held.tighten(other.columns.iter());
            for column in &own.columns {
                let value = column.written();
                let both = own.protection(&value).strictest(&other.protection(&value));
                assert!(!held.protection(&value).is_looser_than(&both), "{value} of {own:?} held to {other:?}");
            }
        }
    }
}
