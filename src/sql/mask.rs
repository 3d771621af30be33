//! The mask of a protected value as SQL (query-language 5; ClickHouse facts 7). Used by the view for what no query may
//! see raw, and by the query server for comparable values.

use super::ColumnType;

/// The longest run of asterisks; `repeat` refuses more than a million.
const LONGEST_RUN: u32 = 1000;

/// A masked or withheld value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedValue {
    /// The expression.
    pub expression: String,
    /// Its type.
    pub column_type: ColumnType,
    /// Whether nothing of the value is left because it is no text: it is null then, or empty where its type cannot be.
    pub withheld: bool,
}

/// `expression` of type `column_type`, protected: text (and text in arrays) is masked, other types are withheld: null, and
/// other arrays and maps empty, as ClickHouse has them where a Left join finds nothing.
/// None where the type can be neither masked nor null nor empty (tuples, states).
pub fn masked(expression: &str, column_type: &ColumnType, keep_prefix: u32, keep_suffix: u32) -> Option<MaskedValue> {
    match column_type.inner() {
        ColumnType::String | ColumnType::FixedString(_) | ColumnType::Enum(_) => {
            let (text, masked_type) = as_text(expression, column_type);
            let expression = masked_text(&text, masked_type.is_nullable(), keep_prefix, keep_suffix);
            Some(MaskedValue { expression, column_type: masked_type, withheld: false })
        }
        ColumnType::Array(element) => {
            match masked("__x", element, keep_prefix, keep_suffix).filter(|inside| !inside.withheld) {
                Some(inside) => Some(MaskedValue {
                    expression: format!("arrayMap(__x -> {}, {expression})", inside.expression),
                    column_type: ColumnType::Array(Box::new(inside.column_type)),
                    withheld: false,
                }),
                None => Some(empty("[]", column_type)),
            }
        }
        ColumnType::Map(..) => Some(empty("map()", column_type)),
        inner if inner.can_be_nullable() => {
            let withheld_type = ColumnType::Nullable(Box::new(inner.clone()));
            let expression = format!("CAST(NULL, {})", super::literal::string(&withheld_type.to_string()));
            Some(MaskedValue { expression, column_type: withheld_type, withheld: true })
        }
        _ => None,
    }
}

fn empty(value: &str, column_type: &ColumnType) -> MaskedValue {
    let expression = format!("CAST({value}, {})", super::literal::string(&column_type.to_string()));
    MaskedValue { expression, column_type: column_type.clone(), withheld: true }
}

fn as_text(expression: &str, column_type: &ColumnType) -> (String, ColumnType) {
    let text_type = match column_type.is_nullable() {
        true => ColumnType::Nullable(Box::new(ColumnType::String)),
        false => ColumnType::String,
    };
    match *column_type == text_type {
        true => (expression.to_owned(), text_type),
        false => (format!("CAST({expression}, '{text_type}')"), text_type),
    }
}

fn masked_text(text: &str, nullable: bool, keep_prefix: u32, keep_suffix: u32) -> String {
    let kept = keep_prefix.saturating_add(keep_suffix);
    let all = format!("repeat('*', least(lengthUTF8({text}), {LONGEST_RUN}))");
    match (kept, nullable) {
        (0, false) => return all,
        // `least` passes over a null, and the longest run would stand for it.
        (0, true) => return format!("if(isNull({text}), NULL, {all})"),
        _ => {}
    }
    // In a text that is no UTF-8, a byte that begins a longer character would stand for characters after it that are
    // none of it, and each stray byte would show beside the one before: each becomes one character first.
    let text = &format!("toValidUTF8({text})");
    let all = format!("repeat('*', least(lengthUTF8({text}), {LONGEST_RUN}))");
    let middle = format!("repeat('*', least(lengthUTF8({text}) - {kept}, {LONGEST_RUN}))");
    let mut parts = Vec::new();
    if keep_prefix > 0 {
        parts.push(format!("leftUTF8({text}, {keep_prefix})"));
    }
    parts.push(middle);
    if keep_suffix > 0 {
        parts.push(format!("rightUTF8({text}, {keep_suffix})"));
    }
    format!("if(lengthUTF8({text}) <= {kept}, {all}, concat({}))", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(column_type: &str) -> Option<MaskedValue> {
        masked("x", &ColumnType::parse(column_type).expect("a type"), 1, 0)
    }

    #[test]
    fn text_is_masked_and_keeps_its_ends() {
        let value = of("Nullable(String)").expect("text");
        assert_eq!(
            value.expression,
            "if(lengthUTF8(toValidUTF8(x)) <= 1, repeat('*', least(lengthUTF8(toValidUTF8(x)), 1000)), concat(leftUTF8(toValidUTF8(x), 1), repeat('*', least(lengthUTF8(toValidUTF8(x)) - 1, 1000))))"
        );
        assert_eq!(value.column_type.to_string(), "Nullable(String)");
        assert_eq!(of("LowCardinality(String)").expect("text").column_type, ColumnType::String);
        let whole = masked("x", &ColumnType::parse("Nullable(String)").expect("a type"), 0, 0).expect("text");
        assert_eq!(whole.expression, "if(isNull(x), NULL, repeat('*', least(lengthUTF8(x), 1000)))");
    }

    #[test]
    fn other_types_are_withheld_and_what_cannot_be_null_is_empty_or_refused() {
        let value = of("Decimal(18, 2)").expect("withheld");
        assert_eq!((value.expression.as_str(), value.withheld), ("CAST(NULL, 'Nullable(Decimal(18, 2))')", true));
        for (column_type, expression) in [
            ("Map(String, String)", "CAST(map(), 'Map(String, String)')"),
            ("Array(UInt8)", "CAST([], 'Array(UInt8)')"),
            ("Array(Map(String, UInt8))", "CAST([], 'Array(Map(String, UInt8))')"),
        ] {
            let value = of(column_type).expect("withheld");
            assert_eq!((value.expression.as_str(), value.withheld), (expression, true));
            assert_eq!(value.column_type.to_string(), column_type);
        }
        assert!(!of("Array(Nullable(String))").expect("masked").withheld);
        assert_eq!(of("Tuple(String)"), None);
    }
}
