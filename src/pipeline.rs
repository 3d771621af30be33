//! Runs a command for people and pipelines: reads its arguments, prints what it says, and tells how the process ends.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use crate::cli::{
    CheckArguments, ColorChoice, CompileArguments, CrdsArguments, DraftCommand, DraftDatasetArguments, DraftLevels,
    DraftSourceArguments, ReportFormat, SnapshotArguments,
};
use crate::commands::check::{self, Checked};
use crate::commands::draft::{self, DatasetWishes, Levels, PathTypes};
use crate::commands::input::{self, Input};
use crate::commands::snapshot::Snapshot;
use crate::commands::tables::{self, Tables};
use crate::commands::{CommandError, compile, crds, explain, report};
use crate::compile::Severity;
use crate::configuration::Configuration;
use crate::manifest::Declared;
use crate::roles::RoleError;

/// Checks files.
///
/// # Errors
/// If the check is not possible.
pub async fn check(arguments: CheckArguments) -> Result<ExitCode, RoleError> {
    if let Some(code) = &arguments.explain {
        print(&explain::explain(code)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.input.paths.is_empty() {
        return Err(
            CommandError::Usage("name the files or folders to check; `-` is the standard input".to_owned()).into()
        );
    }
    let inputs = input::read(&arguments.input.paths, &arguments.input.sources)?;
    let tables = Tables::read(arguments.tables.snapshot.as_deref(), arguments.tables.config.as_deref()).await?;
    let checked = check::check(&inputs, &tables, arguments.strict);
    let colours = match arguments.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => has_colours(&std::io::stdout()),
    };
    print(&match arguments.output {
        ReportFormat::Text => report::text(&checked, &inputs, colours),
        ReportFormat::Json => report::json(&checked, &inputs),
        ReportFormat::Sarif => report::sarif(&checked, &inputs),
    })?;
    Ok(ending(&checked))
}

/// Prints the SQL of datasets.
///
/// # Errors
/// If it is not possible; a definition with errors is reported, not an error.
pub async fn compile(arguments: CompileArguments) -> Result<ExitCode, RoleError> {
    if arguments.input.paths.is_empty() {
        return Err(CommandError::Usage(
            "name the files or folders of the datasets; `-` is the standard input".to_owned(),
        )
        .into());
    }
    let inputs = input::read(&arguments.input.paths, &arguments.input.sources)?;
    let tables = Tables::read(arguments.tables.snapshot.as_deref(), arguments.tables.config.as_deref()).await?;
    let request = compile::Request {
        datasets: arguments.dataset,
        body: arguments.body,
        version: arguments.version,
        installation: arguments.installation,
    };
    let compiled = compile::compile(&inputs, &tables, &request)?;
    if !compiled.checked.findings.is_empty() {
        eprint!("{}", report::text(&compiled.checked, &inputs, has_colours(&std::io::stderr())));
    }
    print(&compiled.sql)?;
    Ok(ending(&compiled.checked))
}

/// Writes a draft.
///
/// # Errors
/// If the table or the source is not known.
pub async fn draft(command: DraftCommand) -> Result<(), RoleError> {
    match command {
        DraftCommand::Source(arguments) => draft_source(&arguments).await,
        DraftCommand::Dataset(arguments) => draft_dataset(&arguments).await,
    }
}

async fn draft_source(arguments: &DraftSourceArguments) -> Result<(), RoleError> {
    let (connection, database, table) = draft::parts(&arguments.id)?;
    let (snapshot, config) = (arguments.tables.snapshot.as_deref(), arguments.tables.config.as_deref());
    let tables = Tables::read(snapshot, config).await?;
    let table = tables.table(connection, database, table)?;
    let mut paths = PathTypes::new();
    if let (None, Some(config)) = (snapshot, config) {
        let configuration = Configuration::load(Some(config), std::env::vars_os())?;
        let servers = tables::servers(&configuration).await?;
        for column in draft::json_columns(table) {
            let server = servers.get(connection).ok_or(CommandError::NoConnections)?;
            let failed = |cause| CommandError::Warehouse { connection: connection.to_owned(), cause };
            let seen = server.json_paths(table.physical_database(), &table.name, column, arguments.sample).await;
            paths.insert(column.to_owned(), seen.map_err(failed)?);
        }
    }
    let levels = match arguments.levels {
        DraftLevels::Confidential => Levels::Confidential,
        DraftLevels::Unstated => Levels::Unstated,
    };
    print(&draft::source(connection, table, &paths, levels))?;
    Ok(())
}

async fn draft_dataset(arguments: &DraftDatasetArguments) -> Result<(), RoleError> {
    let (connection, database, table) = draft::parts(&arguments.id)?;
    let inputs = input::read(&arguments.paths, &[])?;
    let objects = inputs.iter().filter_map(|input: &Input| input.manifest.as_ref().ok()).flat_map(|it| &it.objects);
    let sources = objects.filter_map(|object| match &object.declared {
        Declared::Source(source) => Some(&source.spec),
        Declared::Dataset(_) => None,
    });
    let sources: Vec<_> = sources.collect();
    let Some(source) = sources.iter().find(|source| source.id() == arguments.id) else {
        let ids: Vec<String> = sources.iter().map(|source| source.id()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let help = crate::compile::available(&arguments.id, &ids, "sources");
        return Err(CommandError::Usage(format!("the files declare no source `{}`. {help}", arguments.id)).into());
    };
    let tables = Tables::read(arguments.tables.snapshot.as_deref(), arguments.tables.config.as_deref()).await?;
    let table = match tables.origin {
        Some(_) => Some(tables.table(connection, database, table)?),
        None => None,
    };
    let wishes = DatasetWishes { context: arguments.context.clone(), name: arguments.name.clone() };
    print(&draft::dataset(source, table, &wishes))?;
    Ok(())
}

/// Saves what the compiler knows of the warehouse.
///
/// # Errors
/// If a server does not answer or the file cannot be written.
pub async fn snapshot(arguments: SnapshotArguments) -> Result<(), RoleError> {
    let configuration = Configuration::load(Some(&arguments.config), std::env::vars_os())?;
    let snapshot = Snapshot::take(&configuration).await?;
    match &arguments.output {
        None => print(&snapshot.render(false)?)?,
        Some(path) => {
            let json = path.extension().is_some_and(|extension| extension == "json");
            write(path, &snapshot.render(json)?)?;
        }
    }
    Ok(())
}

/// Prints the CRDs, or writes them into a folder.
///
/// # Errors
/// If they cannot be written.
pub fn crds(arguments: &CrdsArguments) -> Result<(), RoleError> {
    for (file, text) in crds::render()? {
        match &arguments.output {
            None => print(&format!("---\n{text}"))?,
            Some(folder) => write(&folder.join(file), &text)?,
        }
    }
    Ok(())
}

fn ending(checked: &Checked) -> ExitCode {
    match checked.count(Severity::Error) {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn write(path: &Path, text: &str) -> Result<(), CommandError> {
    std::fs::write(path, text).map_err(|cause| CommandError::Output { path: path.to_owned(), cause })
}

/// Prints; a reader who has seen enough, such as `head`, is no failure.
fn print(text: &str) -> Result<(), CommandError> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(CommandError::Output { path: "standard output".into(), cause })
        }
        _ => Ok(()),
    }
}

fn has_colours(stream: &impl std::io::IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
