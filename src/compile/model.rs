//! How rows of one key make up a record: what the engine says, and what the declaration says where the engine does not
//! (design 4.7).

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostic::{Code, Diagnostic, available};
use crate::api::source::{AnalyticsSourceSpec, TableModel, TableModelKind};
use crate::catalog::{self, Table};
use crate::sql::{self, ColumnType};

/// What an engine does with rows of one sorting key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EngineModel {
    /// Keeps every row.
    Duplicate,
    /// Keeps the row of the highest version; the engine itself leaves out rows that are marked as deleted.
    Replacing { version: Option<String> },
    /// Leaves out pairs of a state and its cancellation.
    Collapsing,
    /// The same for each version of a record.
    VersionedCollapsing { sign: String, version: String },
    /// Keeps the last value that is not null of the columns, or of all where none are named.
    Coalescing { columns: Vec<String> },
    /// Adds up the columns, or all numbers where none are named.
    Summing { columns: Vec<String> },
    /// Merges the columns by their functions.
    Aggregating,
}

impl EngineModel {
    /// The model of a table of the MergeTree family; none for other engines, and where the arguments are not understood.
    pub(super) fn of(table: &Table) -> Option<Self> {
        let base =
            table.engine.strip_prefix("Replicated").or(table.engine.strip_prefix("Shared")).unwrap_or(&table.engine);
        let arguments = catalog::engine_arguments(table);
        let listed = || arguments.first().map(|list| names_in(list)).unwrap_or_default();
        let name = |index: usize| arguments.get(index).and_then(|argument| column_name(argument));
        Some(match base {
            "MergeTree" => Self::Duplicate,
            "ReplacingMergeTree" => Self::Replacing { version: name(0) },
            "CollapsingMergeTree" => Self::Collapsing,
            "VersionedCollapsingMergeTree" => Self::VersionedCollapsing { sign: name(0)?, version: name(1)? },
            "CoalescingMergeTree" => Self::Coalescing { columns: listed() },
            "SummingMergeTree" => Self::Summing { columns: listed() },
            "AggregatingMergeTree" => Self::Aggregating,
            _ => return None,
        })
    }

    /// Whether rows of one key become one, by `FINAL`.
    pub(super) fn merges(&self) -> bool {
        *self != Self::Duplicate
    }

    fn kind(&self) -> TableModelKind {
        match self {
            Self::Duplicate => TableModelKind::Duplicate,
            Self::Summing { .. } | Self::Aggregating => TableModelKind::Aggregate,
            _ => TableModelKind::Unique,
        }
    }
}

/// A part of a sorting key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyPart {
    /// The column, if the part is one and nothing else.
    pub column: Option<String>,
    /// All columns that the part is computed from.
    pub columns: BTreeSet<String>,
}

/// The parts of a table's sorting key.
pub(super) fn key_parts(table: &Table) -> Vec<KeyPart> {
    let whole = table.sorting_key.trim();
    // `ORDER BY (a)` is shown as it was written.
    let inside = whole.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let inside = inside.filter(|inside| sql::split_arguments(inside).is_some());
    let parts = sql::split_arguments(inside.unwrap_or(whole)).unwrap_or_default();
    let part = |text: &str| {
        let text = text.trim();
        (!text.is_empty()).then(|| KeyPart {
            column: column_name(text).or_else(|| table.column(text).map(|column| column.name.clone())),
            columns: columns_in(text, table),
        })
    };
    parts.into_iter().filter_map(part).collect()
}

/// The columns of a table that an expression of the server's own text names.
pub(super) fn columns_in(text: &str, table: &Table) -> BTreeSet<String> {
    let names = words(text).into_iter().filter(|word| !word.called).map(|word| word.name);
    let column = |name: String| match name.split_once('.') {
        _ if table.column(&name).is_some() => Some(name),
        Some((column, _)) if table.column(column).is_some() => Some(column.to_owned()),
        _ => None,
    };
    names.filter_map(column).collect()
}

/// A word of an expression.
pub(super) struct Word {
    pub name: String,
    /// Whether a parenthesis follows: it is a function.
    pub called: bool,
}

/// The names in an expression, as the server writes it; texts in quotes are none.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                while let Some(next) = characters.next() {
                    match next {
                        '\\' => drop(characters.next()),
                        '\'' => break,
                        _ => {}
                    }
                }
            }
            '`' => {
                let mut name = String::new();
                while let Some(next) = characters.next() {
                    match next {
                        '\\' => name.extend(characters.next()),
                        '`' => break,
                        other => name.push(other),
                    }
                }
                words.push(Word { name, called: false });
            }
            first if first.is_alphabetic() || first == '_' => {
                let mut name = first.to_string();
                while let Some(next) = characters.peek().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
                    name.push(*next);
                    characters.next();
                }
                words.push(Word { name, called: characters.peek() == Some(&'(') });
            }
            first if first.is_ascii_digit() => {
                while characters.peek().is_some_and(|c| c.is_alphanumeric() || *c == '.') {
                    characters.next();
                }
            }
            _ => {}
        }
    }
    words
}

/// A name that stands alone in an argument or key, without its quotes.
fn column_name(text: &str) -> Option<String> {
    let mut found = words(text);
    let bare = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let quoted = text.starts_with('`') && text.ends_with('`');
    let word = found.pop().filter(|word| found.is_empty() && !word.called && (bare || quoted))?;
    Some(word.name)
}

/// The names in a list such as `(a, b)`, or the one name.
fn names_in(text: &str) -> Vec<String> {
    words(text).into_iter().filter(|word| !word.called).map(|word| word.name).collect()
}

/// What a declared model says about the table, beyond what the engine says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Declared {
    /// The key, where the declaration and not the engine merges.
    pub key: Vec<String>,
    /// The column that orders the rows of a key.
    pub version: Option<String>,
    /// The column that marks deleted records.
    pub deleted: Option<String>,
    /// The merging function by column.
    pub functions: BTreeMap<String, String>,
}

/// Checks a declared model against what the engine does with rows of one key; `sorting_key` is that of a table whose
/// engine merges them.
pub(super) fn check_declared(
    declaration: &AnalyticsSourceSpec,
    table: &Table,
    base: &Table,
    engine: &EngineModel,
    sorting_key: Option<&[KeyPart]>,
    path: &str,
) -> Result<Option<Declared>, Diagnostic> {
    let Some(model) = &declaration.model else { return Ok(None) };
    let at = format!("{path}.model");
    check_shape(model, &at)?;
    if sorting_key.is_some() && engine.kind() != model.kind {
        return Err(Diagnostic::new(
            Code::ModelInvalid,
            format!("{at}.kind"),
            format!(
                "The engine `{}` merges rows on its own, as {:?}; the model says {:?}.",
                base.engine,
                engine.kind(),
                model.kind
            ),
        )
        .help("Leave `model` out, or declare the kind that the engine is of."));
    }
    for (place, name) in
        model.key.iter().map(|name| ("key", name)).chain(model.version.iter().map(|name| ("version", name)))
    {
        stored_column(table, name, &format!("{at}.{place}"))?;
    }
    if let Some(name) = &model.deleted {
        deletion_mark(table, name, &format!("{at}.deleted"))?;
    }
    if let Some(parts) = sorting_key {
        check_key(&model.key, parts, base, &at)?;
        check_version(model, engine, base, &at)?;
    } else if model.kind == TableModelKind::Unique {
        let Some(version) = &model.version else {
            return Err(Diagnostic::new(
                Code::ModelInvalid,
                format!("{at}.version"),
                format!(
                    "The engine `{}` keeps every row, so it must be said which one of a key is current.",
                    base.engine
                ),
            )
            .help("State `version`: the column of which the highest value is the current row's."));
        };
        ordering_column(table, version, &format!("{at}.version"))?;
    }
    let mut functions = BTreeMap::new();
    for (index, entry) in model.functions.iter().enumerate() {
        let place = format!("{at}.functions[{index}]");
        stored_column(table, &entry.column, &format!("{place}.column"))?;
        if model.key.contains(&entry.column) {
            let message = format!("`{}` is of the key; it is not merged.", entry.column);
            return Err(Diagnostic::new(Code::ModelInvalid, format!("{place}.column"), message));
        }
        functions.insert(entry.column.clone(), entry.function.clone());
    }
    Ok(Some(Declared {
        key: model.key.clone(),
        version: model.version.clone(),
        deleted: model.deleted.clone(),
        functions,
    }))
}

/// Members that belong to another kind of model.
fn check_shape(model: &TableModel, at: &str) -> Result<(), Diagnostic> {
    let wrong = |member: &str, help: &str| {
        Err(Diagnostic::new(
            Code::ModelInvalid,
            format!("{at}.{member}"),
            format!("A model of the kind {:?} has no `{member}`.", model.kind),
        )
        .help(help))
    };
    let unique = model.kind == TableModelKind::Unique;
    if model.kind != TableModelKind::Duplicate && model.key.is_empty() {
        return Err(Diagnostic::new(Code::ModelInvalid, format!("{at}.key"), "The model needs its key.".to_owned())
            .help("List the columns whose values together are those of one record."));
    }
    if !unique && model.version.is_some() {
        return wrong("version", "Only a Unique model has a current row to be chosen.");
    }
    if model.kind == TableModelKind::Aggregate && model.deleted.is_some() {
        return wrong("deleted", "To leave out rows before they are merged, declare a view that does.");
    }
    if model.kind != TableModelKind::Aggregate && !model.functions.is_empty() {
        return wrong("functions", "Only an Aggregate model merges columns by functions.");
    }
    Ok(())
}

fn check_key(key: &[String], parts: &[KeyPart], base: &Table, at: &str) -> Result<(), Diagnostic> {
    let stated: BTreeSet<&String> = key.iter().collect();
    let sorting: BTreeSet<&String> = parts.iter().flat_map(|part| &part.columns).collect();
    if stated != sorting {
        return Err(Diagnostic::new(
            Code::ModelInvalid,
            format!("{at}.key"),
            format!("The key `{}` is not the table's sorting key.", key.join(", ")),
        )
        .help(format!("The engine `{}` keeps one row for each `{}`.", base.engine, base.sorting_key)));
    }
    Ok(())
}

fn check_version(model: &TableModel, engine: &EngineModel, base: &Table, at: &str) -> Result<(), Diagnostic> {
    let Some(stated) = &model.version else { return Ok(()) };
    let of_engine = match engine {
        EngineModel::Replacing { version } => version.as_ref(),
        EngineModel::VersionedCollapsing { version, .. } => Some(version),
        _ => None,
    };
    if of_engine == Some(stated) {
        return Ok(());
    }
    let by = of_engine.map_or("the order of insertion".to_owned(), |version| format!("`{version}`"));
    Err(Diagnostic::new(
        Code::ModelInvalid,
        format!("{at}.version"),
        format!("The engine `{}` chooses the current row by {by}, not by `{stated}`.", base.engine),
    )
    .help("Leave `version` out: the rows that the engine has dropped cannot be chosen."))
}

/// A column whose value is there to be read.
fn stored_column<'t>(table: &'t Table, name: &str, path: &str) -> Result<&'t catalog::TableColumn, Diagnostic> {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let column = table.column(name).ok_or_else(|| {
        Diagnostic::new(Code::UnknownColumn, path, format!("The table has no column `{name}`."))
            .help(available(name, &names, "columns"))
    })?;
    if column.default_kind == "EPHEMERAL" {
        let message = format!("`{name}` is an EPHEMERAL column; its value is not stored.");
        return Err(Diagnostic::new(Code::UnsupportedType, path, message));
    }
    Ok(column)
}

fn deletion_mark(table: &Table, name: &str, path: &str) -> Result<(), Diagnostic> {
    let column = stored_column(table, name, path)?;
    match ColumnType::parse(&column.column_type) {
        Ok(ColumnType::Bool | ColumnType::UInt(8)) => Ok(()),
        _ => Err(Diagnostic::new(Code::TypeMismatch, path, format!("`{name}` has the type `{}`.", column.column_type))
            .help("A deletion mark is a Bool or UInt8.")),
    }
}

/// A column that orders rows: every two values compare, and none is missing.
fn ordering_column(table: &Table, name: &str, path: &str) -> Result<(), Diagnostic> {
    let column = stored_column(table, name, path)?;
    let column_type = ColumnType::parse(&column.column_type);
    let ordered = column_type.as_ref().is_ok_and(|column_type| {
        matches!(
            column_type.without_low_cardinality(),
            ColumnType::Int(_)
                | ColumnType::UInt(_)
                | ColumnType::Decimal(..)
                | ColumnType::Date
                | ColumnType::Date32
                | ColumnType::DateTime(_)
                | ColumnType::DateTime64(..)
                | ColumnType::String
        )
    });
    match ordered {
        true => Ok(()),
        false => {
            Err(Diagnostic::new(Code::TypeMismatch, path, format!("`{name}` has the type `{}`.", column.column_type))
                .help("A version is an integer, a decimal, a date, a time or a String, and not nullable."))
        }
    }
}
