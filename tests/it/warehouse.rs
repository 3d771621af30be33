//! What the product relies on of a real ClickHouse.

mod catalog;
mod types;

use crate::support::clickhouse::clickhouse;

#[tokio::test]
async fn the_server_is_new_enough_and_the_reader_sees_no_source() {
    let clickhouse = clickhouse().await;
    let version = clickhouse.catalog().version().await.expect("the server answers");
    assert!(version >= analytics_catalog::warehouse::OLDEST_SERVER, "{version:?}");
    let ground = clickhouse.ground().await;
    ground.load_examples().await;
    let statement = format!("SELECT * FROM {}.customers", ground.crm);
    let refusal = clickhouse.as_reader(&statement, &[]).await.expect_err("the reader has no grant on sources");
    assert!(refusal.contains("ACCESS_DENIED"), "{refusal}");
}
