//! The read of one source: which of its values are used, and the one subquery that gives them (design 4.9).

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostic::{Code, Diagnostic, available};
use super::engine::{self, Merge, ReadMode};
use super::merging;
use super::scope_column::{self, ScopeColumn};
use super::stated::Stated;
use super::value::{self, ValueSql};
use super::view::tenant::{self, Apart};
use crate::api::sensitivity::Sensitivity;
use crate::api::source::{AnalyticsSourceSpec, SourceColumn, TenantScope};
use crate::catalog::{Catalog, Table, TableColumn};
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
    stated: Stated<'a>,
    pub table: &'a Table,
    pub catalog: &'a Catalog,
    pub mode: ReadMode<'a>,
    /// Whether its values are null where a Left join finds no match.
    pub optional: bool,
    /// The tenant, where the table has a column of it.
    pub(super) tenant: Option<ScopeColumn>,
    pub(super) values: Vec<ReadValue>,
    /// The places of the values, by their names.
    places: BTreeMap<(String, String), usize>,
    /// The columns of the table that are read, in the order in which they were asked for.
    pub(super) used: Vec<String>,
    pub(super) aliases: Aliases,
}

/// What the parts of a read are called in the view.
#[derive(Debug)]
pub(super) struct Aliases {
    /// The subquery that gives the values.
    pub subquery: String,
    /// The table inside the read.
    pub table: String,
    /// The merged rows inside the read.
    pub merged: String,
}

impl Aliases {
    fn of(index: usize) -> Self {
        Self { subquery: format!("__s{index}"), table: format!("__t{index}"), merged: format!("__m{index}") }
    }
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
        (table, catalog): (&'a Table, &'a Catalog),
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
        scope_column::check_stated(declaration, source_id, path)?;
        let mode = engine::read_mode(declaration, table, catalog, path)?;
        let mut read = Self {
            index,
            alias,
            source_id,
            declaration,
            stated: Stated::of(declaration),
            table,
            catalog,
            mode,
            optional: false,
            tenant: None,
            values: Vec::new(),
            places: BTreeMap::new(),
            used: Vec::new(),
            aliases: Aliases::of(index),
        };
        for column in read.mode.columns() {
            read.use_column(&column, path)?;
        }
        if let Some(TenantScope { column: Some(column), .. }) = &declaration.tenant {
            let tenant = scope_column::scope_column(table, column, path)?;
            read.check_tenant_in_key(column, path)?;
            read.use_column(&tenant.column, path)?;
            read.tenant = Some(tenant);
        }
        Ok(read)
    }

    /// Rows of two tenants must never become one.
    fn check_tenant_in_key(&self, column: &str, path: &str) -> Result<(), Diagnostic> {
        let behind = self.mode.local.unwrap_or(self.table);
        let apart = match !self.mode.merged() || self.mode.key_contains(column) {
            true if behind.view.is_some() => tenant::of(behind, self.catalog, column),
            true => Apart::Yes,
            false => Apart::NotInKey,
        };
        match apart {
            Apart::Yes | Apart::Unknown { .. } => return Ok(()),
            Apart::Mixed { view, clause } => {
                return Err(Diagnostic::new(
                    Code::ViewMixesTenants,
                    path,
                    format!("The view `{view}` makes rows of several tenants one by `{clause}`, which leaves the tenant out."),
                )
                .help("Group, partition and limit by the tenant as well; or declare a view that does not."));
            }
            Apart::NotInKey => {}
        }
        let key = match &self.mode.merge {
            Merge::Last { key, .. } | Merge::Groups { key, .. } => key.join(", "),
            Merge::No => behind.sorting_key.clone(),
        };
        let whose = match key.is_empty() {
            true => format!("The sorting key of a table behind `{}`", self.source_id),
            false => format!("The key `{key}` of `{}`", self.source_id),
        };
        Err(Diagnostic::new(
            Code::TenantNotInSortingKey,
            path,
            format!("{whose} does not contain the tenant column `{column}`."),
        )
        .help("Rows of two tenants would be merged into one; the tenant must be part of the key."))
    }

    /// What the source's view says that may mix tenants: its name, and what was not understood.
    pub(super) fn may_mix(&self) -> Option<(String, String)> {
        let behind = self.mode.local.unwrap_or(self.table);
        let tenant = self.tenant.as_ref().filter(|_| behind.view.is_some())?;
        match tenant::of(behind, self.catalog, &tenant.column) {
            Apart::Unknown { view, clause } => Some((view, clause)),
            _ => None,
        }
    }

    /// Notes that a column of the table is read; refuses those that have no one value.
    pub(super) fn use_column(&mut self, name: &str, path: &str) -> Result<&'a TableColumn, Diagnostic> {
        let column = self.table.column(name).ok_or_else(|| {
            Diagnostic::new(
                Code::UnknownColumn,
                path,
                format!("The table of `{}` has no column `{name}` any more.", self.source_id),
            )
        })?;
        if !self.used.iter().any(|used| used == name) {
            self.mode.check_column(column, path)?;
            self.used.push(name.to_owned());
        }
        Ok(column)
    }

    /// The SQL and the type of a column inside the read, where values are computed from it.
    pub(super) fn column_sql(&self, column: &TableColumn) -> Result<(String, ColumnType), String> {
        let plain = || ColumnType::parse(&column.column_type).map_err(|error| format!("`{}`: {error}.", column.name));
        match &self.mode.merge {
            Merge::Groups { key, functions } => {
                let place = self.used.iter().position(|used| *used == column.name).unwrap_or_default();
                let column_type = match functions.get(&column.name) {
                    Some(function) if !key.contains(&column.name) => merging::grouped("", column, function)?.1,
                    _ => plain()?,
                };
                Ok((format!("{}.__g{place}", self.aliases.merged), column_type))
            }
            _ => Ok((self.stored(&column.name), plain()?)),
        }
    }

    /// The table that the view reads: on the nodes of a cluster, each one's own part of a spread table.
    pub(super) fn read_table(&self) -> &'a Table {
        self.mode.local.filter(|_| self.catalog.cluster.is_some()).unwrap_or(self.table)
    }

    /// Whether reading it asks the shards of a cluster.
    pub(super) fn asks_shards(&self) -> bool {
        let mut open = vec![self.read_table()];
        let mut seen = BTreeSet::new();
        while let Some(table) = open.pop() {
            if table.engine == "Distributed" {
                return true;
            }
            if !table.holds_rows() && seen.insert(table.physical_name()) {
                open.extend(self.catalog.read_by(table));
            }
        }
        false
    }

    /// A column of the table itself.
    pub(super) fn stored(&self, name: &str) -> String {
        Identifier::new(name).of(&self.aliases.table)
    }

    /// The SQL of a value outside the read.
    pub(super) fn outer(&self, value: usize) -> String {
        [&self.aliases.subquery, ".__k", &value.to_string()].concat()
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
    pub(super) fn used_columns(&self) -> BTreeSet<String> {
        self.used.iter().cloned().collect()
    }

    /// The type of the tenant, without LowCardinality; none for a platform dimension.
    pub(super) fn tenant_type(&self) -> Option<ColumnType> {
        self.declaration.tenant.as_ref()?;
        Some(self.tenant.as_ref().map_or(ColumnType::String, |tenant| tenant.column_type.without_low_cardinality()))
    }

    /// Adds the tenant as a value; its type is that of [`Self::tenant_type`].
    pub(super) fn add_tenant(&mut self) -> Option<usize> {
        let column_type = self.tenant_type()?;
        let expression = match &self.tenant {
            Some(tenant) => {
                let sql = self.scope_sql(tenant);
                let low_cardinality = tenant.column_type != column_type;
                if low_cardinality { format!("CAST({sql}, '{column_type}')") } else { sql }
            }
            None => {
                let value = self.declaration.tenant.as_ref().and_then(|tenant| tenant.value.as_deref());
                literal::string(value.unwrap_or_default())
            }
        };
        Some(self.push(
            (String::new(), SCOPE_VALUE.to_owned()),
            ValueSql { expression, column_type },
            Sensitivity::PUBLIC,
        ))
    }

    /// Adds an owner or space of the subject.
    pub(super) fn add_limit(&mut self, name: &str, path: &str) -> Result<usize, Diagnostic> {
        let limit = scope_column::scope_column(self.table, name, path)?;
        self.use_column(&limit.column, path)?;
        if matches!(&self.mode.merge, Merge::Groups { key, .. } if !key.contains(&limit.column)) {
            return Err(Diagnostic::new(
                Code::InvalidScopeColumn,
                path,
                format!("`{name}` is merged by a function; whose a merged row is cannot be said."),
            )
            .help("Add it to the key of the model."));
        }
        let column_type = limit.column_type.without_low_cardinality();
        let sql = self.scope_sql(&limit);
        let keeps = column_type == limit.column_type || column_type == ColumnType::String;
        let (expression, column_type) = match keeps {
            true => (sql, limit.column_type),
            false => (format!("CAST({sql}, '{column_type}')"), column_type),
        };
        // No path is declared like this, and it is not the tenant's name: an owner column may be called `tenant`.
        Ok(self.push(
            (name.to_owned(), SCOPE_VALUE.to_owned()),
            ValueSql { expression, column_type },
            Sensitivity::PUBLIC,
        ))
    }

    /// The SQL of a scope value inside the read.
    pub(super) fn scope_sql(&self, scope: &ScopeColumn) -> String {
        match (&self.mode.merge, self.used.iter().position(|used| *used == scope.column)) {
            (Merge::Groups { .. }, Some(place)) => format!("{}.__g{place}", self.aliases.merged),
            _ => scope.sql(&self.aliases.table),
        }
    }

    /// Adds the value that a text of the definition names, `segments` being what follows the alias.
    pub(super) fn refer(&mut self, segments: &[String], path: &str) -> Result<usize, Diagnostic> {
        let (declared, _) = self.declared(segments, path)?;
        if let Some(array) = self.stated.array_around(&declared.name, &declared.path) {
            let (whole, part) = (array.written(), &declared.path[array.path.len() + 1..]);
            let message = format!("`{}` is one value for each object of the array `{whole}`.", declared.written());
            return Err(Diagnostic::new(Code::UnsupportedType, path, message)
                .help(format!("Show it by `elements: [{{path: {part}, type: …}}]` of a column `from` `{}.{whole}`; expressions do not compute with it.", self.alias)));
        }
        self.add(segments, path)
    }

    /// Adds a declared value.
    pub(super) fn add(&mut self, segments: &[String], path: &str) -> Result<usize, Diagnostic> {
        let (declared, column) = self.declared(segments, path)?;
        let name = (declared.name.clone(), declared.path.clone());
        if let Some(place) = self.places.get(&name) {
            return Ok(*place);
        }
        if column.default_kind == "EPHEMERAL" {
            let message = format!("`{}` is an EPHEMERAL column; its value is not stored.", column.name);
            return Err(Diagnostic::new(Code::UnsupportedType, path, message)
                .help("Read the columns that are computed from it."));
        }
        let protection = self.stated.protection(&declared.written());
        self.use_column(&column.name, path)?;
        let (column_sql, column_type) =
            self.column_sql(column).map_err(|message| Diagnostic::new(Code::UnsupportedType, path, message))?;
        let sql = if declared.path.is_empty() {
            check_declared_type(declared, column, path)?;
            value::column_value(&column_sql, &column_type).ok_or_else(|| {
                Diagnostic::new(
                    Code::UnsupportedType,
                    path,
                    format!("`{}` has the type `{column_type}`, which cannot be read as a whole.", column.name),
                )
                .help(match column_type.inner() {
                    ColumnType::Json(_) => "Declare the paths inside it that should be readable, each with its type.",
                    ColumnType::AggregateFunction(_) => "States of sum, count, min, max, any, avg, uniq, argMin, argMax, quantile and groupArray can be read, also with -If.",
                    _ => "Single values can be read, arrays and maps of them, and declared paths of JSON.",
                })
            })?
        } else {
            let declared_type = declared_path_type(declared, path)?;
            value::path_value(&column_sql, &column_type, &declared.path, &declared_type)
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
        Ok(self.push(name, sql, protection))
    }

    pub(super) fn push(&mut self, name: (String, String), sql: ValueSql, protection: Sensitivity) -> usize {
        if let Some(place) = self.places.get(&name) {
            return *place;
        }
        self.places.insert(name.clone(), self.values.len());
        self.values.push(ReadValue { name, sql, protection });
        self.values.len() - 1
    }

    /// The declaration that names the value, and the table's column; the longest column name wins (`a.b` of a Nested column).
    pub(super) fn declared(
        &self,
        segments: &[String],
        path: &str,
    ) -> Result<(&'a SourceColumn, &'a TableColumn), Diagnostic> {
        for split in (1..=segments.len()).rev() {
            let (column, inside) = (segments[..split].join("."), segments[split..].join("."));
            if let Some(entry) = self.stated.entry(&column, &inside) {
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

    pub(super) fn level_stated(&self, name: &str, path: &str) -> bool {
        self.stated.has_level(name, path)
    }

    /// Whether at most one row can have these columns equal to given values: they contain the whole key.
    pub(super) fn unique_by(&self, columns: &BTreeSet<String>) -> bool {
        self.mode.key.as_ref().is_some_and(|key| key.iter().all(|part| part.columns.is_subset(columns)))
    }
}

/// A column of the table that the operator's own names, or a path of another column, would collide with (design 4.1).
fn reserved_column(table: &Table) -> Option<&str> {
    table.columns.iter().map(|column| column.name.as_str()).find(|name| {
        let path_of_another =
            name.char_indices().filter(|(_, c)| *c == '.').any(|(dot, _)| table.column(&name[..dot]).is_some());
        name.starts_with("__") || path_of_another
    })
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
    value::declared_type(text).map_err(|message| Diagnostic::new(Code::UnsupportedType, path, message))
}
