//! Images and documents: where they stand, their bytes, formats, sizes, names and number.

use std::borrow::Cow;
use std::collections::HashSet;

use json::Value;

use super::Body;
use super::conversation::{Block, Kind, Message, Role};
use crate::bedrock_converse::models::Model;
use crate::media::{HEADER_BYTES, decoded, is_base64, media_type};
use crate::report::{Fill, Report};
use crate::takes::Takes;

/// Images of a request (B-018).
const IMAGES_MAX: usize = 20;

/// Base64 characters of an image: 3.75 MB (B-018).
const IMAGE_CHARS_MAX: usize = 3_750 * 1024 / 3 * 4;

/// Pixels of an image's side (B-018).
const IMAGE_SIDE_MAX: usize = 8000;

/// Documents of a request (B-017).
const DOCUMENTS_MAX: usize = 5;

/// Base64 characters of a document: 4.5 MB (B-017).
const DOCUMENT_CHARS_MAX: usize = 4_500 * 1024 / 3 * 4;

/// Characters of a document's name (B-017).
const NAME_CHARS_MAX: usize = 200;

/// Pixels of an image's side where there are more than [`MANY`] images and documents, to Claude.
const IMAGE_SIDE_MAX_MANY: usize = 2000;
const MANY: usize = 20;

/// What a pass over the body has seen.
#[derive(Default)]
struct Seen {
    images: usize,
    documents: usize,
    /// Names of documents.
    names: HashSet<String>,
    /// Path, offset and longest side of each image that could be measured.
    sides: Vec<(String, usize, usize)>,
}

/// B-016 to B-018.
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    let mut seen = Seen::default();
    for message in &body.messages {
        for block in &message.blocks {
            match block.kind {
                Kind::Image => {
                    placed(message, block, report);
                    stands(body.model.images, "image", block.path(), block.value, report);
                    image(body, block.inner, &block.member(""), &mut seen, report);
                }
                Kind::Document => {
                    placed(message, block, report);
                    beside_text(message, block, report);
                    document(body, block.inner, &block.member(""), &mut seen, report);
                }
                Kind::ToolResult => inside(body, block, &mut seen, report),
                Kind::Text
                | Kind::Video
                | Kind::Audio
                | Kind::ToolUse
                | Kind::Reasoning
                | Kind::CachePoint
                | Kind::GuardContent
                | Kind::Citations
                | Kind::SearchResult
                | Kind::ToolAddition
                | Kind::ToolRemoval
                | Kind::Other => {}
            }
        }
    }
    sides(body, &seen, report);
}

/// What a result holds.
fn inside(body: &Body<'_, '_>, block: &Block<'_, '_>, seen: &mut Seen, report: &mut Report) {
    let Model { images_in_results, documents_in_results, .. } = *body.model;
    let content = block.inner.get("content").into_iter().flat_map(Value::items);
    for (index, part) in content.enumerate() {
        let path = block.member(&format!("content.{index}"));
        if let Some(value) = part.get("image") {
            stands(images_in_results, "image", path.clone(), part, report);
            image(body, value, &format!("{path}.image."), seen, report);
        } else if let Some(value) = part.get("document") {
            stands(documents_in_results, "document", path.clone(), part, report);
            document(body, value, &format!("{path}.document."), seen, report);
        }
    }
}

/// B-016.
fn stands(takes: Takes, kind: &str, path: String, at: Value<'_, '_>, report: &mut Report) {
    report.unless(takes, "B-016", path, at.offset(), &[("kind", &kind)]);
}

/// B-017 for the role.
fn placed(message: &Message<'_, '_>, block: &Block<'_, '_>, report: &mut Report) {
    if message.role != Role::User {
        let words = format!("Messages with {} role can't contain {}", role(message), block.name);
        report.say("B-017", block.path(), block.value.offset(), words);
    }
}

fn role(message: &Message<'_, '_>) -> &'static str {
    match message.role {
        Role::Assistant => "assistant",
        Role::System => "system",
        Role::User | Role::Other => "this",
    }
}

/// B-017 for the text beside a document.
fn beside_text(message: &Message<'_, '_>, block: &Block<'_, '_>, report: &mut Report) {
    if !message.blocks.iter().any(|block| block.kind == Kind::Text) {
        let words = format!("A text block must be included with the document at {}", block.path());
        report.say("B-017", block.path(), block.value.offset(), words);
    }
}

/// The bytes of a source; B-018 where they are elsewhere.
fn bytes<'t>(
    body: &Body<'_, '_>,
    rule: &str,
    value: Value<'_, 't>,
    path: &str,
    report: &mut Report,
) -> Option<(usize, Cow<'t, str>)> {
    let source = value.get("source")?;
    if let Some(elsewhere) = source.get("s3Location") {
        let inside = path.contains(".toolResult.");
        let takes = if inside { body.model.buckets_in_results } else { body.model.buckets };
        let words = "This model doesn't support the s3Uri field. Remove s3Uri and try again.";
        let path = format!("{path}source.s3Location");
        report.say_unless(takes, rule, path, elsewhere.offset(), words.to_owned());
    }
    let data = source.get("bytes")?;
    let text = data.as_str()?;
    if is_base64(&text) && !text.is_empty() {
        return Some((data.offset(), text));
    }
    let path = format!("{path}source.bytes");
    report.say(rule, path.clone(), data.offset(), format!("{path}: invalid base64 data"));
    None
}

fn image(
    body: &Body<'_, '_>,
    value: Value<'_, '_>,
    path: &str,
    seen: &mut Seen,
    report: &mut Report,
) {
    seen.images += 1;
    if seen.images == IMAGES_MAX + 1 {
        let words = format!("too many images: more than {IMAGES_MAX} in a request");
        report.say("B-018", path.trim_end_matches('.').to_owned(), value.offset(), words);
    }
    let Some((at, text)) = bytes(body, "B-018", value, path, report) else { return };
    let path = format!("{path}source.bytes");
    if text.len() > IMAGE_CHARS_MAX {
        let words = format!("{path}: image exceeds 3.75 MB maximum");
        report.say("B-018", path.clone(), at, words);
    }
    let header = decoded(text.get(..HEADER_BYTES).unwrap_or(&text));
    let declared = value.get_str("format").unwrap_or_default();
    let Some(actual) = media_type(&header) else {
        let words = format!("{path}: Could not process image");
        return report.say("B-018", path, at, words);
    };
    let actual = actual.trim_start_matches("image/");
    if declared != actual {
        let fill: Fill<'_> = &[("declared", &declared), ("actual", &actual)];
        report.add("B-018", path.clone(), at, fill);
    }
    let size = imagesize::blob_size(&header);
    let size = size.or_else(|_| imagesize::blob_size(&decoded(&text)));
    seen.sides.extend(size.ok().map(|size| (path, at, size.width.max(size.height))));
}

/// B-018 for sizes in pixels.
fn sides(body: &Body<'_, '_>, seen: &Seen, report: &mut Report) {
    let many = body.model.claude && seen.images + seen.documents > MANY;
    let (max, of) = match many {
        true => (IMAGE_SIDE_MAX_MANY, " for many-image requests"),
        false => (IMAGE_SIDE_MAX, ""),
    };
    for (path, at, _) in seen.sides.iter().filter(|(_, _, side)| *side > max) {
        let words = format!(
            "{path}: At least one of the image dimensions exceed max allowed size{of}: {max} pixels"
        );
        report.say("B-018", path.clone(), *at, words);
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
    if seen.documents == DOCUMENTS_MAX + 1 {
        let words = format!("too many documents: more than {DOCUMENTS_MAX} in a request");
        report.say("B-017", path.trim_end_matches('.').to_owned(), value.offset(), words);
    }
    if let Some((at, name)) = value.get("name").and_then(|n| Some((n.offset(), n.as_str()?))) {
        report.unless(named(&name), "B-017", format!("{path}name"), at, &[]);
        if !seen.names.insert(name.into_owned()) {
            let words = "Messages can't contain duplicate document names".to_owned();
            report.say("B-017", format!("{path}name"), at, words);
        }
    }
    if let Some((at, text)) = bytes(body, "B-017", value, path, report)
        && text.len() > DOCUMENT_CHARS_MAX
    {
        // A larger PDF is taken where it comes from a bucket, and by some models.
        let is_pdf = value.get("format").is_some_and(|format| format.is_str("pdf"));
        let takes = if is_pdf { Takes::Doubtful } else { Takes::No };
        let path = format!("{path}source.bytes");
        let words = format!("{path}: document exceeds 4.5 MB maximum");
        report.say_unless(takes, "B-017", path, at, words);
    }
}

/// Whether a document may have this name. An underscore was taken though the words leave it out.
fn named(name: &str) -> Takes {
    let length = (1..=NAME_CHARS_MAX).contains(&name.chars().count());
    let doubled = name.split(|sign: char| !sign.is_whitespace()).any(|gap| gap.chars().count() > 1);
    let plain =
        |sign: char| sign.is_alphanumeric() || sign.is_whitespace() || "-_()[]".contains(sign);
    if !length || doubled || !name.chars().all(plain) {
        Takes::No
    } else if name.is_ascii() {
        Takes::Yes
    } else {
        Takes::Doubtful
    }
}
