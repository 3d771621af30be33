//! The same data under a second ID never gets weaker (design 3.1): what is declared for a table holds for every source
//! whose data lives in it, for the columns that are called alike.

use std::collections::BTreeSet;

use super::lineage::protection_of;
use super::{SourceInForce, model};
use crate::api::sensitivity::Sensitivity;
use crate::api::source::{AnalyticsSourceSpec, ColumnScope, TenantScope};
use crate::catalog::{Table, TableColumn};

/// Holds a source to a declaration of a table that its data lives in. Levels become as strict, an owner and a space that
/// it leaves out are added, and a source that gives the rows of tenants to others cannot be read.
pub fn hold(source: &mut SourceInForce, table: &Table, base: &AnalyticsSourceSpec) {
    let declaration = &mut source.declaration;
    declaration.tighten(base.columns.iter());
    if let Some(problem) = tenant_problem(declaration, table, base) {
        source.not_ready.get_or_insert(problem);
        return;
    }
    let parts = [("owner", &base.owner, &mut declaration.owner), ("space", &base.space, &mut declaration.space)];
    for (part, floor, own) in parts {
        let Some(floor) = floor.as_ref().filter(|floor| has(table, &floor.column)) else { continue };
        match own {
            None => *own = Some(floor.clone()),
            Some(ColumnScope { column }) if *column == floor.column => {}
            Some(ColumnScope { column }) => {
                let problem = format!(
                    "its {part} is `{column}`, and that of the table `{}.{}` behind it is `{}`.",
                    base.database, base.table, floor.column
                );
                source.not_ready.get_or_insert(problem);
            }
        }
    }
}

/// Holds the columns that a table computes to the levels of what it computes them from (design 3.1, 4.8): `ALIAS` and
/// `MATERIALIZED` columns always hold it, `DEFAULT` ones wherever a writer leaves them out.
pub fn hold_computed(declaration: &mut AnalyticsSourceSpec, table: &Table) {
    let computed = |column: &&TableColumn| matches!(column.default_kind.as_str(), "ALIAS" | "MATERIALIZED" | "DEFAULT");
    let computed: Vec<(&TableColumn, BTreeSet<String>)> = table
        .columns
        .iter()
        .filter(computed)
        .map(|column| (column, model::columns_in(&column.default_expression, table)))
        .filter(|(_, from)| !from.is_empty())
        .collect();
    // One may be computed from another. Levels only rise, so that this ends.
    loop {
        let mut changed = false;
        for (column, from) in &computed {
            let is_copy = from.iter().any(|name| *name == column.default_expression.trim_matches('`'));
            let floor = from.iter().fold(Sensitivity::PUBLIC, |strictest, name| {
                strictest.strictest(&protection_of(&declaration.protection(name), !is_copy))
            });
            for entry in declaration.columns.iter_mut().filter(|entry| entry.name == column.name) {
                let own = entry.sensitivity.as_ref().map_or(Sensitivity::PUBLIC, Sensitivity::normalized);
                if own.is_looser_than(&floor) {
                    entry.sensitivity = Some(own.strictest(&floor));
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Why rows that belong to tenants would be read by others.
fn tenant_problem(declaration: &AnalyticsSourceSpec, table: &Table, base: &AnalyticsSourceSpec) -> Option<String> {
    let behind = format!("the table `{}.{}` behind it", base.database, base.table);
    let floor = base.tenant.as_ref()?;
    let Some(own) = &declaration.tenant else {
        return Some(format!("every tenant would read its rows, and those of {behind} belong to tenants."));
    };
    let differs = match (floor, own) {
        (TenantScope { column: Some(floor), .. }, TenantScope { column: Some(own), .. }) => {
            // A view may give the tenant another name, and then has no column of the old one.
            own != floor && has(table, floor)
        }
        (TenantScope { column: Some(_), .. }, _) => true,
        (TenantScope { value: floor, .. }, TenantScope { value: own, .. }) => own.is_some() && own != floor,
    };
    differs.then(|| format!("its tenant is not that of {behind}."))
}

/// Whether the table has the column, or the column that the path lies in.
fn has(table: &Table, column: &str) -> bool {
    table.column(column).is_some() || column.split_once('.').is_some_and(|(whole, _)| table.column(whole).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::TableColumn;
    use serde_json::{Value, json};

    fn declared(what: Value) -> AnalyticsSourceSpec {
        let mut whole = json!({ "connection": "d", "database": "wow", "table": "orders" });
        whole.as_object_mut().expect("an object").extend(what.as_object().expect("an object").clone());
        serde_json::from_value(whole).expect("a declaration")
    }

    /// The source over a view with these columns, held to the declaration of its table.
    fn held(what: Value, columns: &[&str], base: Value) -> SourceInForce {
        let column = |name: &&str| TableColumn { name: (*name).to_owned(), ..TableColumn::default() };
        let table = Table { columns: columns.iter().map(column).collect(), ..Table::default() };
        let mut source = SourceInForce { declaration: declared(what), not_ready: None };
        hold(&mut source, &table, &declared(base));
        source
    }

    #[test]
    fn levels_are_floors_for_columns_that_are_called_alike() {
        let base = json!({ "tenant": { "column": "t" }, "columns": [
            { "name": "name", "sensitivity": { "level": "Display", "mask": { "keepPrefix": 1 } } },
            { "name": "state", "sensitivity": { "level": "Confidential" } },
            { "name": "n", "sensitivity": { "level": "Confidential" } },
        ] });
        let own = json!({ "tenant": { "column": "t" }, "columns": [
            { "name": "name", "sensitivity": { "level": "Display", "mask": { "keepPrefix": 3 }, "comparable": true } },
            { "name": "other", "sensitivity": { "level": "Public" } },
            { "name": "state", "path": "a", "type": "String", "sensitivity": { "level": "Public" } },
            { "name": "n" },
        ] });
        let held = held(own, &["t", "name", "other", "state", "n"], base).declaration;
        let shown: Vec<String> =
            held.columns.iter().map(|column| held.protection(&column.written()).to_string()).collect();
        assert_eq!(shown, ["Display, keeping 1 at the start", "Public", "Confidential", "Confidential"]);
    }

    #[test]
    fn what_a_table_computes_is_protected_like_what_it_is_computed_from() {
        let column = |name: &str, kind: &str, expression: &str| TableColumn {
            name: name.to_owned(),
            default_kind: kind.to_owned(),
            default_expression: expression.to_owned(),
            ..TableColumn::default()
        };
        let columns = vec![
            column("name", "", ""),
            column("open", "", ""),
            column("shout", "ALIAS", "upper(name)"),
            column("again", "MATERIALIZED", "concat(shout, 'name')"),
            column("copy", "DEFAULT", "`name`"),
            column("fixed", "DEFAULT", "'name'"),
            column("day", "DEFAULT", "lower(open)"),
        ];
        let names = columns.iter().map(|column| json!({ "name": column.name, "sensitivity": { "level": "Public" } }));
        let mut declaration =
            json!({ "connection": "d", "database": "b", "table": "t", "columns": names.collect::<Vec<_>>() });
        declaration["columns"][0]["sensitivity"] = json!({ "level": "Display", "mask": { "keepPrefix": 1 } });
        let mut declaration: AnalyticsSourceSpec = serde_json::from_value(declaration).expect("a declaration");
        hold_computed(&mut declaration, &Table { columns, ..Table::default() });
        let shown: Vec<String> =
            declaration.columns.iter().map(|column| declaration.protection(&column.written()).to_string()).collect();
        assert_eq!(
            shown,
            [
                "Display, keeping 1 at the start",
                "Public",
                "Display",
                "Display",
                "Display, keeping 1 at the start",
                "Public",
                "Public"
            ]
        );
    }

    #[test]
    fn rows_of_tenants_stay_those_of_the_same_tenants() {
        let problem =
            |own: Value, columns: &[&str], base: Value| held(own, columns, base).not_ready.unwrap_or_default();
        let column = |name: &str| json!({ "tenant": { "column": name } });
        let value = |value: &str| json!({ "tenant": { "value": value } });
        let shared = json!({ "platformDimension": true });
        assert!(problem(shared.clone(), &["t"], column("t")).contains("every tenant would read"));
        assert!(problem(shared.clone(), &["x"], column("t")).contains("every tenant would read"), "whatever it shows");
        assert!(problem(column("x"), &["t", "x"], column("t")).contains("not that of the table `wow.orders`"));
        assert!(problem(value("a"), &["t"], column("t")).contains("not that of"));
        assert!(problem(value("a"), &[], value("b")).contains("not that of"));
        assert!(problem(shared.clone(), &[], value("b")).contains("every tenant"));
        for (own, columns, base) in [
            (column("t"), &["t"][..], column("t")),
            (column("renamed"), &["renamed"], column("t")),
            (column("t"), &["t"], value("a")),
            (value("a"), &[], value("a")),
            (column("t"), &["t"], shared.clone()),
            (shared.clone(), &[], shared),
        ] {
            assert_eq!(problem(own, columns, base), "");
        }
    }

    #[test]
    fn an_owner_that_is_left_out_counts_all_the_same() {
        let base = json!({ "tenant": { "column": "t" }, "owner": { "column": "o" }, "space": { "column": "s" } });
        let plain = held(json!({ "tenant": { "column": "t" } }), &["t", "o"], base.clone());
        let owner = plain.declaration.owner.as_ref().map(|owner| owner.column.as_str());
        assert_eq!((owner, plain.declaration.space, plain.not_ready), (Some("o"), None, None));
        let other = held(json!({ "tenant": { "column": "t" }, "owner": { "column": "x" } }), &["t", "o", "x"], base);
        assert!(other.not_ready.expect("a reason").contains("its owner is `x`"));
    }
}
