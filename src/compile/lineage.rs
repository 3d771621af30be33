//! From which source values something is computed, and the protection that follows from them (design 4.8).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::api::sensitivity::Sensitivity;

/// Source values, each with the protection that its source asks for it: by source ID, then by `<column>[.<path>]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lineage(BTreeMap<String, BTreeMap<String, Sensitivity>>);

impl Lineage {
    /// Adds a value.
    pub fn add(&mut self, source_id: &str, value: &str, protection: &Sensitivity) {
        self.0.entry(source_id.to_owned()).or_default().insert(value.to_owned(), protection.normalized());
    }

    /// Adds all values of another.
    pub fn extend(&mut self, other: Self) {
        for (source, values) in other.0 {
            self.0.entry(source).or_default().extend(values);
        }
    }

    /// The values: source ID, name, protection.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str, &Sensitivity)> {
        self.0.iter().flat_map(|(source, values)| {
            values.iter().map(move |(value, protection)| (source.as_str(), value.as_str(), protection))
        })
    }

    /// The protection of what shows these values: the strictest of theirs, member by member. What is computed from them
    /// keeps their levels alone.
    pub fn protection(&self, computed: bool) -> Sensitivity {
        self.values()
            .fold(Sensitivity::PUBLIC, |strictest, (.., next)| strictest.strictest(&protection_of(next, computed)))
    }

    /// The sources whose values a protection shows with less than they ask.
    pub fn below(&self, protection: &Sensitivity, computed: bool) -> BTreeSet<String> {
        let looser =
            |(.., asked): &(&str, &str, &Sensitivity)| protection.is_looser_than(&protection_of(asked, computed));
        self.values().filter(looser).map(|(source, ..)| source.to_owned()).collect()
    }

    /// Whether one of the values is protected.
    pub fn is_protected(&self) -> bool {
        self.values().any(|(.., protection)| protection.is_protected())
    }

    /// Whether a value of this lineage is protected more than the same value was in an earlier one, or is not in it.
    pub fn asks_more_than(&self, earlier: &Self) -> bool {
        self.values().any(|(source, value, now)| {
            let then = earlier.0.get(source).and_then(|values| values.get(value));
            then.is_none_or(|then| then.is_looser_than(now))
        })
    }

    /// The protected values, as people read them.
    pub fn protected_values(&self) -> String {
        let protected = self.values().filter(|(.., protection)| protection.is_protected());
        protected.map(|(source, value, _)| format!("{value} of {source}")).collect::<Vec<_>>().join(", ")
    }
}

/// The protection that one value asks of what shows it. Whatever is computed from it is compared, masked and counted as
/// something else, so that neither the ends that a mask keeps nor what equality may tell carry over.
pub fn protection_of(asked: &Sensitivity, computed: bool) -> Sensitivity {
    match computed {
        true => Sensitivity { level: asked.level, mask: None, comparable: false },
        false => asked.normalized(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::sensitivity::{Level, Mask};

    fn display(keep_prefix: u32, comparable: bool) -> Sensitivity {
        Sensitivity { level: Level::Display, mask: Some(Mask { keep_prefix, keep_suffix: 0 }), comparable }
    }

    fn of(values: &[(&str, &str, Sensitivity)]) -> Lineage {
        let mut lineage = Lineage::default();
        values.iter().for_each(|(source, value, protection)| lineage.add(source, value, protection));
        lineage
    }

    #[test]
    fn a_plain_value_keeps_its_mask_and_a_computed_one_nothing() {
        let phone = of(&[("d:x:t", "phone", display(3, true))]);
        assert_eq!(phone.protection(false), display(3, true));
        let full = Sensitivity { level: Level::Display, mask: None, comparable: false };
        assert_eq!(phone.protection(true), full);
        let public = of(&[("d:x:t", "id", Sensitivity::PUBLIC)]);
        assert_eq!(public.protection(true), Sensitivity::PUBLIC);
    }

    #[test]
    fn of_several_values_the_strictest_counts_and_each_source_that_asks_more_is_named() {
        let confidential = Sensitivity { level: Level::Confidential, mask: None, comparable: false };
        let both = of(&[
            ("d:x:a", "name", display(1, false)),
            ("d:x:b", "mail", confidential.clone()),
            ("d:x:c", "id", Sensitivity::PUBLIC),
        ]);
        assert_eq!(both.protection(true), confidential);
        let named = |protection: &Sensitivity| both.below(protection, true).into_iter().collect::<Vec<_>>();
        assert_eq!(named(&confidential), Vec::<String>::new());
        assert_eq!(named(&protection_of(&display(0, false), true)), ["d:x:b"]);
        assert_eq!(named(&Sensitivity::PUBLIC), ["d:x:a", "d:x:b"]);
        assert_eq!(both.protected_values(), "name of d:x:a, mail of d:x:b");
    }

    #[test]
    fn a_value_that_is_raised_or_new_asks_more() {
        let at = |level| of(&[("d:x:t", "name", Sensitivity { level, mask: None, comparable: false })]);
        assert!(at(Level::Confidential).asks_more_than(&at(Level::Display)));
        assert!(!at(Level::Display).asks_more_than(&at(Level::Display)));
        assert!(!at(Level::Public).asks_more_than(&at(Level::Display)));
        assert!(at(Level::Public).asks_more_than(&of(&[("d:x:t", "other", Sensitivity::PUBLIC)])));
    }
}
