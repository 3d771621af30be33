//! The function table (design 4.3, ClickHouse facts 11): surface name, arguments, result, total rendering. A row says all
//! of a function; only where the SQL depends on more than the kinds of arguments does it name a rule in code.
//! `docs/expressions.md` is made of it; its introduction says where these functions differ from ClickHouse's, because
//! the latter throw, wrap or cut characters.

mod argument;
mod array;
mod bits;
mod compare;
mod conditional;
mod conversion;
mod date;
mod digest;
mod document;
mod encoding;
mod instant;
mod kind;
mod map;
mod moment;
mod names;
mod number;
mod pattern;
mod probe;
mod refused;
mod regex;
mod rereading;
mod shift;
mod text;

use std::ops::Range;

pub(super) use date::valid_zone;
pub use document::document;
pub use kind::Kind;
pub(super) use moment::{strict_day, strict_instant};
pub use probe::{probes, sample_constants, sample_types};

use super::problem::ExpressionProblem;
use super::typed::Typed;
use super::typing::Context;
use crate::sql::{ColumnType, literal};

/// Functions that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What they are about.
    pub title: &'static str,
    /// The functions in the order of the docs.
    pub functions: &'static [Function],
}

/// All functions.
pub const GROUPS: [Group; 16] = [
    Group { title: "Text", functions: text::TABLE },
    Group { title: "Searching and replacing", functions: pattern::TABLE },
    Group { title: "Encodings, addresses and URLs", functions: encoding::TABLE },
    Group { title: "Hashes", functions: digest::TABLE },
    Group { title: "Parts of days and instants", functions: date::PARTS },
    Group { title: "Days and instants", functions: date::TABLE },
    Group { title: "Moving days and instants", functions: shift::TABLE },
    Group { title: "Instants and numbers", functions: instant::TABLE },
    Group { title: "Numbers", functions: number::TABLE },
    Group { title: "Bits", functions: bits::TABLE },
    Group { title: "Choosing", functions: conditional::TABLE },
    Group { title: "Comparing", functions: compare::TABLE },
    Group { title: "Converting", functions: conversion::TABLE },
    Group { title: "Converting to days and instants", functions: moment::TABLE },
    Group { title: "Arrays", functions: array::TABLE },
    Group { title: "Maps", functions: map::TABLE },
];

/// A function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name as ClickHouse spells it.
    pub name: &'static str,
    /// Whether ClickHouse takes the name in any case.
    pub any_case: bool,
    /// What it gives, in a sentence.
    pub about: &'static str,
    /// A call, and the text of its value.
    pub example: (&'static str, &'static str),
    /// Its forms; the first that the arguments fit is taken.
    pub forms: &'static [Form],
}

/// One form of a function.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// What the arguments must be. A [`Kind::Zone`] at the end may be left out.
    pub parameters: &'static [Kind],
    /// Whether the last parameter may be repeated.
    pub repeats: bool,
    /// What it gives.
    pub rendering: Rendering,
}

/// What a form gives.
#[derive(Clone, Copy, Debug)]
pub enum Rendering {
    /// A type and a template with `{0}`, `{1}`, … and `{zone}`; null where an argument is.
    Template(ResultType, &'static str),
    /// The same, and null for some values.
    OrNull(ResultType, &'static str),
    /// A template whose result can be so many times longer than its arguments.
    Growing(u64, ResultType, &'static str),
    /// Code.
    Rule(fn(&Matched) -> Result<Typed, ExpressionProblem>),
}

/// The result type of a template.
#[derive(Clone, Copy, Debug)]
pub enum ResultType {
    /// `String`
    Text,
    /// `Array(String)`, which is never null
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
    /// `IPv4`
    Ipv4,
    /// `IPv6`
    Ipv6,
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
    /// The function.
    pub function: &'static Function,
    /// The function's name.
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

/// The code of a rule.
type Rule = fn(&Matched) -> Result<Typed, ExpressionProblem>;

const fn function(
    name: &'static str,
    about: &'static str,
    example: (&'static str, &'static str),
    forms: &'static [Form],
) -> Function {
    Function { name, any_case: false, about, example, forms }
}

const fn template(parameters: &'static [Kind], result: ResultType, sql: &'static str) -> Form {
    Form { parameters, repeats: false, rendering: Rendering::Template(result, sql) }
}

const fn or_null(parameters: &'static [Kind], result: ResultType, sql: &'static str) -> Form {
    Form { parameters, repeats: false, rendering: Rendering::OrNull(result, sql) }
}

const fn growing(factor: u64, parameters: &'static [Kind], result: ResultType, sql: &'static str) -> Form {
    Form { parameters, repeats: false, rendering: Rendering::Growing(factor, result, sql) }
}

const fn rule(parameters: &'static [Kind], rule: Rule) -> Form {
    Form { parameters, repeats: false, rendering: Rendering::Rule(rule) }
}

impl Function {
    const fn any_case(self) -> Self {
        Self { any_case: true, ..self }
    }
}

impl Form {
    const fn repeats(self) -> Self {
        Self { repeats: true, ..self }
    }
}

/// All functions.
pub fn table() -> impl Iterator<Item = &'static Function> {
    GROUPS.iter().flat_map(|group| group.functions)
}

/// The function of a name.
///
/// # Errors
/// If there is none: nearest names, or why it is refused and what to use instead.
pub fn find(name: &str, span: Range<usize>) -> Result<&'static Function, ExpressionProblem> {
    let canonical = names::canonical(name);
    let is = |function: &&Function| {
        function.name == canonical || (function.any_case && function.name.eq_ignore_ascii_case(canonical))
    };
    table().find(is).ok_or_else(|| names::unknown(name, span))
}

/// Applies the first form that the arguments fit.
///
/// # Errors
/// If they fit none.
pub fn apply(function: &'static Function, arguments: Vec<Typed>, call: Call) -> Result<Typed, ExpressionProblem> {
    let mut closest: Option<(usize, ExpressionProblem)> = None;
    for form in function.forms {
        match argument::matched(function, form, &arguments, &call) {
            Ok(matched) => {
                let result = match form.rendering {
                    Rendering::Template(result, sql) => Ok(filled(&matched, result, sql)),
                    Rendering::OrNull(result, sql) => Ok(filled(&matched, result, sql).nullable()),
                    Rendering::Growing(factor, result, sql) => Ok(filled(&matched, result, sql).growing(factor)),
                    Rendering::Rule(rule) => rule(&matched),
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
    let (_, problem) = closest.expect("a function has at least one form");
    let help = match problem.help {
        Some(help) => format!("{help}; it is {}", signatures(function)),
        None => format!("it is {}", signatures(function)),
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
        ResultType::Ipv4 => ColumnType::Ipv4,
        ResultType::Ipv6 => ColumnType::Ipv6,
    };
    // Arrays are never null: of null text they are those of the empty text.
    let present = |argument: &Typed| if_null(argument, "''");
    let arguments: Vec<Typed> = match result {
        ResultType::Texts => matched.arguments.iter().map(present).collect(),
        _ => matched.arguments.clone(),
    };
    let arguments: Vec<&Typed> = arguments.iter().collect();
    let typed =
        Typed::of(inner, &sql.replace("{zone}", &literal::string(&matched.zone)), &arguments, matched.span.clone());
    if matches!(result, ResultType::Condition) { typed.condition() } else { typed }
}

/// The value, or `otherwise` (SQL of its type) where it is null.
fn if_null(value: &Typed, otherwise: &str) -> Typed {
    if !value.is_nullable() {
        return value.clone();
    }
    let inner = value.inner().clone();
    let fragment = super::typed::Fragment::template(&format!("ifNull({{0}}, {otherwise})"), &[&value.fragment]);
    Typed { growth: value.growth.clone(), ..Typed::new(inner, fragment, value.span.clone()) }.within(value.bits)
}

/// The form as the docs and the help show it.
pub fn signature(function: &Function, form: &Form) -> String {
    let more = if form.repeats { ", …" } else { "" };
    let parameters = form.parameters.iter().map(|kind| kind.short()).collect::<Vec<_>>().join(", ");
    format!("`{}({parameters}{more})`", function.name)
}

/// All forms of a function.
fn signatures(function: &Function) -> String {
    function.forms.iter().map(|form| signature(function, form)).collect::<Vec<_>>().join(" or ")
}

/// A result type with the nullability of the arguments.
fn like_arguments(inner: ColumnType, arguments: &[Typed]) -> ColumnType {
    super::typed::nullable_if(inner, arguments.iter().any(Typed::is_nullable))
}
