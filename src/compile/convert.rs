//! Constants and values brought to one type. Text constants beside dates, UUIDs and addresses are read here, strictly,
//! so that nothing is left for the server to reject.

use std::ops::Range;

use jiff::civil;

use super::problem::{ExpressionProblem, ProblemCode};
use super::typed::{Constant, Fragment, Typed, bits_for_scale, is_exact, nullable_if, scale_of};
use super::typing::Context;
use crate::sql::{ColumnType, literal};

/// The widest magnitude that a 256-bit decimal holds.
const DECIMAL_BITS: u16 = 254;

/// The kinds of types that go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `String`, `FixedString`
    Text,
    /// Integers
    Integer,
    /// Floats
    Float,
    /// Decimals
    Decimal,
    /// `Bool`
    Boolean,
    /// `Date`, `Date32`
    Day,
    /// `DateTime`, `DateTime64`
    Instant,
    /// `UUID`
    Uuid,
    /// `IPv4`, `IPv6`
    Address,
    /// Nothing can be computed with it
    Other,
}

/// The family of a type.
pub fn family(column_type: &ColumnType) -> Family {
    match column_type.inner() {
        ColumnType::String | ColumnType::FixedString(_) | ColumnType::Enum(_) => Family::Text,
        ColumnType::Int(_) | ColumnType::UInt(_) => Family::Integer,
        ColumnType::Float(_) => Family::Float,
        ColumnType::Decimal(..) => Family::Decimal,
        ColumnType::Bool => Family::Boolean,
        ColumnType::Date | ColumnType::Date32 => Family::Day,
        ColumnType::DateTime(_) | ColumnType::DateTime64(..) => Family::Instant,
        ColumnType::Uuid => Family::Uuid,
        ColumnType::Ipv4 | ColumnType::Ipv6 => Family::Address,
        _ => Family::Other,
    }
}

/// The time zone of an instant: its type's, else the dataset's (design 4.3).
pub fn zone_of(column_type: &ColumnType, context: &Context) -> String {
    match column_type.inner() {
        ColumnType::DateTime(Some(zone)) | ColumnType::DateTime64(_, Some(zone)) => zone.clone(),
        _ => context.time_zone.to_owned(),
    }
}

/// The SQL of a constant as a value of exactly `inner`.
///
/// # Errors
/// `Err(None)` if the two do not go together; `Err(Some(what would))` if the text is not of the form.
pub fn adapt(constant: &Constant, inner: &ColumnType, context: &Context) -> Result<Fragment, Option<String>> {
    let text = match (constant, inner) {
        (Constant::Number(number), _) => number.sql(inner).ok_or(None)?,
        (Constant::Boolean(value), ColumnType::Bool) => value.to_string(),
        (Constant::Text(text), ColumnType::String) => literal::string(text),
        (Constant::Text(text), ColumnType::Date | ColumnType::Date32) => {
            let date = day(text).ok_or_else(|| Some("a day is written 'YYYY-MM-DD'".to_owned()))?;
            if *inner == ColumnType::Date && !(1970..=2149).contains(&date.year()) {
                return Err(Some("a `Date` lies between '1970-01-01' and '2149-06-06'".to_owned()));
            }
            format!("CAST({}, '{inner}')", literal::string(text))
        }
        (Constant::Text(text), ColumnType::DateTime(_) | ColumnType::DateTime64(..)) => instant(text, inner, context)?,
        (Constant::Text(text), ColumnType::Uuid) => {
            let valid = text.len() == 36 && uuid::Uuid::try_parse(text).is_ok();
            let form = || Some("a UUID is written '00000000-0000-0000-0000-000000000000'".to_owned());
            valid.then(|| format!("toUUID({})", literal::string(text))).ok_or_else(form)?
        }
        (Constant::Text(text), ColumnType::Ipv4) => {
            let valid = text.parse::<std::net::Ipv4Addr>().is_ok();
            valid
                .then(|| format!("toIPv4({})", literal::string(text)))
                .ok_or(Some("an IPv4 is written '192.0.2.1'".to_owned()))?
        }
        (Constant::Text(text), ColumnType::Ipv6) => {
            let valid = text.parse::<std::net::Ipv6Addr>().is_ok();
            valid
                .then(|| format!("toIPv6({})", literal::string(text)))
                .ok_or(Some("an IPv6 is written '2001:db8::1'".to_owned()))?
        }
        _ => return Err(None),
    };
    Ok(Fragment::text(text))
}

fn day(text: &str) -> Option<civil::Date> {
    let date: civil::Date = civil::Date::strptime("%Y-%m-%d", text).ok()?;
    (text.len() == 10 && (1900..=2299).contains(&date.year())).then_some(date)
}

fn instant(text: &str, inner: &ColumnType, context: &Context) -> Result<String, Option<String>> {
    let form = || {
        Some(
            "an instant is written 'YYYY-MM-DD hh:mm:ss' with a fraction and a `Z` where wanted, or 'YYYY-MM-DD'"
                .to_owned(),
        )
    };
    let (moment, utc) = text.strip_suffix('Z').map_or((text, false), |rest| (rest, true));
    let (date, time) = moment.split_once([' ', 'T']).unwrap_or((moment, "00:00:00"));
    let date = day(date).ok_or_else(form)?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, ""));
    let valid = clock.len() == 8 && civil::Time::strptime("%H:%M:%S", clock).is_ok() && !clock.ends_with("60");
    if !valid || fraction.len() > 9 || !fraction.bytes().all(|b| b.is_ascii_digit()) || (utc && moment.len() == 10) {
        return Err(form());
    }
    let zone = if utc { "UTC".to_owned() } else { zone_of(inner, context) };
    let fraction = fraction.trim_end_matches('0');
    let scale = if let ColumnType::DateTime64(scale, _) = inner { *scale } else { 0 };
    if fraction.len() > scale as usize {
        return Err(Some(format!("`{inner}` holds {scale} digits of a second")));
    }
    if matches!(inner, ColumnType::DateTime(_)) && !(1971..=2105).contains(&date.year()) {
        return Err(Some(format!("`{inner}` holds the years 1971 to 2105")));
    }
    if scale > 7 && !(1901..=2261).contains(&date.year()) {
        return Err(Some(format!("`{inner}` holds the years 1901 to 2261")));
    }
    let point = if fraction.is_empty() { "" } else { "." };
    let value = literal::string(&format!("{date} {clock}{point}{fraction}"));
    if matches!(inner, ColumnType::DateTime(_)) {
        return Ok(format!("toDateTime({value}, {})", literal::string(&zone)));
    }
    Ok(format!("toDateTime64({value}, {scale}, {})", literal::string(&zone)))
}

/// A problem of types that do not go together, with the cast that would have worked.
pub fn mismatch(left: &Typed, right: &Typed, what: &str, span: Range<usize>) -> ExpressionProblem {
    let message = format!("`{}` and `{}` {what}", left.column_type, right.column_type);
    let problem = ExpressionProblem::new(ProblemCode::TypeMismatch, span, message);
    let (one, other) = (family(&left.column_type), family(&right.column_type));
    let pair = |a, b| (one, other) == (a, b) || (one, other) == (b, a);
    problem.help(match () {
        () if pair(Family::Decimal, Family::Float) => {
            "decide which it is: `toDecimal64(x, 2)` for the float, or `toFloat64(x)` for the decimal"
        }
        () if pair(Family::Text, Family::Day) => "read the text with `toDate(x)`, or write the day with `toString(x)`",
        () if pair(Family::Text, Family::Instant) => "read the text with `toDateTime(x)`, or write the instant with `toString(x)`",
        () if pair(Family::Text, Family::Uuid) => "read the text with `toUUID(x)`, or write the UUID with `toString(x)`",
        () if one == Family::Text || other == Family::Text => "bring both to text with `toString(x)`, or read the text with `toInt64(x)` and the like",
        () if pair(Family::Day, Family::Instant) => "take the instant's day with `toDate(x)`, or the day's start with `toDateTime(x)`",
        () if one == Family::Other || other == Family::Other => "arrays and maps are asked with `has`, `arrayElement` and the like; tuples and states by paths of the source",
        () => "bring both to one type first, with `toInt64(x)`, `toDecimal64(x, 2)` and the like",
    })
}

/// The one type of several values: the branches of `if` and the like (ClickHouse would make a Variant).
///
/// # Errors
/// If there is none that holds them all without passing through a float.
pub fn common_type(values: &[Typed], context: &Context, span: Range<usize>) -> Result<ColumnType, ExpressionProblem> {
    let mut fixed = values.iter().filter(|value| value.constant.is_none());
    let mut literals = values.iter().filter(|value| !matches!(value.constant, None | Some(Constant::Null)));
    let Some(first) = fixed.next().or_else(|| literals.clone().next()) else {
        return Err(ExpressionProblem::new(ProblemCode::TypeMismatch, span, "`null` alone has no type")
            .help("at least one of the values must be something else"));
    };
    let mut common = first.clone();
    for value in fixed {
        common = joined(&common, value, context, span.clone())?;
    }
    // A literal takes the type of the others where it fits.
    for value in literals.by_ref() {
        let Some(constant) = &value.constant else { continue };
        match adapt(constant, common.inner(), context) {
            Ok(_) => {}
            Err(Some(form)) => return Err(unreadable(value, common.inner(), &form)),
            Err(None) => common = joined(&common, value, context, span.clone())?,
        }
    }
    Ok(common.inner().clone())
}

/// A constant that is not of the form that its neighbour's type asks for.
pub fn unreadable(constant: &Typed, inner: &ColumnType, form: &str) -> ExpressionProblem {
    let message = format!("`{}` is no `{inner}`", constant.constant_text().unwrap_or_default());
    ExpressionProblem::new(ProblemCode::TypeMismatch, constant.span.clone(), message).help(form)
}

/// A value (of no content, for its type alone) that stands for both.
fn joined(left: &Typed, right: &Typed, context: &Context, span: Range<usize>) -> Result<Typed, ExpressionProblem> {
    use ColumnType::{Bool, Date32, DateTime, DateTime64, Float, UInt};
    let (one, other) = (left.inner(), right.inner());
    let refused = || mismatch(left, right, "have no type in common", span.clone());
    let zone = || Some(zone_of(one, context));
    let inner = match (one, other) {
        _ if one == other && one.can_be_nullable() => one.clone(),
        (Float(_), Float(_)) => Float(64),
        // A literal with an exponent, or a fraction beside floats.
        (Float(_), _) if family(other) == Family::Integer => Float(64),
        (_, Float(_)) if family(one) == Family::Integer => Float(64),
        (Bool, UInt(8)) | (UInt(8), Bool) if left.condition && right.condition => UInt(8),
        (DateTime(_), DateTime(_)) => DateTime(zone()),
        (DateTime(_), DateTime64(scale, _)) | (DateTime64(scale, _), DateTime(_)) => DateTime64(*scale, zone()),
        // The coarser one: raising a scale can overflow (ClickHouse facts 11).
        (DateTime64(a, _), DateTime64(b, _)) => DateTime64(*a.min(b), zone()),
        _ if (family(one), family(other)) == (Family::Day, Family::Day) => Date32,
        _ if (family(one), family(other)) == (Family::Integer, Family::Integer) => {
            common_integer(one, other).ok_or_else(refused)?
        }
        _ if meets_decimals(one) && meets_decimals(other) => {
            let (inner, bits) = common_decimal(left, right).ok_or_else(refused)?;
            return Ok(Typed::new(inner, Fragment::default(), left.span.clone()).within(bits));
        }
        _ => return Err(refused()),
    };
    let condition = left.condition && right.condition;
    Ok(Typed { condition, ..Typed::new(inner, Fragment::default(), left.span.clone()) })
}

fn common_integer(one: &ColumnType, other: &ColumnType) -> Option<ColumnType> {
    use ColumnType::{Int, UInt};
    Some(match (one, other) {
        (Int(a), Int(b)) => Int(*a.max(b)),
        (UInt(a), UInt(b)) => UInt(*a.max(b)),
        (Int(signed), UInt(unsigned)) | (UInt(unsigned), Int(signed)) => match *signed.max(&(unsigned * 2)) {
            bits @ ..=256 => Int(bits),
            _ => return None,
        },
        _ => return None,
    })
}

/// Whether a value can be brought to a decimal: ClickHouse has no such cast for integers beyond 64 bits.
pub fn meets_decimals(inner: &ColumnType) -> bool {
    is_exact(inner) && !matches!(inner, ColumnType::Int(128..) | ColumnType::UInt(128..))
}

/// The decimal that holds both, and how many bits that takes; none if 76 digits do not suffice.
pub fn common_decimal(left: &Typed, right: &Typed) -> Option<(ColumnType, u16)> {
    let scale = scale_of(left.inner()).max(scale_of(right.inner()));
    let bits = bits_at(left, scale).max(bits_at(right, scale));
    decimal_for(bits, scale).map(|inner| (inner, bits))
}

/// The bits of an exact value's digits at a scale.
pub fn bits_at(value: &Typed, scale: u8) -> u16 {
    value.bits.saturating_add(bits_for_scale(scale.saturating_sub(scale_of(value.inner()))))
}

/// The smallest of `Decimal(18 | 38 | 76, scale)` that holds so many bits.
pub fn decimal_for(bits: u16, scale: u8) -> Option<ColumnType> {
    let precision = match bits {
        ..=62 if scale <= 18 => 18,
        ..=126 if scale <= 38 => 38,
        ..=DECIMAL_BITS => 76,
        // A stored 256-bit decimal as it is.
        255 => 76,
        _ => return None,
    };
    (scale <= precision).then_some(ColumnType::Decimal(precision, scale))
}

/// The value as one of `inner`, which holds it (see [`common_type`]).
pub fn to_type(value: Typed, inner: &ColumnType, context: &Context) -> Typed {
    let adapted =
        value.constant.as_ref().filter(|_| value.inner() != inner).map(|constant| adapt(constant, inner, context));
    let Some(Ok(fragment)) = adapted else { return value.cast(inner) };
    // A constant instant has the zone that it was written in; the cast settles it.
    let settled = !matches!(inner, ColumnType::DateTime(_) | ColumnType::DateTime64(..));
    let written = if settled { inner.clone() } else { ColumnType::Other(String::new()) };
    let bits = value.bits.max(1);
    let typed = Typed { constant: value.constant, ..Typed::new(written, fragment, value.span) };
    if settled { typed.within(bits) } else { typed.cast(inner) }
}

/// The values, each brought to their common type, and that type.
///
/// # Errors
/// If they have none.
pub fn to_common(
    values: Vec<Typed>,
    context: &Context,
    span: Range<usize>,
) -> Result<(Vec<Typed>, ColumnType), ExpressionProblem> {
    let inner = match common_type(&values, context, span)? {
        ColumnType::DateTime(None) => ColumnType::DateTime(Some(context.time_zone.to_owned())),
        ColumnType::DateTime64(scale, None) => ColumnType::DateTime64(scale, Some(context.time_zone.to_owned())),
        inner => inner,
    };
    let values = values.into_iter().map(|value| to_type(value, &inner, context)).collect();
    Ok((values, inner))
}

/// An instant whose type names its zone.
pub fn zoned(value: Typed, zone: &str) -> Typed {
    let inner = match value.inner() {
        ColumnType::DateTime(named) if named.as_deref() != Some(zone) => ColumnType::DateTime(Some(zone.to_owned())),
        ColumnType::DateTime64(scale, named) if named.as_deref() != Some(zone) => {
            ColumnType::DateTime64(*scale, Some(zone.to_owned()))
        }
        _ => return value,
    };
    let template = format!("toTimezone({{0}}, {})", literal::string(zone));
    let nullable = value.is_nullable();
    Typed::new(nullable_if(inner, nullable), Fragment::template(&template, &[&value.fragment]), value.span)
}
