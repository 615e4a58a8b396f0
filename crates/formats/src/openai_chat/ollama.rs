//! Messages as Ollama's native API has them: content is a string, images stand beside it, calls
//! have no ids, and results match them by order.
#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::VecDeque;

use assemble::openai_chat::message::{self, KEY, KNOWN};
use json::{Array, Kind, Object, Raw, Text, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, Entry, EntryId, FindingKind, Image, ImageSource, Input, InputClass, Message, Reasoning,
    Rest, ResultPart, Role, Source, ToolResult, ToolUse,
};
use wire::openai_chat::vendors::Form;

use super::message::MessageReader;
use super::write::role_of;
use crate::error::ExportError;
use crate::rest::{rest_of, with_rest};
use crate::{failure, origin, picture};

/// Who serves the models.
pub(super) const PLATFORM: &str = "ollama";

/// The key a thought stands under.
const THINKING: &str = "thinking";

/// Calls that wait for their result: ids and names, in order.
pub(super) type Waiting = VecDeque<(Text, Text)>;

impl MessageReader<'_> {
    /// A message; `None` where it has no known role, or content of another form.
    pub(super) fn ollama(
        &mut self,
        value: Value<'_, '_>,
        id: &EntryId,
        waiting: &mut Waiting,
    ) -> Option<Message> {
        let role = match &*value.get_str("role")? {
            "user" => Role::User,
            "system" => Role::System,
            "assistant" => Role::Assistant,
            "tool" => {
                let result = self.ollama_result(value, waiting)?;
                let source = Some(Source::Tool { call_id: result.tool_use_id.clone() });
                let mut message = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
                message.source = source;
                return Some(message);
            }
            _ => return None,
        };
        // What a model is shown begins with the images.
        let mut blocks: Vec<Block> = self.images(value).into_iter().map(Block::Image).collect();
        if role == Role::Assistant {
            blocks.extend(thought(value));
        }
        blocks.extend(self.content(text_of(value)?)?);
        if role == Role::Assistant {
            waiting.clear();
            for (block, n) in message::calls(value, &self.issuer).into_iter().zip(0u32..) {
                blocks.push(named(block, id, n, waiting));
            }
        }
        if blocks.len() > BLOCKS_MAX {
            return None;
        }
        let mut message = Message::new(role, blocks);
        let own = ["images", THINKING];
        message.rest = rest_of(value, &[&KNOWN[..], &own[..]].concat());
        Some(message)
    }

    fn ollama_result(&mut self, value: Value<'_, '_>, waiting: &mut Waiting) -> Option<ToolResult> {
        let text = |name: &str| value.get(name).and_then(Value::to_text);
        let said = text_of(value)?.and_then(Value::to_text).filter(|said| !said.is_empty());
        let (id, name) = (text("tool_call_id"), text("tool_name").or_else(|| text("name")));
        let fits = |(call, tool): &(Text, Text)| match (&id, &name) {
            (Some(id), _) => call == id,
            (None, Some(name)) => tool == name,
            (None, None) => true,
        };
        let at = waiting.iter().position(fits);
        let (call, tool) = at.and_then(|at| waiting.remove(at)).unwrap_or_default();
        let images = self.images(value).into_iter().map(ResultPart::Image);
        Some(ToolResult {
            tool_use_id: id.unwrap_or(call),
            tool_name: name.unwrap_or(tool),
            content: images.chain(said.map(ResultPart::Text)).collect(),
            is_error: false,
            rest: rest_of(
                value,
                &["role", "content", "images", "tool_call_id", "tool_name", "name"],
            ),
        })
    }

    /// The images beside the content, typed by their bytes.
    fn images(&mut self, value: Value<'_, '_>) -> Vec<Image> {
        let mut images = Vec::new();
        for item in value.get("images").into_iter().flat_map(Value::items) {
            let Some(data) = item.to_text() else {
                let detail = "an image that is no text is left out";
                self.report.add(FindingKind::UnreadField, self.place, detail);
                continue;
            };
            let untyped = Image::new(Text::default(), ImageSource::Base64(data.clone()));
            let media_type = untyped.measured().map(|measured| measured.media_type.as_str());
            let image =
                Image::new(media_type.unwrap_or_default().into(), ImageSource::Base64(data));
            images.push(picture::read(image, item, &[], self.report, self.place));
        }
        images
    }
}

/// The content, where it is a string or nothing.
fn text_of<'d, 't>(value: Value<'d, 't>) -> Option<Option<Value<'d, 't>>> {
    match value.get("content") {
        Some(content) if content.kind() == Kind::String => Some(Some(content)),
        Some(content) if !content.is_null() => None,
        Some(_) | None => Some(None),
    }
}

fn thought(value: Value<'_, '_>) -> Option<Block> {
    let reasoning = value.get(THINKING)?.to_text().filter(|text| !text.is_empty())?;
    let mut rest = Rest::default();
    rest.push(KEY.into(), Raw::string(&THINKING.into()));
    Some(Block::Reasoning(Reasoning { reasoning, proof: None, rest }))
}

/// A call with an id: its own, or one of its place.
fn named(block: Block, message: &EntryId, n: u32, waiting: &mut Waiting) -> Block {
    let Block::ToolUse(mut call) = block else { return block };
    if call.id.is_empty() {
        call.id = format!("{message}.tool_calls.{n}").into();
    }
    waiting.push_back((call.id.clone(), call.name.clone()));
    Block::ToolUse(call)
}

/// The messages of a row: one, and one for each result.
pub(super) fn messages_of(entry: &Entry, message: &Message) -> Result<Vec<Raw>, ExportError> {
    let cannot = |what: &'static str| ExportError::CannotCarry { entry: entry.id.clone(), what };
    let mut said: Vec<&str> = Vec::new();
    let (mut images, mut calls, mut results) = (Vec::new(), Array::new(), Vec::new());
    let (mut thinking, mut has_calls) = (None, false);
    for block in &message.blocks {
        match block {
            Block::Text(text) => said.push(&text.text),
            Block::Image(image) => images.push(data_of(entry, image)?),
            Block::ToolUse(call) => {
                calls.raw(&call_of(call));
                has_calls = true;
            }
            Block::ToolResult(result) => results.push(result_of(entry, result)?),
            Block::Reasoning(thought) if came_so(thought) => thinking = Some(&thought.reasoning),
            // One of another API has no place here.
            Block::Reasoning(_) => {}
            Block::SystemChange(_) => return Err(cannot("a change of tools or system text")),
            Block::Opaque(block) if origin::may_be_of(block, Form::Ollama.api()) => {
                return Err(cannot("a call without a function"));
            }
            Block::Opaque(_) => {}
        }
    }
    let nothing = said.is_empty() && images.is_empty() && !has_calls && thinking.is_none();
    if nothing && !results.is_empty() {
        return Ok(results);
    }
    let mut object = Object::new();
    object.string("role", role_of(message.role)).string("content", &said.join("\n"));
    if let Some(thinking) = thinking {
        object.text(THINKING, thinking);
    }
    pictured(&mut object, &images);
    if has_calls {
        object.raw("tool_calls", &calls.finish());
    }
    results.insert(0, with_rest(object, &message.rest, &[]));
    Ok(results)
}

fn came_so(thought: &Reasoning) -> bool {
    thought.rest.get(KEY).is_some_and(|key| key.doc().root().is_str(THINKING))
}

fn pictured(object: &mut Object, images: &[Text]) {
    if !images.is_empty() {
        let images: Vec<Raw> = images.iter().map(Raw::string).collect();
        object.raw("images", &Array::of(&images));
    }
}

fn data_of(entry: &Entry, image: &Image) -> Result<Text, ExportError> {
    match image.source() {
        ImageSource::Base64(data) => Ok(data.clone()),
        ImageSource::Url(_) | ImageSource::Blob(_) | ImageSource::File(_) => {
            let what = "an image whose bytes are elsewhere";
            Err(ExportError::CannotCarry { entry: entry.id.clone(), what })
        }
    }
}

/// A call without its id. Arguments that are no object stand as they are: nothing is mended here.
fn call_of(call: &ToolUse) -> Raw {
    let mut function = Object::new();
    function.text("name", &call.name).raw("arguments", &arguments(&call.input));
    let mut object = Object::new();
    object.raw("function", &function.finish());
    with_rest(object, &call.rest, &["type"])
}

fn arguments(input: &Input) -> Raw {
    match input.class() {
        InputClass::Empty => Object::new().finish(),
        InputClass::Object | InputClass::Malformed => {
            Raw::parse(input.text()).unwrap_or_else(|_| Raw::string(input.text()))
        }
    }
}

fn result_of(entry: &Entry, result: &ToolResult) -> Result<Raw, ExportError> {
    let (mut said, mut images): (Vec<&str>, Vec<Text>) = (Vec::new(), Vec::new());
    let told = failure::told(result);
    for part in &*told {
        match part {
            ResultPart::Text(text) => said.push(text),
            ResultPart::Image(image) => images.push(data_of(entry, image)?),
            ResultPart::Opaque(_) => {}
        }
    }
    let mut object = Object::new();
    object.string("role", "tool");
    if !result.tool_name.is_empty() {
        object.text("tool_name", &result.tool_name);
    }
    object.string("content", &said.join("\n"));
    pictured(&mut object, &images);
    Ok(with_rest(object, &result.rest, &[]))
}
