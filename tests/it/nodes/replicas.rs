//! A shard with two replicas, each of which holds all of its rows.

use analytics_catalog::warehouse::{Endpoint, Warehouse};
use serde_json::json;

use super::{SOURCES, expected, filled, orders, rows};
use crate::support::caller::{Caller, Scope};
use crate::support::shards::{DATASETS, PASSWORD, Shards};
use crate::support::standalone::Standalone;

/// Settings that have the nodes ask each other in every way.
const WAYS: [&[(&str, &str)]; 3] = [
    &[],
    &[("prefer_localhost_replica", "0"), ("load_balancing", "first_or_random"), ("load_balancing_first_offset", "0")],
    &[("prefer_localhost_replica", "0"), ("load_balancing", "first_or_random"), ("load_balancing_first_offset", "1")],
];

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_shard_come_once_whichever_replica_gives_them() {
    let shards = filled("twins").await;
    for node in 0..2 {
        let held = shards.sql(node, "SELECT uniqExact(tenant_id, id) FROM s_wow.orders").await.expect("it answers");
        assert_eq!(held.trim(), "200", "both replicas hold every row");
    }
    let yaml = [SOURCES, &orders("orders", false), &orders("named", true)].join("---");
    let configured = shards.configured_as_twins([shards.url(0), shards.url(1)]);
    let standalone = Standalone::over(configured, &yaml, |_| {}).await;
    let caller = Caller::new(&standalone.url);
    for (dataset, joined) in [("orders", false), ("named", true)] {
        for tenant in 0..10 {
            let name = format!("T-{tenant}");
            let everything = json!({ "filter": { "op": "MATCH_ALL" }, "limit": 1000 });
            let (status, body) = caller.ask(dataset, "list", &Scope::of(&name), &everything).await;
            assert_eq!((status, rows(&body)), (200, expected(tenant, joined)), "{dataset} of {name}: {body}");
            assert_eq!(body.as_array().map(Vec::len), Some(20), "{dataset} of {name}: no row twice");
            let query =
                format!("SELECT __tenant, count(), uniqExact(id) FROM {DATASETS}.ds_shop_{dataset}_v1 GROUP BY ALL");
            for (node, way) in (0..2).flat_map(|node| WAYS.map(|way| (node, way))) {
                let seen = shards.read_under(node, way, &query, &name).await;
                let seen = seen.unwrap_or_else(|error| panic!("{dataset} on node {node} under {way:?}: {error}"));
                assert_eq!(seen.trim(), format!("{name}\t20\t20"), "{dataset} on node {node} under {way:?}");
            }
        }
    }
}

/// The query server's account, which asks the nodes in this order.
pub(super) fn reader(shards: &Shards, order: [usize; 2]) -> Warehouse {
    let endpoint = |node| Endpoint { url: shards.url(node), user: "reader".to_owned(), password: PASSWORD.to_owned() };
    Warehouse::over(&order.map(endpoint))
}
