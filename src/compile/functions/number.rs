//! Functions of numbers. Integers and decimals stay exact; what is a float by nature (`sqrt`, `log`, …) takes no decimal.

use super::Kind::{Exact, Float, Integer, IntegerConstant, IntegerOrFloat, Number};
use super::ResultType::{self, Condition};
use super::{Function, Matched, function, names, rule, template};
use crate::compile::convert::{Family, family};
use crate::compile::expression::ArithmeticOperator;
use crate::compile::operators;
use crate::compile::problem::ExpressionProblem;
use crate::compile::typed::{Fragment, Typed};
use crate::sql::ColumnType;

const FLOAT: ResultType = ResultType::Float;
/// ClickHouse gives `-inf` for some powers too large for a float, also where neither sign can be meant: of a positive
/// value, and of one to the power of a number so large that it is even.
const POWER: &str = "if(({0} > 0) OR (abs({1}) >= 9007199254740992), abs(pow({0}, {1})), pow({0}, {1}))";
const PLACES: super::Kind = IntegerConstant(-12, 12);

pub(super) const TABLE: &[Function] = &[
    function("plus", "The same as `a + b`.", ("plus(1, 2)", "3"), &[rule(&[Number, Number], |matched| {
        arithmetic(ArithmeticOperator::Plus, matched)
    })]),
    function("minus", "The same as `a - b`.", ("minus(1, 2)", "-1"), &[rule(&[Number, Number], |matched| {
        arithmetic(ArithmeticOperator::Minus, matched)
    })]),
    function("multiply", "The same as `a * b`.", ("multiply(1.5, 2)", "3"), &[rule(&[Number, Number], |matched| {
        arithmetic(ArithmeticOperator::Multiply, matched)
    })]),
    function("divide", "The same as `a / b`; null where `b` is 0.", ("divide(1, 4)", "0.25"), &[rule(
        &[Number, Number],
        |matched| arithmetic(ArithmeticOperator::Divide, matched),
    )]),
    function("multiplyDecimal", "The exact product with so many digits, the others cut.", ("multiplyDecimal(1.005, 2, 2)", "2.01"), &[
        rule(&[Exact, Exact], multiplied),
        rule(&[Exact, Exact, IntegerConstant(0, 38)], multiplied),
    ]),
    function("divideDecimal", "The exact quotient with so many digits, the others cut; null where the divisor is 0.", ("divideDecimal(1.0, 3, 4)", "0.3333"), &[
        rule(&[Exact, Exact, IntegerConstant(0, 38)], quotient),
    ]),
    function("intDiv", "The quotient of integers, cut toward zero; null where the divisor is 0.", ("intDiv(-7, 2)", "-3"), &[rule(
        &[Integer, Integer],
        |matched| divided("intDivOrNull", matched),
    )]),
    function("modulo", "The same as `a % b`: what the division leaves, with the sign of `a`.", ("modulo(-7, 3)", "-1"), &[rule(
        &[IntegerOrFloat, IntegerOrFloat],
        |matched| divided("moduloOrNull", matched),
    )])
    .any_case(),
    function("positiveModulo", "The same, never negative.", ("positiveModulo(-7, 3)", "2"), &[rule(&[Integer, Integer], |matched| {
        divided("positiveModuloOrNull", matched)
    })])
    .any_case(),
    function("negate", "The same as `-x`.", ("negate(5)", "-5"), &[rule(&[Number], negate)]),
    function("abs", "The value without its sign.", ("abs(-5)", "5"), &[rule(&[Number], absolute)]).any_case(),
    function("sign", "-1, 0 or 1.", ("sign(-5)", "-1"), &[template(&[Number], ResultType::Int(8), "sign({0})")]).any_case(),
    function("round", "Rounded to so many digits after the point (before it, if negative): decimals half away from zero, floats half to even.", ("round(2.5)", "3"), &[
        rule(&[Number], rounded),
        rule(&[Number, PLACES], rounded),
    ])
    .any_case(),
    function("roundBankers", "Rounded, halves to the even neighbour.", ("roundBankers(2.5)", "2"), &[
        rule(&[Number], rounded),
        rule(&[Number, PLACES], rounded),
    ]),
    function("floor", "The next lower value of so many digits.", ("floor(-2.5)", "-3"), &[
        rule(&[Number], rounded),
        rule(&[Number, PLACES], rounded),
    ])
    .any_case(),
    function("ceil", "The next higher value of so many digits.", ("ceil(2.1)", "3"), &[
        rule(&[Number], rounded),
        rule(&[Number, PLACES], rounded),
    ])
    .any_case(),
    function("trunc", "The value cut to so many digits.", ("trunc(-2.57, 1)", "-2.5"), &[
        rule(&[Number], rounded),
        rule(&[Number, PLACES], rounded),
    ])
    .any_case(),
    function("gcd", "The greatest common divisor.", ("gcd(12, 18)", "6"), &[rule(&[Integer, Integer], common)]),
    function("lcm", "The least common multiple; null beyond 64 bits.", ("lcm(4, 6)", "12"), &[rule(&[Integer, Integer], common)]),
    function("sqrt", "The square root; `nan` of a negative number.", ("sqrt(9)", "3"), &[template(&[Float], FLOAT, "sqrt({0})")]).any_case(),
    function("cbrt", "The cube root.", ("cbrt(27)", "3"), &[template(&[Float], FLOAT, "cbrt({0})")]),
    function("exp", "e to the power of the value.", ("exp(0)", "1"), &[template(&[Float], FLOAT, "exp({0})")]).any_case(),
    function("exp2", "2 to the power of the value.", ("exp2(3)", "8"), &[template(&[Float], FLOAT, "exp2({0})")]),
    function("exp10", "10 to the power of the value.", ("exp10(2)", "100"), &[template(&[Float], FLOAT, "exp10({0})")]),
    function("log", "The natural logarithm.", ("log(1)", "0"), &[template(&[Float], FLOAT, "log({0})")]).any_case(),
    function("log2", "The logarithm to base 2.", ("log2(8)", "3"), &[template(&[Float], FLOAT, "log2({0})")]).any_case(),
    function("log10", "The logarithm to base 10.", ("log10(1000)", "3"), &[template(&[Float], FLOAT, "log10({0})")]).any_case(),
    function("log1p", "The natural logarithm of 1 and the value, exact near 0.", ("log1p(0)", "0"), &[template(&[Float], FLOAT, "log1p({0})")]),
    function("pow", "The first value to the power of the second.", ("pow(2, 10)", "1024"), &[template(&[Float, Float], FLOAT, POWER)]).any_case(),
    function("hypot", "The length of the hypotenuse.", ("hypot(3, 4)", "5"), &[template(&[Float, Float], FLOAT, "hypot({0}, {1})")]),
    function("sin", "The sine.", ("sin(0)", "0"), &[template(&[Float], FLOAT, "sin({0})")]).any_case(),
    function("cos", "The cosine.", ("cos(0)", "1"), &[template(&[Float], FLOAT, "cos({0})")]).any_case(),
    function("tan", "The tangent.", ("tan(0)", "0"), &[template(&[Float], FLOAT, "tan({0})")]).any_case(),
    function("asin", "The arc sine.", ("asin(0)", "0"), &[template(&[Float], FLOAT, "asin({0})")]).any_case(),
    function("acos", "The arc cosine.", ("acos(1)", "0"), &[template(&[Float], FLOAT, "acos({0})")]).any_case(),
    function("atan", "The arc tangent.", ("atan(0)", "0"), &[template(&[Float], FLOAT, "atan({0})")]).any_case(),
    function("atan2", "The angle of a point: y, x.", ("atan2(0, 1)", "0"), &[template(&[Float, Float], FLOAT, "atan2({0}, {1})")]).any_case(),
    function("radians", "Degrees as radians.", ("radians(0)", "0"), &[template(&[Float], FLOAT, "radians({0})")]).any_case(),
    function("degrees", "Radians as degrees.", ("degrees(0)", "0"), &[template(&[Float], FLOAT, "degrees({0})")]).any_case(),
    function("isNaN", "Whether a float is no number.", ("isNaN(log(-1))", "1"), &[template(&[Float], Condition, "isNaN({0})")]),
    function("isFinite", "Whether a float is a finite number.", ("isFinite(1)", "1"), &[template(&[Float], Condition, "isFinite({0})")]),
    function("isInfinite", "Whether a float is infinite.", ("isInfinite(-log(0))", "1"), &[template(&[Float], Condition, "isInfinite({0})")]),
    function("ifNotFinite", "The first value, or the second where the first is infinite or no number.", ("ifNotFinite(log(0), -1)", "-1"), &[
        template(&[Float, Float], FLOAT, "ifNotFinite({0}, {1})"),
    ]),
];

fn pair(matched: &Matched) -> Result<(Typed, Typed), ExpressionProblem> {
    match matched.arguments.as_slice() {
        [left, right, ..] => Ok((left.clone(), right.clone())),
        _ => Err(names::arguments(matched)),
    }
}

fn arithmetic(operator: ArithmeticOperator, matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (left, right) = pair(matched)?;
    operators::arithmetic(operator, left, right, matched.span.clone())
}

/// The written number at a place.
pub(super) fn written(matched: &Matched, at: usize) -> Option<i128> {
    matched.arguments.get(at).and_then(Typed::constant_number).and_then(crate::compile::number::Number::as_integer)
}

fn multiplied(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (left, right) = pair(matched)?;
    let product = operators::arithmetic(ArithmeticOperator::Multiply, left, right, matched.span.clone())?;
    let scale = written(matched, 2).and_then(|scale| u8::try_from(scale).ok());
    Ok(match scale {
        Some(scale) => super::conversion::exact(product, &ColumnType::Decimal(38, scale)),
        None => product,
    })
}

fn quotient(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (left, right) = pair(matched)?;
    let scale = written(matched, 2).and_then(|scale| u8::try_from(scale).ok()).unwrap_or(0);
    operators::quotient_of_scale(left.operand(), right.operand(), scale, matched.span.clone())
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
    if family(&operand.column_type) == Family::Decimal {
        return operators::with_room("abs({0})", operand.clone(), operand.bits + 1, matched.span.clone());
    }
    let inner = match operand.inner() {
        ColumnType::Int(bits) => ColumnType::UInt(*bits),
        other => other.clone(),
    };
    Ok(Typed::of(inner, "abs({0})", &[operand], matched.span.clone()).within(operand.bits + 1))
}

/// `round`, `floor`, `ceil`, `trunc`: an integer is whole already; rounding it to tens can leave its type (ClickHouse
/// would wrap), so that is done in more bits and checked. Decimals get the room that they need.
fn rounded(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let Some(operand) = matched.arguments.first() else { return Err(names::arguments(matched)) };
    let places = written(matched, 1).unwrap_or(0);
    let span = matched.span.clone();
    let template = match matched.arguments.len() {
        1 => format!("{}({{0}})", matched.name),
        _ => format!("{}({{0}}, {places})", matched.name),
    };
    match family(&operand.column_type) {
        Family::Decimal => operators::rounded_decimal(&template, operand.clone(), places, span),
        Family::Integer if places >= 0 => Ok(operand.clone()),
        Family::Integer if operand.bits <= 64 => {
            let result = match operand.inner() {
                ColumnType::UInt(_) => ColumnType::UInt(64),
                _ => ColumnType::Int(64),
            };
            let wide = operand.clone().cast(&ColumnType::Int(128));
            Ok(Typed::of(ColumnType::Int(128), &template, &[&wide], span).cast_or_null(&result))
        }
        Family::Integer => Err(operators::too_wide(operand, operand, span)),
        // Scaled up on the way, a float that is far too large to have such digits would become infinite.
        _ if places > 0 => {
            let template = format!("if(isFinite({{0}}) AND NOT isFinite({template}), {{0}}, {template})");
            Ok(Typed::of(operand.inner().clone(), &template, &[operand], span))
        }
        _ => Ok(Typed::of(operand.inner().clone(), &template, &[operand], span)),
    }
}

/// `gcd`, `lcm`: of the magnitudes, in 64 bits without sign, where ClickHouse's never throw; a multiple by division.
fn common(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (left, right) = pair(matched)?;
    if left.bits.max(right.bits) > 64 {
        return Err(operators::too_wide(&left, &right, matched.span.clone()));
    }
    let size = |value: Typed| {
        let span = value.span.clone();
        match value.inner() {
            ColumnType::Int(bits) => Typed::of(ColumnType::UInt(*bits), "abs({0})", &[&value], span),
            _ => value,
        }
        .cast(&ColumnType::UInt(64))
    };
    let (left, right) = (size(left), size(right));
    let nullable = left.is_nullable() || right.is_nullable();
    // Behind a null stands 0, which ClickHouse computes with all the same.
    let (first, second) = (super::if_null(&left, "0"), super::if_null(&right, "0"));
    // ClickHouse's throws for two zeros.
    let template = "if({0} = 0, {1}, if({1} = 0, {0}, gcd(if({0} = 0, 1, {0}), if({1} = 0, 1, {1}))))";
    let greatest = Typed::of(ColumnType::UInt(64), template, &[&first, &second], matched.span.clone());
    let greatest = match nullable {
        true => {
            let template = "if(isNull({1}) OR isNull({2}), NULL, {0})";
            let fragment = Fragment::template(template, &[&greatest.fragment, &left.fragment, &right.fragment]);
            Typed::new(ColumnType::UInt(64).nullable(), fragment, matched.span.clone())
        }
        false => greatest,
    };
    if matched.name == "gcd" {
        return Ok(greatest);
    }
    let wide = ColumnType::UInt(128);
    let parts = [&left.cast(&wide), &right.cast(&wide), &greatest.cast(&wide)];
    let template = "intDivOrNull({0} * {1}, if({2} = 0, 1, {2}))";
    let typed = Typed::of(wide, template, &parts, matched.span.clone()).nullable();
    Ok(typed.cast_or_null(&ColumnType::UInt(64)))
}
