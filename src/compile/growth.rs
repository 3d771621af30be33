//! Whether a version shows more than an earlier one, in words that an approver reads (design 5.3).
//!
//! Nothing here goes by names that an author chose: a column, a filter and a key are what they compute, a join is the
//! source that it reads. What is equal in normal form shows the same; what is not is taken for more.

use std::collections::BTreeSet;

use super::exposure::{ColumnExposure, Exposure, JoinExposure};
use crate::api::definition::JoinKind;

impl Exposure {
    /// Why `self` shows more than `approved`, the last version that was approved or needed no approval; empty where it
    /// does not.
    pub fn growth_over(&self, approved: Option<&Self>) -> Vec<String> {
        let mut reasons = Vec::new();
        reasons.extend(self.belongs_to_everybody(approved));
        reasons.extend(self.columns.iter().filter_map(|(name, column)| shows_more(name, column, approved)));
        for (form, filter) in self.filters.iter().filter(|(_, filter)| filter.lineage.is_protected()) {
            if approved.is_none_or(|approved| !approved.filters.contains_key(form)) {
                reasons.push(format!(
                    "the filter `{}` reads the protected {}",
                    filter.text,
                    filter.lineage.protected_values()
                ));
            }
        }
        for join in &self.joins {
            let before = approved.and_then(|approved| approved.join_like(join));
            for (form, key) in join.keys.iter().filter(|(_, key)| key.lineage.is_protected()) {
                if before.is_none_or(|before| !before.keys.contains_key(form)) {
                    reasons.push(format!(
                        "the join of {} compares the protected {}",
                        join.source_id,
                        key.lineage.protected_values()
                    ));
                }
            }
            let left_out_before = before
                .is_some_and(|before| join.leaves_out.is_subset(&before.leaves_out) && compares_no_less(join, before));
            if !join.leaves_out.is_empty() && !left_out_before {
                let parts = join.leaves_out.iter().cloned().collect::<Vec<_>>().join(" and ");
                reasons.push(format!("the join of {} leaves out its {parts}", join.source_id));
            }
        }
        if let Some(approved) = approved.filter(|_| self.touches_protected_values()) {
            let widening = self.widening(approved).into_iter();
            reasons
                .extend(widening.map(|what| format!("{what}, so more rows of protected values are shown or compared")));
        }
        reasons
    }

    /// What lets rows through that `before` did not, in words.
    pub(super) fn widening(&self, before: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if self.subject != before.subject {
            found.push(format!("the rows are those of {} instead of {}", self.subject, before.subject));
        }
        for part in before.scope.difference(&self.scope) {
            found.push(format!("the rows are no longer held to their {part}"));
        }
        let gone = before.filters.iter().filter(|(form, _)| !self.filters.contains_key(*form));
        found.extend(gone.map(|(_, filter)| format!("the filter `{}` is gone", filter.text)));
        for join in &before.joins {
            let source = &join.source_id;
            match self.join_like(join) {
                // A Left join took no row away.
                None if join.kind == JoinKind::Left => {}
                None => found.push(format!("the join of {source} is gone")),
                Some(now) if now.kind == JoinKind::Left && join.kind == JoinKind::Inner => {
                    found.push(format!("the join of {source} became Left"));
                }
                Some(now) if !compares_no_less(now, join) => {
                    found.push(format!("the join of {source} compares something else"));
                }
                Some(_) => {}
            }
        }
        found
    }

    /// The join of the same source, the first, second … of its joins as here.
    fn join_like(&self, join: &JoinExposure) -> Option<&JoinExposure> {
        self.joins.iter().find(|other| other.source_id == join.source_id && other.occurrence == join.occurrence)
    }

    fn belongs_to_everybody(&self, approved: Option<&Self>) -> Option<String> {
        let open = |exposure: &Self| !exposure.scope.contains("tenant");
        let before = approved.is_some_and(|approved| open(approved) && approved.subject == self.subject);
        (open(self) && !before)
            .then(|| format!("the subject {} belongs to no tenant, so every tenant reads all rows", self.subject))
    }

    fn touches_protected_values(&self) -> bool {
        let shown = |column: &ColumnExposure| column.protection.is_protected() || column.lineage.is_protected();
        let keys = self.joins.iter().flat_map(|join| join.keys.values());
        self.columns.values().any(shown) || self.filters.values().chain(keys).any(|it| it.lineage.is_protected())
    }
}

/// Whether a join meets no row of its source that the other does not, and leaves no row of the others unmatched that the
/// other matches. A further key takes rows of an Inner join away; of a Left join it also makes values null, and a filter
/// like `x != 'a'` holds for null.
fn compares_no_less(join: &JoinExposure, before: &JoinExposure) -> bool {
    let forms = |join: &JoinExposure| join.keys.keys().cloned().collect::<BTreeSet<_>>();
    match join.kind {
        JoinKind::Inner => forms(before).is_subset(&forms(join)),
        JoinKind::Left => forms(before) == forms(join),
    }
}

/// Why a column shows more than all of the approved columns do.
fn shows_more(name: &str, column: &ColumnExposure, approved: Option<&Exposure>) -> Option<String> {
    let columns = || approved.into_iter().flat_map(|approved| approved.columns.values());
    let mut same = columns().filter(|before| before.value == column.value && before.computed >= column.computed);
    if !column.below.is_empty() {
        // The approval was of a value that its source protected no less than it does now.
        let approved = same.any(|before| {
            column.below.is_subset(&before.below)
                && !column.protection.is_looser_than(&before.protection)
                && !column.lineage.asks_more_than(&before.lineage)
        });
        let asked = column.lineage.protection(column.computed);
        let values = column.lineage.protected_values();
        return (!approved)
            .then(|| format!("the column {name} shows {values} as {}, not as {asked}", column.protection));
    }
    (column.computed && column.lineage.is_protected() && same.next().is_none())
        .then(|| format!("the column {name} is computed from the protected {}", column.lineage.protected_values()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::sensitivity::{Level, Mask, Sensitivity};
    use crate::compile::ConditionExposure;
    use crate::compile::lineage::{Lineage, protection_of};

    const SUBJECT: &str = "d:x:orders";
    const OTHER: &str = "d:x:people";

    fn at(level: Level) -> Sensitivity {
        Sensitivity { level, mask: None, comparable: false }
    }

    fn lineage(source: &str, value: &str, level: Level) -> Lineage {
        let mut lineage = Lineage::default();
        lineage.add(source, value, &at(level));
        lineage
    }

    /// A column over one value, with the protection that follows or its own.
    fn column(value: &str, level: Level, computed: bool, own: Option<Sensitivity>) -> ColumnExposure {
        let lineage = lineage(OTHER, value, level);
        let protection = own.unwrap_or_else(|| protection_of(&at(level), computed));
        ColumnExposure {
            column_type: "String".into(),
            value: if computed { format!("upper({value})") } else { value.to_owned() },
            computed,
            below: lineage.below(&protection, computed),
            lineage,
            protection,
        }
    }

    fn condition(value: &str, level: Level) -> (String, ConditionExposure) {
        let exposure = ConditionExposure { text: format!("p.{value} = 1"), lineage: lineage(OTHER, value, level) };
        (format!("people.{value} = 1"), exposure)
    }

    fn join(kind: JoinKind, keys: &[&str], leaves_out: &[&str]) -> JoinExposure {
        JoinExposure {
            source_id: OTHER.into(),
            occurrence: 1,
            kind,
            keys: keys.iter().map(|value| condition(value, Level::Public)).collect(),
            leaves_out: leaves_out.iter().map(|part| (*part).to_owned()).collect(),
        }
    }

    /// Shows one plain column of a level.
    fn showing(level: Level) -> Exposure {
        Exposure {
            subject: SUBJECT.into(),
            scope: ["tenant", "owner"].map(str::to_owned).into(),
            columns: [("name".to_owned(), column("name", level, false, None))].into(),
            filters: Default::default(),
            joins: vec![join(JoinKind::Inner, &["id"], &[])],
            untraced: Default::default(),
        }
    }

    fn with(base: &Exposure, change: impl FnOnce(&mut Exposure)) -> Exposure {
        let mut changed = base.clone();
        change(&mut changed);
        changed
    }

    /// `wider` grows over `base` for this reason, and `base` does not grow over it.
    #[track_caller]
    fn grows(wider: &Exposure, base: &Exposure, reason: &str) {
        let found = wider.growth_over(Some(base));
        assert!(found.len() == 1 && found[0].contains(reason), "{found:?}");
        assert_eq!(base.growth_over(Some(wider)), Vec::<String>::new(), "the way back");
        assert_eq!(wider.growth_over(Some(wider)), Vec::<String>::new());
    }

    #[track_caller]
    fn same(a: &Exposure, b: &Exposure) {
        assert_eq!((a.growth_over(Some(b)), b.growth_over(Some(a))), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_plain_value_asks_nobody_however_protected() {
        for level in [Level::Public, Level::Display, Level::Confidential] {
            assert!(showing(level).growth_over(None).is_empty());
            assert!(showing(level).growth_over(Some(&showing(Level::Public))).is_empty());
        }
        let more = with(&showing(Level::Display), |it| {
            it.columns.insert("mail".into(), column("mail", Level::Confidential, false, None));
        });
        same(&more, &showing(Level::Display));
    }

    #[test]
    fn a_column_below_the_level_of_its_source_asks() {
        let base = showing(Level::Display);
        let set = |own: Sensitivity, value: &str, level| {
            let column = column(value, level, false, Some(own));
            with(&base, |it| drop(it.columns.insert("name".into(), column)))
        };
        let public = set(at(Level::Public), "name", Level::Display);
        grows(&public, &base, "the column name shows name of d:x:people as Public, not as Display");
        assert_eq!(public.columns["name"].below, [OTHER.to_owned()].into());
        assert_eq!(public.growth_over(None).len(), 1);
        let kept = Sensitivity { mask: Some(Mask { keep_prefix: 1, keep_suffix: 0 }), ..at(Level::Display) };
        grows(&set(kept.clone(), "name", Level::Display), &base, "keeping 1 at the start");
        grows(
            &set(Sensitivity { comparable: true, ..at(Level::Display) }, "name", Level::Display),
            &base,
            "comparable",
        );
        assert!(set(kept, "name", Level::Display).growth_over(Some(&public)).is_empty(), "less than was approved");
        same(&set(at(Level::Confidential), "name", Level::Display), &base);
        // The name is the same, and what it shows is not.
        assert_eq!(set(at(Level::Public), "mail", Level::Display).growth_over(Some(&public)).len(), 1);
        let renamed = with(&public, |it| {
            let column = it.columns.remove("name").expect("there");
            it.columns.insert("called".into(), column);
        });
        same(&renamed, &public);
    }

    #[test]
    fn an_approval_to_go_below_a_level_is_none_for_a_higher_one() {
        let shown = |level| {
            let public = column("name", level, false, Some(at(Level::Public)));
            with(&showing(level), |it| drop(it.columns.insert("name".into(), public)))
        };
        grows(&shown(Level::Confidential), &shown(Level::Display), "not as Confidential");
        // Once the source itself is public, nothing is below it.
        same(&shown(Level::Public), &showing(Level::Public));
    }

    #[test]
    fn an_expression_over_a_protected_value_asks_once() {
        let base = showing(Level::Display);
        let computing = |name: &str, value: &str, level| {
            with(&base, |it| drop(it.columns.insert(name.into(), column(value, level, true, None))))
        };
        grows(&computing("loud", "name", Level::Display), &base, "the column loud is computed from the protected name");
        same(&computing("loud", "region", Level::Public), &base);
        same(&computing("loud", "name", Level::Display), &computing("louder", "name", Level::Display));
        // It read the value before, which was public then.
        same(&computing("loud", "region", Level::Display), &computing("loud", "region", Level::Public));
        let other =
            computing("loud", "mail", Level::Display).growth_over(Some(&computing("loud", "name", Level::Display)));
        assert_eq!(other.len(), 1, "under the same name: {other:?}");
        // An expression that is a reference alone was no expression before.
        let plain = with(&base, |it| it.columns.get_mut("name").expect("there").computed = true);
        assert_eq!(plain.growth_over(Some(&base)).len(), 1);
    }

    #[test]
    fn a_filter_over_a_protected_value_asks_once() {
        let base = showing(Level::Public);
        let filtering = |value: &str, level| with(&base, |it| it.filters.extend([condition(value, level)]));
        grows(&filtering("mail", Level::Confidential), &base, "the filter `p.mail = 1` reads the protected mail");
        same(&filtering("region", Level::Public), &base);
        same(&filtering("region", Level::Display), &filtering("region", Level::Public));
        let reworded = with(&filtering("mail", Level::Display), |it| {
            it.filters.values_mut().for_each(|filter| filter.text = "other.mail = 1".into());
        });
        same(&reworded, &filtering("mail", Level::Display));
    }

    #[test]
    fn a_join_key_over_a_protected_value_asks_once() {
        let base = showing(Level::Public);
        let keyed = |level| with(&base, |it| it.joins[0].keys.extend([condition("mail", level)]));
        grows(&keyed(Level::Confidential), &base, "the join of d:x:people compares the protected mail");
        same(&keyed(Level::Display), &keyed(Level::Public));
        assert_eq!(keyed(Level::Display).growth_over(None).len(), 1);
    }

    #[test]
    fn a_filter_that_is_gone_or_another_widens_what_is_protected() {
        for (level, reasons) in [(Level::Public, 0), (Level::Display, 1)] {
            let open = showing(level);
            let cut = with(&open, |it| it.filters.extend([condition("region", Level::Public)]));
            let weaker = with(&open, |it| it.filters.extend([("a OR b".into(), ConditionExposure::default())]));
            assert_eq!(open.growth_over(Some(&cut)).len(), reasons);
            assert_eq!(weaker.growth_over(Some(&cut)).len(), reasons);
            assert!(cut.growth_over(Some(&open)).is_empty());
        }
        // Nothing protected is shown, and a filter still compares it.
        let compared = with(&showing(Level::Public), |it| it.filters.extend([condition("mail", Level::Display)]));
        let cut = with(&compared, |it| it.filters.extend([condition("region", Level::Public)]));
        grows(&compared, &cut, "so more rows of protected values are shown or compared");
    }

    #[test]
    fn a_join_that_cuts_no_more_widens_what_is_protected() {
        use JoinKind::{Inner, Left};
        let base = showing(Level::Display);
        let joined = |joins: &[JoinExposure]| with(&base, |it| it.joins = joins.to_vec());
        grows(&joined(&[join(Left, &["id"], &[])]), &base, "became Left");
        grows(&joined(&[]), &base, "the join of d:x:people is gone");
        let strict = joined(&[join(Inner, &["id", "kind"], &[])]);
        grows(&base, &strict, "compares something else");
        assert_eq!(joined(&[join(Inner, &["kind"], &[])]).growth_over(Some(&base)).len(), 1);
        same(&joined(&[]), &joined(&[join(Left, &["id"], &[])]));
        // Of a Left join, more nulls can let more rows through `x != 'a'`.
        let (one, two) = (joined(&[join(Left, &["id"], &[])]), joined(&[join(Left, &["id", "kind"], &[])]));
        assert_eq!((one.growth_over(Some(&two)).len(), two.growth_over(Some(&one)).len()), (1, 1));
        let second = JoinExposure { occurrence: 2, ..join(Inner, &["id"], &[]) };
        grows(&base, &joined(&[base.joins[0].clone(), second]), "is gone");
        let public = with(&showing(Level::Public), |it| it.joins.clear());
        same(&public, &showing(Level::Public));
    }

    #[test]
    fn a_join_that_leaves_out_owner_or_space_asks_for_each_and_for_its_keys() {
        let base = showing(Level::Public);
        let leaving =
            |keys: &[&str], parts: &[&str]| with(&base, |it| it.joins = vec![join(JoinKind::Inner, keys, parts)]);
        grows(&leaving(&["id"], &["owner"]), &base, "leaves out its owner");
        grows(&leaving(&["id"], &["owner", "space"]), &leaving(&["id"], &["owner"]), "leaves out its owner and space");
        grows(&leaving(&["id"], &["owner"]), &leaving(&["id", "kind"], &["owner"]), "leaves out its owner");
        assert_eq!(leaving(&["kind"], &["owner"]).growth_over(Some(&leaving(&["id"], &["owner"]))).len(), 1);
        assert_eq!(leaving(&["id"], &["owner"]).growth_over(None).len(), 1);
    }

    #[test]
    fn rows_of_a_subject_without_tenant_are_for_everybody() {
        let base = showing(Level::Public);
        let open = with(&base, |it| it.scope.clear());
        grows(&open, &base, "every tenant reads all rows");
        assert_eq!(open.growth_over(None).len(), 1);
        let other = with(&open, |it| it.subject = "d:x:regions".into());
        assert_eq!(other.growth_over(Some(&open)).len(), 1, "another table is open now");
    }

    #[test]
    fn rows_of_another_subject_or_of_every_owner_are_more_of_what_is_protected() {
        for (level, reasons) in [(Level::Public, 0), (Level::Display, 1)] {
            let base = showing(level);
            let other = with(&base, |it| it.subject = OTHER.into());
            let unheld = with(&base, |it| it.scope.retain(|part| part != "owner"));
            assert_eq!(other.growth_over(Some(&base)).len(), reasons);
            assert_eq!(unheld.growth_over(Some(&base)).len(), reasons);
            assert!(base.growth_over(Some(&unheld)).is_empty());
        }
    }
}
