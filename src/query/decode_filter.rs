//! A JSON value → a filter tree, strictly (query-language 2). Depth is bounded by the JSON's own.

use crate::spelling::{listed, nearest};

use super::filter::{FieldFilter, FilterExpression, Operands, Operator, Role, Scalar, SystemFilter};
use super::json::Json;
use super::reader::{Reader, wrong};
use super::rejection::{Code, Rejection, shortened};

/// The relative-time operators (part 3), each with the member that only it has and whether that is required.
const RELATIVE_TIME: [(&str, Option<(&str, bool)>); 17] = [
    ("TODAY", None),
    ("BEFORE_TODAY", Some(("time", true))),
    ("TOMORROW", None),
    ("THIS_WEEK", None),
    ("NEXT_WEEK", None),
    ("LAST_WEEK", None),
    ("THIS_MONTH", None),
    ("LAST_MONTH", None),
    ("RECENT_DAYS", Some(("days", true))),
    ("EARLIER_DAYS", Some(("days", true))),
    ("YESTERDAY", None),
    ("NEXT_MONTH", None),
    ("LAST_YEAR", None),
    ("THIS_YEAR", None),
    ("NEXT_YEAR", None),
    ("BEFORE_NOW", Some(("offset", false))),
    ("AFTER_NOW", Some(("offset", false))),
];
const TIME_UNITS: [&str; 7] = ["NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS"];
const COMPARISONS: [&str; 6] = ["EQ", "NE", "GT", "GTE", "LT", "LTE"];

/// Decodes the filter at `path`; an empty path is the body's own.
pub(super) fn filter(path: &str, value: &Json) -> Result<FilterExpression, Rejection> {
    Decoder { in_element: false }.filter(path.to_owned(), value)
}

#[derive(Clone, Copy)]
struct Decoder {
    /// Whether paths are relative to an element, where some operators have no meaning (2.6).
    in_element: bool,
}

impl Decoder {
    fn filter(self, path: String, value: &Json) -> Result<FilterExpression, Rejection> {
        let reader = Reader::new(path, value)?;
        let unknown = |message: String| Rejection::new(Code::UnknownType, reader.path_of("op"), message);
        let op = match reader.optional("op") {
            Some(Json::Text(op)) => op.as_str(),
            Some(_) => return Err(unknown("`op` is a string".to_owned())),
            None => return Err(unknown(format!("a filter needs `op`, one of `{}`", served_operators().join("`, `")))),
        };
        match op {
            "MATCH_ALL" => reader.allow(&["op"]).map(|()| FilterExpression::MatchAll),
            "MATCH_NONE" => reader.allow(&["op"]).map(|()| FilterExpression::MatchNone),
            "AND" => self.operands(&reader).map(FilterExpression::And),
            "OR" => self.operands(&reader).map(FilterExpression::Or),
            "NOR" => self.operands(&reader).map(FilterExpression::Nor),
            "ID" => self.system(&reader, op, Role::Identity, false),
            "IDS" => self.system(&reader, op, Role::Identity, true),
            "AGGREGATE_ID" => self.system(&reader, op, Role::AggregateId, false),
            "AGGREGATE_IDS" => self.system(&reader, op, Role::AggregateId, true),
            "TENANT_ID" => self.system(&reader, op, Role::Tenant, false),
            "OWNER_ID" => self.system(&reader, op, Role::Owner, false),
            "SPACE_ID" => self.system(&reader, op, Role::Space, false),
            "DELETION" => self.deletion(&reader, op),
            "ELEMENT_MATCH" => element_match(&reader),
            "SEARCH" => self.search(&reader, op),
            "EXPRESSION" => self.expression(&reader, op),
            _ => {
                if let Some(operator) = Operator::named(op) {
                    return field(&reader, operator).map(FilterExpression::Field);
                }
                match RELATIVE_TIME.iter().find(|(word, _)| *word == op) {
                    Some((_, member)) => relative_time(&reader, *member),
                    None => Err(unknown(unknown_operator(op))),
                }
            }
        }
    }

    fn operands(self, reader: &Reader<'_>) -> Result<Vec<FilterExpression>, Rejection> {
        reader.allow(&["op", "operands"])?;
        let items = reader.filled_array("operands")?.iter().enumerate();
        items.map(|(index, item)| self.filter(format!("{}[{index}]", reader.path_of("operands")), item)).collect()
    }

    fn root_only(self, reader: &Reader<'_>, op: &str) -> Result<(), Rejection> {
        match self.in_element {
            true => {
                let message = format!("`{op}` has no meaning inside an element");
                Err(Rejection::new(Code::InvalidRequest, reader.path(), message))
            }
            false => Ok(()),
        }
    }

    fn system(self, reader: &Reader<'_>, op: &str, role: Role, list: bool) -> Result<FilterExpression, Rejection> {
        let member = if list { "values" } else { "value" };
        reader.allow(&["op", member])?;
        let values = match list {
            false => vec![reader.text(member)?.to_owned()],
            true => texts(reader, member, reader.filled_array(member)?)?,
        };
        self.root_only(reader, op)?;
        Ok(FilterExpression::System(SystemFilter { role, values, list }))
    }

    fn deletion(self, reader: &Reader<'_>, op: &str) -> Result<FilterExpression, Rejection> {
        reader.allow(&["op", "state"])?;
        reader.word("state", &["ACTIVE", "DELETED", "ALL"])?;
        self.root_only(reader, op)?;
        Ok(FilterExpression::System(SystemFilter { role: Role::Deletion, values: Vec::new(), list: false }))
    }

    fn search(self, reader: &Reader<'_>, op: &str) -> Result<FilterExpression, Rejection> {
        reader.allow(&["op", "query", "fields", "mode"])?;
        if reader.text("query")?.trim().is_empty() {
            return Err(Rejection::new(Code::InvalidRequest, reader.path_of("query"), "`query` must not be blank"));
        }
        let items = reader.optional_array("fields")?.iter().enumerate();
        let path_of = |index: usize| format!("{}[{index}]", reader.path_of("fields"));
        let fields: Result<Vec<_>, _> =
            items.map(|(index, item)| super::reader::field_path(item, &path_of(index))).collect();
        if reader.optional("mode").is_some() {
            reader.word("mode", &["TERMS", "PHRASE"])?;
        }
        let fields = fields?;
        if fields.is_empty() {
            self.root_only(reader, op)?;
        }
        Ok(FilterExpression::Search { fields })
    }

    /// The computed value itself is decoded with part 4.4, which is not served yet.
    fn expression(self, reader: &Reader<'_>, op: &str) -> Result<FilterExpression, Rejection> {
        reader.allow(&["op", "expression", "comparison", "value"])?;
        Reader::new(reader.path_of("expression"), reader.required("expression")?)?;
        reader.word("comparison", &COMPARISONS)?;
        match reader.required("value")? {
            Json::Number(_) => {}
            _ => return Err(wrong(&reader.path_of("value"), "a number")),
        }
        self.root_only(reader, op)?;
        Ok(FilterExpression::Expression)
    }
}

/// The operators that are answered.
fn served_operators() -> Vec<&'static str> {
    let outside = ["MATCH_ALL", "MATCH_NONE", "AND", "OR", "NOR"].into_iter();
    let system = ["ID", "IDS", "TENANT_ID", "OWNER_ID", "SPACE_ID"];
    outside.chain(Operator::ALL.map(Operator::as_str)).chain(system).collect()
}

fn unknown_operator(op: &str) -> String {
    let served = served_operators();
    let near = nearest(op, &served);
    match near.is_empty() {
        true => format!("`{}` is no operator; there are `{}`", shortened(op), served.join("`, `")),
        false => format!("`{}` is no operator; did you mean {}?", shortened(op), listed(&near)),
    }
}

fn element_match(reader: &Reader<'_>) -> Result<FilterExpression, Rejection> {
    reader.allow(&["op", "field", "predicate"])?;
    let field = reader.field("field")?;
    let predicate = Decoder { in_element: true }.filter(reader.path_of("predicate"), reader.required("predicate")?)?;
    Ok(FilterExpression::ElementMatch { field, predicate: Box::new(predicate) })
}

fn relative_time(reader: &Reader<'_>, member: Option<(&str, bool)>) -> Result<FilterExpression, Rejection> {
    let mut members = vec!["op", "field", "zoneId", "datePattern", "timeUnit"];
    members.extend(member.map(|(name, _)| name));
    reader.allow(&members)?;
    let field = if reader.optional("field").is_some() { Some(reader.field("field")?) } else { None };
    for name in ["zoneId", "datePattern"] {
        if reader.nullable_text(name)?.is_some_and(|text| text.trim().is_empty()) {
            let message = format!("`{name}` must not be blank");
            return Err(Rejection::new(Code::InvalidRequest, reader.path_of(name), message));
        }
    }
    if reader.optional("timeUnit").is_some() {
        reader.word("timeUnit", &TIME_UNITS)?;
    }
    match member {
        Some(("days", _)) => {
            reader.required("days")?;
            if reader.whole("days", 0)? < 1 {
                return Err(Rejection::new(Code::InvalidRequest, reader.path_of("days"), "`days` is at least 1"));
            }
        }
        Some((name, required)) if required || reader.optional(name).is_some() => {
            reader.text(name)?;
        }
        _ => {}
    }
    Ok(FilterExpression::RelativeTime { field })
}

fn field(reader: &Reader<'_>, operator: Operator) -> Result<FieldFilter, Rejection> {
    let members: &[&str] = match operator {
        Operator::Eq | Operator::Ne | Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte => {
            &["op", "field", "value"]
        }
        Operator::Contains | Operator::StartsWith | Operator::EndsWith => &["op", "field", "value", "stringComparison"],
        Operator::In | Operator::NotIn | Operator::ContainsAll => &["op", "field", "values"],
        Operator::Between => &["op", "field", "lowerBound", "upperBound"],
        _ => &["op", "field"],
    };
    reader.allow(members)?;
    let field = reader.field("field")?;
    let operands = match operator {
        Operator::Eq | Operator::Ne => Operands::One(scalar(&reader.path_of("value"), reader.required("value")?)?),
        Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte => Operands::One(present(reader, "value")?),
        Operator::Between => Operands::Range(present(reader, "lowerBound")?, present(reader, "upperBound")?),
        Operator::In | Operator::NotIn | Operator::ContainsAll => {
            let items = reader.filled_array("values")?.iter().enumerate();
            let values: Result<Vec<_>, _> = items
                .map(|(index, item)| present_at(&format!("{}[{index}]", reader.path_of("values")), item))
                .collect();
            Operands::Many(values?)
        }
        Operator::Contains | Operator::StartsWith | Operator::EndsWith => {
            let value = reader.text("value")?.to_owned();
            let ignore_case = reader.optional("stringComparison").is_some()
                && reader.word("stringComparison", &["CASE_SENSITIVE", "CASE_INSENSITIVE"])? == "CASE_INSENSITIVE";
            Operands::Literal { value, ignore_case }
        }
        _ => Operands::None,
    };
    Ok(FieldFilter { operator, field, operands })
}

fn present(reader: &Reader<'_>, name: &str) -> Result<Scalar, Rejection> {
    present_at(&reader.path_of(name), reader.required(name)?)
}

fn present_at(path: &str, value: &Json) -> Result<Scalar, Rejection> {
    match scalar(path, value)? {
        Scalar::Null => Err(wrong(path, "a value other than null")),
        other => Ok(other),
    }
}

fn scalar(path: &str, value: &Json) -> Result<Scalar, Rejection> {
    Ok(match value {
        Json::Null => Scalar::Null,
        Json::Boolean(value) => Scalar::Boolean(*value),
        Json::Number(text) => Scalar::Number(text.clone()),
        Json::Text(text) => Scalar::Text(text.clone()),
        Json::Array(_) | Json::Object(_) => {
            let message = "a field is compared with a single value, not with an array or an object";
            return Err(Rejection::new(Code::InvalidRequest, path, message));
        }
    })
}

fn texts(reader: &Reader<'_>, name: &str, items: &[Json]) -> Result<Vec<String>, Rejection> {
    let path_of = |index: usize| format!("{}[{index}]", reader.path_of(name));
    let text = |(index, item): (usize, &Json)| match item {
        Json::Text(text) => Ok(text.clone()),
        _ => Err(wrong(&path_of(index), "a string")),
    };
    items.iter().enumerate().map(text).collect()
}
