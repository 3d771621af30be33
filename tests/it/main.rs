//! The tests at the boundaries of the program: one binary, one module per boundary.

mod query;
mod support;
