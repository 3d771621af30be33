//! Conditions from what was decided (Kubernetes notes 2.1).

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use jiff::Timestamp;

use crate::api::Reason;
use crate::api::condition::{self, ConditionState, PUBLISHED, READY, RECONCILING, STALLED};

/// Ready, and what follows from its reason.
pub(super) fn readiness(reason: Reason, message: &str) -> Vec<ConditionState> {
    let state = |kind, status| ConditionState { kind, status, reason, message: message.to_owned() };
    let mut states = vec![state(READY, reason.is_ready())];
    if !reason.is_ready() {
        states.push(state(if reason.is_transient() { RECONCILING } else { STALLED }, true));
    }
    states
}

/// Published.
pub(super) fn published(reason: Reason, message: &str) -> ConditionState {
    let status = matches!(reason, Reason::Current | Reason::Previous);
    ConditionState { kind: PUBLISHED, status, reason, message: message.to_owned() }
}

/// The next conditions; sorted by type, so that server-side apply and plain equality agree.
pub(super) fn conditions(
    previous: &[Condition],
    mut states: Vec<ConditionState>,
    generation: Option<i64>,
    now: Timestamp,
) -> Vec<Condition> {
    states.sort_by_key(|state| state.kind);
    condition::merge(previous, &states, generation, now)
}
