//! Generated definitions over a world of two tenants in which every row is known.
#![allow(dead_code, reason = "each test uses the part that it needs")]

pub mod check;
mod draw;
pub mod expected;
pub mod generate;
pub mod rows;
pub mod secrets;
pub mod tables;
pub mod value;
pub mod world;

/// How many definitions, and their seed: `DEFINITIONS` and `DEFINITIONS_SEED`.
pub fn sizes(definitions: usize) -> (usize, u64) {
    (number("DEFINITIONS").unwrap_or(definitions), number("DEFINITIONS_SEED").unwrap_or(1))
}

/// The number of the first definition, `DEFINITIONS_FROM`: one that was found wrong can be looked at alone.
pub fn first() -> usize {
    number("DEFINITIONS_FROM").unwrap_or(0)
}

fn number<Number: std::str::FromStr>(name: &str) -> Option<Number> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}
