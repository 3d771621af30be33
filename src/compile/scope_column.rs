//! The columns that say whose a row is: tenant, owner and space (design 3.1, 4.2).

use super::diagnostic::{Code, Diagnostic, available};
use crate::api::source::{AnalyticsSourceSpec, TenantScope};
use crate::catalog::Table;
use crate::sql::{ColumnType, Identifier, literal};

/// A tenant, owner or space as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScopeColumn {
    /// The column of the table.
    pub column: String,
    /// The path inside it, if it is a JSON column.
    pub path: Option<String>,
    /// The type of the value.
    pub column_type: ColumnType,
}

impl ScopeColumn {
    /// The SQL of the value.
    pub(super) fn sql(&self, table_alias: &str) -> String {
        let column = Identifier::new(&self.column).of(table_alias);
        match &self.path {
            None => column,
            // Named like this, and not as `column.path`, no column that is called so later can take its place
            // (ClickHouse facts 1).
            Some(path) => format!("getSubcolumn({column}, {})", literal::string(path)),
        }
    }
}

/// Checks a tenant, owner or space column, and says how it is read.
pub(super) fn scope_column(table: &Table, name: &str, path: &str) -> Result<ScopeColumn, Diagnostic> {
    let wrong = |message: String| Diagnostic::new(Code::InvalidScopeColumn, path, message);
    let (column, inside) = match table.column(name) {
        Some(column) => (column, None),
        None => {
            let split =
                name.match_indices('.').find_map(|(dot, _)| Some((table.column(&name[..dot])?, &name[dot + 1..])));
            let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
            let (column, inside) = split.ok_or_else(|| {
                wrong(format!("The table has no column `{name}`.")).help(available(name, &names, "columns"))
            })?;
            (column, Some(inside.to_owned()))
        }
    };
    if matches!(column.default_kind.as_str(), "ALIAS" | "EPHEMERAL") {
        return Err(wrong(format!("`{}` is an {} column; its value is not stored.", column.name, column.default_kind)));
    }
    let column_type = ColumnType::parse(&column.column_type).map_err(|error| wrong(error.to_string()))?;
    let value_type = match (&inside, &column_type) {
        (None, _) => column_type,
        (Some(inside), ColumnType::Json(json)) => json.typed(inside).cloned().ok_or_else(|| {
            wrong(format!("The path `{name}` has no type of its own in `{}`.", column.column_type)).help(format!(
                "Only a path that the table's type names is there in every row: `JSON({inside} String)`. Or use a column of its own."
            ))
        })?,
        (Some(_), other) => {
            return Err(wrong(format!("`{}` has the type `{other}`; a path of it cannot say whose a row is.", column.name))
                .help("Use a column of its own, or a path that a JSON column's type names with its type."));
        }
    };
    let possible = match value_type.without_low_cardinality() {
        ColumnType::String | ColumnType::Uuid => true,
        ColumnType::Int(bits) | ColumnType::UInt(bits) => bits <= 64,
        _ => false,
    };
    if !possible {
        return Err(wrong(format!("`{name}` has the type `{value_type}`."))
            .help("A scope column is a String, an integer of up to 64 bits or a UUID, and not nullable."));
    }
    Ok(ScopeColumn { column: column.name.clone(), path: inside, column_type: value_type })
}

/// A source that says neither whose its rows are nor that every tenant shares them is not read at all.
pub(super) fn check_stated(declaration: &AnalyticsSourceSpec, source_id: &str, path: &str) -> Result<(), Diagnostic> {
    let stated = match &declaration.tenant {
        None => declaration.platform_dimension,
        Some(TenantScope { column, value }) => !declaration.platform_dimension && column.is_some() != value.is_some(),
    };
    if stated {
        return Ok(());
    }
    let message = format!("`{source_id}` does not say whose its rows are.");
    Err(Diagnostic::new(Code::InvalidScopeColumn, path, message)
        .help("A source states exactly one of `tenant: {column}`, `tenant: {value}` and `platformDimension: true`."))
}
