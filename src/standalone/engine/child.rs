//! The child process: the body of the hidden subcommand that runs a ClickHouse.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::library;

/// The hidden subcommand that [`run_child`] is the body of.
pub const CHILD_SUBCOMMAND: &str = "engine-process";

pub(super) const RUN_LIBRARY: &str = "library";
pub(super) const RUN_PROGRAM: &str = "program";

const PROGRAM_POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Runs a ClickHouse until standard input closes, then ends the process; it never returns.
///
/// `arguments` are those after the subcommand: `library <file> …` or `program <file> …`. Must be
/// called in a process of its own, before threads or an async runtime are started.
pub fn run_child(arguments: &[String]) -> ! {
    let result = match arguments {
        [how, file, rest @ ..] if how == RUN_LIBRARY => run_library(Path::new(file), rest),
        [how, file, rest @ ..] if how == RUN_PROGRAM => run_program(Path::new(file), rest),
        _ => Err(format!(
            "`{CHILD_SUBCOMMAND}` is run by this program itself and takes \
             `{RUN_LIBRARY}` or `{RUN_PROGRAM}`, a file and its arguments"
        )),
    };
    if let Err(message) = result {
        eprintln!("{message}");
    }
    // Ending is never its own wish: whoever started it sees a failure.
    library::exit_now(1)
}

fn run_library(file: &Path, arguments: &[String]) -> Result<(), String> {
    when_standard_input_closes(|| library::exit_now(0));
    library::run(file, arguments)
}

fn run_program(file: &Path, arguments: &[String]) -> Result<(), String> {
    let mut program = Command::new(file)
        .args(arguments)
        .stdin(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot run `{}`: {error}", file.display()))?;
    let closed = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&closed);
    when_standard_input_closes(move || seen.store(true, Ordering::Relaxed));
    loop {
        match program.try_wait() {
            Ok(None) if closed.load(Ordering::Relaxed) => {
                // What was acknowledged is on disk: a ClickHouse may be killed at any time.
                program
                    .kill()
                    .and_then(|()| program.wait())
                    .map_err(|error| format!("cannot end `{}`: {error}", file.display()))?;
                library::exit_now(0);
            }
            Ok(None) => std::thread::sleep(PROGRAM_POLL_INTERVAL),
            Ok(Some(status)) => return Err(format!("`{}` ended: {status}", file.display())),
            Err(error) => return Err(format!("cannot watch `{}`: {error}", file.display())),
        }
    }
}

// The parent holds the other end of the pipe and writes nothing: the kernel closes it when the
// parent ends, however it ends.
fn when_standard_input_closes(act: impl FnOnce() + Send + 'static) {
    std::thread::spawn(move || {
        let mut buffer = [0; 64];
        while !matches!(std::io::stdin().read(&mut buffer), Ok(0) | Err(_)) {}
        act();
    });
}
