//! Functions that choose. All branches are brought to one declared type, else ClickHouse would make a Variant.

use std::ops::Range;

use super::Kind::{Condition, Scalar};
use super::{Function, Matched, names, rule};
use crate::compile::comparison;
use crate::compile::convert::to_common;
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typed::{Fragment, Typed, nullable_if};
use crate::sql::ColumnType;

pub(super) const TABLE: &[Function] = &[
    rule("if", &[Condition, Scalar, Scalar], choose).any_case(),
    rule("multiIf", &[Scalar], choose_first).repeats(),
    rule("coalesce", &[Scalar], coalesce).any_case().repeats(),
    rule("ifNull", &[Scalar, Scalar], coalesce).any_case(),
    rule("nullIf", &[Scalar, Scalar], null_if).any_case(),
    rule("isNull", &[Scalar], |matched| is_null(matched, false)).any_case(),
    rule("isNotNull", &[Scalar], |matched| is_null(matched, true)).any_case(),
    rule("greatest", &[Scalar], extreme).any_case().repeats(),
    rule("least", &[Scalar], extreme).any_case().repeats(),
];

fn result(matched: &Matched, template: &str, parts: &[&Typed], column_type: ColumnType, branches: &[Typed]) -> Typed {
    let list = Fragment::join(parts.iter().map(|part| &part.fragment), ", ");
    let typed = Typed::new(column_type, Fragment::template(template, &[&list]), matched.span.clone());
    let bits = branches.iter().map(|branch| branch.bits).max().unwrap_or(0);
    let condition = branches.iter().all(|branch| branch.condition || branch.bits == 0 && branch.is_nullable())
        && branches.iter().any(|branch| branch.condition);
    let typed = typed.within(bits.max(1));
    if condition { typed.condition() } else { typed }
}

fn branches(values: &[Typed], matched: &Matched) -> Result<(Vec<Typed>, ColumnType), ExpressionProblem> {
    to_common(values.to_vec(), &matched.context, matched.span.clone())
}

fn choose(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [condition, rest @ ..] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let (branches, inner) = branches(rest, matched)?;
    let column_type = nullable_if(inner, branches.iter().any(Typed::is_nullable));
    let parts: Vec<&Typed> = std::iter::once(condition).chain(&branches).collect();
    Ok(result(matched, "if({0})", &parts, column_type, &branches))
}

/// `multiIf(condition, then, condition, then, …, else)`
fn choose_first(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let arguments = &matched.arguments;
    if arguments.len() < 3 || arguments.len().is_multiple_of(2) {
        return Err(count(
            matched.span.clone(),
            "`multiIf` takes conditions with their values, and one value for all else",
        )
        .help("it is `multiIf(condition, then, condition, then, …, else)`"));
    }
    let (mut conditions, mut values) = (Vec::new(), Vec::new());
    for pair in arguments.chunks(2) {
        match pair {
            [condition, value] => {
                conditions.push(crate::compile::typing::condition(condition.clone())?);
                values.push(value.clone());
            }
            rest => values.extend(rest.iter().cloned()),
        }
    }
    let (branches, inner) = branches(&values, matched)?;
    let column_type = nullable_if(inner, branches.iter().any(Typed::is_nullable));
    let mut parts: Vec<&Typed> =
        conditions.iter().zip(&branches).flat_map(|(condition, value)| [condition, value]).collect();
    parts.extend(branches.last());
    Ok(result(matched, "multiIf({0})", &parts, column_type, &branches))
}

fn coalesce(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (values, inner) = branches(&matched.arguments, matched)?;
    // What follows a value that is never null is never reached.
    let end = values.iter().position(|value| !value.is_nullable()).map_or(values.len(), |at| at + 1);
    let values = &values[..end];
    let nullable = values.iter().all(Typed::is_nullable);
    match values {
        [only] => Ok(only.clone()),
        _ => {
            let parts: Vec<&Typed> = values.iter().collect();
            Ok(result(matched, "coalesce({0})", &parts, nullable_if(inner, nullable), values))
        }
    }
}

fn null_if(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (values, inner) = branches(&matched.arguments, matched)?;
    let parts: Vec<&Typed> = values.iter().collect();
    Ok(result(matched, "nullIf({0})", &parts, inner.nullable(), &values[..1]))
}

fn is_null(matched: &Matched, negated: bool) -> Result<Typed, ExpressionProblem> {
    let [operand] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    comparison::is_null(operand.clone(), negated, matched.span.clone())
}

/// `greatest`, `least`: nulls are left out, as ClickHouse does it.
fn extreme(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    if matched.arguments.len() < 2 {
        return Err(count(matched.span.clone(), format!("`{}` takes two values or more", matched.name)));
    }
    let (values, inner) = branches(&matched.arguments, matched)?;
    // Of Bool it is UInt8 or Bool, depending on the nulls: UInt8 always.
    let inner = if inner == ColumnType::Bool { ColumnType::UInt(8) } else { inner };
    let values: Vec<Typed> = values.into_iter().map(|value| value.cast(&inner)).collect();
    let column_type = nullable_if(inner, values.iter().any(Typed::is_nullable));
    let parts: Vec<&Typed> = values.iter().collect();
    Ok(result(matched, &format!("{}({{0}})", matched.name), &parts, column_type, &values))
}

fn count(span: Range<usize>, message: impl Into<String>) -> ExpressionProblem {
    ExpressionProblem::new(ProblemCode::WrongArguments, span, message)
}
