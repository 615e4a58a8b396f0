//! The messages of a body as flat lists: blocks, messages, and turns (neighbours of one role).
//!
//! The API merges messages of one role that follow each other before it judges pairs;
//! paths and offsets stay those of the message as sent.

use std::borrow::Cow;
use std::ops::Range;

use json::{Kind as JsonKind, Value};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
    System,
    Other,
}

/// What a block is, as far as rules tell blocks apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Image,
    Document,
    SearchResult,
    ContainerUpload,
    Thinking,
    RedactedThinking,
    ToolUse,
    ToolResult,
    ServerToolUse,
    /// The result of a server tool.
    ServerResult,
    McpToolUse,
    McpToolResult,
    Compaction,
    Fallback,
    ToolAddition,
    ToolRemoval,
    Other,
}

impl Kind {
    fn of(tag: &str) -> Kind {
        match tag {
            "text" => Kind::Text,
            "image" => Kind::Image,
            "document" => Kind::Document,
            "search_result" => Kind::SearchResult,
            "container_upload" => Kind::ContainerUpload,
            "thinking" => Kind::Thinking,
            "redacted_thinking" => Kind::RedactedThinking,
            "tool_use" => Kind::ToolUse,
            "tool_result" => Kind::ToolResult,
            "server_tool_use" => Kind::ServerToolUse,
            "mcp_tool_use" => Kind::McpToolUse,
            "mcp_tool_result" => Kind::McpToolResult,
            "compaction" => Kind::Compaction,
            "fallback" => Kind::Fallback,
            "tool_addition" => Kind::ToolAddition,
            "tool_removal" => Kind::ToolRemoval,
            _ if tag.ends_with("_tool_result") => Kind::ServerResult,
            _ => Kind::Other,
        }
    }

    /// Reasoning of either kind.
    pub(super) fn is_thinking(self) -> bool {
        matches!(self, Kind::Thinking | Kind::RedactedThinking)
    }

    /// Text or media, as a person or a model gives them.
    pub(super) fn is_text_or_media(self) -> bool {
        match self {
            Kind::Text
            | Kind::Image
            | Kind::Document
            | Kind::SearchResult
            | Kind::ContainerUpload => true,
            Kind::Thinking
            | Kind::RedactedThinking
            | Kind::ToolUse
            | Kind::ToolResult
            | Kind::ServerToolUse
            | Kind::ServerResult
            | Kind::McpToolUse
            | Kind::McpToolResult
            | Kind::Compaction
            | Kind::Fallback
            | Kind::ToolAddition
            | Kind::ToolRemoval
            | Kind::Other => false,
        }
    }
}

/// One block, or a message's string content as the text block it stands for.
#[derive(Clone, Copy)]
pub(super) struct Block<'d, 't> {
    pub(super) value: Value<'d, 't>,
    pub(super) kind: Kind,
    /// Index in `messages`.
    pub(super) message: usize,
    /// Index in the message's content; none for string content.
    pub(super) index: Option<usize>,
}

impl<'d, 't> Block<'d, 't> {
    /// `messages.N.content.M`, or `messages.N.content`.
    pub(super) fn path(&self) -> String {
        match self.index {
            Some(index) => format!("messages.{}.content.{index}", self.message),
            None => format!("messages.{}.content", self.message),
        }
    }

    /// The tag in `type`.
    pub(super) fn tag(&self) -> Cow<'t, str> {
        match self.index {
            Some(_) => self.value.get_str("type").unwrap_or_default(),
            None => Cow::Borrowed("text"),
        }
    }

    /// The text of a text block.
    pub(super) fn text(&self) -> Option<Cow<'t, str>> {
        match self.index {
            Some(_) => self.value.get_str("text"),
            None => self.value.as_str(),
        }
    }

    /// The id of a call, or the id a result answers; empty where there is none.
    pub(super) fn id(&self) -> Cow<'t, str> {
        let answers =
            matches!(self.kind, Kind::ToolResult | Kind::ServerResult | Kind::McpToolResult);
        let key = if answers { "tool_use_id" } else { "id" };
        self.value.get_str(key).unwrap_or_default()
    }
}

/// One message as sent.
pub(super) struct Message<'d, 't> {
    pub(super) value: Value<'d, 't>,
    pub(super) role: Role,
    pub(super) blocks: Range<usize>,
}

/// Neighbouring messages of one role.
pub(super) struct Turn {
    pub(super) role: Role,
    pub(super) messages: Range<usize>,
    pub(super) blocks: Range<usize>,
}

/// All of `messages`.
#[derive(Default)]
pub(super) struct Conversation<'d, 't> {
    pub(super) messages: Vec<Message<'d, 't>>,
    pub(super) turns: Vec<Turn>,
    blocks: Vec<Block<'d, 't>>,
}

impl<'d, 't> Conversation<'d, 't> {
    /// Reads `messages`; what is not of the expected type reads as nothing.
    pub(super) fn read(messages: Option<Value<'d, 't>>) -> Conversation<'d, 't> {
        let mut conversation = Conversation::default();
        for message in messages.into_iter().flat_map(|messages| messages.items()) {
            conversation.push(message);
        }
        conversation
    }

    fn push(&mut self, value: Value<'d, 't>) {
        let role = match value.get_str("role").as_deref() {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("system") => Role::System,
            Some(_) | None => Role::Other,
        };
        let message = self.messages.len();
        let start = self.blocks.len();
        let content = value.get("content");
        match content {
            Some(text) if text.kind() == JsonKind::String => {
                if !text.is_str("") {
                    let block = Block { value: text, kind: Kind::Text, message, index: None };
                    self.blocks.push(block);
                }
            }
            Some(_) | None => {
                let items = content.into_iter().flat_map(|content| content.items());
                self.blocks.extend(items.enumerate().map(|(index, value)| {
                    let kind = Kind::of(&value.get_str("type").unwrap_or_default());
                    Block { value, kind, message, index: Some(index) }
                }));
            }
        }
        let blocks = start..self.blocks.len();
        match self.turns.last_mut() {
            Some(turn) if turn.role == role => {
                turn.messages.end = message + 1;
                turn.blocks.end = blocks.end;
            }
            Some(_) | None => {
                let messages = message..message + 1;
                self.turns.push(Turn { role, messages, blocks: blocks.clone() });
            }
        }
        self.messages.push(Message { value, role, blocks });
    }

    /// The blocks of a range, as of a message or a turn.
    pub(super) fn blocks(&self, range: &Range<usize>) -> &[Block<'d, 't>] {
        self.blocks.get(range.clone()).unwrap_or_default()
    }

    /// Every block.
    pub(super) fn all(&self) -> &[Block<'d, 't>] {
        &self.blocks
    }
}
