//! [`ColumnType`] → the text of a type, as the server prints it with `print_pretty_type_names = 0`.

use std::fmt;

use super::parse::function_text;
use super::{AggregateState, ColumnType, Enumeration, JsonType, names};
use crate::sql::{Identifier, literal};

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
            Self::Enum(values) => values.fmt(formatter),
            Self::Nullable(inner) => write!(formatter, "Nullable({inner})"),
            Self::LowCardinality(inner) => write!(formatter, "LowCardinality({inner})"),
            Self::Array(inner) => write!(formatter, "Array({inner})"),
            Self::Map(key, value) => write!(formatter, "Map({key}, {value})"),
            Self::Tuple(elements) => listed(formatter, "Tuple", elements, |formatter, (name, element)| match name {
                Some(name) => write!(formatter, "{} {element}", Name(name)),
                None => write!(formatter, "{element}"),
            }),
            Self::Nested(elements) => listed(formatter, "Nested", elements, |formatter, (name, element)| {
                write!(formatter, "{} {element}", Name(name))
            }),
            Self::Variant(types) => listed(formatter, "Variant", types, |formatter, one| write!(formatter, "{one}")),
            Self::Json(json) => json.fmt(formatter),
            Self::AggregateFunction(state) => state.fmt(formatter),
            Self::SimpleAggregateFunction(function, inner) => {
                write!(formatter, "SimpleAggregateFunction({function}, {inner})")
            }
            Self::Other(text) => formatter.write_str(text),
        }
    }
}

fn listed<Item>(
    formatter: &mut fmt::Formatter<'_>,
    word: &str,
    items: &[Item],
    write: impl Fn(&mut fmt::Formatter<'_>, &Item) -> fmt::Result,
) -> fmt::Result {
    write!(formatter, "{word}(")?;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            formatter.write_str(", ")?;
        }
        write(formatter, item)?;
    }
    formatter.write_str(")")
}

/// A name that is quoted where the server quotes it.
struct Name<'n>(&'n str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match names::needs_no_quotes(self.0) {
            true => formatter.write_str(self.0),
            false => Identifier::new(self.0).fmt(formatter),
        }
    }
}

impl fmt::Display for Enumeration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        listed(formatter, &format!("Enum{}", self.bits), &self.values, |formatter, (name, number)| {
            write!(formatter, "{} = {number}", literal::string(name))
        })
    }
}

impl fmt::Display for AggregateState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AggregateFunction(")?;
        if let Some(version) = self.version {
            write!(formatter, "{version}, ")?;
        }
        formatter.write_str(&function_text(&self.function, &self.parameters))?;
        for argument in &self.arguments {
            write!(formatter, ", {argument}")?;
        }
        formatter.write_str(")")
    }
}

impl fmt::Display for JsonType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = self.max_dynamic_types.map(|most| format!("max_dynamic_types={most}"));
        let paths = self.max_dynamic_paths.map(|most| format!("max_dynamic_paths={most}"));
        let typed = self.typed.iter().map(|(path, column_type)| format!("{} {column_type}", Name(path)));
        let skipped = self.skipped.iter().map(|path| format!("SKIP {}", Name(path)));
        let expressions = self.skipped_expressions.iter().map(|text| format!("SKIP REGEXP {}", literal::string(text)));
        let arguments: Vec<String> =
            types.into_iter().chain(paths).chain(typed).chain(skipped).chain(expressions).collect();
        match arguments.is_empty() {
            true => formatter.write_str("JSON"),
            false => write!(formatter, "JSON({})", arguments.join(", ")),
        }
    }
}
