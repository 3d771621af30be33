//! Reads what a reconciliation looks at. IO, read only.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kube::ResourceExt as _;

use super::context::Context;
use super::error::Error;
use super::store::Store;
use crate::api::{AnalyticsDataset, AnalyticsSource, AnalyticsSourceSpec};
use crate::catalog::{BaseTable, Catalog};
use crate::compile::{self, SourceInForce, conventions};
use crate::plan::declaration::{floor, in_force, in_the_way};
use crate::plan::revision::{Origin, Revision, Subject};
use crate::plan::source::newest;

/// The object of a resource, as revisions name it.
pub(super) fn origin(object: &impl kube::Resource) -> Origin {
    let meta = object.meta();
    Origin {
        namespace: meta.namespace.clone().unwrap_or_default(),
        name: meta.name.clone().unwrap_or_default(),
        uid: meta.uid.clone().unwrap_or_default(),
    }
}

/// What decides who was first: creation, then namespace and name.
fn seniority(object: &impl kube::Resource) -> (String, String, String) {
    let meta = object.meta();
    let created = meta.creation_timestamp.as_ref().map(|time| time.0.to_string()).unwrap_or_default();
    (created, meta.namespace.clone().unwrap_or_default(), meta.name.clone().unwrap_or_default())
}

/// The object that declares a source ID and was first.
pub(super) fn holder<'o>(sources: &'o [Arc<AnalyticsSource>], id: &str) -> Option<&'o Arc<AnalyticsSource>> {
    let alive = |source: &&Arc<AnalyticsSource>| source.spec.id() == id && source.metadata.deletion_timestamp.is_none();
    sources.iter().filter(alive).min_by_key(|source| seniority(&***source))
}

/// Another source object that holds the same ID and was first, as `<namespace>/<name>`.
pub(super) fn source_rival(sources: &[Arc<AnalyticsSource>], object: &AnalyticsSource) -> Option<String> {
    let first = holder(sources, &object.spec.id())?;
    let own = first.metadata.uid == object.metadata.uid;
    (!own && seniority(&**first) < seniority(object))
        .then(|| format!("{}/{}", first.namespace().unwrap_or_default(), first.name_any()))
}

/// Another dataset object that was first and holds the same ID, or an ID that folds to the same view name: a sentence.
pub(super) fn dataset_rival(datasets: &[Arc<AnalyticsDataset>], object: &AnalyticsDataset) -> Option<String> {
    let prefix = compile::view_prefix(&object.spec.context, &object.spec.name);
    let rival = datasets
        .iter()
        .filter(|other| other.metadata.uid != object.metadata.uid && other.metadata.deletion_timestamp.is_none())
        .filter(|other| compile::view_prefix(&other.spec.context, &other.spec.name) == prefix)
        .filter(|other| seniority(&***other) < seniority(object))
        .min_by_key(|other| seniority(&***other))?;
    let place = format!("{}/{}", rival.namespace().unwrap_or_default(), rival.name_any());
    let (own, other) = (object.spec.id(), rival.spec.id());
    Some(match own == other {
        true => format!("The dataset `{own}` is declared by {place} already; that object keeps the ID."),
        false => format!(
            "The dataset `{own}` would have the view `{prefix}_v…`, which belongs to `{other}` of {place}; choose another name."
        ),
    })
}

/// The sources that a dataset names and that its namespace may use, by ID.
pub(super) async fn sources_of<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsDataset,
    further: &[String],
) -> Result<BTreeMap<String, SourceInForce>, Error> {
    let all = ctx.store.sources();
    let namespace = object.namespace().unwrap_or_default();
    let named = object.spec.definition.sources.iter().map(|source| source.source_id.as_str());
    let ids: BTreeSet<&str> = named.chain(further.iter().map(String::as_str)).collect();
    let mut found = BTreeMap::new();
    for id in ids {
        let Some(source) = holder(&all, id) else { continue };
        let approved = approved_declaration(ctx, source).await?;
        let cause = in_the_way(source);
        let readable = in_force(&origin(&**source), &source.spec, approved.as_deref(), &namespace, cause.as_deref());
        if let Some(readable) = readable {
            found.insert(id.to_owned(), readable);
        }
    }
    Ok(found)
}

/// What is wrong with the sources that a definition names and that can be read as they were declared before, by ID.
pub(super) fn troubled<S: Store>(
    ctx: &Context<S>,
    object: &AnalyticsDataset,
    readable: &BTreeMap<String, SourceInForce>,
) -> BTreeMap<String, String> {
    let all = ctx.store.sources();
    let named = object.spec.definition.sources.iter().map(|source| source.source_id.as_str());
    let readable = named.filter(|id| readable.get(*id).is_some_and(|source| source.not_ready.is_none()));
    readable.filter_map(|id| Some((id.to_owned(), in_the_way(holder(&all, id)?)?))).collect()
}

/// The revision that holds what was approved last of a source.
pub(super) async fn approved_declaration<S: Store>(
    ctx: &Context<S>,
    source: &AnalyticsSource,
) -> Result<Option<Arc<Revision>>, Error> {
    let subject = Subject::source(source.spec.id());
    let history = ctx.store.history(&subject).await?;
    let status = source.status.clone().unwrap_or_default();
    match newest(&status, &history) {
        None => Ok(None),
        Some(number) => Ok(ctx.store.revision(&subject, number).await?),
    }
}

/// Holds sources to what is declared for the tables that their data lives in, in whatever namespace (design 3.1).
pub(super) async fn hold_to_floors<S: Store>(
    ctx: &Context<S>,
    sources: &mut BTreeMap<String, SourceInForce>,
    catalogs: &BTreeMap<String, Catalog>,
) -> Result<(), Error> {
    for source in sources.values_mut() {
        let floors = floors_of(ctx, &source.declaration, catalogs).await?;
        let spec = &source.declaration;
        let table = catalogs.get(&spec.connection).and_then(|catalog| catalog.table(&spec.database, &spec.table));
        if let Some(table) = table {
            floors.iter().for_each(|floor| compile::floors::hold(source, table, floor));
            compile::floors::hold_computed(&mut source.declaration, table);
        }
    }
    Ok(())
}

/// What is declared for the tables that the data of a source lives in, where those are other sources.
pub(super) async fn floors_of<S: Store>(
    ctx: &Context<S>,
    spec: &AnalyticsSourceSpec,
    catalogs: &BTreeMap<String, Catalog>,
) -> Result<Vec<AnalyticsSourceSpec>, Error> {
    let (Some(catalog), Some(connection)) = (catalogs.get(&spec.connection), ctx.connection(&spec.connection)) else {
        return Ok(Vec::new());
    };
    let Some(table) = catalog.table(&spec.database, &spec.table) else { return Ok(Vec::new()) };
    let bases = catalog.base_tables(table).tables;
    let all = ctx.store.sources();
    let of_base = |other: &AnalyticsSourceSpec| {
        let physical = connection.databases.get(&other.database);
        let same = |base: &BaseTable| physical == Some(&base.name.database) && other.table == base.name.table;
        other.connection == spec.connection && other.id() != spec.id() && bases.iter().any(same)
    };
    let mut floors = Vec::new();
    for other in all.iter().filter(|other| of_base(&other.spec)) {
        let first = holder(&all, &other.spec.id());
        if first.is_some_and(|first| first.metadata.uid == other.metadata.uid) {
            let approved = approved_declaration(ctx, other).await?;
            floors.extend(floor(&origin(&**other), &other.spec, approved.as_deref()));
        }
    }
    Ok(floors)
}

/// Where nodes created tables each by itself, these have a UUID each: then none says whether a table is another one.
pub(super) fn forget_uuids_of_one_node(catalog: &mut Catalog, on_nodes: &[(String, Catalog)]) {
    for table in &mut catalog.tables {
        let differs = |(_, other): &(String, Catalog)| {
            let there = other.physical_table(table.physical_database(), &table.name);
            there.is_some_and(|there| there.uuid != table.uuid)
        };
        if on_nodes.iter().any(differs) {
            table.uuid.clear();
        }
    }
}

/// The tables of sources, read afresh, by connection.
pub(super) async fn tables_of<S: Store>(
    ctx: &Context<S>,
    sources: impl Iterator<Item = (&str, &str, &str)>,
) -> Result<BTreeMap<String, Catalog>, Error> {
    let mut wanted: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for (connection, database, table) in sources {
        // A better table of the same data is looked for beside it, to be named where it exists.
        let names = conventions::better_names(table).into_iter().chain([table.to_owned()]);
        wanted.entry(connection.to_owned()).or_default().extend(names.map(|name| (database.to_owned(), name)));
    }
    let mut catalogs = BTreeMap::new();
    for (name, tables) in wanted {
        let Some(connection) = ctx.connection(&name) else { continue };
        let mut catalog = connection
            .warehouse
            .read_catalog(&connection.databases, Some(&tables))
            .await
            .map_err(Error::at("reading the tables"))?;
        catalog.reserved_databases.clone_from(&connection.reserved_databases);
        catalog.cluster.clone_from(&connection.cluster);
        catalogs.insert(name, catalog);
    }
    Ok(catalogs)
}
