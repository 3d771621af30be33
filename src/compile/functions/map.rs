//! Functions of maps. A key that is not there has no value: null, where ClickHouse gives 0 or an empty text.

use super::Kind::{Map, Scalar};
use super::{Function, Matched, function, names, rule};
use crate::compile::convert::{Family, common_type, family, to_common, to_type};
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typed::{Fragment, Typed, nullable_if};
use crate::sql::ColumnType;

pub(super) const TABLE: &[Function] = &[
    function(
        "map",
        "A map of keys and their values: key, value, key, value, ….",
        ("map('a', 1, 'b', 2)", "{'a':1,'b':2}"),
        &[rule(&[Scalar], made).repeats()],
    ),
    function("mapKeys", "The keys of a map.", ("mapKeys(map('a', 1))", "['a']"), &[rule(&[Map], parts)]),
    function("mapValues", "The values of a map.", ("mapValues(map('a', 1))", "[1]"), &[rule(&[Map], parts)]),
    function(
        "mapContains",
        "Whether a map has a key.",
        ("mapContains(map('a', 1), 'b')", "0"),
        &[rule(&[Map, Scalar], contains)],
    ),
];

fn types(map: &Typed) -> Option<(ColumnType, ColumnType)> {
    match &map.column_type {
        ColumnType::Map(key, value) => Some(((**key).clone(), (**value).clone())),
        _ => None,
    }
}

fn made(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let pairs = &matched.arguments;
    if pairs.len() % 2 == 1 {
        let message = "`map` takes keys with their values".to_owned();
        return Err(ExpressionProblem::new(ProblemCode::WrongArguments, matched.span.clone(), message)
            .help("it is `map(key, value, key, value, …)`"));
    }
    let every = |from: usize| pairs.iter().skip(from).step_by(2).cloned().collect::<Vec<_>>();
    let (keys, key) = to_common(every(0), &matched.context, matched.span.clone())?;
    let (values, value) = to_common(every(1), &matched.context, matched.span.clone())?;
    if let Some(null) = keys.iter().find(|key| key.is_nullable()) {
        let problem = ExpressionProblem::new(ProblemCode::TypeMismatch, null.span.clone(), "a key is never null");
        return Err(problem.help("use `ifNull(x, …)`"));
    }
    if !matches!(family(&key), Family::Text | Family::Integer | Family::Day | Family::Uuid)
        || keys.iter().any(|key| key.condition)
    {
        let message = format!("`{key}` is no type of keys");
        return Err(ExpressionProblem::new(ProblemCode::TypeMismatch, matched.span.clone(), message)
            .help("keys are texts, integers, days or UUIDs"));
    }
    let value = nullable_if(value, values.iter().any(Typed::is_nullable));
    let column_type = ColumnType::Map(Box::new(key), Box::new(value));
    let list: Vec<&Typed> = keys.iter().zip(&values).flat_map(|(key, value)| [key, value]).collect();
    let fragment = Fragment::join(list.iter().map(|part| &part.fragment), ", ");
    let written = Typed::new(
        ColumnType::Other(String::new()),
        Fragment::template("map({0})", &[&fragment]),
        matched.span.clone(),
    );
    Ok(written.cast(&column_type).made_of(&list))
}

fn parts(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [map] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let Some((key, value)) = types(map) else { return Err(names::arguments(matched)) };
    let element = if matched.name == "mapKeys" { key } else { value };
    let column_type = ColumnType::Array(Box::new(element));
    Ok(Typed::of(column_type, &format!("{}({{0}})", matched.name), &[map], matched.span.clone()))
}

/// The key in the map's own type; of a null key, whether it is null as a condition of its own.
fn key(matched: &Matched) -> Result<(Typed, ColumnType), ExpressionProblem> {
    let [map, key] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let Some((own, value)) = types(map) else { return Err(names::arguments(matched)) };
    let sample = Typed::new(own.clone(), Fragment::default(), map.span.clone());
    let common = common_type(&[sample, key.clone()], &matched.context, matched.span.clone())?;
    let wrong = |message: String| ExpressionProblem::new(ProblemCode::TypeMismatch, key.span.clone(), message);
    if key.is_null_literal() || key.is_nullable() {
        return Err(wrong("a key is never null".to_owned()).help("use `ifNull(x, …)`"));
    }
    if common != own {
        let problem = wrong(format!("the keys of this map are `{own}`, and this is `{}`", key.column_type));
        return Err(problem.help("bring it to that type"));
    }
    Ok((to_type(key.clone(), &own, &matched.context), value))
}

fn contains(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (key, _) = key(matched)?;
    let arguments = [&matched.arguments[0], &key];
    Ok(Typed::of(ColumnType::UInt(8), "mapContains({0}, {1})", &arguments, matched.span.clone()).condition())
}

/// The value of a key; of arrays and maps an empty one where the key is missing.
pub(super) fn element(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (key, value) = key(matched)?;
    let arguments = [&matched.arguments[0], &key];
    let template = match value.can_be_nullable() {
        true => "if(mapContains({0}, {1}), arrayElement({0}, {1}), NULL)",
        false => "arrayElement({0}, {1})",
    };
    let column_type = value.nullable();
    let typed = Typed::of(column_type.clone(), template, &arguments, matched.span.clone());
    Ok(Typed { column_type, ..typed })
}
