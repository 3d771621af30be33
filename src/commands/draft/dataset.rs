//! A dataset from a source: a column for each value that the source declares.

use std::collections::{BTreeMap, BTreeSet};

use super::{aligned, object_name, scalar};
use crate::api::source::{AnalyticsSourceSpec, SourceColumn};
use crate::catalog::Table;
use crate::sql::ColumnType;

/// What the draft is asked to be.
#[derive(Clone, Debug, Default)]
pub struct DatasetWishes {
    /// The context; the database where none is wished.
    pub context: Option<String>,
    /// The name; the table's where none is wished.
    pub name: Option<String>,
}

/// The alias of the source.
const ALIAS: &str = "s";

/// The draft of a dataset; with the table, if it is known, also a column of time is found.
pub fn dataset(source: &AnalyticsSourceSpec, table: Option<&Table>, wishes: &DatasetWishes) -> String {
    let context = wishes.context.clone().unwrap_or_else(|| dataset_name(&source.database));
    let name = wishes.name.clone().unwrap_or_else(|| dataset_name(entity(&source.table)));
    let scope: BTreeSet<&str> = [
        source.tenant.as_ref().and_then(|tenant| tenant.column.as_deref()),
        source.owner.as_ref().map(|owner| owner.column.as_str()),
        source.space.as_ref().map(|space| space.column.as_str()),
    ]
    .into_iter()
    .flatten()
    .collect();
    let values: Vec<&SourceColumn> = source
        .columns
        .iter()
        .filter(|entry| !(entry.path.is_empty() && scope.contains(entry.name.as_str())))
        .filter(|entry| !is_read_by_path(source, table, entry))
        // The parts of an array stand in its column; without parts it shows nothing.
        .filter(|entry| array_around(source, entry).is_none() && !(is_array(entry) && parts(source, entry).is_empty()))
        .collect();
    let names = names(&values);
    let column_type = |entry: &SourceColumn| match (entry.column_type.as_deref(), table) {
        (Some(stated), _) => Some(stated.to_owned()),
        (None, Some(table)) => table.column(&entry.name).map(|column| column.column_type.clone()),
        (None, None) => None,
    };
    let mut lines = vec![
        (format!("  context: {}", scalar(&context)), "the context that it belongs to: confirm it".to_owned()),
        (format!("  name: {}", scalar(&name)), String::new()),
        ("  definition:".to_owned(), String::new()),
        ("    sources:".to_owned(), String::new()),
        (format!("      - {{ alias: {ALIAS}, sourceId: {} }}", quoted(&source.id())), String::new()),
        (format!("    subject: {ALIAS}"), String::new()),
        ("    columns:".to_owned(), String::new()),
    ];
    for (entry, name) in values.iter().zip(&names) {
        let protected = entry.sensitivity.as_ref().filter(|sensitivity| sensitivity.is_protected());
        let remark = protected.map(|sensitivity| format!("{:?}: shown masked, or not at all", sensitivity.level));
        let from = scalar(&reference(entry));
        let elements = match is_array(entry) {
            true => format!(", elements: [{}]", parts(source, entry).join(", ")),
            false => String::new(),
        };
        lines.push((
            format!("      - {{ name: {}, from: {from}{elements} }}", scalar(name)),
            remark.unwrap_or_default(),
        ));
    }
    lines.push(("    # identity: …".to_owned(), "the column that identifies a row".to_owned()));
    let time = values.iter().zip(&names).find(|(entry, _)| column_type(entry).is_some_and(|stated| is_time(&stated)));
    lines.push(match time {
        Some((_, name)) => (
            format!("    eventTime: {}", scalar(name)),
            "the first column of time: what relative-time filters read".to_owned(),
        ),
        None => ("    # eventTime: …".to_owned(), "what relative-time filters read".to_owned()),
    });
    format!(
        "# Drafted from the source `{}`: a column for each value that it declares. Leave out what nobody asks for.\n\
         apiVersion: {}/{}\n\
         kind: AnalyticsDataset\n\
         metadata:\n  name: {}\n\
         spec:\n{}",
        source.id().replace(char::is_control, " "),
        crate::api::GROUP,
        crate::api::VERSION,
        object_name(&[&context, &name]),
        aligned(&lines)
    )
}

/// Whether it is an array of objects.
fn is_array(entry: &SourceColumn) -> bool {
    entry.column_type.as_deref().is_some_and(|text| text.starts_with("Array(JSON"))
}

/// The array of objects that a value is a part of.
fn array_around<'s>(source: &'s AnalyticsSourceSpec, entry: &SourceColumn) -> Option<&'s SourceColumn> {
    let lies_in = |array: &&SourceColumn| {
        let rest = entry.path.strip_prefix(array.path.as_str()).filter(|_| array.name == entry.name && is_array(array));
        rest.is_some_and(|rest| rest.starts_with('.'))
    };
    source.columns.iter().find(lies_in)
}

/// The parts of an array, as elements.
fn parts(source: &AnalyticsSourceSpec, array: &SourceColumn) -> Vec<String> {
    let lies_in = |entry: &&SourceColumn| array_around(source, entry).is_some_and(|around| around == array);
    let part = |entry: &SourceColumn| {
        let path = entry.path.get(array.path.len() + 1..).unwrap_or_default();
        let stated = entry.column_type.as_deref().unwrap_or("String");
        format!("{{ path: {}, type: {} }}", scalar(path), quoted(stated))
    };
    source.columns.iter().filter(lies_in).map(part).collect()
}

/// A JSON column of which paths are read is not read as a whole.
fn is_read_by_path(source: &AnalyticsSourceSpec, table: Option<&Table>, entry: &SourceColumn) -> bool {
    let column = table.and_then(|table| table.column(&entry.name));
    let is_json =
        column.is_some_and(|column| matches!(ColumnType::parse(&column.column_type), Ok(ColumnType::Json(_))));
    let has_paths = source.columns.iter().any(|other| other.name == entry.name && !other.path.is_empty());
    entry.path.is_empty() && (is_json || has_paths)
}

/// The names of the columns: the last part of what is read, or all of it where that is not enough.
fn names(values: &[&SourceColumn]) -> Vec<String> {
    let last = |entry: &SourceColumn| {
        column_name(entry.path.rsplit('.').next().filter(|it| !it.is_empty()).unwrap_or(&entry.name))
    };
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for value in values {
        *uses.entry(last(value)).or_default() += 1;
    }
    let mut taken = BTreeSet::new();
    let mut names = Vec::new();
    for value in values {
        let short = last(value);
        let whole = match value.path.is_empty() {
            true => column_name(&value.name),
            false => column_name(&format!("{}_{}", value.name, value.path)),
        };
        let wanted = if uses[&short] == 1 { short } else { whole };
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let free = std::iter::once(wanted.clone()).chain(numbered).find(|name| !taken.contains(name));
        let name = free.expect("there is always a further number");
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

/// A name as columns have it.
fn column_name(text: &str) -> String {
    let mut name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    while name.starts_with("__") {
        name.remove(0);
    }
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() || first == '_' && name.len() > 1 => name,
        _ => format!("c_{name}"),
    }
}

/// A name as contexts and datasets have it.
fn dataset_name(text: &str) -> String {
    let name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let name = name.trim_matches('_').to_owned();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) { name } else { format!("d_{name}") }
}

/// The table without what its ending says of its storage; names of datasets may not end like a version.
fn entity(table: &str) -> &str {
    let ending = ["_v", "_dist", "_rep", "_local"].into_iter().find(|ending| table.ends_with(ending));
    ending.map_or(table, |ending| table.strip_suffix(ending).unwrap_or(table))
}

/// A value as `from` names it.
fn reference(entry: &SourceColumn) -> String {
    let parts = std::iter::once(entry.name.as_str()).chain(entry.path.split('.')).filter(|part| !part.is_empty());
    let part = |part: &str| {
        let mut characters = part.chars();
        let plain = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && characters.all(|c| c.is_ascii_alphanumeric() || c == '_');
        if plain { part.to_owned() } else { format!("`{}`", part.replace('\\', "\\\\").replace('`', "``")) }
    };
    std::iter::once(ALIAS.to_owned()).chain(parts.map(part)).collect::<Vec<_>>().join(".")
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

fn is_time(column_type: &str) -> bool {
    let inner = column_type.strip_prefix("Nullable(").unwrap_or(column_type);
    inner.starts_with("Date")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::expression::ExpressionKind;
    use crate::compile::parse::parse;

    fn entry(name: &str, path: &str) -> SourceColumn {
        SourceColumn {
            name: name.to_owned(),
            path: path.to_owned(),
            column_type: None,
            sensitivity: None,
            description: None,
        }
    }

    #[test]
    fn any_name_can_be_read_again() {
        for (name, path) in [("a", "b.c"), ("order no", ""), ("it`s \\x", ""), ("Straße", "ü"), ("in", "1")] {
            let tree = parse(&reference(&entry(name, path))).expect(name);
            let parts: Vec<&str> = [name].into_iter().chain(path.split('.').filter(|part| !part.is_empty())).collect();
            assert!(matches!(&tree.kind, ExpressionKind::Reference(segments) if segments[1..] == parts), "{tree:?}");
        }
    }

    #[test]
    fn names_are_possible_and_each_stands_once() {
        let values = [entry("id", ""), entry("state", "id"), entry("state", "a.b"), entry("__x", ""), entry("1", "")];
        let values: Vec<&SourceColumn> = values.iter().collect();
        assert_eq!(names(&values), ["id", "state_id", "b", "_x", "c_1"]);
        assert_eq!(entity("order_v"), "order");
        assert_eq!(dataset_name("9-a"), "d_9_a");
    }
}
