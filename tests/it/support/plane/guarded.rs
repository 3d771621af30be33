//! Processes that never outlive ours.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};

/// Runs a program and ends it when our end of the pipe on standard input
/// closes, which the kernel does however our process ends: statics that are
/// never dropped, a panic that aborts and `kill -9` are all the same to it.
const GUARD: &str = r#"
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
{ while read -r _; do :; done; kill -KILL "$program"; } <&3 2>/dev/null &
keeper=$!
exec 3<&-
wait "$program"
status=$?
kill -KILL "$keeper" 2>/dev/null
exit "$status"
"#;

/// Removes a folder once our process is gone. Programs that end by the same
/// event may still write for a moment, so the first attempt can fail.
const BROOM: &str = r#"
while read -r _; do :; done
for attempt in 1 2 3 4 5; do
    rm -rf "$1" && exit
    sleep 1
done
"#;

/// A process that ends when this value is dropped or our process is gone.
pub(super) struct Guarded {
    process: Child,
    // Never written to: that it closes is the signal.
    lifeline: Option<ChildStdin>,
}

impl Guarded {
    /// Starts a program with its flags; what it writes is appended to `log`.
    pub(super) fn program(path: &Path, flags: &[String], log: &Path) -> Result<Guarded, String> {
        let command = [path.as_os_str()].into_iter().chain(flags.iter().map(OsStr::new));
        let output = File::options().create(true).append(true).open(log);
        let output = output.and_then(|file| Ok((file.try_clone()?, file)));
        let (stdout, stderr) = output.map_err(|error| format!("open {}: {error}", log.display()))?;
        Guarded::run(GUARD, command, stdout.into(), stderr.into())
            .map_err(|error| format!("run {}: {error}", path.display()))
    }

    /// Has a folder removed when the value is dropped or our process is gone.
    pub(super) fn broom(folder: &Path) -> Result<Guarded, String> {
        Guarded::run(BROOM, [folder.as_os_str()], Stdio::null(), Stdio::null())
            .map_err(|error| format!("run sh: {error}"))
    }

    /// How the program ended; nothing while it runs.
    pub(super) fn exit_status(&mut self) -> Option<ExitStatus> {
        self.process.try_wait().ok().flatten()
    }

    fn run<'a>(
        script: &str,
        args: impl IntoIterator<Item = &'a OsStr>,
        stdout: Stdio,
        stderr: Stdio,
    ) -> std::io::Result<Guarded> {
        let mut command = Command::new("sh");
        command.args(["-c", script, "guard"]).args(args);
        // An interrupt from the terminal is for the tests; we end by the pipe.
        command.process_group(0);
        command.stdin(Stdio::piped()).stdout(stdout).stderr(stderr);
        let mut process = command.spawn()?;
        let lifeline = process.stdin.take();
        Ok(Guarded { process, lifeline })
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.lifeline.take();
        // It has nothing left to do but to end its program; nothing to report.
        let _ = self.process.wait();
    }
}
