//! The commands on a real ClickHouse: what they save, print and draft of its tables, and that it holds.

use analytics_catalog::commands::snapshot::Snapshot;

use crate::check::program::{Run, run_with, words};
use crate::support::clickhouse::{Ground, clickhouse};
use crate::support::documents::{as_generated, root};

/// A folder with the configuration of a ground, and the ground with the tables of the examples.
async fn place() -> (Ground, tempfile::TempDir) {
    let ground = clickhouse().await.ground().await;
    ground.load_examples().await;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("configuration.yaml"), ground.configuration().to_string())
        .expect("the folder is ours");
    (ground, folder)
}

fn at(ground: &Ground, folder: &tempfile::TempDir, command: &str, arguments: &str) -> Run {
    let run = run_with(folder.path(), command, &words(arguments), "", &ground.environment());
    let secret = ground.environment().iter().any(|(_, value)| run.stdout.contains(value) || run.stderr.contains(value));
    assert!(!secret, "no password stands in what a command says");
    run
}

fn sound(run: &Run) -> &str {
    assert_eq!(run.code, 0, "{}{}", run.stderr, run.stdout);
    &run.stdout
}

fn examples() -> String {
    root().join("examples/catalog").display().to_string()
}

#[tokio::test]
async fn a_snapshot_stands_for_the_server() {
    let (ground, folder) = place().await;
    let taken = at(&ground, &folder, "snapshot", "--config configuration.yaml");
    let text = sound(&taken);
    assert_eq!(text, sound(&at(&ground, &folder, "snapshot", "--config configuration.yaml")), "the same bytes");
    for what in ["Hopper", "acme", "127.0.0.1", "http"] {
        assert!(!text.contains(what), "a snapshot holds no rows and no addresses, and this has `{what}`");
    }
    for file in ["snapshot.yaml", "snapshot.json"] {
        sound(&at(&ground, &folder, "snapshot", &format!("--config configuration.yaml --output {file}")));
        let offline = at(&ground, &folder, "check", &format!("{} --snapshot {file}", examples()));
        let online = at(&ground, &folder, "check", &format!("{} --config configuration.yaml", examples()));
        assert_eq!(sound(&offline), sound(&online));
        let arguments = format!("{} --dataset shop.orders", examples());
        let offline = at(&ground, &folder, "compile", &format!("{arguments} --snapshot {file}"));
        let online = at(&ground, &folder, "compile", &format!("{arguments} --config configuration.yaml"));
        assert_eq!(sound(&offline), sound(&online));
    }
    // The one beside the examples, in which databases have their logical names and tables no identity.
    let mut snapshot = Snapshot::open(&folder.path().join("snapshot.json")).expect("it was written");
    for connection in snapshot.connections.values_mut() {
        connection.datasets_database = "wow_datasets".to_owned();
        connection.catalog.reserved_databases = [connection.datasets_database.clone()].into();
        for table in &mut connection.catalog.tables {
            (table.physical_database, table.uuid) = (None, String::new());
        }
    }
    as_generated("examples/snapshot.yaml", &snapshot.render(false).expect("it can be written"));
}

#[tokio::test]
async fn what_is_compiled_can_be_run() {
    let (ground, folder) = place().await;
    let compiled = at(&ground, &folder, "compile", &format!("{} --config configuration.yaml", examples()));
    let statement = sound(&compiled).strip_prefix("-- shop.orders\n").expect("the dataset is named").trim();
    ground.clickhouse.sql(statement.trim_end_matches(';').to_owned()).await;
    let scope = r#"{"dataset":"shop.orders","version":1,"tenant":"globex","owner":null,"space":null}"#;
    let rows = format!("SELECT count() FROM {}.ds_shop_orders_v1", ground.datasets);
    let count = ground.clickhouse.as_reader(&rows, &[("log_comment", scope)]).await.expect("the reader may read it");
    assert_eq!(count.trim(), "2");
}

#[tokio::test]
async fn a_draft_is_sound_and_leads_to_a_dataset() {
    let (ground, folder) = place().await;
    let source = "default:wow:shop_order_state";
    let drafted = at(&ground, &folder, "draft", &format!("source {source} --config configuration.yaml"));
    let text = sound(&drafted);
    for line in [
        "  tenant: { column: tenant_id }",
        "  owner: { column: owner_id }",
        "  space: { column: space_id }",
        "- { name: state, path: customerId, type: String, sensitivity: { level: Confidential } }",
        "- { name: state, path: items, type: Int64 }",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    std::fs::write(folder.path().join("source.yaml"), text).expect("the folder is ours");
    sound(&at(&ground, &folder, "check", "source.yaml --strict --config configuration.yaml"));
    let unstated = format!("source {source} --levels unstated --config configuration.yaml");
    let unstated = sound(&at(&ground, &folder, "draft", &unstated)).to_owned();
    std::fs::write(folder.path().join("unstated.yaml"), unstated).expect("the folder is ours");
    let asked = at(&ground, &folder, "check", "unstated.yaml --config configuration.yaml");
    assert_eq!(asked.code, 1);
    assert_eq!(asked.stdout.matches("error[LevelNotStated]").count(), 6, "{}", asked.stdout);
    let drafted = at(&ground, &folder, "draft", &format!("dataset {source} source.yaml --context shop --name all"));
    std::fs::write(folder.path().join("dataset.yaml"), sound(&drafted)).expect("the folder is ours");
    sound(&at(&ground, &folder, "compile", "source.yaml dataset.yaml --config configuration.yaml"));

    // An array of objects is shown with its parts.
    let source_text = std::fs::read_to_string(folder.path().join("source.yaml")).expect("it was written");
    let lines = "- { name: state, path: lines, type: Array(JSON), sensitivity: { level: Public } }\n    \
                 - { name: state, path: lines.sku, type: String }\n    \
                 - { name: state, path: lines.price, type: \"Decimal(9, 2)\" }";
    let source_text = source_text.replace("- { name: state, path: items, type: Int64 }", lines);
    std::fs::write(folder.path().join("source.yaml"), source_text).expect("the folder is ours");
    let drafted = at(&ground, &folder, "draft", &format!("dataset {source} source.yaml --context shop --name all"));
    let elements = "elements: [{ path: sku, type: \"String\" }, { path: price, type: \"Decimal(9, 2)\" }] }";
    assert!(sound(&drafted).contains(elements), "{}", drafted.stdout);
    std::fs::write(folder.path().join("dataset.yaml"), sound(&drafted)).expect("the folder is ours");
    sound(&at(&ground, &folder, "compile", "source.yaml dataset.yaml --config configuration.yaml"));
}

#[tokio::test]
async fn tables_that_are_not_there_and_servers_that_are_away_are_told_of() {
    let (ground, folder) = place().await;
    for (arguments, text) in [
        (
            "source default:wow:orders --config configuration.yaml",
            "The database `wow` has no table `orders`. Available",
        ),
        ("source default:wow --config configuration.yaml", "`default:wow` is no source; a source is"),
        ("source default:wow:customers", "the columns are needed: give --config FILE or --snapshot FILE"),
    ] {
        let run = at(&ground, &folder, "draft", arguments);
        assert!(run.code == 2 && run.stderr.contains(text), "{arguments}: {} {}", run.code, run.stderr);
    }
    for (file, dataset, code, text) in [
        ("orders.yaml", "shop.order", 2, "there is no dataset `shop.order` in the files. Did you mean `shop.orders`?"),
        ("broken.yaml", "shop.orders", 1, "error[InvalidDocument]: Unknown field `contxt`."),
    ] {
        let orders =
            std::fs::read_to_string(root().join("examples/catalog/orders.yaml")).expect("the example is there");
        std::fs::write(folder.path().join("orders.yaml"), &orders).expect("the folder is ours");
        std::fs::write(folder.path().join("broken.yaml"), orders.replace("  context:", "  contxt:"))
            .expect("the folder is ours");
        let arguments = format!("{file} --dataset {dataset} --sources {} --config configuration.yaml", examples());
        let run = at(&ground, &folder, "compile", &arguments);
        assert!(run.code == code && run.stderr.contains(text), "{file}: {} {}", run.code, run.stderr);
    }
    let mut configuration = ground.configuration();
    configuration["connections"]["default"]["url"] = "http://127.0.0.1:1".into();
    std::fs::write(folder.path().join("away.yaml"), configuration.to_string()).expect("the folder is ours");
    let run = at(&ground, &folder, "check", &format!("{} --config away.yaml", examples()));
    assert!(
        run.code == 2 && run.stderr.contains("the connection `default`: ClickHouse cannot be reached"),
        "{}",
        run.stderr
    );
}
