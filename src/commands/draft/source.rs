//! A source from a table: every column, with what is open said beside it.

use std::collections::BTreeMap;

use super::{aligned, object_name, scalar};
use crate::api::sensitivity::{Level, Sensitivity};
use crate::api::source::{AnalyticsSourceSpec, SourceColumn, TenantScope};
use crate::catalog::{Catalog, Table, TableColumn};
use crate::compile::{self, Code};
use crate::sql::ColumnType;

/// What the level of a value that holds text is in a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// Confidential until somebody says otherwise.
    Confidential,
    /// Not stated, so that a check names each.
    Unstated,
}

/// The types that were seen at the paths of each JSON column.
pub type PathTypes = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// One entry of the draft.
struct Entry {
    column: SourceColumn,
    text: bool,
    remark: String,
}

/// The JSON columns of a table.
pub fn json_columns(table: &Table) -> Vec<&str> {
    table.columns.iter().filter(|column| is_json(column)).map(|column| column.name.as_str()).collect()
}

/// The draft of a source.
pub fn source(connection: &str, table: &Table, paths: &PathTypes, levels: Levels) -> String {
    let entries: Vec<Entry> = table.columns.iter().flat_map(|column| entries(column, paths)).collect();
    let tenant = guess(table, &["tenant_id", "tenant", "tenantId"]);
    let (owner, space) =
        (guess(table, &["owner_id", "owner", "ownerId"]), guess(table, &["space_id", "space", "spaceId"]));
    let refused = refused(connection, table, &entries);
    let mut lines: Vec<(String, String)> = vec![
        (format!("  connection: {}", scalar(connection)), String::new()),
        (format!("  database: {}", scalar(&table.database)), String::new()),
        (format!("  table: {}", scalar(&table.name)), String::new()),
    ];
    let guessed = "guessed from its name: confirm it";
    match tenant {
        Some(column) => lines.push((format!("  tenant: {{ column: {} }}", scalar(column)), guessed.to_owned())),
        None => {
            let choices = "  # tenant: { column: … }, or { value: … }, or platformDimension: true";
            lines.push((choices.to_owned(), "say whose each row is".to_owned()));
        }
    }
    for (name, column) in [("owner", owner), ("space", space)] {
        lines.extend(column.map(|column| (format!("  {name}: {{ column: {} }}", scalar(column)), guessed.to_owned())));
    }
    lines.extend(deleted(table));
    lines.push(("  columns:".to_owned(), String::new()));
    for (index, entry) in entries.iter().enumerate() {
        lines.push(match refused.get(&index) {
            Some(why) => (format!("    # - {{ name: {} }}", scalar(&entry.column.name)), why.clone()),
            None => line(entry, levels, [tenant, owner, space].contains(&Some(entry.column.name.as_str()))),
        });
    }
    let open = match levels {
        Levels::Confidential => {
            "every other value that holds text is Confidential here: state the level that each needs"
        }
        Levels::Unstated => "state the level of every value that holds text: Public, Display or Confidential",
    };
    let unseen: Vec<&str> = json_columns(table).into_iter().filter(|column| !paths.contains_key(*column)).collect();
    let unseen = match unseen.is_empty() {
        true => String::new(),
        false => format!(
            "# - declare the paths inside {} that should be readable, each with its type.\n",
            unseen.iter().map(|column| format!("`{}`", one_line(column))).collect::<Vec<_>>().join(", ")
        ),
    };
    format!(
        "# Drafted from the columns of `{}:{}:{}`. Before you apply it:\n\
         # - confirm whose each row is;\n\
         # - {open};\n\
         {unseen}\
         # - leave out what nobody needs: what is not listed cannot be read.\n\
         apiVersion: {}/{}\n\
         kind: AnalyticsSource\n\
         metadata:\n  name: {}\n\
         spec:\n{}",
        one_line(connection),
        one_line(&table.database),
        one_line(&table.name),
        crate::api::GROUP,
        crate::api::VERSION,
        object_name(&[&table.database, &table.name]),
        aligned(&lines)
    )
}

fn entries(column: &TableColumn, paths: &PathTypes) -> Vec<Entry> {
    let entry = |path: &str, column_type: Option<String>, text: bool, remark: String| Entry {
        column: SourceColumn {
            name: column.name.clone(),
            path: path.to_owned(),
            column_type,
            sensitivity: text.then_some(Sensitivity { level: Level::Confidential, mask: None, comparable: false }),
            description: None,
        },
        text,
        remark,
    };
    if is_json(column) {
        let seen = paths.get(&column.name).into_iter().flatten();
        return seen
            .map(|(path, types)| {
                let declared = declared_type(types);
                let text = ColumnType::parse(&declared).is_ok_and(|parsed| parsed.contains_text());
                let several = if types.len() > 1 { format!("seen as {}", types.join(", ")) } else { String::new() };
                entry(path, Some(declared), text, several)
            })
            .collect();
    }
    let text = ColumnType::parse(&column.column_type).map_or(true, |parsed| parsed.contains_text());
    vec![entry("", None, text, column.column_type.clone())]
}

/// The type to declare for a path: the one that was seen, the wider of two kinds of numbers, else text.
fn declared_type(types: &[String]) -> String {
    let numbers = |name: &String| ["Int64", "UInt64", "Float64"].contains(&name.as_str());
    match types {
        [one] => one.clone(),
        several if several.iter().all(numbers) => "Float64".to_owned(),
        _ => "String".to_owned(),
    }
}

/// The entries that cannot be read, with the reason.
fn refused(connection: &str, table: &Table, entries: &[Entry]) -> BTreeMap<usize, String> {
    let declaration = AnalyticsSourceSpec {
        connection: connection.to_owned(),
        database: table.database.clone(),
        table: table.name.clone(),
        tenant: Some(TenantScope { column: None, value: Some(String::new()) }),
        owner: None,
        space: None,
        platform_dimension: false,
        references: Vec::new(),
        columns: entries.iter().map(|entry| entry.column.clone()).collect(),
        model: None,
        identity: None,
        allowed_namespaces: None,
    };
    let mut refused = BTreeMap::new();
    let catalog = Catalog { tables: vec![table.clone()], ..Catalog::default() };
    for diagnostic in compile::source::check(&declaration, table, &catalog).diagnostics {
        let index = diagnostic.path.strip_prefix("spec.columns[").and_then(|rest| rest.split(']').next()?.parse().ok());
        if let Some(index) = index.filter(|_| diagnostic.code != Code::LevelNotStated) {
            refused.insert(index, diagnostic.message);
        }
    }
    refused
}

/// A column by one of the plain names of a part of the scope, if it could be one.
fn guess<'t>(table: &'t Table, names: &[&str]) -> Option<&'t str> {
    let possible = |column: &&TableColumn| {
        let column_type = ColumnType::parse(&column.column_type).map(|parsed| parsed.without_low_cardinality());
        let fits =
            matches!(column_type, Ok(ColumnType::String | ColumnType::Uuid | ColumnType::Int(_) | ColumnType::UInt(_)));
        fits && !["ALIAS", "EPHEMERAL"].contains(&column.default_kind.as_str())
    };
    names.iter().find_map(|name| table.column(name)).filter(possible).map(|column| column.name.as_str())
}

/// A column that looks like a mark of deleted rows, where the engine does not say so itself.
fn deleted(table: &Table) -> Option<(String, String)> {
    let replacing = table.engine.ends_with("ReplacingMergeTree");
    let names = ["deleted", "is_deleted", "isDeleted"];
    let column = names.iter().find_map(|name| table.column(name)).filter(|_| replacing)?;
    let says_itself = table.engine_full.contains(&column.name);
    let key = table.sorting_key.trim_start_matches('(').trim_end_matches(')');
    let plain = !says_itself && !key.contains(['(', '`']) && matches!(column.column_type.as_str(), "Bool" | "UInt8");
    plain.then(|| {
        let line = format!("  # model: {{ kind: Unique, key: [{key}], deleted: {} }}", scalar(&column.name));
        (line, format!("if `{}` marks records that are no more", column.name))
    })
}

/// The line of an entry. A part of the scope is compared with what the caller states, so the view holds it as it is.
fn line(entry: &Entry, levels: Levels, is_scope: bool) -> (String, String) {
    let mut members = vec![format!("name: {}", scalar(&entry.column.name))];
    if !entry.column.path.is_empty() {
        members.push(format!("path: {}", scalar(&entry.column.path)));
    }
    members.extend(entry.column.column_type.as_deref().map(|declared| format!("type: {}", scalar(declared))));
    let mut remark = entry.remark.clone();
    match (entry.text, levels) {
        (true, Levels::Confidential) if is_scope && entry.column.path.is_empty() => {
            members.push("sensitivity: { level: Public }".to_owned());
            remark.push_str("; callers state it");
        }
        (true, Levels::Confidential) => members.push("sensitivity: { level: Confidential }".to_owned()),
        (true, Levels::Unstated) => {
            remark = format!("{}state its level", if remark.is_empty() { String::new() } else { remark + "; " });
        }
        (false, _) => {}
    }
    (format!("    - {{ {} }}", members.join(", ")), remark)
}

fn is_json(column: &TableColumn) -> bool {
    matches!(ColumnType::parse(&column.column_type), Ok(ColumnType::Json(_)))
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
