//! How a value is protected: its level, its mask, and whether it may be compared (design 1 "Words", 4.8).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How strongly a value is protected. The order is the order of strictness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Level {
    /// Shown as it is.
    #[default]
    Public,
    /// Shown masked; may be declared comparable.
    Display,
    /// Shown masked and never compared, sorted or aggregated.
    Confidential,
}

/// What of a masked text stays readable, in Unicode code points (query-language 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mask {
    /// Code points kept at the start.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000))]
    pub keep_prefix: u32,
    /// Code points kept at the end.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000))]
    pub keep_suffix: u32,
}

/// A declared protection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sensitivity {
    /// The level.
    pub level: Level,
    /// What stays readable of a masked text; nothing where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<Mask>,
    /// Whether a `Display` value may be compared for equality and presence (an approved property of the source).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub comparable: bool,
}

impl Sensitivity {
    /// No protection.
    pub const PUBLIC: Self = Self { level: Level::Public, mask: None, comparable: false };

    /// Whether the value is protected at all.
    pub fn is_protected(&self) -> bool {
        self.level != Level::Public
    }

    /// The stricter of two, member by member: the higher level, the smaller kept ends, not comparable (design 4.8).
    /// A side that protects nothing adds nothing.
    pub fn strictest(&self, other: &Self) -> Self {
        match (self.is_protected(), other.is_protected()) {
            (_, false) => self.clone(),
            (false, true) => other.clone(),
            (true, true) => {
                let (a, b) = (self.mask.unwrap_or_default(), other.mask.unwrap_or_default());
                let mask = Mask {
                    keep_prefix: a.keep_prefix.min(b.keep_prefix),
                    keep_suffix: a.keep_suffix.min(b.keep_suffix),
                };
                let level = self.level.max(other.level);
                Self {
                    level,
                    mask: (mask != Mask::default()).then_some(mask),
                    comparable: level == Level::Display && self.comparable && other.comparable,
                }
            }
        }
    }

    /// Whether `self` protects less than `other` in any member.
    pub fn is_looser_than(&self, other: &Self) -> bool {
        self.strictest(other) != self.normalized()
    }

    /// The one form of equal protections: no empty mask, nothing comparable but `Display`, no mask on `Public`.
    pub fn normalized(&self) -> Self {
        match self.level {
            Level::Public => Self::PUBLIC,
            level => Self {
                level,
                mask: self.mask.filter(|mask| *mask != Mask::default()),
                comparable: level == Level::Display && self.comparable,
            },
        }
    }
}

impl fmt::Display for Sensitivity {
    /// As people read it: `Display, keeping 1 at the start, comparable`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.level)?;
        let mask = self.mask.unwrap_or_default();
        match (mask.keep_prefix, mask.keep_suffix) {
            (0, 0) => {}
            (prefix, 0) => write!(formatter, ", keeping {prefix} at the start")?,
            (0, suffix) => write!(formatter, ", keeping {suffix} at the end")?,
            (prefix, suffix) => write!(formatter, ", keeping {prefix} at the start and {suffix} at the end")?,
        }
        if self.comparable { formatter.write_str(", comparable") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn display(keep_prefix: u32, comparable: bool) -> Sensitivity {
        let mask = Some(Mask { keep_prefix, keep_suffix: 0 }).filter(|mask| mask.keep_prefix > 0);
        Sensitivity { level: Level::Display, mask, comparable }
    }

    #[test]
    fn the_strictest_is_taken_member_by_member() {
        let confidential = Sensitivity { level: Level::Confidential, mask: None, comparable: false };
        assert_eq!(display(3, true).strictest(&display(1, true)), display(1, true));
        assert_eq!(display(3, true).strictest(&display(3, false)), display(3, false));
        assert_eq!(display(3, true).strictest(&confidential), confidential);
        assert_eq!(Sensitivity::PUBLIC.strictest(&display(3, true)), display(3, true));
    }

    #[test]
    fn looser_in_any_member_is_looser() {
        assert!(display(3, false).is_looser_than(&display(1, false)));
        assert!(display(1, true).is_looser_than(&display(1, false)));
        assert!(Sensitivity::PUBLIC.is_looser_than(&display(0, false)));
        assert!(!display(1, false).is_looser_than(&display(3, true)));
        assert!(!display(0, false).is_looser_than(&Sensitivity::PUBLIC));
    }
}
