//! A caller of the query server: one keep-alive connection, a scope, a body, and what came back.
#![allow(dead_code, reason = "each test uses the part that it needs")]

use std::time::Duration;

use reqwest::header::HeaderValue;
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(60);

/// Who asks, and how he says so.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub tenant: Option<String>,
    pub owner: Option<String>,
    pub space: Option<String>,
    /// Whether tenant and owner stand in the path; a space never does.
    pub in_path: bool,
}

impl Scope {
    /// A tenant, without further limits, in a header.
    pub fn of(tenant: &str) -> Self {
        Self { tenant: Some(tenant.to_owned()), ..Self::default() }
    }

    /// The same in the path.
    pub fn by_path(tenant: &str) -> Self {
        Self { in_path: true, ..Self::of(tenant) }
    }
}

/// A caller with connections of his own.
#[derive(Clone)]
pub struct Caller {
    client: reqwest::Client,
    url: String,
}

impl Caller {
    /// A caller of the server at a URL.
    pub fn new(url: &str) -> Self {
        let client = reqwest::Client::builder().timeout(PATIENCE).tcp_nodelay(true).build();
        Self { client: client.expect("a client without options cannot fail"), url: url.to_owned() }
    }

    /// A request to a route such as `count` of a dataset of the context `shop`.
    pub fn request(&self, dataset: &str, route: &str, scope: &Scope) -> reqwest::RequestBuilder {
        let mut path = String::new();
        let mut headers: Vec<(&'static str, &Option<String>)> = vec![("wow-space-id", &scope.space)];
        for (word, header, part) in
            [("tenant", "command-tenant-id", &scope.tenant), ("owner", "command-owner-id", &scope.owner)]
        {
            match part {
                Some(text) if scope.in_path => path.push_str(&format!("/{word}/{}", encoded(text))),
                _ => headers.push((header, part)),
            }
        }
        let url = format!("{}{path}/wow/dataset/shop/{dataset}/{route}", self.url);
        let mut request = self.client.post(url).header("content-type", "application/json");
        for (name, part) in headers {
            if let Some(text) = part {
                request = request.header(name, HeaderValue::from_bytes(text.as_bytes()).expect("a header's text"));
            }
        }
        request
    }

    /// Asks, and gives status and body.
    pub async fn ask_text(&self, dataset: &str, route: &str, scope: &Scope, body: &str) -> (u16, String) {
        let answer = self.request(dataset, route, scope).body(body.to_owned()).send().await;
        let answer = answer.expect("the server answers");
        (answer.status().as_u16(), answer.text().await.expect("the body is whole"))
    }

    /// Asks, and gives status and body as JSON.
    pub async fn ask(&self, dataset: &str, route: &str, scope: &Scope, body: &Value) -> (u16, Value) {
        let (status, text) = self.ask_text(dataset, route, scope, &body.to_string()).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }
}

/// A text as one segment of a path.
pub fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
