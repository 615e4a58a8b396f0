//! Results on disk: `output` and `images` where they say it all, else `parts` beside `output`.
//!
//! `output` alone is one text (or, where empty, none); `images` come after it. Anything else (two
//! texts, an image before a text, a part only its provider reads) is `parts`, which wins on
//! reading.

#![deny(clippy::wildcard_enum_match_arm)]

use json::{Raw, Text, Value};

use crate::block::{OpaqueBlock, ResultPart, ToolResult};
use crate::entry::Rest;
use crate::image::Image;
use crate::jsonl::fields::{Context, Read, Taken, array, filled_array, members, pick, set, text};
use crate::jsonl::out::{Members, push_text};
use crate::jsonl::{image, opaque};

pub(super) fn read(context: &mut Context, value: Value<'_, '_>) -> Option<ToolResult> {
    let (mut tool_use_id, mut tool_name, mut is_error) = (None, None, None);
    let (mut output, mut images, mut parts) = (None, None, None);
    let mut rest = members(context, value, |context, name, value| match name {
        "type" => Read::Skip,
        "tool_use_id" => set(&mut tool_use_id, value, text),
        "tool_name" => set(&mut tool_name, value, text),
        "output" => set(&mut output, value, text),
        "is_error" => set(&mut is_error, value, |value| Some((value.as_bool()?, true))),
        "images" => set(&mut images, value, |v| filled_array(v, |v| image::read(context, v))),
        "parts" => set(&mut parts, value, |v| array(v, |v| read_part(context, v))),
        _ => Read::Unknown,
    });
    let content = match parts {
        Some(parts) => {
            keep_shadowed(&mut rest, &parts, output.as_ref(), value);
            parts
        }
        // A result whose only content cannot be read is not an empty one.
        None if rest.get("output").is_some_and(|raw| raw.as_str() != "null") => return None,
        None => simple_content(output, images),
    };
    let (tool_name, is_error) = (tool_name.unwrap_or_default(), is_error.unwrap_or_default());
    Some(ToolResult { tool_use_id: tool_use_id?, tool_name, content, is_error, rest })
}

fn simple_content(output: Option<Text>, images: Option<Vec<Image>>) -> Vec<ResultPart> {
    let output = output.filter(|text| !text.is_empty()).map(ResultPart::Text);
    output.into_iter().chain(images.into_iter().flatten().map(ResultPart::Image)).collect()
}

/// Keeps an `output` or `images` that stands beside `parts` and says something else.
fn keep_shadowed(
    rest: &mut Rest,
    parts: &[ResultPart],
    output: Option<&Text>,
    value: Value<'_, '_>,
) {
    if output.is_some_and(|output| output.has_lone_surrogate() || **output != *joined(parts)) {
        keep(rest, "output", value);
    }
    if rest.get("images").is_none() {
        keep(rest, "images", value);
    }
}

fn keep(rest: &mut Rest, name: &str, object: Value<'_, '_>) {
    if let Some(value) = object.get(name) {
        rest.push(name.into(), Raw::of(value));
    }
}

fn read_part(context: &mut Context, value: Value<'_, '_>) -> Taken<ResultPart> {
    let kind = value.get("type").and_then(Value::to_text).unwrap_or_default();
    if *kind == *"text" {
        let ([_, said], exact) = pick(value, ["type", "text"]);
        if let Some(said) = said.and_then(Value::to_text) {
            return Some((ResultPart::Text(said), exact));
        }
    }
    if *kind == *"image"
        && let Some(image) = image::read_typed(context, value)
    {
        return Some((ResultPart::Image(image), true));
    }
    let wrapped = (*kind == *opaque::WRAPPED).then(|| opaque::read_wrapped(context, value));
    let part = match wrapped.flatten() {
        Some(part) => part,
        None => opaque::read(context, kind, value),
    };
    Some((ResultPart::Opaque(part), true))
}

fn reads_opaque(context: &mut Context, value: Value<'_, '_>) -> Option<OpaqueBlock> {
    match read_part(context, value)? {
        (ResultPart::Opaque(part), _) => Some(part),
        (ResultPart::Text(_) | ResultPart::Image(_), _) => None,
    }
}

pub(super) fn write(out: &mut Vec<u8>, result: &ToolResult) {
    let rests = [&result.rest];
    let mut members = Members::open(out, &rests);
    members.string("type", "tool_result");
    members.text("tool_use_id", &result.tool_use_id);
    members.text("tool_name", &result.tool_name);
    match simple(&result.content) {
        Some((output, images)) => {
            members.value("output", |out| match output {
                Some(output) => push_text(out, output),
                None => out.extend_from_slice(b"\"\""),
            });
            members.filled_array("images", &images, |out, image| image::write(out, image));
        }
        None => {
            members.string("output", &joined(&result.content));
            members.array("parts", &result.content, write_part);
        }
    }
    members.bool("is_error", result.is_error);
    members.close();
}

/// The content as a text and images after it, if that is what it is.
fn simple(content: &[ResultPart]) -> Option<(Option<&Text>, Vec<&Image>)> {
    let (output, images) = match content {
        [ResultPart::Text(text), images @ ..] if !text.is_empty() => (Some(text), images),
        images => (None, images),
    };
    let images = images.iter().map(|part| match part {
        ResultPart::Image(image) => Some(image),
        ResultPart::Text(_) | ResultPart::Opaque(_) => None,
    });
    Some((output, images.collect::<Option<_>>()?))
}

/// The texts of the parts, joined by line feeds: what `output` is beside `parts`.
fn joined(parts: &[ResultPart]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        ResultPart::Text(text) => Some(text.as_str()),
        ResultPart::Image(_) | ResultPart::Opaque(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn write_part(out: &mut Vec<u8>, part: &ResultPart) {
    match part {
        ResultPart::Text(text) => {
            let mut members = Members::open(out, &[]);
            members.string("type", "text");
            members.text("text", text);
            members.close();
        }
        ResultPart::Image(image) => image::write_typed(out, image),
        ResultPart::Opaque(part) => opaque::write(out, part, reads_opaque),
    }
}
