#![doc = "Analytics Catalog."]

pub mod api;
pub mod canonical;
pub mod catalog;
pub mod sql;

pub mod compile;
pub mod plan;
pub mod query;

pub mod configuration;
pub mod warehouse;

pub mod commands;
pub mod controller;
