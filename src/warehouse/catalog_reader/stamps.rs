//! What tells whether a table may have changed; cheap enough to be asked often.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::sql::{Sql, literal};
use crate::warehouse::{Warehouse, WarehouseError};

impl Warehouse {
    /// What tells whether a table may have changed, by physical database and table.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub async fn table_stamps(&self, databases: &BTreeMap<String, String>) -> Result<TableStamps, WarehouseError> {
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
            return Ok(TableStamps::default());
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
        Ok(TableStamps { read_at, tables: rows.into_iter().map(stamp).collect() })
    }
}

/// The identity and the last change of each table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableStamps {
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
    /// The tables that may have changed since `earlier`, by physical database and table.
    pub fn changed_since(&self, earlier: &Self) -> BTreeSet<(String, String)> {
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
        let stamp = |(name, modified, indirect): &(&str, u32, bool)| {
            let stamp = Stamp { uuid: String::new(), modified: *modified, indirect: *indirect };
            (("wow".to_owned(), (*name).to_owned()), stamp)
        };
        TableStamps { read_at, tables: tables.iter().map(stamp).collect() }
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
}
