//! The YAML files of a folder, and what stands in each.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest file that is read; an API server takes no object that is larger.
const LARGEST_FILE: u64 = 4 * 1024 * 1024;
/// The largest file of our own making that is read.
const LARGEST_OWN_FILE: u64 = 1024 * 1024 * 1024;

/// All YAML files below a folder, sorted, with their texts. What cannot be read, a file or a folder, has its reason instead.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Result<String, String>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    // Links may lead to a folder again: each is read once, or a few links would be paths without end.
    let mut seen = BTreeSet::new();
    while let Some(next) = folders.pop() {
        let paths = match paths_in(&next, &mut seen) {
            Ok(paths) => paths,
            Err(error) => {
                found.insert(next, Err(format!("the folder cannot be read: {error}")));
                continue;
            }
        };
        for path in paths {
            match std::fs::metadata(&path) {
                Ok(about) if about.is_dir() => folders.push(path),
                Ok(_) if is_yaml(&path) => {
                    let text = read_file(&path);
                    found.insert(path, text);
                }
                Ok(_) => {}
                // A link that leads nowhere: it may be one of ours, or a folder of them.
                Err(error) if is_yaml(&path) || path.extension().is_none() => {
                    found.insert(path, Err(format!("this cannot be read: {error}")));
                }
                Err(_) => {}
            }
        }
    }
    found
}

/// The paths in a folder but for hidden ones, the last first; none of a folder that was seen already.
fn paths_in(folder: &Path, seen: &mut BTreeSet<PathBuf>) -> std::io::Result<Vec<PathBuf>> {
    if !seen.insert(std::fs::canonicalize(folder)?) {
        return Ok(Vec::new());
    }
    let paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    let hidden = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let mut paths: Vec<PathBuf> = paths.into_iter().filter(|path| !hidden(path)).collect();
    // Which of several ways to a folder counts does not depend on the order in which the system lists them.
    paths.sort_unstable_by(|a, b| b.cmp(a));
    Ok(paths)
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// The text of a file.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read_file(path: &Path) -> Result<String, String> {
    read_up_to(path, LARGEST_FILE)
}

/// The text of a file that a program wrote, which may be large.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read_large_file(path: &Path) -> Result<String, String> {
    read_up_to(path, LARGEST_OWN_FILE)
}

/// The text of a stream, such as the standard input.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read_text(stream: impl Read) -> Result<String, String> {
    text_up_to(stream, LARGEST_FILE)
}

fn read_up_to(path: &Path, largest: u64) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("the file cannot be read: {error}");
    let about = std::fs::metadata(path).map_err(failed)?;
    // Reading a pipe or a device would not end.
    if !about.is_file() {
        return Err("the file cannot be read: it is no ordinary file.".to_owned());
    }
    text_up_to(std::fs::File::open(path).map_err(failed)?, largest)
}

fn text_up_to(stream: impl Read, largest: u64) -> Result<String, String> {
    let mut bytes = Vec::new();
    stream.take(largest + 1).read_to_end(&mut bytes).map_err(|error| format!("the file cannot be read: {error}"))?;
    if bytes.len() as u64 > largest {
        return Err(format!("the file has more than {largest} bytes; up to {largest} are read."));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let line = before.filter(|byte| **byte == b'\n').count() + 1;
        format!("the file is not UTF-8: line {line} holds bytes that are no character.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_back_and_pipes_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).expect("the folder is ours");
        std::fs::write(inner.join("a.yaml"), "a: 1").expect("the folder is ours");
        for name in ["one", "two", "three"] {
            std::os::unix::fs::symlink(folder.path(), inner.join(name)).expect("a link");
        }
        std::os::unix::fs::symlink("/dev/zero", inner.join("endless.yaml")).expect("a link");
        let found = files(folder.path());
        assert_eq!(found.len(), 2, "{:?}", found.keys());
        assert_eq!(found.values().filter(|text| text.is_ok()).count(), 1);
    }

    #[test]
    fn bytes_that_are_no_text_and_endless_streams_are_told_of() {
        assert_eq!(
            read_text(&b"a: 1\nb: \xff\xfe\n"[..]),
            Err("the file is not UTF-8: line 2 holds bytes that are no character.".to_owned())
        );
        assert!(read_text(std::io::repeat(b'a')).is_err_and(|problem| problem.contains("up to 4194304 are read")));
    }
}
