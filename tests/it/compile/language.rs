//! The expression language on a real ClickHouse: every function and operator over every type of argument that it takes
//! has the type that was inferred, and throws for no value.
//!
//! `EXPRESSION_PROBES=all` takes all probes; else every n-th, so that the test takes seconds.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use analytics_catalog::compile::functions;
use analytics_catalog::compile::parse::{ExpressionProblem, ProblemCode, parse};
use analytics_catalog::compile::predicate::check_filter;
use analytics_catalog::compile::typing::{Context, References, ResolvedReference, check};
use analytics_catalog::sql::ColumnType;

use crate::support::clickhouse::{ClickHouse, clickhouse};

/// How many probes are taken where the environment does not ask for all.
const PROBES: usize = 2_500;
/// How many expressions stand in one statement.
const BATCH: usize = 150;
/// The zone that probes are compiled with.
const CONTEXT: Context<'static> = Context { time_zone: "Europe/Berlin" };

struct ByPosition<'a>(&'a [ColumnType]);

impl References for ByPosition<'_> {
    fn resolve(&mut self, path: &[String], span: Range<usize>) -> Result<ResolvedReference, ExpressionProblem> {
        let id = path.last().and_then(|name| name.strip_prefix('c')?.parse::<usize>().ok());
        let found = id.and_then(|id| Some(ResolvedReference { id, column_type: self.0.get(id)?.clone() }));
        found.ok_or_else(|| ExpressionProblem::new(ProblemCode::UnknownReference, span, "unknown"))
    }
}

/// One rendered expression.
struct Probe {
    text: String,
    sql: String,
    column_type: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_expression_has_its_inferred_type_and_throws_for_no_value() {
    let started = std::time::Instant::now();
    let clickhouse = clickhouse().await;
    let all = functions::probes();
    let every = match std::env::var("EXPRESSION_PROBES").as_deref() {
        Ok("all") => 1,
        _ => all.len().div_ceil(PROBES),
    };
    let taken: Vec<_> = all.iter().step_by(every).collect();
    let columns = Columns::of(taken.iter().map(|(_, types)| types.as_slice()));
    clickhouse.sql("CREATE DATABASE IF NOT EXISTS s_language").await;
    clickhouse.sql(columns.table()).await;
    let probes: Vec<Probe> = taken.iter().flat_map(|(text, types)| rendered(text, types, &columns)).collect();
    let mut wrong = Vec::new();
    for batch in probes.chunks(BATCH) {
        check_batch(clickhouse, batch, &mut wrong).await;
    }
    let (count, shown) = (wrong.len(), wrong.iter().take(40).cloned().collect::<Vec<_>>().join("\n"));
    assert!(wrong.is_empty(), "{count} wrong:\n{shown}");
    println!("{} expressions of {} probes in {:?}", probes.len(), all.len(), started.elapsed());
}

/// The value, and the condition if it is one.
fn rendered(text: &str, types: &[ColumnType], columns: &Columns) -> Vec<Probe> {
    let tree = parse(text).expect("probes are of the grammar");
    let reference = |id: usize| columns.name(id, &types[id]);
    let value = check(&tree, &mut ByPosition(types), &CONTEXT).expect("probes are accepted");
    let shown = |what: &str| {
        let types = types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        format!("{what}{text} over ({types})")
    };
    let value = Probe { text: shown(""), sql: value.render(&reference), column_type: value.column_type.to_string() };
    let filter = check_filter(&tree, &mut ByPosition(types), &CONTEXT).ok().map(|filter| Probe {
        text: shown("filter: "),
        sql: format!("assumeNotNull(toUInt8({}))", filter.render(&reference)),
        column_type: "UInt8".to_owned(),
    });
    std::iter::once(value).chain(filter).collect()
}

async fn check_batch(clickhouse: &ClickHouse, batch: &[Probe], wrong: &mut Vec<String>) {
    let list = |probes: &[Probe]| {
        let outputs = probes.iter().enumerate().map(|(index, probe)| format!("{} AS o{index}", probe.sql));
        outputs.collect::<Vec<_>>().join(", ")
    };
    let select = |probes: &[Probe]| {
        format!(
            "SELECT {} FROM s_language.extremes AS t SETTINGS use_variant_as_common_type = 0, print_pretty_type_names = 0, cast_keep_nullable = 0, transform_null_in = 0, max_query_size = 100000000, max_ast_elements = 10000000, max_expanded_ast_elements = 10000000",
            list(probes)
        )
    };
    let describe = format!(
        "DESCRIBE TABLE ({}) SETTINGS print_pretty_type_names = 0, max_query_size = 100000000 FORMAT TSVRaw",
        select(batch)
    );
    match clickhouse.try_sql(&describe).await {
        Ok(described) => {
            for (probe, line) in batch.iter().zip(described.lines()) {
                let actual = line.split('\t').nth(1).unwrap_or_default();
                if actual != probe.column_type {
                    wrong.push(format!("{}: is {actual}, inferred {}\n  {}", probe.text, probe.column_type, probe.sql));
                }
            }
        }
        Err(problem) => return halves(clickhouse, batch, &problem, wrong).await,
    }
    if let Err(problem) = clickhouse.try_sql(&format!("{} FORMAT Null", select(batch))).await {
        halves(clickhouse, batch, &problem, wrong).await;
    }
}

/// Finds those of a batch that are refused or throw.
async fn halves(clickhouse: &ClickHouse, batch: &[Probe], problem: &str, wrong: &mut Vec<String>) {
    if let [probe] = batch {
        let problem: String = problem.chars().take(300).collect();
        return wrong.push(format!("{}: {problem}\n  {}", probe.text, probe.sql));
    }
    if wrong.len() > 60 {
        return;
    }
    let (left, right) = batch.split_at(batch.len() / 2);
    Box::pin(check_batch(clickhouse, left, wrong)).await;
    Box::pin(check_batch(clickhouse, right, wrong)).await;
}

/// The columns of the table of extreme values: one for each type and place, rows with all pairs of the first two.
struct Columns(BTreeMap<String, usize>, usize);

impl Columns {
    fn of<'a>(lists: impl Iterator<Item = &'a [ColumnType]>) -> Self {
        let (mut types, mut places) = (BTreeSet::new(), 0);
        for list in lists {
            places = places.max(list.len());
            types.extend(list.iter().map(ToString::to_string));
        }
        Self(types.into_iter().enumerate().map(|(index, text)| (text, index)).collect(), places)
    }

    fn name(&self, place: usize, column_type: &ColumnType) -> String {
        format!("t.p{place}_{}", self.0[&column_type.to_string()])
    }

    fn table(&self) -> String {
        let mut columns = Vec::new();
        for (text, index) in &self.0 {
            let values = values(&ColumnType::parse(text).expect("a type"));
            let literal = analytics_catalog::sql::literal::string(text);
            let list = values.iter().map(|value| format!("CAST({value}, {literal})")).collect::<Vec<_>>().join(", ");
            for place in 0..self.1 {
                let row = ["intDiv(number, 16)", "number", "number + intDiv(number, 16)", "number * 3", "number * 5"];
                let row = row[place.min(4)];
                columns.push(format!("[{list}][1 + ({row}) % {}] AS p{place}_{index}", values.len()));
            }
        }
        format!(
            "CREATE OR REPLACE TABLE s_language.extremes ENGINE = Memory AS SELECT {} FROM numbers(256) SETTINGS allow_suspicious_low_cardinality_types = 1, max_query_size = 100000000, session_timezone = 'UTC'",
            columns.join(", ")
        )
    }
}

/// SQL of extreme values of a type; at most 16.
fn values(column_type: &ColumnType) -> Vec<String> {
    let own: Vec<String> = match column_type.inner() {
        ColumnType::String => TEXTS.iter().map(|text| (*text).to_owned()).collect(),
        ColumnType::FixedString(_) => {
            ["''", "'abcd'", "'-1'", "unhex('FFFEFDFC')", "'%_\\\\'"].map(str::to_owned).to_vec()
        }
        ColumnType::Bool => ["0", "1"].map(str::to_owned).to_vec(),
        ColumnType::Int(bits) => [
            "0".to_owned(),
            "1".to_owned(),
            "-1".to_owned(),
            "100".to_owned(),
            format!("bitNot(bitShiftLeft(toInt256(1), {}) - 1)", bits - 1),
            format!("bitShiftLeft(toInt256(1), {}) - 1", bits - 1),
        ]
        .to_vec(),
        ColumnType::UInt(256) => ["0", "1", "100", "bitNot(toUInt256(0))"].map(str::to_owned).to_vec(),
        ColumnType::UInt(bits) => {
            ["0".to_owned(), "1".to_owned(), "100".to_owned(), format!("bitShiftLeft(toUInt256(1), {bits}) - 1")]
                .to_vec()
        }
        ColumnType::Float(_) => {
            ["0", "-0.", "1.5", "-2.5", "nan", "inf", "-inf", "3e38", "-3e38", "1e-40", "9007199254740993", "1e19"]
                .map(str::to_owned)
                .to_vec()
        }
        ColumnType::Decimal(precision, scale) => {
            let digits = "9".repeat(usize::from(precision - scale));
            let fraction = "9".repeat(usize::from(*scale));
            let point = if *scale > 0 { "." } else { "" };
            let least = if *scale > 0 { format!("0.{}1", "0".repeat(usize::from(scale - 1))) } else { "1".to_owned() };
            let digits = if digits.is_empty() { "0".to_owned() } else { digits };
            [
                "0".to_owned(),
                "1".to_owned(),
                "-1".to_owned(),
                least,
                format!("{digits}{point}{fraction}"),
                format!("-{digits}{point}{fraction}"),
            ]
            .map(|text| format!("'{text}'"))
            .to_vec()
        }
        ColumnType::Date => {
            ["'1970-01-01'", "'2149-06-06'", "'2024-02-29'", "'2026-01-31'"].map(str::to_owned).to_vec()
        }
        ColumnType::Date32 => {
            ["'1900-01-01'", "'2299-12-31'", "'1970-01-01'", "'2024-02-29'", "'1969-12-31'"].map(str::to_owned).to_vec()
        }
        ColumnType::DateTime(_) => ["0", "4294967295", "1709208000", "1761441300"].map(str::to_owned).to_vec(),
        ColumnType::DateTime64(9, _) => [
            "'1900-01-01 00:00:00'",
            "'2262-04-11 23:47:16'",
            "'1969-12-31 23:59:59.999999999'",
            "'2024-02-29 12:30:00.123456789'",
            "'1970-01-01 00:00:00'",
        ]
        .map(|text| format!("toDateTime64({text}, 9, 'UTC')"))
        .to_vec(),
        ColumnType::DateTime64(scale, _) => [
            "'1900-01-01 00:00:00'",
            "'2299-12-31 23:59:59'",
            "'1969-12-31 23:59:59'",
            "'2024-02-29 12:30:00'",
            "'2025-10-26 01:15:00'",
        ]
        .map(|text| format!("toDateTime64({text}, {scale}, 'UTC')"))
        .to_vec(),
        ColumnType::Uuid => ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"]
            .map(str::to_owned)
            .to_vec(),
        ColumnType::Ipv4 => ["'0.0.0.0'", "'255.255.255.255'"].map(str::to_owned).to_vec(),
        ColumnType::Ipv6 => {
            ["'::'", "'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'", "'::ffff:192.0.2.1'"].map(str::to_owned).to_vec()
        }
        ColumnType::Array(element) => {
            let elements = values(element);
            let typed = analytics_catalog::sql::literal::string(&element.to_string());
            let list = elements.iter().map(|value| format!("CAST({value}, {typed})")).collect::<Vec<_>>().join(", ");
            vec!["[]".to_owned(), format!("[{list}]"), format!("arrayReverse([{list}])")]
        }
        other => panic!("no values of `{other}`"),
    };
    let null = column_type.is_nullable().then(|| "NULL".to_owned());
    own.into_iter().chain(null).collect()
}

const TEXTS: &[&str] = &[
    "''",
    "'a'",
    "'ä€😀, b'",
    "unhex('FFFE00C3')",
    "'2024-02-29'",
    "'2024-02-30 25:61:61'",
    "'2024-02-29T12:30:00.123Z'",
    "'99999999999999999999999999'",
    "'-1'",
    "'1.5e400'",
    "'0.005'",
    "'%_\\\\'",
    "repeat('x', 3000)",
    "'00000000-0000-0000-0000-000000000001'",
    "'true'",
];
