//! Functions that look for something in text and replace it. Patterns and regular expressions are written, never
//! computed: they are checked before any row is read.

use super::Kind::{EveryRegex, IntegerConstant, Pattern, Regex, Text, TextConstant, Token};
use super::ResultType::{self, Condition, Texts, UInt};
use super::{Function, Matched, function, names, regex, rule, template};
use crate::compile::problem::{ExpressionProblem, ProblemCode};
use crate::compile::typed::Typed;
use crate::sql::ColumnType;

const TEXT: ResultType = ResultType::Text;

pub(super) const TABLE: &[Function] = &[
    function(
        "position",
        "At which character a text begins in another, from 1; 0 if nowhere.",
        ("position('grüner', 'n')", "4"),
        &[template(&[Text, Text], UInt(64), "positionUTF8({0}, {1})")],
    )
    .any_case(),
    function(
        "positionCaseInsensitive",
        "The same, without regard to case.",
        ("positionCaseInsensitive('GRÜN', 'ü')", "3"),
        &[template(&[Text, Text], UInt(64), "positionCaseInsensitiveUTF8({0}, {1})")],
    ),
    function(
        "countSubstrings",
        "How often a written text stands in another, without overlap.",
        ("countSubstrings('banana', 'an')", "2"),
        &[template(&[Text, TextConstant], UInt(64), "countSubstrings({0}, {1})")],
    )
    .any_case(),
    function(
        "countSubstringsCaseInsensitiveUTF8",
        "The same, without regard to case.",
        ("countSubstringsCaseInsensitiveUTF8('Üü', 'ü')", "2"),
        &[template(&[Text, TextConstant], UInt(64), "countSubstringsCaseInsensitiveUTF8({0}, {1})")],
    ),
    function(
        "startsWith",
        "Whether a text begins with another.",
        ("startsWith('order-7', 'order')", "1"),
        &[template(&[Text, Text], Condition, "startsWith({0}, {1})")],
    ),
    function(
        "endsWith",
        "Whether a text ends with another.",
        ("endsWith('a.csv', '.csv')", "1"),
        &[template(&[Text, Text], Condition, "endsWith({0}, {1})")],
    ),
    function(
        "like",
        "Whether a text is of a pattern: `%` stands for any characters, `_` for one, `\\\\` before them for themselves.",
        ("like('order-7', 'order-_')", "1"),
        &[template(&[Text, Pattern], Condition, "like({0}, {1})")],
    ),
    function(
        "notLike",
        "Whether it is not.",
        ("notLike('order-7', 'x%')", "1"),
        &[template(&[Text, Pattern], Condition, "notLike({0}, {1})")],
    ),
    function(
        "ilike",
        "The same as `like`, without regard to case.",
        ("ilike('ORDER', 'ord%')", "1"),
        &[template(&[Text, Pattern], Condition, "ilike({0}, {1})")],
    ),
    function(
        "notILike",
        "Whether it is not.",
        ("notILike('ORDER', 'ord%')", "0"),
        &[template(&[Text, Pattern], Condition, "notILike({0}, {1})")],
    ),
    function(
        "hasToken",
        "Whether a word stands in a text, between separators.",
        ("hasToken('red, green', 'green')", "1"),
        &[template(&[Text, Token], Condition, "hasToken({0}, {1})")],
    ),
    function(
        "hasTokenCaseInsensitive",
        "The same, without regard to case.",
        ("hasTokenCaseInsensitive('RED', 'red')", "1"),
        &[template(&[Text, Token], Condition, "hasTokenCaseInsensitive({0}, {1})")],
    ),
    function(
        "match",
        "Whether a regular expression fits somewhere in the text.",
        ("match('order-7', '^order-\\\\d+$')", "1"),
        &[template(&[Text, Regex], Condition, "match({0}, {1})")],
    )
    .any_case(),
    function(
        "extract",
        "The first group of a regular expression, or what fits if it has none; empty if nothing does.",
        ("extract('order-7', '-(\\\\d+)')", "7"),
        &[template(&[Text, Regex], TEXT, "extract({0}, {1})")],
    ),
    function(
        "extractAll",
        "The same of every fit; of null none.",
        ("extractAll('a1b22', '\\\\d+')", "['1','22']"),
        &[template(&[Text, EveryRegex], Texts, "extractAll({0}, {1})")],
    ),
    function(
        "regexpExtract",
        "A group of a regular expression by its number; 0 is the whole.",
        ("regexpExtract('a-1', '(\\\\w)-(\\\\d)', 2)", "1"),
        &[rule(&[Text, Regex, IntegerConstant(0, 9)], extract_group)],
    )
    .any_case(),
    function(
        "countMatches",
        "How often a regular expression fits.",
        ("countMatches('a1b22', '\\\\d+')", "2"),
        &[template(&[Text, EveryRegex], UInt(64), "countMatches({0}, {1})")],
    ),
    function(
        "splitByRegexp",
        "The parts between the fits; of null those of an empty text.",
        ("splitByRegexp('[,;] *', 'a, b;c')", "['a','b','c']"),
        &[rule(&[EveryRegex, Text], split_regex)],
    ),
    function(
        "replaceAll",
        "Every occurrence of a written text replaced.",
        ("replaceAll('a-b-c', '-', '/')", "a/b/c"),
        &[rule(&[Text, TextConstant, TextConstant], replace)],
    ),
    function(
        "replaceOne",
        "The first occurrence of a written text replaced.",
        ("replaceOne('a-b-c', '-', '/')", "a/b-c"),
        &[template(&[Text, TextConstant, TextConstant], TEXT, "replaceOne({0}, {1}, {2})")],
    ),
    function(
        "replaceRegexpAll",
        "Every fit of a regular expression replaced; `\\\\0` to `\\\\9` stand for its groups.",
        ("replaceRegexpAll('a1b22', '\\\\d+', '<\\\\0>')", "a<1>b<22>"),
        &[rule(&[Text, EveryRegex, TextConstant], replace_regex)],
    )
    .any_case(),
    function(
        "replaceRegexpOne",
        "The first fit replaced.",
        ("replaceRegexpOne('a1b22', '\\\\d+', '')", "ab22"),
        &[rule(&[Text, Regex, TextConstant], replace_regex)],
    ),
    function(
        "translate",
        "Each character of the first written text replaced by the one at its place in the second.",
        ("translate('a-b', '-b', '_B')", "a_B"),
        &[rule(&[Text, TextConstant, TextConstant], translate)],
    )
    .any_case(),
    function(
        "overlay",
        "A written text laid over the characters from a place on.",
        ("overlay('München', 'ae', 2, 1)", "Maenchen"),
        &[
            template(&[Text, TextConstant, IntegerConstant(1, 1_000_000)], TEXT, "overlayUTF8({0}, {1}, {2})"),
            template(
                &[Text, TextConstant, IntegerConstant(1, 1_000_000), IntegerConstant(0, 1_000_000)],
                TEXT,
                "overlayUTF8({0}, {1}, {2}, {3})",
            ),
        ],
    )
    .any_case(),
];

/// Whether a pattern of `like` is one: a single backslash at its end throws.
pub(super) fn valid_pattern(pattern: &str) -> bool {
    pattern.len() <= 256 && pattern.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0
}

/// Whether a word has no separator in it: `hasToken` throws for others.
pub(super) fn valid_token(word: &str) -> bool {
    (1..=256).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn constants(matched: &Matched) -> (String, String) {
    let text = |at: usize| matched.arguments.get(at).and_then(Typed::constant_text).unwrap_or_default().to_owned();
    (text(1), text(2))
}

fn replace(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [text, needle, replacement] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let (from, to) = constants(matched);
    let growth = text.growth.replaced(&from, &to);
    let arguments = [text, needle, replacement];
    let typed = Typed::of(ColumnType::String, "replaceAll({0}, {1}, {2})", &arguments, matched.span.clone());
    Ok(Typed { growth, ..typed })
}

fn wrong(matched: &Matched, argument: usize, message: String) -> ExpressionProblem {
    let span = matched.arguments.get(argument).map_or(matched.span.clone(), |argument| argument.span.clone());
    ExpressionProblem::new(ProblemCode::WrongArguments, span, message)
}

fn groups(matched: &Matched) -> Result<usize, ExpressionProblem> {
    regex::groups(&constants(matched).0).map_err(|problem| wrong(matched, 1, problem))
}

fn replace_regex(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let growth = regex::replacement(&constants(matched).1, groups(matched)?);
    let growth = growth.map_err(|problem| wrong(matched, 2, problem))?;
    let arguments: Vec<&Typed> = matched.arguments.iter().collect();
    let template = format!("{}({{0}}, {{1}}, {{2}})", matched.name);
    Ok(Typed::of(ColumnType::String, &template, &arguments, matched.span.clone()).growing(growth))
}

/// Without a regular expression ClickHouse splits between bytes, also those of one character.
fn split_regex(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [regex, text] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    if regex.constant_text().is_none_or(str::is_empty) {
        return Err(wrong(matched, 0, "`splitByRegexp` needs something to split at".to_owned()));
    }
    let text = super::if_null(text, "''");
    let parts = ColumnType::Array(Box::new(ColumnType::String));
    Ok(Typed::of(parts, "splitByRegexp({0}, {1})", &[regex, &text], matched.span.clone()))
}

fn extract_group(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let [_, _, number] = matched.arguments.as_slice() else { return Err(names::arguments(matched)) };
    let group = number.constant_number().and_then(crate::compile::number::Number::as_integer).unwrap_or(0);
    let groups = groups(matched)?;
    if usize::try_from(group).is_ok_and(|group| group > groups) {
        return Err(wrong(matched, 2, format!("the regular expression has {groups} groups")));
    }
    let arguments: Vec<&Typed> = matched.arguments.iter().collect();
    Ok(Typed::of(ColumnType::String, "regexpExtract({0}, {1}, {2})", &arguments, matched.span.clone()))
}

/// ClickHouse drops characters without a counterpart and throws for more counterparts than characters.
fn translate(matched: &Matched) -> Result<Typed, ExpressionProblem> {
    let (from, to) = constants(matched);
    if from.chars().count() != to.chars().count() {
        let message = "the two texts of `translate` have as many characters as one another".to_owned();
        return Err(wrong(matched, 2, message).help("use `replaceAll` to remove a character"));
    }
    let arguments: Vec<&Typed> = matched.arguments.iter().collect();
    Ok(Typed::of(ColumnType::String, "translateUTF8({0}, {1}, {2})", &arguments, matched.span.clone()).growing(4))
}
