//! Gemini: the rule book, the models, the linter and the writer.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

mod bytes;
mod fixture;
mod recorded;
mod request;
mod rules;
mod tables;
