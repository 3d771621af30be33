//! Arrays of objects as columns: which parts of an element are read, and how each is protected (design 3.3, 4.6, 4.8).

use super::columns::{self, Output};
use super::diagnostic::{Code, Diagnostic, available};
use super::element_sql::{Leaf, Place};
use super::exposure::ColumnExposure;
use super::lineage::Lineage;
use super::read::SourceRead;
use super::reference::Resolved;
use super::value::{self, Shape};
use crate::api::definition::{Column, Element};
use crate::api::record::{Protection, RecordColumn};
use crate::api::sensitivity::Sensitivity;
use crate::api::source::SourceColumn;
use crate::sql::{ColumnType, Identifier};

/// An element as it is shown.
struct Part {
    leaf: Leaf,
    /// The value's path in its column.
    inside: String,
    /// What the source asks for it.
    asked: Sensitivity,
    protection: Sensitivity,
}

/// The column of an array of objects; what stands in the way is explained.
pub(super) fn output(
    resolved: &mut Resolved<'_>,
    column: &Column,
    path: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<Output> {
    match build(resolved, column, path, found) {
        Ok(output) => output,
        Err(diagnostic) => {
            found.push(diagnostic);
            None
        }
    }
}

fn build(
    resolved: &mut Resolved<'_>,
    column: &Column,
    path: &str,
    found: &mut Vec<Diagnostic>,
) -> Result<Option<Output>, Diagnostic> {
    let from = match (&column.from, &column.expression) {
        (Some(from), None) => from,
        _ => {
            let message = format!("The column `{}` has `elements` and no `from`.", column.name);
            return Err(Diagnostic::new(Code::InvalidDocument, path, message)
                .help("`elements` are the parts of the array of objects that `from` names."));
        }
    };
    let from_path = format!("{path}.from");
    let segments = columns::plain_reference(from, &from_path)?;
    let (alias, inside) = segments.split_first().filter(|(_, inside)| !inside.is_empty()).ok_or_else(|| {
        Diagnostic::new(Code::SyntaxError, &from_path, format!("`{from}` names a source, not a value."))
    })?;
    let Some(index) = resolved.reads.iter().position(|read| read.alias == *alias) else {
        // Says which aliases there are.
        return Err(resolved.reference(&segments, &from_path).err().unwrap_or_else(|| {
            Diagnostic::new(Code::UnknownAlias, &from_path, format!("No source is joined as `{alias}` here."))
        }));
    };
    let read = &mut resolved.reads[index];
    let (declared, table_column) = read.declared(inside, &from_path)?;
    read.use_column(&table_column.name, &from_path)?;
    let place = place(read, declared, &from_path)?;
    let mut parts: Vec<Part> = Vec::new();
    for (number, element) in column.elements.iter().enumerate() {
        let at = format!("{path}.elements[{number}]");
        match part(read, declared, &place, column, element, &at) {
            Ok(part) => match parts.iter().find(|other| overlap(&other.leaf.path, &part.leaf.path)) {
                Some(other) => {
                    let message = format!("`{}` and `{}` cannot both be elements.", other.leaf.path, part.leaf.path);
                    found.push(Diagnostic::new(Code::DuplicateName, format!("{at}.path"), message));
                }
                None => parts.push(part),
            },
            Err(diagnostic) => found.push(diagnostic),
        }
    }
    let leaves: Vec<Leaf> = parts.iter().map(|part| part.leaf.clone()).collect();
    if leaves.is_empty() {
        // What is wrong with each of them is said.
        return Ok(None);
    }
    let sql = place.sql(&leaves);
    let column_type = sql.column_type.clone();
    // The same array with the same elements and masks is read once.
    let name = (declared.name.clone(), format!("{}\0elements {}", declared.path, sql.expression));
    let value = read.push(name, sql, Sensitivity::PUBLIC);
    let expression = read.outer(value);
    let source_id = read.source_id;
    let lineage_of = |parts: &[Part]| {
        let mut lineage = Lineage::default();
        parts
            .iter()
            .for_each(|part| lineage.add(source_id, &format!("{}.{}", declared.name, part.inside), &part.asked));
        lineage
    };
    let strictest = parts.iter().fold(Sensitivity::PUBLIC, |strictest, part| strictest.strictest(&part.protection));
    let exposure = |part: &Part| {
        let lineage = lineage_of(std::slice::from_ref(part));
        let exposure = ColumnExposure {
            column_type: part.leaf.shape.column_type().to_string(),
            value: format!(
                "{}.{}.{}",
                Identifier::new(source_id),
                Identifier::new(&declared.name),
                Identifier::new(&part.inside)
            ),
            computed: false,
            below: lineage.below(&part.protection, false),
            lineage,
            protection: part.protection.clone(),
        };
        (format!("{}.{}", column.name, part.leaf.path), exposure)
    };
    let shown: Vec<(String, ColumnExposure)> = parts.iter().map(exposure).collect();
    let whole = ColumnExposure {
        column_type: column_type.to_string(),
        value: shown.iter().map(|(_, part)| part.value.as_str()).collect::<Vec<_>>().join(", "),
        computed: false,
        lineage: lineage_of(&parts),
        protection: strictest.clone(),
        below: shown.iter().flat_map(|(_, part)| part.below.iter().cloned()).collect(),
    };
    columns::check_stated_type(column, &column_type, path, found);
    Ok(Some(Output {
        record: RecordColumn {
            name: column.name.clone(),
            column_type: column_type.to_string(),
            // Nothing inside can be told apart by a query: what is protected is masked or null in the view.
            protection: strictest.is_protected().then_some(Protection {
                level: strictest.level,
                mask: strictest.mask,
                comparable: false,
                withheld: false,
            }),
            texts: column.texts.clone(),
        },
        column_type,
        expression,
        exposure: whole,
        parts: shown,
    }))
}

/// Where the array is read from.
fn place(read: &SourceRead<'_>, declared: &SourceColumn, path: &str) -> Result<Place, Diagnostic> {
    let wrong = |message: String| {
        Diagnostic::new(Code::UnsupportedType, path, message).help(
            "Elements are read of an array of objects in a JSON or JSON-text column, declared as `type: Array(JSON)` or \
             `Array(Tuple(name Type, …))`, and of columns of the type `Array(Tuple(…))`.",
        )
    };
    let column = read.table.column(&declared.name).ok_or_else(|| wrong("The column is gone.".to_owned()))?;
    let (sql, column_type) = read.column_sql(column).map_err(wrong)?;
    let shown =
        if declared.path.is_empty() { declared.name.clone() } else { format!("{}.{}", declared.name, declared.path) };
    let array_of = |text: &str| match ColumnType::parse(text) {
        Ok(ColumnType::Array(element)) if matches!(*element, ColumnType::Json(_) | ColumnType::Tuple(_)) => {
            Some(*element)
        }
        _ => None,
    };
    if !declared.path.is_empty() {
        let stated = declared.column_type.as_deref().unwrap_or_default();
        let element = array_of(stated).ok_or_else(|| wrong(format!("`{shown}` is declared as `{stated}`.")))?;
        return Place::of_path(sql, &column_type, &declared.path, element).map_err(wrong);
    }
    match column_type {
        ColumnType::Array(_) if declared.column_type.is_none() => {
            Err(wrong(format!("`{shown}` is listed without its type, which names its parts.")))
        }
        ColumnType::Array(element) if matches!(*element, ColumnType::Tuple(_)) => {
            Ok(Place::Native { sql, element: *element })
        }
        ColumnType::String => Ok(Place::Text { sql, keys: Vec::new(), element: ColumnType::Json(Box::default()) }),
        other => Err(wrong(format!("`{shown}` has the type `{other}`."))),
    }
}

fn part(
    read: &SourceRead<'_>,
    declared: &SourceColumn,
    place: &Place,
    column: &Column,
    element: &Element,
    path: &str,
) -> Result<Part, Diagnostic> {
    let column_type = value::declared_type(&element.element_type)
        .map_err(|message| Diagnostic::new(Code::UnsupportedType, format!("{path}.type"), message))?;
    let shape = Shape::of(&column_type).filter(|shape| !matches!(shape, Shape::Array(_) | Shape::Map(_)));
    let shape = shape.ok_or_else(|| {
        let message = format!("An element cannot have the type `{column_type}`.");
        Diagnostic::new(Code::UnsupportedType, format!("{path}.type"), message)
            .help("An element is a single value: String, Bool, a number, UUID, Decimal(p, s), Date32 or DateTime64(s, 'zone').")
    })?;
    let segments: Vec<&str> = element.path.split('.').collect();
    if segments
        .iter()
        .any(|segment| segment.is_empty() || value::names_a_subcolumn(segment) || segment.starts_with("__"))
    {
        let message = format!("`{}` is no path: its parts are names of members.", element.path);
        return Err(Diagnostic::new(Code::UnsupportedType, format!("{path}.path"), message));
    }
    if let Some(why) = place.unreadable(&segments) {
        let message = format!("`{}` cannot be read here: {why}.", element.path);
        let help = "Leave the element out, or give the member another name where the rows are written.";
        return Err(Diagnostic::new(Code::UnsupportedType, format!("{path}.path"), message).help(help));
    }
    let inside =
        if declared.path.is_empty() { element.path.clone() } else { format!("{}.{}", declared.path, element.path) };
    let listed = read.declaration.columns.iter().find(|entry| entry.name == declared.name && entry.path == inside);
    let stated = match (listed, place.stated(&element.path)) {
        (Some(entry), _) => entry.column_type.as_deref().and_then(|text| ColumnType::parse(text).ok()),
        (None, Some(stated)) => Some(stated.clone()),
        (None, None) => {
            let start = if declared.path.is_empty() { String::new() } else { format!("{}.", declared.path) };
            let entries = read.declaration.columns.iter().filter(|entry| entry.name == declared.name);
            let names: Vec<&str> = entries.filter_map(|entry| entry.path.strip_prefix(start.as_str())).collect();
            let message = format!("`{}` declares no `{}.{inside}`.", read.source_id, declared.name);
            return Err(Diagnostic::new(Code::UndeclaredColumn, format!("{path}.path"), message).help(available(
                &element.path,
                &names,
                "elements",
            )));
        }
    };
    let same = stated.as_ref().and_then(Shape::of).as_ref() == Some(&shape)
        || place.is_native()
            && stated.as_ref().is_some_and(|stated| value::shown_as(stated) == *shape.column_type().inner());
    if !same {
        let stated = stated.map_or("no type".to_owned(), |stated| format!("`{stated}`"));
        let message = format!("`{}` is declared as {stated}, not as `{column_type}`.", element.path);
        return Err(Diagnostic::new(Code::TypeMismatch, format!("{path}.type"), message));
    }
    if column_type.contains_text() && !read.level_stated(&declared.name, &inside) {
        let message = format!(
            "`{}.{inside}` of `{}` contains text, and its source states no level.",
            declared.name, read.source_id
        );
        return Err(Diagnostic::new(Code::LevelNotStated, format!("{path}.path"), message)
            .help("State `sensitivity: {level: Public | Display | Confidential}` in the source."));
    }
    let asked = read.declaration.protection(&format!("{}.{inside}", declared.name)).normalized();
    let own = element.sensitivity.as_ref().or(column.sensitivity.as_ref()).map(Sensitivity::normalized);
    let protection = own.unwrap_or_else(|| asked.clone());
    let mask = protection.is_protected().then(|| protection.mask.unwrap_or_default());
    Ok(Part { leaf: Leaf { path: element.path.clone(), shape, mask }, inside, asked, protection })
}

/// Whether one path lies at or inside the other.
fn overlap(one: &str, other: &str) -> bool {
    let inside = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    inside(one, other) || inside(other, one)
}
