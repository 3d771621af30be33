//! One case: what is compiled, read from its folder and from what cases share.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use analytics_catalog::api::{AnalyticsDatasetSpec, AnalyticsSource};
use analytics_catalog::catalog::Catalog;
use analytics_catalog::compile::{CompileInput, CompiledDataset, Diagnostic, SourceInForce, compile};
use analytics_catalog::manifest;
use analytics_catalog::plan::revision::Version;
use kube::ResourceExt as _;

use crate::support::cases;

/// The annotation of a source whose declaration is not in force; its value says why.
const NOT_READY: &str = "case/not-ready";

/// What cases share.
static SHARED: LazyLock<(Vec<AnalyticsSource>, Catalog)> = LazyLock::new(|| {
    let folder = cases::root("compile").join("_shared");
    let sources = objects(&folder.join("sources.yaml")).expect("cases share sources").sources;
    (sources, catalog(&folder.join("catalog.yaml")).expect("cases share tables"))
});

/// What is compiled.
pub struct Case {
    pub name: String,
    pub spec: AnalyticsDatasetSpec,
    pub sources: BTreeMap<String, SourceInForce>,
    pub catalog: Catalog,
}

impl Case {
    pub fn of(folder: &Path) -> Self {
        let name = folder.file_name().expect("a case has a name").to_string_lossy().into_owned();
        let dataset = objects(&folder.join("dataset.yaml")).expect("a case has a dataset");
        let spec = dataset.datasets.into_iter().next().expect("a case has a dataset").spec;
        let sources = SHARED.0.iter().cloned();
        let sources = sources.chain(objects(&folder.join("sources.yaml")).unwrap_or_default().sources);
        let own = catalog(&folder.join("catalog.yaml")).unwrap_or_default();
        Self {
            name,
            spec,
            sources: sources.map(in_force).collect(),
            // The case's own tables come first, so that they are found first.
            catalog: Catalog {
                tables: own.tables.into_iter().chain(SHARED.1.tables.iter().cloned()).collect(),
                reserved_databases: own.reserved_databases,
                cluster: own.cluster,
            },
        }
    }

    pub fn compile(&self, catalog: &Catalog, datasets_database: &str) -> Result<CompiledDataset, Vec<Diagnostic>> {
        self.compile_after(catalog, datasets_database, &[])
    }

    pub fn compile_after(
        &self,
        catalog: &Catalog,
        datasets_database: &str,
        served_fingerprints: &[analytics_catalog::compile::Fingerprint],
    ) -> Result<CompiledDataset, Vec<Diagnostic>> {
        let catalogs = BTreeMap::from(["default", "other"].map(|name| (name.to_owned(), catalog.clone())));
        compile(&CompileInput {
            spec: &self.spec,
            sources: &self.sources,
            catalogs: &catalogs,
            datasets_database,
            served_fingerprints,
        })
    }

    pub fn version(&self, compiled: &CompiledDataset, datasets_database: &str) -> Version {
        let record = compiled.record(&self.spec, datasets_database, 1);
        Version::of(&self.spec, compiled, record, Vec::new())
    }
}

/// The folders of all cases, sorted.
pub fn folders() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for group in subfolders(&cases::root("compile")) {
        found.extend(subfolders(&group));
    }
    found.sort();
    found
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of cases");
    let paths = entries.map(|entry| entry.expect("an entry of a folder of cases").path());
    let shared = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'));
    paths.filter(|path| path.is_dir() && !shared(path)).collect()
}

fn objects(file: &Path) -> Option<manifest::Contents> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(manifest::contents(&text).unwrap_or_else(|problem| panic!("{}: {problem}", file.display())))
}

fn catalog(file: &Path) -> Option<Catalog> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

fn in_force(source: AnalyticsSource) -> (String, SourceInForce) {
    let not_ready = source.annotations().get(NOT_READY).cloned();
    (source.spec.id(), SourceInForce { declaration: source.spec, not_ready })
}
