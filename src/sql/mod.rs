//! Layer 0: ClickHouse SQL as values. Pure text; knows no dataset and no server.
//!
//! Everything that reaches a statement goes through [`Identifier`] or [`literal`]; a [`Sql`] is the only thing that
//! the warehouse takes.

mod column_type;
mod identifier;
pub mod literal;
mod mask;
mod split;

pub use column_type::{AggregateState, ColumnType, Enumeration, JsonType, TypeError};
pub use identifier::Identifier;
pub use mask::{MaskedValue, masked};
pub(crate) use split::split_arguments;

use std::fmt;

/// A finished statement. Only the modules that write SQL make one (`compile`, `plan`, `query`, `warehouse`, and the setup of
/// `standalone`).
#[derive(Clone, PartialEq, Eq)]
pub struct Sql(String);

impl Sql {
    /// A statement whose every name and value went through [`Identifier`] and [`literal`].
    pub(crate) fn rendered(text: String) -> Self {
        Self(text)
    }

    /// The statement's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Sql {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Debug for Sql {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
