//! Functions of days and instants. A day is its own day in every zone; an instant is read in a zone that the SQL names.

use super::Kind::{Day, DayUnit, Format, Instant, Integer, Moment, Unit, Zone};
use super::ResultType::{Text, UInt};
use super::{Function, Matched, function, names, rule, template};
use crate::compile::convert::{Family, family, zone_of, zoned};
use crate::compile::problem::ExpressionProblem;
use crate::compile::typed::Typed;
use crate::sql::{ColumnType, literal};

pub(super) const DAY_UNITS: [&str; 5] = ["day", "week", "month", "quarter", "year"];
pub(super) const UNITS: [&str; 3] = ["second", "minute", "hour"];
/// The parts of a format that give the same text on every server.
pub(super) const FORMAT_PARTS: &str = "%Y %y %m %d %e %H %h %i %S %s %j %u %p %b %M %a %W %F %T %R %Q %%";
/// The parts of a format that are read strictly.
pub(super) const READ_PARTS: &str = "%Y %m %d %H %i %S %s %f %F %T %%";

pub(super) const PARTS: &[Function] = &[
    function(
        "toYear",
        "The year.",
        ("toYear(toDate('2024-02-29'))", "2024"),
        &[template(&[Day], UInt(16), "toYear({0})"), template(&[Instant, Zone], UInt(16), "toYear({0}, {zone})")],
    )
    .any_case(),
    function(
        "toQuarter",
        "The quarter, 1 to 4.",
        ("toQuarter(toDate('2024-02-29'))", "1"),
        &[template(&[Day], UInt(8), "toQuarter({0})"), template(&[Instant, Zone], UInt(8), "toQuarter({0}, {zone})")],
    )
    .any_case(),
    function(
        "toMonth",
        "The month, 1 to 12.",
        ("toMonth(toDate('2024-02-29'))", "2"),
        &[template(&[Day], UInt(8), "toMonth({0})"), template(&[Instant, Zone], UInt(8), "toMonth({0}, {zone})")],
    )
    .any_case(),
    function(
        "toDayOfMonth",
        "The day of the month.",
        ("toDayOfMonth(toDate('2024-02-29'))", "29"),
        &[
            template(&[Day], UInt(8), "toDayOfMonth({0})"),
            template(&[Instant, Zone], UInt(8), "toDayOfMonth({0}, {zone})"),
        ],
    )
    .any_case(),
    function(
        "toDayOfYear",
        "The day of the year.",
        ("toDayOfYear(toDate('2024-02-29'))", "60"),
        &[
            template(&[Day], UInt(16), "toDayOfYear({0})"),
            template(&[Instant, Zone], UInt(16), "toDayOfYear({0}, {zone})"),
        ],
    )
    .any_case(),
    function(
        "toDayOfWeek",
        "The day of the week, Monday is 1.",
        ("toDayOfWeek(toDate('2024-02-29'))", "4"),
        &[
            template(&[Day], UInt(8), "toDayOfWeek({0}, 0)"),
            template(&[Instant, Zone], UInt(8), "toDayOfWeek({0}, 0, {zone})"),
        ],
    )
    .any_case(),
    function(
        "toISOYear",
        "The year that the week of the day belongs to.",
        ("toISOYear(toDate('2024-02-29'))", "2024"),
        &[template(&[Day], UInt(16), "toISOYear({0})"), template(&[Instant, Zone], UInt(16), "toISOYear({0}, {zone})")],
    ),
    function(
        "toISOWeek",
        "The week of that year, from Monday on.",
        ("toISOWeek(toDate('2024-02-29'))", "9"),
        &[template(&[Day], UInt(8), "toISOWeek({0})"), template(&[Instant, Zone], UInt(8), "toISOWeek({0}, {zone})")],
    ),
    function(
        "toDaysInMonth",
        "How many days the month has.",
        ("toDaysInMonth(toDate('2024-02-29'))", "29"),
        &[
            template(&[Day], UInt(8), "toDaysInMonth({0})"),
            template(&[Instant, Zone], UInt(8), "toDaysInMonth({0}, {zone})"),
        ],
    ),
    function(
        "toYYYYMM",
        "Year and month as a number.",
        ("toYYYYMM(toDate('2024-02-29'))", "202402"),
        &[template(&[Day], UInt(32), "toYYYYMM({0})"), template(&[Instant, Zone], UInt(32), "toYYYYMM({0}, {zone})")],
    ),
    function(
        "toYYYYMMDD",
        "Year, month and day as a number.",
        ("toYYYYMMDD(toDate('2024-02-29'))", "20240229"),
        &[
            template(&[Day], UInt(32), "toYYYYMMDD({0})"),
            template(&[Instant, Zone], UInt(32), "toYYYYMMDD({0}, {zone})"),
        ],
    ),
    function(
        "toHour",
        "The hour, 0 to 23.",
        ("toHour(toDateTime('2024-02-29 12:34:56'))", "12"),
        &[template(&[Instant, Zone], UInt(8), "toHour({0}, {zone})")],
    )
    .any_case(),
    function(
        "toMinute",
        "The minute.",
        ("toMinute(toDateTime('2024-02-29 12:34:56'))", "34"),
        &[template(&[Instant, Zone], UInt(8), "toMinute({0}, {zone})")],
    )
    .any_case(),
    function(
        "toSecond",
        "The second.",
        ("toSecond(toDateTime('2024-02-29 12:34:56'))", "56"),
        &[template(&[Instant, Zone], UInt(8), "toSecond({0}, {zone})")],
    )
    .any_case(),
    function(
        "toMillisecond",
        "The millisecond.",
        ("toMillisecond(toDateTime64('2024-02-29 12:00:00.25', 3))", "250"),
        &[template(&[Instant], UInt(16), "toMillisecond({0})")],
    ),
];

pub(super) const TABLE: &[Function] = &[
    function(
        "toStartOfYear",
        "The start of the year.",
        ("toStartOfYear(toDateTime('2024-02-29 12:34:56'))", "2024-01-01"),
        &[rule(&[Moment, Zone], start)],
    ),
    function(
        "toStartOfQuarter",
        "The start of the quarter.",
        ("toStartOfQuarter(toDateTime('2024-02-29 12:34:56'))", "2024-01-01"),
        &[rule(&[Moment, Zone], start)],
    ),
    function(
        "toStartOfMonth",
        "The start of the month.",
        ("toStartOfMonth(toDateTime('2024-02-29 12:34:56'))", "2024-02-01"),
        &[rule(&[Moment, Zone], start)],
    ),
    function(
        "toStartOfWeek",
        "The start of the week, a Monday.",
        ("toStartOfWeek(toDateTime('2024-02-29 12:34:56'))", "2024-02-26"),
        &[rule(&[Moment, Zone], start)],
    ),
    function(
        "toStartOfDay",
        "The start of the day.",
        ("toStartOfDay(toDateTime('2024-02-29 12:34:56'))", "2024-02-29 00:00:00"),
        &[rule(&[Moment, Zone], start)],
    ),
    function(
        "toStartOfHour",
        "The start of the hour.",
        ("toStartOfHour(toDateTime('2024-02-29 12:34:56'))", "2024-02-29 12:00:00"),
        &[rule(&[Instant, Zone], start)],
    ),
    function(
        "toStartOfMinute",
        "The start of the minute.",
        ("toStartOfMinute(toDateTime('2024-02-29 12:34:56'))", "2024-02-29 12:34:00"),
        &[rule(&[Instant, Zone], start)],
    ),
    function(
        "toStartOfSecond",
        "The start of the second.",
        ("toStartOfSecond(toDateTime('2024-02-29 12:34:56'))", "2024-02-29 12:34:56"),
        &[rule(&[Instant, Zone], start)],
    ),
    function(
        "toMonday",
        "The Monday of the week.",
        ("toMonday(toDate('2024-02-29'))", "2024-02-26"),
        &[rule(&[Moment, Zone], start)],
    ),
    function(
        "toStartOfFiveMinutes",
        "The start of the 5 minutes of the hour.",
        ("toStartOfFiveMinutes(toDateTime('2024-02-29 12:34:56'))", "2024-02-29 12:30:00"),
        &[rule(&[Instant, Zone], start_of_minutes)],
    ),
    function(
        "toStartOfTenMinutes",
        "The start of the 10 minutes of the hour.",
        ("toStartOfTenMinutes(toDateTime('2024-02-29 12:34:56'))", "2024-02-29 12:30:00"),
        &[rule(&[Instant, Zone], start_of_minutes)],
    ),
    function(
        "toStartOfFifteenMinutes",
        "The start of the 15 minutes of the hour.",
        ("toStartOfFifteenMinutes(toDateTime('2024-02-29 12:34:56'))", "2024-02-29 12:30:00"),
        &[rule(&[Instant, Zone], start_of_minutes)],
    ),
    function(
        "dateTrunc",
        "The start of the unit: `second`, `minute`, `hour` (of instants), `day`, `week`, `month`, `quarter` or `year`.",
        ("dateTrunc('month', toDate('2024-02-29'))", "2024-02-01"),
        &[rule(&[DayUnit, Day], truncated), rule(&[Unit, Instant, Zone], truncated)],
    )
    .any_case(),
    function(
        "toLastDayOfMonth",
        "The last day of the month.",
        ("toLastDayOfMonth(toDate('2024-02-01'))", "2024-02-29"),
        &[rule(&[Moment, Zone], last_day)],
    )
    .any_case(),
    function(
        "dateDiff",
        "How many borders of the unit lie between two days or instants.",
        ("dateDiff('month', toDate('2024-01-31'), toDate('2024-02-01'))", "1"),
        &[rule(&[Unit, Moment, Moment, Zone], between)],
    )
    .any_case(),
    function(
        "age",
        "How many whole units lie between two days or instants.",
        ("age('month', toDate('2024-01-31'), toDate('2024-02-01'))", "0"),
        &[rule(&[Unit, Moment, Moment, Zone], between)],
    )
    .any_case(),
    function(
        "formatDateTime",
        "The day or instant as text; `%i` is the minute, `%M` the name of the month.",
        ("formatDateTime(toDate('2024-02-29'), '%d.%m.%Y')", "29.02.2024"),
        &[
            template(&[Day, Format], Text, "formatDateTime({0}, {1})"),
            template(&[Instant, Format, Zone], Text, "formatDateTime({0}, {1}, {zone})"),
        ],
    )
    .any_case(),
    function(
        "monthName",
        "The English name of the month.",
        ("monthName(toDate('2024-02-29'))", "February"),
        &[
            template(&[Day], Text, "formatDateTime({0}, '%M')"),
            template(&[Instant, Zone], Text, "formatDateTime({0}, '%M', {zone})"),
        ],
    )
    .any_case(),
    function(
        "makeDate",
        "The day of a year, month and day of the month; null if there is none.",
        ("makeDate(2024, 2, 29)", "2024-02-29"),
        &[rule(&[Integer, Integer, Integer], make_day)],
    ),
];

/// Whether every part of a format is one of `parts`.
pub(super) fn valid_format(format: &str, parts: &str) -> bool {
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character == '%' && !characters.next().is_some_and(|part| part != ' ' && parts.contains(part)) {
            return false;
        }
    }
    format.len() <= 256
}

/// Whether it is a zone of the IANA database, in its spelling.
pub(in crate::compile) fn valid_zone(zone: &str) -> bool {
    let found = jiff::tz::TimeZoneDatabase::bundled().get(zone);
    found.is_ok_and(|found| found.iana_name() == Some(zone))
}

fn start(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [moment] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let unit = match matched.name {
        "toMonday" => "week".to_owned(),
        name => name.trim_start_matches("toStartOf").to_ascii_lowercase(),
    };
    Ok(trunc(&unit, moment.clone(), &matched.zone, matched))
}

fn truncated(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [unit, moment] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let unit = unit.constant_text().unwrap_or_default().to_owned();
    Ok(trunc(&unit, moment.clone(), &matched.zone, matched))
}

/// ClickHouse facts 11: the only truncation that is right before 1970 and after 2106, and its types. Of whole seconds,
/// because fractions before 1970 would count for the second after them. The start of a unit can lie before 1970 where the
/// value does not, which neither `Date` nor `DateTime` holds.
fn trunc(unit: &str, moment: Typed, zone: &str, matched: &Matched) -> Typed {
    let span = matched.span.clone();
    if family(&moment.column_type) == Family::Day {
        let moment = if unit == "week" { moment.cast(&ColumnType::Date32) } else { moment };
        let inner = moment.inner().clone();
        return match unit {
            "day" => moment,
            _ => Typed::of(inner, &format!("dateTrunc('{unit}', {{0}})"), &[&moment], span),
        };
    }
    let whole = ColumnType::DateTime64(0, Some(zone.to_owned()));
    let moment = zoned(moment, zone).cast(&whole);
    let inner = match unit {
        "second" => return moment,
        "week" | "month" | "quarter" | "year" => ColumnType::Date32,
        _ => whole,
    };
    Typed::of(inner, &format!("dateTrunc('{unit}', {{0}}, {})", literal::string(zone)), &[&moment], span)
}

/// `dateDiff`, `age`: of types that hold the days before 1970 in which an instant can lie in its zone.
fn between(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [unit, one, other] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let wide = |moment: &Typed| match moment.inner() {
        ColumnType::Date => moment.clone().cast(&ColumnType::Date32),
        ColumnType::DateTime(_) => {
            moment.clone().cast(&ColumnType::DateTime64(0, Some(zone_of(&moment.column_type, &matched.context))))
        }
        _ => moment.clone(),
    };
    let template = format!("{}({{0}}, {{1}}, {{2}}, {})", matched.name, literal::string(&matched.zone));
    let moments = (wide(one), wide(other));
    Ok(Typed::of(ColumnType::Int(64), &template, &[unit, &moments.0, &moments.1], matched.span.clone()))
}

/// Counted from the start of the hour, so that it is right in zones whose hours do not begin with those of UTC.
fn start_of_minutes(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [instant] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let minutes = match matched.name {
        "toStartOfFiveMinutes" => 5,
        "toStartOfTenMinutes" => 10,
        _ => 15,
    };
    let zone = literal::string(&matched.zone);
    let hour = trunc("hour", instant.clone(), &matched.zone, matched);
    let inner = hour.inner().clone();
    let template = format!("addMinutes({{0}}, toInt16(intDiv(toMinute({{1}}, {zone}), {minutes}) * {minutes}))");
    Ok(Typed::of(inner, &template, &[&hour, instant], matched.span.clone()))
}

/// From the first day on: there is none after the year 2299.
fn last_day(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [moment] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let first = trunc("month", moment.clone(), &matched.zone, matched).cast(&ColumnType::Date32);
    Ok(Typed::of(ColumnType::Date32, "addDays({0}, toDaysInMonth({0}) - 1)", &[&first], matched.span.clone()))
}

/// Read strictly, as text: 30 February is no day.
fn make_day(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let arguments: Vec<&Typed> = matched.arguments.iter().collect();
    let two = |at: u8| format!("if({{{at}}} < 10, '0', ''), toString({{{at}}})");
    let text = format!("concat(toString({{0}}), '-', {}, '-', {})", two(1), two(2));
    let read = format!("toDate32(parseDateTime64OrNull({text}, '%Y-%m-%d', 'UTC'), 'UTC')");
    let template = format!("if(({{0}} >= 1900) AND ({{0}} < 2300), {read}, NULL)");
    Ok(Typed::of(ColumnType::Date32, &template, &arguments, matched.span.clone()).nullable())
}
