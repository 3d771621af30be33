//! A check's findings, written for people, for programs, or for tools that speak SARIF.

mod json;
mod sarif;
mod text;

pub use json::json;
pub use sarif::sarif;
pub use text::{finding, text};

use super::check::Finding;
use super::input::Input;

/// Where a finding stands, all from 1 and in characters; the end is behind the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

/// The region of a finding, if its file has a text.
fn region(finding: &Finding, input: &Input) -> Option<Region> {
    let bytes = finding.bytes.as_ref()?;
    let (line, column) = input.lines.position(input.text(), bytes.start);
    let (end_line, end_column) = input.lines.position(input.text(), bytes.end.max(bytes.start));
    Some(Region { line, column, end_line, end_column })
}
