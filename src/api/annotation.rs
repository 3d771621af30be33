//! The annotations that people write on objects (design 3.4); all of them are guarded by admission policies.

/// Approves the pending change whose digest is the value.
pub const APPROVE: &str = "analytics.wow.dev/approve";
/// Refuses the pending change whose digest is the value; final for that digest.
pub const REFUSE: &str = "analytics.wow.dev/refuse";
/// The user name of who approves or refuses; the guard compares it with the caller.
pub const APPROVED_BY: &str = "analytics.wow.dev/approved-by";
/// A note to the decision.
pub const DECISION_NOTE: &str = "analytics.wow.dev/decision-note";
/// Serves an earlier version without a change of the definition (emergency rollback).
pub const SERVE_VERSION: &str = "analytics.wow.dev/serve-version";
/// Asks for a refresh of the materializations; any new value counts.
pub const REFRESH_REQUESTED: &str = "analytics.wow.dev/refresh-requested";
