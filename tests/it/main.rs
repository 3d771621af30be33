//! The tests at the boundaries of the program: one binary, one module a boundary, one control plane and one ClickHouse.

mod chart;
mod crds;
mod guards;
mod isolation;
mod query;
mod support;
mod warehouse;
