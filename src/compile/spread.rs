//! How the rows of a definition lie on the nodes of a cluster, and whether a view on each node, of what that node holds,
//! gives them all once (design 4.7; ClickHouse facts 13).

use serde::{Deserialize, Serialize};

use super::diagnostic::{Code, Diagnostic};
use super::read::SourceRead;
use super::reference::Resolved;
use super::sharding;
use crate::api::definition::Definition;
use crate::catalog::{self, Catalog, Distributed, Table};

/// The column of a view that holds the tenant.
const TENANT: &str = "__tenant";

/// Views over views further down are not followed.
const DEEPEST: usize = 16;

/// A view on each node gives the rows of that node; a `Distributed` table over these views gives all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spread {
    /// The cluster.
    pub cluster: String,
    /// The expression over the view's tenant column that says on which shard a tenant's rows lie; none where a tenant's
    /// rows may lie on any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sharding_key: Option<String>,
}

/// What a node holds of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Holding {
    /// The rows of its shard.
    Part(Distributed),
    /// Every row.
    Whole,
    /// Every row, by asking all shards.
    Through,
}

/// How the rows lie, where the connection is a cluster; none where each node's view gives all of them.
pub(super) fn of(resolved: &Resolved<'_>, definition: &Definition, found: &mut Vec<Diagnostic>) -> Option<Spread> {
    let root = &resolved.reads[0];
    let cluster = root.catalog.cluster.as_ref()?;
    let path_of = |read: &SourceRead<'_>| {
        let index = definition.sources.iter().position(|source| source.alias == read.alias).unwrap_or_default();
        format!("spec.definition.sources[{index}].sourceId")
    };
    let before = found.len();
    let mut holdings = Vec::new();
    for read in &resolved.reads {
        let path = path_of(read);
        let holding = holding(read.table, read.catalog, &path, 0).and_then(|holding| {
            if let Holding::Part(distributed) = &holding {
                check_cluster(read, distributed, &cluster.name, &path)?;
                check_merged(read, &path)?;
            }
            Ok(holding)
        });
        match holding {
            Ok(holding) => holdings.push(holding),
            Err(diagnostic) => found.push(diagnostic),
        }
    }
    if found.len() > before {
        return None;
    }
    if holdings[0] == Holding::Through && !resolved.joins.is_empty() {
        found.push(through(root, &path_of(root)));
        return None;
    }
    for (read, holding) in resolved.reads.iter().zip(&holdings).skip(1) {
        let tenants = resolved.joins.iter().any(|join| join.read == read.index && join.tenant.is_some());
        if let Err(diagnostic) = check_joined((root, &holdings[0]), (read, holding), tenants, &path_of(read)) {
            found.push(diagnostic);
        }
    }
    match &holdings[0] {
        Holding::Part(distributed) => {
            Some(Spread { cluster: cluster.name.clone(), sharding_key: by_tenant(root, distributed) })
        }
        Holding::Whole | Holding::Through => None,
    }
}

/// What a node holds of a table, or why nobody knows.
fn holding(table: &Table, catalog: &Catalog, path: &str, depth: usize) -> Result<Holding, Diagnostic> {
    let place = table.physical_name();
    let unknown = |why: String| {
        Diagnostic::new(Code::NotOnEveryNode, path, why).help(
            "On a cluster, a source is a Distributed table or a view over one; or a table that every node holds in full: \
             a Replicated table under one path on all nodes, or a dictionary that loads from such a table or from outside.",
        )
    };
    let engine = table.engine.as_str();
    if let Some(distributed) = catalog::distributed(table) {
        return Ok(Holding::Part(distributed));
    }
    if matches!(engine, "View" | "Dictionary") {
        if depth > DEEPEST {
            return Err(unknown(format!("`{place}` lies behind more than {DEEPEST} views.")));
        }
        let mut whole = Holding::Whole;
        for name in table.reads() {
            let read = catalog.physical_table(&name.database, &name.table).ok_or_else(|| {
                unknown(format!("`{place}` reads `{}.{}`, which is not visible here.", name.database, name.table))
            })?;
            // A dictionary holds what it loaded, wherever that came from.
            match holding(read, catalog, path, depth + 1)? {
                Holding::Part(_) | Holding::Through if engine == "View" => whole = Holding::Through,
                _ => {}
            }
        }
        return Ok(whole);
    }
    if engine.starts_with("Shared") {
        return Ok(Holding::Whole);
    }
    if engine.starts_with("Replicated") {
        return match part_of_path(table) {
            None => Ok(Holding::Whole),
            Some(part) => Err(unknown(format!(
                "`{place}` is replicated under a path with `{part}`, so that nodes may hold different rows."
            ))),
        };
    }
    Err(unknown(format!(
        "Each node has a `{place}` of its own, of the engine `{engine}`; whether they hold the same rows is not known."
    )))
}

/// What in the path of a Replicated table may differ from node to node: anything in braces but the table's own names.
fn part_of_path(table: &Table) -> Option<String> {
    let path = table.engine_full.split('\'').nth(1)?;
    let mut parts = path.split('{').skip(1).map(|part| part.split('}').next().unwrap_or_default());
    parts.find(|part| !matches!(*part, "database" | "table")).map(|part| format!("{{{part}}}"))
}

fn check_cluster(
    read: &SourceRead<'_>,
    distributed: &Distributed,
    cluster: &str,
    path: &str,
) -> Result<(), Diagnostic> {
    let place = read.table.physical_name();
    if distributed.cluster != cluster {
        return Err(Diagnostic::new(
            Code::ShardedDifferently,
            path,
            format!(
                "`{place}` is spread over the cluster `{}`, and versions are published on the nodes of `{cluster}`.",
                distributed.cluster
            ),
        )
        .help("All sources of a connection with `nodes` lie on its cluster."));
    }
    Ok(())
}

/// Rows that are merged by key must meet: each node merges its own.
fn check_merged(read: &SourceRead<'_>, path: &str) -> Result<(), Diagnostic> {
    let Some(local) = read.mode.local.filter(|_| read.mode.merged()) else { return Ok(()) };
    let parts = read.mode.key.as_deref().unwrap_or_default();
    let key = parts.iter().flat_map(|part| part.columns.iter().cloned()).collect();
    sharding::check_key(read.table, local, &key, path)
}

fn check_joined(
    (root, of_root): (&SourceRead<'_>, &Holding),
    (read, holding): (&SourceRead<'_>, &Holding),
    by_tenants: bool,
    path: &str,
) -> Result<(), Diagnostic> {
    let (whole, other) = (root.table.physical_name(), read.table.physical_name());
    let differently = |message: String| Diagnostic::new(Code::ShardedDifferently, path, message);
    match (of_root, holding) {
        (_, Holding::Whole) => Ok(()),
        (_, Holding::Through) => Err(through(read, path)),
        (Holding::Whole | Holding::Through, Holding::Part(_)) => Err(differently(format!(
            "Every node holds all of `{whole}`, and a part of `{other}`: joined on each node, its rows would come once for each."
        ))
        .help("Make the source whose rows are spread the subject.")),
        (Holding::Part(first), Holding::Part(second)) => {
            let keys = by_tenant(root, first).zip(by_tenant(read, second));
            if root.table.shards == Some(1) || by_tenants && keys.is_some_and(|(first, second)| first == second) {
                return Ok(());
            }
            let shown = |distributed: &Distributed| match &distributed.sharding_key {
                Some(key) => format!("by `{key}`"),
                None => "by no stated key".to_owned(),
            };
            Err(differently(format!(
                "`{whole}` is sharded {} and `{other}` {}: rows that belong together may lie on different nodes.",
                shown(first),
                shown(second)
            ))
            .help("Shard both by the same expression of their tenant columns, such as `cityHash64(…)`, or have every node hold all of the joined table."))
        }
    }
}

/// A join of what asks all shards would run on each of them again.
fn through(read: &SourceRead<'_>, path: &str) -> Diagnostic {
    let message = format!("`{}` is a view that asks all shards, and stands in a join.", read.table.physical_name());
    Diagnostic::new(Code::ShardedDifferently, path, message)
        .help("Read the Distributed table itself: then each node joins what it holds.")
}

/// The sharding expression over the view's tenant column, if it is a function of the tenant and of nothing else.
fn by_tenant(read: &SourceRead<'_>, distributed: &Distributed) -> Option<String> {
    let tenant = read.tenant.as_ref().filter(|tenant| tenant.path.is_none())?;
    sharding::over(distributed.sharding_key.as_deref()?, &tenant.column, TENANT)
}
