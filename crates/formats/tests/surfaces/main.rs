//! What people read: Markdown, HTML and the list of sessions, over hostile content.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

mod browser;
mod discover;
mod folder;
mod hostile;
mod html;
mod markdown;
