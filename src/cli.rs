//! The command line: the roles and the commands, and the environment variables of their settings.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

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
    /// Say all that is wrong with sources and datasets in files, for a pull request.
    ///
    /// Ends with 0 where no error is found, with 1 where one is, with 2 where the check itself is not possible.
    Check(CheckArguments),
    /// Print the SQL of datasets, as it would be published.
    ///
    /// Ends with 0, with 1 where a definition has errors (they go to stderr), with 2 where it is not possible.
    Compile(CompileArguments),
    /// Write the beginning of a source or a dataset.
    #[command(subcommand)]
    Draft(DraftCommand),
    /// Save what the compiler knows of the warehouse, so that `check` and `compile` run without a server.
    ///
    /// Holds names, types, keys and engines of the tables in the configured databases; no row, no address, no password.
    /// The same tables give the same bytes.
    Snapshot(SnapshotArguments),
    /// Print the custom resource definitions, or write them into a folder.
    Crds(CrdsArguments),
}

impl Command {
    /// Whether a person or a pipeline waits for its end, and reads what it prints.
    pub fn is_for_people(&self) -> bool {
        !matches!(self, Self::Controller(_) | Self::Serve(_) | Self::Standalone(_))
    }
}

/// Where tables are known from.
#[derive(Debug, Args)]
pub struct TableArguments {
    /// The file of `analytics-catalog snapshot`; no server is asked then.
    #[arg(long, value_name = "FILE")]
    pub snapshot: Option<PathBuf>,
    /// The configuration file, whose servers are asked where no snapshot is given.
    #[arg(long, value_name = "FILE", env = "ANALYTICS_CATALOG_CONFIG")]
    pub config: Option<PathBuf>,
}

/// The files that are looked at.
#[derive(Debug, Args)]
pub struct InputArguments {
    /// Files and folders of YAML; `-` is the standard input.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Files and folders whose sources the datasets may read, but of which nothing is reported.
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
}

/// What `check` takes.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// The files.
    #[command(flatten)]
    pub input: InputArguments,
    /// The tables. Without them all is checked that needs none.
    #[command(flatten)]
    pub tables: TableArguments,
    /// How the report looks.
    #[arg(long, value_enum, default_value = "text")]
    pub output: ReportFormat,
    /// Take warnings for errors.
    #[arg(long)]
    pub strict: bool,
    /// Whether the text has colours; by itself it has them on a terminal, unless NO_COLOR is set.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: ColorChoice,
    /// Print what a code means, with an example and how to mend it, and check nothing.
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
}

/// How a report looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people.
    Text,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, for code hosts and editors.
    Sarif,
}

/// When a text has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal.
    Auto,
    /// In any case.
    Always,
    /// In no case.
    Never,
}

/// What `compile` takes.
#[derive(Debug, Args)]
pub struct CompileArguments {
    /// The files.
    #[command(flatten)]
    pub input: InputArguments,
    /// The tables; one of the two is needed.
    #[command(flatten)]
    pub tables: TableArguments,
    /// The dataset to compile, as `<context>.<name>`; may be given several times. Default: all.
    #[arg(long, value_name = "ID")]
    pub dataset: Vec<String>,
    /// Print the body of the view alone, without CREATE VIEW.
    #[arg(long)]
    pub body: bool,
    /// The number of the version in the view's name; the operator takes the next that was never used.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub version: u64,
    /// The installation in the view's mark; the operator states its own.
    #[arg(long, value_name = "NAME", default_value = "installation")]
    pub installation: String,
}

/// What `draft` writes.
#[derive(Debug, Subcommand)]
pub enum DraftCommand {
    /// A source from the columns of a table.
    ///
    /// With --config also the paths that occur in the first rows of its JSON columns, with their types.
    Source(DraftSourceArguments),
    /// A dataset from a source: a column for each value that it declares.
    Dataset(DraftDatasetArguments),
}

/// What `draft source` takes.
#[derive(Debug, Args)]
pub struct DraftSourceArguments {
    /// The source's ID, `<connection>:<database>:<table>`.
    #[arg(value_name = "SOURCE")]
    pub id: String,
    /// The tables; one of the two is needed.
    #[command(flatten)]
    pub tables: TableArguments,
    /// The level of every value that holds text.
    #[arg(long, value_enum, default_value = "confidential")]
    pub levels: DraftLevels,
    /// In how many rows paths of JSON columns are looked for.
    #[arg(long, value_name = "ROWS", default_value_t = 10_000)]
    pub sample: u64,
}

/// The level of texts in a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DraftLevels {
    /// Confidential until somebody states another.
    Confidential,
    /// Left to state: `check` names each.
    Unstated,
}

/// What `draft dataset` takes.
#[derive(Debug, Args)]
pub struct DraftDatasetArguments {
    /// The source's ID, `<connection>:<database>:<table>`; it stands in one of the files.
    #[arg(value_name = "SOURCE")]
    pub id: String,
    /// Files and folders of YAML; `-` is the standard input.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// The tables, by which a column of time is found.
    #[command(flatten)]
    pub tables: TableArguments,
    /// The dataset's context; default: the source's database.
    #[arg(long)]
    pub context: Option<String>,
    /// The dataset's name; default: the source's table without the ending of its storage.
    #[arg(long)]
    pub name: Option<String>,
}

/// What `snapshot` takes.
#[derive(Debug, Args)]
pub struct SnapshotArguments {
    /// The configuration file, whose servers are asked.
    #[arg(long, value_name = "FILE", env = "ANALYTICS_CATALOG_CONFIG")]
    pub config: PathBuf,
    /// The file to write, as JSON where it ends in .json, else as YAML; default: YAML to stdout.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
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
