//! Two bodies compared: what moved, why, what it costs, and the tables behind it.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

mod causes;
mod cost;
mod fixture;
mod same;
mod tables;
