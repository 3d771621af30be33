//! The compiler alone: definitions a second (b.6), and inputs that must neither stop nor delay it (b.7).

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use analytics_catalog::catalog::Catalog;
use analytics_catalog::compile::{CompileInput, SourceInForce, compile};
use analytics_catalog::manifest;
use criterion::Criterion;

use crate::support::filters::Chance;
use crate::{Figures, size};

// The same targets that cargo-fuzz runs with coverage.
#[path = "../../fuzz/targets.rs"]
mod targets;

/// One mebibyte: the largest body and the largest document of an API server are about this.
const MEBIBYTE: usize = 1 << 20;

/// The example of the design, with a Left join, JSON paths, a mask, an expression and a filter.
pub fn speed(figures: &mut Figures) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/compile/");
    let read = |file: &str| std::fs::read_to_string(format!("{root}{file}")).expect("a file of the cases");
    let dataset = manifest::contents(&read("example/whole/dataset.yaml")).expect("a dataset").datasets.remove(0);
    let sources: BTreeMap<String, SourceInForce> = manifest::contents(&read("_shared/sources.yaml"))
        .expect("shared sources")
        .sources
        .into_iter()
        .map(|source| (source.spec.id(), SourceInForce { declaration: source.spec, not_ready: None }))
        .collect();
    let catalog: Catalog = serde_saphyr::from_str(&read("_shared/catalog.yaml")).expect("a shared catalog");
    let catalogs = BTreeMap::from([("default".to_owned(), catalog)]);
    let input = CompileInput {
        spec: &dataset.spec,
        sources: &sources,
        catalogs: &catalogs,
        datasets_database: "wow_datasets",
        served_fingerprints: &[],
    };
    let results = tempfile::tempdir().expect("a folder");
    Criterion::default().without_plots().output_directory(results.path()).bench_function("definition", |bencher| {
        bencher.iter(|| compile(&input).expect("the example compiles"));
    });
    let estimates = std::fs::read_to_string(results.path().join("definition/new/estimates.json"));
    let estimates: serde_json::Value =
        serde_json::from_str(&estimates.expect("Criterion's estimates")).expect("Criterion's estimates");
    let nanoseconds = estimates["median"]["point_estimate"].as_f64().expect("a median");
    let rate = 1e9 / nanoseconds;
    figures.print("b.6 definitions compiled per second on one core", &format!("{rate:.0}"), "10000", rate >= 10_000.0);
}

/// Inputs that must neither stop nor delay the compiler.
pub fn inputs(figures: &mut Figures) {
    large_inputs(figures);
    fuzzed(figures);
}

/// Inputs of a mebibyte that a parser, a type checker or a renderer could choke on, at every target.
fn large_inputs(figures: &mut Figures) {
    let mut slowest = (Duration::ZERO, String::new());
    let mut panics = 0;
    for (shape, input) in shapes() {
        for (name, target) in targets::ALL {
            let start = Instant::now();
            panics += usize::from(catch_unwind(AssertUnwindSafe(|| target(&input))).is_err());
            slowest = slowest.max((start.elapsed(), format!("{shape} as {name}")));
        }
    }
    let value = format!("{:.3} s ({}), {panics} panics", slowest.0.as_secs_f64(), slowest.1);
    figures.print(
        "b.7 longest time of an input of 1 MiB",
        &value,
        "1 s, 0 panics",
        slowest.0 < Duration::from_secs(1) && panics == 0,
    );
}

fn shapes() -> Vec<(&'static str, Vec<u8>)> {
    let repeated = |part: &str| part.repeat(MEBIBYTE / part.len()).into_bytes();
    let between = |start: &str, part: &str, end: &str| format!("{start}{}{end}", part.repeat(MEBIBYTE / part.len()));
    let nested = |open: &str, close: &str| {
        let depth = MEBIBYTE / (open.len() + close.len());
        format!("{}c3{}", open.repeat(depth), close.repeat(depth)).into_bytes()
    };
    let header = "apiVersion: analytics.wow.dev/v1alpha1\nkind: AnalyticsDataset\nmetadata: { name: x }\nspec:\n";
    let columns = "{ name: a, expression: 'c.x + 1' }, ";
    vec![
        ("open parentheses", repeated("(")),
        ("nested parentheses", nested("(", ")")),
        ("nested calls", nested("abs(", ")")),
        ("nested lists", nested("[", "]")),
        ("nested objects", nested("{\"a\":", "}")),
        ("nested arrays of types", nested("Array(", ")")),
        ("nested tuples", nested("Tuple(a ", ")")),
        ("not", repeated("not ")),
        ("minus", repeated("-")),
        ("a long sum", between("c3", " + c3", "").into_bytes()),
        ("a long condition", between("c3 = 1", " and c3 = 1", "").into_bytes()),
        ("a long list", between("c3 in (1", ", 1", ")").into_bytes()),
        ("a long text", between("c0 = '", "x", "'").into_bytes()),
        ("a text of escapes", between("c0 = '", "\\'", "'").into_bytes()),
        ("an open text", between("'", "a''", "").into_bytes()),
        ("a long pattern", between("match(c0, '", "(a*)*", "')").into_bytes()),
        ("a long number", repeated("9")),
        ("a long fraction", between("1.", "3", "").into_bytes()),
        ("a long exponent", between("1e", "9", "").into_bytes()),
        ("a long name", repeated("a")),
        ("a long path", between("c", ".a", "").into_bytes()),
        ("lines", repeated("c3 + c4\n")),
        ("filters", repeated("?c3 = 1\n")),
        ("references", repeated(".o.id\n")),
        ("join keys", repeated("=o.id=c.id\n")),
        ("zero bytes", repeated("\0")),
        ("not UTF-8", vec![0xff; MEBIBYTE]),
        ("wide characters", repeated("語")),
        (
            "nulls in a list",
            between("{\"filter\":{\"op\":\"IN\",\"field\":\"amount\",\"value\":[1", ",1", "]}}").into_bytes(),
        ),
        ("an enumeration", between("Enum16('a' = 1", ", 'b' = 2", ")").into_bytes()),
        (
            "columns of a document",
            between(&format!("{header}  definition: {{ columns: ["), columns, "] }}\n").into_bytes(),
        ),
        ("nested YAML", between(header, "  - ", "x").into_bytes()),
        ("anchors", between("a: &a [x]\nb: [", "*a, ", "]").into_bytes()),
        ("documents", repeated("---\na: b\n")),
        ("a long block scalar", between(&format!("{header}  name: |\n"), "    text\n", "").into_bytes()),
    ]
}

/// What inputs are made of where a mutation inserts.
const WORDS: [&str; 40] = [
    "c0",
    "c1",
    "c3",
    "c4",
    "c7",
    "c9",
    "c12",
    "c15",
    "(",
    ")",
    ", ",
    " = ",
    " != ",
    " + ",
    " / ",
    " % ",
    "-",
    " and ",
    " or ",
    "not ",
    " in (",
    " between ",
    " is null",
    "'text'",
    "''",
    "1",
    "1.5",
    "1e3",
    "null",
    "if(",
    "toDate(",
    "concat(",
    "replaceAll(",
    "Nullable(",
    "Array(",
    "\n",
    "?",
    "\"",
    "{",
    ": ",
];

/// Inputs of the cases, mutated: the same seed gives the same inputs everywhere.
fn fuzzed(figures: &mut Figures) {
    let (runs, seed) = (size("FUZZ_RUNS", 5_000_000), size("FUZZ_SEED", 1));
    let corpus = corpus();
    let mut chance = Chance::new(seed as u64);
    let mut panics = Vec::new();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for run in 0..runs {
        // Documents and definitions cost a hundred times an expression: they get one run in sixteen.
        let (name, target) = match run % 16 {
            0 => *chance.one_of(&targets::ALL[1..3]),
            1..=3 => targets::ALL[3],
            4..=6 => targets::ALL[4],
            _ => targets::ALL[0],
        };
        let input = mutated(&mut chance, &corpus[name]);
        if catch_unwind(AssertUnwindSafe(|| target(&input))).is_err() {
            panics.push(format!("{name}: {:?}", String::from_utf8_lossy(&input)));
        }
    }
    std::panic::set_hook(hook);
    panics.iter().take(5).for_each(|panic| eprintln!("{panic}"));
    let value = format!("{runs} runs, {} panics", panics.len());
    figures.print("b.7 mutated inputs", &value, "5000000 runs, 0 panics", runs >= 5_000_000 && panics.is_empty());
}

fn mutated(chance: &mut Chance, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = chance.one_of(corpus).clone();
    for _ in 0..=chance.below(4) {
        let at = chance.below(input.len() + 1);
        match chance.below(5) {
            0 if at < input.len() => input[at] = chance.below(256) as u8,
            1 => drop(input.drain(at..(at + chance.below(8)).min(input.len()))),
            2 => {
                let other = chance.one_of(corpus);
                let from = chance.below(other.len() + 1);
                let to = (from + chance.below(40)).min(other.len());
                drop(input.splice(at..at, other[from..to].iter().copied()));
            }
            _ => drop(input.splice(at..at, chance.one_of(&WORDS).bytes())),
        }
    }
    input
}

/// Inputs that mean something, by target.
fn corpus() -> BTreeMap<&'static str, Vec<Vec<u8>>> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let lines = |file: &str| {
        let text = std::fs::read_to_string(root.join(file)).expect("a file of the cases");
        text.lines().map(|line| line.as_bytes().to_vec()).collect::<Vec<_>>()
    };
    let expressions = lines("expressions/accepted.txt");
    let (mut documents, mut requests) = (Vec::new(), Vec::new());
    let mut folders = vec![root.join("compile"), root.join("query")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the cases").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            match name.to_str() {
                _ if path.is_dir() => folders.push(path),
                Some("dataset.yaml") => documents.push(std::fs::read(path).expect("a file of the cases")),
                Some("request.json") => requests.push(std::fs::read(path).expect("a file of the cases")),
                _ => {}
            }
        }
    }
    documents.retain(|document| document.len() < 4096);
    requests.retain(|request| request.len() < 4096);
    BTreeMap::from([
        ("definition", expressions.clone()),
        ("expression", expressions),
        ("document", documents),
        ("request", requests),
        ("column_type", types()),
    ])
}

fn types() -> Vec<Vec<u8>> {
    let types = [
        "LowCardinality(Nullable(String))",
        "Map(String, Array(Tuple(a UInt8, `b c` Decimal(38, 10))))",
        "Enum8('a' = 1, 'b\\'c' = -2)",
        "AggregateFunction(quantiles(0.5, 0.9), Nullable(Float64))",
        "JSON(max_dynamic_paths=8, a.b UInt32, SKIP c)",
        "DateTime64(9, 'Asia/Tokyo')",
        "Variant(String, UInt8)",
        "FixedString(16)",
    ];
    types.iter().map(|text| text.as_bytes().to_vec()).collect()
}
