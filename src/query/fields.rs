//! What a published column can be asked: the one place that decides it, for admission and for the descriptor
//! (query-language 2.3, 5, 6).

use std::collections::BTreeMap;

use crate::api::record::RecordColumn;
use crate::api::{Level, PublicationRecord};
use crate::spelling::{listed, nearest};
use crate::sql::ColumnType;

use super::filter::Operator;
use super::rejection::{Code, Rejection, shortened};

/// The columns of a dataset under their names and aliases.
#[derive(Debug)]
pub struct Model<'a> {
    /// The record.
    pub record: &'a PublicationRecord,
    fields: Vec<Field<'a>>,
    /// Names and aliases; a map because a request may name columns a hundred thousand times.
    positions: BTreeMap<&'a str, usize>,
}

/// One column as the language sees it.
#[derive(Debug)]
pub struct Field<'a> {
    /// The column as published.
    pub column: &'a RecordColumn,
    /// Its ClickHouse type.
    pub column_type: ColumnType,
    /// What its values, or an array's elements, are; none where nothing can be asked of them.
    pub domain: Option<Domain>,
    /// Whether the value is an array.
    pub array: bool,
}

/// The values of a column: what they are compared as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Text.
    Text,
    /// Text padded with NUL to a length.
    PaddedText,
    /// A UUID, an IPv4 or an IPv6 address: equal by its canonical text.
    Canonical(ColumnType),
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Whole {
        /// `Int` or `UInt`.
        signed: bool,
        /// Its width.
        bits: u16,
    },
    /// A decimal number of a precision and a scale.
    Decimal(u8, u8),
    /// A binary floating-point number, by its width.
    Float(u16),
    /// A day: `Date`, or `Date32` where `wide`.
    Day {
        /// Whether it is `Date32`.
        wide: bool,
    },
    /// An instant of whole seconds (`DateTime`), and its zone.
    Second(Option<String>),
    /// An instant of a scale (`DateTime64`), and its zone.
    Tick(u8, Option<String>),
}

impl Domain {
    fn of(column_type: &ColumnType) -> Option<Self> {
        Some(match column_type.inner() {
            ColumnType::String => Self::Text,
            ColumnType::FixedString(_) => Self::PaddedText,
            canonical @ (ColumnType::Uuid | ColumnType::Ipv4 | ColumnType::Ipv6) => Self::Canonical(canonical.clone()),
            ColumnType::Bool => Self::Boolean,
            ColumnType::Int(bits) => Self::Whole { signed: true, bits: *bits },
            ColumnType::UInt(bits) => Self::Whole { signed: false, bits: *bits },
            ColumnType::Decimal(precision, scale) => Self::Decimal(*precision, *scale),
            ColumnType::Float(bits) => Self::Float(*bits),
            ColumnType::Date => Self::Day { wide: false },
            ColumnType::Date32 => Self::Day { wide: true },
            ColumnType::DateTime(zone) => Self::Second(zone.clone()),
            ColumnType::DateTime64(scale, zone) => Self::Tick(*scale, zone.clone()),
            _ => return None,
        })
    }

    /// Whether pieces of the value can be asked for, and whether it is empty.
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Text | Self::PaddedText)
    }

    /// Whether smaller and larger are asked in an order that callers expect.
    fn has_range(&self) -> bool {
        !matches!(self, Self::Boolean | Self::Canonical(_))
    }
}

impl<'a> Model<'a> {
    /// The columns of a record. One whose type cannot be read, or whose name only the system may have, is left out:
    /// what cannot be decided is not served.
    pub fn of(record: &'a PublicationRecord) -> Self {
        let fields: Vec<Field<'a>> = record
            .columns
            .iter()
            .filter(|column| !is_reserved(&column.name))
            .filter_map(|column| Some(Field::new(column, ColumnType::parse(&column.column_type).ok()?)))
            .collect();
        let mut positions = BTreeMap::new();
        for (index, field) in fields.iter().enumerate() {
            for alias in field.column.texts.aliases.iter().filter(|alias| !is_reserved(alias)) {
                positions.entry(alias.as_str()).or_insert(index);
            }
        }
        // a name wins over an alias
        positions.extend(fields.iter().enumerate().map(|(index, field)| (field.path(), index)));
        Self { record, fields, positions }
    }

    /// Every field, in the view's order.
    pub fn fields(&self) -> &[Field<'a>] {
        &self.fields
    }

    /// The position of the field of that path or alias; a name wins over an alias.
    pub fn find(&self, path: &str) -> Option<usize> {
        self.positions.get(path).copied()
    }

    /// Whether every column of the record is a field, so that a whole record can be shown.
    pub(super) fn is_complete(&self) -> bool {
        self.fields.len() == self.record.columns.iter().filter(|column| !is_reserved(&column.name)).count()
    }

    /// The same, refused where there is none (`UNKNOWN_FIELD`).
    pub(super) fn resolve(&self, path: &str) -> Result<usize, Rejection> {
        self.find(path).ok_or_else(|| {
            let message = format!("`{}` is no column of this dataset{}", shortened(path), self.instead_of(path));
            Rejection::new(Code::UnknownField, path, message)
        })
    }

    /// What a refusal of a path proposes: the names that are near, else all. Protected columns are never
    /// proposed.
    pub(super) fn instead_of(&self, path: &str) -> String {
        let known = self.positions.iter().filter(|(_, index)| !self.fields[**index].is_protected());
        let known: Vec<&str> = known.map(|(name, _)| *name).collect();
        let near = nearest(path, &known);
        let public = self.fields.iter().filter(|field| !field.is_protected());
        let names: Vec<&str> = public.map(Field::path).collect();
        match (near.is_empty(), names.is_empty()) {
            (false, _) => format!("; did you mean {}?", listed(&near)),
            (true, false) => format!("; its public columns are {}", listed(&names)),
            (true, true) => String::new(),
        }
    }

    /// The position of the identity; none where the dataset declares none or does not have it.
    pub fn identity(&self) -> Option<usize> {
        let name = &self.record.identity.as_ref()?.column;
        self.fields.iter().position(|field| field.column.name == *name)
    }
}

impl<'a> Field<'a> {
    fn new(column: &'a RecordColumn, column_type: ColumnType) -> Self {
        let (domain, array) = match column_type.inner() {
            ColumnType::Array(element) => (Domain::of(element), true),
            _ => (Domain::of(&column_type), false),
        };
        Self { column, column_type, domain, array }
    }

    /// The canonical path.
    pub fn path(&self) -> &'a str {
        &self.column.name
    }

    /// Whether the value is protected at any level.
    pub fn is_protected(&self) -> bool {
        self.column.protection.as_ref().is_some_and(|protection| protection.level != Level::Public)
    }

    /// Whether a protected value may be compared for equality (query-language 5); true for public ones.
    pub fn is_comparable(&self) -> bool {
        self.column.protection.as_ref().is_none_or(|protection| match protection.level {
            Level::Public => true,
            Level::Display => protection.comparable,
            Level::Confidential => false,
        })
    }

    /// Whether the value is an array of objects (query-language 2.6).
    pub fn has_elements(&self) -> bool {
        matches!(self.column_type.inner(), ColumnType::Array(element)
            if matches!(element.inner(), ColumnType::Tuple(_) | ColumnType::Json(_)))
    }

    /// Whether the value is an array of which an element may be null.
    pub fn has_null_elements(&self) -> bool {
        matches!(self.column_type.inner(), ColumnType::Array(element) if element.is_nullable())
    }

    /// Whether the field holds one text, not a date that is sent as one (O10).
    pub fn is_single_text(&self) -> bool {
        !self.array && self.domain.as_ref().is_some_and(Domain::is_text)
    }

    /// Whether an operator may be asked of the field. In the order of query-language 2.3: capability, protection,
    /// value rule. The descriptor lists exactly the operators that pass.
    ///
    /// # Errors
    /// The code under which the operator is refused.
    pub fn allows(&self, operator: Operator) -> Result<(), Code> {
        let domain = self.domain.as_ref().ok_or(Code::UnsupportedCapability)?;
        let capable = match operator {
            Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte | Operator::Between => {
                // O6: a range over an array has no one meaning
                !self.array && domain.has_range()
            }
            Operator::Contains | Operator::StartsWith | Operator::EndsWith => domain.is_text(),
            _ => true,
        };
        if !capable {
            return Err(Code::UnsupportedCapability);
        }
        if self.is_protected() && !(self.is_comparable() && bisects_nothing(operator)) {
            return Err(Code::ProtectedComparison);
        }
        match operator {
            Operator::ContainsAll | Operator::IsEmpty if !self.array => Err(Code::NotCollection),
            Operator::IsEmptyString | Operator::IsNotEmptyString if !self.is_single_text() => {
                Err(Code::NotSingleString)
            }
            _ => Ok(()),
        }
    }

    /// The operators that the descriptor lists, in its order (query-language 6).
    pub fn operators(&self, allow_expensive: bool) -> Vec<Operator> {
        let listed =
            |operator: &Operator| (allow_expensive || !operator.is_expensive()) && self.allows(*operator).is_ok();
        Operator::ALL.into_iter().filter(listed).collect()
    }

    /// Whether single, list and paged may be sorted by the field (query-language 1.3, 5).
    ///
    /// # Errors
    /// The code under which it is refused.
    pub fn allows_sort(&self) -> Result<(), Code> {
        if self.array || self.domain.is_none() {
            return Err(Code::UnsupportedCapability);
        }
        if self.is_protected() { Err(Code::ProtectedComparison) } else { Ok(()) }
    }

    /// Whether the value can appear in results: not where it would have to be masked and cannot be.
    pub fn is_projectable(&self) -> bool {
        !self.is_masked_here() || crate::sql::masked("x", &self.column_type, 0, 0).is_some()
    }

    /// Whether the value is raw in the view and masked by this server (query-language 5).
    pub fn is_masked_here(&self) -> bool {
        self.is_protected() && self.is_comparable()
    }
}

/// Whether only the system may have such a name (design 4.1).
fn is_reserved(name: &str) -> bool {
    name.starts_with("__")
}

/// Whether an operator tells no more than equality and presence; the others find a value in a few dozen queries.
fn bisects_nothing(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Eq
            | Operator::Ne
            | Operator::In
            | Operator::NotIn
            | Operator::IsNull
            | Operator::IsNotNull
            | Operator::Exists
            | Operator::NotExists
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::record::Protection;

    fn operators(column_type: &str, protection: Option<Protection>) -> String {
        let column = RecordColumn {
            name: "c".to_owned(),
            column_type: column_type.to_owned(),
            protection,
            ..Default::default()
        };
        let field = Field::new(&column, ColumnType::parse(column_type).expect("a type"));
        field.operators(true).into_iter().map(Operator::as_str).collect::<Vec<_>>().join(" ")
    }

    // the worked example of query-language 6
    #[test]
    fn operators_are_those_of_the_worked_example() {
        let numbers = "EQ NE GT GTE LT LTE IN NOT_IN BETWEEN IS_NULL IS_NOT_NULL EXISTS NOT_EXISTS";
        assert_eq!(operators("Nullable(Decimal(18, 2))", None), numbers);
        assert_eq!(operators("Date", None), numbers);
        assert_eq!(
            operators("String", None),
            "EQ NE GT GTE LT LTE CONTAINS STARTS_WITH ENDS_WITH IN NOT_IN BETWEEN IS_EMPTY_STRING IS_NOT_EMPTY_STRING IS_NULL IS_NOT_NULL EXISTS NOT_EXISTS"
        );
        assert_eq!(
            operators("Array(String)", None),
            "EQ NE CONTAINS STARTS_WITH ENDS_WITH IN NOT_IN CONTAINS_ALL IS_EMPTY IS_NULL IS_NOT_NULL EXISTS NOT_EXISTS"
        );
        let protected = |comparable| Some(Protection { level: Level::Display, comparable, ..Default::default() });
        assert_eq!(operators("String", protected(true)), "EQ NE IN NOT_IN IS_NULL IS_NOT_NULL EXISTS NOT_EXISTS");
        assert_eq!(operators("String", protected(false)), "");
    }

    #[test]
    fn types_that_nothing_is_known_of_are_shown_only() {
        for text in ["Map(String, String)", "Tuple(a String)", "JSON", "Dynamic", "Array(Array(String))", "Array(JSON)"]
        {
            assert_eq!(operators(text, None), "", "{text}");
        }
    }
}
