//! The boundary of the command `check`: files go in; a report and the way the process ends come out, of the real program.
//!
//! A case is a folder of files. It gives `report.txt`, `report.json` and `report.sarif`. `arguments` holds further
//! arguments, a line each; by itself every YAML file is checked, with the tables of `_shared/tables.yaml`.

pub mod program;
mod real;
mod sarif;

use std::path::Path;

use crate::support::cases;
use program::{Run, run};

#[test]
fn every_case_gives_its_reports() {
    let count = cases::walk("check", |folder| {
        let given = arguments(folder);
        let reported = |format: &str| {
            let mut arguments = given.clone();
            arguments.extend(["--output".to_owned(), format.to_owned()]);
            run(folder, "check", &arguments, "")
        };
        let (text, json, sarif) = (reported("text"), reported("json"), reported("sarif"));
        let shown = |run: &Run| {
            assert!(!run.stdout.contains('\u{1b}'), "no colours without a terminal");
            format!("exit {}\n{}{}", run.code, run.stderr, run.stdout)
        };
        for run in [&json, &sarif] {
            assert_eq!(run.code, text.code, "{}: the process ends alike in all forms", folder.display());
        }
        let machine = |run: &Run| (run.code < 2).then(|| run.stdout.clone());
        if run_is_a_report(&sarif) {
            sarif::check(&sarif.stdout);
        }
        cases::Outcome::from([
            ("report.txt", Some(shown(&text))),
            ("report.json", machine(&json)),
            ("report.sarif", machine(&sarif)),
        ])
    });
    assert!(count >= 15, "{count} cases");
}

fn run_is_a_report(run: &Run) -> bool {
    run.code < 2
}

fn arguments(folder: &Path) -> Vec<String> {
    if let Ok(text) = std::fs::read_to_string(folder.join("arguments")) {
        return text.lines().map(str::to_owned).collect();
    }
    let entries = std::fs::read_dir(folder).expect("a case is a folder");
    let names = entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned());
    let mut files: Vec<String> = names.filter(|name| name.ends_with(".yaml")).collect();
    files.sort();
    files.extend(["--snapshot".to_owned(), "../_shared/tables.yaml".to_owned()]);
    files
}
