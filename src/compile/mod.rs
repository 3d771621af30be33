//! Layer 1: definitions and the catalog become SQL, or diagnostics. Pure: no clock, chance, environment or log.
//!
//! The expression language (design 4.3) is here in this order: text → [`lexer`] → [`parse`] → [`expression`] →
//! [`typing`] ([`operators`], [`comparison`], [`functions`], [`convert`]) → SQL; [`predicate`] is the two-valued
//! rendering of conditions (design 4.4).

pub mod comparison;
pub mod convert;
pub mod expression;
pub mod functions;
pub mod lexer;
pub mod number;
pub mod operators;
pub mod parse;
pub mod predicate;
pub mod problem;
pub mod typed;
pub mod typing;

#[cfg(test)]
mod expression_cases;
