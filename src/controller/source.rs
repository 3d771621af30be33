//! Reconciles one AnalyticsSource: observe → plan → apply → report.

use std::collections::BTreeMap;

use kube::{Resource as _, ResourceExt as _};

use super::context::Context;
use super::error::Error;
use super::observe;
use super::store::{Creation, Store};
use crate::api::{AnalyticsSource, AnalyticsSourceSpec};
use crate::compile::conventions;
use crate::plan::revision::Subject;
use crate::plan::source::{self as plan, SourceObservation, Unread};
use crate::spelling::{listed, nearest};

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
        Err(unread) => Err(unread.clone()),
        Ok(_) => match known.and_then(|known| Some((known.table(&spec.database, &spec.table)?, known))) {
            Some(found) => Ok(found),
            None => Err(Unread::Missing(missing(ctx, spec).await)),
        },
    };
    let nothing = BTreeMap::new();
    let floors = observe::floors_of(ctx, spec, read.as_ref().unwrap_or(&nothing)).await?;
    let traced = table.as_ref().ok().map(|(table, known)| known.base_tables(table));
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

async fn read_table<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsSource,
) -> Result<BTreeMap<String, crate::catalog::Catalog>, Unread> {
    let spec = &object.spec;
    let Some(connection) = ctx.connection(&spec.connection) else {
        let known: Vec<&str> = ctx.connections.keys().map(String::as_str).collect();
        let problem = format!(
            "The connection `{}` is not configured. {}",
            spec.connection,
            near_and_all(&spec.connection, &known, "Configured")
        );
        return Err(Unread::NotConfigured(problem));
    };
    if !connection.databases.contains_key(&spec.database) {
        let known: Vec<&str> = connection.databases.keys().map(String::as_str).collect();
        let problem = format!(
            "The database `{}` is not configured for sources of the connection `{}`. {} Another one is read once \
             `connections.{1}.databases` of the configuration names it.",
            spec.database,
            spec.connection,
            near_and_all(&spec.database, &known, "Configured")
        );
        return Err(Unread::NotConfigured(problem));
    }
    let place = (spec.connection.as_str(), spec.database.as_str(), spec.table.as_str());
    observe::tables_of(ctx, std::iter::once(place)).await.map_err(|error| {
        tracing::warn!(source = %spec.id(), %error, "a table could not be looked at");
        Unread::Away(error.in_condition())
    })
}

/// That a table, or its whole database, is not there, and what is.
async fn missing<S: Store>(ctx: &Context<S>, spec: &AnalyticsSourceSpec) -> String {
    let table = format!(
        "The table `{}` of the database `{}` does not exist, or the operator's account may not see it.",
        spec.table, spec.database
    );
    let Some(connection) = ctx.connection(&spec.connection) else { return table };
    let physical = connection.databases.get(&spec.database).unwrap_or(&spec.database);
    // Names are a help; without them the mistake is said all the same.
    let Ok(mut databases) = connection.warehouse.database_names().await else { return table };
    databases.retain(|name| !connection.reserved_databases.contains(name));
    let databases: Vec<&str> = databases.iter().map(String::as_str).collect();
    if !databases.contains(&physical.as_str()) {
        return format!(
            "The database `{physical}`, which the configuration gives for `{}`, does not exist, or the operator's account \
             may not see it. {}",
            spec.database,
            near_and_all(physical, &databases, "It sees")
        );
    }
    let Ok(tables) = connection.warehouse.table_names(physical).await else { return table };
    let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
    match nearest(&spec.table, &tables).first() {
        Some(nearest) => format!("{table} Did you mean `{nearest}`?"),
        None => table,
    }
}

/// The name that is nearest, if one is near, and all names.
fn near_and_all(wanted: &str, names: &[&str], all: &str) -> String {
    let near = nearest(wanted, names).first().map(|near| format!("Did you mean `{near}`? ")).unwrap_or_default();
    let listed = if names.is_empty() { "none".to_owned() } else { listed(names) };
    format!("{near}{all}: {listed}.")
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
