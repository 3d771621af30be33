//! The table as a page for people: what is said here is what the compiler does, results included.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use super::{Form, Function, GROUPS, Kind, names, sample_constants, sample_types, signature};
use crate::compile::parse::parse;
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typing::{Context, References, ResolvedReference, check};
use crate::sql::ColumnType;

/// The functions, group by group, as Markdown.
pub fn document() -> String {
    let mut text = String::new();
    for group in GROUPS {
        let head = "| Function | Result | What it gives | Example |\n|---|---|---|---|\n";
        write!(text, "\n### {}\n\n{head}", group.title).expect("a text grows");
        for function in group.functions {
            let forms: Vec<String> = function.forms.iter().map(|form| signature(function, form)).collect();
            let also: Vec<String> = names::aliases(function.name).map(|alias| format!("`{alias}`")).collect();
            let also = if also.is_empty() { String::new() } else { format!(" Also {}.", also.join(", ")) };
            let (call, value) = function.example;
            let cells = [
                forms.join("<br>"),
                result(function),
                format!("{}{also}", function.about),
                format!("`{call}` is `{value}`"),
            ];
            writeln!(text, "| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")).expect("a text grows");
        }
    }
    text
}

struct Samples(Vec<ColumnType>);

impl References for Samples {
    fn resolve(&mut self, path: &[String], span: Range<usize>) -> Result<ResolvedReference, ExpressionProblem> {
        let id = path.last().and_then(|name| name.strip_prefix('c')?.parse::<usize>().ok());
        let found = id.and_then(|id| Some(ResolvedReference { id, column_type: self.0.get(id)?.clone() }));
        found.ok_or_else(|| ExpressionProblem::new(ProblemCode::UnknownReference, span, "unknown"))
    }
}

/// The type of a call over columns of such types; none if it is refused.
fn type_of(function: &Function, form: &Form, types: &[Option<&str>]) -> Option<ColumnType> {
    let mut samples = Samples(Vec::new());
    let mut arguments = Vec::new();
    for (kind, sample) in form.parameters.iter().zip(types) {
        match sample {
            Some(text) => {
                samples.0.push(ColumnType::parse(text).ok()?);
                arguments.push(format!("p.c{}", samples.0.len() - 1));
            }
            None => arguments.push(sample_constants(*kind).first()?.clone()),
        }
    }
    let arguments = match function.name {
        "map" | "greatest" | "least" => vec!["p.c0".to_owned(); 2],
        "multiIf" => vec!["1 = 1".to_owned(), "p.c0".to_owned(), "p.c0".to_owned()],
        _ => arguments,
    };
    let tree = parse(&format!("{}({})", function.name, arguments.join(", "))).ok()?;
    check(&tree, &mut samples, &Context { time_zone: "UTC" }).ok().map(|typed| typed.column_type)
}

/// The types of the results, and when they are null.
fn result(function: &Function) -> String {
    // Its lists are written, so that no column shows its types.
    if function.name == "transform" {
        return "as its arguments; null of null".to_owned();
    }
    let (mut types, mut plain, mut nullable) = (BTreeSet::new(), false, false);
    let mut never = true;
    for form in function.forms {
        let first = |kind: &Kind| sample_types(*kind).first().copied().filter(|_| sample_constants(*kind).is_empty());
        let base: Vec<Option<&str>> = form.parameters.iter().map(first).collect();
        let varied = base.iter().position(Option::is_some);
        let of_first = varied.map(|at| sample_types(form.parameters[at])).unwrap_or_default();
        let choices = of_first.into_iter().map(Some).chain(varied.is_none().then_some(None));
        for choice in choices {
            let mut arguments = base.clone();
            if let (Some(at), Some(choice)) = (varied, choice) {
                for (place, kind) in form.parameters.iter().enumerate() {
                    if place == at || *kind == form.parameters[at] {
                        arguments[place] = Some(choice);
                    }
                }
            }
            let Some(found) = type_of(function, form, &arguments) else { continue };
            let from_null = choice.is_some_and(|text| text.contains("Nullable("));
            plain |= found.is_nullable() && !from_null;
            nullable |= found.is_nullable();
            never &= !found.is_nullable();
            types.insert(family(&found));
        }
    }
    let types: Vec<String> = types.into_iter().collect();
    let types = match types.len() {
        1..=4 => types.join(", "),
        _ => "as its arguments".to_owned(),
    };
    match (never, plain, nullable) {
        (true, ..) => format!("{types}; never null"),
        (_, true, _) => format!("{types}; may be null"),
        _ => format!("{types}; null of null"),
    }
}

/// The type without what varies by the arguments: precision, zone, elements.
fn family(found: &ColumnType) -> String {
    match found.inner() {
        ColumnType::Decimal(..) => "`Decimal`".to_owned(),
        ColumnType::DateTime(_) => "`DateTime`".to_owned(),
        ColumnType::DateTime64(..) => "`DateTime64`".to_owned(),
        ColumnType::Array(element) if **element == ColumnType::String => "`Array(String)`".to_owned(),
        ColumnType::Array(_) => "`Array`".to_owned(),
        ColumnType::Map(..) => "`Map`".to_owned(),
        other => format!("`{other}`"),
    }
}
