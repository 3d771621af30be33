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
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let definitions = number("DEFINITIONS").and_then(|number| usize::try_from(number).ok()).unwrap_or(definitions);
    (definitions, number("DEFINITIONS_SEED").unwrap_or(1))
}
