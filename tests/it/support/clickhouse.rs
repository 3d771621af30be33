//! One ClickHouse for the whole run, and databases of its own for each test.
#![allow(dead_code, reason = "each test uses the part that it needs")]

use std::path::{Path, PathBuf};

use analytics_catalog::standalone::accounts::{self, GrantScope, ReaderLimits};
use analytics_catalog::standalone::engine::{Engine, EngineOptions, default_cache};
use analytics_catalog::standalone::statements;
use analytics_catalog::warehouse::{Endpoint, Warehouse};
use tokio::sync::OnceCell;

const CATALOG_PASSWORD: &str = "catalog-test-password";
const READER_PASSWORD: &str = "reader-test-password";
/// The password of the account `admin`.
pub const ADMIN_PASSWORD: &str = "admin-test-password";
/// The prefix of source databases; the operator's account may read all of them.
const SOURCES: &str = "s_";
/// The prefix of datasets databases; the query server's account may read all of them.
const DATASETS: &str = "d_";

/// The ClickHouse of this run. It ends with the process, because its process watches a pipe that we hold.
pub struct ClickHouse {
    engine: Engine,
    _folder: tempfile::TempDir,
}

static CLICKHOUSE: OnceCell<Result<ClickHouse, String>> = OnceCell::const_new();

/// The ClickHouse of this run; the first caller starts it.
pub async fn clickhouse() -> &'static ClickHouse {
    CLICKHOUSE.get_or_init(start).await.as_ref().unwrap_or_else(|problem| panic!("{problem}"))
}

async fn start() -> Result<ClickHouse, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (sources, datasets) = ([GrantScope::database_prefix(SOURCES)], [GrantScope::database_prefix(DATASETS)]);
    let options = EngineOptions {
        directory: folder.path().join("clickhouse"),
        cache: default_cache().ok_or("there is no cache folder: set HOME or ANALYTICS_CATALOG_CACHE")?,
        accounts: vec![
            accounts::catalog(CATALOG_PASSWORD, &sources, &datasets, &[]),
            accounts::reader(READER_PASSWORD, &datasets, ReaderLimits::default()),
            accounts::admin(ADMIN_PASSWORD),
        ],
        child_program: program(),
        ports: None,
    };
    let engine = Engine::start(options).await.map_err(|error| error.to_string())?;
    Ok(ClickHouse { engine, _folder: folder })
}

/// The program under test.
pub fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_analytics-catalog"))
}

impl ClickHouse {
    /// The URL of the HTTP interface.
    pub fn url(&self) -> String {
        self.engine.http_url()
    }

    /// Under the operator's account.
    pub fn catalog(&self) -> Warehouse {
        self.warehouse("catalog", CATALOG_PASSWORD)
    }

    /// Under the query server's account.
    pub fn reader(&self) -> Warehouse {
        self.warehouse("reader", READER_PASSWORD)
    }

    fn warehouse(&self, user: &str, password: &str) -> Warehouse {
        Warehouse::new(&Endpoint { url: self.url(), user: user.to_owned(), password: password.to_owned() })
    }

    /// Runs a statement as the administrator; the answer's text, or the server's words.
    pub async fn try_sql(&self, statement: &str) -> Result<String, String> {
        self.send("admin", ADMIN_PASSWORD, statement, &[]).await
    }

    /// Runs a statement as the administrator.
    #[track_caller]
    pub fn sql(&self, statement: impl Into<String>) -> impl Future<Output = String> {
        let statement = statement.into();
        async move { self.try_sql(&statement).await.unwrap_or_else(|problem| panic!("{statement}\n{problem}")) }
    }

    /// Runs a statement as the query server's account, with settings in the URL.
    pub async fn as_reader(&self, statement: &str, settings: &[(&str, &str)]) -> Result<String, String> {
        self.send("reader", READER_PASSWORD, statement, settings).await
    }

    async fn send(
        &self,
        user: &str,
        password: &str,
        statement: &str,
        settings: &[(&str, &str)],
    ) -> Result<String, String> {
        let request = reqwest::Client::new().post(self.url()).query(settings).basic_auth(user, Some(password));
        let answer = request.body(statement.to_owned()).send().await.map_err(|error| error.to_string())?;
        let (status, text) = (answer.status(), answer.text().await.map_err(|error| error.to_string())?);
        if status.is_success() { Ok(text) } else { Err(text) }
    }

    /// Databases for one test.
    pub async fn ground(&'static self) -> Ground {
        let id = &uuid::Uuid::new_v4().simple().to_string()[..10];
        let ground = Ground {
            clickhouse: self,
            wow: format!("{SOURCES}{id}_wow"),
            crm: format!("{SOURCES}{id}_crm"),
            datasets: format!("{DATASETS}{id}"),
        };
        for database in [&ground.wow, &ground.crm, &ground.datasets] {
            self.sql(format!("CREATE DATABASE {database}")).await;
        }
        ground
    }
}

/// The databases of one test.
pub struct Ground {
    /// The server.
    pub clickhouse: &'static ClickHouse,
    /// The physical name of the logical database `wow`.
    pub wow: String,
    /// The physical name of the logical database `crm`.
    pub crm: String,
    /// The database of the views.
    pub datasets: String,
}

impl Ground {
    /// Creates the tables of the examples, with their rows.
    pub async fn load_examples(&self) {
        let text = std::fs::read_to_string(examples().join("sample-data.sql")).expect("the examples have sample data");
        for statement in statements(&text) {
            self.clickhouse.sql(self.physical(&statement)).await;
        }
    }

    /// A statement with the logical databases `wow` and `crm` replaced by this test's.
    pub fn physical(&self, statement: &str) -> String {
        statement.replace("wow.", &format!("{}.", self.wow)).replace("crm.", &format!("{}.", self.crm))
    }

    /// Runs a statement over `wow` and `crm` as the administrator.
    pub async fn sql(&self, statement: &str) -> String {
        self.clickhouse.sql(self.physical(statement)).await
    }

    /// A configuration whose connection `default` has this test's databases.
    pub fn configuration(&self) -> serde_json::Value {
        serde_json::json!({
            "connections": { "default": {
                "url": self.clickhouse.url(),
                "user": "catalog",
                "passwordEnvironment": "TEST_CATALOG_PASSWORD",
                "reader": { "user": "reader", "passwordEnvironment": "TEST_READER_PASSWORD" },
                "databases": { "wow": self.wow, "crm": self.crm },
                "datasetsDatabase": self.datasets,
            } },
            "sourcePoll": "1s",
        })
    }

    /// The environment that the configuration's passwords stand in.
    pub fn environment(&self) -> [(&'static str, &'static str); 2] {
        [("TEST_CATALOG_PASSWORD", CATALOG_PASSWORD), ("TEST_READER_PASSWORD", READER_PASSWORD)]
    }
}

/// The folder of the examples.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}
