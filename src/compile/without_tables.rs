//! What can be said of sources and datasets where nothing is known of their tables: names, texts, references to what is
//! declared, functions. Types, keys, engines and joins are left to a compilation with tables.

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostic::{Code, Diagnostic, available};
use super::expression::{Expression, ExpressionKind};
use super::reference::from_problem;
use super::stated::Stated;
use super::{CompileInput, columns, conventions, findings, functions, parse, protection, source};
use crate::api::source::{AnalyticsSourceSpec, SourceColumn};
use crate::catalog::Catalog;
use crate::sql::ColumnType;

/// What is wrong with a dataset, whatever its tables are.
pub fn of_dataset(input: &CompileInput<'_>) -> Vec<Diagnostic> {
    let mut found = findings(input);
    // That the tables are not known is why we are here.
    found.retain(|diagnostic| diagnostic.code != Code::TableNotFound);
    let definition = &input.spec.definition;
    let declared = |source_id: &str| input.sources.get(source_id).map(|source| &source.declaration);
    let aliases: BTreeMap<&str, Option<&AnalyticsSourceSpec>> =
        definition.sources.iter().map(|source| (source.alias.as_str(), declared(&source.source_id))).collect();
    let nothing = Catalog::default();
    for (index, source) in definition.sources.iter().enumerate() {
        let path = format!("spec.definition.sources[{index}].sourceId");
        found.extend(declared(&source.source_id).and_then(|known| conventions::of_source(known, &nothing, &path)));
    }
    let mut texts: Vec<(String, &str)> = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, column) in definition.columns.iter().enumerate() {
        let path = format!("spec.definition.columns[{index}]");
        columns::check_names(column, &path, &mut seen, &mut found);
        texts.extend(column.from.as_deref().map(|text| (format!("{path}.from"), text)));
        texts.extend(column.expression.as_deref().map(|text| (format!("{path}.expression"), text)));
    }
    for (index, filter) in definition.filters.iter().enumerate() {
        texts.push((format!("spec.definition.filters[{index}]"), filter));
    }
    for (index, join) in definition.joins.iter().enumerate() {
        for (key, pair) in join.keys() {
            let path = format!("spec.definition.joins[{index}].on[{key}]");
            texts.push((format!("{path}.left"), &pair.left));
            texts.push((format!("{path}.right"), &pair.right));
        }
    }
    for (path, text) in texts {
        match parse::parse(text) {
            Ok(tree) => check(&tree, &path, &aliases, &mut found),
            Err(problem) => found.push(from_problem(problem, &path)),
        }
    }
    found
}

/// What is wrong with a source, whatever its table is.
pub fn of_source(declaration: &AnalyticsSourceSpec) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    source::refuse_scope_shapes(declaration, &mut found);
    found.extend(conventions::of_source(declaration, &Catalog::default(), "spec.table"));
    let known = Stated::of(declaration);
    let mut seen = BTreeSet::new();
    for (index, entry) in declaration.columns.iter().enumerate() {
        let path = format!("spec.columns[{index}]");
        if !seen.insert((&entry.name, &entry.path)) {
            found.push(Diagnostic::new(Code::DuplicateName, &path, format!("`{}` stands twice.", entry.written())));
        }
        found.extend(protection::masks_nothing(entry.sensitivity.as_ref(), || entry.written(), || path.clone()));
        match entry.column_type.as_deref().map(ColumnType::parse) {
            Some(Err(problem)) => {
                found.push(Diagnostic::new(Code::UnsupportedType, format!("{path}.type"), format!("{problem}.")));
            }
            Some(Ok(stated)) if stated.contains_text() && !known.has_level(&entry.name, &entry.path) => {
                found.push(source::level_not_stated(entry, &path));
            }
            None if !entry.path.is_empty() => {
                let message = format!("The path `{}` is declared without a type.", entry.written());
                found.push(Diagnostic::new(Code::TypeMismatch, &path, message).help("State `type` in the source."));
            }
            Some(Ok(_)) | None => {}
        }
    }
    found
}

/// Checks the references and the functions of an expression.
fn check(
    expression: &Expression,
    path: &str,
    aliases: &BTreeMap<&str, Option<&AnalyticsSourceSpec>>,
    found: &mut Vec<Diagnostic>,
) {
    match &expression.kind {
        ExpressionKind::Reference(segments) => {
            found.extend(reference(segments, path, aliases).map(|diagnostic| diagnostic.at(expression.span.clone())));
        }
        ExpressionKind::Call { name, name_span, .. } => {
            found.extend(functions::find(name, name_span.clone()).err().map(|problem| from_problem(problem, path)));
        }
        _ => {}
    }
    for part in parts(&expression.kind) {
        check(part, path, aliases, found);
    }
}

fn reference(
    segments: &[String],
    path: &str,
    aliases: &BTreeMap<&str, Option<&AnalyticsSourceSpec>>,
) -> Option<Diagnostic> {
    let (alias, inside) = segments.split_first()?;
    let declaration = match aliases.get(alias.as_str()) {
        Some(declaration) => (*declaration)?,
        None => {
            let known: Vec<&str> = aliases.keys().copied().collect();
            let message = format!("No source has the alias `{alias}`.");
            return Some(Diagnostic::new(Code::UnknownAlias, path, message).help(available(alias, &known, "aliases")));
        }
    };
    let wanted = inside.join(".");
    let names: Vec<String> = declaration.columns.iter().map(SourceColumn::written).collect();
    if wanted.is_empty() || names.contains(&wanted) {
        return None;
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let message = format!("`{}` declares no `{wanted}`.", declaration.id());
    Some(Diagnostic::new(Code::UndeclaredColumn, path, message).help(available(&wanted, &names, "values")))
}

fn parts(kind: &ExpressionKind) -> Vec<&Expression> {
    match kind {
        ExpressionKind::Null
        | ExpressionKind::Boolean(_)
        | ExpressionKind::Number(_)
        | ExpressionKind::Text(_)
        | ExpressionKind::Reference(_) => Vec::new(),
        ExpressionKind::Call { arguments, .. } => arguments.iter().collect(),
        ExpressionKind::Negate(operand) | ExpressionKind::Not(operand) => vec![operand],
        ExpressionKind::Arithmetic(_, left, right) | ExpressionKind::Compare(_, left, right) => vec![left, right],
        ExpressionKind::In { operand, items, .. } => std::iter::once(&**operand).chain(items).collect(),
        ExpressionKind::Between { operand, low, high, .. } => vec![operand, low, high],
        ExpressionKind::IsNull { operand, .. } => vec![operand],
        ExpressionKind::And(operands) | ExpressionKind::Or(operands) => operands.iter().collect(),
    }
}
