//! The program `analytics-catalog`.

use std::process::ExitCode;

use analytics_catalog::cli::{Arguments, Command};
use analytics_catalog::standalone::engine;
use analytics_catalog::{pipeline, roles, telemetry};
use clap::Parser as _;

fn main() -> ExitCode {
    // The embedded engine takes over the process: it must find no thread of ours, and reads its own arguments.
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(engine::CHILD_SUBCOMMAND) {
        engine::run_child(&arguments.collect::<Vec<_>>());
    }
    let arguments = Arguments::parse();
    telemetry::start_logging(arguments.log);
    // Where a command ends with 1 it found something wrong; 2 says that it could not look. A role has no such difference.
    let for_people = arguments.command.is_for_people();
    match run(arguments.command) {
        Ok(code) => code,
        Err(error) if for_people => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(command: Command) -> Result<ExitCode, roles::RoleError> {
    match command {
        Command::Controller(arguments) => roles::controller(arguments).await?,
        Command::Serve(arguments) => roles::serve(arguments).await?,
        Command::Standalone(arguments) => roles::standalone(arguments).await?,
        Command::Check(arguments) => return pipeline::check(arguments).await,
        Command::Compile(arguments) => return pipeline::compile(arguments).await,
        Command::Draft(command) => pipeline::draft(command).await?,
        Command::Snapshot(arguments) => pipeline::snapshot(arguments).await?,
        Command::Crds(arguments) => pipeline::crds(&arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}
