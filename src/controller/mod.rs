//! Layer 3: the operator. Observe → compile → plan → apply → report, one file a step.
//!
//! `dataset` and `source` read like the list of steps; `observe`, `apply`, `report` and `janitor` are the ones that touch
//! the world; `store` is what a driver must keep, `kubernetes` the driver for a cluster. Meets the query server in the
//! publication record alone.

mod apply;
pub mod context;
pub mod dataset;
mod error;
pub mod janitor;
pub mod kubernetes;
mod nodes;
mod observe;
pub mod report;
pub mod source;
pub mod store;

pub use context::{Connection, Context, Settings};
pub use error::Error;
