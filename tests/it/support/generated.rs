//! Generated queries of two tenants, each answer compared with what it must be, in its order (design 10, isolation).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::caller::{Caller, Scope};
use super::filters::{Chance, filter, matches, order};
use super::world::{Asked, Dataset, Row};

/// Connections that ask at a time; each asks for both tenants in turn.
const CONNECTIONS: usize = 6;

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Queries answered with rows or a number.
    pub answered: usize,
    /// Rows returned.
    pub rows: usize,
    /// Rows returned that the caller may not see.
    pub foreign: usize,
    /// Answers that are not what they must be, in words.
    pub wrong: Vec<String>,
}

/// Asks `queries` queries.
pub async fn run(url: &str, datasets: &[Dataset], queries: usize, seed: u64) -> Outcome {
    let connections = (0..CONNECTIONS).map(|connection| async move {
        let (caller, mut chance) = (Caller::new(url), Chance::new(seed.wrapping_add(connection as u64)));
        let mut outcome = Outcome::default();
        for number in 0..queries.div_ceil(CONNECTIONS) {
            one(&caller, &mut chance, datasets, number % 2, &mut outcome).await;
        }
        outcome
    });
    let mut total = Outcome::default();
    for outcome in futures::future::join_all(connections).await {
        total.answered += outcome.answered;
        total.rows += outcome.rows;
        total.foreign += outcome.foreign;
        total.wrong.extend(outcome.wrong);
    }
    total
}

async fn one(caller: &Caller, chance: &mut Chance, datasets: &[Dataset], tenant: usize, outcome: &mut Outcome) {
    let dataset = chance.one_of(datasets);
    let scope = Scope {
        tenant: Some(dataset.tenants[tenant].clone()),
        owner: chance.once_in(3).then(|| format!("u-{}", chance.below(4))),
        space: chance.once_in(3).then(|| format!("s-{}", chance.below(3))),
        in_path: chance.once_in(2),
    };
    let filter = filter(chance, dataset, 3);
    let visible: Vec<&Row> =
        dataset.rows.iter().filter(|row| row.tenant == tenant && is_visible(row, dataset, &scope)).collect();
    let matching: Vec<&Row> = visible.iter().copied().filter(|row| matches(&filter, dataset, row)).collect();
    let (route, body, window) = shaped(chance, dataset, &filter);
    let (status, answer) = caller.ask(dataset.name, route, &scope, &body).await;
    let mut wrong = |what: String| {
        outcome.wrong.push(format!("{what}\n  {} {route} {scope:?}\n  {body}\n  {status} {answer}", dataset.name));
    };
    let returned: Vec<&Map<String, Value>> = match (route, status) {
        ("single" | "snapshot/single", 404) if matching.is_empty() => Vec::new(),
        (_, 200) => match &answer {
            Value::Number(number) => {
                if number.as_u64() != Some(matching.len() as u64) {
                    wrong(format!("the count should be {}", matching.len()));
                }
                Vec::new()
            }
            Value::Array(rows) => rows.iter().filter_map(Value::as_object).collect(),
            Value::Object(page) if route == "paged" => {
                if page["total"].as_u64() != Some(matching.len() as u64) {
                    wrong(format!("the total should be {}", matching.len()));
                }
                page["list"].as_array().into_iter().flatten().filter_map(Value::as_object).collect()
            }
            Value::Object(row) => vec![row],
            _ => return wrong("this is no answer".to_owned()),
        },
        _ => return wrong("the query should be answered".to_owned()),
    };
    let projection = Projection::of(&body);
    let may_see: BTreeSet<String> = visible.iter().map(|row| projection.text(row)).collect();
    let expected: Vec<String> =
        ordered(matching, dataset, &body).skip(window.0).take(window.1).map(|row| projection.text(row)).collect();
    let given: Vec<String> = returned.iter().map(|row| canonical(row)).collect();
    for text in given.iter().filter(|text| !may_see.contains(*text)) {
        outcome.foreign += 1;
        wrong(format!("this row is foreign: {text}"));
    }
    if given != expected {
        let place = given.iter().zip(&expected).position(|(given, expected)| given != expected);
        let at = place.unwrap_or(given.len().min(expected.len()));
        wrong(format!(
            "{} rows should be given, not {}; at {at} there should be {:?}, not {:?}",
            expected.len(),
            given.len(),
            expected.get(at),
            given.get(at)
        ));
    }
    outcome.answered += 1;
    outcome.rows += returned.len();
}

/// The rows in the order asked for: null is the lowest value, texts go by their bytes, and the identity decides last.
fn ordered<'r>(mut rows: Vec<&'r Row>, dataset: &Dataset, body: &Value) -> impl Iterator<Item = &'r Row> {
    let sort = body["sort"].get(0).and_then(|entry| Some((entry["field"].as_str()?, entry["direction"] == "DESC")));
    let compare = |a: &Row, b: &Row, name: &str| match (&a.raw[name], &b.raw[name]) {
        (a, b) if a.is_null() || b.is_null() => b.is_null().cmp(&a.is_null()),
        (a, b) => order(a, b),
    };
    rows.sort_by(|a, b| {
        let asked = sort.map_or(Ordering::Equal, |(name, descending)| {
            let ascending = compare(a, b, name);
            if descending { ascending.reverse() } else { ascending }
        });
        asked.then_with(|| compare(a, b, dataset.identity))
    });
    rows.into_iter()
}

fn is_visible(row: &Row, dataset: &Dataset, scope: &Scope) -> bool {
    let within = |stated: &Option<String>, value: &String| stated.as_ref().is_none_or(|stated| stated == value);
    !dataset.limited || within(&scope.owner, &row.owner) && within(&scope.space, &row.space)
}

/// Route, body, and how many rows are left out and given at most.
fn shaped(chance: &mut Chance, dataset: &Dataset, filter: &Value) -> (&'static str, Value, (usize, usize)) {
    let mut body = json!({ "filter": filter });
    let projected = |chance: &mut Chance, body: &mut Value| {
        let name = |chance: &mut Chance| chance.one_of(&dataset.columns).name;
        match chance.below(4) {
            0 => body["projection"] = json!({ "include": [name(chance), name(chance)] }),
            1 => body["projection"] = json!({ "exclude": [name(chance)] }),
            _ => {}
        }
    };
    let sorted = |chance: &mut Chance, body: &mut Value| {
        let columns: Vec<_> = dataset.columns.iter().filter(|column| column.asked == Asked::Everything).collect();
        if chance.once_in(2) {
            let direction = chance.one_of(&["ASC", "DESC"]);
            body["sort"] = json!([{ "field": chance.one_of(&columns).name, "direction": direction }]);
        }
    };
    match chance.below(4) {
        0 => (if chance.once_in(2) { "count" } else { "snapshot/count" }, filter.clone(), (0, 0)),
        1 => {
            projected(chance, &mut body);
            sorted(chance, &mut body);
            (if chance.once_in(2) { "single" } else { "snapshot/single" }, body, (0, 1))
        }
        2 => {
            let (index, size) = (1 + chance.below(3), 1 + chance.below(40));
            body["pagination"] = json!({ "index": index, "size": size });
            projected(chance, &mut body);
            sorted(chance, &mut body);
            ("paged", body, ((index - 1) * size, size))
        }
        _ => {
            let limit = 1 + chance.below(1000);
            body["limit"] = json!(limit);
            projected(chance, &mut body);
            sorted(chance, &mut body);
            ("list", body, (0, limit))
        }
    }
}

/// Which columns a result has.
struct Projection(Option<Vec<String>>, Vec<String>);

impl Projection {
    fn of(body: &Value) -> Self {
        let names = |name: &str| -> Option<Vec<String>> {
            let names = body["projection"][name].as_array()?.iter();
            Some(names.filter_map(|name| name.as_str().map(str::to_owned)).collect())
        };
        Self(names("include"), names("exclude").unwrap_or_default())
    }

    /// A row as it is returned.
    fn text(&self, row: &Row) -> String {
        let mut shown = row.shown.clone();
        shown
            .retain(|name, _| self.0.as_ref().is_none_or(|included| included.contains(name)) && !self.1.contains(name));
        canonical(&shown)
    }
}

fn canonical(row: &Map<String, Value>) -> String {
    let sorted: BTreeMap<_, _> = row.iter().collect();
    serde_json::to_string(&sorted).expect("names are texts")
}

/// How many queries to ask, and the seed: `ISOLATION_QUERIES` and `ISOLATION_SEED`.
pub fn sizes(queries: usize) -> (usize, u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let queries = number("ISOLATION_QUERIES").and_then(|number| usize::try_from(number).ok()).unwrap_or(queries);
    (queries, number("ISOLATION_SEED").unwrap_or(1))
}
