//! Names that are no function of the table: other spellings, refusals with their reason, nearest names.

use std::ops::Range;

use super::refused::REFUSED;
use super::{Matched, signatures, table};
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::spelling;

/// ClickHouse's other names of functions of the table (its aliases are rewritten, ClickHouse facts 11).
const ALIASES: [(&str, &str); 85] = [
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
    ("last_day", "toLastDayOfMonth"),
    ("regexp_replace", "replaceRegexpAll"),
    ("regexp_extract", "regexpExtract"),
    ("pmod", "positiveModulo"),
    ("to_base64", "base64Encode"),
    ("from_base64", "base64Decode"),
    ("tryBase64Decode", "base64Decode"),
    ("tryBase64URLDecode", "base64URLDecode"),
    ("mapContainsKey", "mapContains"),
    ("domainRFC", "domain"),
    ("domainWithoutWWWRFC", "domainWithoutWWW"),
    ("topLevelDomainRFC", "topLevelDomain"),
    ("lengthUTF8", "length"),
    ("lowerUTF8", "lower"),
    ("upperUTF8", "upper"),
    ("initcapUTF8", "initcap"),
    ("reverseUTF8", "reverse"),
    ("trimBoth", "trim"),
    ("substringUTF8", "substring"),
    ("leftUTF8", "left"),
    ("rightUTF8", "right"),
    ("leftPadUTF8", "leftPad"),
    ("rightPadUTF8", "rightPad"),
    ("substringIndexUTF8", "substringIndex"),
    ("positionUTF8", "position"),
    ("positionCaseInsensitiveUTF8", "positionCaseInsensitive"),
    ("replace", "replaceAll"),
    ("toUnixTimestamp64Second", "toUnixTimestamp"),
    ("fromUnixTimestamp64Second", "fromUnixTimestamp"),
    ("parseDateTime64", "parseDateTime"),
    ("makeDate32", "makeDate"),
    ("arrayElementOrNull", "arrayElement"),
    ("translateUTF8", "translate"),
    ("overlayUTF8", "overlay"),
    ("countSubstringsCaseInsensitive", "countSubstringsCaseInsensitiveUTF8"),
    ("startsWithUTF8", "startsWith"),
    ("endsWithUTF8", "endsWith"),
    ("moduloOrNull", "modulo"),
    ("positiveModuloOrNull", "positiveModulo"),
    ("intDivOrNull", "intDiv"),
    ("divideOrNull", "divide"),
    ("parseDateTimeOrNull", "parseDateTime"),
    ("parseDateTime64OrNull", "parseDateTime64"),
    ("parseDateTimeBestEffortOrNull", "parseDateTimeBestEffort"),
    ("parseDateTime64BestEffortOrNull", "parseDateTime64BestEffort"),
    ("toDateOrNull", "toDate"),
    ("toDate32OrNull", "toDate32"),
    ("toDateTimeOrNull", "toDateTime"),
    ("toDateTime64OrNull", "toDateTime64"),
    ("toUUIDOrNull", "toUUID"),
    ("toIPv4OrNull", "toIPv4"),
    ("toIPv6OrNull", "toIPv6"),
];

/// The name in the table's spelling.
pub(super) fn canonical(name: &str) -> &str {
    let other = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
    // `toInt64OrNull` is what `toInt64` gives here.
    let number = || {
        name.strip_suffix("OrNull")
            .filter(|name| ["toInt", "toUInt", "toFloat", "toDecimal"].iter().any(|start| name.starts_with(start)))
    };
    other.map(|(_, canonical)| *canonical).or_else(number).unwrap_or(name)
}

/// The other names of a function.
pub(super) fn aliases(name: &str) -> impl Iterator<Item = &'static str> {
    ALIASES.iter().filter(move |(_, canonical)| *canonical == name).map(|(alias, _)| *alias)
}

/// Why a name is no function of the table.
pub(super) fn unknown(name: &str, span: Range<usize>) -> ExpressionProblem {
    let lower = name.to_ascii_lowercase();
    let refusal =
        REFUSED.iter().find(|(names, _, _)| names.iter().any(|pattern| fits(&pattern.to_ascii_lowercase(), &lower)));
    let known: Vec<&str> = table().map(|function| function.name).collect();
    let near = spelling::nearest(name, &known);
    let differs_in_case = near.iter().any(|near| near.eq_ignore_ascii_case(name));
    if let Some((_, why, instead)) = refusal.filter(|_| !differs_in_case) {
        let message = format!("`{name}` is not allowed: {why}");
        return ExpressionProblem::new(ProblemCode::FunctionNotAllowed, span, message).help(*instead);
    }
    let problem = ExpressionProblem::new(ProblemCode::UnknownFunction, span, format!("there is no function `{name}`"));
    let names: Vec<String> = near.iter().take(3).map(|name| format!("`{name}`")).collect();
    problem.help(match names.is_empty() {
        true => "the documentation lists all functions".to_owned(),
        false => format!("did you mean {}?", names.join(", ")),
    })
}

fn fits(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (_, Some(start)) => name.starts_with(start),
        _ => pattern == name,
    }
}

/// A call whose arguments passed the table but not the rule.
pub(super) fn arguments(matched: &Matched) -> ExpressionProblem {
    let message = format!("`{}` does not take these arguments", matched.name);
    ExpressionProblem::new(ProblemCode::WrongArguments, matched.span.clone(), message)
        .help(format!("it is {}", signatures(matched.function)))
}
