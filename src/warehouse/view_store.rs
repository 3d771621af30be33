//! The views in a datasets database: whose they are, and the probes of one (design 5.1).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Warehouse, WarehouseError, WarehouseErrorKind};
use crate::sql::{ColumnType, Identifier, Sql, literal};

/// The scope that probes state: it must be stated for a fenced view to be analysed at all, and no row is read.
const PROBE_SCOPE: &str = r#"{"tenant":"","owner":null,"space":null}"#;

/// How long a node may take to be within reach.
const WITHIN_REACH: Duration = Duration::from_secs(2);

/// A view as the server has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredView {
    /// The view's name.
    pub name: String,
    /// Whether it is a view, and no table.
    pub is_view: bool,
    /// What its comment says, if it is a mark of ours.
    pub mark: Option<ViewMark>,
}

/// The mark in a view's comment (design 3.6).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewMark {
    /// Which installation made it.
    pub catalog: String,
    /// The dataset's ID; empty where it belongs to none.
    pub dataset: String,
    /// The version.
    pub version: u64,
    /// The version's content hash.
    pub content_hash: String,
    /// The protection of each protected column, as rendered in the view.
    #[serde(default)]
    pub protection: serde_json::Value,
}

#[derive(Deserialize)]
struct ViewRow {
    name: String,
    engine: String,
    comment: String,
}

#[derive(Deserialize)]
struct DescribeRow {
    name: String,
    #[serde(rename = "type")]
    column_type: String,
}

impl Warehouse {
    /// The tables and views of a database whose names start with `prefix`, each with its mark; of a cluster, those of one
    /// node.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub async fn views(&self, database: &str, prefix: &str) -> Result<Vec<StoredView>, WarehouseError> {
        let sql = Sql::rendered(format!(
            "SELECT name, engine, comment FROM system.tables WHERE database = {} AND startsWith(name, {}) ORDER BY name",
            literal::string(database),
            literal::string(prefix)
        ));
        let rows: Vec<ViewRow> = self.rows(&sql, &[]).await?;
        Ok(rows
            .into_iter()
            .map(|row| StoredView {
                mark: serde_json::from_str(&row.comment).ok(),
                name: row.name,
                is_view: row.engine == "View",
            })
            .collect())
    }

    /// The same of every node, in their order.
    ///
    /// # Errors
    /// If any of them cannot be reached.
    pub async fn views_everywhere(&self, database: &str, prefix: &str) -> Result<Vec<Vec<StoredView>>, WarehouseError> {
        let nodes = self.nodes();
        futures::future::try_join_all(nodes.iter().map(|node| node.views(database, prefix))).await
    }

    /// The same of every node that can be reached, one after the other.
    ///
    /// # Errors
    /// If none can be reached, or one fails otherwise.
    pub async fn views_within_reach(&self, database: &str, prefix: &str) -> Result<Vec<StoredView>, WarehouseError> {
        let (mut found, mut answered, mut away) = (Vec::new(), false, None);
        let nodes = self.nodes();
        let asked = nodes.iter().map(|node| async move {
            let answer = tokio::time::timeout(WITHIN_REACH, node.views(database, prefix)).await;
            answer.unwrap_or_else(|_| Err(WarehouseError::timed_out(WITHIN_REACH, node.url())))
        });
        for answer in futures::future::join_all(asked).await {
            match answer {
                Ok(views) => {
                    answered = true;
                    found.extend(views);
                }
                Err(error) if error.kind == WarehouseErrorKind::Unreachable => drop(away.get_or_insert(error)),
                Err(error) => return Err(error),
            }
        }
        match away {
            Some(error) if !answered => Err(error),
            _ => Ok(found),
        }
    }

    /// Names and types of a SELECT, in order; reads no data.
    ///
    /// # Errors
    /// If the SELECT cannot be analysed.
    pub async fn describe(&self, select: &Sql) -> Result<Vec<(String, String)>, WarehouseError> {
        let sql = Sql::rendered(format!("DESCRIBE TABLE ({select})"));
        let settings = [("print_pretty_type_names", "0"), ("log_comment", PROBE_SCOPE)];
        let rows: Vec<DescribeRow> = self.rows(&sql, &settings).await?;
        // Servers differ in which names of a tuple they quote, such as `values`: our spelling is compared with ours.
        let spelled = |text: String| ColumnType::parse(&text).map_or(text, |column_type| column_type.to_string());
        Ok(rows.into_iter().map(|row| (row.name, spelled(row.column_type))).collect())
    }

    /// Analyses a SELECT beyond its types, such as the types of join keys.
    ///
    /// # Errors
    /// If it cannot be planned.
    pub async fn explain(&self, select: &Sql) -> Result<(), WarehouseError> {
        let sql = Sql::rendered(format!("EXPLAIN PLAN {select}"));
        self.rows::<serde_json::Value>(&sql, &[("log_comment", PROBE_SCOPE)]).await.map(|_| ())
    }

    /// Reads a view without taking a row: proves grants, fence and type guard for this account.
    ///
    /// # Errors
    /// If the view cannot be read.
    pub async fn probe(&self, database: &str, view: &str) -> Result<(), WarehouseError> {
        let sql =
            Sql::rendered(format!("SELECT * FROM {}.{} LIMIT 0", Identifier::new(database), Identifier::new(view)));
        self.rows::<serde_json::Value>(&sql, &[("log_comment", PROBE_SCOPE)]).await.map(|_| ())
    }
}
