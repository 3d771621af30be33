//! `serve` as a process of its own, without an API server: it answers from a snapshot file (design 6.2).

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::clickhouse::{Ground, program};
use crate::support::roles::free_address;

const PATIENCE: Duration = Duration::from_secs(60);

/// A running `serve`; ends with the value.
pub struct Served {
    process: Child,
    folder: tempfile::TempDir,
    pub url: String,
}

impl Served {
    /// Starts a server over these records, and waits until it answers.
    pub async fn start(ground: &Ground, records: &[Value]) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the program");
        let path = |name: &str| folder.path().join(name);
        let address = free_address();
        let mut configuration = ground.configuration();
        configuration["serve"] = json!({
            "listen": address, "adminListen": "127.0.0.1:0", "namespaces": ["default"], "snapshot": path("snapshot"),
            "limits": { "maxListSize": 0 },
        });
        // nobody listens on port 1: the server hears of no API server, and answers from the file
        let nowhere = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "none", "users": [{ "name": "none", "user": {} }],
            "clusters": [{ "name": "none", "cluster": { "server": "http://127.0.0.1:1" } }],
            "contexts": [{ "name": "none", "context": { "cluster": "none", "user": "none" } }],
        });
        for (name, value) in
            [("configuration", &configuration), ("kubeconfig", &nowhere), ("snapshot", &json!(records))]
        {
            std::fs::write(path(name), value.to_string()).expect("the folder is ours");
        }
        let log = std::fs::File::create(path("log")).expect("the folder is ours");
        let process = Command::new(program())
            .args(["serve", "--config"])
            .arg(path("configuration"))
            .env("KUBECONFIG", path("kubeconfig"))
            .env("RUST_LOG", "warn,kube=off")
            .envs(ground.environment())
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a file can be used twice"))
            .stderr(log)
            .spawn()
            .expect("the program starts");
        let mut served = Self { process, folder, url: format!("http://{address}") };
        served.wait().await;
        served
    }

    async fn wait(&mut self) {
        let started = Instant::now();
        loop {
            let asked = reqwest::Client::new().post(format!("{}/wow/dataset/shop/none/count", self.url));
            let answer = asked.header("content-type", "application/json").body(r#"{"op":"MATCH_ALL"}"#).send().await;
            // 404: the records are loaded, and this is none of them; 503 before
            if answer.is_ok_and(|answer| answer.status() == 404) {
                return;
            }
            let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            let ended = self.process.try_wait().expect("a child can be waited for");
            assert!(ended.is_none() && started.elapsed() < PATIENCE, "the server does not answer:\n{log}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The most memory that the process ever had resident, in KiB.
    pub fn peak_kibibytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).expect("Linux says it");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux says it");
        line.trim().trim_end_matches("kB").trim().parse().expect("a number of kB")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
