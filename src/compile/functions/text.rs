//! Functions of text. Characters, not bytes: a cut inside a character would make text that no client can read.

use super::Kind::{Array, Character, IntegerConstant, Map, Position, Scalar, Separator, Text, TextConstant};
use super::ResultType::{self, Condition, Texts, UInt};
use super::{Function, Matched, function, growing, names, rule, template};
use crate::compile::problem::ExpressionProblem;
use crate::compile::typed::{Fragment, Typed};
use crate::sql::ColumnType;

const TEXT: ResultType = ResultType::Text;
const FORWARD: super::Kind = IntegerConstant(1, 1_000_000);
const BACKWARD: super::Kind = IntegerConstant(-1_000_000, -1);
const COUNT: super::Kind = IntegerConstant(0, 1_000_000);
const WIDTH: super::Kind = IntegerConstant(0, 1000);

pub(super) const TABLE: &[Function] = &[
    function(
        "length",
        "How many characters a text has, or elements an array or map.",
        ("length('Grüße')", "5"),
        &[
            template(&[Text], UInt(64), "lengthUTF8({0})"),
            template(&[Array], UInt(64), "length({0})"),
            template(&[Map], UInt(64), "length({0})"),
        ],
    )
    .any_case(),
    function(
        "empty",
        "Whether a text, array or map has nothing in it.",
        ("empty('')", "1"),
        &[
            template(&[Text], Condition, "empty({0})"),
            template(&[Array], Condition, "empty({0})"),
            template(&[Map], Condition, "empty({0})"),
        ],
    ),
    function(
        "notEmpty",
        "Whether a text, array or map has something in it.",
        ("notEmpty('')", "0"),
        &[
            template(&[Text], Condition, "notEmpty({0})"),
            template(&[Array], Condition, "notEmpty({0})"),
            template(&[Map], Condition, "notEmpty({0})"),
        ],
    ),
    function(
        "lower",
        "The text in small letters, of every alphabet.",
        ("lower('GRÜSSE')", "grüsse"),
        &[growing(3, &[Text], TEXT, "lowerUTF8({0})")],
    )
    .any_case(),
    function(
        "upper",
        "The text in capital letters, of every alphabet.",
        ("upper('grün')", "GRÜN"),
        &[growing(3, &[Text], TEXT, "upperUTF8({0})")],
    )
    .any_case(),
    function(
        "initcap",
        "Each word with a capital first letter.",
        ("initcap('new york')", "New York"),
        &[growing(3, &[Text], TEXT, "initcapUTF8({0})")],
    )
    .any_case(),
    function(
        "caseFoldUTF8",
        "The text in a form for comparing without regard to case.",
        ("caseFoldUTF8('Straße')", "strasse"),
        &[growing(9, &[Text], TEXT, "caseFoldUTF8(toValidUTF8({0}))")],
    ),
    function(
        "removeDiacriticsUTF8",
        "The text without accents.",
        ("removeDiacriticsUTF8('café')", "cafe"),
        &[growing(9, &[Text], TEXT, "removeDiacriticsUTF8(toValidUTF8({0}))")],
    ),
    function(
        "reverse",
        "The characters in the other order.",
        ("reverse('añb')", "bña"),
        &[template(&[Text], TEXT, "reverseUTF8({0})")],
    )
    .any_case(),
    function(
        "trim",
        "The text without spaces at both ends.",
        ("trim('  a b ')", "a b"),
        &[template(&[Text], TEXT, "trimBoth({0})")],
    )
    .any_case(),
    function(
        "trimLeft",
        "The text without spaces at its start.",
        ("concat(trimLeft('  a '), '|')", "a |"),
        &[template(&[Text], TEXT, "trimLeft({0})")],
    ),
    function(
        "trimRight",
        "The text without spaces at its end.",
        ("concat(trimRight(' a  '), '|')", " a|"),
        &[template(&[Text], TEXT, "trimRight({0})")],
    ),
    function(
        "concat",
        "The values one after the other, as text; null if one of them is.",
        ("concat('a', 1, true)", "a1true"),
        &[rule(&[Scalar], concat).repeats()],
    )
    .any_case(),
    function(
        "concatWithSeparator",
        "The values as text with a separator between them.",
        ("concatWithSeparator('-', 'a', 1)", "a-1"),
        &[rule(&[TextConstant, Scalar], concat_with_separator).repeats()],
    ),
    function(
        "substring",
        "From a character on (from the end, if negative), all or so many characters.",
        ("substring('München', 2, 3)", "ünc"),
        &[
            template(&[Text, FORWARD], TEXT, "substringUTF8({0}, {1})"),
            template(&[Text, BACKWARD], TEXT, "substringUTF8({0}, {1})"),
            template(&[Text, FORWARD, COUNT], TEXT, "substringUTF8({0}, {1}, {2})"),
            template(&[Text, BACKWARD, COUNT], TEXT, "substringUTF8({0}, {1}, {2})"),
            // Never negative from a column: ClickHouse then counts characters of other rows, now so, now so (26.7,
            // measured). Nor 0, which throws where it is computed of nothing but written values.
            template(&[Text, Position], TEXT, "if({1} = 0, leftUTF8({0}, 0), substringUTF8({0}, if({1} = 0, 1, {1})))"),
            template(
                &[Text, Position, Position],
                TEXT,
                "if({1} = 0, leftUTF8({0}, 0), substringUTF8({0}, if({1} = 0, 1, {1}), {2}))",
            ),
        ],
    )
    .any_case(),
    function(
        "left",
        "The first characters.",
        ("left('München', 3)", "Mün"),
        &[template(&[Text, COUNT], TEXT, "leftUTF8({0}, {1})")],
    )
    .any_case(),
    function(
        "right",
        "The last characters.",
        ("right('München', 3)", "hen"),
        &[template(&[Text, COUNT], TEXT, "rightUTF8({0}, {1})")],
    )
    .any_case(),
    function(
        "leftPad",
        "Filled at the start to so many characters, with spaces or a text; cut if it has more.",
        ("leftPad('7', 3, '0')", "007"),
        &[
            template(&[Text, WIDTH], TEXT, "leftPadUTF8({0}, {1})"),
            template(&[Text, WIDTH, TextConstant], TEXT, "leftPadUTF8({0}, {1}, {2})"),
        ],
    ),
    function(
        "rightPad",
        "Filled at the end to so many characters, with spaces or a text; cut if it has more.",
        ("rightPad('7', 3, '0')", "700"),
        &[
            template(&[Text, WIDTH], TEXT, "rightPadUTF8({0}, {1})"),
            template(&[Text, WIDTH, TextConstant], TEXT, "rightPadUTF8({0}, {1}, {2})"),
        ],
    ),
    function(
        "repeat",
        "The text so many times.",
        ("repeat('ab', 3)", "ababab"),
        &[rule(&[Text, IntegerConstant(0, 100)], repeat)],
    )
    .any_case(),
    function(
        "substringIndex",
        "What stands before the n-th separator; of a negative one, what stands after it, counted from the end.",
        ("substringIndex('a.b.c', '.', 2)", "a.b"),
        &[template(&[Text, Character, IntegerConstant(-1000, 1000)], TEXT, "substringIndexUTF8({0}, {1}, {2})")],
    )
    .any_case(),
    function(
        "splitByString",
        "The parts between the separators; of null those of an empty text.",
        ("splitByString(', ', 'a, b')", "['a','b']"),
        &[template(&[Separator, Text], Texts, "splitByString({0}, {1})")],
    ),
    function(
        "splitByChar",
        "The same with one character as separator.",
        ("splitByChar(',', 'a,b')", "['a','b']"),
        &[template(&[Character, Text], Texts, "splitByString({0}, {1})")],
    ),
    function(
        "splitByWhitespace",
        "The parts between white space.",
        ("splitByWhitespace(' a  b')", "['a','b']"),
        &[template(&[Text], Texts, "splitByWhitespace({0})")],
    ),
    function(
        "splitByNonAlpha",
        "The parts between white space and punctuation.",
        ("splitByNonAlpha('a,b c')", "['a','b','c']"),
        &[template(&[Text], Texts, "splitByNonAlpha({0})")],
    ),
    function(
        "isValidUTF8",
        "Whether the bytes are text.",
        ("isValidUTF8('é')", "1"),
        &[template(&[Text], Condition, "isValidUTF8({0})")],
    ),
    function(
        "toValidUTF8",
        "The text with `�` where bytes are no text.",
        ("toValidUTF8('é')", "é"),
        &[growing(3, &[Text], TEXT, "toValidUTF8({0})")],
    ),
    function(
        "normalizeUTF8NFC",
        "The text in the Unicode form NFC.",
        ("length(normalizeUTF8NFC('é'))", "1"),
        &[growing(9, &[Text], TEXT, "normalizeUTF8NFC(toValidUTF8({0}))")],
    ),
    function(
        "normalizeUTF8NFD",
        "The text in the Unicode form NFD.",
        ("length(normalizeUTF8NFD('é'))", "2"),
        &[growing(9, &[Text], TEXT, "normalizeUTF8NFD(toValidUTF8({0}))")],
    ),
    function(
        "normalizeUTF8NFKC",
        "The text in the Unicode form NFKC.",
        ("normalizeUTF8NFKC('ﬁ')", "fi"),
        &[growing(33, &[Text], TEXT, "normalizeUTF8NFKC(toValidUTF8({0}))")],
    ),
    function(
        "normalizeUTF8NFKD",
        "The text in the Unicode form NFKD.",
        ("normalizeUTF8NFKD('²')", "2"),
        &[growing(33, &[Text], TEXT, "normalizeUTF8NFKD(toValidUTF8({0}))")],
    ),
];

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
    joined(matched, "concat({0})", &texts)
}

fn concat_with_separator(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let all: Vec<Typed> = matched.arguments.iter().take(1).cloned().chain(texts(matched, 1)?).collect();
    joined(matched, "concatWithSeparator({0})", &all)
}

fn joined(matched: &Matched, template: &str, all: &[Typed]) -> Result<Typed, ExpressionProblem> {
    let list = Fragment::join(all.iter().map(|text| &text.fragment), ", ");
    let column_type = super::like_arguments(ColumnType::String, all);
    let parts: Vec<&Typed> = all.iter().collect();
    Ok(Typed::new(column_type, Fragment::template(template, &[&list]), matched.span.clone()).made_of(&parts))
}

fn repeat(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [text, times] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let number = times.constant_number().and_then(crate::compile::number::Number::as_integer).unwrap_or(0);
    let typed = Typed::of(ColumnType::String, "repeat({0}, {1})", &[text, times], matched.span.clone());
    Ok(typed.growing(u64::try_from(number).unwrap_or(0)))
}
