//! Items of the Responses API: what was said, called and given, as blocks.

use std::sync::Arc;

use json::{Kind, Raw, Text, Value, canonical};
use record::limits::BLOCKS_MAX;
use record::{
    Block, Fact, FindingKind, Image, Input, Message, OpaqueBlock, Proof, ProofKind, Reasoning,
    Rest, ResultPart, Role, Source as Speaker, TextBlock, ToolResult, ToolUse,
};

use super::rollout::{Response, Rollout, hash};
use super::{API, ITEM};
use crate::openai_chat::image_of;
use crate::report::Place;
use crate::rest::rest_of;
use crate::source::one_line;

/// How texts begin that the harness says on the person's side.
const CONTEXT: [&str; 6] = [
    "# AGENTS.md instructions",
    "<environment_context>",
    "<skill>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_instructions>",
];

impl Rollout {
    /// Reads one item and returns the entry it belongs to.
    pub(super) fn item(&mut self, item: Value<'_, '_>, time: Option<Text>, place: Place) -> usize {
        let kind = item.get("type").and_then(Value::to_text).unwrap_or_default();
        let role = item.get_str("role");
        let server = item.get("execution").is_some_and(|value| value.is_str("server"));
        let blocks = match (&*kind, role.as_deref()) {
            ("message" | "", Some("assistant")) => self.speech(item, place),
            ("message" | "", Some(_)) => return self.said(item, time, place),
            ("agent_message", _) => return self.told(item, time, place),
            ("reasoning", _) => Some(vec![self.reasoning(item)]),
            ("tool_search_call", _) if server => Some(vec![self.native(kind.clone(), item)]),
            ("function_call" | "custom_tool_call" | "tool_call", _)
            | ("tool_search_call" | "local_shell_call", _) => self.call(&kind, item, place),
            ("tool_search_output", _) if server => Some(vec![self.native(kind.clone(), item)]),
            ("function_call_output" | "custom_tool_call_output" | "tool_search_output", _)
            | ("local_shell_call_output" | "tool_result" | "function_result", _) => {
                return self.result(kind, item, time, place);
            }
            ("ghost_snapshot" | "other", _) => return self.aside(kind, time, place),
            ("compaction" | "compaction_summary" | "context_compaction", _) => {
                Some(vec![self.native(kind.clone(), item)])
            }
            (name, _) if name.ends_with("_call") => Some(vec![self.native(kind.clone(), item)]),
            (name, _) => {
                self.report.keep_aside(&format!("unknown item {name:?}"), place);
                return self.aside(kind, time, place);
            }
        };
        let Some(blocks) = blocks else { return self.unread(kind, time, place) };
        let entry = self.reply(blocks, time, place);
        if let Some(content) = item.get("content") {
            self.remember(content, entry);
        }
        entry
    }

    fn unread(&mut self, kind: Text, time: Option<Text>, place: Place) -> usize {
        let name = kind.as_str();
        let detail = format!("an item {name:?} that cannot be read is kept as it is");
        self.report.add(FindingKind::UnreadField, place, detail);
        self.aside(kind, time, place)
    }

    /// Adds blocks to the open reply, or begins one.
    fn reply(&mut self, blocks: Vec<Block>, time: Option<Text>, place: Place) -> usize {
        let calls = blocks.iter().filter_map(Block::as_tool_use).map(|call| call.id.clone());
        let calls: Vec<Text> = calls.collect();
        let open = self.response.take().filter(|open| !open.has_calls || !open.calls.is_empty());
        if let Some(mut open) = open
            && let Some(Fact::Message(reply)) =
                self.entries.get_mut(open.entry).map(|entry| &mut entry.fact)
            && reply.blocks.len() + blocks.len() <= BLOCKS_MAX
        {
            reply.blocks.extend(blocks);
            open.has_calls |= !calls.is_empty();
            open.calls.extend(calls);
            let entry = open.entry;
            self.response = Some(open);
            return entry;
        }
        let mut reply = Message::new(Role::Assistant, blocks);
        if !self.issuer.model.is_empty() {
            reply.source = Some(Speaker::Model {
                platform: self.issuer.platform.clone(),
                api: API.into(),
                model: self.issuer.model.clone(),
                account: None,
            });
        }
        let entry = self.view(Fact::Message(Box::new(reply)), time, place);
        self.response = Some(Response { entry, has_calls: !calls.is_empty(), calls });
        self.reply = Some(entry);
        entry
    }

    /// Something said on the person's side, or by the operator.
    fn said(&mut self, item: Value<'_, '_>, time: Option<Text>, place: Place) -> usize {
        let kind = item.get("role").and_then(Value::to_text).unwrap_or_default();
        let role = match &*kind {
            "user" => Role::User,
            "developer" | "system" => Role::System,
            _ => return self.unread(kind, time, place),
        };
        let Some(content) = item.get("content") else { return self.unread(kind, time, place) };
        let Some(blocks) = self.parts(content, place) else {
            return self.unread(kind, time, place);
        };
        let mut message = Message::new(role, blocks);
        if role == Role::User {
            message.source = Some(if is_context(&message.blocks) {
                Speaker::Runtime { what: "context".into() }
            } else {
                Speaker::User
            });
        }
        message.rest = rest_of(item, &["role", "content"]);
        self.response = None;
        let entry = self.view(Fact::Message(Box::new(message)), time, place);
        self.remember(content, entry);
        if role == Role::User {
            self.was_said(hash(&canonical::of(content)), entry);
        }
        entry
    }

    /// What another agent wrote to this one.
    fn told(&mut self, item: Value<'_, '_>, time: Option<Text>, place: Place) -> usize {
        let blocks = item.get("content").and_then(|content| self.parts(content, place));
        let Some(blocks) = blocks else { return self.unread("agent_message".into(), time, place) };
        let mut message = Message::new(Role::User, blocks);
        message.source = Some(Speaker::Runtime { what: "agent_message".into() });
        message.author = item.get("author").and_then(Value::to_text);
        message.rest = rest_of(item, &["author", "content"]);
        self.response = None;
        self.view(Fact::Message(Box::new(message)), time, place)
    }

    /// The texts of a message, so that events that show them are known.
    fn remember(&mut self, content: Value<'_, '_>, entry: usize) {
        let mut all = content.as_str().unwrap_or_default().into_owned();
        for part in content.items() {
            if let Some(text) = part.get_str("text") {
                all.push_str(&text);
                self.texts.insert(hash(&text), entry);
            }
        }
        self.texts.insert(hash(&all), entry);
    }

    /// What the model said. Members of the item beyond its content stand on its first block.
    fn speech(&mut self, item: Value<'_, '_>, place: Place) -> Option<Vec<Block>> {
        let mut blocks = self.parts(item.get("content")?, place)?;
        let proof = self.item_id(item);
        for (index, block) in blocks.iter_mut().enumerate() {
            let Block::Text(text) = block else { continue };
            text.proof.clone_from(&proof);
            if index == 0 {
                for (name, value) in rest_of(item, &["role", "content"]).iter() {
                    text.rest.push(name.clone(), value.clone());
                }
            }
        }
        Some(blocks)
    }

    fn parts(&mut self, content: Value<'_, '_>, place: Place) -> Option<Vec<Block>> {
        match content.kind() {
            Kind::String => {
                let text = content.to_text()?;
                Some(if text.is_empty() { Vec::new() } else { vec![Block::text(text)] })
            }
            Kind::Array if content.items().nth(BLOCKS_MAX).is_none() => {
                Some(content.items().map(|part| self.part(part, place)).collect())
            }
            _ => None,
        }
    }

    fn part(&mut self, part: Value<'_, '_>, place: Place) -> Block {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let text = |name: &str| part.get(name).and_then(Value::to_text);
        let read = match &*kind {
            "input_text" | "output_text" | "text" => text("text").map(|text| {
                Block::Text(TextBlock { text, proof: None, rest: rest_of(part, &["text"]) })
            }),
            "refusal" => text("refusal").map(|text| {
                let mut rest = rest_of(part, &["refusal"]);
                rest.push(ITEM.into(), Raw::string(&kind));
                Block::Text(TextBlock { text, proof: None, rest })
            }),
            "input_image" => self.image(part, place).map(Block::Image),
            _ => return self.native(kind, part),
        };
        read.unwrap_or_else(|| {
            let name = kind.as_str();
            let detail = format!("a part {name:?} of an unknown shape is kept as it is");
            self.report.add(FindingKind::UnreadField, place, detail);
            Block::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        })
    }

    fn image(&mut self, part: Value<'_, '_>, place: Place) -> Option<Image> {
        let url = part.get("image_url")?.to_text()?;
        Some(image_of(&url, part, &["image_url"], &mut self.report, place))
    }

    fn result_part(&mut self, part: Value<'_, '_>, place: Place) -> ResultPart {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "input_text" | "output_text" | "text" => {
                part.get("text").and_then(Value::to_text).map(ResultPart::Text)
            }
            "input_image" => self.image(part, place).map(ResultPart::Image),
            _ => None,
        };
        read.unwrap_or_else(|| {
            ResultPart::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        })
    }

    /// A thought: its text as far as it was shown, sealed where it was encrypted.
    fn reasoning(&mut self, item: Value<'_, '_>) -> Block {
        let texts = |name: &str| {
            let parts = item.get(name).into_iter().flat_map(Value::items);
            let texts: Vec<String> =
                parts.filter_map(|part| Some(part.get_str("text")?.into_owned())).collect();
            texts.join("\n\n")
        };
        let full = texts("content");
        let reasoning = if full.is_empty() { texts("summary") } else { full };
        let sealed = item.get("encrypted_content").filter(|sealed| sealed.kind() == Kind::String);
        let mut rest = rest_of(item, &["encrypted_content"]);
        let proof = match sealed {
            Some(sealed) => {
                if let Some(id) = item.get("id") {
                    rest.push("id".into(), one_line(id));
                }
                Some(self.proof(ProofKind::Encrypted, one_line(sealed)))
            }
            None => self.item_id(item),
        };
        Block::Reasoning(Reasoning { reasoning: reasoning.into(), proof, rest })
    }

    fn call(&mut self, kind: &str, item: Value<'_, '_>, place: Place) -> Option<Vec<Block>> {
        let text = |name: &str| item.get(name).and_then(Value::to_text);
        let function = item.get("function").and_then(|function| function.get("name"));
        let name = match kind {
            "local_shell_call" => "local_shell".into(),
            "tool_search_call" => "tool_search".into(),
            _ => text("name").or(function.and_then(Value::to_text))?,
        };
        let input = item.get("arguments").or(item.get("input")).or(item.get("action"));
        let input = match input {
            Some(input) if input.kind() == Kind::String => Input::new(input.to_text()?),
            Some(input) if !input.is_null() => Input::of_value(input),
            Some(_) | None => Input::new(Text::default()),
        };
        let id = match text("call_id").or_else(|| text("id").filter(|_| kind != "function_call")) {
            Some(id) => id,
            None => {
                let detail = "a call has no call_id; it is taken as empty";
                self.report.add(FindingKind::UnreadField, place, detail);
                Text::default()
            }
        };
        if !id.is_empty() {
            self.names.insert(id.clone(), name.clone());
        }
        const KNOWN: [&str; 6] = ["call_id", "name", "arguments", "input", "action", "function"];
        let mut rest = rest_of(item, &KNOWN);
        mark(&mut rest, kind, "function_call");
        let proof = self.item_id(item);
        Some(vec![Block::ToolUse(ToolUse { id, name, input, proof, rest })])
    }

    fn result(
        &mut self,
        kind: Text,
        item: Value<'_, '_>,
        time: Option<Text>,
        place: Place,
    ) -> usize {
        let text = |name: &str| item.get(name).and_then(Value::to_text);
        let output = item.get("output").or(item.get("result")).or(item.get("tools"));
        let call_id = text("call_id").unwrap_or_else(|| {
            let detail = "a result has no call_id; it is taken as empty";
            self.report.add(FindingKind::UnreadField, place, detail);
            Text::default()
        });
        let failed = output.and_then(|output| output.get("success")).and_then(Value::as_bool);
        let tool_name = self.names.get(&call_id).cloned().or_else(|| text("name"));
        let mut rest = rest_of(item, &["call_id", "output", "result", "tools"]);
        mark(&mut rest, &kind, "function_call_output");
        let result = ToolResult {
            tool_use_id: call_id.clone(),
            tool_name: tool_name.unwrap_or_default(),
            content: output.map(|output| self.output(output, place)).unwrap_or_default(),
            is_error: failed == Some(false),
            rest,
        };
        if let Some(open) = &mut self.response
            && let Some(answered) = open.calls.iter().position(|call| *call == call_id)
        {
            open.calls.remove(answered);
        }
        let mut message = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
        message.source = Some(Speaker::Tool { call_id });
        self.view(Fact::Message(Box::new(message)), time, place)
    }

    /// What a call returned: a string, parts, or (in older files) an object around them.
    fn output(&mut self, output: Value<'_, '_>, place: Place) -> Vec<ResultPart> {
        let is_part = |part: Value<'_, '_>| {
            part.get("type").is_some_and(|kind| {
                ["input_text", "input_image", "output_text", "text"]
                    .iter()
                    .any(|name| kind.is_str(name))
            })
        };
        match output.kind() {
            Kind::Null => Vec::new(),
            Kind::String => {
                let text = output.to_text().filter(|text| !text.is_empty());
                text.map(ResultPart::Text).into_iter().collect()
            }
            Kind::Array if output.items().all(is_part) => {
                output.items().map(|part| self.result_part(part, place)).collect()
            }
            Kind::Object if is_part(output) => vec![self.result_part(output, place)],
            Kind::Object if output.get("content").is_some() && output.get("success").is_some() => {
                output.get("content").map(|content| self.output(content, place)).unwrap_or_default()
            }
            Kind::Array | Kind::Object | Kind::Bool | Kind::Number => {
                vec![ResultPart::Text(Raw::compact(output).as_str().into())]
            }
        }
    }

    fn item_id(&self, item: Value<'_, '_>) -> Option<Box<Proof>> {
        let id = item.get("id").filter(|id| id.kind() == Kind::String && id.raw() != "\"\"")?;
        Some(self.proof(ProofKind::ItemId, one_line(id)))
    }

    fn proof(&self, kind: ProofKind, sealed: Raw) -> Box<Proof> {
        Box::new(Proof { issuer: Arc::clone(&self.issuer), kind, version: 1, sealed })
    }

    /// A block that only its provider can read; it is its own proof.
    fn native(&self, kind: Text, value: Value<'_, '_>) -> Block {
        let proof = Some(self.proof(ProofKind::Native, Raw::string(&Text::default())));
        Block::Opaque(OpaqueBlock { kind, raw: one_line(value), proof })
    }
}

/// Names the item a block came from, where it is not the usual one.
fn mark(rest: &mut Rest, kind: &str, usual: &str) {
    if kind != usual {
        rest.push(ITEM.into(), Raw::string(&kind.into()));
    }
}

fn is_context(blocks: &[Block]) -> bool {
    let first = blocks.first().and_then(Block::as_text);
    first.is_some_and(|first| CONTEXT.iter().any(|opening| first.text.starts_with(opening)))
}
