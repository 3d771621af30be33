//! Functions of arrays. Elements that may be null are told apart; arrays themselves are never null. There are no lambdas:
//! the ones in the SQL are the compiler's, with a name that nobody can choose.

use super::Kind::{Array, IntegerConstant, Map, Position, Scalar, TextConstant};
use super::{Function, Matched, function, map, names, rule};
use crate::compile::convert::{Family, common_type, family, to_common, to_type};
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typed::{Fragment, Typed, nullable_if};
use crate::sql::ColumnType;

const FORWARD: super::Kind = IntegerConstant(1, 1_000_000);
const BACKWARD: super::Kind = IntegerConstant(-1_000_000, -1);
const COUNT: super::Kind = IntegerConstant(0, 1_000_000);

pub(super) const TABLE: &[Function] = &[
    function(
        "array",
        "An array of the values, brought to one type.",
        ("array(1, 2.5)", "[1,2.5]"),
        &[rule(&[Scalar], made).repeats()],
    ),
    function(
        "has",
        "Whether a value is an element; null is one of an array that has it.",
        ("has(array('a', 'b'), 'b')", "1"),
        &[rule(&[Array, Scalar], found)],
    ),
    function(
        "indexOf",
        "The place of the first element that is the value, from 1; 0 if none is.",
        ("indexOf(array('a', 'b'), 'b')", "2"),
        &[rule(&[Array, Scalar], found)],
    ),
    function(
        "countEqual",
        "How many elements are the value.",
        ("countEqual(array(1, 2, 1), 1)", "2"),
        &[rule(&[Array, Scalar], found)],
    ),
    function(
        "hasAny",
        "Whether an element of the second array is in the first.",
        ("hasAny(array(1, 2), array(2, 3))", "1"),
        &[rule(&[Array, Array], both)],
    ),
    function(
        "hasAll",
        "Whether all elements of the second array are in the first.",
        ("hasAll(array(1, 2), array(2, 3))", "0"),
        &[rule(&[Array, Array], both)],
    ),
    function(
        "arrayElement",
        "The element at a place from 1 (from the end, if negative), or the value of a key; null where there is none.",
        ("arrayElement(array('a', 'b'), -1)", "b"),
        &[
            rule(&[Array, FORWARD], element),
            rule(&[Array, BACKWARD], element),
            rule(&[Array, Position], element),
            rule(&[Map, Scalar], map::element),
        ],
    ),
    function(
        "arraySlice",
        "The elements from a place on, all or so many.",
        ("arraySlice(array(1, 2, 3), 2, 1)", "[2]"),
        &[
            rule(&[Array, FORWARD], same),
            rule(&[Array, BACKWARD], same),
            rule(&[Array, FORWARD, COUNT], same),
            rule(&[Array, BACKWARD, COUNT], same),
        ],
    ),
    function(
        "arrayConcat",
        "The elements of the arrays one after the other.",
        ("arrayConcat(array(1), array(2))", "[1,2]"),
        &[rule(&[Array], joined).repeats()],
    ),
    function(
        "arrayReverse",
        "The elements in the other order.",
        ("arrayReverse(array(1, 2))", "[2,1]"),
        &[rule(&[Array], same)],
    ),
    function(
        "arraySort",
        "The elements in order, nulls last.",
        ("arraySort(array(2, 1))", "[1,2]"),
        &[rule(&[Array], ordered)],
    ),
    function(
        "arrayReverseSort",
        "The elements in falling order, nulls last.",
        ("arrayReverseSort(array(1, 2))", "[2,1]"),
        &[rule(&[Array], ordered)],
    ),
    function(
        "arrayDistinct",
        "Each element once, without nulls.",
        ("arrayDistinct(array(1, 2, 1))", "[1,2]"),
        &[rule(&[Array], ordered)],
    ),
    function(
        "arrayCompact",
        "Equal neighbours once.",
        ("arrayCompact(array(1, 1, 2, 1))", "[1,2,1]"),
        &[rule(&[Array], ordered)],
    ),
    function(
        "arrayUniq",
        "How many different elements there are.",
        ("arrayUniq(array(1, 2, 1))", "2"),
        &[rule(&[Array], different)],
    ),
    function(
        "arrayFlatten",
        "The elements of the arrays in an array.",
        ("length(arrayFlatten(array(1, 2)))", "2"),
        &[rule(&[Array], flat)],
    ),
    function(
        "arrayMin",
        "The least element, nulls left out; null if there is none.",
        ("arrayMin(array(3, 1, 2))", "1"),
        &[rule(&[Array], extreme)],
    ),
    function(
        "arrayMax",
        "The greatest element, nulls left out; null if there is none.",
        ("arrayMax(array(3, 1, 2))", "3"),
        &[rule(&[Array], extreme)],
    ),
    function(
        "arraySum",
        "The sum of the elements, nulls left out; null where it does not fit.",
        ("arraySum(array(1, 2, 3))", "6"),
        &[rule(&[Array], sum)],
    ),
    function(
        "arrayAvg",
        "The mean of the elements as a float, nulls left out; null if there is none.",
        ("arrayAvg(array(1, 2))", "1.5"),
        &[rule(&[Array], mean)],
    ),
    function(
        "arrayStringConcat",
        "The elements as text, one after the other or with a separator, nulls left out.",
        ("arrayStringConcat(array('a', 'b'), ', ')", "a, b"),
        &[rule(&[Array], text), rule(&[Array, TextConstant], text)],
    ),
];

/// The type of the elements.
fn element_type(array: &Typed) -> ColumnType {
    match &array.column_type {
        ColumnType::Array(element) => (**element).clone(),
        other => other.clone(),
    }
}

/// A value (of no content) that stands for the elements.
fn sample(array: &Typed) -> Typed {
    Typed::new(element_type(array), Fragment::default(), array.span.clone())
}

fn array_of(element: ColumnType) -> ColumnType {
    ColumnType::Array(Box::new(element))
}

fn one<'m>(matched: &'m Matched) -> Result<&'m Typed, ExpressionProblem> {
    matched.arguments.first().ok_or_else(|| names::arguments(matched))
}

fn refused(matched: &Matched, array: &Typed, needs: &str) -> ExpressionProblem {
    let message = format!("`{}` needs {needs}, and this is `{}`", matched.name, array.column_type);
    ExpressionProblem::new(ProblemCode::TypeMismatch, array.span.clone(), message)
}

/// The array, if its elements are single values.
fn scalars<'m>(matched: &'m Matched) -> Result<&'m Typed, ExpressionProblem> {
    let array = one(matched)?;
    match family(&element_type(array)) {
        Family::Other => Err(refused(matched, array, "an array of single values")),
        _ => Ok(array),
    }
}

/// Without the elements that are null.
fn present(array: &Typed) -> Typed {
    let element = element_type(array);
    if !element.is_nullable() {
        return array.clone();
    }
    let kept =
        Typed::of(array.column_type.clone(), "arrayFilter(__a -> isNotNull(__a), {0})", &[array], array.span.clone());
    kept.cast(&array_of(element.inner().clone()))
}

fn made(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (elements, inner) = to_common(matched.arguments.clone(), &matched.context, matched.span.clone())?;
    let nullable = elements.iter().any(Typed::is_nullable);
    let column_type = array_of(nullable_if(inner.clone(), nullable));
    let list = Fragment::join(elements.iter().map(|element| &element.fragment), ", ");
    let parts: Vec<&Typed> = elements.iter().collect();
    let typed = Typed::new(column_type.clone(), Fragment::template("[{0}]", &[&list]), matched.span.clone());
    // Written numbers have the type of their value: the array says which is meant.
    let typed = Typed { column_type: ColumnType::Other(String::new()), ..typed }.made_of(&[]).cast(&column_type);
    Ok(Typed { elements: Some(matched.arguments.clone().into()), ..typed.made_of(&parts) })
}

/// Both arrays with one type of elements, and the arrays' type.
pub(super) fn alike(
    left: &Typed,
    right: &Typed,
    matched: &Matched,
) -> Result<(Typed, Typed, ColumnType), ExpressionProblem> {
    if left.column_type == right.column_type {
        return Ok((left.clone(), right.clone(), left.column_type.clone()));
    }
    let samples = [sample(left), sample(right)];
    let inner = common_type(&samples, &matched.context, matched.span.clone())?;
    let column_type = array_of(nullable_if(inner, samples.iter().any(Typed::is_nullable)));
    Ok((left.clone().cast(&column_type), right.clone().cast(&column_type), column_type))
}

/// `has`, `indexOf`, `countEqual`.
fn found(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [_, value] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let array = scalars(matched)?;
    let condition = matched.name == "has";
    let inner = if condition { ColumnType::UInt(8) } else { ColumnType::UInt(64) };
    if value.is_null_literal() {
        return Err(refused(matched, value, "a value").help("`null` equals nothing: leave it out"));
    }
    let own = sample(array);
    let common = common_type(&[own.clone(), value.clone()], &matched.context, matched.span.clone())?;
    let array = array.clone().cast(&array_of(nullable_if(common.clone(), own.is_nullable())));
    let value = to_type(value.clone(), &common, &matched.context);
    let call = format!("{}({{0}}, {{1}})", matched.name);
    // Null is a value here, which an array may have: the result is never null.
    let fragment = Fragment::template(&call, &[&array.fragment, &value.fragment]);
    let typed = Typed::new(inner, fragment, matched.span.clone());
    Ok(if condition { typed.condition() } else { typed })
}

fn both(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [left, right] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let (left, right, _) = alike(left, right, matched)?;
    let call = format!("{}({{0}}, {{1}})", matched.name);
    Ok(Typed::of(ColumnType::UInt(8), &call, &[&left, &right], matched.span.clone()).condition())
}

fn element(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [array, place] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let element = element_type(array);
    if matches!(element, ColumnType::Tuple(_) | ColumnType::Map(..) | ColumnType::Other(_)) {
        return Err(refused(matched, array, "an array of single values or arrays"));
    }
    let place = super::if_null(place, "0");
    let nullable = element.nullable();
    let typed = Typed::of(nullable.clone(), "arrayElementOrNull({0}, {1})", &[array, &place], matched.span.clone());
    Ok(Typed { column_type: nullable, ..typed })
}

/// A function whose result is of the array's own type; what follows the array is written.
fn same(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let array = one(matched)?;
    let arguments: Vec<&Typed> = matched.arguments.iter().collect();
    let places: Vec<String> = (0..arguments.len()).map(|place| format!("{{{place}}}")).collect();
    let call = format!("{}({})", matched.name, places.join(", "));
    Ok(Typed::of(array.column_type.clone(), &call, &arguments, matched.span.clone()))
}

fn ordered(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    scalars(matched)?;
    let array = one(matched)?;
    let own = if matched.name == "arrayDistinct" { present(array) } else { array.clone() };
    let call = format!("{}({{0}})", matched.name);
    Ok(Typed::of(own.column_type.clone(), &call, &[&own], matched.span.clone()))
}

fn joined(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let mut common = one(matched)?.clone();
    for array in &matched.arguments {
        common = alike(&common, array, matched)?.0;
    }
    let column_type = common.column_type.clone();
    let parts: Vec<Typed> = matched.arguments.iter().map(|array| array.clone().cast(&column_type)).collect();
    let list = Fragment::join(parts.iter().map(|part| &part.fragment), ", ");
    let parts: Vec<&Typed> = parts.iter().collect();
    Ok(Typed::new(column_type, Fragment::template("arrayConcat({0})", &[&list]), matched.span.clone()).made_of(&parts))
}

fn different(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let array = present(scalars(matched)?);
    Ok(Typed::of(ColumnType::UInt(32), "arrayUniq({0})", &[&array], matched.span.clone()))
}

fn flat(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let array = one(matched)?;
    match element_type(array) {
        inner @ ColumnType::Array(_) => Ok(Typed::of(inner, "arrayFlatten({0})", &[array], matched.span.clone())),
        _ => Ok(array.clone()),
    }
}

/// By sorting, which knows an order of every type and gives nothing for nothing.
fn extreme(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let array = present(scalars(matched)?);
    let sort = if matched.name == "arrayMin" { "arraySort" } else { "arrayReverseSort" };
    let inner = element_type(&array).nullable();
    let typed =
        Typed::of(inner.clone(), &format!("arrayElementOrNull({sort}({{0}}), 1)"), &[&array], matched.span.clone());
    Ok(Typed { column_type: inner, ..typed })
}

/// Added where no sum of so many elements wraps around, and checked on the way back.
fn sum(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let array = present(scalars(matched)?);
    let span = matched.span.clone();
    let add = |array: Typed, inner: ColumnType| {
        let wide = array.cast(&array_of(inner.clone()));
        Typed::of(inner, "arraySum({0})", &[&wide], span.clone())
    };
    match element_type(&array) {
        ColumnType::Float(_) => Ok(add(array, ColumnType::Float(64))),
        ColumnType::Int(..=64) => Ok(add(array, ColumnType::Int(128)).cast_or_null(&ColumnType::Int(64))),
        ColumnType::UInt(..=64) => Ok(add(array, ColumnType::UInt(128)).cast_or_null(&ColumnType::UInt(64))),
        ColumnType::Decimal(..=38, scale) => {
            Ok(add(array, ColumnType::Decimal(76, scale)).cast_or_null(&ColumnType::Decimal(38, scale)))
        }
        _ => Err(refused(matched, &array, "an array of numbers of at most 64 bits or 38 digits")),
    }
}

fn mean(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let array = present(scalars(matched)?);
    if !matches!(element_type(&array), ColumnType::Float(_) | ColumnType::Int(_) | ColumnType::UInt(_)) {
        let problem = refused(matched, &array, "an array of integers or floats");
        return Err(problem.help("of decimals divide the sum: `divideDecimal(arraySum(x), length(x), 2)`"));
    }
    let array = array.cast(&array_of(ColumnType::Float(64)));
    let template = "if(empty({0}), NULL, arrayAvg({0}))";
    Ok(Typed::of(ColumnType::Float(64), template, &[&array], matched.span.clone()).nullable())
}

fn text(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let array = scalars(matched)?;
    let element = element_type(array);
    // An instant is text in a zone: that of its type, else the dataset's.
    let zone = || Some(matched.zone.clone());
    let zoned = match element.inner() {
        ColumnType::DateTime(None) => Some(ColumnType::DateTime(zone())),
        ColumnType::DateTime64(scale, None) => Some(ColumnType::DateTime64(*scale, zone())),
        _ => None,
    };
    let nullable = element.is_nullable();
    let array = match zoned {
        Some(inner) => array.clone().cast(&array_of(nullable_if(inner, nullable))),
        None => array.clone(),
    };
    let array = array.cast(&array_of(nullable_if(ColumnType::String, nullable)));
    let separator = matched.arguments.get(1).and_then(Typed::constant_text).unwrap_or_default();
    let template = format!("arrayStringConcat({{0}}, {})", crate::sql::literal::string(separator));
    let typed = Typed::of(ColumnType::String, &template, &[&array], matched.span.clone());
    Ok(typed.growing(1 + separator.len() as u64))
}
