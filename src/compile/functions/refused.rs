//! Functions that ClickHouse has and a dataset may not call.

/// The names, why, what instead. A `*` at the end or the start stands for the rest of a name.
pub(super) const REFUSED: [(&[&str], &str, &str); 20] = [
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
        "compare with a fixed day, as in `toDate(x) >= toDate('2026-01-01')`, or leave the range of time to the query; relative times come with a later version",
    ),
    (
        &["rand*", "generateuuid*", "generaterandom*", "generatesnowflake*", "fuzz*", "generateulid"],
        "a dataset does not depend on chance",
        "use `cityHash64(x)` for a stable number per value",
    ),
    (
        &["arrayjoin"],
        "it makes several rows of one",
        "show the array as a column; of an array of objects, `elements` of a column shows parts",
    ),
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
        "aggregations come with a later version; of several values in one row use `greatest` or `least`, of an array `arraySum` and the like",
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
            "arrayfirst*",
            "arraylast*",
            "arraycount",
            "arrayfold",
            "arrayreduce*",
            "arraysplit",
            "arraycum*",
            "mapapply",
            "mapfilter",
            "mapexists",
            "mapall",
        ],
        "there are no lambdas and no loops over arrays",
        "use `has`, `arraySum` and the like; a column shows parts of an array of objects by `elements`",
    ),
    (
        &["multimatch*", "multifuzzymatch*", "multisearch*", "extractallgroups*", "extractgroups"],
        "it takes several patterns or groups at once",
        "use `match(x, 'a|b')`, `extractAll` or `regexpExtract(x, 'regex', 1)`",
    ),
    (
        &[
            "range",
            "replicate",
            "arraywithconstant",
            "arrayresize",
            "arrayzip*",
            "arrayenumerate*",
            "space",
            "format",
            "tofixedstring",
            "bin",
            "unhex",
            "char",
            "yyyymmdd*",
            "makedatetime*",
            "factorial",
            "intexp*",
        ],
        "its result can be without bounds, no text, or it throws for some values",
        "use `repeat`, `leftPad`, `concat` or `toDate`",
    ),
    (&["locate"], "the order of its arguments depends on a setting of the server", "use `position(text, what)`"),
    (
        &["*orzero", "*ordefault"],
        "a value that does not fit would become 0 without a word",
        "use `ifNull(toInt64(x), 0)` if 0 is meant",
    ),
    (
        &[
            "assumenotnull",
            "tonullable",
            "tolowcardinality",
            "cast",
            "_cast",
            "accuratecast",
            "accuratecastordefault",
            "reinterpret*",
            "totypename",
            "tobfloat16",
            "tointerval*",
            "totime",
            "totime64*",
            "trydecimal*",
        ],
        "types are the compiler's work",
        "use `ifNull(x, …)` against nulls, `toInt64(x)`, `toFloat64(x)` or `toDecimal128(x, 2)` for another type",
    ),
    (
        &[
            "toweek",
            "toyearweek",
            "week",
            "yearweek",
            "tostartofisoyear",
            "torelative*",
            "date_bin",
            "time_bucket",
            "tostartofinterval",
            "timeslot*",
        ],
        "its result depends on a mode or an interval",
        "use `toISOWeek(x)`, `dateTrunc('week', x)` or `dateDiff('day', a, b)`",
    ),
    (
        &[
            "dateadd",
            "date_add",
            "datesub",
            "date_sub",
            "timestamp_add",
            "timestamp_sub",
            "addinterval",
            "subtractinterval",
            "addmilliseconds",
            "addmicroseconds",
            "addnanoseconds",
        ],
        "there are no intervals",
        "use `addDays(x, 1)`, `subtractMonths(x, 1)`, `addSeconds(x, 1)` and the like",
    ),
    (
        &["tuple*", "untuple", "namedtuple", "tupleelement", "dotproduct", "l2*", "cosinedistance"],
        "there are no tuples",
        "declare the parts as paths of the source, or use `elements`",
    ),
    (
        &[
            "encrypt",
            "decrypt",
            "aes_*",
            "trydecrypt",
            "ai*",
            "jsonextract*",
            "json_value",
            "json_query",
            "json_exists",
            "simplejson*",
            "tojsonstring",
            "visitparam*",
            "jsonhas",
            "jsonlength",
            "jsonkey",
        ],
        "it is not offered in expressions",
        "declare a value inside JSON as a path of the source's column",
    ),
    (
        &[
            "levenshtein*",
            "damerau*",
            "editdistance*",
            "ngram*",
            "jaro*",
            "soundex",
            "stem",
            "lemmatize",
            "synonyms",
            "detect*",
            "geohash*",
            "geo*",
            "h3*",
            "s2*",
            "point*",
            "polygon*",
        ],
        "it takes a time without bounds, throws for some values, or needs files of the server",
        "compute it where the data comes from",
    ),
];

#[cfg(test)]
mod tests {
    use super::REFUSED;
    use crate::compile::functions;

    /// The words in backticks of a proposal that stand for functions: what a call begins with, or a word alone.
    fn proposed(help: &str) -> Vec<&str> {
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|character| character.is_ascii_alphanumeric());
        let mut names = Vec::new();
        for code in help.split('`').skip(1).step_by(2) {
            match code.contains('(') {
                true => names.extend(
                    code.match_indices('(')
                        .map(|(at, _)| {
                            code[..at].rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
                        })
                        .filter(|name| is_name(name)),
                ),
                false => names.push(code),
            }
        }
        names.retain(|name| *name != "elements");
        names
    }

    #[test]
    fn what_a_refusal_proposes_is_accepted() {
        for (names, _, instead) in REFUSED {
            for name in proposed(instead) {
                assert!(functions::find(name, 0..0).is_ok(), "`{name}` is proposed for `{}`: {instead}", names[0]);
            }
        }
        assert_eq!(proposed("use `greatest` or `ifNull(toInt64(x), 0)`"), ["greatest", "ifNull", "toInt64"]);
    }

    #[test]
    fn no_refusal_proposes_what_comes_with_a_later_version() {
        for (names, _, instead) in REFUSED {
            let now = instead.split("; ").filter(|part| !part.contains("a later version")).collect::<String>();
            for later in ["aggregat", "measure", "relative", "cursor", "materializ"] {
                assert!(!now.contains(later), "`{}`: {instead}", names[0]);
            }
        }
    }
}
