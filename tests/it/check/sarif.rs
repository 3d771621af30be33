//! x
pub fn check(_text: &str) {}
