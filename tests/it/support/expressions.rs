//! Generated expressions: of every function and operator, nested, over columns of every type. The same seed gives the
//! same ones.
#![allow(dead_code, reason = "each test uses the part that it needs")]

use std::collections::{BTreeMap, BTreeSet};

use analytics_catalog::compile::functions::{self, Form, Function, Kind};
use analytics_catalog::compile::parse::parse;
use analytics_catalog::compile::typing::check;
use analytics_catalog::sql::ColumnType;

use super::clickhouse::ClickHouse;
use super::extremes::{ByPosition, CONTEXT, Columns, Found, Probe, check_batch, rendered};
use super::filters::Chance;

/// How deeply calls are nested.
const DEPTH: usize = 4;
/// How many expressions stand in one statement.
const BATCH: usize = 40;
/// The rows of the table of extreme values.
const ROWS: usize = 48;
/// How often a call is tried with other arguments before a column stands in its place.
const TRIES: usize = 12;

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Different expressions that were asked about.
    pub expressions: usize,
    /// How many of them were asked about as filters too.
    pub filters: usize,
    /// The functions in them.
    pub functions: usize,
    /// Types of the columns that they read.
    pub types: usize,
    /// What was wrong.
    pub found: Found,
}

/// Generates so many expressions, and has the server say their types and compute them over extreme values.
pub async fn run(clickhouse: &ClickHouse, database: &str, count: usize, seed: u64) -> Outcome {
    let generated = generate(count, seed);
    let columns = Columns::of(generated.iter().map(|(_, types)| types.as_slice()));
    let table = format!("{database}.extremes");
    clickhouse.sql(format!("CREATE DATABASE IF NOT EXISTS {database}")).await;
    clickhouse.sql(columns.table(&table, ROWS, true)).await;
    let mut outcome = Outcome { expressions: generated.len(), ..Outcome::default() };
    let (mut functions, mut types) = (BTreeSet::new(), BTreeSet::new());
    for batch in generated.chunks(BATCH) {
        let probes: Vec<Probe> = batch.iter().flat_map(|(text, types)| rendered(text, types, &columns)).collect();
        outcome.filters += probes.iter().filter(|probe| probe.filter).count();
        check_batch(clickhouse, &table, &probes, &mut outcome.found).await;
    }
    for (text, of) in &generated {
        let called = functions::table().filter(|function| text.contains(&format!("{}(", function.name)));
        functions.extend(called.map(|function| function.name));
        types.extend(of.iter().map(ToString::to_string));
    }
    (outcome.functions, outcome.types) = (functions.len(), types.len());
    outcome
}

/// So many different expressions over references `p.c0`, … with the types of these.
pub fn generate(count: usize, seed: u64) -> Vec<(String, Vec<ColumnType>)> {
    let mut generator = Generator { chance: Chance::new(seed), makers: makers() };
    let calls: Vec<(&Function, &Form)> =
        functions::table().flat_map(|function| function.forms.iter().map(move |form| (function, form))).collect();
    let (mut found, mut seen, mut number) = (Vec::new(), BTreeSet::new(), 0usize);
    while found.len() < count {
        // Every form in turn, an operator after every fourth.
        let mut types = Vec::new();
        let text = match number % 5 {
            4 => generator.operator(DEPTH, &mut types),
            _ => {
                let (function, form) = calls[(number - number / 5) % calls.len()];
                generator.call(function, form, DEPTH, &mut types)
            }
        };
        number += 1;
        assert!(number < count * 100 + 10_000, "the generator makes too few expressions that are accepted");
        if let Some(text) = text.filter(|text| accepted(text, &types) && seen.insert(format!("{text}{types:?}"))) {
            found.push((text, types));
        }
    }
    found
}

/// A call or an operator that gives values of a kind.
#[derive(Clone, Copy)]
enum Maker {
    Call(&'static Function, &'static Form),
    Operator,
}

struct Generator {
    chance: Chance,
    makers: BTreeMap<&'static str, Vec<Maker>>,
}

fn accepted(text: &str, types: &[ColumnType]) -> bool {
    parse(text).is_ok_and(|tree| check(&tree, &mut ByPosition(types), &CONTEXT).is_ok())
}

/// The kinds of single values, and what their values are made of.
const SINGLE: [(&str, Kind); 9] = [
    ("text", Kind::Text),
    ("integer", Kind::Integer),
    ("float", Kind::Float),
    ("decimal", Kind::Decimal),
    ("day", Kind::Day),
    ("instant", Kind::Instant),
    ("condition", Kind::Condition),
    ("uuid", Kind::Uuid),
    ("address", Kind::Address),
];

fn family(column_type: &ColumnType) -> &'static str {
    match column_type.inner() {
        ColumnType::String | ColumnType::FixedString(_) | ColumnType::Enum(_) => "text",
        ColumnType::Int(_) | ColumnType::UInt(_) => "integer",
        ColumnType::Float(_) => "float",
        ColumnType::Decimal(..) => "decimal",
        ColumnType::Date | ColumnType::Date32 => "day",
        ColumnType::DateTime(_) | ColumnType::DateTime64(..) => "instant",
        ColumnType::Bool => "condition",
        ColumnType::Uuid => "uuid",
        ColumnType::Ipv4 | ColumnType::Ipv6 => "address",
        ColumnType::Array(_) => "array",
        ColumnType::Map(..) => "map",
        _ => "other",
    }
}

/// The names of what a kind takes.
fn families(kind: Kind) -> Vec<&'static str> {
    match kind {
        Kind::Text => vec!["text"],
        Kind::Integer | Kind::Amount16 | Kind::Amount32 | Kind::Position => vec!["integer"],
        Kind::Float | Kind::IntegerOrFloat => vec!["float", "integer"],
        Kind::Number => vec!["integer", "float", "decimal"],
        Kind::Exact => vec!["integer", "decimal"],
        Kind::Decimal => vec!["decimal"],
        Kind::Day => vec!["day"],
        Kind::Instant => vec!["instant"],
        Kind::Moment => vec!["day", "instant"],
        Kind::Condition => vec!["condition"],
        Kind::Uuid => vec!["uuid"],
        Kind::Address => vec!["address"],
        Kind::Scalar => SINGLE.iter().map(|(name, _)| *name).collect(),
        Kind::Array => vec!["array"],
        Kind::Map => vec!["map"],
        _ => Vec::new(),
    }
}

/// Columns of a family, beyond those that the table's own probes use.
fn columns(family: &str) -> Vec<&'static str> {
    let more: &[&str] = match family {
        "text" => &[
            "Enum8('a' = 1, 'ä€' = 2, '' = 3)",
            "Nullable(Enum16('a' = 1, 'ä€' = 2, '' = 3))",
            "Nullable(FixedString(16))",
            "FixedString(1)",
        ],
        "integer" => {
            &["Nullable(UInt64)", "Nullable(Int8)", "UInt256", "Nullable(Int256)", "LowCardinality(Nullable(Int64))"]
        }
        "float" => &["Nullable(Float32)", "LowCardinality(Float64)"],
        "decimal" => &[
            "Decimal(76, 0)",
            "Decimal(76, 76)",
            "Decimal(9, 9)",
            "Decimal(1, 0)",
            "Nullable(Decimal(38, 38))",
            "Nullable(Decimal(76, 38))",
        ],
        "day" => &["LowCardinality(Date)"],
        "instant" => &[
            "DateTime64(1, 'Asia/Kolkata')",
            "DateTime64(5)",
            "DateTime64(7, 'UTC')",
            "Nullable(DateTime64(9, 'Australia/Lord_Howe'))",
            "DateTime('America/St_Johns')",
        ],
        "address" => &["Nullable(IPv4)", "Nullable(IPv6)"],
        "array" => &[
            "Array(Nullable(DateTime))",
            "Array(Bool)",
            "Array(UInt256)",
            "Array(FixedString(3))",
            "Array(Nullable(Decimal(38, 4)))",
            "Array(Map(String, Int8))",
        ],
        "map" => &["Map(Date, Float64)", "Map(UUID, Bool)", "Map(LowCardinality(String), LowCardinality(String))"],
        _ => &[],
    };
    let kind = SINGLE.iter().find(|(name, _)| *name == family).map(|(_, kind)| *kind);
    let kind = kind.unwrap_or(if family == "map" { Kind::Map } else { Kind::Array });
    let mut all = functions::sample_types(kind);
    if family == "float" {
        all.retain(|text| text.contains("Float"));
    }
    all.extend(more);
    all
}

/// Written values of a family.
fn literals(family: &str) -> &'static [&'static str] {
    match family {
        "text" => &["'a'", "''", "'ä€, b'", "'2024-02-29'", "'12'"],
        "integer" => &["0", "1", "-1", "7", "300", "-129", "9223372036854775807", "18446744073709551615"],
        "float" => &["1e3", "0.5e-3", "1e300"],
        "decimal" => &["1.5", "-0.001", "99.99", "12345678901234567890.123456789"],
        "day" => &["toDate('2024-02-29')", "toDate('1900-01-01')"],
        "instant" => &["toDateTime('2024-02-29 12:30:00')", "toDateTime64('1960-01-01T00:00:00.125Z', 3)"],
        "condition" => &["true", "false", "1 = 1"],
        "uuid" => &["toUUID('00000000-0000-0000-0000-000000000001')"],
        "address" => &["toIPv4('192.0.2.1')", "toIPv6('2001:db8::1')"],
        "array" => &["array('a', 'b')", "array(1, 2)", "array(1.5, null)", "splitByString(',', 'a,b')"],
        "map" => &["map('a', 1)", "map(1, 'a', 2, null)"],
        _ => &[],
    }
}

/// By which calls values of a family are made: found by trying.
fn makers() -> BTreeMap<&'static str, Vec<Maker>> {
    let mut makers: BTreeMap<&'static str, Vec<Maker>> = BTreeMap::new();
    let mut tries = Generator { chance: Chance::new(1), makers: BTreeMap::new() };
    for function in functions::table() {
        for form in function.forms {
            let mut made = BTreeSet::new();
            for _ in 0..30 {
                let mut types = Vec::new();
                let Some(text) = tries.call(function, form, 1, &mut types) else { continue };
                let Ok(tree) = parse(&text) else { continue };
                let Ok(typed) = check(&tree, &mut ByPosition(&types), &CONTEXT) else { continue };
                let condition = accepted(&format!("if({text}, 1, 2)"), &types);
                made.insert(if condition { "condition" } else { family(&typed.column_type) });
            }
            for family in made {
                makers.entry(family).or_default().push(Maker::Call(function, form));
            }
        }
    }
    for family in ["integer", "float", "decimal", "condition"] {
        makers.entry(family).or_default().extend([Maker::Operator; 12]);
    }
    makers
}

impl Generator {
    /// A call whose arguments are nested at most so deeply; none if none is accepted.
    fn call(
        &mut self,
        function: &'static Function,
        form: &'static Form,
        depth: usize,
        types: &mut Vec<ColumnType>,
    ) -> Option<String> {
        for _ in 0..TRIES {
            let mut kinds = form.parameters.to_vec();
            if kinds.last() == Some(&Kind::Zone) && self.chance.once_in(2) {
                kinds.pop();
            }
            if form.repeats {
                let last = kinds.last().copied()?;
                kinds.extend(std::iter::repeat_n(last, self.chance.below(3)));
            }
            // Branches and elements need a type in common: mostly one family for all of them.
            let shared = self.chance.one_of(&SINGLE).0;
            let mut tried = types.clone();
            let arguments: Option<Vec<String>> = kinds
                .iter()
                .enumerate()
                .map(|(place, kind)| {
                    let condition = function.name == "multiIf" && place % 2 == 0 && place + 1 < kinds.len();
                    match kind {
                        Kind::Scalar if condition => self.value("condition", depth - 1, &mut tried),
                        Kind::Scalar if !self.chance.once_in(4) => self.value(shared, depth - 1, &mut tried),
                        kind => self.argument(*kind, depth - 1, &mut tried),
                    }
                })
                .collect();
            let text = format!("{}({})", function.name, arguments?.join(", "));
            if accepted(&text, &tried) {
                *types = tried;
                return Some(text);
            }
        }
        None
    }

    fn argument(&mut self, kind: Kind, depth: usize, types: &mut Vec<ColumnType>) -> Option<String> {
        let families = families(kind);
        if families.is_empty() {
            let constants = functions::sample_constants(kind);
            return Some(self.chance.one_of(&constants).clone());
        }
        let family = *self.chance.one_of(&families);
        self.value(family, depth, types)
    }

    /// A value of a family: a column, a written value, or a call.
    fn value(&mut self, family: &'static str, depth: usize, types: &mut Vec<ColumnType>) -> Option<String> {
        if self.chance.once_in(8) {
            return Some((*self.chance.one_of(literals(family))).to_owned());
        }
        let makers = self.makers.get(family).cloned().unwrap_or_default();
        if depth > 0 && !makers.is_empty() && !self.chance.once_in(4) {
            for _ in 0..3 {
                let mut tried = types.clone();
                let made = match *self.chance.one_of(&makers) {
                    Maker::Call(function, form) => self.call(function, form, depth, &mut tried),
                    Maker::Operator => self.operator_of(family, depth, &mut tried),
                };
                if let Some(text) = made.filter(|text| gives(text, &tried, family)) {
                    *types = tried;
                    return Some(text);
                }
            }
        }
        let columns = columns(family);
        let text = *self.chance.one_of(&columns);
        types.push(ColumnType::parse(text).expect("a type"));
        Some(format!("p.c{}", types.len() - 1))
    }

    fn operator(&mut self, depth: usize, types: &mut Vec<ColumnType>) -> Option<String> {
        let family = *self.chance.one_of(&["integer", "float", "decimal", "condition", "condition"]);
        self.operator_of(family, depth, types)
    }

    fn operator_of(&mut self, family: &'static str, depth: usize, types: &mut Vec<ColumnType>) -> Option<String> {
        for _ in 0..TRIES {
            let mut tried = types.clone();
            let mut value = |generator: &mut Self, family| generator.value(family, depth - 1, &mut tried);
            let text = if family == "condition" {
                let of = self.chance.one_of(&SINGLE).0;
                let (one, other, third) = (value(self, of)?, value(self, of)?, value(self, of)?);
                let (yes, no) = (value(self, "condition")?, value(self, "condition")?);
                match self.chance.below(12) {
                    0 => format!("({one} in ({other}, {third}))"),
                    1 => format!("({one} not in ({other}))"),
                    2 => format!("({one} between {other} and {third})"),
                    3 => format!("({one} not between {other} and {third})"),
                    4 => format!("({one} is null)"),
                    5 => format!("({one} is not null)"),
                    6 => format!("(not {yes})"),
                    7 => format!("({yes} and {no})"),
                    8 => format!("({yes} or {no})"),
                    place => format!(
                        "({one} {} {other})",
                        ["=", "!=", "<", "<=", ">", ">="][(place - 9) * 2 + self.chance.below(2)]
                    ),
                }
            } else {
                let of = if self.chance.once_in(4) { "integer" } else { family };
                let (one, other) = (value(self, family)?, value(self, of)?);
                match self.chance.below(6) {
                    5 => format!("(-{one})"),
                    sign => format!("({one} {} {other})", ["+", "-", "*", "/", "%"][sign]),
                }
            };
            // A second minus would be a comment, and unused arguments would be unused columns.
            let text = text.replace("--", "- -");
            if accepted(&text, &tried) {
                *types = tried;
                return Some(text);
            }
        }
        None
    }
}

fn gives(text: &str, types: &[ColumnType], wanted: &str) -> bool {
    let typed = parse(text).ok().and_then(|tree| check(&tree, &mut ByPosition(types), &CONTEXT).ok());
    // Conditions have the type `UInt8`: the call that needs one says whether it is one.
    let condition = accepted(&format!("if({text}, 1, 2)"), types);
    typed.is_some_and(|typed| if condition { wanted == "condition" } else { family(&typed.column_type) == wanted })
}
