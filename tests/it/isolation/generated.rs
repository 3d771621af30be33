//! Generated queries of two tenants (design 10, isolation).

use crate::support::clickhouse::clickhouse;
use crate::support::standalone::Standalone;
use crate::support::{generated, world};

/// Alike in all but what an encoding could lose.
pub const NAMES: [&str; 2] = ["acme +%2B 'q' \"é\" \\", "acme +%2b 'q' \"é\" \\"];

#[tokio::test(flavor = "multi_thread")]
async fn generated_queries_of_two_tenants_give_exactly_their_rows() {
    let ground = clickhouse().await.ground().await;
    let datasets = world::create(&ground, NAMES, 150).await;
    let standalone = Standalone::start(&ground, &world::yaml(), |_| {}).await;
    let (queries, seed) = generated::sizes(5_000);
    let outcome = generated::run(&standalone.url, &datasets, queries, seed).await;
    let shown = outcome.wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert_eq!(outcome.foreign, 0, "foreign rows, seed {seed}:\n{shown}");
    assert!(outcome.wrong.is_empty(), "{} of {queries} are wrong, seed {seed}:\n{shown}", outcome.wrong.len());
    assert!(outcome.answered >= queries && outcome.rows > queries, "{outcome:?}");
}
