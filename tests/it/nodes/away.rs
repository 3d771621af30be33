//! A node that is away while versions are published, and what becomes of it when it is back (design 5.1).

use std::time::Duration;

use analytics_catalog::warehouse::WarehouseErrorKind;
use jiff::SignedDuration;

use super::replicas::reader;
use super::{SOURCES, filled, orders, pieces, shards, standing, state};
use crate::support::bench::Bench;
use crate::support::proxy::Proxy;
use crate::support::shards::DATASETS;

/// Longer than a node is waited for, and than one that is away is left alone.
const LONG: Duration = Duration::from_millis(2200);

/// A replica's table that is another than its twin's.
const OTHER_TABLE: &str = "ALTER TABLE s_wow.customers ADD COLUMN note String";

#[tokio::test(flavor = "multi_thread")]
async fn a_publication_goes_on_without_a_replica_that_is_away_and_brings_it_up_to_date_later() {
    let shards = filled("twins").await;
    let second = Proxy::start(&shards.url(1)).await;
    let configured = shards.configured_as_twins([shards.url(0), second.url()]);
    let bench = Bench::over(configured, SignedDuration::from_hours(1));
    let renamed = |name: &str| orders("orders", true).replace("name: amount", &format!("name: {name}"));
    bench.write("sources.yaml", SOURCES);
    bench.write("orders.yaml", &orders("orders", true));
    bench.look().await.expect("both nodes answer");
    assert_eq!(state(&bench, "orders").2, Some(1));

    // It is waited for.
    second.cut().await;
    bench.write("orders.yaml", &renamed("second"));
    bench.look().await.expect_err("a node is away");
    let (reason, message, served) = state(&bench, "orders");
    assert_eq!((reason.as_str(), served), ("WarehouseUnavailable", Some(1)));
    assert!(message.contains(&second.url()), "{message}");

    // Then the publication goes on, and says without whom.
    tokio::time::sleep(LONG).await;
    bench.look().await.expect("the shard has another node");
    let (reason, message, served) = state(&bench, "orders");
    assert_eq!((reason.as_str(), served), ("Published", Some(2)));
    assert!(message.contains(&format!("The node `{}` is away", second.url())), "{message}");
    assert_eq!((standing(&shards, 0).await, standing(&shards, 1).await), (pieces(&[1, 2]), pieces(&[1])));

    // Whoever reaches the node that lacks the version gets nothing of it from there, and all of it from the other one.
    let view = "ds_shop_orders_v2";
    let asked = [
        ("prefer_localhost_replica", "0"),
        ("load_balancing", "first_or_random"),
        ("load_balancing_first_offset", "1"),
    ];
    let query = format!("SELECT count(), uniqExact(id) FROM {DATASETS}.{view}");
    let seen = shards.read_under(0, &asked, &query, "T-3").await.expect("the other replica answers");
    assert_eq!(seen.trim(), "20\t20");
    let alone = reader(&shards, [1, 1]).probe(DATASETS, view).await.expect_err("it is not there");
    assert_eq!(alone.kind, WarehouseErrorKind::Missing);
    reader(&shards, [1, 0]).probe(DATASETS, view).await.expect("the other node has it");

    // It is back.
    second.open();
    tokio::time::sleep(LONG).await;
    bench.look().await.expect("both nodes answer");
    let (reason, message, served) = state(&bench, "orders");
    assert_eq!((reason.as_str(), served), ("Published", Some(2)));
    assert!(!message.contains("is away"), "{message}");
    assert_eq!(standing(&shards, 1).await, pieces(&[1, 2]));

    // One that comes back with another table gets no view before it has the same.
    second.cut().await;
    bench.write("orders.yaml", &renamed("third"));
    bench.look().await.expect_err("a node is away");
    tokio::time::sleep(LONG).await;
    bench.look().await.expect("the shard has another node");
    assert_eq!(state(&bench, "orders").2, Some(3));
    shards.sql(1, OTHER_TABLE).await.expect("it can be altered");
    second.open();
    tokio::time::sleep(LONG).await;
    bench.look().await.expect_err("the nodes differ");
    let (_, message, served) = state(&bench, "orders");
    assert_eq!(served, Some(3));
    assert!(message.contains("differ in `s_wow.customers`"), "{message}");
    assert_eq!(standing(&shards, 1).await, pieces(&[1, 2]));
    shards.sql(1, "ALTER TABLE s_wow.customers DROP COLUMN note").await.expect("it can be altered");
    bench.look().await.expect("both nodes have the same tables");
    assert_eq!(standing(&shards, 1).await, pieces(&[1, 2, 3]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_without_a_node_holds_a_publication_however_long_it_takes() {
    let shards = shards().await;
    let second = Proxy::start(&shards.url(1)).await;
    let (mut configuration, environment) = shards.configured([shards.url(0), second.url()]);
    configuration["connections"]["default"]["nodeTimeout"] = "1s".into();
    let bench = Bench::over((configuration, environment), SignedDuration::from_hours(1));
    bench.write("sources.yaml", SOURCES);
    bench.write("orders.yaml", &orders("orders", false));
    second.cut().await;
    for _ in 0..2 {
        bench.look().await.expect_err("a shard is away");
        assert_eq!(state(&bench, "orders").2, None);
        tokio::time::sleep(LONG).await;
    }
    second.open();
    bench.look().await.expect("both nodes answer");
    assert_eq!(state(&bench, "orders").2, Some(1));
}
