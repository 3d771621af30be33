//! Drops views and documents whose retention has passed (design 3.6, 5.2). IO; runs at every resync.

use std::collections::BTreeMap;
use std::sync::Arc;

use kube::ResourceExt as _;

use super::context::{Connection, Context};
use super::error::Error;
use super::store::Store;
use crate::api::AnalyticsDataset;
use crate::plan::ddl;
use crate::plan::retention::{self, Due};
use crate::plan::revision::{Entry, Subject};
use crate::warehouse::{StoredView, WarehouseError};

/// What the names of all views start with.
const VIEW_PREFIX: &str = "ds_";

/// The views of each connection's datasets database, those of all nodes together, or why they could not be listed.
type Standing = BTreeMap<String, Result<Vec<StoredView>, WarehouseError>>;

/// A view, or a table over the views of nodes, and where it stands.
struct Place {
    connection: String,
    database: String,
    view: StoredView,
}

/// Drops what is due of all datasets; one that fails does not stop the others.
///
/// # Errors
/// If the histories cannot be listed.
pub async fn sweep<S: Store>(ctx: &Context<S>) -> Result<(), Error> {
    let mut histories: BTreeMap<Subject, Vec<Entry>> = BTreeMap::new();
    for entry in ctx.store.histories().await? {
        histories.entry(entry.subject.clone()).or_default().push(entry);
    }
    // One question a connection, however many versions lie on it: most of what is due was dropped long ago.
    let list = ctx.connections.iter().map(|(name, connection)| async move {
        (name.clone(), views(connection, &connection.datasets_database, VIEW_PREFIX).await)
    });
    let standing: Standing = futures::future::join_all(list).await.into_iter().collect();
    for (subject, history) in histories {
        if let Err(error) = sweep_dataset(ctx, &subject, &history, &standing).await {
            tracing::warn!(dataset = %subject.id, %error, "the history could not be swept; it is tried again");
        }
    }
    for (name, views) in &standing {
        let (Some(connection), Ok(views)) = (ctx.connection(name), views) else { continue };
        if let Err(error) = sweep_probes(ctx, connection, views).await {
            tracing::warn!(connection = %name, %error, "a probe of the scope could not be dropped; it is tried again");
        }
    }
    Ok(())
}

/// Drops the probes of the scope that no version needs: nothing of a dataset stands there any more, or the cluster is
/// another one.
async fn sweep_probes<S>(ctx: &Context<S>, connection: &Connection, standing: &[StoredView]) -> Result<(), Error> {
    let (probes, others): (Vec<_>, Vec<_>) = standing.iter().partition(|view| view.name.starts_with(ddl::SCOPE_PROBE));
    let needed = match &connection.cluster {
        Some(cluster) if others.iter().any(|view| view.mark.is_some()) => {
            ddl::scope_probe("", &cluster.name, "", "").map(|piece| piece.name).to_vec()
        }
        _ => Vec::new(),
    };
    let ours = |view: &&&StoredView| {
        let mark = view.mark.as_ref();
        mark.is_some_and(|mark| mark.catalog == ctx.settings.installation && mark.dataset.is_empty())
    };
    for view in probes.iter().filter(ours).filter(|view| !needed.contains(&view.name)) {
        let drop = ddl::drop_piece(&connection.datasets_database, &view.name, view.is_view);
        connection.warehouse.execute(&drop).await.map_err(Error::at("dropping a probe of the scope"))?;
        tracing::info!(view = %view.name, "dropped a probe of the scope that nothing needs any more");
    }
    Ok(())
}

async fn sweep_dataset<S: Store>(
    ctx: &Context<S>,
    subject: &Subject,
    history: &[Entry],
    standing: &Standing,
) -> Result<(), Error> {
    let Some(namespace) = holder(history) else { return Ok(()) };
    let object = object_of(ctx, subject, &namespace);
    if object.is_none() && ctx.store.looks_after(&namespace) {
        // It went without a word: its finalizer was taken off, or the operator was away for too long.
        let own: Vec<Entry> = history.iter().filter(|entry| entry.namespace == namespace).cloned().collect();
        for (number, notes) in retention::retired(&own, None, ctx.settings.retention, ctx.now()) {
            tracing::warn!(dataset = %subject.id, version = number, "a version has no object any more; it will expire");
            ctx.store.annotate_revision(subject, number, &notes).await?;
        }
    }
    let due = due(ctx, history, object.as_deref());
    let is_standing = |number: &u64| !places(ctx, subject, *number, standing).is_empty();
    if due.revisions.is_empty() && !due.views.iter().any(is_standing) {
        return Ok(());
    }
    // What was listed may be behind what is so; nothing is dropped on its word.
    let history = ctx.store.history(subject).await?;
    let object = match object_of(ctx, subject, &namespace) {
        Some(object) => ctx.store.dataset(&namespace, &object.name_any()).await?,
        None => None,
    };
    let due = self::due(ctx, &history, object.as_ref());
    for number in due.views {
        let dropped = drop_version(ctx, subject, number, due.revisions.contains(&number), standing).await;
        if let Err(error) = dropped {
            tracing::warn!(dataset = %subject.id, version = number, %error, "a version past its retention could not be dropped");
        }
    }
    Ok(())
}

/// The namespace that an ID belongs to.
fn holder(history: &[Entry]) -> Option<String> {
    history.iter().max_by_key(|entry| entry.number).map(|entry| entry.namespace.clone())
}

/// The object whose versions these are. Another namespace's object of the same ID has no say; nor has one that waits for
/// the ID beside its holder.
fn object_of<S: Store>(ctx: &Context<S>, subject: &Subject, namespace: &str) -> Option<Arc<AnalyticsDataset>> {
    let datasets = ctx.store.datasets();
    let own = datasets.into_iter().filter(|dataset| {
        dataset.spec.id() == subject.id && dataset.namespace().as_deref().unwrap_or_default() == namespace
    });
    own.max_by_key(|dataset| dataset.status.as_ref().is_some_and(|status| status.published.is_some()))
}

fn due<S>(ctx: &Context<S>, history: &[Entry], object: Option<&AnalyticsDataset>) -> Due {
    let served = object.and_then(|dataset| dataset.status.as_ref()?.published.as_ref()).map(|record| record.version);
    let keep = object
        .map_or(ctx.settings.retention, |dataset| super::dataset::retention_of(&dataset.spec, ctx.settings.retention));
    retention::due(history, served, keep, ctx.now())
}

/// What stands on any node of a connection, each name once.
async fn views(connection: &Connection, database: &str, prefix: &str) -> Result<Vec<StoredView>, WarehouseError> {
    let mut views = connection.warehouse.views_everywhere(database, prefix).await?.concat();
    // A view that others read goes last: those that are asked for by name sort first.
    views.sort_by(|a, b| a.name.cmp(&b.name));
    views.dedup();
    Ok(views)
}

/// Where views of a version stand; whose they are is in their mark.
fn places<S>(ctx: &Context<S>, subject: &Subject, number: u64, standing: &Standing) -> Vec<Place> {
    let mut places = Vec::new();
    for (name, views) in standing {
        let (Some(connection), Ok(views)) = (ctx.connection(name), views) else { continue };
        let ours = views.iter().filter(|view| is_ours(ctx, view, subject, number));
        places.extend(ours.map(|view| Place {
            connection: name.clone(),
            database: connection.datasets_database.clone(),
            view: view.clone(),
        }));
    }
    places
}

fn is_ours<S>(ctx: &Context<S>, view: &StoredView, subject: &Subject, number: u64) -> bool {
    view.mark.as_ref().is_some_and(|mark| {
        mark.catalog == ctx.settings.installation && mark.dataset == subject.id && mark.version == number
    })
}

/// Drops the views of a version, as far as they carry our mark; its document goes only once no view of it can be left.
async fn drop_version<S: Store>(
    ctx: &Context<S>,
    subject: &Subject,
    number: u64,
    with_document: bool,
    standing: &Standing,
) -> Result<(), Error> {
    let mut places = places(ctx, subject, number, standing);
    if with_document {
        places.extend(places_of_document(ctx, subject, number, standing).await?);
    }
    for Place { connection, database, view } in places {
        let Some(connection) = ctx.connection(&connection) else { continue };
        let drop = ddl::drop_piece(&database, &view.name, view.is_view);
        connection.warehouse.execute(&drop).await.map_err(Error::at("dropping the view"))?;
        let view = view.name;
        tracing::info!(dataset = %subject.id, version = number, %view, "dropped a view past its retention");
    }
    if with_document {
        ctx.store.delete_revision(subject, number).await?;
    }
    Ok(())
}

/// The view that a document names, and what it reads, where they lie outside of what was listed and are there.
///
/// # Errors
/// If it cannot be looked for: then the document must stay, or the view would stay for ever.
async fn places_of_document<S: Store>(
    ctx: &Context<S>,
    subject: &Subject,
    number: u64,
    standing: &Standing,
) -> Result<Vec<Place>, Error> {
    let unlisted = |cause: &WarehouseError| Error::Warehouse { step: "listing the views", cause: cause.clone() };
    let Some(revision) = ctx.store.revision(subject, number).await? else {
        // Nobody knows where it was published, so all of it must have been looked through.
        let failed = standing.values().find_map(|views| views.as_ref().err());
        return failed.map_or(Ok(Vec::new()), |cause| Err(unlisted(cause)));
    };
    let Some(record) = revision.version().map(|version| &version.record) else { return Ok(Vec::new()) };
    let not_configured = || Error::NotConfigured { connection: record.connection.clone() };
    let connection = ctx.connection(&record.connection).ok_or_else(not_configured)?;
    let (database, view) = (&record.view.database, &record.view.name);
    if *database == connection.datasets_database {
        return match standing.get(&record.connection) {
            Some(Err(cause)) => Err(unlisted(cause)),
            _ => Ok(Vec::new()),
        };
    }
    let stored = views(connection, database, view).await.map_err(Error::at("reading the view's mark"))?;
    let ours = stored.into_iter().filter(|stored| is_ours(ctx, stored, subject, number));
    let place = |view: StoredView| Place { connection: record.connection.clone(), database: database.clone(), view };
    Ok(ours.map(place).collect())
}
