//! Runs the real program.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::clickhouse::program;

/// How a run ended, and what it said.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command in a folder, with a text as its standard input.
pub fn run(folder: &Path, command: &str, arguments: &[String], stdin: &str) -> Run {
    run_with(folder, command, arguments, stdin, &[])
}

/// The same with an environment; it has nothing else in it.
pub fn run_with(folder: &Path, command: &str, arguments: &[String], stdin: &str, environment: &[(&str, &str)]) -> Run {
    let mut child = Command::new(program())
        .args(command.split(' '))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("it was asked for");
    let text = stdin.to_owned();
    // Who reads no standard input closes it.
    let writer = std::thread::spawn(move || drop(pipe.write_all(text.as_bytes())));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("writing does not panic");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
    Run { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The arguments of a line.
pub fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}
