#![doc = "Analytics Catalog."]

pub mod api;
pub mod catalog;
pub mod commands;
pub mod plan;
pub mod sql;
