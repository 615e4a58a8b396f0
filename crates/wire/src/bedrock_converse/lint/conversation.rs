//! The messages of a body as flat lists: blocks, messages, and turns (neighbours of one role).

use std::borrow::Cow;
use std::ops::Range;

use json::Value;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
    System,
    Other,
}

/// What a block is, by the member that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Image,
    Document,
    Video,
    Audio,
    ToolUse,
    ToolResult,
    Reasoning,
    CachePoint,
    GuardContent,
    Citations,
    SearchResult,
    ToolAddition,
    ToolRemoval,
    Other,
}

impl Kind {
    pub(super) fn of(name: &str) -> Kind {
        match name {
            "text" => Kind::Text,
            "image" => Kind::Image,
            "document" => Kind::Document,
            "video" => Kind::Video,
            "audio" => Kind::Audio,
            "toolUse" => Kind::ToolUse,
            "toolResult" => Kind::ToolResult,
            "reasoningContent" => Kind::Reasoning,
            "cachePoint" => Kind::CachePoint,
            "guardContent" => Kind::GuardContent,
            "citationsContent" => Kind::Citations,
            "searchResult" => Kind::SearchResult,
            "toolAddition" => Kind::ToolAddition,
            "toolRemoval" => Kind::ToolRemoval,
            _ => Kind::Other,
        }
    }
}

/// A content block.
#[derive(Clone, Debug)]
pub(super) struct Block<'d, 't> {
    pub(super) message: usize,
    pub(super) index: usize,
    pub(super) kind: Kind,
    /// The name of its member.
    pub(super) name: Cow<'t, str>,
    /// The block itself.
    pub(super) value: Value<'d, 't>,
    /// What its member holds.
    pub(super) inner: Value<'d, 't>,
}

impl<'t> Block<'_, 't> {
    pub(super) fn path(&self) -> String {
        format!("messages.{}.content.{}", self.message, self.index)
    }

    /// The path of a member of what it holds.
    pub(super) fn member(&self, name: &str) -> String {
        format!("{}.{}.{name}", self.path(), self.name)
    }

    /// The same, as the API names it where a value breaks a constraint.
    pub(super) fn constrained(&self, name: &str) -> String {
        let Block { message, index, name: kind, .. } = self;
        format!("messages.{}.member.content.{}.member.{kind}.{name}", message + 1, index + 1)
    }

    pub(super) fn text(&self) -> Option<Cow<'t, str>> {
        self.inner.as_str().filter(|_| self.kind == Kind::Text)
    }

    /// Whether it is a call of ours, or the service's own.
    pub(super) fn is_call(&self) -> bool {
        self.kind == Kind::ToolUse && !self.is_servers()
    }

    pub(super) fn is_result(&self) -> bool {
        self.kind == Kind::ToolResult && !self.is_servers()
    }

    /// Whether the service's own tool was called, or returned this.
    pub(super) fn is_servers(&self) -> bool {
        match self.kind {
            Kind::ToolUse => self.inner.get_str("type").as_deref() == Some("server_tool_use"),
            // A plain result may say that it is one.
            Kind::ToolResult => {
                let kind = self.inner.get_str("type");
                kind.is_some_and(|kind| kind != "tool_result")
            }
            Kind::Text
            | Kind::Image
            | Kind::Document
            | Kind::Video
            | Kind::Audio
            | Kind::Reasoning
            | Kind::CachePoint
            | Kind::GuardContent
            | Kind::Citations
            | Kind::SearchResult
            | Kind::ToolAddition
            | Kind::ToolRemoval
            | Kind::Other => false,
        }
    }

    /// Whether it is neither a call nor a result, nor what stands beside either.
    pub(super) fn is_conversation(&self) -> bool {
        match self.kind {
            Kind::Text
            | Kind::Image
            | Kind::Document
            | Kind::Video
            | Kind::Audio
            | Kind::GuardContent
            | Kind::Citations
            | Kind::SearchResult
            | Kind::Other => true,
            Kind::ToolUse
            | Kind::ToolResult
            | Kind::Reasoning
            | Kind::CachePoint
            | Kind::ToolAddition
            | Kind::ToolRemoval => false,
        }
    }

    pub(super) fn id(&self) -> Cow<'t, str> {
        self.inner.get_str("toolUseId").unwrap_or_default()
    }
}

/// A message.
#[derive(Clone, Debug)]
pub(super) struct Message<'d, 't> {
    pub(super) index: usize,
    pub(super) role: Role,
    pub(super) value: Value<'d, 't>,
    pub(super) blocks: Vec<Block<'d, 't>>,
}

impl<'d, 't> Message<'d, 't> {
    /// Its blocks without cache points.
    pub(super) fn said(&self) -> impl DoubleEndedIterator<Item = &Block<'d, 't>> {
        self.blocks.iter().filter(|block| block.kind != Kind::CachePoint)
    }
}

/// Neighbours of one role, by their places.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) role: Role,
    pub(super) messages: Range<usize>,
}

impl Turn {
    /// The blocks of the turn.
    pub(super) fn blocks<'m, 'd, 't>(
        &self,
        messages: &'m [Message<'d, 't>],
    ) -> impl DoubleEndedIterator<Item = &'m Block<'d, 't>> + Clone {
        let own = messages.get(self.messages.clone()).unwrap_or_default();
        own.iter().flat_map(|message| &message.blocks)
    }
}

/// Reads `messages`; what is not of the expected type reads as nothing.
pub(super) fn read<'d, 't>(messages: Option<Value<'d, 't>>) -> Vec<Message<'d, 't>> {
    let items = messages.into_iter().flat_map(Value::items).enumerate();
    items
        .map(|(index, value)| {
            let role = match value.get_str("role").as_deref() {
                Some("user") => Role::User,
                Some("assistant") => Role::Assistant,
                Some("system") => Role::System,
                Some(_) | None => Role::Other,
            };
            let content = value.get("content").into_iter().flat_map(Value::items).enumerate();
            let blocks = content.filter_map(|(at, value)| block(index, at, value)).collect();
            Message { index, role, value, blocks }
        })
        .collect()
}

/// A block, by its first member that is of a known kind, else by its first.
fn block<'d, 't>(message: usize, index: usize, value: Value<'d, 't>) -> Option<Block<'d, 't>> {
    let mut members = value.members().filter_map(|(key, inner)| Some((key.as_str()?, inner)));
    let first = members.next()?;
    let known = |(name, _): &(Cow<'_, str>, Value<'_, '_>)| Kind::of(name) != Kind::Other;
    let known = if known(&first) { None } else { members.find(known) };
    let (name, inner) = known.unwrap_or(first);
    Some(Block { message, index, kind: Kind::of(&name), name, value, inner })
}

/// The turns of a conversation.
pub(super) fn turns(messages: &[Message<'_, '_>]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for message in messages {
        match turns.last_mut() {
            Some(turn) if turn.role == message.role => turn.messages.end = message.index + 1,
            _ => {
                turns.push(Turn { role: message.role, messages: message.index..message.index + 1 })
            }
        }
    }
    turns
}
