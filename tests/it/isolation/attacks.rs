//! What a caller may try (clickhouse-facts 4, pitfalls A): each is answered as if other tenants did not exist.

use serde_json::{Value, json};

use crate::support::caller::{Caller, Scope};
use crate::support::clickhouse::{Ground, clickhouse};
use crate::support::standalone::Standalone;
use crate::support::world::{self, Dataset};

/// The tenants of these tests.
const NAMES: [&str; 2] = ["acme", "globex"];
const SIZE: usize = 40;

struct Stage {
    ground: Ground,
    datasets: Vec<Dataset>,
    // held: the program ends with it
    _standalone: Standalone,
    caller: Caller,
    url: String,
}

async fn stage() -> Stage {
    let ground = clickhouse().await.ground().await;
    let datasets = world::create(&ground, NAMES, SIZE).await;
    let standalone = Standalone::start(&ground, &world::yaml(), |_| {}).await;
    let url = standalone.url.clone();
    Stage { ground, datasets, caller: Caller::new(&url), _standalone: standalone, url }
}

impl Stage {
    /// The scope of a tenant in the type of a dataset.
    fn scope(&self, dataset: &str, tenant: usize) -> Scope {
        let dataset = self.datasets.iter().find(|one| one.name == dataset).expect("a dataset of the world");
        Scope::of(&dataset.tenants[tenant])
    }

    async fn count(&self, dataset: &str, tenant: usize, filter: &Value) -> (u16, Value) {
        self.caller.ask(dataset, "count", &self.scope(dataset, tenant), filter).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_named_like_the_scope_capture_nothing() {
    let stage = stage().await;
    // in `events` the column `tenant` holds the other tenant's number in every row
    let others = json!({ "op": "EQ", "field": "tenant", "value": "70" });
    assert_eq!(stage.count("events", 0, &others).await, (200, json!(SIZE)));
    assert_eq!(stage.count("events", 1, &others).await, (200, json!(0)));
    for (dataset, field) in
        [("events", "tenant_id"), ("devices", "tenant_id"), ("events", "tenant"), ("events", "state")]
    {
        let (status, rows) = stage
            .caller
            .ask(dataset, "list", &stage.scope(dataset, 0), &json!({
                "filter": { "op": "NOR", "operands": [{ "op": "EQ", "field": field, "value": "nobody" }] }, "limit": 1000,
            }))
            .await;
        assert_eq!((status, rows.as_array().map(Vec::len)), (200, Some(SIZE)), "{dataset}.{field}");
        assert!(!rows.to_string().contains(world::MARKS[1]), "{rows}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_columns_can_be_neither_asked_nor_shown() {
    let stage = stage().await;
    let all = json!({ "op": "MATCH_ALL" });
    for name in ["__tenant", "__owner", "__space", "__q.__tenant", "__v", "__s0", "tenant`", "__tenant.x"] {
        let nested = json!({ "op": "OR", "operands": [all, { "op": "NOR", "operands": [{ "op": "EQ", "field": name, "value": "globex" }] }] });
        for body in [
            json!({ "filter": { "op": "EQ", "field": name, "value": "globex" } }),
            json!({ "filter": nested }),
            json!({ "filter": all, "sort": [{ "field": name, "direction": "ASC" }] }),
            json!({ "filter": all, "projection": { "include": [name] } }),
            json!({ "filter": all, "projection": { "exclude": [name] } }),
        ] {
            let (status, answer) = stage.caller.ask("contacts", "list", &stage.scope("contacts", 0), &body).await;
            assert_eq!(status, 400, "{body} {answer}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_does_not_tell_whether_another_tenant_holds_a_value() {
    let stage = stage().await;
    // what only the other tenant holds, and what nobody holds
    for (dataset, field, held, unheld) in [
        ("contacts", "email", json!("beta@1"), json!("zeta@1")),
        ("contacts", "label", json!("beta label 2"), json!("zeta label 2")),
        ("devices", "tenant_id", json!("beta-3"), json!("zeta-3")),
        ("events", "tenant_id", json!("beta note 3"), json!("zeta note 3")),
        ("shipped", "zone", json!("beta-zone-1"), json!("zeta-zone-1")),
        ("orders", "region", json!("beta-zone-1"), json!("zeta-zone-1")),
    ] {
        for shape in ["EQ", "IN", "NE", "NOT_IN", "CONTAINS", "GTE", "BETWEEN", "ID", "single"] {
            let asked = |value: &Value| match shape {
                "IN" | "NOT_IN" => json!({ "op": shape, "field": field, "values": [value] }),
                "BETWEEN" => json!({ "op": shape, "field": field, "lowerBound": value, "upperBound": value }),
                "ID" => json!({ "op": shape, "value": value }),
                "single" => json!({ "filter": { "op": "EQ", "field": field, "value": value } }),
                _ => json!({ "op": shape, "field": field, "value": value }),
            };
            let route = if shape == "single" { "single" } else { "count" };
            let scope = stage.scope(dataset, 0);
            let first = stage.caller.ask(dataset, route, &scope, &asked(&held)).await;
            let second = stage.caller.ask(dataset, route, &scope, &asked(&unheld)).await;
            // what is refused names the column, not the value
            assert_eq!(first, second, "{dataset}.{field} {shape}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_protected_value_is_refused_at_every_depth() {
    let stage = stage().await;
    let scope = stage.scope("contacts", 0);
    let leaves = [
        json!({ "op": "EQ", "field": "phone", "value": "alpha 555 1" }),
        json!({ "op": "IS_NOT_NULL", "field": "phone" }),
        json!({ "op": "GT", "field": "email", "value": "alpha" }),
        json!({ "op": "STARTS_WITH", "field": "email", "value": "al" }),
        json!({ "op": "CONTAINS", "field": "email", "value": "@" }),
    ];
    for leaf in leaves {
        let mut filter = leaf.clone();
        for depth in 0..12 {
            let (status, answer) = stage.caller.ask("contacts", "count", &scope, &filter).await;
            assert_eq!(status, 400, "depth {depth}: {filter}");
            assert_eq!(answer["bindingErrors"][0]["code"], "PROTECTED_COMPARISON", "{answer}");
            let op = ["NOR", "AND", "OR"][depth % 3];
            filter = json!({ "op": op, "operands": [{ "op": "MATCH_NONE" }, filter] });
        }
    }
    for field in ["email", "phone"] {
        let body = json!({ "filter": { "op": "MATCH_ALL" }, "sort": [{ "field": field, "direction": "ASC" }] });
        assert_eq!(stage.caller.ask("contacts", "list", &scope, &body).await.0, 400, "sort by {field}");
    }
    let (status, rows) =
        stage.caller.ask("contacts", "list", &scope, &json!({ "filter": { "op": "MATCH_ALL" }, "limit": 1000 })).await;
    assert_eq!(status, 200);
    for row in rows.as_array().expect("rows") {
        let text = |name: &str| row[name].as_str().expect("a text").to_owned();
        assert!(text("phone").chars().all(|character| character == '*'), "{row}");
        assert!(text("email").chars().skip(2).all(|character| character == '*'), "{row}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scope_stated_twice_or_beside_the_path_is_refused_and_the_url_states_none() {
    let stage = stage().await;
    let body = r#"{"op":"MATCH_ALL"}"#;
    let send = |request: reqwest::RequestBuilder| async move {
        let answer = request.body(body).send().await.expect("the server answers");
        (answer.status().as_u16(), answer.text().await.expect("a body"))
    };
    let request = |scope: &Scope| stage.caller.request("contacts", "count", scope);
    let own = (200, SIZE.to_string());
    let acme = Scope::of("acme");
    assert_eq!(send(request(&acme)).await, own);
    for (name, value) in [
        ("command-tenant-id", "globex"),
        ("command-tenant-id", "acme"),
        ("command-owner-id", "u-1"),
        ("wow-space-id", "s-1"),
    ] {
        let scope = Scope { owner: Some("u-1".into()), space: Some("s-1".into()), ..acme.clone() };
        assert_eq!(send(request(&scope).header(name, value)).await.0, 400, "{name} twice");
    }
    assert_eq!(send(request(&Scope::by_path("acme")).header("command-tenant-id", "globex")).await.0, 400);
    assert_eq!(send(request(&Scope::by_path("acme")).header("command-tenant-id", "acme")).await, own);
    assert_eq!(send(request(&Scope::by_path(" "))).await.0, 400);
    assert_eq!(send(request(&Scope::of(" "))).await.0, 403);
    assert_eq!(send(request(&Scope::default())).await.0, 403);
    for query in [
        "log_comment=%7B%22tenant%22%3A%22globex%22%2C%22owner%22%3Anull%2C%22space%22%3Anull%7D",
        "param_st=globex",
        "st=globex",
        "tenant=globex",
        "session_id=1",
        "additional_table_filters=1",
        "numbers=string&numbers=string",
        "tenantId=globex",
    ] {
        let url = format!("{}/wow/dataset/shop/contacts/count?{query}", stage.url);
        let request = reqwest::Client::new().post(url).header("content-type", "application/json");
        let answer = send(request.header("command-tenant-id", "acme")).await;
        assert_eq!(answer.0, 400, "{query}: {answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_says_a_thing_twice_is_refused() {
    let stage = stage().await;
    let scope = stage.scope("contacts", 0);
    for body in [
        r#"{"filter":{"op":"MATCH_NONE"},"filter":{"op":"MATCH_ALL"}}"#,
        r#"{"filter":{"op":"MATCH_NONE"},"f\u0069lter":{"op":"MATCH_ALL"}}"#,
        r#"{"filter":{"op":"TENANT_ID","value":"acme","value":"globex"}}"#,
        r#"{"filter":{"op":"MATCH_ALL"},"limit":1,"limit":1000}"#,
        r#"{"filter":{"op":"MATCH_ALL"},"tenant":"globex"}"#,
        r#"{"filter":{"op":"MATCH_ALL"},"log_comment":"{}"}"#,
    ] {
        let (status, answer) = stage.caller.ask_text("contacts", "list", &scope, body).await;
        assert_eq!(status, 400, "{body} {answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_cache_of_the_server_gives_one_tenant_anothers_answer() {
    let stage = stage().await;
    let only_globex = json!({ "op": "EQ", "field": "label", "value": "beta label 2" });
    let holders = stage.datasets[4].rows.iter().filter(|row| row.raw["label"] == "beta label 2").count();
    assert!(holders > 0);
    for round in 0..100 {
        assert_eq!(stage.count("contacts", 0, &only_globex).await, (200, json!(0)), "round {round}");
        assert_eq!(stage.count("contacts", 1, &only_globex).await, (200, json!(holders)), "round {round}");
    }
    // the same without FINAL, where the query-condition cache would be used
    let only_globex = json!({ "op": "EQ", "field": "tenant_id", "value": "beta-3" });
    for round in 0..100 {
        assert_eq!(stage.count("devices", 0, &only_globex).await, (200, json!(0)), "round {round}");
        assert_eq!(stage.count("devices", 1, &only_globex).await, (200, json!(1)), "round {round}");
    }
}

#[tokio::test]
async fn the_readers_account_takes_no_setting_that_could_lift_a_fence() {
    let ground = clickhouse().await.ground().await;
    let statement = "SELECT 1";
    for (name, value) in [
        ("use_query_cache", "1"),
        ("readonly", "0"),
        ("readonly", "2"),
        ("final", "1"),
        ("limit", "1"),
        ("offset", "1"),
        ("additional_result_filter", "1 = 0"),
        ("additional_table_filters", "{'a.b': '1 = 0'}"),
        ("join_use_nulls", "1"),
        ("enable_analyzer", "0"),
        ("max_execution_time", "0"),
        ("max_result_rows", "0"),
        ("result_overflow_mode", "break"),
        ("session_timezone", "Asia/Tokyo"),
        ("http_write_exception_in_output_format", "1"),
        ("query_cache_share_between_users", "1"),
        ("use_query_condition_cache", "0"),
        ("prefer_column_name_to_alias", "1"),
        ("parallel_replicas_custom_key", "1"),
    ] {
        let answer = ground.clickhouse.as_reader(statement, &[(name, value)]).await;
        let codes = ["READONLY", "SETTING_CONSTRAINT_VIOLATION", "UNKNOWN_SETTING"];
        let refused = answer.as_ref().err().is_some_and(|text| codes.iter().any(|code| text.contains(code)));
        assert!(refused, "{name} = {value}: {answer:?}");
    }
    let stage = stage().await;
    let rows = format!("SELECT * FROM {}.ds_shop_contacts_v1 SETTINGS use_query_cache = 1", stage.ground.datasets);
    let scope = [("log_comment", r#"{"tenant":"acme","owner":null,"space":null}"#)];
    assert!(stage.ground.clickhouse.as_reader(&rows, &scope).await.is_err());
}
