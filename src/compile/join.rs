//! How a further source is joined: its keys, and what they leave open (design 4.2, 4.5).

use super::diagnostic::{Code, Diagnostic};
use super::expression::{Expression, ExpressionKind};
use super::parse::{self, ExpressionProblem};
use super::reference::{Resolved, Traced, from_problem};
use super::typing::TypedExpression;
use crate::api::definition::{Join, JoinKind};
use crate::api::source::{AnalyticsSourceSpec, ColumnScope};
use crate::sql::ColumnType;

/// One join of a read to those before it.
pub(super) struct ResolvedJoin {
    /// The read that is joined.
    pub read: usize,
    pub kind: JoinKind,
    /// The tenant values of the root and of the read; none where the read is a platform dimension.
    pub tenant: Option<(usize, usize)>,
    pub keys: Vec<ResolvedKey>,
    /// The parts of the read's scope, owner and space, that no key compares with the subject's.
    pub leaves_out: Vec<&'static str>,
}

/// One equality of a join.
pub(super) struct ResolvedKey {
    /// The author's words.
    pub text: String,
    pub left: Traced<TypedExpression>,
    pub right: Traced<TypedExpression>,
}

/// Resolves the keys of a join; the read is already the last of `resolved.reads`.
pub(super) fn add_join(resolved: &mut Resolved<'_>, joins: &[Join], index: usize, found: &mut Vec<Diagnostic>) {
    let join = &joins[index];
    let read = resolved.reads.len() - 1;
    let path = format!("spec.definition.joins[{index}]");
    let tenant = match (resolved.reads[0].tenant_type(), resolved.reads[read].tenant_type()) {
        (Some(root), Some(joined)) if root != joined => {
            found.push(
                Diagnostic::new(
                    Code::TenantTypesDiffer,
                    &path,
                    format!("The tenant of `{}` has the type `{joined}`, that of the subject `{root}`.", join.alias),
                )
                .help("Tenant columns of joined sources have one type."),
            );
            return;
        }
        (Some(_), Some(_)) => resolved.root_tenant.zip(resolved.reads[read].add_tenant()),
        (None, Some(_)) => {
            found.push(
                Diagnostic::new(
                    Code::InvalidJoin,
                    &path,
                    format!("`{}` belongs to tenants, the subject to none.", join.alias),
                )
                .help("Make the source whose rows belong to tenants the subject."),
            );
            return;
        }
        (_, None) => None,
    };
    let mut keys = Vec::new();
    for (key, pair) in join.keys() {
        let (left, right) = (parse::parse(&pair.left), parse::parse(&pair.right));
        if let (Ok(left), Ok(right)) = (&left, &right) {
            let tenants = |one, other| is_tenant_equality(resolved, read, one, other);
            if tenants(left, right) || tenants(right, left) {
                continue;
            }
        }
        let (left_path, right_path) = (format!("{path}.on[{key}].left"), format!("{path}.on[{key}].right"));
        // The left side speaks of what was joined before, the right side of this read alone.
        let joined = resolved.reads.pop().expect("the read was pushed by the caller");
        let left = side(resolved, left, &left_path, &joins[index..], found);
        resolved.reads.push(joined);
        let right = side(resolved, right, &right_path, &joins[index + 1..], found);
        let (Some(left), Some(right)) = (left, right) else { continue };
        check_sides(resolved, read, (&left, &left_path), (&right, &right_path), found);
        keys.push(ResolvedKey { text: format!("{} = {}", pair.left, pair.right), left, right });
    }
    if keys.is_empty() && found.iter().all(|diagnostic| !diagnostic.path.starts_with(&path)) {
        found.push(
            Diagnostic::new(
                Code::InvalidJoin,
                format!("{path}.on"),
                match tenant {
                    Some(_) => format!("The join of `{}` names no key but the tenant.", join.alias),
                    None => format!("The join of `{}` names no key.", join.alias),
                },
            )
            .help("State at least one pair of values that the two sides have in common."),
        );
    }
    let declaration = resolved.reads[read].declaration;
    let leaves_out = SCOPES
        .into_iter()
        .filter(|(name, scope)| scope(declaration).is_some() && !holds_scope(resolved, &keys, read, name, *scope))
        .map(|(name, _)| name)
        .collect();
    resolved.reads[read].optional = join.kind == JoinKind::Left;
    resolved.joins.push(ResolvedJoin { read, kind: join.kind, tenant, keys, leaves_out });
}

/// The parts of a scope that a join may leave out, and where a declaration states them.
const SCOPES: [(&str, ScopeOf); 2] =
    [("owner", |declaration| declaration.owner.as_ref()), ("space", |declaration| declaration.space.as_ref())];

type ScopeOf = fn(&AnalyticsSourceSpec) -> Option<&ColumnScope>;

/// Whether a key compares this part of the read's scope with the subject's, or with that of a source that is held to
/// the subject's itself. Any other equality would not hold the read's rows to the caller's owner or space.
fn holds_scope(resolved: &Resolved<'_>, keys: &[ResolvedKey], read: usize, name: &str, scope: ScopeOf) -> bool {
    let is_scope = |(source, column): (usize, String)| {
        let stated = scope(resolved.reads[source].declaration);
        stated.is_some_and(|stated| stated.column == column).then_some(source)
    };
    keys.iter().any(|key| {
        let left = plain_column(resolved, &key.left.typed).and_then(is_scope);
        let right = plain_column(resolved, &key.right.typed).and_then(is_scope);
        let held = |source: usize| {
            let join = resolved.joins.iter().find(|join| join.read == source);
            join.is_none_or(|join| !join.leaves_out.contains(&name))
        };
        left.is_some_and(held) && right == Some(read)
    })
}

/// The read and the whole column that an expression is, if it is one and nothing else.
pub(super) fn plain_column(resolved: &Resolved<'_>, side: &TypedExpression) -> Option<(usize, String)> {
    let (source, value) = resolved.target(side.as_plain_reference()?);
    let (column, path) = &source.value(value).name;
    path.is_empty().then(|| (source.index, column.clone()))
}

fn side(
    resolved: &mut Resolved<'_>,
    tree: Result<Expression, ExpressionProblem>,
    path: &str,
    later: &[Join],
    found: &mut Vec<Diagnostic>,
) -> Option<Traced<TypedExpression>> {
    let before = found.len();
    let typed = match tree {
        Ok(tree) => resolved.typed(&tree, path, found),
        Err(problem) => {
            found.push(from_problem(problem, path));
            None
        }
    };
    for diagnostic in found[before..].iter_mut().filter(|diagnostic| diagnostic.code == Code::UnknownAlias) {
        let named = later.iter().find(|join| diagnostic.message.contains(&format!("`{}`", join.alias)));
        let Some(named) = named else { continue };
        diagnostic.message = format!("`{}` is not joined yet here.", named.alias);
        diagnostic.help = Some(
            "Sources are joined in order: the left side is a value of those before, the right side of the one joined."
                .to_owned(),
        );
    }
    typed
}

/// Whether a key says no more than that both tenants are equal, which every join says anyway.
fn is_tenant_equality(resolved: &Resolved<'_>, read: usize, left: &Expression, right: &Expression) -> bool {
    let tenant_of = |side: &Expression| {
        let ExpressionKind::Reference(segments) = &side.kind else { return None };
        let (alias, column) = segments.split_first()?;
        let source = resolved.reads.iter().find(|read| read.alias == *alias)?;
        let tenant = source.declaration.tenant.as_ref()?.column.as_deref()?;
        (column.join(".") == tenant).then_some(source.index)
    };
    tenant_of(left).is_some_and(|left| left != read) && tenant_of(right) == Some(read)
}

fn check_sides(
    resolved: &Resolved<'_>,
    read: usize,
    (left, left_path): (&Traced<TypedExpression>, &str),
    (right, right_path): (&Traced<TypedExpression>, &str),
    found: &mut Vec<Diagnostic>,
) {
    if right.names.iter().any(|reference| resolved.target(*reference).0.index != read) {
        found.push(
            Diagnostic::new(Code::InvalidJoin, right_path, "The right side of a join reads another source.".to_owned())
                .help(format!("It is a value of `{}`; write the other side on the left.", resolved.reads[read].alias)),
        );
    }
    if left.names.is_empty() || right.names.is_empty() {
        found.push(
            Diagnostic::new(Code::InvalidJoin, left_path, "A side of a join reads no source.".to_owned())
                .help("To keep rows with a constant value, use a filter."),
        );
    }
    let (left_type, right_type) = (left.typed.column_type.inner(), right.typed.column_type.inner());
    let never_a_key = [(left_type, left_path), (right_type, right_path)];
    if let Some((column_type, path)) = never_a_key.into_iter().find(|(column_type, _)| !comparable(column_type)) {
        let message = format!("Values of `{column_type}` cannot be join keys.");
        let help = match column_type {
            ColumnType::Float(_) => {
                "ClickHouse joins floats by their bytes: `nan` would equal itself, and `-0.0` not `0.0`. Convert both sides \
                 to exact values, such as `toDecimal64(…, 2)` or `toInt64(…)`."
            }
            _ => "A join key is a single value on both sides.",
        };
        found.push(Diagnostic::new(Code::UnsupportedType, path, message).help(help));
    } else if left_type != right_type {
        found.push(
            Diagnostic::new(
                Code::JoinTypesDiffer,
                left_path,
                format!("The left side is `{left_type}`, the right side `{right_type}`."),
            )
            .help(conversion(left_type, right_type)),
        );
    }
}

/// Which call on which side makes both of one type.
fn conversion(left: &ColumnType, right: &ColumnType) -> String {
    // The texts of one instant differ by zone and digits, so that both sides go to one form of an instant.
    match (scale_of_instant(left), scale_of_instant(right)) {
        (Some(left), Some(right)) if left.max(right) <= 6 => {
            return format!("Convert both sides with `toDateTime64(…, {}, 'UTC')`.", left.max(right));
        }
        (Some(_), Some(_)) => return "Give both columns one type in their tables.".to_owned(),
        _ => {}
    }
    match (cast_to(right), cast_to(left)) {
        (Some(call), _) => format!("Convert the left side with `{call}`."),
        (None, Some(call)) => format!("Convert the right side with `{call}`."),
        (None, None) => "Convert both sides to one type, such as `toString(…)`.".to_owned(),
    }
}

/// The digits after the seconds.
fn scale_of_instant(column_type: &ColumnType) -> Option<u8> {
    match column_type {
        ColumnType::DateTime(_) => Some(0),
        ColumnType::DateTime64(scale, _) => Some(*scale),
        _ => None,
    }
}

/// The call that gives exactly this type, as a person would write it.
fn cast_to(target: &ColumnType) -> Option<String> {
    match target {
        ColumnType::String => Some("toString(…)".to_owned()),
        ColumnType::Uuid => Some("toUUID(…)".to_owned()),
        ColumnType::Decimal(18, scale) => Some(format!("toDecimal64(…, {scale})")),
        ColumnType::Decimal(38, scale) => Some(format!("toDecimal128(…, {scale})")),
        ColumnType::Date32 => Some("toDate32(…)".to_owned()),
        ColumnType::Int(8..=64) | ColumnType::UInt(8..=64) => Some(format!("to{target}(…)")),
        _ => None,
    }
}

fn comparable(column_type: &ColumnType) -> bool {
    !matches!(
        column_type,
        ColumnType::Float(_)
            | ColumnType::Array(_)
            | ColumnType::Map(..)
            | ColumnType::Tuple(_)
            | ColumnType::Nested(_)
            | ColumnType::Variant(_)
            | ColumnType::Json(_)
            | ColumnType::AggregateFunction(_)
            | ColumnType::SimpleAggregateFunction(..)
            | ColumnType::Other(_)
    )
}
