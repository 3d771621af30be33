//! Which paths the values of a JSON column have, and of which types (ClickHouse reference: distinctJSONPathsAndTypes).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Warehouse, WarehouseError};
use crate::sql::{Identifier, Sql};

impl Warehouse {
    /// The paths in the first `rows` rows of a table's JSON column, each with the types that were seen.
    ///
    /// # Errors
    /// If the server cannot be reached or the account may not read the table.
    pub async fn json_paths(
        &self,
        database: &str,
        table: &str,
        column: &str,
        rows: u64,
    ) -> Result<BTreeMap<String, Vec<String>>, WarehouseError> {
        #[derive(Deserialize)]
        struct Row {
            paths: BTreeMap<String, Vec<String>>,
        }
        let column = Identifier::new(column);
        let sql = Sql::rendered(format!(
            "SELECT distinctJSONPathsAndTypes(__p) AS paths FROM (SELECT __t.{column} AS __p FROM {}.{} AS __t LIMIT {rows})",
            Identifier::new(database),
            Identifier::new(table),
        ));
        let found: Vec<Row> = self.rows(&sql, &[("print_pretty_type_names", "0")]).await?;
        Ok(found.into_iter().next().map(|row| row.paths).unwrap_or_default())
    }
}
