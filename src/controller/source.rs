//! Reconciles one AnalyticsSource: observe → plan → apply → report.

use std::collections::BTreeMap;

use kube::{Resource as _, ResourceExt as _};

use super::context::Context;
use super::error::Error;
use super::observe;
use super::store::{Creation, Store};
use crate::api::AnalyticsSource;
use crate::compile::conventions;
use crate::plan::revision::Subject;
use crate::plan::source::{self as plan, SourceObservation};

/// Whether a source has to be looked at again before anything of it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Its table was looked at.
    Yes,
    /// ClickHouse is away.
    NotYet,
}

/// Brings the status of a source to what is so.
///
/// # Errors
/// If the store fails. ClickHouse being away is a condition of the source.
pub async fn reconcile<S: Store>(ctx: &Context<S>, object: &AnalyticsSource) -> Result<Settled, Error> {
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Settled::Yes);
    }
    let spec = &object.spec;
    let subject = Subject::source(spec.id());
    let history = ctx.store.history(&subject).await?;
    let status = object.status.clone().unwrap_or_default();
    let approved = match plan::newest(&status, &history) {
        Some(number) => ctx.store.revision(&subject, number).await?,
        None => None,
    };
    let read = read_table(ctx, object).await;
    let settled = if matches!(read, Err(Unread::Away(_))) { Settled::NotYet } else { Settled::Yes };
    let known = read.as_ref().ok().and_then(|catalog| catalog.get(&spec.connection));
    let table = match &read {
        Err(Unread::Away(problem) | Unread::Unknown(problem)) => Err(problem.clone()),
        Ok(_) => Ok(known.and_then(|known| Some((known.table(&spec.database, &spec.table)?, known)))),
    };
    let nothing = BTreeMap::new();
    let floors = observe::floors_of(ctx, spec, read.as_ref().unwrap_or(&nothing)).await?;
    let traced = table.as_ref().ok().copied().flatten().map(|(table, known)| known.base_tables(table));
    let untraced = traced.map(|traced| traced.untraced).unwrap_or_default();
    let guards = ctx.guards();
    let annotations = object.annotations().clone();
    let observation = SourceObservation {
        origin: observe::origin(object),
        generation: object.meta().generation,
        spec,
        status,
        annotations: &annotations,
        rival: observe::source_rival(&ctx.store.sources(), object),
        table,
        convention: known.and_then(|known| conventions::of_source(spec, known, "spec.table")),
        floors: &floors,
        untraced: &untraced,
        history: &history,
        approved: approved.as_deref(),
        used_by: used_by(ctx, &spec.id()),
        mode: ctx.settings.mode,
        guards: &guards,
        now: ctx.now(),
    };
    let mut plan = plan::plan(&observation);
    if plan.decided_by_annotation && ctx.look_at_guards().await {
        // A gap in the guards that nobody has seen yet: then the annotation proves nothing.
        let guards = ctx.guards();
        plan = plan::plan(&SourceObservation { guards: &guards, ..observation });
    }
    if let Some(revision) = &plan.revision
        && ctx.store.create_revision(revision).await? == Creation::Taken
    {
        return Err(Error::NumberTaken { number: revision.number });
    }
    if object.status.as_ref() != Some(&plan.status) {
        ctx.store.write_source_status(object, &plan.status).await?;
        super::report::source(ctx, object, &plan.status, plan.reason, &plan.growth).await;
    }
    Ok(settled)
}

/// Why a table could not be looked at, in words.
enum Unread {
    /// The configuration does not know its place.
    Unknown(String),
    /// ClickHouse did not answer as it should.
    Away(String),
}

async fn read_table<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsSource,
) -> Result<BTreeMap<String, crate::catalog::Catalog>, Unread> {
    let spec = &object.spec;
    let Some(connection) = ctx.connection(&spec.connection) else {
        let known = ctx.connections.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let problem = format!("The connection `{}` is not configured; configured: {known}.", spec.connection);
        return Err(Unread::Unknown(problem));
    };
    if !connection.databases.contains_key(&spec.database) {
        let known = connection.databases.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let problem = format!(
            "The database `{}` is not configured for sources of `{}`; configured: {known}.",
            spec.database, spec.connection
        );
        return Err(Unread::Unknown(problem));
    }
    let place = (spec.connection.as_str(), spec.database.as_str(), spec.table.as_str());
    observe::tables_of(ctx, std::iter::once(place)).await.map_err(|error| {
        tracing::warn!(source = %spec.id(), %error, "a table could not be looked at");
        Unread::Away(error.in_condition())
    })
}

/// The datasets that read a source, by ID.
fn used_by<S: Store>(ctx: &Context<S>, id: &str) -> Vec<String> {
    let reads = |dataset: &std::sync::Arc<crate::api::AnalyticsDataset>| {
        dataset.spec.definition.sources.iter().any(|source| source.source_id == id)
    };
    let mut datasets: Vec<String> =
        ctx.store.datasets().iter().filter(|dataset| reads(dataset)).map(|dataset| dataset.spec.id()).collect();
    datasets.sort();
    datasets.dedup();
    datasets.truncate(1000);
    datasets
}
