//! The record of a conversation: entries, blocks, proofs, refs, and the JSONL they are kept in.
//!
//! A record is a tree of [`Entry`] values. An entry has an id, a parent and one [`Fact`]; entries
//! name each other by id. A branch is a ref to a tip with a log of its moves ([`RefMove`]). Nothing
//! in it is ever edited: a repair, a compaction, a retraction is an entry too.
//!
//! What a block was stays what it is: speech is [`TextBlock`], a call [`ToolUse`], a result
//! [`ToolResult`], a thought [`Reasoning`]. A [`Proof`] is a field of its own block. What this
//! build does not know is [`OpaqueBlock`] or [`Fact::Opaque`], kept byte for byte.
//!
//! **Invariants.** No I/O, no clock, no randomness: ids and times come from the caller. Loading
//! never fails on content: it gives the record and [`Finding`]s. `load(save(x)) == x`.

pub mod blank;
pub mod block;
pub mod compaction;
pub mod entry;
pub mod finding;
pub mod head;
pub mod image;
pub mod input;
pub mod jsonl;
pub mod limits;
pub mod message;
pub mod proof;
mod record;
pub mod refs;
pub mod schema;
pub mod sent;
pub mod unread;

pub use block::{
    Block, BlockKind, OpaqueBlock, Reasoning, ResultPart, SystemChange, TextBlock, ToolResult,
    ToolUse,
};
pub use compaction::{Compaction, CompactionKind};
pub use entry::{
    BlockRef, CallStarted, Entry, EntryId, Fact, OpaqueFact, Origin, Rest, Retracted, SourceLine,
};
pub use finding::{Finding, FindingKind, Place};
pub use head::{Head, HeadDeclaration, ToolDefinition};
pub use image::{Image, ImageSource, Measured, MediaType};
pub use input::{Input, InputClass};
pub use message::{Message, MessageKind, Role, Source, Stop, StopKind, Usage};
pub use proof::{Issuer, Proof, ProofKind};
pub use record::{BRANCH_DEFAULT, Record};
pub use refs::RefMove;
pub use sent::{Checkpoint, Digest, Digests, Fill, GapWording, Rung, Sent, Target};
pub use unread::{Unread, UnreadLines};
