//! Definitions on the real server: the rows of each scope as they must be, and every read cut by the tenant's range of
//! the primary key.

use std::sync::Arc;

use serde_json::Value as Json;

use super::expected::{self, Scope};
use super::generate::{About, Definition, Generator};
use super::value::Value;
use super::world::{View, World};
use crate::support::filters::Chance;

/// Definitions that are worked on at a time.
const WORKERS: usize = 3;

/// The rows of a granule of the tables.
const GRANULE: u64 = 4;

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    pub definitions: usize,
    /// Rows that were read.
    pub rows: usize,
    /// Rows that should not have been there.
    pub foreign: usize,
    /// Rows that should have been there.
    pub missing: usize,
    /// Reads of tables whose key starts with the tenant.
    pub reads: usize,
    /// Those of which the whole table is read.
    pub uncut: usize,
    /// What is wrong, in words.
    pub wrong: Vec<String>,
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.definitions += other.definitions;
        self.rows += other.rows;
        self.foreign += other.foreign;
        self.missing += other.missing;
        self.reads += other.reads;
        self.uncut += other.uncut;
        self.wrong.extend(other.wrong);
    }
}

/// Checks `definitions` definitions; `change` may spoil the views.
pub async fn run(world: &Arc<World>, definitions: usize, seed: u64, change: fn(&str) -> String) -> Outcome {
    let workers = (0..WORKERS).map(|worker| {
        let world = Arc::clone(world);
        tokio::spawn(async move {
            let mut outcome = Outcome::default();
            for number in (worker..definitions).step_by(WORKERS).map(|number| super::first() + number) {
                let mut chance = chance_of(seed, number);
                let definition = drawn(&world, &mut chance, number);
                let before = outcome.wrong.len();
                if let Err(problem) = one(&world, &mut chance, &definition, change, &mut outcome).await {
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
    let mut total = Outcome::default();
    for outcome in futures::future::join_all(workers).await {
        total.add(outcome.expect("a worker ends"));
    }
    total
}

/// The chance of one definition, so that it can be drawn again alone.
pub fn chance_of(seed: u64, number: usize) -> Chance {
    Chance::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64))
}

/// A definition whose rows are not too many.
fn drawn(world: &World, chance: &mut Chance, number: usize) -> Definition {
    let generator = Generator { tables: &world.tables, about: About::Rows, probes: &[] };
    loop {
        let definition = generator.definition(chance, number);
        let all = |tenant| Scope { tenant, owner: None, space: None };
        if [0, 1].iter().all(|tenant| expected::fits(&world.tables, &definition, &all(*tenant))) {
            return definition;
        }
    }
}

async fn one(
    world: &World,
    chance: &mut Chance,
    definition: &Definition,
    change: fn(&str) -> String,
    outcome: &mut Outcome,
) -> Result<(), String> {
    let view = world.publish(definition, change).await?;
    let owner = Some(*chance.one_of(&["u-0", "u-1", "u-2", "", "nobody"]));
    let space = Some(*chance.one_of(&["s-0", "s-1", ""]));
    let either = chance.below(2);
    let scopes = [
        Scope { tenant: 0, owner: None, space: None },
        Scope { tenant: 1, owner: None, space: None },
        Scope { tenant: either, owner, space: None },
        Scope { tenant: 1 - either, owner: if chance.once_in(2) { owner } else { None }, space },
    ];
    for scope in &scopes {
        rows(world, definition, &view, scope, outcome).await?;
    }
    cut(world, definition, &view, &scopes[either], outcome).await?;
    world.remove(&view).await
}

async fn rows(
    world: &World,
    definition: &Definition,
    view: &View,
    scope: &Scope,
    outcome: &mut Outcome,
) -> Result<(), String> {
    let stated = world.stated(definition, scope);
    let settings = [
        ("log_comment", stated.as_str()),
        ("output_format_json_quote_64bit_integers", "0"),
        ("output_format_json_quote_decimals", "0"),
    ];
    let query = format!("SELECT * FROM {} FORMAT JSONCompactEachRow", view.name);
    let answer = world.connections.as_reader(&query, &settings).await.map_err(|error| format!("{stated}: {error}"))?;
    let hidden = view.compiled.view_columns.len() - definition.outputs.len();
    let tenant = view.compiled.view_columns.iter().position(|(name, _)| name == "__tenant");
    let own = world.tenant(definition, scope.tenant);
    let mut actual = Vec::new();
    for line in answer.lines() {
        let row: Vec<Json> = serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?;
        let whose = tenant.map(|place| row[place].as_str().map_or_else(|| row[place].to_string(), str::to_owned));
        if whose.as_ref().is_some_and(|whose| *whose != own) {
            outcome.foreign += 1;
            outcome.wrong.push(format!("{stated}: a row of {whose:?}: {line}"));
        }
        let shown = row[hidden..].iter().zip(&definition.outputs);
        actual.push(shown.map(|(value, output)| Value::read(value, output.kind)).collect::<Vec<_>>());
    }
    let mut expected = expected::rows(&world.tables, definition, scope).unwrap_or_default();
    outcome.rows += actual.len();
    actual.sort();
    expected.sort();
    let (unexpected, missing) = (beyond(&actual, &expected), beyond(&expected, &actual));
    outcome.foreign += unexpected.len();
    outcome.missing += missing.len();
    if let Some(first) = unexpected.first().or(missing.first()) {
        let (more, less) = (unexpected.len(), missing.len());
        let nearest = missing.first();
        outcome.wrong.push(format!(
            "{stated}: {more} rows too many, {less} missing, of {}: {first:?} beside {nearest:?}\n{}",
            expected.len(),
            view.compiled.select
        ));
    }
    Ok(())
}

/// What is in the first sorted list beyond the second.
fn beyond<'a>(first: &'a [Vec<Value>], second: &[Vec<Value>]) -> Vec<&'a Vec<Value>> {
    let mut rest = second.iter().peekable();
    let is_beyond = |row: &&Vec<Value>| {
        while rest.next_if(|other| other < row).is_some() {}
        rest.next_if(|other| other == row).is_none()
    };
    first.iter().filter(is_beyond).collect()
}

/// Looks at the plan of a scope: every read of a table whose key starts with the tenant leaves granules out.
async fn cut(
    world: &World,
    definition: &Definition,
    view: &View,
    scope: &Scope,
    outcome: &mut Outcome,
) -> Result<(), String> {
    let stated = world.stated(definition, scope);
    let query = format!("EXPLAIN indexes = 1, json = 1 SELECT * FROM {} FORMAT TSVRaw", view.name);
    let answer = world.connections.as_reader(&query, &[("log_comment", &stated)]).await?;
    let plan: Json = serde_json::from_str(&answer).map_err(|error| format!("{answer}: {error}"))?;
    let mut reads = Vec::new();
    collect(&plan, &mut reads);
    let mut unknown = Vec::new();
    let granules: u64 = reads.iter().filter_map(|read| Some(read.granules?.1)).sum();
    for (_, place) in &definition.sources {
        let table = &world.tables[*place];
        if !table.tenant_first {
            continue;
        }
        outcome.reads += 1;
        let name = format!("{}.{}", world.ground.wow, table.base());
        let found = reads.iter().position(|read| read.table == name).map(|found| reads.swap_remove(found));
        match found.map(|read| read.granules) {
            Some(Some((all, selected))) if selected < all => {}
            // A condition that never holds: the plan shows no index where nothing is read.
            Some(None) => unknown.push(name),
            _ => {
                outcome.uncut += 1;
                outcome.wrong.push(format!("{stated}: {name} is read whole\n{answer}"));
            }
        }
    }
    if !unknown.is_empty() {
        let query = format!("SELECT * FROM {} FORMAT JSON", view.name);
        let answer = world.connections.as_reader(&query, &[("log_comment", &stated)]).await?;
        let answer: Json = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
        let read = answer["statistics"]["rows_read"].as_u64().unwrap_or(u64::MAX);
        if read > granules * GRANULE {
            outcome.uncut += unknown.len();
            outcome.wrong.push(format!("{stated}: {read} rows are read, and no index is used for {unknown:?}\n{plan}"));
        }
    }
    Ok(())
}

/// One read of a table in a plan, in granules.
struct Read {
    table: String,
    /// All of them, and those that the primary key leaves; none where the plan shows no index.
    granules: Option<(u64, u64)>,
}

fn collect(node: &Json, reads: &mut Vec<Read>) {
    match node {
        Json::Array(items) => items.iter().for_each(|item| collect(item, reads)),
        Json::Object(members) => {
            let number = |index: &Json, name: &str| index[name].as_u64();
            if members.get("Node Type").is_some_and(|kind| kind == "ReadFromMergeTree") {
                let indexes = members.get("Indexes").and_then(Json::as_array);
                let mut by_key = indexes.into_iter().flatten().filter(|index| index["Type"] == "PrimaryKey");
                let granules = by_key
                    .next()
                    .and_then(|index| Some((number(index, "Initial Granules")?, number(index, "Selected Granules")?)));
                let table = members.get("Description").and_then(Json::as_str).unwrap_or_default().to_owned();
                reads.push(Read { table, granules });
            }
            members.values().for_each(|member| collect(member, reads));
        }
        _ => {}
    }
}
