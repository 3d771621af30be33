//! The shape of a SARIF 2.1.0 log (OASIS Standard), as far as our reports use it: the members that each object may and
//! must have, and of which type each is. Anything else is refused, as the standard's schema refuses it.

use serde_json::Value;

/// Panics where a report is no SARIF.
pub fn check(text: &str) {
    let log: Value = serde_json::from_str(text).expect("a report is JSON");
    members(&log, "log", &["version", "runs"], &["$schema"]);
    assert_eq!(log["version"], "2.1.0");
    for run in items(&log, "runs") {
        members(run, "run", &["tool"], &["columnKind", "invocations", "results"]);
        assert!(["utf16CodeUnits", "unicodeCodePoints"].contains(&text_of(run, "columnKind")));
        members(&run["tool"], "tool", &["driver"], &[]);
        let driver = &run["tool"]["driver"];
        members(driver, "toolComponent", &["name"], &["semanticVersion", "rules"]);
        let rules = items(driver, "rules");
        for rule in rules {
            members(rule, "reportingDescriptor", &["id"], &["shortDescription", "defaultConfiguration"]);
            message(&rule["shortDescription"], "multiformatMessageString");
            level(&rule["defaultConfiguration"], "defaultConfiguration");
        }
        let mut ids: Vec<&str> = rules.iter().map(|rule| text_of(rule, "id")).collect();
        ids.dedup();
        assert_eq!(ids.len(), rules.len(), "rules are unique");
        for invocation in items(run, "invocations") {
            members(invocation, "invocation", &["executionSuccessful"], &["toolExecutionNotifications"]);
            assert!(invocation["executionSuccessful"].is_boolean());
            for notification in items(invocation, "toolExecutionNotifications") {
                members(notification, "notification", &["message"], &["level"]);
                message(&notification["message"], "message");
                level(notification, "notification");
            }
        }
        for result in items(run, "results") {
            members(result, "result", &["message"], &["ruleId", "ruleIndex", "level", "locations"]);
            message(&result["message"], "message");
            level(result, "result");
            let rule = result["ruleIndex"].as_u64().and_then(|index| rules.get(usize::try_from(index).ok()?));
            assert_eq!(rule.map(|rule| &rule["id"]), Some(&result["ruleId"]), "a result has its rule");
            for location in items(result, "locations") {
                members(location, "location", &[], &["physicalLocation", "logicalLocations"]);
                physical(&location["physicalLocation"]);
                if let Some(named) = location.get("logicalLocations") {
                    for logical in named.as_array().expect("a list") {
                        members(logical, "logicalLocation", &["fullyQualifiedName"], &[]);
                    }
                }
            }
        }
    }
}

fn physical(location: &Value) {
    members(location, "physicalLocation", &["artifactLocation"], &["region"]);
    members(&location["artifactLocation"], "artifactLocation", &["uri"], &[]);
    let uri = text_of(&location["artifactLocation"], "uri");
    let possible = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%:".contains(&byte);
    assert!(!uri.is_empty() && uri.bytes().all(possible), "`{uri}` is a URI reference");
    let Some(region) = location.get("region") else { return };
    members(region, "region", &["startLine", "startColumn", "endLine", "endColumn"], &[]);
    let number = |name: &str| region[name].as_u64().filter(|number| *number >= 1).expect("a number from 1");
    let (start, end) = ((number("startLine"), number("startColumn")), (number("endLine"), number("endColumn")));
    assert!(start <= end, "a region ends behind its start: {region}");
}

fn message(value: &Value, what: &str) {
    members(value, what, &["text"], &[]);
    assert!(!text_of(value, "text").is_empty(), "{what} says something");
}

fn level(value: &Value, what: &str) {
    let level = text_of(value, "level");
    assert!(["none", "note", "warning", "error"].contains(&level), "{what}: `{level}` is a level");
}

fn items<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("`{name}` is a list in {value}"))
}

fn text_of<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("`{name}` is a text in {value}"))
}

fn members(value: &Value, what: &str, needed: &[&str], possible: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("{what} is an object: {value}"));
    for name in needed {
        assert!(object.contains_key(*name), "{what} has no `{name}`: {value}");
    }
    for name in object.keys() {
        assert!(needed.contains(&name.as_str()) || possible.contains(&name.as_str()), "{what} has `{name}`");
    }
}
