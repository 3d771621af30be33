//! The generated world on a real server: its tables, what is declared of them, and the views made over them.

use std::collections::BTreeMap;
use std::sync::Arc;

use analytics_catalog::api::sensitivity::Sensitivity;
use analytics_catalog::catalog::Catalog;
use analytics_catalog::compile::{CompileInput, CompiledDataset, SourceInForce, compile, lines};
use analytics_catalog::plan::ddl;
use analytics_catalog::plan::revision::Version;
use analytics_catalog::sql::Identifier;
use serde_json::json;

use super::expected::Scope;
use super::generate::Definition;
use super::rows::{self, Foreign};
use super::tables::{self, Model, Table};
use crate::support::clickhouse::{Connections, Ground, clickhouse};
use crate::support::filters::Chance;

/// All tables with their rows, on a server.
#[derive(Clone)]
pub struct World {
    pub ground: Arc<Ground>,
    pub tables: Vec<Table>,
    pub connections: Connections,
    sources: BTreeMap<String, SourceInForce>,
    catalogs: BTreeMap<String, Catalog>,
}

/// A view that was created.
pub struct View {
    /// Database and name, quoted.
    pub name: String,
    pub compiled: CompiledDataset,
}

impl World {
    pub async fn create(seed: u64, foreign: Foreign) -> Self {
        let ground = clickhouse().await.ground().await;
        let connections = ground.clickhouse.connections();
        let (mut tables, mut chance) = (tables::all(), Chance::new(seed));
        let mut sources = BTreeMap::new();
        for table in &mut tables {
            ground.sql(&table.create()).await;
            let name = format!("{}.{}", ground.wow, table.base());
            if table.model != Model::Memory {
                ground.clickhouse.sql(format!("SYSTEM STOP MERGES {name}")).await;
            }
            for part in rows::fill(table, &mut chance, foreign).iter().filter(|part| !part.is_empty()) {
                let lines: Vec<String> = part.iter().map(ToString::to_string).collect();
                ground.clickhouse.sql(format!("INSERT INTO {name} FORMAT JSONEachRow\n{}", lines.join("\n"))).await;
            }
            if let Some(view) = table.create_view() {
                ground.sql(&view).await;
            }
            let declaration = table.declaration(&rows::tenants(table.family()));
            let declaration = serde_json::from_value(declaration).expect("a source");
            sources.insert(table.source_id(), SourceInForce { declaration, not_ready: None });
        }
        let databases = BTreeMap::from([("wow".to_owned(), ground.wow.clone())]);
        let catalog =
            ground.clickhouse.catalog().read_catalog(&databases, None).await.expect("the catalog can be read");
        let catalogs = BTreeMap::from([("default".to_owned(), catalog)]);
        Self { ground: Arc::new(ground), tables, connections, sources, catalogs }
    }

    /// Compiles a definition; the diagnostics if it is refused.
    pub fn compile(&self, definition: &Definition) -> Result<CompiledDataset, String> {
        compile(&CompileInput {
            spec: &definition.spec,
            sources: &self.sources,
            catalogs: &self.catalogs,
            datasets_database: &self.ground.datasets,
            served_fingerprints: &[],
        })
        .map_err(|found| format!("it does not compile: {}", lines(&found)))
    }

    /// Creates the view of a definition as the operator does; `change` may spoil the statement.
    pub async fn publish(&self, definition: &Definition, change: fn(&str) -> String) -> Result<View, String> {
        let compiled = self.compile(definition)?;
        let record = compiled.record(&definition.spec, &self.ground.datasets, 1);
        let (database, name) = (Identifier::new(&record.view.database), Identifier::new(&record.view.name));
        let name = format!("{database}.{name}");
        let version = Version::of(&definition.spec, &compiled, record, Vec::new());
        for piece in ddl::pieces(&version, "catalog", "tests") {
            let statement = change(piece.statement.as_str());
            self.connections.as_catalog(&statement).await.map_err(|error| format!("create: {error}"))?;
        }
        Ok(View { name, compiled })
    }

    pub async fn remove(&self, view: &View) -> Result<(), String> {
        let statement = format!("DROP VIEW {} SYNC", view.name);
        self.connections.as_catalog(&statement).await.map(drop).map_err(|error| format!("drop: {error}"))
    }

    /// The text of the tenant of a definition's subject.
    pub fn tenant(&self, definition: &Definition, tenant: usize) -> String {
        rows::tenants(self.tables[definition.sources[0].1].family())[tenant].clone()
    }

    /// Declares every value public, to see that what is looked for can be found.
    pub fn declare_public(&mut self) {
        for source in self.sources.values_mut() {
            for column in &mut source.declaration.columns {
                column.sensitivity = Some(Sensitivity::PUBLIC);
            }
        }
    }

    /// A scope as the query server states it.
    pub fn stated(&self, definition: &Definition, scope: &Scope) -> String {
        let tenant = self.tenant(definition, scope.tenant);
        json!({ "tenant": tenant, "owner": scope.owner, "space": scope.space }).to_string()
    }

    /// A definition as YAML, to become a case, with what finds it again.
    pub fn shown(&self, definition: &Definition) -> String {
        let sources: BTreeMap<_, _> = definition
            .sources
            .iter()
            .map(|(_, place)| {
                let table = &self.tables[*place];
                (table.source_id(), format!("{:?} of {:?}, limits {:?}", table.model, table.tenancy, table.limits))
            })
            .collect();
        format!("{}\nsources: {sources:?}", serde_saphyr::to_string(&definition.spec).expect("a definition is YAML"))
    }
}
