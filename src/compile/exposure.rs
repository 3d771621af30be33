//! What a version lets readers see (design 1 "Words"), and how that differs from what is served. Whether it is more, and
//! so needs an approval, is `growth`'s.
//!
//! What is compared stands in normal form: references by the source that they read, so that no alias and no name of a
//! column makes a difference.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::lineage::Lineage;
use crate::api::definition::JoinKind;
use crate::api::pending::Difference;
use crate::api::sensitivity::Sensitivity;
use crate::canonical;

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
    /// The conditions that every row meets, by their normal form.
    #[serde(default)]
    pub filters: BTreeMap<String, ConditionExposure>,
    /// The joined sources, in the order of the joins.
    pub joins: Vec<JoinExposure>,
    /// What of the sources' data could not be traced to a table, so that no declaration of that table could count.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub untraced: BTreeMap<String, Vec<String>>,
}

/// What a column shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnExposure {
    /// Its type.
    #[serde(rename = "type")]
    pub column_type: String,
    /// The value in normal form, before any mask.
    #[serde(default)]
    pub value: String,
    /// Whether an expression computes it; else it is a value as its source has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub computed: bool,
    /// The source values that it is computed from, and the protection in force of each.
    pub lineage: Lineage,
    /// How it is protected.
    pub protection: Sensitivity,
    /// The sources whose values it shows with less protection than they ask: each is asked for an approval.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub below: BTreeSet<String>,
}

/// A filter, or a key of a join.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConditionExposure {
    /// The author's words.
    pub text: String,
    /// The source values that it reads.
    pub lineage: Lineage,
}

/// A joined source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JoinExposure {
    /// The source.
    pub source_id: String,
    /// Which of the reads of that source it is, counted from 1 in the order of the joins.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub occurrence: usize,
    /// Inner or Left.
    pub kind: JoinKind,
    /// The equalities beside that of the tenants, by their normal form.
    #[serde(default)]
    pub keys: BTreeMap<String, ConditionExposure>,
    /// The parts of its scope that no key compares.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub leaves_out: BTreeSet<String>,
}

/// A normal form as it is kept: its hash, where it is long. It is compared and never rendered.
pub(super) fn kept(form: String) -> String {
    const LONGEST: usize = 400;
    if form.len() > LONGEST { canonical::hash(&form) } else { form }
}

fn first() -> usize {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_first(occurrence: &usize) -> bool {
    *occurrence == 1
}

impl Exposure {
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
                .map(|(name, old, new)| format!("{name}: {} → {}", old.protection, new.protection))
                .collect(),
            rows_widened: served.map(|served| self.widening(served)).unwrap_or_default(),
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
