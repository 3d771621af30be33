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

/// Brings the status of a source to what is so.
///
/// # Errors
/// If the store fails. ClickHouse being away is a condition of the source.
pub async fn reconcile<S: Store>(ctx: &Context<S>, object: &AnalyticsSource) -> Result<(), Error> {
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(());
    }
    let spec = &object.spec;
    let subject = Subject::source(spec.id());
    let history = ctx.store.history(&subject).await?;
    let status = object.status.clone().unwrap_or_default();
    let approved = match plan::newest(&status, &history) {
        Some(number) => ctx.store.revision(&subject, number).await?,
        None => None,
    };
    let (catalog, problem) = read_table(ctx, object).await;
    let table = match problem {
        Some(problem) => Err(problem),
        None => Ok(catalog
            .get(&spec.connection)
            .and_then(|catalog| Some((catalog.table(&spec.database, &spec.table)?, catalog)))),
    };
    let floors = observe::floors_of(ctx, spec, &catalog).await?;
    let known = catalog.get(&spec.connection);
    let traced = table.as_ref().ok().copied().flatten().zip(known).map(|(table, known)| known.base_tables(table));
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
        convention: catalog.get(&spec.connection).and_then(|known| conventions::of_source(spec, known, "spec.table")),
        floors: &floors,
        untraced: &untraced,
        history: &history,
        approved: approved.as_deref(),
        used_by: used_by(ctx, &spec.id()),
        mode: ctx.settings.mode,
        guards: &guards,
        now: ctx.now(),
    };
    let plan = plan::plan(&observation);
    if let Some(revision) = &plan.revision
        && ctx.store.create_revision(revision).await? == Creation::Taken
    {
        return Err(Error::NumberTaken { number: revision.number });
    }
    if object.status.as_ref() != Some(&plan.status) {
        ctx.store.write_source_status(object, &plan.status).await?;
        super::report::transition(
            ctx,
            object,
            object.status.as_ref().map(|status| status.conditions.as_slice()),
            &plan.status.conditions,
            plan.reason,
        )
        .await;
    }
    Ok(())
}

async fn read_table<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsSource,
) -> (BTreeMap<String, crate::catalog::Catalog>, Option<String>) {
    let spec = &object.spec;
    let Some(connection) = ctx.connection(&spec.connection) else {
        let known = ctx.connections.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        return (
            BTreeMap::new(),
            Some(format!("The connection `{}` is not configured; configured: {known}.", spec.connection)),
        );
    };
    if !connection.databases.contains_key(&spec.database) {
        let known = connection.databases.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let problem = format!(
            "The database `{}` is not configured for sources of `{}`; configured: {known}.",
            spec.database, spec.connection
        );
        return (BTreeMap::new(), Some(problem));
    }
    let place = (spec.connection.as_str(), spec.database.as_str(), spec.table.as_str());
    match observe::tables_of(ctx, std::iter::once(place)).await {
        Ok(catalogs) => (catalogs, None),
        Err(error) => (BTreeMap::new(), Some(error.to_string())),
    }
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
