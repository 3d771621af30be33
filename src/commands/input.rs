//! The files that a command is given: files, folders, or the standard input.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::CommandError;
use crate::manifest::{self, Lines, Manifest};

/// The name under which the standard input is reported.
pub const STANDARD_INPUT: &str = "stdin";

/// One file.
#[derive(Debug)]
pub struct Input {
    /// Its path as it was given or found, or the name of the standard input.
    pub name: String,
    /// What it holds, or why it cannot be read.
    pub manifest: Result<Manifest, String>,
    /// Its lines.
    pub lines: Lines,
    /// Whether it was named itself, rather than found in a folder.
    pub named: bool,
    /// Whether only its sources are of interest.
    pub for_sources: bool,
}

/// Reads what is given: `paths` to be looked at, `sources` for their sources alone. A file counts once.
///
/// # Errors
/// If a path does not exist, or nothing is found at all.
pub fn read(paths: &[PathBuf], sources: &[PathBuf]) -> Result<Vec<Input>, CommandError> {
    let mut inputs = Vec::new();
    let mut seen = BTreeSet::new();
    for (path, for_sources) in paths.iter().map(|path| (path, false)).chain(sources.iter().map(|path| (path, true))) {
        let before = inputs.len();
        if path == Path::new("-") {
            if seen.insert(path.clone()) {
                let text = manifest::read_text(std::io::stdin().lock());
                inputs.push(Input::new(STANDARD_INPUT.to_owned(), text, true, for_sources));
            }
            continue;
        }
        match std::fs::metadata(path) {
            Err(cause) => return Err(CommandError::Path { path: path.clone(), cause }),
            Ok(about) if about.is_dir() => {
                for (file, text) in manifest::files(path) {
                    if seen.insert(std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone())) {
                        inputs.push(Input::new(shown(&file), text, false, for_sources));
                    }
                }
                if inputs.len() == before {
                    return Err(CommandError::NothingToRead { path: path.clone() });
                }
            }
            Ok(_) => {
                if seen.insert(std::fs::canonicalize(path).unwrap_or_else(|_| path.clone())) {
                    inputs.push(Input::new(shown(path), manifest::read_file(path), true, for_sources));
                }
            }
        }
    }
    Ok(inputs)
}

impl Input {
    fn new(name: String, text: Result<String, String>, named: bool, for_sources: bool) -> Self {
        let lines = Lines::of(text.as_deref().unwrap_or_default());
        Self { name, manifest: text.map(manifest::read), lines, named, for_sources }
    }

    /// The text, as far as there is one.
    pub fn text(&self) -> &str {
        self.manifest.as_ref().map(Manifest::text).unwrap_or_default()
    }
}

fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}
