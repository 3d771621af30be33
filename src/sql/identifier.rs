//! Names, quoted for SQL (ClickHouse reference: syntax, identifiers).

use std::fmt;

/// A name; prints quoted with backticks, whatever it holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier(String);

impl Identifier {
    /// A name of any characters; an empty one is refused by the server, not here.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name without quotes.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("`")?;
        for character in self.0.chars() {
            match character {
                '`' => formatter.write_str("\\`")?,
                '\\' => formatter.write_str("\\\\")?,
                other => write!(formatter, "{other}")?,
            }
        }
        formatter.write_str("`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_are_escaped() {
        assert_eq!(Identifier::new(r"a`b\c").to_string(), r"`a\`b\\c`");
    }
}
