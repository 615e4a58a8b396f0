//! Rows as steps.
#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::HashMap;

use json::{Array, Object, Raw};
use record::{
    Block, Compaction, Entry, EntryId, Fact, Image, Message, ResultPart, Role, Source, ToolResult,
};

use super::{VERSION, extra_of};
use crate::anthropic::write::input_of;
use crate::error::ExportError;
use crate::harness::rows::{Piece, Row, Rows};
use crate::instant;
use crate::openai_chat;
use crate::rest::typed;

/// The media types of images that the format has.
const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// A document without steps.
pub(super) fn begin(rows: &Rows<'_>) -> Raw {
    let mut models = rows.iter().filter_map(|row| model_of(&row.message));
    let (mut agent, mut document) = (Object::new(), Object::new());
    let name = rows.iter().find_map(|row| row.entry.origin.as_deref());
    agent.string("name", name.map_or("unknown", |origin| &origin.format));
    agent.string("version", "unknown").optional_string("model_name", models.next_back());
    document.string("schema_version", VERSION);
    document.optional_string("session_id", rows.first().map(|row| row.entry.id.as_str()));
    document.raw("agent", &agent.finish()).raw("steps", &Array::new().finish());
    document.finish()
}

fn model_of(message: &Message) -> Option<&str> {
    match &message.source {
        Some(Source::Model { model, .. }) if !model.is_empty() => Some(model),
        Some(
            Source::Model { .. } | Source::User | Source::Tool { .. } | Source::Runtime { .. },
        )
        | Some(Source::Other(_))
        | None => None,
    }
}

pub(super) fn write(rows: &Rows<'_>) -> Result<Vec<Raw>, ExportError> {
    let mut steps = Steps {
        written: Vec::new(),
        before: rows.items_before(),
        told: Vec::new(),
        first_of: HashMap::new(),
    };
    for (at, row) in rows.iter().enumerate() {
        let first = steps.number();
        steps.first_of.insert(row.entry.id.clone(), EntryId::new(format!("step.{first}")));
        if let Some(compaction) = row.compaction() {
            steps.compaction(row, compaction)?;
            continue;
        }
        match row.message.role {
            Role::Assistant => steps.agent(rows, at, row)?,
            Role::System => steps.said("system", row)?,
            Role::User | Role::Tool => steps.said("user", row)?,
        }
    }
    Ok(steps.written)
}

struct Steps<'r> {
    written: Vec<Raw>,
    /// How many steps the file has already.
    before: usize,
    /// Results that stand in the step of their call.
    told: Vec<&'r ToolResult>,
    /// The step an entry begins with.
    first_of: HashMap<EntryId, EntryId>,
}

impl<'r> Steps<'r> {
    /// The number of the next step.
    fn number(&self) -> usize {
        self.before + self.written.len() + 1
    }

    /// A compaction: its handoff, and which steps it keeps.
    fn compaction(&mut self, row: &Row<'_>, compaction: &Compaction) -> Result<(), ExportError> {
        let step_of = |id: &EntryId| self.first_of.get(id).cloned();
        let retained = compaction.retained.iter().filter_map(step_of).collect();
        let retained_from = compaction.retained_from.as_ref().and_then(step_of);
        let kept = Compaction { retained, retained_from, ..compaction.clone() };
        let fact = Fact::Compaction(Box::new(kept));
        let entry = Entry { fact, origin: None, parent: None, ..row.entry.clone() };
        let mut step = self.step("system", row);
        step.string("message", &row.words()?);
        let entry = record::jsonl::write_entry(&entry).ok();
        step.optional_raw("extra", entry.map(|entry| extra_of(&entry)).as_ref());
        self.written.push(step.finish());
        Ok(())
    }

    fn step(&self, source: &str, row: &Row<'_>) -> Object {
        let mut step = Object::new();
        step.number("step_id", self.number() as u64);
        let time = row.entry.time.as_deref().filter(|time| instant::milliseconds(Some(time)) != 0);
        step.optional_string("timestamp", time).string("source", source);
        step
    }

    /// A step of somebody else than the agent; a result away from its call is the system's.
    fn said(&mut self, source: &str, row: &Row<'_>) -> Result<(), ExportError> {
        let mut parts = Parts::default();
        let mut late = Vec::new();
        for piece in row.pieces()? {
            match piece {
                Piece::Text(text) => parts.text(&text.text),
                Piece::Image(image) => parts.image(row, image)?,
                Piece::Result(result) => {
                    if !self.told.iter().any(|told| std::ptr::eq(*told, result)) {
                        let result = self.result(row, result, false)?;
                        late.push(result);
                    }
                }
                Piece::Call(_) | Piece::Thought(_) => {
                    return row.refuse("a block that only a reply has");
                }
                Piece::Opaque(_) => {}
            }
        }
        if !late.is_empty() {
            let mut observation = Object::new();
            observation.raw("results", &Array::of(&late));
            let mut step = self.step("system", row);
            step.string("message", "").raw("observation", &observation.finish());
            self.written.push(step.finish());
        }
        if parts.count > 0 {
            let mut step = self.step(source, row);
            self.written.push(step.raw("message", &parts.finish()).finish());
        }
        Ok(())
    }

    fn agent(&mut self, rows: &'r Rows<'_>, at: usize, row: &Row<'_>) -> Result<(), ExportError> {
        let (mut parts, mut calls) = (Parts::default(), Vec::new());
        let (mut thoughts, mut results) = (Vec::new(), Vec::new());
        for piece in row.pieces()? {
            match piece {
                Piece::Text(text) => parts.text(&text.text),
                Piece::Image(image) => parts.image(row, image)?,
                Piece::Thought(thought) => thoughts.push(thought.reasoning.as_str()),
                Piece::Call(call) => {
                    let mut object = Object::new();
                    object.text("tool_call_id", &call.id).text("function_name", &call.name);
                    object.raw("arguments", &input_of(&call.input));
                    calls.push(object.finish());
                    if let Some(result) = rows.result_of(at, call) {
                        results.push(self.result(row, result, true)?);
                        self.told.push(result);
                    }
                }
                Piece::Result(_) => return row.refuse("a result inside a reply"),
                Piece::Opaque(_) => {}
            }
        }
        let mut step = self.step("agent", row);
        step.optional_string("model_name", model_of(&row.message));
        step.raw("message", &parts.finish());
        thoughts.retain(|thought| !thought.is_empty());
        if !thoughts.is_empty() {
            step.string("reasoning_content", &thoughts.join("\n\n"));
        }
        if !calls.is_empty() {
            step.raw("tool_calls", &Array::of(&calls));
        }
        if !results.is_empty() {
            let mut observation = Object::new();
            step.raw("observation", &observation.raw("results", &Array::of(&results)).finish());
        }
        step.optional_raw("metrics", metrics(&row.message).as_ref());
        step.optional_raw("extra", sealed(row).as_ref());
        self.written.push(step.finish());
        Ok(())
    }

    fn result(&self, row: &Row<'_>, result: &ToolResult, own: bool) -> Result<Raw, ExportError> {
        let mut parts = Parts::default();
        for part in &result.content {
            match part {
                ResultPart::Text(text) => parts.text(text),
                ResultPart::Image(image) => parts.image(row, image)?,
                ResultPart::Opaque(_) => {}
            }
        }
        let mut object = Object::new();
        if own {
            object.text("source_call_id", &result.tool_use_id);
        }
        object.raw("content", &parts.finish());
        if result.is_error {
            let mut extra = Object::new();
            object.raw("extra", &extra.bool("is_error", true).finish());
        }
        Ok(object.finish())
    }
}

/// The prompt counts all that was read.
fn metrics(message: &Message) -> Option<Raw> {
    let usage = message.usage.as_ref()?;
    let prompt = usage
        .input_tokens
        .saturating_add(usage.cache_creation_input_tokens)
        .saturating_add(usage.cache_read_input_tokens);
    let mut metrics = Object::new();
    metrics.number("prompt_tokens", prompt).number("completion_tokens", usage.output_tokens);
    metrics.number("cached_tokens", usage.cache_read_input_tokens);
    Some(metrics.finish())
}

/// A reply as our own entry, where its blocks hold what no member of a step says.
fn sealed(row: &Row<'_>) -> Option<Raw> {
    let has_proof = |block: &Block| match block {
        Block::Text(text) => text.proof.is_some(),
        Block::ToolUse(call) => call.proof.is_some(),
        Block::Reasoning(thought) => thought.proof.is_some(),
        Block::Opaque(_) => true,
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => false,
    };
    if !row.message.blocks.iter().any(has_proof) {
        return None;
    }
    let fact = Fact::Message(Box::new(row.message.clone().into_owned()));
    let entry = Entry { fact, origin: None, parent: None, ..row.entry.clone() };
    record::jsonl::write_entry(&entry).ok().map(|entry| extra_of(&entry))
}

/// A message: one text, or parts.
#[derive(Default)]
struct Parts {
    list: Array,
    words: Option<Raw>,
    count: usize,
}

impl Parts {
    fn text(&mut self, text: &json::Text) {
        let mut part = typed("text");
        self.list.raw(&part.text("text", text).finish());
        self.words = (self.count == 0).then(|| Raw::string(text));
        self.count += 1;
    }

    fn image(&mut self, row: &Row<'_>, image: &Image) -> Result<(), ExportError> {
        let media_type = image.media_type().as_str();
        let url = openai_chat::url_of(image);
        let Some(url) = url.filter(|_| IMAGES.contains(&media_type) || media_type.is_empty())
        else {
            return row.refuse("an image the format has no type or address for");
        };
        let (mut source, mut part) = (Object::new(), typed("image"));
        let media_type = if media_type.is_empty() { "image/png" } else { media_type };
        source.string("media_type", media_type).text("path", &url);
        self.list.raw(&part.raw("source", &source.finish()).finish());
        (self.words, self.count) = (None, self.count + 1);
        Ok(())
    }

    fn finish(self) -> Raw {
        match (self.count, self.words) {
            (0, _) => Raw::string(&json::Text::default()),
            (_, Some(words)) => words,
            (_, None) => self.list.finish(),
        }
    }
}
