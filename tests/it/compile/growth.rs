//! Growth of exposure against a model of its own: small tables are joined and filtered by hand, and what a definition
//! shows of them is compared with what another shows. Where the model finds more, a reason must be given.

use std::collections::{BTreeMap, BTreeSet};

use analytics_catalog::catalog::{Catalog, Table, TableColumn};
use analytics_catalog::compile::{CompileInput, Exposure, SourceInForce, compile, lines};
use serde_json::{Value, json};

use crate::support::filters::Chance;

/// Pairs of definitions that are compared.
const PAIRS: usize = 1_000;
/// Contents of the tables that each pair is tried on.
const CONTENTS: usize = 40;
/// The sources; the first is the subject's.
const SOURCES: [&str; 3] = ["orders", "people", "places"];
/// The columns of each; the last two are protected.
const COLUMNS: [&str; 5] = ["k", "j", "r", "name", "mail"];
/// The values that occur.
const VALUES: [Option<&str>; 3] = [Some("a"), Some("b"), None];

/// A value of a read: its place among the reads, and the column.
type Place = (usize, usize);

#[derive(Clone, Debug)]
struct Join {
    source: usize,
    left: bool,
    /// What each key compares, and the column of the joined source.
    keys: Vec<(Place, usize)>,
}

#[derive(Clone, Debug)]
enum Test {
    Is(Place, &'static str),
    IsNot(Place, &'static str),
    Missing(Place),
    Either(Box<Test>, Box<Test>),
    Both(Box<Test>, Box<Test>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    Plain,
    Public,
    Computed,
}

#[derive(Clone, Debug)]
struct Definition {
    joins: Vec<Join>,
    filters: Vec<Test>,
    columns: Vec<(Shown, Place)>,
    /// What all names start with.
    prefix: &'static str,
}

fn protected(column: usize) -> bool {
    column >= 3
}

#[test]
fn nothing_that_shows_more_passes_without_a_reason() {
    let mut chance = Chance::new(7);
    let (mut more, mut asked_for_nothing) = (0, 0);
    for number in 0..PAIRS {
        let before = Definition::random(&mut chance);
        let mut after = before.clone();
        for _ in 0..=chance.below(2) {
            after.change(&mut chance);
        }
        let (then, now) = (before.exposure(), after.exposure());
        let growth = now.growth_over(Some(&then));
        assert_eq!(now.growth_over(Some(&now)), Vec::<String>::new(), "{number}: over itself: {after:?}");
        let renamed = Definition { prefix: "other", ..after.clone() }.exposure();
        assert_eq!(renamed.growth_over(Some(&now)), Vec::<String>::new(), "{number}: renamed: {after:?}");
        let found = after.shows_more_than(&before, &mut chance);
        match (found, growth.is_empty()) {
            (Some(what), true) => panic!("{number}: {what}, and no reason was given\n{before:?}\n{after:?}"),
            (Some(_), false) => more += 1,
            (None, false) => asked_for_nothing += 1,
            (None, true) => {}
        }
    }
    println!("{PAIRS} pairs, {more} show more, {asked_for_nothing} have a reason that the model does not find");
    assert!(more > PAIRS / 5, "{more}");
}

impl Definition {
    fn random(chance: &mut Chance) -> Self {
        let mut definition = Self { joins: Vec::new(), filters: Vec::new(), columns: Vec::new(), prefix: "one" };
        for _ in 0..chance.below(3) {
            definition.add_join(chance);
        }
        for _ in 0..chance.below(3) {
            definition.add_filter(chance);
        }
        for _ in 0..1 + chance.below(3) {
            definition.add_column(chance);
        }
        definition
    }

    fn place(&self, chance: &mut Chance) -> Place {
        (chance.below(self.joins.len() + 1), chance.below(COLUMNS.len()))
    }

    fn add_join(&mut self, chance: &mut Chance) {
        let keys = (0..=chance.below(2)).map(|_| (self.place(chance), chance.below(3))).collect();
        self.joins.push(Join { source: 1 + chance.below(2), left: chance.once_in(2), keys });
    }

    fn add_filter(&mut self, chance: &mut Chance) {
        let test = self.test(chance, 2);
        self.filters.push(test);
    }

    fn add_column(&mut self, chance: &mut Chance) {
        let shown = *chance.one_of(&[Shown::Plain, Shown::Plain, Shown::Plain, Shown::Public, Shown::Computed]);
        let place = self.place(chance);
        self.columns.push((shown, place));
    }

    fn test(&self, chance: &mut Chance, depth: usize) -> Test {
        let value = *chance.one_of(&["a", "b"]);
        match chance.below(if depth == 0 { 3 } else { 5 }) {
            0 => Test::Is(self.place(chance), value),
            1 => Test::IsNot(self.place(chance), value),
            2 => Test::Missing(self.place(chance)),
            3 => Test::Either(Box::new(self.test(chance, depth - 1)), Box::new(self.test(chance, depth - 1))),
            _ => Test::Both(Box::new(self.test(chance, depth - 1)), Box::new(self.test(chance, depth - 1))),
        }
    }

    /// One edit. What reads a join that is gone goes with it.
    fn change(&mut self, chance: &mut Chance) {
        match chance.below(10) {
            0 => self.add_join(chance),
            1 => self.add_filter(chance),
            2 => self.add_column(chance),
            3 if !self.joins.is_empty() => self.remove_join(chance.below(self.joins.len())),
            4 if !self.filters.is_empty() => drop(self.filters.remove(chance.below(self.filters.len()))),
            5 if !self.filters.is_empty() => {
                let (index, other) = (chance.below(self.filters.len()), self.test(chance, 1));
                let test = self.filters[index].clone();
                self.filters[index] = match chance.once_in(2) {
                    true => Test::Either(Box::new(test), Box::new(other)),
                    false => Test::Both(Box::new(test), Box::new(other)),
                };
            }
            6 if !self.joins.is_empty() => {
                let index = chance.below(self.joins.len());
                self.joins[index].left = !self.joins[index].left;
            }
            7 if !self.joins.is_empty() => {
                let index = chance.below(self.joins.len());
                let key = ((chance.below(index + 1), chance.below(COLUMNS.len())), chance.below(3));
                let keys = &mut self.joins[index].keys;
                match keys.len() > 1 && chance.once_in(2) {
                    true => keys.truncate(keys.len() - 1),
                    false => keys.push(key),
                }
            }
            8 => {
                let index = chance.below(self.columns.len());
                self.columns[index].1 = self.place(chance);
            }
            _ => {
                let index = chance.below(self.columns.len());
                self.columns[index].0 = *chance.one_of(&[Shown::Plain, Shown::Public, Shown::Computed]);
            }
        }
    }

    fn remove_join(&mut self, index: usize) {
        let gone = index + 1;
        let kept = |place: Place| place.0 < gone;
        self.joins.truncate(index);
        self.filters.retain(|test| test.places().into_iter().all(kept));
        self.columns.retain(|(_, place)| kept(*place));
        if self.columns.is_empty() {
            self.columns.push((Shown::Plain, (0, 3)));
        }
    }

    /// The source and how many reads of it there are up to this one: what tells reads apart, whatever they are called.
    fn label(&self, read: usize) -> (usize, usize) {
        let source = |read: usize| if read == 0 { 0 } else { self.joins[read - 1].source };
        (source(read), (0..=read).filter(|other| source(*other) == source(read)).count())
    }

    /// What it reads of protected values, beyond showing them as their source does.
    fn readings(&self) -> BTreeSet<String> {
        let place = |place: &Place| format!("{:?}.{}", self.label(place.0), COLUMNS[place.1]);
        let columns = self.columns.iter().filter(|(shown, at)| *shown != Shown::Plain && protected(at.1));
        let columns = columns.map(|(shown, at)| format!("{shown:?} {}", place(at)));
        let conditions = self.filters.iter().flat_map(Test::conditions);
        let conditions = conditions.filter(|test| test.places().iter().any(|at| protected(at.1)));
        let conditions = conditions.map(|test| test.written(&place));
        let keys = self.joins.iter().enumerate().flat_map(|(index, join)| {
            let keys = join.keys.iter().filter(|(left, right)| protected(left.1) || protected(*right));
            keys.map(move |(left, right)| format!("{} = {}", place(left), place(&(index + 1, *right))))
                .collect::<Vec<_>>()
        });
        columns.chain(conditions).chain(keys).collect()
    }

    fn shows_more_than(&self, before: &Self, chance: &mut Chance) -> Option<String> {
        if let Some(reading) = self.readings().difference(&before.readings()).next() {
            return Some(format!("it reads {reading}"));
        }
        let shows = |read: &usize| self.columns.iter().any(|(_, place)| place.0 == *read && protected(place.1));
        let labels: Vec<(usize, usize)> = (0..=self.joins.len()).filter(shows).map(|read| self.label(read)).collect();
        for _ in 0..CONTENTS {
            let contents: Vec<Vec<Row>> = SOURCES.iter().map(|_| (0..3).map(|_| row(chance)).collect()).collect();
            let (then, now) = (before.visible(&contents), self.visible(&contents));
            for label in &labels {
                let (Some(then), Some(now)) = (then.get(label), now.get(label)) else { continue };
                if !now.is_subset(then) {
                    return Some(format!("it shows rows {now:?} of {label:?}, not {then:?}, of {contents:?}"));
                }
            }
        }
        None
    }

    /// The rows of each read that appear in a result.
    fn visible(&self, contents: &[Vec<Row>]) -> BTreeMap<(usize, usize), BTreeSet<usize>> {
        let mut results: Vec<Vec<Option<usize>>> = (0..contents[0].len()).map(|row| vec![Some(row)]).collect();
        for join in &self.joins {
            let mut joined = Vec::new();
            for result in results {
                let matches = contents[join.source].iter().enumerate().filter(|(_, right)| {
                    join.keys.iter().all(|(left, column)| {
                        let left = self.value(contents, &result, *left);
                        left.is_some() && left == right[*column]
                    })
                });
                let matches: Vec<usize> = matches.map(|(index, _)| index).collect();
                if matches.is_empty() && join.left {
                    joined.push([result.as_slice(), &[None]].concat());
                }
                joined.extend(matches.into_iter().map(|row| [result.as_slice(), &[Some(row)]].concat()));
            }
            results = joined;
        }
        results
            .retain(|result| self.filters.iter().all(|test| test.holds(&|place| self.value(contents, result, place))));
        let rows = |read: usize| results.iter().filter_map(|result| result[read]).collect();
        (0..=self.joins.len()).map(|read| (self.label(read), rows(read))).collect()
    }

    fn value(&self, contents: &[Vec<Row>], result: &[Option<usize>], (read, column): Place) -> Option<&'static str> {
        contents[self.label(read).0][result[read]?][column]
    }

    fn exposure(&self) -> Exposure {
        let alias = |read: usize| format!("{}{read}", self.prefix);
        let place = |place: &Place| format!("{}.{}", alias(place.0), COLUMNS[place.1]);
        let source = |read: usize, source: usize| json!({ "alias": alias(read), "sourceId": format!("default:wow:{}", SOURCES[source]) });
        let joined = self.joins.iter().enumerate().map(|(index, join)| source(index + 1, join.source));
        let sources: Vec<Value> = std::iter::once(source(0, 0)).chain(joined).collect();
        let joins: Vec<Value> = (self.joins.iter().enumerate())
            .map(|(index, join)| {
                let key = |(left, right): &(Place, usize)| json!({ "left": place(left), "right": place(&(index + 1, *right)) });
                let keys: Vec<Value> = join.keys.iter().map(key).collect();
                json!({ "alias": alias(index + 1), "kind": if join.left { "Left" } else { "Inner" }, "on": keys, "cardinality": "Many" })
            })
            .collect();
        let columns: Vec<Value> = (self.columns.iter().enumerate())
            .map(|(index, (shown, at))| {
                let name = format!("{}{index}", self.prefix);
                match shown {
                    Shown::Plain => json!({ "name": name, "from": place(at) }),
                    Shown::Public => json!({ "name": name, "from": place(at), "sensitivity": { "level": "Public" } }),
                    Shown::Computed => json!({ "name": name, "expression": format!("upper({})", place(at)) }),
                }
            })
            .collect();
        let filters: Vec<String> = self.filters.iter().map(|test| test.written(&place)).collect();
        let spec = serde_json::from_value(json!({
            "context": "shop", "name": "grown",
            "definition": { "sources": sources, "subject": alias(0), "joins": joins, "columns": columns, "filters": filters },
        }));
        let (sources, catalogs) = world();
        let compiled = compile(&CompileInput {
            spec: &spec.expect("a dataset"),
            sources: &sources,
            catalogs: &catalogs,
            datasets_database: "d",
            served_fingerprints: &[],
        });
        compiled.unwrap_or_else(|found| panic!("{self:?}\n{}", lines(&found))).exposure
    }
}

impl Test {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::Is(place, _) | Self::IsNot(place, _) | Self::Missing(place) => vec![*place],
            Self::Either(a, b) | Self::Both(a, b) => [a.places(), b.places()].concat(),
        }
    }

    /// The conditions that it joins by `and`.
    fn conditions(&self) -> Vec<&Self> {
        match self {
            Self::Both(a, b) => [a.conditions(), b.conditions()].concat(),
            other => vec![other],
        }
    }

    fn written(&self, place: &impl Fn(&Place) -> String) -> String {
        match self {
            Self::Is(at, value) => format!("{} = '{value}'", place(at)),
            Self::IsNot(at, value) => format!("{} != '{value}'", place(at)),
            Self::Missing(at) => format!("{} is null", place(at)),
            Self::Either(a, b) => format!("({} or {})", a.written(place), b.written(place)),
            Self::Both(a, b) => format!("({} and {})", a.written(place), b.written(place)),
        }
    }

    /// Two-valued: nothing is equal to null, and everything differs from it.
    fn holds(&self, value: &impl Fn(Place) -> Option<&'static str>) -> bool {
        match self {
            Self::Is(place, text) => value(*place) == Some(text),
            Self::IsNot(place, text) => value(*place) != Some(text),
            Self::Missing(place) => value(*place).is_none(),
            Self::Either(a, b) => a.holds(value) || b.holds(value),
            Self::Both(a, b) => a.holds(value) && b.holds(value),
        }
    }
}

type Row = [Option<&'static str>; 5];

fn row(chance: &mut Chance) -> Row {
    COLUMNS.map(|_| *chance.one_of(&VALUES))
}

fn world() -> (BTreeMap<String, SourceInForce>, BTreeMap<String, Catalog>) {
    let column = |name: &str, column_type: &str| TableColumn {
        name: name.to_owned(),
        column_type: column_type.to_owned(),
        ..TableColumn::default()
    };
    let table = |name: &str| Table {
        database: "wow".to_owned(),
        name: name.to_owned(),
        engine: "MergeTree".to_owned(),
        columns: std::iter::once(column("tenant", "String"))
            .chain(COLUMNS.iter().map(|name| column(name, "Nullable(String)")))
            .collect(),
        ..Table::default()
    };
    let declaration = |name: &str| {
        let level = |index: usize| if protected(index) { "Display" } else { "Public" };
        let columns: Vec<Value> = (COLUMNS.iter().enumerate())
            .map(|(index, name)| json!({ "name": name, "sensitivity": { "level": level(index) } }))
            .collect();
        let declaration = json!({ "connection": "default", "database": "wow", "table": name, "tenant": { "column": "tenant" }, "columns": columns });
        SourceInForce { declaration: serde_json::from_value(declaration).expect("a source"), not_ready: None }
    };
    let sources = SOURCES.map(|name| (format!("default:wow:{name}"), declaration(name)));
    let catalog = Catalog { tables: SOURCES.map(table).into(), ..Catalog::default() };
    (sources.into(), [("default".to_owned(), catalog)].into())
}
