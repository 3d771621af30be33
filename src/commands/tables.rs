//! What a command knows of tables: a snapshot, the servers of a configuration, or nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::CommandError;
use super::snapshot::Snapshot;
use crate::api::AnalyticsDatasetSpec;
use crate::api::source::AnalyticsSourceSpec;
use crate::catalog::{Catalog, Table};
use crate::compile::{Code, Diagnostic, available};
use crate::configuration::{Configuration, ConnectionConfiguration};
use crate::warehouse::{OLDEST_SERVER, Warehouse};

/// The tables of the connections.
#[derive(Clone, Debug)]
pub struct Tables {
    /// From where they are known; none where they are not.
    pub origin: Option<Origin>,
    /// The connections by name.
    pub connections: BTreeMap<String, Connection>,
    /// Their tables.
    pub catalogs: BTreeMap<String, Catalog>,
    /// What a connection is like of which nothing is known.
    unknown: Connection,
}

/// From where tables are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file, by its path.
    Snapshot(String),
    /// The servers, by the configuration's path.
    Servers(String),
}

/// What is known of a connection besides its tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The database of the views.
    pub datasets_database: String,
    /// The definer of the views.
    pub definer: String,
    /// The logical names of its databases.
    pub databases: BTreeSet<String>,
}

impl Tables {
    /// Reads them: from the snapshot where one is given, else from the servers of the configuration, else not at all.
    ///
    /// # Errors
    /// If the file cannot be used or a server does not answer.
    pub async fn read(snapshot: Option<&Path>, configuration: Option<&Path>) -> Result<Self, CommandError> {
        match (snapshot, configuration) {
            (Some(path), _) => Ok(Self::of(Snapshot::open(path)?, Origin::Snapshot(path.display().to_string()))),
            (None, Some(path)) => {
                let snapshot = Snapshot::take(&Configuration::load(Some(path), std::env::vars_os())?).await?;
                Ok(Self::of(snapshot, Origin::Servers(path.display().to_string())))
            }
            (None, None) => Ok(Self::known(None, BTreeMap::new(), BTreeMap::new())),
        }
    }

    fn of(snapshot: Snapshot, origin: Origin) -> Self {
        let (mut connections, mut catalogs) = (BTreeMap::new(), BTreeMap::new());
        for (name, connection) in snapshot.connections {
            let databases = connection.databases.into_iter().collect();
            let (datasets_database, definer) = (connection.datasets_database, connection.definer);
            connections.insert(name.clone(), Connection { datasets_database, definer, databases });
            catalogs.insert(name, connection.catalog);
        }
        Self::known(Some(origin), connections, catalogs)
    }

    fn known(
        origin: Option<Origin>,
        connections: BTreeMap<String, Connection>,
        catalogs: BTreeMap<String, Catalog>,
    ) -> Self {
        let made_up: ConnectionConfiguration =
            serde_json::from_value(serde_json::json!({})).expect("every member of a connection has a default");
        let unknown = Connection {
            datasets_database: made_up.datasets_database,
            definer: made_up.user,
            databases: BTreeSet::new(),
        };
        Self { origin, connections, catalogs, unknown }
    }

    /// The connection of a dataset's sources; one with the usual names where it is not known.
    pub fn connection_of(&self, dataset: &AnalyticsDatasetSpec) -> &Connection {
        let first = dataset.definition.sources.first();
        let name = first.and_then(|source| source.source_id.split(':').next());
        name.and_then(|name| self.connections.get(name)).unwrap_or(&self.unknown)
    }

    /// A table by the parts of a source ID.
    ///
    /// # Errors
    /// If no tables are known, or not this one.
    pub fn table(&self, connection: &str, database: &str, name: &str) -> Result<&Table, CommandError> {
        if self.origin.is_none() {
            let how =
                "the columns are needed: give --config FILE or --snapshot FILE (from `analytics-catalog snapshot`)";
            return Err(CommandError::Usage(how.to_owned()));
        }
        let found = self.catalogs.get(connection).and_then(|catalog| catalog.table(database, name));
        found.ok_or_else(|| {
            let missing = self.missing_part(connection, database, name);
            let (message, help) = missing.map(|(_, message, help)| (message, help)).unwrap_or_default();
            CommandError::Usage(format!("{} {help}", message.trim_end_matches('.').to_owned() + "."))
        })
    }

    /// What is wrong with where a source says that its table is; nothing where tables are not known.
    pub fn missing(&self, source: &AnalyticsSourceSpec) -> Option<Diagnostic> {
        let (path, message, help) = self.missing_part(&source.connection, &source.database, &source.table)?;
        Some(Diagnostic::new(Code::TableNotFound, path, message).help(help))
    }

    /// Which part of a source ID is not there, in words, and what would have worked.
    fn missing_part(&self, connection: &str, database: &str, table: &str) -> Option<(&'static str, String, String)> {
        let origin = self.origin.as_ref()?;
        let place = match origin {
            Origin::Snapshot(path) => format!("The snapshot `{path}`"),
            Origin::Servers(path) => format!("The configuration `{path}`"),
        };
        let Some(known) = self.connections.get(connection) else {
            let names: Vec<&str> = self.connections.keys().map(String::as_str).collect();
            let message = format!("{place} has no connection `{connection}`.");
            return Some(("spec.connection", message, available(connection, &names, "connections")));
        };
        if !known.databases.contains(database) {
            let names: Vec<&str> = known.databases.iter().map(String::as_str).collect();
            let message = format!("{place} has no database `{database}` for sources.");
            return Some(("spec.database", message, available(database, &names, "databases")));
        }
        let catalog = self.catalogs.get(connection)?;
        if catalog.table(database, table).is_some() {
            return None;
        }
        let tables = catalog.tables.iter().filter(|table| table.database == database);
        let names: Vec<&str> = tables.map(|table| table.name.as_str()).collect();
        let mut help = available(table, &names, "tables");
        if let Origin::Snapshot(_) = origin {
            help.push_str(" A table that is newer than the snapshot needs a new snapshot.");
        }
        Some(("spec.table", format!("The database `{database}` has no table `{table}`."), help))
    }
}

/// A client of each connection of a configuration, under the operator's account, once its server is known to be new enough.
///
/// # Errors
/// If a password cannot be read, or a server does not answer or is too old.
pub async fn servers(configuration: &Configuration) -> Result<BTreeMap<String, Warehouse>, CommandError> {
    if configuration.connections.is_empty() {
        return Err(CommandError::NoConnections);
    }
    let mut warehouses = BTreeMap::new();
    for (name, connection) in &configuration.connections {
        if connection.has_no_server() {
            return Err(CommandError::NoUrl { connection: name.clone() });
        }
        let warehouse = Warehouse::over(&connection.endpoints()?);
        let failed = |cause| CommandError::Warehouse { connection: name.clone(), cause };
        let version = warehouse.version().await.map_err(failed)?;
        if version < OLDEST_SERVER {
            return Err(CommandError::TooOld { connection: name.clone(), version });
        }
        warehouses.insert(name.clone(), warehouse);
    }
    Ok(warehouses)
}
