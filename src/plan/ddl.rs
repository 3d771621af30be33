//! The statements that the operator runs on its views (design 5.1), and their marks.

use crate::sql::{Identifier, Sql, literal};

use super::revision::Version;
use crate::api::record;

/// The statement that creates the view of a version, with the mark in its comment.
pub fn create_view(version: &Version, definer: &str, catalog: &str) -> Sql {
    let view = &version.record.view;
    let columns = version
        .view_columns
        .iter()
        .map(|(name, column_type)| format!("{} {column_type}", Identifier::new(name)))
        .collect::<Vec<_>>()
        .join(", ");
    Sql::rendered(format!(
        "CREATE VIEW IF NOT EXISTS {}.{} ({columns}) DEFINER = {} SQL SECURITY DEFINER COMMENT {} AS {}",
        Identifier::new(&view.database),
        Identifier::new(&view.name),
        Identifier::new(definer),
        literal::string(&mark(&version.record, catalog).to_string()),
        version.select,
    ))
}

/// The mark of a version's view (design 3.6).
pub fn mark(record: &record::PublicationRecord, catalog: &str) -> serde_json::Value {
    let protection: serde_json::Map<String, serde_json::Value> = record
        .columns
        .iter()
        .filter_map(|column| Some((column.name.clone(), serde_json::json!(column.protection.as_ref()?))))
        .collect();
    serde_json::json!({
        "catalog": catalog,
        "dataset": record.id,
        "version": record.version,
        "contentHash": record.content_hash,
        "protection": protection,
    })
}

/// The statement that drops a view; whose it is was checked before.
pub fn drop_view(database: &str, name: &str) -> Sql {
    Sql::rendered(format!("DROP VIEW IF EXISTS {}.{} SYNC", Identifier::new(database), Identifier::new(name)))
}
