//! The integration tests: one binary, one control plane.

mod chart;
mod crds;
mod guards;
mod support;
