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
    let push_column = |text: &mut String, name: &str| {
        text.extend([table_alias, "."]);
        Identifier::new(name).push_to(text);
    };
    let others = columns.iter().filter(|(_, column_type)| !is_enum(column_type)).count();
    let mut guard = String::with_capacity(64 * columns.len());
    if others > 0 {
        guard.push_str(if others == 1 { "toTypeName(tuple(" } else { "toTypeName((" });
        let mut types = String::with_capacity(32 * others);
        for (name, column_type) in columns.iter().filter(|(_, column_type)| !is_enum(column_type)) {
            let before = if types.is_empty() { ["", "Tuple("] } else { [", ", ", "] };
            guard.push_str(before[0]);
            push_column(&mut guard, name);
            types.extend([before[1], column_type]);
        }
        types.push(')');
        guard.push_str(")) = ");
        literal::push_string(&mut guard, &types);
    }
    for (name, column_type) in columns.iter().filter(|(_, column_type)| is_enum(column_type)) {
        let before = if guard.is_empty() { "" } else { " AND " };
        guard.extend([before, "startsWith(toTypeName("]);
        push_column(&mut guard, name);
        let start = if column_type.starts_with("Nullable") { "Nullable(Enum" } else { "Enum" };
        guard.extend(["), '", start, "')"]);
    }
    guard
}

fn is_enum(column_type: &str) -> bool {
    column_type.starts_with("Enum") || column_type.starts_with("Nullable(Enum")
}

/// The stated tenant as a text; an error while the query is analysed if none is stated or the guard fails.
fn stated_tenant(guard: &str) -> String {
    ["CAST(if(", guard, ", JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)"]
        .concat()
}

/// Only rows of the stated tenant.
pub(super) fn tenant_condition(column: &str, column_type: &ColumnType, guard: &str) -> String {
    let stated = stated_tenant(guard);
    match column_type.without_low_cardinality() {
        ColumnType::String => [column, " = ", &stated].concat(),
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
    let stated = ["JSONExtract(getSetting('log_comment'), '", key, "', 'Nullable(String)')"].concat();
    let equal = match column_type.inner() {
        ColumnType::String => [column, " = ", &stated].concat(),
        other => {
            let value = format!("accurateCastOrNull({stated}, {})", literal::string(&other.to_string()));
            format!("({column} = {value} AND toString({value}) = {stated})")
        }
    };
    ["(JSONExtractRaw(getSetting('log_comment'), '", key, "') = 'null' OR ", &equal, ")"].concat()
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
