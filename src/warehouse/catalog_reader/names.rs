//! The names of what there is, to be listed where a name is wrong.

use serde::Deserialize;

use crate::sql::{Sql, literal};
use crate::warehouse::{Warehouse, WarehouseError};

#[derive(Deserialize)]
struct NameRow {
    name: String,
}

impl Warehouse {
    /// The databases that the account may see, without those of the server itself.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub async fn database_names(&self) -> Result<Vec<String>, WarehouseError> {
        let sql = Sql::rendered(
            "SELECT name FROM system.databases \
             WHERE name NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') ORDER BY name"
                .to_owned(),
        );
        let rows: Vec<NameRow> = self.rows(&sql, &[]).await?;
        Ok(rows.into_iter().map(|row| row.name).collect())
    }

    /// The tables of a database that the account may see.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub async fn table_names(&self, database: &str) -> Result<Vec<String>, WarehouseError> {
        let database = literal::string(database);
        let sql = Sql::rendered(format!("SELECT name FROM system.tables WHERE database = {database} ORDER BY name"));
        let rows: Vec<NameRow> = self.rows(&sql, &[]).await?;
        Ok(rows.into_iter().map(|row| row.name).collect())
    }
}
