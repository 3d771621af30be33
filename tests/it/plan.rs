//! What is decided from what is observed (design 5): real compilations, no server.

use std::collections::BTreeMap;

use analytics_catalog::api::pending::Approval;
use analytics_catalog::api::source::SourceIdentity;
use analytics_catalog::api::{AnalyticsDatasetSpec, AnalyticsDatasetStatus, Reason};
use analytics_catalog::catalog::{Catalog, Table, TableColumn};
use analytics_catalog::compile::{CompileInput, SourceInForce, compile};
use analytics_catalog::plan::ApprovalMode;
use analytics_catalog::plan::dataset::{DatasetObservation, DatasetPlan, plan};
use analytics_catalog::plan::revision::{Entry, Notes, Origin, Revision, Subject};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

mod exposure;
mod protects;
mod sources;

/// A dataset in its world; each test changes what it is about.
struct World {
    spec: AnalyticsDatasetSpec,
    status: AnalyticsDatasetStatus,
    sources: BTreeMap<String, SourceInForce>,
    table: Table,
    history: Vec<Entry>,
    served: Option<Revision>,
    views: Vec<u64>,
    served_view_is_gone: bool,
    rival: Option<String>,
    mode: ApprovalMode,
}

impl World {
    fn new() -> Self {
        let spec = serde_json::from_value(json!({
            "context": "shop",
            "name": "orders",
            "definition": {
                "sources": [{ "alias": "o", "sourceId": "default:wow:orders" }],
                "subject": "o",
                "columns": [{ "name": "id", "from": "o.id" }, { "name": "amount", "from": "o.amount" }],
                "filters": ["o.amount > 0"],
            },
        }))
        .expect("a dataset");
        let declaration = serde_json::from_value(json!({
            "connection": "default", "database": "wow", "table": "orders",
            "tenant": { "column": "tenant" },
            "columns": [
                { "name": "id", "sensitivity": { "level": "Public" } },
                { "name": "amount" },
                { "name": "phone", "sensitivity": { "level": "Display" } },
            ],
        }))
        .expect("a source");
        let column = |name: &str, column_type: &str| TableColumn {
            name: name.to_owned(),
            column_type: column_type.to_owned(),
            ..TableColumn::default()
        };
        let table = Table {
            database: "wow".to_owned(),
            name: "orders".to_owned(),
            engine: "MergeTree".to_owned(),
            columns: vec![
                column("tenant", "String"),
                column("id", "String"),
                column("amount", "UInt8"),
                column("phone", "String"),
            ],
            ..Table::default()
        };
        Self {
            spec,
            status: AnalyticsDatasetStatus::default(),
            sources: [("default:wow:orders".to_owned(), SourceInForce { declaration, not_ready: None })].into(),
            table,
            history: Vec::new(),
            served: None,
            views: Vec::new(),
            served_view_is_gone: false,
            rival: None,
            mode: ApprovalMode::Annotation,
        }
    }

    fn plan(&self) -> DatasetPlan {
        self.observed(plan)
    }

    /// What is decided of what is observed.
    fn observed<T>(&self, decide: impl FnOnce(&DatasetObservation<'_>) -> T) -> T {
        let catalogs =
            [("default".to_owned(), Catalog { tables: vec![self.table.clone()], ..Catalog::default() })].into();
        let served = self.served.as_ref().and_then(Revision::version);
        let compiled = compile(&CompileInput {
            spec: &self.spec,
            sources: &self.sources,
            catalogs: &catalogs,
            datasets_database: "wow_datasets",
            served_fingerprints: served.map(|version| version.fingerprints.as_slice()).unwrap_or_default(),
        });
        decide(&DatasetObservation {
            origin: Origin { namespace: "shop".into(), name: "orders".into(), uid: "u".into() },
            generation: Some(1),
            spec: &self.spec,
            status: self.status.clone(),
            rival: self.rival.clone(),
            compiled,
            history: &self.history,
            served: self.served.as_ref().into(),
            view_numbers: &self.views,
            served_view_is_gone: self.served_view_is_gone,
            sources: &self.sources,
            troubled: &BTreeMap::new(),
            catalogs: &catalogs,
            on_nodes: &[],
            without: &[],
            datasets_database: "wow_datasets",
            mode: self.mode,
            retention: SignedDuration::from_hours(168),
            now: Timestamp::from_second(1_000_000).expect("in range"),
        })
    }

    /// Does what the plan says, as `apply` would.
    fn carry_out(&mut self) -> u64 {
        let plan = self.plan();
        let publication = plan.publication.expect("there is something to publish");
        let number = publication.revision.number;
        self.claim(&publication.revision);
        self.note(number, |notes| notes.published_at = Some(Timestamp::UNIX_EPOCH));
        if let Some(earlier) = publication.supersedes {
            self.note(earlier, |notes| notes.superseded_at = Some(Timestamp::UNIX_EPOCH));
        }
        self.views.push(number);
        self.served = Some(publication.revision);
        self.status = plan.status;
        number
    }

    /// The first step of a publication alone: the claim of the number.
    fn claim(&mut self, revision: &Revision) {
        self.history.retain(|entry| entry.number != revision.number);
        self.history.push(Entry {
            subject: Subject::dataset("shop.orders"),
            number: revision.number,
            content_hash: revision.version().expect("a version").record.content_hash.clone(),
            namespace: "shop".to_owned(),
            notes: Notes::default(),
        });
    }

    fn note(&mut self, number: u64, change: impl Fn(&mut Notes)) {
        self.history.iter_mut().filter(|entry| entry.number == number).for_each(|entry| change(&mut entry.notes));
    }

    fn column(&mut self, name: &str) -> &mut analytics_catalog::api::definition::Column {
        self.spec.definition.columns.iter_mut().find(|column| column.name == name).expect("the column is there")
    }

    fn next_number(&self) -> Option<u64> {
        self.plan().publication.map(|publication| publication.revision.number)
    }
}

#[test]
fn the_first_publication_is_version_1_and_then_there_is_nothing_to_do() {
    let mut world = World::new();
    assert_eq!(world.carry_out(), 1);
    let plan = world.plan();
    assert_eq!((plan.publication, plan.repair, plan.notes.as_slice()), (None, None, [].as_slice()));
    assert_eq!(plan.status, AnalyticsDatasetStatus { versions: plan.status.versions.clone(), ..world.status.clone() });
    world.status = plan.status;
    assert_eq!(world.plan().status, world.status, "a status that says what is so is not written again");
}

#[test]
fn another_definition_is_the_next_version_and_texts_are_changed_in_place() {
    let mut world = World::new();
    world.carry_out();
    world.column("amount").texts.label = Some("Amount".into());
    let plan = world.plan();
    assert_eq!(plan.publication, None);
    let record = plan.status.published.expect("it is still served");
    assert_eq!((record.version, record.columns[1].texts.label.as_deref()), (1, Some("Amount")));
    world.spec.definition.filters.clear();
    assert_eq!(world.carry_out(), 2);
    assert_eq!(world.status.versions.iter().map(|version| version.version).collect::<Vec<_>>(), [2, 1]);
    assert!(world.status.versions[1].superseded_at.is_some());
}

#[test]
fn an_unfinished_claim_is_taken_up_again_and_one_of_other_content_leaves_a_gap() {
    let mut world = World::new();
    let cut_off = world.plan().publication.expect("a first version").revision;
    world.claim(&cut_off);
    let again = world.plan().publication.expect("it goes on");
    assert_eq!((again.revision.number, again.taken_up), (1, true));
    world.spec.definition.filters.clear();
    let other = world.plan().publication.expect("another version");
    assert_eq!((other.revision.number, other.taken_up), (2, false));
}

#[test]
fn a_number_is_above_every_number_that_was_ever_used() {
    let mut world = World::new();
    world.views = vec![7];
    assert_eq!(world.next_number(), Some(8), "a view with our mark");
    world.views.clear();
    world.carry_out();
    (world.history, world.served) = (Vec::new(), None);
    world.mode = ApprovalMode::Automatic;
    world.spec.definition.filters.clear();
    assert_eq!(world.next_number(), Some(2), "the status alone remembers version 1");
}

#[test]
fn a_withdrawn_dataset_comes_back_under_its_number_if_nothing_of_it_changed() {
    let mut world = World::new();
    world.carry_out();
    world.note(1, |notes| notes.expires_at = Some(Timestamp::MAX));
    world.status = AnalyticsDatasetStatus::default();
    let back = world.plan().publication.expect("it is published again");
    assert_eq!((back.revision.number, back.taken_up, back.supersedes), (1, true, None));
    world.spec.definition.filters.clear();
    assert_eq!(world.next_number(), Some(2));
}

#[test]
fn a_retyped_column_takes_the_version_out_of_service_and_asks_for_a_revision() {
    let mut world = World::new();
    world.carry_out();
    world.table.columns[2].column_type = "UInt64".into();
    let plan = world.plan();
    assert_eq!((plan.reason, plan.publication), (Reason::NeedsRevision, None));
    let record = plan.status.published.expect("the record stays");
    assert!(
        !record.available && record.unavailable_reason.expect("a reason").contains("amount was UInt8 and is UInt64")
    );
    world.column("amount").column_type = Some("UInt64".into());
    assert_eq!(world.next_number(), Some(2), "an edit of the definition publishes");
}

/// Pitfalls E4 and E4b: the same names and types over other data.
#[test]
fn another_table_or_order_under_the_same_columns_is_not_published_by_itself() {
    type Change = fn(&mut Table);
    let changes: [(Change, &str); 3] = [
        (|table| table.sorting_key = "id".into(), "its engine or key is another"),
        (|table| table.engine_full = "MergeTree(x) ORDER BY x".into(), "its engine or key is another"),
        (|table| table.columns.swap(1, 2), "its columns stand in another order"),
    ];
    for (change, expected) in changes {
        let mut world = World::new();
        world.carry_out();
        let before = world.table.clone();
        change(&mut world.table);
        let plan = world.plan();
        assert_eq!((plan.reason, plan.publication), (Reason::NeedsRevision, None), "{expected}");
        let record = plan.status.published.expect("the record stays");
        assert!(!record.available && record.unavailable_reason.expect("a reason").contains(expected));
        world.table = before;
        let plan = world.plan();
        assert_eq!((plan.reason, plan.publication), (Reason::Published, None), "the table is back");
        change(&mut world.table);
        world.column("amount").name = "sum".into();
        assert_eq!(world.next_number(), Some(2), "an edit of the definition publishes");
    }
}

#[test]
fn a_source_that_is_known_by_its_columns_from_now_on_goes_on_over_another_table() {
    let mut world = World::new();
    let identity = |world: &mut World, identity| {
        world.sources.values_mut().for_each(|source| source.declaration.identity = Some(identity));
    };
    identity(&mut world, SourceIdentity::Table);
    world.table.uuid = "one".into();
    world.carry_out();
    world.table.uuid = "another".into();
    let plan = world.plan();
    assert_eq!((plan.reason, plan.publication), (Reason::NeedsRevision, None));
    assert!(plan.status.published.is_some_and(|record| !record.available));
    identity(&mut world, SourceIdentity::Columns);
    assert_eq!(world.next_number(), Some(2), "the source's approver decided so");
}

#[test]
fn a_column_that_the_table_gains_changes_nothing() {
    let mut world = World::new();
    world.carry_out();
    let gained = TableColumn { name: "note".into(), column_type: "String".into(), ..TableColumn::default() };
    world.table.columns.insert(0, gained);
    let plan = world.plan();
    assert_eq!((plan.reason, plan.publication), (Reason::Published, None));
    assert!(plan.status.published.is_some_and(|record| record.available));
}

#[test]
fn a_source_that_is_withdrawn_or_not_approved_takes_the_version_out_of_service_at_once() {
    let mut world = World::new();
    world.carry_out();
    let sources = std::mem::take(&mut world.sources);
    let plan = world.plan();
    assert_eq!(plan.reason, Reason::SourceWithdrawn);
    assert!(plan.status.published.is_some_and(|record| !record.available));
    world.sources = sources;
    for source in world.sources.values_mut() {
        source.not_ready = Some("its tenant changed".into());
    }
    let plan = world.plan();
    assert_eq!(plan.reason, Reason::SourceNotReady);
    assert!(plan.status.published.is_some_and(|record| !record.available));
}

#[test]
fn a_stricter_level_publishes_by_itself_and_a_looser_column_waits() {
    let mut world = World::new();
    world
        .spec
        .definition
        .columns
        .push(serde_json::from_value(json!({ "name": "phone", "from": "o.phone" })).expect("a column"));
    world.carry_out();
    let phone = |world: &mut World| {
        world.sources.values_mut().next().expect("one source").declaration.columns[2].sensitivity.clone()
    };
    let mut stricter = phone(&mut world).expect("it is protected");
    stricter.level = analytics_catalog::api::Level::Confidential;
    world.sources.values_mut().for_each(|source| source.declaration.columns[2].sensitivity = Some(stricter.clone()));
    assert_eq!(world.carry_out(), 2);
    world.column("phone").sensitivity = Some(analytics_catalog::api::Sensitivity::PUBLIC);
    let waits = world.plan();
    assert_eq!((waits.reason, waits.publication), (Reason::ApprovalRequired, None));
    assert!(
        waits.status.published.is_some_and(|record| record.version == 2 && record.available),
        "what is served stays served"
    );
    world.mode = ApprovalMode::Automatic;
    let publication = world.plan().publication.expect("the owner of the folder is the approver");
    assert!(matches!(publication.revision.approval, Some(Approval { by, note: Some(_), .. }) if by == "automatic"));
}

#[test]
fn a_missing_view_is_created_again_from_its_revision() {
    let mut world = World::new();
    world.carry_out();
    world.served_view_is_gone = true;
    assert_eq!(world.plan().repair.map(|version| version.record.version), Some(1));
    world.sources.values_mut().for_each(|source| source.not_ready = Some("its approval is gone".into()));
    assert_eq!(world.plan().repair, None, "readers may not have it");
}

#[test]
fn the_first_of_two_objects_keeps_an_id_and_wished_states_are_ready() {
    let mut world = World::new();
    world.rival = Some("The dataset `shop.orders` is declared by shop/first already.".into());
    let plan = world.plan();
    assert_eq!((plan.reason, plan.publication), (Reason::NameTaken, None));
    world.rival = None;
    world.spec.draft = true;
    assert_eq!((world.plan().reason, world.next_number()), (Reason::Held, None));
    world.spec.draft = false;
    world.carry_out();
    world.spec.lifecycle = analytics_catalog::api::dataset::Lifecycle::Retired;
    let retired = world.plan();
    assert_eq!((retired.reason, retired.status.published), (Reason::Retired, None));
}

#[test]
fn a_crash_between_record_and_notes_is_made_good() {
    let mut world = World::new();
    world.carry_out();
    world.spec.definition.filters.clear();
    world.carry_out();
    world.note(2, |notes| notes.published_at = None);
    world.note(1, |notes| notes.superseded_at = None);
    let noted = |world: &World| world.plan().notes.into_iter().map(|(number, _)| number).collect::<Vec<u64>>();
    assert_eq!(noted(&world), [2, 1]);
    // Whatever became of the definition meanwhile: else the version that was served looks like a claim of nobody.
    world.spec.definition.filters = vec!["o.nowhere = 1".into()];
    assert_eq!(noted(&world), [2, 1]);
    assert_eq!(world.plan().status.versions.len(), 2);
    world.spec.definition.filters = vec!["o.amount > 1".into()];
    let notes = world.observed(|observation| {
        let publication = plan(observation).publication.expect("a third version");
        publication.notes(observation)
    });
    let [(3, third), (2, second)] = notes.as_slice() else { panic!("{notes:?}") };
    assert!(third.published_at.is_some() && third.superseded_at.is_none());
    assert!(second.published_at.is_some() && second.superseded_at.is_some());
}

#[test]
fn who_approved_a_version_is_listed_as_long_as_it_is() {
    let mut world = World::new();
    world.mode = ApprovalMode::Automatic;
    world.column("amount").sensitivity = None;
    let phone = json!({ "name": "phone", "from": "o.phone", "sensitivity": { "level": "Public" } });
    world.spec.definition.columns.push(serde_json::from_value(phone).expect("a column"));
    assert!(!world.plan().growth.is_empty(), "nobody was asked, so it is told");
    world.carry_out();
    world.spec.definition.filters.clear();
    world.carry_out();
    world.note(1, |notes| notes.superseded_at = Some(Timestamp::from_second(999_999).expect("in range")));
    world.status = world.plan().status;
    let by = |version: usize| world.status.versions[version].approved_by.as_deref();
    assert_eq!((world.status.versions.len(), by(1)), (2, Some("automatic")));
    assert_eq!(world.plan().status, world.status, "nothing is written when nothing changed");
}

#[test]
fn a_demand_on_callers_is_made_at_once_and_dropped_by_approval() {
    let mut world = World::new();
    for source in world.sources.values_mut() {
        source.declaration.owner = serde_json::from_value(json!({ "column": "id" })).expect("a scope");
    }
    world.carry_out();
    world.spec.definition.scope = serde_json::from_value(json!({ "owner": "Required" })).expect("demands");
    let raised = world.plan();
    assert_eq!((raised.reason, raised.publication), (Reason::Published, None));
    world.status = raised.status;
    world.spec.definition.scope = None;
    for filters in [vec!["o.amount > 0".to_owned()], Vec::new()] {
        world.spec.definition.filters = filters;
        let dropped = world.plan();
        assert_eq!((dropped.reason, &dropped.publication), (Reason::ApprovalRequired, &None));
        assert_eq!(dropped.status.published, world.status.published, "the demand stays");
    }
    world.mode = ApprovalMode::Automatic;
    assert_eq!(world.plan().reason, Reason::Published);
}

#[test]
fn the_view_of_a_retired_dataset_goes_after_the_retention() {
    let mut world = World::new();
    world.carry_out();
    world.spec.lifecycle = analytics_catalog::api::dataset::Lifecycle::Retired;
    let retired = world.plan();
    let [(1, Notes { expires_at: Some(expires_at), published_at: Some(_), .. })] = retired.notes.as_slice() else {
        panic!("{:?}", retired.notes)
    };
    assert_eq!(*expires_at, Timestamp::from_second(1_000_000 + 168 * 3600).expect("in range"));
    world.note(1, |notes| notes.expires_at = Some(*expires_at));
    world.status = retired.status;
    assert_eq!(world.plan().notes, [], "it is noted once");
    world.spec.lifecycle = analytics_catalog::api::dataset::Lifecycle::Active;
    assert_eq!(world.next_number(), Some(1));
}
