//! Failures of the environment: retried with back-off. A user's mistake is a condition, never one of these.

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
            Self::ServerTooOld { .. } => Reason::WarehouseUnavailable,
            _ => Reason::Publishing,
        }
    }

    /// Whether looking again at once is right.
    pub fn is_race(&self) -> bool {
        matches!(self, Self::Conflict | Self::NumberTaken { .. } | Self::SourceChanged { .. })
    }
}

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
