//! Arguments brought to what a form needs, and what to say where they cannot be.

use super::{Call, Form, Function, Kind, Matched, date, pattern, regex};
use crate::compile::convert::{Family, adapt, family, zone_of};
use crate::compile::number::Number;
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typed::{Constant, Fragment, Typed};
use crate::sql::{ColumnType, literal};

/// The arguments brought to their kinds; else how many fitted, and the problem of the first that did not.
pub(super) fn matched<'a>(
    function: &'static Function,
    form: &'static Form,
    arguments: &[Typed],
    call: &Call<'a>,
) -> Result<Matched<'a>, (usize, ExpressionProblem)> {
    let kinds = form.parameters;
    let optional = usize::from(kinds.last() == Some(&Kind::Zone));
    let enough = arguments.len() >= kinds.len() - optional;
    if !enough || (arguments.len() > kinds.len() && !form.repeats) {
        let message = format!("`{}` is given {}", call.name, counted(arguments.len()));
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
    let (name, span, context) = (function.name, call.span.clone(), *call.context);
    Ok(Matched { function, name, arguments: fitting, zone, zone_given, span, context })
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
        let message = format!("`{}` needs {} here, and this is {found}", call.name, kind.needed());
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
        // Without a separator ClickHouse splits between bytes, also those of one character.
        Kind::Separator => return constant(text.map(|text| (1..=256).contains(&text.len()))),
        Kind::Character => return constant(text.map(|text| text.chars().count() == 1)),
        Kind::Pattern => return constant(text.map(pattern::valid_pattern)),
        Kind::Token => return constant(text.map(pattern::valid_token)),
        Kind::Regex | Kind::EveryRegex => {
            let every = kind == Kind::EveryRegex;
            return match text.map(regex::groups) {
                Some(Ok(_)) => match text.filter(|_| every).and_then(regex::read_again) {
                    None => Ok(argument),
                    Some(part) => {
                        let message = format!(
                            "{found} cannot be looked for everywhere in a text: for each fit, `{part}` can read all that follows in vain, and a long text takes hours"
                        );
                        let help = "keep what stands before the repetition out of it, as in `a[^a]*b|a`, or need nothing after it, as in `a.*|b`; `match`, `extract` and `replaceRegexpOne` take any";
                        Err(ExpressionProblem::new(ProblemCode::WrongArguments, span.clone(), message).help(help))
                    }
                },
                Some(Err(problem)) => {
                    let message = format!("{found} is no regular expression here: {problem}");
                    let help = "regular expressions are those of RE2, at most 256 bytes long";
                    Err(ExpressionProblem::new(ProblemCode::WrongArguments, span.clone(), message).help(help))
                }
                None => Err(wrong(ProblemCode::WrongArguments, &found)),
            };
        }
        Kind::Format => return constant(text.map(|text| date::valid_format(text, date::FORMAT_PARTS))),
        Kind::ReadFormat => return constant(text.map(|text| date::valid_format(text, date::READ_PARTS))),
        Kind::DayUnit => return constant(text.map(|unit| date::DAY_UNITS.contains(&unit))),
        Kind::Unit => return constant(text.map(|unit| date::DAY_UNITS.contains(&unit) || date::UNITS.contains(&unit))),
        Kind::Zone => return constant(text.map(date::valid_zone)),
        Kind::IntegerConstant(low, high) => {
            let integer = argument.constant_number().and_then(Number::as_integer);
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
        Kind::Integer | Kind::Amount16 | Kind::Amount32 | Kind::Position => integer,
        Kind::Float | Kind::IntegerOrFloat => integer || is == Family::Float,
        Kind::Number => integer || matches!(is, Family::Float | Family::Decimal),
        Kind::Exact => integer || is == Family::Decimal,
        Kind::Decimal => is == Family::Decimal,
        Kind::Day => is == Family::Day,
        Kind::Instant => is == Family::Instant,
        Kind::Moment => matches!(is, Family::Day | Family::Instant),
        Kind::Condition => argument.condition,
        Kind::Uuid => is == Family::Uuid,
        Kind::Address => is == Family::Address,
        Kind::Scalar => is != Family::Other,
        Kind::Array => matches!(argument.column_type, ColumnType::Array(_)),
        Kind::Map => matches!(argument.column_type, ColumnType::Map(..)),
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
        Kind::Position => match argument.inner() {
            ColumnType::UInt(..=32) => argument,
            _ => argument.cast_or_null(&ColumnType::UInt(32)),
        },
        Kind::Float => argument.cast(&ColumnType::Float(64)),
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
    match argument.inner() {
        _ if argument.bits >= bits => argument.cast_or_null(&ColumnType::Int(bits)),
        // Small, and yet of a type that ClickHouse takes for no number here.
        ColumnType::Int(128..) | ColumnType::UInt(128..) => argument.cast(&ColumnType::Int(bits)),
        _ => argument,
    }
}

fn null_argument(kind: Kind, argument: &Typed) -> Option<Typed> {
    let inner = match kind {
        // Decided by the function, from its other arguments.
        Kind::Scalar => return Some(argument.clone()),
        Kind::Text => ColumnType::String,
        Kind::Condition => ColumnType::Bool,
        Kind::Integer | Kind::Amount16 | Kind::Amount32 | Kind::Position => ColumnType::Int(16),
        Kind::Float | Kind::IntegerOrFloat => ColumnType::Float(64),
        Kind::Uuid => ColumnType::Uuid,
        Kind::Day | Kind::Moment => ColumnType::Date32,
        _ => return None,
    };
    Some(Typed::null(&inner, argument.span.clone()))
}

fn advice(kind: Kind, found: Family) -> Option<&'static str> {
    Some(match (kind, found) {
        (Kind::Text, Family::Other) => return None,
        (Kind::Text, _) => "write it as text with `toString(x)`",
        (
            Kind::Integer | Kind::Amount16 | Kind::Amount32 | Kind::Position,
            Family::Text | Family::Float | Family::Decimal,
        ) => "bring it to an integer with `toInt64(x)`",
        (Kind::Float | Kind::IntegerOrFloat, Family::Decimal | Family::Text) => {
            "bring it to a float with `toFloat64(x)`"
        }
        (Kind::Exact, Family::Float) => "decide how many digits it has, as in `toDecimal64(x, 2)`",
        (Kind::Number | Kind::Exact, Family::Text) => "read it with `toInt64(x)` or `toDecimal64(x, 2)`",
        (Kind::Day | Kind::Moment, Family::Text) => "read it with `toDate(x)` or `toDateTime(x)`",
        (Kind::Day, Family::Instant) => "take its day with `toDate(x)`",
        (Kind::Instant, Family::Text | Family::Day) => "bring it to an instant with `toDateTime(x)`",
        (Kind::Condition, _) => "compare it with something, as in `x != 0`",
        (_, Family::Boolean) => "count it with `if(x, 1, 0)`",
        _ => return None,
    })
}
