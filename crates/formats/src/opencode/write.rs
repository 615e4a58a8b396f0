//! A record written as an exported session.
#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use json::{Array, Doc, Object, Raw, Text};
use record::{
    Block, CompactionKind, Entry, Fact, Image, ImageSource, Message, Record, ResultPart, Role,
    Source, StopKind, ToolResult, ToolUse,
};

use super::{DOCUMENT, import};
use crate::Format;
use crate::anthropic::write::input_of;
use crate::error::ExportError;
use crate::source::BOM;
use crate::splice;

/// Writes the document the record came from, with what was appended to it since.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    let document = splice::of(record, Format::OpenCode, DOCUMENT, import);
    let mut messages = Messages::default();
    for entry in &document.appended {
        messages.entry(entry)?;
    }
    messages.close();
    match (document.bytes.is_empty(), messages.written.as_slice()) {
        (true, []) => Err(ExportError::NothingToWrite),
        (true, written) => {
            let mut info = Object::new();
            info.string("id", document.appended.first().map_or("", |entry| entry.id.as_str()));
            let mut session = Object::new();
            session.raw("info", &info.finish()).raw("messages", &Array::of(written));
            Ok(session.finish().as_str().as_bytes().to_vec())
        }
        (false, []) => Ok(document.bytes),
        (false, _) if is_reverted(&document.bytes) => {
            let entry = document.appended.first().map(|entry| entry.id.clone());
            let what = "messages in the place of some that were reverted";
            Err(entry.map_or(ExportError::NothingToWrite, |entry| ExportError::CannotCarry {
                entry,
                what,
            }))
        }
        (false, written) => splice::with(&document.bytes, &[&["messages"]], written),
    }
}

/// Whether a document's last messages were taken back: what is added would be taken back with them.
fn is_reverted(document: &[u8]) -> bool {
    let text = document.strip_prefix(BOM).unwrap_or(document);
    Doc::parse(text)
        .is_ok_and(|doc| doc.root().get("info").is_some_and(|info| info.get("revert").is_some()))
}

/// A reply whose results are still being gathered.
struct Open {
    entry: Arc<Entry>,
    /// By call, in order.
    results: Vec<(Text, Option<Raw>)>,
}

#[derive(Default)]
struct Messages {
    written: Vec<Raw>,
    open: Option<Open>,
}

fn refuse<T>(entry: &Entry, what: &'static str) -> Result<T, ExportError> {
    Err(ExportError::CannotCarry { entry: entry.id.clone(), what })
}

impl Messages {
    fn entry(&mut self, entry: &Arc<Entry>) -> Result<(), ExportError> {
        match &entry.fact {
            Fact::Message(message) if message.role == Role::Assistant => {
                self.close();
                check(entry, message)?;
                let calls = message.blocks.iter().filter_map(|block| match block {
                    Block::ToolUse(call) => Some((call.id.clone(), None)),
                    Block::Text(_)
                    | Block::ToolResult(_)
                    | Block::Reasoning(_)
                    | Block::Image(_)
                    | Block::SystemChange(_)
                    | Block::Opaque(_) => None,
                });
                let results = calls.collect();
                self.open = Some(Open { entry: Arc::clone(entry), results });
                Ok(())
            }
            Fact::Message(message) => self.said(entry, message),
            Fact::Compaction(compaction) if compaction.kind == CompactionKind::Boundary => {
                refuse(entry, "a compaction")
            }
            Fact::Compaction(_)
            | Fact::CallStarted(_)
            | Fact::Head(_)
            | Fact::Sent(_)
            | Fact::Retracted(_)
            | Fact::Opaque(_) => Ok(()),
        }
    }

    /// Results go to their calls; what else was said is a message.
    fn said(&mut self, entry: &Entry, message: &Message) -> Result<(), ExportError> {
        let mut parts = Array::new();
        let mut said = false;
        for block in &message.blocks {
            match block {
                Block::ToolResult(result) => {
                    let state = state_of(entry, result)?;
                    let open = self.open.iter_mut().flat_map(|open| &mut open.results);
                    let mut open =
                        open.filter(|(id, state)| *id == result.tool_use_id && state.is_none());
                    match open.next() {
                        Some((_, slot)) => *slot = Some(state),
                        None => return refuse(entry, "a result away from its call"),
                    }
                }
                Block::Text(text) => {
                    let mut part = part("text");
                    part.text("text", &text.text);
                    parts.raw(&part.finish());
                    said = true;
                }
                Block::Image(image) => {
                    parts.raw(&file_of(entry, image)?);
                    said = true;
                }
                Block::ToolUse(_)
                | Block::Reasoning(_)
                | Block::SystemChange(_)
                | Block::Opaque(_) => {
                    return refuse(entry, "a block that no user message has");
                }
            }
        }
        if message.role == Role::System {
            return refuse(entry, "a system message");
        }
        if said {
            self.close();
            let mut info = Object::new();
            info.string("id", entry.id.as_str()).string("role", "user");
            self.push(&info, &parts.finish());
        }
        Ok(())
    }

    fn push(&mut self, info: &Object, parts: &Raw) {
        let mut message = Object::new();
        message.raw("info", &info.finish()).raw("parts", parts);
        self.written.push(message.finish());
    }

    /// Writes the reply that was open, as a message of one step.
    fn close(&mut self) {
        let Some(Open { entry, results }) = self.open.take() else { return };
        let Some(message) = entry.message() else { return };
        let mut info = Object::new();
        info.string("id", entry.id.as_str()).string("role", "assistant");
        if let Some(Source::Model { platform, model, .. }) = &message.source {
            info.text("providerID", platform).text("modelID", model);
        }
        let stop = message.stop.as_ref();
        let native = stop.and_then(|stop| stop.native.as_ref());
        match stop.map(|stop| stop.kind) {
            Some(StopKind::Aborted | StopKind::Error) => {
                let mut error = Object::new();
                let aborted = stop.is_some_and(|stop| stop.kind == StopKind::Aborted);
                error.string("name", if aborted { "MessageAbortedError" } else { "UnknownError" });
                info.raw("error", &error.finish());
            }
            Some(StopKind::ToolCalls) => drop(info.string("finish", "tool-calls")),
            Some(StopKind::MaxTokens) => drop(info.string("finish", "length")),
            Some(StopKind::Stop) => drop(info.string("finish", native.map_or("stop", |n| n))),
            None => {}
        }
        let mut parts = Array::new();
        parts.raw(&part("step-start").finish());
        let mut results = results.into_iter();
        for block in &message.blocks {
            let mut part = match block {
                Block::Text(text) => {
                    let mut part = part("text");
                    part.text("text", &text.text);
                    part
                }
                Block::Reasoning(thought) => {
                    let mut part = part("reasoning");
                    part.text("text", &thought.reasoning);
                    part
                }
                Block::ToolUse(call) => call_of(call, results.next().and_then(|(_, state)| state)),
                Block::ToolResult(_)
                | Block::Image(_)
                | Block::SystemChange(_)
                | Block::Opaque(_) => continue,
            };
            if let Some(metadata) = super::proof::metadata_of(block) {
                part.raw("metadata", &metadata);
            }
            parts.raw(&part.finish());
        }
        self.push(&info, &parts.finish());
    }
}

/// A reply holds nothing that no part says.
fn check(entry: &Entry, message: &Message) -> Result<(), ExportError> {
    for block in &message.blocks {
        match block {
            Block::Text(_) | Block::ToolUse(_) | Block::Reasoning(_) => {}
            Block::ToolResult(_) => return refuse(entry, "a result inside a reply"),
            Block::Image(_) => return refuse(entry, "an image in a reply"),
            Block::SystemChange(_) => return refuse(entry, "a change of tools or system text"),
            Block::Opaque(_) => return refuse(entry, "a block of another provider"),
        }
    }
    Ok(())
}

fn part(kind: &str) -> Object {
    let mut object = Object::new();
    object.string("type", kind);
    object
}

/// A call with the state it is in: ended as its result says, else running.
fn call_of(call: &ToolUse, ended: Option<Raw>) -> Object {
    let mut part = part("tool");
    part.text("callID", &call.id).text("tool", &call.name);
    let input = input_of(&call.input);
    let mut state = Object::new();
    match &ended {
        Some(ended) => {
            let doc = ended.doc();
            for (name, value) in doc.root().members() {
                state.raw(&name.as_str().unwrap_or_default(), &Raw::of(value));
            }
        }
        None => drop(state.string("status", "running")),
    }
    state.raw("input", &input);
    part.raw("state", &state.finish());
    part
}

fn state_of(entry: &Entry, result: &ToolResult) -> Result<Raw, ExportError> {
    let mut attachments = Array::new();
    let mut attached = false;
    for content in &result.content {
        match content {
            ResultPart::Text(_) => {}
            ResultPart::Image(image) => {
                attachments.raw(&file_of(entry, image)?);
                attached = true;
            }
            ResultPart::Opaque(_) => return refuse(entry, "a result only its provider can read"),
        }
    }
    let mut state = Object::new();
    let status = if result.is_error { "error" } else { "completed" };
    state.string("status", status);
    let member = if result.is_error { "error" } else { "output" };
    match result.content.as_slice() {
        [ResultPart::Text(text)] => state.text(member, text),
        _ => state.string(member, &result.output()),
    };
    if attached {
        state.raw("attachments", &attachments.finish());
    }
    Ok(state.finish())
}

fn file_of(entry: &Entry, image: &Image) -> Result<Raw, ExportError> {
    let url = match image.source() {
        ImageSource::Base64(data) => format!("data:{};base64,{data}", image.media_type()),
        ImageSource::Url(url) => url.as_str().to_owned(),
        ImageSource::File(_) | ImageSource::Blob(_) => {
            return refuse(entry, "an image whose bytes are elsewhere");
        }
    };
    let mut part = part("file");
    part.text("mime", image.media_type()).string("url", &url);
    Ok(part.finish())
}
