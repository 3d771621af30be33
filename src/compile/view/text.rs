//! A query's text in pieces, with what is quoted and how deep each lies.

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word without quotes: a keyword, a function or a name.
    Word,
    /// A name in quotes.
    Quoted,
    /// Anything else: a text, a number, a sign.
    Other,
}

/// A piece of the text, and how many parentheses are open around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub text: String,
    pub depth: usize,
}

/// The pieces of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (kind, length) = match first {
            '\'' | '`' | '"' => (if first == '\'' { Kind::Other } else { Kind::Quoted }, quoted_length(rest, first)),
            first if first.is_alphabetic() || first == '_' => {
                (Kind::Word, rest.find(|c| !is_word(c)).unwrap_or(rest.len()))
            }
            first if first.is_ascii_digit() => (Kind::Other, rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
            first => (Kind::Other, first.len_utf8()),
        };
        let (piece, after) = rest.split_at(length);
        rest = after;
        if piece.trim().is_empty() {
            continue;
        }
        if matches!(piece, ")" | "]" | "}") {
            depth = depth.saturating_sub(1);
        }
        let text = if kind == Kind::Quoted { unquoted(piece) } else { piece.to_owned() };
        tokens.push(Token { kind, text, depth });
        if matches!(piece, "(" | "[" | "{") {
            depth += 1;
        }
    }
    tokens
}

/// The length of what stands in quotes at the start of a text.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            other if other == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

fn unquoted(piece: &str) -> String {
    let inside = &piece[1..piece.len().saturating_sub(1).max(1)];
    let mut name = String::new();
    let mut characters = inside.chars();
    while let Some(character) = characters.next() {
        name.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    name
}
