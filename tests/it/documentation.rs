//! `docs/` against the code: every word that people meet in a status is explained there.

use std::fmt::Write as _;

use analytics_catalog::api::Reason;
use analytics_catalog::compile::Code;

use crate::support::documents::{as_generated, committed};

#[test]
fn every_reason_is_explained_with_what_to_do() {
    let table = committed("docs/reasons.md");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let named: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    let reasons: Vec<&str> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
    assert_eq!(named, reasons, "docs/reasons.md has one row a reason, in the order of Reason::ALL");
    for (row, reason) in rows.iter().zip(Reason::ALL) {
        let [_, waits_for, meaning, what_to_do] = row[..] else { panic!("four cells are expected: {row:?}") };
        let of_published = [Reason::Current, Reason::Previous, Reason::NeverPublished, Reason::Unavailable];
        let expected = match reason {
            reason if of_published.contains(&reason) => "see `Ready`",
            reason if reason.is_ready() => "–",
            reason if reason.is_transient() => "retried",
            _ => "you",
        };
        assert_eq!(waits_for, expected, "who {} waits for", reason.as_str());
        assert!(meaning.ends_with('.') && what_to_do.ends_with('.'), "{} is explained in sentences", reason.as_str());
    }
}

#[test]
fn the_documented_diagnostics_are_those_of_the_code() {
    const INTRODUCTION: &str = "\
# Diagnostics

What can be wrong with a source or dataset. Diagnostics stand in the message of the condition `Ready` (reason
`InvalidDefinition`), one a line: the place in the YAML, the code, what is wrong, and what would have worked. All
diagnostics of an object come at once. The published version stays served.

An error stops what it speaks of; a warning stops nothing, unless a check is strict.

Generated from `src/compile/diagnostic.rs`: `WRITE_GENERATED=1 cargo test --test it documentation::` writes it.

| Code | Severity | Meaning |
|---|---|---|
";
    let mut text = INTRODUCTION.to_owned();
    for code in Code::ALL {
        writeln!(text, "| `{}` | {} | {} |", code.as_str(), code.severity().as_str(), code.meaning())
            .expect("a text grows");
    }
    as_generated("docs/diagnostics.md", &text);
}
