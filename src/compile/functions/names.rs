//! Names that are no function of the table: other spellings, refusals with their reason, nearest names.

use std::ops::Range;

use super::{Matched, signature, table};
use crate::compile::problem::{ExpressionProblem, ProblemCode};

/// ClickHouse's other names of functions of the table (its aliases are rewritten, ClickHouse facts 11).
const ALIASES: [(&str, &str); 34] = [
    ("substr", "substring"),
    ("mid", "substring"),
    ("lcase", "lower"),
    ("ucase", "upper"),
    ("char_length", "length"),
    ("character_length", "length"),
    ("ltrim", "trimLeft"),
    ("rtrim", "trimRight"),
    ("lpad", "leftPad"),
    ("rpad", "rightPad"),
    ("locate", "position"),
    ("concat_ws", "concatWithSeparator"),
    ("substring_index", "substringIndex"),
    ("date_trunc", "dateTrunc"),
    ("date_diff", "dateDiff"),
    ("timestamp_diff", "dateDiff"),
    ("timestampdiff", "dateDiff"),
    ("date_format", "formatDateTime"),
    ("year", "toYear"),
    ("quarter", "toQuarter"),
    ("month", "toMonth"),
    ("day", "toDayOfMonth"),
    ("dayofmonth", "toDayOfMonth"),
    ("dayofweek", "toDayOfWeek"),
    ("dayofyear", "toDayOfYear"),
    ("hour", "toHour"),
    ("minute", "toMinute"),
    ("second", "toSecond"),
    ("toTimezone", "toTimeZone"),
    ("ceiling", "ceil"),
    ("truncate", "trunc"),
    ("power", "pow"),
    ("ln", "log"),
    ("mod", "modulo"),
];

/// Functions that ClickHouse has and a dataset may not call: the names, why, what instead. A `*` ends a prefix.
const REFUSED: [(&[&str], &str, &str); 15] = [
    (
        &[
            "now",
            "now64",
            "today",
            "yesterday",
            "current_timestamp",
            "current_date",
            "curdate",
            "utctimestamp",
            "nowinblock",
            "timezone",
            "servertimezone",
        ],
        "a dataset does not depend on the clock or the server's time zone",
        "leave the time range to the query: its relative-time filters know the moment",
    ),
    (
        &["rand*", "generateuuid*", "generaterandom*", "generatesnowflake*", "fuzz*", "generateulid"],
        "a dataset does not depend on chance",
        "use `cityHash64(x)` for a stable number per value",
    ),
    (&["arrayjoin"], "it makes several rows of one", "declare the array as a column, or use `elements`"),
    (
        &["dictget*", "dicthas", "dictgetchildren", "joinget*", "in", "notin", "globalin", "exists"],
        "an expression does not read other tables",
        "declare the dictionary or table as a source and join it",
    ),
    (
        &[
            "file",
            "url",
            "s3",
            "executable",
            "remote",
            "cluster",
            "catboostevaluate",
            "hascolumnintable",
            "filesystem*",
        ],
        "an expression does not read outside its row",
        "declare what it should read as a source",
    ),
    (
        &["sleep*", "throwif", "logtrace", "ignore", "materialize", "identity"],
        "it does something to the server instead of giving a value",
        "leave it out",
    ),
    (
        &[
            "getsetting*",
            "getserversetting",
            "getmacro",
            "hostname",
            "fqdn",
            "version",
            "currentuser",
            "user",
            "currentdatabase",
            "currentroles",
            "uptime",
            "displayname",
            "getclienthttpheader",
            "connectionid",
            "queryid",
            "initialqueryid",
            "showcertificate",
            "tcpport",
            "buildid",
            "shardnum",
        ],
        "a dataset does not depend on the server or on who reads it",
        "rows are held to the caller's tenant, owner and space without it",
    ),
    (
        &[
            "sum*",
            "count",
            "countif",
            "avg*",
            "min",
            "max",
            "minif",
            "maxif",
            "any*",
            "uniq*",
            "quantile*",
            "median*",
            "argmin*",
            "argmax*",
            "grouparray*",
            "groupuniqarray*",
            "stddev*",
            "var*",
            "covar*",
            "corr*",
            "topk*",
            "first_value",
            "last_value",
            "grouping",
            "string_agg",
            "array_agg",
        ],
        "an expression sees one row, so it cannot aggregate",
        "aggregate in the query, or declare a measure; of several values in one row use `greatest` or `least`",
    ),
    (
        &[
            "row_number",
            "rank",
            "dense_rank",
            "lag*",
            "lead*",
            "ntile",
            "percent_rank",
            "nth_value",
            "neighbor",
            "running*",
            "rownumber*",
            "blocknumber",
            "blocksize",
            "leadinframe",
            "laginframe",
        ],
        "an expression sees one row, so it knows no other rows",
        "sort and limit in the query",
    ),
    (
        &[
            "arraymap",
            "arrayfilter",
            "arrayexists",
            "arrayall",
            "arrayreduce*",
            "arrayfold",
            "arraysum",
            "arrayavg",
            "mapapply",
            "mapfilter",
        ],
        "there are no lambdas and no loops over arrays",
        "declare the elements of the array in the source",
    ),
    (
        &[
            "match",
            "extract",
            "extractall*",
            "replaceregexp*",
            "regexp*",
            "multimatch*",
            "countmatches*",
            "splitbyregexp",
        ],
        "regular expressions are not offered: a wrong one fails only when rows are read",
        "use `like(x, 'a%')`, `startsWith`, `position`, `splitByString` or `replaceAll`",
    ),
    (
        &[
            "repeat",
            "space",
            "range",
            "replicate",
            "arraywithconstant",
            "format",
            "tofixedstring",
            "makedate*",
            "yyyymmdd*",
        ],
        "its result can be without bounds, or it throws for some values",
        "use `leftPad`, `concat` or `toDate`",
    ),
    (
        &[
            "assumenotnull",
            "tonullable",
            "tolowcardinality",
            "cast",
            "_cast",
            "accuratecast*",
            "reinterpret*",
            "totypename",
            "toint128",
            "toint256",
            "touint128",
            "touint256",
            "tofloat32",
            "todecimal256",
        ],
        "types are the compiler's work",
        "use `ifNull(x, …)` against nulls, `toInt64(x)`, `toFloat64(x)` or `toDecimal128(x, 2)` for another type",
    ),
    (&["positivemodulo*", "gcd", "lcm", "factorial"], "it throws for some values", "use `modulo(a, b)` or `a % b`"),
    (
        &[
            "encrypt",
            "decrypt",
            "aes_*",
            "tryDecrypt",
            "ai*",
            "jsonextract*",
            "json_value",
            "json_query",
            "visitparam*",
        ],
        "it is not offered in expressions",
        "declare a value inside JSON as a path of the source's column",
    ),
];

/// The name in the table's spelling.
pub(super) fn canonical(name: &str) -> &str {
    let exact = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
    exact.map_or(name, |(_, canonical)| canonical)
}

/// Why a name is no function of the table.
pub(super) fn unknown(name: &str, span: Range<usize>) -> ExpressionProblem {
    let lower = name.to_ascii_lowercase();
    let refusal =
        REFUSED.iter().find(|(names, _, _)| names.iter().any(|pattern| fits(&pattern.to_ascii_lowercase(), &lower)));
    let mut near: Vec<(usize, &'static str)> = table()
        .map(|function| (distance(&lower, &function.name.to_ascii_lowercase()), function.name))
        .filter(|(distance, near)| *distance <= 2.min(near.len() / 2))
        .collect();
    near.sort_unstable();
    near.dedup();
    if let Some((0, _)) = near.first() {
        near.truncate(1);
    }
    if let Some((_, why, instead)) = refusal.filter(|_| near.first().is_none_or(|(distance, _)| *distance > 0)) {
        let message = format!("`{name}` is not allowed: {why}");
        return ExpressionProblem::new(ProblemCode::FunctionNotAllowed, span, message).help(*instead);
    }
    let problem = ExpressionProblem::new(ProblemCode::UnknownFunction, span, format!("there is no function `{name}`"));
    let names: Vec<String> = near.iter().take(3).map(|(_, name)| format!("`{name}`")).collect();
    problem.help(match names.is_empty() {
        true => "the documentation lists all functions".to_owned(),
        false => format!("did you mean {}?", names.join(", ")),
    })
}

fn fits(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |prefix| name.starts_with(prefix))
}

/// How many characters must be added, removed or replaced (Levenshtein).
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<u8> = right.bytes().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, one) in left.bytes().enumerate().take(64) {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(one != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

/// A call whose arguments passed the table but not the rule.
pub(super) fn arguments(matched: &Matched) -> ExpressionProblem {
    let forms: Vec<String> = table().filter(|function| function.name == matched.name).map(signature).collect();
    let message = format!("`{}` does not take these arguments", matched.name);
    ExpressionProblem::new(ProblemCode::WrongArguments, matched.span.clone(), message)
        .help(format!("it is {}", forms.join(" or ")))
}
