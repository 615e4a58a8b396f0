//! Trajectories of SWE-agent and of mini-SWE-agent: one document with the messages that were sent,
//! as Chat Completions writes them; and of the former the steps beside them, which say the same
//! again.

use json::{Kind, Object, Raw, Value};
use record::{Block, Message, Proof, ProofKind, Reasoning, Rest, Role};

use super::message::{line_of, text};
use super::rows::{Piece, Row};
use super::session::Session;
use super::shapes::chat_messages;
use super::{Harness, New, empty_list, no_lines};
use crate::error::ExportError;
use crate::places::Places;
use crate::rest::typed;
use crate::source::one_line;
use crate::{Format, anthropic, instant};

pub(super) const SWE_AGENT: Harness = Harness {
    format: Format::SweAgent,
    is_line: super::never,
    is_document: is_trajectory,
    line: no_lines,
    document: |session, root, places| read(session, root.get("history"), "history", places),
    list: &[&["history"]],
    write: |rows| Ok(rows.iter().map(messages).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Document(|_| empty_list("history")),
};

pub(super) const MINI_SWE_AGENT: Harness = Harness {
    format: Format::MiniSweAgent,
    is_line: super::never,
    is_document: is_mini,
    line: no_lines,
    document: |session, root, places| {
        let config = root.get("info").and_then(|info| info.get("config"));
        let model = config.and_then(|config| text(config.get("model")?, "model_name"));
        session.model = model.unwrap_or_default();
        read(session, root.get("messages"), "messages", places);
    },
    list: &[&["messages"]],
    write: |rows| Ok(rows.iter().map(chat_messages).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Document(|_| {
        let mut document = Object::new();
        document.raw("info", &Object::new().finish());
        document.raw("messages", &json::Array::new().finish());
        document.string("trajectory_format", "mini-swe-agent-1");
        document.finish()
    }),
};

fn is_trajectory(root: Value<'_, '_>) -> bool {
    let Some(list) = root.get("history").filter(|list| list.kind() == Kind::Array) else {
        return false;
    };
    let names = ["agent", "message_type"];
    let of_agent = |m: Value<'_, '_>| names.iter().any(|name| m.get(name).is_some());
    root.get("trajectory").is_some()
        || list.items().any(|message| message.get("role").is_some() && of_agent(message))
}

fn is_mini(root: Value<'_, '_>) -> bool {
    let list = root.get("messages").is_some_and(|list| list.kind() == Kind::Array);
    let format = root.get_str("trajectory_format");
    let version = root.get("info").and_then(|info| info.get("mini_version"));
    list && (format.is_some_and(|name| name.starts_with("mini-swe-agent")) || version.is_some())
}

fn read(session: &mut Session, list: Option<Value<'_, '_>>, name: &str, places: &mut Places<'_>) {
    for (at, value) in list.into_iter().flat_map(Value::items).enumerate() {
        let time = value.get("timestamp").and_then(instant::text_of);
        let line = line_of(Some(format!("{name}.{at}").into()), time, places.of(value));
        match session.chat_message(value, line.place) {
            Some(mut message) => {
                complete(session, value, &mut message);
                session.chat_row(message, line);
            }
            None => {
                session.unread("message", line);
            }
        }
    }
}

/// What these write otherwise than the API: the ids of results as a list, and signed thoughts.
fn complete(session: &Session, value: Value<'_, '_>, message: &mut Message) {
    let ids = value.get("tool_call_ids").into_iter().flat_map(Value::items);
    if let (Some(id), Some(Block::ToolResult(result))) =
        (ids.into_iter().find_map(Value::to_text), message.blocks.first_mut())
        && result.tool_use_id.is_empty()
    {
        result.tool_use_id = id;
    }
    let mut issuer = session.issuer(anthropic::block::API);
    std::sync::Arc::make_mut(&mut issuer).platform = anthropic::block::PLATFORM.into();
    let thoughts = value.get("thinking_blocks").into_iter().flat_map(Value::items);
    let thoughts = thoughts.filter_map(|thought| {
        let sealed = thought.get("signature").filter(|sealed| sealed.kind() == Kind::String);
        let proof = sealed.map(|sealed| {
            let (issuer, sealed) = (issuer.clone(), one_line(sealed));
            Box::new(Proof { issuer, kind: ProofKind::Signature, version: 1, sealed })
        });
        let reasoning = text(thought, "thinking")?;
        Some(Block::Reasoning(Reasoning { reasoning, proof, rest: Rest::default() }))
    });
    message.blocks.splice(0..0, thoughts);
}

fn messages(row: &Row<'_>) -> Result<Vec<Raw>, ExportError> {
    let kind = match row.message.role {
        Role::System => "system_prompt",
        Role::User | Role::Tool => "observation",
        Role::Assistant => "action",
    };
    let signed: Vec<Raw> = row.pieces()?.iter().filter_map(signed_thought).collect();
    let written = chat_messages(row)?.into_iter().map(|message| {
        let mut object = Object::new();
        for (name, value) in message.doc().root().members() {
            let name = name.as_str().unwrap_or_default();
            match &*name {
                "tool_call_id" => object.raw("tool_call_ids", &json::Array::of([&Raw::of(value)])),
                name => object.raw(name, &Raw::of(value)),
            };
        }
        object.string("agent", "main").string("message_type", kind);
        if !signed.is_empty() && row.message.role == Role::Assistant {
            object.raw("thinking_blocks", &json::Array::of(&signed));
        }
        object.finish()
    });
    Ok(written.collect())
}

fn signed_thought(piece: &Piece<'_>) -> Option<Raw> {
    let Piece::Thought(thought) = piece else { return None };
    let proof = thought.proof.as_deref().filter(|proof| proof.kind == ProofKind::Signature)?;
    if proof.issuer.api.as_str() != anthropic::block::API {
        return None;
    }
    let mut object = typed("thinking");
    object.text("thinking", &thought.reasoning).raw("signature", &proof.sealed);
    Some(object.finish())
}
