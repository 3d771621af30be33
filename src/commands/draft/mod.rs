//! `draft`: a source from the columns of a table, a dataset from the values of a source. A draft is a beginning: what
//! cannot be known from names and types stands in it as a question.

mod dataset;
mod source;

pub use dataset::{DatasetWishes, dataset};
pub use source::{Levels, PathTypes, json_columns, source};

use super::CommandError;

/// The parts of a source ID.
///
/// # Errors
/// If it has not three parts.
pub fn parts(id: &str) -> Result<(&str, &str, &str), CommandError> {
    let mut parts = id.splitn(3, ':');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(connection), Some(database), Some(table)) if ![connection, database, table].contains(&"") => {
            Ok((connection, database, table))
        }
        _ => Err(CommandError::Usage(format!("`{id}` is no source; a source is `<connection>:<database>:<table>`"))),
    }
}

/// A text as a YAML scalar that is read as this text, in block and in flow form.
fn scalar(text: &str) -> String {
    let mut characters = text.chars();
    let plain = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || ['_', '.', '-'].contains(&c));
    let word = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"];
    match plain && !word.contains(&text.to_ascii_lowercase().as_str()) {
        true => text.to_owned(),
        // A JSON text is a YAML text.
        false => serde_json::to_string(text).expect("a text is JSON"),
    }
}

/// A name of an object, as Kubernetes takes it (RFC 1123).
fn object_name(parts: &[&str]) -> String {
    let joined = parts.join("-").to_ascii_lowercase();
    let mut name: String = joined.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    while name.contains("--") {
        name = name.replace("--", "-");
    }
    name.truncate(63);
    let name = name.trim_matches('-');
    if name.is_empty() { "drafted".to_owned() } else { name.to_owned() }
}

/// Lines with remarks behind them, aligned where they stand together.
fn aligned(lines: &[(String, String)]) -> String {
    let remarked = lines.iter().filter(|(_, remark)| !remark.is_empty());
    let width = remarked.map(|(line, _)| line.chars().count()).filter(|width| *width <= 90).max().unwrap_or_default();
    let mut text = String::new();
    for (line, remark) in lines {
        text.push_str(line);
        if !remark.is_empty() {
            text.push_str(&" ".repeat(width.saturating_sub(line.chars().count()) + 2));
            text.push_str("# ");
            // A remark is one line, whatever a name in it holds.
            text.extend(remark.chars().map(|c| if c.is_control() { ' ' } else { c }));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_read_again() {
        for text in
            ["a", "a.b", "on", "NO", "1a", "a: b", "", "#", "[", "ü", "a\"\\\n", "-", "~", "0x1", "`", "%a", "@"]
        {
            let flow: serde_json::Value =
                serde_saphyr::from_str(&format!("{{ a: {} }}", scalar(text))).expect("it is YAML");
            assert_eq!(flow["a"].as_str(), Some(text), "{}", scalar(text));
        }
    }

    #[test]
    fn names_of_objects_are_possible_ones() {
        assert_eq!(object_name(&["wow", "shop_order_state"]), "wow-shop-order-state");
        assert_eq!(object_name(&["ü", "_"]), "drafted");
        assert_eq!(object_name(&["a", &"b".repeat(100)]).len(), 63);
    }
}
