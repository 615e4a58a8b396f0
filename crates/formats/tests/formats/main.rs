//! The formats, over small files of their own, over recorded ones, and over damage.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

mod anthropic;
mod claude_code;
mod damage;
mod detection;
mod neutral;
mod recorded;
mod view;
