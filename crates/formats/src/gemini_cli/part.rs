//! Parts as the Gemini API writes them, and what the CLI keeps beside them.

use std::sync::Arc;

use json::{Kind, Object, Raw, Text, Value};
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

/// Parts that only this provider reads.
const NATIVE: [&str; 7] = [
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
    "inlineData",
    "fileData",
    "functionCall",
];

/// Images of types that no record measures.
const UNMEASURED: [&str; 3] = ["image/heic", "image/heif", "image/avif"];

/// Whose parts are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A model's: what it drew is signed, and goes back as it came.
    Model,
    /// A person's: images among them are images like any other.
    Person,
}

/// Reads the parts of one message.
pub(crate) struct PartReader<'r> {
    pub(crate) by: By,
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

    pub(crate) fn part(&mut self, part: Value<'_, '_>) -> Block {
        let text = part.get("text").and_then(Value::to_text);
        if let Some(answer) = member(part, "functionResponse") {
            let text = |name: &str| answer.get(name).and_then(Value::to_text).unwrap_or_default();
            return Block::ToolResult(self.response(part, text("id"), text("name")));
        }
        let read = match (text, member(part, "functionCall")) {
            (Some(text), _) => Some(self.text(part, text)),
            (None, Some(call)) => self.call(part, call),
            (None, None) => match self.by {
                By::Person => self.image(part).map(Block::Image),
                By::Model => None,
            },
        };
        read.or_else(|| self.native(part).map(Block::Opaque)).unwrap_or_else(|| {
            // Other programs write every member that a part may have, most of them null.
            let mut filled = part.members().filter(|(_, value)| !value.is_null());
            let kind = filled.next().and_then(|(name, _)| name.to_text()).unwrap_or_default();
            let detail = format!("a part of {:?} is kept as it is", &*kind);
            self.report.add(FindingKind::UnreadField, self.place, detail);
            Block::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        })
    }

    /// A part that only this provider reads.
    fn native(&self, part: Value<'_, '_>) -> Option<OpaqueBlock> {
        let kind = NATIVE.iter().find(|kind| member(part, kind).is_some())?;
        let (issuer, kind) = (Arc::clone(&self.issuer), (*kind).into());
        let sealed = Raw::string(&Text::default());
        let proof = Proof { issuer, kind: ProofKind::Native, version: 1, sealed };
        Some(OpaqueBlock { kind, raw: in_camel_case(part), proof: Some(Box::new(proof)) })
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
        let sealed = member(part, "thoughtSignature")
            .filter(|sealed| sealed.kind() == Kind::String && sealed.raw() != "\"\"")?;
        let (issuer, sealed) = (Arc::clone(&self.issuer), one_line(sealed));
        Some(Box::new(Proof { issuer, kind: ProofKind::Signature, version: 1, sealed }))
    }

    /// A call of the API: signed by its part. None for one whose arguments come in pieces: it is
    /// not the whole call.
    fn call(&mut self, part: Value<'_, '_>, call: Value<'_, '_>) -> Option<Block> {
        let goes_on = member(call, "willContinue").and_then(Value::as_bool) == Some(true);
        if goes_on || member(call, "partialArgs").is_some() {
            return None;
        }
        let proof = self.signature(part);
        let name = call.get("name")?.to_text()?;
        let id = call.get("id").and_then(Value::to_text).unwrap_or_default();
        let rest = rest(part);
        Some(Block::ToolUse(ToolUse { id, name, input: input_of(call), proof, rest }))
    }

    /// An image, by its bytes or by its address; of a type that no record measures only the latter.
    fn image(&mut self, part: Value<'_, '_>) -> Option<Image> {
        let (inline, file) = (member(part, "inlineData"), member(part, "fileData"));
        let data = inline.or(file)?;
        let text = |name: &str| member(data, name).and_then(Value::to_text);
        let media_type = text("mimeType").filter(|kind| kind.starts_with("image/"))?;
        let source = match inline {
            Some(_) if UNMEASURED.contains(&&*media_type) => return None,
            Some(_) => ImageSource::Base64(text("data")?),
            None => ImageSource::Url(text("fileUri")?),
        };
        let image = Image::new(media_type, source);
        let known = ["mimeType", "mime_type", "data", "fileUri", "file_uri"];
        Some(picture::read(image, data, &known, self.report, self.place))
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

    /// What a function responded, as a part of the API says it.
    pub(crate) fn response(&mut self, part: Value<'_, '_>, id: Text, name: Text) -> ToolResult {
        let (mut content, mut is_error, mut rest) = (Vec::new(), false, Rest::default());
        self.returned(part, &mut content, &mut is_error, &mut rest);
        ToolResult { tool_use_id: id, tool_name: name, content, is_error, rest }
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
        let Some(answer) = member(part, "functionResponse") else {
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
        let said = |name: &str| alone.and_then(|response| response.get(name)?.to_text());
        *is_error |= alone.is_some_and(|response| response.get("error").is_some());
        match (said("output"), said("error"), response) {
            (Some(output), _, _) if output.is_empty() => {}
            (Some(output), _, _) => content.push(ResultPart::Text(output)),
            (None, Some(error), _) => content.push(ResultPart::Text(error)),
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
        if let Some(image) = self.image(part) {
            return ResultPart::Image(image);
        }
        match self.native(part) {
            Some(native) => ResultPart::Opaque(native),
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

/// The member of this name in camel case, or in snake case: the API reads both.
pub(crate) fn member<'d, 't>(value: Value<'d, 't>, name: &str) -> Option<Value<'d, 't>> {
    let found = value.get(name).or_else(|| value.get(&in_snake_case(name)));
    found.filter(|value| !value.is_null())
}

fn in_snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    for sign in name.chars() {
        if sign.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(sign.to_ascii_lowercase());
    }
    out
}

/// A part whose members, and those of its data, are named in camel case; else as it is.
fn in_camel_case(part: Value<'_, '_>) -> Raw {
    let renamed = |name: Value<'_, '_>| {
        let name = name.as_str().unwrap_or_default();
        let mut out = String::with_capacity(name.len());
        let mut upper = false;
        for sign in name.chars() {
            match sign {
                '_' => upper = true,
                _ if std::mem::take(&mut upper) => out.push(sign.to_ascii_uppercase()),
                _ => out.push(sign),
            }
        }
        out
    };
    let named = |value: Value<'_, '_>| {
        value.members().any(|(name, _)| name.as_str().is_some_and(|name| name.contains('_')))
    };
    if !named(part) && !part.members().any(|(_, value)| named(value)) {
        return one_line(part);
    }
    let mut out = Object::new();
    for (name, value) in part.members() {
        if value.kind() != Kind::Object {
            out.raw(&renamed(name), &one_line(value));
            continue;
        }
        let mut data = Object::new();
        for (name, value) in value.members() {
            data.raw(&renamed(name), &one_line(value));
        }
        out.raw(&renamed(name), &data.finish());
    }
    out.finish()
}
