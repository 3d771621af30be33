//! Nodes that are not what the configuration, the cluster or the first node says; and what is left of a cluster.

use analytics_catalog::controller::store::Store as _;
use analytics_catalog::controller::{dataset::withdraw, janitor::sweep};
use jiff::SignedDuration;

use super::{SOURCES, orders, shards, state};
use crate::support::bench::{Bench, Configured};
use crate::support::shards::{DATASETS, Shards};

fn bench(configured: Configured) -> Bench {
    let bench = Bench::over(configured, SignedDuration::ZERO);
    bench.write("sources.yaml", SOURCES);
    bench.write("orders.yaml", &orders("orders", false));
    bench
}

/// What is said of the version that is served, if queries of it are refused.
fn refused(bench: &Bench) -> Option<String> {
    let status = bench.dataset("orders").status.clone().unwrap_or_default();
    status.published.and_then(|record| record.unavailable_reason)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_changes_on_another_node_is_noticed() {
    let shards = shards().await;
    let bench = bench(shards.configured([shards.url(0), shards.url(1)]));
    bench.look().await.expect("both nodes answer");
    assert_eq!((state(&bench, "orders").2, refused(&bench)), (Some(1), None));

    // What the version does not read may come and go.
    shards.sql(1, "ALTER TABLE s_wow.orders ADD COLUMN note String").await.expect("it can be altered");
    bench.look().await.expect("both nodes answer");
    assert_eq!(refused(&bench), None);
    shards.sql(1, "ALTER TABLE s_wow.orders DROP COLUMN note").await.expect("it can be altered");

    for (change, back) in [
        (
            "ALTER TABLE s_wow.orders MODIFY COLUMN amount UInt64",
            "ALTER TABLE s_wow.orders MODIFY COLUMN amount UInt32",
        ),
        ("RENAME TABLE s_wow.orders TO s_wow.aside", "RENAME TABLE s_wow.aside TO s_wow.orders"),
        (
            "ALTER TABLE s_wow.orders DROP COLUMN amount",
            "ALTER TABLE s_wow.orders ADD COLUMN amount UInt32 AFTER customer",
        ),
    ] {
        shards.sql(1, change).await.expect("it can be changed");
        bench.look().await.expect("both nodes answer");
        let why = refused(&bench).unwrap_or_else(|| panic!("{change}: it is still served"));
        assert!(why.contains(&shards.url(1)), "{change}: {why}");
        let (reason, message, _) = state(&bench, "orders");
        assert_ne!(reason, "Published", "{change}");
        assert!(message.contains(&shards.url(1)), "{change}: {message}");
        shards.sql(1, back).await.expect("it can be changed back");
        bench.look().await.expect("both nodes answer");
        assert_eq!((state(&bench, "orders").0, refused(&bench)), ("Published".to_owned(), None), "{back}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_the_cluster_counts_otherwise_are_told() {
    let shards = shards().await;
    let told = async |configured: Configured, words: &str| {
        let bench = bench(configured);
        bench.look().await.expect_err("the nodes are others");
        let (reason, message, served) = state(&bench, "orders");
        assert_eq!((reason.as_str(), served), ("WarehouseUnavailable", None));
        assert!(message.contains(words), "{message}");
    };
    let exchanged = shards.configured([shards.url(1), shards.url(0)]);
    told(exchanged, "is replica 1 of shard 2 of the cluster `c`, and the configuration says replica 1 of shard 1")
        .await;
    let (mut configuration, environment) = shards.configured([shards.url(0), shards.url(1)]);
    configuration["connections"]["default"]["nodes"].as_array_mut().expect("a list").pop();
    told((configuration, environment), "(shard/replica: 1/1, 2/1) than in the configuration (1/1)").await;
    let (mut configuration, environment) = shards.configured([shards.url(0), shards.url(1)]);
    configuration["connections"]["default"]["nodes"][1] = serde_json::json!({ "url": shards.url(1), "replica": 2 });
    told((configuration, environment), "(shard/replica: 1/1, 2/1) than in the configuration (1/1, 1/2)").await;
}

/// What stands of the probes of the scope on a node.
async fn probes(shards: &Shards, node: usize) -> String {
    let query =
        format!("SELECT name FROM system.tables WHERE database = '{DATASETS}' AND startsWith(name, 'ds__scope_')");
    shards.sql(node, &query).await.expect("it answers")
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_a_cluster_without_datasets() {
    let shards = shards().await;
    let bench = bench(shards.configured([shards.url(0), shards.url(1)]));
    shards.on_both(&format!("CREATE VIEW {DATASETS}.ds__scope_other AS SELECT 1")).await;
    bench.look().await.expect("both nodes answer");
    sweep(&bench.ctx).await.expect("the histories can be listed");
    for node in 0..2 {
        assert_eq!(probes(&shards, node).await.lines().count(), 4, "they are needed");
    }
    let dataset = bench.dataset("orders");
    bench.remove("orders.yaml");
    withdraw(&bench.ctx, &dataset).await.expect("the history can be written");
    bench.ctx.store.inner.forget(&dataset);
    assert!(bench.ctx.store.datasets().is_empty());
    // One drops the views, the next one what they needed.
    for _ in 0..3 {
        tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
        sweep(&bench.ctx).await.expect("the histories can be listed");
    }
    for node in 0..2 {
        assert_eq!(probes(&shards, node).await.trim(), "ds__scope_other", "what carries no mark of ours stays");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_between_the_nodes_holds_readers_to_their_profile() {
    let shards = shards().await;
    shards.on_both("DROP TABLE wow.orders_dist SYNC").await;
    let spread = "CREATE TABLE wow.orders_dist AS wow.orders ENGINE = Distributed('secret', 's_wow', 'orders', cityHash64(tenant_id))";
    shards.on_both(spread).await;
    let (mut configuration, environment) = shards.configured([shards.url(0), shards.url(1)]);
    configuration["connections"]["default"]["cluster"] = "secret".into();

    // The usual profile refuses 0, which a node states for its part of a query.
    let usual = bench((configuration.clone(), environment));
    usual.look().await.expect_err("the other nodes give a row and no more");
    let (_, message, served) = state(&usual, "orders");
    assert_eq!(served, None);
    assert!(message.contains("`max_result_rows` and `max_result_bytes` must allow 0"), "{message}");

    configuration["connections"]["default"]["reader"]["user"] = "roomy".into();
    let roomy = bench((configuration, environment));
    roomy.look().await.expect("both nodes answer");
    let served = state(&roomy, "orders").2.expect("it is published");
    let view = format!("{DATASETS}.ds_shop_orders_v{served}");
    let query = format!("SELECT __tenant, count(), uniqExact(id) FROM {view} GROUP BY ALL");
    for node in 0..2 {
        for tenant in 0..10 {
            let tenant = format!("T-{tenant}");
            let seen = shards.read_as("roomy", node, &query, Some(&tenant)).await.expect("the reader reads");
            assert_eq!(seen.trim(), format!("{tenant}\t20\t20"), "on node {node}");
        }
        let unscoped = shards.read_as("roomy", node, &query, None).await.expect_err("no scope is stated");
        assert!(unscoped.contains("Code: 349"), "{unscoped}");
    }

    // Where one server is asked for everything, the shards are asked as the reader, who has no grant on their tables.
    let through = format!(
        "CREATE VIEW {DATASETS}.through (id String) DEFINER = catalog SQL SECURITY DEFINER AS SELECT id FROM s_wow.orders_dist"
    );
    shards.sql(0, &through).await.expect("it can be created");
    let refused = shards.read_as("roomy", 0, &format!("SELECT count() FROM {DATASETS}.through"), Some("T-0")).await;
    assert!(refused.is_err_and(|refused| refused.contains("Code: 497")), "the tables are closed to it");
}
