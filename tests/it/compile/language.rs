//! The expression language on a real ClickHouse: every function and operator over every type of argument that it takes
//! has the type that was inferred, and throws for no value; and so do generated expressions of many calls.
//!
//! `EXPRESSION_PROBES=all` takes all probes; else every n-th, so that the test takes seconds.

use analytics_catalog::compile::functions;

use crate::support::clickhouse::clickhouse;
use crate::support::expressions;
use crate::support::extremes::{Columns, Found, Probe, check_batch, rendered};

/// How many probes are taken where the environment does not ask for all.
const PROBES: usize = 2_500;
/// How many expressions stand in one statement.
const BATCH: usize = 150;
/// How many expressions are generated here; the figures b.1 and b.2 generate more.
const GENERATED: usize = 600;

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
    clickhouse.sql(columns.table("s_language.extremes", 256, false)).await;
    let probes: Vec<Probe> = taken.iter().flat_map(|(text, types)| rendered(text, types, &columns)).collect();
    let mut found = Found::default();
    for batch in probes.chunks(BATCH) {
        check_batch(clickhouse, "s_language.extremes", batch, &mut found).await;
    }
    nothing(&found);
    println!("{} expressions of {} probes in {:?}", probes.len(), all.len(), started.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn generated_expressions_have_their_inferred_types_and_throw_for_no_value() {
    let size = |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, seed) = (size("GENERATED_EXPRESSIONS", GENERATED), size("GENERATED_SEED", 7));
    let outcome = expressions::run(clickhouse().await, "s_generated", count, seed as u64).await;
    println!("{outcome:?}");
    nothing(&outcome.found);
    assert!(outcome.expressions >= GENERATED && outcome.filters > 0, "{outcome:?}");
}

fn nothing(found: &Found) {
    let wrong: Vec<&String> = found.types.iter().chain(&found.thrown).collect();
    let (count, shown) = (wrong.len(), wrong.iter().take(40).map(|text| text.as_str()).collect::<Vec<_>>().join("\n"));
    assert!(wrong.is_empty(), "{count} wrong:\n{shown}");
}
