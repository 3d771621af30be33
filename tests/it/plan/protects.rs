//! What protects is never deferred, whatever else keeps the next version from being published.

use super::*;
use analytics_catalog::api::{Level, Sensitivity};
use analytics_catalog::plan::dataset::{Served, closed, failed};

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
    let fails = |status: AnalyticsDatasetStatus, served: Served<'_>| {
        let observation = DatasetObservation {
            origin: Origin::default(),
            generation: Some(2),
            spec: &world.spec,
            status,
            rival: None,
            compiled: Err(Vec::new()),
            history: &world.history,
            served,
            view_numbers: &[],
            served_view_is_gone: false,
            sources: &world.sources,
            troubled: &BTreeMap::new(),
            catalogs: &catalogs,
            on_nodes: &[],
            without: &[],
            datasets_database: "wow_datasets",
            mode: world.mode,
            retention: SignedDuration::from_hours(1),
            now: Timestamp::UNIX_EPOCH,
        };
        failed(&observation, Reason::WarehouseUnavailable, "")
    };
    let closed = fails(world.status.clone(), world.served.as_ref().into());
    assert!(closed.published.as_ref().is_some_and(|record| !record.available));
    let still = fails(closed, Served::Unknown);
    assert!(still.published.is_some_and(|record| !record.available));
    let open = fails(world.status.clone(), Served::Unknown);
    assert!(open.published.is_some_and(|record| record.available), "what could not be looked at is not lost");
}

#[test]
fn a_version_whose_history_is_lost_is_closed_and_asks_before_it_shows_more() {
    let mut world = broken();
    world.served = None;
    unavailable_because(&world, "the history of version 1 is missing or damaged");
    // A definition that compiles to what is served is what is served.
    world.spec.definition.filters = vec!["o.amount > 0".into()];
    assert!(record_of(&world.plan()).available);
    // Another one may show more rows, and nobody can tell.
    world.spec.definition.filters.clear();
    let waits = world.plan();
    assert_eq!((waits.reason, &waits.publication), (Reason::ApprovalRequired, &None));
    assert!(!record_of(&waits).available);
    // Neither can anybody once the status is lost too.
    world.status = AnalyticsDatasetStatus::default();
    assert_eq!(world.plan().reason, Reason::ApprovalRequired);
    // Where nothing is protected, there is nothing to ask for.
    declaration(&mut world).columns.truncate(2);
    world.spec.definition.columns.truncate(2);
    assert_eq!(world.next_number(), Some(2));
}

#[test]
fn what_shows_too_much_is_closed_before_the_next_version_is_published() {
    let mut world = broken();
    world.spec.definition.filters = vec!["o.amount > 0".into()];
    let closes = |world: &World| {
        world.observed(|observation| {
            let publication = plan(observation).publication.expect("a next version");
            closed(observation, &publication)
        })
    };
    world.column("amount").from = Some("o.id".into());
    assert_eq!(closes(&world), None, "another definition is published while the old version is served");
    declaration(&mut world).columns[2].sensitivity =
        Some(Sensitivity { level: Level::Confidential, ..Sensitivity::PUBLIC });
    let status = closes(&world).expect("it is closed at once");
    assert!(status.published.as_ref().is_some_and(|record| record.version == 1 && !record.available));
    world.status = status;
    assert_eq!(closes(&world), None, "then the next version is published");
    let mut rebuilt = World::new();
    rebuilt.carry_out();
    rebuilt.table.columns[2].default_expression = "length(id)".into();
    assert_eq!(closes(&rebuilt), None, "a column that is computed otherwise shows nothing more");
}

#[test]
fn an_edit_of_a_text_does_not_take_over_what_a_source_changed() {
    let mut world = World::new();
    world.carry_out();
    world.table.columns[2].column_type = "UInt64".into();
    for edit in [
        (|world: &mut World| world.column("amount").texts.label = Some("Amount".into())) as fn(&mut World),
        |world| world.spec.definition.scope = Some(serde_json::from_value(json!({})).expect("demands")),
        |world| world.spec.description = Some("Orders".into()),
    ] {
        edit(&mut world);
        let plan = world.plan();
        assert_eq!((plan.reason, plan.publication), (Reason::NeedsRevision, None));
    }
    world.column("amount").column_type = Some("UInt64".into());
    assert_eq!(world.next_number(), Some(2));
}
