//! Images and files: where they stand, what they are, how many. Nothing is fetched.

use json::Value;

use super::Body;
use super::conversation::{Message, Role, kind};
use super::verdict::Verdict;
use crate::media::{HEADER_BYTES, IMAGE_TYPES, decoded, is_base64, media_type};
use crate::openai_chat::vendors::{Takes, Vendor};
use crate::report::Fill;

/// C-014, C-017, C-018 and K-036 to K-038.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let mut images = 0;
    for message in &body.messages {
        for (index, part) in message.parts() {
            let path = message.path(&format!(".content[{index}]"));
            match &*kind(part) {
                "image_url" => {
                    images += 1;
                    image(&body.vendor, message, part, path, verdict);
                    many(&body.vendor, images, message, part, verdict);
                }
                "file" | "document_url" => {
                    // Mistral takes documents by address, and no files.
                    let own = kind(part) == "document_url";
                    let takes = if own { Takes::Yes } else { body.vendor.files };
                    verdict.unless(takes, "K-037", path, part.offset(), &[]);
                }
                _ => {}
            }
        }
    }
}

/// C-014 and C-018: whether an image may stand in this message.
pub(super) fn place(
    vendor: &Vendor,
    message: &Message<'_, '_>,
    path: String,
    at: usize,
    verdict: &mut Verdict,
) {
    let role = message.role.as_str();
    let takes = match message.role {
        Role::User => vendor.images,
        Role::Tool => vendor.images_in_results,
        Role::System | Role::Developer | Role::Assistant | Role::Function | Role::Other => {
            Takes::No
        }
    };
    if message.role == Role::User {
        verdict.unless(takes, "C-018", path, at, &[]);
    } else {
        verdict.unless(takes, "C-014", message.path(""), at, &[("role", &role)]);
    }
}

fn image(
    vendor: &Vendor,
    message: &Message<'_, '_>,
    part: Value<'_, '_>,
    path: String,
    verdict: &mut Verdict,
) {
    let at = part.offset();
    place(vendor, message, path.clone(), at, verdict);
    let url = part.get("image_url");
    // Mistral takes a bare string.
    let url = url.and_then(|url| url.get("url").or(Some(url)));
    let Some(text) = url.and_then(Value::as_str) else {
        let words = format!("Missing required parameter: '{path}.image_url.url'.");
        return verdict.say(Takes::No, "C-017", path, at, words);
    };
    let path = format!("{path}.image_url.url");
    match text.strip_prefix("data:") {
        Some(data) => data_uri(data, path, at, verdict),
        None => verdict.unless(vendor.image_urls, "K-036", path, at, &[]),
    }
}

/// C-017.
fn data_uri(uri: &str, path: String, at: usize, verdict: &mut Verdict) {
    let Some((declared, data)) = uri.split_once(";base64,") else {
        return verdict.refuse("C-017", path, at, &[]);
    };
    let known = IMAGE_TYPES.contains(&declared) || declared == "image/jpg";
    if !known || !is_base64(data) {
        return verdict.refuse("C-017", path, at, &[]);
    }
    let header = decoded(data.get(..HEADER_BYTES).unwrap_or(data));
    match media_type(&header) {
        None => verdict.refuse("C-017", path, at, &[]),
        Some(actual) if actual == declared.replace("jpg", "jpeg") => {}
        Some(actual) => {
            let words = format!("Invalid '{path}': declared as {declared}, but it is {actual}.");
            verdict.say(Takes::Doubtful, "C-017", path, at, words);
        }
    }
}

/// K-038, at the first image too many.
pub(super) fn many(
    vendor: &Vendor,
    images: usize,
    message: &Message<'_, '_>,
    part: Value<'_, '_>,
    verdict: &mut Verdict,
) {
    if let Some(limit) = vendor.images_max.filter(|limit| images == limit.max + 1) {
        let fill: Fill<'_> = &[("max", &limit.max)];
        verdict.unless(limit.more, "K-038", message.path(".content"), part.offset(), fill);
    }
}
