//! What the tests of several boundaries share.

pub mod cases;
