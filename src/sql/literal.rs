//! Quoted texts. In a statement, only of what the operator itself states: callers' values travel as parameters, and the
//! elements of an array parameter are quoted here too.

/// A quoted string (ClickHouse reference: syntax, string).
pub fn string(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    text.push('\'');
    for character in value.chars() {
        match character {
            '\'' => text.push_str("\\'"),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0' => text.push_str("\\0"),
            other => text.push(other),
        }
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_string_is_escaped() {
        assert_eq!(string(r"it's \ a"), r"'it\'s \\ a'");
        assert_eq!(string("a\nb\0"), r"'a\nb\0'");
    }
}
