//! The commands for people and pipelines.

pub mod crds;
