//! A body → a request, strictly (query-language 1.2, 9 "Further decisions"). Step 1 of the admission order.

use super::decode_filter;
use super::json::{DEEPEST, Json, JsonError};
use super::reader::{Reader, field_path};
use super::rejection::{Code, Rejection};
use super::request::{Projection, QueryRequest, Shape, SortEntry, Window};

/// The members of a row query that every such shape has.
const ROW_MEMBERS: [&str; 3] = ["filter", "projection", "sort"];
const AGGREGATION_MEMBERS: [&str; 7] = ["filter", "elements", "groupBy", "metrics", "having", "sort", "limit"];

/// The members of the shapes that are answered, where nothing in the request says which shape is meant.
const ANY_MEMBERS: [&str; 6] = ["filter", "projection", "sort", "limit", "pagination", "type"];

/// Which members a refusal of another one proposes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Offered {
    /// Those of the shape.
    Shape,
    /// These and `type`.
    ShapeOrType,
    /// Those of all shapes: what was misspelt may be what names the shape.
    Everything,
}

/// Decodes a body for a route of one shape, or for the route that takes any (`None`).
pub(super) fn decode(route_shape: Option<Shape>, body: &[u8]) -> Result<QueryRequest, Rejection> {
    let root = parse(body)?;
    let Json::Object(members) = root else {
        return Err(Rejection::new(Code::BodyNotObject, "body", "the body must be a JSON object"));
    };
    match route_shape {
        Some(shape) => shaped(shape, &Json::Object(members), Offered::Shape),
        None => {
            let named = named_shape(&members)?;
            let rest: Vec<_> = members.into_iter().filter(|(name, _)| name != "type").collect();
            let hinted = named.or_else(|| shape_of_members(&rest));
            let offered = if hinted.is_some() { Offered::ShapeOrType } else { Offered::Everything };
            shaped(hinted.unwrap_or(Shape::Paged), &Json::Object(rest), offered)
        }
    }
}

fn parse(body: &[u8]) -> Result<Json, Rejection> {
    if body.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
        return Err(Rejection::new(Code::EmptyBody, "body", "the request has no body"));
    }
    let invalid = |message: String| Rejection::new(Code::InvalidJson, "body", message);
    let text = std::str::from_utf8(body)
        .map_err(|error| invalid(format!("the body is not UTF-8 from {} on", position(body, error.valid_up_to()))))?;
    Json::parse(text).map_err(|error| match error {
        JsonError::Malformed(at) if at == text.len() => {
            invalid(format!("the body is not JSON: it ends too early, at {}", position(body, at)))
        }
        JsonError::Malformed(at) => invalid(format!("the body is not JSON from {} on", position(body, at))),
        JsonError::TooDeep(at) => {
            invalid(format!("the body is nested deeper than {DEEPEST} levels at {}", position(body, at)))
        }
        JsonError::Duplicate(path) => {
            Rejection::new(Code::InvalidRequest, path, "the property stands twice in its object")
        }
    })
}

/// Line and column of a byte, both from 1, the column in characters. What stands there is never repeated.
fn position(body: &[u8], at: usize) -> String {
    let before = String::from_utf8_lossy(&body[..at]);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, column {column}")
}

/// The shape that `type` names, if it is there.
fn named_shape(members: &[(String, Json)]) -> Result<Option<Shape>, Rejection> {
    let Some((_, value)) = members.iter().find(|(name, _)| name == "type") else { return Ok(None) };
    let named = Shape::ALL.iter().find(|(_, word)| matches!(value, Json::Text(text) if text == word));
    match named {
        Some((shape, _)) => Ok(Some(*shape)),
        None => {
            let words: Vec<&str> =
                Shape::ALL.iter().filter(|(shape, _)| shape.is_served()).map(|(_, word)| *word).collect();
            Err(Rejection::new(Code::UnknownType, "type", format!("`type` is one of `{}`", words.join("`, `"))))
        }
    }
}

/// The shape of a request that names none; none where no member tells, which is a page.
fn shape_of_members(members: &[(String, Json)]) -> Option<Shape> {
    let has = |wanted: &str| members.iter().any(|(name, _)| name == wanted);
    match () {
        () if has("metrics") => Some(Shape::Aggregation),
        () if has("pagination") => Some(Shape::Paged),
        () if has("cursor") || has("size") => Some(Shape::Cursor),
        () if has("limit") => Some(Shape::List),
        () if has("op") => Some(Shape::Count),
        () => None,
    }
}

fn shaped(shape: Shape, body: &Json, offered: Offered) -> Result<QueryRequest, Rejection> {
    let reader = Reader::new("", body)?;
    let own: &[&str] = match shape {
        Shape::Single => &[],
        Shape::List => &["limit"],
        Shape::Paged => &["pagination"],
        Shape::Cursor => &["size", "cursor"],
        Shape::Count => return count(&reader, body),
        Shape::Aggregation => return Err(aggregation(&reader)),
    };
    let allowed = [&ROW_MEMBERS[..], own].concat();
    let proposed = match offered {
        Offered::Shape => allowed.clone(),
        Offered::ShapeOrType => [&allowed[..], &["type"]].concat(),
        Offered::Everything => ANY_MEMBERS.to_vec(),
    };
    reader.allow_of(&allowed, &proposed)?;
    let filter = decode_filter::filter("filter", reader.required("filter")?)?;
    let (projection, sort) = (projection(&reader)?, sort(&reader)?);
    let window = match shape {
        Shape::List => Window::List { limit: reader.whole("limit", 0)? },
        Shape::Paged => pagination(&reader)?,
        Shape::Cursor => Window::Cursor {
            size: reader.whole("size", 10)?,
            cursor: reader.nullable_text("cursor")?.map(str::to_owned),
        },
        _ => Window::Single,
    };
    Ok(QueryRequest { filter, projection, sort, window })
}

/// The body of a count is the filter itself (query-language 1.8).
fn count(reader: &Reader<'_>, body: &Json) -> Result<QueryRequest, Rejection> {
    if reader.optional("op").is_none() {
        let message = "the body of a count is a filter, and a filter has `op`";
        return Err(Rejection::new(Code::InvalidRequest, "op", message));
    }
    let filter = decode_filter::filter("", body)?;
    Ok(QueryRequest { filter, projection: Projection::default(), sort: Vec::new(), window: Window::Count })
}

/// Aggregations are recognised, and refused until the language part 4 is served.
fn aggregation(reader: &Reader<'_>) -> Rejection {
    match reader.allow(&AGGREGATION_MEMBERS) {
        Err(rejection) => rejection,
        Ok(()) => super::rules::not_served("aggregations"),
    }
}

fn projection(reader: &Reader<'_>) -> Result<Projection, Rejection> {
    let Some(value) = reader.optional("projection") else { return Ok(Projection::default()) };
    let projection = Reader::new(reader.path_of("projection"), value)?;
    projection.allow(&["include", "exclude"])?;
    Ok(Projection { include: paths(&projection, "include")?, exclude: paths(&projection, "exclude")? })
}

fn paths(reader: &Reader<'_>, name: &str) -> Result<Vec<String>, Rejection> {
    let items = reader.optional_array(name)?.iter().enumerate();
    items.map(|(index, item)| field_path(item, &format!("{}[{index}]", reader.path_of(name)))).collect()
}

fn sort(reader: &Reader<'_>) -> Result<Vec<SortEntry>, Rejection> {
    let items = reader.optional_array("sort")?.iter().enumerate();
    items
        .map(|(index, item)| {
            let entry = Reader::new(format!("{}[{index}]", reader.path_of("sort")), item)?;
            entry.allow(&["field", "direction"])?;
            let field = entry.field("field")?;
            let descending = entry.word("direction", &["ASC", "DESC"])? == "DESC";
            Ok(SortEntry { field, descending })
        })
        .collect()
}

fn pagination(reader: &Reader<'_>) -> Result<Window, Rejection> {
    let empty = Json::Object(Vec::new());
    let value = reader.optional("pagination").unwrap_or(&empty);
    let pagination = Reader::new(reader.path_of("pagination"), value)?;
    pagination.allow(&["index", "size"])?;
    Ok(Window::Paged { index: pagination.whole("index", 1)?, size: pagination.whole("size", 10)? })
}
