//! The command line: the roles and the commands, and the environment variables of their settings.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::telemetry::LogFormat;

/// A Kubernetes operator for ClickHouse datasets, and the server that answers queries on them.
#[derive(Debug, Parser)]
#[command(name = "analytics-catalog", version)]
pub struct Arguments {
    /// How log lines look.
    #[arg(long, global = true, value_enum, default_value = "text", env = "ANALYTICS_CATALOG_LOG")]
    pub log: LogFormat,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The roles and commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the operator in a cluster.
    Controller(RoleArguments),
    /// Run the query server beside an application.
    Serve(RoleArguments),
    /// Run both over a folder of YAML, with a ClickHouse of its own unless the configuration names one.
    Standalone(StandaloneArguments),
    /// Print the custom resource definitions, or write them into a folder.
    Crds(CrdsArguments),
}

/// What the roles in a cluster take.
#[derive(Debug, Args)]
pub struct RoleArguments {
    /// The configuration file.
    #[arg(long, env = "ANALYTICS_CATALOG_CONFIG")]
    pub config: Option<PathBuf>,
    /// The namespace of the process; that of its service account where absent.
    #[arg(long, env = "ANALYTICS_CATALOG_NAMESPACE")]
    pub namespace: Option<String>,
}

/// What standalone takes.
#[derive(Debug, Args)]
pub struct StandaloneArguments {
    /// The folder of YAML.
    pub folder: PathBuf,
    /// The configuration file.
    #[arg(long, env = "ANALYTICS_CATALOG_CONFIG")]
    pub config: Option<PathBuf>,
    /// The folder of status, history and the embedded ClickHouse.
    #[arg(long, default_value = "state", env = "ANALYTICS_CATALOG_STATE")]
    pub state: PathBuf,
    /// The URL of a ClickHouse to use instead of an embedded one.
    #[arg(long, env = "ANALYTICS_CATALOG_CLICKHOUSE_URL")]
    pub clickhouse_url: Option<String>,
    /// A file of SQL that the embedded ClickHouse runs at its start as its administrator; may be given several times.
    #[arg(long)]
    pub setup_sql: Vec<PathBuf>,
    /// The file to write the address of the query routes into, once they answer.
    #[arg(long)]
    pub address_file: Option<PathBuf>,
}

/// What `crds` takes.
#[derive(Debug, Args)]
pub struct CrdsArguments {
    /// The folder to write them into.
    #[arg(long)]
    pub output: Option<PathBuf>,
}
