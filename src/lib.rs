#![doc = "Analytics Catalog."]

pub mod api;
pub mod catalog;
pub mod query;
pub mod sql;
