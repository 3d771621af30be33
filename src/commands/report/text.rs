//! For people: the line of the file, a caret under what is meant, and what would have worked.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str};

use super::super::check::{Checked, Finding};
use super::super::input::Input;
use crate::compile::Severity;

/// The longest lines that are shown, in bytes: a file that a program wrote may be one line, and each finding shows it.
const LONGEST_SHOWN: usize = 8 * 1024;

/// The report, with colours where they are wanted.
pub fn text(checked: &Checked, inputs: &[Input], colours: bool) -> String {
    let mut text = String::new();
    for found in &checked.findings {
        text.push_str(&finding(found, &inputs[found.input], colours));
        text.push('\n');
    }
    for note in &checked.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text.push_str(&summary(checked));
    text.push('\n');
    text
}

/// One finding, as it stands in the report.
pub fn finding(finding: &Finding, input: &Input, colours: bool) -> String {
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
    renderer.render(&[group(finding, input)]) + "\n"
}

fn group<'a>(finding: &'a Finding, input: &'a Input) -> Group<'a> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let diagnostic = &finding.diagnostic;
    let title = level.primary_title(normalize_untrusted_str(&diagnostic.message)).id(diagnostic.code.as_str());
    let mut elements: Vec<Element<'a>> = Vec::new();
    match &finding.bytes {
        Some(bytes) => {
            // The lines that are meant, and no others: whoever draws them reads all that he is given.
            let text = input.text();
            let start = text[..bytes.start].rfind('\n').map_or(0, |at| at + 1);
            let end = text[bytes.end..].find('\n').map_or(text.len(), |at| bytes.end + at + 1);
            let (line, column) = input.lines.position(text, bytes.start);
            if end - start > LONGEST_SHOWN {
                elements.push(Origin::path(input.name.as_str()).line(line).char_column(column).into());
            } else {
                let meant = AnnotationKind::Primary.span(bytes.start - start..bytes.end - start);
                let snippet = Snippet::source(&text[start..end]).line_start(line).path(input.name.as_str());
                elements.push(snippet.annotation(meant).into());
            }
        }
        None => elements.push(Origin::path(input.name.as_str()).into()),
    }
    let place = match (diagnostic.path.is_empty(), finding.object.is_empty()) {
        (true, true) => None,
        (true, false) => Some(finding.object.clone()),
        (false, true) => Some(diagnostic.path.clone()),
        (false, false) => Some(format!("{} of {}", diagnostic.path, finding.object)),
    };
    elements.extend(place.map(|place| Level::NOTE.with_name("at").message(normalize_untrusted_str(&place)).into()));
    let help = diagnostic.help.as_deref();
    elements.extend(help.map(|help| Level::HELP.message(normalize_untrusted_str(help)).into()));
    title.elements(elements)
}

fn summary(checked: &Checked) -> String {
    let (errors, warnings) = (checked.count(Severity::Error), checked.count(Severity::Warning));
    let what = format!(
        "{} and {} in {}",
        counted(checked.sources, "source"),
        counted(checked.datasets, "dataset"),
        counted(checked.files, "file")
    );
    match (errors, warnings) {
        (0, 0) => format!("{what}: nothing is wrong."),
        (errors, 0) => format!("{what}: {}.", counted(errors, "error")),
        (0, warnings) => format!("{what}: {}.", counted(warnings, "warning")),
        (errors, warnings) => format!("{what}: {}, {}.", counted(errors, "error"), counted(warnings, "warning")),
    }
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
