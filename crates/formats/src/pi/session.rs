//! Lines read into nodes.

use std::collections::{HashMap, HashSet};

use json::{Doc, Kind, Object, Raw, Text, Value};
use record::limits::BLOCKS_MAX;
use record::message::DroppedCall;
use record::{
    Block, Compaction, CompactionKind, Fact, FindingKind, Message, MessageKind, Record, Rest, Role,
    Source as Speaker, Stop, StopKind, ToolResult, Usage,
};

use super::block::{BlockReader, issuer};
use super::wording;
use crate::Format;
use crate::chain::{self, Chain, Line, Link};
use crate::report::{Place, Report};
use crate::source::one_line;

/// Line types that were never shown to a model.
const BOOKKEEPING: [&str; 6] =
    ["session", "model_change", "thinking_level_change", "custom", "label", "session_info"];

/// What a compaction says it kept from.
enum KeptFrom {
    /// The line of this id.
    Id(Text),
    /// The line at this place among those that parse: version 1.
    Index(u64),
}

/// A session file being read.
pub(crate) struct Session {
    chain: Chain,
    title: Option<String>,
    /// The id of the session the file begins with.
    session: Option<Text>,
    /// Every line that is an object, in file order.
    objects: Vec<usize>,
    kept: Vec<(usize, KeptFrom)>,
    /// Replies that were cut.
    cut: Vec<usize>,
    /// Names of calls by id.
    names: HashMap<Text, Text>,
    /// Ids of calls that have a result.
    answered: HashSet<Text>,
}

impl chain::Links for Session {
    fn chain(&mut self) -> &mut Chain {
        &mut self.chain
    }

    fn is_line(root: Value<'_, '_>) -> bool {
        root.get("type").is_some()
    }

    fn line(&mut self, root: Value<'_, '_>, place: Place) -> usize {
        let text = |name: &str| root.get(name).and_then(Value::to_text);
        let link = Link::of(root.get("parentId"));
        let line = Line { id: text("id"), link, time: text("timestamp"), lane: None, place };
        let kind = text("type").unwrap_or_default();
        let node = match &*kind {
            "message" => match root.get("message") {
                Some(message) => self.message(message, line),
                None => self.unread(kind, line),
            },
            "custom_message" => self.injected(root, line),
            "branch_summary" => self.branch_summary(root, line),
            "compaction" => self.compaction(root, line),
            _ => {
                if &*kind == "session" {
                    self.begins(text("id").unwrap_or_default(), place);
                }
                if &*kind == "session_info" {
                    self.title = root.get_str("name").map(|name| name.into_owned());
                }
                if !BOOKKEEPING.contains(&&*kind) {
                    let detail = format!("unknown type {:?}", &*kind);
                    self.chain.report.keep_aside(&detail, place);
                }
                self.chain.aside(kind, line)
            }
        };
        self.objects.push(node);
        node
    }
}

impl Session {
    pub(crate) fn new(file: &str) -> Session {
        Session {
            chain: Chain::new(file, Format::Pi),
            title: None,
            session: None,
            objects: Vec::new(),
            kept: Vec::new(),
            cut: Vec::new(),
            names: HashMap::new(),
            answered: HashSet::new(),
        }
    }

    /// The record, once every line was read.
    pub(crate) fn finish(mut self) -> (Record, Report, Option<String>) {
        self.drop_calls_that_were_cut();
        self.chain.place();
        self.resolve_kept();
        let (record, report) = self.chain.into_record();
        (record, report, self.title)
    }

    /// A session begins here; a second one in the file is another conversation.
    fn begins(&mut self, id: Text, place: Place) {
        if self.session.get_or_insert_with(|| id.clone()) != &id {
            let detail = format!("session {:?} begins here, as a branch of its own", &*id);
            self.chain.report.add(FindingKind::SeveralConversations, place, detail);
        }
    }

    fn message(&mut self, message: Value<'_, '_>, line: Line) -> usize {
        let role = message.get("role").and_then(Value::to_text).unwrap_or_default();
        if self.chain.is_duplicate(&line) {
            return self.chain.aside("message".into(), line);
        }
        match &*role {
            "user" => self.said(message, Speaker::User, line),
            "assistant" => self.reply(message, line),
            "toolResult" => self.result(message, line),
            "bashExecution" => self.bash_execution(message, line),
            "custom" | "hookMessage" => self.injected(message, line),
            _ => {
                let detail = format!("message of role {:?}", &*role);
                self.chain.report.keep_aside(&detail, line.place);
                self.chain.aside("message".into(), line)
            }
        }
    }

    fn unread(&mut self, kind: Text, line: Line) -> usize {
        let detail = format!("{kind} line without content that can be read");
        self.chain.report.add(FindingKind::UnreadField, line.place, detail);
        self.chain.aside(kind, line)
    }

    fn blocks(&mut self, message: Value<'_, '_>, place: Place) -> Option<Vec<Block>> {
        let content = message.get("content")?;
        if content.items().nth(BLOCKS_MAX).is_some() {
            return None;
        }
        let report = &mut self.chain.report;
        BlockReader { issuer: issuer(message), report, place }.content(content)
    }

    /// Something said on the user's side.
    fn said(&mut self, message: Value<'_, '_>, source: Speaker, line: Line) -> usize {
        match self.blocks(message, line.place) {
            Some(blocks) => {
                let mut said = Message::new(Role::User, blocks);
                said.source = Some(source);
                self.chain.view(Fact::Message(Box::new(said)), line)
            }
            None => self.unread("message".into(), line),
        }
    }

    /// What an extension said to the model.
    fn injected(&mut self, message: Value<'_, '_>, line: Line) -> usize {
        let what = message.get("customType").and_then(Value::to_text).unwrap_or_default();
        self.said(message, Speaker::Runtime { what }, line)
    }

    fn told(&mut self, text: String, what: &str, line: Line) -> usize {
        let mut told = Message::new(Role::User, vec![Block::text(text)]);
        told.source = Some(match what {
            "bashExecution" => Speaker::User,
            what => Speaker::Runtime { what: what.into() },
        });
        told.kind = Some(MessageKind::Other(what.into()));
        self.chain.view(Fact::Message(Box::new(told)), line)
    }

    fn branch_summary(&mut self, root: Value<'_, '_>, line: Line) -> usize {
        match root.get_str("summary") {
            Some(summary) if summary.is_empty() => self.chain.aside("branch_summary".into(), line),
            Some(summary) => {
                let text = wording::framed(wording::BRANCH, &summary);
                self.told(text, "branch_summary", line)
            }
            None => self.unread("branch_summary".into(), line),
        }
    }

    fn bash_execution(&mut self, message: Value<'_, '_>, line: Line) -> usize {
        if message.get("excludeFromContext").and_then(Value::as_bool) == Some(true) {
            let detail = "a command whose output was kept from the model";
            self.chain.report.keep_aside(detail, line.place);
            return self.chain.aside("message".into(), line);
        }
        match wording::bash_execution(message) {
            Some(text) => self.told(text, "bashExecution", line),
            None => self.unread("message".into(), line),
        }
    }

    fn result(&mut self, message: Value<'_, '_>, line: Line) -> usize {
        let text = |name: &str| message.get(name).and_then(Value::to_text);
        let report = &mut self.chain.report;
        let mut blocks = BlockReader { issuer: issuer(message), report, place: line.place };
        let content = message.get("content").and_then(|content| blocks.result(content));
        let (Some(content), Some(call_id)) = (content, text("toolCallId")) else {
            return self.unread("message".into(), line);
        };
        self.answered.insert(call_id.clone());
        let known = self.names.get(&call_id).cloned();
        let result = ToolResult {
            tool_use_id: call_id.clone(),
            tool_name: text("toolName").or(known).unwrap_or_default(),
            content,
            is_error: message.get("isError").and_then(Value::as_bool).unwrap_or(false),
            rest: Rest::default(),
        };
        let mut row = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
        row.source = Some(Speaker::Tool { call_id });
        self.chain.view(Fact::Message(Box::new(row)), line)
    }

    fn reply(&mut self, message: Value<'_, '_>, line: Line) -> usize {
        let Some(blocks) = self.blocks(message, line.place) else {
            return self.unread("message".into(), line);
        };
        for block in &blocks {
            if let Block::ToolUse(call) = block {
                self.names.insert(call.id.clone(), call.name.clone());
            }
        }
        let issuer = issuer(message);
        let mut reply = Message::new(Role::Assistant, blocks);
        if !issuer.model.is_empty() {
            reply.source = Some(Speaker::Model {
                platform: issuer.platform.clone(),
                api: issuer.api.clone(),
                model: issuer.model.clone(),
                account: None,
            });
        }
        reply.usage = message.get("usage").and_then(usage_of);
        reply.stop = stop_of(message);
        let cut = reply
            .stop
            .as_ref()
            .is_some_and(|stop| matches!(stop.kind, StopKind::Aborted | StopKind::Error));
        reply.interrupted = cut && !reply.blocks.is_empty();
        let node = self.chain.view(Fact::Message(Box::new(reply)), line);
        if cut {
            self.cut.push(node);
        }
        node
    }

    /// A call in a reply that was cut ran only if it has a result.
    fn drop_calls_that_were_cut(&mut self) {
        for node in std::mem::take(&mut self.cut) {
            let fact = self.chain.nodes.get_mut(node).map(|node| &mut node.entry.fact);
            let Some(Fact::Message(reply)) = fact else { continue };
            let blocks = std::mem::take(&mut reply.blocks);
            let mut dropped = Vec::new();
            for (index, block) in blocks.into_iter().enumerate() {
                let call = block.as_tool_use().filter(|call| !self.answered.contains(&call.id));
                match call {
                    Some(call) => dropped.push(dropped_call(index, call)),
                    None => reply.blocks.push(block),
                }
            }
            if let Some(stop) = &mut reply.stop {
                stop.dropped_calls = dropped;
            }
        }
    }

    fn compaction(&mut self, root: Value<'_, '_>, line: Line) -> usize {
        let place = line.place;
        let summary = root.get_str("summary").filter(|text| !record::blank::is_blank(text));
        if summary.is_none() {
            let detail = "a compaction without a summary applies nothing";
            self.chain.report.add(FindingKind::CompactionPairInvalid, place, detail);
        }
        let handoff = summary.map(|text| wording::framed(wording::COMPACTION, &text).into());
        let compaction = Compaction {
            kind: CompactionKind::Boundary,
            continuation: None,
            handoff_by_user: handoff.is_some(),
            handoff,
            retained_from: None,
            retained: Vec::new(),
            split_as_found: true,
            cleared: Vec::new(),
            rest: Rest::default(),
        };
        let node = self.chain.view(Fact::Compaction(Box::new(compaction)), line);
        let index = root.get("firstKeptEntryIndex").and_then(Value::as_u64);
        let id = root.get("firstKeptEntryId").and_then(Value::to_text);
        let kept = id.map(KeptFrom::Id).or(index.map(KeptFrom::Index));
        self.kept.extend(kept.map(|kept| (node, kept)));
        node
    }

    /// The first message each compaction kept: the line it names, or the next one on its path.
    fn resolve_kept(&mut self) {
        let kept: Vec<(usize, Option<usize>)> = std::mem::take(&mut self.kept)
            .into_iter()
            .map(|(node, kept)| (node, self.kept_line(&kept)))
            .collect();
        let views = self.chain.views_from(kept.iter().filter_map(|(_, line)| *line).collect());
        for (node, line) in kept {
            let view = line.and_then(|line| views.get(&line)).copied();
            let id = view.and_then(|view| self.chain.nodes.get(view)).map(|n| n.entry.id.clone());
            let Some(node) = self.chain.nodes.get_mut(node) else { continue };
            if line.is_none() {
                let detail = "the first line that was kept is not in the file";
                self.chain.report.add(FindingKind::DanglingParent, node.place, detail);
            }
            if let Fact::Compaction(compaction) = &mut node.entry.fact {
                compaction.retained_from = id;
            }
        }
    }

    fn kept_line(&self, kept: &KeptFrom) -> Option<usize> {
        match kept {
            KeptFrom::Id(id) => self.chain.ids.get(&**id).copied(),
            KeptFrom::Index(index) => self.objects.get(usize::try_from(*index).ok()?).copied(),
        }
    }
}

/// Name and size of a call that was being written; its arguments stay in its line.
fn dropped_call(index: usize, call: &record::ToolUse) -> DroppedCall {
    let partial = call.rest.get("partialJson").map(Raw::doc);
    let partial = partial.as_ref().and_then(|doc: &Doc<'_>| doc.root().as_str());
    let written = partial.map_or(call.input.text().len(), |text| text.len());
    let mut members = Object::new();
    members.number("index", index as u64).text("id", &call.id);
    members.number("args_bytes", written as u64).bool("closed", false);
    let mut rest = Rest::default();
    for (name, value) in members.finish().doc().root().members() {
        if let Some(name) = name.to_text() {
            rest.push(name, Raw::of(value));
        }
    }
    DroppedCall { name: call.name.clone(), rest }
}

fn usage_of(usage: Value<'_, '_>) -> Option<Usage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    (usage.kind() == Kind::Object).then(|| Usage {
        input_tokens: count("input"),
        output_tokens: count("output"),
        cache_creation_input_tokens: count("cacheWrite"),
        cache_read_input_tokens: count("cacheRead"),
    })
}

fn stop_of(message: Value<'_, '_>) -> Option<Stop> {
    let native = message.get("stopReason").and_then(Value::to_text)?;
    let kind = match native.as_str() {
        "toolUse" => StopKind::ToolCalls,
        "length" => StopKind::MaxTokens,
        "aborted" => StopKind::Aborted,
        "error" => StopKind::Error,
        _ => StopKind::Stop,
    };
    let failure = message.get("errorMessage").map(one_line);
    let (dropped_calls, rest) = (Vec::new(), Rest::default());
    Some(Stop { kind, native: Some(native), failure, dropped_calls, rest })
}
