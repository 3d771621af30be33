//! The read of one source as the one subquery that gives its values (design 4.9; reference view, part 1).

use super::engine::Merge;
use super::fence::{self, ScopePart};
use super::merging;
use super::read::{ReadValue, SourceRead};
use super::scope_column::{self, ScopeColumn};
use crate::api::source::TenantScope;
use crate::catalog::TableColumn;
use crate::sql::Identifier;

/// Where the fence of a read stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In PREWHERE, with all conditions of the read.
    Before,
    /// In PREWHERE, alone: what decides about whole records stands after they are merged.
    BeforeMerging,
    /// First in WHERE.
    First,
}

impl SourceRead<'_> {
    /// The subquery; `owner` and `space` are those of the subject.
    pub(super) fn render(&self, owner: Option<&str>, space: Option<&str>) -> String {
        let limits = [(ScopePart::Owner, owner), (ScopePart::Space, space)];
        let limits: Vec<(ScopePart, ScopeColumn)> = limits
            .into_iter()
            .filter_map(|(part, name)| Some((part, scope_column::scope_column(self.table, name?, "").ok()?)))
            .collect();
        let body = match &self.mode.merge {
            Merge::No => self.plain(&limits),
            Merge::Last { key, version } => self.last(key, version, &limits),
            Merge::Groups { key, .. } => self.groups(key, &limits),
        };
        ["(", &body, ") AS ", &self.aliases.subquery].concat()
    }

    /// Rows as the engine gives them.
    fn plain(&self, limits: &[(ScopePart, ScopeColumn)]) -> String {
        let mut others: Vec<String> =
            limits.iter().map(|(part, limit)| limit_of(*part, limit, &self.scope_sql(limit))).collect();
        others.extend(self.mode.deleted.iter().map(|name| "NOT ".to_owned() + &self.stored(name)));
        ["SELECT ", &listed(&self.outputs()), " ", &self.from(others), self.held()].concat()
    }

    /// The row of the highest version of each key: chosen among the tenant's rows, before any condition on what it says.
    fn last(&self, key: &[String], version: &str, limits: &[(ScopePart, ScopeColumn)]) -> String {
        let merged = &self.aliases.merged;
        let mut outputs = self.outputs();
        let mut conditions = Vec::new();
        let keep = |sql: String, outputs: &mut Vec<String>| {
            let name = format!("__l{}", outputs.len());
            outputs.push(format!("{sql} AS {name}"));
            format!("{merged}.{name}")
        };
        for (part, limit) in limits {
            let kept = keep(self.scope_sql(limit), &mut outputs);
            conditions.push(limit_of(*part, limit, &kept));
        }
        if let Some(name) = &self.mode.deleted {
            conditions.push(format!("NOT {}", keep(self.stored(name), &mut outputs)));
        }
        let counts = self.mode.sign.iter().map(|name| format!("{} = 1", self.stored(name))).collect();
        let key: Vec<String> = key.iter().map(|name| self.stored(name)).collect();
        let rows = format!(
            "SELECT {} {} ORDER BY {} DESC LIMIT 1 BY {}{}",
            listed(&outputs),
            self.from(counts),
            self.stored(version),
            key.join(", "),
            self.held()
        );
        let shown: Vec<String> = (0..self.values.len()).map(|k| format!("{merged}.__k{k} AS __k{k}")).collect();
        let condition = match conditions.is_empty() {
            true => String::new(),
            false => format!(" WHERE {}", conditions.join(" AND ")),
        };
        format!("SELECT {} FROM ({rows}) AS {merged}{condition}", listed(&shown))
    }

    /// Rows of a key merged by functions, then what is computed from them.
    fn groups(&self, key: &[String], limits: &[(ScopePart, ScopeColumn)]) -> String {
        let merged = &self.aliases.merged;
        let columns = self.used.iter().enumerate().filter_map(|(place, name)| {
            let column = self.table.column(name)?;
            Some(format!("{} AS __g{place}", self.grouped(column)))
        });
        let columns: Vec<String> = columns.collect();
        let conditions: Vec<String> =
            limits.iter().map(|(part, limit)| limit_of(*part, limit, &self.scope_sql(limit))).collect();
        let key: Vec<String> = key.iter().map(|name| self.stored(name)).collect();
        // A profile could make every function give null for no rows, and with it another type.
        let held = if self.held().is_empty() { "" } else { ", optimize_move_to_prewhere = 0" };
        let rows = format!(
            "SELECT {} {} GROUP BY {} SETTINGS aggregate_functions_null_for_empty = 0{held}",
            columns.join(", "),
            self.from(Vec::new()),
            key.join(", ")
        );
        let condition = match conditions.is_empty() {
            true => String::new(),
            false => format!(" WHERE {}", conditions.join(" AND ")),
        };
        format!("SELECT {} FROM ({rows}) AS {merged}{condition}", listed(&self.outputs()))
    }

    fn grouped(&self, column: &TableColumn) -> String {
        let stored = self.stored(&column.name);
        let Merge::Groups { key, functions } = &self.mode.merge else { return stored };
        let function = functions.get(&column.name).filter(|_| !key.contains(&column.name));
        match function.and_then(|function| merging::grouped(&stored, column, function).ok()) {
            Some((sql, _)) => sql,
            None => stored,
        }
    }

    fn outputs(&self) -> Vec<String> {
        let output = |(k, value): (usize, &ReadValue)| [&value.sql.expression, " AS __k", &k.to_string()].concat();
        self.values.iter().enumerate().map(output).collect()
    }

    /// The table with the fence, before anything else sees its rows, and `others` after it.
    fn from(&self, others: Vec<String>) -> String {
        let (fence, others) = (self.fence().join(" AND "), others.join(" AND "));
        let read = self.read_table();
        let mut table = String::with_capacity(128 + fence.len() + others.len());
        table.push_str("FROM ");
        Identifier::new(read.physical_database()).push_to(&mut table);
        table.push('.');
        Identifier::new(&read.name).push_to(&mut table);
        table.extend([" AS ", &self.aliases.table, if self.mode.is_final { " FINAL" } else { "" }]);
        let (place, between) = match self.place() {
            Place::BeforeMerging => (" PREWHERE ", " WHERE "),
            Place::Before => (" PREWHERE ", " AND "),
            Place::First => (" WHERE ", " AND "),
        };
        table.extend([place, &fence]);
        if !others.is_empty() {
            table.extend([between, &others]);
        }
        table
    }

    /// Where the fence stands. Never in the WHERE of a table that the server may move conditions of: it would move
    /// those of whoever reads the view as well, and may run them first, on rows of other tenants (ClickHouse facts 4, 5).
    fn place(&self) -> Place {
        let by_key = self.tenant.as_ref().is_some_and(|it| it.path.is_none() && self.mode.key_contains(&it.column));
        match (self.mode.is_final, self.mode.prewhere) {
            (false, true) => Place::Before,
            // All versions of a key have one tenant: to leave out another's changes nothing about which version is last.
            (true, _) if by_key => Place::BeforeMerging,
            _ => Place::First,
        }
    }

    /// Where the fence stands in WHERE, the server moves nothing before it.
    fn held(&self) -> &'static str {
        let fenced = self.declaration.tenant.is_some() && self.place() == Place::First;
        if fenced { " SETTINGS optimize_move_to_prewhere = 0" } else { "" }
    }

    /// The fence and the type guard.
    fn fence(&self) -> Vec<String> {
        let columns: Vec<(&str, &str)> = self
            .table
            .columns
            .iter()
            .filter(|column| self.used.contains(&column.name))
            .map(|column| (column.name.as_str(), column.column_type.as_str()))
            .collect();
        let guard = match columns.is_empty() {
            true => "1".to_owned(),
            false => fence::type_guard(&self.aliases.table, &columns),
        };
        match (&self.declaration.tenant, &self.tenant) {
            (None, _) => vec![fence::guard_condition(&guard)],
            (Some(_), Some(tenant)) => {
                let sql = tenant.sql(&self.aliases.table);
                let condition = fence::tenant_condition(&sql, &tenant.column_type, &guard);
                // A key is found by its own spelling only.
                let by_key = tenant.path.as_ref().map(|path| {
                    let path: String = path.split('.').map(|part| format!(".{}", Identifier::new(part))).collect();
                    let key = self.stored(&tenant.column) + &path;
                    fence::tenant_condition(&key, &tenant.column_type, &guard)
                });
                by_key.into_iter().chain([condition]).collect()
            }
            (Some(TenantScope { value, .. }), None) => {
                vec![fence::tenant_value_condition(value.as_deref().unwrap_or_default(), &guard)]
            }
        }
    }
}

fn listed(outputs: &[String]) -> String {
    if outputs.is_empty() { "1 AS __k0".to_owned() } else { outputs.join(", ") }
}

fn limit_of(part: ScopePart, limit: &ScopeColumn, sql: &str) -> String {
    fence::limit_condition(part, sql, &limit.column_type)
}
