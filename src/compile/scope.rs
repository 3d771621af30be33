//! Whose a row is: the tenant, owner and space of the subject's rows, in the view and in the record (design 4.2).

use super::diagnostic::{Code, Diagnostic};
use super::read::SourceRead;
use super::reference::Resolved;
use crate::api::definition::{Definition, Demand};
use crate::api::record::{OWNER_COLUMN, RecordScope, RecordScopeColumn, SPACE_COLUMN, TENANT_COLUMN};

/// The scope values of the subject.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScopeValues {
    pub tenant: Option<usize>,
    pub owner: Option<usize>,
    pub space: Option<usize>,
}

impl ScopeValues {
    /// The hidden columns of the view and what they hold.
    pub(super) fn columns(self) -> [(&'static str, Option<usize>); 3] {
        [(TENANT_COLUMN, self.tenant), (OWNER_COLUMN, self.owner), (SPACE_COLUMN, self.space)]
    }

    /// The names of the parts that rows have.
    pub(super) fn parts(self) -> impl Iterator<Item = &'static str> {
        let parts = [("tenant", self.tenant), ("owner", self.owner), ("space", self.space)];
        parts.into_iter().filter(|(_, value)| value.is_some()).map(|(name, _)| name)
    }
}

/// Adds the scope of the subject to its read.
pub(super) fn values(resolved: &mut Resolved<'_>, definition: &Definition, found: &mut Vec<Diagnostic>) -> ScopeValues {
    let path = "spec.definition.subject";
    let mut scope = ScopeValues { tenant: resolved.root_tenant, ..Default::default() };
    let declaration = resolved.reads[0].declaration;
    for (limit, value) in [(&declaration.owner, &mut scope.owner), (&declaration.space, &mut scope.space)] {
        let Some(limit) = limit else { continue };
        check_shown(&resolved.reads[0], &limit.column, path, found);
        match resolved.reads[0].add_limit(&limit.column, path) {
            Ok(index) => *value = Some(index),
            Err(diagnostic) => found.push(diagnostic),
        }
    }
    check_demands(definition, scope, found);
    scope
}

/// The view carries owner and space as they are, so that the query server can compare them once more; a value that no
/// query may see raw cannot be one of them. (The tenant is the one that the caller has stated.)
fn check_shown(read: &SourceRead<'_>, column: &str, path: &str, found: &mut Vec<Diagnostic>) {
    let protection = read.declaration.protection(column);
    if protection.is_protected() && !protection.comparable {
        let message = format!("`{column}` of `{}` is protected, and the view would hold it as it is.", read.source_id);
        found.push(
            Diagnostic::new(Code::ProtectedValue, path, message).help(
                "An owner or a space is compared with what the caller states: its source declares it Public, or Display and comparable.",
            ),
        );
    }
}

/// A part of the scope can be demanded of callers only where rows have it.
fn check_demands(definition: &Definition, scope: ScopeValues, found: &mut Vec<Diagnostic>) {
    let demands = definition.scope.unwrap_or_default();
    for (name, demand, value) in [("owner", demands.owner, scope.owner), ("space", demands.space, scope.space)] {
        if demand == Demand::Required && value.is_none() {
            let (path, message) =
                (format!("spec.definition.scope.{name}"), format!("The subject's rows have no {name}."));
            found.push(
                Diagnostic::new(Code::InvalidScopeColumn, path, message)
                    .help(format!("Leave the demand out, or let the subject's source state `{name}`.")),
            );
        }
    }
}

/// The scope as the record says it.
pub(super) fn record(resolved: &Resolved<'_>, scope: ScopeValues, definition: &Definition) -> RecordScope {
    let demands = definition.scope.unwrap_or_default();
    let column = |value: Option<usize>, demand: Demand| {
        value.map(|value| RecordScopeColumn { column_type: resolved.reads[0].outer_type(value).to_string(), demand })
    };
    RecordScope {
        tenant: column(scope.tenant, Demand::Required),
        owner: column(scope.owner, demands.owner),
        space: column(scope.space, demands.space),
    }
}
