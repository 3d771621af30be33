//! Conversions to days and instants: of text strictly, in a zone that the SQL names.

use super::Kind::{Day, Instant, IntegerConstant, Text, Zone};
use super::{Function, Matched, function, names, number, rule};
use crate::compile::convert::zoned;
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typed::Typed;
use crate::sql::{ColumnType, literal};

const DIGITS: super::Kind = IntegerConstant(0, 6);

pub(super) const TABLE: &[Function] = &[
    function(
        "toDate",
        "The day of a text 'YYYY-MM-DD', null where it says none; or of an instant in a zone.",
        ("toDate('2024-02-30')", "null"),
        &[rule(&[Text], day_of_text), rule(&[Day], day), rule(&[Instant, Zone], day_of_instant)],
    ),
    function(
        "toDate32",
        "The same, always `Date32`.",
        ("toDate32('1960-01-01')", "1960-01-01"),
        &[rule(&[Text], day_of_text), rule(&[Day], wide_day), rule(&[Instant, Zone], day_of_instant)],
    ),
    function(
        "toDateTime",
        "The instant of a text 'YYYY-MM-DD hh:mm:ss' (or with `T`, a fraction, a `Z`), null where it says none; or of the start of a day; or an instant in whole seconds.",
        ("toDateTime('2024-02-29 12:00:00')", "2024-02-29 12:00:00"),
        &[
            rule(&[Text, Zone], instant_of_text),
            rule(&[Day, Zone], instant_of_day),
            rule(&[Instant, Zone], whole_seconds),
        ],
    ),
    function(
        "toDateTime64",
        "The same with so many digits of a second.",
        ("toDateTime64('2024-02-29 12:00:00.5', 3)", "2024-02-29 12:00:00.500"),
        &[
            rule(&[Text, DIGITS, Zone], instant_of_text),
            rule(&[Day, DIGITS, Zone], instant_of_day),
            rule(&[Instant, DIGITS, Zone], rescaled),
        ],
    ),
];

fn first<'m>(matched: &'m Matched) -> Result<&'m Typed, ExpressionProblem> {
    matched.arguments.first().ok_or_else(|| names::arguments(matched))
}

fn day_of_text(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    Ok(Typed::of(ColumnType::Date32, &strict_day("{0}"), &[first(matched)?], matched.span.clone()).nullable())
}

fn day(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    first(matched).cloned()
}

fn wide_day(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    Ok(first(matched)?.clone().cast(&ColumnType::Date32))
}

fn day_of_instant(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    // `Date` begins with 1970, and the instants of that day's start lie on the day before it west of Greenwich.
    let template = format!("toDate32({{0}}, {})", literal::string(&matched.zone));
    Ok(Typed::of(ColumnType::Date32, &template, &[first(matched)?], matched.span.clone()))
}

/// The scale that is asked for: `toDateTime` gives whole seconds.
fn scale(matched: &Matched) -> u8 {
    number::written(matched, 1).and_then(|scale| u8::try_from(scale).ok()).unwrap_or(0)
}

fn instant_of_text(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let read = ColumnType::DateTime64(6, Some(matched.zone.clone()));
    let template = strict_instant("{0}", &matched.zone);
    let typed = Typed::of(read, &template, &[first(matched)?], matched.span.clone()).nullable();
    Ok(typed.cast(&ColumnType::DateTime64(scale(matched), Some(matched.zone.clone()))))
}

/// The day of a text, as `Nullable(Date32)`; beyond these years most functions of ClickHouse cut a value to them.
pub(in crate::compile) fn strict_day(text: &str) -> String {
    format!("if(match({text}, '{YEARS}'), toDate32(parseDateTime64OrNull({text}, '%Y-%m-%d', 'UTC'), 'UTC'), NULL)")
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
    format!("if(match({text}, '{YEARS}'), coalesce({}), NULL)", forms.join(", "))
}

/// The years that ClickHouse holds a day or an instant of.
const YEARS: &str = "^(19|2[012])";

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
