//! The ClickHouse of standalone: the one that the configuration names, or one of its own.

use std::collections::BTreeMap;
use std::path::Path;

use super::accounts::{self, GrantScope, ReaderLimits};
use super::engine::{Engine, EngineOptions, default_cache};
use super::{Options, StandaloneError};
use crate::configuration::Configuration;
use crate::controller::Connection;
use crate::sql::{Identifier, Sql};
use crate::warehouse::{Endpoint, Warehouse};

/// The name of the connection that standalone makes up where the configuration has none.
const DEFAULT_CONNECTION: &str = "default";

/// The ClickHouse of standalone.
pub struct Setup {
    engine: Option<Embedded>,
}

/// A ClickHouse that ends with this process.
struct Embedded {
    engine: Engine,
    connection: String,
    catalog_password: String,
    reader_password: String,
    admin_password: String,
}

impl Setup {
    /// Starts a ClickHouse where the configuration names none, and has it run the setup.
    pub(super) async fn prepare(configuration: &mut Configuration, options: &Options) -> Result<Self, StandaloneError> {
        if configuration.connections.is_empty() {
            let made_up =
                serde_json::from_value(serde_json::json!({})).expect("every member of a connection has a default");
            configuration.connections.insert(DEFAULT_CONNECTION.to_owned(), made_up);
        }
        let without: Vec<String> = configuration
            .connections
            .iter()
            .filter(|(_, connection)| connection.has_no_server())
            .map(|(name, _)| name.clone())
            .collect();
        let Some(name) = without.first() else { return Ok(Self { engine: None }) };
        let connection = configuration.connections.get_mut(name).expect("the name comes from the map");
        let password = || uuid::Uuid::new_v4().simple().to_string();
        let (catalog_password, reader_password, admin_password) = (password(), password(), password());
        let sources: Vec<GrantScope> =
            connection.databases.values().map(|database| GrantScope::database(database)).collect();
        let datasets = [GrantScope::database(&connection.datasets_database)];
        let accounts = vec![
            accounts::catalog(&catalog_password, &sources, &datasets, &[]),
            accounts::reader(&reader_password, &datasets, ReaderLimits::default()),
            accounts::admin(&admin_password),
        ];
        (connection.user, connection.reader.user) = ("catalog".to_owned(), "reader".to_owned());
        let engine = Engine::start(EngineOptions {
            directory: options.state.join("clickhouse"),
            cache: default_cache().unwrap_or_else(|| options.state.join("cache")),
            accounts,
            child_program: options.program.clone(),
            ports: None,
        })
        .await?;
        connection.url = engine.http_url();
        let datasets_database = connection.datasets_database.clone();
        let databases: Vec<String> = connection.databases.values().cloned().collect();
        let embedded = Embedded { engine, connection: name.clone(), catalog_password, reader_password, admin_password };
        embedded.create_databases(databases.iter().chain([&datasets_database])).await?;
        for path in &options.setup_sql {
            embedded.run_file(path).await?;
        }
        Ok(Self { engine: Some(embedded) })
    }

    /// The connections, the embedded one with its own accounts.
    pub(super) fn connections(&self, mut connections: BTreeMap<String, Connection>) -> BTreeMap<String, Connection> {
        if let Some(embedded) = &self.engine
            && let Some(connection) = connections.get_mut(&embedded.connection)
        {
            connection.warehouse = embedded.warehouse("catalog", &embedded.catalog_password);
            connection.reader = embedded.warehouse("reader", &embedded.reader_password);
        }
        connections
    }

    /// The URL of the embedded ClickHouse, for the person who started it.
    pub fn embedded(&self) -> Option<String> {
        self.engine.as_ref().map(|embedded| embedded.engine.http_url())
    }

    /// Ends the embedded ClickHouse.
    pub(super) async fn stop(self) {
        if let Some(embedded) = self.engine {
            embedded.engine.stop().await;
        }
    }
}

impl Embedded {
    fn warehouse(&self, user: &str, password: &str) -> Warehouse {
        Warehouse::new(&Endpoint { url: self.engine.http_url(), user: user.to_owned(), password: password.to_owned() })
    }

    async fn create_databases<'a>(&self, names: impl Iterator<Item = &'a String>) -> Result<(), StandaloneError> {
        let admin = self.warehouse("admin", &self.admin_password);
        for name in names {
            let statement = Sql::rendered(format!("CREATE DATABASE IF NOT EXISTS {}", Identifier::new(name)));
            admin.execute(&statement).await.map_err(|cause| StandaloneError::Setup {
                path: name.into(),
                number: 1,
                cause: cause.to_string(),
            })?;
        }
        Ok(())
    }

    /// Runs the statements of a file, each ended by a semicolon at the end of a line.
    async fn run_file(&self, path: &Path) -> Result<(), StandaloneError> {
        let text =
            std::fs::read_to_string(path).map_err(|cause| StandaloneError::Path { path: path.to_owned(), cause })?;
        let admin = self.warehouse("admin", &self.admin_password);
        for (index, statement) in statements(&text).into_iter().enumerate() {
            // The file is the administrator's own; it is not ours to quote.
            admin.execute(&Sql::rendered(statement)).await.map_err(|cause| StandaloneError::Setup {
                path: path.to_owned(),
                number: index + 1,
                cause: cause.to_string(),
            })?;
        }
        Ok(())
    }
}

/// The statements of a text, each ended by a semicolon at the end of a line; lines that begin with `--` are left out.
pub fn statements(text: &str) -> Vec<String> {
    let without_comments: String =
        text.lines().filter(|line| !line.trim_start().starts_with("--")).map(|line| format!("{line}\n")).collect();
    without_comments
        .split(";\n")
        .map(|statement| statement.trim().to_owned())
        .filter(|statement| !statement.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_with_a_semicolon_at_the_end_of_a_line() {
        assert_eq!(statements("-- a; b;\nSELECT ';';\nSELECT\n  2;\n"), ["SELECT ';'", "SELECT\n  2"]);
    }
}
