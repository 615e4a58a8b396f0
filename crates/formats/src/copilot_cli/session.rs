//! Events read into nodes.

use std::collections::HashMap;
use std::sync::Arc;

use json::{Kind, Text, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, Compaction, CompactionKind, Fact, FindingKind, Head, HeadDeclaration, Image,
    ImageSource, Input, Issuer, Message, MessageKind, OpaqueBlock, Proof, ProofKind, Reasoning,
    Record, Rest, ResultPart, Role, Source as Speaker, TextBlock, ToolResult, ToolUse, Usage,
};

use crate::chain::{self, Chain, Line, Link};
use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::one_line;
use crate::{Format, picture};

/// Who serves every model here.
const PLATFORM: &str = "github-copilot";

/// Events that were never shown to a model.
const BOOKKEEPING: [&str; 24] = [
    "abort",
    "assistant.intent",
    "assistant.reasoning",
    "assistant.turn_end",
    "assistant.turn_start",
    "assistant.usage",
    "hook.end",
    "hook.start",
    "permission.completed",
    "permission.requested",
    "session.auto_mode_resolved",
    "session.compaction_start",
    "session.error",
    "session.info",
    "session.model_change",
    "session.permissions_changed",
    "session.resume",
    "session.shutdown",
    "session.start",
    "session.usage_checkpoint",
    "session.usage_info",
    "subagent.completed",
    "subagent.started",
    "tool.execution_start",
];

/// An event log being read.
pub(crate) struct Session {
    chain: Chain,
    /// The model that was selected last.
    model: Text,
    /// The system text that was sent last.
    system: Option<Text>,
    /// Names of calls by id.
    names: HashMap<Text, Text>,
}

impl chain::Links for Session {
    fn chain(&mut self) -> &mut Chain {
        &mut self.chain
    }

    fn is_line(root: Value<'_, '_>) -> bool {
        super::is_line(root)
    }

    fn line(&mut self, root: Value<'_, '_>, place: Place) -> usize {
        let text = |name: &str| root.get(name).and_then(Value::to_text);
        let link = Link::of(root.get("parentId"));
        let mut line = Line { id: text("id"), link, time: text("timestamp"), lane: None, place };
        let kind = text("type").unwrap_or_default();
        let Some(data) = root.get("data").filter(|data| data.kind() == Kind::Object) else {
            return self.unread(kind, line);
        };
        line.lane = data.get("parentToolCallId").and_then(Value::to_text);
        self.note_model(&kind, data);
        if matches!(&*kind, "user.message" | "assistant.message" | "tool.execution_complete")
            && self.chain.is_duplicate(&line)
        {
            return self.chain.aside(kind, line);
        }
        match &*kind {
            "user.message" => self.prompt(data, line),
            "assistant.message" => self.reply(data, line),
            "tool.execution_complete" => self.result(data, line),
            "system.message" => self.system(data, line),
            "system.notification" => self.notification(data, line),
            "session.compaction_complete" => self.compaction(data, line),
            _ => self.bookkeeping(kind, line),
        }
    }
}

impl Session {
    pub(crate) fn new(file: &str) -> Session {
        Session {
            chain: Chain::new(file, Format::CopilotCli),
            model: Text::default(),
            system: None,
            names: HashMap::new(),
        }
    }

    /// The record, once every event was read.
    pub(crate) fn finish(mut self) -> (Record, Report) {
        self.chain.place();
        self.chain.into_record()
    }

    fn note_model(&mut self, kind: &str, data: Value<'_, '_>) {
        let member = match kind {
            "session.start" | "session.resume" => "selectedModel",
            "session.model_change" => "newModel",
            "session.auto_mode_resolved" => "chosenModel",
            "tool.execution_complete" if data.get("parentToolCallId").is_none() => "model",
            _ => return,
        };
        let model = data.get(member).and_then(Value::to_text);
        if let Some(model) = model.filter(|model| !model.is_empty() && &**model != "auto") {
            self.model = model;
        }
    }

    fn bookkeeping(&mut self, kind: Text, line: Line) -> usize {
        if !BOOKKEEPING.contains(&&*kind) {
            self.chain.report.keep_aside(&format!("event {kind}"), line.place);
        }
        self.chain.aside(kind, line)
    }

    fn unread(&mut self, kind: Text, line: Line) -> usize {
        let detail = format!("{kind} event of an unknown shape is kept as it is");
        self.chain.report.add(FindingKind::UnreadField, line.place, detail);
        self.chain.aside(kind, line)
    }

    fn view(&mut self, message: Message, line: Line) -> usize {
        self.chain.view(Fact::Message(Box::new(message)), line)
    }

    /// A prompt, in the words it was sent in, with what was attached to it.
    fn prompt(&mut self, data: Value<'_, '_>, line: Line) -> usize {
        let text = |name: &str| data.get(name).and_then(Value::to_text);
        let sent = text("transformedContent").filter(|text| !text.is_empty());
        let Some(sent) = sent.or_else(|| text("content")) else {
            return self.unread("user.message".into(), line);
        };
        let mut blocks = vec![Block::text(sent)];
        for attachment in data.get("attachments").into_iter().flat_map(Value::items) {
            match self.image(attachment, line.place) {
                Some(image) if blocks.len() < BLOCKS_MAX => blocks.push(Block::Image(image)),
                _ => {
                    let kind = attachment.get_str("type").unwrap_or_default();
                    let detail = format!("attachment {kind}");
                    self.chain.report.keep_aside(&detail, line.place);
                }
            }
        }
        let mut said = Message::new(Role::User, blocks);
        said.source = Some(Speaker::User);
        self.view(said, line)
    }

    /// An image with its bytes, in the two shapes they are written in.
    fn image(&mut self, value: Value<'_, '_>, place: Place) -> Option<Image> {
        let text = |name: &str| value.get(name).and_then(Value::to_text);
        let media_type = text("mimeType").filter(|kind| kind.starts_with("image/"))?;
        let image = Image::new(media_type, ImageSource::Base64(text("data")?));
        Some(picture::read(image, value, &["mimeType", "data"], &mut self.chain.report, place))
    }

    fn system(&mut self, data: Value<'_, '_>, line: Line) -> usize {
        let Some(text) = data.get("content").and_then(Value::to_text) else {
            return self.unread("system.message".into(), line);
        };
        if line.lane.is_some() || self.system.as_ref() == Some(&text) {
            return self.chain.aside("system.message".into(), line);
        }
        self.system = Some(text.clone());
        let head = HeadDeclaration { tools: Vec::new(), system: vec![text] };
        let head = Head {
            agent: "main".into(),
            head: Some(Arc::new(head)),
            folds_through: None,
            owners: None,
            reason: "imported".into(),
            rest: Rest::default(),
        };
        self.chain.view(Fact::Head(Box::new(head)), line)
    }

    fn notification(&mut self, data: Value<'_, '_>, line: Line) -> usize {
        let Some(text) = data.get("content").and_then(Value::to_text) else {
            return self.unread("system.notification".into(), line);
        };
        let mut told = Message::new(Role::User, vec![Block::text(text)]);
        told.source = Some(Speaker::Runtime { what: "system.notification".into() });
        told.kind = Some(MessageKind::TaskNotification);
        self.view(told, line)
    }

    fn compaction(&mut self, data: Value<'_, '_>, line: Line) -> usize {
        let summary = data.get("summaryContent").and_then(Value::to_text);
        if data.get("success").and_then(Value::as_bool) == Some(false) {
            return self.chain.aside("session.compaction_complete".into(), line);
        }
        let Some(handoff) = summary.filter(|text| !record::blank::is_blank(text)) else {
            let detail = "a compaction without a summary applies nothing";
            self.chain.report.add(FindingKind::CompactionPairInvalid, line.place, detail);
            return self.chain.aside("session.compaction_complete".into(), line);
        };
        let compaction = Compaction {
            kind: CompactionKind::Boundary,
            continuation: None,
            handoff: Some(handoff),
            handoff_by_user: true,
            retained_from: None,
            retained: Vec::new(),
            split_as_found: true,
            cleared: Vec::new(),
            rest: Rest::default(),
        };
        self.chain.view(Fact::Compaction(Box::new(compaction)), line)
    }

    fn reply(&mut self, data: Value<'_, '_>, line: Line) -> usize {
        let text = |name: &str| data.get(name).and_then(Value::to_text);
        let calls = data.get("toolRequests").into_iter().flat_map(Value::items);
        let content = text("content");
        let listed = data.get("toolRequests").is_some_and(|list| list.kind() == Kind::Array);
        if content.is_none() && !listed || calls.clone().nth(BLOCKS_MAX).is_some() {
            return self.unread("assistant.message".into(), line);
        }
        let issuer = self.issuer(data);
        let mut blocks: Vec<Block> = thought(data, &issuer).into_iter().collect();
        if let Some(text) = content.filter(|text| !text.is_empty()) {
            let phase = data.get("phase").map(|phase| ("phase".into(), one_line(phase)));
            let mut rest = Rest::default();
            phase.into_iter().for_each(|(name, value)| rest.push(name, value));
            blocks.push(Block::Text(TextBlock { text, proof: None, rest }));
        }
        for call in calls {
            blocks.push(self.call(call, line.place));
        }
        let mut reply = Message::new(Role::Assistant, blocks);
        if !issuer.model.is_empty() {
            reply.source = Some(Speaker::Model {
                platform: issuer.platform.clone(),
                api: issuer.api.clone(),
                model: issuer.model.clone(),
                account: None,
            });
        }
        let output = data.get("outputTokens").and_then(Value::as_u64);
        reply.usage = output.map(|output_tokens| Usage { output_tokens, ..Usage::default() });
        self.view(reply, line)
    }

    fn issuer(&self, data: Value<'_, '_>) -> Arc<Issuer> {
        let model = data.get("model").and_then(Value::to_text);
        let model = model.unwrap_or_else(|| self.model.clone());
        let own = data.get("encryptedContent").is_some_and(|sealed| sealed.kind() == Kind::String);
        let api = if own { "openai_responses" } else { "openai_chat" };
        Arc::new(Issuer { platform: PLATFORM.into(), account: None, api: api.into(), model })
    }

    fn call(&mut self, value: Value<'_, '_>, place: Place) -> Block {
        let text = |name: &str| value.get(name).and_then(Value::to_text);
        let (Some(id), Some(name)) = (text("toolCallId"), text("name")) else {
            let detail = "a call of an unknown shape is kept as it is";
            self.chain.report.add(FindingKind::UnreadField, place, detail);
            let (kind, raw) = ("toolRequest".into(), one_line(value));
            return Block::Opaque(OpaqueBlock { kind, raw, proof: None });
        };
        let input = match value.get("arguments") {
            Some(written) if written.kind() == Kind::String => {
                Input::new(written.to_text().unwrap_or_default())
            }
            Some(input) => Input::of_value(input),
            None => Input::new(Text::default()),
        };
        self.names.insert(id.clone(), name.clone());
        let rest = rest_of(value, &["toolCallId", "name", "arguments"]);
        Block::ToolUse(ToolUse { id, name, input, proof: None, rest })
    }

    fn result(&mut self, data: Value<'_, '_>, line: Line) -> usize {
        let Some(call_id) = data.get("toolCallId").and_then(Value::to_text) else {
            return self.unread("tool.execution_complete".into(), line);
        };
        let result = data.get("result");
        let told = result.and_then(|result| result.get("content")?.to_text());
        let failed = data.get("error").and_then(|error| error.get("message")?.to_text());
        let text = told.or(failed).filter(|text| !text.is_empty());
        let mut content: Vec<ResultPart> = text.map(ResultPart::Text).into_iter().collect();
        let parts = result.and_then(|result| result.get("contents"));
        for part in parts.into_iter().flat_map(Value::items).take(BLOCKS_MAX) {
            content.extend(self.image(part, line.place).map(ResultPart::Image));
        }
        let result = ToolResult {
            tool_name: self.names.get(&call_id).cloned().unwrap_or_default(),
            tool_use_id: call_id.clone(),
            content,
            is_error: data.get("success").and_then(Value::as_bool) == Some(false),
            rest: Rest::default(),
        };
        let mut row = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
        row.source = Some(Speaker::Tool { call_id });
        self.view(row, line)
    }
}

/// A reply's thought, with what seals it.
fn thought(data: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Block> {
    let text = |name: &str| data.get(name).and_then(Value::to_text);
    let sealed = |name: &str| data.get(name).filter(|sealed| sealed.kind() == Kind::String);
    let reasoning = text("reasoningText").unwrap_or_default();
    let sealed = sealed("encryptedContent").or_else(|| sealed("reasoningOpaque"));
    let proof = sealed.filter(|sealed| sealed.raw() != "\"\"").map(|sealed| {
        let (issuer, sealed) = (Arc::clone(issuer), one_line(sealed));
        Box::new(Proof { issuer, kind: ProofKind::Encrypted, version: 1, sealed })
    });
    (proof.is_some() || !reasoning.is_empty())
        .then(|| Block::Reasoning(Reasoning { reasoning, proof, rest: Rest::default() }))
}
