//! What the benchmarks share: histories to measure with, requests made of them, and timing.
//!
//! Three programs use it: `bars` measures the bars of `docs/benchmarks.md`, `memory` counts
//! allocations for it, `contestant` speaks the protocol by which this project is measured beside
//! others. Nothing here is part of the product.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "no part of the product: it fails by panicking"
)]

pub mod history;
pub mod random;
pub mod reply;
pub mod request;
pub mod session;
pub mod timing;
