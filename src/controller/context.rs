//! What every reconciliation shares.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::RwLock;

use jiff::{SignedDuration, Timestamp};

use super::error::Error;
use super::nodes::{self, Nodes};
use super::store::Store;
use crate::catalog::Cluster;
use crate::configuration::{Configuration, ConfigurationError};
use crate::plan::{ApprovalMode, GuardState};
use crate::warehouse::Warehouse;

/// One connection, as the operator uses it.
#[derive(Clone)]
pub struct Connection {
    /// Under the operator's account.
    pub warehouse: Warehouse,
    /// Under the query server's account: publications are probed as who will read them.
    pub reader: Warehouse,
    /// The definer of the views: the operator's account.
    pub definer: String,
    /// Logical database names with physical ones.
    pub databases: BTreeMap<String, String>,
    /// The database of the views.
    pub datasets_database: String,
    /// The databases that no source may read, directly or through a view.
    pub reserved_databases: BTreeSet<String>,
    /// The cluster on each of whose nodes versions are published.
    pub cluster: Option<Cluster>,
    /// The places of its nodes in it, and which of them are away.
    pub nodes: Nodes,
}

impl Connection {
    /// That every server is new enough: on an older one, a view may mean something else (design 2).
    ///
    /// # Errors
    /// If one is not, or does not answer.
    pub(super) async fn require_supported(&self, name: &str) -> Result<(), Error> {
        for node in self.warehouse.nodes() {
            let version = node.version().await.map_err(Error::at("asking for the server's version"))?;
            if version < crate::warehouse::OLDEST_SERVER {
                return Err(Error::ServerTooOld { connection: name.to_owned(), version });
            }
        }
        Ok(())
    }
}

/// The settings of the reconciliation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How decisions are taken.
    pub mode: ApprovalMode,
    /// How long views stay after their version.
    pub retention: SignedDuration,
    /// How often everything is looked at again.
    pub resync: SignedDuration,
    /// The name of this installation in the marks of its views.
    pub installation: String,
}

/// What every reconciliation shares.
pub struct Context<Store> {
    /// Objects and history.
    pub store: Store,
    /// The connections by name.
    pub connections: BTreeMap<String, Connection>,
    /// The settings.
    pub settings: Settings,
    guards: RwLock<GuardState>,
}

impl<Store> Context<Store> {
    /// A context whose guards are not known to be in place yet.
    pub fn new(store: Store, connections: BTreeMap<String, Connection>, settings: Settings) -> Self {
        let unknown = GuardState::Missing(vec!["They have not been looked at yet.".to_owned()]);
        Self { store, connections, settings, guards: RwLock::new(unknown) }
    }

    /// Whether approval annotations can be trusted.
    pub fn guards(&self) -> GuardState {
        self.guards.read().expect("no holder of this lock panics").clone()
    }

    /// Notes whether approval annotations can be trusted; tells whether that changed.
    fn set_guards(&self, state: GuardState) -> bool {
        let mut guards = self.guards.write().expect("no holder of this lock panics");
        let changed = *guards != state;
        *guards = state;
        changed
    }

    /// The connection of a name.
    pub(super) fn connection(&self, name: &str) -> Option<&Connection> {
        self.connections.get(name)
    }

    /// The time, to the second: what stands in status needs no more.
    pub(super) fn now(&self) -> Timestamp {
        Timestamp::from_second(Timestamp::now().as_second()).unwrap_or(Timestamp::UNIX_EPOCH)
    }
}

impl<S: Store> Context<S> {
    /// Looks afresh whether approval annotations can be trusted; tells whether that changed.
    pub async fn look_at_guards(&self) -> bool {
        let state = self.store.guards().await;
        let changed = self.set_guards(state.clone());
        match &state {
            GuardState::InPlace { .. } if changed => {
                tracing::info!("the guards of the approval annotations are in place")
            }
            GuardState::Missing(problems) if changed => {
                tracing::warn!(problems = %problems.join("; "), "no approval counts")
            }
            _ => {}
        }
        changed
    }
}

/// The connections of a configuration.
///
/// # Errors
/// If a password cannot be read.
pub fn connections(configuration: &Configuration) -> Result<BTreeMap<String, Connection>, ConfigurationError> {
    let connect = |(name, connection): (&String, &crate::configuration::ConnectionConfiguration)| {
        let warehouse = Warehouse::over(&connection.endpoints()?);
        let nodes = Nodes::new(&connection.nodes, connection.node_timeout.unsigned_abs(), &warehouse);
        let connected = Connection {
            warehouse,
            reader: Warehouse::over(&connection.reader_endpoints()?),
            definer: connection.user.clone(),
            databases: connection.databases.clone(),
            datasets_database: connection.datasets_database.clone(),
            reserved_databases: [connection.datasets_database.clone()].into(),
            cluster: connection.cluster(),
            nodes,
        };
        Ok((name.clone(), connected))
    };
    configuration.connections.iter().map(connect).collect()
}

/// Checks that every connection answers and is new enough; a failure is told, not fatal: queries go on without us.
pub async fn check_servers(connections: &BTreeMap<String, Connection>) -> Vec<Error> {
    let checks = connections.iter().map(|(name, connection)| async move {
        connection.require_supported(name).await?;
        nodes::are_those_of_the_cluster(connection).await
    });
    futures::future::join_all(checks).await.into_iter().filter_map(Result::err).collect()
}
