//! Conversions: null where the value does not fit, never another value.

use super::Kind::{Condition, Day, Instant, IntegerConstant, IntegerOrFloat, Number, Scalar, Text, Zone};
use super::{Function, Matched, ResultType, names, or_null, rule, template};
use crate::compile::convert::{Family, family, meets_decimals, zoned};
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typed::{Typed, bits_for_scale, bits_of, scale_of};
use crate::compile::typing::Context;
use crate::sql::{ColumnType, literal};

pub(super) const TABLE: &[Function] = &[
    rule("toString", &[Scalar], to_text),
    rule("toString", &[Instant, Zone], to_text),
    rule("toInt8", &[Text], |m| integer(m, ColumnType::Int(8))),
    rule("toInt8", &[Number], |m| integer(m, ColumnType::Int(8))),
    rule("toInt16", &[Text], |m| integer(m, ColumnType::Int(16))),
    rule("toInt16", &[Number], |m| integer(m, ColumnType::Int(16))),
    rule("toInt32", &[Text], |m| integer(m, ColumnType::Int(32))),
    rule("toInt32", &[Number], |m| integer(m, ColumnType::Int(32))),
    rule("toInt64", &[Text], |m| integer(m, ColumnType::Int(64))),
    rule("toInt64", &[Number], |m| integer(m, ColumnType::Int(64))),
    rule("toInt64", &[Condition], |m| integer(m, ColumnType::Int(64))),
    rule("toUInt8", &[Text], |m| integer(m, ColumnType::UInt(8))),
    rule("toUInt8", &[Number], |m| integer(m, ColumnType::UInt(8))),
    rule("toUInt8", &[Condition], |m| integer(m, ColumnType::UInt(8))),
    rule("toUInt16", &[Text], |m| integer(m, ColumnType::UInt(16))),
    rule("toUInt16", &[Number], |m| integer(m, ColumnType::UInt(16))),
    rule("toUInt32", &[Text], |m| integer(m, ColumnType::UInt(32))),
    rule("toUInt32", &[Number], |m| integer(m, ColumnType::UInt(32))),
    rule("toUInt64", &[Text], |m| integer(m, ColumnType::UInt(64))),
    rule("toUInt64", &[Number], |m| integer(m, ColumnType::UInt(64))),
    rule("toInt64OrNull", &[Text], |m| integer(m, ColumnType::Int(64))),
    rule("toUInt64OrNull", &[Text], |m| integer(m, ColumnType::UInt(64))),
    or_null("toFloat64", &[Text], ResultType::Float, "toFloat64OrNull({0})"),
    template("toFloat64", &[Number], ResultType::Float, "toFloat64({0})"),
    or_null("toFloat64OrNull", &[Text], ResultType::Float, "toFloat64OrNull({0})"),
    rule("toDecimal32", &[Text, IntegerConstant(0, 9)], |m| decimal(m, 9)),
    rule("toDecimal32", &[Number, IntegerConstant(0, 9)], |m| decimal(m, 9)),
    rule("toDecimal64", &[Text, IntegerConstant(0, 18)], |m| decimal(m, 18)),
    rule("toDecimal64", &[Number, IntegerConstant(0, 18)], |m| decimal(m, 18)),
    rule("toDecimal128", &[Text, IntegerConstant(0, 38)], |m| decimal(m, 38)),
    rule("toDecimal128", &[Number, IntegerConstant(0, 38)], |m| decimal(m, 38)),
    rule("toDecimal64OrNull", &[Text, IntegerConstant(0, 18)], |m| decimal(m, 18)),
    rule("toDecimal128OrNull", &[Text, IntegerConstant(0, 38)], |m| decimal(m, 38)),
    rule("toBool", &[IntegerOrFloat], boolean),
    rule("toBool", &[Condition], boolean),
    rule("toDate", &[Text], day_of_text),
    rule("toDate", &[Day], day),
    rule("toDate", &[Instant, Zone], day_of_instant),
    rule("toDate32", &[Text], day_of_text),
    rule("toDate32", &[Day], wide_day),
    rule("toDate32", &[Instant, Zone], wide_day_of_instant),
    rule("toDateTime", &[Text, Zone], instant_of_text),
    rule("toDateTime", &[Day, Zone], instant_of_day),
    rule("toDateTime", &[Instant, Zone], whole_seconds),
    rule("toDateTime64", &[Text, IntegerConstant(0, 6), Zone], instant_of_text),
    rule("toDateTime64", &[Day, IntegerConstant(0, 6), Zone], instant_of_day),
    rule("toDateTime64", &[Instant, IntegerConstant(0, 6), Zone], rescaled),
];

/// Any single value as text, of an instant in a zone.
pub(super) fn text(value: Typed, zone: Option<&str>, context: &Context) -> Result<Typed, ExpressionProblem> {
    let span = value.span.clone();
    let value = value.operand();
    Ok(match family(&value.column_type) {
        _ if value.is_null_literal() => Typed::null(&ColumnType::String, span),
        Family::Text => value,
        Family::Boolean => Typed::of(ColumnType::String, "toString({0})", &[&value], span),
        // Conditions read as booleans, whether their type is Bool or UInt8.
        _ if value.condition => {
            let value = value.cast(&ColumnType::Bool);
            Typed::of(ColumnType::String, "toString({0})", &[&value], span)
        }
        Family::Instant => {
            let zone =
                zone.map_or_else(|| crate::compile::convert::zone_of(&value.column_type, context), str::to_owned);
            Typed::of(ColumnType::String, &format!("toString({{0}}, {})", literal::string(&zone)), &[&value], span)
        }
        Family::Other => {
            let message = format!("`{}` has no text", value.column_type);
            return Err(ExpressionProblem::new(ProblemCode::TypeMismatch, span, message));
        }
        _ => Typed::of(ColumnType::String, "toString({0})", &[&value], span),
    })
}

fn first<'m>(matched: &'m Matched) -> Result<&'m Typed, ExpressionProblem> {
    matched.arguments.first().ok_or_else(|| names::arguments(matched))
}

fn to_text(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    text(first(matched)?.clone(), matched.zone_given.then_some(matched.zone.as_str()), &matched.context)
}

fn integer(matched: &Matched, target: ColumnType) -> Result<Typed, ExpressionProblem> {
    let value = first(matched)?.clone();
    let span = matched.span.clone();
    let fits = match (value.inner(), &target) {
        (ColumnType::Bool, _) => true,
        (ColumnType::Int(from), ColumnType::Int(to)) | (ColumnType::UInt(from), ColumnType::UInt(to)) => from <= to,
        (ColumnType::UInt(from), ColumnType::Int(to)) => from < to,
        _ => false,
    };
    let of_text = format!("to{target}OrNull({{0}})");
    Ok(match family(&value.column_type) {
        Family::Text => Typed::of(target, &of_text, &[&value], span).nullable(),
        Family::Float => Typed::of(value.inner().clone(), "trunc({0})", &[&value], span).cast_or_null(&target),
        // A cast of a wide decimal throws; its whole digits do not.
        Family::Decimal => {
            let template = of_text.replace("{0}", "toString(trunc({0}))");
            Typed::of(target, &template, &[&value], span).nullable()
        }
        _ if fits => {
            let bits = value.bits;
            let cast = value.cast(&target);
            Typed { condition: false, bits: if bits == 0 { 1 } else { bits }, ..cast }
        }
        _ => value.cast_or_null(&target),
    })
}

fn decimal(matched: &Matched, precision: u8) -> Result<Typed, ExpressionProblem> {
    let value = first(matched)?.clone();
    let scale =
        matched.arguments.get(1).and_then(Typed::constant_number).and_then(crate::compile::number::Number::as_integer);
    let scale = scale.and_then(|scale| u8::try_from(scale).ok()).ok_or_else(|| names::arguments(matched))?;
    let span = matched.span.clone();
    let target = ColumnType::Decimal(precision, scale);
    let of_text = match precision {
        9 => format!("toDecimal32OrNull({{0}}, {scale})"),
        18 => format!("toDecimal64OrNull({{0}}, {scale})"),
        _ => format!("toDecimal128OrNull({{0}}, {scale})"),
    };
    if let Some(sql) = value.constant_number().and_then(|number| number.sql(&target)) {
        return Ok(Typed::new(target, crate::compile::typed::Fragment::text(sql), span));
    }
    Ok(match family(&value.column_type) {
        Family::Text => Typed::of(target, &of_text, &[&value], span).nullable(),
        // Through its shortest text: 0.29 stays 0.29.
        Family::Float => Typed::of(target, &of_text.replace("{0}", "toString({0})"), &[&value], span).nullable(),
        _ => exact(value, &target),
    })
}

/// An integer or decimal in another decimal; digits beyond its scale are cut.
fn exact(value: Typed, target: &ColumnType) -> Typed {
    if let (false, ColumnType::Decimal(precision, scale)) = (meets_decimals(value.inner()), target) {
        let bits = if *precision > 18 { 128 } else { *precision / 9 * 32 };
        let template = format!("toDecimal{bits}OrNull(toString({{0}}), {scale})");
        let span = value.span.clone();
        return Typed::of(target.clone(), &template, &[&value], span).nullable();
    }
    let (own, scale) = (scale_of(value.inner()), scale_of(target));
    let bits = value.bits.saturating_add(bits_for_scale(scale.saturating_sub(own)));
    if bits <= bits_of(target).saturating_sub(1) && own <= scale {
        return value.cast(target);
    }
    if own >= scale && family(&value.column_type) == Family::Decimal {
        return value.cast_or_null(target);
    }
    // Raised in 256 bits, where it fits, and checked on the way back.
    let value = match value.inner() {
        ColumnType::Decimal(39.., _) => value.cast_or_null(&ColumnType::Decimal(38, own.min(38))),
        _ => value,
    };
    value.cast(&ColumnType::Decimal(76, scale)).cast_or_null(target)
}

fn boolean(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let value = first(matched)?;
    match value.inner() {
        ColumnType::Bool => Ok(value.clone()),
        _ if value.condition => Ok(value.clone().cast(&ColumnType::Bool).condition()),
        _ => Ok(Typed::of(ColumnType::UInt(8), "({0} != 0)", &[value], matched.span.clone())
            .cast(&ColumnType::Bool)
            .condition()),
    }
}

fn day_of_text(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let template = "toDate32(parseDateTime64OrNull({0}, '%Y-%m-%d', 'UTC'), 'UTC')";
    Ok(Typed::of(ColumnType::Date32, template, &[first(matched)?], matched.span.clone()).nullable())
}

fn day(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    first(matched).cloned()
}

fn wide_day(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    Ok(first(matched)?.clone().cast(&ColumnType::Date32))
}

fn day_of_instant(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    match first(matched)?.inner() {
        ColumnType::DateTime(_) => day_in_zone(matched, ColumnType::Date),
        _ => day_in_zone(matched, ColumnType::Date32),
    }
}

fn wide_day_of_instant(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    day_in_zone(matched, ColumnType::Date32)
}

fn day_in_zone(matched: &Matched, inner: ColumnType) -> Result<Typed, ExpressionProblem> {
    let template = format!("to{inner}({{0}}, {})", literal::string(&matched.zone));
    Ok(Typed::of(inner, &template, &[first(matched)?], matched.span.clone()))
}

/// The scale that is asked for: `toDateTime` gives whole seconds.
fn scale(matched: &Matched) -> u8 {
    let scale =
        matched.arguments.get(1).and_then(Typed::constant_number).and_then(crate::compile::number::Number::as_integer);
    scale.and_then(|scale| u8::try_from(scale).ok()).unwrap_or(0)
}

/// The instant of a text, with six digits of a second. One strict format each (ClickHouse facts 11): with and without
/// fraction, in the zone or, with a `Z`, in UTC.
pub(in crate::compile) fn strict_instant(text: &str, zone: &str) -> String {
    let zone = literal::string(zone);
    let mut forms = Vec::new();
    for fraction in ["", ".%f"] {
        for separator in [" ", "T"] {
            forms.push(format!("parseDateTime64OrNull({text}, '%Y-%m-%d{separator}%H:%i:%s{fraction}', {zone})"));
        }
        forms.push(format!("toTimezone(parseDateTime64OrNull({text}, '%Y-%m-%dT%H:%i:%s{fraction}Z', 'UTC'), {zone})"));
    }
    format!("coalesce({})", forms.join(", "))
}

fn instant_of_text(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let text = first(matched)?;
    let read = ColumnType::DateTime64(6, Some(matched.zone.clone()));
    let template = strict_instant("{0}", &matched.zone);
    let typed = Typed::of(read, &template, &[text], matched.span.clone()).nullable();
    Ok(typed.cast(&ColumnType::DateTime64(scale(matched), Some(matched.zone.clone()))))
}

fn instant_of_day(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let scale = scale(matched);
    let inner = ColumnType::DateTime64(scale, Some(matched.zone.clone()));
    let template = format!("toDateTime64({{0}}, {scale}, {})", literal::string(&matched.zone));
    Ok(Typed::of(inner, &template, &[first(matched)?], matched.span.clone()))
}

/// A `DateTime` stays one; a `DateTime64` keeps its range and loses its fraction.
fn whole_seconds(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let value = zoned(first(matched)?.clone(), &matched.zone);
    Ok(match value.inner() {
        ColumnType::DateTime64(1.., zone) => {
            let zone = zone.clone();
            value.cast(&ColumnType::DateTime64(0, zone))
        }
        _ => value,
    })
}

/// Fewer digits are cut; more can be given only to a `DateTime`, since raising a stored extreme would throw.
fn rescaled(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let value = zoned(first(matched)?.clone(), &matched.zone);
    let wanted = scale(matched);
    match value.inner() {
        ColumnType::DateTime64(own, _) if *own < wanted => {
            let message = format!("`{}` has no {wanted} digits of a second", value.column_type);
            let problem = ExpressionProblem::new(ProblemCode::WrongArguments, matched.span.clone(), message);
            Err(problem.help(format!("use `toDateTime64(x, {own})` or leave the value as it is")))
        }
        _ => Ok(value.cast(&ColumnType::DateTime64(wanted, Some(matched.zone.clone())))),
    }
}
