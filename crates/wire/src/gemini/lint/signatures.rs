//! Signatures of calls, as far as a body shows them.

use super::Body;
use super::contents::{Content, Role};
use super::shapes::short;
use super::verdict::Verdict;
use crate::report::Fill;
use crate::takes::Takes;

/// What stands in for a signature: the documented one, and one documented for the Gemini API alone.
const STAND_INS: [&str; 2] =
    ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

/// G-022, G-024 and G-025.
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let current = turn_start(body);
    for content in &body.contents {
        if content.role == Role::Model {
            first_call(body, content, current, verdict);
        }
        each(body, content, verdict);
    }
}

/// Where the current turn begins: at the last content of the user's with anything but responses.
fn turn_start(body: &Body<'_, '_>) -> usize {
    let said = |content: &&Content<'_, '_>| {
        let other = content.parts.iter().any(|part| part.get("functionResponse").is_none());
        content.role != Role::Model && other
    };
    body.contents.iter().rev().find(said).map_or(0, |content| content.index)
}

/// G-022. What an older turn has to hold is read in two ways: there it is doubtful.
fn first_call(
    body: &Body<'_, '_>,
    content: &Content<'_, '_>,
    current: usize,
    verdict: &mut Verdict,
) {
    let Some((part, call)) = content.all("functionCall").next() else { return };
    if part.signature().is_some() {
        return;
    }
    let takes = match body.model.calls_unsigned {
        Takes::No if content.index < current => Takes::Doubtful,
        Takes::Doubtful if content.index < current => Takes::Yes,
        takes @ (Takes::Yes | Takes::Doubtful | Takes::No) => takes,
    };
    let name = call.get_str("name").unwrap_or_default();
    let position = content.index + 1;
    let fill: Fill<'_> = &[("name", &name), ("position", &position)];
    verdict.unless(takes, "G-022", content.part_path(part, ""), part.value.offset(), fill);
}

fn each(body: &Body<'_, '_>, content: &Content<'_, '_>, verdict: &mut Verdict) {
    let first = content.all("functionCall").next().map(|(part, _)| part.index);
    for part in &content.parts {
        let Some(signature) = part.signature() else { continue };
        let path = content.part_path(part, ".thoughtSignature");
        let at = signature.offset();
        let text = signature.as_str();
        let stand_in = text.as_deref().and_then(|text| STAND_INS.iter().position(|s| *s == text));
        match stand_in {
            Some(_) if first != Some(part.index) => verdict.refuse("G-025", path, at, &[]),
            Some(1) => verdict.unless(body.platform.second_stand_in, "G-025", path, at, &[]),
            Some(_) => {}
            None if !text.as_deref().is_some_and(is_base64) => {
                let value = signature.as_str().unwrap_or_else(|| short(signature).into());
                verdict.refuse("G-024", path, at, &[("value", &value)]);
            }
            None => {}
        }
    }
}

/// Whether a text holds nothing but base64, of either alphabet.
fn is_base64(text: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    text.trim_end_matches('=').bytes().all(sign)
}
