//! What a plane needs before its first program starts: the programs, a folder,
//! ports, users and keys.

use std::fmt::Write as _;
use std::fs::{self, DirBuilder};
use std::hash::{BuildHasher as _, RandomState};
use std::net::{Ipv4Addr, TcpListener};
use std::ops::Range;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

/// The users that the API server knows by token, each with its groups.
///
/// Only `admin` may do anything at first: the tests bind the groups of the
/// others to roles.
pub(super) const USERS: [(&str, &str); 6] = [
    ("admin", "system:masters"),
    ("editor", "editors"),
    ("approver", "approvers"),
    ("viewer", "viewers"),
    // The names that the API server's own bootstrap roles are bound to.
    ("system:kube-controller-manager", ""),
    ("system:kube-scheduler", ""),
];

/// One line per request when it is answered; bodies would hold what is secret.
pub(super) const AUDIT_POLICY: &str = "\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
";

/// Ports below the range that the kernel gives to outgoing connections. In that
/// range a client that retries while the API server is stopped could take the
/// server's port itself.
const PORTS: Range<u16> = 20_000..32_000;

/// Runs the build script, which builds only what is not in its cache, and
/// returns the folder that it names. Its progress goes to our standard error.
pub(super) async fn build(args: &[&str]) -> Result<PathBuf, String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/e2e/controlplane/build.sh");
    let mut command = Command::new(script);
    command.args(args).stdin(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true);
    let output = command.output().await.map_err(|error| format!("run {script}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().last() {
        Some(folder) if output.status.success() => Ok(PathBuf::from(folder)),
        _ => Err(format!("{script} failed ({}): it says why on standard error", output.status)),
    }
}

/// A new folder that only we may read: the tokens are in it.
pub(super) fn create_folder() -> std::io::Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("analytics-catalog-plane-{}", random_token()));
    DirBuilder::new().mode(0o700).create(&folder)?;
    Ok(folder)
}

/// Ports on loopback that nothing listens on at this moment.
pub(super) fn free_ports<const COUNT: usize>() -> std::io::Result<[u16; COUNT]> {
    // All are held until all are found, so that they differ.
    let mut held = Vec::new();
    let mut failures = 0;
    while held.len() < COUNT {
        let offset = random_number() % u64::from(PORTS.end - PORTS.start);
        let port = PORTS.start + u16::try_from(offset).expect("the range of ports is narrow");
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => held.push((port, listener)),
            Err(error) if failures == 100 => return Err(error),
            Err(_) => failures += 1,
        }
    }
    Ok(std::array::from_fn(|index| held[index].0))
}

/// A name or token that no other run has.
pub(super) fn random_token() -> String {
    format!("{:016x}{:016x}", random_number(), random_number())
}

fn random_number() -> u64 {
    // Seeded anew each time: random enough for what lives on loopback.
    RandomState::new().hash_one(std::process::id())
}

/// The file of `--token-auth-file`.
pub(super) fn token_file<'a>(token: impl Fn(&str) -> &'a str) -> String {
    let mut text = String::new();
    for (user, groups) in USERS {
        let token = token(user);
        // The fourth column is left out where it is empty: it would be a group without a name.
        let groups = if groups.is_empty() { String::new() } else { format!(",\"{groups}\"") };
        writeln!(text, "{token},{user},{user}{groups}").expect("a string takes any text");
    }
    text
}

/// A kubeconfig with one user, in the part of YAML that is JSON.
pub(super) fn kubeconfig(server: &str, authority: &Path, user: &str, token: &str) -> String {
    format!(
        "apiVersion: v1
kind: Config
current-context: plane
contexts: [{{name: plane, context: {{cluster: plane, user: {user:?}}}}}]
clusters: [{{name: plane, cluster: {{server: {server:?}, certificate-authority: {authority:?}}}}}]
users: [{{name: {user:?}, user: {{token: {token:?}}}}}]
"
    )
}

/// Writes `sa.key` and `sa.pub`, which sign and check service account tokens.
pub(super) async fn create_service_account_keys(programs: &Path, folder: &Path) -> Result<(), String> {
    let own = programs.join("service-account-keys");
    if own.exists() {
        return succeed(Command::new(own).arg(folder)).await;
    }
    // Programs from KUBEBUILDER_ASSETS: none of them writes a key.
    let private = folder.join("sa.key");
    succeed(Command::new("openssl").args(["genrsa", "-out"]).arg(&private).arg("2048")).await?;
    let mut publish = Command::new("openssl");
    publish.args(["rsa", "-pubout", "-in"]).arg(private).arg("-out").arg(folder.join("sa.pub"));
    succeed(&mut publish).await
}

async fn succeed(command: &mut Command) -> Result<(), String> {
    let program = command.as_std().get_program().to_owned();
    match command.output().await {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{program:?} failed: {}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(format!("run {program:?}: {error}")),
    }
}

/// Tells of a file what went wrong with it.
pub(super) fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("write {}: {error}", path.display()))
}
