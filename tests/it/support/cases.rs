//! Folders of cases: what goes in and what must come out, as files. Knows nothing of what is tested.
//!
//! `UPDATE_EXPECTED=1 cargo test` writes what came out instead of comparing it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files that a case must give, by name; a file named here and absent must not exist in the case.
pub type Outcome = BTreeMap<&'static str, Option<String>>;

/// The folder `tests/cases/<boundary>`.
pub fn root(boundary: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(boundary)
}

/// Runs `check` on every case of a boundary and compares what it gives with the files of the case. Folders starting
/// with `_` hold what cases share. All differences are reported at once.
pub fn walk(boundary: &str, check: impl Fn(&Path) -> Outcome) -> usize {
    let update = std::env::var_os("UPDATE_EXPECTED").is_some_and(|value| value == "1");
    let mut cases = Vec::new();
    collect(&root(boundary), &mut cases);
    cases.sort();
    let mut differences = Vec::new();
    for case in &cases {
        for (name, actual) in check(case) {
            let file = case.join(name);
            let expected = std::fs::read_to_string(&file).ok();
            if expected == actual {
                continue;
            }
            match (update, &actual) {
                (true, Some(text)) => std::fs::write(&file, text).expect("an expected file is written"),
                (true, None) => std::fs::remove_file(&file).expect("an expected file is removed"),
                (false, _) => differences.push(format!(
                    "{}\n--- expected\n{}\n--- actual\n{}",
                    file.display(),
                    expected.as_deref().unwrap_or("(no file)"),
                    actual.as_deref().unwrap_or("(no file)")
                )),
            }
        }
    }
    assert!(differences.is_empty(), "{} cases differ:\n{}", differences.len(), differences.join("\n\n"));
    cases.len()
}

/// Every folder that holds files and is not shared; folders of folders are groups.
fn collect(folder: &Path, cases: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder of cases");
    let entries: Vec<_> = entries.map(|entry| entry.expect("an entry of a folder of cases").path()).collect();
    let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
    if !files.is_empty() {
        cases.push(folder.to_owned());
    }
    for nested in folders {
        let shared = nested.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'));
        if !shared {
            collect(&nested, cases);
        }
    }
}
