//! The compiler over generated definitions: rows, reads, secrets of other tenants, protected values.

use std::sync::Arc;

use crate::support::definitions::rows::Foreign;
use crate::support::definitions::world::World;
use crate::support::definitions::{check, secrets, sizes};
use crate::{Figures, size};

pub async fn figures(figures: &mut Figures) {
    let (definitions, seed) = sizes(2_000);
    let ordinary = Arc::new(World::create(seed, Foreign::Ordinary).await);
    rows(figures, &ordinary, definitions, seed).await;

    let definitions = size("SECRET_DEFINITIONS", 1_000);
    let secret = Arc::new(World::create(seed, Foreign::Secrets).await);
    let outcome = secrets::foreign(&[secret, Arc::clone(&ordinary)], definitions, seed, str::to_owned).await;
    show(&outcome.wrong);
    let of = format!("of {} statements over {} definitions, seed {seed}", outcome.statements, outcome.definitions);
    let enough = outcome.definitions >= definitions && outcome.statements >= definitions;
    let holds = enough && outcome.wrong.is_empty();
    figures.print("b.4 errors by rows of another tenant", &format!("{} {of}", outcome.errors), "0", holds);
    figures.print("b.4 slow outliers by rows of another tenant", &format!("{} {of}", outcome.outliers), "0", holds);

    let outcome = secrets::protected(&ordinary, definitions, seed).await;
    show(&outcome.wrong);
    let value = format!(
        "{} in {} answers of {} definitions, seed {seed}",
        outcome.raw, outcome.statements, outcome.definitions
    );
    let holds = outcome.definitions >= definitions && outcome.wrong.is_empty();
    figures.print("b.4 raw protected values", &value, "0", holds);
}

async fn rows(figures: &mut Figures, world: &Arc<World>, definitions: usize, seed: u64) {
    let outcome = check::run(world, definitions, seed, str::to_owned).await;
    show(&outcome.wrong);
    let (rows, reads) = (outcome.rows, outcome.reads);
    let of = format!("of {rows} rows over {} definitions, seed {seed}", outcome.definitions);
    let enough = outcome.definitions >= definitions && rows > definitions;
    // A definition that does not compile or cannot be read counts as missing all its rows.
    let failed = outcome.wrong.len();
    let holds = |number: usize| enough && number == 0 && failed == 0;
    figures.print("b.3 foreign rows", &format!("{} {of}", outcome.foreign), "0", holds(outcome.foreign));
    figures.print("b.3 missing rows", &format!("{} {of}", outcome.missing), "0", holds(outcome.missing));
    let value = format!("{} of {reads}", outcome.uncut);
    figures.print("b.3 reads not cut by the tenant's range", &value, "0", holds(outcome.uncut) && reads > 0);
}

/// The first few definitions that are wrong, to become cases.
fn show(wrong: &[String]) {
    wrong.iter().take(5).for_each(|problem| println!("{problem}\n"));
}
