//! Whether each row of a view is made of rows of one tenant (design 3.1, 4.7). A view is the work of whoever wrote it: what
//! it groups, numbers or cuts off without regard to the tenant is mixed before any fence sees it.

use std::collections::BTreeSet;

use super::DEEPEST;
use super::query::{Element, Part, Query, Select};
use crate::catalog::{self, Catalog, Table, View};
use crate::compile::model::{self, EngineModel};

/// What is known of the rows of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::compile) enum Apart {
    /// Each is made of rows of its tenant.
    Yes,
    /// A table whose engine merges rows does not have the tenant in its key.
    NotInKey,
    /// The view makes rows of several tenants one, by what it says there.
    Mixed {
        /// The view, as `database.name`.
        view: String,
        /// The clause.
        clause: String,
    },
    /// What the view says there may be right or not.
    Unknown {
        /// The view, as `database.name`.
        view: String,
        /// What was not understood.
        clause: String,
    },
}

impl Apart {
    /// The worst of both.
    fn and(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Yes => other(),
            Self::Unknown { .. } => match other() {
                Self::Yes => self,
                worse => worse,
            },
            worst => worst,
        }
    }
}

/// Whether the rows of a table or view stay apart by a column.
pub(in crate::compile) fn of(table: &Table, catalog: &Catalog, column: &str) -> Apart {
    let column = column.split('.').next().unwrap_or(column);
    match of_table(table, catalog, Some(column), 0) {
        Apart::Unknown { .. } if !keys_name(table, catalog, column, 0) => Apart::NotInKey,
        found => found,
    }
}

/// Whether the key of every merging table behind a view has a column of that name.
fn keys_name(table: &Table, catalog: &Catalog, column: &str, depth: usize) -> bool {
    match EngineModel::of(table) {
        Some(engine) if engine.merges() => {
            model::key_parts(table).iter().any(|part| part.column.as_deref() == Some(column))
        }
        _ => depth <= DEEPEST && catalog.read_by(table).iter().all(|read| keys_name(read, catalog, column, depth + 1)),
    }
}

/// `column` is the tenant's; none where it is computed, so that rows stay apart only if nothing makes rows of several.
fn of_table(table: &Table, catalog: &Catalog, column: Option<&str>, depth: usize) -> Apart {
    let local = catalog::distributed(table).map(|distributed| distributed.local);
    let base = match &local {
        Some(local) => match catalog.physical_table(&local.database, &local.table) {
            Some(base) => base,
            None => return Apart::NotInKey,
        },
        None => table,
    };
    match (EngineModel::of(base), &base.view) {
        (Some(engine), _) if engine.merges() => {
            let in_key = |part: &model::KeyPart| part.column.as_deref() == column;
            if column.is_some() && model::key_parts(base).iter().any(in_key) { Apart::Yes } else { Apart::NotInKey }
        }
        (None, Some(view)) => {
            let within = Within { table: base, view, catalog, depth };
            let query = Query::of(&view.select);
            match column.zip(query.whole().selects()) {
                _ if depth > DEEPEST => within.unknown("its depth"),
                Some((column, selects)) => within.query(&selects, Some(column)),
                None => query.whole().selects().map_or(within.unknown("its query"), |it| within.query(&it, None)),
            }
        }
        _ => Apart::Yes,
    }
}

/// A view that is looked at.
#[derive(Clone, Copy)]
struct Within<'c> {
    table: &'c Table,
    view: &'c View,
    catalog: &'c Catalog,
    depth: usize,
}

impl Within<'_> {
    fn mixed(&self, clause: impl Into<String>) -> Apart {
        Apart::Mixed { view: self.table.physical_name(), clause: clause.into() }
    }

    fn unknown(&self, clause: impl Into<String>) -> Apart {
        Apart::Unknown { view: self.table.physical_name(), clause: clause.into() }
    }

    /// Rows put together of several queries stand under the names of the first.
    fn query(&self, selects: &[Select<'_>], column: Option<&str>) -> Apart {
        let place = |select: &Select<'_>| {
            let column = column?;
            select.items.iter().position(|(_, name)| name.as_deref() == Some(column))
        };
        let place = selects.first().and_then(place);
        selects.iter().fold(Apart::Yes, |found, select| {
            found.and(|| {
                let shown = place.and_then(|place| select.items.get(place));
                match (shown, column) {
                    (Some((expression, name)), Some(_)) => self.select(select, Some(*expression), name.as_deref()),
                    (None, Some(column)) if select.items.iter().any(|(item, _)| item.is_star()) => {
                        let query = Query::of(&format!("`{column}`"));
                        self.select(select, Some(query.whole()), Some(column))
                    }
                    (None, Some(_)) => self.unknown("the tenant column"),
                    (_, None) => self.select(select, None, None),
                }
            })
        })
    }

    fn select(&self, select: &Select<'_>, tenant: Option<Part<'_>>, shown_as: Option<&str>) -> Apart {
        if select.with {
            return self.unknown("WITH");
        }
        let Some(elements) = select.from.elements() else { return self.unknown("FROM") };
        let names: BTreeSet<String> =
            tenant.iter().map(|part| part.text()).chain(shown_as.map(str::to_owned)).collect();
        // With the one table's alias, or without, the column is the same.
        let alone = |part: &Part<'_>| match (&elements[..], part.path().as_deref()) {
            ([element], Some([alias, name])) => (element.alias.as_ref() == Some(alias)).then(|| name.clone()),
            _ => None,
        };
        let tenant_alone = tenant.as_ref().and_then(alone);
        let is_tenant = |part: &Part<'_>| {
            let known = |name: &String| names.contains(name) || tenant_alone.as_ref() == Some(name);
            known(&part.text()) || alone(part).is_some_and(|name| known(&name))
        };
        self.clauses(select, tenant.is_some(), &is_tenant).and(|| self.elements(&elements, tenant))
    }

    /// What the clauses of a query make of its rows.
    fn clauses(&self, select: &Select<'_>, shown: bool, is_tenant: &dyn Fn(&Part<'_>) -> bool) -> Apart {
        let mut grouped = false;
        for (word, part) in &select.clauses {
            let of_tenant = |parts: Vec<Part<'_>>| parts.iter().any(is_tenant);
            let holds = match word.as_str() {
                "GROUP" => {
                    grouped = true;
                    // All that is selected and not aggregated.
                    shown && part.text() == "ALL" || of_tenant(part.list())
                }
                // Totals and the like.
                "WITH" | "OFFSET" | "FETCH" => false,
                "LIMIT" => of_tenant(part.by()),
                "SETTINGS" => !["limit", "offset"].into_iter().any(|setting| part.has_word(setting)),
                _ => true,
            };
            if !holds {
                let by = if word == "GROUP" { " BY" } else { "" };
                return self.mixed(format!("{word}{by} {}", part.text()));
            }
        }
        for window in select.whole.windows() {
            let named = select.clauses.iter().find(|(word, _)| word == "WINDOW");
            let window = named.and_then(|(_, part)| part.definition(window)).unwrap_or(window);
            if !window.partition().iter().any(is_tenant) {
                return self.mixed(format!("OVER {}", window.text()));
            }
        }
        let aggregate = |name: &str| self.view.aggregate_functions.contains(name);
        let aggregates = select.items.iter().find_map(|(item, _)| item.calls(aggregate));
        if let Some(function) = aggregates.filter(|_| !grouped) {
            return self.mixed(format!("{function}(…)"));
        }
        let outside = select.items.iter().map(|(item, _)| *item).chain(select.clauses.iter().map(|(_, part)| *part));
        match outside.into_iter().any(|part| part.has_word("SELECT")) {
            true => self.unknown("a query inside"),
            false => Apart::Yes,
        }
    }

    /// What is read, each by its own tenant column.
    fn elements(&self, elements: &[Element<'_>], tenant: Option<Part<'_>>) -> Apart {
        let path = tenant.and_then(Part::path);
        let [first, joined @ ..] = elements else { return Apart::Yes };
        if joined.is_empty() {
            let column = path.filter(|path| match &path[..] {
                [_] => true,
                [alias, _] => first.alias.as_ref() == Some(alias),
                [_, table, _] => first.table.as_ref().and_then(|path| path.last()) == Some(table),
                _ => false,
            });
            return self.element(first, column.as_deref().and_then(|path| path.last().map(String::as_str)));
        }
        let Some([alias, column]) = path.as_deref() else { return self.unknown("JOIN") };
        let Some(own) = elements.iter().position(|it| it.alias.as_ref() == Some(alias)) else {
            return self.unknown("JOIN");
        };
        let columns = tied(elements, own, column);
        elements.iter().zip(&columns).fold(Apart::Yes, |found, (element, column)| {
            found.and(|| match column {
                Some(column) => self.element(element, Some(column)),
                None => self.unknown("JOIN"),
            })
        })
    }

    fn element(&self, element: &Element<'_>, column: Option<&str>) -> Apart {
        let below = Self { depth: self.depth + 1, ..*self };
        if let Some(query) = element.query {
            return match query.selects() {
                Some(selects) if below.depth <= DEEPEST => below.query(&selects, column),
                _ => self.unknown("FROM"),
            };
        }
        match element.table.as_deref() {
            Some([database, name]) => match self.catalog.physical_table(database, name) {
                Some(table) => of_table(table, self.catalog, column, below.depth),
                None => self.unknown("FROM"),
            },
            // Functions that give rows of no table; others are refused elsewhere.
            None => Apart::Yes,
            Some(_) => self.unknown("FROM"),
        }
    }
}

/// The tenant column of each of what is joined, as far as it is joined by one that is known.
fn tied(elements: &[Element<'_>], own: usize, column: &str) -> Vec<Option<String>> {
    let mut columns = vec![None; elements.len()];
    columns[own] = Some(column.to_owned());
    let place_of = |alias: &str| elements.iter().position(|it| it.alias.as_deref() == Some(alias));
    for _ in 0..elements.len() {
        for (place, element) in elements.iter().enumerate() {
            for (left, right) in element.on.map(Part::equalities).unwrap_or_default() {
                let (Some(left), Some(right)) = (left.path(), right.path()) else { continue };
                let ([left, of_left], [right, of_right]) = (&left[..], &right[..]) else { continue };
                let (Some(left), Some(right)) = (place_of(left), place_of(right)) else { continue };
                // A condition holds for the rows of what it stands at, not for those of two others.
                if left != place && right != place {
                    continue;
                }
                for ((known, its), (found, column)) in
                    [((left, of_left), (right, of_right)), ((right, of_right), (left, of_left))]
                {
                    if columns[known].as_ref() == Some(its) && columns[found].is_none() {
                        columns[found] = Some(column.clone());
                    }
                }
            }
            let shared = columns[..place].iter().flatten().find(|known| element.using.contains(known)).cloned();
            if columns[place].is_none() {
                columns[place] = shared;
            }
        }
    }
    columns
}
