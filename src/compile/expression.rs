//! The expression tree: what a text says, before anything is known of types (design 4.3).

use std::ops::Range;

use super::number::Number;

/// A node and where it stands, as bytes of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What the node is.
    pub kind: ExpressionKind,
    /// Where it stands in the text.
    pub span: Range<usize>,
}

/// What a node is. Its shape is the allow-list: nothing else can be said.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// `null`
    Null,
    /// `true`, `false`
    Boolean(bool),
    /// A number without its sign.
    Number(Number),
    /// `'text'`
    Text(String),
    /// `alias.column.path…`
    Reference(Vec<String>),
    /// `name(arguments)`
    Call {
        /// The name as written.
        name: String,
        /// Where the name stands.
        name_span: Range<usize>,
        /// The arguments in order.
        arguments: Vec<Expression>,
    },
    /// `- operand`
    Negate(Box<Expression>),
    /// `left operator right`
    Arithmetic(ArithmeticOperator, Box<Expression>, Box<Expression>),
    /// `left operator right`
    Compare(CompareOperator, Box<Expression>, Box<Expression>),
    /// `operand [not] in (items)`
    In {
        /// What is looked for.
        operand: Box<Expression>,
        /// Where it is looked for; at least one.
        items: Vec<Expression>,
        /// `not in`
        negated: bool,
    },
    /// `operand [not] between low and high`
    Between {
        /// What is compared.
        operand: Box<Expression>,
        /// The lower end, included.
        low: Box<Expression>,
        /// The upper end, included.
        high: Box<Expression>,
        /// `not between`
        negated: bool,
    },
    /// `operand is [not] null`
    IsNull {
        /// What is asked.
        operand: Box<Expression>,
        /// `is not null`
        negated: bool,
    },
    /// `not operand`
    Not(Box<Expression>),
    /// `a and b and …`; at least two
    And(Vec<Expression>),
    /// `a or b or …`; at least two
    Or(Vec<Expression>),
}

/// `+ - * / %`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithmeticOperator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

impl ArithmeticOperator {
    /// The sign as written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
        }
    }
}

/// `= != < <= > >=`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOperator {
    /// `=`
    Equal,
    /// `!=`, `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl CompareOperator {
    /// The sign as rendered.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// The operator that holds for two values where this one does not (not for NaN).
    pub fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }
}
