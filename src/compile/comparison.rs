//! Comparisons: both sides brought to types that ClickHouse compares exactly and without throwing (ClickHouse facts 11).

use std::ops::Range;

use super::convert::{Family, adapt, common_decimal, family, meets_decimals, mismatch, unreadable, zone_of};
use super::expression::CompareOperator;
use super::problem::{ExpressionProblem, ProblemCode};
use super::typed::{Constant, Fragment, Typed, nullable_if};
use super::typing::Context;
use crate::sql::{ColumnType, literal};

/// `left operator right`: `UInt8`, null where a side is.
///
/// # Errors
/// If the two do not go together.
pub fn compare(
    operator: CompareOperator,
    left: Typed,
    right: Typed,
    context: &Context,
    span: Range<usize>,
) -> Result<Typed, ExpressionProblem> {
    if left.is_null_literal() || right.is_null_literal() {
        return Ok(Typed::null(&ColumnType::UInt(8), span).condition());
    }
    let (left, right) = comparable(left, right, context, span.clone())?;
    let template = format!("({{0}} {} {{1}})", operator.sign());
    Ok(Typed::of(ColumnType::UInt(8), &template, &[&left, &right], span).condition())
}

/// `operand [not] in (items)`.
///
/// # Errors
/// If an item does not go together with the operand, or is `null`.
pub fn is_in(
    operand: Typed,
    items: Vec<Typed>,
    negated: bool,
    context: &Context,
    span: Range<usize>,
) -> Result<Typed, ExpressionProblem> {
    if let Some(null) = items.iter().find(|item| item.is_null_literal()) {
        let problem =
            ExpressionProblem::new(ProblemCode::TypeMismatch, null.span.clone(), "`null` in a list matches nothing");
        return Err(problem.help("leave it out, and add `or x is null` if that is meant"));
    }
    if operand.is_null_literal() {
        return Ok(Typed::null(&ColumnType::UInt(8), span).condition());
    }
    let constants: Option<Vec<Fragment>> = items
        .iter()
        .map(|item| match operand.constant {
            None => Some(adapted(item, &operand, context).ok()??.fragment),
            Some(_) => None,
        })
        .collect();
    if let Some(constants) = constants {
        let word = if negated { "NOT IN" } else { "IN" };
        let list = Fragment::join(&constants, ", ");
        let fragment = Fragment::template(&format!("({{0}} {word} ({{1}}))"), &[&operand.fragment, &list]);
        return Ok(Typed::new(nullable_if(ColumnType::UInt(8), operand.is_nullable()), fragment, span).condition());
    }
    // A list of columns as a chain: ClickHouse's IN makes it Nullable and of another meaning.
    let (operator, word) =
        if negated { (CompareOperator::NotEqual, " AND ") } else { (CompareOperator::Equal, " OR ") };
    let compared = items
        .into_iter()
        .map(|item| {
            let place = item.span.clone();
            compare(operator, operand.clone(), item, context, place)
        })
        .collect::<Result<Vec<Typed>, _>>()?;
    let nullable = compared.iter().any(Typed::is_nullable);
    let joined = Fragment::join(compared.iter().map(|item| &item.fragment), word);
    let template = if compared.len() == 1 { "{0}" } else { "({0})" };
    let fragment = Fragment::template(template, &[&joined]);
    Ok(Typed::new(nullable_if(ColumnType::UInt(8), nullable), fragment, span).condition())
}

/// `operand is [not] null`: `UInt8`, never null.
///
/// # Errors
/// If the operand's type knows no null.
pub fn is_null(operand: Typed, negated: bool, span: Range<usize>) -> Result<Typed, ExpressionProblem> {
    if !operand.is_null_literal() && !operand.column_type.can_be_nullable() {
        let message = format!("`{}` is never null", operand.column_type);
        return Err(
            ExpressionProblem::new(ProblemCode::TypeMismatch, operand.span, message).help("ask `empty(x)` of an array")
        );
    }
    let template = if negated { "isNotNull({0})" } else { "isNull({0})" };
    Ok(Typed::new(ColumnType::UInt(8), Fragment::template(template, &[&operand.fragment]), span).condition())
}

/// Both sides, each of a type that ClickHouse compares with the other's exactly and without throwing.
///
/// # Errors
/// If there is no such pair.
pub fn comparable(
    left: Typed,
    right: Typed,
    context: &Context,
    span: Range<usize>,
) -> Result<(Typed, Typed), ExpressionProblem> {
    if left.constant.is_none() && right.constant.is_some() {
        if let Some(adapted) = adapted(&right, &left, context)? {
            return Ok((left, adapted));
        }
    } else if left.constant.is_some()
        && right.constant.is_none()
        && let Some(adapted) = adapted(&left, &right, context)?
    {
        return Ok((adapted, right));
    }
    let families = (family(&left.column_type), family(&right.column_type));
    match families {
        (Family::Text, Family::Text)
        | (Family::Boolean, Family::Boolean)
        | (Family::Integer, Family::Integer)
        | (Family::Float, Family::Float)
        | (Family::Day, Family::Day)
        | (Family::Uuid, Family::Uuid) => Ok((left, right)),
        // `flag = (a > b)`
        (Family::Boolean, Family::Integer) if right.condition => Ok((left, right)),
        (Family::Integer, Family::Boolean) if left.condition => Ok((left, right)),
        (Family::Integer, Family::Float) | (Family::Float, Family::Integer) => Ok((float(left), float(right))),
        (Family::Decimal, Family::Decimal | Family::Integer) | (Family::Integer, Family::Decimal) => {
            if left.inner() == right.inner() {
                return Ok((left, right));
            }
            let pair = [&left, &right].into_iter().all(|side| meets_decimals(side.inner()));
            let common = pair.then(|| common_decimal(&left, &right)).flatten();
            let (inner, _) =
                common.ok_or_else(|| mismatch(&left, &right, "cannot be compared: no decimal holds both", span))?;
            Ok((left.cast(&inner), right.cast(&inner)))
        }
        (Family::Instant, Family::Instant) => Ok(instants(left, right, context)),
        (Family::Day, Family::Instant) => {
            let start = start_of_day(left, &right, context);
            Ok(instants(start, right, context))
        }
        (Family::Instant, Family::Day) => {
            let start = start_of_day(right, &left, context);
            Ok(instants(left, start, context))
        }
        (Family::Address, Family::Address) if left.inner() == right.inner() => Ok((left, right)),
        _ => Err(mismatch(&left, &right, "cannot be compared", span)),
    }
}

fn adapted(constant: &Typed, other: &Typed, context: &Context) -> Result<Option<Typed>, ExpressionProblem> {
    let Some(value) = &constant.constant else { return Ok(None) };
    match adapt(value, other.inner(), context) {
        // Integers of all sizes compare exactly as they are.
        Ok(_) if family(&constant.column_type) == Family::Integer && family(&other.column_type) == Family::Integer => {
            Ok(Some(constant.clone()))
        }
        Ok(fragment) => {
            let typed = Typed::new(other.inner().clone(), fragment, constant.span.clone());
            Ok(Some(Typed { constant: constant.constant.clone(), ..typed }))
        }
        Err(Some(form)) if matches!(value, Constant::Text(_)) => Err(unreadable(constant, other.inner(), &form)),
        Err(_) => Ok(None),
    }
}

/// Integers beyond 64 bits are compared with floats as floats.
fn float(value: Typed) -> Typed {
    match value.inner() {
        ColumnType::Int(128 | 256) | ColumnType::UInt(128 | 256) => value.cast(&ColumnType::Float(64)),
        _ => value,
    }
}

/// The start of a day in the zone of the instant that it is compared with.
fn start_of_day(day: Typed, other: &Typed, context: &Context) -> Typed {
    let scale = if let ColumnType::DateTime64(scale @ ..=6, _) = other.inner() { *scale } else { 0 };
    let zone = zone_of(&other.column_type, context);
    let template = format!("toDateTime64({{0}}, {scale}, {})", literal::string(&zone));
    let span = day.span.clone();
    Typed::of(ColumnType::DateTime64(scale, Some(zone)), &template, &[&day], span)
}

/// Instants of different scales as decimals: raising the scale of a `DateTime64` can overflow.
fn instants(left: Typed, right: Typed, _context: &Context) -> (Typed, Typed) {
    match (left.inner(), right.inner()) {
        (ColumnType::DateTime64(one, _), ColumnType::DateTime64(other, _)) if one != other => {
            let inner = ColumnType::Decimal(38, *one.max(other));
            (left.cast(&inner), right.cast(&inner))
        }
        _ => (left, right),
    }
}
