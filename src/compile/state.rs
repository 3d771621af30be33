//! The value that a state of an aggregate function stands for: its type (ClickHouse reference: AggregateFunction,
//! finalizeAggregation).

use crate::sql::{AggregateState, ColumnType};

/// The type of the value of a state; none if it is not known, or is none that a dataset can show.
pub(super) fn result(state: &AggregateState) -> Option<ColumnType> {
    of(&state.function, &state.arguments)
}

fn of(function: &str, arguments: &[ColumnType]) -> Option<ColumnType> {
    // A condition is the last argument, and changes nothing of the type but whether it can be null.
    if let Some(base) = function.strip_suffix("If").filter(|base| !base.is_empty()) {
        let (condition, rest) = arguments.split_last()?;
        let result = of(base, rest)?;
        return (!condition.is_nullable()).then_some(result);
    }
    if matches!(
        function,
        "count" | "uniq" | "uniqExact" | "uniqCombined" | "uniqCombined64" | "uniqHLL12" | "uniqTheta"
    ) {
        return Some(ColumnType::UInt(64));
    }
    let first = arguments.first()?.without_low_cardinality();
    let nullable = arguments.iter().any(ColumnType::is_nullable);
    let inner = first.inner().clone();
    let result = match (function, &inner) {
        ("sum", ColumnType::Int(8..=64)) => ColumnType::Int(64),
        ("sum", ColumnType::UInt(8..=64)) => ColumnType::UInt(64),
        ("sum", ColumnType::Int(_) | ColumnType::UInt(_)) => inner,
        ("sum", ColumnType::Float(_)) => ColumnType::Float(64),
        ("sum", ColumnType::Decimal(precision, scale)) => {
            ColumnType::Decimal(if *precision > 38 { 76 } else { 38 }, *scale)
        }
        ("avg", ColumnType::Int(_) | ColumnType::UInt(_) | ColumnType::Float(_) | ColumnType::Decimal(..)) => {
            ColumnType::Float(64)
        }
        ("min" | "max" | "any" | "anyLast", _) if plain(&inner) => inner,
        ("argMin" | "argMax", _) if plain(&inner) && arguments.len() == 2 => inner,
        (
            "quantile" | "quantileTDigest" | "quantileTiming" | "quantileBFloat16" | "median",
            ColumnType::Int(8..=64) | ColumnType::UInt(8..=64) | ColumnType::Float(_),
        ) => match function {
            "quantileTDigest" | "quantileTiming" => ColumnType::Float(32),
            _ => ColumnType::Float(64),
        },
        ("groupArray" | "groupUniqArray", _) if plain(&inner) => return Some(ColumnType::Array(Box::new(inner))),
        _ => return None,
    };
    Some(if nullable { ColumnType::Nullable(Box::new(result)) } else { result })
}

/// A single value.
fn plain(column_type: &ColumnType) -> bool {
    matches!(
        column_type,
        ColumnType::String
            | ColumnType::FixedString(_)
            | ColumnType::Bool
            | ColumnType::Int(_)
            | ColumnType::UInt(_)
            | ColumnType::Float(_)
            | ColumnType::Decimal(..)
            | ColumnType::Date
            | ColumnType::Date32
            | ColumnType::DateTime(_)
            | ColumnType::DateTime64(..)
            | ColumnType::Uuid
            | ColumnType::Ipv4
            | ColumnType::Ipv6
    )
}
