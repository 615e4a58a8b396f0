//! OpenAI Chat Completions: the rule book, the vendors, the models, the linter and the writer.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

mod bytes;
mod columns;
mod fixture;
mod models;
mod recorded;
mod request;
mod rules;
mod vendors;
