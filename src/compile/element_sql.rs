//! An array of objects as SQL: `Array(Tuple(…))` of the parts that are read, masked inside (reference view, E5 and E5j).

use super::value::{self, Shape, ValueSql};
use crate::api::sensitivity::Mask;
use crate::sql::{self, ColumnType, literal};

/// Where an array of objects is read from.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// A path of a JSON column.
    Json { sql: String, path: String, element: ColumnType },
    /// A text that holds JSON, and the members on the way to the array.
    Text { sql: String, keys: Vec<String>, element: ColumnType },
    /// A column of the type `Array(Tuple(…))`.
    Native { sql: String, element: ColumnType },
}

/// A part of an element that is read.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The path inside an element.
    pub path: String,
    pub shape: Shape,
    /// What stays readable of it, if it is protected.
    pub mask: Option<Mask>,
}

impl Place {
    /// An array at a path of a column, given as SQL.
    pub(super) fn of_path(
        sql: String,
        column_type: &ColumnType,
        path: &str,
        element: ColumnType,
    ) -> Result<Self, String> {
        let segments: Vec<&str> = path.split('.').collect();
        match column_type.inner() {
            ColumnType::Json(json) => {
                if segments.iter().any(|segment| segment.is_empty() || value::names_a_subcolumn(segment)) {
                    return Err(format!("`{path}` is no path."));
                }
                let typed =
                    json.typed.iter().find(|(known, _)| path == known || path.starts_with(&format!("{known}.")));
                if let Some((known, column_type)) = typed {
                    return Err(format!("`{known}` has the type `{column_type}` in the column."));
                }
                if json.is_skipped(path) {
                    return Err(format!("`{path}` is not stored: the column's type skips it."));
                }
                Ok(Self::Json { sql, path: path.to_owned(), element })
            }
            ColumnType::String => {
                let sql = if column_type.is_nullable() { format!("ifNull({sql}, '')") } else { sql };
                Ok(Self::Text { sql, keys: segments.into_iter().map(str::to_owned).collect(), element })
            }
            _ => Err(format!("The column has the type `{column_type}`, which has no paths.")),
        }
    }

    /// The type that is stated for a part of an element, where the array's own type states one.
    pub(super) fn stated(&self, path: &str) -> Option<&ColumnType> {
        let (Self::Json { element, .. } | Self::Text { element, .. } | Self::Native { element, .. }) = self;
        path.split('.').try_fold(element, |within, segment| match within {
            ColumnType::Tuple(parts) => {
                parts.iter().find(|(name, _)| name.as_deref() == Some(segment)).map(|(_, part)| part)
            }
            _ => None,
        })
    }

    /// Why ClickHouse cannot read or show a part of this path; none if it can.
    pub(super) fn unreadable(&self, segments: &[&str]) -> Option<&'static str> {
        match segments {
            _ if segments.contains(&"null") => Some("ClickHouse reserves the name `null` in tuples"),
            ["size0"] if matches!(self, Self::Json { .. }) => {
                Some("in an array of a JSON column, ClickHouse takes `size0` for the array's length")
            }
            _ => None,
        }
    }

    /// Whether it is a column of tuples.
    pub(super) fn is_native(&self) -> bool {
        matches!(self, Self::Native { .. })
    }

    /// The array of the parts, protected ones masked or null.
    pub(super) fn sql(&self, leaves: &[Leaf]) -> ValueSql {
        let tree = tree(leaves);
        let column_type = array_of(&tree, &|leaf| leaves[leaf].shape.column_type());
        let target = literal::string(&column_type.to_string());
        let raw = match self {
            Self::Text { sql, keys, .. } => of_text(sql, keys, &tree, leaves),
            Self::Json { sql, path, .. } => {
                let objects = format!("{}[]", value::json_path(sql, path));
                let columns: Vec<String> = leaves.iter().map(|leaf| value::json_path(&objects, &leaf.path)).collect();
                let names: Vec<String> = (0..leaves.len()).map(|leaf| format!("__e{leaf}")).collect();
                let body = tuple_of(&tree, &|leaf| leaves[leaf].shape.of_dynamic(&names[leaf], "").expression);
                let parameters = if names.len() == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
                let fast = format!("CAST(arrayMap({parameters} -> {body}, {}), {target})", columns.join(", "));
                // An array with a null or a number among its objects reads as empty by its parts (reference view,
                // surprise 8); then its text is read.
                let text = format!("ifNull(toJSONString({}), '')", value::json_path(sql, path));
                format!("if(empty({}), {}, {fast})", columns[0], of_text(&text, &[], &tree, leaves))
            }
            Self::Native { sql, .. } => {
                let part = |leaf: usize| {
                    let value = leaves[leaf].path.split('.').fold("__e".to_owned(), |within, segment| {
                        format!("tupleElement({within}, {})", literal::string(segment))
                    });
                    format!("CAST({value}, {})", literal::string(&leaves[leaf].shape.column_type().to_string()))
                };
                format!("CAST(arrayMap(__e -> {}, {sql}), {target})", tuple_of(&tree, &part))
            }
        };
        if leaves.iter().all(|leaf| leaf.mask.is_none()) {
            return ValueSql { expression: raw, column_type };
        }
        let shown = |leaf: usize| {
            let (value, of) = (at(&tree, leaf, "__x"), &leaves[leaf]);
            match of.mask {
                None => value,
                Some(mask) => {
                    let masked = sql::masked(&value, &of.shape.column_type(), mask.keep_prefix, mask.keep_suffix);
                    masked.map_or("NULL".to_owned(), |masked| masked.expression)
                }
            }
        };
        let expression = format!("CAST(arrayMap(__x -> {}, {raw}), {target})", tuple_of(&tree, &shown));
        ValueSql { expression, column_type }
    }
}

/// The array in a text that holds JSON.
fn of_text(text: &str, keys: &[String], tree: &[Node], leaves: &[Leaf]) -> String {
    let keys: String = keys.iter().map(|key| format!("{}, ", literal::string(key))).collect();
    // Each part is read as a text and converted strictly (see `Shape::of_strict_text`).
    let read = array_of(tree, &|_| ColumnType::Nullable(Box::new(ColumnType::String)));
    let extracted = format!("JSONExtract({text}, {keys}{})", literal::string(&read.to_string()));
    if leaves.iter().all(|leaf| leaf.shape == Shape::Single(ColumnType::String)) {
        return extracted;
    }
    let target = array_of(tree, &|leaf| leaves[leaf].shape.column_type());
    let part = |leaf: usize| leaves[leaf].shape.of_strict_text(&at(tree, leaf, "__e"));
    format!("CAST(arrayMap(__e -> {}, {extracted}), {})", tuple_of(tree, &part), literal::string(&target.to_string()))
}

/// The parts of an element by their names; parts of one object stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Leaf { name: String, leaf: usize },
    Object { name: String, parts: Vec<Node> },
}

fn tree(leaves: &[Leaf]) -> Vec<Node> {
    let mut nodes = Vec::new();
    for (index, leaf) in leaves.iter().enumerate() {
        insert(&mut nodes, &leaf.path, index);
    }
    nodes
}

fn insert(nodes: &mut Vec<Node>, path: &str, leaf: usize) {
    let Some((first, rest)) = path.split_once('.') else {
        nodes.push(Node::Leaf { name: path.to_owned(), leaf });
        return;
    };
    let known = nodes.iter_mut().find_map(|node| match node {
        Node::Object { name, parts } if name == first => Some(parts),
        _ => None,
    });
    match known {
        Some(parts) => insert(parts, rest, leaf),
        None => {
            let mut parts = Vec::new();
            insert(&mut parts, rest, leaf);
            nodes.push(Node::Object { name: first.to_owned(), parts });
        }
    }
}

fn array_of(nodes: &[Node], leaf_type: &dyn Fn(usize) -> ColumnType) -> ColumnType {
    ColumnType::Array(Box::new(tuple_type(nodes, leaf_type)))
}

fn tuple_type(nodes: &[Node], leaf_type: &dyn Fn(usize) -> ColumnType) -> ColumnType {
    let part = |node: &Node| match node {
        Node::Leaf { name, leaf } => (Some(name.clone()), leaf_type(*leaf)),
        Node::Object { name, parts } => (Some(name.clone()), tuple_type(parts, leaf_type)),
    };
    ColumnType::Tuple(nodes.iter().map(part).collect())
}

fn tuple_of(nodes: &[Node], leaf_sql: &dyn Fn(usize) -> String) -> String {
    let part = |node: &Node| match node {
        Node::Leaf { leaf, .. } => leaf_sql(*leaf),
        Node::Object { parts, .. } => tuple_of(parts, leaf_sql),
    };
    format!("tuple({})", nodes.iter().map(part).collect::<Vec<_>>().join(", "))
}

/// The part of a tuple of this tree.
fn at(nodes: &[Node], wanted: usize, tuple: &str) -> String {
    find(nodes, wanted, tuple).unwrap_or_else(|| "NULL".to_owned())
}

fn find(nodes: &[Node], wanted: usize, tuple: &str) -> Option<String> {
    nodes.iter().enumerate().find_map(|(place, node)| {
        let part = format!("tupleElement({tuple}, {})", place + 1);
        match node {
            Node::Leaf { leaf, .. } => (*leaf == wanted).then_some(part),
            Node::Object { parts, .. } => find(parts, wanted, &part),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(path: &str, column_type: &str, mask: bool) -> Leaf {
        let shape = Shape::of(&ColumnType::parse(column_type).expect("a type")).expect("a shape");
        Leaf { path: path.to_owned(), shape, mask: mask.then(Mask::default) }
    }

    #[test]
    fn parts_of_one_object_stand_together() {
        let place =
            Place::Text { sql: "b".into(), keys: vec!["items".into()], element: ColumnType::Json(Box::default()) };
        let sql = place.sql(&[leaf("p.n", "String", false), leaf("q", "Int64", false), leaf("p.m", "String", false)]);
        assert_eq!(
            sql.expression,
            "CAST(arrayMap(__e -> tuple(tuple(tupleElement(tupleElement(__e, 1), 1), tupleElement(tupleElement(__e, 1), 2)), accurateCastOrNull(tupleElement(__e, 2), 'Int64')), JSONExtract(b, 'items', 'Array(Tuple(p Tuple(n Nullable(String), m Nullable(String)), q Nullable(String)))')), 'Array(Tuple(p Tuple(n Nullable(String), m Nullable(String)), q Nullable(Int64)))')"
        );
    }

    #[test]
    fn what_is_protected_is_masked_or_null_inside() {
        let place = Place::Text { sql: "b".into(), keys: Vec::new(), element: ColumnType::Json(Box::default()) };
        let sql = place.sql(&[leaf("n", "String", true), leaf("q", "Int64", true), leaf("r", "Int64", false)]);
        assert!(
            sql.expression.contains("repeat('*', least(lengthUTF8(tupleElement(__x, 1)), 1000))"),
            "{}",
            sql.expression
        );
        assert!(sql.expression.contains("CAST(NULL, 'Nullable(Int64)'), tupleElement(__x, 3)"), "{}", sql.expression);
    }
}
