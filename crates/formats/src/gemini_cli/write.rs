//! A record written as a chat.
#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use json::{Array, Object, Raw};
use record::{
    Block, CompactionKind, Entry, Fact, Image, ImageSource, Message, Proof, ProofKind, Record,
    ResultPart, Role, Source, ToolResult,
};

use super::{DOCUMENT, import};
use crate::Format;
use crate::anthropic::write::input_of;
use crate::error::ExportError;
use crate::rest::with_rest;
use crate::{origin, splice};

/// Writes the chat the record came from, with what was appended to it since.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    let format = Format::GeminiCli;
    let document = splice::of(record, format, DOCUMENT, import);
    let mut messages = Messages::default();
    for entry in &document.appended {
        if origin::of(entry, format.name()).is_none() {
            messages.entry(entry)?;
        }
    }
    messages.close();
    if !document.bytes.is_empty() {
        return match messages.written.as_slice() {
            [] => Ok(document.bytes),
            written => splice::with(&document.bytes, &[&["messages"]], written),
        };
    }
    let mut out = origin::lines(record, format.name());
    if out.is_empty() {
        let Some(first) = document.appended.first().filter(|_| !messages.written.is_empty()) else {
            return Err(ExportError::NothingToWrite);
        };
        let mut metadata = Object::new();
        metadata.string("sessionId", first.id.as_str()).string("projectHash", "");
        metadata.optional_string("startTime", first.time.as_deref());
        messages.written.insert(0, metadata.finish());
    }
    for record in messages.written {
        origin::end_line(&mut out);
        out.extend_from_slice(record.as_str().as_bytes());
        out.push(b'\n');
    }
    Ok(out)
}

pub(crate) fn refuse<T>(entry: &Entry, what: &'static str) -> Result<T, ExportError> {
    Err(ExportError::CannotCarry { entry: entry.id.clone(), what })
}

/// A reply whose results are still being gathered.
struct Open {
    entry: Arc<Entry>,
    results: Vec<(json::Text, Raw, bool)>,
}

#[derive(Default)]
struct Messages {
    written: Vec<Raw>,
    open: Option<Open>,
}

impl Messages {
    fn entry(&mut self, entry: &Arc<Entry>) -> Result<(), ExportError> {
        match &entry.fact {
            Fact::Message(message) if message.role == Role::Assistant => {
                self.close();
                check(entry, message)?;
                self.open = Some(Open { entry: Arc::clone(entry), results: Vec::new() });
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
        if message.role == Role::System {
            return refuse(entry, "a system message");
        }
        let mut parts = Array::new();
        let mut said = false;
        for block in &message.blocks {
            match block {
                Block::ToolResult(result) => {
                    let open = self.open.as_mut().filter(|open| open.calls(result));
                    let Some(open) = open else {
                        return refuse(entry, "a result away from its call");
                    };
                    let id = result.tool_use_id.clone();
                    open.results.push((id, returned(entry, result)?, result.is_error));
                    continue;
                }
                Block::Text(text) => {
                    let mut part = Object::new();
                    part.text("text", &text.text);
                    parts.raw(&part.finish());
                }
                Block::Image(image) => {
                    parts.raw(&image_of(entry, image)?);
                }
                Block::Opaque(block) => {
                    parts.raw(&block.raw);
                }
                Block::ToolUse(_) | Block::Reasoning(_) | Block::SystemChange(_) => {
                    return refuse(entry, "a block that no user message has");
                }
            }
            said = true;
        }
        if said {
            self.close();
            let mut object = opening(entry, "user");
            object.raw("content", &parts.finish());
            self.written.push(object.finish());
        }
        Ok(())
    }

    fn close(&mut self) {
        let Some(Open { entry, results }) = self.open.take() else { return };
        let Some(message) = entry.message() else { return };
        let (mut parts, mut calls) = (Array::new(), Array::new());
        let mut called = false;
        for block in &message.blocks {
            match block {
                Block::Text(text) => {
                    let mut part = Object::new();
                    part.text("text", &text.text);
                    parts.raw(&signed(part, &text.proof));
                }
                Block::Reasoning(thought) => {
                    let mut part = Object::new();
                    part.bool("thought", true).text("text", &thought.reasoning);
                    parts.raw(&signed(part, &thought.proof));
                }
                Block::ToolUse(call) => {
                    called = true;
                    let mut function = Object::new();
                    function.text("id", &call.id).text("name", &call.name);
                    function.raw("args", &input_of(&call.input));
                    let mut part = Object::new();
                    part.raw("functionCall", &function.finish());
                    parts.raw(&signed(part, &call.proof));
                    let ended = results.iter().find(|(id, _, _)| *id == call.id);
                    if let Some((_, result, _)) = ended {
                        function.raw("result", result);
                    }
                    function.string(
                        "status",
                        match ended {
                            Some((_, _, true)) => "error",
                            Some((_, _, false)) => "success",
                            None => "executing",
                        },
                    );
                    calls.raw(&function.finish());
                }
                Block::Opaque(block) => {
                    parts.raw(&block.raw);
                }
                Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => {}
            }
        }
        let mut object = opening(&entry, "gemini");
        object.raw("content", &parts.finish());
        if called {
            object.raw("toolCalls", &calls.finish());
        }
        if let Some(Source::Model { model, .. }) = &message.source {
            object.text("model", model);
        }
        self.written.push(object.finish());
    }
}

impl Open {
    fn calls(&self, result: &ToolResult) -> bool {
        let blocks = self.entry.message().into_iter().flat_map(|message| &message.blocks);
        let mut calls = blocks.filter_map(|block| match block {
            Block::ToolUse(call) => Some(&call.id),
            Block::Text(_)
            | Block::ToolResult(_)
            | Block::Reasoning(_)
            | Block::Image(_)
            | Block::SystemChange(_)
            | Block::Opaque(_) => None,
        });
        let answered = self.results.iter().any(|(id, _, _)| *id == result.tool_use_id);
        !answered && calls.any(|id| *id == result.tool_use_id)
    }
}

/// A reply holds nothing that no part says.
fn check(entry: &Entry, message: &Message) -> Result<(), ExportError> {
    for block in &message.blocks {
        match block {
            Block::Text(_) | Block::ToolUse(_) | Block::Reasoning(_) | Block::Opaque(_) => {}
            Block::ToolResult(_) => return refuse(entry, "a result inside a reply"),
            Block::Image(_) => return refuse(entry, "an image in a reply"),
            Block::SystemChange(_) => return refuse(entry, "a change of tools or system text"),
        }
    }
    Ok(())
}

fn opening(entry: &Entry, kind: &str) -> Object {
    let mut object = Object::new();
    object.string("id", entry.id.as_str());
    object.optional_string("timestamp", entry.time.as_deref()).string("type", kind);
    object
}

pub(crate) fn signed(mut part: Object, proof: &Option<Box<Proof>>) -> Raw {
    let proof = proof.as_deref().filter(|proof| {
        proof.kind == ProofKind::Signature && proof.issuer.api.as_str() == super::API
    });
    part.optional_raw("thoughtSignature", proof.map(|proof| &proof.sealed));
    part.finish()
}

/// The parts of a result: one response of the function, then its images.
pub(crate) fn returned(entry: &Entry, result: &ToolResult) -> Result<Raw, ExportError> {
    let mut parts = Array::new();
    let mut answer = Object::new();
    let mut response = Object::new();
    response.string(if result.is_error { "error" } else { "output" }, &result.output());
    let response = result.rest.get("functionResponse").cloned().unwrap_or(response.finish());
    answer.text("id", &result.tool_use_id).text("name", &result.tool_name);
    answer.raw("response", &response);
    let mut part = Object::new();
    part.raw("functionResponse", &answer.finish());
    parts.raw(&part.finish());
    for part in &result.content {
        match part {
            ResultPart::Text(_) => {}
            ResultPart::Image(image) => {
                parts.raw(&image_of(entry, image)?);
            }
            ResultPart::Opaque(block) => {
                parts.raw(&block.raw);
            }
        }
    }
    Ok(parts.finish())
}

pub(crate) fn image_of(entry: &Entry, image: &Image) -> Result<Raw, ExportError> {
    let (mut data, mut part) = (Object::new(), Object::new());
    data.text("mimeType", image.media_type());
    match image.source() {
        ImageSource::Base64(bytes) => {
            data.text("data", bytes);
            part.raw("inlineData", &with_rest(data, &image.rest, &[]));
        }
        ImageSource::Url(uri) => {
            data.text("fileUri", uri);
            part.raw("fileData", &with_rest(data, &image.rest, &[]));
        }
        ImageSource::Blob(_) | ImageSource::File(_) => {
            return refuse(entry, "an image whose bytes are elsewhere");
        }
    }
    Ok(part.finish())
}
