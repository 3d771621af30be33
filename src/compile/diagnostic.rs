//! What is wrong with a declaration: where, what, and what would have worked (design 4).

use std::fmt;
use std::ops::Range;

/// The situations; each is a word that people can search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// A name breaks the rules of design 4.1.
    InvalidName,
    /// A name is reserved.
    ReservedName,
    /// A name is too long with the suffixes that the operator adds.
    NameTooLong,
    /// A name stands twice.
    DuplicateName,
    /// A document does not have the shape of its kind.
    InvalidDocument,
    /// No source of this ID may be used here.
    SourceNotFound,
    /// A source exists, but its declaration is not in force.
    SourceNotApproved,
    /// A source's table does not exist or cannot be seen.
    TableNotFound,
    /// A definition reads sources of two connections.
    SeveralConnections,
    /// The engine of a table cannot be read as a source.
    EngineNotAllowed,
    /// A table has row policies.
    RowPolicy,
    /// A table has a column that the operator's own names would collide with.
    ReservedColumn,
    /// No alias of this name.
    UnknownAlias,
    /// An alias is used before it is joined, or never joined.
    AliasNotJoined,
    /// A column or path is not declared by the source.
    UndeclaredColumn,
    /// A declared column does not exist in the table.
    UnknownColumn,
    /// A declared type is not the table's.
    TypeMismatch,
    /// A type cannot be read, compared or shown.
    UnsupportedType,
    /// A value that contains text has no stated level.
    LevelNotStated,
    /// A tenant, owner or space column cannot serve as one.
    InvalidScopeColumn,
    /// A table's key does not contain its tenant.
    TenantNotInSortingKey,
    /// The tenant columns of two sources differ in type.
    TenantTypesDiffer,
    /// A join does not name the value that it joins by.
    InvalidJoin,
    /// The two sides of a join key differ in type.
    JoinTypesDiffer,
    /// A protected value is used where only public ones may be.
    ProtectedValue,
    /// The text of an expression is no expression.
    SyntaxError,
    /// The expression names a function that does not exist.
    UnknownFunction,
    /// The expression names a function that is refused.
    FunctionNotAllowed,
    /// A call has wrong arguments.
    WrongArguments,
    /// A text, tree or list is beyond its limit.
    LimitExceeded,
    /// The identity cannot identify.
    InvalidIdentity,
    /// The event time is no time.
    InvalidEventTime,
    /// The zone is not known.
    UnknownTimeZone,
    /// What is declared comes with a later version of the operator.
    NotSupportedYet,
    /// A join may meet several rows of its right side.
    JoinMayFanOut,
    /// The server's types differ from the compiler's: a defect of the compiler.
    CompilerDefect,
}

impl Code {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidName => "InvalidName",
            Self::ReservedName => "ReservedName",
            Self::NameTooLong => "NameTooLong",
            Self::DuplicateName => "DuplicateName",
            Self::InvalidDocument => "InvalidDocument",
            Self::SourceNotFound => "SourceNotFound",
            Self::SourceNotApproved => "SourceNotApproved",
            Self::TableNotFound => "TableNotFound",
            Self::SeveralConnections => "SeveralConnections",
            Self::EngineNotAllowed => "EngineNotAllowed",
            Self::RowPolicy => "RowPolicy",
            Self::ReservedColumn => "ReservedColumn",
            Self::UnknownAlias => "UnknownAlias",
            Self::AliasNotJoined => "AliasNotJoined",
            Self::UndeclaredColumn => "UndeclaredColumn",
            Self::UnknownColumn => "UnknownColumn",
            Self::TypeMismatch => "TypeMismatch",
            Self::UnsupportedType => "UnsupportedType",
            Self::LevelNotStated => "LevelNotStated",
            Self::InvalidScopeColumn => "InvalidScopeColumn",
            Self::TenantNotInSortingKey => "TenantNotInSortingKey",
            Self::TenantTypesDiffer => "TenantTypesDiffer",
            Self::InvalidJoin => "InvalidJoin",
            Self::JoinTypesDiffer => "JoinTypesDiffer",
            Self::ProtectedValue => "ProtectedValue",
            Self::SyntaxError => "SyntaxError",
            Self::UnknownFunction => "UnknownFunction",
            Self::FunctionNotAllowed => "FunctionNotAllowed",
            Self::WrongArguments => "WrongArguments",
            Self::LimitExceeded => "LimitExceeded",
            Self::InvalidIdentity => "InvalidIdentity",
            Self::InvalidEventTime => "InvalidEventTime",
            Self::UnknownTimeZone => "UnknownTimeZone",
            Self::NotSupportedYet => "NotSupportedYet",
            Self::JoinMayFanOut => "JoinMayFanOut",
            Self::CompilerDefect => "CompilerDefect",
        }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The situation.
    pub code: Code,
    /// Where in the document, such as `spec.definition.columns[2].expression`.
    pub path: String,
    /// Where in the text at that path, in bytes.
    pub span: Option<Range<usize>>,
    /// What is wrong.
    pub message: String,
    /// What would have worked.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding about the value at a path.
    pub fn new(code: Code, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code, path: path.into(), span: None, message: message.into(), help: None }
    }

    /// The same with what would have worked.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with a place inside the text.
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.path)?;
        if let Some(span) = &self.span {
            write!(formatter, " (characters {}–{})", span.start + 1, span.end.max(span.start + 1))?;
        }
        write!(formatter, ": {}: {}", self.code.as_str(), self.message)?;
        match &self.help {
            Some(help) => write!(formatter, " {help}"),
            None => Ok(()),
        }
    }
}

/// Several findings as one text, a line each.
pub fn lines(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A sentence with the nearest of the names that would have worked, or all of them where none is near.
pub fn available(wanted: &str, names: &[&str], what: &str) -> String {
    if names.is_empty() {
        return format!("There are no {what}.");
    }
    if let Some(nearest) = nearest(wanted, names) {
        return format!("Did you mean `{nearest}`?");
    }
    let shown: Vec<String> = names.iter().take(20).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(20);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("Available {what}: {}{rest}.", shown.join(", "))
}

/// The name at the least edit distance, if that is small for its length.
pub fn nearest<'a>(wanted: &str, names: &[&'a str]) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let limit = (wanted.chars().count() / 3).clamp(1, 3);
    names
        .iter()
        .map(|name| (distance(&wanted, &name.to_lowercase()), *name))
        // A name of one letter is near to any other.
        .filter(|(distance, _)| *distance <= limit && *distance < wanted.chars().count())
        .min_by_key(|(distance, name)| (*distance, *name))
        .map(|(_, name)| name)
}

/// The Levenshtein distance of two texts.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_named_and_a_far_one_lists_all() {
        assert_eq!(available("custmer", &["customer", "month"], "columns"), "Did you mean `customer`?");
        assert_eq!(available("zzz", &["customer", "month"], "columns"), "Available columns: `customer`, `month`.");
    }
}
