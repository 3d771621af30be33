//! The accounts of the product: what each is for, and no right more than it needs.
//!
//! `sql/02-profiles.sql` and `sql/03-accounts.sql` say the same for a real server.

use super::{Account, GrantScope, ProfileSetting};

/// A limit of the `reader` account: its value for queries that state none, and the largest
/// value that a query may state. 0 ("no limit") is always refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// What holds when a query states none.
    pub value: u64,
    /// The most that a query may state.
    pub max: u64,
}

/// The limits within which `reader` runs every query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReaderLimits {
    /// `max_execution_time`, in seconds.
    pub execution_seconds: Limit,
    /// `max_memory_usage`, in bytes.
    pub memory_bytes: Limit,
    /// `max_rows_to_read`.
    pub rows_to_read: Limit,
    /// `max_bytes_to_read`.
    pub bytes_to_read: Limit,
    /// `max_result_rows`.
    pub result_rows: Limit,
    /// `max_result_bytes`.
    pub result_bytes: Limit,
}

impl Default for ReaderLimits {
    fn default() -> Self {
        const GIBIBYTE: u64 = 1 << 30;
        let both = |max| Limit { value: max, max };
        ReaderLimits {
            // 600: an export runs for up to 10 minutes.
            execution_seconds: Limit { value: 30, max: 600 },
            memory_bytes: Limit { value: 2 * GIBIBYTE, max: 16 * GIBIBYTE },
            rows_to_read: both(10_000_000_000),
            bytes_to_read: both(1024 * GIBIBYTE),
            // One more than an export may have, so that "too many" can be told from "all".
            result_rows: both(10_000_001),
            result_bytes: both(16 * GIBIBYTE),
        }
    }
}

// Settings that carry expressions or change what a view means. Fixed for the definer (inside a
// definer's view the definer's constraints hold, whatever the reader's query states) and for
// readers.
const LOCKED_FOR_DEFINER: [&str; 5] = [
    "additional_table_filters",
    "additional_result_filter",
    "parallel_replicas_custom_key",
    "final",
    "enable_analyzer",
];

// Beyond those: settings with which an answer could be cut, turned or sent elsewhere. A read-only
// account cannot change them anyway; this keeps them fixed should `readonly` ever be relaxed.
const LOCKED_FOR_READER: [&str; 12] = [
    "max_threads",
    "do_not_merge_across_partitions_select_final",
    "join_use_nulls",
    "limit",
    "offset",
    "prefer_column_name_to_alias",
    "session_timezone",
    "optimize_move_to_prewhere",
    "optimize_move_to_prewhere_if_final",
    "short_circuit_function_evaluation",
    "workload",
    "priority",
];

const SYSTEM_TABLES_OF_CATALOG: [&str; 11] = [
    "tables",
    "columns",
    "databases",
    "clusters",
    "dictionaries",
    "data_skipping_indices",
    "row_policies",
    "functions",
    "settings",
    "view_refreshes",
    "grants",
];

/// The operator's account, and the definer of every view: reads sources, keeps views.
///
/// `sources` are the databases that datasets may read, the catalog database of the sinks among
/// them; `datasets` those that hold the views; `materializations` those that hold their data.
pub fn catalog(
    password: &str,
    sources: &[GrantScope],
    datasets: &[GrantScope],
    materializations: &[GrantScope],
) -> Account {
    let mut account = Account::new("catalog", password);
    for name in LOCKED_FOR_DEFINER {
        account = account.with_setting(ProfileSetting::locked(name));
    }
    for scope in sources {
        account = account.with_grant("SHOW, SELECT, SHOW ROW POLICIES", scope);
    }
    for scope in datasets {
        account = account.with_grant("SHOW, SELECT, CREATE VIEW, DROP VIEW, ALTER MODIFY COMMENT", scope);
    }
    for scope in materializations {
        account = account
            .with_grant("SHOW, SELECT, INSERT", scope)
            .with_grant("CREATE TABLE, DROP TABLE, CREATE VIEW, DROP VIEW", scope)
            .with_grant("ALTER TABLE, SYSTEM VIEWS", scope);
    }
    if !materializations.is_empty() {
        account = account.with_grant("TABLE ENGINE", "AggregatingMergeTree").with_grant("TABLE ENGINE", "MergeTree");
    }
    for table in SYSTEM_TABLES_OF_CATALOG {
        account = account.with_grant("SELECT", format_args!("system.{table}"));
    }
    account
}

/// The operator's account on the nodes of a cluster: it keeps a table over the views of all of them, too.
#[must_use]
pub fn on_nodes(catalog: Account, datasets: &[GrantScope]) -> Account {
    let tables = datasets.iter().fold(catalog, |account, scope| account.with_grant("CREATE TABLE, DROP TABLE", scope));
    tables.with_grant("TABLE ENGINE", "Distributed")
}

/// The query server's account: reads datasets, one statement at a time, within limits.
pub fn reader(password: &str, datasets: &[GrantScope], limits: ReaderLimits) -> Account {
    let mut account = Account::new("reader", password);
    account.settings = vec![
        ProfileSetting::constant("readonly", 1),
        // A query ends when its caller goes away; works for read-only accounts only.
        ProfileSetting::constant("cancel_http_readonly_queries_on_client_close", 1),
        // The query cache does not know the scope that a query states.
        ProfileSetting::constant("use_query_cache", 0),
        // Anything but `throw` would give a part of the answer for the whole.
        ProfileSetting::constant("timeout_overflow_mode", "throw"),
        ProfileSetting::constant("result_overflow_mode", "throw"),
        ProfileSetting::constant("read_overflow_mode", "throw"),
        ProfileSetting::limited("max_execution_time", limits.execution_seconds),
        ProfileSetting::limited("max_memory_usage", limits.memory_bytes),
        ProfileSetting::limited("max_rows_to_read", limits.rows_to_read),
        ProfileSetting::limited("max_bytes_to_read", limits.bytes_to_read),
        ProfileSetting::limited("max_result_rows", limits.result_rows),
        ProfileSetting::limited("max_result_bytes", limits.result_bytes),
        // Carries the scope of each query.
        ProfileSetting::changeable("log_comment"),
        // How numbers are written is each caller's choice.
        ProfileSetting::changeable_from("output_format_json_quote_64bit_integers", 1),
        ProfileSetting::changeable_from("output_format_json_quote_decimals", 1),
        // The same for every answer.
        ProfileSetting::constant("output_format_json_quote_denormals", 1),
        ProfileSetting::constant("output_format_json_validate_utf8", 1),
        ProfileSetting::constant("output_format_json_escape_forward_slashes", 0),
        ProfileSetting::constant("date_time_output_format", "iso"),
        // An error inside the body would look like a row.
        ProfileSetting::constant("http_write_exception_in_output_format", 0),
        // Distributed datasets: ask only the shards that can have the tenant.
        ProfileSetting::constant("optimize_skip_unused_shards", 1),
        // Chained joins whose conditions allow it are planned into an error (`Cannot fold actions for projection`).
        ProfileSetting::constant("query_plan_convert_outer_join_to_inner_join", 0),
    ];
    for name in LOCKED_FOR_DEFINER.iter().chain(&LOCKED_FOR_READER) {
        account = account.with_setting(ProfileSetting::locked(name));
    }
    for scope in datasets {
        account = account.with_grant("SELECT", scope);
    }
    account
}

/// May do everything: creates the databases and tables of tests and of the demonstration.
pub fn admin(password: &str) -> Account {
    Account::new("admin", password).with_grant("ALL", "*.*")
}

#[cfg(test)]
mod tests {
    use super::super::SettingRule;
    use super::*;

    #[test]
    fn no_limit_of_the_reader_can_be_switched_off() {
        let account = reader("", &[], ReaderLimits::default());
        for setting in &account.settings {
            if setting.name.starts_with("max_") && setting.name != "max_threads" {
                assert!(matches!(setting.rule, SettingRule::Between { min: 1, .. }), "`{}`", setting.name);
            }
        }
    }

    #[test]
    fn no_setting_is_stated_twice() {
        let account = reader("", &[], ReaderLimits::default());
        for setting in &account.settings {
            let times = account.settings.iter().filter(|other| other.name == setting.name).count();
            assert_eq!(times, 1, "`{}`", setting.name);
        }
    }

    #[test]
    fn the_reader_may_select_and_nothing_else() {
        let account = reader("", &[GrantScope::database("datasets")], ReaderLimits::default());
        assert_eq!(account.grants, ["GRANT SELECT ON `datasets`.*"]);
    }
}
