//! Messages as this API and its vendors write them, read.

use std::sync::Arc;

use assemble::openai_chat::message::{self, KNOWN};
use json::{Kind, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, FindingKind, Image, Issuer, Message, OpaqueBlock, Rest, ResultPart, Role, Source,
    ToolResult,
};

use super::API;
use super::image::image_of;
use crate::anthropic::block::CallNames;
use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::one_line;

/// Reads the blocks of one message.
pub(crate) struct MessageReader<'r> {
    pub(crate) issuer: Arc<Issuer>,
    pub(crate) names: &'r mut CallNames,
    pub(crate) report: &'r mut Report,
    pub(crate) place: Place,
}

impl MessageReader<'_> {
    /// A message; `None` where its role or its content is none that is known.
    pub(crate) fn message(&mut self, value: Value<'_, '_>) -> Option<Message> {
        let content = value.get("content");
        let mut message = match &*value.get_str("role")? {
            "user" => Message::new(Role::User, self.content(content)?),
            "system" | "developer" => Message::new(Role::System, self.content(content)?),
            "assistant" => {
                let blocks = self.assistant(value)?;
                reply(&self.issuer, blocks)
            }
            "tool" | "function" => {
                let result = self.result(value)?;
                let source = Some(Source::Tool { call_id: result.tool_use_id.clone() });
                let mut message = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
                message.source = source;
                return Some(message);
            }
            _ => return None,
        };
        message.author = value.get("name").and_then(Value::to_text);
        message.rest = rest_of(value, &KNOWN);
        Some(message)
    }

    /// The blocks of a content; `None` where it is neither a string nor an array.
    pub(crate) fn content(&mut self, content: Option<Value<'_, '_>>) -> Option<Vec<Block>> {
        let Some(content) = content.filter(|content| !content.is_null()) else {
            return Some(Vec::new());
        };
        match content.kind() {
            Kind::String => {
                let text = content.to_text()?;
                Some(if text.is_empty() { Vec::new() } else { vec![Block::text(text)] })
            }
            Kind::Array if content.items().nth(BLOCKS_MAX).is_none() => {
                Some(content.items().map(|part| self.part(part)).collect())
            }
            _ => None,
        }
    }

    /// What an assistant message holds: its reasoning, its words, its calls.
    pub(crate) fn assistant(&mut self, message: Value<'_, '_>) -> Option<Vec<Block>> {
        let mut blocks = message::thoughts(message, &self.issuer);
        blocks.extend(self.content(message.get("content"))?);
        if let Some(text) = message.get("refusal").and_then(Value::to_text) {
            blocks.push(message::refusal(text, Rest::default()));
        }
        let calls = message::calls(message, &self.issuer);
        for call in calls.iter().filter_map(Block::as_tool_use) {
            if !call.id.is_empty() {
                self.names.insert(call.id.clone(), call.name.clone());
            }
        }
        blocks.extend(calls);
        (blocks.len() <= BLOCKS_MAX).then_some(blocks)
    }

    /// A message of the roles `tool` and `function`.
    pub(crate) fn result(&mut self, message: Value<'_, '_>) -> Option<ToolResult> {
        let text = |name: &str| message.get(name).and_then(Value::to_text);
        let content = match message.get("content") {
            Some(content) if content.kind() == Kind::String => {
                let text = content.to_text().filter(|text| !text.is_empty());
                text.map(ResultPart::Text).into_iter().collect()
            }
            Some(content) if content.kind() == Kind::Array => {
                content.items().map(|part| self.result_part(part)).collect()
            }
            Some(content) if !content.is_null() => return None,
            Some(_) | None => Vec::new(),
        };
        let tool_use_id = text("tool_call_id").unwrap_or_default();
        let tool_name = text("name").or_else(|| self.names.get(&tool_use_id).cloned());
        Some(ToolResult {
            tool_use_id,
            tool_name: tool_name.unwrap_or_default(),
            content,
            is_error: false,
            rest: rest_of(message, &["role", "content", "tool_call_id", "name"]),
        })
    }

    fn part(&mut self, part: Value<'_, '_>) -> Block {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "text" | "refusal" | "thinking" => message::part(part, &self.issuer),
            "image_url" => self.image(part).map(Block::Image),
            _ => return Block::Opaque(message::native(kind, part, &self.issuer)),
        };
        read.unwrap_or_else(|| {
            let name = kind.as_str();
            self.unread(format!("a part {name:?} of an unknown shape is kept as it is"));
            Block::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        })
    }

    fn result_part(&mut self, part: Value<'_, '_>) -> ResultPart {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "text" => part.get("text").and_then(Value::to_text).map(ResultPart::Text),
            "image_url" => self.image(part).map(ResultPart::Image),
            _ => None,
        };
        read.unwrap_or_else(|| ResultPart::Opaque(message::native(kind, part, &self.issuer)))
    }

    fn image(&mut self, part: Value<'_, '_>) -> Option<Image> {
        let image_url = part.get("image_url")?;
        let (holder, url) = match image_url.get("url") {
            Some(url) => (image_url, url),
            None => (part, image_url),
        };
        let known = ["url", "image_url", "text", "cache_control"];
        Some(image_of(&url.to_text()?, holder, &known, self.report, self.place))
    }

    fn unread(&mut self, detail: String) {
        self.report.add(FindingKind::UnreadField, self.place, detail);
    }
}

fn reply(issuer: &Issuer, blocks: Vec<Block>) -> Message {
    let mut message = Message::new(Role::Assistant, blocks);
    if !issuer.model.is_empty() {
        message.source = Some(Source::Model {
            platform: issuer.platform.clone(),
            api: API.into(),
            model: issuer.model.clone(),
            account: None,
        });
    }
    message
}
