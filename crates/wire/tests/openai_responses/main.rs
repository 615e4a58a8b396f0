//! OpenAI Responses: the rule book, the platforms, the models, the linter and the writer.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

mod fixture;
mod recorded;
mod request;
mod rules;
mod tables;
