//! Text → tokens. Knows characters, not grammar; says at once what is closed (comments, brackets, parameters, …).

use std::borrow::Cow;
use std::ops::Range;

use super::number::Number;
use super::problem::{ExpressionProblem, ProblemCode};

/// A token and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Token<'t> {
    /// What it is.
    pub kind: TokenKind<'t>,
    /// Where it stands, as bytes of the text.
    pub span: Range<usize>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind<'t> {
    /// A plain or backtick-quoted name; quoted ones are never keywords.
    Word {
        /// The name, unquoted.
        text: Cow<'t, str>,
        /// Whether it was in backticks.
        quoted: bool,
    },
    /// A number without sign.
    Number(Number),
    /// The value of a quoted string.
    Text(Cow<'t, str>),
    /// An operator or a separator.
    Sign(&'static str),
}

/// Signs, longest first.
const SIGNS: [&str; 15] = ["!=", "<>", "<=", ">=", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", ","];

/// What ClickHouse knows and this language does not: the sign, what it is, what to write instead.
const CLOSED: [(&str, &str, &str); 15] = [
    (
        "--",
        "comments are not part of an expression",
        "put the remark into the column's `description`; a double minus needs a space: `- -1`",
    ),
    ("/*", "comments are not part of an expression", "put the remark into the column's `description`"),
    ("#", "comments are not part of an expression", "put the remark into the column's `description`"),
    ("->", "there are no lambdas", "use the functions of arrays that need none, such as `has` or `arraySum`"),
    ("::", "there is no cast by `::`", "use a function such as `toInt64(x)` or `toDecimal64(x, 2)`"),
    ("?", "there is no `?:`", "use `if(condition, then, else)`"),
    (":", "there is no `:`", "use `if(condition, then, else)`"),
    ("||", "there is no operator `||`", "use `concat(a, b)`"),
    ("==", "there is no operator `==`", "use `=`"),
    ("&", "there is no operator `&`", "use `and`"),
    (";", "an expression is one value, without `;`", "remove the `;`"),
    (
        "[",
        "there are no brackets",
        "use `arrayElement(x, 1)` for an element, `array(1, 2)` for an array, a list in parentheses after `in`",
    ),
    ("]", "there are no brackets", "use `arrayElement(x, 1)` or a list in parentheses after `in`"),
    ("{", "there are no parameters", "write the value itself"),
    ("\"", "names are not quoted with `\"`", "use backticks for a name, `'` for a text"),
];

/// Words that are part of the grammar and name nothing unless in backticks.
pub const KEYWORDS: [&str; 9] = ["and", "or", "not", "in", "between", "is", "null", "true", "false"];

/// Words that start something in SQL which this language does not have: the word, what to write instead.
pub const CLOSED_WORDS: [(&str, &str); 9] = [
    ("select", "there are no subqueries: add the table as a source and join it"),
    ("case", "use `if(condition, then, else)` or `multiIf(condition, then, …, else)`"),
    ("cast", "use a function such as `toInt64(x)` or `toDecimal64(x, 2)`"),
    ("interval", "use `addDays(x, 7)`, `addMonths(x, 1)` and the like"),
    ("like", "use `like(x, 'pattern')`"),
    ("ilike", "use `ilike(x, 'pattern')`"),
    ("over", "there are no window functions: an expression sees one row"),
    ("as", "the column's `name` says what it is called"),
    ("div", "use `intDiv(a, b)`"),
];

/// Splits a text into tokens.
///
/// # Errors
/// At the first character that cannot start a token, or a text or name that does not end.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, ExpressionProblem> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let start = at;
        if character.is_whitespace() {
            at += character.len_utf8();
            continue;
        }
        let kind = match character {
            'a'..='z' | 'A'..='Z' | '_' => {
                at = end_of(text, at, |c| c.is_ascii_alphanumeric() || c == '_');
                TokenKind::Word { text: Cow::Borrowed(&text[start..at]), quoted: false }
            }
            '`' => {
                let (name, end) = quoted(text, at, '`')?;
                at = end;
                TokenKind::Word { text: name, quoted: true }
            }
            '\'' => {
                let (value, end) = quoted(text, at, '\'')?;
                at = end;
                TokenKind::Text(value)
            }
            '0'..='9' => {
                at = end_of_number(text, at);
                TokenKind::Number(number(text, start..at)?)
            }
            // A dot after a name goes on with the name; elsewhere it starts a number.
            '.' if !after_name(&found, start) && text[at + 1..].starts_with(|c: char| c.is_ascii_digit()) => {
                at = end_of_number(text, at);
                TokenKind::Number(number(text, start..at)?)
            }
            '.' => {
                at += 1;
                TokenKind::Sign(".")
            }
            _ => {
                let sign = sign(text, at)?;
                at += sign.len();
                TokenKind::Sign(sign)
            }
        };
        found.push(Token { kind, span: start..at });
    }
    Ok(found)
}

fn after_name(found: &[Token<'_>], at: usize) -> bool {
    found.last().is_some_and(|token| token.span.end == at && matches!(token.kind, TokenKind::Word { .. }))
}

fn end_of(text: &str, from: usize, belongs: impl Fn(char) -> bool) -> usize {
    text[from..].find(|c: char| !belongs(c)).map_or(text.len(), |length| from + length)
}

/// The end of a number, with whatever letters are glued to it, so that `12abc` is one wrong number.
fn end_of_number(text: &str, from: usize) -> usize {
    let mut end = end_of(text, from, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
    let exponent = text[from..end].ends_with(['e', 'E']) && !text[from..end].starts_with("0x");
    if exponent && text[end..].starts_with(['+', '-']) {
        end = end_of(text, end + 1, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
    }
    end
}

fn number(text: &str, span: Range<usize>) -> Result<Number, ExpressionProblem> {
    let written = &text[span.clone()];
    Number::parse(written).ok_or_else(|| {
        ExpressionProblem::new(ProblemCode::SyntaxError, span, format!("`{written}` is no number"))
            .help("numbers are written like `12`, `12.34` or `1.5e3`, with at most 76 digits")
    })
}

fn sign(text: &str, at: usize) -> Result<&'static str, ExpressionProblem> {
    let rest = &text[at..];
    if let Some((sign, what, instead)) = CLOSED.iter().find(|(sign, _, _)| rest.starts_with(sign)) {
        let problem = ExpressionProblem::new(ProblemCode::SyntaxError, at..at + sign.len(), (*what).to_owned());
        return Err(problem.help(*instead));
    }
    SIGNS.into_iter().find(|sign| rest.starts_with(sign)).ok_or_else(|| {
        let character = rest.chars().next().unwrap_or(' ');
        let span = at..at + character.len_utf8();
        ExpressionProblem::new(ProblemCode::SyntaxError, span, format!("`{character}` cannot stand here"))
            .help("names of other characters are written in backticks, texts in `'`")
    })
}

/// The value of a quoted text or name that starts at `at`, and its end.
fn quoted(text: &str, at: usize, quote: char) -> Result<(Cow<'_, str>, usize), ExpressionProblem> {
    // Most stand there as they are.
    let inside = &text[at + 1..];
    if let Some(end) = inside.find([quote, '\\'])
        && inside[end..].starts_with(quote)
        && !inside[end + 1..].starts_with(quote)
    {
        return Ok((Cow::Borrowed(&inside[..end]), at + 1 + end + 1));
    }
    let wrong = |span: Range<usize>, message: String| ExpressionProblem::new(ProblemCode::SyntaxError, span, message);
    let mut value = String::new();
    let mut characters = text[at + 1..].char_indices().map(|(index, c)| (at + 1 + index, c)).peekable();
    while let Some((index, character)) = characters.next() {
        if character == quote {
            match characters.peek() {
                Some((_, next)) if *next == quote => {
                    characters.next();
                    value.push(quote);
                }
                _ => return Ok((Cow::Owned(value), index + 1)),
            }
        } else if character == '\\' {
            match characters.next() {
                Some((_, escaped)) if matches!(escaped, '\'' | '`' | '"' | '\\' | '/') => value.push(escaped),
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, 'r')) => value.push('\r'),
                Some((_, '0')) => value.push('\0'),
                // As in ClickHouse: patterns of `like` escape `%` and `_` with one backslash.
                Some((_, kept @ ('%' | '_'))) => value.extend(['\\', kept]),
                Some((end, other)) => {
                    return Err(wrong(index..end + other.len_utf8(), format!("`\\{other}` is no escape"))
                        .help("the escapes are `\\'`, `\\\\`, `\\n`, `\\t`, `\\r`, `\\0`, `\\%` and `\\_`; a backslash itself is `\\\\`"));
                }
                None => break,
            }
        } else {
            value.push(character);
        }
    }
    let what = if quote == '\'' { "text" } else { "name" };
    Err(wrong(at..text.len(), format!("the {what} that starts here does not end"))
        .help(format!("close it with `{quote}`; inside it, `{quote}` is written twice")))
}
