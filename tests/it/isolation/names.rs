//! Tenants whose names an encoding, a comparison or a quoting could take for one another.

use serde_json::{Value, json};

use crate::support::caller::{Caller, Scope};
use crate::support::clickhouse::{Ground, clickhouse};
use crate::support::standalone::Standalone;
use crate::support::world;

fn names() -> Vec<String> {
    let mut names: Vec<String> = [
        "acme",
        "ACME",
        "acme ",
        " acme",
        "acme\0",
        "acme\u{a0}",
        "\u{3000}acme",
        "acme\n",
        "acme\t",
        "acme\r\n",
        "a b",
        "a+b",
        "a%2Bb",
        "a%2bb",
        "a%20b",
        "a%b",
        "%",
        "%%",
        "'",
        "\\",
        "\\'",
        "\\\\",
        "\"acme\"",
        "`",
        "\u{e9}",
        "e\u{301}",
        "用户😀",
        "null",
        "\\N",
        "{st:String}",
        "{\"tenant\":\"acme\"}",
        "\",\"tenant\":\"acme",
        "&log_comment={}",
        "x&log_comment={\"tenant\":\"acme\",\"owner\":null,\"space\":null}",
        "a/b",
        "a?b#c",
        "__tenant",
        "0",
        "00",
        "' OR 1 = 1 -- ",
    ]
    .map(str::to_owned)
    .to_vec();
    names.extend([10_000, 10_001].map(|length| "é+ \\".repeat(length / 5)[..].to_owned() + &"x".repeat(length % 5)));
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn each_name_is_that_tenant_alone() {
    let ground = clickhouse().await.ground().await;
    world::create(&ground, ["filler one", "filler two"], 1).await;
    let names = names();
    fill(&ground, &names).await;
    let standalone = Standalone::start(&ground, &world::yaml(), |_| {}).await;
    let caller = Caller::new(&standalone.url);
    let body = json!({ "filter": { "op": "MATCH_ALL" }, "projection": { "include": ["id"] }, "limit": 100 });
    for (index, name) in names.iter().enumerate() {
        let own = json!([{ "id": format!("row-{index}") }]);
        let (status, rows) = caller.ask("contacts", "list", &Scope::by_path(name), &body).await;
        assert_eq!((status, &rows), (200, &own), "{name:?} in the path");
        let total = caller.ask("contacts", "count", &Scope::by_path(name), &json!({ "op": "MATCH_ALL" })).await;
        assert_eq!(total, (200, json!(1)), "{name:?} in the path");
        // HTTP itself takes spaces and tabs off the ends of a header, and lets no control character in
        let bare = name.trim_matches([' ', '\t']) == name;
        if bare && name.chars().all(|character| !character.is_ascii_control()) {
            let (status, rows) = caller.ask("contacts", "list", &Scope::of(name), &body).await;
            assert_eq!((status, &rows), (200, &own), "{name:?} in the header");
        }
        let narrowed = json!({ "op": "TENANT_ID", "value": name });
        assert_eq!(
            caller.ask("contacts", "count", &Scope::by_path("acme"), &narrowed).await.1,
            json!(usize::from(name == "acme"))
        );
    }
}

/// One row of `contacts` for each tenant.
async fn fill(ground: &Ground, names: &[String]) {
    let row = |(index, name): (usize, &String)| -> Value {
        json!({
            "tenant": name, "owner": "", "space": "", "id": format!("row-{index}"), "email": name, "phone": name, "label": name,
            "tier": "gold",
        })
    };
    let rows: Vec<String> = names.iter().enumerate().map(row).map(|row| row.to_string()).collect();
    ground.clickhouse.sql(format!("INSERT INTO {}.contacts FORMAT JSONEachRow\n{}", ground.crm, rows.join("\n"))).await;
}
