//! Layer 1: what ought to be, as values. Pure.

pub mod guards;
