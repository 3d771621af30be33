//! What an argument must be, and how that is said.

use super::date;

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text
    Text,
    /// A text in quotes
    TextConstant,
    /// A text in quotes that is not empty
    Separator,
    /// One character, in quotes
    Character,
    /// A pattern of `like`, in quotes
    Pattern,
    /// A regular expression, in quotes
    Regex,
    /// One of which every fit is looked for
    EveryRegex,
    /// A word without separators, in quotes
    Token,
    /// A format of `formatDateTime`, in quotes
    Format,
    /// A format of `parseDateTime`, in quotes
    ReadFormat,
    /// A unit of time of a day or more, in quotes
    DayUnit,
    /// A unit of time, in quotes
    Unit,
    /// A time zone, in quotes
    Zone,
    /// An integer
    Integer,
    /// A written integer within bounds
    IntegerConstant(i64, i64),
    /// An integer that is brought to 16 bits, null beyond
    Amount16,
    /// An integer that is brought to 32 bits, null beyond
    Amount32,
    /// An integer that is brought to unsigned 32 bits, null beyond
    Position,
    /// A number that is computed with as a float; no decimal
    Float,
    /// Any number
    Number,
    /// An integer or float
    IntegerOrFloat,
    /// An integer or decimal
    Exact,
    /// A decimal
    Decimal,
    /// `Date`, `Date32`
    Day,
    /// `DateTime`, `DateTime64`
    Instant,
    /// A day or an instant
    Moment,
    /// A condition
    Condition,
    /// `UUID`
    Uuid,
    /// `IPv4`, `IPv6`
    Address,
    /// Anything but arrays, maps, tuples and states
    Scalar,
    /// An array
    Array,
    /// A map
    Map,
}

impl Kind {
    /// As a signature shows it.
    pub fn short(self) -> String {
        let text = match self {
            Self::Text => "text",
            Self::TextConstant | Self::Separator => "'text'",
            Self::Character => "'character'",
            Self::Pattern => "'pattern'",
            Self::Regex | Self::EveryRegex => "'regex'",
            Self::Token => "'word'",
            Self::Format | Self::ReadFormat => "'format'",
            Self::DayUnit | Self::Unit => "'unit'",
            Self::Zone => "['zone']",
            Self::Integer | Self::Amount16 | Self::Amount32 | Self::Position => "integer",
            Self::IntegerConstant(low, high) => return format!("{low}…{high}"),
            Self::Float | Self::IntegerOrFloat => "integer or float",
            Self::Number => "number",
            Self::Exact => "integer or decimal",
            Self::Decimal => "decimal",
            Self::Day => "day",
            Self::Instant => "instant",
            Self::Moment => "day or instant",
            Self::Condition => "condition",
            Self::Uuid => "UUID",
            Self::Address => "address",
            Self::Scalar => "value",
            Self::Array => "array",
            Self::Map => "map",
        };
        text.to_owned()
    }

    /// As a problem names what is needed.
    pub(super) fn needed(self) -> String {
        let quoted = |units: &[&str]| units.iter().map(|unit| format!("'{unit}'")).collect::<Vec<_>>().join(", ");
        let text = match self {
            Self::Text => "a text",
            Self::TextConstant => "a text in quotes, at most 256 bytes long,",
            Self::Separator => "a text in quotes, 1 to 256 bytes long,",
            Self::Character => "one character in quotes",
            Self::Pattern => "a pattern in quotes whose last character is no single backslash",
            Self::Regex | Self::EveryRegex => "a regular expression in quotes",
            Self::Token => "a word of letters and digits in quotes",
            Self::Format => return format!("a format in quotes with the parts {}", date::FORMAT_PARTS),
            Self::ReadFormat => return format!("a format in quotes with the parts {}", date::READ_PARTS),
            Self::DayUnit => return format!("one of {}", quoted(&date::DAY_UNITS)),
            Self::Unit => return format!("one of {}, {}", quoted(&date::UNITS), quoted(&date::DAY_UNITS)),
            Self::Zone => "a time zone in quotes, such as 'Europe/Berlin',",
            Self::Integer | Self::Amount16 | Self::Amount32 | Self::Position => "an integer",
            Self::IntegerConstant(low, high) => return format!("a written integer from {low} to {high}"),
            Self::Float | Self::IntegerOrFloat => "an integer or a float",
            Self::Number => "a number",
            Self::Exact => "an integer or a decimal",
            Self::Decimal => "a decimal",
            Self::Day => "a day",
            Self::Instant => "an instant",
            Self::Moment => "a day or an instant",
            Self::Condition => "a condition",
            Self::Uuid => "a UUID",
            Self::Address => "an address",
            Self::Scalar => "a single value",
            Self::Array => "an array",
            Self::Map => "a map",
        };
        text.to_owned()
    }
}
