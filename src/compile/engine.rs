//! Which engines can be read as a source, and how (design 4.7).

use super::diagnostic::{Code, Diagnostic};
use crate::api::source::{AnalyticsSourceSpec, TableModelKind};
use crate::catalog::Table;
use crate::sql::{self, ColumnType};

/// How the rows of a table are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReadMode {
    /// Whether rows of one key are merged by `FINAL`.
    pub merged: bool,
    /// The column that marks deleted records, to be left out after merging.
    pub deleted: Option<String>,
}

impl ReadMode {
    /// Whether conditions on the rows may stand in PREWHERE: under FINAL a deleted record's old row would come back.
    pub(super) fn allows_prewhere(&self) -> bool {
        !self.merged
    }
}

/// The read mode of a table under its declaration.
pub(super) fn read_mode(declaration: &AnalyticsSourceSpec, table: &Table, path: &str) -> Result<ReadMode, Diagnostic> {
    let base = table.engine.strip_prefix("Replicated").unwrap_or(&table.engine);
    let merged = match base {
        "MergeTree" => false,
        "ReplacingMergeTree" | "CollapsingMergeTree" | "VersionedCollapsingMergeTree" => true,
        "SummingMergeTree" | "AggregatingMergeTree" | "CoalescingMergeTree" | "Distributed" | "View" | "Dictionary" => {
            return Err(Diagnostic::new(
                Code::NotSupportedYet,
                path,
                format!("Tables of the engine `{}` cannot be read yet.", table.engine),
            )
            .help("Sources of the engines MergeTree, ReplacingMergeTree and CollapsingMergeTree can be read."));
        }
        _ => {
            return Err(Diagnostic::new(
                Code::EngineNotAllowed,
                path,
                format!("Tables of the engine `{}` cannot be a source.", table.engine),
            )
            .help("Sources are tables of the MergeTree family."));
        }
    };
    let deleted = match &declaration.model {
        None => None,
        Some(model) => {
            let supported = model.kind == TableModelKind::Duplicate && !merged
                || model.kind == TableModelKind::Unique && base == "ReplacingMergeTree";
            if !supported || !model.functions.is_empty() {
                return Err(Diagnostic::new(
                    Code::NotSupportedYet,
                    format!("{path}.model"),
                    format!("A declared model {:?} over the engine `{}` is not supported yet.", model.kind, table.engine),
                )
                .help("Leave `model` out; `model: {kind: Unique, key: […], deleted: <column>}` works over ReplacingMergeTree."));
            }
            check_key(&model.key, table, path)?;
            model.deleted.as_ref().map(|name| deleted_column(name, table, path)).transpose()?
        }
    };
    Ok(ReadMode { merged, deleted })
}

/// The parts of a sorting key; those that are plain columns by their names.
pub(super) fn key_columns(table: &Table) -> Vec<&str> {
    // A column inside a function, as in `concat(a, tenant)`, is no column of the key.
    let whole = table.sorting_key.trim();
    // `ORDER BY (a)` is shown as it was written.
    let inside = whole.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let inside = inside.filter(|inside| sql::split_arguments(inside).is_some());
    let parts = sql::split_arguments(inside.unwrap_or(whole)).unwrap_or_default();
    parts.into_iter().map(|part| part.trim().trim_matches('`')).filter(|part| !part.is_empty()).collect()
}

fn check_key(key: &[String], table: &Table, path: &str) -> Result<(), Diagnostic> {
    let sorting = key_columns(table);
    if !key.is_empty() && key.iter().map(String::as_str).collect::<Vec<_>>() != sorting {
        return Err(Diagnostic::new(
            Code::TypeMismatch,
            format!("{path}.model.key"),
            format!("The key `{}` is not the table's sorting key.", key.join(", ")),
        )
        .help(format!("ReplacingMergeTree keeps one row for each `{}`.", table.sorting_key)));
    }
    Ok(())
}

fn deleted_column(name: &str, table: &Table, path: &str) -> Result<String, Diagnostic> {
    let path = format!("{path}.model.deleted");
    let column = table
        .column(name)
        .ok_or_else(|| Diagnostic::new(Code::UnknownColumn, &path, format!("The table has no column `{name}`.")))?;
    match ColumnType::parse(&column.column_type) {
        Ok(ColumnType::Bool | ColumnType::UInt(8)) => Ok(name.to_owned()),
        _ => {
            Err(Diagnostic::new(Code::TypeMismatch, &path, format!("`{name}` has the type `{}`.", column.column_type))
                .help("A deletion mark is a Bool or UInt8."))
        }
    }
}
