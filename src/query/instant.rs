//! Dates and instants as callers write them (query-language 9, O10): ISO-8601 or epoch milliseconds.
//!
//! Reads no clock and no zone database of the machine: the zones are those that the program carries.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{TimeZone, TimeZoneDatabase};

use super::exact::{Exact, Floor, Whole};

/// Nanoseconds since 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instant(pub(super) i128);

/// What a caller's text or number says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// A calendar day, without a zone.
    Day(Date),
    /// An instant.
    At(Instant),
}

const NANOSECONDS_PER_MILLISECOND: i128 = 1_000_000;
/// Milliseconds far beyond every column; the exact distance makes no difference there.
const BEYOND: i128 = 1_000_000_000_000_000_000_000;
const NANOSECONDS_PER_SECOND: i128 = 1_000_000_000;

/// The zone of that name; UTC for a name that the program does not know, which the compiler refuses long before.
pub(super) fn zone(name: &str) -> TimeZone {
    TimeZoneDatabase::bundled().get(name).unwrap_or(TimeZone::UTC)
}

/// Reads an ISO date, or a date and time with `Z`, an offset, or none (then local in `zone`). None if it is neither,
/// or no day of the calendar.
pub(super) fn from_text(text: &str, zone: &TimeZone) -> Option<Moment> {
    let (date_text, time_text) = text.split_at_checked(10)?;
    let date = date(date_text)?;
    if time_text.is_empty() {
        return Some(Moment::Day(date));
    }
    let rest = time_text.strip_prefix('T')?;
    let (clock, offset) = match rest.find(['Z', '+', '-']) {
        Some(at) => (&rest[..at], Some(offset_seconds(&rest[at..])?)),
        None => (rest, None),
    };
    let (seconds_text, fraction) = match clock.split_once('.') {
        Some((seconds, fraction)) => (seconds, nanoseconds(fraction)?),
        None => (clock, 0),
    };
    let (hour, minute, second) = match seconds_text.len() {
        5 if clock == seconds_text => (two(seconds_text, 0)?, two(&seconds_text[2..], 1)?, 0),
        8 => (two(seconds_text, 0)?, two(seconds_text.get(2..5)?, 1)?, two(seconds_text.get(5..8)?, 1)?),
        _ => return None,
    };
    let time = Time::new(hour, minute, second, fraction).ok()?;
    let written = DateTime::from_parts(date, time);
    Some(Moment::At(match offset {
        Some(offset) => Instant(nanoseconds_in_utc(written) - i128::from(offset) * NANOSECONDS_PER_SECOND),
        None => local(written, zone),
    }))
}

/// Epoch milliseconds; none where the number is not whole.
pub(super) fn from_milliseconds(number: &Exact) -> Option<Moment> {
    let milliseconds = match number.floor(0) {
        Floor::At(whole, true) => whole.to_i128().unwrap_or(if whole < Whole::of("0") { i128::MIN } else { i128::MAX }),
        Floor::At(_, false) => return None,
        Floor::Below => i128::MIN,
        Floor::Above => i128::MAX,
    };
    Some(Moment::At(Instant(milliseconds.clamp(-BEYOND, BEYOND) * NANOSECONDS_PER_MILLISECOND)))
}

/// The first instant of a day in a zone; at the ends of the calendar, where no column reaches, in UTC.
pub(super) fn start_of(day: Date, zone: &TimeZone) -> Instant {
    local(DateTime::from_parts(day, Time::midnight()), zone)
}

/// The day on which an instant falls in a zone; none beyond the calendar.
pub(super) fn day_of(instant: Instant, zone: &TimeZone) -> Option<Date> {
    let timestamp = jiff::Timestamp::from_nanosecond(instant.0).ok()?;
    Some(zone.to_datetime(timestamp).date())
}

fn local(written: DateTime, zone: &TimeZone) -> Instant {
    Instant(match written.to_zoned(zone.clone()) {
        Ok(zoned) => zoned.timestamp().as_nanosecond(),
        Err(_) => nanoseconds_in_utc(written),
    })
}

/// Counted on the calendar: timestamps end a day before it does, and `9999-12-31` is a word for "never".
fn nanoseconds_in_utc(written: DateTime) -> i128 {
    written.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_nanos()
}

fn date(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let year = whole(text.get(0..4)?)?;
    Date::new(i16::try_from(year).ok()?, two(text.get(5..7)?, 0)?, two(text.get(8..10)?, 0)?).ok()
}

/// `+08:00`, `-0530`, `+08`, `Z`, in seconds.
fn offset_seconds(text: &str) -> Option<i32> {
    if text == "Z" {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits = text.get(1..)?;
    let (hours, minutes) = match digits.len() {
        2 => (two(digits, 0)?, 0),
        4 => (two(digits.get(0..2)?, 0)?, two(digits.get(2..4)?, 0)?),
        5 => (two(digits.get(0..2)?, 0)?, two(digits.get(2..5)?, 1)?),
        _ => return None,
    };
    (hours <= 18 && minutes < 60).then(|| sign * (i32::from(hours) * 3600 + i32::from(minutes) * 60))
}

/// Two digits, after a colon where `skip` is 1.
fn two(text: &str, skip: usize) -> Option<i8> {
    if skip == 1 && !text.starts_with(':') {
        return None;
    }
    i8::try_from(whole(text.get(skip..skip + 2)?)?).ok()
}

fn nanoseconds(fraction: &str) -> Option<i32> {
    if fraction.is_empty() || fraction.len() > 9 {
        return None;
    }
    let value = whole(fraction)?;
    i32::try_from(value * 10_u32.pow(9 - fraction.len() as u32)).ok()
}

fn whole(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<i128> {
        match from_text(text, &zone("Asia/Shanghai"))? {
            Moment::At(Instant(nanoseconds)) => Some(nanoseconds / NANOSECONDS_PER_SECOND),
            Moment::Day(_) => None,
        }
    }

    #[test]
    fn iso_times_are_instants() {
        for text in [
            "2026-03-18T07:30:00Z",
            "2026-03-18T07:30Z",
            "2026-03-18T15:30:00.000+08:00",
            "2026-03-18T15:30:00+08",
            "2026-03-18T15:30:00",
            "2026-03-17T23:30:00-0800",
        ] {
            assert_eq!(seconds(text), Some(1_773_819_000), "{text}");
        }
    }

    #[test]
    fn what_is_on_no_calendar_is_no_moment() {
        for text in [
            "",
            "2026",
            "2026-02-30",
            "2026-13-01",
            "2026-00-10",
            "26-01-01",
            "2026-1-1",
            "2026-03-18 07:30:00Z",
            "2026-03-18T",
            "2026-03-18T25:00",
            "2026-03-18T07:60",
            "2026-03-18T07:30:61",
            "2026-03-18T7:30",
            "2026-03-18T07:30:00.Z",
            "2026-03-18T07:30:00.1234567890Z",
            "2026-03-18T07:30:00+24:00",
            "2026-03-18Z",
            "+002026-03-18",
            "2026-03-18T07:30.5Z",
            "２０２６-03-18",
            "2026-03-18T07:30:00ZZ",
            "2026-03-18T+1:00",
        ] {
            assert_eq!(from_text(text, &TimeZone::UTC), None, "{text}");
        }
        assert!(from_text("2024-02-29", &TimeZone::UTC).is_some());
    }

    #[test]
    fn milliseconds_are_instants_and_huge_ones_stay_huge() {
        let read = |text| from_milliseconds(&Exact::parse(text).expect("a number"));
        assert_eq!(read("1773819000000"), Some(Moment::At(Instant(1_773_819_000_000_000_000))));
        assert_eq!(read("0.5"), None);
        assert!(matches!(read("-1e400"), Some(Moment::At(Instant(value))) if value < 0));
        assert!(matches!(read("1e60"), Some(Moment::At(Instant(value))) if value > 0));
        assert!(matches!(read("-1e60"), Some(Moment::At(Instant(value))) if value < 0));
    }
}
