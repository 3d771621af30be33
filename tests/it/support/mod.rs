//! What the tests of several boundaries share.

pub mod cases;
pub mod clickhouse;
pub mod cluster;
pub mod documents;
pub mod plane;
pub mod roles;
