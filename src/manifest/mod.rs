//! Layer 2: files of YAML → sources and datasets, each with the places of its values, or what is wrong with them.
//!
//! Strict, as `kubectl apply` is: a member that the kind's schema does not have is an error. Knows no folder's meaning and
//! no state: `standalone` and `commands` say what becomes of the objects.

mod files;
mod places;
mod schema;

pub use files::{files, read_file, read_large_file, read_text};
pub use places::Lines;

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::api::{AnalyticsDataset, AnalyticsSource, GROUP, VERSION};
use crate::compile::{Code, Diagnostic, available};
use places::{Places, Root};

/// The most nodes that aliases of a text may repeat.
const MOST_REPEATED: usize = 20_000;

/// What a text holds.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The objects, in order.
    pub objects: Vec<Object>,
    /// What is wrong with documents and with their shape, in order.
    pub problems: Vec<Problem>,
    /// Objects of other groups, which are none of ours.
    pub foreign: Vec<Problem>,
    text: String,
    places: Places,
}

/// One object of a text.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it declares.
    pub declared: Declared,
    root: Option<Root>,
}

/// A source or a dataset.
#[derive(Clone, Debug)]
pub enum Declared {
    /// A source.
    Source(Box<AnalyticsSource>),
    /// A dataset.
    Dataset(Box<AnalyticsDataset>),
}

/// Something that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong; its path is that in the object.
    pub diagnostic: Diagnostic,
    /// The kind of the object, as far as it states one.
    pub kind: String,
    /// The name of the object, as far as it states one.
    pub name: String,
    /// The bytes of the text.
    pub bytes: Range<usize>,
}

/// The objects of a text without their places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The sources, in order.
    pub sources: Vec<AnalyticsSource>,
    /// The datasets, in order.
    pub datasets: Vec<AnalyticsDataset>,
}

/// Reads a text.
pub fn read(text: String) -> Manifest {
    // What a text repeats by aliases is bounded: a few lines could otherwise be a million values.
    let limits = serde_saphyr::alias_limits! { max_total_replayed_events: MOST_REPEATED };
    let options = serde_saphyr::options! { alias_limits: limits };
    let documents: Result<Vec<Value>, _> = serde_saphyr::from_multiple_with_options(&text, options);
    let mut manifest = Manifest {
        objects: Vec::new(),
        problems: Vec::new(),
        foreign: Vec::new(),
        places: if documents.is_ok() { Places::read(&text) } else { Places::default() },
        text,
    };
    match documents {
        Err(error) => {
            let problem = manifest.not_yaml(&error);
            manifest.problems.push(problem);
        }
        Ok(documents) => {
            let documents: Vec<Value> = documents.into_iter().filter(|document| !document.is_null()).collect();
            let roots = manifest.places.documents();
            // Both readers saw the same documents, or the places are not to be trusted.
            let trusted = roots.len() == documents.len();
            for (index, document) in documents.into_iter().enumerate() {
                manifest.take(document, roots.get(index).copied().filter(|_| trusted), true);
            }
        }
    }
    manifest
}

/// The objects of a text, where all of it is sound and ours.
///
/// # Errors
/// All that is wrong with it, a line each: where in the text, and what.
pub fn contents(text: &str) -> Result<Contents, String> {
    let manifest = read(text.to_owned());
    let lines = Lines::of(&manifest.text);
    // Bounds are for the compiler: it knows them too, and says so in the object's status.
    let problems = manifest.problems.iter().filter(|problem| problem.diagnostic.code != Code::LimitExceeded);
    let written = |problem: &Problem| {
        let (line, column) = lines.position(&manifest.text, problem.bytes.start);
        let Diagnostic { path, message, help, .. } = &problem.diagnostic;
        let path = if path.is_empty() { String::new() } else { format!("{path}: ") };
        let help = help.as_ref().map(|help| format!(" {help}")).unwrap_or_default();
        format!("line {line}, column {column}: {path}{message}{help}")
    };
    let problems: Vec<String> = problems.chain(&manifest.foreign).map(written).collect();
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let mut contents = Contents::default();
    for object in manifest.objects {
        match object.declared {
            Declared::Source(source) => contents.sources.push(*source),
            Declared::Dataset(dataset) => contents.datasets.push(*dataset),
        }
    }
    Ok(contents)
}

impl Manifest {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of what a diagnostic of an object speaks of.
    pub fn bytes(&self, object: &Object, diagnostic: &Diagnostic) -> Range<usize> {
        let Some(root) = object.root else { return 0..0 };
        match &diagnostic.span {
            Some(span) => self.places.part(&self.text, root, &diagnostic.path, span),
            None => self.places.value(&self.text, root, &diagnostic.path),
        }
    }

    /// Takes over a document; the items of a list are objects, but a list in a list is not.
    fn take(&mut self, document: Value, root: Option<Root>, lists: bool) {
        let member = |name: &str| document.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (api_version, kind) = (member("apiVersion"), member("kind"));
        let ours = api_version == format!("{GROUP}/{VERSION}");
        if lists && kind.ends_with("List") && (ours || api_version == "v1") {
            let items = document.get("items").and_then(Value::as_array).cloned().unwrap_or_default();
            let roots = root.map(|root| self.places.items(root)).unwrap_or_default();
            for (index, item) in items.into_iter().enumerate() {
                self.take(item, roots.get(index).copied(), false);
            }
            return;
        }
        if !ours {
            let group = api_version.split('/').next().unwrap_or_default();
            let message = match (document.is_object(), api_version.is_empty()) {
                (false, _) => "This is no object.".to_owned(),
                (true, true) => "The object states no `apiVersion`.".to_owned(),
                (true, false) => format!("The apiVersion `{api_version}` is none of ours."),
            };
            let help = format!("Sources and datasets have `apiVersion: {GROUP}/{VERSION}`.");
            let diagnostic = Diagnostic::new(Code::InvalidDocument, "apiVersion", message).help(help);
            let problem = self.problem(diagnostic, &document, root, false);
            // What was meant to be ours is not passed over.
            let meant = group == GROUP || !available(group, &[GROUP], "").starts_with("Available");
            let kinds = ["AnalyticsSource", "AnalyticsDataset"];
            match meant && !group.is_empty() || kinds.contains(&kind.as_str()) {
                true => self.problems.push(problem),
                false => self.foreign.push(problem),
            }
            return;
        }
        let declared = match kind.as_str() {
            "AnalyticsSource" => self.decode(document, &kind, root).map(|source| Declared::Source(Box::new(source))),
            "AnalyticsDataset" => self.decode(document, &kind, root).map(|set| Declared::Dataset(Box::new(set))),
            _ => {
                let message = format!("The kind `{kind}` is none of ours.");
                let help = available(&kind, &["AnalyticsSource", "AnalyticsDataset"], "kinds");
                let diagnostic = Diagnostic::new(Code::InvalidDocument, "kind", message).help(help);
                let problem = self.problem(diagnostic, &document, root, false);
                self.problems.push(problem);
                None
            }
        };
        self.objects.extend(declared.map(|declared| Object { declared, root }));
    }

    /// Decodes a document of one of our kinds, if it has the shape of it.
    fn decode<T: DeserializeOwned>(&mut self, mut document: Value, kind: &str, root: Option<Root>) -> Option<T> {
        let mut sound = true;
        let named = schema::misfits_of_name(&document);
        sound &= named.is_empty();
        for misfit in schema::misfits(&document, kind).into_iter().chain(named) {
            sound &= misfit.diagnostic.code == Code::LimitExceeded;
            let mut problem = self.problem(misfit.diagnostic, &document, root, misfit.at_name);
            if misfit.wants_quotes {
                problem.diagnostic.help = Some(self.quotes(&problem.bytes));
            }
            self.problems.push(problem);
        }
        if !sound {
            return None;
        }
        let whole = document.clone();
        if let Some(members) = document.as_object_mut() {
            // Looked at already, and no members of the Rust types; what a cluster said of the object is not read.
            members.retain(|name, _| !["apiVersion", "kind", "status"].contains(&name.as_str()));
        }
        let mut track = serde_path_to_error::Track::new();
        let deserializer = serde_path_to_error::Deserializer::new(document, &mut track);
        // The schema says nothing of the members of `metadata`.
        let mut unknown = Vec::new();
        let decoded = serde_ignored::deserialize(deserializer, |path| {
            let path = path.to_string();
            if path.starts_with("metadata.") {
                unknown.push(path);
            }
        });
        for path in unknown {
            let name = path.trim_start_matches("metadata.").to_owned();
            let diagnostic = Diagnostic::new(Code::InvalidDocument, path, format!("Unknown field `{name}`."));
            let problem = self.problem(diagnostic, &whole, root, true);
            self.problems.push(problem);
            sound = false;
        }
        match decoded {
            Ok(decoded) => Some(decoded).filter(|_| sound),
            Err(error) => {
                let path = track.path().to_string();
                let path = if path == "." { String::new() } else { path };
                let (message, wants_quotes) = in_words(&error.to_string());
                let diagnostic = Diagnostic::new(Code::InvalidDocument, path, message);
                let mut problem = self.problem(diagnostic, &whole, root, false);
                if wants_quotes {
                    problem.diagnostic.help = Some(self.quotes(&problem.bytes));
                }
                self.problems.push(problem);
                None
            }
        }
    }

    /// What is to be done where a text is needed, and YAML reads the word that stands there as another value.
    fn quotes(&self, bytes: &Range<usize>) -> String {
        let words = "YAML reads `y`, `n`, `yes`, `no`, `on` and `off` as `true` or `false`";
        let word = self.text.get(bytes.clone()).unwrap_or_default();
        let is_plain = word.chars().all(|character| character.is_alphanumeric() || "+-._:".contains(character));
        match is_plain && !word.is_empty() {
            true if word.starts_with(char::is_alphabetic) => format!("Put it in quotes: `\"{word}\"`. {words}."),
            true => format!("Put it in quotes: `\"{word}\"`."),
            false => format!("Put the text in quotes; without them {words}."),
        }
    }

    fn problem(&self, diagnostic: Diagnostic, document: &Value, root: Option<Root>, at_name: bool) -> Problem {
        let bytes = root.map(|root| match at_name {
            true => self.places.key(&self.text, root, &diagnostic.path),
            false => self.places.value(&self.text, root, &diagnostic.path),
        });
        let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        Problem { diagnostic, kind: text("/kind"), name: text("/metadata/name"), bytes: bytes.unwrap_or_default() }
    }

    fn not_yaml(&self, error: &serde_saphyr::Error) -> Problem {
        let place = error
            .location()
            .and_then(|place| Some((usize::try_from(place.line()).ok()?, usize::try_from(place.column()).ok()?)));
        let (line, column) = place.unwrap_or((1, 1));
        let start = Lines::of(&self.text).byte(&self.text, line, column);
        let end = self.text[start..]
            .chars()
            .next()
            .filter(|next| *next != '\n')
            .map_or(start, |next| start + next.len_utf8());
        let message = error.without_snippet().to_string();
        // Where it is, is said already; what the parser could be told to take, is not for people.
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        let message = match message.strip_prefix("line ").and_then(|rest| rest.split_once(": ")) {
            Some((_, message)) => message,
            None => message,
        };
        let message = message.split(", set ").next().unwrap_or(message);
        let message = message.split(" at line ").next().unwrap_or(message);
        Problem {
            diagnostic: Diagnostic::new(Code::InvalidDocument, "", format!("This is not YAML: {message}.")),
            kind: String::new(),
            name: String::new(),
            bytes: start..end,
        }
    }
}

/// A decoder's words without the names of our types, and whether quotes around what is written would mend it.
fn in_words(problem: &str) -> (String, bool) {
    let Some((found, expected)) =
        problem.split_once(", expected ").filter(|(found, _)| found.starts_with("invalid type: "))
    else {
        // What else is expected here are names of numbers of ours.
        let words = problem.split(", expected ").next().filter(|_| problem.starts_with("invalid value: "));
        return (format!("{}.", sentence(words.unwrap_or(problem))), false);
    };
    let found = found.trim_start_matches("invalid type: ");
    let is_word = ["boolean ", "integer ", "floating point "].iter().any(|kind| found.starts_with(kind));
    let found = match found {
        "map" => "fields with values",
        "sequence" => "a list",
        "null" | "unit value" => "nothing",
        other => other.trim_start_matches("boolean "),
    };
    let text = expected.contains("string");
    let expected = match expected {
        _ if text => "a text",
        _ if expected.starts_with("struct ") || expected.contains("map") => "fields with values",
        _ if expected.contains("sequence") => "a list",
        _ => "another value",
    };
    (format!("Expected {expected}, found {found}."), text && is_word)
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "apiVersion: analytics.wow.dev/v1alpha1\nkind: AnalyticsSource\nmetadata: {name: a}\nspec: {connection: d, database: b, table: t, tenant: {column: x}}\n";

    #[test]
    fn documents_are_read_and_empty_ones_are_not() {
        let contents = contents(&format!("{SOURCE}---\n---\n{SOURCE}")).expect("two sources");
        assert_eq!(contents.sources.len(), 2);
    }

    #[test]
    fn the_items_of_a_list_are_objects_with_places() {
        let indented = SOURCE.trim_end().replace('\n', "\n  ");
        let text =
            format!("apiVersion: v1\nkind: List\nitems:\n- {indented}\n- {}\n", indented.replace("table", "tabel"));
        let manifest = read(text.clone());
        assert_eq!(manifest.objects.len(), 1);
        let unknown = &manifest.problems[0];
        assert_eq!(&text[unknown.bytes.clone()], "tabel");
        assert_eq!((unknown.kind.as_str(), unknown.name.as_str()), ("AnalyticsSource", "a"));
    }

    #[test]
    fn garbage_of_a_mebibyte_ends_soon_and_says_what_it_is() {
        let garbage = ["[".repeat(1 << 20), "- ".repeat(1 << 19), "a: ".repeat(300_000), "{a: ".repeat(1 << 18)];
        let nested: String = (0..1400).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        let laughing: String = (1..40).map(|k| format!("a{k}: &a{k} [*a{0}, *a{0}, *a{0}]\n", k - 1)).collect();
        let laughing = format!("a0: &a0 [x, x]\n{laughing}");
        for text in garbage.into_iter().chain([nested, laughing, "\0".repeat(1 << 20), "\u{feff}".repeat(1000)]) {
            let start = text.chars().take(8).collect::<String>();
            let before = std::time::Instant::now();
            let manifest = read(text);
            assert!(manifest.objects.is_empty(), "{start}");
            assert!(before.elapsed().as_secs() < 10, "{start}: {:?}", before.elapsed());
        }
    }
}
