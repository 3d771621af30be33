//! `docs/` against the code: every word that people meet in a status is explained there.

mod image;
mod manifests;
mod pages;

use std::fmt::Write as _;

use analytics_catalog::api::Reason;
use analytics_catalog::commands::tables::Tables;
use analytics_catalog::commands::{check, input, report};
use analytics_catalog::compile::{Code, Severity};

use crate::check::program::{run, words};
use crate::support::documents::{as_generated, committed, root};

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

/// Codes that no file can give: only the operator says them.
const OF_THE_OPERATOR: [Code; 2] = [Code::SourceNotApproved, Code::CompilerDefect];

#[tokio::test]
async fn every_diagnostic_is_explained_with_an_example_that_gives_it() {
    let page = committed("docs/diagnostics.md");
    let mut sections = page.split("\n## ");
    let mut text = sections.next().unwrap_or_default().to_owned();
    let sections: Vec<(&str, &str)> = sections.filter_map(|section| section.split_once('\n')).collect();
    let named: Vec<&str> = sections.iter().map(|(code, _)| *code).collect();
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(named, codes, "docs/diagnostics.md has one section a code, in the order of Code::ALL");
    let tables = root().join("tests/cases/check/_shared/tables.yaml");
    let tables = Tables::read(Some(&tables), None).await.expect("the tables of the tests");
    let mut wrong: Vec<String> = Vec::new();
    for (code, (name, section)) in Code::ALL.iter().zip(sections) {
        assert!(section.contains("\n\nTo mend it: "), "{name}: it is said how to mend it");
        let (_, rest) = section.trim_start().split_once("\n").expect("a section has a first line");
        let severity = if code.severity() == Severity::Error { "Error" } else { "Warning" };
        let first = format!("**{severity}.** {}", code.meaning());
        let rest = match blocks(rest) {
            None => {
                assert!(OF_THE_OPERATOR.contains(code), "{name}: an example is missing");
                rest.to_owned()
            }
            Some((before, example, after)) => {
                let shown = shown(example, *code, &tables).unwrap_or_else(|all| {
                    wrong.push(format!("the example of {name} gives other findings:\n{all}"));
                    String::new()
                });
                format!("{before}```yaml\n{example}```\n\n```text\n{shown}```\n{after}")
            }
        };
        write!(text, "\n## {name}\n\n{first}\n{rest}").expect("a text grows");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    as_generated("docs/diagnostics.md", &text);
}

/// What stands before the example, the example, and what stands behind what is said of it.
fn blocks(section: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = section.split_once("```yaml\n")?;
    let (example, rest) = rest.split_once("```\n\n```text\n")?;
    let after = rest.strip_prefix("```\n").or_else(|| rest.split_once("\n```\n").map(|(_, after)| after))?;
    Some((before, example, after))
}

/// What a check says of an example, as far as it is of this code; else all that it says.
fn shown(example: &str, code: Code, tables: &Tables) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("example.yaml");
    std::fs::write(&file, example).expect("the folder is ours");
    let sources = root().join("examples/catalog/sources.yaml");
    let mut inputs = input::read(&[file], &[sources]).expect("both files are there");
    inputs[0].name = "example.yaml".to_owned();
    let checked = check::check(&inputs, tables, false);
    match checked.findings.iter().find(|finding| finding.diagnostic.code == code) {
        Some(finding) => Ok(report::finding(finding, &inputs[finding.input], false)),
        None => Err(report::text(&checked, &inputs, false)),
    }
}

#[test]
fn the_commands_say_what_the_page_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    std::os::unix::fs::symlink(root().join("examples/catalog"), place.join("catalog")).expect("a link");
    std::fs::copy(root().join("examples/snapshot.yaml"), place.join("snapshot.yaml")).expect("the folder is ours");
    let page = committed("docs/commands.md");
    let mut blocks = page.split("```");
    let mut text = blocks.next().unwrap_or_default().to_owned();
    let mut commands = 0;
    while let (Some(block), after) = (blocks.next(), blocks.next().unwrap_or_default()) {
        let block = match (block.strip_prefix("yaml\n# file: "), block.strip_prefix("console\n$ analytics-catalog ")) {
            (Some(file), _) => {
                let (name, content) = file.split_once('\n').expect("a file has a name and a content");
                std::fs::write(place.join(name), content).expect("the folder is ours");
                block.to_owned()
            }
            (None, Some(command)) => {
                commands += 1;
                let line = command.lines().next().unwrap_or_default();
                let (command, arguments) = line.split_once(' ').unwrap_or((line, ""));
                let run = run(place, command, &words(arguments), "");
                assert!(run.code < 2, "{line}: {}", run.stderr);
                let said = format!("{}{}", run.stderr, run.stdout);
                let lines: Vec<&str> = said.lines().map(str::trim_end).collect();
                format!("console\n$ analytics-catalog {line}\n{}\n", lines.join("\n").trim_end())
            }
            (None, None) => block.to_owned(),
        };
        write!(text, "```{block}```{after}").expect("a text grows");
    }
    assert!(commands >= 10, "{commands} commands are shown");
    as_generated("docs/commands.md", &text);
}
