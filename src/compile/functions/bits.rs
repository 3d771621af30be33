//! Functions of the bits of integers, as they are stored.

use super::Kind::{Integer, IntegerConstant};
use super::{Function, Matched, function, names, number, rule};
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typed::Typed;
use crate::sql::ColumnType;

pub(super) const TABLE: &[Function] = &[
    function("bitAnd", "The bits that both have.", ("bitAnd(6, 3)", "2"), &[rule(&[Integer, Integer], both)]),
    function("bitOr", "The bits that one of them has.", ("bitOr(6, 3)", "7"), &[rule(&[Integer, Integer], both)]),
    function(
        "bitXor",
        "The bits that exactly one of them has.",
        ("bitXor(6, 3)", "5"),
        &[rule(&[Integer, Integer], both)],
    ),
    function("bitNot", "All bits turned.", ("bitNot(toInt8(5))", "-6"), &[rule(&[Integer], turned)]),
    function(
        "bitShiftLeft",
        "The bits moved to the left, the first ones lost.",
        ("bitShiftLeft(5, 2)", "20"),
        &[rule(&[Integer, IntegerConstant(0, 63)], shifted)],
    ),
    function(
        "bitShiftRight",
        "The bits moved to the right, the last ones lost.",
        ("bitShiftRight(20, 2)", "5"),
        &[rule(&[Integer, IntegerConstant(0, 63)], shifted)],
    ),
    function(
        "bitTest",
        "Whether a bit is set, counted from 0 at the right.",
        ("bitTest(5, 2)", "1"),
        &[rule(&[Integer, IntegerConstant(0, 63)], tested)],
    ),
    function("bitCount", "How many bits are set.", ("bitCount(7)", "3"), &[rule(&[Integer], counted)]),
];

/// In 64 bits, with a sign where one of them has one.
fn wide(values: &[Typed], matched: &Matched) -> Result<(Vec<Typed>, ColumnType), ExpressionProblem> {
    let signed = values.iter().any(|value| matches!(value.inner(), ColumnType::Int(_)));
    let most = if signed { 63 } else { 64 };
    if values.iter().any(|value| value.bits > most) {
        let message = "bits are those of integers of 64 bits, with or without sign".to_owned();
        let problem = ExpressionProblem::new(ProblemCode::TypeMismatch, matched.span.clone(), message);
        return Err(problem.help("bring both to `toInt64(x)` or both to `toUInt64(x)`"));
    }
    let inner = if signed { ColumnType::Int(64) } else { ColumnType::UInt(64) };
    Ok((values.iter().map(|value| value.clone().cast(&inner)).collect(), inner))
}

fn both(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (values, inner) = wide(&matched.arguments, matched)?;
    let [left, right] = values.as_slice() else { return Err(names::arguments(matched)) };
    Ok(Typed::of(inner, &format!("{}({{0}}, {{1}})", matched.name), &[left, right], matched.span.clone()))
}

fn turned(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [value] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    Ok(Typed::of(value.inner().clone(), "bitNot({0})", &[value], matched.span.clone()))
}

fn shifted(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (values, inner) = wide(&matched.arguments[..1], matched)?;
    let places = number::written(matched, 1).unwrap_or(0);
    let template = format!("{}({{0}}, {places})", matched.name);
    Ok(Typed::of(inner, &template, &[&values[0]], matched.span.clone()))
}

fn tested(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (values, _) = wide(&matched.arguments[..1], matched)?;
    let place = number::written(matched, 1).unwrap_or(0);
    let template = format!("bitTest({{0}}, {place})");
    Ok(Typed::of(ColumnType::UInt(8), &template, &[&values[0]], matched.span.clone()).condition())
}

fn counted(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (values, _) = wide(&matched.arguments, matched)?;
    Ok(Typed::of(ColumnType::UInt(8), "bitCount({0})", &[&values[0]], matched.span.clone()))
}
