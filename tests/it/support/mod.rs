//! What the tests of several boundaries share.

pub mod cases;
pub mod cluster;
pub mod plane;
