//! Decimal numbers without rounding: what a caller's number is at a column's scale, and whether a column can hold it.

use super::json::is_number;

/// A number as its digits: `±digits × 10^exponent`, digits without zeros at either end; zero has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exact {
    negative: bool,
    digits: String,
    exponent: i64,
}

/// More digits than any column has: such numbers are beyond every range, whatever they are.
const MOST_DIGITS: i64 = 100;

/// The whole part of a number at some scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Floor {
    /// Below every column's range.
    Below,
    /// Above every column's range.
    Above,
    /// The largest whole not above the number, and whether it is the number.
    At(Whole, bool),
}

/// A whole number of any size that a column could hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    negative: bool,
    digits: String,
}

impl Exact {
    /// Reads the text of a JSON number; none if it is no such text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if !is_number(text) {
            return None;
        }
        let (negative, unsigned) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        let trimmed = digits.trim_end_matches('0');
        if trimmed.is_empty() {
            return Some(Self { negative: false, digits: String::new(), exponent: 0 });
        }
        // a power beyond i64 is as good as endless in its direction
        let endless = if power.starts_with('-') { i64::MIN / 4 } else { i64::MAX / 4 };
        let power: i64 = power.parse().map_or(endless, |power: i64| power.clamp(i64::MIN / 4, i64::MAX / 4));
        let exponent = power - fraction.len() as i64 + (digits.len() - trimmed.len()) as i64;
        Some(Self { negative, digits: trimmed.to_owned(), exponent })
    }

    /// Whether nothing stands after the point.
    pub(super) fn is_whole(&self) -> bool {
        self.exponent >= 0
    }

    /// The largest whole number of units of `10^-scale` that is not above this number.
    pub(super) fn floor(&self, scale: u32) -> Floor {
        let exponent = self.exponent + i64::from(scale);
        let length = self.digits.len() as i64 + exponent;
        if length > MOST_DIGITS {
            return if self.negative { Floor::Below } else { Floor::Above };
        }
        if exponent >= 0 {
            let digits = format!("{}{}", self.digits, "0".repeat(exponent as usize));
            return Floor::At(Whole::new(self.negative, &digits), true);
        }
        let kept = &self.digits[..length.max(0) as usize];
        let truncated = Whole::new(self.negative, kept);
        Floor::At(if self.negative { Whole::new(true, &plus_one(kept)) } else { truncated }, self.digits.is_empty())
    }
}

impl Whole {
    fn new(negative: bool, digits: &str) -> Self {
        let digits = digits.trim_start_matches('0');
        match digits.is_empty() {
            true => Self { negative: false, digits: "0".to_owned() },
            false => Self { negative, digits: digits.to_owned() },
        }
    }

    /// Reads the digits of a whole number, with a minus or without.
    pub(super) fn of(text: &str) -> Self {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        Self::new(negative, digits)
    }

    /// The number as text of units of `10^-scale`.
    pub(super) fn with_point(&self, scale: u32) -> String {
        let sign = if self.negative { "-" } else { "" };
        let scale = scale as usize;
        if scale == 0 {
            return format!("{sign}{}", self.digits);
        }
        let padded = format!("{:0>width$}", self.digits, width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        format!("{sign}{whole}.{fraction}")
    }

    /// The number as an `i128`; none if it does not fit.
    pub(super) fn to_i128(&self) -> Option<i128> {
        self.with_point(0).parse().ok()
    }
}

impl PartialOrd for Whole {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Whole {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let size = |whole: &Self| (whole.digits.len(), whole.digits.clone());
        match (self.negative, other.negative) {
            (false, true) => std::cmp::Ordering::Greater,
            (true, false) => std::cmp::Ordering::Less,
            (false, false) => size(self).cmp(&size(other)),
            (true, true) => size(other).cmp(&size(self)),
        }
    }
}

fn plus_one(digits: &str) -> String {
    let kept = digits.trim_end_matches('9');
    let nines = digits.len() - kept.len();
    let raised = match kept.as_bytes().last() {
        Some(last) => format!("{}{}", &kept[..kept.len() - 1], char::from(last + 1)),
        None => "1".to_owned(),
    };
    format!("{raised}{}", "0".repeat(nines))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floor(text: &str, scale: u32) -> String {
        match Exact::parse(text).expect("a number").floor(scale) {
            Floor::Below => "below".to_owned(),
            Floor::Above => "above".to_owned(),
            Floor::At(whole, exact) => format!("{}{}", whole.with_point(scale), if exact { "" } else { "+" }),
        }
    }

    #[test]
    fn a_number_is_cut_down_to_a_scale() {
        let cases = [
            ("1.999", 2, "1.99+"),
            ("-1.999", 2, "-2.00+"),
            ("-1.001", 2, "-1.01+"),
            ("1.50", 2, "1.50"),
            ("-0", 0, "0"),
            ("-0.0e5", 3, "0.000"),
            ("0.001", 2, "0.00+"),
            ("-0.001", 2, "-0.01+"),
            ("1e3", 0, "1000"),
            ("12300e-2", 0, "123"),
            ("2.0", 0, "2"),
            ("-99.5", 0, "-100+"),
            ("18446744073709551617", 0, "18446744073709551617"),
            ("1e400", 0, "above"),
            ("-1e99999999999999999999", 2, "below"),
            ("1e-99999999999999999999", 2, "0.00+"),
            ("-1e-99999999999999999999", 2, "-0.01+"),
            ("0e99999999999999999999", 0, "0"),
        ];
        for (text, scale, expected) in cases {
            assert_eq!(floor(text, scale), expected, "{text} at {scale}");
        }
    }

    #[test]
    fn wholes_are_ordered_by_value() {
        let sorted = ["-100", "-20", "-3", "0", "3", "20", "100"].map(Whole::of);
        assert!(sorted.is_sorted());
        assert_eq!(Whole::of("-0"), Whole::of("000"));
    }

    #[test]
    fn only_json_numbers_are_numbers() {
        for text in ["", "+1", "07", " 1", "1.", "nan", "inf", "0x1", "1_000", "1,5"] {
            assert_eq!(Exact::parse(text), None, "{text}");
        }
    }

    #[test]
    fn wholeness_is_of_the_value() {
        let whole = |text| Exact::parse(text).expect("a number").is_whole();
        assert!(whole("2.0") && whole("20e-1") && whole("1e400"));
        assert!(!whole("2.5") && !whole("1e-1"));
    }
}
