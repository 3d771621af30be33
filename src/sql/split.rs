//! Lists in the server's own texts.

/// Splits at commas outside parentheses and quotes; none if something does not close.
pub(crate) fn split_arguments(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut start, mut quote, mut escaped) = (0usize, 0usize, None, false);
    let mut parts = Vec::new();
    for (index, character) in text.char_indices() {
        match (quote, character) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '`') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.checked_sub(1)?,
            (None, ',') if depth == 0 => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    (depth == 0 && quote.is_none()).then_some(parts)
}
