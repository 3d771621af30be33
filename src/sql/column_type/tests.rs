use super::*;

#[test]
fn a_type_prints_as_the_server_prints_it() {
    for text in [
        "String",
        "FixedString(16)",
        "UInt256",
        "Decimal(18, 2)",
        "DateTime64(3, 'Asia/Tokyo')",
        "DateTime64(3)",
        "Nullable(DateTime('UTC'))",
        "LowCardinality(Nullable(String))",
        "Array(Tuple(sku Nullable(String), qty Int64))",
        "Map(String, Array(UInt8))",
        "Tuple(String, `b c` Int8)",
        "Tuple()",
        "Enum8('x' = 1, 'it\\'s, (odd' = 2)",
        "JSON(max_dynamic_paths=8, `a.b` UInt32, SKIP c, SKIP REGEXP '^d')",
        "JSON",
        "AggregateFunction(sum, UInt32)",
        "AggregateFunction(quantiles(0.5, 0.9), Float64)",
        "AggregateFunction(count)",
        "SimpleAggregateFunction(groupArrayArray(5), Array(String))",
        "Variant(Array(String), UInt64)",
        "Nested(a UInt8, `b.c` String)",
        "QBit(Float32, 16)",
        "Time64(3)",
        "Dynamic",
        "Dynamic(max_types=8)",
        "IntervalDay",
        "Point",
    ] {
        assert_eq!(ColumnType::parse(text).expect(text).to_string(), text);
    }
}

#[test]
fn other_spellings_are_read() {
    for (written, printed) in [
        ("Decimal64(4)", "Decimal(18, 4)"),
        ("Decimal(9)", "Decimal(9, 0)"),
        ("DateTime64", "DateTime64(3)"),
        ("Enum('b', 'a' = -5)", "Enum8('a' = -5, 'b' = 1)"),
        ("Enum('a' = 1000)", "Enum16('a' = 1000)"),
        ("Variant(UInt64,Array(String), UInt64)", "Variant(Array(String), UInt64)"),
        ("JSON(b.c String,a UInt8,max_dynamic_paths=1024)", "JSON(a UInt8, `b.c` String)"),
        ("JSON(`w x`.y String)", "JSON(`w x.y` String)"),
        ("VARCHAR(255)", "String"),
        ("double precision", "Float64"),
        ("INT UNSIGNED", "UInt32"),
        ("Tuple(a INT UNSIGNED, INT)", "Tuple(a UInt32, Int32)"),
        ("datetime('UTC')", "DateTime('UTC')"),
        ("AggregateFunction(quantiles(0.90,0.5), UInt8)", "AggregateFunction(quantiles(0.9, 0.5), UInt8)"),
        ("Tuple( `a` UInt8,\"b c\" String )", "Tuple(a UInt8, `b c` String)"),
    ] {
        assert_eq!(ColumnType::parse(written).expect(written).to_string(), printed);
    }
}

#[test]
fn what_does_not_close_is_no_type() {
    for text in [
        "",
        "Array(",
        "Array(String))",
        "Enum8('x)",
        "Decimal(5, 9)",
        "a b",
        "DateTime64(10)",
        "Unheard",
        "String(",
        "Map(String)",
        "Tuple(a)",
        "Enum8('a' = 300)",
        "Nullable()",
        "FixedString(0)",
        "Array(String) x",
    ] {
        assert!(ColumnType::parse(text).is_err(), "{text}");
    }
    let deep = format!("{}UInt8{}", "Array(".repeat(200), ")".repeat(200));
    assert!(ColumnType::parse(&deep).is_err());
}

#[test]
fn text_is_found_wherever_it_hides() {
    for text in [
        "LowCardinality(Nullable(String))",
        "Map(UInt8, FixedString(2))",
        "Tuple(a Int8, b JSON)",
        "Enum8('a' = 1)",
        "Dynamic",
        "Variant(UInt8, String)",
        "AggregateFunction(groupArray, String)",
        "SimpleAggregateFunction(any, String)",
    ] {
        assert!(ColumnType::parse(text).expect(text).contains_text(), "{text}");
    }
    for text in ["Array(Nullable(Decimal(9, 2)))", "AggregateFunction(sum, UInt8)", "Point", "IntervalDay", "Time64(3)"]
    {
        assert!(!ColumnType::parse(text).expect(text).contains_text(), "{text}");
    }
}

#[test]
fn arrays_cannot_be_null() {
    let array = ColumnType::parse("Array(String)").expect("a type");
    assert_eq!(array.nullable(), array);
    let low = ColumnType::parse("LowCardinality(String)").expect("a type");
    assert_eq!(low.nullable().to_string(), "LowCardinality(Nullable(String))");
}

#[test]
fn a_json_type_knows_its_paths() {
    let Ok(ColumnType::Json(json)) = ColumnType::parse("JSON(`a.b` UInt32, SKIP c)") else { panic!("it is JSON") };
    assert_eq!(json.typed("a.b"), Some(&ColumnType::UInt(32)));
    assert!(json.is_skipped("c.d") && json.is_skipped("c") && !json.is_skipped("cd") && !json.is_skipped("a.b"));
}
