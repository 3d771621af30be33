//! The parts of the tests that the figures share: a real ClickHouse, the program as a process, generated queries.

#[path = "../../tests/it/support/caller.rs"]
pub mod caller;
#[path = "../../tests/it/support/clickhouse.rs"]
pub mod clickhouse;
#[path = "../../tests/it/support/filters.rs"]
pub mod filters;
#[path = "../../tests/it/support/generated.rs"]
pub mod generated;
#[path = "../../tests/it/support/standalone.rs"]
pub mod standalone;
#[path = "../../tests/it/support/world.rs"]
pub mod world;
