//! Whether a plain view can be a source: its tables are known, it says the same to every reader, and it shows records,
//! not their superseded rows (design 3.1, 4.7).

mod query;
pub(super) mod tenant;
mod text;

use super::diagnostic::{Code, Diagnostic};
use super::model::{self, EngineModel};
use super::sharding;
use crate::catalog::{self, Catalog, Table, TableName, View};

/// Functions that give each reader, session or server another value.
const READER_DEPENDENT: [&str; 34] = [
    "authenticatedUser",
    "connectionId",
    "connection_id",
    "currentDatabase",
    "currentProfiles",
    "currentQueryID",
    "currentRoles",
    "currentSchemas",
    "currentUser",
    "defaultProfiles",
    "defaultRoles",
    "displayName",
    "enabledProfiles",
    "enabledRoles",
    "FQDN",
    "getClientHTTPHeader",
    "getMacro",
    "getServerPort",
    "getServerSetting",
    "getSetting",
    "getSettingOrDefault",
    "globalVariable",
    "hasColumnInTable",
    "hostName",
    "hostname",
    "initialQueryID",
    "initialQueryStartTime",
    "queryID",
    "serverTimezone",
    "serverUUID",
    "tcpPort",
    "timezone",
    "user",
    "version",
];

/// Databases of the server itself.
const SYSTEM_DATABASES: [&str; 3] = ["system", "information_schema", "INFORMATION_SCHEMA"];

/// Views over views further down are not followed.
const DEEPEST: usize = 16;

/// Where a view stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// How many views it lies behind.
    depth: usize,
    /// Whether it is read on each shard, where its tables hold that shard's rows.
    on_shards: bool,
}

impl Place {
    fn below(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

/// Checks a view and all that it reads. `model_stated` says that the declaration says how its rows make up records,
/// `on_shards` that the view is read on each shard.
pub(super) fn check(
    table: &Table,
    catalog: &Catalog,
    model_stated: bool,
    on_shards: bool,
    path: &str,
) -> Result<(), Diagnostic> {
    check_at(table, catalog, model_stated, path, Place { depth: 0, on_shards })
}

fn check_at(table: &Table, catalog: &Catalog, model_stated: bool, path: &str, at: Place) -> Result<(), Diagnostic> {
    let place = table.physical_name();
    let not_traced = |what: String| {
        Diagnostic::new(Code::ViewNotTraced, path, format!("The view `{place}` cannot be read: {what}."))
            .help("A view is read where every table behind it is visible to the operator's account.")
    };
    let Some(view) = &table.view else { return Err(not_traced("its query is not known".to_owned())) };
    if at.depth > DEEPEST {
        return Err(not_traced(format!("it lies behind more than {DEEPEST} views")));
    }
    if let Some(problem) = &view.broken {
        return Err(not_traced(format!("its query fails ({problem})")));
    }
    if let Some(what) = view.untraced.first() {
        return Err(not_traced(format!("it uses {what}, and which rows that gives is not known")));
    }
    let called = |name: &&str| view.functions.iter().any(|called| called.eq_ignore_ascii_case(name));
    let dependent = READER_DEPENDENT.into_iter().find(called).map(str::to_owned);
    if let Some(name) = dependent.or_else(|| view.user_defined_functions.first().cloned()) {
        return Err(Diagnostic::new(
            Code::ReaderDependent,
            path,
            format!("The view `{place}` calls `{name}`, so that its rows may differ from reader to reader."),
        )
        .help("Declare a view or table that gives every reader the same rows; scope is the dataset's to apply."));
    }
    for name in &view.reads {
        check_read(name, view, table, catalog, path, at)?;
    }
    let merging = view.reads.iter().filter(|name| merged_base(name, catalog).is_some()).count();
    if merging > finals(view) && !model_stated {
        return Err(Diagnostic::new(
            Code::ModelUnclear,
            path,
            format!("The view `{place}` reads a table whose engine merges rows, without FINAL: it may show superseded rows."),
        )
        .help(
            "State `model`: `{kind: Duplicate}` if every row of the view counts, or `{kind: Unique, key: […], version: …}` \
             if only the last of each key does.",
        ));
    }
    Ok(())
}

fn check_read(
    name: &TableName,
    view: &View,
    table: &Table,
    catalog: &Catalog,
    path: &str,
    at: Place,
) -> Result<(), Diagnostic> {
    let place = table.physical_name();
    let shown = format!("{}.{}", name.database, name.table);
    if is_reserved(&name.database, catalog) {
        return Err(Diagnostic::new(
            Code::EngineNotAllowed,
            path,
            format!("The view `{place}` reads `{shown}`, which is no source and cannot become one through a view."),
        )
        .help("Views of datasets, catalog tables and the server's own tables are never sources."));
    }
    let Some(read) = catalog.physical_table(&name.database, &name.table) else {
        return Err(Diagnostic::new(
            Code::ViewNotTraced,
            path,
            format!("The view `{place}` reads `{shown}`, which is not visible to the operator's account."),
        )
        .help(format!("Grant `SHOW, SELECT ON {shown}` to the operator's account.")));
    };
    if read.row_policy {
        return Err(Diagnostic::new(
            Code::RowPolicy,
            path,
            format!("The view `{place}` reads `{shown}`, which has row policies."),
        )
        .help("A table with row policies gives other rows to other readers; it cannot be behind a source."));
    }
    if let Some(over) = read.shard_of.as_ref().filter(|_| !at.on_shards) {
        return Err(one_shard(&shown, over, path));
    }
    match read.engine.as_str() {
        "View" => check_at(read, catalog, false, path, at.below()),
        "Dictionary" | "Memory" => Ok(()),
        "Distributed" => {
            let Some(local) = local_of(read, catalog) else {
                return Err(Diagnostic::new(
                    Code::ViewNotTraced,
                    path,
                    format!(
                        "The table on the shards of `{shown}`, which the view `{place}` reads, is not visible here."
                    ),
                ));
            };
            if local.row_policy {
                let message = format!("`{}`, on the shards of `{shown}`, has row policies.", local.physical_name());
                return Err(Diagnostic::new(Code::RowPolicy, path, message));
            }
            match EngineModel::of(local) {
                Some(model) if model.merges() && finals(view) > 0 => sharding::check(read, local, path),
                Some(_) => Ok(()),
                None if local.engine == "View" => {
                    check_at(local, catalog, false, path, Place { on_shards: true, ..at.below() })?;
                    sharding::check_view(read, local, catalog, None, path)
                }
                None => Err(not_allowed(&place, &local.physical_name(), &local.engine, path)),
            }
        }
        _ if EngineModel::of(read).is_some() => Ok(()),
        engine => Err(not_allowed(&place, &shown, engine, path)),
    }
}

/// Whether no table of a database is ever a source: the server's own, and those in which the operator keeps its own.
pub(super) fn is_reserved(database: &str, catalog: &Catalog) -> bool {
    SYSTEM_DATABASES.contains(&database) || catalog.reserved_databases.contains(database)
}

fn not_allowed(place: &str, shown: &str, engine: &str, path: &str) -> Diagnostic {
    Diagnostic::new(
        Code::EngineNotAllowed,
        path,
        format!(
            "The view `{place}` reads `{shown}`, a table of the engine `{engine}`, which cannot be behind a source."
        ),
    )
    .help("Behind a source there are tables of the MergeTree family, Distributed tables over them and plain views.")
}

/// That a table holds the rows of one shard.
pub(super) fn one_shard(shown: &str, over: &str, path: &str) -> Diagnostic {
    Diagnostic::new(
        Code::OneShardOnly,
        path,
        format!("`{shown}` holds the rows of one shard of several; `{over}` reads them all."),
    )
    .help(format!("Declare `{over}`, or a view over it, as the source."))
}

fn local_of<'c>(table: &Table, catalog: &'c Catalog) -> Option<&'c Table> {
    let distributed = catalog::distributed(table)?;
    catalog.physical_table(&distributed.local.database, &distributed.local.table)
}

/// The table that holds the data of a table that a view names, if its engine merges rows.
fn merged_base<'c>(name: &TableName, catalog: &'c Catalog) -> Option<&'c Table> {
    let read = catalog.physical_table(&name.database, &name.table)?;
    let base = if read.engine == "Distributed" { local_of(read, catalog)? } else { read };
    EngineModel::of(base)?.merges().then_some(base)
}

/// How many tables the query reads with FINAL.
fn finals(view: &View) -> usize {
    query::Query::of(&view.select).finals()
}

/// Words by which a query makes a row of several.
const COMBINING: [&str; 8] = ["GROUP", "DISTINCT", "LIMIT", "OVER", "JOIN", "INTERSECT", "EXCEPT", "QUALIFY"];

/// The word by which a view, or one behind it, makes a row of several ones; none if each row of it is one of a table.
pub(super) fn combines(table: &Table, catalog: &Catalog) -> Option<String> {
    combines_at(table, catalog, 0)
}

fn combines_at(table: &Table, catalog: &Catalog, depth: usize) -> Option<String> {
    let view = table.view.as_ref().filter(|_| depth <= DEEPEST)?;
    let words = model::words(&view.select);
    let unnests = |index: usize| index > 0 && words[index - 1].name == "ARRAY";
    let combining = words
        .iter()
        .enumerate()
        .find(|(index, word)| COMBINING.contains(&word.name.as_str()) && !(word.name == "JOIN" && unnests(*index)));
    let selects = words.iter().filter(|word| word.name == "SELECT").count();
    let asks_others = words.iter().find(|word| word.name == "IN" && selects > 1);
    let named = combining.map(|(_, word)| word).or(asks_others).map(|word| word.name.clone());
    let aggregates = || view.aggregate_functions.first().cloned();
    let behind = || catalog.read_by(table).into_iter().find_map(|read| combines_at(read, catalog, depth + 1));
    named.or_else(aggregates).or_else(behind)
}

/// Whether a view, or one behind it, merges the rows of a key by FINAL.
pub(super) fn merges(table: &Table, catalog: &Catalog) -> bool {
    let mut open = vec![(table, 0)];
    while let Some((table, depth)) = open.pop() {
        let Some(view) = table.view.as_ref().filter(|_| depth <= DEEPEST) else { continue };
        if finals(view) > 0 {
            return true;
        }
        open.extend(catalog.read_by(table).into_iter().map(|read| (read, depth + 1)));
    }
    false
}
