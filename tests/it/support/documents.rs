//! Files of the repository: those that are generated, and those that a test reads.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A committed text.
pub fn committed(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}

/// Fails if a committed file is not as generated; with `WRITE_GENERATED` set it is written first.
pub fn as_generated(path: &str, text: &str) {
    if std::env::var_os("WRITE_GENERATED").is_some() {
        fs::create_dir_all(root().join(path).parent().expect("a file is in a folder")).expect("the folder is ours");
        fs::write(root().join(path), text).expect("the source folder is ours to write to");
    }
    assert!(committed(path) == text, "{path} is not as generated: WRITE_GENERATED=1 cargo test writes it");
}

/// The Rust files under a folder, by their path below it, in order.
pub fn rust_files(folder: &str) -> Vec<(String, String)> {
    let start = root().join(folder);
    let mut pending = vec![start.clone()];
    let mut found: Vec<PathBuf> = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).expect("the sources are there") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "there are no sources in {folder}");
    let name = |path: &Path| path.strip_prefix(&start).expect("it was found there").display().to_string();
    found.iter().map(|path| (name(path), fs::read_to_string(path).expect("a source is a text"))).collect()
}
