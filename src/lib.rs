#![doc = "Analytics Catalog."]

pub mod api;
pub mod catalog;
pub mod sql;
