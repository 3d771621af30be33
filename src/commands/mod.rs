//! Layer 3: the commands for people and pipelines.
//!
//! A command reads what it is given, asks the pure layers, and returns what it says; who prints it is decided above. None
//! needs a Kubernetes API.

pub mod check;
pub mod compile;
pub mod crds;
pub mod draft;
pub mod explain;
pub mod input;
pub mod report;
pub mod snapshot;
pub mod tables;

use std::path::PathBuf;

use crate::configuration::ConfigurationError;
use crate::warehouse::{OLDEST_SERVER, WarehouseError};

/// Why a command cannot do what it is asked; never what is wrong in a declaration.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// A file or folder.
    #[error("`{}` cannot be read: {cause}", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        cause: std::io::Error,
    },
    /// A folder without files of ours.
    #[error("`{}` holds no file that ends in .yaml or .yml", path.display())]
    NothingToRead {
        /// The folder.
        path: PathBuf,
    },
    /// A snapshot.
    #[error("the snapshot `{}` cannot be used: {why}", path.display())]
    Snapshot {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// An output.
    #[error("`{}` cannot be written: {cause}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        cause: std::io::Error,
    },
    /// A value without a form in a file, which would be a mistake in the types.
    #[error("the result cannot be written: {why}")]
    Unwritable {
        /// The reason.
        why: String,
    },
    /// The configuration.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// A configuration without connections.
    #[error("the configuration has no connections; state at least connections.default.url")]
    NoConnections,
    /// A connection without a URL.
    #[error("the connection `{connection}` has no url; only standalone starts a ClickHouse of its own")]
    NoUrl {
        /// The connection.
        connection: String,
    },
    /// A server that is too old.
    #[error(
        "the server of the connection `{connection}` is {}.{}; {}.{} or later is needed",
        version.0, version.1, OLDEST_SERVER.0, OLDEST_SERVER.1
    )]
    TooOld {
        /// The connection.
        connection: String,
        /// Its server's version.
        version: (u32, u32),
    },
    /// A server.
    #[error("the connection `{connection}`: {cause}")]
    Warehouse {
        /// The connection.
        connection: String,
        /// What happened.
        cause: WarehouseError,
    },
    /// What is asked for does not exist, or is asked for in a way that does not fit.
    #[error("{0}")]
    Usage(String),
}
