//! The tests at the boundaries of the program: one binary, one module a boundary, one control plane and one ClickHouse.

mod approval;
mod architecture;
mod chart;
mod check;
mod commands;
mod compile;
mod configuration;
mod crds;
mod documentation;
mod end_to_end;
mod examples;
mod faults;
mod guards;
mod http;
mod isolation;
mod log;
mod manifest;
mod mistakes;
mod nodes;
mod plan;
mod query;
mod retention;
mod standalone;
mod support;
mod upstream;
mod warehouse;
