//! What breaks while rows flow: never a part for the whole, never a word of the engine, never a query left behind
//! (design 6.3, pitfalls A9 and F4).

use std::time::{Duration, Instant};

use futures::StreamExt as _;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use crate::support::caller::{Caller, Scope};
use crate::support::clickhouse::{Ground, clickhouse};
use crate::support::proxy::Proxy;
use crate::support::standalone::Standalone;
use crate::support::world::{self, Dataset};

const PATIENCE: Duration = Duration::from_secs(30);
/// The devices again, without an identity: rows are given as they are read, not sorted first.
const STREAM: &str = r#"
---
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: { name: shop-stream }
spec:
  context: shop
  name: stream
  definition:
    sources: [{ alias: d, sourceId: "default:wow:devices" }]
    subject: d
    columns:
      - { name: text, from: d.serial }
      - { name: "n", from: d.n }
"#;

async fn start(adjust: impl FnOnce(&mut Value)) -> (Ground, Vec<Dataset>, Standalone) {
    let ground = clickhouse().await.ground().await;
    let datasets = world::create(&ground, ["acme", "globex"], 20).await;
    let standalone = Standalone::start(&ground, &format!("{}{STREAM}", world::yaml()), |configuration| {
        configuration["serve"]["limits"] = json!({ "maxListSize": 0 });
        adjust(configuration);
    })
    .await;
    (ground, datasets, standalone)
}

/// Has the view of `shop.stream` give `rows` rows with `n` computed in each block by an expression over `number`.
async fn replace_view(ground: &Ground, tenant: &str, n: &str, rows: u64) {
    let name = format!("{}.ds_shop_stream_v1", ground.datasets);
    let comment = format!(
        "SELECT comment FROM system.tables WHERE database = '{}' AND name = 'ds_shop_stream_v1' FORMAT TSVRaw",
        ground.datasets
    );
    let comment = ground.clickhouse.sql(comment).await;
    ground.clickhouse.sql(format!("DROP VIEW {name} SYNC")).await;
    let create = format!(
        "CREATE VIEW {name} (`__tenant` UUID, `text` String, `n` Nullable(Int64)) DEFINER = catalog SQL SECURITY DEFINER \
         COMMENT '{}' AS SELECT toUUID('{tenant}') AS __tenant, concat('row ', toString(number)) AS text, {n} AS n \
         FROM numbers({rows})",
        comment.trim()
    );
    ground.clickhouse.sql(create).await;
}

/// Reads a list to its end; the text that arrived, and whether the body was whole.
async fn read(caller: &Caller, scope: &Scope) -> (u16, String, bool) {
    let body = json!({ "filter": { "op": "MATCH_ALL" }, "limit": 100_000_000 }).to_string();
    let answer = caller.request("stream", "list", scope).body(body).send().await.expect("the server answers");
    let status = answer.status().as_u16();
    let (mut text, mut chunks, mut whole) = (Vec::new(), answer.bytes_stream(), true);
    while let Some(chunk) = chunks.next().await {
        match chunk {
            Ok(chunk) => text.extend_from_slice(&chunk),
            Err(_) => whole = false,
        }
    }
    (status, String::from_utf8_lossy(&text).into_owned(), whole)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_after_the_first_rows_breaks_the_body_and_says_nothing() {
    let (ground, datasets, standalone) = start(|_| {}).await;
    let scope = Scope::of(&datasets[3].tenants[0]);
    let caller = Caller::new(&standalone.url);
    let failing = "toInt64(throwIf(number >= 900000, 'SECRET of the engine')) + toInt64(sleep(0.1))";
    replace_view(&ground, &datasets[3].tenants[0], failing, 1_000_000).await;
    let (status, text, whole) = read(&caller, &scope).await;
    assert_eq!(status, 200);
    assert!(!whole, "the body looks whole, and is a part");
    assert!(text.starts_with("[{\"text\":\"row 0\"") && text.len() > 100_000, "rows flowed first");
    for word in ["SECRET", "exception", "Code:", "throwIf", "\r"] {
        assert!(!text.contains(word), "`{word}` reached the caller");
    }
    let log = standalone.log();
    assert!(log.contains("broken off") && log.contains("dataset=shop.stream"), "{log}");
    assert!(!log.contains("SECRET"), "the engine's words hold values of callers and rows: {log}");
    // the same failure before the first row has a status, and as few words
    let single = json!({ "op": "GT", "field": "n", "value": -1 });
    let (status, answer) = caller.ask("stream", "count", &scope, &single).await;
    assert_eq!(status, 500);
    assert!(!answer.to_string().contains("SECRET"), "{answer}");
    assert!(
        standalone.log().contains("a query failed") && !standalone.log().contains("SECRET"),
        "{}",
        standalone.log()
    );
}

/// As the client reads it, the server's exception stands whole at the end of one piece. On a real wire it may not.
#[tokio::test(flavor = "multi_thread")]
async fn an_exception_that_arrives_in_pieces_is_never_taken_for_rows() {
    let proxy = Proxy::breaking(&clickhouse().await.url(), "__exception__").await;
    let url = proxy.url();
    let (ground, datasets, standalone) = start(|configuration| {
        configuration["connections"]["default"]["url"] = json!(url);
    })
    .await;
    let failing = "toInt64(throwIf(number >= 900000, 'SECRET of the engine')) + toInt64(sleep(0.1))";
    replace_view(&ground, &datasets[3].tenants[0], failing, 1_000_000).await;
    let (status, text, whole) = read(&Caller::new(&standalone.url), &Scope::of(&datasets[3].tenants[0])).await;
    assert_eq!((status, whole), (200, false));
    assert!(text.starts_with("[{\"text\":\"row 0\"") && text.len() > 100_000, "rows flowed first");
    for word in ["SECRET", "__ex", "Code:", "\r"] {
        assert!(!text.contains(word), "`{word}` reached the caller");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_stops_coming_is_broken_off() {
    let proxy = Proxy::start(&clickhouse().await.url()).await;
    let url = proxy.url();
    let (ground, datasets, standalone) = start(|configuration| {
        configuration["connections"]["default"]["url"] = json!(url);
        configuration["serve"]["idleTimeout"] = json!("1s");
    })
    .await;
    let scope = Scope::of(&datasets[3].tenants[0]);
    replace_view(&ground, &datasets[3].tenants[0], "toInt64(sleep(0.1))", 1_000_000_000).await;
    let caller = Caller::new(&standalone.url);
    let body = json!({ "filter": { "op": "MATCH_ALL" }, "limit": 100_000_000 }).to_string();
    let answer = caller.request("stream", "list", &scope).body(body).send().await.expect("the server answers");
    assert_eq!(answer.status().as_u16(), 200);
    proxy.hold();
    let began = Instant::now();
    let broken = async { answer.bytes_stream().any(|chunk| async move { chunk.is_err() }).await };
    let broken = tokio::time::timeout(PATIENCE, broken).await.expect("nothing came, and the caller was let wait");
    assert!(broken, "the body looks whole, and is a part");
    assert!(began.elapsed() >= Duration::from_millis(900), "{:?}", began.elapsed());
    proxy.open();
    let (status, answer) =
        caller.ask("stream", "list", &scope, &json!({ "filter": { "op": "MATCH_ALL" }, "limit": 1 })).await;
    assert_eq!(status, 200, "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_takes_the_places_of_both_its_statements() {
    let (ground, datasets, standalone) = start(|configuration| {
        configuration["serve"]["maxConcurrent"] = json!(2);
        configuration["serve"]["queueWait"] = json!("30s");
    })
    .await;
    let scope = Scope::of(&datasets[3].tenants[0]);
    // Each statement runs for a second and a half.
    replace_view(&ground, &datasets[3].tenants[0], "toInt64(sleep(0.3))", 300_000).await;
    let body = json!({ "filter": { "op": "GT", "field": "n", "value": -1 } });
    let pages = (0..3).map(|_| async {
        let (status, answer) = Caller::new(&standalone.url).ask("stream", "paged", &scope, &body).await;
        assert_eq!((status, &answer["total"]), (200, &json!(300_000)), "{answer}");
    });
    let mut most = 0;
    let watching = async {
        loop {
            most = most.max(running(&ground).await);
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    };
    tokio::select! { _ = futures::future::join_all(pages) => {}, () = watching => {} }
    assert_eq!(most, 2, "statements ran at a time");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_reached_is_one_error_before_rows_and_a_broken_body_after() {
    let (ground, datasets, standalone) = start(|configuration| {
        configuration["serve"]["maxExecutionTime"] = json!("1500ms");
    })
    .await;
    let scope = Scope::of(&datasets[3].tenants[0]);
    replace_view(&ground, &datasets[3].tenants[0], "toInt64(sleep(0.2))", 100_000_000).await;
    let caller = Caller::new(&standalone.url);
    let (status, text, whole) = read(&caller, &scope).await;
    assert_eq!((status, whole), (200, false));
    assert!(!text.contains("TIMEOUT") && !text.contains("Code:"));
    let (status, answer) =
        caller.ask("stream", "count", &scope, &json!({ "op": "GT", "field": "n", "value": -1 })).await;
    assert_eq!((status, &answer["errorCode"]), (408, &json!("RequestTimeout")), "{answer}");
    // Whatever was sent can be found again in ClickHouse's own log, a number and a failure too.
    for (filter, expected) in
        [(json!({ "op": "MATCH_NONE" }), 200), (json!({ "op": "GT", "field": "n", "value": -1 }), 408)]
    {
        let answer = caller.request("stream", "count", &scope).body(filter.to_string()).send().await;
        let answer = answer.expect("the server answers");
        assert_eq!(answer.status().as_u16(), expected);
        let id = answer.headers().get("wow-query-id").and_then(|id| id.to_str().ok()).unwrap_or_default();
        assert!(uuid::Uuid::parse_str(id).is_ok(), "`{id}` of {expected}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_goes_away_takes_his_query_with_him() {
    let (ground, datasets, standalone) = start(|_| {}).await;
    let scope = Scope::of(&datasets[3].tenants[0]);
    replace_view(&ground, &datasets[3].tenants[0], "toInt64(sleep(0.2))", 1_000_000_000).await;
    for (route, body) in [
        ("count", json!({ "op": "GT", "field": "n", "value": -1 })),
        ("list", json!({ "filter": { "op": "MATCH_ALL" }, "limit": 100_000_000 })),
    ] {
        let caller = Caller::new(&standalone.url);
        let request = caller.request("stream", route, &scope).body(body.to_string());
        let asking = tokio::spawn(async move {
            let answer = request.send().await.expect("the server answers");
            answer.bytes_stream().for_each(|_| async {}).await;
        });
        wait_for(&ground, 1, "the query runs").await;
        asking.abort();
        drop(caller);
        wait_for(&ground, 0, "the query ends with its caller").await;
    }
}

/// Waits until so many queries of the reader run on this test's views.
async fn wait_for(ground: &Ground, wanted: u64, what: &str) {
    let started = Instant::now();
    loop {
        let running = running(ground).await;
        if running == wanted {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "{what}: {running} after {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// How many queries of the reader run on this test's views.
async fn running(ground: &Ground) -> u64 {
    let statement = format!(
        "SELECT count() FROM system.processes WHERE user = 'reader' AND position(query, '{}') > 0",
        ground.datasets
    );
    ground.clickhouse.sql(statement).await.trim().parse().expect("a count is a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_lost_connection_nobody_gets_anothers_rows() {
    let proxy = Proxy::start(&clickhouse().await.url()).await;
    let url = proxy.url();
    let (_ground, _datasets, standalone) = start(|configuration| {
        configuration["connections"]["default"]["url"] = json!(url);
        configuration["serve"]["maxExecutionTime"] = json!("1s");
    })
    .await;
    let caller = Caller::new(&standalone.url);
    let body = json!({ "filter": { "op": "MATCH_ALL" }, "projection": { "include": ["label"] }, "limit": 1000 });
    let mut unavailable = 0;
    for round in 0..20 {
        for (name, mark, other) in [("acme", "alpha", "beta"), ("globex", "beta", "alpha")] {
            let (status, rows) = caller.ask("contacts", "list", &Scope::of(name), &body).await;
            assert_eq!(status, 200, "round {round}: {rows}");
            assert!(rows.to_string().contains(mark) && !rows.to_string().contains(other), "round {round}: {rows}");
        }
        proxy.cut().await;
        let (status, answer) = caller.ask("contacts", "list", &Scope::of("globex"), &body).await;
        // A query that is handed to a connection just as it ends may be lost inside the HTTP client, which then waits for
        // ever (hyper issue 4122): the server's own deadline answers it, as any query that hears nothing.
        let code = answer["errorCode"].as_str().unwrap_or_default();
        assert!(
            [(503, "wow.query.unavailable"), (408, "RequestTimeout")].contains(&(status, code)),
            "{round}: {answer}"
        );
        unavailable += u32::from(status == 503);
        proxy.open();
    }
    assert!(unavailable >= 10, "a lost connection is not said: {unavailable} of 20");
}

/// A caller who asks for much and reads nothing.
async fn ask_and_stop_reading(standalone: &Standalone, tenant: &str) -> tokio::net::TcpStream {
    let address = standalone.url.trim_start_matches("http://");
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("the server listens");
    let body = r#"{"filter":{"op":"MATCH_ALL"},"limit":100000000}"#;
    let request = format!(
        "POST /wow/dataset/shop/stream/list HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Command-Tenant-Id: {tenant}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("the request is small");
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_who_does_not_read_loses_his_place() {
    let (ground, datasets, standalone) = start(|configuration| {
        configuration["serve"]["maxConcurrent"] = json!(1);
        configuration["serve"]["queueWait"] = json!("100ms");
        configuration["serve"]["writeDeadline"] = json!("2s");
    })
    .await;
    let tenant = datasets[3].tenants[0].clone();
    replace_view(&ground, &tenant, "toInt64(number)", 100_000_000).await;
    let idle = ask_and_stop_reading(&standalone, &tenant).await;
    let caller = Caller::new(&standalone.url);
    let one = json!({"filter": {"op": "MATCH_ALL"}, "limit": 1});
    let began = Instant::now();
    let mut refused = 0;
    loop {
        match caller.ask("stream", "list", &Scope::of(&tenant), &one).await {
            (200, _) if refused > 0 => break,
            // The idle one has not taken the place yet.
            (200, _) => {}
            (429, _) => refused += 1,
            other => panic!("{other:?}"),
        }
        assert!(began.elapsed() < PATIENCE, "the place was never given back");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(idle);
}
