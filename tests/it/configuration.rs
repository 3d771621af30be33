//! `docs/configuration.md` lists the configuration's keys as the code has them.

use std::fmt::Write as _;

use analytics_catalog::configuration::Configuration;
use serde_json::{Map, Value};

use crate::support::documents;

const INTRODUCTION: &str = "\
# Configuration

One YAML file, given by `--config` or `ANALYTICS_CATALOG_CONFIG`, serves all roles. A key that is not listed here is an
error. Every key can also be set by the environment variable beside it, which counts more than the file; lists, numbers
and booleans are written there as JSON. `<name>` stands for a name that you choose; in a variable it is in capitals, and
what is read is the lower-case name. A limit of 0 is no limit.

Passwords stand in no configuration: it names the file or the variable that holds them. An interval is a number with a
unit, such as `500ms`, `5m` or `7d`. A change of the file counts after a restart.

This list is generated from `src/configuration.rs`: `WRITE_GENERATED=1 cargo test --test it configuration::` writes it.
";

#[test]
fn the_documented_keys_are_those_of_the_code() {
    documents::as_generated("docs/configuration.md", &rendered());
}

#[test]
fn every_key_has_a_description() {
    for key in keys() {
        assert!(!key.description.is_empty(), "`{}` has no description", key.path);
    }
}

struct Key {
    path: String,
    kind: String,
    default: Option<String>,
    description: String,
}

fn rendered() -> String {
    let mut text = INTRODUCTION.to_owned();
    let mut section = None;
    for key in keys() {
        let of_key = key.path.rsplit_once('.').map(|(section, _)| section.to_owned());
        if text.len() == INTRODUCTION.len() || of_key != section {
            let title = of_key.as_ref().map_or("Top level".to_owned(), |section| format!("`{section}`"));
            write!(text, "\n## {title}\n\n| Key | Type | Default | Meaning |\n|---|---|---|---|\n")
                .expect("a text grows");
            section = of_key;
        }
        let default = key.default.as_ref().map_or("–".to_owned(), |default| format!("`{default}`"));
        let variable = environment_variable(&key.path);
        let Key { path, kind, description, .. } = key;
        writeln!(text, "| `{path}`<br>`{variable}` | {kind} | {default} | {description} |").expect("a text grows");
    }
    text
}

fn keys() -> Vec<Key> {
    let schema = schemars::schema_for!(Configuration).to_value();
    let definitions = schema["$defs"].as_object().cloned().unwrap_or_default();
    let mut leaves = Vec::new();
    collect(&schema, "", &definitions, &mut leaves);
    // The keys of a section stand together, the top level first.
    leaves.sort_by_key(|key| key.path.rsplit_once('.').map(|(section, _)| section.to_owned()));
    leaves
}

fn collect(schema: &Value, prefix: &str, definitions: &Map<String, Value>, leaves: &mut Vec<Key>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        let target = resolved(property, definitions);
        let entry = resolved(&target["additionalProperties"], definitions);
        if target["properties"].is_object() {
            collect(target, &path, definitions, leaves);
        } else if entry["properties"].is_object() {
            collect(entry, &format!("{path}.<name>"), definitions, leaves);
        } else {
            let description = property["description"].as_str().or(target["description"].as_str()).unwrap_or_default();
            leaves.push(Key {
                kind: kind(property, target, resolved(&target["items"], definitions)),
                default: default(property),
                description: description.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|"),
                path,
            });
        }
    }
}

/// The schema that a property refers to, directly or as one that may be left out.
fn resolved<'s>(property: &'s Value, definitions: &'s Map<String, Value>) -> &'s Value {
    let optional =
        property["anyOf"].as_array().and_then(|variants| variants.iter().find(|one| one["$ref"].is_string()));
    let reference = optional.unwrap_or(property)["$ref"].as_str().and_then(|text| text.strip_prefix("#/$defs/"));
    reference.and_then(|name| definitions.get(name)).unwrap_or(property)
}

fn kind(property: &Value, target: &Value, item: &Value) -> String {
    if let Some(words) = target["enum"].as_array() {
        return words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
    }
    let word = match &target["type"] {
        Value::Array(words) => words[0].as_str(),
        word => word.as_str(),
    };
    match (word, property["format"].as_str()) {
        (_, Some("interval")) => "interval".to_owned(),
        (Some("array"), _) => match item["properties"].as_object() {
            Some(members) => {
                let members: Vec<String> = members.keys().map(|member| format!("`{member}`")).collect();
                format!("list of objects with {}", members.join(", "))
            }
            None => "list of texts".to_owned(),
        },
        (Some("object"), _) => "list of names, or names with names".to_owned(),
        (Some("integer"), _) => "number".to_owned(),
        (Some("string"), _) => "text".to_owned(),
        (Some(other), _) => other.to_owned(),
        (None, _) => panic!("the type of {property} is not known here"),
    }
}

fn default(property: &Value) -> Option<String> {
    let default = &property["default"];
    match default {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::Array(items) if items.is_empty() => None,
        Value::Object(members) if members.is_empty() => None,
        Value::String(text) if property["format"] == "interval" => Some(interval(text)),
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// An interval as people write it in the file.
fn interval(text: &str) -> String {
    let interval = analytics_catalog::api::interval::parse(text).expect("a default is an interval");
    let milliseconds = interval.as_millis();
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s"), (1, "ms")];
    let (length, unit) = units.into_iter().find(|(length, _)| milliseconds % length == 0).expect("the last one fits");
    format!("{}{unit}", milliseconds / length)
}

fn environment_variable(path: &str) -> String {
    let mut name = "ANALYTICS_CATALOG".to_owned();
    for part in path.split('.') {
        name.push_str("__");
        for character in part.chars() {
            if character.is_ascii_uppercase() {
                name.push('_');
            }
            name.push(character.to_ascii_uppercase());
        }
    }
    name
}

#[test]
fn a_name_with_a_colon_would_make_two_sources_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("configuration.yaml");
    let load = |text: &str| {
        std::fs::write(&path, text).expect("the folder is ours");
        Configuration::load(Some(&path), std::iter::empty()).map(|_| ()).map_err(|error| error.to_string())
    };
    for text in ["connections: {'a:b': {url: x}}", "connections: {a: {url: x, databases: ['b:c']}}"] {
        assert!(load(text).expect_err("it is refused").contains("colon"), "{text}");
    }
    assert_eq!(load("connections: {a: {url: x, databases: {c: 'b:c'}}}"), Ok(()));
}
