//! The messages of a body as a flat list, and whether they are messages at all.

use std::borrow::Cow;

use json::{Kind, Value};

use super::Body;
use super::verdict::Verdict;
use crate::openai_chat::vendors::Takes;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    System,
    Developer,
    User,
    Assistant,
    Tool,
    Function,
    Other,
}

impl Role {
    /// System or developer.
    pub(super) fn instructs(self) -> bool {
        matches!(self, Role::System | Role::Developer)
    }

    /// The word on the wire; empty for a role nobody knows.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::Developer => "developer",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::Function => "function",
            Role::Other => "",
        }
    }
}

/// One message.
pub(super) struct Message<'d, 't> {
    pub(super) value: Value<'d, 't>,
    pub(super) role: Role,
    /// Index in `messages`.
    pub(super) index: usize,
}

impl<'d, 't> Message<'d, 't> {
    /// `messages[N]` and what follows.
    pub(super) fn path(&self, rest: &str) -> String {
        format!("messages[{}]{rest}", self.index)
    }

    /// The member, unless it is null.
    pub(super) fn get(&self, name: &str) -> Option<Value<'d, 't>> {
        self.value.get(name).filter(|value| !value.is_null())
    }

    /// The parts of its content, with their indices; none of string content.
    pub(super) fn parts(&self) -> impl Iterator<Item = (usize, Value<'d, 't>)> {
        self.get("content").into_iter().flat_map(|content| content.items()).enumerate()
    }

    /// Its calls with their indices.
    pub(super) fn calls(&self) -> impl Iterator<Item = (usize, Value<'d, 't>)> {
        self.get("tool_calls").into_iter().flat_map(|calls| calls.items()).enumerate()
    }

    /// Whether it is an assistant's with at least one call.
    pub(super) fn has_calls(&self) -> bool {
        self.role == Role::Assistant && self.calls().next().is_some()
    }

    /// Whether a flag of this name is set.
    pub(super) fn has_flag(&self, name: Option<&str>) -> bool {
        let flag = name.and_then(|name| self.value.get(name)).and_then(Value::as_bool);
        flag == Some(true)
    }
}

/// The `type` of a part.
pub(super) fn kind<'t>(part: Value<'_, 't>) -> Cow<'t, str> {
    part.get_str("type").unwrap_or_default()
}

/// Reads `messages`; what is not of the expected type reads as nothing.
pub(super) fn read<'d, 't>(messages: Option<Value<'d, 't>>) -> Vec<Message<'d, 't>> {
    let items = messages.into_iter().flat_map(|messages| messages.items()).enumerate();
    items
        .map(|(index, value)| {
            let role = match value.get_str("role").as_deref() {
                Some("system") => Role::System,
                Some("developer") => Role::Developer,
                Some("user") => Role::User,
                Some("assistant") => Role::Assistant,
                Some("tool") => Role::Tool,
                Some("function") => Role::Function,
                Some(_) | None => Role::Other,
            };
            Message { value, role, index }
        })
        .collect()
}

/// The kind of a value, as errors name it.
pub(super) fn named(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "a boolean",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
    }
}

/// C-033.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let path = "messages".to_owned();
    let at = body.root.offset();
    match body.root.get("messages") {
        None => {
            let words = "Missing required parameter: 'messages'.".to_owned();
            verdict.say(Takes::No, "C-033", path, at, words);
        }
        Some(messages) if messages.kind() != Kind::Array => {
            let actual = named(messages.kind());
            let words = format!(
                "Invalid type for 'messages': expected an array of objects, but got {actual} \
                 instead."
            );
            verdict.say(Takes::No, "C-033", path, messages.offset(), words);
        }
        Some(messages) if body.messages.is_empty() => {
            verdict.refuse("C-033", path, messages.offset(), &[]);
        }
        Some(_) => body.messages.iter().for_each(|message| role(message, verdict)),
    }
}

fn role(message: &Message<'_, '_>, verdict: &mut Verdict) {
    if message.role != Role::Other {
        return;
    }
    let path = message.path(".role");
    let words = match message.value.get_str("role") {
        Some(role) => format!(
            "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', \
             'function', 'tool', and 'developer'."
        ),
        None => format!("Missing required parameter: '{path}'."),
    };
    verdict.say(Takes::No, "C-033", path, message.value.offset(), words);
}
