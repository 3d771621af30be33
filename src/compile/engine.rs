//! Which tables can be read as a source, and how (design 4.7).

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostic::{Code, Diagnostic};
use super::merging;
use super::model::{self, Declared, EngineModel, KeyPart};
use super::{sharding, view};
use crate::api::source::{AnalyticsSourceSpec, TableModelKind};
use crate::catalog::{self, Catalog, Table, TableColumn};
use crate::sql::ColumnType;

/// How the rows of a table are read.
#[derive(Clone, Debug)]
pub(super) struct ReadMode<'a> {
    /// How rows of one key become one, beyond what the engine does.
    pub merge: Merge,
    /// Whether the engine merges rows of one key, by `FINAL`.
    pub is_final: bool,
    /// The column that marks deleted records, to be left out after merging.
    pub deleted: Option<String>,
    /// The column that is 1 in the rows that count.
    pub sign: Option<String>,
    /// Whether conditions may stand in PREWHERE, where nothing else sees the rows that they leave out.
    pub prewhere: bool,
    /// The parts of the key by which a row is unique, once read so; none where nothing is known.
    pub key: Option<Vec<KeyPart>>,
    /// What the values of columns are, where rows are merged column by column.
    pub aggregate: Option<Aggregate<'a>>,
    /// The table on each shard, where the source is a `Distributed` table.
    pub local: Option<&'a Table>,
}

/// How rows of one key become one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// They are one already, or each counts.
    No,
    /// The row of the highest version stays.
    Last { key: Vec<String>, version: String },
    /// Columns are merged by functions.
    Groups { key: Vec<String>, functions: BTreeMap<String, String> },
}

/// A source whose rows the engine merges column by column.
#[derive(Clone, Debug)]
pub(super) struct Aggregate<'a> {
    /// The table that merges them.
    base: &'a Table,
    model: EngineModel,
    /// Columns of which any value does, by declaration.
    any: BTreeSet<String>,
}

impl ReadMode<'_> {
    /// The columns that the read needs whatever is asked of it.
    pub(super) fn columns(&self) -> Vec<String> {
        let merging = match &self.merge {
            Merge::No => Vec::new(),
            Merge::Last { key, version } => key.iter().chain([version]).cloned().collect(),
            Merge::Groups { key, .. } => key.clone(),
        };
        merging.into_iter().chain(self.deleted.clone()).chain(self.sign.clone()).collect()
    }

    /// Whether rows of one key become one.
    pub(super) fn merged(&self) -> bool {
        self.is_final || self.merge != Merge::No
    }

    /// Whether a row is a sum of rows, so that their number is that of keys.
    pub(super) fn is_aggregate(&self) -> bool {
        let summed = |aggregate: &Aggregate<'_>| !matches!(aggregate.model, EngineModel::Coalescing { .. });
        self.aggregate.as_ref().is_some_and(summed) || matches!(self.merge, Merge::Groups { .. })
    }

    /// Whether the column is of the key by itself, so that rows that differ in it never become one.
    pub(super) fn key_contains(&self, column: &str) -> bool {
        let parts = self.key.iter().flatten();
        parts.into_iter().any(|part| part.column.as_deref() == Some(column))
    }
}

/// The read mode of a table under its declaration.
pub(super) fn read_mode<'a>(
    declaration: &AnalyticsSourceSpec,
    table: &'a Table,
    catalog: &'a Catalog,
    path: &str,
) -> Result<ReadMode<'a>, Diagnostic> {
    let dictionary = table.dictionary.as_ref().and_then(|dictionary| dictionary.reads.as_ref());
    let databases = [Some(table.physical_database()), dictionary.map(|name| name.database.as_str())];
    if databases.into_iter().flatten().any(|database| view::is_reserved(database, catalog)) {
        let message = format!("`{}` is a table of the operator or of the server itself.", table.physical_name());
        return Err(Diagnostic::new(Code::EngineNotAllowed, path, message)
            .help("Views of datasets, catalog tables and the server's own tables are never sources."));
    }
    if let Some(over) = &table.shard_of {
        return Err(view::one_shard(&table.physical_name(), over, path));
    }
    let local = match table.engine.as_str() {
        "Distributed" => Some(local_table(table, catalog, path)?),
        _ => None,
    };
    let base = local.unwrap_or(table);
    let engine = match base.engine.as_str() {
        "View" => {
            view::check(base, catalog, declaration.model.is_some(), local.is_some(), path)?;
            if local.is_some() {
                let tenant = declaration.tenant.as_ref().and_then(|tenant| tenant.column.as_deref());
                sharding::check_view(table, base, catalog, tenant, path)?;
            }
            EngineModel::Duplicate
        }
        "Memory" => EngineModel::Duplicate,
        "Dictionary" => {
            check_dictionary(declaration, base, path)?;
            EngineModel::Duplicate
        }
        _ => EngineModel::of(base).ok_or_else(|| not_allowed(base, path))?,
    };
    let sorting_key = engine.merges().then(|| model::key_parts(base));
    let declared = model::check_declared(declaration, table, base, &engine, sorting_key.as_deref(), path)?;
    if engine.merges() && local.is_some() {
        sharding::check(table, base, path)?;
    }
    let mut mode = ReadMode {
        merge: Merge::No,
        is_final: engine.merges(),
        deleted: declared.as_ref().and_then(|declared| declared.deleted.clone()),
        sign: None,
        prewhere: !engine.merges() && !matches!(base.engine.as_str(), "View" | "Memory" | "Dictionary"),
        key: sorting_key.or_else(|| dictionary_key(base)),
        aggregate: None,
        local,
    };
    match &engine {
        EngineModel::VersionedCollapsing { sign, version } => {
            // FINAL leaves a row for each version that is not cancelled, and cancellations that came first.
            let parts = mode.key.take().unwrap_or_default();
            let parts: Vec<KeyPart> = parts.into_iter().filter(|part| part.column.as_ref() != Some(version)).collect();
            let mut key: Vec<String> = Vec::new();
            for column in parts.iter().flat_map(|part| &part.columns) {
                if !key.contains(column) {
                    key.push(column.clone());
                }
            }
            mode.sign = Some(sign.clone());
            mode.merge = Merge::Last { key, version: version.clone() };
            mode.key = Some(parts);
        }
        EngineModel::Summing { .. } | EngineModel::Aggregating => {
            let any = match declared {
                Some(declared) => merging::check_engine(&declared.functions, &engine, base, path)?,
                None => BTreeSet::new(),
            };
            mode.aggregate = Some(Aggregate { base, model: engine, any });
        }
        EngineModel::Coalescing { .. } => {
            mode.aggregate = Some(Aggregate { base, model: engine, any: BTreeSet::new() });
        }
        EngineModel::Duplicate => mode.declare(declaration, declared, table, path)?,
        _ => {}
    }
    Ok(mode)
}

impl ReadMode<'_> {
    /// Merges rows as the declaration says, where the engine keeps every one.
    fn declare(
        &mut self,
        declaration: &AnalyticsSourceSpec,
        declared: Option<Declared>,
        table: &Table,
        path: &str,
    ) -> Result<(), Diagnostic> {
        let (Some(model), Some(declared)) = (&declaration.model, declared) else { return Ok(()) };
        self.merge = match model.kind {
            TableModelKind::Duplicate => return Ok(()),
            TableModelKind::Unique => {
                Merge::Last { key: declared.key.clone(), version: declared.version.unwrap_or_default() }
            }
            TableModelKind::Aggregate => {
                merging::check_functions(&declared.functions, table, path)?;
                Merge::Groups { key: declared.key.clone(), functions: declared.functions }
            }
        };
        let part = |column: String| KeyPart { columns: [column.clone()].into(), column: Some(column) };
        self.key = Some(declared.key.into_iter().map(part).collect());
        Ok(())
    }

    /// Why a column cannot be read: it is no column of the key and no function merges it; or, of a view, the view gives
    /// another type by now than its query.
    pub(super) fn check_column(&self, column: &TableColumn, path: &str) -> Result<(), Diagnostic> {
        let name = &column.name;
        if let Some(actual) = &column.query_type
            && !same_but_for_wrappers(&column.column_type, actual)
        {
            return Err(Diagnostic::new(
                Code::OutdatedView,
                path,
                format!("The view shows `{name}` as `{}`, and its query gives `{actual}`: values would be cut without a word.", column.column_type),
            )
            .help("Create the view anew, or cast to the type that is meant in its query."));
        }
        if let Some(local) = self.local {
            match local.column(name) {
                Some(there) if there.column_type == column.column_type => {}
                there => {
                    let is = there.map_or("missing".to_owned(), |there| format!("`{}`", there.column_type));
                    return Err(Diagnostic::new(
                        Code::TypeMismatch,
                        path,
                        format!(
                            "`{name}` is `{}` here, and {is} in `{}` on the shards.",
                            column.column_type,
                            local.physical_name()
                        ),
                    )
                    .help("Give the Distributed table the columns of the tables that it reads."));
                }
            }
        }
        match (&self.merge, &self.aggregate) {
            (Merge::Groups { key, functions }, _) if !key.contains(name) && !functions.contains_key(name) => {
                Err(arbitrary(name, path, "no function of the model merges it").help(format!(
                    "Name it in `model.functions`, such as `{{column: {name}, function: max}}`, or in `model.key`."
                )))
            }
            (_, Some(aggregate)) => aggregate.check(name, path),
            _ => Ok(()),
        }
    }
}

impl Aggregate<'_> {
    /// Refuses a column that the engine merges by no function.
    fn check(&self, name: &str, path: &str) -> Result<(), Diagnostic> {
        if self.any.contains(name) || merging::engine_function(name, &self.model, self.base).is_some() {
            return Ok(());
        }
        let why = format!("the engine `{}` keeps the value of any row of a key", self.base.engine);
        let help = match self.model {
            EngineModel::Coalescing { .. } => {
                "Name the column in the engine's arguments, or leave these out.".to_owned()
            }
            _ => format!(
                "If all rows of a key have one value, say so in the source: `model: {{kind: Aggregate, key: […], \
                 functions: [{{column: {name}, function: any}}]}}`."
            ),
        };
        Err(arbitrary(name, path, &why).help(help))
    }
}

fn arbitrary(name: &str, path: &str, why: &str) -> Diagnostic {
    Diagnostic::new(Code::ArbitraryValue, path, format!("`{name}` has no one value in a merged row: {why}."))
}

/// Whether a cast from one type to the other keeps every value.
fn same_but_for_wrappers(shown: &str, actual: &str) -> bool {
    let (Ok(shown), Ok(actual)) = (ColumnType::parse(shown), ColumnType::parse(actual)) else { return false };
    let text = |column_type: &ColumnType| match column_type.inner() {
        ColumnType::Enum(_) => ColumnType::String,
        other => other.clone(),
    };
    (text(&shown) == text(&actual))
        && (shown.is_nullable() || !actual.is_nullable())
        && !matches!((shown.inner(), actual.inner()), (ColumnType::Enum(_), ColumnType::String))
}

fn local_table<'a>(table: &Table, catalog: &'a Catalog, path: &str) -> Result<&'a Table, Diagnostic> {
    let place = table.physical_name();
    let Some(distributed) = catalog::distributed(table) else {
        let message = format!("The engine of `{place}` is not understood: `{}`.", table.engine_full);
        return Err(Diagnostic::new(Code::EngineNotAllowed, path, message));
    };
    let name = format!("{}.{}", distributed.local.database, distributed.local.table);
    let Some(local) = catalog.physical_table(&distributed.local.database, &distributed.local.table) else {
        return Err(Diagnostic::new(
            Code::EngineNotAllowed,
            path,
            format!("`{place}` reads `{name}` on each shard, which is not visible here: how its rows are merged is not known."),
        )
        .help("Name the table with its database in the engine's arguments, and grant SHOW and SELECT on it to the operator's account."));
    };
    if local.row_policy {
        let message = format!("`{name}`, on the shards of `{place}`, has row policies.");
        return Err(Diagnostic::new(Code::RowPolicy, path, message)
            .help("A table with row policies gives other rows to other readers; it cannot be a source."));
    }
    if matches!(local.engine.as_str(), "Distributed" | "Dictionary") {
        return Err(not_allowed(local, path));
    }
    Ok(local)
}

fn not_allowed(table: &Table, path: &str) -> Diagnostic {
    Diagnostic::new(
        Code::EngineNotAllowed,
        path,
        format!("Tables of the engine `{}` cannot be a source.", table.engine),
    )
    .help("Sources are tables of the MergeTree family, Distributed tables over them, and plain views; dictionaries can be platform dimensions.")
}

fn check_dictionary(declaration: &AnalyticsSourceSpec, table: &Table, path: &str) -> Result<(), Diagnostic> {
    if !declaration.platform_dimension {
        return Err(Diagnostic::new(
            Code::EngineNotAllowed,
            path,
            format!("The dictionary `{}` can be read only by all tenants alike.", table.physical_name()),
        )
        .help("Declare `platformDimension: true`, or the table that the dictionary loads from."));
    }
    let layout = table.dictionary.as_ref().map(|dictionary| dictionary.layout.as_str()).unwrap_or_default();
    if layout.contains("CACHE") {
        return Err(Diagnostic::new(
            Code::EngineNotAllowed,
            path,
            format!(
                "The dictionary `{}` has the layout `{layout}`, which holds only what was asked for lately.",
                table.physical_name()
            ),
        )
        .help("Declare the table that it loads from, or give it a layout that holds every row."));
    }
    Ok(())
}

/// The key of a dictionary whose layout keeps one row of each.
fn dictionary_key(table: &Table) -> Option<Vec<KeyPart>> {
    let dictionary = table.dictionary.as_ref().filter(|dictionary| !dictionary.key.is_empty())?;
    let several = ["RANGE", "POLYGON", "REGEXP", "TRIE"].iter().any(|layout| dictionary.layout.contains(layout));
    let part = |column: &String| KeyPart { columns: [column.clone()].into(), column: Some(column.clone()) };
    (!several && table.engine == "Dictionary").then(|| dictionary.key.iter().map(part).collect())
}
