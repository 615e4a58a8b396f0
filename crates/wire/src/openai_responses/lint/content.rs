//! What messages and outputs hold: parts of their role, texts that are some, images that are taken.

use json::{Kind, Value};

use super::items::Item;
use super::shapes::named;
use super::{Body, Verdict};
use crate::media::{HEADER_BYTES, IMAGE_TYPES, decoded, is_base64, media_type};
use crate::report::{Fill, one_of};

/// Parts of what is put in.
const PUT_IN: &[&str] = &["input_text", "input_image", "input_file"];

/// Parts of a reply.
const SAID: &[&str] = &["output_text", "refusal"];

/// Items with an output of parts.
const OUTPUTS: &[&str] = &["function_call_output", "custom_tool_call_output"];

/// C-017, C-018, G-12, R-035, R-036 and R-038.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for item in &body.items {
        if item.kind == "message" {
            message(body, item, verdict);
        } else if OUTPUTS.contains(&&*item.kind) {
            output(body, item, verdict);
        }
    }
}

fn message(body: &Body<'_, '_>, item: &Item<'_, '_>, verdict: &mut Verdict) {
    let Some(content) = item.value.get("content") else { return };
    let is_reply = item.is_of_reply();
    let path = item.path(".content");
    if !matches!(content.kind(), Kind::String | Kind::Array) {
        let fill: Fill<'_> = &[("actual", &named(content.kind()))];
        return verdict.add("R-038", path, content.offset(), fill);
    }
    let says_nothing = |part: Value<'_, '_>| part.get("text").is_some_and(|text| text.is_str(""));
    let is_empty =
        content.is_str("") || content.kind() == Kind::Array && content.items().all(says_nothing);
    if is_reply && is_empty {
        verdict.add("G-12", path, content.offset(), &[]);
    }
    parts(body, item, content, "content", if is_reply { SAID } else { PUT_IN }, verdict);
}

fn output(body: &Body<'_, '_>, item: &Item<'_, '_>, verdict: &mut Verdict) {
    let Some(output) = item.value.get("output") else { return };
    if !matches!(output.kind(), Kind::String | Kind::Array) {
        let fill: Fill<'_> = &[("actual", &named(output.kind()))];
        return verdict.add("R-038", item.path(".output"), output.offset(), fill);
    }
    parts(body, item, output, "output", PUT_IN, verdict);
}

fn parts(
    body: &Body<'_, '_>,
    item: &Item<'_, '_>,
    content: Value<'_, '_>,
    member: &str,
    known: &[&str],
    verdict: &mut Verdict,
) {
    for (index, part) in content.items().enumerate() {
        let path = item.path(&format!(".{member}[{index}]"));
        let kind = part.get_str("type").unwrap_or_default();
        let at = part.offset();
        if !known.contains(&&*kind) {
            let rule = if member == "output" { "R-038" } else { "R-035" };
            let known = one_of(known);
            let words = format!("Invalid value: '{kind}'. Supported values are: {known}.");
            verdict.say(rule, path, at, words);
            continue;
        }
        match &*kind {
            "input_text" | "output_text" => text(part, "text", &path, verdict),
            "refusal" => text(part, "refusal", &path, verdict),
            "input_image" => image(body, part, &path, verdict),
            _ => {}
        }
    }
}

///
fn text(part: Value<'_, '_>, member: &str, path: &str, verdict: &mut Verdict) {
    if part.get(member).is_none_or(|text| text.kind() != Kind::String) {
        verdict.add("R-036", format!("{path}.{member}"), part.offset(), &[]);
    }
}

/// C-017 and C-018.
fn image(body: &Body<'_, '_>, part: Value<'_, '_>, path: &str, verdict: &mut Verdict) {
    let at = part.offset();
    verdict.unless(body.model.images, "C-018", path.to_owned(), at, &[]);
    let path = format!("{path}.image_url");
    let Some(url) = part.get("image_url").filter(|url| !url.is_null()) else {
        if part.get("file_id").is_none_or(Value::is_null) {
            verdict.say(
                "C-017",
                path.clone(),
                at,
                format!("Missing required parameter: '{path}'."),
            );
        }
        return;
    };
    let url = url.as_str().unwrap_or_default();
    let is_image = match url.strip_prefix("data:") {
        Some(data) => is_data(data),
        None => url.starts_with("https://") || url.starts_with("http://"),
    };
    if !is_image {
        verdict.add("C-017", path, at, &[]);
    }
}

/// Whether what follows `data:` is an image of a type that is taken.
fn is_data(data: &str) -> bool {
    let Some((declared, data)) = data.split_once(";base64,") else { return false };
    let is_type = IMAGE_TYPES.contains(&declared) || declared == "image/jpg";
    let header = decoded(data.get(..HEADER_BYTES).unwrap_or(data));
    is_type && is_base64(data) && media_type(&header).is_some()
}
