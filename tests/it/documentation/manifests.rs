//! `examples/kubernetes/` without a server: the configurations in it are such, and files stand where they are looked for.

use std::path::Path;

use analytics_catalog::configuration::{Configuration, ConnectionConfiguration};
use serde_json::Value;

use crate::support::documents::committed;

/// The objects of a file.
fn objects(path: &str) -> Vec<Value> {
    let text = committed(path);
    text.split("\n---\n").map(|document| serde_saphyr::from_str(document).expect("an object")).collect()
}

fn configuration(text: &str) -> Configuration {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.yaml");
    std::fs::write(&file, text).expect("the folder is ours");
    Configuration::load(Some(&file), std::iter::empty()).expect("the example is a configuration")
}

fn only_connection(configuration: &Configuration) -> &ConnectionConfiguration {
    assert_eq!(configuration.connections.keys().collect::<Vec<_>>(), ["default"]);
    &configuration.connections["default"]
}

#[test]
fn the_sidecar_has_a_configuration_and_what_that_names() {
    let objects = objects("examples/kubernetes/sidecar.yaml");
    let of_kind = |kind: &str| objects.iter().find(|object| object["kind"] == kind).expect("one of the kind");
    let configuration = configuration(of_kind("ConfigMap")["data"]["config.yaml"].as_str().expect("a text"));
    let pod = &of_kind("Deployment")["spec"]["template"]["spec"];
    let server = &pod["initContainers"][0];
    let mounts = server["volumeMounts"].as_array().expect("the server's volumes");
    let mount_of = |path: &Path| {
        let mount = mounts.iter().find(|mount| path.starts_with(mount["mountPath"].as_str().expect("a path")));
        mount.unwrap_or_else(|| panic!("`{}` lies on no volume", path.display()))
    };
    let connection = only_connection(&configuration);
    assert_eq!(connection.reader.user, "reader");
    let password = connection.reader.password.password_file.as_ref().expect("the reader's password is in a file");
    assert_eq!(mount_of(password)["readOnly"], true);
    let snapshot = configuration.serve.snapshot.as_ref().expect("the records are kept");
    assert_eq!(mount_of(snapshot)["readOnly"], Value::Null);
    assert!(configuration.serve.listen.starts_with("127.0.0.1:"), "callers are believed");
    let arguments = server["args"].as_array().expect("arguments");
    assert_eq!(arguments[0], "serve");
    assert_eq!(mount_of(Path::new(arguments[2].as_str().expect("a path")))["readOnly"], true);
    let port = configuration.serve.admin_address().rsplit(':').next().expect("an address has a port");
    assert_eq!(server["ports"][0]["containerPort"].to_string(), port);
    assert_eq!(of_kind("RoleBinding")["subjects"][0]["name"], pod["serviceAccountName"]);
}

#[test]
fn the_values_configure_the_operator() {
    let [values] = &objects("examples/kubernetes/values.yaml")[..] else { panic!("one document") };
    // JSON is YAML
    let configuration = configuration(&values["operator"]["config"].to_string());
    let connection = only_connection(&configuration);
    assert_eq!((connection.user.as_str(), connection.reader.user.as_str()), ("catalog", "reader"));
    let accounts = committed("sql/03-accounts.sql");
    for (account, password) in
        [(&connection.user, &connection.password), (&connection.reader.user, &connection.reader.password)]
    {
        assert!(
            accounts.contains(&format!("CREATE USER IF NOT EXISTS {account}\n")),
            "sql/ makes no account {account}"
        );
        let file = password.password_file.as_ref().expect("passwords are in files");
        let secret = values["operator"]["secrets"][0].as_str().expect("the name of a Secret");
        assert!(file.starts_with(Path::new("/etc/analytics-catalog/secrets").join(secret)));
    }
}
