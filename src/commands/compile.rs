//! `compile`: the SQL of datasets, as it would be published. Where a definition has errors there is no SQL of it.

use std::collections::BTreeSet;

use super::CommandError;
use super::check::{self, Checked};
use super::input::Input;
use super::tables::Tables;
use crate::compile::{Severity, available};
use crate::plan::ddl;
use crate::plan::revision::Version;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The IDs of the datasets; all where none is named.
    pub datasets: Vec<String>,
    /// Whether the body of the view is wanted alone.
    pub body: bool,
    /// The number of the version in the name of the view.
    pub version: u64,
    /// The installation in the mark of the view.
    pub installation: String,
}

/// What a compilation comes to.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The statements, each under a remark that names its dataset; empty where something is wrong.
    pub sql: String,
    /// What is wrong with the datasets that are asked for, and with files as a whole.
    pub checked: Checked,
}

/// Compiles datasets.
///
/// # Errors
/// If no table is known, or a dataset that is asked for is not there.
pub fn compile(inputs: &[Input], tables: &Tables, request: &Request) -> Result<Compiled, CommandError> {
    if tables.origin.is_none() {
        let how =
            "the SQL depends on the tables: give --snapshot FILE (from `analytics-catalog snapshot`) or --config FILE";
        return Err(CommandError::Usage(how.to_owned()));
    }
    let datasets = check::datasets(inputs);
    let known: Vec<String> = datasets.iter().map(|(_, dataset)| dataset.spec.id()).collect();
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    let is_wanted = |id: &String| request.datasets.is_empty() || request.datasets.contains(id);
    let wanted: Vec<_> = datasets.iter().filter(|(_, dataset)| is_wanted(&dataset.spec.id())).collect();
    let mut checked = check::check(inputs, tables, false);
    if let Some(missing) = request.datasets.iter().find(|wanted| !known.contains(wanted)) {
        checked.findings.retain(|finding| finding.id.is_none());
        if checked.count(Severity::Error) > 0 {
            // It may stand in a document that could not be read.
            return Ok(Compiled { sql: String::new(), checked });
        }
        let help = available(missing, &names, "datasets");
        return Err(CommandError::Usage(format!("there is no dataset `{missing}` in the files. {help}")));
    }
    // What is wrong with others does not stand in the way of these; what is wrong with their sources does.
    let sources: BTreeSet<&str> = wanted
        .iter()
        .flat_map(|(_, dataset)| dataset.spec.definition.sources.iter().map(|source| source.source_id.as_str()))
        .collect();
    let concerned = |finding: &check::Finding| match &finding.id {
        None => true,
        Some(id) => wanted.iter().any(|(_, dataset)| dataset.spec.id() == *id) || sources.contains(id.as_str()),
    };
    checked.findings.retain(concerned);
    let mut sql = String::new();
    if checked.count(Severity::Error) == 0 {
        if wanted.is_empty() {
            return Err(CommandError::Usage("the files hold no dataset".to_owned()));
        }
        for (_, dataset) in &wanted {
            let (usable, connection) =
                (check::usable_sources(inputs, dataset, tables), tables.connection_of(&dataset.spec));
            let input = check::compile_input(dataset, &usable, tables);
            // A check found nothing in it: it compiles.
            let Ok(compiled) = crate::compile::compile(&input) else { continue };
            let statements = match request.body {
                true => vec![compiled.select.to_string()],
                false => {
                    let record = compiled.record(&dataset.spec, &connection.datasets_database, request.version);
                    let version = Version::of(&dataset.spec, &compiled, record, Vec::new());
                    let pieces = ddl::pieces(&version, &connection.definer, &request.installation);
                    pieces.into_iter().map(|piece| piece.statement.to_string()).collect()
                }
            };
            let statements: Vec<String> =
                statements.iter().map(|statement| format!("{};\n", over_lines(statement))).collect();
            sql.push_str(&format!("-- {}\n{}\n", dataset.spec.id(), statements.concat()));
        }
    }
    Ok(Compiled { sql, checked })
}

/// A statement over several lines. Joining the trimmed lines with one space gives the statement again.
pub fn over_lines(statement: &str) -> String {
    const NEW_LINE_BEFORE: [&str; 10] = [
        "DEFINER = ",
        "COMMENT ",
        "AS SELECT ",
        "FROM ",
        "ALL LEFT JOIN ",
        "ALL INNER JOIN ",
        "PREWHERE ",
        "FINAL WHERE ",
        "WHERE ",
        "SETTINGS ",
    ];
    let mut text = String::with_capacity(statement.len() + 200);
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (index, character) in statement.char_indices() {
        let rest = &statement[index + character.len_utf8()..];
        match (quote, character) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '`') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ' ')
                if text.ends_with(',') && depth == 0 || NEW_LINE_BEFORE.iter().any(|word| rest.starts_with(word)) =>
            {
                text.push('\n');
                text.push_str(&"  ".repeat(depth + usize::from(text.ends_with(",\n"))));
                continue;
            }
            _ => {}
        }
        text.push(character);
    }
    text
}
