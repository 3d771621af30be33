//! The boundary of `compile`: a dataset, its sources and what is known of the warehouse go in; the view or diagnostics
//! come out. What comes out is then tried on a real ClickHouse.
//!
//! A case is a folder with `dataset.yaml` and, beyond what `_shared` holds, `sources.yaml` and `catalog.yaml`. It gives
//! `view.sql` and `record.yaml`, or `diagnostics.txt`.

mod case;
mod distributed;
mod documents;
mod drift;
mod growth;
mod language;
mod on_clickhouse;
mod rows;
mod secrets;
mod values;

use std::collections::BTreeMap;

use analytics_catalog::commands::compile::over_lines;
use analytics_catalog::compile::{CompiledDataset, lines};
use analytics_catalog::plan::ddl;
use serde::Serialize;

use crate::support::cases;
use case::Case;

/// The database of the views in the expected files.
const DATASETS: &str = "wow_datasets";

#[test]
fn every_case_gives_its_view_or_its_diagnostics() {
    let count = cases::walk("compile", |folder| {
        let case = Case::of(folder);
        let (view, record, diagnostics) = match case.compile(&case.catalog, DATASETS) {
            Ok(compiled) => {
                let version = case.version(&compiled, DATASETS);
                let pieces = ddl::pieces(&version, "catalog", "8f0c");
                let statements: Vec<String> = pieces.iter().map(|piece| broken(piece.statement.as_str())).collect();
                (Some(statements.join("\n")), Some(record(&case, &compiled)), None)
            }
            Err(found) => (None, None, Some(format!("{}\n", lines(&found)))),
        };
        cases::Outcome::from([("view.sql", view), ("record.yaml", record), ("diagnostics.txt", diagnostics)])
    });
    assert!(count >= 100, "{count} cases");
}

#[test]
fn the_same_case_gives_the_same_bytes() {
    for folder in case::folders() {
        let bytes = || {
            let case = Case::of(&folder);
            case.compile(&case.catalog, DATASETS).map(|compiled| (compiled.select, compiled.content_hash))
        };
        assert_eq!(bytes(), bytes(), "{}", folder.display());
    }
}

/// What is published beside the view, except what the statement shows already.
fn record(case: &Case, compiled: &CompiledDataset) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Shown<'a> {
        record: BTreeMap<&'a String, &'a serde_json::Value>,
        exposure: &'a analytics_catalog::compile::Exposure,
        fingerprints: &'a [analytics_catalog::compile::Fingerprint],
        #[serde(skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
    }
    let record = compiled.record(&case.spec, DATASETS, 1);
    let record = serde_json::to_value(record).expect("a record is JSON");
    let shown_already = ["format", "id", "version", "connection", "view", "contentHash", "publishedAt", "available"];
    let members = record.as_object().expect("a record is an object").iter();
    let record = members.filter(|(name, _)| !shown_already.contains(&name.as_str()));
    let shown = Shown {
        record: record.collect(),
        exposure: &compiled.exposure,
        fingerprints: &compiled.fingerprints,
        warnings: compiled.warnings.iter().map(ToString::to_string).collect(),
    };
    serde_saphyr::to_string(&shown).expect("a record is YAML")
}

/// A statement over several lines.
fn broken(statement: &str) -> String {
    let text = over_lines(statement);
    let joined = text.lines().map(str::trim_start).collect::<Vec<_>>().join(" ");
    assert_eq!(joined, statement, "a broken statement can be joined again");
    text + "\n"
}
