//! The statements that the operator runs on its views (design 5.1), and their marks.

use crate::sql::{Identifier, Sql, literal};

use super::revision::Version;
use crate::api::record;

/// How the table over the nodes is read: only the shards that can have the tenant are asked, and one that is away is an
/// error, never an answer without its rows.
const OF_ALL_SHARDS: &str = "optimize_skip_unused_shards = 1, skip_unavailable_shards = 0";

/// One of the tables and views that a version consists of, on each node alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its name.
    pub name: String,
    /// The statement that creates it unless it is there, with the mark in its comment.
    pub statement: Sql,
}

/// What a version consists of, in the order in which it is created: each reads the one before, and the view that is
/// queried comes last. Where rows are spread over a cluster, that is the view of each node, and a table over all of these.
pub fn pieces(version: &Version, definer: &str, catalog: &str) -> Vec<Piece> {
    let view = &version.record.view;
    let Some(spread) = &version.spread else {
        return vec![view_of(version, view.name.clone(), &version.select, definer, catalog)];
    };
    let (local, all) = (format!("{}_local", view.name), format!("{}_dist", view.name));
    let mut arguments =
        vec![literal::string(&spread.cluster), literal::string(&view.database), literal::string(&local)];
    arguments.extend(spread.sharding_key.clone());
    let table = Sql::rendered(format!(
        "CREATE TABLE IF NOT EXISTS {}.{} ({}) ENGINE = Distributed({}) COMMENT {}",
        Identifier::new(&view.database),
        Identifier::new(&all),
        columns(version),
        arguments.join(", "),
        comment(version, catalog),
    ));
    let shown = version.view_columns.iter().map(|(name, _)| {
        let name = Identifier::new(name);
        format!("__q.{name} AS {name}")
    });
    let body = format!(
        "SELECT {} FROM {}.{} AS __q SETTINGS {OF_ALL_SHARDS}",
        shown.collect::<Vec<_>>().join(", "),
        Identifier::new(&view.database),
        Identifier::new(&all),
    );
    vec![
        view_of(version, local, &version.select, definer, catalog),
        Piece { name: all, statement: table },
        view_of(version, view.name.clone(), &body, definer, catalog),
    ]
}

/// What the names of the probes of the scope start with; the cluster's follows.
pub const SCOPE_PROBE: &str = "ds__scope_";

/// How often each node says what it hears: more than once, so that a limit of one row shows too.
pub const HEARD_OF_EACH: usize = 2;

/// What stands on each node as a version does, and says what it hears as the comment of a query: the comment carries the
/// scope, and what the nodes hear of it is to be proved. The last piece is what is read. No dataset's view has such a name.
pub fn scope_probe(database: &str, cluster: &str, definer: &str, catalog: &str) -> [Piece; 3] {
    let name = format!("{SCOPE_PROBE}{cluster}");
    let (local, all) = (format!("{name}_local"), format!("{name}_dist"));
    let (within, definer) = (Identifier::new(database), Identifier::new(definer));
    let mark = serde_json::json!({ "catalog": catalog, "dataset": "", "version": 0, "contentHash": "" });
    let comment = literal::string(&mark.to_string());
    let view = |name: &str, body: &str| {
        Sql::rendered(format!(
            "CREATE VIEW IF NOT EXISTS {within}.{} (`stated` String) DEFINER = {definer} SQL SECURITY DEFINER \
             COMMENT {comment} AS {body}",
            Identifier::new(name),
        ))
    };
    let heard = ["getSetting('log_comment')"; HEARD_OF_EACH].join(", ");
    let of_node = view(&local, &format!("SELECT arrayJoin([{heard}]) AS stated"));
    let table = Sql::rendered(format!(
        "CREATE TABLE IF NOT EXISTS {within}.{} (`stated` String) ENGINE = Distributed({}, {}, {}, cityHash64(stated)) \
         COMMENT {comment}",
        Identifier::new(&all),
        literal::string(cluster),
        literal::string(database),
        literal::string(&local)
    ));
    let body =
        format!("SELECT __q.stated AS stated FROM {within}.{} AS __q SETTINGS {OF_ALL_SHARDS}", Identifier::new(&all));
    let of_all = view(&name, &body);
    [
        Piece { name: local, statement: of_node },
        Piece { name: all, statement: table },
        Piece { name, statement: of_all },
    ]
}

fn view_of(version: &Version, name: String, body: &str, definer: &str, catalog: &str) -> Piece {
    let statement = Sql::rendered(format!(
        "CREATE VIEW IF NOT EXISTS {}.{} ({}) DEFINER = {} SQL SECURITY DEFINER COMMENT {} AS {body}",
        Identifier::new(&version.record.view.database),
        Identifier::new(&name),
        columns(version),
        Identifier::new(definer),
        comment(version, catalog),
    ));
    Piece { name, statement }
}

fn columns(version: &Version) -> String {
    let columns = version.view_columns.iter();
    columns.map(|(name, column_type)| format!("{} {column_type}", Identifier::new(name))).collect::<Vec<_>>().join(", ")
}

fn comment(version: &Version, catalog: &str) -> String {
    literal::string(&mark(&version.record, catalog).to_string())
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

/// The statement that drops a view, or the table over the views of the nodes; whose it is was checked before.
pub fn drop_piece(database: &str, name: &str, is_view: bool) -> Sql {
    let kind = if is_view { "VIEW" } else { "TABLE" };
    Sql::rendered(format!("DROP {kind} IF EXISTS {}.{} SYNC", Identifier::new(database), Identifier::new(name)))
}
