//! Items of a rollout: the rows they belong to.

use std::sync::Arc;

use json::{Text, Value, canonical};
use record::limits::BLOCKS_MAX;
use record::{Block, Fact, FindingKind, Message, Role, Source as Speaker};

use super::rollout::{Response, Rollout, hash};
use crate::openai_responses::{API, ItemReader};
use crate::report::Place;
use crate::rest::rest_of;

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
            ("message" | "", Some("assistant")) => self.items(place).speech(item),
            ("message" | "", Some(_)) => return self.said(item, time, place),
            ("agent_message", _) => return self.told(item, time, place),
            ("reasoning", _) => Some(vec![self.items(place).reasoning(item)]),
            ("tool_search_call", _) if server => {
                Some(vec![self.items(place).native(kind.clone(), item)])
            }
            ("function_call" | "custom_tool_call" | "tool_call", _)
            | ("tool_search_call" | "local_shell_call", _) => self.items(place).call(&kind, item),
            ("tool_search_output", _) if server => {
                Some(vec![self.items(place).native(kind.clone(), item)])
            }
            ("function_call_output" | "custom_tool_call_output" | "tool_search_output", _)
            | ("local_shell_call_output" | "tool_result" | "function_result", _) => {
                return self.result(kind, item, time, place);
            }
            ("ghost_snapshot" | "other", _) => return self.aside(kind, time, place),
            ("compaction" | "compaction_summary" | "context_compaction", _) => {
                Some(vec![self.items(place).native(kind.clone(), item)])
            }
            (name, _) if name.ends_with("_call") => {
                Some(vec![self.items(place).native(kind.clone(), item)])
            }
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
        let Some(blocks) = self.items(place).parts(content) else {
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
        let blocks = item.get("content").and_then(|content| self.items(place).parts(content));
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

    fn result(
        &mut self,
        kind: Text,
        item: Value<'_, '_>,
        time: Option<Text>,
        place: Place,
    ) -> usize {
        let result = self.items(place).result(&kind, item);
        let call_id = result.tool_use_id.clone();
        if let Some(open) = &mut self.response
            && let Some(answered) = open.calls.iter().position(|call| *call == call_id)
        {
            open.calls.remove(answered);
        }
        let mut message = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
        message.source = Some(Speaker::Tool { call_id });
        self.view(Fact::Message(Box::new(message)), time, place)
    }

    /// Reads the blocks of an item.
    fn items(&mut self, place: Place) -> ItemReader<'_> {
        let issuer = Arc::clone(&self.issuer);
        ItemReader { issuer, names: &mut self.names, report: &mut self.report, place }
    }
}

fn is_context(blocks: &[Block]) -> bool {
    let first = blocks.first().and_then(Block::as_text);
    first.is_some_and(|first| CONTEXT.iter().any(|opening| first.text.starts_with(opening)))
}
