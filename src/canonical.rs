//! Layer 0: one text for equal values, and its SHA-256. Content hashes, approval digests and names in the durable
//! history are made of it.

mod writer;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The JSON text of a value with keys sorted and no spaces; nulls and absent members are one.
pub fn text(value: &impl Serialize) -> String {
    writer::text(value).expect("the product's own types have text keys")
}

/// `sha256:` and the hexadecimal SHA-256 of the canonical text.
pub fn hash(value: &impl Serialize) -> String {
    let mut hash = "sha256:".to_owned();
    push_hex(&mut hash, text(value).as_bytes());
    hash
}

/// The hexadecimal SHA-256 of bytes.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    push_hex(&mut text, bytes);
    text
}

fn push_hex(text: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    text.reserve(2 * 32);
    for byte in Sha256::digest(bytes) {
        text.extend([byte >> 4, byte & 15].map(|digit| char::from(DIGITS[usize::from(digit)])));
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

    #[test]
    fn every_kind_of_value_has_the_text_that_json_has_for_it() {
        #[derive(Serialize)]
        enum Kind {
            Unit,
            One(u8),
            Two(i64, Option<bool>),
            Named { b: char, a: Option<f32>, c: () },
        }
        #[derive(Serialize)]
        struct Pair(f64, [&'static str; 2]);
        let kinds = [Kind::Unit, Kind::One(1), Kind::Two(-2, None), Kind::Named { b: '\n', a: Some(0.5), c: () }];
        let numbered =
            std::collections::BTreeMap::from([(10, Pair(1.0, ["\u{7f}", "\"x\\"])), (9, Pair(1e300, ["", "é"]))]);
        assert_eq!(
            text(&(kinds, numbered, u128::MAX, f64::NAN, ())),
            "[[\"Unit\",{\"One\":1},{\"Two\":[-2,null]},{\"Named\":{\"a\":0.5,\"b\":\"\\n\"}}],\
             {\"10\":[1.0,[\"\u{7f}\",\"\\\"x\\\\\"]],\"9\":[1e+300,[\"\",\"é\"]]},\
             340282366920938463463374607431768211455,null,null]"
        );
    }

    #[test]
    fn members_are_sorted_by_their_names_and_not_by_how_json_writes_them() {
        let names = ["b", "a\"", "a", "a!", "a\n", "a[", "", "é", "a\\", "zero\0"];
        let object: serde_json::Map<String, serde_json::Value> = names
            .iter()
            .enumerate()
            .map(|(index, name)| ((*name).to_owned(), serde_json::json!({"of": index, "in": [null, {"n": null}]})))
            .collect();
        let mut sorted = names;
        sorted.sort_unstable();
        let written = text(&object);
        let places = sorted.map(|name| written.find(&format!("{}:", serde_json::json!(name))).expect("the member"));
        assert!(places.is_sorted(), "{written}");
        assert!(written.starts_with(r#"{"":{"in":[null,{}],"of":6},"a":"#), "{written}");
        assert_eq!(text(&serde_json::json!({"only": null})), "{}");
    }
}
