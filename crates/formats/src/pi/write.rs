//! A record written as a session file.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{
    Block, Compaction, CompactionKind, Entry, Fact, Image, ImageSource, Message, Proof, ProofKind,
    Reasoning, Record, ResultPart, Role, Source, StopKind, TextBlock, ToolResult, ToolUse,
};

use super::block::{APIS, PLATFORMS};
use super::wording;
use crate::Format;
use crate::anthropic::write::input_of;
use crate::error::ExportError;
use crate::origin;
use crate::rest::{typed, with_rest};

/// Writes the lines the record came from, then lines for what the main branch holds beyond them.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    let mut lines = Lines { out: origin::lines(record, Format::Pi.name()), parent: None };
    for entry in record.branch_path("main") {
        if origin::of(&entry, Format::Pi.name()).is_some() {
            lines.parent = Some(entry.id.as_str().to_owned());
        } else {
            lines.entry(&entry)?;
        }
    }
    if lines.out.is_empty() { Err(ExportError::NothingToWrite) } else { Ok(lines.out) }
}

struct Lines {
    out: Vec<u8>,
    /// The id of the line before.
    parent: Option<String>,
}

impl Lines {
    fn entry(&mut self, entry: &Entry) -> Result<(), ExportError> {
        match &entry.fact {
            Fact::Message(message) => self.message(entry, message),
            Fact::Compaction(compaction) => {
                self.compaction(entry, compaction);
                Ok(())
            }
            Fact::CallStarted(_)
            | Fact::Head(_)
            | Fact::Sent(_)
            | Fact::Retracted(_)
            | Fact::Opaque(_) => Ok(()),
        }
    }

    fn line(&mut self, kind: &str, entry: &Entry, id: String, members: &[(&str, Raw)]) {
        if self.out.is_empty() {
            let mut header = Object::new();
            header.string("type", "session").number("version", 3).string("id", &id);
            header.optional_string("timestamp", entry.time.as_deref()).string("cwd", "");
            self.push(&header);
        }
        let mut line = Object::new();
        line.string("type", kind).string("id", &id);
        match &self.parent {
            Some(parent) => line.string("parentId", parent),
            None => line.raw("parentId", &crate::source::null()),
        };
        line.optional_string("timestamp", entry.time.as_deref());
        for (name, value) in members {
            line.raw(name, value);
        }
        self.push(&line);
        self.parent = Some(id);
    }

    fn push(&mut self, line: &Object) {
        origin::end_line(&mut self.out);
        self.out.extend_from_slice(line.finish().as_str().as_bytes());
        self.out.push(b'\n');
    }

    fn compaction(&mut self, entry: &Entry, compaction: &Compaction) {
        let Some(handoff) = &compaction.handoff else { return };
        if compaction.kind == CompactionKind::Micro {
            return;
        }
        let summary = wording::unframed(wording::COMPACTION, handoff).unwrap_or(handoff);
        // Where nothing was kept it names itself: that is before nothing.
        let kept = compaction.retained_from.as_ref().unwrap_or(&entry.id).as_str();
        let text = |text: &str| Raw::string(&text.into());
        let zero = Raw::parse("0").unwrap_or_else(|_| Object::new().finish());
        let members =
            [("summary", text(summary)), ("firstKeptEntryId", text(kept)), ("tokensBefore", zero)];
        self.line("compaction", entry, entry.id.as_str().to_owned(), &members);
    }

    /// A message; a row of several results is a line for each.
    fn message(&mut self, entry: &Entry, message: &Message) -> Result<(), ExportError> {
        let refuse = |what| {
            let entry = entry.id.clone();
            Err(ExportError::CannotCarry { entry, what })
        };
        // A line names one API, whose all of its signatures are taken to be.
        let api = match &message.source {
            Some(Source::Model { api, .. }) => api.as_str(),
            _ => "",
        };
        let mut content = Array::new();
        let mut said = false;
        let mut lines = 0;
        for block in &message.blocks {
            let raw = match block {
                Block::Text(text) => text_of(text, api),
                Block::ToolUse(call) => call_of(call, api),
                Block::Reasoning(thought) => thought_of(thought, api),
                Block::Image(image) => image_of(entry, image)?,
                Block::Opaque(block) => block.raw.clone(),
                Block::SystemChange(_) => return refuse("a change of tools or system text"),
                Block::ToolResult(result) => {
                    let id = match lines {
                        0 => entry.id.as_str().to_owned(),
                        more => format!("{}:{more}", entry.id),
                    };
                    lines += 1;
                    let raw = result_of(entry, result)?;
                    self.line("message", entry, id, &[("message", raw)]);
                    continue;
                }
            };
            content.raw(&raw);
            said = true;
        }
        if !said && lines > 0 {
            return Ok(());
        }
        let mut object = Object::new();
        match message.role {
            Role::System => return refuse("a system message"),
            Role::User | Role::Tool => object.string("role", "user"),
            Role::Assistant => object.string("role", "assistant"),
        };
        object.raw("content", &content.finish());
        if message.role == Role::Assistant {
            reply_members(&mut object, message);
        }
        let id = match lines {
            0 => entry.id.as_str().to_owned(),
            _ => format!("{}:said", entry.id),
        };
        self.line("message", entry, id, &[("message", object.finish())]);
        Ok(())
    }
}

fn reply_members(object: &mut Object, message: &Message) {
    if let Some(Source::Model { platform, api, model, .. }) = &message.source {
        let theirs = |table: &[(&'static str, &'static str)], ours: &str| {
            table.iter().find(|(_, name)| *name == ours).map(|(theirs, _)| *theirs)
        };
        let api = theirs(&APIS, api).unwrap_or(api);
        object.string("api", api);
        object.string("provider", theirs(&PLATFORMS, platform).unwrap_or(platform));
        object.text("model", model);
    }
    if let Some(usage) = &message.usage {
        let mut counts = Object::new();
        counts.number("input", usage.input_tokens).number("output", usage.output_tokens);
        counts.number("cacheRead", usage.cache_read_input_tokens);
        counts.number("cacheWrite", usage.cache_creation_input_tokens);
        object.raw("usage", &counts.finish());
    }
    let calls = message.blocks.iter().any(|block| matches!(block, Block::ToolUse(_)));
    let stop = match message.stop.as_ref().map(|stop| stop.kind) {
        Some(StopKind::Aborted) => "aborted",
        Some(StopKind::Error) => "error",
        Some(StopKind::MaxTokens) => "length",
        Some(StopKind::ToolCalls) => "toolUse",
        Some(StopKind::Stop) => "stop",
        None if message.interrupted => "aborted",
        None if calls => "toolUse",
        None => "stop",
    };
    object.string("stopReason", stop);
    let failure = message.stop.as_ref().and_then(|stop| stop.failure.as_ref());
    object.optional_raw("errorMessage", failure);
}

/// What this API sealed so; the proof of another is none under its name.
fn sealed_as<'p>(proof: &'p Option<Box<Proof>>, kind: &ProofKind, api: &str) -> Option<&'p Raw> {
    let proof = proof.as_deref().filter(|proof| proof.kind == *kind);
    proof.filter(|proof| &*proof.issuer.api == api).map(|proof| &proof.sealed)
}

/// A JSON text inside a string.
fn nested(object: &Object) -> Raw {
    Raw::string(&Text::from(object.finish().as_str()))
}

fn text_of(text: &TextBlock, api: &str) -> Raw {
    let mut object = typed("text");
    object.text("text", &text.text);
    if let Some(id) = sealed_as(&text.proof, &ProofKind::ItemId, api) {
        let mut signature = Object::new();
        signature.number("v", 1).raw("id", id);
        signature.optional_raw("phase", text.rest.get("phase"));
        object.raw("textSignature", &nested(&signature));
    }
    object.optional_raw("textSignature", sealed_as(&text.proof, &ProofKind::Signature, api));
    with_rest(object, &text.rest, &["phase"])
}

fn thought_of(thought: &Reasoning, api: &str) -> Raw {
    let mut object = typed("thinking");
    object.text("thinking", &thought.reasoning);
    let sealed = |kind| sealed_as(&thought.proof, &kind, api);
    if let Some(data) = sealed(ProofKind::Redacted) {
        object.raw("thinkingSignature", data).bool("redacted", true);
    }
    object.optional_raw("thinkingSignature", sealed(ProofKind::Signature));
    // What is sealed in an item is read as one of the Responses API, whatever the reply names.
    let of_item = |kind| sealed_as(&thought.proof, &kind, "openai_responses");
    let encrypted = of_item(ProofKind::Encrypted);
    if encrypted.is_some() || of_item(ProofKind::ItemId).is_some() {
        let mut item = typed("reasoning");
        item.optional_raw("id", thought.rest.get("id"));
        item.raw("summary", thought.rest.get("summary").unwrap_or(&Array::new().finish()));
        item.optional_raw("encrypted_content", encrypted);
        object.raw("thinkingSignature", &nested(&item));
    }
    with_rest(object, &thought.rest, &["id", "summary"])
}

fn call_of(call: &ToolUse, api: &str) -> Raw {
    let mut object = typed("toolCall");
    object.text("id", &call.id).text("name", &call.name);
    object.raw("arguments", &input_of(&call.input));
    for kind in [ProofKind::Signature, ProofKind::Encrypted] {
        object.optional_raw("thoughtSignature", sealed_as(&call.proof, &kind, api));
    }
    with_rest(object, &call.rest, &[])
}

fn result_of(entry: &Entry, result: &ToolResult) -> Result<Raw, ExportError> {
    let mut parts = Array::new();
    for part in &result.content {
        parts.raw(&match part {
            ResultPart::Text(text) => {
                let mut object = typed("text");
                object.text("text", text);
                object.finish()
            }
            ResultPart::Image(image) => image_of(entry, image)?,
            ResultPart::Opaque(block) => block.raw.clone(),
        });
    }
    let mut object = Object::new();
    object.string("role", "toolResult").text("toolCallId", &result.tool_use_id);
    object.text("toolName", &result.tool_name).raw("content", &parts.finish());
    object.bool("isError", result.is_error);
    Ok(object.finish())
}

fn image_of(entry: &Entry, image: &Image) -> Result<Raw, ExportError> {
    let mut object = typed("image");
    match image.source() {
        ImageSource::Base64(data) => {
            object.text("data", data).text("mimeType", image.media_type());
        }
        ImageSource::Url(_) | ImageSource::File(_) | ImageSource::Blob(_) => {
            let what = "an image whose bytes are elsewhere";
            return Err(ExportError::CannotCarry { entry: entry.id.clone(), what });
        }
    }
    Ok(with_rest(object, &image.rest, &[]))
}
