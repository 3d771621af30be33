#![doc = include_str!("README.md")]

// Layer 0: words and values.
pub mod api;
pub mod canonical;
pub mod catalog;
pub mod spelling;
pub mod sql;

// Layer 1: what is decided, purely.
pub mod compile;
pub mod plan;
pub mod query;

// Layer 2: the edges of the world.
pub mod configuration;
pub mod manifest;
pub mod telemetry;
pub mod warehouse;

// Layer 3: the roles and commands.
pub mod commands;
pub mod controller;
pub mod server;
pub mod standalone;

// On top: how a role is chosen and started.
pub mod cli;
pub mod pipeline;
pub mod roles;
