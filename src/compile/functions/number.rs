//! Functions of numbers. Integers and decimals stay exact; what is a float by nature (`sqrt`, `log`, …) takes no decimal.

use super::Kind::{Decimal, Float, Integer, IntegerConstant, IntegerOrFloat, Number};
use super::ResultType::{self, Condition};
use super::{Function, Matched, names, rule, template};
use crate::compile::convert::{Family, family};
use crate::compile::expression::ArithmeticOperator;
use crate::compile::operators;
use crate::compile::problem::ExpressionProblem;
use crate::compile::typed::Typed;
use crate::sql::ColumnType;

const FLOAT: ResultType = ResultType::Float;

pub(super) const TABLE: &[Function] = &[
    rule("plus", &[Number, Number], |matched| arithmetic(ArithmeticOperator::Plus, matched)),
    rule("minus", &[Number, Number], |matched| arithmetic(ArithmeticOperator::Minus, matched)),
    rule("multiply", &[Number, Number], |matched| arithmetic(ArithmeticOperator::Multiply, matched)),
    rule("divide", &[Number, Number], |matched| arithmetic(ArithmeticOperator::Divide, matched)),
    rule("divideOrNull", &[Number, Number], |matched| arithmetic(ArithmeticOperator::Divide, matched)),
    rule("modulo", &[IntegerOrFloat, IntegerOrFloat], |matched| divided("moduloOrNull", matched)).any_case(),
    rule("moduloOrNull", &[IntegerOrFloat, IntegerOrFloat], |matched| divided("moduloOrNull", matched)).any_case(),
    rule("intDiv", &[Integer, Integer], |matched| divided("intDivOrNull", matched)),
    rule("intDivOrNull", &[Integer, Integer], |matched| divided("intDivOrNull", matched)),
    rule("negate", &[Number], negate),
    rule("abs", &[Number], absolute).any_case(),
    template("sign", &[Number], ResultType::Int(8), "sign({0})").any_case(),
    rule("round", &[Number], rounded).any_case(),
    rule("round", &[Number, IntegerConstant(-12, 12)], rounded).any_case(),
    rule("floor", &[Number], rounded).any_case(),
    rule("floor", &[Number, IntegerConstant(0, 12)], rounded).any_case(),
    rule("ceil", &[Number], rounded).any_case(),
    rule("ceil", &[Number, IntegerConstant(0, 12)], rounded).any_case(),
    rule("trunc", &[Number], rounded).any_case(),
    rule("trunc", &[Number, IntegerConstant(0, 12)], rounded).any_case(),
    rule("roundBankers", &[Decimal, IntegerConstant(0, 12)], rounded),
    template("sqrt", &[Float], FLOAT, "sqrt({0})").any_case(),
    template("cbrt", &[Float], FLOAT, "cbrt({0})"),
    template("exp", &[Float], FLOAT, "exp({0})").any_case(),
    template("log", &[Float], FLOAT, "log({0})").any_case(),
    template("log2", &[Float], FLOAT, "log2({0})").any_case(),
    template("log10", &[Float], FLOAT, "log10({0})").any_case(),
    template("pow", &[Float, Float], FLOAT, "pow({0}, {1})").any_case(),
    template("isNaN", &[Float], Condition, "isNaN({0})"),
    template("isFinite", &[Float], Condition, "isFinite({0})"),
    template("isInfinite", &[Float], Condition, "isInfinite({0})"),
];

fn pair(matched: &Matched) -> Result<(Typed, Typed), ExpressionProblem> {
    match matched.arguments.as_slice() {
        [left, right] => Ok((left.clone(), right.clone())),
        _ => Err(names::arguments(matched)),
    }
}

fn arithmetic(operator: ArithmeticOperator, matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (left, right) = pair(matched)?;
    operators::arithmetic(operator, left, right, matched.span.clone())
}

fn divided(function: &str, matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (left, right) = pair(matched)?;
    operators::divided(function, left, right, matched.span.clone())
}

fn negate(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [operand] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    operators::negate(operand.clone(), matched.span.clone())
}

fn absolute(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [operand] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let inner = match operand.inner() {
        ColumnType::Int(bits) => ColumnType::UInt(*bits),
        other => other.clone(),
    };
    Ok(Typed::of(inner, "abs({0})", &[operand], matched.span.clone()).within(operand.bits + 1))
}

/// `round`, `floor`, `ceil`, `trunc`: an integer is whole already; rounding it to tens can leave its type (ClickHouse
/// would wrap), so that is done in 128 bits and checked.
fn rounded(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let Some(operand) = matched.arguments.first() else { return Err(names::arguments(matched)) };
    let places = matched.arguments.get(1).and_then(Typed::constant_number);
    let places = places.and_then(super::super::number::Number::as_integer).unwrap_or(0);
    let span = matched.span.clone();
    let template = format!(
        "{}({{0}}{})",
        matched.name,
        if matched.arguments.len() > 1 { format!(", {places}") } else { String::new() }
    );
    if family(&operand.column_type) != Family::Integer {
        return Ok(Typed::of(operand.inner().clone(), &template, &[operand], span));
    }
    if places >= 0 {
        return Ok(operand.clone());
    }
    if operand.bits > 64 {
        return Err(names::arguments(matched));
    }
    let result = match operand.inner() {
        ColumnType::UInt(_) => ColumnType::UInt(64),
        _ => ColumnType::Int(64),
    };
    let wide = operand.clone().cast(&ColumnType::Int(128));
    Ok(Typed::of(ColumnType::Int(128), &template, &[&wide], span).cast_or_null(&result))
}
