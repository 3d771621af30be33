//! Expressions that use every form of the table and every operator over each type of argument it takes: what a test asks
//! a real server about (types as inferred, nothing throws).

use super::{Form, Function, Kind, Rendering, date, table};
use crate::compile::parse::parse;
use crate::compile::typing::{Context, ExpressionProblem, References, ResolvedReference, check};
use crate::sql::ColumnType;

/// The zone that probes are compiled with.
const ZONE: &str = "Europe/Berlin";

const TEXTS: &[&str] =
    &["String", "Nullable(String)", "LowCardinality(String)", "LowCardinality(Nullable(String))", "FixedString(4)"];
const INTEGERS: &[&str] = &[
    "Int64",
    "Int8",
    "Int16",
    "Int32",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "Nullable(Int64)",
    "LowCardinality(UInt32)",
    "Int128",
    "UInt128",
    "Int256",
];
const FLOATS: &[&str] = &["Float64", "Float32", "Nullable(Float64)"];
const DECIMALS: &[&str] = &[
    "Decimal(18, 2)",
    "Decimal(9, 4)",
    "Decimal(38, 10)",
    "Decimal(76, 20)",
    "Nullable(Decimal(18, 2))",
    "Decimal(38, 0)",
];
const DAYS: &[&str] = &["Date32", "Date", "Nullable(Date)", "Nullable(Date32)"];
const INSTANTS: &[&str] = &[
    "DateTime64(3, 'UTC')",
    "DateTime",
    "DateTime('Asia/Tokyo')",
    "DateTime64(0)",
    "DateTime64(6, 'America/New_York')",
    "DateTime64(9, 'UTC')",
    "Nullable(DateTime64(3, 'UTC'))",
    "Nullable(DateTime)",
    "DateTime64(2, 'UTC')",
];
const CONDITIONS: &[&str] = &["Bool", "Nullable(Bool)"];
const ARRAYS: &[&str] = &[
    "Array(String)",
    "Array(Nullable(String))",
    "Array(Int64)",
    "Array(LowCardinality(String))",
    "Array(Nullable(UInt8))",
    "Array(Float64)",
    "Array(Decimal(18, 2))",
    "Array(Date)",
    "Array(DateTime64(3))",
    "Array(UUID)",
    "Array(Array(Int32))",
];
const MAPS: &[&str] = &[
    "Map(String, Int64)",
    "Map(LowCardinality(String), Nullable(String))",
    "Map(UInt64, Array(String))",
    "Map(String, Decimal(18, 2))",
];
const OTHERS: &[&str] = &["UUID", "Nullable(UUID)", "IPv4", "IPv6"];

/// Expressions over references `p.c0`, `p.c1`, … with the types of these, all of them accepted by the compiler.
pub fn probes() -> Vec<(String, Vec<ColumnType>)> {
    let mut candidates = Vec::new();
    for function in table() {
        of_function(function, &mut candidates);
    }
    of_operators(&mut candidates);
    let mut probes: Vec<(String, Vec<ColumnType>)> = candidates
        .into_iter()
        .map(|(text, types)| {
            (text, types.into_iter().filter_map(|text| ColumnType::parse(text).ok()).collect::<Vec<_>>())
        })
        .filter(|(text, types)| accepted(text, types))
        .collect();
    probes.sort_by(|left, right| {
        left.0.cmp(&right.0).then_with(|| format!("{:?}", left.1).cmp(&format!("{:?}", right.1)))
    });
    probes.dedup();
    probes
}

type Candidate = (String, Vec<&'static str>);

struct ByPosition<'a>(&'a [ColumnType]);

impl References for ByPosition<'_> {
    fn resolve(
        &mut self,
        path: &[String],
        span: std::ops::Range<usize>,
    ) -> Result<ResolvedReference, ExpressionProblem> {
        let id = path.last().and_then(|name| name.strip_prefix('c')).and_then(|digits| digits.parse::<usize>().ok());
        let found = id.and_then(|id| {
            self.0.get(id).map(|column_type| ResolvedReference { id, column_type: column_type.clone() })
        });
        found.ok_or_else(|| {
            ExpressionProblem::new(crate::compile::problem::ProblemCode::UnknownReference, span, "unknown")
        })
    }
}

fn accepted(text: &str, types: &[ColumnType]) -> bool {
    let context = Context { time_zone: ZONE };
    parse(text).is_ok_and(|expression| check(&expression, &mut ByPosition(types), &context).is_ok())
}

/// Texts of constants that a kind takes; references are by [`sample_types`].
pub fn sample_constants(kind: Kind) -> Vec<String> {
    let quoted = |text: &str| crate::sql::literal::string(text);
    match kind {
        Kind::TextConstant => [",", "a", ""].map(quoted).to_vec(),
        Kind::Separator => [",", "ä"].map(quoted).to_vec(),
        Kind::Character => vec![quoted(",")],
        Kind::Pattern => ["%a_", "\\\\%\\\\", ""].map(quoted).to_vec(),
        Kind::Regex | Kind::EveryRegex => {
            ["a", "(\\\\d+)-(.*)", "^", "[^a-z]?"].map(|text| format!("'{text}'")).to_vec()
        }
        Kind::Token => vec![quoted("a"), quoted("a1")],
        Kind::ReadFormat => ["%Y-%m-%d", "%F %T", "%d.%m.%Y %H:%i:%s.%f", ""].map(quoted).to_vec(),
        Kind::Format => date::FORMAT_PARTS.split(' ').chain(["%Y-%m-%d %H:%i:%S"]).map(quoted).collect(),
        Kind::DayUnit => date::DAY_UNITS.map(quoted).to_vec(),
        Kind::Unit => date::UNITS.into_iter().chain(date::DAY_UNITS).map(quoted).collect(),
        Kind::Zone => vec![quoted("Asia/Kolkata")],
        Kind::IntegerConstant(low, high) => vec![low.to_string(), high.to_string(), ((low + high) / 2).to_string()],
        _ => Vec::new(),
    }
}

/// Types whose values a kind takes.
pub fn sample_types(kind: Kind) -> Vec<&'static str> {
    let of = |lists: &[&[&'static str]]| lists.concat();
    match kind {
        Kind::Text => of(&[TEXTS]),
        Kind::Integer | Kind::Amount16 | Kind::Amount32 | Kind::Position => of(&[INTEGERS]),
        Kind::Float | Kind::IntegerOrFloat => of(&[FLOATS, INTEGERS]),
        Kind::Number => of(&[DECIMALS, INTEGERS, FLOATS]),
        Kind::Exact => of(&[DECIMALS, INTEGERS]),
        Kind::Decimal => of(&[DECIMALS]),
        Kind::Uuid => vec!["UUID", "Nullable(UUID)"],
        Kind::Address => vec!["IPv4", "IPv6"],
        Kind::Day => of(&[DAYS]),
        Kind::Instant => of(&[INSTANTS]),
        Kind::Moment => of(&[INSTANTS, DAYS]),
        Kind::Condition => of(&[CONDITIONS]),
        Kind::Scalar => of(&[&["String"], DECIMALS, INTEGERS, FLOATS, DAYS, INSTANTS, CONDITIONS, OTHERS, TEXTS]),
        Kind::Array => of(&[ARRAYS]),
        Kind::Map => of(&[MAPS]),
        _ => Vec::new(),
    }
}

/// Each argument in turn takes every value of its kind while the others keep their first; of two references all pairs.
fn of_function(function: &Function, candidates: &mut Vec<Candidate>) {
    for form in function.forms {
        of_form(function, form, candidates);
    }
}

fn of_form(function: &Function, form: &Form, candidates: &mut Vec<Candidate>) {
    let mut kinds = form.parameters.to_vec();
    if form.repeats {
        kinds.extend(kinds.last().copied());
    }
    if function.name == "multiIf" {
        kinds = vec![Kind::Condition, Kind::Scalar, Kind::Condition, Kind::Scalar, Kind::Scalar];
    }
    if matches!(form.rendering, Rendering::Rule(_)) && kinds.contains(&Kind::Zone)
        || form.parameters.last() == Some(&Kind::Zone)
    {
        choices(function, &kinds[..kinds.len() - 1], candidates);
    }
    choices(function, &kinds, candidates);
}

/// One argument: SQL text and, for a reference, its type.
#[derive(Clone)]
enum Choice {
    Constant(String),
    Reference(&'static str),
}

fn choices(function: &Function, kinds: &[Kind], candidates: &mut Vec<Candidate>) {
    let options: Vec<Vec<Choice>> = kinds
        .iter()
        .map(|kind| {
            let constants = sample_constants(*kind).into_iter().map(Choice::Constant);
            constants.chain(sample_types(*kind).into_iter().map(Choice::Reference)).collect()
        })
        .collect();
    if options.iter().any(Vec::is_empty) {
        return;
    }
    let first: Vec<Choice> = options.iter().map(|choices| choices[0].clone()).collect();
    for one in 0..kinds.len() {
        for other in one..kinds.len() {
            for choice in &options[one] {
                // Of long lists of a second argument a few.
                let few = if other > one { 1 + options[other].len() / 12 } else { 1 };
                for second in options[other].iter().step_by(few) {
                    let mut arguments = first.clone();
                    arguments[other] = second.clone();
                    arguments[one] = choice.clone();
                    // The branches after a pair follow it, so that they have a type in common.
                    if function.name == "multiIf" && other == 3 {
                        arguments[4] = second.clone();
                    }
                    if one == other || kinds.len() > 1 {
                        candidates.push(call(function.name, &arguments));
                    }
                }
            }
        }
    }
}

fn call(name: &str, arguments: &[Choice]) -> Candidate {
    let mut types = Vec::new();
    let written: Vec<String> = arguments
        .iter()
        .map(|argument| match argument {
            Choice::Constant(text) => text.clone(),
            Choice::Reference(column_type) => {
                types.push(*column_type);
                format!("p.c{}", types.len() - 1)
            }
        })
        .collect();
    (format!("{name}({})", written.join(", ")), types)
}

fn of_operators(candidates: &mut Vec<Candidate>) {
    let numbers = [DECIMALS, INTEGERS, FLOATS].concat();
    let all = [TEXTS, &numbers, DAYS, INSTANTS, CONDITIONS, OTHERS].concat();
    for left in &numbers {
        candidates.push(("-p.c0".into(), vec![left]));
        for right in &numbers {
            for sign in ["+", "-", "*", "/", "%"] {
                candidates.push((format!("p.c0 {sign} p.c1"), vec![left, right]));
            }
        }
        for literal in ["1", "-1", "0", "1000", "1.5", "0.001", "1e3", "18446744073709551615"] {
            for sign in ["+", "-", "*", "/", "%", "=", "<", "!="] {
                candidates.push((format!("p.c0 {sign} {literal}"), vec![left]));
                candidates.push((format!("{literal} {sign} p.c0"), vec![left]));
            }
            candidates.push((format!("p.c0 in ({literal}, 7)"), vec![left]));
            candidates.push((format!("coalesce(p.c0, {literal})"), vec![left]));
            candidates.push((format!("if(p.c0 > {literal}, p.c0, {literal})"), vec![left]));
            candidates.push((format!("greatest(p.c0, {literal})"), vec![left]));
        }
        candidates.push(("p.c0 + p.c0 + p.c0 * 2".into(), vec![left]));
        candidates.push(("p.c0 * p.c0 * p.c0".into(), vec![left]));
        candidates.push(("p.c0 / 3 / 7".into(), vec![left]));
    }
    for left in &all {
        for right in &all {
            for operation in [
                "p.c0 = p.c1",
                "p.c0 != p.c1",
                "p.c0 < p.c1",
                "p.c0 >= p.c1",
                "p.c0 in (p.c1)",
                "p.c0 not in (p.c1, p.c1)",
                "p.c0 between p.c1 and p.c1",
            ] {
                candidates.push((operation.into(), vec![left, right]));
            }
        }
        for operation in
            ["p.c0 is null", "p.c0 is not null", "p.c0 = null", "if(p.c0 is null, p.c0, null)", "coalesce(null, p.c0)"]
        {
            candidates.push((operation.into(), vec![left]));
        }
        for literal in [
            "'a'",
            "'2024-02-29'",
            "'2024-02-29 12:30:00'",
            "'2024-02-29T12:30:00Z'",
            "'00000000-0000-0000-0000-000000000001'",
            "'192.0.2.1'",
            "'2001:db8::1'",
            "true",
        ] {
            for operation in [
                "p.c0 = L",
                "p.c0 < L",
                "p.c0 in (L, L)",
                "p.c0 not in (L)",
                "p.c0 not between L and L",
                "coalesce(p.c0, L)",
                "if(p.c0 = L, L, p.c0)",
                "nullIf(p.c0, L)",
            ] {
                candidates.push((operation.replace('L', literal), vec![left]));
            }
        }
    }
    for left in CONDITIONS {
        for right in CONDITIONS {
            for operation in [
                "p.c0 and p.c1",
                "p.c0 or p.c1",
                "not p.c0",
                "p.c0 and (p.c1 or true) and 1 = 1",
                "p.c0 or 1 = 2",
                "not (p.c0 = p.c1)",
                "p.c0 = (1 = 1)",
                "if(p.c0, 1 = 1, p.c1)",
                "true or p.c0",
                "false and p.c0",
            ] {
                candidates.push((operation.into(), vec![left, right]));
            }
        }
    }
    for target in ["Int64", "UInt8", "Int256", "Float64", "Float32", "String", "UUID"] {
        for left in numbers.iter().chain(TEXTS) {
            candidates.push((format!("accurateCastOrNull(p.c0, '{target}')"), vec![left]));
        }
    }
    for list in ["array('a', 'b')", "array('a', null)"] {
        candidates.push((format!("transform(p.c0, {list}, array(1, 2), 0)"), vec!["String"]));
        candidates.push((format!("transform(p.c0, {list}, array('x', 'y'))"), vec!["Nullable(String)"]));
        candidates.push((format!("has({list}, p.c0)"), vec!["String"]));
    }
    for literal in [
        "12",
        "-12",
        "1.5",
        "1e3",
        "'a'",
        "true",
        "1 = 1",
        "1 + 1000",
        "-1 * 300",
        "1.5 * 2",
        "concat('a', 1)",
        "-128 - 1",
        "if(true, 1, 1000)",
        "if(true, 1, 2.5)",
        "if(true, 1000, 2.55)",
    ] {
        candidates.push((literal.into(), Vec::new()));
    }
}
