//! The closed vocabulary that every dialect's stream is decoded to.

use json::{Object, Raw, Text};
use record::{Block, Proof, Rest, Usage};

/// One thing a stream says. `index` names a block; blocks stand in the order in which their
/// indexes were first seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// `block-start`
    BlockStart {
        /// Which block.
        index: u64,
        /// What it is.
        kind: BlockType,
    },
    /// `text-delta`: speech.
    TextDelta {
        /// Which block.
        index: u64,
        /// What is said.
        text: Text,
    },
    /// `reasoning-delta`: a thought.
    ReasoningDelta {
        /// Which block.
        index: u64,
        /// What is thought.
        text: Text,
    },
    /// `tool-call-delta`
    ToolCallDelta {
        /// Which block.
        index: u64,
        /// The call's id; the first that is not empty counts.
        id: Option<Text>,
        /// The tool's name; the first that is not empty counts.
        name: Option<Text>,
        /// A piece of the arguments.
        arguments: Text,
    },
    /// `block-end`
    BlockEnd {
        /// Which block.
        index: u64,
        /// What it came to.
        end: End,
    },
    /// `usage`: all of it up to here; the last one counts.
    Usage(Usage),
    /// `finish`: nothing follows.
    Finish(Finish),
}

/// What a block is, as far as its start says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockType {
    /// `text`
    Text,
    /// `reasoning`
    Reasoning,
    /// `tool-call`
    ToolCall,
    /// `tool-call` of a tool that takes any text: its arguments need not be JSON.
    FreeformCall,
    /// A kind that has no deltas here: it is whole at its end.
    Other(Text),
}

/// What closes a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The block is what its deltas said, sealed with this.
    Sealed {
        /// What the provider signed or named it with.
        proof: Option<Box<Proof>>,
        /// Members beside its content.
        rest: Rest,
    },
    /// This is the whole block, its proof inside of it; its deltas are not looked at again.
    Block(Block),
    /// This call was begun and never became whole, in a reply that did: it is not run.
    Cut,
}

/// How the stream ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finish {
    /// Why.
    pub reason: FinishReason,
    /// The provider's own word for it.
    pub native: Option<Text>,
    /// What the adapter keeps of the response as a whole.
    pub response: Option<Raw>,
    /// Members of the message beside its blocks.
    pub rest: Rest,
    /// Among these there is content: a reply without blocks is not empty.
    pub has_media: bool,
    /// Proofs beside the blocks, from an adapter that gives them so.
    pub envelope: Option<Raw>,
}

/// Why a stream ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FinishReason {
    /// `stop`
    #[default]
    Stop,
    /// `tool-calls`
    ToolCalls,
    /// `max-tokens`
    MaxTokens,
    /// The provider ended the reply for what it says. It is a reply that was given, not a failed
    /// attempt: what is there is kept, its calls are not.
    Refused,
    /// `aborted`
    Aborted(Failure),
    /// `error`
    Error(Failure),
}

/// What failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// The provider's word for it, or one of the names below.
    pub code: Text,
    /// In words.
    pub message: Text,
    /// The HTTP status, where there is one.
    pub status: Option<u64>,
    /// How long the provider asks to wait.
    pub retry_after_ms: Option<u64>,
    /// The provider's name of the request.
    pub request_id: Option<Text>,
}

/// The stream ended before the reply did.
pub const STREAM_CUT: &str = "STREAM_CUT";
/// The provider is still at work on the reply: it is to be asked for again.
pub const NOT_FINISHED: &str = "NOT_FINISHED";
/// The provider said it succeeded, and there is nothing in the reply.
pub const EMPTY_RESPONSE: &str = "EMPTY_RESPONSE";
/// What came cannot be assembled.
pub const MALFORMED_STREAM: &str = "MALFORMED_STREAM";

impl Failure {
    /// A failure of one of our names.
    pub fn of(code: &str, message: impl Into<Text>) -> Failure {
        Failure { code: code.into(), message: message.into(), ..Failure::default() }
    }

    /// As a row's `stop` holds it.
    pub fn to_raw(&self) -> Raw {
        let mut object = Object::new();
        object.text("message", &self.message).text("code", &self.code);
        if let Some(status) = self.status {
            object.number("status", status);
        }
        if let Some(wait) = self.retry_after_ms {
            object.number("providerRetryAfterMs", wait);
        }
        if let Some(id) = &self.request_id {
            object.text("requestId", id);
        }
        object.finish()
    }
}
