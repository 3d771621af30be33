//! Functions of days and instants. A day is its own day in every zone; an instant is read in a zone that the SQL names.

use super::Kind::{Amount16, Amount32, Day, DayUnit, Format, Instant, Integer, Moment, Unit, Zone};
use super::ResultType::{Int, Text, UInt};
use super::{Function, Matched, names, rule, template};
use crate::compile::convert::{Family, family, zone_of, zoned};
use crate::compile::problem::ExpressionProblem;
use crate::compile::typed::{Typed, nullable_if};
use crate::sql::{ColumnType, literal};

pub(super) const DAY_UNITS: [&str; 5] = ["day", "week", "month", "quarter", "year"];
pub(super) const UNITS: [&str; 3] = ["second", "minute", "hour"];
/// The parts of a format that give the same text on every server.
pub(super) const FORMAT_PARTS: &str = "%Y %y %m %d %e %H %h %i %S %s %j %u %p %b %M %a %W %F %T %R %Q %%";

pub(super) const TABLE: &[Function] = &[
    template("toYear", &[Day], UInt(16), "toYear({0})").any_case(),
    template("toYear", &[Instant, Zone], UInt(16), "toYear({0}, {zone})").any_case(),
    template("toISOYear", &[Day], UInt(16), "toISOYear({0})"),
    template("toISOYear", &[Instant, Zone], UInt(16), "toISOYear({0}, {zone})"),
    template("toQuarter", &[Day], UInt(8), "toQuarter({0})").any_case(),
    template("toQuarter", &[Instant, Zone], UInt(8), "toQuarter({0}, {zone})").any_case(),
    template("toMonth", &[Day], UInt(8), "toMonth({0})").any_case(),
    template("toMonth", &[Instant, Zone], UInt(8), "toMonth({0}, {zone})").any_case(),
    template("toISOWeek", &[Day], UInt(8), "toISOWeek({0})"),
    template("toISOWeek", &[Instant, Zone], UInt(8), "toISOWeek({0}, {zone})"),
    template("toDayOfYear", &[Day], UInt(16), "toDayOfYear({0})").any_case(),
    template("toDayOfYear", &[Instant, Zone], UInt(16), "toDayOfYear({0}, {zone})").any_case(),
    template("toDayOfMonth", &[Day], UInt(8), "toDayOfMonth({0})").any_case(),
    template("toDayOfMonth", &[Instant, Zone], UInt(8), "toDayOfMonth({0}, {zone})").any_case(),
    template("toDayOfWeek", &[Day], UInt(8), "toDayOfWeek({0}, 0)").any_case(),
    template("toDayOfWeek", &[Instant, Zone], UInt(8), "toDayOfWeek({0}, 0, {zone})").any_case(),
    template("toHour", &[Instant, Zone], UInt(8), "toHour({0}, {zone})").any_case(),
    template("toMinute", &[Instant, Zone], UInt(8), "toMinute({0}, {zone})").any_case(),
    template("toSecond", &[Instant, Zone], UInt(8), "toSecond({0}, {zone})").any_case(),
    template("toYYYYMM", &[Day], UInt(32), "toYYYYMM({0})"),
    template("toYYYYMM", &[Instant, Zone], UInt(32), "toYYYYMM({0}, {zone})"),
    template("toYYYYMMDD", &[Day], UInt(32), "toYYYYMMDD({0})"),
    template("toYYYYMMDD", &[Instant, Zone], UInt(32), "toYYYYMMDD({0}, {zone})"),
    template("toDaysInMonth", &[Day], UInt(8), "toDaysInMonth({0})"),
    template("toDaysInMonth", &[Instant, Zone], UInt(8), "toDaysInMonth({0}, {zone})"),
    rule("toStartOfYear", &[Moment, Zone], start),
    rule("toStartOfQuarter", &[Moment, Zone], start),
    rule("toStartOfMonth", &[Moment, Zone], start),
    rule("toStartOfWeek", &[Moment, Zone], start),
    rule("toMonday", &[Moment, Zone], start),
    rule("toStartOfDay", &[Moment, Zone], start),
    rule("toStartOfHour", &[Instant, Zone], start),
    rule("toStartOfMinute", &[Instant, Zone], start),
    rule("toStartOfSecond", &[Instant, Zone], start),
    rule("dateTrunc", &[DayUnit, Day], truncated).any_case(),
    rule("dateTrunc", &[Unit, Instant, Zone], truncated).any_case(),
    template("dateDiff", &[Unit, Moment, Moment, Zone], Int(64), "dateDiff({0}, {1}, {2}, {zone})").any_case(),
    template("age", &[Unit, Moment, Moment, Zone], Int(64), "age({0}, {1}, {2}, {zone})").any_case(),
    rule("addDays", &[Moment, Amount16], shifted),
    rule("addWeeks", &[Moment, Amount16], shifted),
    rule("addMonths", &[Moment, Amount16], shifted),
    rule("addQuarters", &[Moment, Amount16], shifted),
    rule("addYears", &[Moment, Amount16], shifted),
    rule("addHours", &[Instant, Amount32], shifted),
    rule("addMinutes", &[Instant, Amount32], shifted),
    rule("addSeconds", &[Instant, Amount32], seconds),
    rule("subtractDays", &[Moment, Amount16], shifted),
    rule("subtractWeeks", &[Moment, Amount16], shifted),
    rule("subtractMonths", &[Moment, Amount16], shifted),
    rule("subtractQuarters", &[Moment, Amount16], shifted),
    rule("subtractYears", &[Moment, Amount16], shifted),
    rule("subtractHours", &[Instant, Amount32], shifted),
    rule("subtractMinutes", &[Instant, Amount32], shifted),
    rule("subtractSeconds", &[Instant, Amount32], seconds),
    template("formatDateTime", &[Day, Format], Text, "formatDateTime({0}, {1})").any_case(),
    template("formatDateTime", &[Instant, Format, Zone], Text, "formatDateTime({0}, {1}, {zone})").any_case(),
    rule("toTimeZone", &[Instant, Zone], zone),
    rule("toUnixTimestamp", &[Instant], unix_seconds),
    rule("toUnixTimestamp64Milli", &[Instant], unix_millis),
    rule("fromUnixTimestamp", &[Integer, Zone], of_unix_seconds).any_case(),
    rule("fromUnixTimestamp64Milli", &[Integer, Zone], of_unix_millis),
];

/// Whether every part of a format is one of [`FORMAT_PARTS`].
pub(super) fn valid_format(format: &str) -> bool {
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character == '%' && !characters.next().is_some_and(|part| part != ' ' && FORMAT_PARTS.contains(part)) {
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

/// ClickHouse facts 11: the only truncation that is right before 1970 and after 2106, and its types.
fn trunc(unit: &str, moment: Typed, zone: &str, matched: &Matched) -> Typed {
    let span = matched.span.clone();
    if family(&moment.column_type) == Family::Day {
        let inner = moment.inner().clone();
        return match unit {
            "day" => moment,
            _ => Typed::of(inner, &format!("dateTrunc('{unit}', {{0}})"), &[&moment], span),
        };
    }
    let wide = matches!(moment.inner(), ColumnType::DateTime64(..));
    let named = || Some(zone.to_owned());
    let inner = match (unit, wide) {
        ("week" | "month" | "quarter" | "year", true) => ColumnType::Date32,
        ("week" | "month" | "quarter" | "year", false) => ColumnType::Date,
        (_, true) => ColumnType::DateTime64(0, named()),
        (_, false) => ColumnType::DateTime(named()),
    };
    Typed::of(inner, &format!("dateTrunc('{unit}', {{0}}, {})", literal::string(zone)), &[&moment], span)
}

/// `add…`, `subtract…`: computed where no value wraps around (`Date` and `DateTime` do), in microseconds at most.
fn shifted(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [moment, amount] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    // Months and days are those of a zone: the type names it.
    let zone = zone_of(&moment.column_type, &matched.context);
    let moment = match moment.inner() {
        ColumnType::Date => moment.clone().cast(&ColumnType::Date32),
        ColumnType::DateTime(_) => moment.clone().cast(&ColumnType::DateTime64(0, Some(zone))),
        ColumnType::DateTime64(7.., _) => moment.clone().cast(&ColumnType::DateTime64(6, Some(zone))),
        _ => zoned(moment.clone(), &zone),
    };
    let inner = moment.inner().clone();
    Ok(Typed::of(inner, &format!("{}({{0}}, {{1}})", matched.name), &[&moment, amount], matched.span.clone()))
}

fn zone(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [instant] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    Ok(zoned(instant.clone(), &matched.zone))
}

/// `addSeconds` throws on stored extremes: counted in the ticks of the instant instead, of which there are whole, milli-
/// and microseconds; other scales are cut to the next coarser of these.
fn seconds(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [moment, amount] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let zone = zone_of(&moment.column_type, &matched.context);
    let (moment, unit, ticks) = ticks(zoned(moment.clone(), &zone));
    let inner = moment.inner().clone();
    let sign = if matched.name == "addSeconds" { "+" } else { "-" };
    let template = format!(
        "fromUnixTimestamp64{unit}(toUnixTimestamp64{unit}({{0}}) {sign} CAST({{1}}, '{}') * {ticks}, {})",
        nullable_if(ColumnType::Int(64), amount.is_nullable()),
        literal::string(&zone)
    );
    Ok(Typed::of(inner, &template, &[&moment, amount], matched.span.clone()))
}

fn ticks(moment: Typed) -> (Typed, &'static str, u32) {
    let (scale, zone) = match moment.inner() {
        ColumnType::DateTime64(scale, zone) => (*scale, zone.clone()),
        ColumnType::DateTime(zone) => (0, zone.clone()),
        _ => (0, None),
    };
    let (kept, unit, ticks) = match scale {
        0..=2 => (0, "Second", 1),
        3..=5 => (3, "Milli", 1_000),
        _ => (6, "Micro", 1_000_000),
    };
    (moment.cast(&ColumnType::DateTime64(kept, zone)), unit, ticks)
}

fn unix_seconds(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [instant] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let instant = match instant.inner() {
        ColumnType::DateTime(zone) => instant.clone().cast(&ColumnType::DateTime64(0, zone.clone())),
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
        ColumnType::DateTime(zone) => {
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

fn of_unix(function: &str, scale: u8, matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [number] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let number = match number.bits {
        ..=63 => number.clone().cast(&ColumnType::Int(64)),
        _ => number.clone().cast_or_null(&ColumnType::Int(64)),
    };
    let inner = ColumnType::DateTime64(scale, Some(matched.zone.clone()));
    let template = format!("{function}({{0}}, {})", literal::string(&matched.zone));
    Ok(Typed::of(inner, &template, &[&number], matched.span.clone()))
}
