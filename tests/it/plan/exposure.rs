//! What shows more waits with its reasons in a cluster, and is published at once where the folder's owner decides; what
//! shows no more asks nobody.

use super::*;
use analytics_catalog::api::{Level, Sensitivity};

fn column(value: serde_json::Value) -> analytics_catalog::api::definition::Column {
    serde_json::from_value(value).expect("a column")
}

/// A dataset that is served with one more column.
fn serving(value: serde_json::Value) -> World {
    let mut world = World::new();
    world.mode = ApprovalMode::Automatic;
    world.spec.definition.columns.push(column(value));
    world.carry_out();
    world.mode = ApprovalMode::Annotation;
    world
}

fn levels(world: &mut World) -> &mut Vec<analytics_catalog::api::source::SourceColumn> {
    &mut world.sources.values_mut().next().expect("one source").declaration.columns
}

/// What waits, and what of it was published where nobody has to decide.
#[track_caller]
fn waits(mut world: World, reason: &str) {
    let message = |plan: &DatasetPlan| {
        let ready = plan.status.conditions.iter().find(|condition| condition.type_ == "Ready");
        ready.map(|condition| condition.message.clone()).unwrap_or_default()
    };
    let plan = world.plan();
    assert_eq!((plan.reason, plan.publication.is_some()), (Reason::ApprovalRequired, false));
    assert!(message(&plan).contains(reason), "{}", message(&plan));
    world.mode = ApprovalMode::Automatic;
    let plan = world.plan();
    let approval = plan.publication.and_then(|publication| publication.revision.approval).expect("it is published");
    assert!(approval.note.as_ref().is_some_and(|note| note.contains(reason)), "{approval:?}");
}

#[track_caller]
fn asks_nobody(world: &World) {
    let plan = world.plan();
    assert!(plan.publication.is_some(), "{:?}", plan.reason);
}

#[test]
fn each_kind_of_growth_waits_in_a_cluster() {
    let plain = || serving(json!({ "name": "phone", "from": "o.phone" }));
    let with = |change: fn(&mut World)| {
        let mut world = plain();
        change(&mut world);
        world
    };
    waits(
        with(|world| {
            world.spec.definition.columns.push(column(json!({ "name": "loud", "expression": "upper(o.phone)" })))
        }),
        "the column loud is computed from the protected phone of default:wow:orders",
    );
    waits(
        with(|world| world.spec.definition.columns[2].sensitivity = Some(Sensitivity::PUBLIC)),
        "the column phone shows phone of default:wow:orders as Public, not as Display",
    );
    waits(
        with(|world| world.spec.definition.filters.push("o.phone != 'x'".into())),
        "the filter `o.phone != 'x'` reads the protected phone",
    );
    waits(with(|world| world.spec.definition.filters.clear()), "the filter `o.amount > 0` is gone");
    waits(
        with(|world| world.spec.definition.filters = vec!["o.amount > 0 or o.id = 'x'".into()]),
        "the filter `o.amount > 0` is gone",
    );
}

#[test]
fn what_shows_no_more_is_published_without_asking() {
    let mut world = serving(json!({ "name": "loud", "expression": "upper(o.phone)" }));
    world.spec.definition.sources[0].alias = "orders".into();
    world.spec.definition.subject = "orders".into();
    world.spec.definition.columns = vec![
        column(json!({ "name": "key", "from": "orders.id" })),
        column(json!({ "name": "louder", "expression": "upper(orders.phone)" })),
        column(json!({ "name": "called", "from": "orders.phone" })),
    ];
    world.spec.definition.filters = vec!["orders.id != 'x' and orders.amount > 0".into()];
    asks_nobody(&world);
}

#[test]
fn a_level_that_is_raised_takes_back_an_approval_to_go_below_it() {
    let mut world = serving(json!({ "name": "phone", "from": "o.phone", "sensitivity": { "level": "Public" } }));
    assert!(world.plan().publication.is_none(), "nothing changed");
    levels(&mut world)[2].sensitivity = Some(Sensitivity { level: Level::Confidential, ..Sensitivity::PUBLIC });
    let record = world.plan().status.published.expect("it was served");
    assert!(!record.available && record.unavailable_reason.is_some_and(|why| why.contains("protects more")));
    waits(world, "the column phone shows phone of default:wow:orders as Public, not as Confidential");
}

#[test]
fn a_level_that_is_raised_asks_nobody_for_what_was_computed_before() {
    let mut world = serving(json!({ "name": "loud", "expression": "upper(o.id)" }));
    world.spec.definition.filters.push("o.id != 'x'".into());
    world.carry_out();
    world.spec.definition.columns.remove(0);
    world.carry_out();
    levels(&mut world)[0].sensitivity = Some(Sensitivity { level: Level::Confidential, ..Sensitivity::PUBLIC });
    asks_nobody(&world);
}

#[test]
fn a_source_whose_level_was_lowered_is_followed() {
    let mut world = serving(json!({ "name": "phone", "from": "o.phone" }));
    levels(&mut world)[2].sensitivity = Some(Sensitivity::PUBLIC);
    asks_nobody(&world);
}
