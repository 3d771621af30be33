//! How the rows of a `Distributed` table are spread. FINAL merges rows within a shard only, so all rows of one key must
//! lie on one (ClickHouse facts 4, 13).

use std::collections::BTreeSet;

use super::diagnostic::{Code, Diagnostic};
use super::view::tenant::{self, Apart};
use super::{model, view};
use crate::catalog::{self, Catalog, Table};

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
    // A column inside an expression of the key may differ between rows of one key.
    let key = model::key_parts(local).into_iter().filter_map(|part| part.column).collect();
    check_key(table, local, &key, path)
}

/// The same for rows that are merged by a key that may be another than the table's.
pub(super) fn check_key(table: &Table, local: &Table, key: &BTreeSet<String>, path: &str) -> Result<(), Diagnostic> {
    if table.shards == Some(1) {
        return Ok(());
    }
    let place = table.physical_name();
    let wrong = |message: String| {
        let of_table: BTreeSet<String> = model::key_parts(local).into_iter().filter_map(|part| part.column).collect();
        let columns = match of_table == *key {
            true => format!("the sorting key `{}` of `{}`", local.sorting_key, local.physical_name()),
            false => format!("the key `{}`", key.iter().cloned().collect::<Vec<_>>().join(", ")),
        };
        Err(Diagnostic::new(Code::ShardingKeyNotInKey, path, message)
            .help(format!("Shard `{place}` by columns of {columns}, such as `cityHash64(…)` of them.")))
    };
    let (expression, columns) = match columns_of(table) {
        Ok(found) => found,
        Err(problem) => return wrong(problem),
    };
    if let Some(column) = columns.iter().find(|column| !key.contains(*column)) {
        return wrong(format!(
            "`{place}` is sharded by `{expression}`, and `{column}` is no column of the key: rows of one key may lie on several shards."
        ));
    }
    Ok(())
}

/// The same for a `Distributed` table over a view: where a row of the view is made of several rows, these must lie on one
/// shard. `tenant` is the column of the tenant, to which every read is held.
pub(super) fn check_view(
    table: &Table,
    local: &Table,
    catalog: &Catalog,
    tenant: Option<&str>,
    path: &str,
) -> Result<(), Diagnostic> {
    let merges = view::merges(local, catalog);
    let combines = view::combines(local, catalog);
    if table.shards == Some(1) || !merges && combines.is_none() {
        return Ok(());
    }
    let (place, view) = (table.physical_name(), local.physical_name());
    let wrong = |message: String| {
        let by = match tenant {
            Some(tenant) => format!("by its tenant alone, such as `cityHash64({tenant})`"),
            None => "by columns of the key of the table behind the view".to_owned(),
        };
        Err(Diagnostic::new(Code::ShardingKeyNotInKey, path, message).help(format!(
            "Shard `{place}` {by}; or declare a Distributed table over the table itself, whose rows are merged by the catalog."
        )))
    };
    let (expression, columns) = match columns_of(table) {
        Ok(found) => found,
        Err(problem) => return wrong(problem),
    };
    if let Some(word) = combines.filter(|_| columns.iter().any(|column| Some(column.as_str()) != tenant)) {
        return wrong(format!(
            "The view `{view}` makes rows of several ones on each shard (`{word}`), and `{place}` is sharded by `{expression}`: \
             rows that belong together may lie on several shards."
        ));
    }
    let outside = columns.iter().find(|column| tenant::of(local, catalog, column) == Apart::NotInKey);
    if let Some(column) = outside {
        return wrong(format!(
            "The view `{view}` merges rows of one key on each shard, and `{place}` is sharded by `{expression}`, whose `{column}` \
             is no column of the key: rows of one key may lie on several shards."
        ));
    }
    Ok(())
}

/// The sharding expression and the columns that it is a function of, or why equal values of any may lie on several shards.
fn columns_of(table: &Table) -> Result<(String, Vec<String>), String> {
    let place = table.physical_name();
    let distributed = catalog::distributed(table);
    let Some(expression) = distributed.and_then(|distributed| distributed.sharding_key) else {
        return Err(format!("`{place}` states no sharding key, so rows of one key may lie on several shards."));
    };
    let words = model::words(&expression);
    let called = words.iter().find(|word| word.called && !DETERMINISTIC.contains(&word.name.as_str()));
    if let Some(function) = called {
        let name = &function.name;
        return Err(format!(
            "`{place}` is sharded by `{expression}`; rows of one key may lie on several shards, because `{name}` is not known to be a function of the key."
        ));
    }
    let columns: Vec<String> = words.into_iter().filter(|word| !word.called).map(|word| word.name).collect();
    if columns.is_empty() {
        return Err(format!("`{place}` is sharded by `{expression}`, which names no column of the key."));
    }
    Ok((expression, columns))
}

/// A sharding expression of one column as one of another, if the same values of it always lie on the same shard.
pub(super) fn over(expression: &str, column: &str, other: &str) -> Option<String> {
    let words = model::words(expression);
    let alone = |word: &model::Word| match word.called {
        true => DETERMINISTIC.contains(&word.name.as_str()),
        false => word.name == column,
    };
    if expression.contains(['\'', '"']) || !words.iter().all(alone) || words.iter().all(|word| word.called) {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut over = String::new();
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '`' => rest[1..].find('`')? + 2,
            first if is_part(first) => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        let called = after.starts_with('(');
        let named = token.trim_matches('`') == column && !called;
        over.push_str(if named { other } else { token });
        rest = after;
    }
    Some(over)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sharding_expression_of_the_tenant_alone_is_one_over_the_view() {
        let over = |expression: &str| over(expression, "tenant_id", "__tenant");
        assert_eq!(over("cityHash64(tenant_id)").as_deref(), Some("cityHash64(__tenant)"));
        assert_eq!(over("cityHash64(`tenant_id`) % 8").as_deref(), Some("cityHash64(__tenant) % 8"));
        for other in ["rand()", "cityHash64(tenant_id, id)", "cityHash64('tenant_id')", "1", "cityHash64(tenant_id.a)"]
        {
            assert_eq!(over(other), None, "{other}");
        }
    }
}
