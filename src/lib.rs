#![doc = "Analytics Catalog."]

pub mod api;
pub mod catalog;
pub mod compile;
pub mod sql;
