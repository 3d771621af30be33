//! Functions of text. Characters, not bytes: a cut inside a character would make text that no client can read.

use super::Kind::{Array, Character, IntegerConstant, Pattern, Position, Scalar, Text, TextConstant};
use super::ResultType::{self, Condition, UInt};
use super::{Function, Matched, or_null, rule, template};
use crate::compile::problem::ExpressionProblem;
use crate::compile::typed::{Fragment, Typed};
use crate::sql::ColumnType;

const TEXT: ResultType = ResultType::Text;

pub(super) const TABLE: &[Function] = &[
    template("lower", &[Text], TEXT, "lowerUTF8({0})").any_case(),
    template("lowerUTF8", &[Text], TEXT, "lowerUTF8({0})"),
    template("upper", &[Text], TEXT, "upperUTF8({0})").any_case(),
    template("upperUTF8", &[Text], TEXT, "upperUTF8({0})"),
    template("initcap", &[Text], TEXT, "initcapUTF8({0})").any_case(),
    template("initcapUTF8", &[Text], TEXT, "initcapUTF8({0})"),
    template("length", &[Text], UInt(64), "lengthUTF8({0})").any_case(),
    template("length", &[Array], UInt(64), "length({0})").any_case(),
    template("lengthUTF8", &[Text], UInt(64), "lengthUTF8({0})"),
    template("trim", &[Text], TEXT, "trimBoth({0})").any_case(),
    template("trimBoth", &[Text], TEXT, "trimBoth({0})"),
    template("trimLeft", &[Text], TEXT, "trimLeft({0})"),
    template("trimRight", &[Text], TEXT, "trimRight({0})"),
    rule("concat", &[Scalar], concat).any_case().repeats(),
    rule("concatWithSeparator", &[TextConstant, Scalar], concat_with_separator).repeats(),
    template("substring", &[Text, IntegerConstant(1, 1_000_000)], TEXT, "substringUTF8({0}, {1})").any_case(),
    template("substring", &[Text, IntegerConstant(-1_000_000, -1)], TEXT, "substringUTF8({0}, {1})").any_case(),
    template(
        "substring",
        &[Text, IntegerConstant(1, 1_000_000), IntegerConstant(0, 1_000_000)],
        TEXT,
        "substringUTF8({0}, {1}, {2})",
    )
    .any_case(),
    template(
        "substring",
        &[Text, IntegerConstant(-1_000_000, -1), IntegerConstant(0, 1_000_000)],
        TEXT,
        "substringUTF8({0}, {1}, {2})",
    )
    .any_case(),
    // Never negative from a column: ClickHouse then counts characters of other rows, now so, now so (26.7, measured).
    template("substring", &[Text, Position], TEXT, "substringUTF8({0}, {1})").any_case(),
    template("substring", &[Text, Position, Position], TEXT, "substringUTF8({0}, {1}, {2})").any_case(),
    template("left", &[Text, IntegerConstant(0, 1_000_000)], TEXT, "leftUTF8({0}, {1})").any_case(),
    template("right", &[Text, IntegerConstant(0, 1_000_000)], TEXT, "rightUTF8({0}, {1})").any_case(),
    template("leftPad", &[Text, IntegerConstant(0, 1000)], TEXT, "leftPadUTF8({0}, {1})"),
    template("leftPad", &[Text, IntegerConstant(0, 1000), TextConstant], TEXT, "leftPadUTF8({0}, {1}, {2})"),
    template("rightPad", &[Text, IntegerConstant(0, 1000)], TEXT, "rightPadUTF8({0}, {1})"),
    template("rightPad", &[Text, IntegerConstant(0, 1000), TextConstant], TEXT, "rightPadUTF8({0}, {1}, {2})"),
    template("reverse", &[Text], TEXT, "reverseUTF8({0})").any_case(),
    template("reverseUTF8", &[Text], TEXT, "reverseUTF8({0})"),
    template("replaceAll", &[Text, TextConstant, TextConstant], TEXT, "replaceAll({0}, {1}, {2})"),
    template("replace", &[Text, TextConstant, TextConstant], TEXT, "replaceAll({0}, {1}, {2})").any_case(),
    template("replaceOne", &[Text, TextConstant, TextConstant], TEXT, "replaceOne({0}, {1}, {2})"),
    template("position", &[Text, Text], UInt(64), "positionUTF8({0}, {1})").any_case(),
    template("positionUTF8", &[Text, Text], UInt(64), "positionUTF8({0}, {1})"),
    template("positionCaseInsensitive", &[Text, Text], UInt(64), "positionCaseInsensitiveUTF8({0}, {1})"),
    template("countSubstrings", &[Text, TextConstant], UInt(64), "countSubstrings({0}, {1})").any_case(),
    template("startsWith", &[Text, Text], Condition, "startsWith({0}, {1})"),
    template("endsWith", &[Text, Text], Condition, "endsWith({0}, {1})"),
    template("like", &[Text, Pattern], Condition, "like({0}, {1})"),
    template("notLike", &[Text, Pattern], Condition, "notLike({0}, {1})"),
    template("ilike", &[Text, Pattern], Condition, "ilike({0}, {1})"),
    template("notILike", &[Text, Pattern], Condition, "notILike({0}, {1})"),
    template("empty", &[Text], Condition, "empty({0})"),
    template("empty", &[Array], Condition, "empty({0})"),
    template("notEmpty", &[Text], Condition, "notEmpty({0})"),
    template("notEmpty", &[Array], Condition, "notEmpty({0})"),
    template("isValidUTF8", &[Text], Condition, "isValidUTF8({0})"),
    template("toValidUTF8", &[Text], TEXT, "toValidUTF8({0})"),
    rule("splitByString", &[TextConstant, Text], split),
    rule("has", &[Array, TextConstant], has),
    template(
        "substringIndex",
        &[Text, Character, IntegerConstant(-1000, 1000)],
        TEXT,
        "substringIndexUTF8({0}, {1}, {2})",
    )
    .any_case(),
    template("hex", &[Text], TEXT, "hex({0})").any_case(),
    template("base64Encode", &[Text], TEXT, "base64Encode({0})"),
    template("base64Decode", &[Text], TEXT, "tryBase64Decode({0})"),
    template("tryBase64Decode", &[Text], TEXT, "tryBase64Decode({0})"),
    template("encodeURLComponent", &[Text], TEXT, "encodeURLComponent({0})"),
    template("decodeURLComponent", &[Text], TEXT, "decodeURLComponent({0})"),
    template("domain", &[Text], TEXT, "domainRFC({0})"),
    template("topLevelDomain", &[Text], TEXT, "topLevelDomainRFC({0})"),
    template("protocol", &[Text], TEXT, "protocol({0})"),
    template("path", &[Text], TEXT, "path({0})"),
    template("queryString", &[Text], TEXT, "queryString({0})"),
    template("extractURLParameter", &[Text, TextConstant], TEXT, "extractURLParameter({0}, {1})"),
    template("isIPv4String", &[Text], Condition, "isIPv4String({0})"),
    template("isIPv6String", &[Text], Condition, "isIPv6String({0})"),
    rule("cityHash64", &[Scalar], hash).repeats(),
    rule("sipHash64", &[Scalar], hash).repeats(),
    rule("xxHash64", &[Scalar], hash).repeats(),
    template("MD5", &[Text], TEXT, "lower(hex(MD5({0})))").any_case(),
    template("SHA256", &[Text], TEXT, "lower(hex(SHA256({0})))").any_case(),
    or_null("toUUID", &[Text], ResultType::Uuid, "toUUIDOrNull({0})"),
    or_null("toUUIDOrNull", &[Text], ResultType::Uuid, "toUUIDOrNull({0})"),
];

/// Whether a pattern of `like` is one: a single backslash at its end throws.
pub(super) fn valid_pattern(pattern: &str) -> bool {
    pattern.len() <= 256 && pattern.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0
}

fn texts(matched: &Matched, from: usize) -> Result<Vec<Typed>, ExpressionProblem> {
    matched
        .arguments
        .iter()
        .skip(from)
        .map(|argument| super::conversion::text(argument.clone(), None, &matched.context))
        .collect()
}

fn concat(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let texts = texts(matched, 0)?;
    joined(matched, "concat({0})", &texts, &texts)
}

fn concat_with_separator(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let texts = texts(matched, 1)?;
    let all: Vec<Typed> = matched.arguments.iter().take(1).cloned().chain(texts.clone()).collect();
    joined(matched, "concatWithSeparator({0})", &all, &texts)
}

fn joined(matched: &Matched, template: &str, all: &[Typed], nullable: &[Typed]) -> Result<Typed, ExpressionProblem> {
    let list = Fragment::join(all.iter().map(|text| &text.fragment), ", ");
    let column_type = super::like_arguments(ColumnType::String, nullable);
    Ok(Typed::new(column_type, Fragment::template(template, &[&list]), matched.span.clone()))
}

/// Arrays are never null: null text has no parts.
fn split(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [separator, text] = matched.arguments.as_slice() else { return Err(super::names::arguments(matched)) };
    let template = if text.is_nullable() { "splitByString({0}, ifNull({1}, ''))" } else { "splitByString({0}, {1})" };
    let column_type = ColumnType::Array(Box::new(ColumnType::String));
    Ok(Typed::new(
        column_type,
        Fragment::template(template, &[&separator.fragment, &text.fragment]),
        matched.span.clone(),
    ))
}

fn has(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [array, _] = matched.arguments.as_slice() else { return Err(super::names::arguments(matched)) };
    let ColumnType::Array(element) = &array.column_type else { return Err(super::names::arguments(matched)) };
    if *element.inner() != ColumnType::String {
        return Err(super::names::arguments(matched));
    }
    let fragments: Vec<&Fragment> = matched.arguments.iter().map(|argument| &argument.fragment).collect();
    Ok(Typed::new(ColumnType::UInt(8), Fragment::template("has({0}, {1})", &fragments), matched.span.clone())
        .condition())
}

fn hash(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    if let Some(null) = matched.arguments.iter().find(|argument| argument.is_null_literal()) {
        return Ok(Typed::null(&ColumnType::UInt(64), null.span.clone()));
    }
    let list = Fragment::join(matched.arguments.iter().map(|argument| &argument.fragment), ", ");
    let column_type = super::like_arguments(ColumnType::UInt(64), &matched.arguments);
    let template = format!("{}({{0}})", matched.name);
    Ok(Typed::new(column_type, Fragment::template(&template, &[&list]), matched.span.clone()))
}
