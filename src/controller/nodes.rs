//! What must be so on a cluster before a version counts there: its nodes are those of the configuration, they have the
//! same tables, and they hear the scope that a query states (design 4.2, 5.1). IO.

use std::collections::BTreeSet;

use super::context::Connection;
use super::error::Error;
use crate::api::record::PublicationRecord;
use crate::catalog::{Catalog, Cluster, Table};
use crate::compile::CompiledDataset;
use crate::plan::ddl;

/// That every node has the tables that a definition reads, all of one kind. A node's own row policy, engine or column would
/// give other rows for some tenants only.
pub(super) async fn have_the_same_tables(connection: &Connection, compiled: &CompiledDataset) -> Result<(), Error> {
    if connection.cluster.is_none() {
        return Ok(());
    }
    let places = compiled.fingerprints.iter().filter_map(|fingerprint| {
        let mut parts = fingerprint.source_id.splitn(3, ':').skip(1).map(str::to_owned);
        Some((parts.next()?, parts.next()?))
    });
    let places: BTreeSet<(String, String)> = places.collect();
    let mut first: Option<(String, Catalog)> = None;
    for node in connection.warehouse.nodes() {
        let catalog = node.read_catalog(&connection.databases, Some(&places)).await;
        let mut catalog = catalog.map_err(Error::at("reading the tables"))?;
        catalog.tables.iter_mut().for_each(|table| table.uuid.clear());
        let Some((url, expected)) = &first else {
            first = Some((node.url().to_owned(), catalog));
            continue;
        };
        if let Some(table) = different(expected, &catalog) {
            let problem = format!(
                "the nodes `{url}` and `{}` differ in `{}`: both need it with the same columns, engine, keys and row policies",
                node.url(),
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

/// That what is stated with a query is heard on every shard, whichever node is asked. An account between the nodes that
/// keeps a comment of its own would have a shard answer for a scope that nobody stated.
pub(super) async fn hear_the_scope(connection: &Connection, record: &PublicationRecord) -> Result<(), Error> {
    let Some(Cluster { name }) = &connection.cluster else { return Ok(()) };
    let database = &record.view.database;
    let probe = ddl::scope_probe(database, name, &connection.definer);
    for piece in &probe {
        connection.warehouse.execute(&piece.statement).await.map_err(Error::at("creating the probe of the scope"))?;
    }
    let nodes = connection.warehouse.nodes();
    for (node, reader) in nodes.iter().zip(connection.reader.nodes()) {
        let (shards, listed) = node.cluster(name).await.map_err(Error::at("reading the cluster's nodes"))?;
        if listed != nodes.len() {
            let problem = format!(
                "the cluster `{name}` has {listed} nodes on `{}`, and the configuration lists {}: list all of them",
                node.url(),
                nodes.len()
            );
            return Err(Error::Nodes { problem });
        }
        // Any text will do that nobody else states.
        let stated = &record.content_hash;
        let heard = reader.comments_heard(database, &probe[1].name, stated).await;
        let heard = heard.map_err(Error::at("reading the probe of the scope"))?;
        if heard.len() != shards || heard.iter().any(|heard| heard != stated) {
            let problem = format!(
                "a query to `{}` does not reach every shard of `{name}` with the scope that it states: the account between the \
                 nodes (`remote_servers`) must not be read-only and have no `log_comment` of its own",
                node.url()
            );
            return Err(Error::Nodes { problem });
        }
    }
    Ok(())
}
