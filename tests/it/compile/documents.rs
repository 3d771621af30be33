//! Documents that say something else than what is declared: every type of a path, an array, a map and an element reads
//! every odd value, in JSON and in text, throws for none, and reads the same of both.

use analytics_catalog::sql::literal;

use super::case::Case;
use super::on_clickhouse::{create, read_catalog};
use crate::support::cases;
use crate::support::clickhouse::{Ground, clickhouse};

/// The types that a path may be declared with, but days and instants: a JSON column stores these otherwise than written.
const TYPES: &[&str] = &[
    "Bool",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "Float64",
    "UUID",
    "Decimal(9, 4)",
    "Decimal(18, 2)",
    "Decimal(18, 18)",
    "Decimal(38, 10)",
    "Decimal(76, 0)",
];

/// Values as JSON; each must be one that a JSON column stores.
const VALUES: &[&str] = &[
    "null",
    "\"x\"",
    "1",
    "-1",
    "1.0",
    "1.5",
    "2",
    "300",
    "1e30",
    "1e19",
    "1e5",
    "-1e300",
    "5e-324",
    "18446744073709551615",
    "-9223372036854775808",
    "9007199254740993",
    "123456789012345678901234.5678",
    "0.29",
    "1.005",
    "-0.0",
    "0.1",
    "true",
    "false",
    "[]",
    "[1, 2]",
    "[[1]]",
    "[null]",
    "[18446744073709551615]",
    "{}",
    "{\"a\": 1}",
    "{\"a\": {\"b\": \"nan\"}}",
    "\"\"",
    "\" 5 \"",
    "\"5 \"",
    "\"+5\"",
    "\"007\"",
    "\"-0\"",
    "\"0x10\"",
    "\"1e5\"",
    "\"1e400\"",
    "\"-\"",
    "\".\"",
    "\"e5\"",
    "\"5.\"",
    "\".5\"",
    "\"1.005\"",
    "\"nan\"",
    "\"-nan\"",
    "\"inf\"",
    "\"-inf\"",
    "\"true\"",
    "\"18446744073709551616\"",
    "\"99999999999999999999999999999999999999999999999999999999999999999999999999999999\"",
    "\"1900-01-01\"",
    "\"1899-12-31T23:59:59Z\"",
    "\"2024-02-29\"",
    "\"2024-02-30\"",
    "\"2024-02-29T12:00:00Z\"",
    "\"2299-12-31 23:59:59.999\"",
    "\"2024-02-29 12:00:00.123456789\"",
    "\"00000000-0000-0000-0000-000000000001\"",
    "\"\\u0000\\ud83d\\ude00\"",
];

/// Values of which a JSON column stores less, or something else, than the text says: no null and no empty object as a
/// member, and floats in an array where an integer stands beside them.
const STORED_OTHERWISE: &[&str] = &["null", "{}", "18446744073709551615", "-0.0"];

#[tokio::test(flavor = "multi_thread")]
async fn no_value_of_a_document_throws_and_json_reads_as_text_does() {
    let ground = clickhouse().await.ground().await;
    let mut wrong = Vec::new();
    for (json, text) in
        [("paths/json-every-type", "paths/json-text-every-type"), ("elements/json", "elements/json-text")]
    {
        let (json, text) = (filled(&ground, json).await, filled(&ground, text).await);
        for column_type in TYPES {
            let (json, text) = (read(&ground, &json, column_type).await, read(&ground, &text, column_type).await);
            match (json, text) {
                (Ok(json), Ok(text)) => {
                    assert_eq!(json.len(), VALUES.len());
                    let pairs = VALUES
                        .iter()
                        .zip(json.iter().zip(&text))
                        .filter(|(value, (json, text))| json != text && !STORED_OTHERWISE.contains(value));
                    wrong.extend(
                        pairs.map(|(value, (json, text))| format!("{value} as {column_type}: {json}, of text {text}")),
                    );
                    let nan =
                        VALUES.iter().zip(&json).filter(|(value, _)| **value == "\"nan\"" && *column_type != "Float64");
                    wrong.extend(
                        nan.filter(|(_, row)| row.contains("nan") || row.contains('8'))
                            .map(|(_, row)| format!("nan as {column_type}: {row}")),
                    );
                }
                (json, text) => {
                    wrong.extend([("JSON", json), ("text", text)].into_iter().filter_map(|(of, read)| {
                        Some(format!("{column_type} of {of}: {}", read.err()?.chars().take(300).collect::<String>()))
                    }));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A case with its table, of a row for each value; the value stands at every place that is read.
async fn filled(ground: &Ground, name: &str) -> Case {
    let case = Case::of(&cases::root("compile").join(name));
    let source = &case.sources[&case.spec.definition.sources[0].source_id].declaration;
    create(ground, case.catalog.table(&source.database, &source.table).expect("the case has the table")).await;
    let rows = VALUES.iter().enumerate().map(|(number, value)| {
        let document = format!(
            "{{\"i\": {value}, \"n\": [{value}, null], \"m\": {{\"k\": {value}}}, \"items\": [{{\"sku\": \"s\", \"qty\": {value}}}]}}"
        );
        format!("('T', '{number:03}', {})", literal::string(&document))
    });
    let rows = rows.collect::<Vec<_>>().join(", ");
    ground.sql(&format!("INSERT INTO {}.{} VALUES {rows}", source.database, source.table)).await;
    case
}

/// The rows of a case, its single values read as this type.
async fn read(ground: &Ground, case: &Case, column_type: &str) -> Result<Vec<String>, String> {
    let mut case = Case {
        name: case.name.clone(),
        spec: case.spec.clone(),
        sources: case.sources.clone(),
        catalog: case.catalog.clone(),
    };
    for source in case.sources.values_mut() {
        for column in &mut source.declaration.columns {
            column.column_type = match column.path.as_str() {
                "i" | "items.qty" => Some(column_type.to_owned()),
                "n" => Some(format!("Array({column_type})")),
                "m" => Some(format!("Map(String, {column_type})")),
                _ => continue,
            };
        }
    }
    for column in &mut case.spec.definition.columns {
        column
            .elements
            .iter_mut()
            .filter(|element| element.path == "qty")
            .for_each(|element| element.element_type = column_type.to_owned());
    }
    case.spec.definition.columns.retain(|column| {
        column
            .from
            .as_ref()
            .is_some_and(|from| ["t.id", "t.doc.i", "t.doc.n", "t.doc.m", "t.doc.items"].contains(&from.as_str()))
    });
    let compiled = case
        .compile(&read_catalog(ground).await, &ground.datasets)
        .map_err(|found| analytics_catalog::compile::lines(&found))?;
    let select = format!(
        "SELECT * FROM ({}) ORDER BY id SETTINGS log_comment = '{{\"tenant\":\"T\",\"owner\":null,\"space\":null}}' FORMAT JSONCompactEachRow",
        compiled.select.as_str()
    );
    Ok(ground.clickhouse.try_sql(&select).await?.lines().map(str::to_owned).collect())
}
