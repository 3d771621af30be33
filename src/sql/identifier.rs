//! Names, quoted for SQL (ClickHouse reference: syntax, identifiers).

use std::fmt;

/// A name; prints quoted with backticks, whatever it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier<'n>(&'n str);

impl<'n> Identifier<'n> {
    /// A name of any characters; an empty one is refused by the server, not here.
    pub fn new(name: &'n str) -> Self {
        Self(name)
    }

    /// Writes the quoted name at the end of a text.
    pub fn push_to(self, text: &mut String) {
        text.extend(self.parts());
    }

    /// The name as a member of what is called so: `alias.name`, the alias as it is.
    pub fn of(self, alias: &str) -> String {
        let mut text = String::with_capacity(alias.len() + self.0.len() + ".``".len());
        text.push_str(alias);
        text.push('.');
        self.push_to(&mut text);
        text
    }

    /// The parts of the quoted name.
    fn parts(self) -> impl Iterator<Item = &'n str> {
        // A name is split before each character that is escaped, so that this one starts the next part.
        let escaped = |character: char| matches!(character, '`' | '\\');
        let ends = self.0.match_indices(escaped).map(|(at, _)| at).chain([self.0.len()]);
        let mut start = 0;
        let parts = ends.flat_map(move |end| {
            let part = &self.0[start..end];
            start = end;
            [part, if end < self.0.len() { "\\" } else { "" }]
        });
        std::iter::once("`").chain(parts).chain(["`"])
    }

    /// The name without quotes.
    pub fn name(self) -> &'n str {
        self.0
    }
}

impl fmt::Display for Identifier<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().try_for_each(|part| formatter.write_str(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_are_escaped() {
        assert_eq!(Identifier::new(r"a`b\c").to_string(), r"`a\`b\\c`");
        assert_eq!(Identifier::new("").to_string(), "``");
        assert_eq!(Identifier::new("`é\\").to_string(), r"`\`é\\`");
    }
}
