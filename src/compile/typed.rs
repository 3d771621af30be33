//! A checked value: its exact ClickHouse type and its SQL, in which references are still numbers.

use std::ops::Range;
use std::rc::Rc;

use super::number::{Number, bits_of_digits};
use crate::sql::{ColumnType, literal};

/// SQL with numbered references in it; how a reference is written is decided late.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    pieces: Vec<Piece>,
    length: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Reference(usize),
}

/// How many times longer than the texts it is made of a value may become (those that stand in it several times count
/// several times): nested replacements multiply, and a few of
/// them would make gigabytes of a line (ClickHouse facts 11).
pub const MAX_GROWTH: u64 = 256;

/// How long a value can become, beside the texts that it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// How many texts stand in it one after the other.
    parts: u64,
    /// How many times longer each of them can have become.
    times: u64,
    /// What replacements have put into it, where they are all that made it grow.
    inserted: Option<String>,
}

impl Default for Growth {
    fn default() -> Self {
        Self { parts: 1, times: 1, inserted: Some(String::new()) }
    }
}

impl Growth {
    /// Of values one after the other.
    fn of<'a>(values: impl Iterator<Item = &'a Self>) -> Self {
        let (mut parts, mut times) = (0u64, 1);
        for value in values {
            parts = parts.saturating_add(value.parts);
            times = times.max(value.times);
        }
        Self { parts: parts.max(1), ..Self::default().times(times) }
    }

    /// Of one of several values.
    pub fn largest<'a>(values: impl Iterator<Item = &'a Self>) -> Self {
        let (parts, times) =
            values.fold((1, 1), |(parts, times), value| (parts.max(value.parts), times.max(value.times)));
        Self { parts, ..Self::default().times(times) }
    }

    /// So many times more.
    fn times(&self, factor: u64) -> Self {
        let times = self.times.saturating_mul(factor.max(1));
        let inserted = if times == self.times { self.inserted.clone() } else { None };
        Self { parts: self.parts, times, inserted }
    }

    /// After `needle` was replaced. What was put in for one character never meets another character's replacement,
    /// unless that character is in it: then the larger of the two counts, not their product.
    pub fn replaced(&self, needle: &str, replacement: &str) -> Self {
        let own = (replacement.len() as u64).div_ceil(needle.len().max(1) as u64).max(1);
        let apart = self.inserted.as_ref().filter(|inserted| needle.chars().count() == 1 && !inserted.contains(needle));
        match apart {
            Some(inserted) => {
                let times = self.times.max(own);
                Self { parts: self.parts, times, inserted: Some(format!("{inserted}{replacement}")) }
            }
            None => self.times(own),
        }
    }

    /// The whole of it.
    pub fn total(&self) -> u64 {
        self.parts.saturating_mul(self.times)
    }
}

/// What a reference counts for in the length of a fragment.
const REFERENCE_LENGTH: usize = 16;

impl Fragment {
    /// SQL without references. Names and values in it went through `sql::literal`.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { length: text.len(), pieces: vec![Piece::Text(text)] }
    }

    /// One reference.
    pub fn reference(id: usize) -> Self {
        Self { length: REFERENCE_LENGTH, pieces: vec![Piece::Reference(id)] }
    }

    /// `template` with `{0}`, `{1}`, … replaced; the template is ours, never an author's text.
    pub fn template(template: &str, arguments: &[&Fragment]) -> Self {
        let mut fragment = Self::default();
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            fragment.push_text(&rest[..open]);
            let Some(close) = rest[open..].find('}').map(|at| open + at) else { break };
            let argument = rest[open + 1..close].parse::<usize>().ok().and_then(|index| arguments.get(index));
            fragment.push(argument.expect("a template names only its arguments"));
            rest = &rest[close + 1..];
        }
        fragment.push_text(rest);
        fragment
    }

    /// `parts` with `separator` between them.
    pub fn join<'a>(parts: impl IntoIterator<Item = &'a Fragment>, separator: &str) -> Self {
        let mut fragment = Self::default();
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                fragment.push_text(separator);
            }
            fragment.push(part);
        }
        fragment
    }

    fn push_text(&mut self, text: &str) {
        self.length += text.len();
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    fn push(&mut self, other: &Fragment) {
        for piece in &other.pieces {
            match piece {
                Piece::Text(text) => self.push_text(text),
                Piece::Reference(id) => {
                    self.length += REFERENCE_LENGTH;
                    self.pieces.push(Piece::Reference(*id));
                }
            }
        }
    }

    /// About how long the SQL is.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The references in it, sorted, each once.
    pub fn references(&self) -> Vec<usize> {
        let mut found: Vec<usize> = self
            .pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Reference(id) => Some(*id),
                Piece::Text(_) => None,
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The SQL, references written by `reference`.
    pub fn render(&self, reference: &dyn Fn(usize) -> String) -> String {
        let mut sql = String::with_capacity(self.length);
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => sql.push_str(text),
                Piece::Reference(id) => sql.push_str(&reference(*id)),
            }
        }
        sql
    }
}

/// The value of a literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// `null`: of any type
    Null,
    /// `true`, `false`
    Boolean(bool),
    /// A number with its sign
    Number(Number),
    /// `'text'`
    Text(String),
}

/// A checked value.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// What ClickHouse says the type of `fragment` is.
    pub column_type: ColumnType,
    /// The SQL.
    pub fragment: Fragment,
    /// The value, where it is a literal.
    pub constant: Option<Constant>,
    /// The reference, where it is one and nothing else.
    pub plain: Option<usize>,
    /// Whether it is a condition: `Bool`, or the `UInt8` that comparisons give.
    pub condition: bool,
    /// For integers and decimals: the bits that the magnitude of the digits can need; proves that arithmetic fits.
    pub bits: u16,
    /// How long it can become (see [`MAX_GROWTH`]).
    pub growth: Growth,
    /// The elements, where it is an array written with `array`.
    pub elements: Option<Rc<[Typed]>>,
    /// Where it stands in the text.
    pub span: Range<usize>,
}

impl Typed {
    /// A computed value.
    pub fn new(column_type: ColumnType, fragment: Fragment, span: Range<usize>) -> Self {
        let (bits, condition) = (bits_of(&column_type), *column_type.inner() == ColumnType::Bool);
        let growth = Growth::default();
        Self { column_type, fragment, constant: None, plain: None, condition, bits, growth, elements: None, span }
    }

    /// A value computed from `arguments` by a template; null where one of them may be null.
    pub fn of(inner: ColumnType, template: &str, arguments: &[&Typed], span: Range<usize>) -> Self {
        let nullable = arguments.iter().any(|argument| argument.is_nullable());
        let fragments: Vec<&Fragment> = arguments.iter().map(|argument| &argument.fragment).collect();
        Self::new(nullable_if(inner, nullable), Fragment::template(template, &fragments), span).made_of(arguments)
    }

    /// The same value, as long as these together.
    #[must_use]
    pub fn made_of(self, arguments: &[&Self]) -> Self {
        if !is_long(&self.column_type) {
            return Self { growth: Growth::default(), ..self };
        }
        let long = arguments.iter().filter(|argument| argument.constant.is_none() && is_long(&argument.column_type));
        Self { growth: Growth::of(long.map(|argument| &argument.growth)), ..self }
    }

    /// The same value, which can become so many times longer than it is known to.
    #[must_use]
    pub fn growing(mut self, factor: u64) -> Self {
        if is_long(&self.column_type) {
            self.growth = self.growth.times(factor);
        }
        self
    }

    /// The same value with another type and SQL.
    fn rewritten(&self, column_type: ColumnType, fragment: Fragment) -> Self {
        Self { growth: self.growth.clone(), ..Self::new(column_type, fragment, self.span.clone()) }
    }

    /// The same value, which may be null now.
    #[must_use]
    pub fn nullable(mut self) -> Self {
        self.column_type = self.column_type.nullable();
        self
    }

    /// The same value, marked as a condition.
    #[must_use]
    pub fn condition(mut self) -> Self {
        self.condition = true;
        self
    }

    /// The same value, known to need at most so many bits.
    #[must_use]
    pub fn within(mut self, bits: u16) -> Self {
        self.bits = self.bits.min(bits);
        self
    }

    /// A null of a type.
    pub fn null(inner: &ColumnType, span: Range<usize>) -> Self {
        let column_type = inner.nullable();
        let fragment = Fragment::text(format!("CAST(NULL, {})", quoted_type(&column_type)));
        Self { bits: 0, ..Self::new(column_type, fragment, span) }
    }

    /// Whether the value may be null.
    pub fn is_nullable(&self) -> bool {
        self.column_type.is_nullable()
    }

    /// Whether it is the literal `null`.
    pub fn is_null_literal(&self) -> bool {
        self.constant == Some(Constant::Null)
    }

    /// The type without `Nullable` and `LowCardinality`.
    pub fn inner(&self) -> &ColumnType {
        self.column_type.inner()
    }

    /// The literal text.
    pub fn constant_text(&self) -> Option<&str> {
        match &self.constant {
            Some(Constant::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The literal number.
    pub fn constant_number(&self) -> Option<&Number> {
        match &self.constant {
            Some(Constant::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// As an operand: without `LowCardinality` (results of computations on it would carry it on), `FixedString` and
    /// enums, inside arrays and maps too.
    #[must_use]
    pub fn operand(self) -> Self {
        let wanted = plain_type(self.inner());
        match self.column_type {
            ColumnType::LowCardinality(_) => self.cast(&wanted),
            _ if wanted != *self.inner() => self.cast(&wanted),
            _ => self,
        }
    }

    /// `CAST` to an inner type, keeping null; nothing where the type is that one already. Only for casts that cannot
    /// fail.
    #[must_use]
    pub fn cast(self, inner: &ColumnType) -> Self {
        let wanted = nullable_if(inner.clone(), self.is_nullable());
        if wanted == self.column_type {
            return self;
        }
        if self.is_null_literal() {
            return Self::null(inner, self.span);
        }
        let written = self.constant_number().and_then(|number| number.sql(inner));
        let fragment = written.map(Fragment::text).unwrap_or_else(|| {
            let template = cast_template(self.inner(), inner, self.is_nullable());
            Fragment::template(&template, &[&self.fragment])
        });
        let condition = self.condition && matches!(inner, ColumnType::Bool | ColumnType::UInt(8));
        Self { condition, bits: scaled_bits(&self, inner), ..self.rewritten(wanted, fragment) }
    }

    /// `accurateCastOrNull` to an inner type: null where the value does not fit.
    #[must_use]
    pub fn cast_or_null(self, inner: &ColumnType) -> Self {
        let template = format!("accurateCastOrNull({{0}}, {})", quoted_type(inner));
        let fragment = Fragment::template(&template, &[&self.fragment]);
        self.rewritten(inner.nullable(), fragment)
    }
}

/// The template of a cast. An instant with fewer digits of a second is cut through exact decimals, of which no stored one
/// is too large: a cast would cut toward 1970, and so round up before it.
pub fn cast_template(own: &ColumnType, inner: &ColumnType, nullable: bool) -> String {
    let wanted = quoted_type(&nullable_if(inner.clone(), nullable));
    let cast = || format!("CAST({{0}}, {wanted})");
    let (ColumnType::DateTime64(own, _), ColumnType::DateTime64(kept, zone)) = (own, inner) else { return cast() };
    let (unit, digits) = match kept {
        _ if own <= kept => return cast(),
        0 => ("Second", 0),
        1..=3 => ("Milli", 3),
        4..=6 => ("Micro", 6),
        _ => return cast(),
    };
    let exact = quoted_type(&nullable_if(ColumnType::Decimal(38, *own), nullable));
    let ticks = if digits == 0 { String::new() } else { format!(" * {}", 10_u32.pow(digits)) };
    let zone = zone.as_ref().map_or(String::new(), |zone| format!(", {}", literal::string(zone)));
    let cut = format!("fromUnixTimestamp64{unit}(toInt64(floor(CAST({{0}}, {exact}), {kept}){ticks}){zone})");
    if u32::from(*kept) == digits { cut } else { format!("CAST({cut}, {wanted})") }
}

/// The type that values of a type are computed as.
fn plain_type(column_type: &ColumnType) -> ColumnType {
    match column_type {
        ColumnType::FixedString(_) | ColumnType::Enum(_) => ColumnType::String,
        ColumnType::LowCardinality(inner) => plain_type(inner),
        ColumnType::Nullable(inner) => ColumnType::Nullable(Box::new(plain_type(inner))),
        ColumnType::Array(element) => ColumnType::Array(Box::new(plain_type(element))),
        ColumnType::Map(key, value) => ColumnType::Map(Box::new(plain_type(key)), Box::new(plain_type(value))),
        ColumnType::Tuple(elements) => {
            ColumnType::Tuple(elements.iter().map(|(name, element)| (name.clone(), plain_type(element))).collect())
        }
        other => other.clone(),
    }
}

/// Whether the values of a type have no fixed length.
fn is_long(column_type: &ColumnType) -> bool {
    matches!(
        column_type.inner(),
        ColumnType::String
            | ColumnType::FixedString(_)
            | ColumnType::Enum(_)
            | ColumnType::Array(_)
            | ColumnType::Map(..)
    )
}

fn scaled_bits(value: &Typed, inner: &ColumnType) -> u16 {
    let growth = scale_of(inner).saturating_sub(scale_of(value.inner()));
    let bits = value.bits.saturating_add(bits_for_scale(growth));
    if is_exact(inner) && is_exact(value.inner()) { bits } else { bits_of(inner) }
}

/// `T` or `Nullable(T)`.
pub fn nullable_if(inner: ColumnType, nullable: bool) -> ColumnType {
    if nullable { inner.nullable() } else { inner }
}

/// A type as the quoted argument of a cast.
pub fn quoted_type(column_type: &ColumnType) -> String {
    literal::string(&column_type.to_string())
}

/// Whether it is an integer or a decimal.
pub fn is_exact(inner: &ColumnType) -> bool {
    matches!(inner, ColumnType::Int(_) | ColumnType::UInt(_) | ColumnType::Decimal(..))
}

/// The digits after the point.
pub fn scale_of(inner: &ColumnType) -> u8 {
    if let ColumnType::Decimal(_, scale) = inner { *scale } else { 0 }
}

/// The bits that so many more digits need.
pub fn bits_for_scale(digits: u8) -> u16 {
    if digits == 0 { 0 } else { bits_of_digits(digits as usize) }
}

/// The bits that the magnitude of a stored value can need. Decimals are taken as wide as they are stored: ClickHouse
/// does not hold them to their precision.
pub fn bits_of(column_type: &ColumnType) -> u16 {
    match column_type.inner() {
        ColumnType::Int(bits) => bits - 1,
        ColumnType::UInt(bits) => *bits,
        ColumnType::Decimal(..=9, _) => 31,
        ColumnType::Decimal(..=18, _) => 63,
        ColumnType::Decimal(..=38, _) => 127,
        ColumnType::Decimal(..) => 255,
        _ => 0,
    }
}
