//! Storage conventions that we honour: what the ending of a table's name says of it (design 4.7).
//!
//! | ending | what it is | as a source |
//! |---|---|---|
//! | `_v` | a view that lists its columns, over current rows | preferred |
//! | `_dist` | the table of all shards | where there is no `_v` |
//! | `_rep` | the local table of one shard | where there is neither |
//! | `_kafka`, `_file`, `_mv` | a reader of a topic, of a file; a materialized view | refused |
//!
//! Before `_v`, `_dist` or `_rep`, the name says what the rows are: `_stage` is filled before its rows move elsewhere,
//! `_raw` holds messages as they came, `_errors` those that were refused. Knows names and which of them the catalog has.

use super::diagnostic::{Code, Diagnostic};
use crate::api::source::AnalyticsSourceSpec;
use crate::catalog::Catalog;

/// Endings of tables that people read, best first.
const READ: [&str; 3] = ["_v", "_dist", "_rep"];

/// Endings of what nobody reads, with what each is and the engine that says so already.
const NOT_READ: [(&str, &str, &str); 3] = [
    ("_kafka", "reads a topic, and reading consumes it", "Kafka"),
    ("_file", "reads a file", "File"),
    ("_mv", "is a materialized view, which passes rows on", "MaterializedView"),
];

/// What the conventions say of a source's table: at most one finding, the gravest. `path` is where the table is named.
pub fn of_source(declaration: &AnalyticsSourceSpec, catalog: &Catalog, path: &str) -> Option<Diagnostic> {
    let (database, name) = (declaration.database.as_str(), declaration.table.as_str());
    let exists = |name: &str| catalog.table(database, name).is_some();
    let better = |entity: &str, names: &[&str]| {
        let better = names.iter().map(|ending| format!("{entity}{ending}")).find(|name| exists(name));
        better.map(|name| format!("`{}:{database}:{name}`", declaration.connection))
    };
    let not_read = NOT_READ.into_iter().find_map(|row| Some((name.strip_suffix(row.0)?, row)));
    if let Some((entity, (ending, what, engine))) = not_read {
        // Where the engine itself is refused, that says more.
        if catalog.table(database, name).is_some_and(|table| table.engine == engine) {
            return None;
        }
        let help = match better(entity, &READ) {
            Some(better) => format!("Read {better} instead."),
            None => "Read the table that it fills; if it is one, give it a name with another ending.".to_owned(),
        };
        let message = format!("A table whose name ends in `{ending}` {what}; it is no source.");
        return Some(Diagnostic::new(Code::NotForReading, path, message).help(help));
    }
    let mut read = READ.into_iter().enumerate();
    let (rank, ending, entity) = read.find_map(|(rank, ending)| Some((rank, ending, name.strip_suffix(ending)?)))?;
    if let Some(entity) = entity.strip_suffix("_stage") {
        let message =
            format!("`{name}` is a staging table: it holds parts of the data until they replace those of `{entity}`.");
        let help = match better(entity, &READ) {
            Some(better) => format!("Read {better} instead."),
            None => format!("Read the table of `{entity}` itself."),
        };
        return Some(Diagnostic::new(Code::StagingTable, path, message).help(help));
    }
    if entity.ends_with("_raw") {
        let message =
            format!("`{name}` holds messages as they arrived: unchecked, repeated, and kept for a few days only.");
        return Some(
            Diagnostic::new(Code::RawMessages, path, message).help("Read the typed table that is filled from it."),
        );
    }
    if let Some(entity) = entity.strip_suffix("_errors") {
        let message = format!("`{name}` holds what was refused on the way in, not what counts.");
        let help = match better(entity, &READ) {
            Some(better) => format!("Read {better}, unless the refused rows are meant."),
            None => format!("Read the table of `{entity}`, unless the refused rows are meant."),
        };
        return Some(Diagnostic::new(Code::RefusedRows, path, message).help(help));
    }
    let better = better(entity, &READ[..rank])?;
    let message = match ending {
        "_dist" => format!("`{name}` is the table behind a view of the same data."),
        _ => format!("`{name}` is a local table: it holds the rows of one shard."),
    };
    Some(Diagnostic::new(Code::BetterTable, path, message).help(format!("Read {better} instead.")))
}

/// The names that a better table of the same data would have; whoever reads the catalog looks for them too.
pub fn better_names(name: &str) -> Vec<String> {
    let endings = READ.into_iter().chain(NOT_READ.into_iter().map(|(ending, ..)| ending));
    let Some(entity) = endings.into_iter().find_map(|ending| name.strip_suffix(ending)) else { return Vec::new() };
    let counted = ["_stage", "_errors"].into_iter().find_map(|part| entity.strip_suffix(part)).unwrap_or(entity);
    READ.into_iter().map(|ending| format!("{counted}{ending}")).filter(|better| better != name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(table: &str, engine: &str, others: &[&str]) -> Option<String> {
        let others = others.iter().map(|name| (*name, "MergeTree"));
        let tables = std::iter::once((table, engine)).chain(others).map(
            |(name, engine)| serde_json::json!({"database": "dds", "name": name, "engine": engine, "columns": []}),
        );
        let catalog: Catalog = serde_json::from_value(serde_json::json!({"tables": tables.collect::<Vec<_>>()}))
            .expect("tables of a catalog");
        let declaration = serde_json::json!({"connection": "c", "database": "dds", "table": table});
        let declaration: AnalyticsSourceSpec = serde_json::from_value(declaration).expect("a declaration");
        of_source(&declaration, &catalog, "spec.table").map(|found| found.to_string())
    }

    fn says(table: &str, others: &[&str], code: &str, help: &str) {
        let found = finding(table, "MergeTree", others).unwrap_or_default();
        assert!(found.contains(code) && found.ends_with(help), "{table}: {found}");
    }

    #[test]
    fn a_better_table_is_named_where_there_is_one() {
        says("order_rep", &["order_dist"], "BetterTable", "Read `c:dds:order_dist` instead.");
        says("order_rep", &["order_dist", "order_v"], "BetterTable", "Read `c:dds:order_v` instead.");
        says("order_dist", &["order_rep", "order_v"], "BetterTable", "Read `c:dds:order_v` instead.");
        for best in ["order_rep", "order_dist", "order_v", "order"] {
            assert_eq!(finding(best, "MergeTree", &["session_v"]), None, "{best}");
        }
        assert_eq!(finding("order_dist", "Distributed", &["order_rep"]), None);
        assert_eq!(finding("order_v", "View", &["order_rep", "order_dist"]), None);
    }

    #[test]
    fn what_nobody_reads_is_refused_and_what_fills_up_is_warned_of() {
        says("hits_kafka", &[], "NotForReading", "give it a name with another ending.");
        says("event_mv", &["event_v", "event_dist"], "NotForReading", "Read `c:dds:event_v` instead.");
        says("products_file", &[], "NotForReading", "another ending.");
        says("order_stage_rep", &["order_dist"], "StagingTable", "Read `c:dds:order_dist` instead.");
        says("order_stage_dist", &[], "StagingTable", "Read the table of `order` itself.");
        says("hits_raw_dist", &[], "RawMessages", "filled from it.");
        says("order_errors_dist", &["order_v"], "RefusedRows", "unless the refused rows are meant.");
    }

    #[test]
    fn an_engine_that_is_refused_speaks_for_itself_and_other_names_say_nothing() {
        assert_eq!(finding("hits_kafka", "Kafka", &[]), None);
        assert_eq!(finding("event_mv", "MaterializedView", &["event_v"]), None);
        for other in ["customers", "stage_rep_codes", "profile", "tv", "order_stage", "raw"] {
            assert_eq!(finding(other, "MergeTree", &[]), None, "{other}");
        }
    }

    #[test]
    fn the_names_to_look_for_are_those_that_are_named() {
        assert_eq!(better_names("order_rep"), ["order_v", "order_dist"]);
        assert_eq!(better_names("order_stage_dist"), ["order_v", "order_dist", "order_rep"]);
        assert_eq!(better_names("event_mv"), ["event_v", "event_dist", "event_rep"]);
        assert_eq!(better_names("customers"), Vec::<String>::new());
    }
}
