//! Anthropic Messages: the rule book, the models and the linter.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

mod bytes;
mod fixture;
mod models;
mod rules;
