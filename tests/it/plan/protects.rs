//! What protects is never deferred, whatever else keeps the next version from being published.

use super::*;
use analytics_catalog::api::{Level, Sensitivity};
use analytics_catalog::plan::dataset::failed;

/// A dataset that shows a protected column, and whose definition was broken since.
fn broken() -> World {
    let mut world = World::new();
    let phone = serde_json::from_value(json!({ "name": "phone", "from": "o.phone" })).expect("a column");
    world.spec.definition.columns.push(phone);
    world.carry_out();
    world.spec.definition.filters = vec!["o.nowhere = 1".into()];
    assert!(record_of(&world.plan()).available, "a mistake keeps the old version served");
    world
}

fn record_of(plan: &DatasetPlan) -> analytics_catalog::api::PublicationRecord {
    plan.status.published.clone().expect("the record stays")
}

fn declaration(world: &mut World) -> &mut analytics_catalog::api::AnalyticsSourceSpec {
    &mut world.sources.values_mut().next().expect("one source").declaration
}

fn unavailable_because(world: &World, text: &str) {
    let plan = world.plan();
    assert_eq!(plan.publication, None);
    let record = record_of(&plan);
    let reason = record.unavailable_reason.unwrap_or_default();
    assert!(!record.available && reason.contains(text), "{reason}");
}

#[test]
fn a_raised_level_counts_though_the_definition_is_broken() {
    let mut world = broken();
    let confidential = Sensitivity { level: Level::Confidential, ..Sensitivity::PUBLIC };
    declaration(&mut world).columns[2].sensitivity = Some(confidential.clone());
    unavailable_because(&world, "protects more");
    world.spec.definition.filters = vec!["o.amount > 0".into()];
    let plan = world.plan();
    assert!(plan.publication.is_some() && record_of(&plan).available, "the next version masks it");
    let mut computed = World::new();
    computed.spec.definition.columns[0] =
        serde_json::from_value(json!({ "name": "id", "expression": "upper(o.id)" })).expect("a column");
    computed.carry_out();
    declaration(&mut computed).columns[0].sensitivity = Some(confidential.clone());
    let plan = computed.plan();
    assert!(plan.publication.is_some() && record_of(&plan).available, "the next version masks it");
    computed.spec.definition.filters = vec!["o.nowhere = 1".into()];
    unavailable_because(&computed, "protects more");
}

#[test]
fn a_value_that_is_no_longer_declared_is_no_longer_shown() {
    let mut world = broken();
    declaration(&mut world).columns.truncate(2);
    unavailable_because(&world, "no longer declares");
}

#[test]
fn a_corrected_scope_counts_though_the_definition_is_broken() {
    let mut world = broken();
    declaration(&mut world).owner = serde_json::from_value(json!({ "column": "id" })).expect("a scope");
    unavailable_because(&world, "another than at publication");
    let mut draft = World::new();
    draft.carry_out();
    declaration(&mut draft).tenant = serde_json::from_value(json!({ "column": "id" })).expect("a scope");
    draft.spec.draft = true;
    unavailable_because(&draft, "another than at publication");
}

#[test]
fn a_failed_publication_does_not_keep_open_what_was_closed() {
    let mut world = broken();
    world.sources.values_mut().for_each(|source| source.not_ready = Some("its approval is gone".into()));
    // The warehouse could not be asked: no table is known.
    let catalogs = BTreeMap::new();
    let observation = |status: AnalyticsDatasetStatus, served| DatasetObservation {
        origin: Origin::default(),
        generation: Some(2),
        spec: &world.spec,
        status,
        rival: None,
        compiled: Err(Vec::new()),
        history: &world.history,
        served,
        view_numbers: &[],
        sources: &world.sources,
        catalogs: &catalogs,
        datasets_database: "wow_datasets",
        mode: world.mode,
        retention: SignedDuration::from_hours(1),
        now: Timestamp::UNIX_EPOCH,
    };
    let closed = failed(&observation(world.status.clone(), world.served.as_ref()), Reason::WarehouseUnavailable, "");
    assert!(closed.published.as_ref().is_some_and(|record| !record.available));
    let still = failed(&observation(closed, None), Reason::WarehouseUnavailable, "");
    assert!(still.published.is_some_and(|record| !record.available));
}
