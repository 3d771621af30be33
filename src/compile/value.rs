//! A single value of a source, as it is read: which SQL gives it, of which type (design 4.6; reference view, rules 1 and 6).

use crate::sql::{ColumnType, Identifier, literal};

/// How a value is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueSql {
    pub expression: String,
    pub column_type: ColumnType,
}

/// The types that a JSON path may be declared with.
const PATH_TYPES: &str = "String, Bool, Int8 to Int64, UInt8 to UInt64, Float64, UUID, Decimal(p, s); dates are read as String and converted with toDate or toDateTime";

/// The value of a whole column; none if its type cannot be read.
pub(super) fn column_value(table_alias: &str, name: &str, column_type: &ColumnType) -> Option<ValueSql> {
    let column = format!("{table_alias}.{}", Identifier::new(name));
    let plain = |column_type: &ColumnType| ValueSql { expression: column.clone(), column_type: column_type.clone() };
    match column_type {
        // Read as text: a new enumeration value then reads fine (ClickHouse facts 1).
        ColumnType::Enum(_) => {
            Some(ValueSql { expression: format!("toString({column})"), column_type: ColumnType::String })
        }
        ColumnType::Nullable(inner) if matches!(**inner, ColumnType::Enum(_)) => Some(ValueSql {
            expression: format!("toString({column})"),
            column_type: ColumnType::Nullable(Box::new(ColumnType::String)),
        }),
        other if readable(other) => Some(match settled(other) {
            same if same == *other => plain(other),
            settled => ValueSql {
                expression: format!("CAST({column}, {})", literal::string(&settled.to_string())),
                column_type: settled,
            },
        }),
        _ => None,
    }
}

/// The type without `LowCardinality` around anything but text: a view with such a column cannot be created everywhere.
fn settled(column_type: &ColumnType) -> ColumnType {
    match column_type {
        ColumnType::LowCardinality(inner)
            if !matches!(inner.inner(), ColumnType::String | ColumnType::FixedString(_)) =>
        {
            (**inner).clone()
        }
        ColumnType::Array(element) => ColumnType::Array(Box::new(settled(element))),
        ColumnType::Map(key, value) => ColumnType::Map(Box::new(settled(key)), Box::new(settled(value))),
        other => other.clone(),
    }
}

fn readable(column_type: &ColumnType) -> bool {
    match column_type {
        ColumnType::Nullable(inner) | ColumnType::LowCardinality(inner) | ColumnType::Array(inner) => readable(inner),
        ColumnType::Map(key, value) => readable(key) && readable(value),
        // Objects are read by their declared paths; a whole one reads all sub-columns, and a tuple cannot be null.
        ColumnType::Json(_)
        | ColumnType::Tuple(_)
        | ColumnType::Nested(_)
        | ColumnType::Variant(_)
        | ColumnType::AggregateFunction(_)
        | ColumnType::SimpleAggregateFunction(..)
        | ColumnType::Other(_)
        | ColumnType::Enum(_) => false,
        _ => true,
    }
}

/// The value at a declared path of a JSON or JSON-text column; the error says what is not possible.
pub(super) fn path_value(
    table_alias: &str,
    name: &str,
    column_type: &ColumnType,
    path: &str,
    declared: &ColumnType,
) -> Result<ValueSql, String> {
    let target = declared.inner();
    if !path_type(target) || matches!(declared, ColumnType::LowCardinality(_)) {
        return Err(format!("A path cannot have the type `{declared}`. Possible types: {PATH_TYPES}."));
    }
    let column = format!("{table_alias}.{}", Identifier::new(name));
    let segments: Vec<&str> = path.split('.').collect();
    let json = matches!(column_type.inner(), ColumnType::Json(_));
    if segments.iter().any(|segment| segment.is_empty() || json && names_a_subcolumn(segment)) {
        return Err(format!(
            "`{path}` is no path: its parts are names of members, none of them empty or like `^a`, `:T`, `@a` and `a[]`."
        ));
    }
    let result = ColumnType::Nullable(Box::new(target.clone()));
    let expression = match column_type.inner() {
        ColumnType::Json(_) => {
            let inner = segments.iter().map(|segment| format!(".{}", Identifier::new(*segment))).collect::<String>();
            let value = format!("{column}{inner}");
            match target {
                // Straight from a stored Float64 a decimal would be cut: 0.29 becomes 0.28.
                ColumnType::Decimal(..) => {
                    format!("accurateCastOrNull(accurateCastOrNull({value}, 'String'), '{target}')")
                }
                _ => format!("accurateCastOrNull({value}, '{target}')"),
            }
        }
        ColumnType::String => {
            let text = if column_type.is_nullable() { format!("ifNull({column}, '')") } else { column };
            let keys = segments.iter().map(|segment| format!("{}, ", literal::string(segment))).collect::<String>();
            format!("JSONExtract({text}, {keys}'{result}')")
        }
        _ => return Err(format!("The column has the type `{column_type}`, which has no paths.")),
    };
    Ok(ValueSql { expression, column_type: result })
}

/// Whether a quoted part of a path still means something else in a JSON column: `^a` the whole object, `:T` the values
/// of a type, `a[]` an array. Each would read around the level of the value itself.
fn names_a_subcolumn(segment: &str) -> bool {
    segment.starts_with(['^', ':', '@']) || segment.contains("[]")
}

fn path_type(column_type: &ColumnType) -> bool {
    match column_type {
        ColumnType::String | ColumnType::Bool | ColumnType::Uuid | ColumnType::Decimal(..) => true,
        ColumnType::Int(bits) | ColumnType::UInt(bits) => *bits <= 64,
        ColumnType::Float(bits) => *bits == 64,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(column: &str, declared: &str) -> Result<String, String> {
        let parsed = |text| ColumnType::parse(text).expect("a type");
        path_value("__t0", "state", &parsed(column), "a.b", &parsed(declared)).map(|value| value.expression)
    }

    #[test]
    fn a_path_is_read_through_one_spelling() {
        assert_eq!(path("JSON", "String").as_deref(), Ok("accurateCastOrNull(__t0.`state`.`a`.`b`, 'String')"));
        assert_eq!(
            path("JSON", "Decimal(18, 2)").as_deref(),
            Ok("accurateCastOrNull(accurateCastOrNull(__t0.`state`.`a`.`b`, 'String'), 'Decimal(18, 2)')")
        );
        assert_eq!(
            path("Nullable(String)", "Int64").as_deref(),
            Ok("JSONExtract(ifNull(__t0.`state`, ''), 'a', 'b', 'Nullable(Int64)')")
        );
        assert!(path("JSON", "DateTime64(3)").is_err());
        assert!(path("UInt8", "String").is_err());
    }
}
