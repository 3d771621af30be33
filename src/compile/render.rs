//! A checked definition as the body of its view. Cannot fail, and gives the same bytes for the same input (design 4.9;
//! reference view, part 1).

use std::borrow::Cow;

use super::columns::Output;
use super::read::SourceRead;
use super::reference::{Condition, Resolved};
use super::scope::ScopeValues;
use crate::api::definition::JoinKind;
use crate::sql::{ColumnType, Identifier, Sql};

/// Settings that change what the body means; pinned so that no reader's profile does (reference view, rule 5).
const PINS: &str = "use_variant_as_common_type = 0, print_pretty_type_names = 0, enable_named_columns_in_function_tuple = 0, \
cast_keep_nullable = 0, transform_null_in = 0, final = 0, do_not_merge_across_partitions_select_final = 0, \
apply_deleted_mask = 1, optimize_move_to_prewhere_if_final = 0";

/// The same where shards are asked: a shard that is away is an error, never an answer without its rows; rows are merged over
/// all shards, and joined here, where they meet (ClickHouse facts 13).
const PINS_OF_SHARDS: &str = ", skip_unavailable_shards = 0, distributed_group_by_no_merge = 0, \
distributed_product_mode = 'deny', allow_nondeterministic_optimize_skip_unused_shards = 0";

/// The names and types of the view's columns, in order.
pub(super) fn view_columns(
    resolved: &Resolved<'_>,
    scope: ScopeValues,
    outputs: &[Output],
) -> Vec<(String, ColumnType)> {
    let root = &resolved.reads[0];
    let hidden =
        scope.columns().into_iter().filter_map(|(name, value)| Some((name.to_owned(), root.outer_type(value?))));
    hidden.chain(outputs.iter().map(|output| (output.record.name.clone(), output.column_type.clone()))).collect()
}

/// The body of the view.
pub(super) fn body(resolved: &Resolved<'_>, scope: ScopeValues, outputs: &[Output], filters: &[Condition]) -> Sql {
    let root = &resolved.reads[0];
    let hidden = scope.columns().into_iter().filter_map(|(name, value)| Some((Cow::Owned(root.outer(value?)), name)));
    let shown = outputs.iter().map(|output| (Cow::Borrowed(output.expression.as_str()), output.record.name.as_str()));
    let (owner, space) = (root.declaration.owner.as_ref(), root.declaration.space.as_ref());
    let subject = root.render(owner.map(|owner| owner.column.as_str()), space.map(|space| space.column.as_str()));
    let mut text = String::with_capacity(4096);
    for (index, (expression, name)) in hidden.chain(shown).enumerate() {
        text.extend([if index == 0 { "SELECT " } else { ", " }, &expression, " AS "]);
        Identifier::new(name).push_to(&mut text);
    }
    text.extend([" FROM ", &subject]);
    let outer = |reference: usize| resolved.outer(reference);
    for join in &resolved.joins {
        let read = &resolved.reads[join.read];
        // The strictness is written out: a profile's `join_default_strictness` would cut rows silently.
        let kind = match join.kind {
            JoinKind::Inner => "ALL INNER JOIN",
            JoinKind::Left => "ALL LEFT JOIN",
        };
        let tenant =
            join.tenant.map(|(root_value, value)| format!("{} = {}", root.outer(root_value), read.outer(value)));
        let keys = join.keys.iter();
        let keys = keys.map(|key| format!("{} = {}", key.left.typed.render(&outer), key.right.typed.render(&outer)));
        let on = tenant.into_iter().chain(keys).collect::<Vec<_>>().join(" AND ");
        text.extend([" ", kind, " ", &read.render(None, None), " ON ", &on]);
    }
    if !filters.is_empty() {
        let conditions = filters.iter().map(|it| it.filter.typed.render(&outer)).collect::<Vec<_>>().join(") AND (");
        text.extend([" WHERE (", &conditions, ")"]);
    }
    let joins = if resolved.joins.is_empty() { "" } else { "join_use_nulls = 1, " };
    let shards = if resolved.reads.iter().any(SourceRead::asks_shards) { PINS_OF_SHARDS } else { "" };
    text.extend([" SETTINGS ", joins, PINS, shards]);
    Sql::rendered(text)
}
