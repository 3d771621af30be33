//! The SELECT text (reference view 2, "the server's query"). The only place of the module where SQL of a whole
//! statement is written.
//!
//! The scope stands in the innermost SELECT, which has no output alias: no name that a person chose can stand for a
//! scope column there. Chosen names are output names of the outermost SELECT and nothing else; every reference below
//! is qualified by a generated table alias.

use crate::api::record::{OWNER_COLUMN, SPACE_COLUMN, TENANT_COLUMN};
use crate::sql::{ColumnType, Identifier, Sql, literal, masked};

use super::condition::{Binder, Condition};
use super::fields::{Domain, Field};
use super::limits::LONGEST_STATEMENT;
use super::operand::scalar_text;
use super::rejection::{Code, Rejection};
use super::rules::Rows;
use super::{Scope, Statement};

/// What the outermost SELECT gives.
pub(super) enum Outputs<'a> {
    /// These columns.
    Columns(&'a [usize]),
    /// The number of rows.
    Count,
}

/// One entry of ORDER BY.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub(super) column: usize,
    pub(super) descending: bool,
}

/// The column as the view gives it.
pub(super) fn column(field: &Field<'_>) -> String {
    format!("__q.{}", Identifier::new(field.path()))
}

/// The column as it is compared with text parameters: what has no text of its own is turned into text.
pub(super) fn compared(field: &Field<'_>) -> String {
    let column = column(field);
    let as_text = matches!(field.domain, Some(Domain::PaddedText | Domain::Canonical(ColumnType::Ipv6)));
    match (as_text, field.array) {
        (false, _) => column,
        (true, false) => format!("toString({column})"),
        (true, true) => format!("arrayMap(__x -> toString(__x), {column})"),
    }
}

/// The column as it is sorted: addresses and UUIDs by their text, which is what callers see.
fn sorted(field: &Field<'_>) -> String {
    match field.domain {
        Some(Domain::Canonical(_)) => format!("toString({})", column(field)),
        _ => column(field),
    }
}

/// That a scope column holds the stated text. Only a value's canonical text is that value ('07' is not 7), and no text
/// can make it fail (clickhouse-facts 4).
pub(super) fn scope_equality(table: &str, name: &str, column_type: &str, placeholder: &str) -> String {
    let column = format!("{table}.{}", Identifier::new(name));
    let parsed = ColumnType::parse(column_type).unwrap_or(ColumnType::Other(column_type.to_owned()));
    match parsed.inner() {
        ColumnType::String => format!("{column} = {placeholder}"),
        castable @ (ColumnType::Int(_) | ColumnType::UInt(_) | ColumnType::Uuid | ColumnType::Bool) => {
            let value = format!("accurateCastOrNull({placeholder}, {})", literal::string(&castable.to_string()));
            format!("{column} = {value} AND toString({value}) = {placeholder}")
        }
        // no index for these; an Enum must never be cast to
        _ => format!("toString({column}) = {placeholder}"),
    }
}

/// Renders one statement and takes the parameters that it needs.
pub(super) fn statement(
    binder: &Binder<'_>,
    scope: &Scope,
    outputs: &Outputs<'_>,
    condition: &Condition,
    order: &[Order],
    rows: Rows,
) -> Result<Statement, Rejection> {
    let mut parameters = binder.parameters.clone();
    let fields = binder.model.fields();
    let mut columns = binder.columns.clone();
    let listed = match outputs {
        Outputs::Count => "count() AS `__total`".to_owned(),
        Outputs::Columns(shown) => {
            columns.extend(*shown);
            shown.iter().map(|index| output(&fields[*index])).collect::<Vec<_>>().join(", ")
        }
    };
    columns.extend(order.iter().map(|entry| entry.column));
    let mut text = format!("SELECT {listed} FROM ({}) AS __q", inner(binder, scope, &columns, &mut parameters));
    if *condition != Condition::Everything {
        text.push_str(&format!(" WHERE {}", condition.to_sql()));
    }
    if !order.is_empty() {
        let entries = order.iter().map(|entry| {
            let direction = if entry.descending { "DESC NULLS LAST" } else { "ASC NULLS FIRST" };
            format!("{} {direction}", sorted(&fields[entry.column]))
        });
        text.push_str(&format!(" ORDER BY {}", entries.collect::<Vec<_>>().join(", ")));
    }
    if let Some(limit) = rows.limit {
        text.push_str(" LIMIT {l:UInt64}");
        parameters.push(("l".to_owned(), limit.to_string()));
    }
    if rows.offset > 0 {
        text.push_str(" OFFSET {o:UInt64}");
        parameters.push(("o".to_owned(), rows.offset.to_string()));
    }
    if text.len() > LONGEST_STATEMENT {
        let message = "the filter is too large for one statement";
        return Err(Rejection::new(Code::FilterTooLarge, "filter", message));
    }
    Ok(Statement { sql: Sql::rendered(text), parameters })
}

/// The innermost SELECT: the columns read, of the caller's scope.
fn inner(
    binder: &Binder<'_>,
    scope: &Scope,
    columns: &std::collections::BTreeSet<usize>,
    parameters: &mut Vec<(String, String)>,
) -> String {
    let record = binder.model.record;
    let quoted = |name: &str| format!("__v.{}", Identifier::new(name));
    let mut read: Vec<String> = columns.iter().map(|index| quoted(binder.model.fields()[*index].path())).collect();
    read.extend(binder.scope_columns.iter().map(|name| quoted(name)));
    if read.is_empty() {
        read.push("1".to_owned());
    }
    let parts = [
        (TENANT_COLUMN, &record.scope.tenant, &scope.tenant, "st"),
        (OWNER_COLUMN, &record.scope.owner, &scope.owner, "so"),
        (SPACE_COLUMN, &record.scope.space, &scope.space, "ss"),
    ];
    let mut conditions = Vec::new();
    for (name, part, stated, parameter) in parts {
        if let (Some(part), Some(value)) = (part, stated) {
            conditions.push(scope_equality("__v", name, &part.column_type, &format!("{{{parameter}:String}}")));
            parameters.push((parameter.to_owned(), scalar_text(value)));
        }
    }
    let condition = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    let (database, view) = (Identifier::new(&record.view.database), Identifier::new(&record.view.name));
    format!("SELECT {} FROM {database}.{view} AS __v{condition}", read.join(", "))
}

fn output(field: &Field<'_>) -> String {
    let (column, name) = (column(field), Identifier::new(field.path()));
    if !field.is_masked_here() {
        return format!("{column} AS {name}");
    }
    let mask = field.column.protection.as_ref().and_then(|protection| protection.mask).unwrap_or_default();
    let value = masked(&column, &field.column_type, mask.keep_prefix, mask.keep_suffix)
        .expect("a column that must be masked and cannot be is not projectable");
    format!("{} AS {name}", value.expression)
}
