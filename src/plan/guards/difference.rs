//! Where two JSON values differ, as sentences.

use serde_json::Value;

/// More than this many differences say no more than these.
const SHOWN: usize = 5;

/// Where `found` is not `expected`, each as a sentence that names the path; the first few only.
pub(super) fn differences(path: &str, expected: &Value, found: &Value) -> impl Iterator<Item = String> {
    let mut sentences = Vec::new();
    compare(path, expected, found, &mut sentences);
    let more = sentences.len().saturating_sub(SHOWN);
    sentences.truncate(SHOWN);
    if more > 0 {
        sentences.push(format!("and {more} more differences"));
    }
    sentences.into_iter()
}

fn compare(path: &str, expected: &Value, found: &Value, sentences: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(wanted), Value::Object(there)) => {
            for (name, value) in wanted {
                match there.get(name) {
                    Some(other) => compare(&format!("{path}.{name}"), value, other, sentences),
                    None => sentences.push(format!("{path}.{name} is missing")),
                }
            }
            for name in there.keys().filter(|name| !wanted.contains_key(*name)) {
                sentences.push(format!("{path}.{name} is there and should not be"));
            }
        }
        (Value::Array(wanted), Value::Array(there)) if wanted.len() == there.len() => {
            for (index, (value, other)) in wanted.iter().zip(there).enumerate() {
                compare(&format!("{path}[{index}]"), value, other, sentences);
            }
        }
        (Value::Array(wanted), Value::Array(there)) => {
            sentences.push(format!("{path} has {} entries instead of {}", there.len(), wanted.len()));
        }
        _ if expected == found => {}
        (_, Value::Null) => sentences.push(format!("{path} is missing")),
        _ => sentences.push(format!("{path} is not the one that this version ships")),
    }
}
