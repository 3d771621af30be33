//! The operator and the query server as processes of their own, as in a cluster: each with its service account's token.
#![allow(dead_code, reason = "each test uses the part that it needs")]

use std::fs::File;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::clickhouse::{Ground, program};
use super::cluster::{OPERATIONS, Room, allowed, plane};

/// How long anything may take before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A process of the program, ended when it is dropped.
pub struct Process {
    child: Child,
    folder: tempfile::TempDir,
}

impl Process {
    fn start(role: &str, arguments: &[&str], configuration: &Value, environment: &[(&str, String)]) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let config = folder.path().join("configuration.yaml");
        std::fs::write(&config, configuration.to_string()).expect("the folder was just made");
        let log = File::create(folder.path().join("log")).expect("the folder was just made");
        let mut command = Command::new(program());
        command.arg(role).arg("--config").arg(&config).args(arguments).env_remove("KUBECONFIG");
        command.envs(environment.iter().map(|(name, value)| (*name, value.as_str())));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        Self { child: command.spawn().expect("the program under test can be started"), folder }
    }

    /// What the process logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Ends the process at once, as a crash does.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The process identifier.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.log());
        }
        self.kill();
    }
}

/// A free loopback port; another process may take it before it is used.
pub fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback has a free port");
    listener.local_addr().expect("it is bound").to_string()
}

fn environment(ground: &Ground, kubeconfig: PathBuf) -> Vec<(&'static str, String)> {
    let passwords = ground.environment().into_iter().map(|(name, value)| (name, value.to_owned()));
    passwords.chain([("KUBECONFIG", kubeconfig.to_string_lossy().into_owned())]).collect()
}

/// Starts the operator for one namespace, as its service account. `overlay` is laid over the configuration.
pub async fn operator(room: &Room, ground: &Ground, overlay: Value) -> Process {
    let mut configuration = ground.configuration();
    merge(
        &mut configuration,
        json!({
            "watchNamespaces": [room.namespace],
            "resync": "2s",
            "guards": {
                "release": super::cluster::RELEASE,
                "serviceAccount": super::cluster::RELEASE,
                "approvingServiceAccounts": [super::cluster::APPROVING_ACCOUNT],
            },
            "serve": { "adminListen": free_address() },
        }),
    );
    merge(&mut configuration, overlay);
    place(&mut configuration, room);
    let kubeconfig = plane().await.kubeconfig("operator");
    Process::start("controller", &["--namespace", OPERATIONS], &configuration, &environment(ground, kubeconfig))
}

/// A query server beside an application of a namespace.
pub struct Server {
    /// The process.
    pub process: Process,
    /// The URL of its query routes.
    pub url: String,
    /// The URL of its admin routes.
    pub admin: String,
    client: reqwest::Client,
}

/// Starts the query server of a namespace, as a service account that may only read datasets there.
pub async fn server(room: &Room, ground: &Ground, overlay: Value) -> Server {
    let account = format!("{}:application", room.namespace);
    for args in [
        vec!["create", "serviceaccount", "application"],
        vec![
            "create",
            "rolebinding",
            "application",
            "--clusterrole",
            "catalog-sidecar-reader",
            "--serviceaccount",
            &account,
        ],
    ] {
        let output = room.kubectl("admin", &args, None).await;
        let exists = String::from_utf8_lossy(&output.stderr).contains("already exists");
        if !exists {
            allowed(&output);
        }
    }
    let token = allowed(&room.kubectl("admin", &["create", "token", "application"], None).await);
    let user: &'static str = Box::leak(format!("application-{}", room.namespace).into_boxed_str());
    let kubeconfig = plane().await.kubeconfig_with_token(user, token.trim());
    let (listen, admin) = (free_address(), free_address());
    let mut configuration = ground.configuration();
    merge(&mut configuration, json!({ "serve": { "listen": listen, "adminListen": admin } }));
    merge(&mut configuration, overlay);
    place(&mut configuration, room);
    let process =
        Process::start("serve", &["--namespace", room.namespace], &configuration, &environment(ground, kubeconfig));
    let server = Server {
        process,
        url: format!("http://{listen}"),
        admin: format!("http://{admin}"),
        client: reqwest::Client::new(),
    };
    server.until_ready().await;
    server
}

impl Server {
    async fn until_ready(&self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = self.client.get(format!("{}/readyz", self.admin)).send().await;
            if answer.is_ok_and(|answer| answer.status().is_success()) {
                return;
            }
            assert!(Instant::now() < deadline, "the query server is not ready:\n{}", self.process.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Sends a query for a tenant; status, version and body.
    pub async fn query(&self, dataset: &str, tenant: Option<&str>, body: &Value) -> Answer {
        let url = format!("{}/wow/dataset/{}/query", self.url, dataset.replace('.', "/"));
        let mut request = self.client.post(url).json(body).timeout(PATIENCE);
        if let Some(tenant) = tenant {
            request = request.header("Command-Tenant-Id", tenant);
        }
        let answer = request.send().await.expect("the query server answers");
        let version = answer.headers().get("wow-dataset-version").and_then(|value| value.to_str().ok()?.parse().ok());
        let status = answer.status().as_u16();
        let body = answer.json().await.expect("every answer is JSON and whole");
        Answer { status, version, body }
    }

    /// Sends a query again and again until its answer is as wished.
    pub async fn query_until(
        &self,
        dataset: &str,
        tenant: &str,
        body: &Value,
        what: &str,
        holds: impl Fn(&Answer) -> bool,
    ) -> Answer {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let answer = self.query(dataset, Some(tenant), body).await;
            if holds(&answer) {
                return answer;
            }
            assert!(Instant::now() < deadline, "{what}: not so: {answer:?}\n{}", self.process.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// An answer of the query server.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The version that answered.
    pub version: Option<u64>,
    /// The body.
    pub body: Value,
}

impl Answer {
    /// The values of one member of all rows.
    pub fn column(&self, name: &str) -> Vec<&Value> {
        let rows = self.body.as_array().map(Vec::as_slice).unwrap_or_default();
        rows.iter().map(|row| &row[name]).collect()
    }

    /// The error code.
    pub fn error_code(&self) -> &str {
        self.body["errorCode"].as_str().unwrap_or_default()
    }
}

/// Waits until the JSON of an object is as wished, and gives it.
pub async fn object_until(room: &Room, object: &str, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let output = room.kubectl("admin", &["get", object, "-o", "json"], None).await;
        let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        if holds(&value) {
            return value;
        }
        assert!(
            Instant::now() < deadline,
            "{what}: not so:\n{}",
            serde_json::to_string_pretty(&value["status"]).unwrap_or_default()
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The condition of a type.
pub fn condition<'v>(object: &'v Value, kind: &str) -> &'v Value {
    let conditions = object["status"]["conditions"].as_array().map(Vec::as_slice).unwrap_or_default();
    conditions.iter().find(|condition| condition["type"] == kind).unwrap_or(&Value::Null)
}

/// Whether `Ready` has a reason, for the generation that the object has now.
pub fn is_ready_with(object: &Value, reason: &str) -> bool {
    object["status"]["observedGeneration"] == object["metadata"]["generation"]
        && condition(object, "Ready")["reason"] == reason
}

/// YAML whose connection `default` is the room's own: tests share one operator namespace, and with it the history, so a
/// source ID must belong to one test.
pub fn placed(yaml: &str, room: &Room) -> String {
    yaml.replace("connection: default", &format!("connection: {}", room.namespace))
        .replace("default:", &format!("{}:", room.namespace))
}

/// Names the connection of a configuration after the room; see [`placed`].
fn place(configuration: &mut Value, room: &Room) {
    let connections = configuration["connections"].as_object_mut().expect("a configuration has connections");
    if let Some(connection) = connections.remove("default") {
        connections.insert(room.namespace.to_owned(), connection);
    }
}

/// Lays one value over another, member by member.
fn merge(value: &mut Value, overlay: Value) {
    match (value, overlay) {
        (Value::Object(members), Value::Object(overlay)) => {
            for (name, overlay) in overlay {
                merge(members.entry(name).or_insert(Value::Null), overlay);
            }
        }
        (value, overlay) => *value = overlay,
    }
}
