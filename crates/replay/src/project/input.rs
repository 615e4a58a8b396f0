//! Arguments of calls, where a wire wants an object.

use std::borrow::Cow;

use record::{InputClass, ToolUse};

/// Arguments with more brackets than this might nest too deep for a body.
const INPUT_BRACKETS_MAX: usize = 100;

/// The arguments as an object in JSON, as far as a body can hold it; none where they are no object,
/// or nest too deep: they cross as raw text.
pub(super) fn object(call: &ToolUse) -> Option<Cow<'_, str>> {
    let text = call.input.text();
    match call.input.class() {
        InputClass::Empty => Some("{}".into()),
        InputClass::Object if nests_little(text) => {
            let clean = call.input.has_lone_surrogate().then(|| json::Raw::parse(text).ok());
            let clean = clean.flatten().and_then(|raw| raw.without_lone_surrogates());
            Some(clean.map_or(text.as_str().into(), |raw| raw.as_str().to_owned().into()))
        }
        InputClass::Object | InputClass::Malformed => None,
    }
}

/// How many brackets a text opens; counted in bytes, run by run, which is done in vectors.
fn brackets(text: &str) -> usize {
    let opens = |byte: &u8| u8::from(matches!(byte, b'{' | b'['));
    let runs = text.as_bytes().chunks(usize::from(u8::MAX));
    runs.map(|run| usize::from(run.iter().map(opens).sum::<u8>())).sum()
}

/// Whether a JSON text nests at most as deep as a body can take it.
pub(super) fn nests_little(text: &str) -> bool {
    if brackets(text) <= INPUT_BRACKETS_MAX {
        return true;
    }
    let padded = format!("{}{text}{}", "[".repeat(16), "]".repeat(16));
    json::Doc::parse_str(&padded).is_ok()
}
