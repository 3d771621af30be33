//! The files and arguments that a ClickHouse is started with.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::super::accounts::{Account, LocalSession, escaped, render_users_xml};
use super::child::{RUN_LIBRARY, RUN_PROGRAM};
use super::{EngineError, EngineKind};

const ERROR_LOG: &str = "logs/errors.log";
const OUTPUT_LOG: &str = "logs/output.log";
const LOG_LINES_SHOWN: usize = 20;
// One line of an engine's log may hold a whole stack trace.
const LOG_LINE_CHARACTERS: usize = 400;

// The engine is a `clickhouse-local`, which lives as long as its last statement: this one sleeps
// an hour per row without using a processor.
const SESSION_STATEMENTS: [&str; 3] = [
    "SYSTEM START LISTEN HTTP",
    "SYSTEM START LISTEN TCP",
    "SELECT sleepEachRow(3600) FROM numbers(1000000) FORMAT Null SETTINGS max_block_size = 1, \
     max_execution_time = 0, function_sleep_max_microseconds_per_block = 0",
];

/// The folder of one engine, with its configuration written.
pub(super) struct Configuration {
    directory: PathBuf,
    // What an earlier run has logged is no reason of this one.
    earlier_error_bytes: usize,
}

impl Configuration {
    /// Makes the folders and writes `config.xml` and `users.xml`.
    pub(super) fn write(directory: &Path, kind: EngineKind, accounts: &[Account]) -> Result<Self, EngineError> {
        let directory =
            std::path::absolute(directory).map_err(|source| EngineError::not_writable(directory, source))?;
        let earlier_errors = fs::metadata(directory.join(ERROR_LOG)).map_or(0, |file| file.len());
        let earlier_error_bytes = usize::try_from(earlier_errors).unwrap_or(0);
        let configuration = Configuration { directory, earlier_error_bytes };
        for folder in ["", "config", "data", "logs", "files"] {
            let path = configuration.directory.join(folder);
            // 0700: whoever reads the data needs no account.
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&path)
                .map_err(|source| EngineError::not_writable(&path, source))?;
        }
        let session = match kind {
            EngineKind::Program => LocalSession::None,
            EngineKind::Packaged => LocalSession::Statements(SESSION_STATEMENTS.len() as u32),
        };
        let users = render_users_xml(accounts, session);
        write_private(&configuration.file("config/users.xml"), &users)?;
        let config = configuration.render_config_xml()?;
        write_private(&configuration.file("config/config.xml"), &config)?;
        Ok(configuration)
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where the child's own output goes.
    pub(super) fn output_log(&self) -> PathBuf {
        self.file(OUTPUT_LOG)
    }

    /// What follows the hidden subcommand.
    pub(super) fn child_arguments(
        &self,
        kind: EngineKind,
        program: &Path,
        http_port: u16,
        tcp_port: u16,
    ) -> Result<Vec<String>, EngineError> {
        let program = text(program)?.to_owned();
        let config = format!("--config-file={}", self.text_of("config/config.xml")?);
        let listen = [
            format!("--http_port={http_port}"),
            format!("--tcp_port={tcp_port}"),
            "--listen_host=127.0.0.1".to_owned(),
            format!("--path={}", self.text_of("data")?),
        ];
        let mut arguments = match kind {
            EngineKind::Program => vec![
                RUN_PROGRAM.to_owned(),
                program,
                "server".to_owned(),
                config,
                // A server takes what follows as overrides of its configuration.
                "--".to_owned(),
            ],
            EngineKind::Packaged => vec![RUN_LIBRARY.to_owned(), program, config],
        };
        arguments.extend(listen);
        if kind == EngineKind::Packaged {
            // It ignores the level in the configuration file. At `warning` it tells of its own
            // schedulers several times a second.
            arguments.push("--log-level=error".to_owned());
            arguments.push("--output-format=TabSeparated".to_owned());
            arguments.push(format!("--query={}", SESSION_STATEMENTS.join("; ")));
        }
        Ok(arguments)
    }

    /// The end of its output and of its error log, for a person.
    pub(super) fn last_log_lines(&self) -> String {
        let mut lines = Vec::new();
        for (name, skipped) in [(ERROR_LOG, self.earlier_error_bytes), (OUTPUT_LOG, 0)] {
            let bytes = fs::read(self.file(name)).unwrap_or_default();
            // Shorter than before: it was rotated meanwhile.
            let new = bytes.get(skipped..).unwrap_or(&bytes);
            lines.extend(last_lines(&String::from_utf8_lossy(new)));
        }
        if lines.is_empty() {
            return format!("(nothing in `{}`)", self.file("logs").display());
        }
        lines.join("\n")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn text_of(&self, name: &str) -> Result<String, EngineError> {
        text(&self.file(name)).map(str::to_owned)
    }

    fn render_config_xml(&self) -> Result<String, EngineError> {
        let element = |name: &str| self.text_of(name).map(|path| escaped(&path));
        let (log, errors) = (element("logs/engine.log")?, element(ERROR_LOG)?);
        let (users, files) = (element("config/users.xml")?, element("files")?);
        let temporary = element("data/tmp")?;
        // The access rules are those of a server's standard configuration, so that a grant that
        // is missing here is missing there.
        Ok(format!(
            "<clickhouse>
    <logger>
        <level>error</level>
        <log>{log}</log>
        <errorlog>{errors}</errorlog>
        <size>10M</size>
        <count>2</count>
    </logger>
    <user_directories>
        <users_xml><path>{users}</path></users_xml>
    </user_directories>
    <default_profile>default</default_profile>
    <tmp_path>{temporary}/</tmp_path>
    <user_files_path>{files}/</user_files_path>
    <timezone>UTC</timezone>
    <mark_cache_size>268435456</mark_cache_size>
    <access_control_improvements>
        <settings_constraints_replace_previous>true</settings_constraints_replace_previous>
        <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
        <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
        <table_engines_require_grant>true</table_engines_require_grant>
    </access_control_improvements>
</clickhouse>
"
        ))
    }
}

fn write_private(path: &Path, content: &str) -> Result<(), EngineError> {
    let write = || -> std::io::Result<()> {
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        file.write_all(content.as_bytes())
    };
    write().map_err(|source| EngineError::not_writable(path, source))
}

fn text(path: &Path) -> Result<&str, EngineError> {
    path.to_str().ok_or_else(|| EngineError::PathNotText { path: path.to_owned() })
}

fn last_lines(log: &str) -> Vec<String> {
    let lines: Vec<&str> = log.lines().filter(|line| !line.trim().is_empty()).collect();
    let start = lines.len().saturating_sub(LOG_LINES_SHOWN);
    lines[start..].iter().map(|line| line.chars().take(LOG_LINE_CHARACTERS).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration() -> Configuration {
        Configuration { directory: PathBuf::from("/data/a&b"), earlier_error_bytes: 0 }
    }

    #[test]
    fn paths_are_escaped_in_the_configuration_file() {
        let xml = configuration().render_config_xml().expect("the path is UTF-8");
        assert!(xml.contains("<log>/data/a&amp;b/logs/engine.log</log>"), "{xml}");
    }

    #[test]
    fn the_packaged_engine_runs_statements_and_a_server_does_not() {
        let of = |kind| configuration().child_arguments(kind, Path::new("/x"), 1, 2).expect("the path is UTF-8");
        let packaged = of(EngineKind::Packaged);
        assert_eq!(packaged[..2], ["library", "/x"]);
        assert!(packaged.contains(&"--http_port=1".to_owned()));
        assert!(packaged.iter().any(|one| one.starts_with("--query=")));
        let program = of(EngineKind::Program);
        assert_eq!(program[..3], ["program", "/x", "server"]);
        assert!(!program.iter().any(|one| one.starts_with("--query=")));
    }

    #[test]
    fn only_the_end_of_a_log_is_shown() {
        let log = (1..=30).map(|n| format!("line {n}\n\n")).collect::<String>();
        let shown = last_lines(&log);
        assert_eq!(shown.len(), LOG_LINES_SHOWN);
        assert_eq!(shown.last().map(String::as_str), Some("line 30"));
        assert_eq!(last_lines(&"x".repeat(1000))[0].len(), LOG_LINE_CHARACTERS);
    }
}
