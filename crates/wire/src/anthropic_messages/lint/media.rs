//! Images and documents: their bytes, types, sizes and number. Nothing is fetched.

use std::borrow::Cow;

use json::Value;

use super::conversation::{Block, Kind};
use super::limits::{
    IMAGE_BYTES_MAX, IMAGE_BYTES_MAX_ELSEWHERE, IMAGE_SIDE_MAX, IMAGE_SIDE_MAX_MANY, MANY_IMAGES,
};
use super::{Body, Platform};
use crate::media::{HEADER_BYTES, IMAGE_TYPES, decoded, is_base64, media_type};
use crate::report::{Fill, Report};

/// What a pass over the body has seen.
#[derive(Default)]
struct Seen {
    images: usize,
    documents: usize,
    /// Path, offset and longest side of each image that could be measured.
    sides: Vec<(String, usize, usize)>,
    last: Option<(String, usize)>,
}

/// A-026 for indices, and.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    let mut seen = Seen::default();
    for block in body.conversation.all() {
        if block.kind == Kind::Image {
            image(body, block.value, &block.path(), &mut seen, report);
        } else if block.kind == Kind::Document {
            document(body, block.value, &block.path(), &mut seen, report);
        } else if block.kind == Kind::ToolResult {
            inside(body, block, &mut seen, report);
        } else if block.kind == Kind::ServerResult {
            fetched(body, block, &mut seen, report);
        }
    }
    let many = match body.platform {
        Platform::ClaudeApi => seen.images,
        Platform::Bedrock | Platform::GoogleCloud => seen.images + seen.documents,
    };
    for (path, offset, side) in &seen.sides {
        if *side > IMAGE_SIDE_MAX {
            report.add("A-093", path.clone(), *offset, &[]);
        } else if many > MANY_IMAGES && *side > IMAGE_SIDE_MAX_MANY {
            report.add("A-094", path.clone(), *offset, &[]);
        }
    }
    let max = body.model.images_max;
    if let Some((path, offset)) = seen.last.filter(|_| seen.images > max as usize) {
        let add = if body.model.is_unknown() { Report::warn } else { Report::add };
        add(report, "A-095", path, offset, &[("count", &seen.images), ("max", &max)]);
    }
    cited(body, seen.documents, report);
}

/// What a result holds.
fn inside(body: &Body<'_, '_>, block: &Block<'_, '_>, seen: &mut Seen, report: &mut Report) {
    let content = block.value.get("content");
    for (index, item) in content.into_iter().flat_map(|content| content.items()).enumerate() {
        let tag = item.get_str("type").unwrap_or_default();
        let path = || format!("{}.tool_result.content.{index}", block.path());
        match &*tag {
            "image" => image(body, item, &path(), seen, report),
            "document" => document(body, item, &path(), seen, report),
            _ => {}
        }
    }
}

/// The document of a fetched page; its source is the provider's own.
fn fetched(body: &Body<'_, '_>, block: &Block<'_, '_>, seen: &mut Seen, report: &mut Report) {
    let content = block.value.get("content").and_then(|content| content.get("content"));
    let is_document =
        |value: &Value<'_, '_>| value.get("type").is_some_and(|tag| tag.is_str("document"));
    if let Some(value) = content.filter(is_document) {
        document(body, value, &format!("{}.{}.content", block.path(), block.tag()), seen, report);
    }
}

fn image(
    body: &Body<'_, '_>,
    value: Value<'_, '_>,
    path: &str,
    seen: &mut Seen,
    report: &mut Report,
) {
    seen.images += 1;
    seen.last = Some((path.to_owned(), value.offset()));
    let path = format!("{path}.image.source");
    let Some((source, data)) = source(body, value, &path, report) else { return };
    let at = data.offset();
    let Some(text) = data.as_str() else { return };
    let elsewhere = body.platform != Platform::ClaudeApi;
    let max = if elsewhere { IMAGE_BYTES_MAX_ELSEWHERE } else { IMAGE_BYTES_MAX };
    if text.len() > max {
        let fill: Fill<'_> = &[("mb", &(max >> 20)), ("size", &text.len()), ("max", &max)];
        report.add("A-092", format!("{path}.base64"), at, fill);
    }
    let path = format!("{path}.base64.data");
    let Some(text) = plain_base64("A-090", &text, &path, at, report) else { return };
    let header = decoded(text.get(..HEADER_BYTES).unwrap_or(&text));
    let Some(actual) = media_type(&header) else {
        return report.add("A-090", path, at, &[]);
    };
    let declared = source.get_str("media_type").unwrap_or_default();
    if declared != actual && IMAGE_TYPES.contains(&&*declared) {
        let fill: Fill<'_> = &[("declared", &declared), ("actual", &actual)];
        report.add("A-091", path.clone(), at, fill);
    }
    let size = imagesize::blob_size(&header);
    match size.or_else(|_| imagesize::blob_size(&decoded(&text))) {
        Ok(size) => seen.sides.push((path, at, size.width.max(size.height))),
        Err(_) => report.warn("A-090", path, at, &[]),
    }
}

fn document(
    body: &Body<'_, '_>,
    value: Value<'_, '_>,
    path: &str,
    seen: &mut Seen,
    report: &mut Report,
) {
    seen.documents += 1;
    let path = format!("{path}.document.source");
    if let Some((_, data)) = source(body, value, &path, report) {
        let text = data.as_str().unwrap_or_default();
        let path = format!("{path}.base64.data");
        let Some(text) = plain_base64("A-097", &text, &path, data.offset(), report) else { return };
        let header = decoded(text.get(..HEADER_BYTES).unwrap_or(&text));
        if !header.windows(PDF.len()).take(PDF_WITHIN).any(|window| window == PDF) {
            report.add("A-097", path, data.offset(), &[]);
        }
        return;
    }
    let content = value.get("source").and_then(|source| source.get("content"));
    for (index, item) in content.into_iter().flat_map(|content| content.items()).enumerate() {
        if item.get("type").is_some_and(|tag| tag.is_str("image")) {
            image(body, item, &format!("{path}.content.content.{index}"), seen, report);
        }
    }
}

/// What a PDF begins with, and how far from the start readers look for it.
const PDF: &[u8] = b"%PDF";
const PDF_WITHIN: usize = 1024;

/// The source and its data where it is base64; A-096 where it is to be fetched elsewhere.
fn source<'d, 't>(
    body: &Body<'_, '_>,
    value: Value<'d, 't>,
    path: &str,
    report: &mut Report,
) -> Option<(Value<'d, 't>, Value<'d, 't>)> {
    let source = value.get("source")?;
    let kind = source.get_str("type")?;
    let remote = kind == "url" || kind == "file";
    if remote && body.platform != Platform::ClaudeApi {
        report.add("A-096", format!("{path}.{kind}"), source.offset(), &[]);
    }
    Some((source, source.get("data").filter(|_| kind == "base64")?))
}

/// The text if it is standard base64, white space taken out; a finding if it is not.
fn plain_base64<'s>(
    rule: &str,
    text: &'s str,
    path: &str,
    offset: usize,
    report: &mut Report,
) -> Option<Cow<'s, str>> {
    let mut plain = Cow::Borrowed(text);
    if plain.bytes().any(|byte| byte.is_ascii_whitespace()) {
        plain = Cow::Owned(text.split_ascii_whitespace().collect());
        let words = format!("{path}: white space in base64 data");
        report.warn_say(rule, path.to_owned(), offset, words);
    }
    if is_base64(&plain) {
        return Some(plain);
    }
    report.say(rule, path.to_owned(), offset, format!("{path}: invalid base64 data"));
    None
}

/// an index beyond every document of the request. Which blocks count is not documented,
/// so this warns.
fn cited(body: &Body<'_, '_>, documents: usize, report: &mut Report) {
    for block in body.conversation.all().iter().filter(|block| block.kind == Kind::Text) {
        let citations = block.value.get("citations");
        let citations = citations.into_iter().flat_map(|citations| citations.items());
        for (number, citation) in citations.enumerate() {
            let Some(index) = citation.get("document_index") else { continue };
            if index.as_u64().is_some_and(|index| index >= documents as u64) {
                let path = format!("{}.text.citations.{number}.document_index", block.path());
                let words = format!("{path}: document index out of range");
                report.warn_say("A-026", path, index.offset(), words);
            }
        }
    }
}
