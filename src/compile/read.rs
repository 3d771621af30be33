//! The read of one source: which of its values are used, and the one subquery that gives them (design 4.9).

use std::collections::BTreeSet;

use super::diagnostic::{Code, Diagnostic, available};
use super::engine::{self, ReadMode};
use super::fence::{self, ScopePart};
use super::value::{self, ValueSql};
use crate::api::sensitivity::Sensitivity;
use crate::api::source::{AnalyticsSourceSpec, SourceColumn, TenantScope};
use crate::catalog::{Table, TableColumn};
use crate::sql::{ColumnType, Identifier, literal};

/// Stands in place of a path in the names of scope values, which no declaration names.
const SCOPE_VALUE: &str = "\0scope";

/// One source of a definition, as it is read. Values are added while the definition is resolved.
#[derive(Debug)]
pub(super) struct SourceRead<'a> {
    /// Its place among the sources of the definition; the subject is 0.
    pub index: usize,
    pub alias: &'a str,
    pub source_id: &'a str,
    pub declaration: &'a AnalyticsSourceSpec,
    pub table: &'a Table,
    pub mode: ReadMode,
    /// Whether its values are null where a Left join finds no match.
    pub optional: bool,
    values: Vec<ReadValue>,
    used: BTreeSet<String>,
}

/// One value that a read gives, as `__k<n>`.
#[derive(Clone, Debug)]
pub(super) struct ReadValue {
    /// The column, and the path inside it or an empty text.
    pub name: (String, String),
    pub sql: ValueSql,
    pub protection: Sensitivity,
}

impl<'a> SourceRead<'a> {
    /// The read of a source whose declaration is in force.
    pub(super) fn new(
        index: usize,
        alias: &'a str,
        source_id: &'a str,
        declaration: &'a AnalyticsSourceSpec,
        table: &'a Table,
        path: &str,
    ) -> Result<Self, Diagnostic> {
        if table.row_policy {
            return Err(Diagnostic::new(Code::RowPolicy, path, format!("`{source_id}` has row policies."))
                .help("A table with row policies gives other rows to other readers; it cannot be a source."));
        }
        if let Some(reserved) = reserved_column(table) {
            return Err(Diagnostic::new(Code::ReservedColumn, path, format!("`{source_id}` has the column `{reserved}`."))
                .help("Columns that start with `__`, or are named like a path of another column, cannot be told apart safely; rename it."));
        }
        check_scope(declaration, source_id, path)?;
        let mode = engine::read_mode(declaration, table, path)?;
        let mut read = Self {
            index,
            alias,
            source_id,
            declaration,
            table,
            mode,
            optional: false,
            values: Vec::new(),
            used: BTreeSet::new(),
        };
        read.used.extend(read.mode.deleted.clone());
        if let Some(TenantScope { column: Some(column), .. }) = &declaration.tenant {
            scope_column(table, column, path)?;
            if read.mode.merged && !engine::key_columns(table).contains(&column.as_str()) {
                return Err(Diagnostic::new(
                    Code::TenantNotInSortingKey,
                    path,
                    format!(
                        "The sorting key `{}` of `{source_id}` does not contain the tenant column `{column}`.",
                        table.sorting_key
                    ),
                )
                .help("Rows of two tenants would be merged into one; the tenant must be part of the key."));
            }
            read.used.insert(column.clone());
        }
        Ok(read)
    }

    /// The alias of the subquery in the view.
    pub(super) fn subquery(&self) -> String {
        format!("__s{}", self.index)
    }

    fn table_alias(&self) -> String {
        format!("__t{}", self.index)
    }

    /// The SQL of a value outside the read.
    pub(super) fn outer(&self, value: usize) -> String {
        format!("{}.__k{value}", self.subquery())
    }

    /// The type of a value outside the read: nullable where a Left join may find no match.
    pub(super) fn outer_type(&self, value: usize) -> ColumnType {
        let column_type = &self.values[value].sql.column_type;
        if self.optional { column_type.nullable() } else { column_type.clone() }
    }

    /// A value that was added.
    pub(super) fn value(&self, value: usize) -> &ReadValue {
        &self.values[value]
    }

    /// The columns of the table that the read uses.
    pub(super) fn used_columns(&self) -> &BTreeSet<String> {
        &self.used
    }

    /// The type of the tenant, without LowCardinality; none for a platform dimension.
    pub(super) fn tenant_type(&self) -> Option<ColumnType> {
        match self.declaration.tenant.as_ref()? {
            TenantScope { column: Some(column), .. } => {
                let column = self.table.column(column)?;
                ColumnType::parse(&column.column_type).ok().map(|column_type| column_type.without_low_cardinality())
            }
            TenantScope { .. } => Some(ColumnType::String),
        }
    }

    /// Adds the tenant as a value; its type is that of [`Self::tenant_type`].
    pub(super) fn add_tenant(&mut self) -> Option<usize> {
        let column_type = self.tenant_type()?;
        let expression = match self.declaration.tenant.as_ref()? {
            TenantScope { column: Some(column), .. } => {
                let low_cardinality =
                    self.table.column(column).is_some_and(|column| column.column_type.starts_with("LowCardinality"));
                let column = format!("{}.{}", self.table_alias(), Identifier::new(column));
                if low_cardinality { format!("CAST({column}, '{column_type}')") } else { column }
            }
            TenantScope { value, .. } => literal::string(value.as_deref().unwrap_or_default()),
        };
        Some(self.push(
            (String::new(), SCOPE_VALUE.to_owned()),
            ValueSql { expression, column_type },
            Sensitivity::PUBLIC,
        ))
    }

    /// Adds an owner or space column of the subject.
    pub(super) fn add_limit(&mut self, column: &str, path: &str) -> Result<usize, Diagnostic> {
        let column_type = scope_column(self.table, column, path)?;
        self.used.insert(column.to_owned());
        let value = value::column_value(&self.table_alias(), column, &column_type).ok_or_else(|| {
            Diagnostic::new(Code::InvalidScopeColumn, path, format!("`{column}` has the type `{column_type}`."))
        })?;
        // No path is declared like this, and it is not the tenant's name: an owner column may be called `tenant`.
        Ok(self.push((column.to_owned(), SCOPE_VALUE.to_owned()), value, Sensitivity::PUBLIC))
    }

    /// Adds the value that a reference names, `segments` being what follows the alias.
    pub(super) fn add(&mut self, segments: &[String], path: &str) -> Result<usize, Diagnostic> {
        let (declared, column) = self.declared(segments, path)?;
        let name = (declared.name.clone(), declared.path.clone());
        if let Some(index) = self.values.iter().position(|value| value.name == name) {
            return Ok(index);
        }
        if column.default_kind == "EPHEMERAL" {
            let message = format!("`{}` is an EPHEMERAL column; its value is not stored.", column.name);
            return Err(Diagnostic::new(Code::UnsupportedType, path, message)
                .help("Read the columns that are computed from it."));
        }
        let protection = self.declaration.protection(&declared.written());
        let column_type = ColumnType::parse(&column.column_type)
            .map_err(|error| Diagnostic::new(Code::UnsupportedType, path, format!("`{}`: {error}.", column.name)))?;
        let sql = if declared.path.is_empty() {
            check_declared_type(declared, column, path)?;
            value::column_value(&self.table_alias(), &column.name, &column_type).ok_or_else(|| {
                Diagnostic::new(
                    Code::UnsupportedType,
                    path,
                    format!("`{}` has the type `{column_type}`, which cannot be read as a whole.", column.name),
                )
                .help(match column_type.inner() {
                    ColumnType::Json(_) => "Declare the paths inside it that should be readable, each with its type.",
                    _ => "Single values can be read, arrays and maps of them, and declared paths of JSON.",
                })
            })?
        } else {
            let declared_type = declared_path_type(declared, path)?;
            value::path_value(&self.table_alias(), &column.name, &column_type, &declared.path, &declared_type)
                .map_err(|message| Diagnostic::new(Code::UnsupportedType, path, message))?
        };
        let value_type = if declared.path.is_empty() { &column_type } else { &sql.column_type };
        if value_type.contains_text() && !self.level_stated(&declared.name, &declared.path) {
            return Err(Diagnostic::new(
                Code::LevelNotStated,
                path,
                format!(
                    "`{}` of `{}` contains text, and its source states no level.",
                    segments.join("."),
                    self.source_id
                ),
            )
            .help("State `sensitivity: {level: Public | Display | Confidential}` in the source."));
        }
        self.used.insert(column.name.clone());
        Ok(self.push(name, sql, protection))
    }

    fn push(&mut self, name: (String, String), sql: ValueSql, protection: Sensitivity) -> usize {
        if let Some(index) = self.values.iter().position(|value| value.name == name) {
            return index;
        }
        self.values.push(ReadValue { name, sql, protection });
        self.values.len() - 1
    }

    /// The declaration that names the value, and the table's column; the longest column name wins (`a.b` of a Nested column).
    fn declared(&self, segments: &[String], path: &str) -> Result<(&'a SourceColumn, &'a TableColumn), Diagnostic> {
        for split in (1..=segments.len()).rev() {
            let (column, inside) = (segments[..split].join("."), segments[split..].join("."));
            let entry = self.declaration.columns.iter().find(|entry| entry.name == column && entry.path == inside);
            if let Some(entry) = entry {
                let table_column = self.table.column(&column).ok_or_else(|| {
                    Diagnostic::new(
                        Code::UnknownColumn,
                        path,
                        format!("The table of `{}` has no column `{column}` any more.", self.source_id),
                    )
                })?;
                return Ok((entry, table_column));
            }
        }
        let wanted = segments.join(".");
        let names: Vec<String> = self.declaration.columns.iter().map(SourceColumn::written).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Err(Diagnostic::new(Code::UndeclaredColumn, path, format!("`{}` declares no `{wanted}`.", self.source_id))
            .help(available(&wanted, &names, "values")))
    }

    fn level_stated(&self, name: &str, path: &str) -> bool {
        let mut entries = self.declaration.columns.iter().filter(|entry| entry.name == name);
        entries.any(|entry| contains(&entry.path, path) && entry.sensitivity.is_some())
    }

    /// The subquery. `root_tenant` is the value of this read that later joins compare with, `limits` its owner and space.
    pub(super) fn render(&self, owner: Option<&str>, space: Option<&str>) -> String {
        let table_alias = self.table_alias();
        let outputs = self
            .values
            .iter()
            .enumerate()
            .map(|(k, value)| format!("{} AS __k{k}", value.sql.expression))
            .collect::<Vec<_>>();
        let outputs = if outputs.is_empty() { "1 AS __k0".to_owned() } else { outputs.join(", ") };
        let columns: Vec<(&str, &str)> = self
            .table
            .columns
            .iter()
            .filter(|column| self.used.contains(&column.name))
            .map(|column| (column.name.as_str(), column.column_type.as_str()))
            .collect();
        let guard = match columns.is_empty() {
            true => "1".to_owned(),
            false => fence::type_guard(&table_alias, &columns),
        };
        let column = |name: &str| format!("{table_alias}.{}", Identifier::new(name));
        let mut conditions = Vec::new();
        match &self.declaration.tenant {
            None => conditions.push(fence::guard_condition(&guard)),
            Some(TenantScope { column: Some(tenant), .. }) => {
                let column_type = self.tenant_type().unwrap_or(ColumnType::String);
                conditions.push(fence::tenant_condition(&column(tenant), &column_type, &guard));
            }
            Some(TenantScope { value, .. }) => {
                conditions.push(fence::tenant_value_condition(value.as_deref().unwrap_or_default(), &guard));
            }
        }
        for (part, name) in [(ScopePart::Owner, owner), (ScopePart::Space, space)] {
            let Some(name) = name else { continue };
            let column_type = self.table.column(name).and_then(|column| ColumnType::parse(&column.column_type).ok());
            conditions.push(fence::limit_condition(part, &column(name), &column_type.unwrap_or(ColumnType::String)));
        }
        conditions.extend(self.mode.deleted.as_ref().map(|name| format!("NOT {}", column(name))));
        let place = if self.mode.allows_prewhere() { "PREWHERE" } else { "FINAL WHERE" };
        format!(
            "(SELECT {outputs} FROM {}.{} AS {table_alias} {place} {}) AS {}",
            Identifier::new(self.table.physical_database()),
            Identifier::new(&self.table.name),
            conditions.join(" AND "),
            self.subquery()
        )
    }

    /// Whether at most one row can have these columns equal to given values: they contain the whole merged key.
    pub(super) fn unique_by(&self, columns: &BTreeSet<String>) -> bool {
        // FINAL keeps a row for each version there.
        let versioned = self.table.engine.ends_with("VersionedCollapsingMergeTree");
        self.mode.merged && !versioned && engine::key_columns(self.table).iter().all(|key| columns.contains(*key))
    }
}

/// Whether the value at `inner` lies at or inside the one at `outer`.
fn contains(outer: &str, inner: &str) -> bool {
    outer.is_empty() || inner == outer || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
}

/// A column of the table that the operator's own names, or a path of another column, would collide with (design 4.1).
fn reserved_column(table: &Table) -> Option<&str> {
    table.columns.iter().map(|column| column.name.as_str()).find(|name| {
        let path_of_another =
            name.char_indices().filter(|(_, c)| *c == '.').any(|(dot, _)| table.column(&name[..dot]).is_some());
        name.starts_with("__") || path_of_another
    })
}

/// A source that says neither whose its rows are nor that every tenant shares them is not read at all.
fn check_scope(declaration: &AnalyticsSourceSpec, source_id: &str, path: &str) -> Result<(), Diagnostic> {
    let stated = match &declaration.tenant {
        None => declaration.platform_dimension,
        Some(tenant) => !declaration.platform_dimension && tenant.column.is_some() != tenant.value.is_some(),
    };
    if stated {
        return Ok(());
    }
    let message = format!("`{source_id}` does not say whose its rows are.");
    Err(Diagnostic::new(Code::InvalidScopeColumn, path, message)
        .help("A source states exactly one of `tenant: {column}`, `tenant: {value}` and `platformDimension: true`."))
}

/// Checks a tenant, owner or space column and gives its type.
pub(super) fn scope_column(table: &Table, name: &str, path: &str) -> Result<ColumnType, Diagnostic> {
    let wrong = |message: String| Diagnostic::new(Code::InvalidScopeColumn, path, message);
    let Some(column) = table.column(name) else {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let path_of = name.split_once('.').is_some_and(|(column, _)| table.column(column).is_some());
        if path_of {
            return Err(Diagnostic::new(
                Code::NotSupportedYet,
                path,
                format!("The path `{name}` cannot be a scope column yet."),
            )
            .help("Use a column of its own."));
        }
        return Err(wrong(format!("The table has no column `{name}`.")).help(available(name, &names, "columns")));
    };
    if matches!(column.default_kind.as_str(), "ALIAS" | "EPHEMERAL") {
        return Err(wrong(format!("`{name}` is an {} column; its value is not stored.", column.default_kind)));
    }
    let column_type = ColumnType::parse(&column.column_type).map_err(|error| wrong(error.to_string()))?;
    let possible = match column_type.without_low_cardinality() {
        ColumnType::String | ColumnType::Uuid => true,
        ColumnType::Int(bits) | ColumnType::UInt(bits) => bits <= 64,
        _ => false,
    };
    if !possible {
        return Err(wrong(format!("`{name}` has the type `{column_type}`."))
            .help("A scope column is a String, an integer of up to 64 bits or a UUID, and not nullable."));
    }
    Ok(column_type)
}

fn check_declared_type(declared: &SourceColumn, column: &TableColumn, path: &str) -> Result<(), Diagnostic> {
    match &declared.column_type {
        Some(stated) if *stated != column.column_type => Err(Diagnostic::new(
            Code::TypeMismatch,
            path,
            format!("`{}` is declared as `{stated}` and is `{}`.", declared.name, column.column_type),
        )
        .help("Correct `type` in the source, or leave it out.")),
        _ => Ok(()),
    }
}

fn declared_path_type(declared: &SourceColumn, path: &str) -> Result<ColumnType, Diagnostic> {
    let text = declared.column_type.as_deref().ok_or_else(|| {
        Diagnostic::new(
            Code::TypeMismatch,
            path,
            format!("The path `{}` is declared without a type.", declared.written()),
        )
        .help("State `type` in the source.")
    })?;
    ColumnType::parse(text).map_err(|error| Diagnostic::new(Code::UnsupportedType, path, format!("{error}.")))
}
