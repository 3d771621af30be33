//! Strict reading of one JSON object: its members, each with the path under which a violation names it
//! (query-language 1.2).

use super::json::Json;
use super::rejection::{Code, Rejection, shortened};

/// An object and where it stands.
pub(super) struct Reader<'a> {
    path: String,
    members: &'a [(String, Json)],
}

impl<'a> Reader<'a> {
    /// The object at `path`; empty for the body itself.
    pub(super) fn new(path: impl Into<String>, value: &'a Json) -> Result<Self, Rejection> {
        let path = path.into();
        match value {
            Json::Object(members) => Ok(Self { path, members }),
            _ => Err(wrong(&path, "an object")),
        }
    }

    /// Where a member stands.
    pub(super) fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// Where the object itself stands.
    pub(super) fn path(&self) -> &str {
        if self.path.is_empty() { "body" } else { &self.path }
    }

    /// Refuses any member that is not among `names`.
    pub(super) fn allow(&self, names: &[&str]) -> Result<(), Rejection> {
        self.allow_of(names, names)
    }

    /// The same, where other names are `proposed` than are allowed.
    pub(super) fn allow_of(&self, names: &[&str], proposed: &[&str]) -> Result<(), Rejection> {
        match self.members.iter().find(|(name, _)| !names.contains(&name.as_str())) {
            None => Ok(()),
            Some((name, _)) => {
                let message =
                    format!("`{}` is no property here; there are `{}`", shortened(name), proposed.join("`, `"));
                Err(Rejection::new(Code::UnknownProperty, self.path_of(name), message))
            }
        }
    }

    pub(super) fn optional(&self, name: &str) -> Option<&'a Json> {
        self.members.iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }

    pub(super) fn required(&self, name: &str) -> Result<&'a Json, Rejection> {
        self.optional(name)
            .ok_or_else(|| Rejection::new(Code::InvalidValue, self.path_of(name), format!("`{name}` is required here")))
    }

    pub(super) fn text(&self, name: &str) -> Result<&'a str, Rejection> {
        match self.required(name)? {
            Json::Text(text) => Ok(text),
            _ => Err(wrong(&self.path_of(name), "a string")),
        }
    }

    pub(super) fn optional_text(&self, name: &str) -> Result<Option<&'a str>, Rejection> {
        if self.optional(name).is_none() { Ok(None) } else { self.text(name).map(Some) }
    }

    /// A text of which null is the absence.
    pub(super) fn nullable_text(&self, name: &str) -> Result<Option<&'a str>, Rejection> {
        if self.optional(name) == Some(&Json::Null) { Ok(None) } else { self.optional_text(name) }
    }

    pub(super) fn array(&self, name: &str) -> Result<&'a [Json], Rejection> {
        match self.required(name)? {
            Json::Array(items) => Ok(items),
            _ => Err(wrong(&self.path_of(name), "an array")),
        }
    }

    /// An array that is empty where it is absent.
    pub(super) fn optional_array(&self, name: &str) -> Result<&'a [Json], Rejection> {
        if self.optional(name).is_none() { Ok(&[]) } else { self.array(name) }
    }

    /// An array of at least one.
    pub(super) fn filled_array(&self, name: &str) -> Result<&'a [Json], Rejection> {
        let items = self.array(name)?;
        if items.is_empty() {
            let message = format!("`{name}` must hold at least one entry");
            return Err(Rejection::new(Code::InvalidRequest, self.path_of(name), message));
        }
        Ok(items)
    }

    /// A whole number written without point or power; one beyond 64 bits is the largest of its sign, and the budget
    /// refuses it.
    pub(super) fn whole(&self, name: &str, default: i64) -> Result<i64, Rejection> {
        let Some(value) = self.optional(name) else { return Ok(default) };
        match value {
            Json::Number(text) if !text.contains(['.', 'e', 'E']) => {
                let endless = if text.starts_with('-') { i64::MIN } else { i64::MAX };
                Ok(text.parse().unwrap_or(endless))
            }
            _ => Err(wrong(&self.path_of(name), "a whole number")),
        }
    }

    /// One of the words given.
    pub(super) fn word(&self, name: &str, words: &[&'static str]) -> Result<&'static str, Rejection> {
        let text = self.text(name)?;
        words.iter().find(|word| **word == text).copied().ok_or_else(|| {
            let message = format!("`{}` is not one of `{}`", shortened(text), words.join("`, `"));
            Rejection::new(Code::UnknownValue, self.path_of(name), message)
        })
    }

    /// A field's path.
    pub(super) fn field(&self, name: &str) -> Result<String, Rejection> {
        field_path(self.required(name)?, &self.path_of(name))
    }
}

/// A JSON value of the wrong type.
pub(super) fn wrong(path: &str, wanted: &str) -> Rejection {
    let path = if path.is_empty() { "body" } else { path };
    Rejection::new(Code::InvalidValue, path, format!("{wanted} is needed here"))
}

/// Reads a path of a field: names and array positions, separated by points (query-language 1.2).
pub(super) fn field_path(value: &Json, path: &str) -> Result<String, Rejection> {
    let Json::Text(text) = value else { return Err(wrong(path, "a string")) };
    let well_formed = text.split('.').enumerate().all(|(index, segment)| {
        is_name(segment) || (index > 0 && !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit()))
    });
    match well_formed {
        true => Ok(text.clone()),
        false => {
            Err(Rejection::new(Code::InvalidRequest, path, format!("`{}` is no path of a field", shortened(text))))
        }
    }
}

fn is_name(segment: &str) -> bool {
    let mut bytes = segment.strip_prefix('@').unwrap_or(segment).bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_names_and_positions() {
        for text in ["a", "@type", "_x", "a.b-c.0.@d", "__tenant"] {
            assert!(field_path(&Json::Text(text.to_owned()), "x").is_ok(), "{text}");
        }
        for text in ["", ".", "a.", ".a", "0", "a b", "a.-b", "ä", "a`b", "a\0", "@", "@@a", "a..b", "a[0]"] {
            assert!(field_path(&Json::Text(text.to_owned()), "x").is_err(), "{text}");
        }
    }
}
