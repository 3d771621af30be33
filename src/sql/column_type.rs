//! ClickHouse types: parsed from and printed to the text of `system.columns`.

use std::fmt;

use super::literal;

/// A ClickHouse type. Printing gives the text that the server gives (`print_pretty_type_names = 0`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// `String`
    String,
    /// `FixedString(n)`
    FixedString(u32),
    /// `Bool`
    Bool,
    /// `Int8` … `Int256`, by bits
    Int(u16),
    /// `UInt8` … `UInt256`, by bits
    UInt(u16),
    /// `Float32`, `Float64`, by bits
    Float(u16),
    /// `Decimal(precision, scale)`
    Decimal(u8, u8),
    /// `Date`
    Date,
    /// `Date32`
    Date32,
    /// `DateTime`, with its zone if it names one
    DateTime(Option<String>),
    /// `DateTime64(scale)`, with its zone if it names one
    DateTime64(u8, Option<String>),
    /// `UUID`
    Uuid,
    /// `IPv4`
    Ipv4,
    /// `IPv6`
    Ipv6,
    /// `Enum8(…)` or `Enum16(…)`, as its text
    Enum(String),
    /// `Nullable(T)`
    Nullable(Box<ColumnType>),
    /// `LowCardinality(T)`
    LowCardinality(Box<ColumnType>),
    /// `Array(T)`
    Array(Box<ColumnType>),
    /// `Map(K, V)`
    Map(Box<ColumnType>, Box<ColumnType>),
    /// `Tuple(…)`, elements with their names if they have any
    Tuple(Vec<(Option<String>, ColumnType)>),
    /// `JSON` or `JSON(…)`, as its text
    Json(String),
    /// Any other type, as its text; nothing can be computed with it
    Other(String),
}

/// A text that is no type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a ClickHouse type")]
pub struct TypeError(pub String);

impl ColumnType {
    /// Reads the text of a type.
    ///
    /// # Errors
    /// If parentheses or quotes do not close, or an argument is not of its kind.
    pub fn parse(text: &str) -> Result<Self, TypeError> {
        let wrong = || TypeError(text.to_owned());
        let text = text.trim();
        let (name, arguments) = match text.find('(') {
            None => (text, None),
            Some(open) => {
                let inner = text[open + 1..].strip_suffix(')').ok_or_else(wrong)?;
                (text[..open].trim_end(), Some(split_arguments(inner).ok_or_else(wrong)?))
            }
        };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(wrong());
        }
        let arguments: Vec<&str> = arguments.unwrap_or_default();
        let number = |index: usize| arguments.get(index).and_then(|text| text.trim().parse::<u32>().ok());
        let nested =
            |index: usize| arguments.get(index).ok_or_else(wrong).and_then(|text| Self::parse(text)).map(Box::new);
        let zone = |index: usize| arguments.get(index).map(|text| unquoted(text).ok_or_else(wrong)).transpose();
        let decimal = |precision: u32, scale: Option<u32>| -> Result<Self, TypeError> {
            let scale = scale.ok_or_else(wrong)?;
            if precision == 0 || precision > 76 || scale > precision {
                return Err(wrong());
            }
            Ok(Self::Decimal(precision as u8, scale as u8))
        };
        Ok(match (name, arguments.len()) {
            ("String", 0) => Self::String,
            ("FixedString", 1) => Self::FixedString(number(0).ok_or_else(wrong)?),
            ("Bool", 0) => Self::Bool,
            ("Int8" | "Int16" | "Int32" | "Int64" | "Int128" | "Int256", 0) => Self::Int(bits(name).ok_or_else(wrong)?),
            ("UInt8" | "UInt16" | "UInt32" | "UInt64" | "UInt128" | "UInt256", 0) => {
                Self::UInt(bits(name).ok_or_else(wrong)?)
            }
            ("Float32" | "Float64", 0) => Self::Float(bits(name).ok_or_else(wrong)?),
            ("Decimal", 2) => decimal(number(0).ok_or_else(wrong)?, number(1))?,
            ("Decimal32", 1) => decimal(9, number(0))?,
            ("Decimal64", 1) => decimal(18, number(0))?,
            ("Decimal128", 1) => decimal(38, number(0))?,
            ("Decimal256", 1) => decimal(76, number(0))?,
            ("Date", 0) => Self::Date,
            ("Date32", 0) => Self::Date32,
            ("DateTime", 0 | 1) => Self::DateTime(zone(0)?),
            ("DateTime64", 1 | 2) => {
                Self::DateTime64(number(0).filter(|scale| *scale <= 9).ok_or_else(wrong)? as u8, zone(1)?)
            }
            ("UUID", 0) => Self::Uuid,
            ("IPv4", 0) => Self::Ipv4,
            ("IPv6", 0) => Self::Ipv6,
            ("Enum8" | "Enum16", 1..) => Self::Enum(text.to_owned()),
            ("Nullable", 1) => Self::Nullable(nested(0)?),
            ("LowCardinality", 1) => Self::LowCardinality(nested(0)?),
            ("Array", 1) => Self::Array(nested(0)?),
            ("Map", 2) => Self::Map(nested(0)?, nested(1)?),
            ("Tuple", 1..) => Self::Tuple(arguments.iter().map(|text| tuple_element(text)).collect::<Result<_, _>>()?),
            ("JSON", _) => Self::Json(text.to_owned()),
            _ => Self::Other(text.to_owned()),
        })
    }

    /// The type without `LowCardinality` and `Nullable` around it.
    pub fn inner(&self) -> &Self {
        match self {
            Self::Nullable(inner) | Self::LowCardinality(inner) => inner.inner(),
            other => other,
        }
    }

    /// The type without `LowCardinality` around it; `Nullable` stays.
    pub fn without_low_cardinality(&self) -> Self {
        match self {
            Self::LowCardinality(inner) => (**inner).clone(),
            other => other.clone(),
        }
    }

    /// Whether a value may be null.
    pub fn is_nullable(&self) -> bool {
        match self {
            Self::Nullable(_) => true,
            Self::LowCardinality(inner) => inner.is_nullable(),
            _ => false,
        }
    }

    /// Whether ClickHouse allows `Nullable` around the type.
    pub fn can_be_nullable(&self) -> bool {
        !matches!(self.inner(), Self::Array(_) | Self::Map(..) | Self::Tuple(_) | Self::Other(_))
    }

    /// The type of the same value where it may be null; the type itself where null is impossible (arrays, maps, tuples).
    pub fn nullable(&self) -> Self {
        match self {
            _ if self.is_nullable() || !self.can_be_nullable() => self.clone(),
            Self::LowCardinality(inner) => Self::LowCardinality(Box::new(inner.nullable())),
            other => Self::Nullable(Box::new(other.clone())),
        }
    }

    /// Whether a value of the type is or contains text, so that its level must be stated (design 3.1).
    pub fn contains_text(&self) -> bool {
        match self {
            Self::String | Self::FixedString(_) | Self::Enum(_) | Self::Json(_) | Self::Other(_) => true,
            Self::Nullable(inner) | Self::LowCardinality(inner) | Self::Array(inner) => inner.contains_text(),
            Self::Map(key, value) => key.contains_text() || value.contains_text(),
            Self::Tuple(elements) => elements.iter().any(|(_, element)| element.contains_text()),
            _ => false,
        }
    }
}

/// The elements of `Tuple(…)` given without the word: `name Type, name Type`.
///
/// # Errors
/// If one of them is not a type.
pub fn parse_tuple_elements(text: &str) -> Result<Vec<(Option<String>, ColumnType)>, TypeError> {
    let arguments = split_arguments(text).ok_or_else(|| TypeError(text.to_owned()))?;
    arguments.iter().map(|text| tuple_element(text)).collect()
}

fn bits(name: &str) -> Option<u16> {
    name.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()
}

fn unquoted(text: &str) -> Option<String> {
    let inner = text.trim().strip_prefix('\'')?.strip_suffix('\'')?;
    (!inner.contains(['\'', '\\'])).then(|| inner.to_owned())
}

fn tuple_element(text: &str) -> Result<(Option<String>, ColumnType), TypeError> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('`') {
        let end = closing_backtick(rest).ok_or_else(|| TypeError(text.to_owned()))?;
        let name = rest[..end].replace("\\`", "`").replace("\\\\", "\\");
        return Ok((Some(name), ColumnType::parse(&rest[end + 1..])?));
    }
    let word_end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    if text[word_end..].starts_with(char::is_whitespace) {
        return Ok((Some(text[..word_end].to_owned()), ColumnType::parse(&text[word_end..])?));
    }
    Ok((None, ColumnType::parse(text)?))
}

fn closing_backtick(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (index, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '`' => return Some(index),
            _ => {}
        }
    }
    None
}

/// Splits at commas outside parentheses and quotes; none if something does not close.
pub(crate) fn split_arguments(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut start, mut quote, mut escaped) = (0usize, 0usize, None, false);
    let mut parts = Vec::new();
    for (index, character) in text.char_indices() {
        match (quote, character) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '`') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.checked_sub(1)?,
            (None, ',') if depth == 0 => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    (depth == 0 && quote.is_none()).then_some(parts)
}

impl fmt::Display for ColumnType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String => formatter.write_str("String"),
            Self::FixedString(length) => write!(formatter, "FixedString({length})"),
            Self::Bool => formatter.write_str("Bool"),
            Self::Int(bits) => write!(formatter, "Int{bits}"),
            Self::UInt(bits) => write!(formatter, "UInt{bits}"),
            Self::Float(bits) => write!(formatter, "Float{bits}"),
            Self::Decimal(precision, scale) => write!(formatter, "Decimal({precision}, {scale})"),
            Self::Date => formatter.write_str("Date"),
            Self::Date32 => formatter.write_str("Date32"),
            Self::DateTime(None) => formatter.write_str("DateTime"),
            Self::DateTime(Some(zone)) => write!(formatter, "DateTime({})", literal::string(zone)),
            Self::DateTime64(scale, None) => write!(formatter, "DateTime64({scale})"),
            Self::DateTime64(scale, Some(zone)) => write!(formatter, "DateTime64({scale}, {})", literal::string(zone)),
            Self::Uuid => formatter.write_str("UUID"),
            Self::Ipv4 => formatter.write_str("IPv4"),
            Self::Ipv6 => formatter.write_str("IPv6"),
            Self::Enum(text) | Self::Json(text) | Self::Other(text) => formatter.write_str(text),
            Self::Nullable(inner) => write!(formatter, "Nullable({inner})"),
            Self::LowCardinality(inner) => write!(formatter, "LowCardinality({inner})"),
            Self::Array(inner) => write!(formatter, "Array({inner})"),
            Self::Map(key, value) => write!(formatter, "Map({key}, {value})"),
            Self::Tuple(elements) => {
                formatter.write_str("Tuple(")?;
                for (index, (name, element)) in elements.iter().enumerate() {
                    if index > 0 {
                        formatter.write_str(", ")?;
                    }
                    match name {
                        Some(name) if plain(name) => write!(formatter, "{name} {element}")?,
                        Some(name) => write!(formatter, "{} {element}", super::Identifier::new(name))?,
                        None => write!(formatter, "{element}")?,
                    }
                }
                formatter.write_str(")")
            }
        }
    }
}

fn plain(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_prints_as_the_server_prints_it() {
        for text in [
            "String",
            "FixedString(16)",
            "UInt256",
            "Decimal(18, 2)",
            "DateTime64(3, 'Asia/Tokyo')",
            "DateTime64(3)",
            "Nullable(DateTime('UTC'))",
            "LowCardinality(Nullable(String))",
            "Array(Tuple(sku Nullable(String), qty Int64))",
            "Map(String, Array(UInt8))",
            "Tuple(String, `b c` Int8)",
            "Enum8('x' = 1, 'it\\'s, (odd' = 2)",
            "JSON(max_dynamic_paths=8, a.b UInt32)",
            "JSON",
            "AggregateFunction(sum, UInt32)",
            "Dynamic",
        ] {
            assert_eq!(ColumnType::parse(text).expect(text).to_string(), text);
        }
    }

    #[test]
    fn older_spellings_of_decimals_are_read() {
        assert_eq!(ColumnType::parse("Decimal64(4)"), Ok(ColumnType::Decimal(18, 4)));
    }

    #[test]
    fn what_does_not_close_is_no_type() {
        for text in
            ["", "Array(", "Array(String))", "Enum8('x)", "Decimal(5)", "Decimal(5, 9)", "a b", "DateTime64(10)"]
        {
            assert!(matches!(ColumnType::parse(text), Err(_) | Ok(ColumnType::Other(_))), "{text}");
        }
        assert!(ColumnType::parse("Array(").is_err());
    }

    #[test]
    fn text_is_found_wherever_it_hides() {
        for text in [
            "LowCardinality(Nullable(String))",
            "Map(UInt8, FixedString(2))",
            "Tuple(a Int8, b JSON)",
            "Enum8('a' = 1)",
        ] {
            assert!(ColumnType::parse(text).expect(text).contains_text(), "{text}");
        }
        assert!(!ColumnType::parse("Array(Nullable(Decimal(9, 2)))").expect("a type").contains_text());
    }

    #[test]
    fn arrays_cannot_be_null() {
        let array = ColumnType::parse("Array(String)").expect("a type");
        assert_eq!(array.nullable(), array);
        let low = ColumnType::parse("LowCardinality(String)").expect("a type");
        assert_eq!(low.nullable().to_string(), "LowCardinality(Nullable(String))");
    }
}
