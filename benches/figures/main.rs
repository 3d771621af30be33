//! The figures behind the quality bars (design 10): `make figures`, or of one group alone `make figures ONLY=a`. Those of
//! the compiler alone need no server: `ONLY=b.6`, `ONLY=b.7`.
//!
//! Prints `figure <group>.<number> <name>: <value> (bound <bound>) ok` for each, or `short` for `ok`, and ends with 1 if any
//! is short. Every comparison is a median or ratio of interleaved runs of this one process, never a time alone. Sizes:
//!
//! | variable | default | what |
//! |---|---|---|
//! | `FIGURES_PAIRS` | 1500 | pairs of small queries (a.1) |
//! | `FIGURES_RUNS` | 15 | pairs of large results (a.2) |
//! | `FIGURES_ROWS` | 1000000 | rows of the largest result (a.2) |
//! | `FIGURES_PUBLICATIONS` | 50 | publications (a.3) |
//! | `ISOLATION_QUERIES` | 5000 | generated queries (a.4) |
//! | `ISOLATION_SEED` | 1 | their seed |
//! | `FIGURES_EXPRESSIONS` | 5000 | generated expressions (b.1, b.2) |
//! | `FIGURES_SEED` | 1 | their seed |
//! | `FUZZ_RUNS` | 5000000 | mutated inputs of the compiler (b.7) |
//! | `FUZZ_SEED` | 1 | their seed |
//! | `DEFINITIONS` | 2000 | generated definitions whose rows are compared (b.3) |
//! | `SECRET_DEFINITIONS` | 1000 | generated definitions over secrets, twice (b.4) |
//! | `DEFINITIONS_SEED` | 1 | their seed |

mod compiler;
mod definitions;
mod first_light;
mod language;
mod publication;
mod served;
// The parts of the tests that the figures share: real servers, the program as processes, generated queries.
#[path = "../../tests/it/support/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod support;

use std::process::ExitCode;

/// The figures of this run.
#[derive(Default)]
struct Figures {
    short: usize,
}

impl Figures {
    /// Prints a figure; `holds` says whether it is within its bound.
    fn print(&mut self, name: &str, value: &str, bound: &str, holds: bool) {
        let verdict = if holds { "ok" } else { "short" };
        println!("figure {name}: {value} (bound {bound}) {verdict}");
        self.short += usize::from(!holds);
    }
}

/// A size that the environment may change.
fn size(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() -> ExitCode {
    // `cargo test --benches` starts benches too, without this argument: then there is nothing to measure.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut figures = Figures::default();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    if only.is_empty() || only == "a" {
        runtime.block_on(first_light::figures(&mut figures));
    }
    let of_language = only.is_empty() || only == "b";
    if of_language {
        runtime.block_on(language::figures(&mut figures));
    }
    if of_language || only == "b.6" {
        compiler::speed(&mut figures);
    }
    if of_language || only == "b.7" {
        compiler::inputs(&mut figures);
    }
    if of_language {
        runtime.block_on(definitions::figures(&mut figures));
    }
    if figures.short == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
