//! Random expressions over the columns of a definition's sources.

use analytics_catalog::sql::ColumnType;

use super::generate::{About, Draft, Generator};
use super::tables::Column;
use super::value::{Expression, Kind, Value};
use crate::support::filters::Chance;

impl Generator<'_> {
    /// A column, of a kind if one is given.
    pub(super) fn column(&self, chance: &mut Chance, draft: &Draft<'_>, kind: Option<Kind>) -> (Kind, Expression) {
        loop {
            let source = chance.below(draft.tables.len());
            let columns = &draft.tables[source].columns;
            let index = chance.below(columns.len());
            let column: &Column = &columns[index];
            let wanted = match self.about {
                About::Protected => column.protected || chance.once_in(3) || kind == Some(Kind::Day),
                // What the other tenant's rows throw with.
                About::ForeignSecrets => !column.protected && (column.is_spoiled() || chance.once_in(3)),
                About::Rows => !column.protected,
            };
            if wanted && kind.is_none_or(|kind| kind == column.kind) {
                return (column.kind, Expression::Column(source, index));
            }
        }
    }

    /// A function or operator of the language over columns of the types that it takes.
    pub(super) fn probe(&self, chance: &mut Chance, draft: &Draft<'_>) -> Expression {
        loop {
            let (text, types) = chance.one_of(self.probes);
            let arguments = types.iter().map(|column_type| match column_type.inner() {
                ColumnType::String => Some(self.expression(chance, draft, Kind::Text, 1)),
                ColumnType::Int(64) => Some(self.column(chance, draft, Some(Kind::Whole)).1),
                ColumnType::Array(element) if **element == ColumnType::String => {
                    Some(self.column(chance, draft, Some(Kind::List)).1)
                }
                _ => None,
            });
            if let Some(arguments) = arguments.collect::<Option<Vec<_>>>() {
                return Expression::Probe(text.clone(), arguments);
            }
        }
    }

    pub(super) fn expression(&self, chance: &mut Chance, draft: &Draft<'_>, kind: Kind, depth: usize) -> Expression {
        if depth == 0 || chance.once_in(4) {
            return self.column(chance, draft, Some(kind)).1;
        }
        let of = |chance: &mut Chance, kind| self.expression(chance, draft, kind, depth - 1);
        let call = Expression::Call;
        match kind {
            Kind::Text => {
                let (first, second) = (of(chance, Kind::Text), of(chance, Kind::Text));
                match chance.below(if self.about == About::ForeignSecrets { 12 } else { 8 }) {
                    0 | 1 => call("concat", vec![first, Expression::Literal(Value::text("/'\\")), second]),
                    2 => call("upper", vec![first]),
                    3 => call("lower", vec![first]),
                    4 => call("substring", vec![first, whole(1), whole(chance.below(4) as i64 + 1)]),
                    5 => call("coalesce", vec![first, second]),
                    6 => call("if", vec![self.condition(chance, draft, depth - 1), first, second]),
                    7 => call("toString", vec![self.expression(chance, draft, Kind::Whole, depth - 1)]),
                    _ => (0..2).fold(first, |text, _| {
                        let constant = |text: &str| Expression::Literal(Value::text(text));
                        call("replaceAll", vec![text, constant("z"), constant("zz")])
                    }),
                }
            }
            Kind::Whole => {
                let (first, text) = (of(chance, Kind::Whole), of(chance, Kind::Text));
                match chance.below(7) {
                    0 => Expression::Infix("+", Box::new(first), Box::new(of(chance, Kind::Whole))),
                    1 => Expression::Infix("-", Box::new(first), Box::new(of(chance, Kind::Whole))),
                    2 => Expression::Infix("*", Box::new(first), Box::new(whole(3))),
                    3 => call("length", vec![text]),
                    4 => call("toInt64", vec![text]),
                    5 => call("toYear", vec![of(chance, Kind::Day)]),
                    _ => call("length", vec![self.column(chance, draft, Some(Kind::List)).1]),
                }
            }
            Kind::Day => call("toStartOfMonth", vec![of(chance, Kind::Day)]),
            other => self.column(chance, draft, Some(other)).1,
        }
    }

    pub(super) fn condition(&self, chance: &mut Chance, draft: &Draft<'_>, depth: usize) -> Expression {
        if depth > 0 && chance.once_in(2) {
            let mut operands: Vec<Expression> =
                (0..2 + chance.below(2)).map(|_| self.condition(chance, draft, depth - 1)).collect();
            return match chance.below(3) {
                0 => Expression::And(operands),
                1 => Expression::Or(operands),
                _ => Expression::Not(Box::new(operands.remove(0))),
            };
        }
        let kind = *chance.one_of(&[Kind::Text, Kind::Text, Kind::Whole, Kind::Whole, Kind::Money, Kind::Day]);
        let operand = Box::new(self.expression(chance, draft, kind, depth.min(1)));
        let mut literal = || match kind {
            Kind::Text => Value::text(*chance.one_of(&[
                "north",
                "South",
                "k-3",
                "k-11",
                "",
                "alpha",
                "beta",
                "gold",
                "it's \\ 'é'",
            ])),
            Kind::Whole => Value::Whole(chance.below(40) as i64 - 10),
            Kind::Money => Value::Money(chance.below(200) as i64 * 100 - 4_950),
            _ => Value::Day((*chance.one_of(&["2022-06-01", "2025-01-31", "2026-12-31"])).to_owned()),
        };
        let (first, second, third) = (literal(), literal(), literal());
        let negated = chance.once_in(3);
        match chance.below(8) {
            0 => Expression::IsNull(operand, negated),
            1 if kind != Kind::Day => Expression::In(operand, vec![first, second, third], negated),
            2 => Expression::Between(operand, first.clone().min(second.clone()), first.max(second), negated),
            3 if kind == Kind::Text => {
                Expression::Call("startsWith", vec![*operand, Expression::Literal(Value::text("k-1"))])
            }
            4 if kind == Kind::Text || kind == Kind::Whole => {
                let other = self.column(chance, draft, Some(kind)).1;
                let operator = *chance.one_of(&["=", "!=", "<", ">="]);
                Expression::Compare(operator, operand, Box::new(other))
            }
            _ => {
                let operator = *chance.one_of(&["=", "!=", "<", "<=", ">", ">="]);
                Expression::Compare(operator, operand, Box::new(Expression::Literal(first)))
            }
        }
    }
}

fn whole(number: i64) -> Expression {
    Expression::Literal(Value::Whole(number))
}
