//! The YAML in `docs/sources.md` and `docs/datasets.md`, as `check` takes it; and no page sends people to one that they
//! do not have.
//!
//! A block with `apiVersion` is a whole object. Any other block is laid over the `spec` of the page's first object: its
//! members, and those of `definition`, are replaced. A `text` block right after it is what `check` says of it; without one, nothing is wrong.

use std::path::PathBuf;

use analytics_catalog::commands::check::check;
use analytics_catalog::commands::input;
use analytics_catalog::commands::tables::Tables;
use clap::CommandFactory as _;
use serde_json::Value;

use crate::support::documents::{as_generated, blocks, committed, rewritten, root};

const TABLES: &str = "tests/cases/check/_shared/tables.yaml";

#[tokio::test]
async fn what_the_pages_on_sources_and_datasets_declare_is_checked() {
    let tables = Tables::read(Some(&root().join(TABLES)), None).await.expect("the tables of the cases");
    for page in ["docs/sources.md", "docs/datasets.md"] {
        let text = committed(page);
        let mut answers = Vec::new();
        let mut first: Option<Value> = None;
        let blocks = blocks(&text);
        for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.language == "yaml") {
            let is_whole = block.text.contains("apiVersion:");
            let value: Value = serde_saphyr::from_str(&block.text)
                .unwrap_or_else(|error| panic!("{page}: {error} in\n{}", block.text));
            let object = match (&first, is_whole) {
                (_, true) => value,
                (Some(first), false) => laid_over(first, &value),
                (None, false) => panic!("{page} begins with a fragment:\n{}", block.text),
            };
            let said = findings(&object, &tables);
            first.get_or_insert(object);
            let answer = blocks.get(index + 1).filter(|next| next.language == "text" && next.follows);
            match answer {
                Some(answer) => answers.push((answer, said)),
                None => assert!(said.is_empty(), "{page}: {said}in\n{}", block.text),
            }
        }
        assert!(first.is_some(), "{page} shows no object");
        as_generated(page, &rewritten(&text, &answers));
    }
}

/// A fragment over the `spec` of an object: its members, and those of `definition`, are replaced.
fn laid_over(object: &Value, fragment: &Value) -> Value {
    fn replace(place: &mut Value, with: &Value) {
        for (name, value) in with.as_object().expect("members") {
            match name.as_str() {
                "definition" => replace(&mut place[name], value),
                _ => place[name] = value.clone(),
            }
        }
    }
    let mut object = object.clone();
    replace(&mut object["spec"], fragment);
    object
}

/// What `check` says of an object that may read the sources of the examples; a line each.
fn findings(object: &Value, tables: &Tables) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("object.yaml");
    std::fs::write(&file, object.to_string()).expect("the folder is ours"); // JSON is YAML
    let is_dataset = object["kind"] == "AnalyticsDataset";
    let sources: Vec<PathBuf> = is_dataset.then(|| root().join("examples/catalog/sources.yaml")).into_iter().collect();
    let inputs = input::read(&[file], &sources).expect("the files are there");
    let said = check(&inputs, tables, false).findings.into_iter().map(|finding| {
        let found = finding.diagnostic;
        let help = found.help.map(|help| format!("\n  {help}")).unwrap_or_default();
        format!("{} ({}): {}{help}\n", found.code.as_str(), finding.severity.as_str(), found.message)
    });
    said.collect()
}

#[test]
fn no_text_for_people_cites_a_page_that_they_do_not_have() {
    let mut texts = vec![("the command line's help".to_owned(), help_of(analytics_catalog::cli::Arguments::command()))];
    let mut pending: Vec<PathBuf> =
        ["README.md", "docs", "sql", "charts", "crds", "examples", "Dockerfile", "Makefile"]
            .map(|name| root().join(name))
            .into();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(&path).expect("readable").map(|entry| entry.expect("an entry").path()));
        } else {
            texts.push((path.display().to_string(), std::fs::read_to_string(&path).expect("a text")));
        }
    }
    assert!(texts.len() > 20, "the files are found");
    for (name, text) in texts {
        for line in text.lines() {
            let numbered = |word: &str| {
                line.match_indices(word)
                    .any(|(at, _)| line[at + word.len()..].starts_with(|c: char| c.is_ascii_digit()))
            };
            let cites =
                ["design ", "query-language ", "query language's part ", "clickhouse-facts ", "Kubernetes notes "];
            assert!(!cites.into_iter().any(numbered), "{name}: {line}");
        }
    }
}

fn help_of(mut command: clap::Command) -> String {
    let mut text = command.render_long_help().to_string();
    for inner in command.get_subcommands() {
        text.push_str(&help_of(inner.clone()));
    }
    text
}

#[test]
fn links_between_pages_lead_somewhere() {
    let folder = std::fs::read_dir(root().join("docs")).expect("the pages");
    let pages = folder.map(|entry| format!("docs/{}", entry.expect("an entry").file_name().to_string_lossy()));
    for page in pages.chain(["README.md", "CONTRIBUTING.md", "sql/README.md", "src/README.md"].map(str::to_owned)) {
        let text = committed(&page);
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', '#']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") {
                let path = root().join(&page).parent().expect("a page is in a folder").join(target);
                assert!(path.exists(), "{page} links to `{target}`, which does not exist");
            }
        }
    }
}
