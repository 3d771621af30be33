//! What is fuzzed: each target takes any bytes, and neither panics nor breaks the invariant that it states.
//!
//! Shared by the programs of cargo-fuzz and by `make figures`, which runs the same targets without coverage.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use analytics_catalog::api::definition::{Column, Definition, JoinKey};
use analytics_catalog::api::{AnalyticsDatasetSpec, PublicationRecord};
use analytics_catalog::catalog::Catalog;
use analytics_catalog::compile::parse::{ExpressionProblem, ProblemCode, parse};
use analytics_catalog::compile::predicate::check_filter;
use analytics_catalog::compile::typing::{Context, MAX_SQL, References, ResolvedReference, check};
use analytics_catalog::compile::{CompileInput, SourceInForce, compile};
use analytics_catalog::manifest;
use analytics_catalog::query::{self, Limits, Scope};
use analytics_catalog::sql::ColumnType;

/// A name, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: [Target; 5] = [
    ("expression", expression),
    ("definition", definition),
    ("document", document),
    ("column_type", column_type),
    ("request", request),
];

/// The types of the references `c0`, `c1`, ….
const TYPES: [&str; 16] = [
    "String",
    "Nullable(String)",
    "LowCardinality(String)",
    "UInt8",
    "Int64",
    "Nullable(UInt64)",
    "Float64",
    "Decimal(18, 2)",
    "Nullable(Decimal(38, 10))",
    "Date",
    "Date32",
    "DateTime('UTC')",
    "DateTime64(3)",
    "Bool",
    "UUID",
    "Array(String)",
];

static COLUMNS: LazyLock<Vec<ColumnType>> =
    LazyLock::new(|| TYPES.iter().map(|text| ColumnType::parse(text).expect("a type")).collect());

struct ByNumber;

impl References for ByNumber {
    fn resolve(&mut self, path: &[String], span: Range<usize>) -> Result<ResolvedReference, ExpressionProblem> {
        let id = path.last().and_then(|name| name.strip_prefix('c')?.parse::<usize>().ok());
        let found = id.and_then(|id| Some(ResolvedReference { id, column_type: COLUMNS.get(id)?.clone() }));
        found.ok_or_else(|| ExpressionProblem::new(ProblemCode::UnknownReference, span, "unknown"))
    }
}

/// Text → tree → types → SQL. What is accepted is of bounded length and names only what exists.
pub fn expression(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(tree) = parse(text) else { return };
    let context = Context { time_zone: "Europe/Berlin" };
    if let Ok(typed) = check(&tree, &mut ByNumber, &context) {
        assert!(typed.references().iter().all(|reference| *reference < TYPES.len()));
        assert!(typed.normal_form().len() <= 2 * MAX_SQL);
    }
    if let Ok(filter) = check_filter(&tree, &mut ByNumber, &context) {
        assert!(filter.normal_form().len() <= 8 * MAX_SQL);
    }
}

struct Shared {
    spec: AnalyticsDatasetSpec,
    sources: BTreeMap<String, SourceInForce>,
    catalogs: BTreeMap<String, Catalog>,
}

static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    let sources =
        manifest::contents(include_str!("../tests/cases/compile/_shared/sources.yaml")).expect("shared sources");
    let catalog: Catalog =
        serde_saphyr::from_str(include_str!("../tests/cases/compile/_shared/catalog.yaml")).expect("a shared catalog");
    let dataset =
        manifest::contents(include_str!("../tests/cases/compile/example/whole/dataset.yaml")).expect("a dataset");
    let in_force = |source: analytics_catalog::api::AnalyticsSource| {
        (source.spec.id(), SourceInForce { declaration: source.spec, not_ready: None })
    };
    Shared {
        spec: dataset.datasets.into_iter().next().expect("a dataset").spec,
        sources: sources.sources.into_iter().map(in_force).collect(),
        catalogs: BTreeMap::from([("default".to_owned(), catalog)]),
    }
});

fn compiled(spec: &AnalyticsDatasetSpec) {
    let input = CompileInput {
        spec,
        sources: &SHARED.sources,
        catalogs: &SHARED.catalogs,
        datasets_database: "wow_datasets",
        served_fingerprints: &[],
    };
    match compile(&input) {
        // Every view states whose rows it gives, but for one over rows that all tenants share (design 4.5).
        Ok(compiled) => {
            let subject = spec.definition.sources.iter().find(|source| source.alias == spec.definition.subject);
            let subject = subject.and_then(|source| SHARED.sources.get(&source.source_id)).expect("a subject");
            let shared = subject.declaration.platform_dimension;
            assert!(shared || compiled.select.as_str().contains("getSetting('log_comment')"));
        }
        Err(diagnostics) => assert!(!diagnostics.is_empty()),
    }
}

/// The definition of the example with its texts replaced: a line is a column's expression, or by its first character a
/// filter (`?`), a plain reference (`.`) or the two sides of a join key (`=`, split at the next `=`).
pub fn definition(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut spec = SHARED.spec.clone();
    let definition: &mut Definition = &mut spec.definition;
    (definition.identity, definition.event_time) = (None, None);
    definition.columns.clear();
    for (index, line) in text.lines().take(64).enumerate() {
        let column = Column { name: format!("column_{index}"), ..Column::default() };
        match line.split_at_checked(1) {
            Some(("?", filter)) => definition.filters.push(filter.to_owned()),
            Some((".", from)) => definition.columns.push(Column { from: Some(from.to_owned()), ..column }),
            Some(("=", sides)) => {
                let (left, right) = sides.split_once('=').unwrap_or((sides, sides));
                let key = JoinKey { left: left.to_owned(), right: right.to_owned() };
                definition.joins.iter_mut().for_each(|join| join.on.push(key.clone()));
            }
            _ => definition.columns.push(Column { expression: Some(line.to_owned()), ..column }),
        }
    }
    compiled(&spec);
}

/// A file of a folder; what it declares is compiled.
pub fn document(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(contents) = manifest::contents(text) else { return };
    contents.datasets.iter().for_each(|dataset| compiled(&dataset.spec));
}

/// A type that was read is printed so that it reads as itself.
pub fn column_type(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(parsed) = ColumnType::parse(text) else { return };
    let printed = parsed.to_string();
    assert_eq!(ColumnType::parse(&printed).as_ref(), Ok(&parsed), "{printed}");
}

static RECORDS: LazyLock<Vec<PublicationRecord>> = LazyLock::new(|| {
    let texts = [
        include_str!("../tests/cases/query/_records/orders.yaml"),
        include_str!("../tests/cases/query/_records/types.yaml"),
    ];
    texts.iter().map(|text| serde_saphyr::from_str(text).expect("a record")).collect()
});

/// A query: what is accepted states the caller's tenant and holds none of his values.
pub fn request(input: &[u8]) {
    let limits = Limits::default();
    let Ok(request) = query::parse_request(None, input, &limits) else { return };
    let scope = Scope { tenant: Some("caller-of-the-fuzz".to_owned()), owner: None, space: None };
    for record in RECORDS.iter() {
        let Ok(bound) = query::bind(&request, record, &scope, &limits) else { continue };
        for statement in bound.rows.iter().chain(&bound.total) {
            assert!(statement.sql.as_str().contains("`__tenant` = "));
            assert!(!statement.sql.as_str().contains("caller-of-the-fuzz"));
        }
    }
}
