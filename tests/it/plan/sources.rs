//! What of a source's declaration is in force, and what waits for an approver (design 3.1).

use super::*;
use analytics_catalog::api::AnalyticsSourceSpec;
use analytics_catalog::api::source::AnalyticsSourceStatus;
use analytics_catalog::compile::{Code, Diagnostic};
use analytics_catalog::plan::GuardState;
use analytics_catalog::plan::declaration::{floor, in_force};
use analytics_catalog::plan::source::{SourceObservation, SourcePlan, Unread, newest};

/// A source in its world, approved as `spec` says at first.
struct Declared {
    spec: AnalyticsSourceSpec,
    table: Table,
    status: AnalyticsSourceStatus,
    revisions: Vec<Revision>,
    annotations: BTreeMap<String, String>,
    floors: Vec<AnalyticsSourceSpec>,
    untraced: Vec<String>,
    convention: Option<Diagnostic>,
}

impl Declared {
    fn approved() -> Self {
        let world = World::new();
        let spec = world.sources.into_values().next().expect("one source").declaration;
        let (status, revisions, annotations, floors, untraced, convention) = Default::default();
        let mut declared =
            Self { spec, table: world.table, status, revisions, annotations, floors, untraced, convention };
        declared.carry_out();
        declared.approve();
        assert_eq!(declared.carry_out().reason, Reason::Approved);
        declared
    }

    fn origin() -> Origin {
        Origin { namespace: "crm".into(), name: "orders".into(), uid: "u".into() }
    }

    fn in_status(&self) -> Option<&Revision> {
        let number = newest(&self.status, &self.history())?;
        self.revisions.iter().find(|revision| revision.number == number)
    }

    fn history(&self) -> Vec<Entry> {
        let entry = |revision: &Revision| Entry {
            subject: revision.subject.clone(),
            number: revision.number,
            content_hash: String::new(),
            namespace: "crm".to_owned(),
            notes: Notes::default(),
        };
        self.revisions.iter().map(entry).collect()
    }

    fn plan(&self) -> SourcePlan {
        self.plan_with(Ok(&self.table))
    }

    fn plan_with(&self, table: Result<&Table, Unread>) -> SourcePlan {
        let catalog = Catalog::default();
        analytics_catalog::plan::source::plan(&SourceObservation {
            origin: Self::origin(),
            generation: Some(1),
            spec: &self.spec,
            status: self.status.clone(),
            annotations: &self.annotations,
            rival: None,
            table: table.map(|table| (table, &catalog)),
            floors: &self.floors,
            untraced: &self.untraced,
            convention: self.convention.clone(),
            history: &self.history(),
            approved: self.in_status(),
            used_by: Vec::new(),
            mode: ApprovalMode::Annotation,
            guards: &GuardState::InPlace { stamp: "one".into() },
            now: Timestamp::UNIX_EPOCH,
        })
    }

    fn carry_out(&mut self) -> SourcePlan {
        let plan = self.plan();
        self.take(plan)
    }

    fn take(&mut self, plan: SourcePlan) -> SourcePlan {
        if let Some(revision) = &plan.revision {
            assert!(self.revisions.iter().all(|earlier| earlier.number != revision.number), "a number is used once");
            self.revisions.push(revision.clone());
        }
        self.status = plan.status.clone();
        plan
    }

    fn approve(&mut self) {
        let digest = self.status.pending.as_ref().expect("something waits").digest.clone();
        let prefix = "analytics.wow.dev";
        self.annotations.insert(format!("{prefix}/approve"), digest);
        self.annotations.insert(format!("{prefix}/approved-by"), "alice".into());
    }

    fn level(&mut self, column: usize, level: &str) {
        let sensitivity = json!({ "level": level });
        self.spec.columns[column].sensitivity = Some(serde_json::from_value(sensitivity).expect("a level"));
    }

    /// Whether datasets see the column protected.
    fn protects(&self, name: &str) -> bool {
        let source = in_force(&Self::origin(), &self.spec, self.in_status(), "crm", None).expect("it is readable");
        let column = source.declaration.columns.iter().find(|column| column.name == name).expect("it is declared");
        column.sensitivity.as_ref().is_some_and(analytics_catalog::api::Sensitivity::is_protected)
    }
}

#[test]
fn what_a_waiting_change_made_stricter_is_not_taken_back_without_approval() {
    let mut source = Declared::approved();
    // One change: `id` becomes protected at once, `phone` would become public and waits.
    source.level(0, "Confidential");
    source.level(2, "Public");
    assert_eq!(source.carry_out().reason, Reason::ApprovalRequired);
    assert!(source.protects("id") && source.protects("phone"));
    assert_eq!(source.plan().status, source.status, "nothing is written when nothing changed");
    // Back to what was approved once: `id` would be public again.
    source.level(0, "Public");
    source.level(2, "Display");
    let back = source.carry_out();
    assert_eq!(back.reason, Reason::ApprovalRequired);
    assert_eq!(back.status.pending.expect("it waits").why, ["id is protected less"]);
    assert!(source.protects("id") && source.protects("phone"));
    source.approve();
    assert_eq!(source.carry_out().reason, Reason::Approved);
    assert!(!source.protects("id"));
}

#[test]
fn an_approval_outlives_a_status_that_could_not_be_written() {
    let mut source = Declared::approved();
    source.level(2, "Public");
    source.carry_out();
    source.approve();
    let before = source.status.clone();
    assert_eq!(source.carry_out().reason, Reason::Approved);
    let number = source.revisions.last().expect("it was approved").number;
    source.status = before;
    let again = source.carry_out();
    assert_eq!((again.reason, again.revision), (Reason::Approved, None));
    assert_eq!(again.status.approved.and_then(|approval| approval.revision), Some(number));
}

#[test]
fn a_source_that_gives_the_rows_of_a_table_to_other_tenants_is_refused() {
    let mut declared = Declared::approved();
    let base: AnalyticsSourceSpec = serde_json::from_value(json!({
        "connection": "default", "database": "wow", "table": "orders_local", "tenant": { "column": "id" },
    }))
    .expect("a source");
    declared.floors = vec![base];
    let plan = declared.plan();
    let message = &plan.status.conditions[0].message;
    assert_eq!(
        (plan.reason, message.contains("not that of the table `wow.orders_local` behind it")),
        (Reason::InvalidDefinition, true),
        "{message}"
    );
    declared.floors[0].tenant.clone_from(&declared.spec.tenant);
    assert_eq!(declared.plan().reason, Reason::Approved);
}

#[test]
fn an_approver_reads_what_could_not_be_traced() {
    let mut declared = Declared::approved();
    declared.untraced = vec!["the engine of `wow.odd` is not understood".into()];
    declared.level(2, "Public");
    let pending = declared.plan().status.pending.expect("it waits");
    assert_eq!(
        pending.why,
        ["phone is protected less", "its data could not be traced: the engine of `wow.odd` is not understood"]
    );
}

#[test]
fn what_a_table_demands_of_its_data_under_other_names_does_not_go_with_the_column() {
    let mut declared = Declared::approved();
    let level = |declared: &Declared| {
        let floor = floor(&Declared::origin(), &declared.spec, declared.in_status()).expect("it was approved");
        floor.protection("phone").to_string()
    };
    assert_eq!(level(&declared), "Display");
    declared.level(2, "Confidential");
    assert_eq!(level(&declared), "Confidential", "at once");
    declared.level(2, "Public");
    assert_eq!(level(&declared), "Display", "a lower level waits");
    declared.spec.columns.truncate(2);
    assert_eq!(level(&declared), "Display", "unreadable here, and still called alike there");
    let other = Origin { uid: "another".into(), ..Declared::origin() };
    assert_eq!(floor(&other, &declared.spec, declared.in_status()), None, "never approved");
}

#[test]
fn what_a_wrong_declaration_makes_stricter_is_not_taken_back_without_approval() {
    type Wrong = fn(&mut Declared) -> SourcePlan;
    let wrongs: [(Reason, Wrong); 4] = [
        (Reason::InvalidDefinition, |source| {
            source.spec.columns[1].name = "amuont".into();
            source.carry_out()
        }),
        (Reason::NotConfigured, |source| source.take(source.plan_with(Err(Unread::NotConfigured("unknown".into()))))),
        (Reason::TableNotFound, |source| source.take(source.plan_with(Err(Unread::Missing("gone".into()))))),
        (Reason::WarehouseUnavailable, |source| source.take(source.plan_with(Err(Unread::Away("away".into()))))),
    ];
    for (reason, wrong) in wrongs {
        let mut source = Declared::approved();
        source.level(0, "Confidential");
        assert_eq!(wrong(&mut source).reason, reason);
        assert!(source.protects("id"));
        assert_eq!(wrong(&mut source).revision, None, "it is kept once");
        source.spec.columns[1].name = "amount".into();
        source.level(0, "Public");
        let back = source.carry_out();
        assert_eq!(back.reason, Reason::ApprovalRequired, "{reason:?}");
        assert_eq!(
            back.status.pending.expect("it waits").why,
            ["id is protected less"],
            "a misspelled column came back"
        );
        assert!(source.protects("id"));
    }
}

#[test]
fn what_waits_is_said_whole_and_only_of_the_declaration_that_is_there() {
    let mut source = Declared::approved();
    source.level(2, "Public");
    source.spec.model = serde_json::from_value(json!({ "kind": "Duplicate", "key": [] })).expect("a model");
    source.spec.identity = serde_json::from_value(json!("Table")).expect("an identity");
    let reference = json!([{ "column": "id", "aggregate": { "context": "shop", "name": "order" } }]);
    source.spec.references = serde_json::from_value(reference).expect("references");
    let pending = source.carry_out().status.pending.expect("it waits");
    let all = ["phone is protected less", "the references change", "the model changes", "the identity changes"];
    assert_eq!(pending.why, all);
    let away = source.plan_with(Err(Unread::Away("away".into())));
    assert_eq!(away.status.pending.as_ref(), Some(&pending), "nothing of it changed");
    source.status.observed_generation = Some(0);
    assert_eq!(source.plan_with(Err(Unread::Away("away".into()))).status.pending, None);
    assert_eq!(source.plan_with(Err(Unread::Missing("gone".into()))).status.pending, None);
}

#[test]
fn a_convention_warns_or_refuses_as_its_code_says() {
    let mut source = Declared::approved();
    let finding = |code| Some(Diagnostic::new(code, "spec.table", "The table has a better one.").help("Read it."));
    source.convention = finding(Code::BetterTable);
    let warned = source.carry_out();
    assert_eq!(warned.reason, Reason::Approved);
    assert_eq!(warned.status.warnings, ["spec.table: BetterTable: The table has a better one. Read it."]);
    source.convention = finding(Code::NotForReading);
    let refused = source.carry_out();
    assert_eq!(refused.reason, Reason::InvalidDefinition);
    assert!(refused.status.warnings.is_empty(), "{:?}", refused.status.warnings);
    source.convention = None;
    assert_eq!(source.carry_out().reason, Reason::Approved);
}
