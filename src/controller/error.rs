//! Failures of the environment: retried with back-off. A user's mistake is a condition, never one of these.

use std::time::Duration;

use crate::api::Reason;
use crate::warehouse::{WarehouseError, WarehouseErrorKind};

use super::store::StoreError;

/// Why a reconciliation could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The object changed meanwhile; looking again at once is right.
    #[error("the object changed while it was reconciled")]
    Conflict,
    /// Another operator took the number.
    #[error("the number {number} was taken meanwhile")]
    NumberTaken {
        /// The number.
        number: u64,
    },
    /// A source changed between the compilation and the publication.
    #[error("a source changed while version {number} was published")]
    SourceChanged {
        /// The version.
        number: u64,
    },
    /// Objects or history cannot be read or written.
    #[error("the store failed: {0}")]
    Store(String),
    /// ClickHouse did not do as asked.
    #[error("{step}: {cause}")]
    Warehouse {
        /// What was being done.
        step: &'static str,
        /// What it said.
        cause: WarehouseError,
    },
    /// A server is older than what is supported.
    #[error("the server of the connection `{connection}` has the version {}.{}; {}.{} or later is needed", version.0, version.1, crate::warehouse::OLDEST_SERVER.0, crate::warehouse::OLDEST_SERVER.1)]
    ServerTooOld {
        /// The connection.
        connection: String,
        /// Its version.
        version: (u32, u32),
    },
    /// A version lies on a connection that the configuration does not have.
    #[error("the connection `{connection}` is not configured any more")]
    NotConfigured {
        /// The connection.
        connection: String,
    },
    /// The nodes of a cluster are not as they must be.
    #[error("{problem}")]
    Nodes {
        /// What is wrong, and where.
        problem: String,
    },
    /// The API server cannot be reached or refuses the service account.
    #[error("the API server failed: {0}")]
    Kubernetes(Box<kube::Error>),
}

impl Error {
    /// A step on ClickHouse that failed.
    pub(super) fn at(step: &'static str) -> impl FnOnce(WarehouseError) -> Self {
        move |cause| Self::Warehouse { step, cause }
    }

    /// The reason that stands in the conditions meanwhile.
    pub(super) fn reason(&self) -> Reason {
        match self {
            Self::Warehouse { cause, .. }
                if matches!(
                    cause.kind,
                    WarehouseErrorKind::Unreachable
                        | WarehouseErrorKind::Unauthenticated
                        | WarehouseErrorKind::Denied
                        | WarehouseErrorKind::Limit
                ) =>
            {
                Reason::WarehouseUnavailable
            }
            Self::ServerTooOld { .. } | Self::Nodes { .. } => Reason::WarehouseUnavailable,
            Self::NotConfigured { .. } => Reason::NotConfigured,
            _ => Reason::Publishing,
        }
    }

    /// Whether looking again soon is right, and nothing is to be told.
    pub fn is_race(&self) -> bool {
        matches!(self, Self::Conflict | Self::NumberTaken { .. } | Self::SourceChanged { .. })
    }

    /// How long to wait before the next attempt, `failures` in a row having gone before this one.
    pub(super) fn retry_after(&self, failures: u32) -> Duration {
        match self {
            // The object is there already, as it is now.
            Self::Conflict => Duration::from_millis(50),
            // What was read is behind what is so; give it time to come.
            Self::NumberTaken { .. } | Self::SourceChanged { .. } => Duration::from_secs(1),
            _ => Duration::from_secs(1 << failures.min(4)).min(LONGEST_PAUSE),
        }
    }

    /// The text that stands in a condition: the same for the same situation, or each attempt would write another status.
    pub(super) fn in_condition(&self) -> String {
        match self {
            Self::Warehouse { step, cause } => format!("{step}: {}", cause.in_general()),
            other => other.to_string(),
        }
    }
}

/// The longest pause between two attempts: what comes back is noticed soon, and what is away is not hammered.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict => Self::Conflict,
            StoreError::Unavailable(cause) => Self::Store(cause),
        }
    }
}

impl From<kube::Error> for Error {
    fn from(error: kube::Error) -> Self {
        Self::Kubernetes(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_in_a_row_wait_longer_and_races_do_not() {
        let away = Error::Store("away".into());
        let pauses: Vec<u64> = (0..7).map(|failures| away.retry_after(failures).as_secs()).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 15, 15, 15]);
        assert_eq!(Error::NumberTaken { number: 1 }.retry_after(9), Duration::from_secs(1));
        assert!(Error::Conflict.retry_after(9) < Duration::from_secs(1));
    }
}
