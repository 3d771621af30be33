//! Drops views and documents whose retention has passed (design 3.6, 5.2). IO; runs at every resync.

use std::collections::BTreeMap;

use kube::ResourceExt as _;

use super::context::Context;
use super::error::Error;
use super::store::Store;
use crate::plan::ddl;
use crate::plan::retention;
use crate::plan::revision::{Entry, Subject};

/// Drops what is due of all datasets; one that fails does not stop the others.
///
/// # Errors
/// If the histories cannot be listed.
pub async fn sweep<S: Store>(ctx: &Context<S>) -> Result<(), Error> {
    let mut histories: BTreeMap<Subject, Vec<Entry>> = BTreeMap::new();
    for entry in ctx.store.histories().await? {
        histories.entry(entry.subject.clone()).or_default().push(entry);
    }
    let datasets = ctx.store.datasets();
    for (subject, history) in histories {
        // Another namespace's object of the same ID has no say; nor has one that waits for the ID beside its holder.
        let holder = history.iter().max_by_key(|entry| entry.number).map(|entry| entry.namespace.clone());
        let own = datasets.iter().filter(|dataset| dataset.spec.id() == subject.id && dataset.namespace() == holder);
        let object = own.max_by_key(|dataset| dataset.status.as_ref().is_some_and(|status| status.published.is_some()));
        let served =
            object.and_then(|dataset| dataset.status.as_ref()?.published.as_ref()).map(|record| record.version);
        let keep = object.map_or(ctx.settings.retention, |dataset| {
            super::dataset::retention_of(&dataset.spec, ctx.settings.retention)
        });
        let due = retention::due(&history, served, keep, ctx.now());
        for number in due.views {
            if let Err(error) = drop_version(ctx, &subject, number).await {
                tracing::warn!(dataset = %subject.id, version = number, %error, "a view past its retention could not be dropped");
                continue;
            }
            if due.revisions.contains(&number) {
                ctx.store.delete_revision(&subject, number).await?;
            }
        }
    }
    Ok(())
}

/// Drops the view of a version, if it is there and carries our mark.
async fn drop_version<S: Store>(ctx: &Context<S>, subject: &Subject, number: u64) -> Result<(), Error> {
    let Some(revision) = ctx.store.revision(subject, number).await? else { return Ok(()) };
    let Some(record) = revision.version().map(|version| &version.record) else { return Ok(()) };
    let Some(connection) = ctx.connection(&record.connection) else { return Ok(()) };
    let view = &record.view;
    let stored =
        connection.warehouse.views(&view.database, &view.name).await.map_err(Error::at("reading the view's mark"))?;
    let ours =
        stored.iter().find(|stored| stored.name == view.name).and_then(|stored| stored.mark.as_ref()).is_some_and(
            |mark| mark.catalog == ctx.settings.installation && mark.dataset == subject.id && mark.version == number,
        );
    if ours {
        connection
            .warehouse
            .execute(&ddl::drop_view(&view.database, &view.name))
            .await
            .map_err(Error::at("dropping the view"))?;
        tracing::info!(dataset = %subject.id, version = number, view = %view.name, "dropped a view past its retention");
    }
    Ok(())
}
