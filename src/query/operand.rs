//! A caller's value against a column's exact type: where it lies among the values that the column can hold.
//!
//! ClickHouse wraps, cuts and rolls what does not fit (clickhouse-facts 6), so nothing that does not fit is ever sent.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::sql::{ColumnType, literal};

use super::exact::{Exact, Floor, Whole};
use super::fields::Domain;
use super::filter::Scalar;
use super::instant::{self, Instant, Moment};

/// Where a value lies among those of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// Smaller than every value.
    Below,
    /// Larger than every value.
    Above,
    /// At the value of this text, the largest that is not above it.
    At {
        /// The text of the parameter, not escaped.
        text: String,
        /// Whether it is the value itself; else it lies between this and the next.
        exact: bool,
    },
    /// At no value: the text is none that the type has. Only for types that have no order.
    Nowhere,
}

/// A value that is outside the column's JSON types (`VALUE_MISMATCH`); what would have been accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mismatch(pub(super) &'static str);

const WHOLE: Mismatch = Mismatch("a whole number");
const WIDE_WHOLE: Mismatch = Mismatch("a whole number, or its digits as a string");
const DECIMAL: Mismatch = Mismatch("a number, or its digits as a string");
const NUMBER: Mismatch = Mismatch("a number");
const TEXT: Mismatch = Mismatch("a string");
const BOOLEAN: Mismatch = Mismatch("a boolean");
const MOMENT: Mismatch =
    Mismatch("an ISO-8601 date or date-time that is on the calendar, or whole milliseconds since 1970");

/// The position of a value; `zone` is the dataset's, in which a time without an offset is read.
pub(super) fn position(domain: &Domain, value: &Scalar, zone: &TimeZone) -> Result<Position, Mismatch> {
    match (domain, value) {
        (Domain::Text, Scalar::Text(text)) => Ok(exactly(text)),
        // the column's own padding is no part of its text
        (Domain::PaddedText, Scalar::Text(text)) => Ok(exactly(text.trim_end_matches('\0'))),
        (Domain::Text | Domain::PaddedText | Domain::Canonical(_), Scalar::Number(_) | Scalar::Boolean(_)) => Err(TEXT),
        (Domain::Canonical(column_type), Scalar::Text(text)) => Ok(match is_canonical(column_type, text) {
            true => exactly(text),
            false => Position::Nowhere,
        }),
        (Domain::Boolean, Scalar::Boolean(value)) => Ok(exactly(if *value { "true" } else { "false" })),
        (Domain::Boolean, _) => Err(BOOLEAN),
        (Domain::Whole { signed, bits }, value) => {
            let mismatch = if *bits >= 64 { WIDE_WHOLE } else { WHOLE };
            let number = number(value, *bits >= 64).filter(Exact::is_whole).ok_or(mismatch)?;
            Ok(within(number.floor(0), 0, &whole_range(*signed, *bits)))
        }
        (Domain::Decimal(precision, scale), value) => {
            let number = number(value, true).ok_or(DECIMAL)?;
            let nines = "9".repeat(usize::from(*precision));
            let range = (Whole::of(&format!("-{nines}")), Whole::of(&nines));
            Ok(within(number.floor(u32::from(*scale)), u32::from(*scale), &range))
        }
        (Domain::Float(bits), Scalar::Number(text)) => float(text, *bits).ok_or(NUMBER),
        (Domain::Float(_), _) => Err(NUMBER),
        (Domain::Day { wide }, value) => Ok(day(moment(value, zone)?, *wide, zone)),
        (Domain::Second(_), value) => Ok(ticks(moment(value, zone)?, 0, 0..=i128::from(u32::MAX), zone)),
        (Domain::Tick(scale, _), value) => {
            Ok(ticks(moment(value, zone)?, *scale, i128::from(i64::MIN)..=i128::from(i64::MAX), zone))
        }
        (_, Scalar::Null) => Err(TEXT),
    }
}

/// The position of a system operator's text, which speaks of any type by its canonical text (query-language 2.2).
pub(super) fn position_of_text(domain: &Domain, text: &str, zone: &TimeZone) -> Position {
    let value = match domain {
        Domain::Whole { .. } | Domain::Decimal(..) | Domain::Float(_) => Scalar::Number(text.to_owned()),
        Domain::Boolean => match text {
            "true" => Scalar::Boolean(true),
            "false" => Scalar::Boolean(false),
            _ => return Position::Nowhere,
        },
        _ => Scalar::Text(text.to_owned()),
    };
    match (domain, position(domain, &value, zone)) {
        // '07', '7.0' and '1e3' are numbers, but no number is shown so
        (Domain::Whole { .. } | Domain::Decimal(..), Ok(Position::At { text: own, .. })) if shown(&own) != text => {
            Position::Nowhere
        }
        (_, position) => position.unwrap_or(Position::Nowhere),
    }
}

/// A number as ClickHouse shows it: without zeros that say nothing.
fn shown(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// The type of the parameter that carries a value of the domain.
pub(super) fn parameter_type(domain: &Domain) -> String {
    match domain {
        Domain::Text | Domain::PaddedText | Domain::Canonical(ColumnType::Ipv6) => "String".to_owned(),
        Domain::Canonical(column_type) => column_type.to_string(),
        Domain::Boolean => "Bool".to_owned(),
        Domain::Whole { signed: true, bits } => format!("Int{bits}"),
        Domain::Whole { signed: false, bits } => format!("UInt{bits}"),
        Domain::Decimal(precision, scale) => format!("Decimal({precision}, {scale})"),
        Domain::Float(bits) => format!("Float{bits}"),
        Domain::Day { wide: false } => "Date".to_owned(),
        Domain::Day { wide: true } => "Date32".to_owned(),
        // a text of an instant is read in some zone and loses digits; its number is exact
        Domain::Second(_) => "UInt32".to_owned(),
        Domain::Tick(..) => "Int64".to_owned(),
    }
}

/// The value that a parameter stands for, in the column's own type and scale: comparing two scales can overflow.
pub(super) fn restored(domain: &Domain, parameter: &str) -> String {
    let zone_of = |zone: &Option<String>| literal::string(zone.as_deref().unwrap_or("UTC"));
    match domain {
        Domain::Second(zone) => format!("toDateTime({parameter}, {})", zone_of(zone)),
        Domain::Tick(scale, zone) => match scale {
            3 => format!("fromUnixTimestamp64Milli({parameter}, {})", zone_of(zone)),
            6 => format!("fromUnixTimestamp64Micro({parameter}, {})", zone_of(zone)),
            9 => format!("fromUnixTimestamp64Nano({parameter}, {})", zone_of(zone)),
            _ => {
                let tick_type = ColumnType::DateTime64(*scale, Some(zone.clone().unwrap_or_else(|| "UTC".to_owned())));
                format!("reinterpret({parameter}, {})", literal::string(&tick_type.to_string()))
            }
        },
        _ => parameter.to_owned(),
    }
}

/// Whether a value is sent as a parameter that must be restored.
pub(super) fn needs_restoring(domain: &Domain) -> bool {
    matches!(domain, Domain::Second(_) | Domain::Tick(..))
}

/// The text of a scalar parameter (clickhouse-facts 6): escaped as tab-separated.
pub(super) fn scalar_text(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\0' => text.push_str("\\0"),
            other => text.push(other),
        }
    }
    text
}

/// The text of an array parameter (clickhouse-facts 6): elements as literals.
pub(super) fn array_text(domain: &Domain, values: &[String]) -> String {
    let bare = matches!(
        domain,
        Domain::Boolean
            | Domain::Whole { .. }
            | Domain::Decimal(..)
            | Domain::Float(_)
            | Domain::Second(_)
            | Domain::Tick(..)
    );
    let items: Vec<String> =
        values.iter().map(|value| if bare { value.clone() } else { literal::string(value) }).collect();
    format!("[{}]", items.join(","))
}

fn exactly(text: &str) -> Position {
    Position::At { text: text.to_owned(), exact: true }
}

fn number(value: &Scalar, text_allowed: bool) -> Option<Exact> {
    match value {
        Scalar::Number(text) => Exact::parse(text),
        Scalar::Text(text) if text_allowed => Exact::parse(text),
        _ => None,
    }
}

fn within(floor: Floor, scale: u32, range: &(Whole, Whole)) -> Position {
    match floor {
        Floor::Below => Position::Below,
        Floor::Above => Position::Above,
        Floor::At(whole, _) if whole < range.0 => Position::Below,
        Floor::At(whole, _) if whole > range.1 => Position::Above,
        Floor::At(whole, exact) => Position::At { text: whole.with_point(scale), exact },
    }
}

/// 2^255 and 2^256, which no machine type holds.
const TWO_TO_255: &str = "57896044618658097711785492504343953926634992332820282019728792003956564819968";
const BELOW_TWO_TO_255: &str = "57896044618658097711785492504343953926634992332820282019728792003956564819967";
const BELOW_TWO_TO_256: &str = "115792089237316195423570985008687907853269984665640564039457584007913129639935";

fn whole_range(signed: bool, bits: u16) -> (Whole, Whole) {
    let (smallest, largest) = match (signed, bits) {
        (true, 256) => (format!("-{TWO_TO_255}"), BELOW_TWO_TO_255.to_owned()),
        (false, 256) => ("0".to_owned(), BELOW_TWO_TO_256.to_owned()),
        (true, bits) => ((i128::MIN >> (128 - bits)).to_string(), (i128::MAX >> (128 - bits)).to_string()),
        (false, bits) => ("0".to_owned(), (u128::MAX >> (128 - bits)).to_string()),
    };
    (Whole::of(&smallest), Whole::of(&largest))
}

/// The nearest value of the width, as the column would store it; beyond the finite ones the bound is not exact.
fn float(text: &str, bits: u16) -> Option<Position> {
    let (shown, infinite) = if bits == 32 {
        let value: f32 = text.parse().ok()?;
        let bounded = if value == f32::INFINITY { f32::MAX } else { value };
        (format!("{bounded:e}"), value.is_infinite())
    } else {
        let value: f64 = text.parse().ok()?;
        let bounded = if value == f64::INFINITY { f64::MAX } else { value };
        (format!("{bounded:e}"), value.is_infinite())
    };
    // the largest value not above a number below all finite ones is minus infinity
    Some(Position::At { text: if shown == "-0e0" { "0e0".to_owned() } else { shown }, exact: !infinite })
}

fn moment(value: &Scalar, zone: &TimeZone) -> Result<Moment, Mismatch> {
    match value {
        Scalar::Text(text) => instant::from_text(text, zone),
        Scalar::Number(text) => Exact::parse(text).and_then(|number| instant::from_milliseconds(&number)),
        _ => None,
    }
    .ok_or(MOMENT)
}

fn day(moment: Moment, wide: bool, zone: &TimeZone) -> Position {
    let (day, exact) = match moment {
        Moment::Day(day) => (day, true),
        Moment::At(instant) => match instant::day_of(instant, zone) {
            // O24: a day is its local midnight
            Some(day) => (day, instant::start_of(day, zone) == instant),
            None => return if instant.0 < 0 { Position::Below } else { Position::Above },
        },
    };
    let (first, last) = match wide {
        true => (Date::constant(1900, 1, 1), Date::constant(2299, 12, 31)),
        false => (Date::constant(1970, 1, 1), Date::constant(2149, 6, 6)),
    };
    match () {
        () if day < first => Position::Below,
        () if day > last => Position::Above,
        () => Position::At { text: day.to_string(), exact },
    }
}

fn ticks(moment: Moment, scale: u8, range: std::ops::RangeInclusive<i128>, zone: &TimeZone) -> Position {
    let Instant(nanoseconds) = match moment {
        Moment::At(instant) => instant,
        Moment::Day(day) => instant::start_of(day, zone),
    };
    let unit = 10_i128.pow(9 - u32::from(scale));
    let floor = nanoseconds.div_euclid(unit);
    match () {
        () if floor < *range.start() => Position::Below,
        () if floor > *range.end() => Position::Above,
        () => Position::At { text: floor.to_string(), exact: nanoseconds.rem_euclid(unit) == 0 },
    }
}

/// Whether the text is the one that ClickHouse prints for the value (`EQ` is exact: '07' is not 7).
fn is_canonical(column_type: &ColumnType, text: &str) -> bool {
    match column_type {
        ColumnType::Uuid => {
            text.len() == 36
                && text.bytes().enumerate().all(|(index, byte)| match index {
                    8 | 13 | 18 | 23 => byte == b'-',
                    _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
                })
        }
        ColumnType::Ipv4 => text.parse::<std::net::Ipv4Addr>().is_ok(),
        // compared as text, so that whatever is not canonical equals nothing
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(domain: &Domain, value: Scalar) -> String {
        match position(domain, &value, &TimeZone::UTC) {
            Ok(Position::At { text, exact }) => format!("{text}{}", if exact { "" } else { "+" }),
            Ok(other) => format!("{other:?}"),
            Err(Mismatch(_)) => "mismatch".to_owned(),
        }
    }

    fn of_number(domain: &Domain, text: &str) -> String {
        placed(domain, Scalar::Number(text.to_owned()))
    }

    #[test]
    fn the_ends_of_every_width_are_known() {
        for bits in [8_u16, 16, 32, 64, 128] {
            let signed = Domain::Whole { signed: true, bits };
            let unsigned = Domain::Whole { signed: false, bits };
            let largest = (u128::MAX >> (128 - bits)).to_string();
            assert_eq!(of_number(&unsigned, &largest), largest);
            assert_eq!(of_number(&signed, &largest), "Above");
            assert_eq!(of_number(&unsigned, "-1"), "Below");
            let smallest = (i128::MIN >> (128 - bits)).to_string();
            assert_eq!(of_number(&signed, &smallest), smallest);
        }
        let widest = Domain::Whole { signed: true, bits: 256 };
        assert_eq!(of_number(&widest, TWO_TO_255), "Above");
        assert_eq!(of_number(&widest, &format!("-{TWO_TO_255}")), format!("-{TWO_TO_255}"));
        assert_eq!(of_number(&widest, "1e400"), "Above");
    }

    #[test]
    fn floats_are_the_nearest_of_their_width() {
        assert_eq!(of_number(&Domain::Float(64), "0.1"), "1e-1");
        assert_eq!(of_number(&Domain::Float(64), "1e400"), "1.7976931348623157e308+");
        assert_eq!(of_number(&Domain::Float(64), "-1e400"), "-inf+");
        assert_eq!(of_number(&Domain::Float(32), "1e39"), "3.4028235e38+");
        assert_eq!(of_number(&Domain::Float(32), "-0"), "0e0");
        assert_eq!(placed(&Domain::Float(64), Scalar::Text("1".to_owned())), "mismatch");
    }

    #[test]
    fn days_and_ticks_lie_where_their_types_put_them() {
        let text = |domain: &Domain, text: &str| placed(domain, Scalar::Text(text.to_owned()));
        let day = Domain::Day { wide: false };
        assert_eq!(text(&day, "2026-02-30"), "mismatch");
        assert_eq!(text(&day, "1969-12-31"), "Below");
        assert_eq!(text(&day, "2149-06-07"), "Above");
        assert_eq!(text(&day, "2026-03-18T00:00:00Z"), "2026-03-18");
        assert_eq!(text(&day, "2026-03-18T00:00:01Z"), "2026-03-18+");
        assert_eq!(text(&Domain::Tick(3, None), "2026-03-18T07:30:00.1234Z"), "1773819000123+");
        assert_eq!(text(&Domain::Tick(9, None), "2300-01-01"), "Above");
        assert_eq!(text(&Domain::Second(None), "9999-12-31"), "Above");
        assert_eq!(text(&Domain::Second(None), "9999-12-31T23:59:59.999Z"), "Above");
        assert_eq!(text(&Domain::Second(None), "0000-01-01"), "Below");
        assert_eq!(text(&day, "9999-12-31T23:59:59Z"), "Above");
        assert_eq!(text(&Domain::Second(None), "1969-12-31T23:59:59.9Z"), "Below");
        assert_eq!(of_number(&Domain::Tick(0, None), "1773819000999"), "1773819000+");
        assert_eq!(of_number(&Domain::Tick(3, None), "1e400"), "Above");
        assert_eq!(of_number(&Domain::Tick(3, None), "-1e40"), "Below");
    }

    #[test]
    fn digits_may_be_text_where_numbers_lose_them() {
        let text = |domain: &Domain, text: &str| placed(domain, Scalar::Text(text.to_owned()));
        let wide = Domain::Whole { signed: false, bits: 64 };
        assert_eq!(text(&wide, "18446744073709551615"), "18446744073709551615");
        assert_eq!(text(&wide, "07"), "mismatch");
        assert_eq!(text(&wide, "1.5"), "mismatch");
        assert_eq!(text(&Domain::Whole { signed: false, bits: 32 }, "1"), "mismatch");
        assert_eq!(text(&Domain::Decimal(10, 2), "1.999"), "1.99+");
        assert_eq!(of_number(&Domain::Decimal(4, 2), "100"), "Above");
        assert_eq!(of_number(&Domain::Decimal(4, 2), "-99.995"), "Below");
    }
    #[test]
    fn a_system_operators_text_is_the_values_own_or_none() {
        let found = |domain: &Domain, text: &str| match position_of_text(domain, text, &TimeZone::UTC) {
            Position::At { text, exact: true } => text,
            _ => String::new(),
        };
        for whole in [Domain::Whole { signed: true, bits: 32 }, Domain::Whole { signed: true, bits: 64 }] {
            assert_eq!(
                (found(&whole, "7"), found(&whole, "-7"), found(&whole, "0")),
                ("7".into(), "-7".into(), "0".into())
            );
            for foreign in ["1e3", "7.0", "-0", "07", "+7", " 7", "", "x"] {
                assert_eq!(found(&whole, foreign), "", "{foreign}");
            }
        }
        let price = Domain::Decimal(10, 2);
        assert_eq!(
            (found(&price, "7"), found(&price, "7.5"), found(&price, "-0.25")),
            ("7.00".into(), "7.50".into(), "-0.25".into())
        );
        for foreign in ["7.0", "7.50", "75e-1", "7.", ".5", "7.125"] {
            assert_eq!(found(&price, foreign), "", "{foreign}");
        }
    }
}
