//! `check --explain CODE`: the section of the documentation about a code.

use super::CommandError;
use crate::compile::{Code, available};

/// The documentation of all codes.
const DOCUMENTATION: &str = include_str!("../../docs/diagnostics.md");

/// The section about a code, whatever the case of its letters.
///
/// # Errors
/// If there is no such code; with the nearest, or all.
pub fn explain(wanted: &str) -> Result<String, CommandError> {
    let Some(code) = Code::ALL.iter().find(|code| code.as_str().eq_ignore_ascii_case(wanted)) else {
        let names: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        let help = available(wanted, &names, "codes");
        return Err(CommandError::Usage(format!("there is no code `{wanted}`. {help}")));
    };
    // A test sees to it that every code has a section.
    let section = section(DOCUMENTATION, code.as_str()).unwrap_or_else(|| code.meaning());
    Ok(format!("{section}\n"))
}

/// The section under the heading of a code.
pub fn section<'d>(documentation: &'d str, code: &str) -> Option<&'d str> {
    let heading = format!("\n## {code}\n");
    let start = documentation.find(&heading)? + 1;
    let rest = &documentation[start..];
    let end = rest[3..].find("\n## ").map_or(rest.len(), |end| end + 3);
    Some(rest[..end].trim_end())
}
