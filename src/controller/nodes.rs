//! The nodes of a cluster: which of them are away, and what must be so on them before a version counts there: they are those
//! of the configuration, they have the same tables, and they hear the scope that a query states (design 4.2, 5.1). IO.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::context::Connection;
use super::error::Error;
use crate::api::record::PublicationRecord;
use crate::catalog::{Catalog, Cluster, Table};
use crate::compile::Fingerprint;
use crate::configuration::NodeConfiguration;
use crate::plan::ddl;
use crate::warehouse::{ClusterMember, Warehouse, WarehouseError, WarehouseErrorKind};

/// How long a node may take to say that it is there.
const PRESENT: Duration = Duration::from_secs(5);
/// How soon a node is asked again that is passed over: one that says nothing would hold up every look.
const ASKED_AGAIN: Duration = Duration::from_secs(2);

/// The places of the nodes of a cluster, in the order of their servers, and which of them are away.
#[derive(Clone, Default)]
pub struct Nodes {
    places: Arc<[(u32, u32)]>,
    urls: Arc<[String]>,
    timeout: Duration,
    absences: Arc<Mutex<BTreeMap<usize, Absence>>>,
}

#[derive(Clone, Copy)]
struct Absence {
    since: Instant,
    asked: Instant,
}

impl Nodes {
    /// The nodes of a configuration; `timeout` is how long one that is away is waited for.
    pub fn new(nodes: &[NodeConfiguration], timeout: Duration, warehouse: &Warehouse) -> Self {
        let places = nodes.iter().map(|node| (node.shard, node.replica)).collect();
        let urls = warehouse.nodes().iter().map(|node| node.url().to_owned()).collect();
        Self { places, urls, timeout, absences: Arc::default() }
    }

    fn replicas(&self) -> u32 {
        self.places.iter().map(|(_, replica)| *replica).max().unwrap_or(1)
    }

    fn shards(&self) -> usize {
        self.places.iter().map(|(shard, _)| *shard).collect::<BTreeSet<_>>().len()
    }

    /// Whether a node has been away for so long that it is not waited for any more.
    fn is_given_up(&self, node: usize) -> bool {
        let absences = self.absences.lock().expect("no holder of this lock panics");
        absences.get(&node).is_some_and(|absence| absence.since.elapsed() >= self.timeout)
    }

    fn was_asked_just_now(&self, node: usize) -> bool {
        let absences = self.absences.lock().expect("no holder of this lock panics");
        absences.get(&node).is_some_and(|absence| absence.asked.elapsed() < ASKED_AGAIN)
    }

    fn note(&self, node: usize, is_away: bool) {
        let mut absences = self.absences.lock().expect("no holder of this lock panics");
        let now = Instant::now();
        match is_away {
            true => absences.entry(node).or_insert(Absence { since: now, asked: now }).asked = now,
            false => drop(absences.remove(&node)),
        }
    }
}

/// A connection as far as it can be used, and the nodes that it goes on without.
pub(super) struct Usable {
    /// The connection over the nodes that are there.
    pub connection: Connection,
    /// The URLs of the others.
    pub without: Vec<String>,
}

/// The nodes of a connection that are there. One that is away is waited for until the timeout; then it is left out, if its
/// shard has another node that is there (design 5.1).
pub(super) async fn usable(connection: &Connection) -> Result<Usable, Error> {
    let (nodes, all) = (&connection.nodes, connection.warehouse.nodes());
    if connection.cluster.is_none() {
        return Ok(Usable { connection: connection.clone(), without: Vec::new() });
    }
    let asked = all.iter().enumerate().map(|(place, node)| async move {
        if nodes.is_given_up(place) && nodes.was_asked_just_now(place) {
            return (place, Some(WarehouseError::timed_out(PRESENT, node.url())));
        }
        let away = match tokio::time::timeout(PRESENT, node.version()).await {
            Ok(Err(error)) if error.kind == WarehouseErrorKind::Unreachable => Some(error),
            Ok(_) => None,
            Err(_) => Some(WarehouseError::timed_out(PRESENT, node.url())),
        };
        nodes.note(place, away.is_some());
        (place, away)
    });
    let asked = futures::future::join_all(asked).await;
    let present: Vec<usize> = asked.iter().filter(|(_, away)| away.is_none()).map(|(place, _)| *place).collect();
    let has_another = |place: usize| {
        let shard = |place: usize| nodes.places.get(place).map(|(shard, _)| *shard);
        present.iter().any(|other| shard(*other) == shard(place))
    };
    let mut without = Vec::new();
    for (place, away) in asked {
        let Some(cause) = away else { continue };
        if !nodes.is_given_up(place) || !has_another(place) {
            return Err(Error::Warehouse { step: "looking for the nodes", cause });
        }
        without.push(all[place].url().to_owned());
    }
    let connection = Connection {
        warehouse: connection.warehouse.only(&present),
        reader: connection.reader.only(&present),
        ..connection.clone()
    };
    Ok(Usable { connection, without })
}

/// The tables of some sources on each node, by its URL; none where one server is the whole of it.
pub(super) async fn tables_of_each(
    connection: &Connection,
    places: &BTreeSet<(String, String)>,
) -> Result<Vec<(String, Catalog)>, Error> {
    if connection.cluster.is_none() {
        return Ok(Vec::new());
    }
    let nodes = connection.warehouse.nodes();
    let read = nodes.iter().map(|node| async move {
        let catalog = node.read_catalog(&connection.databases, Some(places)).await;
        let mut catalog = catalog.map_err(Error::at("reading the tables"))?;
        catalog.reserved_databases.clone_from(&connection.reserved_databases);
        catalog.cluster.clone_from(&connection.cluster);
        Ok((node.url().to_owned(), catalog))
    });
    futures::future::try_join_all(read).await
}

/// That every node has the tables that a version reads, all of one kind. A node's own row policy, engine or column would
/// give other rows for some tenants only.
pub(super) async fn have_the_same_tables(connection: &Connection, read: &[Fingerprint]) -> Result<(), Error> {
    let places = read.iter().filter_map(|fingerprint| {
        let mut parts = fingerprint.source_id.splitn(3, ':').skip(1).map(str::to_owned);
        Some((parts.next()?, parts.next()?))
    });
    let mut first: Option<(String, Catalog)> = None;
    for (url, mut catalog) in tables_of_each(connection, &places.collect()).await? {
        catalog.tables.iter_mut().for_each(|table| table.uuid.clear());
        let Some((other, expected)) = &first else {
            first = Some((url, catalog));
            continue;
        };
        if let Some(table) = different(expected, &catalog) {
            let problem = format!(
                "the nodes `{other}` and `{url}` differ in `{}`: both need it with the same columns, engine, keys and row policies",
                table.physical_name()
            );
            return Err(Error::Nodes { problem });
        }
    }
    Ok(())
}

/// A table that one of the two has otherwise than the other.
fn different<'t>(one: &'t Catalog, other: &'t Catalog) -> Option<&'t Table> {
    let lacks = |catalog: &Catalog, table: &&Table| !catalog.tables.contains(table);
    let first = one.tables.iter().find(|table| lacks(other, table));
    first.or_else(|| other.tables.iter().find(|table| lacks(one, table)))
}

/// That the nodes of the configuration are those of the cluster, as each of them counts them: a node that is not listed
/// would be asked by the others, and have no views; and where shards are counted otherwise, a query asks another one than
/// the rows of its tenant lie on.
pub(super) async fn are_those_of_the_cluster(connection: &Connection) -> Result<(), Error> {
    let Some(Cluster { name }) = &connection.cluster else { return Ok(()) };
    let mut first: Option<(String, Vec<(u32, u32)>)> = None;
    for node in connection.warehouse.nodes() {
        let members = node.cluster(name).await.map_err(Error::at("reading the cluster's nodes"))?;
        check_members(connection, name, node.url(), &members)?;
        let weights: Vec<(u32, u32)> = members.iter().map(|member| (member.shard, member.weight)).collect();
        match &first {
            Some((other, expected)) if *expected != weights => {
                let problem = format!(
                    "the nodes `{other}` and `{}` give the shards of `{name}` other weights: rows would be looked for where \
                     they do not lie",
                    node.url()
                );
                return Err(Error::Nodes { problem });
            }
            Some(_) => {}
            None => first = Some((node.url().to_owned(), weights)),
        }
    }
    Ok(())
}

fn check_members(connection: &Connection, name: &str, url: &str, members: &[ClusterMember]) -> Result<(), Error> {
    let listed: BTreeSet<(u32, u32)> = members.iter().map(|member| (member.shard, member.replica)).collect();
    let configured: BTreeSet<(u32, u32)> = connection.nodes.places.iter().copied().collect();
    let shown = |places: &BTreeSet<(u32, u32)>| {
        let shown: Vec<String> = places.iter().map(|(shard, replica)| format!("{shard}/{replica}")).collect();
        if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
    };
    if listed != configured {
        let problem = format!(
            "the cluster `{name}` has other nodes on `{url}` (shard/replica: {}) than in the configuration ({}): list all of them, \
             with the numbers of `system.clusters`",
            shown(&listed),
            shown(&configured)
        );
        return Err(Error::Nodes { problem });
    }
    let mut local = members.iter().filter(|member| member.local != 0);
    let (Some(own), None) = (local.next(), local.next()) else { return Ok(()) };
    let stated = own_place(connection, url);
    if stated.is_some_and(|stated| stated != (own.shard, own.replica)) {
        let (shard, replica) = stated.unwrap_or_default();
        let problem = format!(
            "`{url}` is replica {} of shard {} of the cluster `{name}`, and the configuration says replica {replica} of shard {shard}",
            own.replica, own.shard
        );
        return Err(Error::Nodes { problem });
    }
    Ok(())
}

/// The place of a node by its URL.
fn own_place(connection: &Connection, url: &str) -> Option<(u32, u32)> {
    connection
        .nodes
        .urls
        .iter()
        .zip(connection.nodes.places.iter())
        .find(|(own, _)| *own == url)
        .map(|(_, place)| *place)
}

/// That what is stated with a query is heard on every shard, whichever node is asked and whichever replica answers. An
/// account between the nodes that keeps a comment of its own would have a shard answer for a scope that nobody stated.
pub(super) async fn hear_the_scope(
    connection: &Connection,
    record: &PublicationRecord,
    catalog: &str,
) -> Result<(), Error> {
    let Some(Cluster { name }) = &connection.cluster else { return Ok(()) };
    let database = &record.view.database;
    let probe = ddl::scope_probe(database, name, &connection.definer, catalog);
    for piece in &probe {
        connection.warehouse.execute(&piece.statement).await.map_err(Error::at("creating the probe of the scope"))?;
    }
    // Any text will do that nobody else states.
    let (table, stated) = (&probe[2].name, &record.content_hash);
    let replicas = connection.nodes.replicas();
    for (node, reader) in connection.warehouse.nodes().iter().zip(connection.reader.nodes()) {
        let heard = reader.comments_heard_of_one(database, table, stated).await;
        heard.map_err(|cause| not_heard(name, &reader, cause))?;
        let heard = reader.comments_heard(database, table, stated, None).await;
        check_heard(connection, name, &reader, heard, stated)?;
        // The reader may not choose whom it asks.
        for replica in (0..replicas).filter(|_| replicas > 1) {
            let heard = node.comments_heard(database, table, stated, Some(replica)).await;
            check_heard(connection, name, node, heard, stated)?;
        }
    }
    Ok(())
}

/// The setting `max_result_rows` or `max_result_bytes` was too low.
const TOO_MANY_ROWS_OR_BYTES: u32 = 396;

fn check_heard(
    connection: &Connection,
    name: &str,
    node: &Warehouse,
    heard: Result<Vec<String>, WarehouseError>,
    stated: &str,
) -> Result<(), Error> {
    let heard = heard.map_err(|cause| not_heard(name, node, cause))?;
    if heard.len() != connection.nodes.shards() * ddl::HEARD_OF_EACH || heard.iter().any(|heard| heard != stated) {
        let problem = format!(
            "a query to `{}` does not reach every shard of `{name}` with the scope that it states: the account between the \
             nodes (`remote_servers`) must not be read-only and have no `log_comment` of its own",
            node.url()
        );
        return Err(Error::Nodes { problem });
    }
    Ok(())
}

/// Why the probe could not be read.
fn not_heard(name: &str, node: &Warehouse, cause: WarehouseError) -> Error {
    if cause.code != Some(TOO_MANY_ROWS_OR_BYTES) {
        return Error::Warehouse { step: "reading the probe of the scope", cause };
    }
    let problem = format!(
        "a query to `{}` gets no more than a row from another node of `{name}`: it holds the query to the profile of the account \
         that sent it (`secret`), whose `max_result_rows` and `max_result_bytes` must allow 0, which a node states for its part \
         of a query: take MIN from both",
        node.url()
    );
    Error::Nodes { problem }
}
