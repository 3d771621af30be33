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

mod conditional;
mod conversion;
mod date;
mod names;
mod number;
mod probe;
mod text;

use std::ops::Range;

pub use probe::probes;

use super::convert::{Family, adapt, family, zone_of, zoned};
use super::problem::{ExpressionProblem, ProblemCode};
use super::typed::{Constant, Fragment, Typed, nullable_if};
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
    /// `Array(String)`
    Texts,
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
    /// `DateTime64(scale, zone)`
    Instant(u8),
    /// As the first argument.
    First,
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
        match matched(form, &arguments, &call) {
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
        ResultType::Texts => ColumnType::Array(Box::new(ColumnType::String)),
        ResultType::Condition => ColumnType::UInt(8),
        ResultType::UInt(bits) => ColumnType::UInt(bits),
        ResultType::Int(bits) => ColumnType::Int(bits),
        ResultType::Float => ColumnType::Float(64),
        ResultType::Uuid => ColumnType::Uuid,
        ResultType::Instant(scale) => ColumnType::DateTime64(scale, Some(matched.zone.clone())),
        ResultType::First => matched.arguments.first().map_or(ColumnType::String, |first| first.inner().clone()),
    };
    let arguments: Vec<&Typed> = matched.arguments.iter().collect();
    let typed =
        Typed::of(inner, &sql.replace("{zone}", &literal::string(&matched.zone)), &arguments, matched.span.clone());
    if matches!(result, ResultType::Condition) { typed.condition() } else { typed }
}

/// The arguments brought to their kinds; else how many fitted, and the problem of the first that did not.
fn matched<'a>(
    form: &'static Function,
    arguments: &[Typed],
    call: &Call<'a>,
) -> Result<Matched<'a>, (usize, ExpressionProblem)> {
    let kinds = form.parameters;
    let optional = usize::from(kinds.last() == Some(&Kind::Zone));
    let enough = arguments.len() >= kinds.len() - optional;
    if !enough || (arguments.len() > kinds.len() && !form.repeats) {
        let message = format!("`{}` does not take {}", call.name, counted(arguments.len()));
        return Err((0, ExpressionProblem::new(ProblemCode::WrongArguments, call.span.clone(), message)));
    }
    let (mut fitting, mut zone) = (Vec::new(), None);
    for (index, argument) in arguments.iter().enumerate() {
        let kind = kinds[index.min(kinds.len() - 1)];
        let argument = coerced(kind, argument.clone(), call).map_err(|problem| (fitting.len() + 1, problem))?;
        match kind {
            Kind::Zone => zone = argument.constant_text().map(str::to_owned),
            _ => fitting.push(argument),
        }
    }
    let zone_given = zone.is_some();
    let zone = zone.unwrap_or_else(|| {
        let instant = fitting.iter().find(|argument| family(&argument.column_type) == Family::Instant);
        instant.map_or(call.context.time_zone.to_owned(), |instant| zone_of(&instant.column_type, call.context))
    });
    let (name, span, context) = (form.name, call.span.clone(), *call.context);
    Ok(Matched { name, arguments: fitting, zone, zone_given, span, context })
}

fn counted(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        more => format!("{more} arguments"),
    }
}

fn coerced(kind: Kind, argument: Typed, call: &Call) -> Result<Typed, ExpressionProblem> {
    let span = argument.span.clone();
    let wrong = |code: ProblemCode, found: &str| {
        let message = format!("`{}` needs {} here, and this is {found}", call.name, described(kind));
        ExpressionProblem::new(code, span.clone(), message)
    };
    let found = match &argument.constant {
        Some(Constant::Null) => "`null`".to_owned(),
        Some(Constant::Text(text)) => format!("`{}`", literal::string(text)),
        _ if argument.condition && argument.column_type.inner() != &ColumnType::Bool => "a condition".to_owned(),
        _ => format!("`{}`", argument.column_type),
    };
    let constant = |valid: Option<bool>| match valid {
        Some(true) => Ok(argument.clone()),
        _ => Err(wrong(ProblemCode::WrongArguments, &found)),
    };
    let text = argument.constant_text();
    match kind {
        Kind::TextConstant => return constant(text.map(|text| text.len() <= 256)),
        Kind::Character => return constant(text.map(|text| text.chars().count() == 1)),
        Kind::Pattern => return constant(text.map(text::valid_pattern)),
        Kind::Format => return constant(text.map(date::valid_format)),
        Kind::DayUnit => return constant(text.map(|unit| date::DAY_UNITS.contains(&unit))),
        Kind::Unit => return constant(text.map(|unit| date::DAY_UNITS.contains(&unit) || date::UNITS.contains(&unit))),
        Kind::Zone => return constant(text.map(date::valid_zone)),
        Kind::IntegerConstant(low, high) => {
            let integer = argument.constant_number().and_then(super::number::Number::as_integer);
            return constant(integer.map(|integer| (low.into()..=high.into()).contains(&integer)));
        }
        _ => {}
    }
    if argument.is_null_literal() {
        return null_argument(kind, &argument).ok_or_else(|| wrong(ProblemCode::TypeMismatch, &found));
    }
    let argument = argument.operand();
    let argument = match (&argument.constant, kind) {
        (Some(constant @ Constant::Text(_)), Kind::Day) => read(constant, &ColumnType::Date32, &argument, call),
        (Some(Constant::Number(number)), Kind::Float | Kind::IntegerOrFloat)
            if family(&argument.column_type) == Family::Decimal =>
        {
            let sql = number.sql(&ColumnType::Float(64));
            sql.map_or(argument.clone(), |sql| Typed::new(ColumnType::Float(64), Fragment::text(sql), span.clone()))
        }
        _ => argument,
    };
    let is = family(&argument.column_type);
    let integer = is == Family::Integer && !argument.condition;
    let fits = match kind {
        Kind::Text => is == Family::Text,
        Kind::Integer | Kind::Amount16 | Kind::Amount32 => integer,
        Kind::Float | Kind::IntegerOrFloat => integer || is == Family::Float,
        Kind::Number => integer || matches!(is, Family::Float | Family::Decimal),
        Kind::Decimal => is == Family::Decimal,
        Kind::Day => is == Family::Day,
        Kind::Instant => is == Family::Instant,
        Kind::Moment => matches!(is, Family::Day | Family::Instant),
        Kind::Condition => argument.condition,
        Kind::Scalar => is != Family::Other,
        Kind::Array => matches!(argument.column_type, ColumnType::Array(_)),
        _ => false,
    };
    if !fits {
        let problem = wrong(ProblemCode::TypeMismatch, &found);
        return Err(match advice(kind, is) {
            Some(advice) => problem.help(advice),
            None => problem,
        });
    }
    Ok(match kind {
        Kind::Amount16 => amount(argument, 16),
        Kind::Amount32 => amount(argument, 32),
        Kind::Float => argument.cast(&ColumnType::Float(64)),
        // The zone belongs to the type of whatever is computed from it.
        Kind::Instant | Kind::Moment if is == Family::Instant => {
            let zone = zone_of(&argument.column_type, call.context);
            zoned(argument, &zone)
        }
        _ => argument,
    })
}

fn read(constant: &Constant, inner: &ColumnType, argument: &Typed, call: &Call) -> Typed {
    match adapt(constant, inner, call.context) {
        Ok(fragment) => Typed::new(inner.clone(), fragment, argument.span.clone()),
        Err(_) => argument.clone(),
    }
}

fn amount(argument: Typed, bits: u16) -> Typed {
    let fits = argument.bits < bits;
    match (fits, &argument.constant) {
        (true, _) => argument,
        (false, _) => argument.cast_or_null(&ColumnType::Int(bits)),
    }
}

fn null_argument(kind: Kind, argument: &Typed) -> Option<Typed> {
    let inner = match kind {
        // Decided by the function, from its other arguments.
        Kind::Scalar => return Some(argument.clone()),
        Kind::Text => ColumnType::String,
        Kind::Condition => ColumnType::Bool,
        Kind::Integer | Kind::Amount16 | Kind::Amount32 => ColumnType::Int(16),
        Kind::Float | Kind::IntegerOrFloat => ColumnType::Float(64),
        Kind::Day | Kind::Moment => ColumnType::Date32,
        _ => return None,
    };
    Some(Typed::null(&inner, argument.span.clone()))
}

fn advice(kind: Kind, found: Family) -> Option<&'static str> {
    Some(match (kind, found) {
        (Kind::Text, Family::Other) => return None,
        (Kind::Text, _) => "write it as text with `toString(x)`",
        (Kind::Integer | Kind::Amount16 | Kind::Amount32, Family::Text | Family::Float | Family::Decimal) => {
            "bring it to an integer with `toInt64(x)`"
        }
        (Kind::Float | Kind::IntegerOrFloat, Family::Decimal | Family::Text) => {
            "bring it to a float with `toFloat64(x)`"
        }
        (Kind::Number, Family::Text) => "read it with `toInt64(x)` or `toDecimal64(x, 2)`",
        (Kind::Day | Kind::Moment, Family::Text) => "read it with `toDate(x)` or `toDateTime(x)`",
        (Kind::Day, Family::Instant) => "take its day with `toDate(x)`",
        (Kind::Instant, Family::Text | Family::Day) => "bring it to an instant with `toDateTime(x)`",
        (Kind::Condition, _) => "compare it with something, as in `x != 0`",
        (_, Family::Boolean) => "count it with `if(x, 1, 0)`",
        _ => return None,
    })
}

fn described(kind: Kind) -> String {
    match kind {
        Kind::Text => "a text".to_owned(),
        Kind::TextConstant => "a text in quotes, at most 256 bytes long,".to_owned(),
        Kind::Character => "one character in quotes".to_owned(),
        Kind::Pattern => "a pattern in quotes whose last character is no single backslash".to_owned(),
        Kind::Format => format!("a format in quotes with the parts {}", date::FORMAT_PARTS),
        Kind::DayUnit => format!("one of {}", date::DAY_UNITS.map(|unit| format!("'{unit}'")).join(", ")),
        Kind::Unit => {
            let units = date::UNITS.into_iter().chain(date::DAY_UNITS).map(|unit| format!("'{unit}'"));
            format!("one of {}", units.collect::<Vec<_>>().join(", "))
        }
        Kind::Zone => "a time zone in quotes, such as 'Europe/Berlin',".to_owned(),
        Kind::Integer | Kind::Amount16 | Kind::Amount32 => "an integer".to_owned(),
        Kind::IntegerConstant(low, high) => format!("a written integer from {low} to {high}"),
        Kind::Float | Kind::IntegerOrFloat => "an integer or a float".to_owned(),
        Kind::Number => "a number".to_owned(),
        Kind::Decimal => "a decimal".to_owned(),
        Kind::Day => "a day".to_owned(),
        Kind::Instant => "an instant".to_owned(),
        Kind::Moment => "a day or an instant".to_owned(),
        Kind::Condition => "a condition".to_owned(),
        Kind::Scalar => "a single value".to_owned(),
        Kind::Array => "an array".to_owned(),
    }
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
        Kind::Integer | Kind::Amount16 | Kind::Amount32 => "integer",
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
