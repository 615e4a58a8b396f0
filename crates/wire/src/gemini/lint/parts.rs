//! Parts one by one: their data, their texts, calls and responses.

use json::{Kind, Value};

use super::Body;
use super::contents::{Content, DATA, Part};
use super::shapes::{member, same_name, short};
use super::verdict::Verdict;
use crate::takes::Takes;

/// Characters of a function's name (G-018).
const NAME_CHARS_MAX: usize = 64;

/// G-004, G-005, G-015, G-016 and G-018.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    for content in &body.contents {
        for part in &content.parts {
            one_of(content, part, verdict);
            text(body, content, part, verdict);
            if let Some(call) = part.get("functionCall") {
                let path = content.part_path(part, ".functionCall");
                name(call, "G-018", &path, verdict);
                structure(call, "args", "G-016", &path, verdict);
            }
            if let Some(response) = part.get("functionResponse") {
                let path = content.part_path(part, ".functionResponse");
                self::response(response, &path, verdict);
            }
        }
    }
}

/// G-004.
fn one_of(content: &Content<'_, '_>, part: &Part<'_, '_>, verdict: &mut Verdict) {
    let data = part.value.members().filter(|(name, value)| {
        let name = name.as_str().unwrap_or_default();
        !value.is_null() && DATA.iter().any(|known| same_name(known, &name))
    });
    match data.count() {
        1 => {}
        0 => {
            // What was accepted once: a thought without text (gemini-3-flash).
            let thought = member(part.value, "thought").and_then(Value::as_bool) == Some(true);
            let takes = if thought { Takes::Doubtful } else { Takes::No };
            let path = content.part_path(part, "");
            verdict.unless(takes, "G-004", path, part.value.offset(), &[]);
        }
        _ => {
            let path = content.part_path(part, "");
            let words = format!(
                "Invalid value at '{path}' (oneof), oneof field 'data' is already set. Cannot \
                 set another."
            );
            verdict.say(Takes::No, "G-004", path, part.value.offset(), words);
        }
    }
}

/// G-005.
fn text(
    body: &Body<'_, '_>,
    content: &Content<'_, '_>,
    part: &Part<'_, '_>,
    verdict: &mut Verdict,
) {
    let Some(text) = part.get("text") else { return };
    let path = || content.part_path(part, ".text");
    if text.kind() != Kind::String {
        let words = format!("Invalid value at '{}' (TYPE_STRING), {}", path(), short(text));
        verdict.say(Takes::No, "G-006", path(), text.offset(), words);
    } else if text.is_str("") {
        let platform = body.platform;
        let signed = part.signature().is_some();
        let takes = if signed { platform.empty_text_signed } else { platform.empty_text };
        verdict.unless(takes, "G-005", path(), text.offset(), &[]);
    }
}

/// G-018: of a call, or of a declaration.
pub(super) fn name(of: Value<'_, '_>, rule: &str, path: &str, verdict: &mut Verdict) {
    let name = of.get_str("name").unwrap_or_default();
    let rest = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
    let starts = name.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_');
    if !starts || !name.bytes().all(rest) || name.len() > NAME_CHARS_MAX {
        let at = of.get("name").unwrap_or(of).offset();
        verdict.refuse(rule, format!("{path}.name"), at, &[]);
    }
}

/// G-015.
fn response(response: Value<'_, '_>, path: &str, verdict: &mut Verdict) {
    match response.get_str("name") {
        Some(name) if !name.is_empty() => self::name(response, "G-018", path, verdict),
        Some(_) | None => {
            verdict.refuse("G-015", path.to_owned(), response.offset(), &[]);
        }
    }
    if member(response, "response").is_none() {
        let words =
            format!("* GenerateContentRequest.{path}.response: required field was not initialized");
        verdict.say(Takes::No, "G-015", format!("{path}.response"), response.offset(), words);
    }
    structure(response, "response", "G-015", path, verdict);
}

/// A member that is an object, where it is there.
fn structure(of: Value<'_, '_>, key: &str, rule: &str, path: &str, verdict: &mut Verdict) {
    let Some(value) = member(of, key).filter(|value| value.kind() != Kind::Object) else {
        return;
    };
    let path = format!("{path}.{key}");
    let words = format!(
        "Invalid value at '{path}' (type.googleapis.com/google.protobuf.Struct), {}",
        short(value)
    );
    verdict.say(Takes::No, rule, path, value.offset(), words);
}
