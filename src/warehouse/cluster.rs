//! What a node says of its cluster, and what the shards hear of a query that goes through it (ClickHouse facts 4).

use serde::Deserialize;

use super::{Warehouse, WarehouseError};
use crate::sql::{Identifier, Sql, literal};

/// A node of a cluster, as a server sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ClusterMember {
    /// The number of its shard.
    pub shard: u32,
    /// The number of its replica in the shard.
    pub replica: u32,
    /// How many of the slots of sharding expressions the shard has.
    pub weight: u32,
    /// 1 where the server takes it for itself.
    pub local: u8,
}

impl Warehouse {
    /// The nodes of a cluster, as the server counts them.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub async fn cluster(&self, name: &str) -> Result<Vec<ClusterMember>, WarehouseError> {
        let sql = Sql::rendered(format!(
            "SELECT shard_num AS shard, replica_num AS replica, shard_weight AS weight, toUInt8(is_local) AS local \
             FROM system.clusters WHERE cluster = {} ORDER BY shard, replica",
            literal::string(name)
        ));
        self.rows(&sql, &[]).await
    }

    /// What each shard hears as the comment of a query with this one, through a view of all of theirs that say it. With the
    /// place of a replica, that one of each shard is asked, if it answers.
    ///
    /// # Errors
    /// If the view cannot be read.
    pub async fn comments_heard(
        &self,
        database: &str,
        view: &str,
        comment: &str,
        replica: Option<u32>,
    ) -> Result<Vec<String>, WarehouseError> {
        let sql = Sql::rendered(format!("SELECT stated FROM {}.{}", Identifier::new(database), Identifier::new(view)));
        self.heard(&sql, comment, replica).await
    }

    /// The same of one shard alone, which then gives the whole answer, and holds it to the limits of answers.
    ///
    /// # Errors
    /// If the view cannot be read.
    pub async fn comments_heard_of_one(
        &self,
        database: &str,
        view: &str,
        comment: &str,
    ) -> Result<Vec<String>, WarehouseError> {
        let sql = Sql::rendered(format!(
            "SELECT stated FROM {}.{} WHERE stated = {}",
            Identifier::new(database),
            Identifier::new(view),
            literal::string(comment)
        ));
        self.heard(&sql, comment, None).await
    }

    async fn heard(&self, sql: &Sql, comment: &str, replica: Option<u32>) -> Result<Vec<String>, WarehouseError> {
        #[derive(Deserialize)]
        struct Row {
            stated: String,
        }
        let offset = replica.unwrap_or_default().to_string();
        let place = [
            ("load_balancing", "first_or_random"),
            ("load_balancing_first_offset", offset.as_str()),
            ("prefer_localhost_replica", "0"),
        ];
        let place = place.into_iter().filter(|_| replica.is_some());
        let settings: Vec<(&str, &str)> = std::iter::once(("log_comment", comment)).chain(place).collect();
        let rows: Vec<Row> = self.rows(sql, &settings).await?;
        Ok(rows.into_iter().map(|row| row.stated).collect())
    }
}
