//! Parts that only this provider reads: code that it ran, tools that it ran, media that no record
//! has a block for. They go back as they came to who issued them, each half of a pair with the
//! other (G-030). Else a note names them.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::{BTreeSet, HashMap, VecDeque};

use json::{Kind, Raw, Text, Value};
use record::{Block, Image, ImageSource, Message, OpaqueBlock, ProofKind};
use wire::takes::Takes;

use super::Gemini;
use super::signature::{RowSignatures, goes_back, is_own};
use crate::fold::View;
use crate::project::conversation::is_retracted;
use crate::project::input;
use crate::read::Row;
use crate::target::GEMINI;

/// Members that may stand beside a part's data.
const BESIDE: &[&str] = &["thought", "videoMetadata", "mediaResolution"];

/// The member of a part that is its signature.
const SIGNATURE: &str = "thoughtSignature";

/// What a part of a kind is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// What the provider ran: the kind of its result.
    Call(&'static str),
    /// What came of it.
    Result,
    /// Media.
    Media,
}

fn side(kind: &str) -> Option<Side> {
    match kind {
        "executableCode" => Some(Side::Call("codeExecutionResult")),
        "toolCall" => Some(Side::Call("toolResponse")),
        "codeExecutionResult" | "toolResponse" => Some(Side::Result),
        "inlineData" | "fileData" => Some(Side::Media),
        _ => None,
    }
}

/// Members of a kind's data (G-006).
fn members(kind: &str) -> &'static [&'static str] {
    match kind {
        "executableCode" => &["language", "code", "id"],
        "codeExecutionResult" => &["outcome", "output", "id"],
        "toolCall" => &["id", "toolType", "args"],
        "toolResponse" => &["id", "toolType", "response"],
        "inlineData" => &["mimeType", "data"],
        "fileData" => &["mimeType", "fileUri"],
        _ => &[],
    }
}

/// Of parts in their order, media, and calls each with the first result behind it that is its own:
/// of one id, or of none, they pair in order.
fn paired(parts: &[(u32, &OpaqueBlock)]) -> BTreeSet<u32> {
    let mut results: HashMap<(&str, Option<Text>), VecDeque<u32>> = HashMap::new();
    for (index, part) in parts {
        if side(&part.kind) == Some(Side::Result) {
            results.entry((&part.kind, id_of(part))).or_default().push_back(*index);
        }
    }
    let mut paired = BTreeSet::new();
    for (index, part) in parts {
        match side(&part.kind) {
            Some(Side::Media) => {
                paired.insert(*index);
            }
            Some(Side::Call(result)) => {
                let Some(behind) = results.get_mut(&(result, id_of(part))) else { continue };
                while behind.front().is_some_and(|result| *result < *index) {
                    behind.pop_front();
                }
                paired.extend(behind.pop_front().into_iter().flat_map(|result| [*index, result]));
            }
            Some(Side::Result) | None => {}
        }
    }
    paired
}

impl Gemini {
    /// The blocks of a reply that go back as they came.
    pub(in crate::project) fn natives(
        &self,
        view: View<'_>,
        row: &Row,
        message: &Message,
        split: u32,
    ) -> BTreeSet<u32> {
        let mut standing = Vec::new();
        for (block, index) in message.blocks.iter().zip(0u32..split) {
            if let Block::Opaque(opaque) = block
                && !is_retracted(view, row, index)
                && self.is_own_part(view, opaque)
            {
                standing.push((index, opaque));
            }
        }
        let signatures = RowSignatures::new(view, row, message);
        if signatures.degraded.is_some() {
            return BTreeSet::new();
        }
        standing.retain(|(_, part)| !signatures.out || part_signature(part).is_none());
        paired(&standing)
    }

    /// Whether a part of the model's is the target's own, and of a shape its schema has.
    fn is_own_part(&self, view: View<'_>, part: &OpaqueBlock) -> bool {
        let Some(proof) = part.proof.as_deref() else { return false };
        let server_tool = matches!(part.kind.as_str(), "toolCall" | "toolResponse");
        let taken = !server_tool
            || (self.model.server_tools == Takes::Yes
                && self.platform.server_tool_parts == Takes::Yes);
        let native = proof.kind == ProofKind::Native && is_own(view, proof);
        let readable = part.kind.as_str() != "fileData" || self.reads(part);
        native && taken && readable && self.is_wellformed(part)
    }

    /// Whether a medium may stand on the user's side as it is: bytes go anywhere, an address is
    /// read where it was given.
    pub(in crate::project) fn is_user_part(&self, part: &OpaqueBlock) -> bool {
        let Some(proof) = part.proof.as_deref() else { return false };
        let issuer = &proof.issuer;
        let here = match part.kind.as_str() {
            "inlineData" => true,
            "fileData" => issuer.platform.as_str() == self.platform.name && self.reads(part),
            _ => false,
        };
        let signed = part_signature(part).is_some();
        let native = proof.kind == ProofKind::Native && issuer.api.as_str() == GEMINI;
        here && native && !signed && self.is_wellformed(part)
    }

    /// Whether a medium may stand beside a response (G-029).
    pub(in crate::project) fn takes_beside_response(&self, part: &OpaqueBlock) -> bool {
        self.model.parts_in_responses == Takes::Yes && self.is_user_part(part)
    }

    /// Whether the platform reads a file of this address.
    fn reads(&self, part: &OpaqueBlock) -> bool {
        let doc = part.raw.doc();
        let uri = doc.root().get("fileData").and_then(|file| file.get("fileUri")?.to_text());
        uri.is_some_and(|uri| self.platform.file_uris.iter().any(|start| uri.starts_with(start)))
    }

    fn is_wellformed(&self, part: &OpaqueBlock) -> bool {
        let doc = part.raw.doc();
        let kind = part.kind.as_str();
        let beside = |name: &str| match name {
            "partMetadata" => self.platform.part_metadata == Takes::Yes,
            SIGNATURE => part_signature(part).is_some_and(|sealed| goes_back(sealed.as_str())),
            name => BESIDE.contains(&name),
        };
        let known = |(name, value): (Value<'_, '_>, Value<'_, '_>)| {
            let name = name.as_str().unwrap_or_default();
            name == kind && is_data(kind, value) || beside(&name)
        };
        doc.root().get(kind).is_some()
            && doc.root().members().all(known)
            && !part.raw.has_lone_surrogate()
            && input::nests_little(part.raw.as_str())
    }
}

/// Whether a block is a part of the model's with a signature in it.
pub(super) fn is_signed_part(block: &Block) -> bool {
    matches!(block, Block::Opaque(part) if part_signature(part).is_some())
}

/// The signature that stands in a part of the model's.
fn part_signature(part: &OpaqueBlock) -> Option<Raw> {
    part.raw.doc().root().get(SIGNATURE).map(Raw::of)
}

fn is_data(kind: &str, data: Value<'_, '_>) -> bool {
    let known = |(name, value): (Value<'_, '_>, Value<'_, '_>)| {
        let name = name.as_str().unwrap_or_default();
        let wanted = match &*name {
            "args" | "response" => Kind::Object,
            _ => Kind::String,
        };
        members(kind).contains(&&*name) && value.kind() == wanted
    };
    let media = side(kind) != Some(Side::Media) || is_medium(kind, data);
    data.kind() == Kind::Object && data.members().all(known) && media
}

/// Whether a medium is of a type that is read, and its bytes are what it says (G-028).
fn is_medium(kind: &str, data: Value<'_, '_>) -> bool {
    let text = |name: &str| data.get(name).and_then(Value::to_text).unwrap_or_default();
    let (mime, bytes) = (text("mimeType"), text("data"));
    let (class, rest) = mime.split_once('/').unwrap_or_default();
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    let base64 = !bytes.is_empty() && bytes.trim_end_matches('=').bytes().all(sign);
    let read = match class {
        "audio" | "video" | "text" => !rest.is_empty(),
        "application" => rest == "pdf",
        "image" => matches!(rest, "png" | "jpeg" | "webp" | "heic" | "heif"),
        _ => false,
    };
    let looked_at = kind == "inlineData" && matches!(rest, "png" | "jpeg" | "webp");
    let is_it = || {
        let measured = Image::new(mime.clone(), ImageSource::Base64(bytes.clone())).measured();
        measured.is_some_and(|measured| measured.media_type.as_str() == mime.as_str())
    };
    read && (kind == "fileData" || base64) && (!looked_at || is_it())
}

/// The id of a pair's half; none where they go by their order.
fn id_of(part: &OpaqueBlock) -> Option<Text> {
    let doc = part.raw.doc();
    doc.root().get(&part.kind)?.get("id")?.to_text()
}

/// Whether a part is a medium by its bytes, of a type that is read.
pub(in crate::project) fn is_whole_medium(part: &Raw) -> bool {
    let kind = "inlineData";
    part.doc().root().get(kind).is_some_and(|data| is_data(kind, data))
}
