//! A single value of a source, as it is read: which SQL gives it, of which type (design 4.6; reference view, rules 1 and 6).

use super::functions::{strict_day, strict_instant};
use super::state;
use super::typed::cast_template;
use crate::sql::{ColumnType, Identifier, JsonType, literal};

/// How a value is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueSql {
    pub expression: String,
    pub column_type: ColumnType,
}

/// The types that a JSON path may be declared with.
const PATH_TYPES: &str = "String, Bool, Int8 to Int64, UInt8 to UInt64, Float64, UUID, Decimal(p, s), Date32, DateTime64(s, 'zone') with up to 6 digits, Array(T) and Map(String, T) of those but dates";

/// The value of a whole column, given as SQL; none if its type cannot be read.
pub(super) fn column_value(column: &str, column_type: &ColumnType) -> Option<ValueSql> {
    let plain = |column_type: &ColumnType| ValueSql { expression: column.to_owned(), column_type: column_type.clone() };
    match column_type {
        // Read as text: a new enumeration value then reads fine (ClickHouse facts 1).
        ColumnType::Enum(_) => {
            Some(ValueSql { expression: format!("toString({column})"), column_type: ColumnType::String })
        }
        ColumnType::Nullable(inner) if matches!(**inner, ColumnType::Enum(_)) => Some(ValueSql {
            expression: format!("toString({column})"),
            column_type: ColumnType::Nullable(Box::new(ColumnType::String)),
        }),
        // A state is finished where it stands: what it is merged from is merged by then.
        ColumnType::AggregateFunction(of) => {
            let column_type = state::result(of)?;
            Some(ValueSql { expression: format!("finalizeAggregation({column})"), column_type })
        }
        ColumnType::SimpleAggregateFunction(_, inner) => {
            let value = column_value(column, inner)?;
            let name = literal::string(&inner.to_string());
            let settled = value.column_type != **inner || value.expression != column;
            Some(match settled {
                true => column_value(&format!("CAST({column}, {name})"), inner)?,
                false => ValueSql { expression: format!("CAST({column}, {name})"), column_type: value.column_type },
            })
        }
        other if readable(other) => Some(match settled(other) {
            same if same == *other => plain(other),
            settled => ValueSql {
                expression: format!("CAST({column}, {})", literal::string(&settled.to_string())),
                column_type: settled,
            },
        }),
        _ => None,
    }
}

/// The type as it is shown: without `LowCardinality` around anything but text, because a view with such a column cannot
/// be created everywhere, and with the text of enumerations in place of their numbers.
fn settled(column_type: &ColumnType) -> ColumnType {
    match column_type {
        ColumnType::LowCardinality(inner)
            if !matches!(inner.inner(), ColumnType::String | ColumnType::FixedString(_)) =>
        {
            (**inner).clone()
        }
        ColumnType::Enum(_) => ColumnType::String,
        ColumnType::Nullable(inner) => ColumnType::Nullable(Box::new(settled(inner))),
        ColumnType::Array(element) => ColumnType::Array(Box::new(settled(element))),
        ColumnType::Map(key, value) => ColumnType::Map(Box::new(settled(key)), Box::new(settled(value))),
        other => other.clone(),
    }
}

/// The type of a single value as it is shown, without what can be around it.
pub(super) fn shown_as(column_type: &ColumnType) -> ColumnType {
    settled(column_type).inner().clone()
}

fn readable(column_type: &ColumnType) -> bool {
    match column_type {
        ColumnType::Nullable(inner) | ColumnType::LowCardinality(inner) | ColumnType::Array(inner) => readable(inner),
        ColumnType::Map(key, value) => readable(key) && readable(value),
        // Objects are read by their declared paths; a whole one reads all sub-columns, and a tuple cannot be null.
        ColumnType::Json(_)
        | ColumnType::Tuple(_)
        | ColumnType::Nested(_)
        | ColumnType::Variant(_)
        | ColumnType::AggregateFunction(_)
        | ColumnType::SimpleAggregateFunction(..)
        | ColumnType::Other(_) => false,
        _ => true,
    }
}

/// The value at a declared path of a JSON or JSON-text column, given as SQL; the error says what is not possible.
pub(super) fn path_value(
    column: &str,
    column_type: &ColumnType,
    path: &str,
    declared: &ColumnType,
) -> Result<ValueSql, String> {
    let shape = Shape::of(declared).ok_or_else(|| match declared {
        ColumnType::Array(element) if matches!(**element, ColumnType::Json(_) | ColumnType::Tuple(_)) => {
            format!("`{path}` is an array of objects; a column says by `elements` which parts of them it shows.")
        }
        _ => format!("A path cannot have the type `{declared}`. Possible types: {PATH_TYPES}."),
    })?;
    let segments: Vec<&str> = path.split('.').collect();
    let json = matches!(column_type.inner(), ColumnType::Json(_));
    if segments.iter().any(|segment| segment.is_empty() || json && names_a_subcolumn(segment)) {
        return Err(format!(
            "`{path}` is no path: its parts are names of members, none of them empty or like `^a`, `:T`, `@a` and `a[]`."
        ));
    }
    match column_type.inner() {
        ColumnType::Json(json) => of_json(column, json, path, &shape),
        ColumnType::String => {
            let text = if column_type.is_nullable() { format!("ifNull({column}, '')") } else { column.to_owned() };
            Ok(shape.of_text(&text, &segments))
        }
        _ => Err(format!("The column has the type `{column_type}`, which has no paths.")),
    }
}

fn of_json(column: &str, json: &JsonType, path: &str, shape: &Shape) -> Result<ValueSql, String> {
    if json.is_skipped(path) {
        return Err(format!("`{path}` is not stored: the column's type skips it."));
    }
    let value = json_path(column, path);
    match typed_at(json, path) {
        Some((at, column_type)) if at == path => shape.of_typed(&value, column_type).ok_or_else(|| {
            format!("`{path}` has the type `{column_type}` in the column; declare it so, or as a String.")
        }),
        Some((at, column_type)) if !matches!(column_type.inner(), ColumnType::Json(_)) => {
            Err(format!("`{path}` lies inside `{at}`, which has the type `{column_type}` and no paths."))
        }
        _ => Ok(shape.of_dynamic(&value, &json_object(column, path))),
    }
}

/// The path with a type of its own at or around a path.
fn typed_at<'j>(json: &'j JsonType, path: &str) -> Option<(&'j str, &'j ColumnType)> {
    let around = |known: &str| path.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let found = json.typed.iter().filter(|(known, _)| around(known)).max_by_key(|(known, _)| known.len());
    found.map(|(known, column_type)| (known.as_str(), column_type))
}

/// The value at a path of a JSON column.
pub(super) fn json_path(column: &str, path: &str) -> String {
    let inner: String = path.split('.').map(|segment| format!(".{}", Identifier::new(segment))).collect();
    format!("{column}{inner}")
}

/// The object at a path of a JSON column.
fn json_object(column: &str, path: &str) -> String {
    let mut segments = path.split('.').map(|segment| Identifier::new(segment).to_string());
    let first = segments.next().unwrap_or_default();
    let rest: String = segments.map(|segment| format!(".{segment}")).collect();
    format!("{column}.^{first}{rest}")
}

/// Whether a quoted part of a path still means something else in a JSON column: `^a` the whole object, `:T` the values
/// of a type, `a[]` an array. Each would read around the level of the value itself.
pub(super) fn names_a_subcolumn(segment: &str) -> bool {
    segment.starts_with(['^', ':', '@']) || segment.contains("[]")
}

/// What is read at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A single value that the server converts.
    Single(ColumnType),
    /// A day, from a text.
    Day,
    /// An instant of so many digits in a zone, from a text or a stored time.
    Instant(u8, String),
    /// An array of single values.
    Array(ColumnType),
    /// A map of single values.
    Map(ColumnType),
}

impl Shape {
    /// The shape of a declared type; none if no path has it.
    pub(super) fn of(declared: &ColumnType) -> Option<Self> {
        match declared {
            ColumnType::Nullable(inner) => match &**inner {
                ColumnType::Nullable(_) | ColumnType::Array(_) | ColumnType::Map(..) => None,
                inner => Self::of(inner),
            },
            ColumnType::Date32 => Some(Self::Day),
            ColumnType::DateTime64(scale @ 0..=6, Some(zone)) => Some(Self::Instant(*scale, zone.clone())),
            ColumnType::Array(element) => single(nullable_inner(element)).map(Self::Array),
            ColumnType::Map(key, value) if **key == ColumnType::String => single(nullable_inner(value)).map(Self::Map),
            other => single(other).map(Self::Single),
        }
    }

    /// The type of what is read: a missing value is null, a missing array or map empty.
    pub(super) fn column_type(&self) -> ColumnType {
        let nullable = |inner: &ColumnType| ColumnType::Nullable(Box::new(inner.clone()));
        match self {
            Self::Single(inner) => nullable(inner),
            Self::Day => nullable(&ColumnType::Date32),
            Self::Instant(scale, zone) => nullable(&ColumnType::DateTime64(*scale, Some(zone.clone()))),
            Self::Array(element) => ColumnType::Array(Box::new(nullable(element))),
            Self::Map(value) => ColumnType::Map(Box::new(ColumnType::String), Box::new(nullable(value))),
        }
    }

    fn value(&self, expression: String) -> ValueSql {
        ValueSql { expression, column_type: self.column_type() }
    }

    /// The value at a path of a text that holds JSON.
    fn of_text(&self, text: &str, segments: &[&str]) -> ValueSql {
        let keys: String = segments.iter().map(|segment| format!("{}, ", literal::string(segment))).collect();
        let extracted = format!("JSONExtract({text}, {keys}{})", literal::string(&self.text_type().to_string()));
        self.value(self.of_strict_text(&extracted))
    }

    /// The type of the texts that it is read from: read as a number, `nan` would be one, and a decimal that does not fit
    /// would throw.
    fn text_type(&self) -> ColumnType {
        let text = || Box::new(ColumnType::Nullable(Box::new(ColumnType::String)));
        match self {
            Self::Array(_) => ColumnType::Array(text()),
            Self::Map(_) => ColumnType::Map(Box::new(ColumnType::String), text()),
            Self::Single(_) | Self::Day | Self::Instant(..) => *text(),
        }
    }

    /// An instant of so many digits as the one that is declared.
    fn of_instant(&self, value: &str, digits: u8) -> String {
        let target = self.column_type();
        cast_template(&ColumnType::DateTime64(digits, None), target.inner(), true).replace("{0}", value)
    }

    /// The value, given as texts: null where one is not of a form that stands for it.
    pub(super) fn of_strict_text(&self, text: &str) -> String {
        match self {
            Self::Day => strict_day(text),
            Self::Instant(_, zone) => self.of_instant(&strict_instant(text, zone), 6),
            Self::Single(inner) => single_of_text(text, inner),
            Self::Array(ColumnType::String) | Self::Map(ColumnType::String) => text.to_owned(),
            Self::Array(inner) => format!("arrayMap(__e -> {}, {text})", single_of_text("__e", inner)),
            Self::Map(inner) => format!("mapApply((__k, __e) -> (__k, {}), {text})", single_of_text("__e", inner)),
        }
    }

    /// A value of no stated type; `object` is the same place read as an object.
    pub(super) fn of_dynamic(&self, value: &str, object: &str) -> ValueSql {
        let target = self.column_type();
        let target = literal::string(&target.to_string());
        let texts = literal::string(&self.text_type().to_string());
        self.value(match self {
            Self::Single(inner) => of_stored(value, inner),
            Self::Day => self.of_strict_text(&format!("accurateCastOrNull({value}, 'String')")),
            // Texts that look like times are stored as times, whose text would follow the reader's zone.
            Self::Instant(..) => format!(
                "coalesce({}, CAST(dynamicElement({value}, 'DateTime'), {target}), {})",
                self.of_instant(&format!("dynamicElement({value}, 'DateTime64(9)')"), 9),
                self.of_strict_text(&format!("dynamicElement({value}, 'String')"))
            ),
            Self::Array(_) => self.of_strict_text(&format!("JSONExtract(ifNull(toJSONString({value}), ''), {texts})")),
            Self::Map(_) => self.of_strict_text(&format!("JSONExtract(ifNull(toJSONString({object}), ''), {texts})")),
        })
    }

    /// A value of a type that the column states; none if the one cannot be had from the other.
    fn of_typed(&self, value: &str, stated: &ColumnType) -> Option<ValueSql> {
        let target = self.column_type();
        let name = literal::string(&target.to_string());
        let same = match self {
            Self::Array(_) | Self::Map(_) => same_parts(stated, &target),
            // The zone of an instant is how it is shown.
            Self::Instant(scale, _) => matches!(stated.inner(), ColumnType::DateTime64(own, _) if own == scale),
            _ => *stated.inner() == *target.inner(),
        };
        if same {
            return Some(self.value(format!("CAST({value}, {name})")));
        }
        let inner = stated.inner();
        let text = match inner {
            ColumnType::DateTime(None) | ColumnType::DateTime64(_, None) => return None,
            ColumnType::Json(_) => return None,
            ColumnType::String => value.to_owned(),
            ColumnType::Enum(_) => format!("toString({value})"),
            _ if readable(inner) && !matches!(inner, ColumnType::Array(_) | ColumnType::Map(..)) => {
                format!("toString({value})")
            }
            _ => return None,
        };
        Some(self.value(match self {
            Self::Single(ColumnType::String) => format!("accurateCastOrNull({text}, 'String')"),
            Self::Single(_) => self.of_strict_text(&text),
            Self::Day | Self::Instant(..) if *inner == ColumnType::String => self.of_strict_text(&text),
            _ => return None,
        }))
    }
}

/// A single value as it is stored. By its text: straight from a stored Float64 a decimal would be cut, 0.29 becomes 0.28;
/// and a text that looks like a time is stored as one, which is no number and throws for some of them. Straight only
/// where it is stored as most values of the type are, which is three times as fast.
fn of_stored(value: &str, inner: &ColumnType) -> String {
    let text = single_of_text(&format!("accurateCastOrNull({value}, 'String')"), inner);
    let stored = match inner {
        ColumnType::Int(_) | ColumnType::UInt(_) => ColumnType::Int(64),
        ColumnType::Float(_) | ColumnType::Bool => inner.clone(),
        _ => return text,
    };
    let plain = format!("dynamicElement({value}, '{stored}')");
    let fitting = if stored == *inner { plain.clone() } else { format!("accurateCastOrNull({plain}, '{inner}')") };
    format!("if(isNull({plain}), {text}, {fitting})")
}

/// A single value from a text, null where the text is none. ClickHouse takes `-`, `.` and `e5` for the decimal 0.
fn single_of_text(text: &str, inner: &ColumnType) -> String {
    const DECIMAL: &str = "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$";
    match inner {
        ColumnType::String => text.to_owned(),
        ColumnType::Decimal(..) => {
            format!("if(match({text}, '{DECIMAL}'), accurateCastOrNull({text}, '{inner}'), NULL)")
        }
        _ => format!("accurateCastOrNull({text}, '{inner}')"),
    }
}

/// A type as people declare it.
///
/// # Errors
/// If it is none, or leaves open how many digits are kept.
pub(super) fn declared_type(text: &str) -> Result<ColumnType, String> {
    let bare = |name: &str| text.trim().eq_ignore_ascii_case(name);
    if ["Decimal", "Numeric", "Dec", "Fixed"].into_iter().any(bare) {
        return Err(format!("`{text}` leaves open how many digits are kept: state them, as in `Decimal(18, 2)`."));
    }
    ColumnType::parse(text).map_err(|error| format!("{error}."))
}

/// Whether an array or map differs from another at most in whether its values may be null.
fn same_parts(one: &ColumnType, other: &ColumnType) -> bool {
    match (one, other) {
        (ColumnType::Array(one), ColumnType::Array(other)) => nullable_inner(one) == nullable_inner(other),
        (ColumnType::Map(key, one), ColumnType::Map(other_key, other)) => {
            key == other_key && nullable_inner(one) == nullable_inner(other)
        }
        _ => false,
    }
}

fn nullable_inner(column_type: &ColumnType) -> &ColumnType {
    match column_type {
        ColumnType::Nullable(inner) => inner,
        other => other,
    }
}

/// A type of single values that a path may have.
fn single(column_type: &ColumnType) -> Option<ColumnType> {
    let possible = match column_type {
        ColumnType::String | ColumnType::Bool | ColumnType::Uuid | ColumnType::Decimal(..) => true,
        ColumnType::Int(bits) | ColumnType::UInt(bits) => *bits <= 64,
        ColumnType::Float(bits) => *bits == 64,
        _ => false,
    };
    possible.then(|| column_type.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(column: &str, declared: &str) -> Result<String, String> {
        let parsed = |text| ColumnType::parse(text).expect("a type");
        path_value("__t0.`state`", &parsed(column), "a.b", &parsed(declared)).map(|value| value.expression)
    }

    #[test]
    fn a_path_is_read_through_one_spelling() {
        assert_eq!(path("JSON", "String").as_deref(), Ok("accurateCastOrNull(__t0.`state`.`a`.`b`, 'String')"));
        assert_eq!(
            path("JSON", "Decimal(18, 2)").as_deref(),
            Ok(
                "if(match(accurateCastOrNull(__t0.`state`.`a`.`b`, 'String'), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(accurateCastOrNull(__t0.`state`.`a`.`b`, 'String'), 'Decimal(18, 2)'), NULL)"
            )
        );
        assert_eq!(
            path("Nullable(String)", "Int64").as_deref(),
            Ok("accurateCastOrNull(JSONExtract(ifNull(__t0.`state`, ''), 'a', 'b', 'Nullable(String)'), 'Int64')")
        );
        assert_eq!(
            path("JSON", "Map(String, Int64)").as_deref(),
            Ok(
                "mapApply((__k, __e) -> (__k, accurateCastOrNull(__e, 'Int64')), JSONExtract(ifNull(toJSONString(__t0.`state`.^`a`.`b`), ''), 'Map(String, Nullable(String))'))"
            )
        );
        assert!(path("JSON", "DateTime64(3)").is_err(), "its zone is not stated");
        assert!(path("UInt8", "String").is_err());
    }

    #[test]
    fn a_path_with_a_type_of_its_own_is_read_as_that_or_as_text() {
        let typed = "JSON(`a.b` Decimal(9, 2))";
        assert_eq!(
            path(typed, "Decimal(9, 2)").as_deref(),
            Ok("CAST(__t0.`state`.`a`.`b`, 'Nullable(Decimal(9, 2))')")
        );
        assert_eq!(path(typed, "Int64").as_deref(), Ok("accurateCastOrNull(toString(__t0.`state`.`a`.`b`), 'Int64')"));
        assert!(path("JSON(a String)", "String").is_err(), "a text has no paths");
        assert!(path("JSON(SKIP a)", "String").is_err(), "it is not stored");
        assert!(path("JSON(`a.b` Array(String))", "String").is_err());
    }
}
