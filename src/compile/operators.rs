//! Arithmetic. ClickHouse's own wraps silently or throws; here (design 4.3, ClickHouse facts 11):
//!
//! - **Integers** widen as ClickHouse's do (`Int32 + Int32` is `Int64`) as long as the result provably fits. Where it may
//!   not fit 64 bits, it is computed in 128 or 256 bits and checked: `Nullable(Int64)`, or `Nullable(UInt64)` for sums
//!   and products of unsigned ones; null where it does not fit. A number is never wrong.
//! - **Decimals** are exact. Operands are brought to `Decimal(18)`, `(38)` or `(76)`, whichever provably holds the
//!   result; where none does, the result is checked: `Nullable(Decimal(38, s))`. `+ -` keep the larger scale, `*` adds
//!   the scales. Integers and decimal literals beside decimals are decimals.
//! - **`/`** of integers and floats is `Nullable(Float64)`; of decimals `Decimal(38, s)` with the larger scale and at least
//!   6 digits, cut toward zero; `Nullable` unless the divisor is a written number. Division by zero is null.
//! - **`%`** is `Nullable`, the sign is the left side's; decimals have none.
//! - **Floats** are as IEEE says. A decimal never meets a float: the author says which it shall be.

use std::ops::Range;

use super::convert::{Family, bits_at, decimal_for, family, meets_decimals, mismatch};
use super::expression::ArithmeticOperator;
use super::problem::{ExpressionProblem, ProblemCode};
use super::typed::{Fragment, Typed, bits_for_scale, bits_of, scale_of};
use crate::sql::ColumnType;

/// The digits after the point that a quotient of decimals has at least.
const QUOTIENT_SCALE: u8 = 6;

/// `left operator right`.
///
/// # Errors
/// If the two are no numbers, or do not go together.
pub fn arithmetic(
    operator: ArithmeticOperator,
    left: Typed,
    right: Typed,
    span: Range<usize>,
) -> Result<Typed, ExpressionProblem> {
    let (left, right) = (number(left.operand(), operator)?, number(right.operand(), operator)?);
    let (left, right) = same_kind(left, right);
    let decimals = [&left, &right].into_iter().any(|side| family(&side.column_type) == Family::Decimal);
    let floats = [&left, &right].into_iter().any(|side| family(&side.column_type) == Family::Float);
    if decimals && !floats && [&left, &right].into_iter().any(|side| !meets_decimals(side.inner())) {
        return Err(mismatch(
            &left,
            &right,
            "do not meet in arithmetic: no decimal holds integers beyond 64 bits",
            span,
        ));
    }
    match operator {
        _ if decimals && floats => {
            Err(mismatch(&left, &right, "do not meet in arithmetic: decimals never pass through floats", span))
        }
        ArithmeticOperator::Modulo if decimals => {
            let problem = ExpressionProblem::new(ProblemCode::TypeMismatch, span, "`%` is not offered for decimals");
            Err(problem.help("bring both to integers with `toInt64(x)`, or to floats with `toFloat64(x)`"))
        }
        ArithmeticOperator::Divide if decimals => quotient(left, right, span),
        ArithmeticOperator::Divide => {
            Ok(Typed::of(ColumnType::Float(64), "divideOrNull({0}, {1})", &[&wide(left), &wide(right)], span)
                .nullable())
        }
        ArithmeticOperator::Modulo => divided("moduloOrNull", left, right, span),
        _ if decimals => decimal(operator, left, right, span),
        _ if floats => {
            let template = format!("({{0}} {} {{1}})", operator.sign());
            Ok(Typed::of(ColumnType::Float(64), &template, &[&float(left), &float(right)], span))
        }
        _ => integer(operator, left, right, span),
    }
}

/// `- operand`; integers widen, since the smallest one has no counterpart.
///
/// # Errors
/// If the operand is no number.
pub fn negate(operand: Typed, span: Range<usize>) -> Result<Typed, ExpressionProblem> {
    let operand = number(operand.operand(), ArithmeticOperator::Minus)?;
    match family(&operand.column_type) {
        Family::Integer => {
            let zero = Typed::new(ColumnType::UInt(8), Fragment::text("0"), span.clone()).within(0);
            integer(ArithmeticOperator::Minus, zero, operand, span)
        }
        Family::Decimal => {
            let bits = operand.bits;
            with_room("negate({0})", operand, bits + 1, span)
        }
        _ => Ok(Typed::of(operand.inner().clone(), "negate({0})", &[&operand], span)),
    }
}

/// A function of a decimal whose result needs so many bits: computed in a decimal that has them. ClickHouse wraps, also
/// because it does not hold stored decimals to their precision.
///
/// # Errors
/// If no decimal has them.
pub fn with_room(template: &str, operand: Typed, bits: u16, span: Range<usize>) -> Result<Typed, ExpressionProblem> {
    let ColumnType::Decimal(own, scale) = *operand.inner() else { return Err(too_wide(&operand, &operand, span)) };
    if own > 38 {
        return Ok(guarded(template, operand, scale, span));
    }
    let room = decimal_for(bits, scale);
    let Some(ColumnType::Decimal(precision, _)) = room else { return Err(too_wide(&operand, &operand, span)) };
    if precision <= own {
        let inner = operand.inner().clone();
        return Ok(Typed::of(inner, template, &[&operand], span).within(bits));
    }
    let inner = ColumnType::Decimal(precision, scale);
    let operand = operand.cast(&inner);
    let result = Typed::of(inner, template, &[&operand], span).within(bits);
    Ok(if precision == 76 { result.cast_or_null(&ColumnType::Decimal(38, scale)) } else { result })
}

/// A function of the widest decimals: null for those that have more digits than their type says, since those alone could
/// leave it.
fn guarded(template: &str, operand: Typed, scale: u8, span: Range<usize>) -> Typed {
    let inner = operand.inner().clone();
    let (whole, fraction) = ("9".repeat(usize::from(76 - scale)), "9".repeat(usize::from(scale)));
    let most = format!("{}{}{fraction}", if whole.is_empty() { "0" } else { &whole }, if scale > 0 { "." } else { "" });
    let template =
        format!("if(({{0}} <= CAST('{most}', '{inner}')) AND ({{0}} >= CAST('-{most}', '{inner}')), {template}, NULL)");
    Typed::of(inner, &template, &[&operand], span).nullable()
}

/// `round` and the like of a decimal, to so many digits after the point.
///
/// # Errors
/// If no decimal has the room.
pub fn rounded_decimal(
    template: &str,
    operand: Typed,
    places: i128,
    span: Range<usize>,
) -> Result<Typed, ExpressionProblem> {
    let scale = scale_of(operand.inner());
    let cut = i128::from(scale) - places;
    if cut <= 0 {
        return Ok(operand);
    }
    let unit = u8::try_from(cut).ok().filter(|cut| *cut <= 75).map(bits_for_scale);
    let Some(unit) = unit else {
        let message = format!("`{}` has no place to round to there", operand.column_type);
        return Err(ExpressionProblem::new(ProblemCode::WrongArguments, span, message)
            .help("round to fewer digits before the point"));
    };
    let bits = operand.bits.max(unit) + 1;
    with_room(template, operand, bits, span)
}

/// `intDiv` and `%`: both sides in one integer type (or as floats), null for a zero divisor.
///
/// # Errors
/// If an integer has more than 128 bits.
pub fn divided(function: &str, left: Typed, right: Typed, span: Range<usize>) -> Result<Typed, ExpressionProblem> {
    let floats = [&left, &right].into_iter().any(|side| family(&side.column_type) == Family::Float);
    let unsigned = [&left, &right].into_iter().all(|side| matches!(side.inner(), ColumnType::UInt(_)));
    let bits = left.bits.max(right.bits);
    let inner = match (floats, unsigned) {
        (true, _) => ColumnType::Float(64),
        (_, true) if bits <= 64 => ColumnType::UInt(64),
        (_, false) if bits <= 63 => ColumnType::Int(64),
        _ if bits <= 127 => ColumnType::Int(128),
        _ => return Err(too_wide(&left, &right, span)),
    };
    // The least integer divided by -1: nothing is left, which ClickHouse takes for an overflow of the quotient.
    let least = |side: &Typed| matches!(inner, ColumnType::Int(_)) && side.bits >= bits_of(&inner);
    let minus_one = right.constant_number().is_none_or(|number| number.as_integer() == Some(-1));
    let room = match function {
        "moduloOrNull" => least(&left) && minus_one,
        // Throws for the least integer as the divisor, too.
        "positiveModuloOrNull" => least(&left) && minus_one || least(&right),
        _ => false,
    };
    let compute = match inner {
        ColumnType::Int(bits) if room => ColumnType::Int(bits * 2),
        _ => inner.clone(),
    };
    let (left, right) = (left.cast(&compute), right.cast(&compute));
    // What is never negative has no sign in ClickHouse.
    let unsigned = |inner: ColumnType| match inner {
        ColumnType::Int(bits) if function == "positiveModuloOrNull" => ColumnType::UInt(bits),
        other => other,
    };
    let result = Typed::of(unsigned(compute), &format!("{function}({{0}}, {{1}})"), &[&left, &right], span).nullable();
    Ok(result.cast(&unsigned(inner)))
}

fn number(value: Typed, operator: ArithmeticOperator) -> Result<Typed, ExpressionProblem> {
    if value.is_null_literal() {
        return Err(ExpressionProblem::new(ProblemCode::TypeMismatch, value.span, "`null` is no number")
            .help("arithmetic with `null` is always null: leave it out"));
    }
    match family(&value.column_type) {
        Family::Integer if value.condition => {}
        Family::Integer | Family::Float | Family::Decimal => return Ok(value),
        _ => {}
    }
    let message = format!("`{}` needs numbers, and this is {}", operator.sign(), described(&value));
    Err(ExpressionProblem::new(ProblemCode::TypeMismatch, value.span.clone(), message).help(
        match family(&value.column_type) {
            Family::Text => "read it with `toInt64(x)` or `toDecimal64(x, 2)`; texts are joined with `concat(a, b)`",
            Family::Day | Family::Instant => {
                "use `addDays(x, 7)` and the like, or `dateDiff('day', a, b)` for the time between"
            }
            Family::Boolean | Family::Integer => "count it with `if(x, 1, 0)`",
            _ => "bring it to a number first",
        },
    ))
}

fn described(value: &Typed) -> String {
    match value.condition {
        true => "a condition".to_owned(),
        false => format!("`{}`", value.column_type),
    }
}

/// Literals take the kind of the other side: a fraction beside a float is a float, an exponent beside a decimal is exact.
fn same_kind(left: Typed, right: Typed) -> (Typed, Typed) {
    let literal_as = |literal: &Typed, other: &Typed| -> Option<Typed> {
        let number = literal.constant_number()?;
        let wanted = match (family(&literal.column_type), family(&other.column_type)) {
            (Family::Decimal, Family::Float) => ColumnType::Float(64),
            (Family::Float, Family::Decimal) => {
                let scales = std::iter::once(0).chain(1..=38);
                return scales.map(|scale| ColumnType::Decimal(38, scale)).find_map(|inner| {
                    let text = number.sql(&inner)?;
                    Some(Typed::new(inner, Fragment::text(text), literal.span.clone()).within(number.bits()))
                });
            }
            _ => return None,
        };
        let text = number.sql(&wanted)?;
        Some(Typed::new(wanted, Fragment::text(text), literal.span.clone()))
    };
    if let Some(left) = literal_as(&left, &right) {
        return (left, right);
    }
    let changed = literal_as(&right, &left);
    (left, changed.unwrap_or(right))
}

fn float(value: Typed) -> Typed {
    value.cast(&ColumnType::Float(64))
}

/// For division: integers beyond 64 bits as floats.
fn wide(value: Typed) -> Typed {
    if value.bits > 64 { float(value) } else { value }
}

fn result_bits(operator: ArithmeticOperator, left: u16, right: u16) -> u16 {
    match operator {
        ArithmeticOperator::Multiply => left.saturating_add(right),
        _ => left.max(right).saturating_add(1),
    }
}

fn integer(
    operator: ArithmeticOperator,
    left: Typed,
    right: Typed,
    span: Range<usize>,
) -> Result<Typed, ExpressionProblem> {
    let bits = result_bits(operator, left.bits, right.bits);
    let signed = operator == ArithmeticOperator::Minus
        || [&left, &right].into_iter().any(|side| matches!(side.inner(), ColumnType::Int(_)));
    let template = format!("({{0}} {} {{1}})", operator.sign());
    let stored = width(&left).max(width(&right));
    if stored > 128 || bits > 254 {
        return Err(too_wide(&left, &right, span));
    }
    // ClickHouse widens to twice the wider side, up to 64 bits.
    let natural = if stored <= 32 { stored * 2 } else { stored };
    if stored <= 64 && bits <= natural - u16::from(signed) {
        let inner = if signed { ColumnType::Int(natural) } else { ColumnType::UInt(natural) };
        return Ok(Typed::of(inner, &template, &[&left, &right], span).within(bits));
    }
    let compute = if bits <= 127 && stored <= 64 { ColumnType::Int(128) } else { ColumnType::Int(256) };
    let result = match stored {
        128 => ColumnType::Int(128),
        _ if signed => ColumnType::Int(64),
        _ => ColumnType::UInt(64),
    };
    let (left, right) = (left.cast(&compute), right.cast(&compute));
    Ok(Typed::of(compute, &template, &[&left, &right], span).cast_or_null(&result))
}

fn width(value: &Typed) -> u16 {
    match value.inner() {
        ColumnType::Int(bits) | ColumnType::UInt(bits) => *bits,
        _ => 0,
    }
}

fn decimal(
    operator: ArithmeticOperator,
    left: Typed,
    right: Typed,
    span: Range<usize>,
) -> Result<Typed, ExpressionProblem> {
    let template = format!("({{0}} {} {{1}})", operator.sign());
    let (one, other) = (scale_of(left.inner()), scale_of(right.inner()));
    let scale = if operator == ArithmeticOperator::Multiply { one + other } else { one.max(other) };
    let bits = |left: &Typed, right: &Typed| match operator {
        ArithmeticOperator::Multiply => result_bits(operator, left.bits, right.bits),
        _ => result_bits(operator, bits_at(left, scale), bits_at(right, scale)),
    };
    if scale > 38 {
        return Err(too_many_digits(operator, scale, span));
    }
    let (left, right) = if bits(&left, &right) > 254 { (narrowed(left), narrowed(right)) } else { (left, right) };
    let bits = bits(&left, &right);
    let Some(inner) = decimal_for(bits, scale).filter(|_| bits <= 254) else {
        return Err(too_many_digits(operator, scale, span));
    };
    let ColumnType::Decimal(precision, _) = inner else { return Err(too_many_digits(operator, scale, span)) };
    let side = |value: Typed, own: u8| {
        let kept = if operator == ArithmeticOperator::Multiply { own } else { scale };
        value.cast(&ColumnType::Decimal(precision, kept))
    };
    let (left, right) = (side(left, one), side(right, other));
    let result = Typed::of(inner, &template, &[&left, &right], span).within(bits);
    Ok(if precision == 76 { result.cast_or_null(&ColumnType::Decimal(38, scale)) } else { result })
}

/// A wide value in at most 38 digits, null where they do not suffice.
fn narrowed(value: Typed) -> Typed {
    if value.bits <= 127 {
        return value;
    }
    let scale = scale_of(value.inner()).min(38);
    value.cast_or_null(&ColumnType::Decimal(38, scale))
}

fn quotient(left: Typed, right: Typed, span: Range<usize>) -> Result<Typed, ExpressionProblem> {
    let scale = scale_of(left.inner()).max(scale_of(right.inner())).max(QUOTIENT_SCALE);
    quotient_of_scale(left, right, scale, span)
}

/// The exact quotient, cut to so many digits.
///
/// # Errors
/// If no decimal has the room.
pub fn quotient_of_scale(
    left: Typed,
    right: Typed,
    wanted: u8,
    span: Range<usize>,
) -> Result<Typed, ExpressionProblem> {
    if [&left, &right].into_iter().any(|side| !meets_decimals(side.inner())) {
        return Err(too_wide(&left, &right, span));
    }
    let (left, right) = (narrowed(left), narrowed(right));
    let (one, other) = (scale_of(left.inner()), scale_of(right.inner()));
    let scale = wanted.max(one).max(other);
    // The smallest divisor is one of its last digit.
    let bits = left.bits.saturating_add(bits_for_scale(scale - one + other));
    if bits > 254 || scale > 38 {
        return Err(too_many_digits(ArithmeticOperator::Divide, scale, span));
    }
    let never_zero = right.constant_number().is_some_and(|number| !number.is_zero());
    // ClickHouse's `/` keeps the scale of the left side and raises it by the right one's: both fit, see above.
    // (`divideDecimal` loses the last digit of small values: 0.0000000001 / 1 = 0 at scale 10, 26.7.)
    let computed = ColumnType::Decimal(76, scale);
    let left = left.cast(&computed);
    let right = right.cast(&ColumnType::Decimal(76, other));
    let result = match never_zero {
        true => Typed::of(computed, "({0} / {1})", &[&left, &right], span),
        false => {
            let one = format!("CAST('1', 'Decimal(76, {other})')");
            let template = format!("if(isNull(nullIf({{1}}, 0)), NULL, {{0}} / ifNull(nullIf({{1}}, 0), {one}))");
            Typed::of(computed, &template, &[&left, &right], span).nullable()
        }
    };
    // Digits beyond those that are wanted are cut on the way.
    let narrow = ColumnType::Decimal(38, wanted.min(38));
    Ok(if bits <= 126 { result.cast(&narrow).within(bits) } else { result.cast_or_null(&narrow) })
}

/// A problem of integers or decimals that have no room to be computed with.
pub fn too_wide(left: &Typed, right: &Typed, span: Range<usize>) -> ExpressionProblem {
    let message =
        format!("arithmetic of `{}` and `{}` can need more than 256 bits", left.column_type, right.column_type);
    ExpressionProblem::new(ProblemCode::TypeMismatch, span, message)
        .help("bring them to 64 bits with `toInt64(x)`, or to floats with `toFloat64(x)`")
}

fn too_many_digits(operator: ArithmeticOperator, scale: u8, span: Range<usize>) -> ExpressionProblem {
    let message = format!(
        "the result of `{}` would need {scale} digits after the point and more than 76 in all",
        operator.sign()
    );
    ExpressionProblem::new(ProblemCode::TypeMismatch, span, message)
        .help("give a side fewer digits first, as in `toDecimal128(x, 4)`")
}
