//! What a request may ask: the budget (query-language 1.9), and the refusals that speak of a dataset.

use crate::api::PublicationRecord;

use super::Scope;
use super::fields::{Field, Model};
use super::filter::{FilterExpression, Operator, Role};
use super::limits::{Limits, MAX_OFFSET, exceeds};
use super::rejection::{Code, Rejection};
use super::request::{QueryRequest, Window};

/// The rows to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// How many at most; none where nothing bounds them.
    pub(super) limit: Option<u64>,
    /// How many to leave out first.
    pub(super) offset: u64,
}

/// The entry budget, on the query as submitted plus `scope_nodes` (admission step 2).
pub(super) fn budget(request: &QueryRequest, scope_nodes: u64, limits: &Limits) -> Result<(), Rejection> {
    rows(&request.window, limits)?;
    let filter = &request.filter;
    if exceeds(filter.nodes() + scope_nodes, limits.max_filter_nodes) {
        let message =
            format!("the filter has more than {} nodes, the caller's scope included", limits.max_filter_nodes);
        return Err(Rejection::new(Code::FilterTooLarge, "filter", message));
    }
    if exceeds(filter.longest_list(), limits.max_filter_values) {
        let message = format!("a list in the filter has more than {} values", limits.max_filter_values);
        return Err(Rejection::new(Code::FilterTooLarge, "filter", message));
    }
    if limits.allow_expensive_operators {
        return Ok(());
    }
    if filter.is_expensive() {
        let message = "the filter has an operator that reads too much; such operators are switched off here";
        return Err(Rejection::new(Code::ExpensiveOperatorDisabled, "filter", message));
    }
    if matches!(request.window, Window::Count | Window::Paged { .. }) && filter.matches_all() {
        let message = "counting everything is switched off here; state a filter";
        return Err(Rejection::new(Code::CountRequiresFilter, "filter", message));
    }
    Ok(())
}

/// The rows that a window asks for, within the limits (query-language 1.5 to 1.7).
pub(super) fn rows(window: &Window, limits: &Limits) -> Result<Rows, Rejection> {
    let out_of_range = |name: &str, message: String| Err(Rejection::new(Code::SizeOutOfRange, name, message));
    let sized = |name: &str, value: i64, largest: u64| match u64::try_from(value) {
        Ok(size) if size >= 1 && !exceeds(size, largest) => Ok(size),
        _ if largest == 0 => Err(Rejection::new(Code::SizeOutOfRange, name, format!("`{name}` is at least 1"))),
        _ => Err(Rejection::new(Code::SizeOutOfRange, name, format!("`{name}` is 1 to {largest}"))),
    };
    match window {
        Window::Single => Ok(Rows { limit: Some(1), offset: 0 }),
        Window::Count => Ok(Rows { limit: None, offset: 0 }),
        Window::List { limit: 0 } => {
            let largest = if limits.max_list_size == 0 { u64::MAX } else { limits.max_list_size };
            match limits.default_list_size.min(largest) {
                0 if limits.max_list_size == 0 => Ok(Rows { limit: None, offset: 0 }),
                0 => sized("limit", 0, limits.max_list_size).map(|size| Rows { limit: Some(size), offset: 0 }),
                size => Ok(Rows { limit: Some(size), offset: 0 }),
            }
        }
        Window::List { limit } => {
            let size = sized("limit", *limit, limits.max_list_size)?;
            Ok(Rows { limit: Some(size), offset: 0 })
        }
        Window::Paged { index, size } => {
            let Some(index) = u64::try_from(*index).ok().filter(|index| *index >= 1) else {
                return out_of_range("pagination.index", "pages are counted from 1".to_owned());
            };
            let size = sized("pagination.size", *size, limits.max_page_size)?;
            let offset = (index - 1).saturating_mul(size);
            if exceeds(index.saturating_mul(size), limits.max_page_window) || offset > MAX_OFFSET {
                let bound = if limits.max_page_window == 0 { MAX_OFFSET } else { limits.max_page_window };
                return out_of_range("pagination", format!("pages reach to the row {bound} and no further"));
            }
            Ok(Rows { limit: Some(size), offset })
        }
        Window::Cursor { size, .. } => {
            let size = sized("size", *size, limits.max_page_size)?;
            Ok(Rows { limit: Some(size), offset: 0 })
        }
    }
}

/// The number of nodes that the caller's scope adds (query-language 1.9): one for each part that the rows have.
pub(super) fn scope_nodes(record: &PublicationRecord, scope: &Scope) -> u64 {
    let parts = [
        (record.scope.tenant.is_some(), scope.tenant.is_some()),
        (record.scope.owner.is_some(), scope.owner.is_some()),
        (record.scope.space.is_some(), scope.space.is_some()),
    ];
    parts.iter().filter(|(has, stated)| *has && *stated).count() as u64
}

/// A field refused for an operator.
pub(super) fn refused(code: Code, field: &Field<'_>, operator: &str) -> Rejection {
    let path = field.path();
    let message = match code {
        Code::ProtectedComparison => format!("`{path}` is protected: `{operator}` would find out its value"),
        Code::NotCollection => format!("`{operator}` is asked of arrays, and `{path}` is none"),
        Code::NotSingleString => format!("`{operator}` is asked of single texts, and `{path}` is none"),
        _ => format!("`{path}` of type `{}` does not support `{operator}`", field.column_type),
    };
    Rejection::new(code, path, message)
}

/// A system operator whose column the dataset does not have (query-language 2.2, O19).
pub(super) fn role_absent(role: Role) -> Rejection {
    Rejection::new(Code::UnknownField, role.path(), format!("this dataset has no `{}`", role.path()))
}

/// A dataset without identity (query-language 2.2).
pub(super) fn no_identity() -> Rejection {
    Rejection::new(Code::IdentityUndefined, "", "this dataset declares no identity")
}

/// A part of the language that this server does not answer yet.
pub(super) fn not_served(what: &str) -> Rejection {
    Rejection::new(Code::StorageUnsupported, "", format!("{what} are not supported yet"))
}

/// Why an operator that this server does not answer is refused for this dataset: what the dataset lacks comes first.
pub(super) fn not_offered(model: &Model<'_>, filter: &FilterExpression) -> Rejection {
    let named = |path: &str, reason: &dyn Fn(&Field<'_>) -> Rejection| match model.resolve(path) {
        Err(rejection) => rejection,
        Ok(index) => reason(&model.fields()[index]),
    };
    let not_yet = |field: &Field<'_>, what: &str| {
        Rejection::new(Code::StorageUnsupported, field.path(), format!("{what} are not supported yet"))
    };
    match filter {
        FilterExpression::ElementMatch { field, .. } => named(field, &|field| match field.has_elements() {
            true => not_yet(field, "conditions on elements"),
            false => refused(Code::UnsupportedCapability, field, "ELEMENT_MATCH"),
        }),
        FilterExpression::Search { fields } => match fields.first() {
            None => Rejection::new(Code::ModelSearchUnsupported, "", "this dataset offers no text search"),
            Some(first) => named(first, &|field| refused(Code::UnsupportedCapability, field, "SEARCH")),
        },
        FilterExpression::RelativeTime { field } => match field.as_ref().or(model.record.event_time.as_ref()) {
            None => {
                let message =
                    "a time filter without `field` reads the dataset's event time, and this one declares none";
                Rejection::new(Code::InvalidRequest, "filter", message)
            }
            Some(path) => named(path, &|field| match field.allows(Operator::Gte) {
                Err(code) => refused(code, field, "a relative time"),
                Ok(()) => not_yet(field, "relative times"),
            }),
        },
        _ => not_served("filters on expressions"),
    }
}
