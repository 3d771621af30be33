//! Tree → typed SQL (design 4.3). Every rendered form is total: no value of the argument types makes it throw (a
//! throwing expression would tell a caller about rows that he may not see, pitfalls A3). Knows the types of references
//! from its caller, nothing of sources.

use std::collections::BTreeMap;
use std::ops::Range;

use super::comparison;
use super::expression::{CompareOperator, Expression, ExpressionKind};
use super::functions::{self, Call};
use super::operators;
pub use super::problem::{ExpressionProblem, ProblemCode};
use super::typed::{Constant, Fragment, MAX_GROWTH, Typed, nullable_if};
use crate::sql::{ColumnType, literal};

/// The longest SQL of one expression, in bytes: well under the server's limits on a whole query.
pub const MAX_SQL: usize = 32 * 1024;

/// What an expression is checked with.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The dataset's time zone: for dates where neither an argument nor the column's type names one.
    pub time_zone: &'a str,
}

/// Who knows what a reference is.
pub trait References {
    /// Called once per reference in the text, in its order.
    ///
    /// # Errors
    /// If the reference names nothing or may not be read: the problem to report.
    fn resolve(&mut self, path: &[String], span: Range<usize>) -> Result<ResolvedReference, ExpressionProblem>;
}

/// What a reference is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedReference {
    /// A number that the caller knows it by.
    pub id: usize,
    /// The exact type of its SQL.
    pub column_type: ColumnType,
}

/// A checked expression.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedExpression {
    /// The exact ClickHouse type of the rendered SQL.
    pub column_type: ColumnType,
    fragment: Fragment,
    plain: Option<usize>,
}

impl TypedExpression {
    /// The references in it, sorted, each once.
    pub fn references(&self) -> Vec<usize> {
        self.fragment.references()
    }

    /// The reference, if the expression is one and nothing else.
    pub fn as_plain_reference(&self) -> Option<usize> {
        self.plain
    }

    /// The SQL of the (three-valued) value.
    pub fn render(&self, reference: &dyn Fn(usize) -> String) -> String {
        self.fragment.render(reference)
    }

    /// Canonical text, for the content hash: the SQL with references as `$id`.
    pub fn normal_form(&self) -> String {
        self.fragment.render(&|id| format!("${id}"))
    }
}

/// Checks an expression and gives its type and SQL.
///
/// # Errors
/// All problems at once.
pub fn check(
    expression: &Expression,
    references: &mut dyn References,
    context: &Context,
) -> Result<TypedExpression, Vec<ExpressionProblem>> {
    let mut checker = Checker::new(references, *context);
    let typed = checker.check(expression);
    let typed = typed.and_then(|typed| checker.keep(valued(typed)));
    match typed {
        Some(Typed { column_type, fragment, plain, .. }) if checker.problems.is_empty() => {
            Ok(TypedExpression { column_type, fragment, plain })
        }
        _ => Err(checker.problems),
    }
}

fn valued(typed: Typed) -> Result<Typed, ExpressionProblem> {
    if typed.is_null_literal() {
        return Err(ExpressionProblem::new(ProblemCode::TypeMismatch, typed.span, "`null` alone has no type")
            .help("name a value that may be null, or leave the column out"));
    }
    Ok(typed)
}

/// The walk: gathers problems and goes on.
pub(super) struct Checker<'a> {
    references: &'a mut dyn References,
    pub(super) context: Context<'a>,
    pub(super) problems: Vec<ExpressionProblem>,
    /// Resolved by place, so that each reference is asked for once.
    resolved: BTreeMap<(usize, usize), Option<ResolvedReference>>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(references: &'a mut dyn References, context: Context<'a>) -> Self {
        Self { references, context, problems: Vec::new(), resolved: BTreeMap::new() }
    }

    /// Keeps the problem, if it is one.
    pub(super) fn keep(&mut self, result: Result<Typed, ExpressionProblem>) -> Option<Typed> {
        let problem = match result {
            Ok(typed) if typed.growth.total() > MAX_GROWTH => {
                let message = format!(
                    "this can become {} times longer than the texts it is made of; at most {MAX_GROWTH} times is allowed",
                    typed.growth.total()
                );
                ExpressionProblem::new(ProblemCode::TooLarge, typed.span, message)
                    .help("nest fewer replacements, or make what is put in shorter")
            }
            Ok(typed) if typed.fragment.length() <= MAX_SQL => return Some(typed),
            Ok(typed) => {
                let message = format!("the SQL of this part would be longer than {MAX_SQL} bytes");
                ExpressionProblem::new(ProblemCode::TooLarge, typed.span, message)
                    .help("nest fewer calls, or compute an intermediate column in the source")
            }
            Err(problem) => problem,
        };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
        None
    }

    pub(super) fn check(&mut self, expression: &Expression) -> Option<Typed> {
        let span = expression.span.clone();
        match &expression.kind {
            ExpressionKind::Null => Some(constant(Constant::Null, ColumnType::Other("Nothing".into()), "NULL", span)),
            ExpressionKind::Boolean(value) => {
                let text = if *value { "true" } else { "false" };
                Some(constant(Constant::Boolean(*value), ColumnType::Bool, text, span))
            }
            ExpressionKind::Text(value) => {
                Some(constant(Constant::Text(value.clone()), ColumnType::String, &literal::string(value), span))
            }
            ExpressionKind::Number(number) => self.keep(number_literal(number.clone(), span)),
            ExpressionKind::Reference(path) => self.reference(path, span),
            ExpressionKind::Call { name, name_span, arguments } => {
                let function = match functions::find(name, name_span.clone()) {
                    Ok(function) => Some(function),
                    Err(problem) => self.keep(Err(problem)).and(None),
                };
                let checked: Vec<Option<Typed>> = arguments.iter().map(|argument| self.check(argument)).collect();
                let arguments = checked.into_iter().collect::<Option<Vec<Typed>>>()?;
                let context = self.context;
                let result = functions::apply(function?, arguments, Call { name, span, context: &context });
                self.keep(result)
            }
            ExpressionKind::Negate(operand) => {
                let operand = self.check(operand)?;
                let result = match operand.constant_number() {
                    Some(number) => number_literal(number.negated(), span),
                    None => operators::negate(operand, span),
                };
                self.keep(result)
            }
            ExpressionKind::Arithmetic(operator, left, right) => {
                let (left, right) = (self.check(left), self.check(right));
                let result = operators::arithmetic(*operator, left?, right?, span);
                self.keep(result)
            }
            ExpressionKind::Compare(operator, left, right) => {
                let (left, right) = (self.check(left), self.check(right));
                let result = comparison::compare(*operator, left?.operand(), right?.operand(), &self.context, span);
                self.keep(result)
            }
            ExpressionKind::In { operand, items, negated } => {
                let operand = self.check(operand);
                let items: Vec<Option<Typed>> = items.iter().map(|item| self.check(item)).collect();
                let items = items.into_iter().map(|item| Some(item?.operand())).collect::<Option<Vec<_>>>();
                let result = comparison::is_in(operand?.operand(), items?, *negated, &self.context, span);
                self.keep(result)
            }
            ExpressionKind::Between { operand, low, high, negated } => {
                let (operand, low, high) = (self.check(operand), self.check(low), self.check(high));
                let (operand, low, high) = (operand?.operand(), low?.operand(), high?.operand());
                let (from, to, word) = match negated {
                    false => (CompareOperator::GreaterOrEqual, CompareOperator::LessOrEqual, " AND "),
                    true => (CompareOperator::Less, CompareOperator::Greater, " OR "),
                };
                let from = comparison::compare(from, operand.clone(), low, &self.context, span.clone());
                let to = comparison::compare(to, operand, high, &self.context, span.clone());
                let (from, to) = (self.keep(from), self.keep(to));
                self.keep(Ok(logic(word, vec![from?, to?], span)))
            }
            ExpressionKind::IsNull { operand, negated } => {
                let operand = self.check(operand)?;
                self.keep(comparison::is_null(operand, *negated, span))
            }
            ExpressionKind::Not(operand) => {
                let operand = self.check(operand)?;
                let operand = self.keep(condition(operand.operand()))?;
                let bool_stays = operand.column_type.inner() == &ColumnType::Bool;
                let inner = if bool_stays { ColumnType::Bool } else { ColumnType::UInt(8) };
                self.keep(Ok(Typed::of(inner, "(NOT {0})", &[&operand], span).condition()))
            }
            ExpressionKind::And(operands) => self.logic(" AND ", operands, span),
            ExpressionKind::Or(operands) => self.logic(" OR ", operands, span),
        }
    }

    fn logic(&mut self, word: &str, operands: &[Expression], span: Range<usize>) -> Option<Typed> {
        let checked: Vec<Option<Typed>> = operands
            .iter()
            .map(|operand| {
                let operand = self.check(operand)?;
                self.keep(condition(operand.operand()))
            })
            .collect();
        let operands = checked.into_iter().collect::<Option<Vec<Typed>>>()?;
        self.keep(Ok(logic(word, operands, span)))
    }

    fn reference(&mut self, path: &[String], span: Range<usize>) -> Option<Typed> {
        let place = (span.start, span.end);
        let resolved = match self.resolved.get(&place) {
            Some(known) => known.clone(),
            None => {
                let resolved = match self.references.resolve(path, span.clone()) {
                    Ok(resolved) => Some(resolved),
                    Err(problem) => self.keep(Err(problem)).and(None),
                };
                self.resolved.insert(place, resolved.clone());
                resolved
            }
        }?;
        let typed = Typed::new(resolved.column_type, Fragment::reference(resolved.id), span);
        Some(Typed { plain: Some(resolved.id), ..typed })
    }
}

/// Conditions joined by `AND` or `OR`.
fn logic(word: &str, operands: Vec<Typed>, span: Range<usize>) -> Typed {
    let nullable = operands.iter().any(Typed::is_nullable);
    // As ClickHouse: one plain Bool makes the result Bool; Nullable(Bool) does not.
    let boolean = operands.iter().any(|operand| operand.column_type == ColumnType::Bool);
    let inner = if boolean { ColumnType::Bool } else { ColumnType::UInt(8) };
    let joined = Fragment::join(operands.iter().map(|operand| &operand.fragment), word);
    Typed::new(nullable_if(inner, nullable), Fragment::template("({0})", &[&joined]), span).condition()
}

/// The value as a condition.
///
/// # Errors
/// If it is something else.
pub(super) fn condition(value: Typed) -> Result<Typed, ExpressionProblem> {
    if value.condition {
        return Ok(value);
    }
    if value.is_null_literal() {
        return Err(ExpressionProblem::new(ProblemCode::NotBoolean, value.span, "`null` is no condition")
            .help("write `false`, or `x is null`"));
    }
    let problem = ExpressionProblem::new(
        ProblemCode::NotBoolean,
        value.span.clone(),
        format!("a condition is needed, and this is `{}`", value.column_type),
    );
    Err(problem.help(match value.inner() {
        ColumnType::Int(_) | ColumnType::UInt(_) | ColumnType::Float(_) | ColumnType::Decimal(..) => {
            "compare it with a number, as in `x != 0`"
        }
        ColumnType::String | ColumnType::FixedString(_) => {
            "compare it with a text, as in `x = 'yes'`, or use `notEmpty(x)`"
        }
        _ => "compare it with something, or ask `x is not null`",
    }))
}

fn constant(value: Constant, column_type: ColumnType, text: &str, span: Range<usize>) -> Typed {
    Typed { constant: Some(value), ..Typed::new(column_type, Fragment::text(text), span) }
}

fn number_literal(number: super::number::Number, span: Range<usize>) -> Result<Typed, ExpressionProblem> {
    let typed = number.own_type().and_then(|own| number.sql(&own).map(|text| (own, text)));
    let Some((own, text)) = typed else {
        let problem = ExpressionProblem::new(ProblemCode::TypeMismatch, span, "no type holds this number");
        return Err(problem.help("integers have 64 bits; longer ones are decimals: `toDecimal128('…', 0)`"));
    };
    let bits = number.bits();
    Ok(constant(Constant::Number(number), own, &text, span).within(bits))
}
