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

/// A fenced block of a page.
pub struct Block {
    /// The word behind its fence.
    pub language: String,
    /// What stands in it, with the last line break.
    pub text: String,
    /// Where that begins in the page.
    pub start: usize,
    /// Whether nothing but an empty line stands between it and the block before.
    pub follows: bool,
}

/// The fenced blocks of a page, in order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let (mut at, mut open, mut follows) = (0, false, false);
    for line in page.split_inclusive('\n') {
        at += line.len();
        match (line.strip_prefix("```"), open) {
            (Some(language), false) => {
                found.push(Block { language: language.trim().to_owned(), text: String::new(), start: at, follows });
                open = true;
            }
            (Some(_), true) => (open, follows) = (false, true),
            (None, true) => found.last_mut().expect("a block was opened").text.push_str(line),
            (None, false) => follows &= line.trim().is_empty(),
        }
    }
    assert!(!open, "a block is not closed");
    found
}

/// The page with other texts in some of its blocks, which are given in their order.
pub fn rewritten(page: &str, answers: &[(&Block, String)]) -> String {
    let mut text = page.to_owned();
    for (block, answer) in answers.iter().rev() {
        text.replace_range(block.start..block.start + block.text.len(), answer);
    }
    text
}
