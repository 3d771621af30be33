//! Conditions as filters are read (design 4.4, reference-view 1.7): two-valued. Each leaf is true or false for every row;
//! a comparison with null is false, its negation true; `not` goes down to the leaves, where ranges can still prune.

use std::ops::Range;

use super::comparison::{self, comparable};
use super::convert::{Family, family};
use super::expression::{CompareOperator, Expression, ExpressionKind};
use super::typed::{Fragment, Typed};
use super::typing::{Checker, Context, ExpressionProblem, References, condition};
use crate::sql::ColumnType;

/// A checked condition.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedFilter {
    fragment: Fragment,
}

impl TypedFilter {
    /// The references in it, sorted, each once.
    pub fn references(&self) -> Vec<usize> {
        self.fragment.references()
    }

    /// The SQL: a condition that is never null.
    pub fn render(&self, reference: &dyn Fn(usize) -> String) -> String {
        self.fragment.render(reference)
    }

    /// Canonical text, for the content hash: the SQL with references as `$id`.
    pub fn normal_form(&self) -> String {
        self.fragment.render(&|id| format!("${id}"))
    }
}

/// Checks a condition of `filters` or of an Inner join.
///
/// # Errors
/// All problems at once; one of them if the expression is no condition.
pub fn check_filter(
    expression: &Expression,
    references: &mut dyn References,
    context: &Context,
) -> Result<TypedFilter, Vec<ExpressionProblem>> {
    let mut checker = Checker::new(references, *context);
    match checker.predicate(expression, false) {
        Some(fragment) if checker.problems.is_empty() => Ok(TypedFilter { fragment }),
        _ => Err(checker.problems),
    }
}

impl Checker<'_> {
    fn predicate(&mut self, expression: &Expression, negated: bool) -> Option<Fragment> {
        let span = expression.span.clone();
        match &expression.kind {
            ExpressionKind::Not(operand) => self.predicate(operand, !negated),
            ExpressionKind::And(operands) => {
                self.joined(operands, negated, if negated { " OR " } else { " AND " }, span)
            }
            ExpressionKind::Or(operands) => {
                self.joined(operands, negated, if negated { " AND " } else { " OR " }, span)
            }
            ExpressionKind::Compare(operator, left, right) => {
                let (left, right) = (self.check(left), self.check(right));
                self.comparison(*operator, left?, right?, negated, span)
            }
            ExpressionKind::Between { operand, low, high, negated: outside } => {
                let (operand, low, high) = (self.check(operand), self.check(low), self.check(high));
                let (operand, low, high) = (operand?, low?, high?);
                let negated = negated != *outside;
                let from =
                    self.comparison(CompareOperator::GreaterOrEqual, operand.clone(), low, negated, span.clone());
                let to = self.comparison(CompareOperator::LessOrEqual, operand, high, negated, span.clone());
                let joined = Fragment::join([&from?, &to?], if negated { " OR " } else { " AND " });
                self.bounded(Fragment::template("({0})", &[&joined]), span)
            }
            ExpressionKind::In { operand, items, negated: outside } => {
                let operand = self.check(operand);
                let items: Vec<Option<Typed>> = items.iter().map(|item| self.check(item)).collect();
                let items = items.into_iter().map(|item| Some(item?.operand())).collect::<Option<Vec<_>>>()?;
                let negated = negated != *outside;
                let result = comparison::is_in(bare(operand?), items, negated, &self.context, span);
                let typed = self.keep(result)?;
                Some(two_valued(typed, negated))
            }
            ExpressionKind::IsNull { operand, negated: present } => {
                let operand = self.check(operand)?;
                let result = comparison::is_null(operand, negated != *present, span);
                self.keep(result).map(|typed| typed.fragment)
            }
            ExpressionKind::Boolean(value) => Some(Fragment::text(if *value != negated { "1" } else { "0" })),
            _ => {
                let typed = self.check(expression)?;
                let typed = self.keep(condition(typed.operand()))?;
                let value = two_valued(typed, false);
                Some(if negated { Fragment::template("(NOT {0})", &[&value]) } else { value })
            }
        }
    }

    fn joined(&mut self, operands: &[Expression], negated: bool, word: &str, span: Range<usize>) -> Option<Fragment> {
        let parts: Vec<Option<Fragment>> = operands.iter().map(|operand| self.predicate(operand, negated)).collect();
        let parts = parts.into_iter().collect::<Option<Vec<Fragment>>>()?;
        self.bounded(Fragment::template("({0})", &[&Fragment::join(&parts, word)]), span)
    }

    fn bounded(&mut self, fragment: Fragment, span: Range<usize>) -> Option<Fragment> {
        self.keep(Ok(Typed::new(ColumnType::UInt(8), fragment, span))).map(|typed| typed.fragment)
    }

    fn comparison(
        &mut self,
        operator: CompareOperator,
        left: Typed,
        right: Typed,
        negated: bool,
        span: Range<usize>,
    ) -> Option<Fragment> {
        // `!=` is the negation of `=`, so that it holds where a side is null.
        let (operator, negated) = match operator {
            CompareOperator::NotEqual => (CompareOperator::Equal, !negated),
            other => (other, negated),
        };
        if left.is_null_literal() || right.is_null_literal() {
            return Some(Fragment::text(if negated { "1" } else { "0" }));
        }
        let (left, right) = (bare(left), bare(right));
        let (left, right) = match comparable(left, right, &self.context, span.clone()) {
            Ok(pair) => pair,
            Err(problem) => return self.keep(Err(problem)).map(|typed| typed.fragment),
        };
        let render = |template: String| Fragment::template(&template, &[&left.fragment, &right.fragment]);
        let nullable = [&left, &right].into_iter().any(Typed::is_nullable);
        let float = [&left, &right].into_iter().any(|side| family(&side.column_type) == Family::Float);
        let (sign, flipped) = (operator.sign(), operator.negated().sign());
        let fragment = match (negated, operator) {
            (false, _) if nullable => render(format!("ifNull({{0}} {sign} {{1}}, 0)")),
            (false, _) => render(format!("({{0}} {sign} {{1}})")),
            (true, CompareOperator::Equal) if nullable => render(format!("ifNull({{0}} {flipped} {{1}}, 1)")),
            (true, CompareOperator::Equal) => render(format!("({{0}} {flipped} {{1}})")),
            // NaN is neither less nor greater: only NOT is the negation.
            (true, _) if float && nullable => render(format!("(NOT ifNull({{0}} {sign} {{1}}, 0))")),
            (true, _) if float => render(format!("(NOT ({{0}} {sign} {{1}}))")),
            (true, _) => {
                let mut parts = Vec::new();
                for (side, value) in [(0, &left), (1, &right)] {
                    if value.is_nullable() {
                        parts.push(format!("isNull({{{side}}})"));
                    }
                }
                parts.push(format!("{{0}} {flipped} {{1}}"));
                render(format!("({})", parts.join(" OR ")))
            }
        };
        self.bounded(fragment, span)
    }
}

/// The leaf's value, null as false (or, negated, as true).
fn two_valued(typed: Typed, null_is: bool) -> Fragment {
    if !typed.is_nullable() {
        return typed.fragment;
    }
    let null = match (typed.inner(), null_is) {
        (ColumnType::Bool, true) => "true",
        (ColumnType::Bool, false) => "false",
        (_, true) => "1",
        (_, false) => "0",
    };
    Fragment::template(&format!("ifNull({{0}}, {null})"), &[&typed.fragment])
}

/// A plain reference keeps its `LowCardinality`, so that keys and indexes still see it; anything else is an operand.
fn bare(value: Typed) -> Typed {
    match (&value.column_type, value.plain) {
        (ColumnType::LowCardinality(inner), Some(_)) if *inner.inner() == ColumnType::String => value,
        _ => value.operand(),
    }
}
