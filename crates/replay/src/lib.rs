//! The fold from a record to a request: the heart of Stenograph.
//!
//! A request is a *view* of a record: what one [`Reader`] sees of one path, as one [`Target`] takes
//! it. Entries go in, append-only pages of request bytes come out:
//!
//! ```text
//! entries -> read (whose eyes) -> compact -> bind (calls, results) -> declare -> project ->
//! bytes + report
//! ```
//!
//! Projecting from scratch is feeding all entries; the next request is feeding the new ones.
//!
//! ```
//! use std::sync::Arc;
//! use record::{Block, Entry, EntryId, Fact, Message, Rest, Role};
//! use replay::{Now, Reader, Replayer, Target};
//!
//! let hello = Entry {
//!     id: EntryId::from("1"),
//!     parent: None,
//!     seq: 0,
//!     time: None,
//!     fact: Fact::Message(Box::new(Message::new(Role::User, vec![Block::text("hello")]))),
//!     origin: None,
//!     rest: Rest::default(),
//! };
//! let mut replayer = Replayer::new(Reader::plain("main"), Target::anthropic("claude-opus-4-8"));
//! replayer.feed(&[Arc::new(hello)]);
//! let prepared = replayer.prepare(&Now::default())?;
//! assert_eq!(prepared.append().len(), 1); // the `sent`, to be appended before the request leaves
//! assert!(prepared.request.body().to_vec().ends_with(br#"}]}]}"#));
//! # Ok::<(), replay::Refusal>(())
//! ```
//!
//! **Invariants.** Pure: no clock, I/O or randomness; equal inputs, equal bytes. A [`ValidRequest`]
//! comes from [`Replayer::prepare`] alone. Every block of the view is on the wire or named in the
//! [`Report`]. What was sent stays said, or [`Report::moved`] names the first place that differs.
//! There is no second path beside the fold.

#![deny(clippy::wildcard_enum_match_arm)]

mod bind;
mod compact;
mod declare;
mod digest;
mod fold;
mod leave_out;
mod moved;
mod now;
mod prepare;
mod principal;
mod project;
mod read;
mod refusal;
mod replayer;
mod report;
mod rewind;
mod sent;
mod shown;
mod target;
mod transcript;
mod wording;

pub use now::{Limits, Now, Parameters, ThinkingChoice};
pub use prepare::{Prepared, ValidRequest};
pub use principal::{Intent, Posture, RuntimePrincipal};
pub use read::Reader;
pub use refusal::{LimitOf, Refusal};
pub use replayer::Replayer;
pub use report::{Change, ChangeKind, Cost, Effect, Moved, MovedReason, Report, Unit};
pub use shown::{Outcome, Shown, What, removed, shown};
pub use target::Target;
pub use transcript::{Transcript, TranscriptOptions, transcript};

/// The version of wording, id form and layout; output that changes raises it.
pub const BUILD: u32 = 1;
