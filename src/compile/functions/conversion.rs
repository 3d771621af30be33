//! Conversions: null where the value does not fit, never another value.

use super::Kind::{
    Condition, Exact, Instant, IntegerConstant, IntegerOrFloat, Number, Scalar, Text, TextConstant, Uuid, Zone,
};
use super::{Function, Matched, ResultType, function, names, number, or_null, rule};
use crate::compile::convert::{Family, family, meets_decimals};
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typed::{Typed, bits_for_scale, bits_of, scale_of};
use crate::compile::typing::Context;
use crate::sql::{ColumnType, literal};

pub(super) const TABLE: &[Function] = &[
    function(
        "toString",
        "The value as text; an instant in a zone.",
        ("toString(12.50)", "12.5"),
        &[rule(&[Instant, Zone], to_text), rule(&[Scalar], to_text)],
    ),
    function(
        "toInt8",
        "The integer of 8 bits; null where there is none.",
        ("toInt8(300)", "null"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::Int(8))),
            rule(&[Number], |m| integer(m, ColumnType::Int(8))),
            rule(&[Condition], |m| integer(m, ColumnType::Int(8))),
        ],
    ),
    function(
        "toInt16",
        "The integer of 16 bits; null where there is none.",
        ("toInt16(12.7)", "12"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::Int(16))),
            rule(&[Number], |m| integer(m, ColumnType::Int(16))),
            rule(&[Condition], |m| integer(m, ColumnType::Int(16))),
        ],
    ),
    function(
        "toInt32",
        "The integer of 32 bits; null where there is none.",
        ("toInt32('12')", "12"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::Int(32))),
            rule(&[Number], |m| integer(m, ColumnType::Int(32))),
            rule(&[Condition], |m| integer(m, ColumnType::Int(32))),
        ],
    ),
    function(
        "toInt64",
        "The integer of 64 bits; null where there is none.",
        ("toInt64('-12')", "-12"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::Int(64))),
            rule(&[Number], |m| integer(m, ColumnType::Int(64))),
            rule(&[Condition], |m| integer(m, ColumnType::Int(64))),
        ],
    ),
    function(
        "toInt128",
        "The integer of 128 bits; null where there is none.",
        ("toInt128('12')", "12"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::Int(128))),
            rule(&[Number], |m| integer(m, ColumnType::Int(128))),
            rule(&[Condition], |m| integer(m, ColumnType::Int(128))),
        ],
    ),
    function(
        "toInt256",
        "The integer of 256 bits; null where there is none.",
        ("toInt256('12')", "12"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::Int(256))),
            rule(&[Number], |m| integer(m, ColumnType::Int(256))),
            rule(&[Condition], |m| integer(m, ColumnType::Int(256))),
        ],
    ),
    function(
        "toUInt8",
        "The integer of 8 bits without sign; null where there is none.",
        ("toUInt8(-1)", "null"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::UInt(8))),
            rule(&[Number], |m| integer(m, ColumnType::UInt(8))),
            rule(&[Condition], |m| integer(m, ColumnType::UInt(8))),
        ],
    ),
    function(
        "toUInt16",
        "The integer of 16 bits without sign; null where there is none.",
        ("toUInt16('12')", "12"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::UInt(16))),
            rule(&[Number], |m| integer(m, ColumnType::UInt(16))),
            rule(&[Condition], |m| integer(m, ColumnType::UInt(16))),
        ],
    ),
    function(
        "toUInt32",
        "The integer of 32 bits without sign; null where there is none.",
        ("toUInt32('12')", "12"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::UInt(32))),
            rule(&[Number], |m| integer(m, ColumnType::UInt(32))),
            rule(&[Condition], |m| integer(m, ColumnType::UInt(32))),
        ],
    ),
    function(
        "toUInt64",
        "The integer of 64 bits without sign; null where there is none.",
        ("toUInt64('12')", "12"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::UInt(64))),
            rule(&[Number], |m| integer(m, ColumnType::UInt(64))),
            rule(&[Condition], |m| integer(m, ColumnType::UInt(64))),
        ],
    ),
    function(
        "toUInt128",
        "The integer of 128 bits without sign; null where there is none.",
        ("toUInt128('12')", "12"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::UInt(128))),
            rule(&[Number], |m| integer(m, ColumnType::UInt(128))),
            rule(&[Condition], |m| integer(m, ColumnType::UInt(128))),
        ],
    ),
    function(
        "toUInt256",
        "The integer of 256 bits without sign; null where there is none.",
        ("toUInt256('12')", "12"),
        &[
            rule(&[Text], |m| integer(m, ColumnType::UInt(256))),
            rule(&[Number], |m| integer(m, ColumnType::UInt(256))),
            rule(&[Condition], |m| integer(m, ColumnType::UInt(256))),
        ],
    ),
    function(
        "toFloat32",
        "The float of 32 bits that is nearest; null where a text is none.",
        ("toFloat32('1.5')", "1.5"),
        &[rule(&[Text], |m| float(m, 32)), rule(&[Number], |m| float(m, 32))],
    ),
    function(
        "toFloat64",
        "The float of 64 bits that is nearest; null where a text is none.",
        ("toFloat64('1.5')", "1.5"),
        &[rule(&[Text], |m| float(m, 64)), rule(&[Number], |m| float(m, 64))],
    ),
    function(
        "toDecimal32",
        "The decimal of at most 9 digits, so many of them after the point, the others cut; null where there is none.",
        ("toDecimal32('12.345', 2)", "12.34"),
        &[
            rule(&[Text, IntegerConstant(0, 9)], |m| decimal(m, 9)),
            rule(&[Number, IntegerConstant(0, 9)], |m| decimal(m, 9)),
        ],
    ),
    function(
        "toDecimal64",
        "The decimal of at most 18 digits, so many of them after the point, the others cut; null where there is none.",
        ("toDecimal64('12.345', 2)", "12.34"),
        &[
            rule(&[Text, IntegerConstant(0, 18)], |m| decimal(m, 18)),
            rule(&[Number, IntegerConstant(0, 18)], |m| decimal(m, 18)),
        ],
    ),
    function(
        "toDecimal128",
        "The decimal of at most 38 digits, so many of them after the point, the others cut; null where there is none.",
        ("toDecimal128('12.345', 2)", "12.34"),
        &[
            rule(&[Text, IntegerConstant(0, 38)], |m| decimal(m, 38)),
            rule(&[Number, IntegerConstant(0, 38)], |m| decimal(m, 38)),
        ],
    ),
    function(
        "toDecimal256",
        "The decimal of at most 76 digits, so many of them after the point, the others cut; null where there is none.",
        ("toDecimal256('12.345', 2)", "12.34"),
        &[
            rule(&[Text, IntegerConstant(0, 76)], |m| decimal(m, 76)),
            rule(&[Number, IntegerConstant(0, 76)], |m| decimal(m, 76)),
        ],
    ),
    function(
        "accurateCastOrNull",
        "The value in another type if it is exactly the same there, else null: integers, floats, `String`, `UUID`.",
        ("accurateCastOrNull(1.5e0, 'Int64')", "null"),
        &[rule(&[Scalar, TextConstant], accurate)],
    ),
    function(
        "toDecimalString",
        "The number with so many digits after the point.",
        ("toDecimalString(12.5, 2)", "12.50"),
        &[rule(&[Exact, IntegerConstant(0, 38)], decimal_text)],
    )
    .any_case(),
    function(
        "toBool",
        "Whether a number is not 0, or a condition holds.",
        ("toBool(2)", "true"),
        &[rule(&[IntegerOrFloat], boolean), rule(&[Condition], boolean)],
    ),
    function(
        "toUUID",
        "The UUID that a text says; null where it says none.",
        ("toUUID('no')", "null"),
        &[or_null(&[Text], ResultType::Uuid, "toUUIDOrNull({0})"), rule(&[Uuid], |m| first(m).cloned())],
    ),
    function(
        "toIPv4",
        "The IPv4 address that a text says; null where it says none.",
        ("toIPv4('192.0.2.1')", "192.0.2.1"),
        &[or_null(&[Text], ResultType::Ipv4, "toIPv4OrNull({0})")],
    ),
    function(
        "toIPv6",
        "The IPv6 address that a text says, also for an IPv4 address; null where it says none.",
        ("toIPv6('2001:db8::1')", "2001:db8::1"),
        &[or_null(&[Text], ResultType::Ipv6, "toIPv6OrNull({0})")],
    ),
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
    let of_text = integer_of_text(&target);
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

/// Of more than 64 bits ClickHouse wraps around silently: what has more digits than surely fit must come back as it was.
fn integer_of_text(target: &ColumnType) -> String {
    let read = format!("to{target}OrNull({{0}})");
    let digits = match target {
        ColumnType::Int(128) | ColumnType::UInt(128) => 38,
        ColumnType::Int(256) => 76,
        ColumnType::UInt(256) => 77,
        _ => return read,
    };
    format!("if((length({{0}}) <= {digits}) OR (toString({read}) = {{0}}), {read}, NULL)")
}

fn decimal(matched: &Matched, precision: u8) -> Result<Typed, ExpressionProblem> {
    let value = first(matched)?.clone();
    let scale =
        matched.arguments.get(1).and_then(Typed::constant_number).and_then(crate::compile::number::Number::as_integer);
    let scale = scale.and_then(|scale| u8::try_from(scale).ok()).ok_or_else(|| names::arguments(matched))?;
    let span = matched.span.clone();
    let target = ColumnType::Decimal(precision, scale);
    let of_text = of_text(precision, scale);
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

fn of_text(precision: u8, scale: u8) -> String {
    let bits = match precision {
        0..=9 => 32,
        10..=18 => 64,
        19..=38 => 128,
        _ => 256,
    };
    format!("toDecimal{bits}OrNull({{0}}, {scale})")
}

/// What another function of the table does, where that is exact.
fn accurate(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (value, span) = (first(matched)?.clone(), matched.span.clone());
    let named = matched.arguments.get(1).and_then(Typed::constant_text).unwrap_or_default();
    let target = ColumnType::parse(named).unwrap_or(ColumnType::Other(named.to_owned()));
    let read =
        |template: String, value: &Typed| Typed::of(target.clone(), &template, &[value], span.clone()).nullable();
    let kind = family(&value.column_type);
    Ok(match (&target, kind) {
        (ColumnType::Int(_) | ColumnType::UInt(_), Family::Integer | Family::Float) if !value.condition => {
            value.cast_or_null(&target)
        }
        (ColumnType::Int(_) | ColumnType::UInt(_), Family::Text) => read(integer_of_text(&target), &value),
        (ColumnType::Int(_) | ColumnType::UInt(_), Family::Decimal) => {
            read(integer_of_text(&target).replace("{0}", "toString({0})"), &value)
        }
        (ColumnType::Float(_), Family::Integer | Family::Float) if !value.condition => value.cast_or_null(&target),
        (ColumnType::Float(bits), Family::Text) => read(format!("toFloat{bits}OrNull({{0}})"), &value),
        (ColumnType::Uuid, Family::Text) => read("toUUIDOrNull({0})".to_owned(), &value),
        (ColumnType::String, _) => text(value, None, &matched.context)?,
        _ => {
            let message = format!("`{}` is not brought to `{named}` here", value.column_type);
            return Err(ExpressionProblem::new(ProblemCode::TypeMismatch, span, message)
                .help("use `toDecimal64(x, 2)`, `toDate(x)`, `toDateTime(x)` or another function of conversion"));
        }
    })
}

fn float(matched: &Matched, bits: u16) -> Result<Typed, ExpressionProblem> {
    let (value, span) = (first(matched)?.clone(), matched.span.clone());
    let target = ColumnType::Float(bits);
    Ok(match family(&value.column_type) {
        Family::Text => Typed::of(target, &format!("toFloat{bits}OrNull({{0}})"), &[&value], span).nullable(),
        _ => Typed::of(target, &format!("toFloat{bits}({{0}})"), &[&value], span),
    })
}

/// `toDecimalString` of ClickHouse throws for more digits than it has room for: a decimal of that scale has them already.
fn decimal_text(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let value = first(matched)?.clone();
    let scale = number::written(matched, 1).and_then(|scale| u8::try_from(scale).ok()).unwrap_or(0);
    let value = exact(value, &ColumnType::Decimal(38, scale));
    let template = format!("toDecimalString({{0}}, {scale})");
    Ok(Typed::of(ColumnType::String, &template, &[&value], matched.span.clone()))
}

/// An integer or decimal in another decimal; digits beyond its scale are cut.
pub(super) fn exact(value: Typed, target: &ColumnType) -> Typed {
    if let (false, ColumnType::Decimal(precision, scale)) = (meets_decimals(value.inner()), target) {
        let template = of_text(*precision, *scale).replace("{0}", "toString({0})");
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
    // By its digits, where 256 bits do not have the room to raise it in.
    if let (true, ColumnType::Decimal(precision, _)) = (bits > 254 || scale > 38, target) {
        let template = of_text(*precision, scale).replace("{0}", "toString({0})");
        let span = value.span.clone();
        return Typed::of(target.clone(), &template, &[&value], span).nullable();
    }
    // Raised in 256 bits, and checked on the way back.
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
