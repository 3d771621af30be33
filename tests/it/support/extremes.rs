//! Expressions over extreme values on a real ClickHouse: each has the type that was inferred, and throws for no value.
#![allow(dead_code, reason = "each test uses the part that it needs")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use analytics_catalog::compile::parse::{ExpressionProblem, ProblemCode, parse};
use analytics_catalog::compile::predicate::check_filter;
use analytics_catalog::compile::typing::{Context, References, ResolvedReference, check};
use analytics_catalog::sql::{ColumnType, literal};

use super::clickhouse::ClickHouse;

/// The zone that expressions are compiled with.
pub const CONTEXT: Context<'static> = Context { time_zone: "Europe/Berlin" };
/// The settings that views pin, and room for long statements.
const SETTINGS: &str = "use_variant_as_common_type = 0, print_pretty_type_names = 0, cast_keep_nullable = 0, transform_null_in = 0, max_query_size = 100000000, max_ast_elements = 10000000, max_expanded_ast_elements = 10000000";

/// The most columns of a type: further references take these again.
const MOST_PLACES: usize = 5;

/// References `p.c0`, `p.c1`, … of these types.
pub struct ByPosition<'a>(pub &'a [ColumnType]);

impl References for ByPosition<'_> {
    fn resolve(&mut self, path: &[String], span: Range<usize>) -> Result<ResolvedReference, ExpressionProblem> {
        let id = path.last().and_then(|name| name.strip_prefix('c')?.parse::<usize>().ok());
        let found = id.and_then(|id| Some(ResolvedReference { id, column_type: self.0.get(id)?.clone() }));
        found.ok_or_else(|| ExpressionProblem::new(ProblemCode::UnknownReference, span, "unknown"))
    }
}

/// One rendered expression.
pub struct Probe {
    /// What it is made of.
    pub text: String,
    /// Its SQL.
    pub sql: String,
    /// The type that it must have.
    pub column_type: String,
    /// Whether it is a filter.
    pub filter: bool,
}

/// The value, and the condition if it is one.
pub fn rendered(text: &str, types: &[ColumnType], columns: &Columns) -> Vec<Probe> {
    let tree = parse(text).expect("probes are of the grammar");
    let reference = |id: usize| columns.name(id, &types[id]);
    let value = check(&tree, &mut ByPosition(types), &CONTEXT).expect("probes are accepted");
    let shown = |what: &str| {
        let types = types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        format!("{what}{text} over ({types})")
    };
    let column_type = value.column_type.to_string();
    let value = Probe { text: shown(""), sql: value.render(&reference), column_type, filter: false };
    let filter = check_filter(&tree, &mut ByPosition(types), &CONTEXT).ok().map(|filter| Probe {
        text: shown("filter: "),
        // Some are Nullable to ClickHouse, and yet never null.
        sql: format!("(toUInt8(assumeNotNull({0})) + throwIf(isNull({0}), 'null'))", filter.render(&reference)),
        column_type: "UInt16".to_owned(),
        filter: true,
    });
    std::iter::once(value).chain(filter).collect()
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Types that are others than inferred.
    pub types: Vec<String>,
    /// Expressions that are refused or throw.
    pub thrown: Vec<String>,
}

impl Found {
    fn count(&self) -> usize {
        self.types.len() + self.thrown.len()
    }
}

/// Asks the server about a batch of expressions over a table.
pub async fn check_batch(clickhouse: &ClickHouse, table: &str, batch: &[Probe], found: &mut Found) {
    let outputs = batch.iter().enumerate().map(|(index, probe)| format!("{} AS o{index}", probe.sql));
    let list = outputs.collect::<Vec<_>>().join(", ");
    let select = format!("SELECT {list} FROM {table} AS t SETTINGS {SETTINGS}, max_threads = 1, max_block_size = 64");
    let describe = format!(
        "DESCRIBE TABLE ({select}) SETTINGS print_pretty_type_names = 0, max_query_size = 100000000 FORMAT TSVRaw"
    );
    match clickhouse.try_sql(&describe).await {
        Ok(described) => {
            for (probe, line) in batch.iter().zip(described.lines()) {
                let actual = line.split('\t').nth(1).unwrap_or_default();
                if actual != probe.column_type {
                    let text = format!("{}: is {actual}, inferred {}\n  {}", probe.text, probe.column_type, probe.sql);
                    found.types.push(text);
                }
            }
        }
        Err(problem) => return halves(clickhouse, table, batch, &problem, found).await,
    }
    if let Err(problem) = clickhouse.try_sql(&format!("{select} FORMAT Null")).await {
        halves(clickhouse, table, batch, &problem, found).await;
    }
}

/// Finds those of a batch that are refused or throw.
async fn halves(clickhouse: &ClickHouse, table: &str, batch: &[Probe], problem: &str, found: &mut Found) {
    if let [probe] = batch {
        let problem: String = problem.chars().take(300).collect();
        return found.thrown.push(format!("{}: {problem}\n  {}", probe.text, probe.sql));
    }
    if found.count() > 60 {
        return;
    }
    let (left, right) = batch.split_at(batch.len() / 2);
    Box::pin(check_batch(clickhouse, table, left, found)).await;
    Box::pin(check_batch(clickhouse, table, right, found)).await;
}

/// The columns of a table of extreme values: one for each type and place; rows with all pairs of the first two places.
pub struct Columns {
    types: BTreeMap<String, usize>,
    places: usize,
}

impl Columns {
    /// Of lists of types, each at its place.
    pub fn of<'a>(lists: impl Iterator<Item = &'a [ColumnType]>) -> Self {
        let (mut types, mut places) = (BTreeSet::new(), 0);
        for list in lists {
            places = places.max(list.len()).min(MOST_PLACES);
            types.extend(list.iter().map(ToString::to_string));
        }
        Self { types: types.into_iter().enumerate().map(|(index, text)| (text, index)).collect(), places }
    }

    /// The column of a type at a place.
    pub fn name(&self, place: usize, column_type: &ColumnType) -> String {
        format!("t.p{}_{}", place % self.places, self.types[&column_type.to_string()])
    }

    /// The statement that makes the table, of so many rows; the first one's texts are 1 MB long, if wanted.
    pub fn table(&self, name: &str, rows: usize, huge: bool) -> String {
        let mut columns = Vec::new();
        for (text, index) in &self.types {
            let column_type = ColumnType::parse(text).expect("a type");
            let values = values(&column_type);
            let literal = literal::string(text);
            let list = values.iter().map(|value| format!("CAST({value}, {literal})")).collect::<Vec<_>>().join(", ");
            for place in 0..self.places {
                let row = ["intDiv(number, 16)", "number", "number + intDiv(number, 16)", "number * 3", "number * 5"];
                let row = row[place.min(4)];
                let value = format!("[{list}][1 + ({row}) % {}]", values.len());
                let long = huge && *column_type.inner() == ColumnType::String && !text.starts_with("Low");
                columns.push(match long {
                    true => format!(
                        "if(number = {}, CAST(repeat('xy, ', 250000), {literal}), {value}) AS p{place}_{index}",
                        rows - 1
                    ),
                    false => format!("{value} AS p{place}_{index}"),
                });
            }
        }
        format!(
            "CREATE OR REPLACE TABLE {name} ENGINE = Memory AS SELECT {} FROM numbers({rows}) SETTINGS allow_suspicious_low_cardinality_types = 1, max_query_size = 100000000, session_timezone = 'UTC'",
            columns.join(", ")
        )
    }
}

/// SQL of extreme values of a type; at most 16.
fn values(column_type: &ColumnType) -> Vec<String> {
    let own: Vec<String> = match column_type.inner() {
        ColumnType::String => TEXTS.iter().map(|text| (*text).to_owned()).collect(),
        ColumnType::FixedString(length) => {
            let texts = ["'abcd'", "'-1'", "unhex('FFFEFDFC')", "'%_\\\\'", "'12'"];
            let cut = texts.iter().map(|text| format!("substring({text}, 1, {length})"));
            std::iter::once("''".to_owned()).chain(cut).collect()
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
        ColumnType::Float(_) => [
            "0",
            "-0.",
            "1.5",
            "-2.5",
            "nan",
            "inf",
            "-inf",
            "3e38",
            "-3e38",
            "1e308",
            "1e-40",
            "9007199254740993",
            "1e19",
        ]
        .map(str::to_owned)
        .to_vec(),
        ColumnType::Decimal(precision, scale) => {
            let digits = "9".repeat(usize::from(precision - scale));
            let fraction = "9".repeat(usize::from(*scale));
            let point = if *scale > 0 { "." } else { "" };
            let least = if *scale > 0 { format!("0.{}1", "0".repeat(usize::from(scale - 1))) } else { "1".to_owned() };
            let digits = if digits.is_empty() { "0".to_owned() } else { digits };
            let one = if precision == scale { "0.5" } else { "1" };
            [
                "0".to_owned(),
                one.to_owned(),
                format!("-{one}"),
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
            "'1969-12-31 23:59:59.999999'",
            "'1949-12-31 23:59:59.500001'",
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
            let typed = literal::string(&element.to_string());
            let list =
                elements.iter().take(12).map(|value| format!("CAST({value}, {typed})")).collect::<Vec<_>>().join(", ");
            vec!["[]".to_owned(), format!("[{list}]"), format!("arrayReverse([{list}])")]
        }
        ColumnType::Map(key, value) => {
            let (keys, all) = (values(key), values(value));
            let cast = |value: &String, of: &ColumnType| format!("CAST({value}, {})", literal::string(&of.to_string()));
            let pairs = keys.iter().zip(all.iter().cycle());
            let list = pairs.map(|(one, other)| format!("{}, {}", cast(one, key), cast(other, value)));
            vec!["map()".to_owned(), format!("map({})", list.collect::<Vec<_>>().join(", "))]
        }
        ColumnType::Enum(_) => ["'a'", "'ä€'", "''"].map(str::to_owned).to_vec(),
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
