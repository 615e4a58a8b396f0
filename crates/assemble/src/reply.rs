//! What comes out: a row to append, or why there is none.

#![deny(clippy::wildcard_enum_match_arm)]

use std::fmt;
use std::sync::Arc;

use record::{Block, EntryId, Issuer, Message, ToolUse, Usage};

use crate::chunk::Failure;
use crate::finding::Finding;

/// Which request is answered, and by whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Who answers: platform, account, dialect, and the model that was asked for. The name that the
    /// response gives its model counts before it.
    pub issuer: Arc<Issuer>,
    /// The `sent` of the request.
    pub answers: Option<EntryId>,
    /// The caller writes a `call_started` before each call it dispatches.
    pub runs_logged: bool,
}

/// A reply. It is appended before any of its calls is dispatched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The row.
    pub message: Message,
    /// What was odd about its stream.
    pub findings: Vec<Finding>,
}

impl Reply {
    /// The calls to run, and the only ones: each block's index in the row, and the call.
    pub fn calls(&self) -> impl Iterator<Item = (u32, &ToolUse)> {
        let blocks = self.message.blocks.iter().zip(0u32..);
        blocks.filter_map(|(block, at)| Some((at, block.as_tool_use()?)))
    }
}

/// An attempt that gave no reply. Nothing of it is stored, and it may be made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// What failed.
    pub failure: Box<Failure>,
    /// What it cost, as far as the provider said.
    pub usage: Option<Usage>,
    /// What was odd about its stream.
    pub findings: Vec<Finding>,
    /// What was there when the stream was cut, its calls left out; for a caller that would rather
    /// keep it than ask again.
    pub cut: Option<Box<Message>>,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.failure.code, self.failure.message)
    }
}

impl std::error::Error for Failed {}

/// A limit that a stream went over. It cannot be read on; [`crate::Assembler::interrupt`] still
/// gives what was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamError {
    /// A frame of it is too large.
    Frame(wire::frames::FrameError),
    /// The message is too large.
    MessageTooLarge {
        /// [`crate::limits::MESSAGE_BYTES_MAX`]
        limit: usize,
    },
    /// The message has too many blocks.
    TooManyBlocks {
        /// [`record::limits::BLOCKS_MAX`]
        limit: usize,
    },
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Frame(error) => error.fmt(f),
            StreamError::MessageTooLarge { limit } => {
                write!(f, "the reply has more than {limit} bytes (MESSAGE_BYTES_MAX)")
            }
            StreamError::TooManyBlocks { limit } => {
                write!(f, "the reply has more than {limit} blocks (BLOCKS_MAX)")
            }
        }
    }
}

impl std::error::Error for StreamError {}

impl From<wire::frames::FrameError> for StreamError {
    fn from(error: wire::frames::FrameError) -> StreamError {
        StreamError::Frame(error)
    }
}

/// Whether there is nothing in a block that anybody could see or send back.
pub(crate) fn is_hollow(block: &Block) -> bool {
    match block {
        Block::Text(text) => text.text.is_empty(),
        Block::Reasoning(thought) => thought.reasoning.is_empty() && thought.proof.is_none(),
        Block::ToolUse(_)
        | Block::ToolResult(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => false,
    }
}
