//! Five datasets of two tenants of whom every row is known: what a query must give is computed without the server.
//!
//! Texts of a tenant start with its mark, so that a foreign row is recognised in any column; identifiers, owners, spaces
//! and numbers are the same for both, so that a confusion of tenants finds something to confuse.
#![allow(dead_code, reason = "each test uses the part that it needs")]

use serde_json::{Map, Value, json};

use super::clickhouse::Ground;

/// What the texts of each tenant start with.
pub const MARKS: [&str; 2] = ["alpha", "beta"];
/// Numbers as tenants: one is a part of the other.
const NUMBERS: [u64; 2] = [7, 70];
const UUIDS: [&str; 2] = ["11111111-2222-3333-4444-555555555555", "11111111-2222-3333-4444-555555555556"];

/// What may be asked of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Every operator that its kind has, and sorting.
    Everything,
    /// Equality and presence.
    Equality,
    /// Nothing.
    Nothing,
}

/// The values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Whole,
}

/// A column of a dataset.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    pub asked: Asked,
}

/// A row of a dataset, with whose it is.
#[derive(Clone, Debug)]
pub struct Row {
    pub tenant: usize,
    pub owner: String,
    pub space: String,
    /// The values that filters see.
    pub raw: Map<String, Value>,
    /// The values that callers see.
    pub shown: Map<String, Value>,
}

/// A dataset with all rows that it has.
#[derive(Clone, Debug)]
pub struct Dataset {
    pub name: &'static str,
    pub identity: &'static str,
    /// The text of each tenant in this dataset's type.
    pub tenants: [String; 2],
    /// Whether rows have an owner and a space.
    pub limited: bool,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
}

/// Creates the tables, fills them for tenants of these names, and gives the datasets as they must read.
pub async fn create(ground: &Ground, names: [&str; 2], size: usize) -> Vec<Dataset> {
    ground.load_examples().await;
    for statement in [
        "CREATE TABLE crm.regions (code String, label String) ENGINE = MergeTree ORDER BY code",
        "CREATE TABLE wow.events (tenant UInt64, event String, note String, level Int64, state JSON(tenant_id String)) \
         ENGINE = MergeTree ORDER BY (tenant, event)",
        "CREATE TABLE wow.devices (tenant_id UUID, serial String, n Nullable(Int64)) ENGINE = MergeTree ORDER BY tenant_id",
        "CREATE TABLE crm.contacts (tenant LowCardinality(String), owner String, space String, id String, email String, \
         phone String, label Nullable(String), tier LowCardinality(String)) ENGINE = ReplacingMergeTree ORDER BY (tenant, id)",
    ] {
        ground.sql(statement).await;
    }
    let both = |text: [&str; 2]| text.map(str::to_owned);
    let mut datasets = vec![
        orders(&both(names)),
        shipped(&both(names)),
        dataset("events", "state", NUMBERS.map(|number| number.to_string()), false, "tenant_id state tenant #id"),
        dataset("devices", "tenant_id", both(UUIDS), false, "tenant_id #n"),
        dataset("contacts", "id", both(names), true, "id =email !phone label tier"),
    ];
    let mut tables = Tables::default();
    for (tenant, name) in names.into_iter().enumerate() {
        customers(&mut tables, name, tenant);
        for index in 0..size {
            order(&mut tables, &mut datasets, name, tenant, index);
            plain(&mut tables, &mut datasets, name, tenant, index);
        }
    }
    tables.insert(ground).await;
    datasets
}

/// The YAML of all datasets and their sources.
pub fn yaml() -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file of this repository");
    ["examples/catalog/sources.yaml", "examples/catalog/orders.yaml", "tests/it/support/world.yaml"]
        .map(read)
        .join("\n---\n")
}

/// Columns as words: `#` a whole number, `=` equality alone, `!` nothing asked.
fn dataset(
    name: &'static str,
    identity: &'static str,
    tenants: [String; 2],
    limited: bool,
    columns: &'static str,
) -> Dataset {
    let column = |word: &'static str| {
        let plain = word.trim_start_matches(['#', '=', '!']);
        let kind = if word.starts_with('#') { Kind::Whole } else { Kind::Text };
        let asked = match word.as_bytes()[0] {
            b'=' => Asked::Equality,
            b'!' => Asked::Nothing,
            _ => Asked::Everything,
        };
        Column { name: plain, kind, asked }
    };
    let columns = columns.split(' ').map(column).collect();
    Dataset { name, identity, tenants, limited, columns, rows: Vec::new() }
}

fn orders(names: &[String; 2]) -> Dataset {
    dataset("orders", "order_id", names.clone(), true, "order_id !customer region #amount !month")
}

fn shipped(names: &[String; 2]) -> Dataset {
    dataset("shipped", "ship_id", names.clone(), true, "ship_id customer_key zone label #amount")
}

/// The lines to insert into each table.
#[derive(Default)]
struct Tables {
    lines: std::collections::BTreeMap<(bool, &'static str), Vec<String>>,
}

impl Tables {
    fn wow(&mut self, table: &'static str, row: &Value) {
        self.lines.entry((true, table)).or_default().push(row.to_string());
    }

    fn crm(&mut self, table: &'static str, row: &Value) {
        self.lines.entry((false, table)).or_default().push(row.to_string());
    }

    async fn insert(&self, ground: &Ground) {
        for ((in_wow, table), lines) in &self.lines {
            let database = if *in_wow { &ground.wow } else { &ground.crm };
            let rows = lines.join("\n");
            ground.clickhouse.sql(format!("INSERT INTO {database}.{table} FORMAT JSONEachRow\n{rows}")).await;
        }
    }
}

/// Customers c-0 to c-4; orders name up to c-6, who are not there.
fn customers(tables: &mut Tables, name: &str, tenant: usize) {
    for index in 0..5 {
        let customer = customer(tenant, index);
        tables.crm(
            "customers",
            &json!({ "tenant": name, "id": format!("c-{index}"), "name": customer.0, "email": "", "region": customer.1 }),
        );
        if index < 2 {
            tables.crm("regions", &json!({ "code": customer.1, "label": format!("{} label {index}", MARKS[tenant]) }));
        }
    }
}

fn customer(tenant: usize, index: usize) -> (String, String) {
    (format!("{} customer {index}", MARKS[tenant]), format!("{}-zone-{index}", MARKS[tenant]))
}

/// One order: every fourth has an older version, every eleventh is deleted, every fourth cancelled.
fn order(tables: &mut Tables, datasets: &mut [Dataset], name: &str, tenant: usize, index: usize) {
    let (id, key) = (format!("o-{index}"), index % 7);
    let (owner, space) = (format!("u-{}", index % 3), format!("s-{}", index % 2));
    let status = ["PAID", "CANCELLED", "NEW", ""][index % 4];
    let amount = (index % 5 != 4).then_some(index * 3 % 50);
    let deleted = index % 11 == 10;
    let version = |version: u32, state: Value, deleted: bool| {
        json!({
            "tenant_id": name, "owner_id": owner, "space_id": space, "id": id, "version": version, "deleted": deleted,
            "created_at": "2026-02-03 04:05:06.000", "state": state,
        })
    };
    if index.is_multiple_of(4) {
        let older = json!({ "customerId": "c-1", "status": "NEW", "amount": 77 });
        tables.wow("shop_order_state", &version(1, older, false));
    }
    let mut state = json!({ "customerId": format!("c-{key}") });
    if let Some(amount) = amount {
        state["amount"] = json!(amount);
    }
    if !status.is_empty() {
        state["status"] = json!(status);
    }
    tables.wow("shop_order_state", &version(2, state, deleted));
    if deleted {
        return;
    }
    let known = (key < 5).then(|| customer(tenant, key));
    if status != "CANCELLED" {
        let masked = known.as_ref().map(|(name, _)| masked(name, 1));
        let shown = json!({
            "order_id": id, "customer": masked, "region": known.as_ref().map(|(_, region)| region),
            "amount": amount, "month": "2026-02-01",
        });
        push(&mut datasets[0], tenant, &owner, &space, &shown, &shown);
    }
    if let Some((_, region)) = &known {
        let label = (key < 2).then(|| format!("{} label {key}", MARKS[tenant]));
        let shown = json!({
            "ship_id": id, "customer_key": format!("c-{key}"), "zone": region, "label": label, "amount": amount,
        });
        push(&mut datasets[1], tenant, &owner, &space, &shown, &shown);
    }
}

/// One row of each dataset that joins nothing.
fn plain(tables: &mut Tables, datasets: &mut [Dataset], name: &str, tenant: usize, index: usize) {
    let (mark, other) = (MARKS[tenant], NUMBERS[1 - tenant].to_string());
    let level = i64::try_from(index).unwrap_or_default() * 5 - 100;
    let note = format!("{mark} note {}", index % 10);
    tables.wow(
        "events",
        &json!({
            "tenant": NUMBERS[tenant], "event": format!("e-{index}"), "note": note, "level": level,
            "state": { "tenant_id": other },
        }),
    );
    let shown = json!({ "tenant_id": note, "state": format!("e-{index}"), "tenant": other, "id": level });
    push(&mut datasets[2], tenant, "", "", &shown, &shown);

    let n = (!index.is_multiple_of(3)).then_some(index % 20);
    let serial = format!("{mark}-{index}");
    tables.wow("devices", &json!({ "tenant_id": UUIDS[tenant], "serial": serial, "n": n }));
    let shown = json!({ "tenant_id": serial, "n": n });
    push(&mut datasets[3], tenant, "", "", &shown, &shown);

    let (owner, space) = (format!("u-{}", index % 3), format!("s-{}", index % 2));
    // every third address is one that the other tenant has too
    let email = if index.is_multiple_of(3) { format!("both-{index}") } else { format!("{mark}@{}", index % 8) };
    let phone = format!("{mark} 555 {index}");
    let label = (index % 4 != 1).then(|| format!("{mark} label {}", index % 6));
    let tier = ["gold", "silver", ""][index % 3];
    let id = format!("k-{index}");
    tables.crm(
        "contacts",
        &json!({
            "tenant": name, "owner": owner, "space": space, "id": id, "email": email, "phone": phone, "label": label,
            "tier": tier,
        }),
    );
    let raw = json!({ "id": id, "email": email, "phone": phone, "label": label, "tier": tier });
    let mut shown = raw.clone();
    (shown["email"], shown["phone"]) = (json!(masked(&email, 2)), json!(masked(&phone, 0)));
    push(&mut datasets[4], tenant, &owner, &space, &raw, &shown);
}

fn push(dataset: &mut Dataset, tenant: usize, owner: &str, space: &str, raw: &Value, shown: &Value) {
    let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let (owner, space) = (owner.to_owned(), space.to_owned());
    dataset.rows.push(Row { tenant, owner, space, raw: object(raw), shown: object(shown) });
}

fn masked(text: &str, kept: usize) -> String {
    let length = text.chars().count();
    let kept = if length <= kept { 0 } else { kept };
    text.chars().take(kept).chain(std::iter::repeat_n('*', length - kept)).collect()
}
