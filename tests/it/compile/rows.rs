//! What readers see of two tenants' rows: cases with `rows.sql` and `rows.yaml`, written by hand.
//!
//! `rows.sql` fills the case's tables. `rows.yaml` lists scopes as they are stated; for each the rows of the view in any
//! order, hidden columns first, or the code of the error.

use std::path::Path;

use serde::Deserialize;

use super::case::{self, Case};
use super::on_clickhouse::{create_with_what_it_reads, published, read_catalog};
use crate::support::clickhouse::{ClickHouse, clickhouse};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    /// The text of `log_comment`.
    scope: String,
    /// A condition of the caller, over the view's columns.
    #[serde(default)]
    condition: Option<String>,
    #[serde(default)]
    rows: Vec<String>,
    #[serde(default)]
    error: Option<u32>,
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_see_the_rows_of_their_scope_and_nothing_else() {
    let mut wrong = Vec::new();
    let (mut cases, mut queries) = (0, 0);
    for folder in case::folders().iter().filter(|folder| folder.join("rows.yaml").exists()) {
        cases += 1;
        queries += check(folder, &mut wrong).await;
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n\n"));
    println!("{queries} scopes over {cases} cases");
    assert!(cases >= 8, "{cases} cases");
}

/// The rows as JSON, in one order.
fn parsed<'a>(rows: impl Iterator<Item = &'a str>) -> Vec<String> {
    let row = |text: &str| match serde_json::from_str::<serde_json::Value>(text) {
        Ok(row) => row.to_string(),
        Err(error) => panic!("{text}: {error}"),
    };
    let mut rows: Vec<String> = rows.map(row).collect();
    rows.sort();
    rows
}

/// A reader's profile may set what decides about nulls, matches of joins, empty groups and zones: the rows are the same
/// (pitfalls B4, B18, B20).
async fn same_whatever_a_profile_sets(
    name: &str,
    clickhouse: &ClickHouse,
    query: &str,
    scope: &str,
) -> Result<(), String> {
    let (select, format) = query.split_once(" FORMAT ").expect("the query has a format");
    let scope = analytics_catalog::sql::literal::string(scope);
    let mut answers = Vec::new();
    let mut profiles = vec![
        "join_use_nulls = 0",
        "join_use_nulls = 1",
        "join_default_strictness = 'ANY'",
        "aggregate_functions_null_for_empty = 1",
    ];
    // How an instant is written is the session's; which rows there are is not.
    profiles.extend(name.starts_with("b18").then_some("session_timezone = 'Asia/Kolkata'"));
    for settings in profiles {
        let statement = format!("{select} SETTINGS log_comment = {scope}, {settings} FORMAT {format}");
        let answer = clickhouse.try_sql(&statement).await.map_err(|problem| format!("{settings}: {problem}"))?;
        answers.push((settings, parsed(answer.lines())));
    }
    let other = answers.iter().find(|(_, rows)| *rows != answers[0].1);
    other.map_or(Ok(()), |(settings, rows)| Err(format!("with {settings}: {rows:?}, not {:?}", answers[0].1)))
}

async fn check(folder: &Path, wrong: &mut Vec<String>) -> usize {
    let case = Case::of(folder);
    let clickhouse = clickhouse().await;
    let ground = clickhouse.ground().await;
    for source in &case.spec.definition.sources {
        let declaration = &case.sources[&source.source_id].declaration;
        let table = case.catalog.table(&declaration.database, &declaration.table).expect("the case has the table");
        create_with_what_it_reads(&ground, &case.catalog, table).await;
    }
    let rows = std::fs::read_to_string(folder.join("rows.sql")).expect("the case has rows");
    for statement in rows.split(";\n").map(str::trim).filter(|statement| !statement.is_empty()) {
        ground.sql(statement).await;
    }
    let compiled = match published(clickhouse, &ground, &case, &read_catalog(&ground).await).await {
        Ok(compiled) => compiled,
        Err(problem) => {
            wrong.push(format!("{}: {problem}", case.name));
            return 0;
        }
    };
    let view = case.version(&compiled, &ground.datasets).record.view;
    let text = std::fs::read_to_string(folder.join("rows.yaml")).expect("the case has expectations");
    let expectations: Vec<Expectation> =
        serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for expected in &expectations {
        let condition = expected.condition.as_ref().map(|text| format!(" WHERE {text}")).unwrap_or_default();
        let query = format!("SELECT * FROM {}.{}{condition} FORMAT JSONCompactEachRow", view.database, view.name);
        let answer = clickhouse.as_reader(&query, &[("log_comment", &expected.scope)]).await;
        let right = match (&answer, expected.error) {
            (Ok(rows), None) => parsed(rows.lines()) == parsed(expected.rows.iter().map(String::as_str)),
            (Err(refusal), Some(code)) => refusal.contains(&format!("Code: {code}.")),
            _ => false,
        };
        let alike = match &answer {
            Ok(_) => same_whatever_a_profile_sets(&case.name, clickhouse, &query, &expected.scope).await,
            Err(_) => Ok(()),
        };
        wrong.extend(alike.err().map(|problem| format!("{} with {}: {problem}", case.name, expected.scope)));
        if !right {
            let (scope, rows) = (&expected.scope, expected.rows.join("\n"));
            wrong.push(format!("{} with {scope}{condition}\n--- expected\n{rows}\n--- actual\n{answer:?}", case.name));
        }
    }
    expectations.len()
}
