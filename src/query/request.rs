//! A decoded request (query-language 1). Knows no dataset.

use super::filter::FilterExpression;

/// The shapes of a request (query-language 1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// At most one record.
    Single,
    /// An array of records.
    List,
    /// A page of records, and how many there are.
    Paged,
    /// A page of records, and where the next begins.
    Cursor,
    /// How many records there are.
    Count,
    /// Groups and metrics.
    Aggregation,
}

impl Shape {
    /// Every shape with the word that `type` names it by.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Single, "SINGLE"),
        (Self::List, "LIST"),
        (Self::Paged, "PAGED"),
        (Self::Cursor, "CURSOR"),
        (Self::Count, "COUNT"),
        (Self::Aggregation, "AGGREGATION"),
    ];

    /// Whether requests of the shape are answered yet.
    pub(super) fn is_served(self) -> bool {
        !matches!(self, Self::Cursor | Self::Aggregation)
    }
}

/// A request whose every member is of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryRequest {
    /// Which rows.
    pub filter: FilterExpression,
    /// Which columns.
    pub projection: Projection,
    /// In which order.
    pub sort: Vec<SortEntry>,
    /// How many.
    pub window: Window,
}

impl QueryRequest {
    /// The request's shape.
    pub fn shape(&self) -> Shape {
        match self.window {
            Window::Single => Shape::Single,
            Window::List { .. } => Shape::List,
            Window::Paged { .. } => Shape::Paged,
            Window::Cursor { .. } => Shape::Cursor,
            Window::Count => Shape::Count,
        }
    }
}

/// How many rows, and from where. Numbers are as sent: their bounds are the budget's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Window {
    /// The first.
    Single,
    /// The first `limit`; 0 stands for none stated.
    List {
        /// `limit`.
        limit: i64,
    },
    /// The page `index`, counted from 1, of `size`.
    Paged {
        /// `pagination.index`.
        index: i64,
        /// `pagination.size`.
        size: i64,
    },
    /// `size` records after `cursor`.
    Cursor {
        /// `size`.
        size: i64,
        /// `cursor`.
        cursor: Option<String>,
    },
    /// None: only their number.
    Count,
}

/// Which columns a result shows; empty for all (query-language 1.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Projection {
    /// Only these.
    pub include: Vec<String>,
    /// Not these.
    pub exclude: Vec<String>,
}

/// One entry of `sort` (query-language 1.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortEntry {
    /// The path or alias, as sent.
    pub field: String,
    /// Whether the largest comes first.
    pub descending: bool,
}
