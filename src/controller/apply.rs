//! Runs a publication, in the order of design 5.1. IO; any step may be cut off and run again.

use std::collections::BTreeMap;

use kube::ResourceExt as _;

use super::context::{Connection, Context};
use super::error::Error;
use super::nodes;
use super::observe;
use super::store::{Creation, Store};
use crate::api::AnalyticsDataset;
use crate::api::Reason;
use crate::compile::{CompiledDataset, SourceInForce};
use crate::plan::dataset::Publication;
use crate::plan::ddl;
use crate::plan::revision::Version;
use crate::warehouse::{Warehouse, WarehouseError, WarehouseErrorKind};

/// What stopped a publication.
#[derive(Debug)]
pub(super) enum Stop {
    /// The environment; retried.
    Failed(Error),
    /// Something that waits for a person.
    Blocked { reason: Reason, message: String },
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<super::store::StoreError> for Stop {
    fn from(error: super::store::StoreError) -> Self {
        Self::Failed(error.into())
    }
}

/// Makes a version readable; writing its record is what comes after.
pub(super) async fn publish<S: Store>(
    ctx: &Context<S>,
    connection: &Connection,
    compiled: &CompiledDataset,
    publication: &Publication,
) -> Result<(), Stop> {
    let revision = &publication.revision;
    let version = revision.version().expect("a publication is of a version");
    nodes::have_the_same_tables(connection, &compiled.fingerprints).await?;
    confirm_types(connection, compiled).await?;
    // The create is the claim of the number.
    if !publication.taken_up && ctx.store.create_revision(revision).await? == Creation::Taken {
        return Err(Error::NumberTaken { number: revision.number }.into());
    }
    create_view(ctx, connection, version).await?;
    Ok(())
}

/// Creates the view of a version, and what it reads, on every node where it is not there, and proves on each that it is
/// ours and that readers can read it.
pub(super) async fn create_view<S: Store>(
    ctx: &Context<S>,
    connection: &Connection,
    version: &Version,
) -> Result<(), Stop> {
    let view = &version.record.view;
    connection.require_supported(&version.record.connection).await?;
    nodes::are_those_of_the_cluster(connection).await?;
    let pieces = ddl::pieces(version, &connection.definer, &ctx.settings.installation);
    // Each piece on every node before what reads it on any.
    for piece in &pieces {
        connection.warehouse.execute(&piece.statement).await.map_err(Error::at("creating the view"))?;
    }
    let stored = connection.warehouse.views_everywhere(&view.database, &view.name).await;
    for (node, stored) in stored.map_err(Error::at("reading the view's mark"))?.into_iter().enumerate() {
        let ours = |piece: &&ddl::Piece| {
            let mark = stored.iter().find(|stored| stored.name == piece.name).and_then(|stored| stored.mark.as_ref());
            mark.is_some_and(|mark| {
                mark.catalog == ctx.settings.installation
                    && mark.dataset == version.record.id
                    && mark.content_hash == version.record.content_hash
            })
        };
        if let Some(piece) = pieces.iter().find(|piece| !ours(piece)) {
            let place = match connection.warehouse.nodes().get(node).filter(|_| connection.cluster.is_some()) {
                Some(node) => format!("`{}.{}` on the node `{}`", view.database, piece.name, node.url()),
                None => format!("`{}.{}`", view.database, piece.name),
            };
            return Err(Stop::Blocked {
                reason: Reason::ViewNameTaken,
                message: format!(
                    "A table or view {place} of somebody else stands under the version's name; it was left alone. Rename or drop it."
                ),
            });
        }
    }
    if version.spread.is_some() {
        nodes::hear_the_scope(connection, &version.record, &ctx.settings.installation).await?;
    }
    for reader in connection.reader.nodes() {
        reader
            .probe(&view.database, &view.name)
            .await
            .map_err(Error::at("reading the view as the query server's account"))?;
    }
    Ok(())
}

/// Has ClickHouse confirm the names and types that the compiler inferred, without reading data; every node of it.
async fn confirm_types(connection: &Connection, compiled: &CompiledDataset) -> Result<(), Stop> {
    for node in connection.warehouse.nodes() {
        confirm_types_on(&node, compiled).await?;
    }
    Ok(())
}

async fn confirm_types_on(node: &Warehouse, compiled: &CompiledDataset) -> Result<(), Stop> {
    let described = node.describe(&compiled.select).await.map_err(|cause| stop_of("describing the view", cause))?;
    let expected: Vec<(String, String)> =
        compiled.view_columns.iter().map(|(name, column_type)| (name.clone(), column_type.to_string())).collect();
    if described != expected {
        let differences: Vec<String> = expected
            .iter()
            .zip(&described)
            .filter(|(expected, described)| expected != described)
            .map(|((name, expected), (_, described))| {
                format!("`{name}` is `{described}` and was inferred as `{expected}`")
            })
            .collect();
        return Err(Stop::Blocked {
            reason: Reason::InvalidDefinition,
            message: format!(
                "CompilerDefect: nothing was published, because ClickHouse sees other types: {}. Please report it.",
                differences.join("; ")
            ),
        });
    }
    node.explain(&compiled.select).await.map_err(|cause| stop_of("planning the view", cause))?;
    Ok(())
}

/// A statement that the server cannot analyse is a defect of the compiler, unless the account or the server is in the way.
fn stop_of(step: &'static str, cause: WarehouseError) -> Stop {
    match cause.kind {
        WarehouseErrorKind::Other | WarehouseErrorKind::Changed if cause.code.is_some() => Stop::Blocked {
            reason: Reason::InvalidDefinition,
            message: format!(
                "CompilerDefect: nothing was published, because ClickHouse refuses the view: {}. Please report it.",
                cause.short()
            ),
        },
        _ => Stop::Failed(Error::Warehouse { step, cause }),
    }
}

/// Looks once more before the record is written: the object and the tables must be what was compiled.
pub(super) async fn look_again<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsDataset,
    compiled: &CompiledDataset,
    compiled_from: &BTreeMap<String, SourceInForce>,
    number: u64,
) -> Result<(), Error> {
    let namespace = object.namespace().unwrap_or_default();
    let now = ctx.store.dataset(&namespace, &object.name_any()).await?.ok_or(Error::Conflict)?;
    if now.metadata.resource_version != object.metadata.resource_version {
        return Err(Error::Conflict);
    }
    let mut sources = observe::sources_of(ctx, object, &[]).await?;
    let places = sources.values().map(|source| &source.declaration);
    let places = places.map(|spec| (spec.connection.as_str(), spec.database.as_str(), spec.table.as_str()));
    let catalogs = observe::tables_of(ctx, places).await?;
    observe::hold_to_floors(ctx, &mut sources, &catalogs).await?;
    for before in &compiled.fingerprints {
        // A declaration may have become stricter since; what was compiled knows nothing of it.
        let then = compiled_from.get(&before.source_id).map(|source| &source.declaration);
        let ready = |source: &&SourceInForce| source.not_ready.is_none() && Some(&source.declaration) == then;
        let source = sources.get(&before.source_id).filter(ready);
        let table = source.and_then(|source| {
            let spec = &source.declaration;
            let catalog = catalogs.get(&spec.connection)?;
            Some((catalog.table(&spec.database, &spec.table)?, catalog))
        });
        let same = table.is_some_and(|(table, catalog)| before.difference(table, catalog).is_none());
        if !same {
            return Err(Error::SourceChanged { number });
        }
    }
    Ok(())
}
