//! On which shard the rows of a tenant are looked for, by the type of its column.

use serde_json::json;

use super::rows;
use crate::support::caller::{Caller, Scope};
use crate::support::shards::Shards;
use crate::support::standalone::Standalone;

/// The types that a tenant's column may have, an expression of it by number, and the text of some tenants.
const TYPES: [(&str, &str, &str, [&str; 3]); 7] = [
    ("text", "String", "concat('T-', toString(n))", ["T-0", "T-1", "T-2"]),
    ("few", "LowCardinality(String)", "concat('T-', toString(n))", ["T-0", "T-1", "T-2"]),
    ("small", "UInt8", "n", ["0", "1", "2"]),
    ("number", "UInt64", "n", ["0", "1", "2"]),
    ("signed", "Int64", "toInt64(n) - 1", ["-1", "0", "1"]),
    (
        "uuid",
        "UUID",
        "toUUID(concat('00000000-0000-0000-0000-00000000000', toString(n)))",
        [
            "00000000-0000-0000-0000-000000000000",
            "00000000-0000-0000-0000-000000000001",
            "00000000-0000-0000-0000-000000000002",
        ],
    ),
    ("few_numbers", "LowCardinality(UInt32)", "n", ["0", "1", "2"]),
];

fn declared(name: &str) -> String {
    format!(
        r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: {{ name: {name} }}
spec:
  connection: default
  database: wow
  table: {name}_dist
  tenant: {{ column: tenant }}
  columns: [{{ name: id }}]
---
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: {{ name: {name} }}
spec:
  context: shop
  name: {name}
  definition:
    sources: [{{ alias: t, sourceId: "default:wow:{name}_dist" }}]
    subject: t
    columns: [{{ name: id, from: t.id }}]
"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_tenant_are_found_whatever_its_type() {
    let shards = Shards::start().await.expect("two servers start");
    let mut yaml = Vec::new();
    for (name, of, value, _) in TYPES {
        let create =
            format!("CREATE TABLE wow.{name} (tenant {of}, id UInt32) ENGINE = MergeTree ORDER BY (tenant, id)");
        shards.on_both(&create).await;
        let spread = format!(
            "CREATE TABLE wow.{name}_dist AS wow.{name} ENGINE = Distributed('c', 's_wow', '{name}', cityHash64(tenant))"
        );
        shards.on_both(&spread).await;
        let fill = format!(
            "INSERT INTO s_wow.{name}_dist SELECT {value} AS tenant, toUInt32(number) AS id FROM \
             (SELECT number % 6 AS n, number FROM numbers(60))"
        );
        shards.sql(0, &fill).await.expect("rows can be inserted");
        yaml.push(declared(name));
    }
    let yaml = yaml.join("---");
    let standalone = Standalone::over(shards.configured([shards.url(0), shards.url(1)]), &yaml, |_| {}).await;
    let caller = Caller::new(&standalone.url);
    let mut wrong = Vec::new();
    for (name, _, _, tenants) in TYPES {
        for (number, tenant) in tenants.iter().enumerate() {
            let everything = json!({ "filter": { "op": "MATCH_ALL" }, "limit": 100 });
            let (status, body) = caller.ask(name, "list", &Scope::of(tenant), &everything).await;
            let expected =
                (0..60).filter(|row| row % 6 == number).map(|row| json!({ "id": row }).to_string()).collect();
            if status != 200 || rows(&body) != expected {
                wrong.push(format!("{name} of {tenant}: {status} {body}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
