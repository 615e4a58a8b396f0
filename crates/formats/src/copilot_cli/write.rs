//! A record written as an event log.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{
    Block, Compaction, CompactionKind, Entry, Fact, ImageSource, InputClass, Message, ProofKind,
    Reasoning, Record, ResultPart, Role, Source, ToolResult, ToolUse,
};

use crate::Format;
use crate::error::ExportError;
use crate::origin;

/// Writes the lines the record came from, then events for what the main branch holds beyond them.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    let format = Format::CopilotCli.name();
    let mut events = Events { out: origin::lines(record, format), parent: None };
    for entry in record.branch_path("main") {
        if origin::of(&entry, format).is_some() {
            events.parent = Some(entry.id.as_str().to_owned());
        } else {
            events.entry(&entry)?;
        }
    }
    if events.out.is_empty() { Err(ExportError::NothingToWrite) } else { Ok(events.out) }
}

struct Events {
    out: Vec<u8>,
    /// The id of the event before.
    parent: Option<String>,
}

impl Events {
    fn entry(&mut self, entry: &Entry) -> Result<(), ExportError> {
        match &entry.fact {
            Fact::Message(message) => self.message(entry, message)?,
            Fact::Compaction(compaction) => self.compaction(entry, compaction),
            Fact::Head(head) => {
                let head = head.head.as_deref().into_iter();
                let texts: Vec<&str> = head.flat_map(|h| &h.system).map(Text::as_str).collect();
                let mut data = Object::new();
                data.string("role", "system").string("content", &texts.join("\n"));
                if !texts.is_empty() {
                    self.event("system.message", entry, entry.id.as_str().to_owned(), &data);
                }
            }
            Fact::CallStarted(_) | Fact::Sent(_) | Fact::Retracted(_) | Fact::Opaque(_) => {}
        }
        Ok(())
    }

    fn event(&mut self, kind: &str, entry: &Entry, id: String, data: &Object) {
        let mut event = Object::new();
        event.string("type", kind).raw("data", &data.finish()).string("id", &id);
        event.optional_string("timestamp", entry.time.as_deref());
        match &self.parent {
            Some(parent) => event.string("parentId", parent),
            None => event.raw("parentId", &crate::source::null()),
        };
        origin::end_line(&mut self.out);
        self.out.extend_from_slice(event.finish().as_str().as_bytes());
        self.out.push(b'\n');
        self.parent = Some(id);
    }

    fn compaction(&mut self, entry: &Entry, compaction: &Compaction) {
        let Some(handoff) = &compaction.handoff else { return };
        if compaction.kind == CompactionKind::Boundary {
            let mut data = Object::new();
            data.bool("success", true).text("summaryContent", handoff);
            let id = entry.id.as_str().to_owned();
            self.event("session.compaction_complete", entry, id, &data);
        }
    }

    fn message(&mut self, entry: &Entry, message: &Message) -> Result<(), ExportError> {
        let mut written = Written::default();
        for block in &message.blocks {
            match block {
                Block::Text(text) => {
                    written.texts.push(&text.text);
                    written.said = true;
                }
                Block::ToolUse(call) => {
                    written.calls.raw(&call_of(call));
                    written.said = true;
                }
                Block::Reasoning(thought) => {
                    written.thoughts.push(thought);
                    written.said = true;
                }
                Block::Image(image) => {
                    let ImageSource::Base64(data) = image.source() else {
                        return refuse(entry, "an image whose bytes are elsewhere");
                    };
                    let mut object = Object::new();
                    object.string("type", "blob").text("mimeType", image.media_type());
                    object.text("data", data);
                    written.attachments.raw(&object.finish());
                    written.said = true;
                }
                Block::ToolResult(result) => {
                    let id = match written.results {
                        0 => entry.id.as_str().to_owned(),
                        more => format!("{}:{more}", entry.id),
                    };
                    written.results += 1;
                    let data = result_of(entry, result)?;
                    self.event("tool.execution_complete", entry, id, &data);
                }
                Block::SystemChange(_) => {
                    return refuse(entry, "a change of tools or system text");
                }
                Block::Opaque(_) => return refuse(entry, "a block of another provider"),
            }
        }
        self.said(entry, message, &written)
    }
}

/// The blocks of one message besides results.
#[derive(Default)]
struct Written<'m> {
    said: bool,
    results: usize,
    texts: Vec<&'m Text>,
    thoughts: Vec<&'m Reasoning>,
    calls: Array,
    attachments: Array,
}

impl Written<'_> {
    /// The texts as one: an event has one.
    fn content(&self) -> Raw {
        match self.texts.as_slice() {
            [text] => Raw::string(text),
            texts => {
                let texts: Vec<&str> = texts.iter().map(|text| text.as_str()).collect();
                Raw::string(&texts.join("\n").into())
            }
        }
    }

    /// The thoughts as one; what seals it goes only with a single one.
    fn thought(&self, data: &mut Object) {
        let texts: Vec<&str> = self.thoughts.iter().map(|thought| &*thought.reasoning).collect();
        if !texts.is_empty() {
            data.string("reasoningText", &texts.join("\n"));
        }
        let [thought] = self.thoughts.as_slice() else { return };
        let proof = thought.proof.as_deref().filter(|proof| proof.kind == ProofKind::Encrypted);
        if let Some(proof) = proof {
            let chat = proof.issuer.api.as_str() == "openai_chat";
            data.raw(if chat { "reasoningOpaque" } else { "encryptedContent" }, &proof.sealed);
        }
    }
}

impl Events {
    fn said(
        &mut self,
        entry: &Entry,
        message: &Message,
        said: &Written<'_>,
    ) -> Result<(), ExportError> {
        if !said.said && (said.results > 0 || message.role == Role::Tool) {
            return Ok(());
        }
        let id = match said.results {
            0 => entry.id.as_str().to_owned(),
            _ => format!("{}:said", entry.id),
        };
        let mut data = Object::new();
        let kind = match (message.role, &message.source) {
            (Role::System, _) => return refuse(entry, "a system message"),
            (Role::Assistant, source) => {
                data.text("messageId", &id.as_str().into()).raw("content", &said.content());
                data.raw("toolRequests", &said.calls.finish());
                said.thought(&mut data);
                if let Some(Source::Model { model, .. }) = source {
                    data.text("model", model);
                }
                let output = message.usage.as_ref().map(|usage| usage.output_tokens);
                output.map(|tokens| data.number("outputTokens", tokens));
                "assistant.message"
            }
            (Role::User | Role::Tool, Some(Source::Runtime { .. })) => {
                data.raw("content", &said.content());
                "system.notification"
            }
            (Role::User | Role::Tool, _) => {
                data.raw("content", &said.content()).raw("transformedContent", &said.content());
                data.raw("attachments", &said.attachments.finish());
                "user.message"
            }
        };
        self.event(kind, entry, id, &data);
        Ok(())
    }
}

fn refuse<T>(entry: &Entry, what: &'static str) -> Result<T, ExportError> {
    Err(ExportError::CannotCarry { entry: entry.id.clone(), what })
}

/// A call: its arguments as an object where they are one, else the text that was written.
fn call_of(call: &ToolUse) -> Raw {
    let mut object = Object::new();
    object.text("toolCallId", &call.id).text("name", &call.name);
    match (call.input.class(), Raw::parse(call.input.text())) {
        (InputClass::Object, Ok(input)) => object.raw("arguments", &input),
        (InputClass::Empty | InputClass::Object | InputClass::Malformed, _) => {
            object.text("arguments", call.input.text())
        }
    };
    object.string("type", "function");
    object.finish()
}

fn result_of(entry: &Entry, result: &ToolResult) -> Result<Object, ExportError> {
    let mut contents = Array::new();
    let mut images = false;
    for part in &result.content {
        match part {
            ResultPart::Text(_) => {}
            ResultPart::Image(image) => {
                let ImageSource::Base64(bytes) = image.source() else {
                    return refuse(entry, "an image whose bytes are elsewhere");
                };
                let mut object = Object::new();
                object.string("type", "image").text("data", bytes);
                object.text("mimeType", image.media_type());
                contents.raw(&object.finish());
                images = true;
            }
            ResultPart::Opaque(_) => return refuse(entry, "a result only its provider can read"),
        }
    }
    let mut told = Object::new();
    match result.content.as_slice() {
        [ResultPart::Text(text)] => told.text("content", text),
        _ => told.string("content", &result.output()),
    };
    if images {
        told.raw("contents", &contents.finish());
    }
    let mut data = Object::new();
    data.text("toolCallId", &result.tool_use_id).bool("success", !result.is_error);
    data.raw("result", &told.finish());
    Ok(data)
}
