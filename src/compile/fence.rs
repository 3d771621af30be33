//! The fence and the type guard of a read, as SQL (design 4.2, 4.9; reference view, rules 1 and 3).
//!
//! Both are one constant, folded while the query is analysed: without a stated scope, or with a changed type, every
//! reader gets an error whatever rows exist.

use crate::sql::{ColumnType, Identifier, literal};

/// The part of the scope that a condition compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopePart {
    Owner,
    Space,
}

impl ScopePart {
    fn key(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Space => "space",
        }
    }
}

/// True as long as the columns have the types that the version was compiled for.
pub(super) fn type_guard(table_alias: &str, columns: &[(&str, &str)]) -> String {
    let (enums, others): (Vec<_>, Vec<_>) = columns.iter().partition(|(_, column_type)| is_enum(column_type));
    let column = |name: &str| format!("{table_alias}.{}", Identifier::new(name));
    let mut conditions = Vec::new();
    if !others.is_empty() {
        let names = others.iter().map(|(name, _)| column(name)).collect::<Vec<_>>().join(", ");
        let types = others.iter().map(|(_, column_type)| *column_type).collect::<Vec<_>>().join(", ");
        let tuple = if others.len() == 1 { format!("tuple({names})") } else { format!("({names})") };
        conditions.push(format!("toTypeName({tuple}) = {}", literal::string(&format!("Tuple({types})"))));
    }
    for (name, column_type) in enums {
        let start = if column_type.starts_with("Nullable") { "Nullable(Enum" } else { "Enum" };
        conditions.push(format!("startsWith(toTypeName({}), '{start}')", column(name)));
    }
    conditions.join(" AND ")
}

fn is_enum(column_type: &str) -> bool {
    column_type.starts_with("Enum") || column_type.starts_with("Nullable(Enum")
}

/// The stated tenant as a text; an error while the query is analysed if none is stated or the guard fails.
fn stated_tenant(guard: &str) -> String {
    format!("CAST(if({guard}, JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)")
}

/// Only rows of the stated tenant.
pub(super) fn tenant_condition(column: &str, column_type: &ColumnType, guard: &str) -> String {
    let stated = stated_tenant(guard);
    match column_type.without_low_cardinality() {
        ColumnType::String => format!("{column} = {stated}"),
        other => {
            let value = format!("accurateCastOrNull({stated}, {})", literal::string(&other.to_string()));
            // Only the canonical text of a value is that value: '07' is not 7.
            format!("{column} = {value} AND toString({value}) = {stated}")
        }
    }
}

/// All rows if the stated tenant is the table's one tenant, else none.
pub(super) fn tenant_value_condition(value: &str, guard: &str) -> String {
    format!("{} = {}", stated_tenant(guard), literal::string(value))
}

/// Only rows of the stated owner or space; null states that it is not limited, an absent key gives no row.
pub(super) fn limit_condition(part: ScopePart, column: &str, column_type: &ColumnType) -> String {
    let key = part.key();
    let stated = format!("JSONExtract(getSetting('log_comment'), '{key}', 'Nullable(String)')");
    let equal = match column_type.inner() {
        ColumnType::String => format!("{column} = {stated}"),
        other => {
            let value = format!("accurateCastOrNull({stated}, {})", literal::string(&other.to_string()));
            format!("({column} = {value} AND toString({value}) = {stated})")
        }
    };
    format!("(JSONExtractRaw(getSetting('log_comment'), '{key}') = 'null' OR {equal})")
}

/// The guard alone, for a source that every tenant shares.
pub(super) fn guard_condition(guard: &str) -> String {
    format!("1 = CAST(if({guard}, 1, NULL) AS UInt8)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_column_is_a_tuple_and_an_enum_is_any_enum() {
        assert_eq!(type_guard("__t0", &[("a", "String")]), "toTypeName(tuple(__t0.`a`)) = 'Tuple(String)'");
        assert_eq!(
            type_guard("__t0", &[("a", "DateTime('UTC')"), ("e", "Nullable(Enum8('x' = 1))"), ("b", "Int8")]),
            r"toTypeName((__t0.`a`, __t0.`b`)) = 'Tuple(DateTime(\'UTC\'), Int8)' AND startsWith(toTypeName(__t0.`e`), 'Nullable(Enum')"
        );
    }
}
