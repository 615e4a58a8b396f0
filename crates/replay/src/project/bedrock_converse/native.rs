//! Blocks only this API has: documents and other content of the user's, the service's own tools.
//!
//! They go back verbatim to the family that was sent them, or made them, in a shape that is taken
//! and where it may stand (B-014, B-017, B-027). Else a note names them.

use std::collections::BTreeMap;

use json::{Kind, Object, Raw, Text, Value};
use record::blank::is_blank;
use record::{Block, Message, OpaqueBlock, ProofKind, Role, Source, ToolResult};
use wire::bedrock_converse::{CONTENT_AS_WRITTEN, models};
use wire::takes::Takes;

use super::Converse;
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::anthropic_messages::native::Verdicts;
use crate::project::conversation::is_retracted;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::target::BEDROCK_CONVERSE;

/// Documents of a request (B-017).
pub(super) const DOCUMENTS_MAX: usize = 5;

/// Base64 characters of a document: 4.5 MB, of the two meanings the smaller (B-017).
const DOCUMENT_CHARS_MAX: usize = 6_000_000;

/// Characters of a document's name (B-017).
pub(in crate::project) const NAME_CHARS_MAX: usize = 200;

/// Formats of documents, and the types they are called elsewhere.
pub(in crate::project) const DOCUMENT_FORMATS: &[(&str, &str)] = &[
    ("pdf", "application/pdf"),
    ("csv", "text/csv"),
    ("doc", "application/msword"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xls", "application/vnd.ms-excel"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("html", "text/html"),
    ("txt", "text/plain"),
    ("md", "text/markdown"),
];

/// Whether a block is of this API, and of the target's family.
pub(in crate::project) fn is_of_family(view: View<'_>, to: &Converse, block: &OpaqueBlock) -> bool {
    let Some(proof) = &block.proof else { return false };
    let issuer = &proof.issuer;
    let mut accounts = issuer.account.as_ref().zip(view.target.to.account.as_ref()).into_iter();
    proof.kind == ProofKind::Native
        && accounts.all(|(issuer, own)| issuer == own)
        && issuer.api.as_str() == BEDROCK_CONVERSE
        && issuer.platform == view.target.to.platform
        && !to.model.is_unknown()
        && models::model(&issuer.model).id == to.model.id
        && !block.raw.has_lone_surrogate()
}

/// The one member of a block, by its name.
fn member<'d, 't>(root: Value<'d, 't>, name: &str) -> Option<Value<'d, 't>> {
    let is_one = root.members().nth(1).is_none();
    root.get(name).filter(|value| is_one && value.kind() == Kind::Object)
}

/// The opaque blocks of a reply that go back as they came: calls of the service's own tools, each
/// with its result behind it.
pub(in crate::project) fn verdicts(
    view: View<'_>,
    to: &Converse,
    row: &Row,
    message: &Message,
) -> Verdicts {
    let mut called: BTreeMap<Text, u32> = BTreeMap::new();
    let mut verbatim = Vec::new();
    if to.model.server_tools != Takes::Yes || to.holds_rounds() {
        return Verdicts::verbatim(verbatim);
    }
    for (block, index) in message.blocks.iter().zip(0u32..) {
        let Block::Opaque(block) = block else { continue };
        if is_retracted(view, row, index) || !is_of_family(view, to, block) {
            continue;
        }
        let doc = block.raw.doc();
        if let Some(call) = member(doc.root(), "toolUse") {
            let servers = call.get("type").is_some_and(|kind| kind.is_str("server_tool_use"));
            let whole = call.get_str("name").is_some_and(|name| super::takes_name(&name))
                && call.get("input").is_some_and(|input| input.kind() == Kind::Object);
            let id = call.get("toolUseId").and_then(Value::to_text);
            if let Some(id) = id.filter(|id| servers && whole && to.model.ids.allows(id)) {
                called.entry(id).or_insert(index);
            }
        } else if let Some(result) = member(doc.root(), "toolResult") {
            let servers = result.get("type").is_some_and(|kind| kind.kind() == Kind::String);
            let says = result.get("content").is_some_and(|list| list.items().next().is_some());
            let id = result.get("toolUseId").and_then(Value::to_text).filter(|_| servers && says);
            if let Some(call) = id.and_then(|id| called.remove(&id)) {
                verbatim.extend([call, index]);
            }
        }
    }
    Verdicts::verbatim(verbatim)
}

/// The parts of a result as the API wrote them, in order, each where that is no text:
/// `{"json":...}` of an object.
pub(in crate::project) fn as_written(result: &ToolResult) -> Vec<Option<Raw>> {
    let Some(content) = result.rest.get(CONTENT_AS_WRITTEN) else { return Vec::new() };
    let doc = content.doc();
    let written = |part| {
        member(part, "json")?;
        Some(Raw::compact(part)).filter(|raw| !raw.has_lone_surrogate())
    };
    doc.root().items().map(written).collect()
}

impl Conversation {
    /// Writes a part on the user's side, if it may stand there.
    pub(in crate::project) fn converse_part(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        index: u32,
        part: &Raw,
    ) -> bool {
        let doc = part.doc();
        let root = doc.root();
        let is_document = member(root, "document").is_some();
        let heavy = is_document || member(root, "video").is_some();
        let beside_results = self.open == Some(Role::User) && self.ends_with_results;
        let stands = if is_document {
            self.documents.len() < DOCUMENTS_MAX && is_document_whole(root) && has_text(view, row)
        } else {
            ["video", "audio", "guardContent", "searchResult"]
                .iter()
                .any(|name| member(root, name).is_some())
        };
        // A message of results takes neither documents nor videos (B-014).
        if !stands || (heavy && beside_results) {
            return false;
        }
        self.begin(view, grown, Role::User);
        let renamed = if is_document { self.name_document(root) } else { None };
        if renamed.is_some() {
            self.change(ChangeKind::FileAdapted, Some(&row.entry), Some(index));
        }
        self.pages.push(renamed.as_ref().unwrap_or(part).as_str().as_bytes());
        if !heavy {
            self.end_markable();
        }
        true
    }
}

impl Conversation {
    /// Notes a document's name; where an earlier one has the same, the document with another.
    fn name_document(&mut self, root: Value<'_, '_>) -> Option<Raw> {
        let document = member(root, "document")?;
        let own = document.get_str("name")?.into_owned();
        let mut name = own.clone();
        let mut count = 1;
        while self.documents.contains(&name) {
            count += 1;
            let room = own.get(..own.len().min(NAME_CHARS_MAX - 4)).unwrap_or_default();
            name = format!("{} {count}", room.trim_end());
        }
        self.documents.push(name.clone());
        if name == own {
            return None;
        }
        let mut inner = Object::new();
        for (key, value) in document.members() {
            match key.as_str().as_deref() {
                Some("name") => drop(inner.string("name", &name)),
                Some(key) => drop(inner.raw(key, &Raw::of(value))),
                None => {}
            }
        }
        let mut outer = Object::new();
        outer.raw("document", &inner.finish());
        Some(outer.finish())
    }
}

/// Whether a document has a plain name, a known format, and its content with it (B-017).
pub(in crate::project) fn is_document_whole(root: Value<'_, '_>) -> bool {
    let Some(document) = member(root, "document") else { return false };
    let plain = |sign: char| sign.is_ascii_alphanumeric() || " -()[]".contains(sign);
    let name = document.get_str("name").unwrap_or_default();
    let named = (1..=NAME_CHARS_MAX).contains(&name.len())
        && name.chars().all(plain)
        && !name.contains("  ");
    let format = document.get_str("format").unwrap_or_default();
    let bytes = document.get("source").and_then(|source| member_text(source, "bytes"));
    let whole = bytes.is_some_and(|bytes| {
        let bare = bytes.trim_end_matches('=');
        let in_alphabet = bare.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/".contains(&b));
        let padded = bytes.len().is_multiple_of(4) && bytes.len() - bare.len() <= 2;
        !bytes.is_empty() && bytes.len() <= DOCUMENT_CHARS_MAX && in_alphabet && padded
    });
    named && DOCUMENT_FORMATS.iter().any(|(known, _)| *known == format) && whole
}

fn member_text(source: Value<'_, '_>, name: &str) -> Option<Text> {
    let is_one = source.members().nth(1).is_none();
    source.get(name).filter(|_| is_one).and_then(Value::to_text)
}

/// Whether a row says something beside its documents, in a text that will stand.
fn has_text(view: View<'_>, row: &Row) -> bool {
    let Some(message) = row.entry.message() else { return false };
    let runtime = matches!(message.source, Some(Source::Runtime { .. }));
    let said = |(block, index): (&Block, u32)| {
        block.as_text().is_some_and(|text| !is_blank(&text.text)) && !is_retracted(view, row, index)
    };
    !runtime && message.blocks.iter().zip(0u32..).any(said)
}
