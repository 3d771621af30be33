//! A connection with `nodes`: versions on two real servers that are the shards of one cluster (design 4.7, 5.1).

mod away;
mod differences;
mod replicas;
mod tenants;

use std::collections::BTreeSet;
use std::time::Duration;

use analytics_catalog::controller::janitor::sweep;
use analytics_catalog::controller::store::Store as _;
use analytics_catalog::plan::ddl;
use analytics_catalog::plan::revision::Subject;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::support::bench::Bench;
use crate::support::caller::{Caller, Scope};
use crate::support::proxy::Proxy;
use crate::support::shards::{DATASETS, Shards};
use crate::support::standalone::Standalone;

const SOURCES: &str = r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: { name: orders }
spec:
  connection: default
  database: wow
  table: orders_dist
  tenant: { column: tenant_id }
  columns: [{ name: id, sensitivity: { level: Public } }, { name: customer, sensitivity: { level: Public } }, { name: amount }]
---
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: { name: customers }
spec:
  connection: default
  database: wow
  table: customers_dist
  tenant: { column: tenant }
  columns: [{ name: id, sensitivity: { level: Public } }, { name: name, sensitivity: { level: Public } }]
"#;

/// Every order, with the name of its customer where `joined`.
fn orders(name: &str, joined: bool) -> String {
    let (source, join, column) = match joined {
        true => (
            r#", { alias: c, sourceId: "default:wow:customers_dist" }"#,
            "joins: [{ alias: c, kind: Left, on: [{ left: o.customer, right: c.id }] }]",
            ", { name: customer, from: c.name }",
        ),
        false => ("", "joins: []", ""),
    };
    format!(
        r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: {{ name: {name} }}
spec:
  context: shop
  name: {name}
  definition:
    sources: [{{ alias: o, sourceId: "default:wow:orders_dist" }}{source}]
    subject: o
    {join}
    columns: [{{ name: id, from: o.id }}, {{ name: amount, from: o.amount }}{column}]
"#
    )
}

/// Two nodes with orders of ten tenants, each order twice with the later one counting, and their customers.
async fn shards() -> Shards {
    filled("c").await
}

/// The same over a cluster of the two nodes.
async fn filled(cluster: &str) -> Shards {
    let shards = Shards::start().await.expect("two servers start");
    for statement in [
        "CREATE TABLE wow.orders (tenant_id String, id String, customer String, amount UInt32, version UInt32) \
         ENGINE = ReplacingMergeTree(version) ORDER BY (tenant_id, id)",
        "CREATE TABLE wow.customers (tenant LowCardinality(String), id String, name String) \
         ENGINE = ReplacingMergeTree ORDER BY (tenant, id)",
    ] {
        shards.on_both(statement).await;
    }
    for (table, key) in [("orders", "tenant_id"), ("customers", "tenant")] {
        let database = crate::support::shards::SOURCES;
        shards
            .on_both(&format!(
                "CREATE TABLE wow.{table}_dist AS wow.{table} \
                 ENGINE = Distributed('{cluster}', '{database}', '{table}', cityHash64({key}))"
            ))
            .await;
    }
    for version in 1..=2 {
        let statement = format!(
            "INSERT INTO s_wow.orders_dist SELECT concat('T-', toString(number % 10)), toString(number), \
             toString(number % 30), number * {version}, {version} FROM numbers(200)"
        );
        shards.sql(0, &statement).await.expect("rows can be inserted");
    }
    let customers = "INSERT INTO s_wow.customers_dist SELECT concat('T-', toString(number % 10)), toString(number), \
                     concat('customer ', toString(number)) FROM numbers(30)";
    shards.sql(0, customers).await.expect("rows can be inserted");
    for node in 0..2 {
        let tenants = shards.sql(node, "SELECT uniqExact(tenant_id) FROM s_wow.orders").await.expect("it answers");
        assert_ne!(tenants.trim(), "0", "each node holds some of the tenants");
    }
    shards
}

/// The rows of a tenant, as they were inserted.
fn expected(tenant: u64, joined: bool) -> BTreeSet<String> {
    let row = |number: u64| match joined {
        true => {
            json!({ "id": number.to_string(), "amount": number * 2, "customer": format!("customer {}", number % 30) })
        }
        false => json!({ "id": number.to_string(), "amount": number * 2 }),
    };
    (0..200).filter(|number| number % 10 == tenant).map(|number| row(number).to_string()).collect()
}

fn rows(body: &Value) -> BTreeSet<String> {
    body.as_array().into_iter().flatten().map(Value::to_string).collect()
}

/// What stands in the datasets database of a node.
async fn standing(shards: &Shards, node: usize) -> Vec<String> {
    let query = format!(
        "SELECT name FROM system.tables WHERE database = '{DATASETS}' AND NOT startsWith(name, 'ds__scope_') ORDER BY name"
    );
    shards.sql(node, &query).await.expect("it answers").lines().map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_every_node_come_and_only_the_callers() {
    let shards = shards().await;
    let yaml = [SOURCES, &orders("orders", false), &orders("named", true)].join("---");
    let configured = shards.configured([shards.url(0), shards.url(1)]);
    let standalone = Standalone::over(configured, &yaml, |_| {}).await;
    let caller = Caller::new(&standalone.url);
    for (dataset, joined) in [("orders", false), ("named", true)] {
        for tenant in 0..10 {
            let scope = Scope::of(&format!("T-{tenant}"));
            let (status, body) =
                caller.ask(dataset, "list", &scope, &json!({ "filter": { "op": "MATCH_ALL" }, "limit": 1000 })).await;
            assert_eq!(status, 200, "{body}");
            assert_eq!(rows(&body), expected(tenant, joined), "{dataset} of T-{tenant}");
            assert_eq!(body.as_array().map(Vec::len), Some(20), "{dataset} of T-{tenant}: no row twice");
        }
        let (_, nothing) = caller
            .ask(dataset, "list", &Scope::of("T-none"), &json!({ "filter": { "op": "MATCH_ALL" }, "limit": 1000 }))
            .await;
        assert_eq!(nothing, json!([]));
        // The fence of each node alone: the scope reaches the other one with the query, and none is an error there.
        let view = format!("{DATASETS}.ds_shop_{dataset}_v1");
        for node in 0..2 {
            for tenant in ["T-0", "T-1", "T-2", "T-3", "T-4", "T-5"] {
                let query = format!("SELECT __tenant, count() FROM {view} GROUP BY __tenant");
                let seen = shards.read_on(node, &query, Some(tenant)).await.expect("the reader reads");
                assert_eq!(seen.trim(), format!("{tenant}\t20"), "{view} on node {node}");
            }
            for name in [view.clone(), format!("{view}_dist"), format!("{view}_local")] {
                let unscoped = shards.read_on(node, &format!("SELECT count() FROM {name}"), None).await;
                let refused = unscoped.expect_err("no scope is stated");
                assert!(refused.contains("Code: 349"), "{name}: {refused}");
            }
        }
    }
}

/// The reason and message of `Ready`, and the number of the version that is served.
fn state(bench: &Bench, name: &str) -> (String, String, Option<u64>) {
    let status = bench.dataset(name).status.clone().unwrap_or_default();
    let ready = status.conditions.iter().find(|condition| condition.type_ == "Ready").expect("it was looked at");
    (ready.reason.clone(), ready.message.clone(), status.published.map(|record| record.version))
}

/// The tables and views of some versions of `orders`.
fn pieces(versions: &[u64]) -> Vec<String> {
    let names = versions
        .iter()
        .flat_map(|version| ["", "_dist", "_local"].map(|end| format!("ds_shop_orders_v{version}{end}")));
    names.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_is_published_once_every_node_has_it() {
    let shards = shards().await;
    let second = Proxy::start(&shards.url(1)).await;
    let bench = Bench::over(shards.configured([shards.url(0), second.url()]), SignedDuration::from_secs(1));
    let second = std::sync::Arc::new(second);
    bench.write("sources.yaml", SOURCES);
    bench.write("orders.yaml", &orders("orders", false));

    // A node is away from the start: nothing is begun.
    second.cut().await;
    bench.look().await.expect_err("a node is away");
    let (reason, message, served) = state(&bench, "orders");
    assert_eq!((reason.as_str(), served), ("WarehouseUnavailable", None));
    assert!(message.contains(&second.url()), "{message}");
    for node in 0..2 {
        assert_eq!(standing(&shards, node).await, Vec::<String>::new());
    }

    // It goes away in the middle, and the operator ends with it: the other node has the first piece.
    second.open();
    let cut = second.clone();
    bench.before_claim(move |_| {
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(cut.cut()));
    });
    bench.look().await.expect_err("a node is away");
    let claimed = bench.ctx.store.revision(&Subject::dataset("shop.orders"), 1).await.expect("the history can be read");
    let claimed = claimed.expect("the number was claimed");
    let first = &ddl::pieces(claimed.version().expect("it is a version"), "catalog", "bench")[0];
    shards.catalog().execute(&first.statement).await.expect("the first node answers");
    bench.look().await.expect_err("a node is away");
    assert_eq!(state(&bench, "orders").2, None, "nothing is announced");
    assert_eq!((standing(&shards, 0).await, standing(&shards, 1).await), (vec![pieces(&[1])[2].clone()], vec![]));

    // It is back: the same version is finished, on both.
    second.open();
    bench.look().await.expect("both nodes answer");
    assert_eq!(state(&bench, "orders").2, Some(1));
    assert_eq!(bench.notes("shop.orders").await.len(), 1, "no number was left behind");
    for node in 0..2 {
        assert_eq!(standing(&shards, node).await, pieces(&[1]));
    }

    // A node that loses any of it gets it back.
    for (node, lost) in
        [(1, "VIEW ds_shop_orders_v1_local"), (0, "TABLE ds_shop_orders_v1_dist"), (1, "VIEW ds_shop_orders_v1")]
    {
        let (kind, name) = lost.split_once(' ').expect("a kind and a name");
        shards.sql(node, &format!("DROP {kind} {DATASETS}.{name} SYNC")).await.expect("it can be dropped");
        bench.look().await.expect("both nodes answer");
        assert_eq!(standing(&shards, node).await, pieces(&[1]), "{name} on node {node}");
    }

    // A superseded version goes from both nodes, once both answer.
    bench.write("orders.yaml", &orders("orders", false).replace("name: amount", "name: total"));
    bench.look().await.expect("both nodes answer");
    assert_eq!(state(&bench, "orders").2, Some(2));
    tokio::time::sleep(Duration::from_millis(2100)).await;
    second.cut().await;
    sweep(&bench.ctx).await.expect("the histories can be listed");
    assert_eq!(standing(&shards, 0).await, pieces(&[1, 2]), "nothing is dropped while a node is away");
    second.open();
    sweep(&bench.ctx).await.expect("the histories can be listed");
    for node in 0..2 {
        assert_eq!(standing(&shards, node).await, pieces(&[2]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_go_on_while_a_node_cannot_be_reached_from_here() {
    let shards = shards().await;
    let first = Proxy::start(&shards.url(0)).await;
    let yaml = [SOURCES, &orders("orders", false)].join("---");
    let configured = shards.configured([first.url(), shards.url(1)]);
    let standalone = Standalone::over(configured, &yaml, |_| {}).await;
    let caller = Caller::new(&standalone.url);
    first.cut().await;
    for tenant in 0..10 {
        let body = json!({ "filter": { "op": "MATCH_ALL" }, "limit": 1000 });
        let (status, body) = caller.ask("orders", "list", &Scope::of(&format!("T-{tenant}")), &body).await;
        assert_eq!((status, rows(&body)), (200, expected(tenant, false)), "T-{tenant}: {body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_would_answer_otherwise_than_is_meant_are_not_published_on() {
    let shards = shards().await;
    let bench = Bench::over(shards.configured([shards.url(0), shards.url(1)]), SignedDuration::from_secs(1));
    bench.write("sources.yaml", SOURCES);
    bench.write("orders.yaml", &orders("orders", false));
    let refused = async |words: &str| {
        bench.look().await.expect_err("the nodes are not as they must be");
        let (reason, message, served) = state(&bench, "orders");
        assert_eq!((reason.as_str(), served), ("WarehouseUnavailable", None));
        assert!(message.contains(words), "{message}");
    };

    // The second node merges the rows of a key, the first one would not.
    let columns = "tenant_id String, id String, customer String, amount UInt32, version UInt32";
    shards.sql(0, "RENAME TABLE s_wow.orders TO s_wow.orders_aside").await.expect("it can be renamed");
    let other = format!("CREATE TABLE s_wow.orders ({columns}) ENGINE = MergeTree ORDER BY (tenant_id, id)");
    shards.sql(0, &other).await.expect("it can be created");
    refused("differ in `s_wow.orders`").await;
    shards.sql(0, "EXCHANGE TABLES s_wow.orders AND s_wow.orders_aside").await.expect("they can be exchanged");
    bench.look().await.expect("both nodes have the same tables");
    assert_eq!(state(&bench, "orders").2, Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_whose_nodes_do_not_hear_the_scope_is_not_published_on() {
    let shards = shards().await;
    let (mut configuration, environment) = shards.configured([shards.url(0), shards.url(1)]);
    configuration["connections"]["default"]["cluster"] = "deaf".into();
    shards.on_both("DROP TABLE wow.orders_dist SYNC").await;
    let spread = "CREATE TABLE wow.orders_dist AS wow.orders ENGINE = Distributed('deaf', 's_wow', 'orders', cityHash64(tenant_id))";
    shards.on_both(spread).await;
    let bench = Bench::over((configuration, environment), SignedDuration::from_secs(1));
    bench.write("sources.yaml", SOURCES);
    bench.write("orders.yaml", &orders("orders", false));
    bench.look().await.expect_err("a shard answers for a scope of its own");
    let (reason, message, served) = state(&bench, "orders");
    assert_eq!((reason.as_str(), served), ("WarehouseUnavailable", None));
    assert!(message.contains("does not reach every shard of `deaf` with the scope"), "{message}");
}
