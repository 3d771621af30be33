//! Random filters, and what each of them means, computed without the server (query-language 2).

use serde_json::{Map, Value, json};

use super::world::{Asked, Column, Dataset, Kind, Row};

/// A small generator of numbers (SplitMix64): the same seed gives the same queries everywhere.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap_or_default()
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Texts that mean something to SQL, to ClickHouse's escapes, to URLs and to our own statements.
const HOSTILE: [&str; 16] = [
    "' OR 1 = 1 -- ",
    "\\",
    "\\'",
    "",
    "%",
    "_",
    "a+b",
    "a b",
    "{st:String}",
    "\u{0}",
    "\t\r\n",
    "\\N",
    "é用户😀",
    "__tenant",
    "') OR ('' = '",
    "&log_comment={}",
];
const PRESENCE: [&str; 4] = ["IS_NULL", "IS_NOT_NULL", "EXISTS", "NOT_EXISTS"];

/// A random filter over a dataset.
pub fn filter(chance: &mut Chance, dataset: &Dataset, depth: usize) -> Value {
    match chance.below(if depth == 0 { 8 } else { 12 }) {
        0 => json!({ "op": "MATCH_ALL" }),
        1 if chance.once_in(3) => json!({ "op": "MATCH_NONE" }),
        2 => system(chance, dataset),
        1 | 3..8 => field(chance, dataset),
        _ => {
            let operands: Vec<Value> = (0..=chance.below(3)).map(|_| filter(chance, dataset, depth - 1)).collect();
            json!({ "op": chance.one_of(&["AND", "OR", "NOR"]), "operands": operands })
        }
    }
}

fn system(chance: &mut Chance, dataset: &Dataset) -> Value {
    let tenant = chance.one_of(&dataset.tenants).clone();
    let identity = operand(chance, dataset, dataset.identity).as_str().unwrap_or("no text").to_owned();
    match chance.below(if dataset.limited { 5 } else { 3 }) {
        0 => json!({ "op": "TENANT_ID", "value": tenant }),
        1 => json!({ "op": "ID", "value": identity }),
        2 => json!({ "op": "IDS", "values": [identity, *chance.one_of(&HOSTILE)] }),
        3 => json!({ "op": "OWNER_ID", "value": format!("u-{}", chance.below(4)) }),
        _ => json!({ "op": "SPACE_ID", "value": format!("s-{}", chance.below(3)) }),
    }
}

fn field(chance: &mut Chance, dataset: &Dataset) -> Value {
    let columns: Vec<&Column> = dataset.columns.iter().filter(|column| column.asked != Asked::Nothing).collect();
    let column = *chance.one_of(&columns);
    let mut operators = vec!["EQ", "NE", "IN", "NOT_IN"];
    operators.extend(PRESENCE);
    if column.asked == Asked::Everything {
        operators.extend(["GT", "GTE", "LT", "LTE", "BETWEEN"]);
        if column.kind == Kind::Text {
            operators.extend(["CONTAINS", "STARTS_WITH", "ENDS_WITH", "IS_EMPTY_STRING", "IS_NOT_EMPTY_STRING"]);
        }
    }
    let operator = *chance.one_of(&operators);
    let mut filter = json!({ "op": operator, "field": column.name });
    let mut value = || match column.kind {
        Kind::Whole if chance.once_in(8) => json!(chance.one_of(&[1e20, -1e20])),
        Kind::Text if chance.once_in(4) => json!(chance.one_of(&HOSTILE)),
        _ => operand(chance, dataset, column.name),
    };
    match operator {
        "IN" | "NOT_IN" => filter["values"] = json!([value(), value(), value()]),
        "BETWEEN" => (filter["lowerBound"], filter["upperBound"]) = (value(), value()),
        "EQ" | "NE" => {
            filter["value"] = value();
            if chance.once_in(8) {
                filter["value"] = Value::Null;
            }
        }
        "GT" | "GTE" | "LT" | "LTE" => filter["value"] = value(),
        "CONTAINS" | "STARTS_WITH" | "ENDS_WITH" => {
            let piece = value().as_str().unwrap_or_default().chars().take(7).collect::<String>();
            filter["value"] = json!(piece);
            if chance.once_in(3) {
                filter["stringComparison"] = json!("CASE_INSENSITIVE");
                filter["value"] = json!(piece.to_ascii_uppercase());
            }
        }
        _ => {}
    }
    filter
}

/// A value that some row of either tenant has, or one beside it.
fn operand(chance: &mut Chance, dataset: &Dataset, column: &str) -> Value {
    for _ in 0..20 {
        let value = &chance.one_of(&dataset.rows).raw[column];
        match value.as_i64() {
            Some(number) => return json!(number + [0, 0, 1][chance.below(3)]),
            None if !value.is_null() => return value.clone(),
            None => {}
        }
    }
    json!(1)
}

/// Whether a row matches a filter. Two-valued: nothing is unknown.
pub fn matches(filter: &Value, dataset: &Dataset, row: &Row) -> bool {
    let text = |name: &str| filter[name].as_str().unwrap_or_default();
    let list = |name: &str| filter[name].as_array().cloned().unwrap_or_default();
    let nested = || list("operands");
    match text("op") {
        "MATCH_ALL" => true,
        "MATCH_NONE" => false,
        "AND" => nested().iter().all(|operand| matches(operand, dataset, row)),
        "OR" => nested().iter().any(|operand| matches(operand, dataset, row)),
        "NOR" => !nested().iter().any(|operand| matches(operand, dataset, row)),
        "TENANT_ID" => text("value") == dataset.tenants[row.tenant],
        "OWNER_ID" => text("value") == row.owner,
        "SPACE_ID" => text("value") == row.space,
        "ID" => row.raw[dataset.identity] == filter["value"],
        "IDS" => list("values").contains(&row.raw[dataset.identity]),
        operator => leaf(operator, &row.raw[text("field")], filter.as_object().expect("a filter is an object")),
    }
}

fn leaf(operator: &str, stored: &Value, filter: &Map<String, Value>) -> bool {
    let absent = stored.is_null();
    let asked = filter.get("value").unwrap_or(&Value::Null);
    let listed = || filter["values"].as_array().is_some_and(|values| values.iter().any(|value| same(stored, value)));
    match operator {
        "EQ" if asked.is_null() => absent,
        "NE" if asked.is_null() => !absent,
        "EQ" => same(stored, asked),
        "NE" => !same(stored, asked),
        "IN" => listed(),
        "NOT_IN" => !listed(),
        "IS_NULL" => absent,
        "IS_NOT_NULL" => !absent,
        "EXISTS" => true,
        "NOT_EXISTS" => false,
        _ if absent => false,
        "GT" => order(stored, asked).is_gt(),
        "GTE" => order(stored, asked).is_ge(),
        "LT" => order(stored, asked).is_lt(),
        "LTE" => order(stored, asked).is_le(),
        "BETWEEN" => order(stored, &filter["lowerBound"]).is_ge() && order(stored, &filter["upperBound"]).is_le(),
        "IS_EMPTY_STRING" => stored == "",
        "IS_NOT_EMPTY_STRING" => stored != "",
        _ => piece(operator, stored, asked, filter.contains_key("stringComparison")),
    }
}

fn piece(operator: &str, stored: &Value, asked: &Value, ignore_case: bool) -> bool {
    let folded = |value: &Value| {
        let text = value.as_str().unwrap_or_default();
        if ignore_case { text.to_lowercase() } else { text.to_owned() }
    };
    let (stored, asked) = (folded(stored), folded(asked));
    match operator {
        "CONTAINS" => stored.contains(&asked),
        "STARTS_WITH" => stored.starts_with(&asked),
        "ENDS_WITH" => stored.ends_with(&asked),
        other => panic!("`{other}` is not generated"),
    }
}

fn same(stored: &Value, asked: &Value) -> bool {
    !stored.is_null() && order(stored, asked).is_eq()
}

/// How two values of one kind that are there compare.
pub fn order(stored: &Value, asked: &Value) -> std::cmp::Ordering {
    match (stored.as_str(), asked.as_str(), stored.as_f64(), asked.as_f64()) {
        (Some(stored), Some(asked), ..) => stored.cmp(asked),
        (_, _, Some(stored), Some(asked)) => stored.total_cmp(&asked),
        _ => panic!("{stored} and {asked} are not of one kind"),
    }
}
