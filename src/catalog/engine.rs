//! What stands in the text of an engine, as the server shows it (ClickHouse facts 10).

use super::{Table, TableName};
use crate::sql::split_arguments;

/// The arguments of a `Distributed` table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distributed {
    /// The cluster.
    pub cluster: String,
    /// The table on each shard.
    pub local: TableName,
    /// The expression that says on which shard a row lies; none where none is stated.
    pub sharding_key: Option<String>,
}

/// The arguments of an engine, as they are written; without those that only say where a replica finds the others.
pub fn engine_arguments(table: &Table) -> Vec<&str> {
    let Some(inside) = table.engine_full.strip_prefix(&table.engine).and_then(in_parentheses) else {
        return Vec::new();
    };
    let mut arguments: Vec<&str> = split_arguments(inside).unwrap_or_default();
    arguments.iter_mut().for_each(|argument| *argument = argument.trim());
    arguments.retain(|argument| !argument.is_empty());
    if ["Replicated", "Shared"].iter().any(|prefix| table.engine.starts_with(prefix)) {
        // The path and the replica's name.
        let places = arguments.iter().take(2).take_while(|argument| argument.starts_with('\'')).count();
        arguments.drain(..places);
    }
    arguments
}

/// What a `Distributed` table reads; none if the table is no such table, or its text is not understood.
pub fn distributed(table: &Table) -> Option<Distributed> {
    if table.engine != "Distributed" {
        return None;
    }
    let arguments = engine_arguments(table);
    let [cluster, database, name, rest @ ..] = arguments.as_slice() else { return None };
    let database = unquoted(database)?;
    Some(Distributed {
        cluster: unquoted(cluster)?,
        local: TableName {
            database: if database.is_empty() { table.physical_database().to_owned() } else { database },
            table: unquoted(name)?,
        },
        sharding_key: rest.first().map(|key| (*key).to_owned()),
    })
}

/// What stands between the parenthesis that the text starts with and the one that closes it.
fn in_parentheses(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('(')?;
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (index, character) in inside.char_indices() {
        match (quote, character) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '`' | '"') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return Some(&inside[..index]),
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A name as the server writes it: bare, or in quotes of any kind.
fn unquoted(text: &str) -> Option<String> {
    let quote = text.chars().next()?;
    if !matches!(quote, '\'' | '`' | '"') {
        let plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '{' | '}'));
        return plain.then(|| text.to_owned());
    }
    let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut name = String::new();
    let mut characters = inside.chars();
    while let Some(character) = characters.next() {
        name.push(if character == '\\' { characters.next()? } else { character });
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(engine: &str, engine_full: &str) -> Table {
        Table { database: "wow".into(), engine: engine.into(), engine_full: engine_full.into(), ..Table::default() }
    }

    #[test]
    fn a_replica_s_place_is_no_argument_of_its_engine() {
        let replacing = table(
            "ReplicatedReplacingMergeTree",
            "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/wow/t', '{replica}', version, is_deleted) ORDER BY id",
        );
        assert_eq!(engine_arguments(&replacing), ["version", "is_deleted"]);
        let plain = table("ReplacingMergeTree", "ReplacingMergeTree ORDER BY id SETTINGS index_granularity = 8192");
        assert!(engine_arguments(&plain).is_empty());
        let summing = table("SummingMergeTree", "SummingMergeTree((a, b)) ORDER BY id");
        assert_eq!(engine_arguments(&summing), ["(a, b)"]);
    }

    #[test]
    fn a_distributed_table_says_what_it_reads_and_how_rows_are_spread() {
        let with_key = table("Distributed", "Distributed('c2', 'db', 'it\\'s', cityHash64(tenant_id, ')'))");
        let read = distributed(&with_key).expect("it is understood");
        assert_eq!((read.cluster.as_str(), read.local.table.as_str()), ("c2", "it's"));
        assert_eq!(read.sharding_key.as_deref(), Some("cityHash64(tenant_id, ')')"));
        let without = table("Distributed", "Distributed(`c2`, '', t)");
        let read = distributed(&without).expect("it is understood");
        assert_eq!((read.local.database.as_str(), read.sharding_key), ("wow", None));
    }
}
