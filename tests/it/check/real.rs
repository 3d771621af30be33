//! What the process does around a report: arguments, streams, files that are no files, and how it ends.

use std::os::unix::fs::symlink;

use super::program::{Run, run, words};
use crate::support::documents::root;

const SOURCE: &str = "apiVersion: analytics.wow.dev/v1alpha1\nkind: AnalyticsSource\nmetadata: {name: a}\nspec: {connection: default, database: crm, table: customers, tenant: {column: tenant}}\n";

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).expect("the folder is ours");
    }
    folder
}

fn check(folder: &tempfile::TempDir, arguments: &str, stdin: &str) -> Run {
    run(folder.path(), "check", &words(arguments), stdin)
}

fn says(run: &Run, code: i32, text: &str) {
    let all = format!("{}{}", run.stderr, run.stdout);
    assert!(run.code == code && all.contains(text), "expected {code} and `{text}`, got {} and:\n{all}", run.code);
    assert!(!all.contains("panicked"), "{all}");
}

#[test]
fn the_examples_are_sound() {
    let run = run(root(), "check", &words("examples/catalog"), "");
    says(&run, 0, "2 sources and 1 dataset in 2 files: nothing is wrong.");
}

#[test]
fn the_standard_input_is_a_file() {
    let nowhere = folder(&[]);
    says(&check(&nowhere, "-", SOURCE), 0, "1 source and 0 datasets in 1 file: nothing is wrong.");
    says(&check(&nowhere, "- -", &SOURCE.replace("table:", "tabel:")), 1, "--> stdin:4:44");
}

#[test]
fn what_cannot_be_checked_ends_with_two() {
    let files = folder(&[("a.yaml", SOURCE.as_bytes()), ("s.yaml", b"format: 9\n"), ("c.yaml", b"connections: {}\n")]);
    std::fs::create_dir(files.path().join("empty")).expect("the folder is ours");
    for (arguments, text) in [
        ("", "name the files or folders to check"),
        ("missing.yaml", "`missing.yaml` cannot be read: No such file or directory"),
        ("empty", "`empty` holds no file that ends in .yaml or .yml"),
        ("a.yaml --snapshot s.yaml", "the snapshot `s.yaml` cannot be used: it has the format 9; this program reads 1"),
        ("a.yaml --snapshot a.yaml", "the snapshot `a.yaml` cannot be used: it is no snapshot"),
        ("a.yaml --snapshot none", "the snapshot `none` cannot be used: the file cannot be read: No such file"),
        ("a.yaml --config c.yaml", "the configuration has no connections"),
        ("a.yaml --config none", "the configuration `none` cannot be read"),
        ("a.yaml --config a.yaml", "the configuration is wrong at `apiVersion`"),
        ("a.yaml --output xml", "[possible values: text, json, sarif]"),
        ("--explain UnknwonColumn", "there is no code `UnknwonColumn`. Did you mean `UnknownColumn`?"),
    ] {
        let run = check(&files, arguments, "");
        says(&run, 2, text);
        assert!(run.stdout.is_empty(), "{arguments}: {}", run.stdout);
    }
}

#[test]
fn files_that_are_no_texts_are_findings() {
    let files = folder(&[
        ("bytes.yaml", b"a: 1\n\xff\xfe"),
        ("large.yaml", &vec![b'#'; 5 << 20]),
        ("nested.yaml", &vec![b'['; 1 << 20]),
        ("control.yaml", b"a: \"\x1b[31m\x07\"\n\0"),
        ("sound.yml", SOURCE.as_bytes()),
        ("ignored.txt", b"["),
    ]);
    let inner = files.path().join("inner");
    std::fs::create_dir(&inner).expect("the folder is ours");
    symlink(files.path(), inner.join("loop")).expect("a link");
    symlink("/dev/zero", inner.join("endless.yaml")).expect("a link");
    symlink("nowhere.yaml", inner.join("dangling.yaml")).expect("a link");
    let run = check(&files, ".", "");
    for text in [
        "The file is not UTF-8: line 2 holds bytes that are no character.",
        "The file has more than 4194304 bytes; up to 4194304 are read.",
        "--> nested.yaml:1:",
        "--> inner/dangling.yaml",
        "The file cannot be read: it is no ordinary file.",
        "1 source and 0 datasets in 7 files: 6 errors.",
    ] {
        says(&run, 1, text);
    }
    assert!(!run.stdout.contains(['\u{1b}', '\u{7}', '\0']), "nothing of a file moves the terminal");
}

#[test]
fn a_strict_check_takes_warnings_for_errors() {
    let source = SOURCE.replace("customers", "customers_stage_rep");
    let files = folder(&[("a.yaml", source.as_bytes())]);
    says(&check(&files, "a.yaml", ""), 0, "1 warning.");
    says(&check(&files, "a.yaml --strict", ""), 1, "error[StagingTable]");
}

#[test]
fn sources_may_stand_elsewhere() {
    let dataset = "apiVersion: analytics.wow.dev/v1alpha1\nkind: AnalyticsDataset\nmetadata: {name: d}\nspec: {context: crm, name: d, definition: {sources: [{alias: c, sourceId: \"default:crm:customers\"}], subject: c, columns: [{name: id, from: c.id}]}}\n";
    let source = SOURCE.replace("}}", "}, columns: [{name: id, sensitivity: {level: Public}}]}");
    let files = folder(&[("d.yaml", dataset.as_bytes()), ("s.yaml", source.as_bytes())]);
    says(&check(&files, "d.yaml", ""), 1, "error[SourceNotFound]");
    says(&check(&files, "d.yaml --sources s.yaml", ""), 0, "0 sources and 1 dataset in 1 file: nothing is wrong.");
}

#[test]
fn colours_are_for_those_who_ask() {
    let files = folder(&[("a.yaml", SOURCE.replace("table:", "tabel:").as_bytes())]);
    assert!(check(&files, "a.yaml --color always", "").stdout.contains("\u{1b}[1m"));
    assert!(!check(&files, "a.yaml --color auto", "").stdout.contains('\u{1b}'));
}

#[test]
fn no_secret_stands_in_a_message() {
    let configuration = "connections: {default: {url: \"http://catalog:hunter2@127.0.0.1:1/\", password: hunter2}}\n";
    let files = folder(&[("a.yaml", SOURCE.as_bytes()), ("c.yaml", configuration.as_bytes())]);
    let broken = configuration.replace(", password", "\n: x, password");
    for text in [configuration, &configuration.replace(", password: hunter2", ""), &broken] {
        std::fs::write(files.path().join("c.yaml"), text).expect("the folder is ours");
        let run = check(&files, "a.yaml --config c.yaml", "");
        assert_eq!(run.code, 2);
        let all = format!("{}{}", run.stderr, run.stdout);
        assert!(!all.contains("hunter2"), "{all}");
    }
}
