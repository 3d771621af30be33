//! The program `analytics-catalog`.

use std::process::ExitCode;

use analytics_catalog::cli::{Arguments, Command};
use analytics_catalog::standalone::engine;
use analytics_catalog::{roles, telemetry};
use clap::Parser as _;

fn main() -> ExitCode {
    // The embedded engine takes over the process: it must find no thread of ours, and reads its own arguments.
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(engine::CHILD_SUBCOMMAND) {
        engine::run_child(&arguments.collect::<Vec<_>>());
    }
    let arguments = Arguments::parse();
    telemetry::start_logging(arguments.log);
    match run(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(command: Command) -> Result<(), roles::RoleError> {
    match command {
        Command::Controller(arguments) => roles::controller(arguments).await,
        Command::Serve(arguments) => roles::serve(arguments).await,
        Command::Standalone(arguments) => roles::standalone(arguments).await,
        Command::Crds(arguments) => roles::crds(&arguments),
    }
}
