//! A record written as a request body.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{Block, Entry, EntryId, Fact, Head, Message, Record, Role, Sent};

use super::{API, DOCUMENT, tools};
use crate::Format;
use crate::anthropic::write::input_of;
use crate::error::ExportError;
use crate::gemini_cli::write::{image_of, refuse, returned, signed};
use crate::handoff;
use crate::origin;
use crate::rest::with_rest;

const FORMAT: Format = Format::Gemini;

/// Writes the main branch as a body; the document it came from where it is unchanged.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    if let Some(document) = origin::unchanged_document(record, FORMAT, DOCUMENT) {
        return Ok(document);
    }
    let mut body = Body::default();
    for entry in record.branch_path("main") {
        body.take(&entry)?;
    }
    if body.contents.is_empty() {
        return Err(ExportError::NothingToWrite);
    }
    Ok(body.finish().as_str().as_bytes().to_vec())
}

/// A body being put together from a path.
#[derive(Default)]
struct Body {
    head: Option<Head>,
    sent: Option<Sent>,
    /// Entry id and wire form.
    contents: Vec<(EntryId, Raw)>,
}

impl Body {
    fn take(&mut self, entry: &Entry) -> Result<(), ExportError> {
        match &entry.fact {
            Fact::Message(message) => {
                let written = contents_of(entry, message)?.into_iter();
                self.contents.extend(written.map(|raw| (entry.id.clone(), raw)));
            }
            Fact::Head(head) => self.head = Some((**head).clone()),
            Fact::Compaction(compaction) => {
                handoff::compact_as(&mut self.contents, entry, compaction, |by_user, handoff| {
                    let part = text_part(handoff).finish();
                    content(if by_user { "user" } else { "model" }, [&part]).finish()
                });
            }
            Fact::Sent(sent) => self.sent = Some((**sent).clone()),
            Fact::CallStarted(_) | Fact::Retracted(_) | Fact::Opaque(_) => {}
        }
        Ok(())
    }

    fn finish(&self) -> Raw {
        let mut object = Object::new();
        let ours = self.sent.as_ref().filter(|sent| &*sent.target.dialect == API);
        if let Some(sent) = ours {
            object.text("model", &sent.target.model);
            for (name, value) in sent.rest.iter() {
                object.raw(name, value);
            }
        }
        if let Some(head) = &self.head {
            object.optional_raw("tools", tools::written(head).as_ref());
            let system = head.head.iter().flat_map(|head| &head.system);
            let parts: Vec<Raw> = system.map(|text| text_part(text).finish()).collect();
            if !parts.is_empty() {
                let mut instruction = Object::new();
                instruction.raw("parts", &Array::of(&parts));
                object.raw("systemInstruction", &instruction.finish());
            }
        }
        object.raw("contents", &Array::of(self.contents.iter().map(|(_, raw)| raw)));
        object.finish()
    }
}

/// The contents of a row: what functions responded, and what else is said, each its own.
fn contents_of(entry: &Entry, message: &Message) -> Result<Vec<Raw>, ExportError> {
    let (mut parts, mut responses) = (Vec::new(), Vec::new());
    for block in &message.blocks {
        match block {
            Block::Text(text) => {
                parts.push(signed(text_part(&text.text), &text.proof));
            }
            Block::Reasoning(thought) => {
                let mut part = text_part(&thought.reasoning);
                part.bool("thought", true);
                parts.push(signed(part, &thought.proof));
            }
            Block::ToolUse(call) => {
                let mut function = Object::new();
                function.text("id", &call.id).text("name", &call.name);
                function.raw("args", &input_of(&call.input));
                let mut part = Object::new();
                part.raw("functionCall", &function.finish());
                parts.push(signed(part, &call.proof));
            }
            Block::ToolResult(result) => {
                let written = returned(entry, result)?;
                responses.extend(written.doc().root().items().map(Raw::of));
            }
            Block::Image(image) => parts.push(image_of(entry, image)?),
            Block::SystemChange(_) => return refuse(entry, "a change of tools or system text"),
            Block::Opaque(block) if !origin::may_be_of(block, API) => {}
            Block::Opaque(block) => parts.push(block.raw.clone()),
        }
    }
    let role = match message.role {
        Role::System => return refuse(entry, "a system message"),
        Role::User | Role::Tool => "user",
        Role::Assistant => "model",
    };
    let mut contents = Vec::new();
    if !responses.is_empty() {
        contents.push(content("user", &responses).finish());
    }
    if !parts.is_empty() {
        let own = with_rest(content(role, &parts), &message.rest, &[]);
        let first = usize::from(!responses.is_empty() && message.role != Role::Assistant);
        contents.insert(first, own);
    }
    Ok(contents)
}

fn content<'r>(role: &str, parts: impl IntoIterator<Item = &'r Raw>) -> Object {
    let mut object = Object::new();
    object.string("role", role).raw("parts", &Array::of(parts));
    object
}

fn text_part(text: &Text) -> Object {
    let mut part = Object::new();
    part.text("text", text);
    part
}
