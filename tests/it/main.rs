//! The tests at the boundaries of the program: one binary, one module a boundary, one control plane and one ClickHouse.

mod architecture;
mod chart;
mod configuration;
mod crds;
mod documentation;
mod guards;
mod query;
mod support;
mod warehouse;
