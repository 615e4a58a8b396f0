//! Blocks only this provider can read: server tools and their results, documents, search results.
//!
//! They go back verbatim to the platform that issued them, with keys the request schema knows
//! and with their other half in the same turn. Else a note names them.

use record::{Block, Message, OpaqueBlock, ProofKind};

use crate::fold::View;
use crate::read::Row;
use crate::target::ANTHROPIC_MESSAGES;

/// What becomes of an opaque block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Native {
    /// It goes back as it came.
    Verbatim,
    /// It goes back as it came and waits for its result: the provider paused the turn.
    Paused,
    /// A note names it.
    Note,
}

/// Where a native block may stand, and which keys its shape has.
struct Shape {
    kind: &'static str,
    side: Side,
    required: &'static [&'static str],
    optional: &'static [&'static str],
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// A server tool's call.
    Call,
    /// A server tool's result.
    Result,
    /// The user's side, and inside results.
    User,
}

const SHAPES: &[Shape] = &[
    Shape {
        kind: "server_tool_use",
        side: Side::Call,
        required: &["id", "name", "input"],
        optional: &["caller"],
    },
    Shape {
        kind: "web_search_tool_result",
        side: Side::Result,
        required: &["tool_use_id", "content"],
        optional: &["caller"],
    },
    Shape {
        kind: "web_fetch_tool_result",
        side: Side::Result,
        required: &["tool_use_id", "content"],
        optional: &["caller"],
    },
    Shape {
        kind: "code_execution_tool_result",
        side: Side::Result,
        required: &["tool_use_id", "content"],
        optional: &[],
    },
    Shape {
        kind: "bash_code_execution_tool_result",
        side: Side::Result,
        required: &["tool_use_id", "content"],
        optional: &[],
    },
    Shape {
        kind: "text_editor_code_execution_tool_result",
        side: Side::Result,
        required: &["tool_use_id", "content"],
        optional: &[],
    },
    Shape {
        kind: "tool_search_tool_result",
        side: Side::Result,
        required: &["tool_use_id", "content"],
        optional: &[],
    },
    Shape {
        kind: "document",
        side: Side::User,
        required: &["source"],
        optional: &["title", "context", "citations"],
    },
    Shape {
        kind: "search_result",
        side: Side::User,
        required: &["source", "title", "content"],
        optional: &["citations"],
    },
];

fn shape(kind: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.kind == kind)
}

/// Whether the block is of this provider and of a shape the request schema has.
fn is_wellformed(view: View<'_>, block: &OpaqueBlock, shape: &Shape) -> bool {
    let Some(proof) = &block.proof else { return false };
    if proof.kind != ProofKind::Native
        || proof.issuer.api.as_str() != ANTHROPIC_MESSAGES
        || proof.issuer.platform != view.target.to.platform
        || block.raw.has_lone_surrogate()
    {
        return false;
    }
    let doc = block.raw.doc();
    let known = |key: &str| {
        matches!(key, "type" | "cache_control")
            || shape.required.contains(&key)
            || shape.optional.contains(&key)
    };
    shape.required.iter().all(|key| doc.root().get(key).is_some())
        && doc.root().members().all(|(key, _)| key.as_str().is_some_and(|key| known(&key)))
        && is_wellformed_inside(&doc, shape)
}

/// What a shape says about its members, as far as a refusal depends on it.
fn is_wellformed_inside(doc: &json::Doc<'_>, shape: &Shape) -> bool {
    let root = doc.root();
    match shape.side {
        Side::Call => {
            root.get("input").is_some_and(|input| input.kind() == json::Kind::Object)
                && root.get_str("id").is_some_and(|id| is_server_id(&id))
        }
        Side::Result => root.get_str("tool_use_id").is_some_and(|id| is_server_id(&id)),
        Side::User => match shape.kind {
            "document" => is_document_source(root.get("source")),
            _ => root.get("content").is_some_and(|content| {
                content.items().next().is_some()
                    && content.items().all(|item| {
                        item.get_str("text").is_some_and(|text| !record::blank::is_blank(&text))
                    })
            }),
        },
    }
}

fn is_document_source(source: Option<json::Value<'_, '_>>) -> bool {
    let Some(source) = source else { return false };
    let has = |name: &str| source.get_str(name).is_some_and(|text| !text.is_empty());
    match source.get_str("type").as_deref() {
        Some("base64") => {
            has("data") && source.get("media_type").is_some_and(|t| t.is_str("application/pdf"))
        }
        Some("text") => {
            has("data") && source.get("media_type").is_some_and(|t| t.is_str("text/plain"))
        }
        Some("url") => has("url"),
        Some("file") => has("file_id"),
        _ => false,
    }
}

/// the form of a server tool's id.
fn is_server_id(id: &str) -> bool {
    id.strip_prefix("srvtoolu_").is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// What becomes of the opaque block at `index` of a reply.
pub(super) fn verdict(view: View<'_>, row: &Row, message: &Message, index: u32) -> Native {
    let Some(Block::Opaque(block)) = message.blocks.get(index as usize) else {
        return Native::Note;
    };
    let Some(shape) = shape(&block.kind) else { return Native::Note };
    if !is_wellformed(view, block, shape) {
        return Native::Note;
    }
    let name = match shape.side {
        Side::Call => "id",
        Side::Result => "tool_use_id",
        Side::User => return Native::Note,
    };
    let doc = block.raw.doc();
    let Some(id) = doc.root().get_str(name) else { return Native::Note };
    let other = |(at, block): (usize, &Block)| match block {
        Block::Opaque(other) => {
            let other_shape = self::shape(&other.kind);
            other_shape.is_some_and(|other_shape| {
                let (side, name) = match shape.side {
                    Side::Call => (Side::Result, "tool_use_id"),
                    Side::Result | Side::User => (Side::Call, "id"),
                };
                let ordered = if shape.side == Side::Call {
                    at > index as usize
                } else {
                    at < index as usize
                };
                ordered
                    && other_shape.side == side
                    && is_wellformed(view, other, other_shape)
                    && other.raw.doc().root().get(name).is_some_and(|other| other.is_str(&id))
            })
        }
        Block::Text(_)
        | Block::ToolUse(_)
        | Block::ToolResult(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_) => false,
    };
    if message.blocks.iter().enumerate().any(other) {
        return Native::Verbatim;
    }
    let abandoned = view.edits.abandoned_pauses.contains(&row.index);
    let paused = !abandoned
        && message
            .stop
            .as_ref()
            .and_then(|stop| stop.native.as_deref())
            .is_some_and(|native| native == "pause_turn");
    if paused && shape.side == Side::Call { Native::Paused } else { Native::Note }
}

/// Whether an opaque block may stand on the user's side as it is.
pub(super) fn is_user_block(view: View<'_>, block: &OpaqueBlock) -> bool {
    shape(&block.kind)
        .is_some_and(|shape| shape.side == Side::User && is_wellformed(view, block, shape))
}

/// The block as it goes on the wire: its own text, cache marks taken out.
pub(super) fn wire_text(block: &OpaqueBlock) -> String {
    let doc = block.raw.doc();
    if doc.root().get("cache_control").is_none() {
        return block.raw.as_str().to_owned();
    }
    let mut object = json::Object::new();
    for (key, value) in doc.root().members() {
        if let Some(key) = key.as_str().filter(|key| key != "cache_control") {
            object.raw(&key, &json::Raw::of(value));
        }
    }
    object.finish().as_str().to_owned()
}
