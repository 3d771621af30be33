//! What a node says of its cluster, and what the shards hear of a query that goes through it (ClickHouse facts 4).

use serde::Deserialize;

use super::{Warehouse, WarehouseError};
use crate::sql::{Identifier, Sql, literal};

impl Warehouse {
    /// The numbers of shards and of nodes of a cluster.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub async fn cluster(&self, name: &str) -> Result<(usize, usize), WarehouseError> {
        #[derive(Deserialize)]
        struct Row {
            shards: u32,
            nodes: u32,
        }
        let sql = Sql::rendered(format!(
            "SELECT toUInt32(uniqExact(shard_num)) AS shards, toUInt32(count()) AS nodes FROM system.clusters WHERE cluster = {}",
            literal::string(name)
        ));
        let rows: Vec<Row> = self.rows(&sql, &[]).await?;
        Ok(rows.first().map_or((0, 0), |row| (row.shards as usize, row.nodes as usize)))
    }

    /// What each shard hears as the comment of a query with this one, through a table over views that say it.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub async fn comments_heard(
        &self,
        database: &str,
        table: &str,
        comment: &str,
    ) -> Result<Vec<String>, WarehouseError> {
        #[derive(Deserialize)]
        struct Row {
            stated: String,
        }
        let sql = Sql::rendered(format!("SELECT stated FROM {}.{}", Identifier::new(database), Identifier::new(table)));
        let rows: Vec<Row> = self.rows(&sql, &[("log_comment", comment)]).await?;
        Ok(rows.into_iter().map(|row| row.stated).collect())
    }
}
