//! Functions that choose. All branches are brought to one declared type, else ClickHouse would make a Variant.

use std::ops::Range;

use super::Kind::{Array, Condition, Scalar};
use super::{Function, Matched, array, function, names, rule};
use crate::compile::comparison;
use crate::compile::convert::to_common;
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typed::{Fragment, Growth, Typed, nullable_if};
use crate::sql::ColumnType;

pub(super) const TABLE: &[Function] = &[
    function(
        "if",
        "The second value where the condition holds, else the third.",
        ("if(1 = 1, 'a', 'b')", "a"),
        &[rule(&[Condition, Scalar, Scalar], choose), rule(&[Condition, Array, Array], choose_array)],
    )
    .any_case(),
    function(
        "multiIf",
        "The value after the first condition that holds, else the last.",
        ("multiIf(1 = 2, 'a', 1 = 1, 'b', 'c')", "b"),
        &[rule(&[Scalar], choose_first).repeats()],
    ),
    function(
        "transform",
        "The value at the same place in the second array as the first argument has in the first one, else the last argument (or the first one itself).",
        ("transform('DE', array('DE', 'FR'), array('Germany', 'France'), 'other')", "Germany"),
        &[rule(&[Scalar, Array, Array, Scalar], transformed), rule(&[Scalar, Array, Array], transformed)],
    ),
    function(
        "coalesce",
        "The first value that is not null.",
        ("coalesce(null, 'a')", "a"),
        &[rule(&[Scalar], coalesce).repeats()],
    )
    .any_case(),
    function(
        "ifNull",
        "The first value, or the second where the first is null.",
        ("ifNull(null, 'a')", "a"),
        &[rule(&[Scalar, Scalar], coalesce)],
    )
    .any_case(),
    function(
        "nullIf",
        "The first value, or null where the second equals it.",
        ("nullIf('a', 'a')", "null"),
        &[rule(&[Scalar, Scalar], null_if)],
    )
    .any_case(),
    function(
        "isNull",
        "The same as `x is null`.",
        ("isNull(nullIf(1, 1))", "1"),
        &[rule(&[Scalar], |matched| is_null(matched, false))],
    )
    .any_case(),
    function(
        "isNotNull",
        "The same as `x is not null`.",
        ("isNotNull(1)", "1"),
        &[rule(&[Scalar], |matched| is_null(matched, true))],
    )
    .any_case(),
    function(
        "greatest",
        "The greatest of the values; nulls are left out.",
        ("greatest(1, 3, 2)", "3"),
        &[rule(&[Scalar], extreme).repeats()],
    )
    .any_case(),
    function(
        "least",
        "The least of the values; nulls are left out.",
        ("least(1, 3, 2)", "1"),
        &[rule(&[Scalar], extreme).repeats()],
    )
    .any_case(),
];

fn result(matched: &Matched, template: &str, parts: &[&Typed], column_type: ColumnType, branches: &[Typed]) -> Typed {
    let list = Fragment::join(parts.iter().map(|part| &part.fragment), ", ");
    let typed = Typed::new(column_type, Fragment::template(template, &[&list]), matched.span.clone());
    let bits = branches.iter().map(|branch| branch.bits).max().unwrap_or(0);
    let condition = branches.iter().all(|branch| branch.condition || branch.bits == 0 && branch.is_nullable())
        && branches.iter().any(|branch| branch.condition);
    let growth = Growth::largest(branches.iter().map(|branch| &branch.growth));
    let typed = Typed { growth, ..typed.within(bits.max(1)) };
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

/// Arrays are never null: the condition is read as false where it is.
fn choose_array(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [condition, left, right] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let (left, right, column_type) = array::alike(left, right, matched)?;
    let condition = super::if_null(condition, if condition.inner() == &ColumnType::Bool { "false" } else { "0" });
    let parts = [&condition, &left, &right];
    Ok(result(matched, "if({0})", &parts, column_type, &[left.clone(), right.clone()]))
}

/// Written as `multiIf`, so that values are compared as `=` compares them and branches have one type.
fn transformed(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (value, from, to, otherwise) = match matched.arguments.as_slice() {
        [value, from, to, otherwise] => (value, from, to, otherwise),
        [value, from, to] => (value, from, to, value),
        _ => return Err(names::arguments(matched)),
    };
    let (Some(from), Some(to)) = (from.elements.as_ref(), to.elements.as_ref()) else {
        return Err(
            count(matched.span.clone(), "the lists of `transform` are written").help("write them as `array('a', 'b')`")
        );
    };
    if from.len() != to.len() || from.iter().chain(to.iter()).any(|element| element.constant.is_none()) {
        return Err(count(
            matched.span.clone(),
            "the lists of `transform` are equally long, and written values stand in them",
        )
        .help("use `multiIf` for values that are computed"));
    }
    let context = &matched.context;
    let mut chain = Vec::new();
    for (from, to) in from.iter().zip(to.iter()) {
        let compared = comparison::compare(
            crate::compile::expression::CompareOperator::Equal,
            value.clone(),
            from.clone(),
            context,
            from.span.clone(),
        )?;
        chain.extend([compared, to.clone()]);
    }
    chain.push(otherwise.clone());
    choose_first(&Matched { arguments: chain, ..matched.clone() })
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
