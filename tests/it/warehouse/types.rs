//! The texts of types, as the server writes them and as people do: what is printed is what the server prints.

use analytics_catalog::sql::{ColumnType, literal};

use crate::support::clickhouse::{ClickHouse, clickhouse};

/// Settings under which every type can be named.
const SETTINGS: &str = "SETTINGS print_pretty_type_names = 0, allow_experimental_qbit_type = 1, \
    allow_suspicious_low_cardinality_types = 1, allow_suspicious_variant_types = 1, enable_time_time64_type = 1, \
    allow_experimental_nullable_tuple_type = 1";

/// The server's text of a type; none if it knows no such type. It stands inside a tuple, because a column that is
/// `Nested` as a whole becomes several.
async fn of_server(clickhouse: &ClickHouse, written: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Row {
        #[serde(rename = "type")]
        column_type: String,
    }
    let structure = literal::string(&format!("c Tuple(t {written})"));
    let answer = clickhouse.try_sql(&format!("DESCRIBE TABLE null({structure}) {SETTINGS} FORMAT JSONEachRow")).await;
    let row: Row = serde_json::from_str(answer.ok()?.lines().next()?).expect("a row of DESCRIBE");
    Some(row.column_type.strip_prefix("Tuple(t ")?.strip_suffix(')')?.to_owned())
}

fn printed(written: &str) -> String {
    ColumnType::parse(written).map_or_else(|error| error.to_string(), |column_type| column_type.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_family_of_types_is_read_and_printed_as_the_server_prints_it() {
    let clickhouse = clickhouse().await;
    let families = clickhouse.sql("SELECT name FROM system.data_type_families ORDER BY name FORMAT TSVRaw").await;
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for name in families.lines() {
        let forms = match name.to_ascii_uppercase().as_str() {
            "AGGREGATEFUNCTION" => {
                vec!["(sum, UInt8)", "(quantiles(0.5, 0.90), Float32)", "(1, sumMap, Map(String, UInt8))"]
            }
            "SIMPLEAGGREGATEFUNCTION" => vec!["(sum, UInt64)", "(anyLast, Nullable(String))"],
            "ARRAY" | "NULLABLE" | "LOWCARDINALITY" => vec!["(String)"],
            "MAP" => vec!["(String, UInt8)"],
            "TUPLE" => vec!["(a UInt8, `b c` String)", "(UInt8)", "()"],
            "NESTED" => vec!["(a UInt8, b String)"],
            "VARIANT" => vec!["(UInt8, String)"],
            "QBIT" => vec!["(Float32, 8)"],
            "FIXEDSTRING" | "BINARY" => vec!["(3)"],
            "DECIMAL" | "DEC" | "NUMERIC" | "FIXED" => vec!["", "(5)", "(9, 2)"],
            "DECIMAL32" | "DECIMAL64" | "DECIMAL128" | "DECIMAL256" => vec!["(2)"],
            "DATETIME64" | "TIME64" => vec!["", "(6)"],
            "DATETIME" | "DATETIME32" | "TIMESTAMP" => vec!["", "('Asia/Tokyo')"],
            "ENUM" | "ENUM8" | "ENUM16" => vec!["('b', 'a' = -5)", "('it\\'s' = 1)"],
            "JSON" => vec!["", "(max_dynamic_paths = 3, b.c UInt8, a String, SKIP d.e, SKIP REGEXP '^x')"],
            "DYNAMIC" => vec!["", "(max_types = 3)"],
            "VARCHAR" | "CHAR" | "INT" | "BIGINT" => vec!["", "(10)"],
            _ => vec![""],
        };
        for form in forms {
            tried += 1;
            let written = format!("{name}{form}");
            match of_server(clickhouse, &written).await {
                Some(server) if printed(&written) == server && printed(&server) == server => {}
                server => wrong.push(format!("{written}: the server prints {server:?}, we {}", printed(&written))),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{tried} spellings of {} families", families.lines().count());
    assert!(tried >= 130, "{tried}");
}

/// Types within types, in a fixed order of choices.
struct Choices(u64);

impl Choices {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn name(&mut self) -> &'static str {
        self.one_of(&[
            "a", "`b c`", "`select`", "`null_`", "`a.b`", "`it\\`s`", "`ü`", "_x1", "`from`", "\"q q\"", "key",
        ])
    }

    fn leaf(&mut self) -> String {
        let plain = [
            "String",
            "Bool",
            "UInt8",
            "Int256",
            "Float32",
            "BFloat16",
            "Decimal(18, 2)",
            "Date",
            "Date32",
            "DateTime",
            "DateTime('Europe/Berlin')",
            "DateTime64(3)",
            "DateTime64(9, 'Asia/Tokyo')",
            "UUID",
            "IPv4",
            "IPv6",
            "Enum8('a' = 1, 'it\\'s, (odd\\\\' = 2)",
            "Enum16('x' = -300, 'new\\nline' = 300)",
            "FixedString(4)",
            "Time",
            "Time64(6)",
            "IntervalDay",
            "Dynamic",
            "Dynamic(max_types=3)",
            "JSON",
            "Point",
            "MultiPolygon",
            "Geometry",
            "AggregateFunction(count)",
            "AggregateFunction(quantileTDigest(0.9), UInt32)",
            "AggregateFunction(sumIf, Int8, UInt8)",
            "AggregateFunction(groupArray(3), String)",
            "SimpleAggregateFunction(max, DateTime)",
            "JSON(max_dynamic_types=2, max_dynamic_paths=5, z UInt8, `a.b` Array(String), SKIP c)",
            "QBit(Float64, 4)",
        ];
        self.one_of(&plain).to_owned()
    }

    fn any(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        match self.below(9) {
            0 | 1 => format!("Array({})", self.any(depth - 1)),
            2 => format!("Nullable({})", self.leaf()),
            3 => format!(
                "LowCardinality({})",
                self.one_of(&["String", "Nullable(String)", "Date", "UInt32", "FixedString(2)"])
            ),
            4 => format!(
                "Map({}, {})",
                self.one_of(&["String", "UInt64", "LowCardinality(String)", "Date"]),
                self.any(depth - 1)
            ),
            5 => format!("Tuple({} {}, {}_ {})", self.name(), self.any(depth - 1), "second", self.any(depth - 1)),
            6 => format!("Tuple({},{})", self.any(depth - 1), self.any(depth - 1)),
            7 => format!("Variant({}, {})", self.leaf(), self.any(depth - 1)),
            _ => format!("Nested({} {}, n {})", self.name(), self.any(depth - 1), self.leaf()),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn types_within_types_are_printed_as_the_server_prints_them() {
    let clickhouse = clickhouse().await;
    let mut choices = Choices(7);
    let (mut wrong, mut known) = (Vec::new(), 0);
    for _ in 0..1200 {
        let depth = 1 + choices.below(3);
        let written = choices.any(depth);
        let Some(server) = of_server(clickhouse, &written).await else { continue };
        known += 1;
        if printed(&written) != server || printed(&server) != server {
            wrong.push(format!(
                "{written}: the server prints {server}, we {} and {}",
                printed(&written),
                printed(&server)
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {known} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    println!("{known} nested types");
    assert!(known >= 800, "{known}");
}
