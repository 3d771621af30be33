//! Functions between instants and numbers or text.

use super::Kind::{Instant, Integer, IntegerConstant, ReadFormat, Text, Zone};
use super::{Function, Matched, function, names, rule};
use crate::compile::convert::zoned;
use crate::compile::problem::ExpressionProblem;
use crate::compile::typed::Typed;
use crate::sql::{ColumnType, literal};

const SCALE: super::Kind = IntegerConstant(0, 6);

pub(super) const TABLE: &[Function] = &[
    function(
        "toTimeZone",
        "The same instant, shown in another zone.",
        ("toTimeZone(toDateTime('2024-02-29 12:00:00'), 'Asia/Tokyo')", "2024-02-29 21:00:00"),
        &[rule(&[Instant, Zone], zone)],
    ),
    function(
        "toUnixTimestamp",
        "Seconds since 1970, also before it.",
        ("toUnixTimestamp(toDateTime('1969-12-31 23:59:59'))", "-1"),
        &[rule(&[Instant], unix_seconds)],
    ),
    function(
        "toUnixTimestamp64Milli",
        "Milliseconds since 1970.",
        ("toUnixTimestamp64Milli(toDateTime64('1970-01-01 00:00:01.5', 3))", "1500"),
        &[rule(&[Instant], unix_millis)],
    ),
    function(
        "fromUnixTimestamp",
        "The instant of seconds since 1970; null beyond the years 1900 to 2299.",
        ("fromUnixTimestamp(86400)", "1970-01-02 00:00:00"),
        &[rule(&[Integer, Zone], of_unix_seconds)],
    )
    .any_case(),
    function(
        "fromUnixTimestamp64Milli",
        "The instant of milliseconds since 1970; null beyond the years 1900 to 2299.",
        ("fromUnixTimestamp64Milli(1500)", "1970-01-01 00:00:01.500"),
        &[rule(&[Integer, Zone], of_unix_millis)],
    ),
    function(
        "fromUnixTimestamp64Micro",
        "The instant of microseconds since 1970; null beyond the years 1900 to 2299.",
        ("fromUnixTimestamp64Micro(1500)", "1970-01-01 00:00:00.001500"),
        &[rule(&[Integer, Zone], of_unix_micros)],
    ),
    function(
        "parseDateTime",
        "The instant that a text of exactly this format says; null if it is another.",
        ("parseDateTime('29.02.2024 7:05', '%d.%m.%Y %H:%i')", "null"),
        &[rule(&[Text, ReadFormat, Zone], parsed)],
    ),
    function(
        "parseDateTimeBestEffort",
        "The instant that a text of ISO 8601 says, with its offset if it has one; null if it is none.",
        ("parseDateTimeBestEffort('2024-02-29T12:00:00+02:00')", "2024-02-29 10:00:00"),
        &[rule(&[Text, Zone], iso)],
    ),
    function(
        "parseDateTime64BestEffort",
        "The same with so many digits of a second.",
        ("parseDateTime64BestEffort('2024-02-29T12:00:00.25Z', 3)", "2024-02-29 12:00:00.250"),
        &[rule(&[Text, SCALE, Zone], iso)],
    ),
];

fn zone(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [instant] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    Ok(zoned(instant.clone(), &matched.zone))
}

fn unix_seconds(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [instant] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let instant = match instant.inner() {
        ColumnType::DateTime(zone) | ColumnType::DateTime64(_, zone) => {
            instant.clone().cast(&ColumnType::DateTime64(0, zone.clone()))
        }
        _ => instant.clone(),
    };
    Ok(Typed::of(ColumnType::Int(64), "toUnixTimestamp64Second({0})", &[&instant], matched.span.clone()))
}

/// Raising a scale can overflow and would throw: coarser instants go through a decimal.
fn unix_millis(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [instant] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let span = matched.span.clone();
    Ok(match instant.inner() {
        ColumnType::DateTime64(0..=2, _) => {
            let seconds = instant.clone().cast(&ColumnType::Decimal(38, 3));
            Typed::of(ColumnType::Int(64), "toInt64OrNull(toString({0} * 1000))", &[&seconds], span).nullable()
        }
        ColumnType::DateTime(zone) | ColumnType::DateTime64(_, zone) => {
            let instant = instant.clone().cast(&ColumnType::DateTime64(3, zone.clone()));
            Typed::of(ColumnType::Int(64), "toUnixTimestamp64Milli({0})", &[&instant], span)
        }
        _ => Typed::of(ColumnType::Int(64), "toUnixTimestamp64Milli({0})", &[instant], span),
    })
}

fn of_unix_seconds(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    of_unix("fromUnixTimestamp64Second", 0, matched)
}

fn of_unix_millis(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    of_unix("fromUnixTimestamp64Milli", 3, matched)
}

fn of_unix_micros(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    of_unix("fromUnixTimestamp64Micro", 6, matched)
}

fn of_unix(function: &str, scale: u8, matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [number] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let number = match number.bits {
        ..=63 => number.clone().cast(&ColumnType::Int(64)),
        _ => number.clone().cast_or_null(&ColumnType::Int(64)),
    };
    let inner = ColumnType::DateTime64(scale, Some(matched.zone.clone()));
    let template = format!("{function}({{0}}, {})", literal::string(&matched.zone));
    if number.bits <= 32 {
        return Ok(Typed::of(inner, &template, &[&number], matched.span.clone()));
    }
    // The first and last second of the years 1900 to 2299: beyond them ClickHouse shows the ends of what it can show.
    let (first, last) = (-2_208_988_800_i64, 10_413_791_999_i64);
    let ticks = 10_i64.pow(u32::from(scale));
    let (first, last) = (first * ticks, last * ticks + ticks - 1);
    let template = format!("if(({{0}} >= {first}) AND ({{0}} <= {last}), {template}, NULL)");
    Ok(Typed::of(inner, &template, &[&number], matched.span.clone()).nullable())
}

fn parsed(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let arguments: Vec<&Typed> = matched.arguments.iter().collect();
    let inner = ColumnType::DateTime64(6, Some(matched.zone.clone()));
    let read = format!("parseDateTime64OrNull({{0}}, {{1}}, {})", literal::string(&matched.zone));
    let border = |year: u16| format!("toDateTime64('{year}-01-01 00:00:00', 6, 'UTC')");
    let template = format!("if(({read} >= {}) AND ({read} < {}), {read}, NULL)", border(1900), border(2300));
    Ok(Typed::of(inner, &template, &arguments, matched.span.clone()).nullable())
}

/// ClickHouse guesses (`12` and `Jan` are dates to it): only what a regular expression knows as a whole is given to it.
fn iso(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    const DAY: &str = "(19|2[012])[0-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
    const TIME: &str = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?";
    const OFFSET: &str = "(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])?";
    let [text, ..] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let scale = matched.arguments.get(1).and_then(Typed::constant_number);
    let scale = scale.and_then(crate::compile::number::Number::as_integer).and_then(|scale| u8::try_from(scale).ok());
    let scale = scale.unwrap_or(0);
    let zone = literal::string(&matched.zone);
    let iso = literal::string(&format!("^{DAY}[T ]{TIME}{OFFSET}$"));
    let template = format!("if(match({{0}}, {iso}), parseDateTime64BestEffortOrNull({{0}}, 6, {zone}), NULL)");
    let read = ColumnType::DateTime64(6, Some(matched.zone.clone()));
    let read = Typed::of(read, &template, &[text], matched.span.clone()).nullable();
    Ok(read.cast(&ColumnType::DateTime64(scale, Some(matched.zone.clone()))))
}
