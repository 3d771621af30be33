//! What a folder of YAML and its state folder mean together, on the real program.

use serde_json::json;

use crate::support::caller::{Caller, Scope};
use crate::support::clickhouse::clickhouse;
use crate::support::roles::free_address;
use crate::support::standalone::Standalone;

const OBJECTS: &str = r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: { name: customers }
spec:
  connection: default
  database: crm
  table: customers
  tenant: { column: tenant }
  columns: [{ name: id, sensitivity: { level: Public } }, { name: region, sensitivity: { level: Public } }]
---
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: { name: customers }
spec:
  context: crm
  name: customers
  definition:
    sources: [{ alias: c, sourceId: "default:crm:customers" }]
    subject: c
    columns: [{ name: id, from: c.id }]
"#;

/// The dataset alone, with another column.
fn another() -> String {
    let (_, dataset) = OBJECTS.split_once("---\n").expect("two objects");
    dataset.replace("{ name: id, from: c.id }", "{ name: region, from: c.region }")
}

#[tokio::test]
async fn a_file_that_comes_later_takes_nothing_over_though_it_sorts_first() {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    let standalone = Standalone::start(&ground, OBJECTS, |_| {}).await;
    let before = standalone.record("crm.customers");
    let all = standalone.objects().join("all.yaml").display().to_string();

    // The same name: the file that comes is to blame, and the definition that is served stays.
    standalone.write("a.yaml", &another());
    let copy = standalone.objects().join("a.yaml").display().to_string();
    let said = standalone.logs(0, &[&format!("ERROR {copy}: ")]).await;
    assert!(said.contains(&format!("default/customers is declared in `{all}` already; that file keeps it.")), "{said}");

    // The same ID under another name: the object that holds it keeps it.
    standalone.write("a.yaml", &another().replace("name: customers }", "name: again }"));
    let said = standalone.logs(0, &["WARN AnalyticsDataset{object=default/again reason=NameTaken}"]).await;
    assert!(said.contains("`crm.customers` is declared by default/customers already"), "{said}");
    assert_eq!(standalone.records(), [before], "what is served stays as it is");
}

#[tokio::test]
async fn the_admin_routes_are_there_where_their_address_is_stated() {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    let address = free_address();
    let standalone =
        Standalone::start(&ground, OBJECTS, |configuration| configuration["serve"]["adminListen"] = json!(address))
            .await;
    let get = async |path: &str| {
        let answer = reqwest::get(format!("http://{address}/{path}")).await.expect("the admin routes answer");
        (answer.status().as_u16(), answer.text().await.expect("a text"))
    };
    assert_eq!(get("healthz").await, (200, "ok".to_owned()));
    assert_eq!(get("readyz").await, (200, "ready".to_owned()));
    let (status, metrics) = get("metrics").await;
    assert!(status == 200 && metrics.contains("wow_analytics_query_seconds_count"), "{metrics}");
    drop(standalone);
}

#[tokio::test]
async fn what_a_table_computes_from_a_protected_column_is_protected_too() {
    let ground = clickhouse().await.ground().await;
    let columns = "tenant String, id String, name String, shout String ALIAS upper(name), copy String DEFAULT name";
    ground.sql(&format!("CREATE TABLE wow.computed ({columns}) ENGINE = MergeTree ORDER BY tenant")).await;
    ground.sql("INSERT INTO wow.computed (tenant, id, name) VALUES ('acme', '1', 'secret')").await;
    let yaml = r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: { name: computed }
spec:
  connection: default
  database: wow
  table: computed
  tenant: { column: tenant }
  columns:
    - { name: id, sensitivity: { level: Public } }
    - { name: name, sensitivity: { level: Display, mask: { keepPrefix: 1 } } }
    - { name: shout, sensitivity: { level: Public } }
    - { name: copy, sensitivity: { level: Public } }
---
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: { name: computed }
spec:
  context: shop
  name: computed
  definition:
    sources: [{ alias: c, sourceId: "default:wow:computed" }]
    subject: c
    columns: [{ name: id, from: c.id }, { name: shout, from: c.shout }, { name: copy, from: c.copy }]
"#;
    let standalone = Standalone::start(&ground, yaml, |_| {}).await;
    let body = json!({ "filter": { "op": "MATCH_ALL" }, "limit": 10 });
    let answer = Caller::new(&standalone.url).ask("computed", "list", &Scope::of("acme"), &body).await;
    assert_eq!(answer, (200, json!([{ "id": "1", "shout": "******", "copy": "s*****" }])));
}
