//! `check`: what is wrong with sources and datasets in files, all of it, with its place in the text.
//!
//! The sources in the files count as approved: the question is what the declarations come to, not who has agreed to them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use kube::ResourceExt as _;

use super::input::Input;
use super::tables::Tables;
use crate::api::{AnalyticsDataset, AnalyticsSource};
use crate::compile::{
    self, Code, CompileInput, Diagnostic, Severity, SourceInForce, conventions, floors, without_tables,
};
use crate::manifest::{Declared, Manifest, Object};
use crate::plan::declaration::may_read;

/// The namespace of objects that state none.
const DEFAULT_NAMESPACE: &str = "default";

/// What a check comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// What was found, in the order of the files and of the places in them.
    pub findings: Vec<Finding>,
    /// How many files were looked at.
    pub files: usize,
    /// How many sources.
    pub sources: usize,
    /// How many datasets.
    pub datasets: usize,
    /// What a reader should know of the check itself.
    pub notes: Vec<String>,
}

/// One finding with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which of the inputs.
    pub input: usize,
    /// The object, as `<kind> <name>`; empty where there is none.
    pub object: String,
    /// The ID of the source or dataset, where there is one.
    pub id: Option<String>,
    /// What is wrong.
    pub diagnostic: Diagnostic,
    /// How grave it is here; a strict check takes warnings for errors.
    pub severity: Severity,
    /// The bytes of the file's text; none where the file has no text.
    pub bytes: Option<Range<usize>>,
}

impl Checked {
    /// How many findings are of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Checks the objects of the inputs; of those that are there for their sources alone, nothing is reported.
pub fn check(inputs: &[Input], tables: &Tables, strict: bool) -> Checked {
    let mut checked = Checked { notes: notes(inputs, tables), ..Checked::default() };
    let mut check = Check { inputs, tables, declared: First::of(inputs), usable: BTreeMap::new(), found: Vec::new() };
    for (index, input) in inputs.iter().enumerate().filter(|(_, input)| !input.for_sources) {
        checked.files += 1;
        match &input.manifest {
            Err(problem) => {
                check.note(index, ("", None), Diagnostic::new(Code::InvalidDocument, "", sentence(problem)), None);
            }
            Ok(manifest) => {
                check.problems(index, input, manifest);
                for object in &manifest.objects {
                    match &object.declared {
                        Declared::Source(source) => {
                            checked.sources += 1;
                            check.source(index, manifest, object, source);
                        }
                        Declared::Dataset(dataset) => {
                            checked.datasets += 1;
                            check.dataset(index, manifest, object, dataset);
                        }
                    }
                }
            }
        }
    }
    checked.findings = check.found;
    for finding in &mut checked.findings {
        if strict {
            finding.severity = Severity::Error;
        }
    }
    checked.findings.sort_by_key(|finding| {
        (finding.input, finding.bytes.as_ref().map(|bytes| bytes.start), finding.diagnostic.code)
    });
    // The compiler has bounds of its own for what the schema bounds too.
    checked.findings.dedup_by(|a, b| {
        a.input == b.input
            && a.diagnostic.code == b.diagnostic.code
            && a.bytes == b.bytes
            && a.diagnostic.path == b.diagnostic.path
    });
    checked
}

struct Check<'i> {
    inputs: &'i [Input],
    tables: &'i Tables,
    declared: First<'i>,
    /// The sources that the datasets of a namespace may read.
    usable: BTreeMap<String, Rc<BTreeMap<String, SourceInForce>>>,
    found: Vec<Finding>,
}

/// An object and its input.
type Place<'i> = (usize, &'i Object);

/// Of all objects that say the same of themselves, the first: by maps, for a file may hold thousands.
#[derive(Default)]
struct First<'i> {
    /// By the ID of a source.
    sources: BTreeMap<String, Place<'i>>,
    /// By the prefix of a dataset's views; with its ID.
    views: BTreeMap<String, (Place<'i>, String)>,
    /// By kind, namespace and name.
    names: BTreeMap<(&'static str, String, String), Place<'i>>,
}

impl<'i> First<'i> {
    fn of(inputs: &'i [Input]) -> Self {
        let mut first = Self::default();
        for (index, object) in objects(inputs) {
            let place = (index, object);
            let name = match &object.declared {
                Declared::Source(source) => {
                    first.sources.entry(source.spec.id()).or_insert(place);
                    ("AnalyticsSource", namespace(&**source), source.name_any())
                }
                Declared::Dataset(dataset) => {
                    let prefix = compile::view_prefix(&dataset.spec.context, &dataset.spec.name);
                    first.views.entry(prefix).or_insert_with(|| (place, dataset.spec.id()));
                    ("AnalyticsDataset", namespace(&**dataset), dataset.name_any())
                }
            };
            first.names.entry(name).or_insert(place);
        }
        first
    }
}

impl<'i> Check<'i> {
    fn note(
        &mut self,
        input: usize,
        (object, id): (&str, Option<String>),
        diagnostic: Diagnostic,
        bytes: Option<Range<usize>>,
    ) {
        let severity = diagnostic.severity();
        self.found.push(Finding { input, object: object.to_owned(), id, diagnostic, severity, bytes });
    }

    /// What is wrong with the shape of the documents of a file.
    fn problems(&mut self, index: usize, input: &Input, manifest: &Manifest) {
        let foreign = manifest.foreign.iter().filter(|_| input.named);
        for problem in manifest.problems.iter().chain(foreign) {
            let object = format!("{} {}", problem.kind, problem.name);
            self.note(index, (object.trim(), None), problem.diagnostic.clone(), Some(problem.bytes.clone()));
        }
        let empty = manifest.objects.is_empty() && manifest.problems.is_empty() && manifest.foreign.is_empty();
        if empty && input.named {
            let message = "The file holds no source and no dataset.";
            self.note(index, ("", None), Diagnostic::new(Code::InvalidDocument, "", message), Some(0..0));
        }
    }

    fn source(&mut self, index: usize, manifest: &Manifest, object: &'i Object, source: &AnalyticsSource) {
        let spec = &source.spec;
        let catalog = self.tables.catalogs.get(&spec.connection);
        let table = catalog.and_then(|catalog| catalog.table(&spec.database, &spec.table));
        let mut diagnostics = match (catalog, table) {
            (Some(catalog), Some(table)) => {
                let mut found = compile::source::check(spec, table, catalog).diagnostics;
                found.extend(conventions::of_source(spec, catalog, "spec.table"));
                found
            }
            _ => {
                let mut found = without_tables::of_source(spec);
                found.extend(self.tables.missing(spec));
                found
            }
        };
        let first = self.declared.sources.get(&spec.id());
        if let Some((first, other)) = first.filter(|(_, other)| !std::ptr::eq(*other, object)) {
            let place = self.place(*first, other, "spec.table");
            let message = format!("The source `{}` is declared at {place} already.", spec.id());
            diagnostics.push(
                Diagnostic::new(Code::DuplicateName, "spec.table", message)
                    .help("Declare a table once; the declaration that was first counts."),
            );
        }
        diagnostics.extend(self.same_name(object, "AnalyticsSource", source));
        let name = format!("AnalyticsSource {}", source.name_any());
        self.take(index, manifest, object, (&name, spec.id()), diagnostics);
    }

    fn dataset(&mut self, index: usize, manifest: &Manifest, object: &'i Object, dataset: &AnalyticsDataset) {
        let spec = &dataset.spec;
        let (inputs, tables) = (self.inputs, self.tables);
        let usable = || Rc::new(usable_sources(inputs, dataset, tables));
        let sources = Rc::clone(self.usable.entry(namespace(dataset)).or_insert_with(usable));
        let input = compile_input(dataset, &sources, self.tables);
        let mut diagnostics = match self.tables.origin {
            Some(_) => compile::findings(&input),
            None => without_tables::of_dataset(&input),
        };
        let prefix = compile::view_prefix(&spec.context, &spec.name);
        let first = self.declared.views.get(&prefix);
        if let Some(((first, other), rival)) = first.filter(|((_, other), _)| !std::ptr::eq(*other, object)) {
            let place = self.place(*first, other, "spec.name");
            let own = spec.id();
            let message = match own == *rival {
                true => format!("The dataset `{own}` is declared at {place} already."),
                false => format!("The view of `{own}` would have the name of that of `{rival}`, declared at {place}."),
            };
            diagnostics.push(
                Diagnostic::new(Code::DuplicateName, "spec.name", message)
                    .help("Choose another context or name; `-` and `_` are the same in the name of a view."),
            );
        }
        diagnostics.extend(self.same_name(object, "AnalyticsDataset", dataset));
        let name = format!("AnalyticsDataset {}", dataset.name_any());
        self.take(index, manifest, object, (&name, spec.id()), diagnostics);
    }

    /// Another object of the kind under the same name, before this one.
    fn same_name(&self, object: &Object, kind: &'static str, own: &impl kube::ResourceExt) -> Option<Diagnostic> {
        let name = (kind, namespace(own), own.name_any());
        let (first, other) = *self.declared.names.get(&name)?;
        if std::ptr::eq(other, object) {
            return None;
        }
        let place = self.place(first, other, "metadata.name");
        let message = format!("The {kind} `{}` of the namespace `{}` stands at {place} already.", name.2, name.1);
        Some(
            Diagnostic::new(Code::DuplicateName, "metadata.name", message).help(
                "Give one of them another `metadata.name`; of two objects with one name, the last applied is left.",
            ),
        )
    }

    /// `<file>:<line>` of a value of an object.
    fn place(&self, input: usize, object: &Object, path: &str) -> String {
        let input = &self.inputs[input];
        let Ok(manifest) = &input.manifest else { return input.name.clone() };
        let at = manifest.bytes(object, &Diagnostic::new(Code::DuplicateName, path, ""));
        format!("{}:{}", input.name, input.lines.position(manifest.text(), at.start).0)
    }

    fn take(
        &mut self,
        index: usize,
        manifest: &Manifest,
        object: &Object,
        (name, id): (&str, String),
        diagnostics: Vec<Diagnostic>,
    ) {
        for diagnostic in diagnostics {
            let bytes = manifest.bytes(object, &diagnostic);
            self.note(index, (name, Some(id.clone())), diagnostic, Some(bytes));
        }
    }
}

/// The datasets that are to be looked at, each with its input.
pub fn datasets(inputs: &[Input]) -> Vec<(usize, &AnalyticsDataset)> {
    let mut found = Vec::new();
    for (index, object) in objects(inputs) {
        if let (Declared::Dataset(dataset), false) = (&object.declared, inputs[index].for_sources) {
            found.push((index, &**dataset));
        }
    }
    found
}

/// The sources that a dataset may read, by ID, as if all were approved. Of two declarations of a table the first counts.
pub fn usable_sources(
    inputs: &[Input],
    dataset: &AnalyticsDataset,
    tables: &Tables,
) -> BTreeMap<String, SourceInForce> {
    let mut sources = BTreeMap::new();
    for (_, object) in objects(inputs) {
        let Declared::Source(source) = &object.declared else { continue };
        if may_read(&source.spec, &namespace(&**source), &namespace(dataset)) {
            let in_force = || SourceInForce { declaration: source.spec.clone(), not_ready: None };
            sources.entry(source.spec.id()).or_insert_with(in_force);
        }
    }
    sources.values_mut().for_each(|source| hold_to_floors(source, inputs, tables));
    sources
}

/// Holds a source to what these files declare for the tables that its data lives in.
fn hold_to_floors(source: &mut SourceInForce, inputs: &[Input], tables: &Tables) {
    let spec = source.declaration.clone();
    let Some(catalog) = tables.catalogs.get(&spec.connection) else { return };
    let Some(table) = catalog.table(&spec.database, &spec.table) else { return };
    let bases = catalog.base_tables(table).tables;
    for (_, object) in objects(inputs) {
        let Declared::Source(other) = &object.declared else { continue };
        let other = &other.spec;
        let named = catalog.table(&other.database, &other.table).filter(|_| other.connection == spec.connection);
        let is_base = named.is_some_and(|named| {
            let mut names = bases.iter().map(|base| &base.name);
            names.any(|name| named.physical_database() == name.database && named.name == name.table)
        });
        if is_base && other.id() != spec.id() {
            floors::hold(source, table, other);
        }
    }
    floors::hold_computed(&mut source.declaration, table);
}

/// What the compiler looks at for a dataset.
pub fn compile_input<'a>(
    dataset: &'a AnalyticsDataset,
    sources: &'a BTreeMap<String, SourceInForce>,
    tables: &'a Tables,
) -> CompileInput<'a> {
    CompileInput {
        spec: &dataset.spec,
        sources,
        catalogs: &tables.catalogs,
        datasets_database: &tables.connection_of(&dataset.spec).datasets_database,
        served_fingerprints: &[],
    }
}

/// All objects, each with its input.
fn objects(inputs: &[Input]) -> impl Iterator<Item = (usize, &Object)> {
    inputs.iter().enumerate().flat_map(|(index, input)| {
        let objects = input.manifest.as_ref().map(|manifest| manifest.objects.as_slice()).unwrap_or_default();
        objects.iter().map(move |object| (index, object))
    })
}

fn namespace(object: &impl kube::ResourceExt) -> String {
    object.namespace().unwrap_or_else(|| DEFAULT_NAMESPACE.to_owned())
}

fn notes(inputs: &[Input], tables: &Tables) -> Vec<String> {
    let mut notes = Vec::new();
    let declares = |wanted: fn(&Declared) -> bool| objects(inputs).any(|(_, object)| wanted(&object.declared));
    if tables.origin.is_none() && !inputs.is_empty() {
        notes.push(
            "No tables are known, so columns, types, keys and engines were not checked; give --snapshot or --config."
                .to_owned(),
        );
    }
    if declares(|declared| matches!(declared, Declared::Source(_)))
        && declares(|declared| matches!(declared, Declared::Dataset(_)))
    {
        notes.push("The sources in these files count as approved.".to_owned());
    }
    let in_folders = inputs.iter().filter(|input| !input.named && !input.for_sources);
    let foreign: usize =
        in_folders.filter_map(|input| input.manifest.as_ref().ok()).map(|manifest| manifest.foreign.len()).sum();
    if foreign > 0 {
        let what = if foreign == 1 { "One document is" } else { "Some documents are" };
        notes.push(format!("{what} neither a source nor a dataset and left out ({foreign})."));
    }
    notes
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    let end = if text.ends_with('.') { "" } else { "." };
    first.chain(characters).collect::<String>() + end
}
