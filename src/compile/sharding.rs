//! How the rows of a `Distributed` table are spread. FINAL merges rows within a shard only, so all rows of one key must
//! lie on one (ClickHouse facts 4, 13).

use std::collections::BTreeSet;

use super::diagnostic::{Code, Diagnostic};
use super::model;
use crate::catalog::{self, Table};

/// Functions that give one value for equal arguments, on every server and at any time.
const DETERMINISTIC: [&str; 34] = [
    "cityHash64",
    "sipHash64",
    "sipHash128",
    "xxHash32",
    "xxHash64",
    "xxh3",
    "farmHash64",
    "farmFingerprint64",
    "metroHash64",
    "murmurHash2_32",
    "murmurHash2_64",
    "murmurHash3_32",
    "murmurHash3_64",
    "intHash32",
    "intHash64",
    "halfMD5",
    "javaHash",
    "CRC32",
    "CRC64",
    "jumpConsistentHash",
    "modulo",
    "positiveModulo",
    "abs",
    "concat",
    "lower",
    "lowerUTF8",
    "toString",
    "toUInt8",
    "toUInt32",
    "toUInt64",
    "toInt64",
    "toYYYYMM",
    "toYYYYMMDD",
    "tuple",
];

/// Refuses a `Distributed` table whose rows of one key may lie on several shards.
pub(super) fn check(table: &Table, local: &Table, path: &str) -> Result<(), Diagnostic> {
    if table.shards == Some(1) {
        return Ok(());
    }
    let place = table.physical_name();
    let wrong = |message: String| {
        Err(Diagnostic::new(Code::ShardingKeyNotInKey, path, message).help(format!(
            "Shard `{place}` by columns of the sorting key `{}` of `{}`, such as `cityHash64(…)` of them.",
            local.sorting_key,
            local.physical_name()
        )))
    };
    let distributed = catalog::distributed(table);
    let Some(expression) = distributed.and_then(|distributed| distributed.sharding_key) else {
        return wrong(format!("`{place}` states no sharding key, so rows of one key may lie on several shards."));
    };
    let words = model::words(&expression);
    let key: BTreeSet<String> = model::key_parts(local).into_iter().flat_map(|part| part.columns).collect();
    let called = words.iter().find(|word| word.called && !DETERMINISTIC.contains(&word.name.as_str()));
    if let Some(function) = called {
        let name = &function.name;
        return wrong(format!(
            "`{place}` is sharded by `{expression}`; rows of one key may lie on several shards, because `{name}` is not known to be a function of the key."
        ));
    }
    let columns: Vec<&str> = words.iter().filter(|word| !word.called).map(|word| word.name.as_str()).collect();
    if columns.is_empty() {
        return wrong(format!("`{place}` is sharded by `{expression}`, which names no column of the key."));
    }
    if let Some(column) = columns.iter().find(|column| !key.contains(**column)) {
        return wrong(format!(
            "`{place}` is sharded by `{expression}`, and `{column}` is no column of the key: rows of one key may lie on several shards."
        ));
    }
    Ok(())
}
