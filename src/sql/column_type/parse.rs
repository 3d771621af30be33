//! The text of a type → [`ColumnType`].

use super::names::{self, Spelling};
use super::{AggregateState, ColumnType, Enumeration, JsonType};

/// Types that are nested more deeply are no types that a table has.
const DEEPEST: usize = 100;

/// The type that the whole text is.
pub(super) fn whole(text: &str) -> Option<ColumnType> {
    let mut reader = Reader { rest: text, depth: 0 };
    let column_type = reader.column_type()?;
    reader.skip_space();
    reader.rest.is_empty().then_some(column_type)
}

/// What is left to read.
struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn starts(&mut self, text: &str) -> bool {
        self.skip_space();
        self.rest.starts_with(text)
    }

    fn takes(&mut self, text: &str) -> bool {
        let starts = self.starts(text);
        if starts {
            self.rest = &self.rest[text.len()..];
        }
        starts
    }

    /// A word of letters, digits and underscores that does not start with a digit.
    fn word(&mut self) -> Option<&'t str> {
        self.skip_space();
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.rest = &self.rest[end..];
        Some(word)
    }

    fn number(&mut self) -> Option<u32> {
        self.skip_space();
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let number = self.rest[..end].parse().ok()?;
        self.rest = &self.rest[end..];
        Some(number)
    }

    fn signed(&mut self) -> Option<i32> {
        let sign = if self.takes("-") { -1 } else { 1 };
        i32::try_from(self.number()?).ok().map(|number| sign * number)
    }

    /// A text in quotes, without them and without escapes.
    fn quoted(&mut self, quote: char) -> Option<String> {
        self.skip_space();
        let mut characters = self.rest.strip_prefix(quote)?.char_indices();
        let body = &self.rest[quote.len_utf8()..];
        let mut text = String::new();
        while let Some((index, character)) = characters.next() {
            match character {
                '\\' => text.push(unescaped(characters.next()?.1)),
                _ if character == quote => {
                    let after = &body[index + quote.len_utf8()..];
                    // A quote that stands twice is one of the text.
                    if after.starts_with(quote) {
                        text.push(quote);
                        characters.next();
                        continue;
                    }
                    self.rest = after;
                    return Some(text);
                }
                _ => text.push(character),
            }
        }
        None
    }

    /// A name: a word, or any text in backticks or double quotes.
    fn name(&mut self) -> Option<String> {
        self.skip_space();
        match self.rest.chars().next()? {
            quote @ ('`' | '"') => self.quoted(quote),
            _ => self.word().map(str::to_owned),
        }
    }

    /// A path of names with dots between them.
    fn path(&mut self) -> Option<String> {
        let mut path = self.name()?;
        while self.rest.starts_with('.') {
            self.rest = &self.rest[1..];
            path.push('.');
            path.push_str(&self.name()?);
        }
        Some(path)
    }

    fn column_type(&mut self) -> Option<ColumnType> {
        self.depth += 1;
        let column_type = if self.depth > DEEPEST { None } else { self.named_type() };
        self.depth -= 1;
        column_type
    }

    fn named_type(&mut self) -> Option<ColumnType> {
        let mut written = self.word()?.to_owned();
        // Some spellings of people are several words.
        loop {
            let before = self.rest;
            match self.word() {
                Some(next) if names::is_start(&format!("{written} {next}")) => {
                    written.push(' ');
                    written.push_str(next);
                }
                _ => {
                    self.rest = before;
                    break;
                }
            }
        }
        let has_arguments = self.takes("(");
        let spelling = names::canonical(&written)?;
        let column_type = match spelling {
            Spelling::Plain(text) if !has_arguments => names::plain(text)?,
            // A width that people give and the server drops, as in `VARCHAR(255)`.
            Spelling::Plain(text) if names::width_is_dropped(&written) => {
                self.number()?;
                names::plain(text)?
            }
            Spelling::Plain("DateTime") => ColumnType::DateTime(Some(self.quoted('\'')?)),
            Spelling::Plain("Dynamic") => {
                let most = self.assigned("max_types")?;
                ColumnType::Other(if most == 32 { "Dynamic".to_owned() } else { format!("Dynamic(max_types={most})") })
            }
            Spelling::Plain("JSON") => ColumnType::Json(Box::new(self.json()?)),
            Spelling::Plain(_) => return None,
            Spelling::WithArguments(name) => return self.with_arguments(name, has_arguments),
        };
        (!has_arguments || self.takes(")")).then_some(column_type)
    }

    fn with_arguments(&mut self, name: &'static str, has_arguments: bool) -> Option<ColumnType> {
        let column_type = match (name, has_arguments) {
            ("Decimal", false) => return Some(ColumnType::Decimal(10, 0)),
            ("DateTime64", false) => return Some(ColumnType::DateTime64(3, None)),
            ("Time64", false) => return Some(ColumnType::Other("Time64(3)".to_owned())),
            ("Tuple", false) => return Some(ColumnType::Tuple(Vec::new())),
            (_, false) => return None,
            ("FixedString", _) => ColumnType::FixedString(self.number().filter(|length| *length > 0)?),
            ("Decimal", _) => {
                let precision = self.number()?;
                let scale = if self.takes(",") { self.number()? } else { 0 };
                decimal(precision, scale)?
            }
            ("Decimal32", _) => decimal(9, self.number()?)?,
            ("Decimal64", _) => decimal(18, self.number()?)?,
            ("Decimal128", _) => decimal(38, self.number()?)?,
            ("Decimal256", _) => decimal(76, self.number()?)?,
            ("DateTime64", _) => {
                let scale = self.number().filter(|scale| *scale <= 9)? as u8;
                let zone = if self.takes(",") { Some(self.quoted('\'')?) } else { None };
                ColumnType::DateTime64(scale, zone)
            }
            ("Time64", _) => ColumnType::Other(format!("Time64({})", self.number().filter(|scale| *scale <= 9)?)),
            ("Enum", _) => ColumnType::Enum(self.enumeration(None)?),
            ("Enum8", _) => ColumnType::Enum(self.enumeration(Some(8))?),
            ("Enum16", _) => ColumnType::Enum(self.enumeration(Some(16))?),
            ("Nullable", _) => ColumnType::Nullable(Box::new(self.column_type()?)),
            ("LowCardinality", _) => ColumnType::LowCardinality(Box::new(self.column_type()?)),
            ("Array", _) => ColumnType::Array(Box::new(self.column_type()?)),
            ("Map", _) => {
                let key = self.column_type()?;
                self.takes(",").then_some(())?;
                ColumnType::Map(Box::new(key), Box::new(self.column_type()?))
            }
            ("Tuple", _) if self.starts(")") => ColumnType::Tuple(Vec::new()),
            ("Tuple", _) => ColumnType::Tuple(self.listed(Self::element)?),
            ("Nested", _) => ColumnType::Nested(self.listed(|reader| Some((reader.name()?, reader.column_type()?)))?),
            ("Variant", _) => {
                let mut types = self.listed(Self::column_type)?;
                // The server orders them by their texts, each once.
                types.sort_by_cached_key(ToString::to_string);
                types.dedup();
                ColumnType::Variant(types)
            }
            ("QBit", _) => {
                let element = self.column_type()?;
                self.takes(",").then_some(())?;
                ColumnType::Other(format!("QBit({element}, {})", self.number()?))
            }
            ("AggregateFunction", _) => ColumnType::AggregateFunction(Box::new(self.state()?)),
            ("SimpleAggregateFunction", _) => {
                let (function, parameters) = self.function()?;
                let function = function_text(&function, &parameters);
                let mut types = Vec::new();
                while self.takes(",") {
                    types.push(self.column_type()?);
                }
                let inner = types.pop().filter(|_| types.is_empty())?;
                ColumnType::SimpleAggregateFunction(function, Box::new(inner))
            }
            _ => return None,
        };
        self.takes(")").then_some(column_type)
    }

    /// What stands between commas.
    fn listed<Item>(&mut self, mut item: impl FnMut(&mut Self) -> Option<Item>) -> Option<Vec<Item>> {
        let mut items = vec![item(self)?];
        while self.takes(",") {
            items.push(item(self)?);
        }
        Some(items)
    }

    /// An element of a tuple: a type, or a name and a type.
    fn element(&mut self) -> Option<(Option<String>, ColumnType)> {
        let before = self.rest;
        if let Some(name) = self.name() {
            self.skip_space();
            let ends = self.rest.is_empty() || self.rest.starts_with([',', ')', '(']);
            // A spelling of several words is a type, not a name and a type.
            if !ends && let Some(column_type) = self.column_type() {
                return Some((Some(name), column_type));
            }
        }
        self.rest = before;
        Some((None, self.column_type()?))
    }

    fn enumeration(&mut self, bits: Option<u16>) -> Option<Enumeration> {
        let mut next = 1;
        let mut values = self.listed(|reader| {
            let name = reader.quoted('\'')?;
            if reader.takes("=") {
                next = reader.signed()?;
            }
            let number = i16::try_from(next).ok()?;
            next += 1;
            Some((name, number))
        })?;
        values.sort_by_key(|(_, number)| *number);
        let small = values.iter().all(|(_, number)| i8::try_from(*number).is_ok());
        let bits = bits.unwrap_or(if small { 8 } else { 16 });
        (bits == 16 || small).then_some(Enumeration { bits, values })
    }

    /// The name of a function with its parameters.
    fn function(&mut self) -> Option<(String, Vec<String>)> {
        let name = self.word()?.to_owned();
        let parameters = if self.takes("(") {
            let parameters = if self.starts(")") { Vec::new() } else { self.listed(Self::parameter)? };
            self.takes(")").then_some(())?;
            parameters
        } else {
            Vec::new()
        };
        Some((name, parameters))
    }

    /// A parameter as it is written: a number, a text, or an array of such.
    fn parameter(&mut self) -> Option<String> {
        self.skip_space();
        if self.starts("'") {
            return self.quoted('\'').map(|text| crate::sql::literal::string(&text));
        }
        if self.takes("[") {
            let items = if self.starts("]") { Vec::new() } else { self.listed(Self::parameter)? };
            return self.takes("]").then(|| format!("[{}]", items.join(", ")));
        }
        let end = self.rest.find([',', ')', ']', '(', ' ']).unwrap_or(self.rest.len());
        let text = &self.rest[..end];
        let number = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_'));
        (number && !text.is_empty()).then(|| {
            self.rest = &self.rest[end..];
            // The server prints the shortest form of a fraction.
            match text.contains('.') && !text.contains('e') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text.to_owned(),
            }
        })
    }

    fn state(&mut self) -> Option<AggregateState> {
        let version = self.number();
        if version.is_some() {
            self.takes(",").then_some(())?;
        }
        let (function, parameters) = self.function()?;
        let mut arguments = Vec::new();
        while self.takes(",") {
            arguments.push(self.column_type()?);
        }
        Some(AggregateState { version, function, parameters, arguments })
    }

    /// `name=number`, or the number if the name was read already.
    fn assigned(&mut self, name: &str) -> Option<u32> {
        (self.takes(name) && self.takes("=")).then_some(())?;
        self.number()
    }

    fn json(&mut self) -> Option<JsonType> {
        let mut json = JsonType::default();
        if self.starts(")") {
            return Some(json);
        }
        self.listed(|reader| reader.json_argument(&mut json))?;
        json.typed.sort_by(|(a, _), (b, _)| a.cmp(b));
        json.skipped.sort();
        Some(json)
    }

    fn json_argument(&mut self, json: &mut JsonType) -> Option<()> {
        let before = self.rest;
        if let Some(word) = self.word() {
            match word {
                "max_dynamic_types" if self.takes("=") => {
                    json.max_dynamic_types = Some(self.number()?).filter(|most| *most != 32);
                    return Some(());
                }
                "max_dynamic_paths" if self.takes("=") => {
                    json.max_dynamic_paths = Some(self.number()?).filter(|most| *most != 1024);
                    return Some(());
                }
                "SKIP" | "skip" => {
                    let path = self.rest;
                    if matches!(self.word(), Some("REGEXP" | "regexp")) && self.starts("'") {
                        json.skipped_expressions.push(self.quoted('\'')?);
                        return Some(());
                    }
                    self.rest = path;
                    // `SKIP String` would be a path named SKIP.
                    json.skipped.push(self.path()?);
                    return Some(());
                }
                _ => {}
            }
        }
        self.rest = before;
        let path = self.path()?;
        let column_type = self.column_type()?;
        json.typed.push((path, column_type));
        Some(())
    }
}

/// A function with its parameters, as it is printed.
pub(super) fn function_text(name: &str, parameters: &[String]) -> String {
    match parameters.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", parameters.join(", ")),
    }
}

fn decimal(precision: u32, scale: u32) -> Option<ColumnType> {
    let possible = (1..=76).contains(&precision) && scale <= precision;
    possible.then_some(ColumnType::Decimal(precision as u8, scale as u8))
}

fn unescaped(character: char) -> char {
    match character {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        'b' => '\u{8}',
        'f' => '\u{c}',
        other => other,
    }
}
