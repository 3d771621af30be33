//! What tells whether a table may have changed; cheap enough to be asked often.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Deserialize;

use crate::sql::{Sql, literal};
use crate::warehouse::{Warehouse, WarehouseError};

/// How long a node may take to say it, where there are others.
const PATIENCE: Duration = Duration::from_secs(5);

impl Warehouse {
    /// What tells whether a table may have changed, by physical database and table; of a cluster, on each node that answers.
    ///
    /// # Errors
    /// If no server can be reached.
    pub async fn table_stamps(&self, databases: &BTreeMap<String, String>) -> Result<TableStamps, WarehouseError> {
        let nodes = self.nodes();
        if let [node] = nodes.as_slice() {
            return Ok(TableStamps { nodes: [(0, node.stamps_of_node(databases).await?)].into() });
        }
        let asked = nodes.iter().map(|node| async move {
            let answer = tokio::time::timeout(PATIENCE, node.stamps_of_node(databases)).await;
            answer.unwrap_or_else(|_| Err(WarehouseError::timed_out(PATIENCE, node.url())))
        });
        let (mut stamps, mut failed) = (TableStamps::default(), None);
        for (place, answer) in futures::future::join_all(asked).await.into_iter().enumerate() {
            match answer {
                Ok(of_node) => drop(stamps.nodes.insert(place, of_node)),
                Err(error) => drop(failed.get_or_insert(error)),
            }
        }
        match failed {
            Some(error) if stamps.nodes.is_empty() => Err(error),
            _ => Ok(stamps),
        }
    }

    async fn stamps_of_node(&self, databases: &BTreeMap<String, String>) -> Result<NodeStamps, WarehouseError> {
        #[derive(Deserialize)]
        struct Row {
            database: String,
            name: String,
            uuid: String,
            modified: u32,
            indirect: u8,
            now: u32,
        }
        let list = databases.values().map(|physical| literal::string(physical)).collect::<Vec<_>>().join(", ");
        if list.is_empty() {
            return Ok(NodeStamps::default());
        }
        let sql = Sql::rendered(format!(
            "SELECT database, name, toString(uuid) AS uuid, toUInt32(metadata_modification_time) AS modified, \
             toUInt8(engine IN ('View', 'Distributed', 'Dictionary')) AS indirect, \
             toUInt32(now()) AS now FROM system.tables WHERE database IN ({list}) AND NOT is_temporary"
        ));
        let rows: Vec<Row> = self.rows(&sql, &[]).await?;
        let read_at = rows.iter().map(|row| row.now).max().unwrap_or_default();
        let stamp = |row: Row| {
            let stamp = Stamp { uuid: row.uuid, modified: row.modified, indirect: row.indirect != 0 };
            ((row.database, row.name), stamp)
        };
        Ok(NodeStamps { read_at, tables: rows.into_iter().map(stamp).collect() })
    }
}

/// The identity and the last change of each table, on each server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableStamps {
    nodes: BTreeMap<usize, NodeStamps>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct NodeStamps {
    read_at: u32,
    tables: BTreeMap<(String, String), Stamp>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Stamp {
    uuid: String,
    modified: u32,
    /// Whether its rows come from other tables, whose changes change it too.
    indirect: bool,
}

impl TableStamps {
    /// The tables that may have changed since `earlier`, by physical database and table. A node that is back may have missed
    /// anything, so all of its tables may have; what one that is away has now is not known.
    pub fn changed_since(&self, earlier: &Self) -> BTreeSet<(String, String)> {
        let nothing = NodeStamps::default();
        let nodes = self.nodes.iter();
        nodes.flat_map(|(place, now)| now.changed_since(earlier.nodes.get(place).unwrap_or(&nothing))).collect()
    }
}

impl NodeStamps {
    fn changed_since(&self, earlier: &Self) -> BTreeSet<(String, String)> {
        let gone = earlier.tables.keys().filter(|table| !self.tables.contains_key(*table));
        // The time has a resolution of a second: two changes in one look alike, so a fresh one is looked at again.
        let changed = self.tables.iter().filter(|(table, stamp)| {
            earlier.tables.get(*table) != Some(*stamp) || stamp.modified + 2 >= earlier.read_at
        });
        let mut changed: BTreeSet<(String, String)> = changed.map(|(table, _)| table).chain(gone).cloned().collect();
        if !changed.is_empty() {
            changed.extend(self.tables.iter().filter(|(_, stamp)| stamp.indirect).map(|(table, _)| table.clone()));
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamps(read_at: u32, tables: &[(&str, u32, bool)]) -> TableStamps {
        TableStamps { nodes: [(0, of_node(read_at, tables))].into() }
    }

    fn of_node(read_at: u32, tables: &[(&str, u32, bool)]) -> NodeStamps {
        let stamp = |(name, modified, indirect): &(&str, u32, bool)| {
            let stamp = Stamp { uuid: String::new(), modified: *modified, indirect: *indirect };
            (("wow".to_owned(), (*name).to_owned()), stamp)
        };
        NodeStamps { read_at, tables: tables.iter().map(stamp).collect() }
    }

    #[test]
    fn a_view_is_looked_at_again_when_any_table_changed() {
        let before = stamps(100, &[("orders", 10, false), ("orders_v", 10, true), ("other", 10, false)]);
        let same = stamps(105, &[("orders", 10, false), ("orders_v", 10, true), ("other", 10, false)]);
        assert!(same.changed_since(&before).is_empty());
        let altered = stamps(105, &[("orders", 103, false), ("orders_v", 10, true), ("other", 10, false)]);
        let changed: Vec<String> = altered.changed_since(&before).into_iter().map(|(_, table)| table).collect();
        assert_eq!(changed, ["orders", "orders_v"]);
    }

    #[test]
    fn a_table_may_have_changed_on_any_node_and_all_of_them_on_one_that_is_back() {
        let tables = [("orders", 10, false), ("other", 10, false)];
        let both = |second: &[(&str, u32, bool)]| {
            let nodes = [(0, of_node(100, &tables)), (1, of_node(100, second))];
            TableStamps { nodes: nodes.into() }
        };
        let (before, alone) = (both(&tables), TableStamps { nodes: [(0, of_node(100, &tables))].into() });
        let names =
            |changed: BTreeSet<(String, String)>| changed.into_iter().map(|(_, table)| table).collect::<Vec<_>>();
        assert_eq!(names(both(&[("orders", 50, false), ("other", 10, false)]).changed_since(&before)), ["orders"]);
        assert!(alone.changed_since(&before).is_empty());
        assert_eq!(names(before.changed_since(&alone)), ["orders", "other"]);
    }
}
