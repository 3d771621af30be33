//! What the query of a view reads and calls, by the tree that the server makes of its text. The tree is made without
//! looking at any table, so that neither a grant is needed nor a subquery run.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::catalog::{Table, TableName, View};
use crate::sql::{Sql, literal};
use crate::warehouse::{Warehouse, WarehouseError, WarehouseErrorKind};

/// Table functions that give rows of no table.
const WITHOUT_TABLE: [&str; 7] =
    ["numbers", "numbers_mt", "zeros", "zeros_mt", "values", "generateSeries", "generate_series"];

/// The starts of functions that read what their first argument names.
const READING: [&str; 4] = ["dictGet", "dictHas", "dictIsIn", "joinGet"];

/// What stands in a tree.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tree {
    /// The tables, each as often as it is named, as the tree prints them: names with dots between them.
    tables: Vec<String>,
    functions: BTreeSet<String>,
    untraced: BTreeSet<String>,
}

/// Reads the lines of `EXPLAIN AST`; a space more at the start is a step down.
pub(super) fn tree<'l>(lines: impl Iterator<Item = &'l str>) -> Tree {
    let mut tree = Tree::default();
    // The lines above, by their depth: the kind of the node, and how many of its children were seen.
    let mut above: Vec<(String, usize)> = Vec::new();
    for line in lines {
        let text = line.trim_start_matches(' ');
        let depth = line.len() - text.len();
        above.truncate(depth);
        let (kind, name) = node(text);
        let place = above.last_mut().map_or(0, |(_, children)| {
            *children += 1;
            *children
        });
        let parent = |up: usize| above.len().checked_sub(up).map_or("", |at| above[at].0.as_str());
        let reading = reading(parent(2)).filter(|_| place == 1 && parent(1) == "ExpressionList");
        if let Some(function) = reading {
            match name.trim_matches('\'') {
                named if named.contains('.') && kind != "Function" => tree.tables.push(named.to_owned()),
                _ => drop(tree.untraced.insert(format!("what the function `{function}` reads"))),
            }
        }
        match kind {
            // The tables of common table expressions have no database.
            "TableIdentifier" if name.contains('.') => tree.tables.push(name.to_owned()),
            "Identifier" if place == 2 && parent(1) == "ExpressionList" && is_in(parent(2)) => {
                tree.tables.push(name.to_owned());
            }
            "Function" => {
                tree.functions.insert(name.to_owned());
                if parent(1) == "TableExpression" && !WITHOUT_TABLE.contains(&name) {
                    tree.untraced.insert(format!("the table function `{name}`"));
                }
                if name == "file" {
                    tree.untraced.insert(format!("the function `{name}`"));
                }
            }
            "QueryParameter" => {
                tree.untraced.insert(format!("the parameter `{name}`"));
            }
            _ => {}
        }
        let shown = if kind == "Function" { format!("Function {name}") } else { kind.to_owned() };
        while above.len() < depth {
            above.push((String::new(), 0));
        }
        above.push((shown, 0));
    }
    tree
}

/// The name of a function that reads what its first argument names.
fn reading(kind: &str) -> Option<&str> {
    let name = kind.strip_prefix("Function ")?;
    READING.iter().any(|start| name.starts_with(start)).then_some(name)
}

fn is_in(kind: &str) -> bool {
    let name = kind.strip_prefix("Function ").unwrap_or_default();
    ["in", "notIn", "nullIn", "notNullIn", "globalIn", "globalNotIn", "globalNullIn", "globalNotNullIn"].contains(&name)
}

/// The kind of a node and its name.
fn node(text: &str) -> (&str, &str) {
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rest = match rest.rfind(" (children ") {
        Some(at) if rest.ends_with(')') => &rest[..at],
        _ if rest.starts_with("(children ") => "",
        _ => rest,
    };
    let rest = rest.find(" (alias ").map_or(rest, |at| &rest[..at]);
    (kind, rest)
}

/// What the server says of its functions.
#[derive(Debug, Default)]
struct KnownFunctions {
    user_defined: BTreeSet<String>,
    /// In lower case: some names are taken in any.
    aggregate: BTreeSet<String>,
    /// What may stand behind the name of an aggregate function, such as `If`.
    combinators: Vec<String>,
}

impl KnownFunctions {
    fn is_aggregate(&self, name: &str) -> bool {
        let shorter = |end: &String| name.strip_suffix(end.as_str()).filter(|rest| !rest.is_empty());
        self.aggregate.contains(&name.to_lowercase())
            || self.combinators.iter().filter_map(shorter).any(|rest| self.is_aggregate(rest))
    }
}

impl Warehouse {
    /// Fills in what the views among the tables read.
    pub(super) async fn trace_views(&self, tables: &mut [Table]) -> Result<(), WarehouseError> {
        let views: Vec<usize> = (0..tables.len()).filter(|index| tables[*index].engine == "View").collect();
        if views.is_empty() {
            return Ok(());
        }
        let known = self.known_functions().await?;
        let selects = self.selects(views.iter().map(|index| &tables[*index])).await?;
        for index in views {
            let table = &mut tables[index];
            let key = (table.physical_database().to_owned(), table.name.clone());
            let Some((_, select)) = selects.iter().find(|(name, _)| *name == key) else { continue };
            let view = self.view(select, &known, table).await?;
            table.view = Some(view);
        }
        Ok(())
    }

    async fn selects(
        &self,
        views: impl Iterator<Item = &Table>,
    ) -> Result<Vec<((String, String), String)>, WarehouseError> {
        #[derive(Deserialize)]
        struct Row {
            database: String,
            name: String,
            as_select: String,
        }
        let pairs: Vec<String> = views
            .map(|table| format!("({}, {})", literal::string(table.physical_database()), literal::string(&table.name)))
            .collect();
        let rows: Vec<Row> = self
            .rows(
                &Sql::rendered(format!(
                    "SELECT database, name, as_select FROM system.tables WHERE (database, name) IN ({})",
                    pairs.join(", ")
                )),
                &[],
            )
            .await?;
        Ok(rows.into_iter().map(|row| ((row.database, row.name), row.as_select)).collect())
    }

    async fn known_functions(&self) -> Result<KnownFunctions, WarehouseError> {
        #[derive(Deserialize)]
        struct Row {
            name: String,
            kind: u8,
        }
        let sql = "SELECT name, toUInt8(is_aggregate) AS kind FROM system.functions WHERE is_aggregate OR origin != 'System' \
                   UNION ALL SELECT name, 2 FROM system.aggregate_function_combinators";
        let rows: Vec<Row> = self.rows(&Sql::rendered(sql.to_owned()), &[]).await?;
        let mut known = KnownFunctions::default();
        for row in rows {
            match row.kind {
                0 => drop(known.user_defined.insert(row.name)),
                1 => drop(known.aggregate.insert(row.name.to_lowercase())),
                _ => known.combinators.push(row.name),
            }
        }
        Ok(known)
    }

    async fn view(&self, select: &str, known: &KnownFunctions, table: &mut Table) -> Result<View, WarehouseError> {
        #[derive(Deserialize)]
        struct Line {
            explain: String,
        }
        let mut view = View { select: select.to_owned(), ..View::default() };
        let lines: Result<Vec<Line>, WarehouseError> =
            self.rows(&Sql::rendered(format!("EXPLAIN AST {select}")), &[]).await;
        let lines = match lines {
            Ok(lines) => lines,
            // A text that the server itself wrote and cannot read any more.
            Err(error) if is_the_query_s(&error) => {
                view.untraced.push(format!("its query ({})", error.short()));
                return Ok(view);
            }
            Err(error) => return Err(error),
        };
        let tree = tree(lines.iter().flat_map(|line| line.explain.lines()));
        view.reads = self.named(&tree.tables).await?;
        view.user_defined_functions = tree.functions.intersection(&known.user_defined).cloned().collect();
        view.aggregate_functions = tree.functions.iter().filter(|name| known.is_aggregate(name)).cloned().collect();
        view.functions = tree.functions;
        view.untraced = tree.untraced.into_iter().collect();
        let settings = [("print_pretty_type_names", "0")];
        #[derive(Deserialize)]
        struct Column {
            name: String,
            #[serde(rename = "type")]
            column_type: String,
        }
        let described: Result<Vec<Column>, WarehouseError> =
            self.rows(&Sql::rendered(format!("DESCRIBE TABLE ({select})")), &settings).await;
        match described {
            Ok(columns) => {
                for column in columns {
                    if let Some(known) = table.columns.iter_mut().find(|known| known.name == column.name) {
                        known.query_type = (known.column_type != column.column_type).then_some(column.column_type);
                    }
                }
            }
            // The view may read what the operator may not.
            Err(error) if error.kind == WarehouseErrorKind::Denied => {}
            Err(error) if is_the_query_s(&error) => view.broken = Some(error.short()),
            Err(error) => return Err(error),
        }
        Ok(view)
    }

    /// Names as the tree prints them, as names of tables: which of their dots stands between database and table?
    async fn named(&self, texts: &[String]) -> Result<Vec<TableName>, WarehouseError> {
        let splits = |text: &str| -> Vec<TableName> {
            let split = |(at, _): (usize, &str)| TableName {
                database: text[..at].to_owned(),
                table: text[at + 1..].to_owned(),
            };
            text.match_indices('.').map(split).collect()
        };
        let doubtful = texts.iter().filter(|text| text.matches('.').count() > 1);
        let pairs: Vec<String> = doubtful
            .flat_map(|text| splits(text))
            .map(|name| format!("({}, {})", literal::string(&name.database), literal::string(&name.table)))
            .collect();
        let mut known = BTreeSet::new();
        if !pairs.is_empty() {
            let sql = Sql::rendered(format!(
                "SELECT database, name AS table FROM system.tables WHERE (database, name) IN ({})",
                pairs.join(", ")
            ));
            known.extend(self.rows::<TableName>(&sql, &[]).await?);
        }
        let name = |text: &String| {
            let candidates = splits(text);
            let found = candidates.iter().find(|name| known.contains(*name)).or(candidates.first());
            found.cloned().unwrap_or_else(|| TableName { database: String::new(), table: text.clone() })
        };
        Ok(texts.iter().map(name).collect())
    }
}

/// Whether the server refuses the query, rather than being away.
fn is_the_query_s(error: &WarehouseError) -> bool {
    use WarehouseErrorKind::{Changed, Missing, Other};
    error.code.is_some() && matches!(error.kind, Changed | Missing | Other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_functions_and_what_cannot_be_traced_are_read_from_the_tree() {
        let text = "\
SelectWithUnionQuery (children 1)
 ExpressionList (children 1)
  SelectQuery (children 3)
   ExpressionList (children 1)
    WithElement (children 1)
   ExpressionList (children 2)
    Function currentUser (alias u) (children 1)
     ExpressionList
    Function in (children 1)
     ExpressionList (children 2)
      Identifier a
      Identifier wow.list
    Function dictGet (children 1)
     ExpressionList (children 3)
      Literal 'wow.regions'
      Literal 'label'
      Identifier a
    Function joinGet (children 1)
     ExpressionList (children 3)
      Function concat (children 1)
      Literal 'label'
   TablesInSelectQuery (children 2)
    TablesInSelectQueryElement (children 1)
     TableExpression (children 1)
      TableIdentifier wow.orders (alias o)
    TablesInSelectQueryElement (children 2)
     TableExpression (children 1)
      Function url (children 1)
     TableJoin (children 1)";
        let read = tree(text.lines());
        assert_eq!(read.tables, ["wow.list", "wow.regions", "wow.orders"]);
        assert_eq!(
            read.functions.iter().map(String::as_str).collect::<Vec<_>>(),
            ["concat", "currentUser", "dictGet", "in", "joinGet", "url"]
        );
        assert_eq!(
            read.untraced.iter().map(String::as_str).collect::<Vec<_>>(),
            ["the table function `url`", "what the function `joinGet` reads"]
        );
    }
}
