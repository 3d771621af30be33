//! Comparisons as functions, and those that treat null as a value.

use super::Kind::{Condition, Scalar};
use super::{Function, Matched, function, names, rule};
use crate::compile::comparison;
use crate::compile::expression::CompareOperator;
use crate::compile::problem::ExpressionProblem;
use crate::compile::typed::{Fragment, Typed};
use crate::sql::ColumnType;

pub(super) const TABLE: &[Function] = &[
    function(
        "equals",
        "The same as `a = b`.",
        ("equals(1, 1)", "1"),
        &[rule(&[Scalar, Scalar], |matched| compare(CompareOperator::Equal, matched))],
    ),
    function(
        "notEquals",
        "The same as `a != b`.",
        ("notEquals(1, 1)", "0"),
        &[rule(&[Scalar, Scalar], |matched| compare(CompareOperator::NotEqual, matched))],
    ),
    function(
        "less",
        "The same as `a < b`.",
        ("less(1, 2)", "1"),
        &[rule(&[Scalar, Scalar], |matched| compare(CompareOperator::Less, matched))],
    ),
    function(
        "lessOrEquals",
        "The same as `a <= b`.",
        ("lessOrEquals(2, 2)", "1"),
        &[rule(&[Scalar, Scalar], |matched| compare(CompareOperator::LessOrEqual, matched))],
    ),
    function(
        "greater",
        "The same as `a > b`.",
        ("greater(1, 2)", "0"),
        &[rule(&[Scalar, Scalar], |matched| compare(CompareOperator::Greater, matched))],
    ),
    function(
        "greaterOrEquals",
        "The same as `a >= b`.",
        ("greaterOrEquals(2, 2)", "1"),
        &[rule(&[Scalar, Scalar], |matched| compare(CompareOperator::GreaterOrEqual, matched))],
    ),
    function(
        "isDistinctFrom",
        "Whether two values differ; null differs from all but null.",
        ("isDistinctFrom(1, null)", "1"),
        &[rule(&[Scalar, Scalar], |matched| distinct(true, matched))],
    ),
    function(
        "isNotDistinctFrom",
        "Whether two values are the same, or both null.",
        ("isNotDistinctFrom(nullIf(1, 1), nullIf(2, 2))", "1"),
        &[rule(&[Scalar, Scalar], |matched| distinct(false, matched))],
    ),
    function(
        "xor",
        "Whether exactly one of the conditions holds.",
        ("xor(1 = 1, 2 = 1)", "1"),
        &[rule(&[Condition, Condition], exclusive)],
    )
    .any_case(),
];

fn pair(matched: &Matched) -> Result<(Typed, Typed), ExpressionProblem> {
    match matched.arguments.as_slice() {
        [left, right] => Ok((left.clone(), right.clone())),
        _ => Err(names::arguments(matched)),
    }
}

fn compare(operator: CompareOperator, matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (left, right) = pair(matched)?;
    comparison::compare(operator, left, right, &matched.context, matched.span.clone())
}

/// Written with `isNull`: the functions of these names are rewritten by ClickHouse inside joins.
fn distinct(wanted: bool, matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (left, right) = pair(matched)?;
    let span = matched.span.clone();
    let never_null = |typed: Typed| Typed::new(ColumnType::UInt(8), typed.fragment, typed.span).condition();
    let (left, right) = match (left.is_null_literal(), right.is_null_literal()) {
        (true, true) => {
            let text = if wanted { "0" } else { "1" };
            return Ok(never_null(Typed::new(ColumnType::UInt(8), Fragment::text(text), span)));
        }
        (true, false) => return comparison::is_null(right, wanted, span),
        (false, true) => return comparison::is_null(left, wanted, span),
        _ => comparison::comparable(left, right, &matched.context, span.clone())?,
    };
    let sign = if wanted { "!=" } else { "=" };
    let both = match (left.is_nullable(), right.is_nullable()) {
        (false, false) => format!("({{0}} {sign} {{1}})"),
        (true, true) if wanted => "ifNull({0} != {1}, isNull({0}) != isNull({1}))".to_owned(),
        (true, true) => "ifNull({0} = {1}, isNull({0}) = isNull({1}))".to_owned(),
        _ if wanted => "ifNull({0} != {1}, 1)".to_owned(),
        _ => "ifNull({0} = {1}, 0)".to_owned(),
    };
    let fragment = Fragment::template(&both, &[&left.fragment, &right.fragment]);
    Ok(never_null(Typed::new(ColumnType::UInt(8), fragment, span)))
}

fn exclusive(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (left, right) = pair(matched)?;
    let (left, right) = (left.cast(&ColumnType::Bool), right.cast(&ColumnType::Bool));
    let typed = Typed::of(ColumnType::UInt(8), "({0} != {1})", &[&left, &right], matched.span.clone());
    Ok(typed.condition())
}
