//! The CRDs: committed as generated, shipped as committed, and meant as written: the real API server takes every file
//! in `cases/admit/good` and refuses every file in `cases/admit/bad` with the text in its first line.

use std::fs;
use std::path::{Path, PathBuf};

use analytics_catalog::commands::crds::render;

use crate::support::cluster::{Room, allowed, plane};

#[test]
fn committed_files_and_the_chart_are_as_generated() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, text) in render().expect("the CRDs have a form in YAML") {
        assert!(text.len() < 256 * 1024, "{file} is too large to be applied by every client");
        for folder in ["crds", "charts/analytics-catalog/files/crds"] {
            let path = root.join(folder).join(file);
            if std::env::var_os("WRITE_GENERATED").is_some() {
                fs::write(&path, &text).expect("the source folder is ours to write to");
            }
            let committed = fs::read_to_string(&path).unwrap_or_default();
            assert!(committed == text, "{folder}/{file} is not as generated: WRITE_GENERATED=1 cargo test writes it");
        }
    }
}

#[tokio::test]
async fn the_api_server_takes_the_schemas_without_a_warning() {
    let plane = plane().await;
    for (file, text) in render().expect("the CRDs have a form in YAML") {
        let apply = ["apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-"];
        let output = plane.kubectl("admin", &apply, Some(&text)).await;
        allowed(&output);
        assert!(output.stderr.is_empty(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
        let name = file.replace(".yaml", ".analytics.wow.dev");
        let path = "-o=jsonpath={.metadata.annotations.helm\\.sh/resource-policy} {.status.conditions[*].type}";
        let output = plane.kubectl("admin", &["get", "crd", &name, path], None).await;
        // `NonStructuralSchema` would be a third condition.
        assert_eq!(allowed(&output), "keep NamesAccepted Established");
    }
}

#[tokio::test]
async fn good_objects_are_taken() {
    let room = Room::new("admit-good").await;
    for (name, text) in cases("good") {
        let output = room.kubectl("editor", &["create", "--validate=strict", "-f", "-"], Some(&text)).await;
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[tokio::test]
async fn bad_objects_are_refused_with_the_expected_text() {
    let room = Room::new("admit-bad").await;
    let mut failures = Vec::new();
    for (name, text) in cases("bad") {
        let expected = text.lines().next().and_then(|line| line.strip_prefix("# expected: "));
        let expected = expected.unwrap_or_else(|| panic!("{name} begins with `# expected: …`"));
        // Two documents: the first is there already, the second is a change of it.
        let changed = match text.split_once("\n---\n") {
            Some((before, after)) => {
                allowed(&room.apply("editor", before).await);
                after
            }
            None => &text,
        };
        let output = room.kubectl("editor", &["apply", "--validate=strict", "-f", "-"], Some(changed)).await;
        let answer = String::from_utf8_lossy(&output.stderr);
        if output.status.success() || !answer.contains(expected) {
            failures.push(format!("{name}\n  expected: {expected}\n  answer: {answer}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[tokio::test]
async fn printer_columns_show_what_waits() {
    let room = Room::new("admit-columns").await;
    allowed(&room.apply("editor", include_str!("../cases/admit/good/dataset-minimal.yaml")).await);
    let status = r#"{"id":"shop.minimal","pending":{"digest":"sha256:1","serial":1,"why":["a join was widened"],
        "command":"kubectl"}}"#;
    allowed(&room.patch_status("operator", "ads/minimal", status).await);
    let table = allowed(&room.kubectl("viewer", &["get", "analytics", "-o", "wide"], None).await);
    for text in ["PENDING", "DIGEST", "APPROVED-BY", "shop.minimal", "a join was widened", "sha256:1"] {
        assert!(table.contains(text), "{text} is not in\n{table}");
    }
}

/// The files of a folder, in the order of their names.
fn cases(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/admit").join(folder);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(&folder).expect("the cases are there").map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "there are no cases in {}", folder.display());
    let text = |path: &PathBuf| fs::read_to_string(path).expect("a case is a text");
    paths.iter().map(|path| (path.file_name().expect("a file").display().to_string(), text(path))).collect()
}
