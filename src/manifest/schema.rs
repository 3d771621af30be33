//! A document against the schema of its kind, as the API server has it: all that does not fit, at once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;
use serde_json::{Map, Value, json};

use crate::api::{AnalyticsDataset, AnalyticsSource};
use crate::compile::{Code, Diagnostic, available};

/// The most characters of a value that a message repeats.
const SHOWN: usize = 60;

/// What does not fit, and whether the name of the member is wrong rather than its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// What is wrong, where, and what would have worked.
    pub diagnostic: Diagnostic,
    /// Whether the name is shown rather than the value.
    pub at_name: bool,
    /// Whether quotes around what is written there would mend it.
    pub wants_quotes: bool,
}

/// What of a document of one of our kinds does not fit its schema. `metadata`, `apiVersion`, `kind` and `status` are not
/// looked at.
///
/// Bounds (lengths, numbers of items) have the code `LimitExceeded`; a document that breaks nothing else can be decoded.
pub fn misfits(document: &Value, kind: &str) -> Vec<Misfit> {
    let mut found = Vec::new();
    if let (Some(members), Some(schema)) = (document.as_object(), SCHEMAS.get(kind)) {
        let ours =
            members.iter().filter(|(name, _)| !["apiVersion", "kind", "metadata", "status"].contains(&name.as_str()));
        let ours: Map<String, Value> = ours.map(|(name, value)| (name.clone(), value.clone())).collect();
        check(&Value::Object(ours), schema, "", &mut found);
    }
    found
}

/// What of the name of an object is no name; its `metadata` has no schema of ours.
pub fn misfits_of_name(document: &Value) -> Vec<Misfit> {
    let path = "metadata.name";
    let mut found = Vec::new();
    match document.pointer("/metadata/name") {
        None | Some(Value::Null) => {
            let diagnostic = Diagnostic::new(Code::InvalidDocument, path, "The object has no name.");
            let diagnostic = diagnostic.help("State `metadata: {name: …}`.");
            found.push(Misfit { diagnostic, at_name: true, wants_quotes: false });
        }
        Some(name) => check(name, &json!({ "type": "string", "minLength": 1 }), path, &mut found),
    }
    found
}

/// The schemas of both kinds.
static SCHEMAS: LazyLock<BTreeMap<&str, Value>> = LazyLock::new(|| {
    let kinds = [("AnalyticsSource", AnalyticsSource::crd()), ("AnalyticsDataset", AnalyticsDataset::crd())];
    let schema = |definition: CustomResourceDefinition| {
        let version = definition.spec.versions.into_iter().next();
        serde_json::to_value(version.and_then(|version| version.schema?.open_api_v3_schema)).unwrap_or_default()
    };
    kinds.into_iter().map(|(kind, definition)| (kind, schema(definition))).collect()
});

fn check(value: &Value, schema: &Value, path: &str, found: &mut Vec<Misfit>) {
    let mut wrong = |code: Code, message: String, help: Option<String>| {
        let mut diagnostic = Diagnostic::new(code, path, message);
        diagnostic.help = help;
        found.push(Misfit { diagnostic, at_name: false, wants_quotes: false });
    };
    if value.is_null() && schema.get("nullable").and_then(Value::as_bool) == Some(true) {
        return;
    }
    if let Some(expected) = schema.get("type").and_then(Value::as_str)
        && !(is_a(value, expected) && is_within(value, schema))
    {
        let message = format!("Expected {}, found {}.", named(expected, schema), described(value));
        let diagnostic = Diagnostic::new(Code::InvalidDocument, path, message);
        let wants_quotes = expected == "string" && matches!(value, Value::Number(_) | Value::Bool(_));
        found.push(Misfit { diagnostic, at_name: false, wants_quotes });
        return;
    }
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
        && !allowed.contains(value)
    {
        let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
        let help = available(value.as_str().unwrap_or_default(), &names, "values");
        wrong(Code::InvalidDocument, format!("{} is not possible here.", sentence(&described(value))), Some(help));
        return;
    }
    match value {
        Value::Object(members) => check_members(members, schema, path, found),
        Value::Array(items) => {
            check_size(items.len() as u64, schema, ("minItems", "maxItems"), "items", &mut wrong);
            let schema = schema.get("items").unwrap_or(&Value::Null);
            for (index, item) in items.iter().enumerate() {
                check(item, schema, &format!("{path}[{index}]"), found);
            }
        }
        Value::String(text) => {
            check_size(text.chars().count() as u64, schema, ("minLength", "maxLength"), "characters", &mut wrong);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn check_members(members: &Map<String, Value>, schema: &Value, path: &str, found: &mut Vec<Misfit>) {
    let under = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let known = schema.get("properties").and_then(Value::as_object);
    let others = schema.get("additionalProperties").filter(|others| others.is_object());
    for (name, member) in members {
        match (known.and_then(|known| known.get(name)).or(others), known) {
            (Some(schema), _) => check(member, schema, &under(name), found),
            (None, Some(known)) => {
                // What `on` becomes in YAML 1.1 is no name to propose.
                let names: Vec<&str> = known.keys().map(String::as_str).filter(|name| *name != "true").collect();
                let message = format!("Unknown field `{}`.", shortened(name));
                let diagnostic = Diagnostic::new(Code::InvalidDocument, under(name), message);
                found.push(Misfit {
                    diagnostic: diagnostic.help(available(name, &names, "fields")),
                    at_name: true,
                    wants_quotes: false,
                });
            }
            (None, None) => {}
        }
    }
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if !members.contains_key(name) {
            let message = format!("The field `{name}` is missing.");
            let diagnostic = Diagnostic::new(Code::InvalidDocument, path, message);
            found.push(Misfit { diagnostic, at_name: true, wants_quotes: false });
        }
    }
}

fn check_size(
    size: u64,
    schema: &Value,
    (least, most): (&str, &str),
    what: &str,
    wrong: &mut impl FnMut(Code, String, Option<String>),
) {
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
    if let Some(most) = bound(most).filter(|most| size > *most) {
        wrong(Code::LimitExceeded, format!("There are {size} {what}; up to {most} are possible."), None);
    }
    if let Some(least) = bound(least).filter(|least| size < *least) {
        wrong(Code::LimitExceeded, format!("There are {size} {what}; at least {least} are needed."), None);
    }
}

fn is_a(value: &Value, expected: &str) -> bool {
    match expected {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => true,
    }
}

/// The least and the most that a number may be.
fn bounds(schema: &Value) -> (Option<f64>, Option<f64>) {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    (bound("minimum"), bound("maximum"))
}

fn is_within(value: &Value, schema: &Value) -> bool {
    let Some(is) = value.as_f64() else { return true };
    let (least, most) = bounds(schema);
    least.is_none_or(|least| is >= least) && most.is_none_or(|most| is <= most)
}

fn named(expected: &str, schema: &Value) -> String {
    let number = match expected {
        "object" => return "fields with values".to_owned(),
        "array" => return "a list".to_owned(),
        "string" => return "a text".to_owned(),
        "boolean" => return "`true` or `false`".to_owned(),
        "integer" => "a whole number",
        _ => "a number",
    };
    match bounds(schema) {
        (Some(least), Some(most)) => format!("{number} from {least} to {most}"),
        (Some(least), None) => format!("{number} of at least {least}"),
        (None, Some(most)) => format!("{number} of at most {most}"),
        (None, None) => number.to_owned(),
    }
}

fn described(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(value) => format!("`{value}`"),
        Value::Number(number) => format!("the number `{number}`"),
        Value::String(text) => format!("the text `{}`", shortened(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "fields with values".to_owned(),
    }
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).collect()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
