//! What is wrong with an expression: where, what, and what would have worked.

use std::ops::Range;

/// A mistake in an expression. The author's, never the environment's: it waits for a change of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionProblem {
    /// Which kind of mistake.
    pub code: ProblemCode,
    /// Where, as bytes of the text.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would have worked.
    pub help: Option<String>,
}

impl ExpressionProblem {
    /// A problem without help.
    pub fn new(code: ProblemCode, span: Range<usize>, message: impl Into<String>) -> Self {
        Self { code, span, message: message.into(), help: None }
    }

    /// The same problem, saying what would have worked.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The kinds of mistakes in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProblemCode {
    /// The text is not of the grammar.
    SyntaxError,
    /// No function has this name.
    UnknownFunction,
    /// ClickHouse has the function; datasets do not, on purpose.
    FunctionNotAllowed,
    /// The number of arguments, or a constant among them, is not one that the function takes.
    WrongArguments,
    /// Types do not go together.
    TypeMismatch,
    /// A condition is needed.
    NotBoolean,
    /// A reference that names nothing (given by [`super::typing::References`]).
    UnknownReference,
    /// A reference to something that may not be computed with (given by [`super::typing::References`]).
    ReferenceNotAllowed,
    /// More characters than allowed.
    TooLong,
    /// Nested more deeply than allowed.
    TooDeep,
    /// More parts than allowed.
    TooManyNodes,
    /// The SQL would be longer than allowed.
    TooLarge,
}

impl ProblemCode {
    /// The code as users see it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SyntaxError => "SyntaxError",
            Self::UnknownFunction => "UnknownFunction",
            Self::FunctionNotAllowed => "FunctionNotAllowed",
            Self::WrongArguments => "WrongArguments",
            Self::TypeMismatch => "TypeMismatch",
            Self::NotBoolean => "NotBoolean",
            Self::UnknownReference => "UnknownReference",
            Self::ReferenceNotAllowed => "ReferenceNotAllowed",
            Self::TooLong => "TooLong",
            Self::TooDeep => "TooDeep",
            Self::TooManyNodes => "TooManyNodes",
            Self::TooLarge => "TooLarge",
        }
    }
}
