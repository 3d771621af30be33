//! Reads the objects of a folder: YAML files, one or more documents each, decoded strictly.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::api::{AnalyticsDataset, AnalyticsSource, GROUP, VERSION};
use crate::compile::available;

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The sources, in order.
    pub sources: Vec<AnalyticsSource>,
    /// The datasets, in order.
    pub datasets: Vec<AnalyticsDataset>,
}

/// All YAML files below a folder, sorted, with their texts; a file that cannot be read has its reason instead.
pub(super) fn files(folder: &Path) -> BTreeMap<PathBuf, Result<String, String>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = match std::fs::read_dir(&next) {
            Ok(entries) => entries,
            Err(error) => {
                found.insert(next, Err(format!("the folder cannot be read: {error}")));
                continue;
            }
        };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if hidden {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
                let text = std::fs::read_to_string(&path).map_err(|error| format!("the file cannot be read: {error}"));
                found.insert(path, text);
            }
        }
    }
    found
}

/// The objects of a text.
///
/// # Errors
/// The first thing that is wrong: in which document, where in it, and what.
pub fn read(text: &str) -> Result<Contents, String> {
    let documents: Vec<Value> =
        serde_saphyr::from_multiple(text).map_err(|error| format!("this is not YAML: {error}"))?;
    let mut contents = Contents::default();
    for (index, document) in documents.into_iter().enumerate().filter(|(_, document)| !document.is_null()) {
        let place = format!("document {}", index + 1);
        let member = |name: &str| document.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (api_version, kind) = (member("apiVersion"), member("kind"));
        if api_version != format!("{GROUP}/{VERSION}") {
            return Err(format!("{place}: the apiVersion is `{api_version}`; only `{GROUP}/{VERSION}` is read."));
        }
        match kind.as_str() {
            "AnalyticsSource" => contents.sources.push(decode(document, &kind, &place)?),
            "AnalyticsDataset" => contents.datasets.push(decode(document, &kind, &place)?),
            _ => {
                let help = available(&kind, &["AnalyticsSource", "AnalyticsDataset"], "kinds");
                return Err(format!("{place}: the kind `{kind}` is none of ours. {help}"));
            }
        }
    }
    Ok(contents)
}

/// Decodes a document; a member that the kind's schema does not have is an error, as it is for `kubectl apply`.
fn decode<T: DeserializeOwned>(mut document: Value, kind: &str, place: &str) -> Result<T, String> {
    let mut unknown = Vec::new();
    if let Some(members) = document.as_object_mut() {
        // Looked at already, and no members of the Rust types.
        members.retain(|name, _| name != "apiVersion" && name != "kind");
        let spec = members.iter().filter(|(name, _)| *name != "metadata");
        let spec = Value::Object(spec.map(|(name, value)| (name.clone(), value.clone())).collect());
        unknown_members(&spec, &SCHEMAS[kind], "", &mut unknown);
    }
    if !unknown.is_empty() {
        return Err(unknown.iter().map(|problem| format!("{place}: {problem}")).collect::<Vec<_>>().join("\n"));
    }
    let mut track = serde_path_to_error::Track::new();
    let deserializer = serde_path_to_error::Deserializer::new(document, &mut track);
    // The schema says nothing of the members of `metadata`.
    let decoded = serde_ignored::deserialize(deserializer, |path| {
        let path = path.to_string();
        if path.starts_with("metadata.") {
            unknown.push(path);
        }
    });
    match decoded {
        Err(error) => {
            let path = track.path().to_string();
            let at = if path == "." { String::new() } else { format!("{path}: ") };
            Err(format!("{place}: {at}{}.", in_words(&error.to_string())))
        }
        Ok(_) if !unknown.is_empty() => Err(format!("{place}: unknown field `{}`.", unknown.join("`, `"))),
        Ok(object) => Ok(object),
    }
}

/// The schemas of both kinds, as the API server has them.
static SCHEMAS: LazyLock<BTreeMap<&str, Value>> = LazyLock::new(|| {
    let kinds = [("AnalyticsSource", AnalyticsSource::crd()), ("AnalyticsDataset", AnalyticsDataset::crd())];
    let schema = |definition: CustomResourceDefinition| {
        let version = definition.spec.versions.into_iter().next();
        serde_json::to_value(version.and_then(|version| version.schema?.open_api_v3_schema)).unwrap_or_default()
    };
    kinds.into_iter().map(|(kind, definition)| (kind, schema(definition))).collect()
});

/// Members of a document that its schema does not have, each with its path and the nearest name. Members of flattened
/// structs would go unnoticed while decoding.
fn unknown_members(value: &Value, schema: &Value, path: &str, unknown: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let known = schema.get("properties").and_then(Value::as_object);
            for (name, member) in members {
                let at = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                match (known, known.and_then(|known| known.get(name))) {
                    (_, Some(schema)) => unknown_members(member, schema, &at, unknown),
                    (Some(known), None) => {
                        let names: Vec<&str> =
                            known.keys().map(String::as_str).filter(|name| *name != "true").collect();
                        unknown.push(format!("unknown field `{at}`. {}", available(name, &names, "fields")));
                    }
                    (None, None) => {}
                }
            }
        }
        Value::Array(items) => {
            let schema = schema.get("items").unwrap_or(&Value::Null);
            for (index, item) in items.iter().enumerate() {
                unknown_members(item, schema, &format!("{path}[{index}]"), unknown);
            }
        }
        _ => {}
    }
}

/// A decoder's words without the names of our types.
fn in_words(problem: &str) -> String {
    match problem.split_once("expected struct ") {
        Some((found, _)) => format!("{found}expected an object"),
        None => problem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "apiVersion: analytics.wow.dev/v1alpha1\nkind: AnalyticsSource\nmetadata: {name: a}\nspec: {connection: d, database: b, table: t, tenant: {column: x}}\n";

    #[test]
    fn documents_are_read_and_empty_ones_are_not() {
        let contents = read(&format!("{SOURCE}---\n---\n{SOURCE}")).expect("two sources");
        assert_eq!(contents.sources.len(), 2);
    }

    #[test]
    fn an_unknown_field_a_wrong_type_and_a_foreign_kind_say_where() {
        let unknown = read(&SOURCE.replace("table: t", "table: t, colums: []")).expect_err("a typo");
        assert!(unknown.contains("document 1") && unknown.contains("spec.colums"), "{unknown}");
        let wrong = read(&SOURCE.replace("{column: x}", "7")).expect_err("a number");
        assert!(wrong.contains("spec.tenant"), "{wrong}");
        let foreign = read(&SOURCE.replace("AnalyticsSource", "AnalyticSource")).expect_err("a foreign kind");
        assert!(foreign.contains("Did you mean `AnalyticsSource`?"), "{foreign}");
    }
}
