//! No caller ever gets a row of another tenant, owner or space (design 4.2, 6.3): on the real ClickHouse, through the
//! program as its own process.

mod attacks;
mod definitions;
mod fences;
mod generated;
mod names;
mod streams;
