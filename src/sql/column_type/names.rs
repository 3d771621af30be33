//! The names of types: those that the server prints, and those that people may write for them (ClickHouse:
//! `system.data_type_families`).

use super::ColumnType;

/// What a written name stands for.
pub(super) enum Spelling {
    /// A type that needs no arguments.
    Plain(&'static str),
    /// A type that has or may have arguments.
    WithArguments(&'static str),
}

/// Types without arguments that nothing can be computed with, and whether they hold text.
const OTHERS: [(&str, bool); 22] = [
    ("BFloat16", false),
    ("Dynamic", true),
    ("Geometry", false),
    ("IntervalDay", false),
    ("IntervalHour", false),
    ("IntervalMicrosecond", false),
    ("IntervalMillisecond", false),
    ("IntervalMinute", false),
    ("IntervalMonth", false),
    ("IntervalNanosecond", false),
    ("IntervalQuarter", false),
    ("IntervalSecond", false),
    ("IntervalWeek", false),
    ("IntervalYear", false),
    ("LineString", false),
    ("MultiLineString", false),
    ("MultiPolygon", false),
    ("Nothing", false),
    ("Point", false),
    ("Polygon", false),
    ("Ring", false),
    ("Time", false),
];

/// Types without arguments that are values.
const VALUES: [(&str, ColumnType); 22] = [
    ("Bool", ColumnType::Bool),
    ("Date", ColumnType::Date),
    ("Date32", ColumnType::Date32),
    ("DateTime", ColumnType::DateTime(None)),
    ("Float32", ColumnType::Float(32)),
    ("Float64", ColumnType::Float(64)),
    ("IPv4", ColumnType::Ipv4),
    ("IPv6", ColumnType::Ipv6),
    ("Int128", ColumnType::Int(128)),
    ("Int16", ColumnType::Int(16)),
    ("Int256", ColumnType::Int(256)),
    ("Int32", ColumnType::Int(32)),
    ("Int64", ColumnType::Int(64)),
    ("Int8", ColumnType::Int(8)),
    ("String", ColumnType::String),
    ("UInt128", ColumnType::UInt(128)),
    ("UInt16", ColumnType::UInt(16)),
    ("UInt256", ColumnType::UInt(256)),
    ("UInt32", ColumnType::UInt(32)),
    ("UInt64", ColumnType::UInt(64)),
    ("UInt8", ColumnType::UInt(8)),
    ("UUID", ColumnType::Uuid),
];

/// Types that have arguments, or may have them.
const WITH_ARGUMENTS: [&str; 21] = [
    "AggregateFunction",
    "Array",
    "DateTime64",
    "Decimal",
    "Decimal128",
    "Decimal256",
    "Decimal32",
    "Decimal64",
    "Enum",
    "Enum16",
    "Enum8",
    "FixedString",
    "LowCardinality",
    "Map",
    "Nested",
    "Nullable",
    "QBit",
    "SimpleAggregateFunction",
    "Time64",
    "Tuple",
    "Variant",
];

/// Further spellings that people use, in capitals, and what the server prints.
const ALIASES: [(&str, &str); 86] = [
    ("BIGINT", "Int64"),
    ("BIGINT SIGNED", "Int64"),
    ("BIGINT UNSIGNED", "UInt64"),
    ("BINARY", "FixedString"),
    ("BINARY LARGE OBJECT", "String"),
    ("BINARY VARYING", "String"),
    ("BIT", "UInt64"),
    ("BLOB", "String"),
    ("BOOL", "Bool"),
    ("BOOLEAN", "Bool"),
    ("BYTE", "Int8"),
    ("BYTEA", "String"),
    ("CHAR", "String"),
    ("CHAR LARGE OBJECT", "String"),
    ("CHAR VARYING", "String"),
    ("CHARACTER", "String"),
    ("CHARACTER LARGE OBJECT", "String"),
    ("CHARACTER VARYING", "String"),
    ("CLOB", "String"),
    ("DATE", "Date"),
    ("DATE32", "Date32"),
    ("DATETIME", "DateTime"),
    ("DATETIME32", "DateTime"),
    ("DATETIME64", "DateTime64"),
    ("DEC", "Decimal"),
    ("DECIMAL", "Decimal"),
    ("DECIMAL128", "Decimal128"),
    ("DECIMAL256", "Decimal256"),
    ("DECIMAL32", "Decimal32"),
    ("DECIMAL64", "Decimal64"),
    ("DOUBLE", "Float64"),
    ("DOUBLE PRECISION", "Float64"),
    ("ENUM", "Enum"),
    ("FIXED", "Decimal"),
    ("FLOAT", "Float32"),
    ("GEOMETRY", "Geometry"),
    ("INET4", "IPv4"),
    ("INET6", "IPv6"),
    ("INT", "Int32"),
    ("INT SIGNED", "Int32"),
    ("INT UNSIGNED", "UInt32"),
    ("INT1", "Int8"),
    ("INT1 SIGNED", "Int8"),
    ("INT1 UNSIGNED", "UInt8"),
    ("INTEGER", "Int32"),
    ("INTEGER SIGNED", "Int32"),
    ("INTEGER UNSIGNED", "UInt32"),
    ("JSON", "JSON"),
    ("LONGBLOB", "String"),
    ("LONGTEXT", "String"),
    ("MEDIUMBLOB", "String"),
    ("MEDIUMINT", "Int32"),
    ("MEDIUMINT SIGNED", "Int32"),
    ("MEDIUMINT UNSIGNED", "UInt32"),
    ("MEDIUMTEXT", "String"),
    ("NATIONAL CHAR", "String"),
    ("NATIONAL CHAR VARYING", "String"),
    ("NATIONAL CHARACTER", "String"),
    ("NATIONAL CHARACTER LARGE OBJECT", "String"),
    ("NATIONAL CHARACTER VARYING", "String"),
    ("NCHAR", "String"),
    ("NCHAR LARGE OBJECT", "String"),
    ("NCHAR VARYING", "String"),
    ("NUMERIC", "Decimal"),
    ("NVARCHAR", "String"),
    ("REAL", "Float32"),
    ("SET", "UInt64"),
    ("SIGNED", "Int64"),
    ("SINGLE", "Float32"),
    ("SMALLINT", "Int16"),
    ("SMALLINT SIGNED", "Int16"),
    ("SMALLINT UNSIGNED", "UInt16"),
    ("TEXT", "String"),
    ("TIME", "Time"),
    ("TIME64", "Time64"),
    ("TIMESTAMP", "DateTime"),
    ("TINYBLOB", "String"),
    ("TINYINT", "Int8"),
    ("TINYINT SIGNED", "Int8"),
    ("TINYINT UNSIGNED", "UInt8"),
    ("TINYTEXT", "String"),
    ("UNSIGNED", "UInt64"),
    ("VARBINARY", "String"),
    ("VARCHAR", "String"),
    ("VARCHAR2", "String"),
    ("YEAR", "UInt16"),
];

/// What a name stands for; none if it is no name of a type.
pub(super) fn canonical(written: &str) -> Option<Spelling> {
    if let Some(known) = known(written) {
        return Some(known);
    }
    let capitals = written.to_ascii_uppercase();
    let (_, name) = ALIASES.iter().find(|(alias, _)| *alias == capitals)?;
    known(name)
}

fn known(name: &str) -> Option<Spelling> {
    let plain = VALUES.iter().map(|(known, _)| *known).chain(OTHERS.iter().map(|(known, _)| *known)).chain(["JSON"]);
    let mut with_arguments = WITH_ARGUMENTS.into_iter();
    match plain.into_iter().find(|known| *known == name) {
        Some(known) => Some(Spelling::Plain(known)),
        None => with_arguments.find(|known| *known == name).map(Spelling::WithArguments),
    }
}

/// The type of a name without arguments.
pub(super) fn plain(name: &str) -> Option<ColumnType> {
    if name == "JSON" {
        return Some(ColumnType::Json(Box::default()));
    }
    let value = VALUES.iter().find(|(known, _)| *known == name).map(|(_, column_type)| column_type.clone());
    value.or_else(|| OTHERS.iter().any(|(known, _)| *known == name).then(|| ColumnType::Other(name.to_owned())))
}

/// Whether a spelling of several words starts like this, or is this.
pub(super) fn is_start(words: &str) -> bool {
    let capitals = words.to_ascii_uppercase();
    ALIASES.iter().any(|(alias, _)| {
        alias.strip_prefix(capitals.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// Whether the server drops a width that stands after the name, as in `VARCHAR(255)`.
pub(super) fn width_is_dropped(written: &str) -> bool {
    let capitals = written.to_ascii_uppercase();
    let dropped = |name: &str| name == "String" || name.starts_with("Int") || name.starts_with("UInt");
    known(written).is_none() && ALIASES.iter().any(|(alias, name)| *alias == capitals && dropped(name))
}

/// Whether a type of [`ColumnType::Other`] is known to hold no text.
pub(super) fn holds_no_text(text: &str) -> bool {
    text.starts_with("Time64(")
        || text.starts_with("QBit(")
        || OTHERS.iter().any(|(known, holds_text)| *known == text && !holds_text)
}

/// Words that the server quotes although they are names.
const QUOTED: [&str; 6] = ["all", "distinct", "from", "null", "select", "table"];

/// Whether the server writes a name without quotes.
pub(super) fn needs_no_quotes(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !QUOTED.iter().any(|word| word.eq_ignore_ascii_case(name))
}
