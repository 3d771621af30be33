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

/// The most warnings that a message repeats; all stand in `status.warnings`.
const MOST_WARNINGS: usize = 3;

/// A message with what is worth knowing and stops nothing, where nothing else is in the way.
pub(super) fn with_warnings(reason: Reason, message: &str, warnings: &[String]) -> String {
    let shown = warnings.iter().take(MOST_WARNINGS).filter(|_| reason.is_ready());
    let more = warnings.len().saturating_sub(MOST_WARNINGS);
    let more = (more > 0 && reason.is_ready()).then(|| format!("{more} more in status.warnings."));
    std::iter::once(message.to_owned()).chain(shown.cloned()).chain(more).collect::<Vec<_>>().join("\n")
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
    for state in states.iter_mut().filter(|state| state.reason.is_transient()) {
        // A server's text names amounts and identifiers: a status written for each would have its object looked at again
        // at once, and so without end.
        let same = previous.iter().find(|condition| {
            condition.type_ == state.kind
                && condition.reason == state.reason.as_str()
                && condition.observed_generation == generation
                && equal_but_for_numbers(&condition.message, &state.message)
        });
        if let Some(same) = same {
            state.message.clone_from(&same.message);
        }
    }
    condition::merge(previous, &states, generation, now)
}

fn equal_but_for_numbers(a: &str, b: &str) -> bool {
    let words =
        |text: &str| text.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty()).collect::<String>();
    words(a) == words(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_that_differs_in_numbers_alone_is_no_other_one() {
        let failed = |message: &str, generation: i64, previous: &[Condition]| {
            let states = readiness(Reason::WarehouseUnavailable, message);
            conditions(previous, states, Some(generation), Timestamp::UNIX_EPOCH)
        };
        let first = failed("Memory limit exceeded: would use 7.46 GiB", 1, &[]);
        assert_eq!(failed("Memory limit exceeded: would use 12.1 GiB", 1, &first), first);
        let second = failed("Memory limit exceeded: would use 12.1 GiB", 2, &first);
        assert!(second[0].message.contains("12.1"), "{second:?}");
        assert!(failed("the account is refused", 1, &first)[0].message.contains("account"));
    }
}
