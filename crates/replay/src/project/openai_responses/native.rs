//! What goes back as it came: items that the provider's own tools left, and files of the user's.

use json::{Object, Raw, Value};
use record::{OpaqueBlock, ProofKind};

use super::{is_clean, is_own, is_own_model, item_id};
use crate::fold::View;

/// A type of item that nobody but the provider made, and its members as a request has them.
struct Shape {
    kind: &'static str,
    /// The prefix of its id.
    prefix: &'static str,
    members: &'static [&'static str],
    required: &'static [&'static str],
    /// Only the model that it came from reads it.
    is_sealed: bool,
}

const fn shape(
    kind: &'static str,
    prefix: &'static str,
    members: &'static [&'static str],
    required: &'static [&'static str],
) -> Shape {
    Shape { kind, prefix, members, required, is_sealed: false }
}

/// Items of a reply. Those with another half on our side (`shell_call`, `computer_call`,
/// `mcp_approval_request`), and those whose other half may be in a reply that is not in the view
/// (`program`, `tool_search_output`), are not among them.
const SHAPES: &[Shape] = &[
    shape("web_search_call", "ws", &["id", "status", "action"], &["status", "action"]),
    shape(
        "file_search_call",
        "fs",
        &["id", "status", "queries", "results"],
        &["status", "queries"],
    ),
    shape(
        "code_interpreter_call",
        "ci",
        &["id", "status", "code", "container_id", "outputs"],
        &["id", "status", "container_id"],
    ),
    shape("image_generation_call", "ig", &["id", "status", "result"], &["id", "status", "result"]),
    shape("mcp_list_tools", "mcpl", &["id", "server_label", "tools", "error"], &["id", "tools"]),
    shape(
        "mcp_call",
        "mcp",
        &[
            "id",
            "server_label",
            "name",
            "arguments",
            "output",
            "error",
            "status",
            "approval_request_id",
        ],
        &["id", "server_label", "name", "arguments"],
    ),
    Shape {
        is_sealed: true,
        ..shape("compaction", "cmp", &["id", "encrypted_content"], &["encrypted_content"])
    },
];

/// Members of a file.
const FILE: &[&str] = &["type", "file_id", "file_url", "filename", "file_data", "detail"];

/// Members that say which file it is, one of which it has.
const FILE_IS: &[&str] = &["file_id", "file_url", "file_data"];

/// An item as it goes back, its id apart.
pub(super) struct Native {
    pub(super) id: Option<String>,
    pub(super) object: Object,
    /// The model made it; what the server sealed between replies it did not.
    pub(super) is_of_reply: bool,
}

/// An item of a reply as it goes back; none where it does not.
pub(super) fn item(view: View<'_>, block: &OpaqueBlock) -> Option<Native> {
    let proof = block.proof.as_deref().filter(|proof| proof.kind == ProofKind::Native)?;
    let shape = SHAPES.iter().find(|shape| shape.kind == block.kind.as_str())?;
    let is_own = if shape.is_sealed { is_own_model(view, proof) } else { is_own(view, proof) };
    if !is_own || !is_clean(&block.raw) {
        return None;
    }
    let doc = block.raw.doc();
    let has = |name: &&str| doc.root().get(name).is_some_and(|value| !value.is_null());
    // What has none yet is null (`result` of an image that failed).
    let stands = |name: &&str| doc.root().get(name).is_some();
    let is_whole = shape.required.iter().all(stands);
    if !is_whole || shape.is_sealed && !shape.required.iter().all(has) {
        return None;
    }
    let id = match doc.root().get("id").filter(|id| !id.is_null()) {
        None => None,
        Some(id) => Some(item_id(&id.as_str()?, shape.prefix)?),
    };
    if id.is_none() && shape.required.contains(&"id") {
        return None;
    }
    let mut object = Object::new();
    object.string("type", shape.kind);
    known(&mut object, doc.root(), shape.members.get(1..).unwrap_or_default());
    Some(Native { id, object, is_of_reply: !shape.is_sealed })
}

/// The members of these names, as they came.
fn known(out: &mut Object, root: Value<'_, '_>, members: &[&str]) {
    for name in members {
        out.optional_raw(name, root.get(name).map(Raw::compact).as_ref());
    }
}

/// A file of the user's as it goes back.
pub(in crate::project) fn file(view: View<'_>, block: &OpaqueBlock) -> Option<Raw> {
    let proof = block.proof.as_deref().filter(|proof| proof.kind == ProofKind::Native)?;
    let doc = block.raw.doc();
    let is_file = block.kind.as_str() == "input_file"
        && FILE_IS.iter().any(|name| doc.root().get(name).is_some_and(|value| !value.is_null()));
    if !is_file || !is_own(view, proof) || !is_clean(&block.raw) {
        return None;
    }
    let mut out = Object::new();
    known(&mut out, doc.root(), FILE);
    Some(out.finish())
}
