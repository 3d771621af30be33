//! What several tests stand on.

pub mod cluster;
pub mod plane;
