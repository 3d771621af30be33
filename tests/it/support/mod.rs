//! What the tests of several boundaries share.

pub mod bench;
pub mod caller;
pub mod cases;
pub mod clickhouse;
pub mod cluster;
pub mod documents;
pub mod filters;
pub mod generated;
pub mod plane;
pub mod proxy;
pub mod roles;
pub mod shards;
pub mod standalone;
pub mod world;
