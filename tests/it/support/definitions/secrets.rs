//! What must not be touched and what must not be shown: rows of another tenant that throw or take long as soon as
//! somebody computes with them, and protected values with a mark.

use std::sync::Arc;
use std::time::{Duration, Instant};

use analytics_catalog::compile::functions;
use analytics_catalog::sql::{Identifier, literal};
use serde_json::json;

use super::check::chance_of;
use super::expected::{self, Scope};
use super::generate::{About, Definition, Generator};
use super::rows::MARK;
use super::value::{Expression, Kind};
use super::world::{View, World};
use crate::support::filters::Chance;

const WORKERS: usize = 2;
/// So many times as long as with harmless rows is an outlier.
const SLOW: u32 = 3;

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    pub definitions: usize,
    /// Statements that were run.
    pub statements: usize,
    /// Those that failed.
    pub errors: usize,
    /// Those that took longer than with harmless rows, again and again.
    pub outliers: usize,
    /// Answers in which a mark was found.
    pub raw: usize,
    /// What is wrong, in words.
    pub wrong: Vec<String>,
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.definitions += other.definitions;
        self.statements += other.statements;
        self.errors += other.errors;
        self.outliers += other.outliers;
        self.raw += other.raw;
        self.wrong.extend(other.wrong);
    }
}

/// Reads each definition over two worlds that differ in the other tenant's rows alone: in the first they are `secret`.
/// Conditions of the reader, which may throw, are added. `change` may spoil the views.
pub async fn foreign(worlds: &[Arc<World>; 2], definitions: usize, seed: u64, change: fn(&str) -> String) -> Outcome {
    let workers = (0..WORKERS).map(|worker| {
        let worlds = worlds.clone();
        tokio::spawn(async move {
            let mut outcome = Outcome::default();
            for number in (worker..definitions).step_by(WORKERS).map(|number| super::first() + number) {
                let mut chance = chance_of(seed, number);
                let definition = drawn(&worlds[0], &mut chance, number);
                let before = outcome.wrong.len();
                if let Err(problem) = of_foreign(&worlds, &mut chance, &definition, change, &mut outcome).await {
                    outcome.errors += 1;
                    outcome.wrong.push(problem);
                }
                outcome.definitions += 1;
                for problem in &mut outcome.wrong[before..] {
                    problem.push_str(&format!("\nseed {seed}, definition {number}:\n{}", worlds[0].shown(&definition)));
                }
            }
            outcome
        })
    });
    sum(workers).await
}

async fn sum(workers: impl Iterator<Item = tokio::task::JoinHandle<Outcome>>) -> Outcome {
    let mut total = Outcome::default();
    for outcome in futures::future::join_all(workers).await {
        total.add(outcome.expect("a worker ends"));
    }
    total
}

fn drawn(world: &World, chance: &mut Chance, number: usize) -> Definition {
    let generator = Generator { tables: &world.tables, about: About::ForeignSecrets, probes: &[] };
    loop {
        let definition = generator.definition(chance, number);
        let scope = Scope { tenant: 0, owner: None, space: None };
        // Texts may grow no more than so many times, and here they grow as much as they may.
        let grows = || world.compile(&definition).is_err_and(|problem| problem.contains("LimitExceeded"));
        if expected::fits(&world.tables, &definition, &scope) && !grows() {
            return definition;
        }
    }
}

async fn of_foreign(
    worlds: &[Arc<World>; 2],
    chance: &mut Chance,
    definition: &Definition,
    change: fn(&str) -> String,
    outcome: &mut Outcome,
) -> Result<(), String> {
    let views = [worlds[0].publish(definition, change).await?, worlds[1].publish(definition, change).await?];
    let conditions = (0..3).map(|_| throwing(chance, &worlds[0], definition));
    for condition in std::iter::once(String::new()).chain(conditions.collect::<Vec<_>>()) {
        outcome.statements += 1;
        let [secret, harmless] = pair(worlds, definition, &views, &condition).await;
        match (secret.0, harmless.0) {
            (Ok(first), Ok(second)) if sorted(&first) == sorted(&second) => {}
            (Ok(first), Ok(second)) => outcome.wrong.push(format!("{condition}: rows differ\n{first}\n{second}")),
            (Err(problem), _) | (_, Err(problem)) => {
                outcome.errors += 1;
                outcome.wrong.push(format!("{condition}: {problem}"));
                continue;
            }
        }
        let mut times = [secret.1, harmless.1];
        // The machine has other work: only what is slow each time is slow.
        for _ in 0..20 {
            if times[0] <= times[1] * SLOW {
                break;
            }
            let [secret, harmless] = pair(worlds, definition, &views, &condition).await;
            times = [times[0].min(secret.1), times[1].min(harmless.1)];
        }
        if times[0] > times[1] * SLOW {
            outcome.outliers += 1;
            outcome.wrong.push(format!("{condition}: {:?} with secrets, {:?} with harmless rows", times[0], times[1]));
        }
    }
    worlds[0].remove(&views[0]).await?;
    worlds[1].remove(&views[1]).await
}

/// The same statement over both worlds, one after the other.
async fn pair(
    worlds: &[Arc<World>; 2],
    definition: &Definition,
    views: &[View; 2],
    condition: &str,
) -> [(Result<String, String>, Duration); 2] {
    let scope = worlds[0].stated(definition, &Scope { tenant: 0, owner: None, space: None });
    let mut results = Vec::new();
    for (world, view) in worlds.iter().zip(views) {
        let query = format!("SELECT * FROM {}{condition} FORMAT JSONCompactEachRow", view.name);
        let started = Instant::now();
        let answer = world.connections.as_reader(&query, &[("log_comment", &scope)]).await;
        results.push((answer, started.elapsed()));
    }
    let harmless = results.pop().expect("there are two");
    [results.pop().expect("there are two"), harmless]
}

fn sorted(answer: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = answer.lines().collect();
    lines.sort_unstable();
    lines
}

/// A condition that holds for every row of the caller, and throws or sleeps on one of the other tenant.
fn throwing(chance: &mut Chance, world: &World, definition: &Definition) -> String {
    let output = chance.one_of(&definition.outputs);
    let column = Identifier::new(&output.name);
    let other_tenant = match output.expression {
        Expression::Column(source, index) => {
            let table = &world.tables[definition.sources[source].1];
            (table.columns[index].field == "tenant").then(|| super::rows::tenants(table.family())[1].clone())
        }
        _ => None,
    };
    let secret = match output.kind {
        _ if other_tenant.is_some() => {
            format!("ifNull(toString({column}), '') = {}", literal::string(&other_tenant.unwrap_or_default()))
        }
        Kind::Text => format!("positionCaseInsensitive(ifNull(toString({column}), ''), 'zzz') > 0"),
        Kind::Whole | Kind::Money => format!("abs(ifNull(toFloat64({column}), 0)) > 100000000"),
        Kind::Day => format!("toYear(ifNull({column}, toDate32('2026-01-01'))) NOT BETWEEN 2000 AND 2100"),
        Kind::List => format!("has({column}, '{}')", super::rows::BOMB),
        Kind::Opaque => unreachable!("the tenant's identifier is the only such output"),
    };
    match chance.below(4) {
        0 => format!(" WHERE throwIf({secret}) = 0"),
        1 => format!(" WHERE intDiv(1, 1 - toUInt8({secret})) = 1"),
        2 => format!(" WHERE toInt32(if({secret}, 'a secret', '1')) = 1"),
        _ => format!(" WHERE if({secret}, sleepEachRow(0.05), 0) = 0"),
    }
}

/// Reads definitions over protected values under every kind of scope, and looks for their mark in all that is answered.
pub async fn protected(world: &Arc<World>, definitions: usize, seed: u64) -> Outcome {
    let probes = Arc::new(functions::probes());
    let workers = (0..WORKERS).map(|worker| {
        let (world, probes) = (Arc::clone(world), Arc::clone(&probes));
        tokio::spawn(async move {
            let mut outcome = Outcome::default();
            let generator = Generator { tables: &world.tables, about: About::Protected, probes: &probes };
            for number in (worker..definitions).step_by(WORKERS).map(|number| super::first() + number) {
                let mut chance = chance_of(seed, number);
                let definition = loop {
                    let definition = generator.definition(&mut chance, number);
                    let all = Scope { tenant: 0, owner: None, space: None };
                    if expected::fits(&world.tables, &definition, &all) && world.compile(&definition).is_ok() {
                        break definition;
                    }
                };
                let before = outcome.wrong.len();
                if let Err(problem) = of_protected(&world, &definition, &mut outcome).await {
                    outcome.errors += 1;
                    outcome.wrong.push(problem);
                }
                outcome.definitions += 1;
                for problem in &mut outcome.wrong[before..] {
                    problem.push_str(&format!("\nseed {seed}, definition {number}:\n{}", world.shown(&definition)));
                }
            }
            outcome
        })
    });
    sum(workers).await
}

async fn of_protected(world: &World, definition: &Definition, outcome: &mut Outcome) -> Result<(), String> {
    let view = world.publish(definition, str::to_owned).await?;
    let own = [0, 1].map(|tenant| world.tenant(definition, tenant));
    let scope = |tenant: &str, owner: Option<&str>, space: Option<&str>| {
        json!({ "tenant": tenant, "owner": owner, "space": space }).to_string()
    };
    let scopes = [
        scope(&own[0], None, None),
        scope(&own[1], None, None),
        scope(&own[0], Some("u-1"), None),
        scope(&own[1], Some(""), Some("s-0")),
        scope("", None, None),
    ];
    for scope in &scopes {
        outcome.statements += 1;
        let query = format!("SELECT * FROM {} LIMIT 500 FORMAT JSONEachRow", view.name);
        let answer = world.connections.as_reader(&query, &[("log_comment", scope)]).await?;
        if let Some(found) = marks().iter().find(|mark| answer.to_lowercase().contains(mark.as_str())) {
            outcome.raw += 1;
            let line = answer.lines().find(|line| line.to_lowercase().contains(found.as_str())).unwrap_or_default();
            outcome.wrong.push(format!("{scope}: {found} in {line}\n{}", view.compiled.select));
        }
    }
    world.remove(&view).await
}

/// Any piece of four characters of the mark, any of seven digits of the number: as they are, backwards, as hexadecimal
/// digits and in base 64; in lower case.
fn marks() -> &'static [String] {
    static MARKS: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| {
        let mut marks = Vec::new();
        let number = super::rows::MARKED_NUMBER.to_string();
        for start in 0..4 {
            for text in [MARK.to_owned(), MARK.to_lowercase(), MARK.chars().rev().collect(), number.clone()] {
                let digits = text.starts_with(|first: char| first.is_ascii_digit());
                let piece = &text[start..start + if digits { 7 } else { 4 }];
                marks.extend([piece.to_lowercase(), piece.chars().rev().collect::<String>().to_lowercase()]);
                marks.push(text[start..start + 6].bytes().map(|byte| format!("{byte:02x}")).collect());
                marks.push(base64(&text[start..start + 6]).to_lowercase());
            }
        }
        marks.push(format!("{:x}", super::rows::MARKED_NUMBER));
        marks
    });
    &MARKS
}

/// Base 64 of a text whose length three divides.
fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let of_three = |bytes: &[u8]| {
        let bits = bytes.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        [18, 12, 6, 0].map(|shift| char::from(DIGITS[bits >> shift & 63]))
    };
    text.as_bytes().chunks(3).flat_map(of_three).collect()
}
