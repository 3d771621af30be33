//! What the program says in its log, as whoever changes a file and watches reads it: one entry for each change, of the
//! object that changed, and a warning where somebody has to know.

use crate::support::clickhouse::{Ground, clickhouse};
use crate::support::standalone::{Standalone, entries};

const SOURCE: &str = r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsSource
metadata: { name: customers }
spec:
  connection: default
  database: crm
  table: customers
  tenant: { column: tenant }
  columns:
    - { name: id, sensitivity: { level: Public } }
    - { name: name, sensitivity: { level: Display, mask: { keepPrefix: 1 } } }
    - { name: region, sensitivity: { level: Public } }
"#;

const DATASET: &str = r#"
apiVersion: analytics.wow.dev/v1alpha1
kind: AnalyticsDataset
metadata: { name: customers }
spec:
  context: crm
  name: customers
  definition:
    sources: [{ alias: c, sourceId: "default:crm:customers" }]
    subject: c
    columns: [{ name: id, from: c.id }, { name: name, from: c.name }]
    filters: ["c.region != 'west'"]
"#;

async fn ground() -> Ground {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    ground
}

/// A folder of one source and one dataset, a file each.
async fn standalone(ground: &Ground) -> Standalone {
    let standalone = Standalone::start(ground, "", |_| {}).await;
    standalone.write("source.yaml", SOURCE);
    standalone.write("dataset.yaml", DATASET);
    standalone.logs(0, &["AnalyticsDataset{", "Version 1 is served as"]).await;
    standalone
}

#[tokio::test]
async fn every_change_of_a_file_has_one_entry_that_says_what_became_of_it() {
    let ground = ground().await;
    let standalone = standalone(&ground).await;
    let object = "AnalyticsDataset{object=default/customers reason=Published}: ";
    let mut seen = standalone.log().len();
    let more =
        DATASET.replace("{ name: id, from: c.id }", "{ name: id, from: c.id }, { name: region, from: c.region }");
    standalone.write("dataset.yaml", &more);
    let said = standalone.logs(seen, &["INFO", object, "Version 2 is served as"]).await;
    assert!(said.contains("It takes the place of version 1."), "{said}");

    // A text is changed in place; what nobody reads changes nothing; each is said.
    seen = standalone.log().len();
    let described = more.replace("from: c.id }", "from: c.id, description: Number }");
    standalone.write("dataset.yaml", &described);
    standalone.logs(seen, &["INFO", object, "What it says of itself changed; the version stays."]).await;
    seen = standalone.log().len();
    standalone.write("dataset.yaml", &described.replace("spec:", "spec:\n  versionRetention: 3d"));
    standalone.logs(seen, &["INFO", object, "The definition changed in nothing that version 2 shows."]).await;

    // Two mistakes after each other have the same reason, and an entry each.
    for mistake in ["idd", "idx"] {
        seen = standalone.log().len();
        standalone.write("dataset.yaml", &described.replace("from: c.id,", &format!("from: c.{mistake},")));
        let said =
            standalone.logs(seen, &["WARN", "object=default/customers reason=InvalidDefinition}: ", mistake]).await;
        assert!(said.contains("Version 2 stays served."), "{said}");
    }

    seen = standalone.log().len();
    std::fs::remove_file(standalone.objects().join("dataset.yaml")).expect("the folder is ours");
    let said = standalone.logs(seen, &["INFO", "object=default/customers reason=Removed}: "]).await;
    assert!(said.contains("The dataset `crm.customers` is gone; version 2 is no longer served."), "{said}");
    std::fs::remove_file(standalone.objects().join("source.yaml")).expect("the folder is ours");
    let said = standalone.logs(seen, &["AnalyticsSource{object=default/customers reason=Removed}: "]).await;
    assert!(said.contains("The source `default:crm:customers` is gone."), "{said}");

    // Nothing is said twice, neither in an entry nor in two.
    let log = standalone.log();
    let of_objects: Vec<&str> = entries(&log).filter(|entry| entry.contains("object=")).collect();
    assert_eq!(of_objects.len(), 9, "{log}");
    for entry in of_objects {
        let (place, text) = entry.split_once("}: ").expect("an object in front of the text");
        let reason = place.rsplit_once("reason=").expect("a reason").1;
        assert!(!text.contains("default/customers") && !text.contains(reason), "{entry}");
    }
}

#[tokio::test]
async fn what_is_shown_more_without_an_approver_is_a_warning_that_says_what() {
    let ground = ground().await;
    let standalone = standalone(&ground).await;
    let mut seen = standalone.log().len();
    standalone.write("dataset.yaml", &DATASET.replace("    filters: [\"c.region != 'west'\"]\n", ""));
    let said = standalone.logs(seen, &["WARN", "AnalyticsDataset{", "Version 2 is served as"]).await;
    assert!(said.contains("nobody has to approve that here: the filter `c.region != 'west'` is gone"), "{said}");
    seen = standalone.log().len();
    standalone.write("source.yaml", &SOURCE.replace("level: Display, mask: { keepPrefix: 1 }", "level: Public"));
    let said = standalone.logs(seen, &["WARN", "AnalyticsSource{object=default/customers reason=Approved}: "]).await;
    assert!(said.contains("nobody has to approve that here: name is protected less"), "{said}");
    assert!(said.contains("Its revision 2 takes the place of revision 1."), "{said}");
}

#[tokio::test]
async fn a_join_that_may_fan_out_is_a_warning_once_and_stands_in_the_message() {
    let ground = ground().await;
    let standalone = standalone(&ground).await;
    let seen = standalone.log().len();
    let joined = DATASET
        .replace("sources: [", "sources: [{ alias: o, sourceId: \"default:crm:customers\" }, ")
        .replace(
            "    filters:",
            "    joins: [{ alias: o, kind: Left, on: [{ left: c.region, right: o.region }] }]\n    filters:",
        )
        .replace("{ name: id, from: c.id }", "{ name: id, from: c.id }, { name: other, from: o.id }");
    standalone.write("dataset.yaml", &joined);
    standalone.logs(seen, &["WARN", "reason=Published}: ", "Version 2 is served as", "JoinMayFanOut"]).await;
    let ready = standalone.condition("customers", "AnalyticsDataset", "Ready");
    assert_eq!(ready["status"], "True");
    assert!(ready["message"].as_str().is_some_and(|text| text.contains("JoinMayFanOut")), "{ready}");
    standalone.write("dataset.yaml", &joined.replace("from: o.id }", "from: o.id, description: Another }"));
    standalone.logs(seen, &["What it says of itself changed; the version stays."]).await;
    let log = standalone.log();
    let warned = entries(&log).filter(|entry| entry.contains("WARN") && entry.contains("JoinMayFanOut")).count();
    assert_eq!(warned, 1, "{log}");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_named_first_with_the_line_of_each_mistake() {
    let ground = ground().await;
    let standalone = standalone(&ground).await;
    let seen = standalone.log().len();
    standalone
        .write("dataset.yaml", &DATASET.replace("subject: c", "subjekt: c").replace("context: crm", "kontext: crm"));
    let path = standalone.objects().join("dataset.yaml").display().to_string();
    for (line, field) in [(6, "kontext"), (10, "subjekt")] {
        let said = standalone.logs(seen, &[&format!("ERROR {path}: line {line}, column"), field]).await;
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[tokio::test]
async fn a_dataset_that_its_source_holds_back_says_which_source_and_why() {
    let ground = ground().await;
    let standalone = Standalone::start(&ground, "", |_| {}).await;
    let misspelt = SOURCE.replace("column: tenant", "column: tennant");
    standalone.write("source.yaml", &misspelt);
    standalone.write("dataset.yaml", DATASET);
    let cause = "cannot be read yet: its declaration is not in force: InvalidDefinition: ";
    let said = standalone.logs(0, &["WARN AnalyticsDataset{", "reason=SourceNotReady}: ", "`tennant`"]).await;
    assert!(said.contains(&format!("The source `default:crm:customers` {cause}")), "{said}");
    standalone.logs(0, &["WARN AnalyticsSource{", "reason=InvalidDefinition}: ", "`tennant`"]).await;

    let mut seen = standalone.log().len();
    standalone.write("source.yaml", SOURCE);
    standalone.logs(seen, &["Version 1 is served as"]).await;
    // What is served is closed, or stays; either way the cause is the source's, and is said.
    for (mistake, reason) in
        [(misspelt, "SourceNotReady"), (SOURCE.replace("name: name,", "name: namee,"), "NeedsRevision")]
    {
        seen = standalone.log().len();
        standalone.write("source.yaml", &mistake);
        let said = standalone.logs(seen, &["WARN AnalyticsDataset{", &format!("reason={reason}}}: ")]).await;
        assert!(
            said.contains("`default:crm:customers`") && said.contains("is not in force: InvalidDefinition: "),
            "{said}"
        );
        standalone.logs(seen, &["WARN AnalyticsDataset{", "reason=Unavailable}: Queries of version 1 get 409."]).await;
        seen = standalone.log().len();
        standalone.write("source.yaml", SOURCE);
        standalone.logs(seen, &["INFO AnalyticsDataset{", "Version 1 is answered again."]).await;
    }
    assert!(!standalone.log().contains("approver"), "nothing waits here: {}", standalone.log());
}

#[tokio::test]
async fn a_misspelt_connection_database_or_table_is_said_with_the_names_that_exist() {
    let ground = ground().await;
    let nowhere = format!("{}_nowhere", ground.crm);
    let configured = nowhere.clone();
    let standalone = Standalone::start(&ground, "", move |configuration| {
        configuration["connections"]["default"]["databases"]["shop"] = configured.into();
    })
    .await;
    let said = async |from: &str, to: &str, reason: &str| {
        let seen = standalone.log().len();
        standalone.write("source.yaml", &SOURCE.replace(from, to));
        standalone.logs(seen, &["WARN AnalyticsSource{", &format!("reason={reason}}}: ")]).await
    };
    let connection = said("connection: default", "connection: defualt", "NotConfigured").await;
    let expected = "The connection `defualt` is not configured. Did you mean `default`? Configured: `default`.";
    assert!(connection.contains(expected), "{connection}");
    let database = said("database: crm", "database: cmr", "NotConfigured").await;
    assert!(database.contains("Did you mean `crm`? Configured: `crm`, `shop`, `wow`."), "{database}");
    assert!(database.contains("`connections.default.databases`"), "{database}");
    let table = said("table: customers", "table: custommers", "TableNotFound").await;
    assert!(table.contains("The table `custommers`") && table.contains("Did you mean `customers`?"), "{table}");
    let gone = said("database: crm", "database: shop", "TableNotFound").await;
    assert!(gone.contains(&format!("The database `{nowhere}`, which the configuration gives for `shop`")), "{gone}");
    assert!(gone.contains("It sees: `") && !gone.contains("`system`"), "{gone}");
}
