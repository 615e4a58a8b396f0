//! Messages: what was said, and responses joined of their lines.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use json::{Kind, Text, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, Fact, FindingKind, Message, Rest, Role, Source as Speaker, Stop, StopKind, Usage,
};

use super::file::{Part, Session};
use super::line::Line;
use crate::anthropic::block::{API, BlockReader, PLATFORM, issuer};
use crate::anthropic::role_of;
use crate::report::Place;

/// A response that more lines may belong to.
pub(crate) struct Response {
    node: usize,
    request: Option<Text>,
}

impl Session {
    pub(super) fn user(&mut self, line: Line<'_, '_>, place: Place) -> usize {
        if line.compact_summary {
            return self.compact_summary(line, place);
        }
        if self.is_duplicate(&line, place) {
            return self.aside(line.kind.clone(), Some(line), place);
        }
        if line.transcript_only {
            self.report.keep_aside("user line visible in the transcript only", place);
            return self.aside(line.kind.clone(), Some(line), place);
        }
        let content = line.message.and_then(|message| message.get("content"));
        match content.and_then(|content| self.blocks(content, place)) {
            Some(blocks) => self.push(said(blocks), Part::View, Some(line), place),
            None => self.unread(line, place),
        }
    }

    pub(super) fn blocks(&mut self, content: Value<'_, '_>, place: Place) -> Option<Vec<Block>> {
        if content.items().nth(BLOCKS_MAX).is_some() {
            return None;
        }
        let issuer = Arc::clone(&self.issuer);
        let (names, report) = (&mut self.names, &mut self.report);
        BlockReader { issuer, names, report, place }.content(content)
    }

    pub(super) fn assistant(&mut self, line: Line<'_, '_>, place: Place) -> usize {
        if self.is_duplicate(&line, place) {
            return self.aside(line.kind.clone(), Some(line), place);
        }
        let message = line.message;
        let model = message.and_then(|message| message.get("model")).and_then(Value::to_text);
        if line.api_error || model.as_deref() == Some("<synthetic>") {
            // The harness's own words, in the model's place.
            self.report.keep_aside("assistant line made by the harness", place);
            return self.aside(line.kind.clone(), Some(line), place);
        }
        let model = model.unwrap_or_default();
        if self.issuer.model != model {
            self.issuer = issuer(PLATFORM.into(), model.clone());
        }
        let content = message.and_then(|message| message.get("content"));
        let blocks = content.and_then(|content| self.blocks(content, place));
        let (Some(message), Some(content), Some(blocks)) = (message, content, blocks) else {
            return self.unread(line, place);
        };
        let agent = line.agent.clone().filter(|_| line.sidechain);
        let id = message.get("id").and_then(Value::to_text).filter(|id| !id.is_empty());
        let key = id.map(|id| (agent, id));
        if let Some(node) = key.as_ref().and_then(|key| self.response(key, &line)) {
            return self.join(node, line, message, content, blocks, place);
        }
        let mut reply = Message::new(Role::Assistant, blocks);
        if !model.is_empty() {
            let platform = PLATFORM.into();
            reply.source = Some(Speaker::Model { platform, api: API.into(), model, account: None });
        }
        end_of(&mut reply, message, line.aborted);
        let request = line.request.clone();
        let fact = Fact::Message(Box::new(reply));
        let node = self.push(fact, Part::View, Some(line), place);
        if let Some(key) = key {
            self.remember_blocks(node, content);
            self.responses.insert(key, Response { node, request });
        }
        node
    }

    /// The response a line goes on with.
    pub(super) fn response(
        &self,
        key: &(Option<Text>, Text),
        line: &Line<'_, '_>,
    ) -> Option<usize> {
        let response = self.responses.get(key)?;
        let same = match (&response.request, &line.request) {
            (Some(left), Some(right)) => left == right,
            _ => true,
        };
        let node = self.nodes.get(response.node)?;
        (same && node.sidechain == line.sidechain).then_some(response.node)
    }

    fn remember_blocks(&mut self, node: usize, content: Value<'_, '_>) {
        for item in content.items() {
            self.blocks_seen.insert((node, hash(item.raw())));
        }
    }

    /// Adds the blocks of one more line to a response; what it repeats is taken once.
    fn join(
        &mut self,
        index: usize,
        line: Line<'_, '_>,
        message: Value<'_, '_>,
        content: Value<'_, '_>,
        blocks: Vec<Block>,
        place: Place,
    ) -> usize {
        let items: Vec<u64> = content.items().map(|item| hash(item.raw())).collect();
        let node = self.nodes.get_mut(index).map(|node| &mut node.entry.fact);
        let Some(Fact::Message(reply)) = node else { return self.unread(line, place) };
        if reply.blocks.len() + blocks.len() > BLOCKS_MAX {
            return self.unread(line, place);
        }
        for (at, block) in blocks.into_iter().enumerate() {
            // The hash is of the block's whole text; equal texts are equal blocks.
            if items.get(at).is_some_and(|hash| self.blocks_seen.contains(&(index, *hash))) {
                let detail = "a block of this response again, taken once";
                self.report.add(FindingKind::CollapsedBlock, place, detail);
            } else {
                reply.blocks.push(block);
            }
        }
        end_of(reply, message, line.aborted);
        self.remember_blocks(index, content);
        if let Some(uuid) = &line.uuid {
            self.ids.insert(uuid.as_str().into(), index);
        }
        index
    }

    pub(super) fn attachment(&mut self, line: Line<'_, '_>, place: Place) -> usize {
        let attachment = line.attachment;
        let kind = attachment.and_then(|attachment| attachment.get_str("type")).unwrap_or_default();
        let prompt = attachment.and_then(|attachment| attachment.get("prompt"));
        if kind == "queued_command"
            && !self.is_duplicate(&line, place)
            && let Some(blocks) = prompt.and_then(|prompt| self.blocks(prompt, place))
        {
            return self.push(said(blocks), Part::View, Some(line), place);
        }
        self.report.keep_aside(&format!("attachment {kind}"), place);
        self.aside(line.kind.clone(), Some(line), place)
    }
}

/// Something said on the user's side.
pub(crate) fn said(blocks: Vec<Block>) -> Fact {
    let role = role_of(Role::User, &blocks);
    let mut message = Message::new(role, blocks);
    message.source = if role == Role::Tool {
        let alone = message.blocks.first().filter(|_| message.blocks.len() == 1);
        let result = alone.and_then(Block::as_tool_result);
        result.map(|result| Speaker::Tool { call_id: result.tool_use_id.clone() })
    } else {
        Some(Speaker::User)
    };
    Fact::Message(Box::new(message))
}

/// Usage and stop reason: each line of a response repeats them, the last one knows best.
fn end_of(reply: &mut Message, message: Value<'_, '_>, aborted: bool) {
    reply.interrupted |= aborted;
    if let Some(usage) = message.get("usage").filter(|usage| usage.kind() == Kind::Object) {
        let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
        reply.usage = Some(Usage {
            input_tokens: count("input_tokens"),
            output_tokens: count("output_tokens"),
            cache_creation_input_tokens: count("cache_creation_input_tokens"),
            cache_read_input_tokens: count("cache_read_input_tokens"),
        });
    }
    if let Some(native) = message.get("stop_reason").and_then(Value::to_text) {
        let kind = match native.as_str() {
            "tool_use" => StopKind::ToolCalls,
            "max_tokens" | "model_context_window_exceeded" => StopKind::MaxTokens,
            "refusal" => StopKind::Error,
            _ => StopKind::Stop,
        };
        let (failure, rest) = (None, Rest::default());
        let dropped_calls = Vec::new();
        reply.stop = Some(Stop { kind, native: Some(native), failure, dropped_calls, rest });
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
