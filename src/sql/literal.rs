//! Quoted texts. In a statement, only of what the operator itself states: callers' values travel as parameters, and the
//! elements of an array parameter are quoted here too.

/// A quoted string (ClickHouse reference: syntax, string).
pub fn string(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    push_string(&mut text, value);
    text
}

/// The same, written at the end of a text.
pub fn push_string(text: &mut String, value: &str) {
    text.push('\'');
    let mut rest = value;
    while let Some(at) = rest.find(['\'', '\\', '\n', '\r', '\t', '\0']) {
        text.push_str(&rest[..at]);
        text.push_str(match rest.as_bytes()[at] {
            b'\'' => "\\'",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            _ => "\\0",
        });
        rest = &rest[at + 1..];
    }
    text.push_str(rest);
    text.push('\'');
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
