//! A real ClickHouse without an installed server: starts one as a child process on loopback.
//!
//! It is a `clickhouse` program from `PATH`, or a packaged engine that is fetched once. The child
//! is this program itself in a hidden role ([`run_child`]): it ends when its standard input
//! closes, hence also when its parent is killed. This module knows nothing of datasets.

mod child;
mod configuration;
mod error;
mod library;
mod package;

use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdin, Command};

use super::accounts::Account;
pub use child::{CHILD_SUBCOMMAND, run_child};
use configuration::Configuration;
pub use error::EngineError;
pub use package::default_cache;

// It is ready in about a second; a busy machine with many tables may need far longer.
const START_DEADLINE: Duration = Duration::from_secs(60);
const STOP_DEADLINE: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
const PING_TIMEOUT: Duration = Duration::from_secs(1);
// A free port can be taken by somebody else before the engine listens on it.
const START_ATTEMPTS: u32 = 3;

/// What to start, and where.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Keeps data, configuration and logs; the data survives a restart.
    pub directory: PathBuf,
    /// Keeps the packaged engine, shared by all directories; see [`default_cache`].
    pub cache: PathBuf,
    /// The only accounts that exist in it.
    pub accounts: Vec<Account>,
    /// This program: it is run as `<child_program> engine-process …`.
    pub child_program: PathBuf,
    /// Its ports for HTTP and for the native protocol; free ones where none are given.
    pub ports: Option<(u16, u16)>,
}

/// Where a ClickHouse comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineKind {
    /// The `clickhouse` program found on `PATH`.
    Program,
    /// The packaged engine, fetched once through npm.
    Packaged,
}

/// A running ClickHouse; it ends when this value is dropped.
#[derive(Debug)]
pub struct Engine {
    http_port: u16,
    child: Child,
    // Held open for as long as the child shall live.
    lifeline: Option<ChildStdin>,
}

impl Engine {
    /// Starts a ClickHouse and returns once it answers.
    pub async fn start(options: EngineOptions) -> Result<Engine, EngineError> {
        if let Some(account) = options.accounts.iter().find(|one| !one.has_valid_name()) {
            return Err(EngineError::AccountName { name: account.name.clone() });
        }
        let (kind, program) = locate(&options.cache).await?;
        let configuration = Configuration::write(&options.directory, kind, &options.accounts)?;
        let mut attempt = 1;
        loop {
            let (http_port, tcp_port) = options.ports.map_or_else(free_ports, Ok)?;
            let mut arguments = vec![CHILD_SUBCOMMAND.to_owned()];
            arguments.extend(configuration.child_arguments(kind, &program, http_port, tcp_port)?);
            let mut engine =
                spawn(&options.child_program, &arguments, &configuration).map(|child| Engine::of(child, http_port))?;
            match engine.wait_until_ready(&configuration).await {
                Ok(()) => return Ok(engine),
                Err(EngineError::Ended { log, .. }) if attempt < START_ATTEMPTS && names_a_taken_port(&log) => {
                    attempt += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Its HTTP interface, without a slash at the end.
    pub fn http_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.http_port)
    }

    /// Ends it and waits until its directory is free again.
    pub async fn stop(mut self) {
        drop(self.lifeline.take());
        if tokio::time::timeout(STOP_DEADLINE, self.child.wait()).await.is_err() {
            tracing::warn!("the engine did not end in time and is killed");
            if let Err(error) = self.child.kill().await {
                tracing::warn!(%error, "the engine could not be killed");
            }
        }
    }

    fn of(mut child: Child, http_port: u16) -> Engine {
        Engine { http_port, lifeline: child.stdin.take(), child }
    }

    async fn wait_until_ready(&mut self, configuration: &Configuration) -> Result<(), EngineError> {
        let started = Instant::now();
        while started.elapsed() < START_DEADLINE {
            let status = self.child.try_wait().map_err(|error| EngineError::child(&error))?;
            if let Some(status) = status {
                return Err(EngineError::Ended { status: status.to_string(), log: configuration.last_log_lines() });
            }
            if answers_ping(self.http_port).await {
                tracing::debug!(
                    url = self.http_url(),
                    milliseconds = started.elapsed().as_millis(),
                    "the engine answers"
                );
                return Ok(());
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Err(EngineError::NotReady { seconds: START_DEADLINE.as_secs(), log: configuration.last_log_lines() })
    }
}

// Finds the program to run: a `clickhouse` on `PATH`, else the library of the packaged engine.
async fn locate(cache: &Path) -> Result<(EngineKind, PathBuf), EngineError> {
    if let Some(program) = program_on_path("clickhouse") {
        return Ok((EngineKind::Program, program));
    }
    let cache = cache.to_owned();
    let library = tokio::task::spawn_blocking(move || package::ensure_library(&cache))
        .await
        .expect("preparing the package does not panic and is not aborted")?;
    Ok((EngineKind::Packaged, library))
}

fn program_on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}

fn free_ports() -> Result<(u16, u16), EngineError> {
    // Both are held until both are known, so that they differ.
    let bind = || TcpListener::bind(("127.0.0.1", 0));
    let both = || -> std::io::Result<(u16, u16)> {
        let (http, tcp) = (bind()?, bind()?);
        Ok((http.local_addr()?.port(), tcp.local_addr()?.port()))
    };
    both().map_err(|source| EngineError::NoPort { source })
}

fn spawn(program: &Path, arguments: &[String], configuration: &Configuration) -> Result<Child, EngineError> {
    let start = || -> std::io::Result<Child> {
        let output = File::create(configuration.output_log())?;
        Command::new(program)
            .args(arguments)
            .current_dir(configuration.directory())
            .stdin(Stdio::piped())
            .stdout(Stdio::from(output.try_clone()?))
            .stderr(Stdio::from(output))
            // Ctrl-C goes to a whole process group: the child must outlive our own clean-up.
            .process_group(0)
            .spawn()
    };
    start().map_err(|error| EngineError::child(&error))
}

fn names_a_taken_port(log: &str) -> bool {
    log.contains("Address already in use") || log.contains("EADDRINUSE")
}

async fn answers_ping(port: u16) -> bool {
    let ask = async {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.write_all(b"GET /ping HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n").await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        std::io::Result::Ok(answer)
    };
    match tokio::time::timeout(PING_TIMEOUT, ask).await {
        Ok(Ok(answer)) => answer.starts_with(b"HTTP/1.") && answer.get(9..12) == Some(b"200"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_free_ports_differ() {
        let (http, tcp) = free_ports().expect("loopback has free ports");
        assert_ne!(http, tcp);
    }

    #[test]
    fn a_program_that_does_not_exist_is_not_found() {
        assert_eq!(program_on_path("no-such-program-anywhere"), None);
        assert!(program_on_path("sh").is_some());
    }
}
