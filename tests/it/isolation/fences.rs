//! Either fence alone suffices (design 1, principle 3): each is taken out in turn, and then both, to see that the test
//! can fail.

use std::collections::BTreeSet;

use analytics_catalog::api::PublicationRecord;
use analytics_catalog::query::{Limits, Scope as QueryScope, Shape, bind, parse_request};
use serde_json::{Value, json};

use super::generated::NAMES;
use crate::support::clickhouse::{Ground, clickhouse};
use crate::support::standalone::Standalone;
use crate::support::world::{Dataset, Row};
use crate::support::{generated, world};

const SIZE: usize = 60;

#[tokio::test(flavor = "multi_thread")]
async fn without_the_servers_condition_the_view_alone_holds() {
    let (ground, datasets, standalone) = start().await;
    for case in cases(&datasets) {
        let rows = without_servers_condition(&ground, &standalone, &case).await;
        assert_eq!(rows, case.visible(), "{case:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_views_fence_the_server_alone_holds() {
    let (ground, datasets, standalone) = start().await;
    remove_fences(&ground, &standalone).await;
    let (queries, seed) = generated::sizes(600);
    let outcome = generated::run(&standalone.url, &datasets, queries, seed).await;
    assert_eq!(outcome.foreign, 0, "{:?}", outcome.wrong.first());
    assert!(outcome.wrong.is_empty(), "{:?}", outcome.wrong.first());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_both_foreign_rows_are_seen() {
    let (ground, datasets, standalone) = start().await;
    remove_fences(&ground, &standalone).await;
    for case in cases(&datasets) {
        let rows = without_servers_condition(&ground, &standalone, &case).await;
        let visible = case.visible();
        assert!(rows.is_superset(&visible), "{case:?}");
        let tenant = 1 - case.tenant;
        let foreign = case.dataset.rows.iter().filter(|row| row.tenant == tenant).map(shown).collect::<BTreeSet<_>>();
        assert!(rows.is_superset(&foreign), "nothing was taken out: {case:?}");
    }
}

async fn start() -> (Ground, Vec<Dataset>, Standalone) {
    let ground = clickhouse().await.ground().await;
    let datasets = world::create(&ground, NAMES, SIZE).await;
    let standalone = Standalone::start(&ground, &world::yaml(), |_| {}).await;
    (ground, datasets, standalone)
}

/// A dataset and a scope.
#[derive(Debug)]
struct Case<'a> {
    dataset: &'a Dataset,
    tenant: usize,
    owner: Option<&'static str>,
    space: Option<&'static str>,
}

fn cases(datasets: &[Dataset]) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for dataset in datasets {
        let limits: &[_] = match dataset.limited {
            true => &[(None, None), (Some("u-1"), None), (None, Some("s-1")), (Some("u-2"), Some("s-0"))],
            false => &[(None, None)],
        };
        for (owner, space) in limits {
            cases.extend([0, 1].map(|tenant| Case { dataset, tenant, owner: *owner, space: *space }));
        }
    }
    cases
}

impl Case<'_> {
    fn visible(&self) -> BTreeSet<String> {
        let within = |stated: Option<&str>, value: &str| stated.is_none_or(|stated| stated == value);
        let visible =
            |row: &&Row| row.tenant == self.tenant && within(self.owner, &row.owner) && within(self.space, &row.space);
        self.dataset.rows.iter().filter(visible).map(shown).collect()
    }
}

fn shown(row: &Row) -> String {
    sorted(&Value::Object(row.shown.clone()))
}

fn sorted(row: &Value) -> String {
    let members: std::collections::BTreeMap<_, _> = row.as_object().expect("a row is an object").iter().collect();
    serde_json::to_string(&members).expect("names are texts")
}

/// Every row that the server's own statement gives once its condition on the scope is cut out, with the scope stated to
/// the view as the server states it.
async fn without_servers_condition(ground: &Ground, standalone: &Standalone, case: &Case<'_>) -> BTreeSet<String> {
    let record = standalone.record(&format!("shop.{}", case.dataset.name));
    let record: PublicationRecord = serde_json::from_value(record).expect("a record");
    let limits = Limits { max_list_size: 0, ..Limits::default() };
    let body = json!({ "filter": { "op": "MATCH_ALL" }, "limit": 100_000 }).to_string();
    let request = parse_request(Some(Shape::List), body.as_bytes(), &limits).expect("a request");
    let text = |part: Option<&str>| part.map(str::to_owned);
    let tenant = &case.dataset.tenants[case.tenant];
    let scope = QueryScope { tenant: text(Some(tenant)), owner: text(case.owner), space: text(case.space) };
    let statement = bind(&request, &record, &scope, &limits).expect("bound").rows.expect("a list has rows");
    let sql = statement.sql.as_str();
    let (before, after) = sql.split_once(" AS __v WHERE ").expect("the server adds its condition");
    let (condition, after) = after.split_once(") AS __q").expect("the condition ends the inner SELECT");
    assert!(condition.contains("`__tenant`") && condition.contains("{st:String}"), "{condition}");
    let sql = format!("{before} AS __v) AS __q{after}");
    assert!(!sql.contains("__tenant") && !sql.contains("__owner") && !sql.contains("__space"), "{sql}");
    let stated = json!({ "tenant": tenant, "owner": case.owner, "space": case.space }).to_string();
    let parameters: Vec<_> =
        statement.parameters.iter().map(|(name, value)| (format!("param_{name}"), value.clone())).collect();
    let mut settings = vec![
        ("log_comment", stated.as_str()),
        ("default_format", "JSONEachRow"),
        ("output_format_json_quote_64bit_integers", "0"),
        ("output_format_json_quote_decimals", "0"),
    ];
    settings.extend(parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let answer =
        ground.clickhouse.as_reader(&sql, &settings).await.unwrap_or_else(|problem| panic!("{sql}\n{problem}"));
    answer.lines().map(|line| sorted(&serde_json::from_str(line).expect("a row is JSON"))).collect()
}

/// Creates every view anew without the conditions on the scope that is stated; the comment, by which the server knows
/// it, stays.
async fn remove_fences(ground: &Ground, standalone: &Standalone) {
    for record in standalone.records() {
        let name = record["view"]["name"].as_str().expect("a record names its view");
        let database = &ground.datasets;
        let query = format!(
            "SELECT create_table_query FROM system.tables WHERE database = '{database}' AND name = '{name}' FORMAT TSVRaw"
        );
        let created = ground.clickhouse.sql(query).await;
        let tenant_type = record["scope"]["tenant"]["type"].as_str().expect("a record says the tenant's type");
        let (open, removed) = unfenced(created.trim(), tenant_type);
        let fenced = if ["shop.orders", "shop.shipped"].iter().any(|id| record["id"] == *id) { 2 } else { 1 };
        assert_eq!(removed, fenced, "{created}");
        ground.clickhouse.sql(format!("DROP VIEW {database}.{name} SYNC")).await;
        ground.clickhouse.sql(open).await;
    }
}

/// The statement with each comparison of a tenant column replaced by one that always holds, and owner and space never
/// limited; and how many comparisons there were.
fn unfenced(statement: &str, tenant_type: &str) -> (String, usize) {
    let nobody = match tenant_type {
        "UInt64" => "0",
        "UUID" => "toUUID('00000000-0000-0000-0000-000000000000')",
        _ => "''",
    };
    let mut text =
        statement.replace("'owner') = 'null'", "'owner') != ''").replace("'space') = 'null'", "'space') != ''");
    let mut removed = 0;
    for call in [" = CAST(if(", " = accurateCastOrNull(CAST(if("] {
        let mut from = 0;
        while let Some(found) = text[from..].find(call).map(|offset| from + offset) {
            let start = text[..found].rfind([' ', '(']).map_or(0, |index| index + 1);
            from = found + call.len();
            if text[start..found].starts_with("__t") {
                text.replace_range(start..found + " =".len(), &format!("{nobody} !="));
                from = start;
                removed += 1;
            }
        }
    }
    (text, removed)
}
