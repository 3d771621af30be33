//! Spans of time as people write them: `500ms`, `5m`, `7d`.

use jiff::{SignedDuration, Span, SpanRelativeTo};

/// Reads an interval such as `500ms`, `5m` or `7d`; a day has 24 hours.
///
/// # Errors
/// If the text is none, or is negative; the text of the error says what would have worked.
pub fn parse(text: &str) -> Result<SignedDuration, String> {
    let wrong = || format!("`{text}` is no interval; write for instance `500ms`, `5m` or `7d`");
    let span: Span = text.parse().map_err(|_| wrong())?;
    let interval = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
    if interval.is_negative() { Err(wrong()) } else { Ok(interval) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_24_hours_and_what_is_no_interval_says_what_would_be() {
        assert_eq!(parse("7d"), Ok(SignedDuration::from_hours(168)));
        assert_eq!(parse("500ms"), Ok(SignedDuration::from_millis(500)));
        for text in ["", "often", "-5m", "3 months"] {
            assert!(parse(text).is_err_and(|problem| problem.contains("`5m`")), "{text}");
        }
    }
}
