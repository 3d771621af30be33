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
