//! The Dockerfile against the workspace: no image is built here.

use crate::support::documents::{committed, root};

#[test]
fn the_dockerfile_builds_this_program_as_the_chart_runs_it() {
    let dockerfile = committed("Dockerfile");
    let cargo = committed("Cargo.toml");
    let of_cargo = |key: &str| {
        let line = cargo.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")));
        line.and_then(|rest| rest.split('"').next()).unwrap_or_else(|| panic!("Cargo.toml has {key}")).to_owned()
    };
    let from: Vec<&str> = dockerfile.lines().filter_map(|line| line.strip_prefix("FROM ")).collect();
    let [build, run] = from[..] else { panic!("two stages are expected: {from:?}") };
    assert_eq!(build, format!("rust:{}-slim-bookworm AS build", of_cargo("rust-version")));
    // The same release of Debian: a program needs a C library at least as new as it was linked with.
    assert_eq!(run, "gcr.io/distroless/cc-debian12:nonroot");
    let program = of_cargo("name");
    for line in [
        format!("    cargo build --locked --release --bin {program} \\"),
        format!("    && cp target/release/{program} /{program}"),
        format!("COPY --from=build /{program} /usr/bin/{program}"),
        format!("ENTRYPOINT [\"/usr/bin/{program}\"]"),
    ] {
        assert!(dockerfile.lines().any(|written| written == line), "the Dockerfile has no line `{line}`");
    }
    let deployment = committed("charts/analytics-catalog/templates/deployment.yaml");
    for identity in ["runAsUser", "runAsGroup"] {
        assert!(deployment.contains(&format!("{identity}: 65532")), "the chart runs as the user of the image");
    }
    assert!(dockerfile.contains("\nUSER 65532:65532\n"));
}

#[test]
fn everything_that_the_program_is_made_of_is_sent_to_the_build() {
    let left_out: Vec<String> = committed(".dockerignore").lines().map(str::to_owned).collect();
    assert!(left_out.iter().any(|line| line == "target"));
    for name in &left_out {
        // Nothing that Cargo or `include_str!` reads.
        assert!(["target", ".git", ".demo", "e2e"].contains(&name.as_str()), "{name} may be needed");
    }
    assert!(committed("Dockerfile").contains("\nCOPY . .\n"));
    assert!(root().join("Cargo.lock").exists());
}
