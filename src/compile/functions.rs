//! The function table (design 4.3, ClickHouse facts 11): surface name, arguments, result, total rendering. A row says all
//! of a function; only where the SQL depends on more than the kinds of arguments does it name a rule in code.
//!
//! Surface names are ClickHouse's. What differs from ClickHouse, because its own form throws, wraps or cuts characters:
//! - **Text is counted in characters**, never in bytes: `length`, `left`, `right`, `substring`, `position`, `reverse`,
//!   `lower`, `upper` (of all letters, not only ASCII).
//! - **Weeks start on Monday** (`toStartOfWeek`, `toDayOfWeek`, `dateDiff`, `dateTrunc`).
//! - `toStartOf*` keep the years 1900 to 2299. `add*` and `subtract*` give `Date32` of days and `DateTime64` of instants
//!   (at most microseconds); the amount of a column beyond ±32,767 (±2,147,483,647 for hours and less) is null.
//! - **Conversions are null where the value does not fit**; of text they are strict: `toDate` takes 'YYYY-MM-DD' and gives
//!   `Date32`, `toDateTime` 'YYYY-MM-DD hh:mm:ss' or with `T`, a fraction, a `Z`. Decimals and floats lose their fraction
//!   in `toInt64`, as ClickHouse does it; too many digits of a decimal are cut.
//! - `divide`, `intDiv`, `modulo` of zero are null. `round` of floats rounds halves to even, of decimals away from zero.
//! - `greatest` and `least` leave nulls out.

mod argument;
mod conditional;
mod conversion;
mod date;
mod names;
mod number;
mod probe;
mod text;

use std::ops::Range;

pub(super) use conversion::strict_instant;
pub(super) use date::valid_zone;
pub use probe::probes;

use super::problem::ExpressionProblem;
use super::typed::{Typed, nullable_if};
use super::typing::Context;
use crate::sql::{ColumnType, literal};

/// One form of a function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name as ClickHouse spells it.
    pub name: &'static str,
    /// Whether ClickHouse takes the name in any case.
    pub any_case: bool,
    /// What the arguments must be. A [`Kind::Zone`] at the end may be left out.
    pub parameters: &'static [Kind],
    /// Whether the last parameter may be repeated.
    pub repeats: bool,
    /// What it gives.
    pub form: Form,
}

/// What a function gives.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// A type and a template with `{0}`, `{1}`, … and `{zone}`; null where an argument is.
    Template(ResultType, &'static str),
    /// The same, and null for some values.
    OrNull(ResultType, &'static str),
    /// Code.
    Rule(fn(&Matched) -> Result<Typed, ExpressionProblem>),
}

/// The result type of a template.
#[derive(Clone, Copy, Debug)]
pub enum ResultType {
    /// `String`
    Text,
    /// `UInt8` that is a condition
    Condition,
    /// `UInt…` by bits
    UInt(u16),
    /// `Int…` by bits
    Int(u16),
    /// `Float64`
    Float,
    /// `UUID`
    Uuid,
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text
    Text,
    /// A text in quotes
    TextConstant,
    /// One character, in quotes
    Character,
    /// A pattern of `like`, in quotes
    Pattern,
    /// A format of `formatDateTime`, in quotes
    Format,
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
    /// Anything but arrays, maps, tuples and states
    Scalar,
    /// An array
    Array,
}

/// Where a call stands.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The name as written.
    pub name: &'a str,
    /// The whole call.
    pub span: Range<usize>,
    /// The dataset's context.
    pub context: &'a Context<'a>,
}

/// A call whose arguments fit a form.
#[derive(Clone, Debug)]
pub struct Matched<'a> {
    /// The form's name.
    pub name: &'static str,
    /// The arguments, each of its kind, the zone left out.
    pub arguments: Vec<Typed>,
    /// The zone: the argument, else that of the first instant, else the dataset's.
    pub zone: String,
    /// Whether the zone was an argument.
    pub zone_given: bool,
    /// Where the call stands.
    pub span: Range<usize>,
    /// The dataset's context.
    pub context: Context<'a>,
}

const fn function(name: &'static str, parameters: &'static [Kind], form: Form) -> Function {
    Function { name, any_case: false, parameters, repeats: false, form }
}

const fn template(name: &'static str, parameters: &'static [Kind], result: ResultType, sql: &'static str) -> Function {
    function(name, parameters, Form::Template(result, sql))
}

const fn or_null(name: &'static str, parameters: &'static [Kind], result: ResultType, sql: &'static str) -> Function {
    function(name, parameters, Form::OrNull(result, sql))
}

const fn rule(
    name: &'static str,
    parameters: &'static [Kind],
    rule: fn(&Matched) -> Result<Typed, ExpressionProblem>,
) -> Function {
    function(name, parameters, Form::Rule(rule))
}

impl Function {
    const fn any_case(self) -> Self {
        Self { any_case: true, ..self }
    }

    const fn repeats(self) -> Self {
        Self { repeats: true, ..self }
    }
}

/// All forms.
pub fn table() -> impl Iterator<Item = &'static Function> {
    [text::TABLE, date::TABLE, number::TABLE, conditional::TABLE, conversion::TABLE].into_iter().flatten()
}

/// The forms of a name.
///
/// # Errors
/// If there is none: nearest names, or why it is refused and what to use instead.
pub fn find(name: &str, span: Range<usize>) -> Result<Vec<&'static Function>, ExpressionProblem> {
    let name = names::canonical(name);
    let forms: Vec<&Function> = table()
        .filter(|function| function.name == name || (function.any_case && function.name.eq_ignore_ascii_case(name)))
        .collect();
    if forms.is_empty() { Err(names::unknown(name, span)) } else { Ok(forms) }
}

/// Applies the first form that the arguments fit.
///
/// # Errors
/// If they fit none.
pub fn apply(forms: Vec<&'static Function>, arguments: Vec<Typed>, call: Call) -> Result<Typed, ExpressionProblem> {
    let mut closest: Option<(usize, ExpressionProblem)> = None;
    for form in &forms {
        match argument::matched(form, &arguments, &call) {
            Ok(matched) => {
                let result = match form.form {
                    Form::Template(result, sql) => Ok(filled(&matched, result, sql)),
                    Form::OrNull(result, sql) => Ok(filled(&matched, result, sql).nullable()),
                    Form::Rule(rule) => rule(&matched),
                };
                // A computed value is no plain reference, even where the SQL is unchanged (masks, design 4.8).
                return result.map(|result| Typed { plain: None, constant: None, span: call.span, ..result });
            }
            Err((fitting, problem)) if closest.as_ref().is_none_or(|(best, _)| fitting > *best) => {
                closest = Some((fitting, problem));
            }
            Err(_) => {}
        }
    }
    let (_, problem) = closest.expect("a name has at least one form");
    let signatures: Vec<String> = forms.iter().map(|form| signature(form)).collect();
    let help = match problem.help {
        Some(help) => format!("{help}; it is {}", signatures.join(" or ")),
        None => format!("it is {}", signatures.join(" or ")),
    };
    Err(ExpressionProblem { help: Some(help), ..problem })
}

fn filled(matched: &Matched, result: ResultType, sql: &str) -> Typed {
    let inner = match result {
        ResultType::Text => ColumnType::String,
        ResultType::Condition => ColumnType::UInt(8),
        ResultType::UInt(bits) => ColumnType::UInt(bits),
        ResultType::Int(bits) => ColumnType::Int(bits),
        ResultType::Float => ColumnType::Float(64),
        ResultType::Uuid => ColumnType::Uuid,
    };
    let arguments: Vec<&Typed> = matched.arguments.iter().collect();
    let typed =
        Typed::of(inner, &sql.replace("{zone}", &literal::string(&matched.zone)), &arguments, matched.span.clone());
    if matches!(result, ResultType::Condition) { typed.condition() } else { typed }
}

/// The form as the docs and the help show it.
pub fn signature(function: &Function) -> String {
    let name = |kind: &Kind| match kind {
        Kind::Text => "text",
        Kind::TextConstant => "'text'",
        Kind::Character => "'character'",
        Kind::Pattern => "'pattern'",
        Kind::Format => "'format'",
        Kind::DayUnit | Kind::Unit => "'unit'",
        Kind::Zone => "['zone']",
        Kind::Integer | Kind::Amount16 | Kind::Amount32 | Kind::Position => "integer",
        Kind::IntegerConstant(..) => "written integer",
        Kind::Float | Kind::IntegerOrFloat => "integer or float",
        Kind::Number => "number",
        Kind::Decimal => "decimal",
        Kind::Day => "day",
        Kind::Instant => "instant",
        Kind::Moment => "day or instant",
        Kind::Condition => "condition",
        Kind::Scalar => "value",
        Kind::Array => "array",
    };
    let more = if function.repeats { ", …" } else { "" };
    format!("`{}({}{more})`", function.name, function.parameters.iter().map(name).collect::<Vec<_>>().join(", "))
}

/// A result type with the nullability of the arguments.
fn like_arguments(inner: ColumnType, arguments: &[Typed]) -> ColumnType {
    nullable_if(inner, arguments.iter().any(Typed::is_nullable))
}
