//! Functions that make a number or a text of fixed length of a value, the same on every server.

use super::Kind::{Scalar, Text};
use super::ResultType::{Text as TEXT, UInt};
use super::{Function, Matched, function, rule, template};
use crate::compile::problem::ExpressionProblem;
use crate::compile::typed::{Fragment, Typed};
use crate::sql::ColumnType;

pub(super) const TABLE: &[Function] = &[
    function(
        "cityHash64",
        "CityHash of the values.",
        ("cityHash64('a')", "2603192927274642682"),
        &[rule(&[Scalar], hash).repeats()],
    ),
    function(
        "sipHash64",
        "SipHash of the values.",
        ("sipHash64('a')", "10863254463029944905"),
        &[rule(&[Scalar], hash).repeats()],
    ),
    function(
        "xxHash64",
        "xxHash of the values.",
        ("xxHash64('a')", "15154266338359012955"),
        &[rule(&[Scalar], hash).repeats()],
    ),
    function(
        "murmurHash3_64",
        "MurmurHash3 of the values.",
        ("murmurHash3_64('a')", "7196874446409822675"),
        &[rule(&[Scalar], hash).repeats()],
    ),
    function(
        "CRC32",
        "The CRC-32 of a text.",
        ("CRC32('a')", "3904355907"),
        &[template(&[Text], UInt(32), "CRC32({0})")],
    )
    .any_case(),
    function(
        "MD5",
        "MD5 of a text in hexadecimal digits.",
        ("MD5('a')", "0cc175b9c0f1b6a831c399e269772661"),
        &[template(&[Text], TEXT, "lower(hex(MD5({0})))")],
    )
    .any_case(),
    function(
        "SHA1",
        "SHA-1 of a text in hexadecimal digits.",
        ("left(SHA1('a'), 8)", "86f7e437"),
        &[template(&[Text], TEXT, "lower(hex(SHA1({0})))")],
    )
    .any_case(),
    function(
        "SHA256",
        "SHA-256 of a text in hexadecimal digits.",
        ("left(SHA256('a'), 8)", "ca978112"),
        &[template(&[Text], TEXT, "lower(hex(SHA256({0})))")],
    )
    .any_case(),
    function(
        "SHA512",
        "SHA-512 of a text in hexadecimal digits.",
        ("left(SHA512('a'), 8)", "1f40fc92"),
        &[template(&[Text], TEXT, "lower(hex(SHA512({0})))")],
    )
    .any_case(),
];

fn hash(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    if let Some(null) = matched.arguments.iter().find(|argument| argument.is_null_literal()) {
        return Ok(Typed::null(&ColumnType::UInt(64), null.span.clone()));
    }
    let list = Fragment::join(matched.arguments.iter().map(|argument| &argument.fragment), ", ");
    let column_type = super::like_arguments(ColumnType::UInt(64), &matched.arguments);
    let template = format!("{}({{0}})", matched.name);
    Ok(Typed::new(column_type, Fragment::template(&template, &[&list]), matched.span.clone()))
}
