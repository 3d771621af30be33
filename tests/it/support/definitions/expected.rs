//! What a definition must give, computed from the rows: each tenant's are taken first, and nothing else is looked at.

use super::generate::Definition;
use super::tables::{Row, Table, Tenancy};
use super::value::{Kind, Value};

/// The scope that a query states, by the places of tenants.
#[derive(Clone, Debug)]
pub struct Scope {
    pub tenant: usize,
    pub owner: Option<&'static str>,
    pub space: Option<&'static str>,
}

/// More rows than this are not computed: the definition is drawn again.
const MOST: usize = 1_500;

/// The rows that are joined into one; none of a source where a Left join finds nothing.
type Joined<'w> = Vec<Option<&'w Row>>;

/// Whether its rows are not too many.
pub fn fits(tables: &[Table], definition: &Definition, scope: &Scope) -> bool {
    joined(tables, definition, scope).is_some()
}

/// The rows of a scope, in no order; none if there are too many.
pub fn rows(tables: &[Table], definition: &Definition, scope: &Scope) -> Option<Vec<Vec<Value>>> {
    let mut joined = joined(tables, definition, scope)?;
    let value = |row: &Joined<'_>, source, column| value_of(tables, definition, row, source, column);
    joined.retain(|row| {
        definition.filters.iter().all(|filter| filter.holds(&|source, column| value(row, source, column)))
    });
    let shown = |row: &Joined<'_>| -> Vec<Value> {
        let value = |source, column| value(row, source, column);
        definition.outputs.iter().map(|output| output.expression.evaluate(&value)).collect()
    };
    Some(joined.iter().map(shown).collect())
}

fn value_of(tables: &[Table], definition: &Definition, row: &Joined<'_>, source: usize, column: usize) -> Value {
    match row[source] {
        Some(row) => row.values[column].clone(),
        // A list cannot be null: where a Left join finds nothing it is empty.
        None if tables[definition.sources[source].1].columns[column].kind == Kind::List => Value::List(Vec::new()),
        None => Value::Null,
    }
}

fn joined<'w>(tables: &'w [Table], definition: &Definition, scope: &Scope) -> Option<Vec<Joined<'w>>> {
    let of_tenant = |place: usize| {
        let table = &tables[definition.sources[place].1];
        let shared = table.tenancy == Tenancy::Shared;
        table.rows.iter().filter(move |row| shared || row.tenant == Some(scope.tenant))
    };
    let limits = tables[definition.sources[0].1].limits;
    let within = |limited: bool, stated: Option<&str>, own: &str| !limited || stated.is_none_or(|stated| stated == own);
    let visible = |row: &&Row| within(limits[0], scope.owner, &row.owner) && within(limits[1], scope.space, &row.space);
    let mut joined: Vec<Joined<'w>> = of_tenant(0).filter(visible).map(|row| vec![Some(row)]).collect();
    for (index, join) in definition.joins.iter().enumerate() {
        let candidates: Vec<&Row> = of_tenant(index + 1).collect();
        let rights: Vec<Vec<Value>> = candidates
            .iter()
            .map(|row| join.keys.iter().map(|(_, key)| key.evaluate(&|_, column| row.values[column].clone())).collect())
            .collect();
        let mut next = Vec::new();
        for row in joined {
            let value = |source, column| value_of(tables, definition, &row, source, column);
            let lefts: Vec<Value> = join.keys.iter().map(|(key, _)| key.evaluate(&value)).collect();
            let before = next.len();
            for (candidate, keys) in candidates.iter().zip(&rights) {
                if lefts.iter().zip(keys).all(|(left, right)| *left != Value::Null && left == right) {
                    next.push(row.iter().copied().chain([Some(*candidate)]).collect());
                }
            }
            if next.len() == before && join.left {
                next.push(row.into_iter().chain([None]).collect());
            }
            if next.len() > MOST {
                return None;
            }
        }
        joined = next;
    }
    Some(joined)
}
