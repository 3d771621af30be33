//! Functions that move a day or an instant. Computed where no value wraps around (`Date` and `DateTime` do).

use super::Kind::{Amount16, Amount32, Instant, Moment};
use super::{Function, Matched, function, names, rule};
use crate::compile::convert::{zone_of, zoned};
use crate::compile::problem::ExpressionProblem;
use crate::compile::typed::{Typed, nullable_if};
use crate::sql::{ColumnType, literal};

pub(super) const TABLE: &[Function] = &[
    function(
        "addDays",
        "So many days later.",
        ("addDays(toDate('2024-02-29'), 1)", "2024-03-01"),
        &[rule(&[Moment, Amount16], shifted)],
    ),
    function(
        "addWeeks",
        "So many weeks later.",
        ("addWeeks(toDate('2024-02-29'), 1)", "2024-03-07"),
        &[rule(&[Moment, Amount16], shifted)],
    ),
    function(
        "addMonths",
        "So many months later; the day is cut to the last of the month.",
        ("addMonths(toDate('2024-02-29'), 1)", "2024-03-29"),
        &[rule(&[Moment, Amount16], shifted)],
    ),
    function(
        "addQuarters",
        "So many quarters later.",
        ("addQuarters(toDate('2024-02-29'), 1)", "2024-05-29"),
        &[rule(&[Moment, Amount16], shifted)],
    ),
    function(
        "addYears",
        "So many years later.",
        ("addYears(toDate('2024-02-29'), 1)", "2025-02-28"),
        &[rule(&[Moment, Amount16], shifted)],
    ),
    function(
        "addHours",
        "So many hours later.",
        ("addHours(toDateTime('2024-02-29 12:34:56'), 1)", "2024-02-29 13:34:56"),
        &[rule(&[Instant, Amount32], shifted)],
    ),
    function(
        "addMinutes",
        "So many minutes later.",
        ("addMinutes(toDateTime('2024-02-29 12:34:56'), 1)", "2024-02-29 12:35:56"),
        &[rule(&[Instant, Amount32], shifted)],
    ),
    function(
        "addSeconds",
        "So many seconds later.",
        ("addSeconds(toDateTime('2024-02-29 12:34:56'), 1)", "2024-02-29 12:34:57"),
        &[rule(&[Instant, Amount32], seconds)],
    ),
    function(
        "subtractDays",
        "So many days earlier.",
        ("subtractDays(toDate('2024-02-29'), 1)", "2024-02-28"),
        &[rule(&[Moment, Amount16], shifted)],
    ),
    function(
        "subtractWeeks",
        "So many weeks earlier.",
        ("subtractWeeks(toDate('2024-02-29'), 1)", "2024-02-22"),
        &[rule(&[Moment, Amount16], shifted)],
    ),
    function(
        "subtractMonths",
        "So many months earlier; the day is cut to the last of the month.",
        ("subtractMonths(toDate('2024-02-29'), 1)", "2024-01-29"),
        &[rule(&[Moment, Amount16], shifted)],
    ),
    function(
        "subtractQuarters",
        "So many quarters earlier.",
        ("subtractQuarters(toDate('2024-02-29'), 1)", "2023-11-29"),
        &[rule(&[Moment, Amount16], shifted)],
    ),
    function(
        "subtractYears",
        "So many years earlier.",
        ("subtractYears(toDate('2024-02-29'), 1)", "2023-02-28"),
        &[rule(&[Moment, Amount16], shifted)],
    ),
    function(
        "subtractHours",
        "So many hours earlier.",
        ("subtractHours(toDateTime('2024-02-29 12:34:56'), 1)", "2024-02-29 11:34:56"),
        &[rule(&[Instant, Amount32], shifted)],
    ),
    function(
        "subtractMinutes",
        "So many minutes earlier.",
        ("subtractMinutes(toDateTime('2024-02-29 12:34:56'), 1)", "2024-02-29 12:33:56"),
        &[rule(&[Instant, Amount32], shifted)],
    ),
    function(
        "subtractSeconds",
        "So many seconds earlier.",
        ("subtractSeconds(toDateTime('2024-02-29 12:34:56'), 1)", "2024-02-29 12:34:55"),
        &[rule(&[Instant, Amount32], seconds)],
    ),
];

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
