//! Chat histories of Grok's command line: an item a line, thoughts before the reply they led to.
//!
//! A thought is a reasoning item of the Responses API, sealed; words and calls of a reply are a
//! line of their own. What xAI's servers ran themselves stands beside the path.

use json::{Array, Kind, Object, Raw, Text, Value};
use record::{
    Block, Input, Proof, ProofKind, Reasoning, Rest, ResultPart, Role, ToolResult, ToolUse,
};

use super::message::{is_long, line_of, reply, returned, said, text, told};
use super::rows::{Piece, Row};
use super::session::Session;
use super::{Harness, New, no_document};
use crate::Format;
use crate::chain::Line;
use crate::error::ExportError;
use crate::openai_chat;
use crate::report::Place;
use crate::rest::typed;
use crate::source::one_line;

/// The dialect whose items the thoughts are.
const API: &str = "openai_responses";

pub(super) const HARNESS: Harness = Harness {
    format: Format::Grok,
    is_line,
    is_document: super::never,
    line,
    document: no_document,
    list: &[],
    write: |rows| Ok(rows.iter().map(lines).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Lines(super::nothing_before),
};

fn is_line(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    let content = line.get("content").map(Value::kind);
    match line.get_str("type").as_deref() {
        Some("system") => content == Some(Kind::String) && line.members().count() == 2,
        Some("user") => {
            content == Some(Kind::Array) && (has("prompt_index") || has("synthetic_reason"))
        }
        Some("assistant") => content == Some(Kind::String) && has("model_id"),
        Some("tool_result") => has("tool_call_id") && has("content"),
        Some("backend_tool_call") => has("kind"),
        Some(_) | None => false,
    }
}

fn line(session: &mut Session, line: Value<'_, '_>, place: Place) -> Option<usize> {
    session.platform = "xai".into();
    let row = line_of(text(line, "id"), None, place);
    let kind = text(line, "type").unwrap_or_default();
    let thoughts = session.step.take();
    match &*kind {
        "system" => match text(line, "content") {
            Some(words) => session.system(words, row),
            None => session.unread("system", row),
        },
        "user" => asked(session, line, row),
        "reasoning" => {
            let thought = thought(session, line);
            if let Some(node) = thoughts {
                session.add(node, thought);
                session.step = Some(node);
                return Some(node);
            }
            let issuer = session.issuer(API);
            let node = session.row(reply(vec![thought], &issuer), row);
            session.step = Some(node);
            node
        }
        "assistant" => return replied(session, line, thoughts, row),
        "tool_result" => {
            let words = text(line, "content").filter(|words| !words.is_empty());
            let result = ToolResult {
                tool_use_id: text(line, "tool_call_id").unwrap_or_default(),
                tool_name: Text::default(),
                content: words.map(ResultPart::Text).into_iter().collect(),
                is_error: false,
                rest: Rest::default(),
            };
            session.row(returned(result), row)
        }
        kind => session.keep_aside(&format!("line {kind}"), row),
    };
    None
}

fn asked(session: &mut Session, line: Value<'_, '_>, row: Line) -> usize {
    let Some(content) = line.get("content").filter(|content| !is_long(*content)) else {
        return session.unread("user", row);
    };
    let mut blocks: Vec<Block> = content.to_text().map(Block::text).into_iter().collect();
    for part in content.items() {
        blocks.push(match (text(part, "text"), text(part, "url")) {
            (Some(words), _) => Block::text(words),
            (None, Some(url)) => {
                let known = ["url"];
                let report = &mut session.chain.report;
                Block::Image(openai_chat::image_of(&url, part, &known, report, row.place))
            }
            (None, None) => {
                let kind = text(part, "type").unwrap_or_default();
                session.unread_block(&kind, row.place);
                Block::Opaque(record::OpaqueBlock { kind, raw: one_line(part), proof: None })
            }
        });
    }
    match text(line, "synthetic_reason") {
        Some(reason) => session.row(told(blocks, &reason), row),
        None => session.row(said(blocks), row),
    }
}

fn thought(session: &Session, item: Value<'_, '_>) -> Block {
    let mut rest = Rest::default();
    for name in ["id", "summary"] {
        if let Some(member) = item.get(name) {
            rest.push(name.into(), one_line(member));
        }
    }
    let summary = item.get("summary").into_iter().flat_map(Value::items);
    let texts: Vec<Text> = summary.filter_map(|part| text(part, "text")).collect();
    let reasoning = match texts.as_slice() {
        [one] => one.clone(),
        texts => texts.iter().map(Text::as_str).collect::<Vec<_>>().join("\n\n").into(),
    };
    let sealed = item.get("encrypted_content").filter(|sealed| sealed.kind() == Kind::String);
    let proof = sealed.filter(|sealed| sealed.raw() != "\"\"").map(|sealed| {
        let (issuer, sealed) = (session.issuer(API), one_line(sealed));
        Box::new(Proof { issuer, kind: ProofKind::Encrypted, version: 1, sealed })
    });
    Block::Reasoning(Reasoning { reasoning, proof, rest })
}

fn replied(
    session: &mut Session,
    line: Value<'_, '_>,
    thoughts: Option<usize>,
    row: Line,
) -> Option<usize> {
    session.model = text(line, "model_id").unwrap_or(std::mem::take(&mut session.model));
    let words = text(line, "content").filter(|words| !words.is_empty());
    let mut blocks: Vec<Block> = words.map(Block::text).into_iter().collect();
    for call in line.get("tool_calls").into_iter().flat_map(Value::items) {
        let input = call.get("arguments");
        blocks.push(Block::ToolUse(ToolUse {
            id: text(call, "id").unwrap_or_default(),
            name: text(call, "name").unwrap_or_default(),
            input: Input::new(input.and_then(Value::to_text).unwrap_or_default()),
            proof: None,
            rest: Rest::default(),
        }));
    }
    let issuer = session.issuer(API);
    let Some(node) = thoughts else {
        session.row(reply(blocks, &issuer), row);
        return None;
    };
    for block in blocks {
        session.add(node, block);
    }
    if let Some(message) = session.message_of(node) {
        message.source = reply(Vec::new(), &issuer).source;
        for block in &mut message.blocks {
            if let Block::Reasoning(thought) = block
                && let Some(proof) = &mut thought.proof
            {
                proof.issuer = issuer.clone();
            }
        }
    }
    Some(node)
}

fn lines(row: &Row<'_>) -> Result<Vec<Raw>, ExportError> {
    let (mut lines, mut content, mut calls) = (Vec::new(), Array::new(), Array::new());
    let mut has_calls = false;
    for piece in row.pieces()? {
        match piece {
            Piece::Text(said) => {
                let mut part = typed("text");
                part.text("text", &said.text);
                content.raw(&part.finish());
            }
            Piece::Image(image) => {
                let Some(url) = openai_chat::url_of(image) else {
                    return row.refuse("an image whose bytes are elsewhere");
                };
                let mut part = typed("image");
                part.text("url", &url);
                content.raw(&part.finish());
            }
            Piece::Thought(thought) => lines.extend(written_thought(thought)),
            Piece::Call(call) => {
                let mut object = Object::new();
                object.text("id", &call.id).text("name", &call.name);
                object.text("arguments", call.input.text());
                calls.raw(&object.finish());
                has_calls = true;
            }
            Piece::Result(result) => {
                let mut line = typed("tool_result");
                line.text("tool_call_id", &result.tool_use_id);
                line.string("content", &row.told_of(result)?);
                lines.push(line.finish());
            }
            Piece::Opaque(raw) => {
                content.raw(raw);
            }
        }
    }
    let content = content.finish();
    let mut line = match row.message.role {
        Role::System => typed("system"),
        Role::Assistant => typed("assistant"),
        Role::User | Role::Tool if content.as_str() == "[]" => return Ok(lines),
        Role::User | Role::Tool => typed("user"),
    };
    if row.message.role == Role::User || row.message.role == Role::Tool {
        line.raw("content", &content);
        line.number("prompt_index", 0);
    } else {
        line.string("content", &row.words()?);
    }
    if row.message.role == Role::Assistant {
        if has_calls {
            line.raw("tool_calls", &calls.finish());
        }
        let model = match &row.message.source {
            Some(record::Source::Model { model, .. }) => model.as_str(),
            _ => "",
        };
        line.string("model_id", model);
    }
    lines.push(line.finish());
    Ok(lines)
}

/// A thought as an item; one that another API sealed is not one of these.
fn written_thought(thought: &Reasoning) -> Option<Raw> {
    let proof = thought.proof.as_deref();
    let own = proof.filter(|proof| proof.issuer.api.as_str() == API);
    if proof.is_some() && own.is_none() {
        return None;
    }
    let mut part = typed("summary_text");
    part.text("text", &thought.reasoning);
    let summary = Array::of([&part.finish()]);
    let mut item = typed("reasoning");
    item.optional_raw("id", thought.rest.get("id"));
    item.raw("summary", thought.rest.get("summary").unwrap_or(&summary));
    item.optional_raw("encrypted_content", own.map(|proof| &proof.sealed));
    Some(item.finish())
}
