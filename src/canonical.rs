//! Layer 0: one text for equal values, and its SHA-256. Content hashes, approval digests and names in the durable
//! history are made of it.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The JSON text of a value with keys sorted and no spaces; nulls and absent members are one.
pub fn text(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("the product's own types have text keys and finite numbers");
    let mut out = String::new();
    write(&value, &mut out);
    out
}

/// `sha256:` and the hexadecimal SHA-256 of the canonical text.
pub fn hash(value: &impl Serialize) -> String {
    format!("sha256:{}", hex(text(value).as_bytes()))
}

/// The hexadecimal SHA-256 of bytes.
pub fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().filter(|(_, value)| !value.is_null()).collect();
            members.sort_by(|a, b| a.0.cmp(b.0));
            out.push('{');
            for (index, (name, value)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::String(name.clone()).to_string());
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_absence_do_not_matter() {
        let a = serde_json::json!({"b": [1, {"y": null, "x": "é\""}], "a": true});
        let b = serde_json::json!({"a": true, "b": [1, {"x": "é\""}], "c": null});
        assert_eq!(text(&a), text(&b));
        assert_eq!(text(&a), r#"{"a":true,"b":[1,{"x":"é\""}]}"#);
    }
}
