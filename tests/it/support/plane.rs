//! A real Kubernetes control plane for the tests: etcd, the API server and the
//! controller manager as child processes on loopback, without containers.
//!
//! It knows how the programs are found, started, reached and ended, and nothing
//! of what the tests do with them. Nothing in it belongs to an async runtime, so
//! one plane in a static may serve tests that each have a runtime of their own.
//!
//! `e2e/controlplane/README.md` says how the programs are built.
#![allow(dead_code, reason = "each test uses the part that it needs")]

mod guarded;
mod setup;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt as _;

use guarded::Guarded;

/// Generous: the first start on a busy machine of two cores takes 20 seconds.
const START_TIMEOUT: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A running control plane; dropping it, or the end of the process, ends it
/// and removes its folder.
///
/// `ANALYTICS_CATALOG_KEEP_PLANE=1` keeps the folder with all logs.
pub struct Plane {
    programs: PathBuf,
    folder: PathBuf,
    tokens: BTreeMap<&'static str, String>,
    api_port: u16,
    etcd_port: u16,
    running: Mutex<BTreeMap<&'static str, Guarded>>,
    // Declared last and so dropped last: it removes what the others write to.
    broom: Option<Guarded>,
}

impl Plane {
    /// Starts etcd, the API server and the controller manager on free loopback
    /// ports and returns when the API server is ready and the namespace
    /// `default` has its service account. The first run builds the programs,
    /// which takes six to ten minutes on two cores.
    ///
    /// With `KUBEBUILDER_ASSETS` set there may be no controller manager; the
    /// plane then runs without one: namespaces do not end, owner references are
    /// not followed, roles are not aggregated.
    ///
    /// # Errors
    /// When a program cannot be built, exits, or is not ready after two
    /// minutes; the text ends with the last lines of its log.
    pub async fn start() -> Result<Plane, String> {
        let programs = setup::build(&[]).await?;
        let folder = setup::create_folder().map_err(|error| format!("create a folder for the plane: {error}"))?;
        let broom = match std::env::var_os("ANALYTICS_CATALOG_KEEP_PLANE") {
            Some(_) => None,
            None => Some(Guarded::broom(&folder)?),
        };
        let [api_port, etcd_port, etcd_peer_port] =
            setup::free_ports().map_err(|error| format!("find free ports: {error}"))?;
        let tokens = setup::USERS.map(|(user, _)| (user, setup::random_token()));
        let plane =
            Plane { programs, folder, tokens: tokens.into(), api_port, etcd_port, running: Mutex::default(), broom };
        plane.write_files()?;
        setup::create_service_account_keys(&plane.programs, &plane.folder).await?;
        plane.start_etcd(etcd_peer_port)?;
        plane.start_api_server().await?;
        if plane.programs.join("kube-controller-manager").exists() {
            plane.start_controller_manager()?;
            let account = ["get", "serviceaccount", "default", "--namespace", "default"];
            plane.wait_until_succeeds(&account).await?;
        }
        Ok(plane)
    }

    /// The address of the API server.
    pub fn server_url(&self) -> String {
        format!("https://127.0.0.1:{}", self.api_port)
    }

    /// The certificate, in PEM, that the API server made for itself.
    pub fn certificate_authority(&self) -> PathBuf {
        self.folder.join("certificates/apiserver.crt")
    }

    /// The bearer token of `admin`, `editor`, `approver` or `viewer`.
    ///
    /// # Panics
    /// For any other user.
    pub fn token(&self, user: &str) -> String {
        self.tokens.get(user).cloned().unwrap_or_else(|| panic!("the plane has no user {user:?}"))
    }

    /// The kubeconfig file of a user of the plane, or of a name given to
    /// [`Plane::kubeconfig_with_token`] before.
    ///
    /// # Panics
    /// When there is no such user or name.
    pub fn kubeconfig(&self, user: &str) -> PathBuf {
        let path = self.kubeconfig_path(user);
        assert!(path.exists(), "the plane has no kubeconfig for {user:?}");
        path
    }

    /// Writes a kubeconfig file for any token, say of a service account. From
    /// then on `name` is good for [`Plane::kubectl`] and [`Plane::helm`] too.
    ///
    /// # Panics
    /// When the file cannot be written: `name` becomes a part of its path.
    pub fn kubeconfig_with_token(&self, name: &str, token: &str) -> PathBuf {
        self.write_kubeconfig(name, token).expect("the plane's folder is ours to write to");
        self.kubeconfig(name)
    }

    /// Runs kubectl as a user, with `stdin` as its input where given. A refusal
    /// by the server is an output like any other.
    ///
    /// # Panics
    /// When there is no kubeconfig for `user` or kubectl cannot be run at all.
    pub async fn kubectl(&self, user: &str, args: &[&str], stdin: Option<&str>) -> Output {
        self.run_client(&self.programs.join("kubectl"), user, args, stdin).await
    }

    /// Runs Helm as a user: the one built beside the plane or, where
    /// `KUBEBUILDER_ASSETS` is set, the one on `PATH` if there is one.
    ///
    /// # Panics
    /// When there is no kubeconfig for `user` or Helm can be neither found nor
    /// built.
    pub async fn helm(&self, user: &str, args: &[&str]) -> Output {
        let mut program = self.programs.join("helm");
        if !program.exists() {
            program = setup::build(&["helm"]).await.expect("Helm is needed by this test").join("helm");
        }
        self.run_client(&program, user, args, None).await
    }

    /// The audit log: one JSON object per line and answered request, at level
    /// Metadata, with the audit annotations of admission policies. The line of a
    /// request may come a moment after its answer.
    pub fn audit_log(&self) -> PathBuf {
        self.folder.join("audit.log")
    }

    /// What a program wrote, for messages of failed tests: `etcd`,
    /// `kube-apiserver`, `kube-controller-manager` or `kube-scheduler`.
    pub fn program_log(&self, program: &str) -> PathBuf {
        self.folder.join(format!("{program}.log"))
    }

    /// Ends the API server at once, as a crash does. Its port and data are kept
    /// for [`Plane::start_api_server`]. Does nothing when it is not running.
    pub fn stop_api_server(&self) {
        self.running().remove("kube-apiserver");
    }

    /// Starts the API server again after [`Plane::stop_api_server`] and returns
    /// when it is ready.
    ///
    /// # Errors
    /// When it exits or is not ready after two minutes.
    pub async fn start_api_server(&self) -> Result<(), String> {
        let flags = [
            format!("--etcd-servers=http://127.0.0.1:{}", self.etcd_port),
            "--bind-address=127.0.0.1".to_owned(),
            format!("--secure-port={}", self.api_port),
            // A machine without a default route has no address to find.
            "--advertise-address=127.0.0.1".to_owned(),
            "--endpoint-reconciler-type=none".to_owned(),
            self.path_flag("--cert-dir", "certificates"),
            "--service-cluster-ip-range=10.0.0.0/24".to_owned(),
            "--service-account-issuer=https://kubernetes.default.svc".to_owned(),
            self.path_flag("--service-account-key-file", "sa.pub"),
            self.path_flag("--service-account-signing-key-file", "sa.key"),
            "--authorization-mode=RBAC".to_owned(),
            self.path_flag("--token-auth-file", "users.csv"),
            self.path_flag("--audit-policy-file", "audit-policy.yaml"),
            self.path_flag("--audit-log-path", "audit.log"),
            "--allow-privileged=true".to_owned(),
        ];
        self.run_server("kube-apiserver", &flags)?;
        // Not /healthz: that is well before the bootstrap roles are there.
        self.wait_until_succeeds(&["get", "--raw", "/readyz"]).await
    }

    /// Starts the scheduler, which [`Plane::start`] leaves out: without nodes
    /// there is nothing to schedule on.
    ///
    /// # Errors
    /// When the program cannot be run.
    pub fn start_scheduler(&self) -> Result<(), String> {
        let kubeconfig = self.kubeconfig("system:kube-scheduler");
        self.run_server("kube-scheduler", &client_flags(&kubeconfig))
    }

    fn start_controller_manager(&self) -> Result<(), String> {
        let kubeconfig = self.kubeconfig("system:kube-controller-manager");
        let mut flags = client_flags(&kubeconfig);
        // Each controller acts with its own rights, so that the audit log names it.
        flags.push("--use-service-account-credentials=true".to_owned());
        // They start one after another and each asks for an account: at the usual pace that takes seconds.
        flags.push("--kube-api-qps=1000".to_owned());
        flags.push("--kube-api-burst=1000".to_owned());
        flags.push(self.path_flag("--service-account-private-key-file", "sa.key"));
        flags.push(self.path_flag("--root-ca-file", "certificates/apiserver.crt"));
        self.run_server("kube-controller-manager", &flags)
    }

    fn start_etcd(&self, peer_port: u16) -> Result<(), String> {
        let client_url = format!("http://127.0.0.1:{}", self.etcd_port);
        let peer_url = format!("http://127.0.0.1:{peer_port}");
        let flags = [
            self.path_flag("--data-dir", "etcd"),
            format!("--listen-client-urls={client_url}"),
            format!("--advertise-client-urls={client_url}"),
            format!("--listen-peer-urls={peer_url}"),
            format!("--initial-advertise-peer-urls={peer_url}"),
            format!("--initial-cluster=default={peer_url}"),
            "--unsafe-no-fsync".to_owned(),
            "--log-level=error".to_owned(),
        ];
        self.run_server("etcd", &flags)
    }

    fn path_flag(&self, flag: &str, file: &str) -> String {
        format!("{flag}={}", self.folder.join(file).display())
    }

    fn run_server(&self, program: &'static str, flags: &[String]) -> Result<(), String> {
        let mut running = self.running();
        // One that still runs has to give back its port first.
        running.remove(program);
        let log = self.program_log(program);
        let server = Guarded::program(&self.programs.join(program), flags, &log)?;
        running.insert(program, server);
        Ok(())
    }

    /// Repeats a kubectl command of the administrator until it succeeds, one of
    /// the programs has ended, or the time is up.
    async fn wait_until_succeeds(&self, args: &[&str]) -> Result<(), String> {
        let deadline = Instant::now() + START_TIMEOUT;
        let args = [args, &["--request-timeout=5s"]].concat();
        loop {
            let output = self.kubectl("admin", &args, None).await;
            if output.status.success() {
                return Ok(());
            }
            if let Some(problem) = self.ended_program() {
                return Err(problem);
            }
            if Instant::now() > deadline {
                let answer = String::from_utf8_lossy(&output.stderr);
                let log = last_lines(&self.program_log("kube-apiserver"));
                return Err(format!("not ready after {START_TIMEOUT:?}: {answer}\n{log}"));
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    fn ended_program(&self) -> Option<String> {
        let mut running = self.running();
        let (program, status) =
            running.iter_mut().find_map(|(program, server)| Some((*program, server.exit_status()?)))?;
        let log = last_lines(&self.program_log(program));
        Some(format!("{program} ended ({status})\n{log}"))
    }

    async fn run_client(&self, program: &Path, user: &str, args: &[&str], stdin: Option<&str>) -> Output {
        let home = self.folder.join("home");
        let mut command = tokio::process::Command::new(program);
        // Nothing of the developer's own clusters, plugins or settings.
        command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.env("HOME", &home).env("TMPDIR", &home).env("KUBECONFIG", self.kubeconfig(user));
        command.args(args).kill_on_drop(true);
        command.stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let run = async move {
            let mut child = command.spawn()?;
            let input = child.stdin.take();
            let feed = async move {
                if let (Some(mut input), Some(text)) = (input, stdin) {
                    // A client that fails early closes its input: its output says why.
                    let _ = input.write_all(text.as_bytes()).await;
                }
            };
            // Both at once: a client may answer before it has read everything.
            tokio::join!(feed, child.wait_with_output()).1
        };
        let output: std::io::Result<Output> = run.await;
        output.unwrap_or_else(|error| panic!("run {}: {error}", program.display()))
    }

    fn write_files(&self) -> Result<(), String> {
        for name in ["home", "kubeconfigs"] {
            let folder = self.folder.join(name);
            fs::create_dir(&folder).map_err(|error| format!("create {}: {error}", folder.display()))?;
        }
        for (user, token) in &self.tokens {
            self.write_kubeconfig(user, token)?;
        }
        setup::write(&self.folder.join("audit-policy.yaml"), setup::AUDIT_POLICY)?;
        let users = setup::token_file(|user| &self.tokens[user]);
        setup::write(&self.folder.join("users.csv"), &users)
    }

    fn write_kubeconfig(&self, name: &str, token: &str) -> Result<(), String> {
        let authority = self.certificate_authority();
        let text = setup::kubeconfig(&self.server_url(), &authority, name, token);
        setup::write(&self.kubeconfig_path(name), &text)
    }

    fn kubeconfig_path(&self, name: &str) -> PathBuf {
        self.folder.join("kubeconfigs").join(format!("{}.yaml", name.replace(':', "-")))
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<&'static str, Guarded>> {
        // A test that failed while it held the lock has left the map whole.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The flags of the programs that are clients of the API server. They serve
/// nothing of their own, so they need no port.
fn client_flags(kubeconfig: &Path) -> Vec<String> {
    let kubeconfig = format!("--kubeconfig={}", kubeconfig.display());
    vec![kubeconfig, "--leader-elect=false".to_owned(), "--secure-port=0".to_owned()]
}

fn last_lines(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}
