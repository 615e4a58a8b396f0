//! Evaluation logs of Inspect (UK AISI), as JSON: one document, each sample a conversation of its
//! own, in messages near those of Chat Completions.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{
    Block, Image, Input, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning, Rest, ResultPart, Role,
    ToolResult, ToolUse,
};

use super::message::{is_long, line_of, reply, result_part, returned, said, text};
use super::rows::{Piece, Row};
use super::session::Session;
use super::{Harness, New, no_lines};
use crate::Format;
use crate::anthropic::write::input_of;
use crate::chain::Line;
use crate::error::ExportError;
use crate::openai_chat;
use crate::places::Places;
use crate::report::Place;
use crate::rest::typed;
use crate::source::one_line;

pub(super) const HARNESS: Harness = Harness {
    format: Format::Inspect,
    is_line: super::never,
    is_document: |root| {
        if is_sample(root) {
            return true;
        }
        let samples = root.get("samples").is_some_and(|samples| samples.kind() == Kind::Array);
        samples && root.get("eval").is_some_and(|eval| eval.kind() == Kind::Object)
    },
    line: no_lines,
    document,
    list: &[&["samples", "messages"], &["messages"]],
    write: |rows| Ok(rows.iter().map(messages).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Document(|_| {
        let (mut sample, mut eval, mut document) = (Object::new(), Object::new(), Object::new());
        sample.number("id", 1).number("epoch", 1).string("input", "").string("target", "");
        sample.raw("messages", &Array::new().finish());
        eval.string("task", "").string("model", "");
        document.number("version", 2).string("status", "success").raw("eval", &eval.finish());
        document.raw("samples", &Array::of([&sample.finish()]));
        document.finish()
    }),
};

/// Whether a document is a sample alone, as packed logs hold them.
fn is_sample(root: Value<'_, '_>) -> bool {
    let list = root.get("messages").is_some_and(|list| list.kind() == Kind::Array);
    list && ["epoch", "input", "target"].iter().all(|name| root.get(name).is_some())
}

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    let model = root.get("eval").and_then(|eval| text(eval, "model")).unwrap_or_default();
    let alone = Some(root).filter(|root| is_sample(*root));
    let samples = root.get("samples").into_iter().flat_map(Value::items);
    for (at, sample) in samples.chain(alone).enumerate() {
        let name = |member: &str| sample.get(member).map_or("?", Value::raw);
        let of = format!("sample {} (epoch {})", name("id"), name("epoch"));
        session.begin_conversation(&of, places.of(sample));
        serve(session, &model);
        let list = sample.get("messages").into_iter().flat_map(Value::items);
        for (message, value) in list.enumerate() {
            let id = text(value, "id").unwrap_or_else(|| format!("{at}.messages.{message}").into());
            read(session, value, line_of(Some(id), None, places.of(value)));
        }
    }
}

/// Names of models begin with who serves them.
fn serve(session: &mut Session, model: &str) {
    let (platform, name) = model.split_once('/').unwrap_or(("", model));
    (session.platform, session.model) = (platform.into(), name.into());
}

/// The dialect of what a provider signed.
fn api_of(platform: &str) -> &'static str {
    match platform {
        "anthropic" | "bedrock" => crate::anthropic::block::API,
        "google" | "vertex" => crate::gemini_cli::API,
        _ => openai_chat::API,
    }
}

fn read(session: &mut Session, message: Value<'_, '_>, line: Line) -> usize {
    if let Some(model) = text(message, "model").filter(|model| !model.is_empty()) {
        let platform = session.platform.clone();
        serve(session, &model);
        if session.platform.is_empty() {
            session.platform = platform;
        }
    }
    let issuer = session.issuer(api_of(&session.platform));
    let Some(mut blocks) = content(session, message.get("content"), &issuer, line.place) else {
        return session.unread("message", line);
    };
    match message.get_str("role").as_deref() {
        Some("system") => {
            let texts: Vec<&str> =
                blocks.iter().filter_map(Block::as_text).map(|text| text.text.as_str()).collect();
            session.system(texts.join("\n").into(), line)
        }
        Some("user") => session.row(said(blocks), line),
        Some("assistant") => {
            let calls = message.get("tool_calls").into_iter().flat_map(Value::items);
            blocks.extend(calls.map(call));
            session.row(reply(blocks, &issuer), line)
        }
        Some("tool") => {
            let error = message.get("error").filter(|error| !error.is_null());
            let mut content: Vec<ResultPart> = blocks.into_iter().filter_map(result_part).collect();
            let told = error.and_then(|error| text(error, "message"));
            if content.is_empty() {
                content.extend(told.map(ResultPart::Text));
            }
            let result = ToolResult {
                tool_use_id: text(message, "tool_call_id").unwrap_or_default(),
                tool_name: text(message, "function").unwrap_or_default(),
                content,
                is_error: error.is_some(),
                rest: Rest::default(),
            };
            session.row(returned(result), line)
        }
        Some(_) | None => session.unread("message", line),
    }
}

fn content(
    session: &mut Session,
    content: Option<Value<'_, '_>>,
    issuer: &std::sync::Arc<Issuer>,
    place: Place,
) -> Option<Vec<Block>> {
    let content = content?;
    if let Some(words) = content.to_text() {
        let words = Some(words).filter(|words| !words.is_empty());
        return Some(words.map(Block::text).into_iter().collect());
    }
    if content.kind() != Kind::Array || is_long(content) {
        return None;
    }
    let blocks = content.items().map(|part| {
        let kind = text(part, "type").unwrap_or_default();
        let read = match &*kind {
            "text" => text(part, "text").map(Block::text),
            "reasoning" => thought(part, issuer),
            "image" => image(session, part, place).map(Block::Image),
            _ => None,
        };
        read.unwrap_or_else(|| {
            session.unread_block(&kind, place);
            Block::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        })
    });
    Some(blocks.collect())
}

/// A thought: what is signed beside it, or, where it is redacted, its text.
fn thought(part: Value<'_, '_>, issuer: &std::sync::Arc<Issuer>) -> Option<Block> {
    let reasoning = text(part, "reasoning")?;
    let redacted = part.get("redacted").and_then(Value::as_bool) == Some(true);
    let signature = part.get("signature").filter(|sealed| sealed.kind() == Kind::String);
    let sealed = match signature {
        _ if redacted => Some((ProofKind::Redacted, Raw::string(&reasoning))),
        Some(sealed) if sealed.raw() != "\"\"" => Some((ProofKind::Signature, one_line(sealed))),
        Some(_) | None => None,
    };
    let proof = sealed
        .map(|(kind, sealed)| Box::new(Proof { issuer: issuer.clone(), kind, version: 1, sealed }));
    let reasoning = if redacted { Text::default() } else { reasoning };
    Some(Block::Reasoning(Reasoning { reasoning, proof, rest: Rest::default() }))
}

fn image(session: &mut Session, part: Value<'_, '_>, place: Place) -> Option<Image> {
    let url = text(part, "image")?;
    let known = ["image", "detail", "internal"];
    Some(openai_chat::image_of(&url, part, &known, &mut session.chain.report, place))
}

fn call(call: Value<'_, '_>) -> Block {
    Block::ToolUse(ToolUse {
        id: text(call, "id").unwrap_or_default(),
        name: text(call, "function").unwrap_or_default(),
        input: call.get("arguments").map_or_else(|| Input::new(Text::default()), Input::of_value),
        proof: None,
        rest: Rest::default(),
    })
}

fn messages(row: &Row<'_>) -> Result<Vec<Raw>, ExportError> {
    let (mut content, mut calls, mut written) = (Array::new(), Array::new(), Vec::new());
    let (mut has_calls, mut has_content) = (false, false);
    for piece in row.pieces()? {
        match piece {
            Piece::Call(call) => {
                let mut object = Object::new();
                object.text("id", &call.id).text("function", &call.name);
                object.raw("arguments", &input_of(&call.input)).string("type", "function");
                calls.raw(&object.finish());
                has_calls = true;
            }
            Piece::Result(result) => written.push(tool_message(row, result)?),
            Piece::Text(said) => {
                content.raw(&text_part(&said.text));
                has_content = true;
            }
            Piece::Thought(thought) => {
                content.raw(&reasoning_part(thought));
                has_content = true;
            }
            Piece::Image(image) => {
                content.raw(&image_part(row, image)?);
                has_content = true;
            }
            Piece::Opaque(raw) => {
                content.raw(raw);
                has_content = true;
            }
        }
    }
    let role = match row.message.role {
        Role::System => "system",
        Role::Assistant => "assistant",
        Role::User | Role::Tool if !has_content => return Ok(written),
        Role::User | Role::Tool => "user",
    };
    let mut message = Object::new();
    message.string("id", row.entry.id.as_str()).string("role", role);
    message.raw("content", &content.finish());
    if has_calls {
        message.raw("tool_calls", &calls.finish());
    }
    if let Some(record::Source::Model { platform, model, .. }) = &row.message.source {
        message.string("model", &format!("{platform}/{model}"));
    }
    written.push(message.finish());
    Ok(written)
}

fn tool_message(row: &Row<'_>, result: &ToolResult) -> Result<Raw, ExportError> {
    let mut content = Array::new();
    for part in &result.content {
        content.raw(&match part {
            ResultPart::Text(told) => text_part(told),
            ResultPart::Image(image) => image_part(row, image)?,
            ResultPart::Opaque(block) => block.raw.clone(),
        });
    }
    let mut message = Object::new();
    message.string("role", "tool").raw("content", &content.finish());
    message.text("tool_call_id", &result.tool_use_id).text("function", &result.tool_name);
    if result.is_error {
        let mut error = Object::new();
        error.string("type", "unknown").string("message", &result.output());
        message.raw("error", &error.finish());
    }
    Ok(message.finish())
}

fn text_part(words: &Text) -> Raw {
    let mut part = typed("text");
    part.text("text", words);
    part.finish()
}

fn reasoning_part(thought: &Reasoning) -> Raw {
    let proof = |kind: ProofKind| thought.proof.as_deref().filter(|proof| proof.kind == kind);
    let mut part = typed("reasoning");
    match (proof(ProofKind::Redacted), proof(ProofKind::Signature)) {
        (Some(redacted), _) => part.raw("reasoning", &redacted.sealed).bool("redacted", true),
        (None, Some(signed)) => {
            part.text("reasoning", &thought.reasoning).raw("signature", &signed.sealed)
        }
        (None, None) => part.text("reasoning", &thought.reasoning),
    };
    part.finish()
}

fn image_part(row: &Row<'_>, image: &Image) -> Result<Raw, ExportError> {
    let Some(url) = openai_chat::url_of(image) else {
        return row.refuse("an image whose bytes are elsewhere");
    };
    let mut part = typed("image");
    part.text("image", &url);
    Ok(part.finish())
}
