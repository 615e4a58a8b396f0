//! Lines and messages as the readers of harnesses put them together.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Text, Value};
use record::limits::BLOCKS_MAX;
use record::{Block, Issuer, Message, ResultPart, Role, Source as Speaker, ToolResult};

use crate::chain::{Line, Link};
use crate::report::Place;

/// A line that says no more than its id and time.
pub(super) fn line_of(id: Option<Text>, time: Option<Text>, place: Place) -> Line {
    Line { id, link: Link::FileOrder, time, lane: None, place }
}

/// A member's text.
pub(super) fn text(value: Value<'_, '_>, name: &str) -> Option<Text> {
    value.get(name).and_then(Value::to_text)
}

/// Whether a list is longer than a message may be.
pub(super) fn is_long(list: Value<'_, '_>) -> bool {
    list.items().nth(BLOCKS_MAX).is_some()
}

/// What a person said.
pub(super) fn said(blocks: Vec<Block>) -> Message {
    let mut said = Message::new(crate::anthropic::role_of(Role::User, &blocks), blocks);
    if said.role == Role::User {
        said.source = Some(Speaker::User);
    }
    said
}

/// What the harness said on the user's side.
pub(super) fn told(blocks: Vec<Block>, what: &str) -> Message {
    let mut told = Message::new(Role::User, blocks);
    told.source = Some(Speaker::Runtime { what: what.into() });
    told
}

/// What a model said.
pub(super) fn reply(blocks: Vec<Block>, issuer: &Issuer) -> Message {
    let mut reply = Message::new(Role::Assistant, blocks);
    if !issuer.model.is_empty() {
        let Issuer { platform, api, model, .. } = issuer.clone();
        reply.source = Some(Speaker::Model { platform, api, model, account: None });
    }
    reply
}

/// What a tool returned.
pub(super) fn returned(result: ToolResult) -> Message {
    Message::new(Role::Tool, vec![Block::ToolResult(result)])
}

/// A block as a part of a result.
pub(super) fn result_part(block: Block) -> Option<ResultPart> {
    match block {
        Block::Text(text) => Some(ResultPart::Text(text.text)),
        Block::Image(image) => Some(ResultPart::Image(image)),
        Block::Opaque(block) => Some(ResultPart::Opaque(block)),
        Block::ToolUse(_) | Block::ToolResult(_) | Block::Reasoning(_) | Block::SystemChange(_) => {
            None
        }
    }
}
