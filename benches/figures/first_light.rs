//! The first group of bars (design 10): a small page, a large result, memory, isolation; the time of a publication is
//! `publication`'s.

use std::time::{Duration, Instant};

use analytics_catalog::api::PublicationRecord;
use analytics_catalog::query::{Limits, Scope as QueryScope, Shape, Statement, bind, parse_request};
use serde_json::{Value, json};

use crate::served::Served;
use crate::support::caller::{Caller, Scope};
use crate::support::clickhouse::{Ground, clickhouse};
use crate::support::standalone::Standalone;
use crate::support::{generated, world};
use crate::{Figures, publication, size};

const MOST_KIBIBYTES: u64 = 40 * 1024;

pub async fn figures(figures: &mut Figures) {
    let ground = clickhouse().await.ground().await;
    let rows = size("FIGURES_ROWS", 1_000_000);
    fill(&ground, rows).await;
    let records = {
        let yaml = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/figures/wide.yaml"));
        Standalone::start(&ground, &yaml.expect("a file of this folder"), |_| {}).await.records()
    };
    let direct = Direct::new(&ground, &records[0]);
    let served = Served::start(&ground, &records).await;
    page(figures, &served, &direct).await;
    result(figures, &served, &direct).await;
    drop(served);
    let served = Served::start(&ground, &records).await;
    let bytes = read(request(&Caller::new(&served.url), &large(rows), "large")).await;
    // a row of eight columns is longer
    assert!(bytes > rows * 100, "{bytes} bytes are not {rows} rows");
    memory(figures, &format!("a.2 peak resident memory of {rows} rows"), &served);
    drop(served);
    publication::figure(figures).await;
    isolation(figures).await;
}

/// Tenants of 10,000 rows, of 100,000, and of many.
async fn fill(ground: &Ground, rows: usize) {
    ground
        .sql(
            "CREATE TABLE wow.wide (tenant String, id String, customer String, status LowCardinality(String), \
             quantity UInt64, amount Decimal(18, 2), rate Float64, placed DateTime64(3), shipped Date) \
             ENGINE = MergeTree ORDER BY (tenant, id)",
        )
        .await;
    for (tenant, rows) in [("small", 10_000), ("middle", 100_000), ("large", rows)] {
        ground
            .sql(&format!(
                "INSERT INTO wow.wide SELECT '{tenant}', concat('order-', leftPad(toString(number), 8, '0')), \
                 concat('customer ', toString(number % 977)), ['NEW', 'PAID', 'SHIPPED'][number % 3 + 1], number * 7919, \
                 toDecimal64(number % 10000, 2) / 7, number / 3, fromUnixTimestamp64Milli(toInt64(1700000000000 + number)), \
                 toDate('2026-01-01') + number % 300 FROM numbers({rows})"
            ))
            .await;
    }
}

/// a.1: what the server adds to a page of ten rows (two statements: the total and the rows).
async fn page(figures: &mut Figures, served: &Served, direct: &Direct) {
    let body = json!({
        "filter": { "op": "EQ", "field": "status", "value": "PAID" }, "sort": [{ "field": "id", "direction": "ASC" }],
        "pagination": { "index": 1, "size": 10 },
    });
    let statements = direct.statements(Shape::Paged, &body, "small");
    let caller = Caller::new(&served.url);
    let through = || caller.request("wide", "paged", &Scope::of("small")).body(body.to_string());
    let (mut with, mut without) = (Vec::new(), Vec::new());
    let pairs = size("FIGURES_PAIRS", 1_500);
    for pair in 0..pairs + 200 {
        let mut times = [Duration::ZERO; 2];
        // who is first changes, so that neither finds the caches warmer
        for place in [pair % 2, 1 - pair % 2] {
            let started = Instant::now();
            match place {
                0 => drop(read(through()).await),
                // both at once, as the server sends them
                _ => {
                    let requests = statements.iter().map(|statement| read(direct.request(statement, "small")));
                    futures::future::join_all(requests).await;
                }
            }
            times[place] = started.elapsed();
        }
        if pair >= 200 {
            with.push(times[0]);
            without.push(times[1]);
        }
    }
    let (with, without) = (median(with), median(without));
    let added = with.as_secs_f64() * 1e3 - without.as_secs_f64() * 1e3;
    let value = format!("{added:.2} ms (direct {:.2} ms, {pairs} pairs)", without.as_secs_f64() * 1e3);
    figures.print("a.1 added time of a 10-row page at the median", &value, "1 ms", added <= 1.0);
}

/// a.2: 100,000 rows of eight columns, and the memory that it takes.
async fn result(figures: &mut Figures, served: &Served, direct: &Direct) {
    // all rows that the tenant has, so that both give the same ones without being sorted
    let body = large(100_000);
    let statement = direct.statements(Shape::List, &body, "middle").remove(0);
    let caller = Caller::new(&served.url);
    let (mut with, mut without) = (Vec::new(), Vec::new());
    let runs = size("FIGURES_RUNS", 15);
    let mut bytes = [0; 2];
    for run in 0..runs + 2 {
        let mut times = [Duration::ZERO; 2];
        for place in [run % 2, 1 - run % 2] {
            let started = Instant::now();
            bytes[place] = match place {
                0 => read(request(&caller, &body, "middle")).await,
                _ => read(direct.request(&statement, "middle")).await,
            };
            times[place] = started.elapsed();
        }
        if run >= 2 {
            with.push(times[0]);
            without.push(times[1]);
        }
    }
    // two brackets instead of the last line break
    assert_eq!(bytes[0], bytes[1] + 1, "both give the same rows");
    let (with, without) = (median(with), median(without));
    let ratio = with.as_secs_f64() / without.as_secs_f64();
    let value = format!("{ratio:.2} x direct ({:.0} ms, {runs} pairs)", without.as_secs_f64() * 1e3);
    figures.print("a.2 time of 100,000 rows", &value, "1.3 x", ratio <= 1.3);
    memory(figures, "a.2 peak resident memory of 100,000 rows", served);
}

fn memory(figures: &mut Figures, name: &str, served: &Served) {
    let peak = served.peak_kibibytes();
    figures.print(name, &format!("{:.1} MiB", peak as f64 / 1024.0), "40 MiB", peak <= MOST_KIBIBYTES);
}

/// a.4: foreign rows over generated queries of two tenants.
async fn isolation(figures: &mut Figures) {
    let ground = clickhouse().await.ground().await;
    let datasets = world::create(&ground, ["acme +%2B 'é'", "acme +%2b 'é'"], 150).await;
    let standalone = Standalone::start(&ground, &world::yaml(), |_| {}).await;
    let (queries, seed) = generated::sizes(5_000);
    let outcome = generated::run(&standalone.url, &datasets, queries, seed).await;
    let value = format!("{} of {} rows, {} answers", outcome.foreign, outcome.rows, outcome.answered);
    let holds = outcome.foreign == 0 && outcome.answered >= 5_000.min(queries) && outcome.rows > 0;
    figures.print("a.4 foreign rows over generated queries", &value, "0", holds && outcome.wrong.is_empty());
}

fn large(rows: usize) -> Value {
    json!({ "filter": { "op": "MATCH_ALL" }, "limit": rows })
}

fn request(caller: &Caller, body: &Value, tenant: &str) -> reqwest::RequestBuilder {
    caller.request("wide", "list", &Scope::of(tenant)).body(body.to_string())
}

/// Reads an answer to its end; the number of its bytes.
async fn read(request: reqwest::RequestBuilder) -> usize {
    let mut answer = request.send().await.expect("an answer");
    assert!(answer.status().is_success(), "{}", answer.text().await.unwrap_or_default());
    let mut bytes = 0;
    while let Some(chunk) = answer.chunk().await.expect("the body is whole") {
        bytes += chunk.len();
    }
    bytes
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The same statements sent to ClickHouse itself, as the server sends them.
struct Direct {
    client: reqwest::Client,
    url: String,
    record: PublicationRecord,
    password: &'static str,
}

impl Direct {
    fn new(ground: &Ground, record: &Value) -> Self {
        let [_, (_, password)] = ground.environment();
        Self {
            client: reqwest::Client::builder().tcp_nodelay(true).build().expect("a client"),
            url: ground.clickhouse.url(),
            record: serde_json::from_value(record.clone()).expect("a record"),
            password,
        }
    }

    fn statements(&self, shape: Shape, body: &Value, tenant: &str) -> Vec<Statement> {
        let limits = Limits { max_list_size: 0, ..Limits::default() };
        let request = parse_request(Some(shape), body.to_string().as_bytes(), &limits).expect("a request");
        let scope = QueryScope { tenant: Some(tenant.to_owned()), ..QueryScope::default() };
        let bound = bind(&request, &self.record, &scope, &limits).expect("bound");
        bound.total.into_iter().chain(bound.rows).collect()
    }

    fn request(&self, statement: &Statement, tenant: &str) -> reqwest::RequestBuilder {
        let stated = json!({ "dataset": self.record.id, "version": 1, "tenant": tenant, "owner": null, "space": null });
        let mut settings = vec![
            ("default_format".to_owned(), "JSONEachRow".to_owned()),
            ("query_id".to_owned(), uuid::Uuid::now_v7().to_string()),
            ("log_comment".to_owned(), stated.to_string()),
            ("use_query_cache".to_owned(), "0".to_owned()),
            ("output_format_json_quote_64bit_integers".to_owned(), "0".to_owned()),
            ("output_format_json_quote_decimals".to_owned(), "0".to_owned()),
            ("max_execution_time".to_owned(), "30".to_owned()),
        ];
        settings.extend(statement.parameters.iter().map(|(name, value)| (format!("param_{name}"), value.clone())));
        self.client
            .post(&self.url)
            .query(&settings)
            .header("x-clickhouse-user", "reader")
            .header("x-clickhouse-key", self.password)
            .body(statement.sql.as_str().to_owned())
    }
}
