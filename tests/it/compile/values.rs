//! What expressions give on a real ClickHouse, whatever the zone of the session: `tests/cases/values/*.txt`, and the
//! examples of the docs.
//!
//! A file begins with columns, `name: Type = SQL of its value`. A case is a line `> expression`; under it stands `= ` with
//! the text of its value. `UPDATE_EXPECTED=1` writes what comes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use analytics_catalog::compile::functions;
use analytics_catalog::compile::parse::{ExpressionProblem, ProblemCode, parse};
use analytics_catalog::compile::typing::{Context, References, ResolvedReference, check};
use analytics_catalog::sql::{ColumnType, literal};

use crate::support::clickhouse::{ClickHouse, clickhouse};

const SETTINGS: &str =
    "use_variant_as_common_type = 0, cast_keep_nullable = 0, transform_null_in = 0, max_query_size = 10000000";
/// How many expressions stand in one statement.
const BATCH: usize = 40;

/// The columns of a file: their type and the SQL of their value.
#[derive(Default)]
struct Columns(BTreeMap<String, (ColumnType, String)>);

impl References for Columns {
    fn resolve(&mut self, path: &[String], span: Range<usize>) -> Result<ResolvedReference, ExpressionProblem> {
        let found = self.0.iter().enumerate().find(|(_, (name, _))| path.last() == Some(name));
        found
            .map(|(id, (_, (column_type, _)))| ResolvedReference { id, column_type: column_type.clone() })
            .ok_or_else(|| ExpressionProblem::new(ProblemCode::UnknownReference, span, "unknown"))
    }
}

/// The texts of the values of these expressions, in a session of this zone.
async fn values(
    clickhouse: &ClickHouse,
    columns: &mut Columns,
    texts: &[&str],
    zone: &str,
    session: &str,
) -> Vec<String> {
    let mut found = Vec::new();
    for batch in texts.chunks(BATCH) {
        let outputs: Vec<String> = batch
            .iter()
            .map(|text| {
                let tree = parse(text).unwrap_or_else(|problem| panic!("{text}: {problem:?}"));
                let typed = check(&tree, columns, &Context { time_zone: zone });
                let typed = typed.unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
                format!("ifNull(toString({}), 'null')", typed.render(&|id| format!("t.c{id}")))
            })
            .collect();
        let sources: Vec<String> = columns
            .0
            .values()
            .enumerate()
            .map(|(id, (column_type, value))| {
                format!("materialize(CAST({value}, {})) AS c{id}", literal::string(&column_type.to_string()))
            })
            .collect();
        let from = if sources.is_empty() { "1".to_owned() } else { sources.join(", ") };
        let statement = format!(
            "SELECT {} FROM (SELECT {from}) AS t SETTINGS {SETTINGS}, session_timezone = '{session}' FORMAT TSVRaw",
            outputs.join(", ")
        );
        let answer = clickhouse.sql(statement).await;
        found.extend(answer.trim_end_matches('\n').split('\t').map(str::to_owned));
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_case_gives_its_value_in_every_session() {
    let clickhouse = clickhouse().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/values");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let mut count = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a case is a text");
        let (mut columns, mut head, mut cases) = (Columns::default(), String::new(), Vec::new());
        for line in text.lines() {
            if let Some(case) = line.strip_prefix("> ") {
                cases.push(case);
            } else if cases.is_empty() {
                head.push_str(&format!("{line}\n"));
                let column = line.split_once(": ").filter(|_| !line.starts_with('#'));
                if let Some((name, (column_type, value))) =
                    column.and_then(|(name, rest)| Some((name, rest.rsplit_once(" = ")?)))
                {
                    let column_type = ColumnType::parse(column_type).expect("a type");
                    columns.0.insert(name.to_owned(), (column_type, value.to_owned()));
                }
            }
        }
        count += cases.len();
        let found = values(clickhouse, &mut columns, &cases, "Europe/Berlin", "UTC").await;
        let again = values(clickhouse, &mut columns, &cases, "Europe/Berlin", "Asia/Tokyo").await;
        for (case, (one, other)) in cases.iter().zip(found.iter().zip(&again)) {
            assert_eq!(one, other, "{case} depends on the session");
        }
        let written: String =
            cases.iter().zip(&found).map(|(case, value)| format!("\n> {case}\n= {value}\n")).collect();
        let written = format!("{}\n{written}", head.trim_end());
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            std::fs::write(&path, &written).expect("a case can be written");
        }
        let expected = std::fs::read_to_string(&path).expect("a case is a text");
        assert_eq!(expected, written, "{}", path.display());
    }
    assert!(count >= 200, "{count} cases");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_examples_of_the_docs_are_true() {
    let examples: Vec<(&str, &str)> = functions::table().map(|function| function.example).collect();
    let texts: Vec<&str> = examples.iter().map(|(text, _)| *text).collect();
    let found = values(clickhouse().await, &mut Columns::default(), &texts, "UTC", "Asia/Tokyo").await;
    let wrong: Vec<String> = examples
        .iter()
        .zip(&found)
        .filter(|((_, expected), found)| expected != found)
        .map(|((text, expected), found)| format!("{text} is {found}, and the docs say {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
