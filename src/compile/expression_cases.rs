//! Golden cases: `tests/cases/expressions/*.txt`. A case is a line `> expression` (or `> filter: expression`); under it
//! stands what comes of it. References are `o.<name>` with the types of the file's first lines (`name: Type`).
//! `UPDATE_EXPECTED=1` writes what comes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use super::functions;
use super::parse::{ExpressionProblem, ProblemCode, parse};
use super::predicate::check_filter;
use super::typing::{Context, References, ResolvedReference, check};
use crate::sql::ColumnType;

struct Columns(BTreeMap<String, ColumnType>);

impl Columns {
    fn name(&self, id: usize) -> String {
        format!("o.{}", self.0.keys().nth(id).expect("an id that was given"))
    }
}

impl References for Columns {
    fn resolve(&mut self, path: &[String], span: Range<usize>) -> Result<ResolvedReference, ExpressionProblem> {
        let name = path.get(1..).map(|rest| rest.join(".")).unwrap_or_default();
        match self.0.iter().enumerate().find(|(_, (known, _))| **known == name) {
            Some((id, (_, column_type))) => Ok(ResolvedReference { id, column_type: column_type.clone() }),
            None => Err(ExpressionProblem::new(
                ProblemCode::UnknownReference,
                span,
                format!("there is no `{}`", path.join(".")),
            )),
        }
    }
}

const CONTEXT: Context = Context { time_zone: "Europe/Berlin" };

fn outcome(columns: &mut Columns, line: &str) -> String {
    let (text, filter) = line.strip_prefix("filter: ").map_or((line, false), |text| (text, true));
    let problems = match parse(text) {
        Err(problem) => vec![problem],
        Ok(expression) if filter => match check_filter(&expression, columns, &CONTEXT) {
            Ok(filter) => return format!("WHERE {}\n", filter.render(&|id| columns.name(id))),
            Err(problems) => problems,
        },
        Ok(expression) => match check(&expression, columns, &CONTEXT) {
            Ok(typed) => return format!("{}\n{}\n", typed.column_type, typed.render(&|id| columns.name(id))),
            Err(problems) => problems,
        },
    };
    let lines = problems.into_iter().map(|problem| {
        let at = format!("{}..{}", problem.span.start, problem.span.end);
        let help = problem.help.map(|help| format!("  help: {help}\n")).unwrap_or_default();
        format!("{} at {at} `{}`: {}\n{help}", problem.code.as_str(), &text[problem.span], problem.message)
    });
    lines.collect()
}

fn check_file(path: &Path) {
    let text = std::fs::read_to_string(path).expect("a readable case file");
    let mut columns = Columns(BTreeMap::new());
    let mut written = String::new();
    for line in text.lines() {
        if let Some(case) = line.strip_prefix("> ") {
            written.push_str(&format!("\n> {case}\n{}", outcome(&mut columns, case)));
        } else if let (true, Some((name, column_type))) = (!written.contains('>'), line.split_once(": ")) {
            columns.0.insert(name.to_owned(), ColumnType::parse(column_type).expect("a type"));
            written.push_str(&format!("{line}\n"));
        }
    }
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        return std::fs::write(path, &written).expect("a writable case file");
    }
    assert_eq!(text, written, "{}: run with UPDATE_EXPECTED=1 and look at the difference", path.display());
}

#[test]
fn every_case_gives_its_type_and_sql_or_its_problems() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/expressions");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder of cases").flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files.iter().for_each(|path| check_file(path));
}

#[test]
fn every_function_has_a_probe() {
    let probes = functions::probes();
    for function in functions::table() {
        let call = format!("{}(", function.name);
        assert!(probes.iter().any(|(text, _)| text.starts_with(&call)), "{}", function.name);
    }
}

#[test]
fn sql_that_would_grow_without_bounds_is_refused() {
    let mut text = "o.id".to_owned();
    for _ in 0..20 {
        text = format!("toString(toDateTime({text}))");
    }
    let mut columns = Columns(BTreeMap::from([("id".to_owned(), ColumnType::String)]));
    let problems = check(&parse(&text).expect("a text of the grammar"), &mut columns, &CONTEXT).expect_err("too large");
    assert_eq!(problems.iter().map(|problem| problem.code.as_str()).collect::<Vec<_>>(), ["TooLarge"]);
}

#[test]
fn each_reference_is_asked_for_once() {
    struct Counting(usize);
    impl References for Counting {
        fn resolve(&mut self, _: &[String], _: Range<usize>) -> Result<ResolvedReference, ExpressionProblem> {
            self.0 += 1;
            Ok(ResolvedReference { id: 7, column_type: ColumnType::Int(8) })
        }
    }
    let mut counting = Counting(0);
    let expression = parse("a.b not between a.c and 5").expect("a text of the grammar");
    let filter = check_filter(&expression, &mut counting, &CONTEXT).expect("a condition");
    assert_eq!((counting.0, filter.references()), (2, vec![7]));
    let typed = check(&parse("(a.b)").expect("a reference"), &mut counting, &CONTEXT).expect("a reference");
    assert_eq!((typed.as_plain_reference(), typed.normal_form().as_str()), (Some(7), "$7"));
}

#[test]
fn no_expression_makes_the_compiler_panic() {
    const LEAVES: [&str; 14] = [
        "o.id",
        "o.n",
        "o.d",
        "o.at",
        "o.tags",
        "null",
        "true",
        "1",
        "-1",
        "1.5",
        "1e300",
        "'a'",
        "'%Y-%m'",
        "'Asia/Tokyo'",
    ];
    let types = [
        ("id", "Nullable(String)"),
        ("n", "Int64"),
        ("d", "Decimal(76, 76)"),
        ("at", "DateTime64(9)"),
        ("tags", "Array(Int8)"),
    ];
    let typed = types.map(|(name, text)| (name.to_owned(), ColumnType::parse(text).expect("a type")));
    let mut columns = Columns(BTreeMap::from(typed));
    let names: Vec<&str> = functions::table().map(|function| function.name).collect();
    let mut state = 1usize;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for _ in 0..4_000 {
        let mut parts: Vec<String> = (0..4).map(|_| LEAVES[below(LEAVES.len())].to_owned()).collect();
        for _ in 0..3 {
            let taken = parts.split_off(parts.len() - 1 - below(parts.len()));
            parts.push(match below(4) {
                0 => format!("({})", taken.join([" + ", " % ", " = ", " and ", " / "][below(5)])),
                _ => format!("{}({})", names[below(names.len())], taken.join(", ")),
            });
            parts.push(LEAVES[below(LEAVES.len())].to_owned());
        }
        let text = parts.swap_remove(0);
        let Ok(tree) = parse(&text) else { continue };
        for problem in check(&tree, &mut columns, &CONTEXT).err().into_iter().flatten() {
            assert!(text.get(problem.span.clone()).is_some(), "{text}: {problem:?}");
        }
        let _ = check_filter(&tree, &mut columns, &CONTEXT);
    }
}

#[test]
fn the_longest_texts_are_answered_at_once() {
    let mut columns =
        Columns(BTreeMap::from([("id".to_owned(), ColumnType::String), ("n".to_owned(), ColumnType::Int(64))]));
    let started = std::time::Instant::now();
    for text in [
        "o.id + ".repeat(150_000),
        "'".repeat(1 << 20),
        "(".repeat(1 << 20),
        format!("concat({}o.id)", "o.id,".repeat(800)),
        format!("o.n in ({}1)", "o.n,".repeat(990)),
        format!("{}o.n{}", "abs(".repeat(60), ")".repeat(60)),
        format!("{}o.id{}", "toString(toDateTime(".repeat(30), "))".repeat(30)),
        format!("{}o.n", "o.n*".repeat(60)),
        ["nope(o.nope)"; 300].join(" = 1 or "),
    ] {
        if let Ok(tree) = parse(&text) {
            let _ = (check(&tree, &mut columns, &CONTEXT).is_ok(), check_filter(&tree, &mut columns, &CONTEXT).is_ok());
        }
    }
    // Far less where nothing else runs; a debug build on a busy machine has room.
    assert!(started.elapsed() < std::time::Duration::from_secs(30), "{:?}", started.elapsed());
}
