//! The expression language (issue b): types as ClickHouse says them, and nothing that throws.

use crate::support::clickhouse::clickhouse;
use crate::support::expressions;
use crate::{Figures, size};

/// Measures b.1 and b.2.
pub async fn figures(figures: &mut Figures) {
    let (count, seed) = (size("FIGURES_EXPRESSIONS", 5000), size("FIGURES_SEED", 1));
    let outcome = expressions::run(clickhouse().await, "s_figures", count, seed as u64).await;
    let of = format!(
        "{} expressions ({} as filters too) of {} functions over {} types",
        outcome.expressions, outcome.filters, outcome.functions, outcome.types
    );
    let found = &outcome.found;
    for wrong in found.types.iter().chain(&found.thrown).take(20) {
        println!("{wrong}");
    }
    let enough = outcome.expressions >= 5000;
    let types = format!("{} differences, {of}", found.types.len());
    figures.print("b.1 types as inferred", &types, "0 of 5000 or more", enough && found.types.is_empty());
    let thrown = format!("{} exceptions, {of}", found.thrown.len());
    figures.print("b.2 total over extremes", &thrown, "0 of 5000 or more", enough && found.thrown.is_empty());
}
