//! The rows of the generated world: both tenants have the same identifiers, keys point across tenants, records have
//! superseded versions and deletions in parts that are never merged.

use serde_json::Value as Json;

use super::tables::{Model, Record, Row, Table, Tenancy};
use super::value::Value;
use crate::support::filters::Chance;

/// What the second tenant's rows hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// What the first one's hold.
    Ordinary,
    /// What throws or takes long as soon as somebody computes with it.
    Secrets,
}

/// The parts that each table has.
const PARTS: usize = 3;
/// Identifiers that both tenants have, and those that only one has.
const SHARED_IDS: usize = 16;
const OWN_IDS: usize = 3;
/// Stands in every protected value, and nowhere else.
pub const MARK: &str = "XQZJXQZJXQZJXQZJ";
/// Stands in every protected number.
pub const MARKED_NUMBER: i64 = 73_417_341_734_173;
/// The character that secrets are full of, and ordinary values never have.
pub const BOMB: &str = "zzzzzzzzzzzzzzzz";

/// The texts of the two tenants in a family.
pub fn tenants(family: &str) -> [String; 2] {
    match family {
        "UInt32" => ["7", "70"],
        "Int64" => ["-7", "70"],
        "UUID" => ["11111111-2222-3333-4444-555555555555", "11111111-2222-3333-4444-555555555556"],
        _ => ["acme +%2B 'q' \"é\" \\", "acme +%2b 'q' \"é\" \\"],
    }
    .map(str::to_owned)
}

/// Gives a table its rows; the lines to insert, a list for each part.
pub fn fill(table: &mut Table, chance: &mut Chance, foreign: Foreign) -> [Vec<Json>; PARTS] {
    let mut parts: [Vec<Json>; PARTS] = Default::default();
    let tenants: &[Option<usize>] = match table.tenancy {
        Tenancy::Column(_) => &[Some(0), Some(1)],
        Tenancy::Value(0) => &[Some(0)],
        Tenancy::Value(_) => &[Some(1)],
        Tenancy::Shared => &[None],
    };
    for tenant in tenants {
        let ids = (0..SHARED_IDS).map(|index| format!("k-{index}"));
        let secret = foreign == Foreign::Secrets && *tenant == Some(1);
        // In the sorting key too: conditions on it are the first that a server runs. They lie beside the first tenant's.
        let start = if secret { format!("0{BOMB}-") } else { String::new() };
        let own = (0..OWN_IDS).map(|index| format!("{start}only-{}-{index}", tenant.unwrap_or(9)));
        for id in ids.chain(own) {
            let versions: Vec<Record> =
                (0..=chance.below(PARTS)).map(|_| record(table, chance, *tenant, &id, secret)).collect();
            let deleted = chance.once_in(5);
            let rows = history(table, chance, &versions, deleted, &mut parts);
            table.rows.extend(rows.into_iter().map(|record| table.row(record, *tenant)).collect::<Vec<Row>>());
        }
    }
    parts
}

/// Puts the versions of one key into the parts; those that count.
fn history<'a>(
    table: &Table,
    chance: &mut Chance,
    versions: &'a [Record],
    deleted: bool,
    parts: &mut [Vec<Json>; PARTS],
) -> Vec<&'a Record> {
    let last = versions.len() - 1;
    // What comes later is newer by its version, wherever it was inserted.
    let backwards = chance.once_in(3);
    let place = |version: usize| if backwards { PARTS - 1 - version.min(2) } else { version.min(2) };
    match table.model {
        Model::Plain | Model::View | Model::Memory => {
            for (version, record) in versions.iter().enumerate() {
                parts[place(version)].push(table.line(record, version, 1, false));
            }
            return versions.iter().collect();
        }
        Model::Replacing | Model::ReplacingDeleted | Model::DeclaredDeleted | Model::DeclaredUnique => {
            let marks = table.model != Model::Replacing;
            for (version, record) in versions.iter().enumerate() {
                // a record that was deleted before, and came back
                let gone = marks && (deleted && version == last || version < last && chance.once_in(4));
                parts[place(version)].push(table.line(record, version, 1, gone));
            }
            if marks && deleted {
                return Vec::new();
            }
        }
        Model::Collapsing | Model::Versioned => {
            for (version, record) in versions.iter().enumerate() {
                parts[version.min(2)].push(table.line(record, version, 1, false));
                if version < last || deleted {
                    parts[(version + 1).min(2)].push(table.line(record, version, -1, false));
                }
            }
            if deleted {
                return Vec::new();
            }
        }
    }
    vec![&versions[last]]
}

fn record(table: &Table, chance: &mut Chance, tenant: Option<usize>, id: &str, secret: bool) -> Record {
    let texts = tenants(table.family());
    let mut record = Record::default();
    let mut set = |field: &'static str, value: Value| drop(record.0.insert(field, value));
    set("id", Value::text(id));
    if let Some(tenant) = tenant {
        let own = &texts[tenant];
        set("tenant", own.parse().ok().filter(|_| table.family() != "String").map_or(Value::text(own), Value::Whole));
        set("other", Value::text(&texts[1 - tenant]));
    } else {
        set("other", Value::text("nobody"));
    }
    set("owner", Value::text(*chance.one_of(&["u-0", "u-1", "u-2", ""])));
    set("space", Value::text(*chance.one_of(&["s-0", "s-1", ""])));
    let key = match chance.below(10) {
        0 | 1 => Value::Null,
        2 => Value::text(format!("only-{}-{}", chance.below(2), chance.below(OWN_IDS))),
        _ => Value::text(format!("k-{}", chance.below(SHARED_IDS))),
    };
    set("parent", key);
    let mark = ["alpha", "beta"][tenant.unwrap_or(0)];
    let label = *chance.one_of(&["north", "South", "12", "-3", "", "it's \\ 'é'", mark]);
    set("label", Value::text(label));
    set("grade", Value::text(*chance.one_of(&["gold", "basic"])));
    set("number", if chance.once_in(4) { Value::Null } else { Value::Whole(chance.below(40) as i64 - 10) });
    set("count", Value::Whole(chance.below(30) as i64));
    set("amount", Value::Money(chance.below(20_000) as i64 - 5_000));
    set(
        "day",
        Value::Day(format!("20{:02}-{:02}-{:02}", 20 + chance.below(9), 1 + chance.below(12), 1 + chance.below(28))),
    );
    set("tags", Value::List((0..chance.below(4)).map(|_| (*chance.one_of(&["a", "b", mark])).to_owned()).collect()));
    set("mail", Value::text(format!("{MARK}@example.org")));
    set("phone", if chance.once_in(5) { Value::Null } else { Value::text(MARK) });
    set("wage", Value::Whole(MARKED_NUMBER));
    set("secret", Value::text(MARK));
    set("secrets", Value::List(vec![MARK.to_owned(), MARK.to_owned()]));
    if secret {
        // Nothing is drawn here: the rows of the first tenant are the same in both worlds.
        let even = id.len().is_multiple_of(2);
        for field in ["parent", "label", "mail", "phone", "secret", "other"] {
            set(field, Value::text(BOMB));
        }
        set("tags", Value::List(vec![BOMB.to_owned(); 3]));
        set("number", Value::Whole(if even { i64::MAX } else { i64::MIN }));
        set("wage", Value::Whole(i64::MAX));
        set("count", Value::Whole(i64::from(u32::MAX)));
        set("amount", Value::Money(if even { 999_999_999_999_999_999 } else { -999_999_999_999_999_999 }));
        set("day", Value::Day(if even { "1900-01-01" } else { "2299-12-31" }.to_owned()));
    }
    record
}
