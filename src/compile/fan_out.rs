//! Whether a row of the subject can appear several times, because a join meets several rows of its right side (design 4.5).

use std::collections::BTreeSet;

use super::diagnostic::{Code, Diagnostic};
use super::expression::{CompareOperator, Expression, ExpressionKind};
use super::join::{ResolvedJoin, plain_column};
use super::reference::{Condition, Resolved};
use crate::api::definition::Definition;
use crate::sql::ColumnType;

/// Tells of each join whose right side is not known to have one row at most for a row of the left, and whose author did
/// not say either. A measure would count the rows of the left side several times (pitfalls B1), so that it is an error
/// where there are measures.
pub(super) fn check(
    resolved: &mut Resolved<'_>,
    definition: &Definition,
    filters: &[Condition],
    found: &mut Vec<Diagnostic>,
) {
    let fixed: Vec<(usize, String)> = filters.iter().filter_map(|condition| fixed(resolved, &condition.tree)).collect();
    for join in &resolved.joins {
        let read = &resolved.reads[join.read];
        let stated = definition.joins.iter().enumerate().find(|(_, stated)| stated.alias == read.alias);
        let Some((index, stated)) = stated.filter(|(_, stated)| stated.cardinality.is_none()) else { continue };
        if read.unique_by(&compared(resolved, join, &fixed)) {
            continue;
        }
        let mut message =
            format!("The key of `{}` is not known to be unique, so a row may appear several times.", stated.alias);
        let code = match definition.measures.is_empty() {
            true => Code::JoinMayFanOut,
            false => {
                message.push_str(" Measures would count it as often.");
                Code::JoinFansOut
            }
        };
        found.push(
            Diagnostic::new(code, format!("spec.definition.joins[{index}].on"), message)
                .help("State `cardinality: One` if it is unique, or `cardinality: Many` if that is meant."),
        );
    }
}

/// The columns of a join's right side that have one value for a row of the left: those that a key or the tenant compares,
/// and those that a filter fixes.
fn compared(resolved: &Resolved<'_>, join: &ResolvedJoin, fixed: &[(usize, String)]) -> BTreeSet<String> {
    let keys = join.keys.iter().filter_map(|key| plain_column(resolved, &key.right.typed));
    let of_read = keys.chain(fixed.iter().cloned()).filter(|(read, _)| *read == join.read);
    let tenant = resolved.reads[join.read].declaration.tenant.as_ref().and_then(|tenant| tenant.column.clone());
    of_read.map(|(_, column)| column).chain(tenant).collect()
}

/// The whole column that a condition holds to one value: `c.kind = 'home'`.
fn fixed(resolved: &mut Resolved<'_>, tree: &Expression) -> Option<(usize, String)> {
    let ExpressionKind::Compare(CompareOperator::Equal, left, right) = &tree.kind else { return None };
    let segments = match (&left.kind, &right.kind) {
        (ExpressionKind::Reference(segments), constant) | (constant, ExpressionKind::Reference(segments))
            if is_constant(constant) =>
        {
            segments
        }
        _ => return None,
    };
    // The condition was checked, so that the value is there already.
    let reference = resolved.reference(segments, "").ok()?;
    let (read, value) = resolved.target(reference);
    let (column, path) = &read.value(value).name;
    // 0 equals -0, which is another key.
    let exact = !matches!(read.outer_type(value).inner(), ColumnType::Float(_));
    (path.is_empty() && exact).then(|| (read.index, column.clone()))
}

fn is_constant(kind: &ExpressionKind) -> bool {
    matches!(kind, ExpressionKind::Text(_) | ExpressionKind::Number(_) | ExpressionKind::Boolean(_))
}
