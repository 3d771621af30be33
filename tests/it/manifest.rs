//! The boundary of `manifest`: a file goes in, objects or the first thing that is wrong come out.
//!
//! A case is a folder with `objects.yaml`. It gives `objects.txt`, the kinds and names read, or `problem.txt`.

use analytics_catalog::manifest;
use kube::ResourceExt as _;

use crate::support::cases;

#[test]
fn every_file_gives_its_objects_or_what_is_wrong_with_it() {
    let count = cases::walk("manifest", |case| {
        let text = std::fs::read_to_string(case.join("objects.yaml")).expect("the case has objects");
        let (objects, problem) = match manifest::contents(&text) {
            Ok(contents) => {
                let sources = contents.sources.iter().map(|source| format!("source {}\n", source.name_any()));
                let datasets = contents.datasets.iter().map(|dataset| format!("dataset {}\n", dataset.name_any()));
                (Some(sources.chain(datasets).collect()), None)
            }
            Err(problem) => (None, Some(format!("{problem}\n"))),
        };
        cases::Outcome::from([("objects.txt", objects), ("problem.txt", problem)])
    });
    assert!(count >= 12, "{count} cases");
}
