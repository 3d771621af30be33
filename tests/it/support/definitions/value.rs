//! Values of the generated world, and the little expression language in which the same thing is said to the compiler
//! and computed here.

use serde_json::Value as Json;

/// What may be done with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Whole,
    Money,
    Day,
    List,
    /// Shown as it is, and nothing else.
    Opaque,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Null,
    Whole(i64),
    /// Hundredths.
    Money(i64),
    Text(String),
    /// As `2026-01-31`.
    Day(String),
    List(Vec<String>),
}

impl Value {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A value as ClickHouse writes it in JSON.
    pub fn read(json: &Json, kind: Kind) -> Self {
        match (json, kind) {
            (Json::Null, _) => Self::Null,
            (Json::Number(number), Kind::Money) => {
                Self::Money((number.as_f64().expect("a number") * 100.0).round() as i64)
            }
            (Json::Number(number), _) => Self::Whole(number.as_i64().unwrap_or(i64::MAX)),
            (Json::Bool(truth), _) => Self::Whole(i64::from(*truth)),
            (Json::String(text), Kind::Day) => Self::Day(text.clone()),
            (Json::Array(items), _) => {
                Self::List(items.iter().map(|item| item.as_str().unwrap_or("?").to_owned()).collect())
            }
            (Json::String(text), _) => Self::Text(text.clone()),
            (other, _) => Self::Text(other.to_string()),
        }
    }

    /// A value to insert.
    pub fn json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Whole(number) => Json::from(*number),
            // As text: a float would lose digits.
            Self::Money(cents) => Json::from(money(*cents)),
            Self::Text(text) | Self::Day(text) => Json::from(text.as_str()),
            Self::List(items) => Json::from(items.clone()),
        }
    }

    /// A literal of the expression language.
    fn literal(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Whole(number) => number.to_string(),
            Self::Money(cents) => money(*cents),
            Self::Text(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''")),
            Self::Day(text) => format!("toDate32('{text}')"),
            Self::List(_) => unreachable!("lists have no literals"),
        }
    }
}

fn money(cents: i64) -> String {
    let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

/// An expression over columns `(source, column)`.
#[derive(Clone, Debug)]
pub enum Expression {
    Column(usize, usize),
    Literal(Value),
    Call(&'static str, Vec<Expression>),
    Infix(&'static str, Box<Expression>, Box<Expression>),
    Compare(&'static str, Box<Expression>, Box<Expression>),
    In(Box<Expression>, Vec<Value>, bool),
    Between(Box<Expression>, Value, Value, bool),
    IsNull(Box<Expression>, bool),
    Not(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    /// Text of the language with columns in place of `p.c0`, `p.c1` …; never computed here.
    Probe(String, Vec<Expression>),
}

impl Expression {
    /// The text of the language; `column` writes a reference.
    pub fn text(&self, column: &dyn Fn(usize, usize) -> String) -> String {
        let of = |expression: &Self| expression.text(column);
        let list = |items: &[Self], between: &str| items.iter().map(of).collect::<Vec<_>>().join(between);
        let literals = |items: &[Value]| items.iter().map(Value::literal).collect::<Vec<_>>().join(", ");
        let not = |negated: bool| if negated { "not " } else { "" };
        match self {
            Self::Column(source, index) => column(*source, *index),
            Self::Literal(value) => value.literal(),
            Self::Call(name, arguments) => format!("{name}({})", list(arguments, ", ")),
            Self::Infix(operator, left, right) | Self::Compare(operator, left, right) => {
                format!("({} {operator} {})", of(left), of(right))
            }
            Self::In(operand, items, negated) => format!("({} {}in ({}))", of(operand), not(*negated), literals(items)),
            Self::Between(operand, low, high, negated) => {
                let (low, high) = (low.literal(), high.literal());
                format!("({} {}between {low} and {high})", of(operand), not(*negated))
            }
            Self::IsNull(operand, negated) => format!("({} is {}null)", of(operand), not(*negated)),
            Self::Not(operand) => format!("(not {})", of(operand)),
            Self::And(items) => format!("({})", list(items, " and ")),
            Self::Or(items) => format!("({})", list(items, " or ")),
            Self::Probe(text, arguments) => {
                let place = |text: String, (index, argument)| text.replace(&format!("p.c{index}"), &of(argument));
                arguments.iter().enumerate().rev().fold(text.clone(), place)
            }
        }
    }

    /// The value for a row, three-valued as SQL is.
    pub fn evaluate(&self, column: &dyn Fn(usize, usize) -> Value) -> Value {
        let of = |expression: &Self| expression.evaluate(column);
        let whole = |truth: Option<bool>| truth.map_or(Value::Null, |truth| Value::Whole(i64::from(truth)));
        let flipped = |value: Value, negated: bool| match value {
            Value::Whole(truth) if negated => Value::Whole(1 - truth),
            other => other,
        };
        match self {
            Self::Column(source, index) => column(*source, *index),
            Self::Literal(value) => value.clone(),
            Self::Call(name, arguments) => call(name, arguments, column),
            Self::Infix(operator, left, right) => match (of(left), of(right)) {
                (Value::Whole(left), Value::Whole(right)) => match *operator {
                    "+" => left.checked_add(right).map_or(Value::Null, Value::Whole),
                    "-" => left.checked_sub(right).map_or(Value::Null, Value::Whole),
                    _ => left.checked_mul(right).map_or(Value::Null, Value::Whole),
                },
                _ => Value::Null,
            },
            Self::Compare(operator, left, right) => whole(compared(operator, &of(left), &of(right))),
            Self::In(operand, items, negated) => match of(operand) {
                Value::Null => Value::Null,
                value => whole(Some(items.contains(&value) != *negated)),
            },
            Self::Between(operand, low, high, negated) => {
                let value = of(operand);
                let within = compared(">=", &value, low).zip(compared("<=", &value, high));
                flipped(whole(within.map(|(from, to)| from && to)), *negated)
            }
            Self::IsNull(operand, negated) => whole(Some((of(operand) == Value::Null) != *negated)),
            Self::Not(operand) => flipped(of(operand), true),
            Self::And(items) => joined(items.iter().map(of), 0),
            Self::Or(items) => joined(items.iter().map(of), 1),
            Self::Probe(text, _) => unreachable!("`{text}` is not computed here"),
        }
    }

    /// Whether a row meets the condition, read as filters are: two-valued, `not` flips each leaf (design 4.4).
    pub fn holds(&self, column: &dyn Fn(usize, usize) -> Value) -> bool {
        match self {
            Self::Not(operand) => !operand.holds(column),
            Self::And(items) => items.iter().all(|item| item.holds(column)),
            Self::Or(items) => items.iter().any(|item| item.holds(column)),
            Self::In(operand, items, true) => !Self::In(operand.clone(), items.clone(), false).holds(column),
            Self::Between(operand, low, high, true) => {
                !Self::Between(operand.clone(), low.clone(), high.clone(), false).holds(column)
            }
            Self::Compare("!=", left, right) => !Self::Compare("=", left.clone(), right.clone()).holds(column),
            leaf => leaf.evaluate(column) == Value::Whole(1),
        }
    }
}

/// `and` and `or`: the value that decides, else null if one is null, else the other.
fn joined(mut values: impl Iterator<Item = Value>, decides: i64) -> Value {
    let mut unknown = false;
    let decided = values.any(|value| {
        unknown |= value == Value::Null;
        value == Value::Whole(decides)
    });
    match (decided, unknown) {
        (true, _) => Value::Whole(decides),
        (false, true) => Value::Null,
        (false, false) => Value::Whole(1 - decides),
    }
}

fn compared(operator: &str, left: &Value, right: &Value) -> Option<bool> {
    let order = match (left, right) {
        (Value::Null, _) | (_, Value::Null) => return None,
        (Value::Money(left), Value::Whole(right)) => left.cmp(&(right * 100)),
        (left, right) => left.cmp(right),
    };
    Some(match operator {
        "=" => order.is_eq(),
        "!=" => order.is_ne(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        _ => order.is_ge(),
    })
}

fn call(name: &str, arguments: &[Expression], column: &dyn Fn(usize, usize) -> Value) -> Value {
    let values: Vec<Value> = arguments.iter().map(|argument| argument.evaluate(column)).collect();
    match (name, values.as_slice()) {
        ("coalesce", values) => values.iter().find(|value| **value != Value::Null).cloned().unwrap_or(Value::Null),
        ("if", [condition, then, other]) => if *condition == Value::Whole(1) { then } else { other }.clone(),
        (_, values) if values.contains(&Value::Null) => Value::Null,
        ("concat", values) => Value::Text(values.iter().map(plain).collect()),
        ("upper", [text]) => Value::Text(plain(text).to_uppercase()),
        ("lower", [text]) => Value::Text(plain(text).to_lowercase()),
        ("substring", [text, _, Value::Whole(length)]) => {
            Value::Text(plain(text).chars().take(usize::try_from(*length).unwrap_or_default()).collect())
        }
        ("length", [Value::List(items)]) => Value::Whole(items.len() as i64),
        ("length", [text]) => Value::Whole(plain(text).chars().count() as i64),
        ("has", [Value::List(items), item]) => Value::Whole(i64::from(items.contains(&plain(item)))),
        ("startsWith", [text, start]) => Value::Whole(i64::from(plain(text).starts_with(&plain(start)))),
        ("toString", [value]) => Value::Text(plain(value)),
        ("toInt64", [text]) => plain(text).parse().map_or(Value::Null, Value::Whole),
        ("toStartOfMonth", [Value::Day(day)]) => Value::Day(format!("{}01", &day[..8])),
        ("toYear", [Value::Day(day)]) => day[..4].parse().map_or(Value::Null, Value::Whole),
        (name, values) => unreachable!("{name}({values:?}) is not generated"),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Whole(number) => number.to_string(),
        Value::Text(text) | Value::Day(text) => text.clone(),
        other => unreachable!("{other:?} is no text"),
    }
}
