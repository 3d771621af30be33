//! Layer 1: a request and a published dataset → a SELECT with server-side parameters, or a rejection. Pure.
//!
//! Knows the query language, the publication record and SQL text; knows no connection, no clock, no HTTP. How well the
//! caller's scope is proved is the server's to decide; whether it is stated as far as the rows need it, is decided here.
//!
//! The way of a request is the admission order of the query language: [`parse_request`] decodes it and checks its
//! budget, [`bind`] checks it against the record (scope, filter, projection, sort, in this order) and renders it. The
//! first violation is the answer. Not answered yet, and refused as `STORAGE_UNSUPPORTED`: cursors (a further
//! [`Window`]), aggregations (a further branch of `decode`), relative time, `ELEMENT_MATCH` and `EXPRESSION` (further
//! branches of `condition`).

mod condition;
mod decode;
mod decode_filter;
mod exact;
pub mod fields;
pub mod filter;
mod instant;
mod json;
pub mod limits;
mod operand;
mod reader;
mod rejection;
mod render;
mod request;
mod rules;

pub use filter::FilterExpression;
pub use limits::Limits;
pub(crate) use rejection::shortened;
pub use rejection::{Code, Rejection};
pub use request::{Projection, QueryRequest, Shape, SortEntry, Window};

use std::collections::BTreeSet;

use crate::api::PublicationRecord;
use crate::api::definition::Demand;
use crate::api::record::RecordScopeColumn;
use crate::sql::Sql;

use condition::Binder;
use fields::Model;
use limits::MAX_SORT_FIELDS;
use render::{Order, Outputs};
use rules::Rows;

/// What the caller may read (design 6.4); added to every statement, and never removable by the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The tenant; the empty text is a tenant too.
    pub tenant: Option<String>,
    /// The owner; none where the caller is not limited to one.
    pub owner: Option<String>,
    /// The space; none where the caller is not limited to one.
    pub space: Option<String>,
}

/// The statements that answer a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundQuery {
    /// The request's shape.
    pub shape: Shape,
    /// The records; none for a count.
    pub rows: Option<Statement>,
    /// How many records match: one row with one number. Only for a count and a page.
    pub total: Option<Statement>,
}

/// A statement and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The text; holds no value of a caller.
    pub sql: Sql,
    /// Name (without `param_`) and text of each parameter, escaped as ClickHouse's HTTP interface takes it.
    pub parameters: Vec<(String, String)>,
}

/// Decodes a request and checks its budget as far as it needs no dataset (admission steps 1 and 2). A route of one
/// shape gives it; the route that takes any gives none, and then `type` or the members decide.
///
/// # Errors
/// The first violation.
pub fn parse_request(route_shape: Option<Shape>, body: &[u8], limits: &Limits) -> Result<QueryRequest, Rejection> {
    let request = decode::decode(route_shape, body)?;
    rules::budget(&request, 0, limits)?;
    Ok(request)
}

/// Checks a request against a published dataset and renders it (admission steps 2 to 6).
///
/// # Errors
/// The first violation.
pub fn bind(
    request: &QueryRequest,
    record: &PublicationRecord,
    scope: &Scope,
    limits: &Limits,
) -> Result<BoundQuery, Rejection> {
    rules::budget(request, rules::scope_nodes(record, scope), limits)?;
    scope_is_stated(record, scope)?;
    let shape = request.shape();
    if shape == Shape::Cursor {
        return Err(rules::not_served("cursors"));
    }
    let model = Model::of(record);
    let mut binder = Binder::new(&model);
    let condition = binder.lower(&request.filter)?;
    let shown = projected(&model, &request.projection)?;
    let order = ordered(&model, &request.sort)?;
    let rows = rules::rows(&request.window, limits)?;
    let total = match shape {
        Shape::Count | Shape::Paged => {
            let all = Rows { limit: None, offset: 0 };
            Some(render::statement(&binder, scope, &Outputs::Count, &condition, &[], all)?)
        }
        _ => None,
    };
    let rows = match shape {
        Shape::Count => None,
        _ => Some(render::statement(&binder, scope, &Outputs::Columns(&shown), &condition, &order, rows)?),
    };
    Ok(BoundQuery { shape, rows, total })
}

/// Whether a scope states what the rows of a dataset need: their tenant always, owner and space where they are demanded
/// (design 6.4). Asked before anything else is said of the dataset.
///
/// # Errors
/// The first part that is missing.
pub fn scope_is_stated(record: &PublicationRecord, scope: &Scope) -> Result<(), Rejection> {
    let demanded =
        |column: &Option<RecordScopeColumn>| column.as_ref().is_some_and(|column| column.demand == Demand::Required);
    match () {
        () if record.scope.tenant.is_some() && scope.tenant.is_none() => Err(Rejection::no_scope("tenant")),
        () if demanded(&record.scope.owner) && scope.owner.is_none() => Err(Rejection::no_scope("owner")),
        () if demanded(&record.scope.space) && scope.space.is_none() => Err(Rejection::no_scope("space")),
        () => Ok(()),
    }
}

/// The columns shown, in the view's order: those included, or all, without those excluded (query-language 1.3, O2).
fn projected(model: &Model<'_>, projection: &Projection) -> Result<Vec<usize>, Rejection> {
    let find = |path: &String| {
        model.find(path).filter(|index| model.fields()[*index].is_projectable()).ok_or_else(|| {
            let instead = model.instead_of(path);
            let message = format!("`{}` is no column that the dataset shows{instead}", shortened(path));
            Rejection::new(Code::NotProjectable, path, message)
        })
    };
    let included = projection.include.iter().map(find).collect::<Result<BTreeSet<_>, _>>()?;
    let excluded = projection.exclude.iter().map(find).collect::<Result<BTreeSet<_>, _>>()?;
    let everything = included.is_empty();
    let shown: Vec<usize> = (0..model.fields().len())
        .filter(|index| everything || included.contains(index))
        .filter(|index| !excluded.contains(index))
        .collect();
    // the record is whole or it is refused: a column that would have to be masked and cannot be is never left out silently
    if everything && !model.is_complete() || shown.iter().any(|index| !model.fields()[*index].is_projectable()) {
        let message = "this dataset cannot show a complete record; name the columns to include";
        return Err(Rejection::new(Code::IncompleteProjection, "", message));
    }
    if shown.is_empty() {
        return Err(Rejection::new(Code::InvalidRequest, "projection", "the projection leaves no column"));
    }
    Ok(shown)
}

/// The order asked for, and the identity as the last tie-breaker (query-language 1.3, O3).
fn ordered(model: &Model<'_>, sort: &[SortEntry]) -> Result<Vec<Order>, Rejection> {
    if sort.len() > MAX_SORT_FIELDS {
        let message = format!("the sort has more than {MAX_SORT_FIELDS} entries");
        return Err(Rejection::new(Code::SortTooMany, "", message));
    }
    let mut order: Vec<Order> = Vec::new();
    for entry in sort {
        let column = model.resolve(&entry.field)?;
        let field = &model.fields()[column];
        field.allows_sort().map_err(|code| rules::refused(code, field, "sort"))?;
        if order.iter().any(|earlier| earlier.column == column) {
            let message = format!("`{}` stands twice in the sort", field.path());
            return Err(Rejection::new(Code::SortFieldDuplicate, field.path(), message));
        }
        order.push(Order { column, descending: entry.descending });
    }
    let identity = model.identity().filter(|index| {
        model.fields()[*index].allows_sort().is_ok() && !order.iter().any(|entry| entry.column == *index)
    });
    order.extend(identity.map(|column| Order { column, descending: false }));
    Ok(order)
}
