//! AWS Bedrock Converse: the rule book, the families of models, the linter and the writer.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

mod bytes;
mod fixture;
mod models;
mod recorded;
mod request;
mod rules;
