//! Reconciles one AnalyticsDataset: observe → compile → plan → apply → report.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use kube::{Resource as _, ResourceExt as _};

use super::apply::{self, Stop};
use super::context::{Connection, Context};
use super::error::Error;
use super::nodes;
use super::observe;
use super::report;
use super::store::Store;
use crate::api::{AnalyticsDataset, AnalyticsDatasetSpec, AnalyticsDatasetStatus, PublicationRecord, Reason, interval};
use crate::catalog::Catalog;
use crate::compile::{self, CompileInput, CompiledDataset, Diagnostic, SourceInForce};
use crate::plan::dataset::{self as plan, DatasetObservation, DatasetPlan};
use crate::plan::ddl;
use crate::plan::retention;
use crate::plan::revision::{Entry, Notes, Revision, Subject, Version};
use crate::warehouse::ViewMark;

/// What was read for one dataset.
struct Observed {
    history: Vec<Entry>,
    served: Served,
    sources: BTreeMap<String, SourceInForce>,
    troubled: BTreeMap<String, String>,
    catalogs: BTreeMap<String, Catalog>,
    on_nodes: Vec<(String, Catalog)>,
    without: Vec<String>,
    view_numbers: Vec<u64>,
    served_view_is_gone: bool,
    rival: Option<String>,
    now: Timestamp,
}

/// What was found of the version that is served, or was served last; none where it could not be looked at.
type Served = Option<Option<Arc<Revision>>>;

impl Observed {
    fn nothing(now: Timestamp) -> Self {
        Self {
            history: Vec::new(),
            served: None,
            sources: BTreeMap::new(),
            troubled: BTreeMap::new(),
            catalogs: BTreeMap::new(),
            on_nodes: Vec::new(),
            without: Vec::new(),
            view_numbers: Vec::new(),
            served_view_is_gone: false,
            rival: None,
            now,
        }
    }

    fn served(&self) -> plan::Served<'_> {
        match &self.served {
            None => plan::Served::Unknown,
            Some(found) => found.as_deref().into(),
        }
    }
}

/// How a look at a dataset ended.
enum Ended {
    /// With what is so.
    Settled,
    /// With what is served being closed, before the next version is published.
    Closed,
}

/// Brings what is served of a dataset, and its status, to what is so.
///
/// # Errors
/// If the environment fails; then the condition says so, what is served stays served, and the caller tries again.
pub async fn reconcile<S: Store>(ctx: &Context<S>, object: &AnalyticsDataset) -> Result<(), Error> {
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(());
    }
    if let Ended::Closed = look(ctx, object).await? {
        let namespace = object.namespace().unwrap_or_default();
        let closed = ctx.store.dataset(&namespace, &object.name_any()).await?;
        if let Some(closed) = closed.filter(|closed| closed.metadata.deletion_timestamp.is_none()) {
            look(ctx, &closed).await?;
        }
    }
    Ok(())
}

async fn look<S: Store>(ctx: &Context<S>, object: &AnalyticsDataset) -> Result<Ended, Error> {
    let mut status = object.status.clone().unwrap_or_default();
    if status.published.as_ref().is_some_and(|record| record.id != object.spec.id()) {
        // A record of another dataset says nothing of this one.
        status = AnalyticsDatasetStatus::default();
    }
    let mut observed = match observe_objects(ctx, object, &status).await {
        Ok(observed) => observed,
        Err(error) => return give_up(ctx, object, &status, &Observed::nothing(ctx.now()), error).await,
    };
    let usable = match connection_of(ctx, object) {
        Some(connection) => match nodes::usable(connection).await {
            Ok(usable) => Some(usable),
            Err(error) => return give_up(ctx, object, &status, &observed, error).await,
        },
        None => None,
    };
    observed.without = usable.as_ref().map(|usable| usable.without.clone()).unwrap_or_default();
    let connection = usable.as_ref().map(|usable| &usable.connection);
    if let Err(error) = observe_warehouse(ctx, object, connection, &status, &mut observed).await {
        return give_up(ctx, object, &status, &observed, error).await;
    }
    let datasets_database = connection.map_or("", |connection| connection.datasets_database.as_str());
    let served_fingerprints = observed.served().version().map(|version| version.fingerprints.as_slice());
    let input = CompileInput {
        spec: &object.spec,
        sources: &observed.sources,
        catalogs: &observed.catalogs,
        datasets_database,
        served_fingerprints: served_fingerprints.unwrap_or_default(),
    };
    let compiled = compile::compile_on(&input, &observed.on_nodes);
    let observation = observation(ctx, object, &status, &observed, compiled, datasets_database);
    let plan = plan::plan(&observation);
    if let Some(closed) = plan.publication.as_ref().and_then(|next| plan::closed(&observation, next)) {
        write(ctx, object, &closed, Reason::Publishing, &[]).await?;
        return Ok(Ended::Closed);
    }
    match apply_plan(ctx, connection, object, &observation, &plan).await {
        Ok(()) => write(ctx, object, &plan.status, plan.reason, &plan.growth).await?,
        Err(Stop::Blocked { reason, message }) => {
            write(ctx, object, &plan::failed(&observation, reason, &message), reason, &[]).await?;
            return Ok(Ended::Settled);
        }
        Err(Stop::Failed(error)) if error.is_race() => return Err(error),
        Err(Stop::Failed(error)) => {
            let failed = plan::failed(&observation, error.reason(), &error.in_condition());
            write(ctx, object, &failed, error.reason(), &[]).await?;
            return Err(error);
        }
    }
    // The last step of a publication: the new version is noted as published, its predecessor as superseded.
    if let Some(publication) = &plan.publication {
        note(ctx, &publication.revision.subject, publication.notes(&observation)).await?;
    }
    Ok(Ended::Settled)
}

/// Says what is in the way, and takes out of service what the sources that could be looked at no longer allow.
async fn give_up<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsDataset,
    status: &AnalyticsDatasetStatus,
    observed: &Observed,
    error: Error,
) -> Result<Ended, Error> {
    if !error.is_race() {
        let observation = observation(ctx, object, status, observed, Err(Vec::new()), "");
        let failed = plan::failed(&observation, error.reason(), &error.in_condition());
        write(ctx, object, &failed, error.reason(), &[]).await?;
    }
    Err(error)
}

/// Unpublishes a dataset whose object is being deleted: its versions keep their views for the retention.
///
/// # Errors
/// If the history cannot be written. ClickHouse is not asked, so it cannot be in the way.
pub async fn withdraw<S: Store>(ctx: &Context<S>, object: &AnalyticsDataset) -> Result<(), Error> {
    let subject = Subject::dataset(object.spec.id());
    let namespace = object.namespace().unwrap_or_default();
    let holds_on = |other: &Arc<AnalyticsDataset>| {
        let same = other.spec.id() == subject.id && other.namespace().as_deref() == Some(&namespace);
        let alive = other.metadata.deletion_timestamp.is_none() && other.metadata.uid != object.metadata.uid;
        same && alive && other.status.as_ref().is_some_and(|status| status.published.is_some())
    };
    if ctx.store.datasets().iter().any(holds_on) {
        // The object never held the ID; another one does.
        report::removed(object, &format!("Another object declares the dataset `{}` and goes on.", subject.id));
        return Ok(());
    }
    let history = ctx.store.history(&subject).await?;
    let own: Vec<Entry> = history.into_iter().filter(|entry| entry.namespace == namespace).collect();
    let record = object.status.as_ref().and_then(|status| status.published.as_ref());
    let record = record.filter(|record| record.id == subject.id);
    let retention = retention_of(&object.spec, ctx.settings.retention);
    note(ctx, &subject, retention::retired(&own, record, retention, ctx.now())).await?;
    let id = &subject.id;
    report::removed(
        object,
        &match record {
            Some(record) => format!("The dataset `{id}` is gone; version {} is no longer served.", record.version),
            None => format!("The dataset `{id}` is gone; nothing of it was served."),
        },
    );
    Ok(())
}

async fn note<S: Store>(ctx: &Context<S>, subject: &Subject, notes: Vec<(u64, Notes)>) -> Result<(), Error> {
    for (number, notes) in notes {
        ctx.store.annotate_revision(subject, number, &notes).await?;
    }
    Ok(())
}

fn connection_of<'c, S>(ctx: &'c Context<S>, object: &AnalyticsDataset) -> Option<&'c Connection> {
    ctx.connection(&connection_name(object)?)
}

fn connection_name(object: &AnalyticsDataset) -> Option<String> {
    object.spec.definition.sources.first()?.source_id.split(':').next().map(str::to_owned)
}

/// Reads what the store holds; ClickHouse is not asked.
async fn observe_objects<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsDataset,
    status: &AnalyticsDatasetStatus,
) -> Result<Observed, Error> {
    let subject = Subject::dataset(object.spec.id());
    let history = ctx.store.history(&subject).await?;
    let last_published =
        history.iter().filter(|entry| entry.notes.published_at.is_some()).map(|entry| entry.number).max();
    let served = match status.published.as_ref().map(|record| record.version).or(last_published) {
        Some(number) => ctx.store.revision(&subject, number).await?,
        None => None,
    };
    // The sources of what is served count too: they may no longer be those of the definition.
    let of_served: Vec<String> = served
        .as_deref()
        .and_then(Revision::version)
        .map(|version| version.fingerprints.iter().map(|fingerprint| fingerprint.source_id.clone()).collect())
        .unwrap_or_default();
    let sources = observe::sources_of(ctx, object, &of_served).await?;
    let rival = observe::dataset_rival(&ctx.store.datasets(), object)
        .or_else(|| claimed_elsewhere(object, &history, ctx.now()));
    let troubled = observe::troubled(ctx, object, &sources);
    Ok(Observed { history, served: Some(served), sources, troubled, rival, ..Observed::nothing(ctx.now()) })
}

/// Reads the tables of the sources, and the views.
async fn observe_warehouse<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsDataset,
    connection: Option<&Connection>,
    status: &AnalyticsDatasetStatus,
    observed: &mut Observed,
) -> Result<(), Error> {
    let places = observed.sources.values().map(|source| &source.declaration);
    let places = places.map(|spec| (spec.connection.as_str(), spec.database.as_str(), spec.table.as_str()));
    observed.catalogs = observe::tables_of(ctx, places).await?;
    observe::hold_to_floors(ctx, &mut observed.sources, &observed.catalogs).await?;
    if let Some(connection) = connection {
        let name = connection_name(object).unwrap_or_default();
        let here = observed.sources.values().map(|source| &source.declaration).filter(|spec| spec.connection == name);
        let places = here.map(|spec| (spec.database.clone(), spec.table.clone())).collect();
        observed.on_nodes = nodes::tables_of_each(connection, &places).await?;
        if let Some(catalog) = observed.catalogs.get_mut(&name) {
            observe::forget_uuids_of_one_node(catalog, &observed.on_nodes);
        }
        observed.view_numbers = view_numbers(ctx, connection, object).await?;
    }
    if let Some(record) = &status.published {
        observed.served_view_is_gone = view_is_gone(ctx, record, observed.served().version()).await;
    }
    Ok(())
}

/// Whether the view of a record, or what it reads on any node, is known not to be there. It may lie on another connection than what the definition reads
/// now, which must not be in the way of the next version.
async fn view_is_gone<S>(ctx: &Context<S>, record: &PublicationRecord, version: Option<&Version>) -> bool {
    let Some(connection) = ctx.connection(&record.connection) else { return false };
    let names = match version.filter(|version| version.record.version == record.version) {
        Some(version) => ddl::pieces(version, &connection.definer, &ctx.settings.installation)
            .into_iter()
            .map(|piece| piece.name)
            .collect(),
        None => vec![record.view.name.clone()],
    };
    let ours = |mark: &ViewMark| {
        mark.catalog == ctx.settings.installation && mark.dataset == record.id && mark.version == record.version
    };
    let usable = match nodes::usable(connection).await {
        Ok(usable) => usable,
        Err(error) => {
            tracing::warn!(dataset = %record.id, %error, "the view of the served version could not be looked for");
            return false;
        }
    };
    for node in usable.connection.warehouse.nodes() {
        match node.views(&record.view.database, &record.view.name).await {
            Ok(views) => {
                let stands =
                    |name: &String| views.iter().any(|view| view.name == *name && view.mark.as_ref().is_some_and(ours));
                if !names.iter().all(stands) {
                    return true;
                }
            }
            Err(error) => {
                tracing::warn!(dataset = %record.id, %error, "the view of the served version could not be looked for");
            }
        }
    }
    false
}

/// The numbers of the views that carry the dataset's mark. Others under its name are somebody else's, and no number of ours.
async fn view_numbers<S>(
    ctx: &Context<S>,
    connection: &Connection,
    object: &AnalyticsDataset,
) -> Result<Vec<u64>, Error> {
    let (id, prefix) =
        (object.spec.id(), format!("{}_v", compile::view_prefix(&object.spec.context, &object.spec.name)));
    let views = connection
        .warehouse
        .views_everywhere(&connection.datasets_database, &prefix)
        .await
        .map_err(Error::at("listing the views"))?;
    let ours = |mark: &ViewMark| mark.catalog == ctx.settings.installation && mark.dataset == id;
    Ok(views.into_iter().flatten().filter_map(|view| view.mark).filter(ours).map(|mark| mark.version).collect())
}

/// How long the versions of a dataset keep their views.
pub(super) fn retention_of(spec: &AnalyticsDatasetSpec, default: SignedDuration) -> SignedDuration {
    spec.version_retention.as_deref().and_then(|text| interval::parse(text).ok()).unwrap_or(default)
}

/// An ID stays with its namespace until its retention has passed (design 3.2).
fn claimed_elsewhere(object: &AnalyticsDataset, history: &[Entry], now: Timestamp) -> Option<String> {
    let namespace = object.namespace().unwrap_or_default();
    let last = history.iter().filter(|entry| entry.notes.published_at.is_some()).max_by_key(|entry| entry.number)?;
    let over = last.notes.expires_at.is_some_and(|expires_at| expires_at <= now);
    (last.namespace != namespace && !over).then(|| {
        format!(
            "The dataset `{}` belongs to the namespace {} until the retention of its last version has passed.",
            object.spec.id(),
            last.namespace
        )
    })
}

fn observation<'a, S>(
    ctx: &Context<S>,
    object: &'a AnalyticsDataset,
    status: &AnalyticsDatasetStatus,
    observed: &'a Observed,
    compiled: Result<CompiledDataset, Vec<Diagnostic>>,
    datasets_database: &'a str,
) -> DatasetObservation<'a> {
    DatasetObservation {
        origin: observe::origin(object),
        generation: object.meta().generation,
        spec: &object.spec,
        status: status.clone(),
        rival: observed.rival.clone(),
        compiled,
        history: &observed.history,
        served: observed.served(),
        view_numbers: &observed.view_numbers,
        served_view_is_gone: observed.served_view_is_gone,
        sources: &observed.sources,
        troubled: &observed.troubled,
        catalogs: &observed.catalogs,
        on_nodes: &observed.on_nodes,
        without: &observed.without,
        datasets_database,
        mode: ctx.settings.mode,
        retention: retention_of(&object.spec, ctx.settings.retention),
        now: observed.now,
    }
}

async fn apply_plan<S: Store>(
    ctx: &Context<S>,
    connection: Option<&Connection>,
    object: &AnalyticsDataset,
    observation: &DatasetObservation<'_>,
    plan: &DatasetPlan,
) -> Result<(), Stop> {
    if let (Some(publication), Ok(compiled), Some(connection)) = (&plan.publication, &observation.compiled, connection)
    {
        apply::publish(ctx, connection, compiled, publication).await?;
        apply::look_again(ctx, object, compiled, observation.sources, publication.revision.number).await?;
    } else if let Some(version) = &plan.repair {
        // Where it was published, wherever the definition's sources lie now.
        let connection = ctx.connection(&version.record.connection);
        let missing = || Error::NotConfigured { connection: version.record.connection.clone() };
        let usable = nodes::usable(connection.ok_or_else(missing)?).await?;
        // A node that comes back may have missed what became of its tables.
        nodes::have_the_same_tables(&usable.connection, &version.fingerprints).await?;
        apply::create_view(ctx, &usable.connection, version).await?;
    }
    Ok(note(ctx, &Subject::dataset(object.spec.id()), plan.notes.clone()).await?)
}

async fn write<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsDataset,
    status: &AnalyticsDatasetStatus,
    reason: Reason,
    growth: &[String],
) -> Result<(), Error> {
    if object.status.as_ref() == Some(status) {
        return Ok(());
    }
    ctx.store.write_dataset_status(object, status).await?;
    report::dataset(ctx, object, status, reason, growth).await;
    Ok(())
}
