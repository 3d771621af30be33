//! The boundary of HTTP: what is answered before any statement is sent. A real server, and a ClickHouse that nobody asks.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use analytics_catalog::api::PublicationRecord;
use analytics_catalog::api::definition::Demand;
use analytics_catalog::api::record::{FORMAT, RecordScope, RecordScopeColumn};
use analytics_catalog::configuration::ServeConfiguration;
use analytics_catalog::server::{self, Registry, ServerState};
use analytics_catalog::telemetry::ServerMetrics;
use jiff::SignedDuration;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_util::sync::CancellationToken;

/// A server of one dataset that is not available; ends with the value.
struct Running {
    address: std::net::SocketAddr,
    client: reqwest::Client,
    _end: tokio_util::sync::DropGuard,
}

impl Running {
    async fn start(adjust: impl FnOnce(&mut ServeConfiguration)) -> Self {
        let mut settings = ServeConfiguration::default();
        adjust(&mut settings);
        // The tenant's demand is not what decides: rows that have a tenant are read within one.
        let tenant = RecordScopeColumn { column_type: "String".to_owned(), demand: Demand::Optional };
        let record = PublicationRecord {
            format: FORMAT,
            id: "shop.orders".to_owned(),
            scope: RecordScope { tenant: Some(tenant), ..RecordScope::default() },
            ..PublicationRecord::default()
        };
        let registry = Arc::new(Registry::new(BTreeMap::new()));
        assert!(registry.replace(vec![record]).await, "nothing has to be read of a dataset that is not available");
        let metrics = ServerMetrics::new(&mut prometheus_client::registry::Registry::default());
        let state = Arc::new(ServerState::new(registry, settings, metrics));
        let (listener, address) = server::listen("127.0.0.1:0").await.expect("a port of the loopback");
        let shutdown = CancellationToken::new();
        tokio::spawn(server::serve(listener, state, shutdown.clone()));
        Self { address, client: reqwest::Client::new(), _end: shutdown.drop_guard() }
    }

    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.client.request(method, format!("http://{}{path}", self.address))
    }

    fn sent_as(&self, media: &str) -> reqwest::RequestBuilder {
        let body = json!({ "filter": { "op": "MATCH_ALL" } }).to_string();
        self.request(Method::POST, "/wow/dataset/shop/orders/list").header("content-type", media).body(body)
    }

    /// A query that is right but for what is added to it.
    fn query(&self) -> reqwest::RequestBuilder {
        self.sent_as("application/json")
    }
}

/// The status of an answer and its error code, which stands in the body and in a header.
async fn problem(request: reqwest::RequestBuilder) -> (u16, String) {
    let answer = request.send().await.expect("the server answers");
    let status = answer.status();
    let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    assert_eq!(header("content-type").as_deref(), Some("application/json"), "{status}");
    let code = header("wow-error-code").expect("every answer has its code");
    let body: Value = answer.json().await.expect("every error is JSON");
    assert_eq!(body["errorCode"], code.as_str(), "{body}");
    assert!(body["errorMsg"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
    (status.as_u16(), code)
}

#[tokio::test]
async fn odd_paths_and_methods_are_answered_as_every_error_is() {
    let server = Running::start(|_| {}).await;
    for (method, path, expected) in [
        (Method::GET, "/", (404, "NotFound")),
        (Method::POST, "/wow/dataset/shop/orders/everything", (404, "NotFound")),
        (Method::POST, "/wow/dataset/shop/orders/", (404, "NotFound")),
        (Method::POST, "/wow/dataset//list", (404, "NotFound")),
        (Method::GET, "/wow/dataset/shop/orders/list", (405, "MethodNotAllowed")),
        (Method::DELETE, "/tenant/t1/wow/dataset/shop/orders/query", (405, "MethodNotAllowed")),
        (Method::POST, "/wow/dataset/shop/%FF/list", (400, "IllegalArgument")),
    ] {
        let (status, code) = problem(server.request(method.clone(), path)).await;
        assert_eq!((status, code.as_str()), expected, "{method} {path}");
    }
}

/// The text of an error.
async fn message(request: reqwest::RequestBuilder) -> (u16, String) {
    let answer = request.send().await.expect("the server answers");
    let status = answer.status().as_u16();
    let body: Value = answer.json().await.expect("every error is JSON");
    (status, body["errorMsg"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn an_option_that_does_not_exist_or_stands_twice_is_refused_with_what_exists() {
    let server = Running::start(|_| {}).await;
    let exists = "there is `numbers=string`, which writes 64-bit numbers and decimals as strings.";
    for (options, expected) in [
        ("nubmers=string", format!("`nubmers` is no option of a query; {exists}")),
        ("numbers=string&limit=5", format!("`limit` is no option of a query; {exists}")),
        ("%22%C3%A4", format!("`\"\u{e4}` is no option of a query; {exists}")),
        ("numbers=text", "The option `numbers` is `string`, or left out.".to_owned()),
        ("numbers", "The option `numbers` is `string`, or left out.".to_owned()),
        ("numbers=string&numbers=string", "The option `numbers` is given twice.".to_owned()),
    ] {
        for path in ["/wow/dataset/shop/orders/list", "/tenant/t1/owner/u-1/wow/dataset/shop/orders/query"] {
            let answer = message(server.request(Method::POST, &format!("{path}?{options}"))).await;
            assert_eq!(answer, (400, expected.clone()), "{options}");
        }
    }
    // With all options in order the request goes on.
    let unasked = (403, "IllegalAccessQueryScope".to_owned());
    let query = |options: &str| {
        let path = format!("/wow/dataset/shop/orders/list{options}");
        let request = server.request(Method::POST, &path).header("content-type", "application/json");
        request.body(r#"{"filter":{"op":"MATCH_ALL"}}"#)
    };
    for options in ["", "?", "?numbers=string"] {
        assert_eq!(problem(query(options)).await, unasked, "{options}");
    }
    let (status, long) = message(query(&format!("?{}=1", "n".repeat(5000)))).await;
    assert!(status == 400 && long.len() < 500, "{status} {long}");
}

#[tokio::test]
async fn what_a_caller_must_state_is_asked_for_before_anything_is_said_of_the_dataset() {
    let server = Running::start(|_| {}).await;
    let code = |found: (u16, String), expected: (u16, &str)| assert_eq!((found.0, found.1.as_str()), expected);
    code(problem(server.query()).await, (403, "IllegalAccessQueryScope"));
    code(problem(server.query().header("command-tenant-id", "t1")).await, (409, "wow.query.dataset-unavailable"));
    code(problem(server.query().header("accept", "text/event-stream")).await, (406, "NotAcceptable"));
    code(problem(server.sent_as("text/plain")).await, (415, "UnsupportedMediaType"));
    code(problem(server.query().header("host", "evil.example")).await, (403, "IllegalArgument"));
    let large =
        server.request(Method::POST, "/wow/dataset/shop/orders/list").header("content-type", "application/json");
    code(problem(large.body(vec![b' '; 1024 * 1024 + 1])).await, (413, "IllegalArgument"));
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_not_waited_for() {
    let server = Running::start(|settings| settings.body_deadline = SignedDuration::from_millis(300)).await;
    let mut stream = tokio::net::TcpStream::connect(server.address).await.expect("the server listens");
    let head = "POST /wow/dataset/shop/orders/list HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 100\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.expect("the head is small");
    let began = Instant::now();
    let mut answer = vec![0; 4096];
    let read = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut answer)).await;
    let length = read.expect("the server waits for ever").expect("the server answers");
    let answer = String::from_utf8_lossy(&answer[..length]);
    let timeout = StatusCode::REQUEST_TIMEOUT.as_u16();
    assert!(answer.starts_with(&format!("HTTP/1.1 {timeout}")) && answer.contains("RequestTimeout"), "{answer}");
    assert!(began.elapsed() >= Duration::from_millis(300));
}
