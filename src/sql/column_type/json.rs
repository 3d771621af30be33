//! The arguments of the type `JSON` (ClickHouse reference: the JSON data type).

use super::ColumnType;

/// What a `JSON` type says of its paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct JsonType {
    /// `max_dynamic_types`, where it is not the default.
    pub max_dynamic_types: Option<u32>,
    /// `max_dynamic_paths`, where it is not the default.
    pub max_dynamic_paths: Option<u32>,
    /// Paths with a type of their own, sorted.
    pub typed: Vec<(String, ColumnType)>,
    /// Paths that are not stored, sorted.
    pub skipped: Vec<String>,
    /// Regular expressions of paths that are not stored.
    pub skipped_expressions: Vec<String>,
}

impl JsonType {
    /// The type of a path that has one of its own.
    pub fn typed(&self, path: &str) -> Option<&ColumnType> {
        self.typed.iter().find(|(known, _)| known == path).map(|(_, column_type)| column_type)
    }

    /// Whether the path, or an object around it, is named as one that is not stored.
    pub fn is_skipped(&self, path: &str) -> bool {
        let at_or_inside = |skipped: &String| {
            path.strip_prefix(skipped.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.skipped.iter().any(at_or_inside)
    }
}
