//! `docs/` against the code: every word that people meet in a status is explained there.

use std::fmt::Write as _;

use analytics_catalog::api::Reason;

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

`JoinMayFanOut` alone is a warning: it stops nothing.

Generated from `src/compile/diagnostic.rs`: `WRITE_GENERATED=1 cargo test --test it documentation::` writes it.

| Code | Meaning |
|---|---|
";
    let source = committed("src/compile/diagnostic.rs");
    let variants = source.split_once("pub enum Code {").and_then(|(_, rest)| rest.split_once("\n}"));
    let (variants, _) = variants.expect("the codes are an enum");
    let mut text = INTRODUCTION.to_owned();
    let mut meaning = Vec::new();
    for line in variants.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.strip_prefix("/// ") {
            Some(sentence) => meaning.push(sentence),
            None => {
                let code = line.trim_end_matches(',');
                assert!(!meaning.is_empty(), "`{code}` has no doc comment");
                writeln!(text, "| `{code}` | {} |", meaning.join(" ")).expect("a text grows");
                meaning.clear();
            }
        }
    }
    as_generated("docs/diagnostics.md", &text);
}
