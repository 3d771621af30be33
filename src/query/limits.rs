//! What one request may ask for (query-language 1.9, clickhouse-facts 6).

/// The budget of a request. Each bound is configurable and 0 disables it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Limits {
    /// `max-list-size`: the largest `limit`.
    pub max_list_size: u64,
    /// `default-list-size`: the `limit` of a list that states none or 0.
    pub default_list_size: u64,
    /// `max-page-size`: the largest `pagination.size`, and `size` of a cursor.
    pub max_page_size: u64,
    /// `max-page-window`: the largest `index * size`.
    pub max_page_window: u64,
    /// `max-filter-nodes`: filter nodes of the request and of the caller's scope.
    pub max_filter_nodes: u64,
    /// `max-filter-values`: the length of each list of values.
    pub max_filter_values: u64,
    /// `allow-expensive-operators`: whether operators that cannot use an index are answered.
    pub allow_expensive_operators: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_list_size: 1000,
            default_list_size: 100,
            max_page_size: 100,
            max_page_window: 10_000,
            max_filter_nodes: 128,
            max_filter_values: 1000,
            allow_expensive_operators: true,
        }
    }
}

/// The most sort entries (query-language 1.3; fixed).
pub const MAX_SORT_FIELDS: usize = 32;
/// The largest offset of a page (query-language 1.6; fixed).
pub const MAX_OFFSET: u64 = i32::MAX as u64;
/// The longest statement that ClickHouse parses (`max_query_size`).
pub(super) const LONGEST_STATEMENT: usize = 262_144;
/// The longest parameter that ClickHouse takes (`http_max_field_value_size`).
pub(super) const LONGEST_PARAMETER: usize = 131_072;
/// The most parameters of a statement; ClickHouse takes a thousand form fields, a few are the server's own.
pub(super) const MOST_PARAMETERS: usize = 900;

/// Whether `value` is above a bound that 0 disables.
pub(super) fn exceeds(value: u64, bound: u64) -> bool {
    bound != 0 && value > bound
}
