//! JSON as the language needs it: numbers with all their digits, no key twice, no deeper than 64.
//!
//! Written by hand because serde_json's tree rounds numbers, takes the last of two equal keys silently and would keep
//! all digits only for the whole program. Linear in the size of the input whatever the input is.

use std::collections::BTreeSet;

/// The deepest nesting of arrays and objects (design 7; fixed).
pub(super) const DEEPEST: usize = 64;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Json {
    Null,
    Boolean(bool),
    /// The text of a number, as sent.
    Number(String),
    Text(String),
    Array(Vec<Json>),
    /// The members in the order sent; no key stands twice.
    Object(Vec<(String, Json)>),
}

/// Why a text is not taken as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JsonError {
    /// No JSON, from this byte on.
    Malformed(usize),
    /// Nested deeper than [`DEEPEST`] at this byte.
    TooDeep(usize),
    /// The member at this path stands twice in its object.
    Duplicate(String),
}

impl JsonError {
    fn under(self, parent: &str) -> Self {
        match self {
            Self::Duplicate(path) if path.starts_with('[') => Self::Duplicate(format!("{parent}{path}")),
            Self::Duplicate(path) => Self::Duplicate(format!("{parent}.{path}")),
            other => other,
        }
    }
}

impl Json {
    /// Reads one value and nothing after it.
    pub(super) fn parse(text: &str) -> Result<Self, JsonError> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        parser.space();
        let value = parser.value()?;
        parser.space();
        match parser.at == text.len() {
            true => Ok(value),
            false => Err(parser.malformed()),
        }
    }
}

/// Whether the text is a number of RFC 8259, whole.
pub(super) fn is_number(text: &str) -> bool {
    let mut parser = Parser { text, at: 0, depth: 0 };
    parser.number().is_ok() && parser.at == text.len()
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn malformed(&self) -> JsonError {
        JsonError::Malformed(self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<Json, JsonError> {
        match self.peek().ok_or(self.malformed())? {
            b'{' => self.nested(Self::object),
            b'[' => self.nested(Self::array),
            b'"' => self.string().map(Json::Text),
            b'n' => self.word("null", Json::Null),
            b't' => self.word("true", Json::Boolean(true)),
            b'f' => self.word("false", Json::Boolean(false)),
            _ => self.number().map(Json::Number),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, JsonError> {
        match self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            true => {
                self.at += word.len();
                Ok(value)
            }
            false => Err(self.malformed()),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Json, JsonError>) -> Result<Json, JsonError> {
        if self.depth == DEEPEST {
            return Err(JsonError::TooDeep(self.at));
        }
        self.depth += 1;
        self.at += 1;
        self.space();
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Result<Json, JsonError> {
        let mut items = Vec::new();
        if self.take(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            self.space();
            let item = self.value().map_err(|error| error.under(&format!("[{}]", items.len())))?;
            items.push(item);
            self.space();
            if self.take(b']') {
                return Ok(Json::Array(items));
            }
            if !self.take(b',') {
                return Err(self.malformed());
            }
        }
    }

    fn object(&mut self) -> Result<Json, JsonError> {
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut keys = BTreeSet::new();
        if self.take(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            let key = self.string()?;
            self.space();
            if !self.take(b':') {
                return Err(self.malformed());
            }
            self.space();
            let value = self.value().map_err(|error| error.under(&key))?;
            if !keys.insert(key.clone()) {
                return Err(JsonError::Duplicate(key));
            }
            members.push((key, value));
            self.space();
            if self.take(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.take(b',') {
                return Err(self.malformed());
            }
        }
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.malformed()) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<String, JsonError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        Ok(self.text[start..self.at].to_owned())
    }

    fn string(&mut self) -> Result<String, JsonError> {
        if !self.take(b'"') {
            return Err(self.malformed());
        }
        let mut value = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            value.push_str(&self.text[start..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(value);
                }
                Some(b'\\') => {
                    self.at += 1;
                    value.push(self.escape()?);
                }
                _ => return Err(self.malformed()),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let byte = self.peek().ok_or(self.malformed())?;
        let malformed = self.malformed();
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                let code = match unit {
                    0xd800..=0xdbff => {
                        if !(self.take(b'\\') && self.take(b'u')) {
                            return Err(malformed);
                        }
                        let low = self.unit()?;
                        if !(0xdc00..=0xdfff).contains(&low) {
                            return Err(malformed);
                        }
                        0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
                    }
                    other => other,
                };
                // none for a lone low surrogate, which is no character
                char::from_u32(code).ok_or(malformed)?
            }
            _ => return Err(malformed),
        })
    }

    fn unit(&mut self) -> Result<u32, JsonError> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16)).ok_or(self.malformed())?;
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_all_their_digits() {
        let text = "[-0, 1e400, 18446744073709551617, 0.1234567890123456789012345678901234567890]";
        let Ok(Json::Array(items)) = Json::parse(text) else { panic!("an array") };
        let digits: Vec<_> = items.iter().map(|item| format!("{item:?}")).collect();
        assert_eq!(digits[1], "Number(\"1e400\")");
        assert_eq!(digits[3], "Number(\"0.1234567890123456789012345678901234567890\")");
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            "NaN",
            "-Infinity",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "-",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "'a'",
            "tru",
            "\"\\ud800\"",
            "\"\\udc00\"",
            "\"\\ud800\\u0041\"",
            "\"\\x\"",
            "\"a\nb\"",
            "\"",
            "[1 2]",
            "1 2",
            "\u{feff}1",
        ] {
            assert!(matches!(Json::parse(text), Err(JsonError::Malformed(_))), "{text}");
        }
    }

    #[test]
    fn it_is_said_where_a_text_stops_being_json() {
        for (text, at) in [
            ("{\"a\": NaN}", 6),
            ("[1 2]", 3),
            ("[1,]", 3),
            ("{a:1}", 1),
            ("{\"a\":1", 6),
            ("\"\u{e4}\\x\"", 4),
            ("\"\\ud800\"", 2),
            ("\"a\nb\"", 2),
            ("1 2", 2),
            ("", 0),
        ] {
            assert_eq!(Json::parse(text), Err(JsonError::Malformed(at)), "{text}");
        }
    }

    #[test]
    fn escapes_and_pairs_are_characters() {
        assert_eq!(Json::parse(r#""\u0000\ud83d\ude00\/\u00e9""#), Ok(Json::Text("\0😀/é".to_owned())));
    }

    #[test]
    fn a_key_twice_is_named_by_its_path() {
        let error = Json::parse(r#"{"a":[{"b":{"c":1,"c":2}}]}"#);
        assert_eq!(error, Err(JsonError::Duplicate("a[0].b.c".to_owned())));
        assert_eq!(Json::parse(r#"{"a":1,"\u0061":2}"#), Err(JsonError::Duplicate("a".to_owned())));
    }

    #[test]
    fn depth_ends_at_64() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Json::parse(&nested(64)).is_ok());
        assert_eq!(Json::parse(&nested(65)), Err(JsonError::TooDeep(64)));
        assert_eq!(Json::parse(&"[".repeat(1 << 20)), Err(JsonError::TooDeep(64)));
    }
}
