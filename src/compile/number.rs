//! Numbers as written: every digit is kept, nothing passes through a float (design 4.3).

use crate::sql::ColumnType;

/// The most digits that any ClickHouse number has.
const MOST_DIGITS: usize = 76;

/// A written number: `digits / 10^scale`, with its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    negative: bool,
    /// Without leading zeros; at least one digit.
    digits: String,
    scale: u32,
    /// Written with an exponent: a float unless something else is asked for.
    exponent: bool,
}

impl Number {
    /// Reads `12`, `12.34`, `.5`, `1e3`; none if it is no number, or has more digits than any type holds.
    pub fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            None => (text, None),
            Some(at) => (&text[..at], Some(text[at + 1..].parse::<i32>().ok()?)),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if (whole.is_empty() && fraction.is_empty())
            || !(whole.bytes().chain(fraction.bytes())).all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let mut digits = format!("{whole}{fraction}").trim_start_matches('0').to_owned();
        let mut scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent.unwrap_or(0))?;
        if digits.is_empty() {
            digits.push('0');
            scale = scale.clamp(0, MOST_DIGITS as i32);
        }
        let float = exponent.is_some();
        if (-400..0).contains(&scale) {
            digits.extend(std::iter::repeat_n('0', scale.unsigned_abs() as usize));
            scale = 0;
        }
        let scale = u32::try_from(scale).ok().filter(|scale| *scale <= 400)?;
        (float || digits.len().max(scale as usize) <= MOST_DIGITS).then_some(Self {
            negative: false,
            digits,
            scale,
            exponent: float,
        })
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        let negative = !self.negative && self.digits != "0";
        Self { negative, ..self.clone() }
    }

    /// The type that the number has where nothing else decides: the smallest integer (as ClickHouse), an exact decimal
    /// for a fraction, `Float64` for an exponent. None for integers that no 64-bit type holds.
    pub fn own_type(&self) -> Option<ColumnType> {
        if self.exponent {
            return self.as_float().map(|_| ColumnType::Float(64));
        }
        if self.scale > 0 {
            let precision = self.digits.len().max(self.scale as usize);
            let tier = [9, 18, 38, 76].into_iter().find(|tier| *tier as usize >= precision)?;
            return Some(ColumnType::Decimal(tier, self.scale as u8));
        }
        let signs: fn(u16) -> ColumnType = if self.negative { ColumnType::Int } else { ColumnType::UInt };
        [8, 16, 32, 64].into_iter().map(signs).find(|column_type| self.fits_integer(column_type))
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.digits.bytes().all(|digit| digit == b'0')
    }

    /// As an integer, if it is one and fits.
    pub fn as_integer(&self) -> Option<i128> {
        if self.scale > 0 {
            let fraction = self.digits.len().checked_sub(self.scale as usize)?;
            if self.digits[fraction..].bytes().any(|b| b != b'0') {
                return None;
            }
            return self.sign(self.digits[..fraction].parse::<i128>().ok().or((fraction == 0).then_some(0))?);
        }
        self.sign(self.digits.parse::<i128>().ok()?)
    }

    fn sign(&self, value: i128) -> Option<i128> {
        Some(if self.negative { -value } else { value })
    }

    fn fits_integer(&self, column_type: &ColumnType) -> bool {
        let Some(value) = self.as_integer() else { return false };
        match column_type {
            ColumnType::Int(bits) if *bits < 128 => (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&value),
            ColumnType::UInt(bits) if *bits < 127 => (0..1i128 << bits).contains(&value),
            ColumnType::UInt(_) => value >= 0,
            _ => matches!(column_type, ColumnType::Int(_)),
        }
    }

    /// As a float, if that is finite.
    pub fn as_float(&self) -> Option<f64> {
        let text = format!("{}{}e-{}", if self.negative { "-" } else { "" }, self.digits, self.scale);
        text.parse::<f64>().ok().filter(|value| value.is_finite())
    }

    /// The bits that its magnitude needs at scale 0 digits (the digits as an integer).
    pub fn bits(&self) -> u16 {
        bits_of_digits(self.digits.len())
    }

    /// The SQL of this number as a value of exactly `column_type`; none if the type cannot hold it exactly (floats: nearest).
    pub fn sql(&self, column_type: &ColumnType) -> Option<String> {
        match column_type {
            ColumnType::Int(_) | ColumnType::UInt(_) => {
                let value = self.fits_integer(column_type).then(|| self.as_integer()).flatten()?;
                match self.own_type().as_ref() == Some(column_type) {
                    true => Some(value.to_string()),
                    false => Some(format!("CAST('{value}', '{column_type}')")),
                }
            }
            ColumnType::Float(64) => Some(float_text(self.as_float()?)),
            ColumnType::Float(32) => Some(format!("CAST({}, 'Float32')", float_text(self.as_float()?))),
            ColumnType::Decimal(precision, scale) => {
                let text = self.decimal_text(*precision, *scale)?;
                Some(format!("CAST('{text}', '{column_type}')"))
            }
            _ => None,
        }
    }

    fn decimal_text(&self, precision: u8, scale: u8) -> Option<String> {
        let mut digits = self.digits.clone();
        let mut own = self.scale as usize;
        while own > scale as usize {
            if digits.pop()? != '0' {
                return None;
            }
            own -= 1;
            if digits.is_empty() {
                digits.push('0');
            }
        }
        let whole = digits.len().saturating_sub(own);
        if whole + scale as usize > precision as usize && digits != "0" {
            return None;
        }
        let padded = format!("{digits:0>width$}", width = own + 1);
        let (before, after) = padded.split_at(padded.len() - own);
        let sign = if self.negative { "-" } else { "" };
        Some(if after.is_empty() { format!("{sign}{before}") } else { format!("{sign}{before}.{after}") })
    }
}

fn float_text(value: f64) -> String {
    format!("{value:?}")
}

/// The bits that any number of so many digits fits into, without sign.
pub fn bits_of_digits(digits: usize) -> u16 {
    // log2(10) = 3.3219…, rounded up.
    (digits * 33220 / 10000 + 1) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_smallest_exact_type() {
        for (text, expected) in [
            ("0", "UInt8"),
            ("256", "UInt16"),
            ("18446744073709551615", "UInt64"),
            ("12.34", "Decimal(9, 2)"),
            ("0.0000000001", "Decimal(18, 10)"),
            ("1e3", "Float64"),
        ] {
            let number = Number::parse(text).expect(text);
            assert_eq!(number.own_type().expect(text).to_string(), expected);
        }
        assert_eq!(Number::parse("129").expect("a number").negated().own_type(), Some(ColumnType::Int(16)));
        assert_eq!(Number::parse("18446744073709551616").and_then(|number| number.own_type()), None);
        assert!(Number::parse("1e999999999999").is_none());
        assert_eq!(Number::parse("1e999").and_then(|number| number.own_type()), None);
    }

    #[test]
    fn a_number_is_rendered_exactly_or_not_at_all() {
        let of = |text: &str, column_type: ColumnType| Number::parse(text).expect(text).sql(&column_type);
        assert_eq!(of("1.50", ColumnType::Decimal(18, 1)).as_deref(), Some("CAST('1.5', 'Decimal(18, 1)')"));
        assert_eq!(of("1.55", ColumnType::Decimal(18, 1)), None);
        assert_eq!(of("0.05", ColumnType::Decimal(18, 4)).as_deref(), Some("CAST('0.05', 'Decimal(18, 4)')"));
        assert_eq!(of("0.00", ColumnType::Decimal(18, 1)).as_deref(), Some("CAST('0.0', 'Decimal(18, 1)')"));
        assert_eq!(of("2.0", ColumnType::UInt(8)).as_deref(), Some("CAST('2', 'UInt8')"));
        assert_eq!(of("300", ColumnType::UInt(8)), None);
        assert_eq!(of("100", ColumnType::Decimal(3, 1)), None);
    }
}
