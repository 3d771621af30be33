//! The program as its own process: `standalone` over a folder, on databases of one test. Ends with the value.
#![allow(dead_code, reason = "each test uses the part that it needs")]

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::clickhouse::{Ground, program};

const PATIENCE: Duration = Duration::from_secs(90);

/// A running `standalone`.
pub struct Standalone {
    process: Child,
    folder: tempfile::TempDir,
    /// Where queries are answered, without a slash at the end.
    pub url: String,
}

impl Standalone {
    /// Starts over one file of YAML and waits until every dataset in it is published.
    pub async fn start(ground: &Ground, yaml: &str, adjust: impl FnOnce(&mut Value)) -> Self {
        Self::over((ground.configuration(), ground.environment()), yaml, adjust).await
    }

    /// The same over any ClickHouse, given by a configuration and the environment of its passwords.
    pub async fn over(
        (mut configuration, environment): (Value, [(&'static str, &'static str); 2]),
        yaml: &str,
        adjust: impl FnOnce(&mut Value),
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the program");
        // A busy machine is slow; that a query waits is tested where it is meant.
        configuration["serve"] = serde_json::json!({ "listen": "127.0.0.1:0", "queueWait": "60s" });
        adjust(&mut configuration);
        let (objects, file) = (folder.path().join("objects"), folder.path().join("configuration.yaml"));
        std::fs::create_dir(&objects).expect("the folder is ours");
        std::fs::write(objects.join("all.yaml"), yaml).expect("the folder is ours");
        // JSON is YAML
        std::fs::write(&file, configuration.to_string()).expect("the folder is ours");
        let log = std::fs::File::create(folder.path().join("log")).expect("the folder is ours");
        let process = Command::new(program())
            .arg("standalone")
            .arg(&objects)
            .arg("--config")
            .arg(&file)
            .arg("--state")
            .arg(folder.path().join("state"))
            .arg("--address-file")
            .arg(folder.path().join("address"))
            .envs(environment)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a file can be used twice"))
            .stderr(log)
            .spawn()
            .expect("the program starts");
        let mut standalone = Self { process, folder, url: String::new() };
        let address = standalone.address().await;
        standalone.url = format!("http://{address}");
        let wanted = yaml.matches("kind: AnalyticsDataset").count();
        let published = standalone.records();
        assert_eq!(published.len(), wanted, "not every dataset is published:\n{}", standalone.log());
        standalone
    }

    async fn address(&mut self) -> String {
        let started = Instant::now();
        loop {
            if let Ok(address) = std::fs::read_to_string(self.folder.path().join("address")) {
                // written in one piece, but not renamed into place
                if address.contains(':') {
                    return address;
                }
            }
            let ended = self.process.try_wait().expect("a child can be waited for");
            assert!(ended.is_none() && started.elapsed() < PATIENCE, "the program does not start:\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// What the program logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Writes a file of YAML into its folder, whole.
    pub fn write(&self, name: &str, yaml: &str) {
        let beside = self.folder.path().join("beside");
        std::fs::write(&beside, yaml).expect("the folder is ours");
        std::fs::rename(&beside, self.objects().join(name)).expect("the folder is ours");
    }

    /// Its folder of YAML.
    pub fn objects(&self) -> PathBuf {
        self.folder.path().join("objects")
    }

    /// Waits for an entry of the log, after its first `seen` bytes, that has all these words: the entry.
    pub async fn logs(&self, seen: usize, words: &[&str]) -> String {
        let started = Instant::now();
        loop {
            let log = self.log();
            if let Some(entry) = entries(&log[seen..]).find(|entry| words.iter().all(|word| entry.contains(word))) {
                return entry.to_owned();
            }
            assert!(started.elapsed() < PATIENCE, "no entry of the log has all of {words:?}:\n{}", &log[seen..]);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Its process.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Its state folder.
    pub fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// The publication records of its datasets, as it keeps them.
    pub fn records(&self) -> Vec<Value> {
        let record = |object: Value| object["status"]["published"].clone();
        self.kept().into_iter().map(record).filter(|record| !record.is_null()).collect()
    }

    /// A condition of an object, as it keeps it; null where there is none.
    pub fn condition(&self, name: &str, kind: &str, condition: &str) -> Value {
        let found = self.kept().into_iter().find(|object| object["metadata"]["name"] == name && object["kind"] == kind);
        let found = found.unwrap_or_default();
        let conditions = found["status"]["conditions"].as_array().cloned().unwrap_or_default();
        conditions.into_iter().find(|found| found["type"] == condition).unwrap_or_default()
    }

    /// Its objects, as it keeps them.
    fn kept(&self) -> Vec<Value> {
        let entries = std::fs::read_dir(self.state().join("objects")).expect("the program keeps its objects");
        // A file beside them is one that is being written, and may be gone a moment later.
        let paths = entries.map(|entry| entry.expect("an entry of a folder").path());
        let whole = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
        let read = |path: PathBuf| {
            let text = std::fs::read(path).expect("a kept object");
            let kept: Value = serde_json::from_slice(&text).expect("a kept object is JSON");
            kept["object"].clone()
        };
        whole.map(read).collect()
    }

    /// The record of one dataset.
    pub fn record(&self, id: &str) -> Value {
        let found = self.records().into_iter().find(|record| record["id"] == id);
        found.unwrap_or_else(|| panic!("`{id}` is not published"))
    }
}

/// The entries of a log: a line, and the lines that are indented below it.
pub fn entries(log: &str) -> impl Iterator<Item = &str> {
    let mut rest = log;
    std::iter::from_fn(move || {
        let mut ends = rest.match_indices('\n').map(|(at, _)| at + 1);
        let end = ends.find(|end| !rest[*end..].starts_with("    ")).unwrap_or(rest.len());
        let (entry, after) = rest.split_at(end);
        rest = after;
        Some(entry.trim_end()).filter(|entry| !entry.is_empty())
    })
}

impl Drop for Standalone {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
