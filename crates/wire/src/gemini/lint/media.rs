//! Images, sounds and files: where they stand, what they are, how large. Nothing is fetched.

use std::borrow::Cow;

use json::Value;

use super::Body;
use super::shapes::member;
use super::verdict::Verdict;
use crate::media::{HEADER_BYTES, decoded, media_type};
use crate::takes::Takes;

/// Images that are read.
const IMAGES: &[&str] =
    &["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", "image/avif"];

/// Images whose first bytes are known here.
const KNOWN_BY_BYTES: &[&str] = &["image/png", "image/jpeg", "image/webp"];

/// Bytes of a request that every version of the API takes, and that any does (G-028).
const BYTES_MAX: usize = 20_971_520;
const BYTES_MAX_NEWER: usize = 104_857_600;

/// G-028 and G-029.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for content in &body.contents {
        for part in &content.parts {
            medium(body, part.value, &content.part_path(part, ""), verdict);
            let Some(response) = part.get("functionResponse") else { continue };
            let Some(parts) = member(response, "parts") else { continue };
            let path = content.part_path(part, ".functionResponse");
            let takes = body.model.parts_in_responses;
            verdict.unless(takes, "G-029", path.clone(), parts.offset(), &[]);
            for (index, inner) in parts.items().enumerate() {
                medium(body, inner, &format!("{path}.parts[{index}]"), verdict);
            }
        }
    }
    let takes = takes_bytes(body.bytes);
    let words = format!("Request payload size exceeds the limit: {BYTES_MAX} bytes.");
    verdict.say(takes, "G-028", String::new(), body.root.offset(), words);
}

/// Whether a request of so many bytes is taken.
fn takes_bytes(bytes: usize) -> Takes {
    match bytes {
        0..=BYTES_MAX => Takes::Yes,
        _ if bytes <= BYTES_MAX_NEWER => Takes::Doubtful,
        _ => Takes::No,
    }
}

fn medium(body: &Body<'_, '_>, part: Value<'_, '_>, path: &str, verdict: &mut Verdict) {
    if let Some(inline) = member(part, "inlineData") {
        let mime = mime_type(inline);
        let path = format!("{path}.inlineData");
        verdict.unless(takes(&mime), "G-028", path.clone(), inline.offset(), &[("mime", &mime)]);
        bytes(&mime, inline, path, verdict);
    }
    if let Some(file) = member(part, "fileData") {
        let uri = member(file, "fileUri").and_then(Value::as_str).unwrap_or_default();
        let known = body.platform.file_uris.iter().any(|start| uri.starts_with(start));
        if !known {
            let words = format!("Unsupported file URI type: {uri}");
            let path = format!("{path}.fileData.fileUri");
            verdict.say(Takes::Doubtful, "G-028", path, file.offset(), words);
        }
    }
}

fn mime_type<'t>(of: Value<'_, 't>) -> Cow<'t, str> {
    member(of, "mimeType").and_then(Value::as_str).unwrap_or_default()
}

/// Whether a type is read.
fn takes(mime: &str) -> Takes {
    let (kind, rest) = mime.split_once('/').unwrap_or_default();
    match kind {
        "image" if IMAGES.contains(&mime) => Takes::Yes,
        "audio" | "video" | "text" if !rest.is_empty() => Takes::Yes,
        "application" if rest == "pdf" => Takes::Yes,
        "application" => Takes::Doubtful,
        _ => Takes::No,
    }
}

fn bytes(mime: &str, inline: Value<'_, '_>, path: String, verdict: &mut Verdict) {
    let path = format!("{path}.data");
    let Some(data) = member(inline, "data").and_then(Value::as_str) else {
        let words = format!("* GenerateContentRequest.{path}: required field was not initialized");
        return verdict.say(Takes::No, "G-028", path, inline.offset(), words);
    };
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    if !data.trim_end_matches('=').bytes().all(sign) || data.is_empty() {
        let words = format!("Invalid value at '{path}' (TYPE_BYTES), Base64 decoding failed");
        return verdict.say(Takes::No, "G-028", path, inline.offset(), words);
    }
    if !KNOWN_BY_BYTES.contains(&mime) {
        return;
    }
    let header = data.get(..HEADER_BYTES.min(data.len())).unwrap_or_default();
    let header = header.replace('-', "+").replace('_', "/");
    match media_type(&decoded(&header)) {
        Some(actual) if actual == mime => {}
        Some(actual) => {
            let words = format!("Invalid '{path}': declared as {mime}, but it is {actual}.");
            verdict.say(Takes::Doubtful, "G-028", path, inline.offset(), words);
        }
        None => {
            let words = "Unable to process input image. Please retry or report in \
                         https://developers.generativeai.google/guide/troubleshooting";
            verdict.say(Takes::No, "G-028", path, inline.offset(), words.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_request_is_doubtful_and_a_very_large_one_refused() {
        assert_eq!(takes_bytes(20_971_520), Takes::Yes);
        assert_eq!(takes_bytes(20_971_521), Takes::Doubtful);
        assert_eq!(takes_bytes(104_857_600), Takes::Doubtful);
        assert_eq!(takes_bytes(104_857_601), Takes::No);
    }
}
