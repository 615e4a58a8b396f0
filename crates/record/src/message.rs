//! A message: role, author, blocks, and what is known about how it came to be.

use json::{Raw, Text};

use crate::block::Block;
use crate::entry::{EntryId, Rest};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The operator.
    System,
    /// A person, or the runtime on the person's side.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
}

impl Role {
    /// The name on disk.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }

    /// The role of this name.
    pub fn from_name(name: &str) -> Option<Role> {
        match name {
            "system" => Some(Role::System),
            "user" => Some(Role::User),
            "assistant" => Some(Role::Assistant),
            "tool" => Some(Role::Tool),
            _ => None,
        }
    }
}

/// Tokens as the provider counted them. The four counts are disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Uncached input.
    pub input_tokens: u64,
    /// Output, thinking included.
    pub output_tokens: u64,
    /// Input written to the cache.
    pub cache_creation_input_tokens: u64,
    /// Input read from the cache.
    pub cache_read_input_tokens: u64,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopKind {
    /// It was finished.
    Stop,
    /// The model waits for results.
    ToolCalls,
    /// The output limit was reached.
    MaxTokens,
    /// It was cancelled.
    Aborted,
    /// It failed.
    Error,
}

impl StopKind {
    /// The name on disk.
    pub fn as_str(self) -> &'static str {
        match self {
            StopKind::Stop => "stop",
            StopKind::ToolCalls => "tool-calls",
            StopKind::MaxTokens => "max-tokens",
            StopKind::Aborted => "aborted",
            StopKind::Error => "error",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<StopKind> {
        match name {
            "stop" => Some(StopKind::Stop),
            "tool-calls" => Some(StopKind::ToolCalls),
            "max-tokens" => Some(StopKind::MaxTokens),
            "aborted" => Some(StopKind::Aborted),
            "error" => Some(StopKind::Error),
            _ => None,
        }
    }
}

/// A call that was being written when the reply ended, and was never run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DroppedCall {
    /// The tool's name, as far as it was written.
    pub name: Text,
    /// Members beyond the name (`index`, `id`, `args_bytes`, `closed`), as written.
    pub rest: Rest,
}

/// How a reply ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Which end it was.
    pub kind: StopKind,
    /// The provider's own word.
    pub native: Option<Text>,
    /// What failed, as written.
    pub failure: Option<Raw>,
    /// Calls that were cut off.
    pub dropped_calls: Vec<DroppedCall>,
    /// Members this build has no field for.
    pub rest: Rest,
}

/// Who produced a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A person.
    User,
    /// A model.
    Model {
        /// Who served it.
        platform: Text,
        /// The dialect it was served over.
        api: Text,
        /// The model's full name.
        model: Text,
        /// A non-secret label of the account, where known.
        account: Option<Text>,
    },
    /// A tool.
    Tool {
        /// The call it answers.
        call_id: Text,
    },
    /// The runtime.
    Runtime {
        /// Which part of it.
        what: Text,
    },
    /// A kind this build does not know, as written.
    Other(Raw),
}

/// What a message is for, where it is more than a turn of the conversation (`meta.kind`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// Something a person asked.
    UserPrompt,
    /// The divider of a compaction; the model sees no message.
    CompactBoundary,
    /// The text of a skill as it was when used.
    SkillSnapshot,
    /// The list of skills.
    SkillCatalog,
    /// A background task ended.
    TaskNotification,
    /// Ambient facts.
    Ambient,
    /// A declared change of the head.
    SystemChange,
    /// A kind this build does not know.
    Other(Text),
}

impl MessageKind {
    /// The name on disk.
    pub fn as_str(&self) -> &str {
        match self {
            MessageKind::UserPrompt => "user_prompt",
            MessageKind::CompactBoundary => "compact_boundary",
            MessageKind::SkillSnapshot => "skill_snapshot",
            MessageKind::SkillCatalog => "skill_catalog",
            MessageKind::TaskNotification => "task_notification",
            MessageKind::Ambient => "ambient",
            MessageKind::SystemChange => "system_change",
            MessageKind::Other(name) => name,
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &Text) -> MessageKind {
        match name.as_str() {
            "user_prompt" => MessageKind::UserPrompt,
            "compact_boundary" => MessageKind::CompactBoundary,
            "skill_snapshot" => MessageKind::SkillSnapshot,
            "skill_catalog" => MessageKind::SkillCatalog,
            "task_notification" => MessageKind::TaskNotification,
            "ambient" => MessageKind::Ambient,
            "system_change" => MessageKind::SystemChange,
            _ => MessageKind::Other(name.clone()),
        }
    }
}

/// A message (a *row*): one assistant message per response, one tool message per result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What it says, in order.
    pub blocks: Vec<Block>,
    /// Who produced it, where known.
    pub source: Option<Source>,
    /// The participant who wrote it.
    pub author: Option<Text>,
    /// Those it is presented to; `None` is everyone.
    pub audience: Option<Vec<Text>>,
    /// The `sent` this reply answers; absent on an import.
    pub answers: Option<EntryId>,
    /// Tokens as counted by the provider.
    pub usage: Option<Usage>,
    /// How the reply ended.
    pub stop: Option<Stop>,
    /// The stream was cut by cancellation; the blocks are the safe prefix.
    pub interrupted: bool,
    /// The writer records a `call_started` for every call, so its absence proves something.
    pub runs_logged: bool,
    /// What the adapter keeps of the response as a whole; opaque to everyone else.
    pub response: Option<Raw>,
    /// What the message is for.
    pub kind: Option<MessageKind>,
    /// The other members of `meta`.
    pub meta: Rest,
    /// Members this build has no field for.
    pub rest: Rest,
}

impl Message {
    /// A message of a role and blocks, about which nothing else is known.
    ///
    /// ```
    /// let row = record::Message::new(record::Role::User, vec![record::Block::text("hi")]);
    /// assert_eq!(row.blocks.len(), 1);
    /// ```
    pub fn new(role: Role, blocks: Vec<Block>) -> Message {
        Message {
            role,
            blocks,
            source: None,
            author: None,
            audience: None,
            answers: None,
            usage: None,
            stop: None,
            interrupted: false,
            runs_logged: false,
            response: None,
            kind: None,
            meta: Rest::default(),
            rest: Rest::default(),
        }
    }

    /// Whether this is a change row: it has blocks, and every one is a `system_change`.
    pub fn is_change_row(&self) -> bool {
        !self.blocks.is_empty()
            && self.blocks.iter().all(|block| matches!(block, Block::SystemChange(_)))
    }
}
