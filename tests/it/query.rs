//! The boundary of `query`: a record, a scope and a body go in; statements or a refusal come out.
//!
//! A case is a folder with `request.json` (any bytes) and, where it differs from the defaults, `case.yaml`. It gives
//! `expected.sql` or `problem.json`.

use std::collections::BTreeMap;
use std::path::Path;

use analytics_catalog::api::PublicationRecord;
use analytics_catalog::query::{self, Limits, Rejection, Scope, Shape, Statement};
use serde::Deserialize;

use crate::support::cases;

/// What a case says beside its request.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Case {
    /// The record in `_records`.
    record: String,
    /// The shape of the route; none for the route that takes any.
    route: Option<String>,
    tenant: Option<String>,
    owner: Option<String>,
    space: Option<String>,
    limits: BTreeMap<String, u64>,
    /// For bodies too large for a repository: the request this many times.
    repeated: usize,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            record: "orders".to_owned(),
            route: None,
            tenant: Some("t1".to_owned()),
            owner: None,
            space: None,
            limits: BTreeMap::new(),
            repeated: 1,
        }
    }
}

impl Case {
    fn of(folder: &Path) -> Self {
        match std::fs::read_to_string(folder.join("case.yaml")) {
            Ok(text) => serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display())),
            Err(_) => Self::default(),
        }
    }

    fn record(&self) -> PublicationRecord {
        let file = cases::root("query").join("_records").join(format!("{}.yaml", self.record));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    }

    fn shape(&self) -> Option<Shape> {
        let word = self.route.as_ref()?;
        let named = Shape::ALL.iter().find(|(_, name)| name == word);
        Some(named.unwrap_or_else(|| panic!("`{word}` is no shape")).0)
    }

    fn scope(&self) -> Scope {
        Scope { tenant: self.tenant.clone(), owner: self.owner.clone(), space: self.space.clone() }
    }

    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for (name, value) in &self.limits {
            match name.as_str() {
                "maxListSize" => limits.max_list_size = *value,
                "defaultListSize" => limits.default_list_size = *value,
                "maxPageSize" => limits.max_page_size = *value,
                "maxPageWindow" => limits.max_page_window = *value,
                "maxFilterNodes" => limits.max_filter_nodes = *value,
                "maxFilterValues" => limits.max_filter_values = *value,
                "allowExpensiveOperators" => limits.allow_expensive_operators = *value != 0,
                other => panic!("`{other}` is no limit"),
            }
        }
        limits
    }
}

#[test]
fn every_case_gives_its_statements_or_its_refusal() {
    let count = cases::walk("query", |folder| {
        let case = Case::of(folder);
        let body = std::fs::read(folder.join("request.json")).expect("a request").repeat(case.repeated);
        let (record, limits) = (case.record(), case.limits());
        let bound = query::parse_request(case.shape(), &body, &limits)
            .and_then(|request| query::bind(&request, &record, &case.scope(), &limits));
        let (sql, problem) = match bound {
            Ok(bound) => {
                let shown = [("rows", &bound.rows), ("total", &bound.total)]
                    .into_iter()
                    .filter_map(|(name, statement)| statement.as_ref().map(|statement| text_of(name, statement)));
                (Some(format!("-- {:?}\n{}", bound.shape, shown.collect::<String>())), None)
            }
            Err(rejection) => (None, Some(problem_of(&rejection))),
        };
        cases::Outcome::from([("expected.sql", sql), ("problem.json", problem)])
    });
    assert!(count >= 80, "{count} cases");
}

fn text_of(name: &str, statement: &Statement) -> String {
    let parameters = statement.parameters.iter().map(|(name, value)| match value.len() {
        0..=2000 => format!("-- {name} = {value}\n"),
        length => format!("-- {name} = {length} bytes\n"),
    });
    format!("-- {name}\n{}\n{}", statement.sql, parameters.collect::<String>())
}

fn problem_of(rejection: &Rejection) -> String {
    let problem = serde_json::json!({
        "status": rejection.status,
        "errorCode": rejection.error_code,
        "code": rejection.code,
        "name": rejection.name,
        "message": rejection.message,
    });
    format!("{}\n", serde_json::to_string_pretty(&problem).expect("a JSON value is text"))
}
