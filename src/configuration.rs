//! The configuration file and its environment variables (design 2).
//!
//! Every key can be given as `ANALYTICS_CATALOG__<PATH>`, parts of the path separated by two underscores and words by one:
//! `ANALYTICS_CATALOG__CONNECTIONS__DEFAULT__PASSWORD_FILE`. Unknown keys are errors. Secrets are never in the file: it
//! names the file or the environment variable that holds them, and they are never printed.

mod connection;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::api::interval;
use crate::plan::ApprovalMode;
use crate::query::Limits;

pub use connection::{ConnectionConfiguration, NodeConfiguration, PasswordConfiguration, ReaderConfiguration};

/// The prefix of the environment variables.
const ENVIRONMENT_PREFIX: &str = "ANALYTICS_CATALOG__";

/// The longest execution that the profile of the query server's account allows (`sql/02-profiles.sql`).
const LONGEST_EXECUTION: SignedDuration = SignedDuration::from_mins(10);
/// The shortest interval at which anything is looked at again.
const SHORTEST_INTERVAL: SignedDuration = SignedDuration::from_millis(100);

/// The whole configuration.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Configuration {
    /// The ClickHouse connections by name.
    #[serde(default)]
    pub connections: BTreeMap<String, ConnectionConfiguration>,
    /// How changes are approved.
    #[serde(default)]
    pub approval: ApprovalConfiguration,
    /// How long superseded and withdrawn versions keep their views.
    #[serde(default = "default_retention", deserialize_with = "interval")]
    #[schemars(with = "String", extend("format" = "interval"))]
    pub version_retention: SignedDuration,
    /// How often everything is looked at again.
    #[serde(default = "default_resync", deserialize_with = "interval")]
    #[schemars(with = "String", extend("format" = "interval"))]
    pub resync: SignedDuration,
    /// How often tables are looked at.
    #[serde(default = "default_source_poll", deserialize_with = "interval")]
    #[schemars(with = "String", extend("format" = "interval"))]
    pub source_poll: SignedDuration,
    /// How many objects of a kind are reconciled at a time.
    #[serde(default = "default_concurrency")]
    pub concurrency: u16,
    /// The namespaces whose objects the operator looks at; default: all.
    #[serde(default)]
    pub watch_namespaces: Vec<String>,
    /// The name of this installation in the marks of its views; default: the cluster's and the operator's namespace.
    #[serde(default)]
    pub installation: Option<String>,
    /// What the operator finds its guard policies by.
    #[serde(default)]
    pub guards: GuardConfiguration,
    /// The query server.
    #[serde(default)]
    pub serve: ServeConfiguration,
}

/// How changes are approved.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalConfiguration {
    /// `Annotation` (the default in a cluster) or `Automatic` (standalone only, its default).
    #[serde(default)]
    pub mode: Option<ConfiguredMode>,
}

/// A mode as it is configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub enum ConfiguredMode {
    Annotation,
    Automatic,
}

impl From<ConfiguredMode> for ApprovalMode {
    fn from(mode: ConfiguredMode) -> Self {
        match mode {
            ConfiguredMode::Annotation => Self::Annotation,
            ConfiguredMode::Automatic => Self::Automatic,
        }
    }
}

/// What the operator finds its guard policies by; the chart fills it in.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GuardConfiguration {
    /// The Helm release, with which the policies' names start.
    #[serde(default = "default_release")]
    pub release: String,
    /// The operator's service account, in the operator's namespace.
    #[serde(default = "default_release")]
    pub service_account: String,
    /// Service accounts that may approve, by their full user names.
    #[serde(default)]
    pub approving_service_accounts: Vec<String>,
}

impl Default for GuardConfiguration {
    fn default() -> Self {
        Self { release: default_release(), service_account: default_release(), approving_service_accounts: Vec::new() }
    }
}

/// The query server.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServeConfiguration {
    /// The namespaces whose datasets are served; default: the server's own.
    #[serde(default)]
    pub namespaces: Vec<String>,
    /// The address of the query routes. The loopback, because scope headers are data, not proof.
    #[serde(default = "default_listen")]
    pub listen: String,
    /// The address of the admin routes, for the operator too; default: `0.0.0.0:8081`, and in standalone none.
    #[serde(default)]
    pub admin_listen: Option<String>,
    /// Further names that a caller may put into `Host`; the loopback's names are always allowed.
    #[serde(default)]
    pub allowed_hosts: Vec<String>,
    /// How many queries run at a time.
    #[serde(default = "default_max_concurrent")]
    pub max_concurrent: usize,
    /// How long a further query waits for its turn.
    #[serde(default = "default_queue_wait", deserialize_with = "interval")]
    #[schemars(with = "String", extend("format" = "interval"))]
    pub queue_wait: SignedDuration,
    /// The longest execution of a query: up to 10 minutes, which is what the query server's account may ask for.
    #[serde(default = "default_execution_time", deserialize_with = "interval")]
    #[schemars(with = "String", extend("format" = "interval"))]
    pub max_execution_time: SignedDuration,
    /// How long ClickHouse may be silent between the rows of an answer; then the answer is broken off.
    #[serde(default = "default_idle_timeout", deserialize_with = "interval")]
    #[schemars(with = "String", extend("format" = "interval"))]
    pub idle_timeout: SignedDuration,
    /// How long a caller may take to send a query.
    #[serde(default = "default_deadline", deserialize_with = "interval")]
    #[schemars(with = "String", extend("format" = "interval"))]
    pub body_deadline: SignedDuration,
    /// How long an answer waits for a caller who does not read on; then the connection is cut.
    #[serde(default = "default_deadline", deserialize_with = "interval")]
    #[schemars(with = "String", extend("format" = "interval"))]
    pub write_deadline: SignedDuration,
    /// The longest that a record answers without being confirmed.
    #[serde(default = "default_record_age", deserialize_with = "interval")]
    #[schemars(with = "String", extend("format" = "interval"))]
    pub max_record_age: SignedDuration,
    /// The file that keeps the records over a restart.
    #[serde(default)]
    pub snapshot: Option<PathBuf>,
    /// The bounds of a query; see the query language's part 1.9.
    #[serde(default)]
    pub limits: Limits,
}

impl Default for ServeConfiguration {
    fn default() -> Self {
        serde_json::from_value(Value::Object(serde_json::Map::new())).expect("every member has a default")
    }
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigurationError {
    /// The file cannot be read.
    #[error("the configuration `{}` cannot be read: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        cause: std::io::Error,
    },
    /// The text is no YAML.
    #[error("the configuration `{}` is not YAML: {cause}", path.display())]
    NotYaml {
        /// The file.
        path: PathBuf,
        /// The parser's reason.
        cause: String,
    },
    /// A key or value is not one of ours.
    #[error("the configuration is wrong at `{path}`: {cause}")]
    Wrong {
        /// Where.
        path: String,
        /// What.
        cause: String,
    },
    /// A secret is not where the configuration says.
    #[error("the password of `{account}` cannot be read from {place}: {cause}")]
    Secret {
        /// The account.
        account: String,
        /// The file or variable.
        place: String,
        /// The reason; never the value.
        cause: String,
    },
}

impl Configuration {
    /// Reads the file, if one is given, and lays the environment over it.
    ///
    /// # Errors
    /// If the file cannot be read, or a key is unknown or has a wrong value.
    pub fn load(
        path: Option<&Path>,
        environment: impl Iterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigurationError> {
        let mut value = match path {
            None => Value::Object(serde_json::Map::new()),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|cause| ConfigurationError::Unreadable { path: path.to_owned(), cause })?;
                serde_saphyr::from_str(&text).map_err(|cause| {
                    // Without the lines around it: an address may hold a password.
                    let cause = cause.without_snippet().to_string();
                    ConfigurationError::NotYaml { path: path.to_owned(), cause }
                })?
            }
        };
        // Others' variables may hold anything; ours are text.
        for (name, text) in environment.filter_map(|(name, text)| Some((name.into_string().ok()?, text))) {
            if let Some(path) = name.strip_prefix(ENVIRONMENT_PREFIX) {
                let text = text.into_string().map_err(|_| ConfigurationError::Wrong {
                    path: name.clone(),
                    cause: "the value of this environment variable is no text".to_owned(),
                })?;
                overlay(&mut value, path, &text);
            }
        }
        Self::from_value(value)
    }

    fn from_value(value: Value) -> Result<Self, ConfigurationError> {
        let configuration: Self = serde_path_to_error::deserialize(value).map_err(|error| {
            let path = error.path().to_string();
            ConfigurationError::Wrong { cause: with_keys(&path, error.inner().to_string()), path }
        })?;
        configuration.check_names()?;
        for (name, connection) in &configuration.connections {
            connection.check().map_err(|(key, cause)| ConfigurationError::Wrong {
                path: format!("connections.{name}.{key}"),
                cause,
            })?;
        }
        configuration.serve.check()?;
        configuration.check_operator()?;
        Ok(configuration)
    }

    /// What would make the operator spin, or stand still, or its guards another text than the chart's.
    fn check_operator(&self) -> Result<(), ConfigurationError> {
        let wrong = |path: &str, cause: String| Err(ConfigurationError::Wrong { path: path.to_owned(), cause });
        for (path, interval) in [("resync", self.resync), ("sourcePoll", self.source_poll)] {
            if interval < SHORTEST_INTERVAL {
                return wrong(path, format!("`{interval:#}` is too short: at least `100ms` is needed"));
            }
        }
        if self.concurrency == 0 {
            return wrong("concurrency", "at least 1 is needed, or nothing is ever reconciled".to_owned());
        }
        let guards = &self.guards;
        let accounts =
            guards.approving_service_accounts.iter().map(|account| ("approvingServiceAccounts", account, ":"));
        let names = [("release", &guards.release, ""), ("serviceAccount", &guards.service_account, "")];
        for (key, name, also) in names.into_iter().chain(accounts) {
            if !is_name(name, also) {
                let cause = format!("`{name}` is no name: lower-case letters, digits, `-` and `.` make one");
                return wrong(&format!("guards.{key}"), cause);
            }
        }
        Ok(())
    }

    /// A source is named `<connection>:<database>:<table>`: with a colon in the first two, two tables had one name.
    fn check_names(&self) -> Result<(), ConfigurationError> {
        for (name, connection) in &self.connections {
            let connections = std::iter::once(("connections".to_owned(), name));
            let databases =
                connection.databases.keys().map(|name_of| (format!("connections.{name}.databases"), name_of));
            for (path, name) in connections.chain(databases) {
                if name.is_empty() || name.contains(':') {
                    let cause = format!(
                        "`{name}` is no name: it must not be empty or hold a colon. Give the database a logical name, as in `{{sales: \"db:1\"}}`."
                    );
                    return Err(ConfigurationError::Wrong { path, cause });
                }
            }
        }
        Ok(())
    }
}

impl ServeConfiguration {
    /// The address of the admin routes in a cluster.
    pub fn admin_address(&self) -> &str {
        self.admin_listen.as_deref().unwrap_or("0.0.0.0:8081")
    }

    /// Longer than the account may ask for, every query would be refused.
    fn check(&self) -> Result<(), ConfigurationError> {
        if self.max_execution_time <= LONGEST_EXECUTION {
            return Ok(());
        }
        let cause = "the account `reader` may ask for up to 10 minutes (`max_execution_time` in its profile), so every \
                     longer query would be refused. State `10m` or less.";
        Err(ConfigurationError::Wrong { path: "serve.maxExecutionTime".to_owned(), cause: cause.to_owned() })
    }
}

/// Whether a text can be the name of an object in Kubernetes; `also` are further characters that it may hold.
pub(crate) fn is_name(text: &str, also: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c) || also.contains(c);
    !text.is_empty() && text.chars().all(allowed)
}

/// An error with the keys that there are. Where a password may stand, serde does not know them all.
fn with_keys(path: &str, cause: String) -> String {
    if !cause.starts_with("unknown field") || cause.contains("expected") {
        return cause;
    }
    let schema = match path.contains(".reader") {
        true => schemars::schema_for!(ReaderConfiguration),
        false => schemars::schema_for!(ConnectionConfiguration),
    };
    let keys = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(serde_json::Map::keys);
    format!("{cause}, expected one of {}", keys.map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", "))
}

/// Sets the value at a path of an environment variable's name.
fn overlay(value: &mut Value, path: &str, text: &str) {
    let mut place = value;
    for part in path.split("__") {
        if !place.is_object() {
            *place = Value::Object(serde_json::Map::new());
        }
        let Some(members) = place.as_object_mut() else { return };
        let key = camel_case(part);
        place = members.entry(key).or_insert(Value::Null);
    }
    // Numbers, booleans and lists are given as JSON; everything else is a text.
    *place = serde_json::from_str(text)
        .ok()
        .filter(|parsed: &Value| !parsed.is_null())
        .unwrap_or_else(|| Value::String(text.to_owned()));
}

fn camel_case(part: &str) -> String {
    let mut words = part.split('_').map(str::to_lowercase);
    let first = words.next().unwrap_or_default();
    words.fold(first, |mut text, word| {
        let mut characters = word.chars();
        text.extend(characters.next().map(|character| character.to_ascii_uppercase()));
        text.extend(characters);
        text
    })
}

/// An interval such as `500ms`, `5m` or `7d`; a day has 24 hours.
fn interval<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SignedDuration, D::Error> {
    let text = String::deserialize(deserializer)?;
    interval::parse(&text).map_err(serde::de::Error::custom)
}

fn default_deadline() -> SignedDuration {
    SignedDuration::from_secs(30)
}

fn default_release() -> String {
    "analytics-catalog".to_owned()
}

fn default_retention() -> SignedDuration {
    SignedDuration::from_hours(7 * 24)
}

fn default_resync() -> SignedDuration {
    SignedDuration::from_mins(5)
}

fn default_source_poll() -> SignedDuration {
    SignedDuration::from_secs(5)
}

fn default_concurrency() -> u16 {
    4
}

fn default_listen() -> String {
    "127.0.0.1:8080".to_owned()
}

fn default_max_concurrent() -> usize {
    8
}

fn default_queue_wait() -> SignedDuration {
    SignedDuration::from_millis(500)
}

fn default_execution_time() -> SignedDuration {
    SignedDuration::from_secs(30)
}

fn default_idle_timeout() -> SignedDuration {
    SignedDuration::from_secs(10)
}

fn default_record_age() -> SignedDuration {
    SignedDuration::from_hours(24)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(yaml: &str, environment: &[(&str, &str)]) -> Result<Configuration, ConfigurationError> {
        let folder = std::env::temp_dir().join(format!("configuration-{}", uuid::Uuid::new_v4()));
        std::fs::write(&folder, yaml).expect("the temporary folder can be written");
        let environment = environment.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let loaded = Configuration::load(Some(&folder), environment);
        std::fs::remove_file(&folder).expect("it was written");
        loaded
    }

    #[test]
    fn the_environment_lies_over_the_file() {
        let yaml = "connections:\n  default: {url: 'http://a:8123', databases: [wow]}\nversionRetention: 2d\n";
        let environment = [
            ("ANALYTICS_CATALOG__CONNECTIONS__DEFAULT__URL", "http://b:8123"),
            ("ANALYTICS_CATALOG__SERVE__MAX_CONCURRENT", "3"),
            ("OTHER", "x"),
        ];
        let loaded = load(yaml, &environment).expect("a configuration");
        assert_eq!(loaded.connections["default"].url, "http://b:8123");
        assert_eq!(loaded.connections["default"].databases["wow"], "wow");
        assert_eq!(loaded.serve.max_concurrent, 3);
        assert_eq!(loaded.version_retention, SignedDuration::from_hours(48));
    }

    #[test]
    fn an_unknown_key_and_a_wrong_value_say_where() {
        let unknown = load("connections: {}\nversionRetension: 2d\n", &[]).expect_err("a typo").to_string();
        assert!(unknown.contains("versionRetension"), "{unknown}");
        for (text, known) in
            [("urll: x", "`url`, `user`"), ("reader: {usr: x}", "`user`"), ("reader: {url: x}", "`user`")]
        {
            let unknown = load(&format!("connections: {{default: {{{text}}}}}"), &[]).expect_err("a typo").to_string();
            assert!(unknown.contains("connections.default") && unknown.contains(known), "{unknown}");
            assert!(!text.starts_with("reader") || !unknown.contains("`databases`"), "{unknown}");
        }
        let wrong = load("sourcePoll: often\n", &[]).expect_err("no interval").to_string();
        assert!(wrong.contains("sourcePoll") && wrong.contains("`5m`"), "{wrong}");
    }

    #[test]
    fn an_execution_that_every_query_would_be_refused_for_is_refused_at_the_start() {
        assert!(load("serve: {maxExecutionTime: 10m}\n", &[]).is_ok());
        let long = load("serve: {maxExecutionTime: 601s}\n", &[]).expect_err("too long").to_string();
        assert!(long.contains("serve.maxExecutionTime") && long.contains("`10m`"), "{long}");
    }

    #[test]
    fn what_would_make_the_operator_spin_or_stand_still_is_refused() {
        for (yaml, place) in [
            ("resync: 0s", "`resync`"),
            ("sourcePoll: 99ms", "`sourcePoll`"),
            ("concurrency: 0", "`concurrency`"),
            ("guards: {release: 'a: b'}", "`guards.release`"),
            ("guards: {serviceAccount: ''}", "`guards.serviceAccount`"),
            ("guards: {approvingServiceAccounts: [\"a\\nb\"]}", "`guards.approvingServiceAccounts`"),
        ] {
            let refused = load(yaml, &[]).expect_err(yaml).to_string();
            assert!(refused.contains(place), "{yaml}: {refused}");
        }
        let accounts = "guards: {approvingServiceAccounts: ['system:serviceaccount:gitops:approver']}\nresync: 100ms\n";
        load(accounts, &[]).expect("a configuration");
    }

    #[cfg(unix)]
    #[test]
    fn a_variable_that_is_no_text_is_refused_if_it_is_ours() {
        use std::os::unix::ffi::OsStringExt as _;
        let broken = || OsString::from_vec(vec![0xff]);
        let with = |name: &str| Configuration::load(None, [(OsString::from(name), broken())].into_iter());
        with("OTHER").expect("it is nothing to us");
        assert!(with("ANALYTICS_CATALOG__RESYNC").expect_err("no text").to_string().contains("RESYNC"));
    }
}
