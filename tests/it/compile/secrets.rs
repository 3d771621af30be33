//! Generated definitions over protected values of every type that expressions take: every function and operator is
//! computed from them, nested, filtered and joined by them. Whoever reads the view finds none of them raw.
//!
//! `SECRET_DEFINITIONS` says how many definitions, `SECRET_SEED` which.

use std::collections::{BTreeMap, BTreeSet};

use analytics_catalog::api::{AnalyticsDatasetSpec, Level};
use analytics_catalog::catalog::Catalog;
use analytics_catalog::compile::{CompileInput, SourceInForce, compile, functions};
use analytics_catalog::sql::ColumnType;
use serde_json::{Value, json};

use super::case::Case;
use super::on_clickhouse::{published, read_catalog};
use crate::support::clickhouse::{Ground, clickhouse};
use crate::support::filters::Chance;

/// What no reader may find in any output.
const MARKS: [&str; 4] = ["SECRET", "7341734", "2031-07-09", "secret.example"];
/// Texts of protected columns; some are numbers, dates and addresses, so that conversions find something.
const TEXTS: [&str; 8] = [
    "SECRET-a, b",
    "xSECRETx",
    "7341734",
    "2031-07-09",
    "2031-07-09 01:02:03",
    "https://secret.example/SECRET?q=SECRET#f",
    "73417341-7341-7341-7341-734173417341",
    "-7341734.5",
];
/// The scopes that are tried.
const SCOPES: [&str; 5] = [
    r#"{"tenant":"a","owner":null,"space":null}"#,
    r#"{"tenant":"a","owner":"u","space":null}"#,
    r#"{"tenant":"b","owner":null,"space":null}"#,
    r#"{"tenant":"","owner":null,"space":null}"#,
    r#"{"tenant":"a","owner":"u","space":"s"}"#,
];

/// What definitions are made of.
struct World {
    /// The probes of the expression language whose arguments the tables have.
    probes: Vec<(String, Vec<ColumnType>)>,
    /// The place of each type among the columns.
    types: BTreeMap<String, usize>,
    sources: BTreeMap<String, SourceInForce>,
    catalogs: BTreeMap<String, Catalog>,
}

/// A column as it was generated: what readers may see of it.
struct Expected {
    name: String,
    reads_a_secret: bool,
    plain: bool,
}

#[tokio::test(flavor = "multi_thread")]
async fn no_protected_value_leaves_a_view_raw() {
    let started = std::time::Instant::now();
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (definitions, seed) = (number("SECRET_DEFINITIONS").unwrap_or(50), number("SECRET_SEED").unwrap_or(1));
    let clickhouse = clickhouse().await;
    let ground = clickhouse.ground().await;
    let world = World::create(&ground).await;
    let mut chance = Chance::new(seed);
    let (mut wrong, mut cells, mut secrets) = (Vec::new(), 0, 0);
    for index in 0..definitions {
        let (spec, expected) = world.definition(&mut chance, index);
        let case = Case {
            name: spec.name.clone(),
            spec,
            sources: world.sources.clone(),
            catalog: world.catalogs["default"].clone(),
        };
        let compiled = match published(clickhouse, &ground, &case, &case.catalog).await {
            Ok(compiled) => compiled,
            Err(problem) => {
                wrong.push(format!("{problem}\n  {}", shown(&case.spec)));
                continue;
            }
        };
        let view = case.version(&compiled, &ground.datasets).record.view;
        for scope in SCOPES {
            let query = format!("SELECT * FROM {}.{} FORMAT JSONEachRow", view.database, view.name);
            let answer = match clickhouse.as_reader(&query, &[("log_comment", scope)]).await {
                Ok(answer) => answer,
                Err(problem) => {
                    wrong.push(format!("{scope}: {problem}\n  {}", shown(&case.spec)));
                    break;
                }
            };
            for row in answer.lines().map(|line| serde_json::from_str::<Value>(line).expect("a row is JSON")) {
                for column in &expected {
                    cells += 1;
                    secrets += usize::from(column.reads_a_secret);
                    let found = column.problem(&compiled, &row[&column.name]);
                    wrong.extend(found.map(|what| format!("{what}\n  {}", shown(&case.spec))));
                }
            }
        }
    }
    let first = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} wrong, seed {seed}:\n{first}", wrong.len());
    println!("{definitions} definitions, {cells} values, {secrets} of them from secrets, in {:?}", started.elapsed());
    assert!(secrets > usize::try_from(definitions).expect("a few") * 20, "{secrets}");
}

impl Expected {
    fn problem(&self, compiled: &analytics_catalog::compile::CompiledDataset, value: &Value) -> Option<String> {
        let column = compiled.columns.iter().find(|column| column.name == self.name)?;
        if !self.reads_a_secret {
            return column.protection.is_some().then(|| format!("{} is protected for nothing", self.name));
        }
        let Some(protection) = &column.protection else { return Some(format!("{} is not protected", self.name)) };
        if self.plain && protection.comparable {
            return (protection.level != Level::Display).then(|| format!("{} is comparable", self.name));
        }
        let text = value.to_string();
        let marked = MARKS.iter().any(|mark| text.contains(mark));
        let masked = if self.plain { !marked } else { nothing_is_left(value) };
        (!masked).then(|| format!("{} of the type {} shows {text}", self.name, column.column_type))
    }
}

/// Null, asterisks, nothing, or lists of these.
fn nothing_is_left(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.chars().all(|character| character == '*'),
        Value::Array(items) => items.iter().all(nothing_is_left),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn shown(spec: &AnalyticsDatasetSpec) -> String {
    serde_json::to_string(&spec.definition).expect("a definition is JSON")
}

impl World {
    /// Two tables alike: `open` whose values are public, and `secret` whose values are not.
    async fn create(ground: &Ground) -> Self {
        let all = functions::probes();
        let texts: BTreeSet<String> = all.iter().flat_map(|(_, types)| types).map(ToString::to_string).collect();
        let types: BTreeMap<String, usize> = texts.into_iter().enumerate().map(|(index, text)| (text, index)).collect();
        for table in ["open", "secret"] {
            let columns = types.iter().map(|(text, index)| format!("c{index} {text}")).collect::<Vec<_>>().join(", ");
            ground
                .sql(&format!(
                    "CREATE TABLE wow.{table} (tenant String, owner String, space String, id String, {columns}) \
                     ENGINE = MergeTree ORDER BY tenant SETTINGS allow_suspicious_low_cardinality_types = 1"
                ))
                .await;
            for row in 0..6 {
                let values = types.keys().map(|text| value(text, row, table == "secret"));
                let values = values.collect::<Vec<_>>().join(", ");
                let (tenant, owner) = (["a", "a", "b"][row % 3], ["u", "w"][row % 2]);
                ground
                    .sql(&format!(
                        "INSERT INTO wow.{table} SELECT '{tenant}', '{owner}', 's', 'id-{}', {values} \
                         SETTINGS allow_suspicious_low_cardinality_types = 1",
                        row % 4
                    ))
                    .await;
            }
        }
        let declaration = |table: &str| {
            let columns = types.values().map(|index| {
                let level = match (table, index % 4) {
                    ("open", _) => json!({ "level": "Public" }),
                    (_, 0) => json!({ "level": "Confidential", "mask": { "keepPrefix": 1, "keepSuffix": 1 } }),
                    (_, 1) => json!({ "level": "Display", "comparable": true, "mask": { "keepPrefix": 1 } }),
                    (_, 2) => json!({ "level": "Confidential" }),
                    _ => json!({ "level": "Display", "mask": { "keepSuffix": 2 } }),
                };
                json!({ "name": format!("c{index}"), "sensitivity": level })
            });
            let id = json!({ "name": "id", "sensitivity": { "level": "Public" } });
            let declaration = serde_json::from_value(json!({
                "connection": "default", "database": "wow", "table": table, "tenant": { "column": "tenant" },
                "owner": { "column": "owner" }, "space": { "column": "space" },
                "columns": std::iter::once(id).chain(columns).collect::<Vec<_>>(),
            }));
            let declaration = declaration.expect("a source");
            (format!("default:wow:{table}"), SourceInForce { declaration, not_ready: None })
        };
        let catalogs = BTreeMap::from([("default".to_owned(), read_catalog(ground).await)]);
        let sources = ["open", "secret"].map(declaration).into();
        let probes = all.into_iter().filter(|(_, types)| !types.is_empty()).collect();
        Self { probes, types, sources, catalogs }
    }

    /// A definition that compiles.
    fn definition(&self, chance: &mut Chance, index: u64) -> (AnalyticsDatasetSpec, Vec<Expected>) {
        let subject = *chance.one_of(&["open", "secret"]);
        let joined = chance.below(4);
        let key = self.column("String");
        let mut joins = Vec::new();
        let mut sources = vec![json!({ "alias": "s", "sourceId": format!("default:wow:{subject}") })];
        if joined > 0 {
            sources.push(json!({ "alias": "j", "sourceId": "default:wow:secret" }));
            let on = match joined {
                1 => json!([{ "left": "s.id", "right": "j.id" }]),
                2 => json!([{ "left": format!("s.{key}"), "right": format!("j.{key}") }]),
                _ => json!([{ "left": "upper(s.id)", "right": format!("concat(j.id, left(j.{key}, 0))") }]),
            };
            joins.push(
                json!({ "alias": "j", "kind": chance.one_of(&["Left", "Inner"]), "on": on, "cardinality": "Many" }),
            );
        }
        let secret_aliases: Vec<&str> = [("s", subject == "secret"), ("j", joined > 0)]
            .into_iter()
            .filter(|(_, secret)| *secret)
            .map(|(alias, _)| alias)
            .collect();
        let aliases: &[&str] = if joined > 0 { &["s", "j"] } else { &["s"] };
        let mut base = json!({
            "context": "shop", "name": format!("secret-{index}"),
            "definition": {
                "sources": sources, "subject": "s", "joins": joins,
                "columns": [{ "name": "id", "from": "s.id" }], "filters": [],
            },
        });
        let (mut columns, mut expected) = (Vec::new(), Vec::new());
        while columns.len() < 12 {
            let (text, types) = chance.one_of(&self.probes);
            let mut text = text.clone();
            for (place, column_type) in types.iter().enumerate() {
                let argument = self.argument(chance, aliases, column_type);
                text = text.replace(&format!("p.c{place}"), &argument);
            }
            let name = format!("c{}", columns.len());
            let plain = chance.once_in(6);
            let column = match plain {
                true => {
                    json!({ "name": name, "from": format!("{}.{}", chance.one_of(aliases), self.column(&types[0].to_string())) })
                }
                false => json!({ "name": name, "expression": text }),
            };
            if !self.compiles(&base, "columns", &column) {
                continue;
            }
            let written = column.to_string();
            let reads_a_secret = secret_aliases.iter().any(|alias| written.contains(&format!("{alias}.c")));
            expected.push(Expected { name, reads_a_secret, plain });
            columns.push(column);
        }
        for _ in 0..chance.below(3) {
            let (text, types) = chance.one_of(&self.probes);
            let mut text = text.clone();
            for (place, column_type) in types.iter().enumerate() {
                text = text.replace(&format!("p.c{place}"), &self.argument(chance, aliases, column_type));
            }
            let condition = json!(format!("({text}) or s.id != 'none'"));
            if self.compiles(&base, "filters", &condition) {
                base["definition"]["filters"].as_array_mut().expect("a list").push(condition);
            }
        }
        base["definition"]["columns"].as_array_mut().expect("a list").extend(columns);
        (serde_json::from_value(base).expect("a dataset"), expected)
    }

    fn column(&self, column_type: &str) -> String {
        format!("c{}", self.types[column_type])
    }

    /// A reference of a type, or a text computed from one.
    fn argument(&self, chance: &mut Chance, aliases: &[&str], column_type: &ColumnType) -> String {
        let reference = format!("{}.{}", chance.one_of(aliases), self.column(&column_type.to_string()));
        if *column_type.inner() != ColumnType::String || chance.once_in(2) {
            return reference;
        }
        let around = chance.one_of(&[
            "concat(X, 'x', X)",
            "lower(trim(X))",
            "coalesce(nullIf(X, 'x'), X)",
            "if(X = 'y', 'z', X)",
            "replaceAll(X, 'S', 's')",
            "substring(concat(X, upper(X)), 2, 40)",
            "toString(toDate(X))",
            "toString(toInt64(X))",
            "if(length(X) > 3, X, 'short')",
        ]);
        around.replace('X', &reference)
    }

    fn compiles(&self, base: &Value, list: &str, item: &Value) -> bool {
        let mut spec = base.clone();
        spec["definition"][list].as_array_mut().expect("a list").push(item.clone());
        let spec = serde_json::from_value(spec).expect("a dataset");
        let input = CompileInput {
            spec: &spec,
            sources: &self.sources,
            catalogs: &self.catalogs,
            datasets_database: "d",
            served_fingerprints: &[],
        };
        compile(&input).is_ok()
    }
}

/// SQL of a value of a type: marked, where it is of the secret table.
fn value(column_type: &str, row: usize, secret: bool) -> String {
    let parsed = ColumnType::parse(column_type).expect("a type");
    let number = if secret { 7_341_734 } else { 5 } + row;
    let plain = match parsed.inner() {
        ColumnType::Array(element) => {
            let element = element.to_string();
            return format!(
                "CAST([{}, {}], '{column_type}')",
                value(&element, row, secret),
                value(&element, row + 1, secret)
            );
        }
        ColumnType::Map(key, element) => {
            let (key, element) = (value(&key.to_string(), row, secret), value(&element.to_string(), row, secret));
            format!("map({key}, {element})")
        }
        ColumnType::String | ColumnType::FixedString(_) if !secret => "'open'".to_owned(),
        ColumnType::String => format!("'{}'", TEXTS[row % TEXTS.len()]),
        ColumnType::FixedString(length) => format!("'{}'", &"SECRET"[..usize::try_from(*length).unwrap_or(6).min(6)]),
        ColumnType::Bool => "true".to_owned(),
        ColumnType::Int(8) | ColumnType::UInt(8) => "73".to_owned(),
        ColumnType::Int(16) | ColumnType::UInt(16) => "7341".to_owned(),
        ColumnType::Decimal(..=9, _) => "0".to_owned(),
        ColumnType::Date | ColumnType::Date32 => "'2031-07-09'".to_owned(),
        ColumnType::DateTime(_) | ColumnType::DateTime64(..) => "'2031-07-09 01:02:03'".to_owned(),
        ColumnType::Uuid => "'73417341-7341-7341-7341-734173417341'".to_owned(),
        ColumnType::Ipv4 => "'73.41.73.41'".to_owned(),
        ColumnType::Ipv6 => "'2001:db8::7341'".to_owned(),
        _ => number.to_string(),
    };
    format!("CAST({plain}, {})", analytics_catalog::sql::literal::string(column_type))
}
