//! Rows merged column by column: which function merges each, by the engine or by the declared model, and what the
//! merged value is (design 4.7).

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostic::{Code, Diagnostic};
use super::model::{self, EngineModel};
use super::state;
use crate::catalog::{Table, TableColumn};
use crate::sql::ColumnType;

/// The functions that a declared model may merge plain values by. Each gives the same from whatever parts the rows are
/// merged in, except `any` and `anyLast`, by which the author says that all rows of a key have one value.
const PLAIN: [&str; 8] = ["any", "anyLast", "groupBitAnd", "groupBitOr", "groupBitXor", "max", "min", "sum"];

/// The function by which the engine merges a column, `key` for those of its key; none if it keeps any row's value.
pub(super) fn engine_function(name: &str, engine: &EngineModel, base: &Table) -> Option<String> {
    let column = base.column(name)?;
    // A column inside an expression of the key may differ between rows of one key.
    let key = model::key_parts(base);
    if key.iter().any(|part| part.column.as_deref() == Some(name)) {
        return Some("key".to_owned());
    }
    let in_key = key.iter().any(|part| part.columns.contains(name));
    let column_type = ColumnType::parse(&column.column_type).ok()?;
    match (&column_type, engine) {
        (ColumnType::AggregateFunction(state), _) => Some(state.function.clone()),
        (ColumnType::SimpleAggregateFunction(function, _), _) => Some(function.clone()),
        (_, EngineModel::Coalescing { columns }) => {
            let listed = columns.is_empty() || columns.iter().any(|listed| listed == name);
            (listed && !in_key).then(|| "last".to_owned())
        }
        (_, EngineModel::Summing { columns }) => {
            let partition = model::columns_in(&base.partition_key, base);
            let listed = columns.is_empty() || columns.iter().any(|listed| listed == name);
            let summed = listed && summable(&column_type) && !partition.contains(name) && !in_key;
            summed.then(|| "sum".to_owned())
        }
        _ => None,
    }
}

fn summable(column_type: &ColumnType) -> bool {
    matches!(
        column_type.inner(),
        ColumnType::Int(_) | ColumnType::UInt(_) | ColumnType::Float(_) | ColumnType::Decimal(..)
    )
}

/// Checks functions that are declared where the engine merges, and gives the columns of which any value does.
pub(super) fn check_engine(
    functions: &BTreeMap<String, String>,
    engine: &EngineModel,
    base: &Table,
    path: &str,
) -> Result<BTreeSet<String>, Diagnostic> {
    let mut any = BTreeSet::new();
    for (column, function) in functions {
        match engine_function(column, engine, base) {
            Some(of_engine) if of_engine == *function => {}
            None if matches!(function.as_str(), "any" | "anyLast") => drop(any.insert(column.clone())),
            of_engine => {
                let by = of_engine.map_or("keeps the value of any row".to_owned(), |by| format!("merges it by `{by}`"));
                return Err(Diagnostic::new(
                    Code::ModelInvalid,
                    format!("{path}.model.functions"),
                    format!(
                        "`{column}` is declared to be merged by `{function}`, and the engine `{}` {by}.",
                        base.engine
                    ),
                )
                .help(
                    "Leave the function out; or state `any` for a column of which all rows of a key have one value.",
                ));
            }
        }
    }
    Ok(any)
}

/// Checks the functions of a declared model that merges rows which the engine keeps.
pub(super) fn check_functions(
    functions: &BTreeMap<String, String>,
    table: &Table,
    path: &str,
) -> Result<(), Diagnostic> {
    for (name, function) in functions {
        let Some(column) = table.column(name) else { continue };
        if let Err(message) = grouped("x", column, function) {
            return Err(Diagnostic::new(Code::ModelInvalid, format!("{path}.model.functions"), message)
                .help(format!("Functions of plain values: {}; of a state, its own.", PLAIN.join(", "))));
        }
    }
    Ok(())
}

/// The merged value of a column under a function, and its type.
pub(super) fn grouped(column: &str, of: &TableColumn, function: &str) -> Result<(String, ColumnType), String> {
    let name = &of.name;
    let column_type = ColumnType::parse(&of.column_type).map_err(|error| format!("{error}."))?;
    match &column_type {
        ColumnType::AggregateFunction(state) => {
            if state.function != function {
                return Err(format!(
                    "`{name}` holds states of `{}`; they cannot be merged by `{function}`.",
                    state.function
                ));
            }
            let result =
                state::result(state).ok_or_else(|| format!("States of the type `{column_type}` cannot be read."))?;
            let parameters = match state.parameters.is_empty() {
                true => String::new(),
                false => format!("({})", state.parameters.join(", ")),
            };
            return Ok((format!("{function}Merge{parameters}({column})"), result));
        }
        ColumnType::SimpleAggregateFunction(own, _) if own != function => {
            return Err(format!("`{name}` is merged by `{own}`; it cannot be merged by `{function}`."));
        }
        _ => {}
    }
    if !PLAIN.contains(&function) {
        return Err(format!("`{function}` is no function that merges `{name}`."));
    }
    let plain = match column_type {
        ColumnType::SimpleAggregateFunction(_, inner) => *inner,
        other => other,
    };
    let value = plain.without_low_cardinality();
    let argument = match value == plain && !of.column_type.starts_with("SimpleAggregateFunction") {
        true => column.to_owned(),
        false => format!("CAST({column}, {})", crate::sql::literal::string(&value.to_string())),
    };
    let nullable = value.is_nullable();
    let wrapped = |inner: ColumnType| if nullable { ColumnType::Nullable(Box::new(inner)) } else { inner };
    let result = match (function, value.inner()) {
        ("sum", ColumnType::Int(8..=64)) => wrapped(ColumnType::Int(64)),
        ("sum", ColumnType::UInt(8..=64)) => wrapped(ColumnType::UInt(64)),
        ("sum", ColumnType::Int(_) | ColumnType::UInt(_)) => value.clone(),
        ("sum", ColumnType::Float(_)) => wrapped(ColumnType::Float(64)),
        ("sum", ColumnType::Decimal(precision, scale)) => {
            wrapped(ColumnType::Decimal(if *precision > 38 { 76 } else { 38 }, *scale))
        }
        ("groupBitAnd" | "groupBitOr" | "groupBitXor", ColumnType::Int(8..=64) | ColumnType::UInt(8..=64)) => {
            value.clone()
        }
        ("any" | "anyLast" | "min" | "max", inner) if single(inner) => value.clone(),
        _ => return Err(format!("`{name}` has the type `{}`, which `{function}` does not merge.", of.column_type)),
    };
    Ok((format!("{function}({argument})"), result))
}

/// Whether a type is of single values, which have an order.
fn single(column_type: &ColumnType) -> bool {
    !matches!(
        column_type,
        ColumnType::Array(_)
            | ColumnType::Map(..)
            | ColumnType::Tuple(_)
            | ColumnType::Nested(_)
            | ColumnType::Variant(_)
            | ColumnType::Json(_)
            | ColumnType::AggregateFunction(_)
            | ColumnType::SimpleAggregateFunction(..)
            | ColumnType::Other(_)
            | ColumnType::Enum(_)
    )
}
