//! ClickHouse types: parsed from and printed to the text of `system.columns` (ClickHouse reference: data types).

mod json;
mod names;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use json::JsonType;

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
    /// `Enum8(…)` or `Enum16(…)`
    Enum(Enumeration),
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
    /// `Nested(…)`, an array of tuples whose elements have names
    Nested(Vec<(String, ColumnType)>),
    /// `Variant(…)`, in the server's order
    Variant(Vec<ColumnType>),
    /// `JSON` or `JSON(…)`
    Json(Box<JsonType>),
    /// `AggregateFunction(…)`: a state
    AggregateFunction(Box<AggregateState>),
    /// `SimpleAggregateFunction(function, T)`: a value of `T` that merges by the function
    SimpleAggregateFunction(String, Box<ColumnType>),
    /// Any other type, as its text; nothing can be computed with it
    Other(String),
}

/// The values of an enumeration, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enumeration {
    /// 8 or 16
    pub bits: u16,
    /// Names and numbers.
    pub values: Vec<(String, i16)>,
}

/// What an `AggregateFunction` column holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AggregateState {
    /// The version of the state, where the type names one.
    pub version: Option<u32>,
    /// The function's name, such as `sum`.
    pub function: String,
    /// Its parameters as they are written, such as `0.5`.
    pub parameters: Vec<String>,
    /// The types of its arguments.
    pub arguments: Vec<ColumnType>,
}

/// A text that is no type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a ClickHouse type")]
pub struct TypeError(pub String);

impl ColumnType {
    /// Reads the text of a type, in the server's spelling or in one that people use (`VARCHAR`, `Decimal64(2)`).
    ///
    /// # Errors
    /// If parentheses or quotes do not close, an argument is not of its kind, or types are nested more than 100 deep.
    pub fn parse(text: &str) -> Result<Self, TypeError> {
        parse::whole(text).ok_or_else(|| TypeError(text.to_owned()))
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
        !matches!(
            self.inner(),
            Self::Array(_)
                | Self::Map(..)
                | Self::Tuple(_)
                | Self::Nested(_)
                | Self::Variant(_)
                | Self::AggregateFunction(_)
                | Self::SimpleAggregateFunction(..)
                | Self::Other(_)
        )
    }

    /// The type of the same value where it may be null; the type itself where null is impossible (arrays, maps, tuples).
    pub fn nullable(&self) -> Self {
        match self {
            _ if self.is_nullable() || !self.can_be_nullable() => self.clone(),
            Self::LowCardinality(inner) => Self::LowCardinality(Box::new(inner.nullable())),
            other => Self::Nullable(Box::new(other.clone())),
        }
    }

    /// Whether a value of the type is or contains text, so that its level must be stated (design 3.1). What is not known
    /// to hold none, such as `Dynamic`, may hold it.
    pub fn contains_text(&self) -> bool {
        match self {
            Self::String | Self::FixedString(_) | Self::Enum(_) | Self::Json(_) => true,
            Self::Nullable(inner) | Self::LowCardinality(inner) | Self::Array(inner) => inner.contains_text(),
            Self::Map(key, value) => key.contains_text() || value.contains_text(),
            Self::Tuple(elements) => elements.iter().any(|(_, element)| element.contains_text()),
            Self::Nested(elements) => elements.iter().any(|(_, element)| element.contains_text()),
            Self::Variant(types) => types.iter().any(Self::contains_text),
            Self::AggregateFunction(state) => state.arguments.iter().any(Self::contains_text),
            Self::SimpleAggregateFunction(_, inner) => inner.contains_text(),
            Self::Other(text) => !names::holds_no_text(text),
            _ => false,
        }
    }
}
