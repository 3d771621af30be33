//! In which tables the data of a table lives (design 3.1: the same data under a second name never gets weaker).

use std::collections::BTreeSet;

use super::{Catalog, Table, TableName, distributed};

/// Views that read views further down than this are not traced.
const DEEPEST: usize = 16;

/// Where the data of a table lives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseTables {
    /// The tables, sorted: the table itself; the table on each shard of a `Distributed` one; the tables that a plain
    /// view or a dictionary reads, through other views too.
    pub tables: Vec<BaseTable>,
    /// What could not be traced, each a part of a sentence that names the place.
    pub untraced: Vec<String>,
}

/// One of the tables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BaseTable {
    /// The logical name of its database, as sources state it; none if that is not configured.
    pub logical_database: Option<String>,
    /// Its names on the server.
    pub name: TableName,
}

impl Catalog {
    /// The tables that the data of a table lives in. For a plain table that is the table itself.
    pub fn base_tables(&self, table: &Table) -> BaseTables {
        let mut found = Found::default();
        self.trace(table, 0, &mut found);
        BaseTables { tables: found.tables.into_iter().collect(), untraced: found.untraced.into_iter().collect() }
    }

    /// What of a table's data could not be traced: [`BaseTables::untraced`].
    pub fn untraced(&self, table: &Table) -> Vec<String> {
        if table.holds_rows() { Vec::new() } else { self.base_tables(table).untraced }
    }

    fn trace(&self, table: &Table, depth: usize, found: &mut Found) {
        let name = TableName { database: table.physical_database().to_owned(), table: table.name.clone() };
        if !found.seen.insert(name.clone()) {
            return;
        }
        if depth > DEEPEST {
            found.untraced.insert(format!("`{}` lies behind more than {DEEPEST} views", table.physical_name()));
            return;
        }
        let place = table.physical_name();
        let reads: Vec<&TableName> = match table.engine.as_str() {
            "Distributed" => match distributed(table) {
                Some(read) => return self.trace_name(&read.local, &place, depth, found),
                None => {
                    found.untraced.insert(format!("the engine of `{place}` is not understood"));
                    return;
                }
            },
            "View" => match &table.view {
                Some(view) => {
                    found.untraced.extend(view.untraced.iter().map(|what| format!("{what} in the view `{place}`")));
                    view.reads.iter().collect()
                }
                None => {
                    found.untraced.insert(format!("the query of the view `{place}` is not known"));
                    return;
                }
            },
            "Dictionary" => {
                let dictionary = table.dictionary.as_ref();
                match dictionary.and_then(|dictionary| dictionary.reads.as_ref()) {
                    Some(reads) => vec![reads],
                    None => {
                        found.untraced.insert(format!("`{place}` loads from outside the server's tables"));
                        return;
                    }
                }
            }
            _ => {
                let logical_database = (!table.database.is_empty()).then(|| table.database.clone());
                found.tables.insert(BaseTable { logical_database, name });
                return;
            }
        };
        for name in reads {
            self.trace_name(name, &place, depth, found);
        }
    }

    fn trace_name(&self, name: &TableName, place: &str, depth: usize, found: &mut Found) {
        match self.physical_table(&name.database, &name.table) {
            Some(table) => self.trace(table, depth + 1, found),
            None => {
                found.untraced.insert(format!(
                    "`{}.{}`, which `{place}` reads, is not visible to the operator",
                    name.database, name.table
                ));
            }
        }
    }
}

#[derive(Default)]
struct Found {
    seen: BTreeSet<TableName>,
    tables: BTreeSet<BaseTable>,
    untraced: BTreeSet<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Dictionary, View};

    fn name(database: &str, table: &str) -> TableName {
        TableName { database: database.into(), table: table.into() }
    }

    fn table(database: &str, name: &str, engine: &str) -> Table {
        Table { database: database.into(), name: name.into(), engine: engine.into(), ..Table::default() }
    }

    fn view(database: &str, of: &str, reads: &[TableName]) -> Table {
        let view = View { reads: reads.to_vec(), ..View::default() };
        Table { view: Some(view), ..table(database, of, "View") }
    }

    fn traced(catalog: &Catalog, database: &str, table: &str) -> (Vec<String>, Vec<String>) {
        let base = catalog.base_tables(catalog.table(database, table).expect("the catalog has the table"));
        let shown = base.tables.iter().map(|base| {
            let logical = base.logical_database.as_deref().unwrap_or("-");
            format!("{logical}/{}.{}", base.name.database, base.name.table)
        });
        (shown.collect(), base.untraced)
    }

    #[test]
    fn the_data_of_a_view_over_a_distributed_table_lives_in_the_table_on_the_shards() {
        let distributed = Table {
            engine_full: "Distributed('c', 'hidden', 'orders_rep', rand())".into(),
            ..table("wow", "orders_dist", "Distributed")
        };
        let local =
            Table { physical_database: Some("hidden".into()), ..table("", "orders_rep", "ReplicatedMergeTree") };
        let catalog = Catalog {
            tables: vec![
                view(
                    "wow",
                    "orders_v",
                    &[name("wow", "orders_dist"), name("wow", "regions"), name("wow", "orders_dist")],
                ),
                distributed,
                local,
                table("wow", "regions", "MergeTree"),
            ],
            ..Catalog::default()
        };
        let (tables, untraced) = traced(&catalog, "wow", "orders_v");
        assert_eq!(tables, ["-/hidden.orders_rep", "wow/wow.regions"]);
        assert!(untraced.is_empty(), "{untraced:?}");
        assert_eq!(traced(&catalog, "wow", "regions").0, ["wow/wow.regions"]);
    }

    #[test]
    fn what_cannot_be_traced_is_said() {
        let mut odd = view("wow", "odd", &[name("wow", "gone"), name("wow", "odd")]);
        odd.view.as_mut().expect("it is a view").untraced.push("the table function `url`".into());
        let outside = Table { dictionary: Some(Dictionary::default()), ..table("wow", "rates", "Dictionary") };
        let catalog = Catalog { tables: vec![odd, outside], ..Catalog::default() };
        let (tables, untraced) = traced(&catalog, "wow", "odd");
        assert!(tables.is_empty());
        assert_eq!(
            untraced,
            [
                "`wow.gone`, which `wow.odd` reads, is not visible to the operator",
                "the table function `url` in the view `wow.odd`"
            ]
        );
        assert_eq!(traced(&catalog, "wow", "rates").1, ["`wow.rates` loads from outside the server's tables"]);
    }
}
