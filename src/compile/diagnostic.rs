//! What is wrong with a declaration: where, what, and what would have worked (design 4).

use std::fmt;
use std::ops::Range;

pub use crate::spelling::available;

/// Whether a finding stops what it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The object is not published, or not readable.
    Error,
    /// Worth knowing; it stops nothing, unless a check is strict.
    Warning,
}

impl Severity {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// Declares the codes: each with its meaning, its name and its severity, at one place.
macro_rules! codes {
    ($($(#[doc = $meaning:literal])+ $name:ident: $severity:ident,)+) => {
        /// The situations; each is a word that people can search for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $meaning])+ $name,)+
        }

        impl Code {
            /// All codes, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The word.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }

            /// What it means, in a sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => concat!($($meaning),+).trim_ascii_start(),)+ }
            }

            /// Whether it stops what it speaks of.
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)+ }
            }
        }
    };
}

codes! {
    /// A name has characters that names of its kind do not have.
    InvalidName: Error,
    /// A name is reserved.
    ReservedName: Error,
    /// A name is too long with the suffixes that the operator adds.
    NameTooLong: Error,
    /// A name stands twice.
    DuplicateName: Error,
    /// A document does not have the shape of its kind.
    InvalidDocument: Error,
    /// No source of this ID may be used here.
    SourceNotFound: Error,
    /// A source exists, but its declaration is not in force.
    SourceNotApproved: Error,
    /// A source's table does not exist or cannot be seen.
    TableNotFound: Error,
    /// A definition reads sources of two connections.
    SeveralConnections: Error,
    /// The engine of a table cannot be read as a source.
    EngineNotAllowed: Error,
    /// A table has row policies.
    RowPolicy: Error,
    /// A table has a column that the operator's own names would collide with.
    ReservedColumn: Error,
    /// No alias of this name.
    UnknownAlias: Error,
    /// An alias is used before it is joined, or never joined.
    AliasNotJoined: Error,
    /// A column or path is not declared by the source.
    UndeclaredColumn: Error,
    /// A declared column does not exist in the table.
    UnknownColumn: Error,
    /// A declared type is not the table's.
    TypeMismatch: Error,
    /// A type cannot be read, compared or shown.
    UnsupportedType: Error,
    /// A value that contains text has no stated level.
    LevelNotStated: Error,
    /// A mask is stated for a value that is shown as it is.
    MaskOnPublic: Error,
    /// A declared model does not fit the table, or itself.
    ModelInvalid: Error,
    /// Whether rows of a view are records or their superseded versions is not known.
    ModelUnclear: Error,
    /// A column of rows that are merged by key has no one value in the merged row.
    ArbitraryValue: Error,
    /// Rows of one key of a Distributed table may lie on several shards, where they are never merged.
    ShardingKeyNotInKey: Error,
    /// A table holds the rows of one shard of several.
    OneShardOnly: Error,
    /// Sources that lie on a cluster's nodes in different ways cannot be joined on each of them.
    ShardedDifferently: Error,
    /// Whether every node of a cluster holds all rows of a table is not known.
    NotOnEveryNode: Error,
    /// Which tables a view reads is not known.
    ViewNotTraced: Error,
    /// A view gives other rows to other readers.
    ReaderDependent: Error,
    /// A view shows a column under another type than its query gives.
    OutdatedView: Error,
    /// A tenant, owner or space column cannot serve as one.
    InvalidScopeColumn: Error,
    /// A table's key does not contain its tenant.
    TenantNotInSortingKey: Error,
    /// A view makes rows of several tenants one.
    ViewMixesTenants: Error,
    /// The tenant columns of two sources differ in type.
    TenantTypesDiffer: Error,
    /// A join does not name the value that it joins by.
    InvalidJoin: Error,
    /// The two sides of a join key differ in type.
    JoinTypesDiffer: Error,
    /// A protected value stands where the view must show it as it is: as owner or space.
    ProtectedValue: Error,
    /// The text of an expression is no expression.
    SyntaxError: Error,
    /// The expression names a function that does not exist.
    UnknownFunction: Error,
    /// The expression names a function that is refused.
    FunctionNotAllowed: Error,
    /// A call has wrong arguments.
    WrongArguments: Error,
    /// A text, tree or list is beyond its limit.
    LimitExceeded: Error,
    /// The identity cannot identify.
    InvalidIdentity: Error,
    /// The event time is no time.
    InvalidEventTime: Error,
    /// The zone is not known.
    UnknownTimeZone: Error,
    /// What is declared comes with a later version of the operator.
    NotSupportedYet: Error,
    /// A source's rows are merged by key: how many there are is how many keys, and an average is one of sums.
    AggregateSource: Warning,
    /// Whether a view keeps the rows of each tenant apart is not known.
    ViewMayMixTenants: Warning,
    /// A join may meet several rows of its right side.
    JoinMayFanOut: Warning,
    /// A join may meet several rows of its right side, and measures would count a row of the left as often.
    JoinFansOut: Error,
    /// A source reads a message queue, a file or a materialized view: by its name's ending no table to query.
    NotForReading: Error,
    /// The same data has a better table or view to read.
    BetterTable: Warning,
    /// A table that is filled before its rows are moved elsewhere holds parts of days.
    StagingTable: Warning,
    /// A table holds messages as they arrived: repeated, unchecked, and gone after days.
    RawMessages: Warning,
    /// A table holds what was refused on the way in.
    RefusedRows: Warning,
    /// The server's types differ from the compiler's: a defect of the compiler.
    CompilerDefect: Error,
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

    /// Whether it stops what it speaks of.
    pub fn severity(&self) -> Severity {
        self.code.severity()
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
