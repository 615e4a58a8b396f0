//! Parts as the Gemini API writes them, and what the CLI keeps beside them.

use std::sync::Arc;

use json::{Kind, Raw, Text, Value};
use record::{
    Block, FindingKind, Image, ImageSource, Input, Issuer, OpaqueBlock, Proof, ProofKind,
    Reasoning, Rest, ResultPart, TextBlock, ToolResult, ToolUse,
};

use crate::picture;
use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::one_line;

/// Members of a part that are read.
const KNOWN: [&str; 6] =
    ["text", "thought", "thoughtSignature", "thought_signature", "functionCall", "function_call"];

/// Reads the parts of one message.
pub(crate) struct PartReader<'r> {
    pub(crate) issuer: Arc<Issuer>,
    pub(crate) report: &'r mut Report,
    pub(crate) place: Place,
}

impl PartReader<'_> {
    /// A message's content: a string, a part, or a list of either.
    pub(crate) fn content(&mut self, content: Value<'_, '_>) -> Option<Vec<Block>> {
        match content.kind() {
            Kind::String => Some(self.string(content).into_iter().collect()),
            Kind::Object => Some(vec![self.part(content)]),
            Kind::Array => Some(
                content
                    .items()
                    .filter_map(|item| match item.kind() {
                        Kind::String => self.string(item),
                        // Every member a part may have, and none of them filled.
                        Kind::Object if item.raw() != "{}" && is_hollow(item) => None,
                        _ => Some(self.part(item)),
                    })
                    .collect(),
            ),
            Kind::Null => Some(Vec::new()),
            Kind::Bool | Kind::Number => None,
        }
    }

    fn string(&mut self, value: Value<'_, '_>) -> Option<Block> {
        value.to_text().filter(|text| !text.is_empty()).map(Block::text)
    }

    fn part(&mut self, part: Value<'_, '_>) -> Block {
        // Other programs write every member that a part may have, most of them null.
        let part_of = |names: [&str; 2]| {
            names.iter().find_map(|name| part.get(name)).filter(|value| !value.is_null())
        };
        let text = part.get("text").and_then(Value::to_text);
        if let Some(answer) = part_of(["functionResponse", "function_response"]) {
            return Block::ToolResult(self.response(answer));
        }
        let call = part_of(["functionCall", "function_call"]);
        let read = match (text, call, part_of(["inlineData", "inline_data"])) {
            (Some(text), _, _) => Some(self.text(part, text)),
            (None, Some(call), _) => self.call(part, call),
            (None, None, Some(data)) => self.image(data).map(Block::Image),
            (None, None, None) => None,
        };
        read.unwrap_or_else(|| {
            let mut filled = part.members().filter(|(_, value)| !value.is_null());
            let kind = filled.next().and_then(|(name, _)| name.to_text()).unwrap_or_default();
            let detail = format!("a part of {:?} is kept as it is", &*kind);
            self.report.add(FindingKind::UnreadField, self.place, detail);
            Block::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        })
    }

    fn text(&mut self, part: Value<'_, '_>, text: Text) -> Block {
        let proof = self.signature(part);
        let rest = rest(part);
        if part.get("thought").and_then(Value::as_bool) == Some(true) {
            Block::Reasoning(Reasoning { reasoning: text, proof, rest })
        } else {
            Block::Text(TextBlock { text, proof, rest })
        }
    }

    /// The signature of a part, whichever block it signs.
    fn signature(&mut self, part: Value<'_, '_>) -> Option<Box<Proof>> {
        let sealed = ["thoughtSignature", "thought_signature"]
            .iter()
            .find_map(|name| part.get(name))
            .filter(|sealed| sealed.kind() == Kind::String && sealed.raw() != "\"\"")?;
        let (issuer, sealed) = (Arc::clone(&self.issuer), one_line(sealed));
        Some(Box::new(Proof { issuer, kind: ProofKind::Signature, version: 1, sealed }))
    }

    /// A call of the API: signed by its part.
    fn call(&mut self, part: Value<'_, '_>, call: Value<'_, '_>) -> Option<Block> {
        let proof = self.signature(part);
        let name = call.get("name")?.to_text()?;
        let id = call.get("id").and_then(Value::to_text).unwrap_or_default();
        let rest = rest(part);
        Some(Block::ToolUse(ToolUse { id, name, input: input_of(call), proof, rest }))
    }

    fn image(&mut self, data: Value<'_, '_>) -> Option<Image> {
        let text = |name: &str| data.get(name).and_then(Value::to_text);
        let media_type = text("mimeType").or_else(|| text("mime_type"));
        let media_type = media_type.filter(|kind| kind.starts_with("image/"))?;
        let image = Image::new(media_type, ImageSource::Base64(text("data")?));
        Some(picture::read(
            image,
            data,
            &["mimeType", "mime_type", "data"],
            self.report,
            self.place,
        ))
    }

    /// A call as the CLI keeps it beside the message.
    pub(crate) fn recorded_call(&mut self, call: Value<'_, '_>) -> Option<Block> {
        let name = call.get("name")?.to_text()?;
        let id = call.get("id").and_then(Value::to_text).unwrap_or_default();
        let (input, proof) = (input_of(call), self.signature(call));
        Some(Block::ToolUse(ToolUse { id, name, input, proof, rest: Rest::default() }))
    }

    /// What a recorded call returned; nothing while it waits or runs.
    pub(crate) fn result(&mut self, call: Value<'_, '_>) -> Option<ToolResult> {
        let text = |name: &str| call.get(name).and_then(Value::to_text).unwrap_or_default();
        let failed = matches!(&*text("status"), "error" | "cancelled");
        let result = call.get("result").filter(|result| !result.is_null())?;
        let (mut content, mut is_error, mut rest) = (Vec::new(), failed, Rest::default());
        match result.kind() {
            Kind::String => content.extend(result.to_text().map(ResultPart::Text)),
            Kind::Array => {
                for part in result.items() {
                    self.returned(part, &mut content, &mut is_error, &mut rest);
                }
            }
            _ => self.returned(result, &mut content, &mut is_error, &mut rest),
        }
        let (tool_use_id, tool_name) = (text("id"), text("name"));
        Some(ToolResult { tool_use_id, tool_name, content, is_error, rest })
    }

    /// What a function returned, as a part of its own.
    fn response(&mut self, answer: Value<'_, '_>) -> ToolResult {
        let text = |name: &str| answer.get(name).and_then(Value::to_text).unwrap_or_default();
        let (mut content, mut is_error, mut rest) = (Vec::new(), false, Rest::default());
        self.answered(answer, &mut content, &mut is_error, &mut rest);
        let (tool_use_id, tool_name) = (text("id"), text("name"));
        ToolResult { tool_use_id, tool_name, content, is_error, rest }
    }

    /// One part of what was returned. The response of a function is its output or its error; any
    /// other shape is told as it is written.
    fn returned(
        &mut self,
        part: Value<'_, '_>,
        content: &mut Vec<ResultPart>,
        is_error: &mut bool,
        rest: &mut Rest,
    ) {
        if let Some(text) = part.get("text").and_then(Value::to_text) {
            return content.push(ResultPart::Text(text));
        }
        let Some(answer) = part.get("functionResponse") else {
            content.push(self.picture(part));
            return;
        };
        self.answered(answer, content, is_error, rest);
    }

    fn answered(
        &mut self,
        answer: Value<'_, '_>,
        content: &mut Vec<ResultPart>,
        is_error: &mut bool,
        rest: &mut Rest,
    ) {
        let response = answer.get("response");
        let alone = response.filter(|response| response.members().count() == 1);
        let member = |name: &str| alone.and_then(|response| response.get(name)?.to_text());
        match (member("output"), member("error"), response) {
            (Some(output), _, _) if output.is_empty() => {}
            (Some(output), _, _) => content.push(ResultPart::Text(output)),
            (None, Some(error), _) => {
                *is_error = true;
                content.push(ResultPart::Text(error));
            }
            (None, None, Some(response)) => {
                let raw = Raw::compact(response);
                content.push(ResultPart::Text(raw.as_str().into()));
                rest.push("functionResponse".into(), raw);
            }
            (None, None, None) => {}
        }
        for part in answer.get("parts").into_iter().flat_map(Value::items) {
            content.push(self.picture(part));
        }
    }

    fn picture(&mut self, part: Value<'_, '_>) -> ResultPart {
        match part.get("inlineData").and_then(|data| self.image(data)) {
            Some(image) => ResultPart::Image(image),
            None => {
                let name = part.members().next().and_then(|(name, _)| name.to_text());
                let kind = name.unwrap_or_default();
                ResultPart::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
            }
        }
    }
}

fn is_hollow(part: Value<'_, '_>) -> bool {
    part.members().all(|(_, value)| value.is_null())
}

fn rest(part: Value<'_, '_>) -> Rest {
    let mut rest = Rest::default();
    for (name, value) in rest_of(part, &KNOWN).iter().filter(|(_, value)| value.as_str() != "null")
    {
        rest.push(name.clone(), value.clone());
    }
    rest
}

fn input_of(call: Value<'_, '_>) -> Input {
    call.get("args").map_or_else(|| Input::new(Text::default()), Input::of_value)
}

/// A thought as the CLI sums it up: its subject in bold, then what it says.
pub(crate) fn thought(thought: Value<'_, '_>) -> Option<Block> {
    let text = |name: &str| thought.get(name).and_then(Value::to_text);
    let said = text("description").unwrap_or_default();
    let reasoning = match text("subject").filter(|subject| !subject.is_empty()) {
        Some(subject) => format!("**{subject}** {said}").into(),
        None => said,
    };
    (!reasoning.is_empty())
        .then(|| Block::Reasoning(Reasoning { reasoning, proof: None, rest: Rest::default() }))
}
