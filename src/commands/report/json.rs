//! For programs: one object, whose members `docs/commands.md` explains.

use serde::Serialize;

use super::super::check::{Checked, Finding};
use super::super::input::Input;
use super::region;
use crate::compile::Severity;

/// The format of the report.
const FORMAT: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    format: u32,
    files: usize,
    sources: usize,
    datasets: usize,
    errors: usize,
    warnings: usize,
    notes: &'a [String],
    diagnostics: Vec<Entry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    code: &'static str,
    severity: &'static str,
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<usize>,
    #[serde(skip_serializing_if = "str::is_empty")]
    object: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    path: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

/// The report.
pub fn json(checked: &Checked, inputs: &[Input]) -> String {
    let report = Report {
        format: FORMAT,
        files: checked.files,
        sources: checked.sources,
        datasets: checked.datasets,
        errors: checked.count(Severity::Error),
        warnings: checked.count(Severity::Warning),
        notes: &checked.notes,
        diagnostics: checked.findings.iter().map(|finding| entry(finding, &inputs[finding.input])).collect(),
    };
    serde_json::to_string_pretty(&report).expect("a report holds texts and numbers") + "\n"
}

fn entry<'a>(finding: &'a Finding, input: &'a Input) -> Entry<'a> {
    let region = region(finding, input);
    Entry {
        code: finding.diagnostic.code.as_str(),
        severity: finding.severity.as_str(),
        file: &input.name,
        line: region.map(|region| region.line),
        column: region.map(|region| region.column),
        end_line: region.map(|region| region.end_line),
        end_column: region.map(|region| region.end_column),
        object: &finding.object,
        path: &finding.diagnostic.path,
        message: &finding.diagnostic.message,
        help: finding.diagnostic.help.as_deref(),
    }
}
