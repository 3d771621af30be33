//! Conditions and the one vocabulary of reasons (Kubernetes notes 2.1).
//!
//! A reason is at once condition reason, event reason and metric label.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;

/// What was wished is so.
pub const READY: &str = "Ready";
/// Some version of the dataset is served.
pub const PUBLISHED: &str = "Published";
/// Work is under way; absent when idle.
pub const RECONCILING: &str = "Reconciling";
/// Nothing will change without somebody; absent when fine.
pub const STALLED: &str = "Stalled";

/// Why a condition is as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The declared definition is served.
    Published,
    /// A source's declaration is in force.
    Approved,
    /// The object asks for no publication (`draft: true`).
    Held,
    /// Retired by `lifecycle: Retired`.
    Retired,
    /// The served version is the one of the current definition.
    Current,
    /// An earlier version is served.
    Previous,
    /// Nothing was ever published.
    NeverPublished,
    /// The served version no longer gives what it gave; queries are answered with 409.
    Unavailable,
    /// A step of the publication is under way or is being retried.
    Publishing,
    /// A source exists but cannot be read yet.
    SourceNotReady,
    /// No source with such an ID that this namespace may use.
    SourceNotFound,
    /// A source that the published version reads is gone.
    SourceWithdrawn,
    /// The configuration has no connection or database of that name.
    NotConfigured,
    /// The table of a source does not exist, or is not visible to the operator's account.
    TableNotFound,
    /// An approver has to decide.
    ApprovalRequired,
    /// The guards of the approval annotations are missing or changed, so no approval counts.
    ApprovalGuardMissing,
    /// An approver refused.
    Refused,
    /// A source changed so that the definition has to be revised.
    NeedsRevision,
    /// The declaration cannot be compiled.
    InvalidDefinition,
    /// Another object has the same ID, or an ID that folds to the same view name.
    NameTaken,
    /// A view of somebody else stands under the version's name.
    ViewNameTaken,
    /// The pinned version cannot be served.
    PinnedVersionUnavailable,
    /// ClickHouse cannot be reached or refuses the operator's account.
    WarehouseUnavailable,
}

impl Reason {
    /// All reasons, in the order of the documentation.
    pub const ALL: [Self; 23] = [
        Self::Published,
        Self::Approved,
        Self::Held,
        Self::Retired,
        Self::Current,
        Self::Previous,
        Self::NeverPublished,
        Self::Unavailable,
        Self::Publishing,
        Self::SourceNotReady,
        Self::SourceNotFound,
        Self::SourceWithdrawn,
        Self::NotConfigured,
        Self::TableNotFound,
        Self::ApprovalRequired,
        Self::ApprovalGuardMissing,
        Self::Refused,
        Self::NeedsRevision,
        Self::InvalidDefinition,
        Self::NameTaken,
        Self::ViewNameTaken,
        Self::PinnedVersionUnavailable,
        Self::WarehouseUnavailable,
    ];

    /// The reason as it stands in conditions, events and metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Published => "Published",
            Self::Approved => "Approved",
            Self::Held => "Held",
            Self::Retired => "Retired",
            Self::Current => "Current",
            Self::Previous => "Previous",
            Self::NeverPublished => "NeverPublished",
            Self::Unavailable => "Unavailable",
            Self::Publishing => "Publishing",
            Self::SourceNotReady => "SourceNotReady",
            Self::SourceNotFound => "SourceNotFound",
            Self::SourceWithdrawn => "SourceWithdrawn",
            Self::NotConfigured => "NotConfigured",
            Self::TableNotFound => "TableNotFound",
            Self::ApprovalRequired => "ApprovalRequired",
            Self::ApprovalGuardMissing => "ApprovalGuardMissing",
            Self::Refused => "Refused",
            Self::NeedsRevision => "NeedsRevision",
            Self::InvalidDefinition => "InvalidDefinition",
            Self::NameTaken => "NameTaken",
            Self::ViewNameTaken => "ViewNameTaken",
            Self::PinnedVersionUnavailable => "PinnedVersionUnavailable",
            Self::WarehouseUnavailable => "WarehouseUnavailable",
        }
    }

    /// Whether the state ends by itself; what does not is `Stalled`.
    pub fn is_transient(self) -> bool {
        matches!(
            self,
            Self::Publishing
                | Self::SourceNotReady
                | Self::SourceNotFound
                | Self::TableNotFound
                | Self::WarehouseUnavailable
        )
    }

    /// Whether `Ready` is true with this reason: reached, or a state that somebody wished.
    pub fn is_ready(self) -> bool {
        matches!(self, Self::Published | Self::Approved | Self::Held | Self::Retired)
    }
}

/// A condition to be set; the transition time is kept or moved by [`merge`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionState {
    /// The condition's type, such as [`READY`].
    pub kind: &'static str,
    /// Whether it is true.
    pub status: bool,
    /// Why.
    pub reason: Reason,
    /// For people; never compared.
    pub message: String,
}

/// The longest message that a condition may carry (Kubernetes API: 32,768).
const MESSAGE_LIMIT: usize = 30_000;

/// The next conditions: `states` in their order, each with the generation; a transition time moves only when the
/// status flips. Conditions that are not in `states` go.
pub fn merge(
    previous: &[Condition],
    states: &[ConditionState],
    generation: Option<i64>,
    now: Timestamp,
) -> Vec<Condition> {
    states
        .iter()
        .map(|state| {
            let status = if state.status { "True" } else { "False" };
            let since = previous
                .iter()
                .find(|condition| condition.type_ == state.kind && condition.status == status)
                .map_or(Time(now), |condition| condition.last_transition_time.clone());
            Condition {
                type_: state.kind.to_owned(),
                status: status.to_owned(),
                reason: state.reason.as_str().to_owned(),
                message: shortened(&state.message, MESSAGE_LIMIT),
                observed_generation: generation,
                last_transition_time: since,
            }
        })
        .collect()
}

/// A text of at most `limit` characters: what the CRD allows. What is cut off is marked.
pub fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some(_) => text.chars().take(limit.saturating_sub(2)).chain(" …".chars()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(status: bool, message: &str) -> ConditionState {
        ConditionState { kind: READY, status, reason: Reason::Published, message: message.to_owned() }
    }

    #[test]
    fn the_transition_time_moves_only_when_the_status_flips() {
        let (first, second) = (Timestamp::UNIX_EPOCH, Timestamp::from_second(60).expect("in range"));
        let before = merge(&[], &[state(true, "one")], Some(1), first);
        let same = merge(&before, &[state(true, "two")], Some(2), second);
        assert_eq!(same[0].last_transition_time.0, first);
        assert_eq!(same[0].message, "two");
        let flipped = merge(&same, &[state(false, "two")], Some(2), second);
        assert_eq!(flipped[0].last_transition_time.0, second);
    }

    #[test]
    fn every_reason_is_listed_once() {
        let names: std::collections::BTreeSet<_> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        assert_eq!(names.len(), Reason::ALL.len());
    }
}
