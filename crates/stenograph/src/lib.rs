//! One verbatim record of an agent's conversation, read back to any model as a request.
//!
//! The crates in one place, and [`Session`]: a session file that was read, from which requests are
//! made.
//!
//! ```
//! use stenograph::replay::{Now, Target};
//! use stenograph::{At, Session};
//!
//! let file = br#"{"type":"user","uuid":"u1","message":{"role":"user","content":"hello"}}"#;
//! let session = Session::open(file, "session.jsonl")?;
//! let path = session.path(At::Branch("main"))?;
//! let target = Target::anthropic("claude-opus-4-8");
//! let prepared = session.prepare(&path, target, &Now::default())?;
//! assert!(prepared.request.body().to_vec().starts_with(br#"{"model":"claude-opus-4-8""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There is no I/O here: files, clocks and ids are the caller's.

mod degraded;
mod session;

pub use assemble;
pub use formats;
pub use json;
pub use record;
pub use replay;
pub use wire;

pub use degraded::{Degraded, degraded, on_replay_degrade};
pub use session::{At, NotFound, Session};

/// The sample of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
