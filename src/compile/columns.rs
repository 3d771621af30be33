//! The columns that readers see, and what stands between them and the raw values (design 4.8).

use std::collections::BTreeSet;

use super::diagnostic::{Code, Diagnostic, available};
use super::elements;
use super::exposure::{self, ColumnExposure};
use super::expression::{Expression, ExpressionKind};
use super::names;
use super::parse;
use super::reference::{Resolved, from_problem};
use crate::api::definition::{Column, ColumnTexts, Definition, SemanticKind};
use crate::api::record::{Protection, RecordColumn, RecordIdentity, Uniqueness};
use crate::api::sensitivity::Sensitivity;
use crate::sql::{self, ColumnType};

/// One output of the view.
pub(super) struct Output {
    pub record: RecordColumn,
    pub column_type: ColumnType,
    pub expression: String,
    pub exposure: ColumnExposure,
    /// What the parts of an array of objects show, by `column.part`.
    pub parts: Vec<(String, ColumnExposure)>,
}

/// The most sources whose levels the columns of one definition may go below: so many approvals a version may need.
const MOST_SOURCES_BELOW: usize = 16;

/// A value as it is before any mask.
struct Value {
    expression: String,
    column_type: ColumnType,
    /// The references that it names.
    names: Vec<usize>,
    normal_form: String,
    computed: bool,
    texts: ColumnTexts,
}

/// Resolves all columns; those that cannot be are left out and explained.
pub(super) fn outputs(
    resolved: &mut Resolved<'_>,
    definition: &Definition,
    found: &mut Vec<Diagnostic>,
) -> Vec<Output> {
    let mut seen = BTreeSet::new();
    let mut outputs = Vec::new();
    for (index, column) in definition.columns.iter().enumerate() {
        let path = format!("spec.definition.columns[{index}]");
        check_names(column, &path, &mut seen, found);
        if !column.elements.is_empty() {
            outputs.extend(elements::output(resolved, column, &path, found));
            continue;
        }
        outputs.extend(output(resolved, column, &path, found));
    }
    let below: BTreeSet<&String> = outputs.iter().flat_map(|output| &output.exposure.below).collect();
    if below.len() > MOST_SOURCES_BELOW {
        let message =
            format!("The columns go below the levels of {} sources; {MOST_SOURCES_BELOW} are possible.", below.len());
        found.push(Diagnostic::new(Code::LimitExceeded, "spec.definition.columns", message).help(
            "Each of these sources is asked for an approval. Leave `sensitivity` out where the source's own will do.",
        ));
    }
    outputs
}

/// Checks the names of a column; `seen` are those of the columns before it.
pub(super) fn check_names<'d>(
    column: &'d Column,
    path: &str,
    seen: &mut BTreeSet<&'d str>,
    found: &mut Vec<Diagnostic>,
) {
    names::check_inner_name(&column.name, "column", || format!("{path}.name"), found);
    for name in std::iter::once(&column.name).chain(&column.texts.aliases) {
        if !seen.insert(name.as_str()) {
            found.push(Diagnostic::new(
                Code::DuplicateName,
                format!("{path}.name"),
                format!("The name `{name}` stands twice."),
            ));
        }
    }
    for (alias, name) in column.texts.aliases.iter().enumerate() {
        names::check_inner_name(name, "alias", || format!("{path}.aliases[{alias}]"), found);
    }
}

fn output(resolved: &mut Resolved<'_>, column: &Column, path: &str, found: &mut Vec<Diagnostic>) -> Option<Output> {
    let value = value(resolved, column, path, found)?;
    let lineage = resolved.lineage(&value.names);
    let own = column.sensitivity.as_ref().map(Sensitivity::normalized);
    let protection = own.unwrap_or_else(|| lineage.protection(value.computed));
    let (expression, column_type, record_protection) =
        protected(&value.expression, &value.column_type, &protection, path, found)?;
    if !showable(&column_type) {
        found.push(
            Diagnostic::new(
                Code::UnsupportedType,
                path,
                format!("The column `{}` has the type `{column_type}`, which cannot be shown.", column.name),
            )
            .help("Convert it, such as `toString(…)`."),
        );
        return None;
    }
    check_stated_type(column, &column_type, path, found);
    let record = RecordColumn {
        name: column.name.clone(),
        column_type: column_type.to_string(),
        protection: record_protection,
        texts: value.texts,
    };
    let shown = ColumnExposure {
        column_type: record.column_type.clone(),
        value: exposure::kept(value.normal_form),
        computed: value.computed,
        below: lineage.below(&protection, value.computed),
        lineage,
        protection,
    };
    Some(Output { record, column_type, expression, exposure: shown, parts: Vec::new() })
}

/// The value of a column: a plain one, or a computed one. An expression is a computation even if it is a reference and
/// nothing else: who wants the value as its source has it writes `from`.
fn value(resolved: &mut Resolved<'_>, column: &Column, path: &str, found: &mut Vec<Diagnostic>) -> Option<Value> {
    match (&column.from, &column.expression) {
        (Some(from), None) => {
            let path = format!("{path}.from");
            let found_at = plain_reference(from, &path).and_then(|segments| resolved.reference(&segments, &path));
            let reference = match found_at {
                Ok(reference) => reference,
                Err(diagnostic) => {
                    found.push(diagnostic);
                    return None;
                }
            };
            Some(Value {
                expression: resolved.outer(reference),
                column_type: resolved.reference_type(reference),
                names: vec![reference],
                normal_form: resolved.normal(reference),
                computed: false,
                texts: with_reference(resolved, reference, &column.texts),
            })
        }
        (None, Some(text)) => {
            let traced = resolved.expression(text, &format!("{path}.expression"), found)?;
            Some(Value {
                expression: traced.typed.render(&|reference| resolved.outer(reference)),
                column_type: traced.typed.column_type.clone(),
                normal_form: traced.typed.render(&|reference| resolved.normal(reference)),
                names: traced.names,
                computed: true,
                texts: column.texts.clone(),
            })
        }
        _ => {
            found.push(
                Diagnostic::new(
                    Code::InvalidDocument,
                    path,
                    format!("The column `{}` has both or neither of `from` and `expression`.", column.name),
                )
                .help("Exactly one of the two is needed."),
            );
            None
        }
    }
}

/// The segments of `alias.column.path`.
pub(super) fn plain_reference(text: &str, path: &str) -> Result<Vec<String>, Diagnostic> {
    match parse::parse(text) {
        Ok(Expression { kind: ExpressionKind::Reference(segments), .. }) => Ok(segments),
        Ok(_) => Err(Diagnostic::new(Code::SyntaxError, path, format!("`{text}` is an expression.")).help(
            "`from` names one value, `<alias>.<column>` or `<alias>.<column>.<path>`; write an `expression` instead.",
        )),
        Err(problem) => Err(from_problem(problem, path)),
    }
}

/// A plain `from` keeps the reference that the source states for the column.
fn with_reference(resolved: &Resolved<'_>, reference: usize, texts: &ColumnTexts) -> ColumnTexts {
    let (read, value) = resolved.target(reference);
    let (column, path) = &read.value(value).name;
    let stated = read.declaration.references.iter().find(|entry| path.is_empty() && entry.column == *column);
    let mut texts = texts.clone();
    texts.reference = texts.reference.or_else(|| stated.map(|entry| entry.aggregate.clone()));
    texts
}

/// The value as the view shows it. What no query may see raw is masked or withheld here; a comparable value stays raw
/// and is masked by the query server.
fn protected(
    expression: &str,
    column_type: &ColumnType,
    protection: &Sensitivity,
    path: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<(String, ColumnType, Option<Protection>)> {
    if !protection.is_protected() {
        return Some((expression.to_owned(), column_type.clone(), None));
    }
    let mask = protection.mask.unwrap_or_default();
    let Some(masked) = sql::masked(expression, column_type, mask.keep_prefix, mask.keep_suffix) else {
        found.push(
            Diagnostic::new(
                Code::UnsupportedType,
                path,
                format!("A protected value of the type `{column_type}` can be neither masked nor withheld."),
            )
            .help("Read a part of it that is text or a single value."),
        );
        return None;
    };
    let record = Protection {
        level: protection.level,
        mask: protection.mask,
        comparable: protection.comparable,
        withheld: masked.withheld,
    };
    match record.comparable {
        true => Some((expression.to_owned(), column_type.clone(), Some(record))),
        false => Some((masked.expression, masked.column_type, Some(record))),
    }
}

fn showable(column_type: &ColumnType) -> bool {
    match column_type {
        ColumnType::Nullable(inner) | ColumnType::LowCardinality(inner) | ColumnType::Array(inner) => showable(inner),
        ColumnType::Map(key, value) => showable(key) && showable(value),
        ColumnType::Tuple(_)
        | ColumnType::Nested(_)
        | ColumnType::Variant(_)
        | ColumnType::Json(_)
        | ColumnType::AggregateFunction(_)
        | ColumnType::SimpleAggregateFunction(..)
        | ColumnType::Other(_)
        | ColumnType::Enum(_) => false,
        _ => true,
    }
}

pub(super) fn check_stated_type(column: &Column, actual: &ColumnType, path: &str, found: &mut Vec<Diagnostic>) {
    let Some(stated) = &column.column_type else { return };
    match ColumnType::parse(stated) {
        Err(error) => found.push(Diagnostic::new(Code::UnsupportedType, format!("{path}.type"), format!("{error}."))),
        Ok(stated) if stated != *actual => found.push(
            Diagnostic::new(
                Code::TypeMismatch,
                format!("{path}.type"),
                format!("The column is `{actual}`, not `{stated}`."),
            )
            .help("Correct `type`, or convert the value in an `expression`."),
        ),
        Ok(_) => {}
    }
}

/// The identity that the definition claims.
pub(super) fn identity(
    definition: &Definition,
    outputs: &[Output],
    found: &mut Vec<Diagnostic>,
) -> Option<RecordIdentity> {
    let name = definition.identity.as_deref()?;
    let path = "spec.definition.identity";
    let output = named(name, outputs, definition, path, Code::InvalidIdentity, found)?;
    if output.record.protection.is_some() {
        found.push(
            Diagnostic::new(
                Code::InvalidIdentity,
                path,
                format!("`{name}` is protected, and an identity is shown to every reader."),
            )
            .help("Choose a column whose values are public."),
        );
    }
    let scalar = !matches!(output.column_type.inner(), ColumnType::Array(_) | ColumnType::Map(..));
    if !scalar {
        found.push(
            Diagnostic::new(Code::InvalidIdentity, path, format!("`{name}` has the type `{}`.", output.column_type))
                .help("An identity is a single value."),
        );
    }
    Some(RecordIdentity { column: name.to_owned(), uniqueness: Uniqueness::Claimed })
}

/// The event time that the definition names.
pub(super) fn event_time(definition: &Definition, outputs: &[Output], found: &mut Vec<Diagnostic>) -> Option<String> {
    let name = definition.event_time.as_deref()?;
    let path = "spec.definition.eventTime";
    let output = named(name, outputs, definition, path, Code::InvalidEventTime, found)?;
    if output.record.protection.is_some() {
        found.push(
            Diagnostic::new(
                Code::InvalidEventTime,
                path,
                format!("`{name}` is protected, and a range of it cannot be asked for."),
            )
            .help("Choose a column whose values are public."),
        );
    }
    let semantic = output.record.texts.semantic.as_ref().map(|semantic| semantic.kind);
    let temporal = matches!(semantic, Some(SemanticKind::TemporalEpoch | SemanticKind::TemporalFormatted))
        || matches!(
            output.column_type.inner(),
            ColumnType::Date | ColumnType::Date32 | ColumnType::DateTime(_) | ColumnType::DateTime64(..)
        );
    if !temporal {
        found.push(
            Diagnostic::new(
                Code::InvalidEventTime,
                path,
                format!("`{name}` has the type `{}`, which is no time.", output.column_type),
            )
            .help("An event time is a date, a time, or a column with a temporal `semantic`."),
        );
    }
    Some(name.to_owned())
}

fn named<'o>(
    name: &str,
    outputs: &'o [Output],
    definition: &Definition,
    path: &str,
    code: Code,
    found: &mut Vec<Diagnostic>,
) -> Option<&'o Output> {
    let output = outputs.iter().find(|output| output.record.name == name);
    if output.is_none() && definition.columns.iter().all(|column| column.name != name) {
        let names: Vec<&str> = definition.columns.iter().map(|column| column.name.as_str()).collect();
        found.push(
            Diagnostic::new(code, path, format!("The dataset has no column `{name}`."))
                .help(available(name, &names, "columns")),
        );
    }
    output
}
