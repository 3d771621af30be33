//! Generated definitions over the rows of two tenants (design 4.1, 4.2, 4.5, 4.7, 4.8), each beside views that are
//! spoiled on purpose, to see that what is looked for would be found.

use std::sync::Arc;

use crate::support::definitions::rows::Foreign;
use crate::support::definitions::world::World;
use crate::support::definitions::{check, secrets, sizes};

fn shown(wrong: &[String]) -> String {
    format!("{} wrong:\n{}", wrong.len(), wrong.iter().take(3).cloned().collect::<Vec<_>>().join("\n\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn generated_definitions_give_exactly_the_rows_of_their_scope() {
    let (definitions, seed) = sizes(60);
    let world = Arc::new(World::create(seed, Foreign::Ordinary).await);
    let outcome = check::run(&world, definitions, seed, str::to_owned).await;
    assert!(outcome.wrong.is_empty(), "{}", shown(&outcome.wrong));
    assert!(outcome.rows > definitions * 10 && outcome.reads > definitions, "{outcome:?}");

    let others = check::run(&world, 9, seed, |view| with_fences(view, |column| format!("{column} !="))).await;
    assert!(others.foreign > 50 && others.missing > 50, "rows of another tenant are not noticed: {others:?}");
    let whole = check::run(&world, 9, seed, |view| with_fences(view, never_a_key)).await;
    let (rows, reads) = (whole.foreign + whole.missing, whole.reads);
    // Where a condition never holds nothing is read, whatever the key.
    assert!(rows == 0 && whole.uncut > reads / 2, "whole tables that are read are not noticed: {whole:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_computed_with_rows_of_another_tenant() {
    let (definitions, seed) = sizes(12);
    let worlds = [Foreign::Secrets, Foreign::Ordinary].map(|foreign| World::create(seed, foreign));
    let worlds = futures::future::join_all(worlds).await.into_iter().map(Arc::new).collect::<Vec<_>>();
    let worlds: [Arc<World>; 2] = worlds.try_into().unwrap_or_else(|_| unreachable!("there are two"));
    let outcome = secrets::foreign(&worlds, definitions, seed, str::to_owned).await;
    assert!(outcome.wrong.is_empty(), "{}", shown(&outcome.wrong));

    let others = |view: &str| with_fences(view, |column| format!("{column} !="));
    let touched = secrets::foreign(&worlds, 12, seed, others).await;
    assert!(touched.errors + touched.outliers > 2, "secrets that are touched are not noticed: {touched:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_protected_value_is_in_any_answer() {
    let (definitions, seed) = sizes(12);
    let mut world = World::create(seed, Foreign::Ordinary).await;
    let outcome = secrets::protected(&Arc::new(world.clone()), definitions, seed).await;
    assert!(outcome.wrong.is_empty(), "{}", shown(&outcome.wrong));

    world.declare_public();
    let raw = secrets::protected(&Arc::new(world), 9, seed).await;
    assert!(raw.raw > 18, "raw values are not noticed: {raw:?}");
}

/// A column as no primary key is asked for it.
fn never_a_key(column: &str) -> String {
    format!("if(length(toString({column})) >= 0, {column}, {column}) =")
}

/// A view whose every comparison of a tenant column starts otherwise.
fn with_fences(view: &str, start: impl Fn(&str) -> String) -> String {
    let mut text = view.to_owned();
    for comparison in ["` = CAST(if(", "` = accurateCastOrNull(CAST(if("] {
        let mut from = 0;
        while let Some(found) = text[from..].find(comparison).map(|offset| from + offset + 1) {
            let column = text[..found].rfind("__t").expect("a column of a read");
            let replaced = start(&text[column..found]);
            text.replace_range(column..found + " =".len(), &replaced);
            from = column + replaced.len();
        }
    }
    text
}
