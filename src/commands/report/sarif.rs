//! For code hosts and editors: SARIF 2.1.0 (OASIS Standard, sections named below).

use serde_json::{Value, json};

use super::super::check::{Checked, Finding};
use super::super::input::Input;
use super::region;
use crate::compile::{Code, Severity};

/// The schema that the report states.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The report.
pub fn sarif(checked: &Checked, inputs: &[Input]) -> String {
    let used: Vec<Code> = Code::ALL
        .iter()
        .copied()
        .filter(|code| checked.findings.iter().any(|it| it.diagnostic.code == *code))
        .collect();
    let rules: Vec<Value> = used.iter().map(|code| rule(*code)).collect();
    let results: Vec<Value> =
        checked.findings.iter().map(|finding| result(finding, &inputs[finding.input], &used)).collect();
    let notes: Vec<Value> =
        checked.notes.iter().map(|note| json!({"level": "note", "message": {"text": note}})).collect();
    let report = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": env!("CARGO_PKG_NAME"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            // Columns count characters, not the two units that some of them have in UTF-16 (section 3.14.17).
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notes}],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&report).expect("a report holds texts and numbers") + "\n"
}

/// A code as a rule (section 3.49).
fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "shortDescription": {"text": code.meaning()},
        "defaultConfiguration": {"level": code.severity().as_str()},
    })
}

/// A finding as a result (section 3.27).
fn result(finding: &Finding, input: &Input, rules: &[Code]) -> Value {
    let diagnostic = &finding.diagnostic;
    let help = diagnostic.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    let mut location = json!({"physicalLocation": {"artifactLocation": {"uri": uri(&input.name)}}});
    if let Some(region) = region(finding, input) {
        location["physicalLocation"]["region"] = json!({
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
        });
    }
    let named: Vec<&str> =
        [finding.object.as_str(), diagnostic.path.as_str()].into_iter().filter(|it| !it.is_empty()).collect();
    if !named.is_empty() {
        location["logicalLocations"] = json!([{"fullyQualifiedName": named.join(" ")}]);
    }
    json!({
        "ruleId": diagnostic.code.as_str(),
        "ruleIndex": rules.iter().position(|code| *code == diagnostic.code),
        "level": match finding.severity { Severity::Error => "error", Severity::Warning => "warning" },
        "message": {"text": format!("{}{help}", diagnostic.message)},
        "locations": [location],
    })
}

/// A path as a relative reference (RFC 3986), or as a `file` URI where it begins at the root.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("a b/ü:1.yaml"), "a%20b/%C3%BC%3A1.yaml");
        assert_eq!(uri("/tmp/a.yaml"), "file:///tmp/a.yaml");
    }
}
