//! What a version lets readers see, and whether another one shows more (design 1 "Words", 5.3).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::api::definition::JoinKind;
use crate::api::pending::Difference;
use crate::api::sensitivity::Sensitivity;

/// What a version lets readers see.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exposure {
    /// The source whose rows carry the scope.
    pub subject: String,
    /// The parts of the scope that rows have: `tenant`, `owner`, `space`.
    pub scope: BTreeSet<String>,
    /// The columns by name.
    pub columns: BTreeMap<String, ColumnExposure>,
    /// The conditions that every row meets.
    pub filters: BTreeSet<String>,
    /// The joined sources.
    pub joins: Vec<JoinExposure>,
}

/// What a column shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnExposure {
    /// Its type.
    #[serde(rename = "type")]
    pub column_type: String,
    /// The source values that it is computed from.
    pub lineage: BTreeSet<String>,
    /// How it is protected.
    pub protection: Sensitivity,
    /// Whether that is less than its sources ask.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub looser: bool,
}

/// A joined source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JoinExposure {
    /// The source.
    pub source_id: String,
    /// Inner or Left.
    pub kind: JoinKind,
    /// The parts of its scope that no key compares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaves_out: Vec<String>,
}

impl Exposure {
    /// Why `self` shows more than `approved`, the last version that was approved or needed no approval; empty where it
    /// does not.
    pub fn growth_over(&self, approved: Option<&Self>) -> Vec<String> {
        let mut reasons = Vec::new();
        if !self.scope.contains("tenant") && approved.is_none_or(|approved| approved.scope.contains("tenant")) {
            reasons.push(format!("the subject {} belongs to no tenant, so every tenant reads all rows", self.subject));
        }
        for (name, column) in self.columns.iter().filter(|(_, column)| column.looser) {
            let before = approved.and_then(|approved| approved.columns.get(name));
            let same = before.is_some_and(|before| {
                before.looser
                    && before.lineage == column.lineage
                    && !column.protection.is_looser_than(&before.protection)
            });
            if !same {
                reasons.push(format!("the column {name} is protected less than its sources ask"));
            }
        }
        for join in self.joins.iter().filter(|join| !join.leaves_out.is_empty()) {
            let same = approved.is_some_and(|approved| approved.joins.iter().any(|before| before == join));
            if !same {
                let parts = join.leaves_out.join(" and ");
                reasons.push(format!("the join of {} leaves out its {parts}", join.source_id));
            }
        }
        if let Some(approved) = approved.filter(|_| self.shows_protected_values()) {
            for filter in approved.filters.difference(&self.filters) {
                reasons.push(format!("the filter {filter} is gone, so more rows of protected values are shown"));
            }
            for join in self.widened_joins(approved) {
                reasons.push(format!(
                    "the join of {join} became Left or is gone, so more rows of protected values are shown"
                ));
            }
        }
        reasons
    }

    fn shows_protected_values(&self) -> bool {
        self.columns.values().any(|column| column.protection.is_protected() || column.looser)
    }

    /// Inner joins that cut rows before and do no more: they became Left, or are gone.
    fn widened_joins<'a>(&'a self, approved: &'a Self) -> BTreeSet<&'a str> {
        let cutting = |exposure: &Self, source: &str| {
            exposure.joins.iter().filter(|join| join.kind == JoinKind::Inner && join.source_id == source).count()
        };
        let sources = approved.joins.iter().map(|join| join.source_id.as_str());
        sources.filter(|source| cutting(self, source) < cutting(approved, source)).collect()
    }

    /// What would change for readers against what is served.
    pub fn difference(&self, served: Option<&Self>) -> Difference {
        let empty = Self::default();
        let before = served.unwrap_or(&empty);
        let added = self.columns.keys().filter(|name| !before.columns.contains_key(*name)).cloned().collect();
        let removed = before.columns.keys().filter(|name| !self.columns.contains_key(*name)).cloned().collect();
        let shared =
            || self.columns.iter().filter_map(|(name, column)| before.columns.get(name).map(|old| (name, old, column)));
        Difference {
            columns_added: added,
            columns_removed: removed,
            columns_retyped: shared()
                .filter(|(_, old, new)| old.column_type != new.column_type)
                .map(|(name, old, new)| format!("{name}: {} → {}", old.column_type, new.column_type))
                .collect(),
            protection_lowered: shared()
                .filter(|(_, old, new)| new.protection.is_looser_than(&old.protection))
                .map(|(name, old, new)| format!("{name}: {:?} → {:?}", old.protection.level, new.protection.level))
                .collect(),
            rows_widened: served
                .into_iter()
                .flat_map(|served| {
                    let filters =
                        served.filters.difference(&self.filters).map(|filter| format!("filter removed: {filter}"));
                    let joins = self.widened_joins(served).into_iter();
                    filters.chain(joins.map(|join| format!("join became Left or is gone: {join}")))
                })
                .collect(),
            scope_changed: match served {
                Some(served) if served.scope != self.scope => {
                    let parts = |scope: &BTreeSet<String>| scope.iter().cloned().collect::<Vec<_>>().join(", ");
                    vec![format!("{} → {}", parts(&served.scope), parts(&self.scope))]
                }
                _ => Vec::new(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::sensitivity::Level;

    fn exposure(level: Level, looser: bool, filters: &[&str]) -> Exposure {
        let protection = Sensitivity { level, mask: None, comparable: false };
        let column = ColumnExposure { column_type: "String".into(), protection, looser, ..Default::default() };
        Exposure {
            subject: "d:x:t".into(),
            scope: ["tenant".to_owned()].into(),
            columns: [("name".to_owned(), column)].into(),
            filters: filters.iter().map(|filter| (*filter).to_owned()).collect(),
            joins: Vec::new(),
        }
    }

    #[test]
    fn a_plain_protected_column_asks_nobody_and_a_looser_one_does() {
        assert!(exposure(Level::Display, false, &[]).growth_over(None).is_empty());
        assert_eq!(exposure(Level::Public, true, &[]).growth_over(None).len(), 1);
        let approved = exposure(Level::Public, true, &[]);
        assert!(exposure(Level::Public, true, &[]).growth_over(Some(&approved)).is_empty());
    }

    #[test]
    fn a_removed_filter_grows_only_what_is_protected() {
        let approved = exposure(Level::Display, false, &["a = 1"]);
        assert_eq!(exposure(Level::Display, false, &[]).growth_over(Some(&approved)).len(), 1);
        assert!(
            exposure(Level::Public, false, &[])
                .growth_over(Some(&exposure(Level::Public, false, &["a = 1"])))
                .is_empty()
        );
    }

    #[test]
    fn an_inner_join_that_is_gone_widens_as_one_that_became_left() {
        let with = |kinds: &[JoinKind]| {
            let join =
                |kind: &JoinKind| JoinExposure { source_id: "d:x:u".into(), kind: *kind, leaves_out: Vec::new() };
            Exposure { joins: kinds.iter().map(join).collect(), ..exposure(Level::Display, false, &[]) }
        };
        let approved = with(&[JoinKind::Inner, JoinKind::Left]);
        for wider in [&[JoinKind::Left, JoinKind::Left][..], &[JoinKind::Left], &[]] {
            assert_eq!(with(wider).growth_over(Some(&approved)).len(), 1, "{wider:?}");
        }
        assert!(with(&[JoinKind::Inner]).growth_over(Some(&approved)).is_empty());
        assert!(with(&[JoinKind::Inner, JoinKind::Left]).growth_over(Some(&approved)).is_empty());
    }

    #[test]
    fn rows_of_a_subject_without_tenant_are_for_everybody() {
        let mut open = exposure(Level::Public, false, &[]);
        open.scope.clear();
        assert_eq!(open.growth_over(None).len(), 1);
        assert_eq!(open.growth_over(Some(&exposure(Level::Public, false, &[]))).len(), 1);
        assert!(open.growth_over(Some(&open.clone())).is_empty());
    }
}
