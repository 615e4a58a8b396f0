//! The chunks of a streamed reply, and how replies end (section 4.4 of the rule book). A body is
//! one chunk, or a list of them.
//!
//! In: the data of a frame. Out: what it says, with the values left where they stand.

use json::{Kind, Text, Value};

use super::path::{Step, steps};
use crate::ending::Ending;
pub use crate::member::filled;

/// Members of a part that say something about its data.
const BESIDE_DATA: [&str; 5] =
    ["thought", "thoughtSignature", "partMetadata", "videoMetadata", "mediaResolution"];

/// One chunk.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'d, 't> {
    /// The whole of it.
    pub root: Value<'d, 't>,
    /// The first candidate, if it has one; the only one that is a reply.
    pub candidate: Option<Value<'d, 't>>,
    /// There are other candidates, which were not asked for.
    pub has_other_candidates: bool,
}

impl<'d, 't> Chunk<'d, 't> {
    /// Reads a chunk.
    pub fn new(root: Value<'d, 't>) -> Chunk<'d, 't> {
        let candidates = || root.get("candidates").into_iter().flat_map(Value::items);
        let is_first = |candidate: &Value<'_, '_>| {
            candidate.get("index").is_none_or(|index| index.as_u64() == Some(0))
        };
        let candidate = candidates().find(is_first);
        let has_other_candidates = candidates().any(|other| !is_first(&other));
        Chunk { root, candidate, has_other_candidates }
    }

    /// An error that came in place of a reply or in the middle of it.
    pub fn error(&self) -> Option<Value<'d, 't>> {
        filled(self.root, "error")
    }

    /// The parts that the candidate adds.
    pub fn parts(&self) -> impl Iterator<Item = Value<'d, 't>> + use<'d, 't> {
        let content = self.candidate.and_then(|candidate| filled(candidate, "content"));
        content.and_then(|content| content.get("parts")).into_iter().flat_map(Value::items)
    }

    /// Why the candidate ended, once it has.
    pub fn finish_reason(&self) -> Option<Text> {
        word(filled(self.candidate?, "finishReason")?)
    }

    /// Why there is no candidate, where the prompt was refused.
    pub fn block_reason(&self) -> Option<Text> {
        word(filled(filled(self.root, "promptFeedback")?, "blockReason")?)
    }
}

/// A word, which some clients have written as its number.
fn word(value: Value<'_, '_>) -> Option<Text> {
    match value.kind() {
        Kind::String => value.to_text(),
        Kind::Number => Some(value.raw().into()),
        Kind::Null | Kind::Bool | Kind::Array | Kind::Object => None,
    }
}

/// The data member of a part: its name and its value.
pub fn data<'d, 't>(part: Value<'d, 't>) -> Option<(Text, Value<'d, 't>)> {
    part.members().find_map(|(name, value)| {
        let name = name.to_text()?;
        (!BESIDE_DATA.contains(&&*name)).then_some((name, value))
    })
}

/// A piece of a call's arguments, as Vertex streams them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialArg<'t> {
    /// Where in the arguments it stands.
    pub path: Vec<Step>,
    /// What stands there.
    pub value: ArgValue<'t>,
}

/// What a piece of a call's arguments holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgValue<'t> {
    /// A text, or a piece of one: pieces of one place follow each other.
    Text(Text),
    /// A number, a truth value or `null`, as JSON.
    Written(&'t str),
    /// Nothing: the text before it has ended.
    Nothing,
}

impl<'t> PartialArg<'t> {
    /// Reads a piece; `None` where it says no place, or a value of another kind than its name.
    pub fn read(piece: Value<'_, 't>) -> Option<PartialArg<'t>> {
        let path = steps(&piece.get_str("jsonPath")?)?;
        let value = |name: &str| filled(piece, name);
        let of_kind = |value: Value<'_, 't>, kind: Kind| {
            (value.kind() == kind).then(|| ArgValue::Written(value.raw()))
        };
        let value = if let Some(text) = value("stringValue") {
            ArgValue::Text(text.to_text()?)
        } else if let Some(number) = value("numberValue") {
            of_kind(number, Kind::Number)?
        } else if let Some(truth) = value("boolValue") {
            of_kind(truth, Kind::Bool)?
        } else if piece.get("nullValue").is_some() {
            ArgValue::Written("null")
        } else {
            ArgValue::Nothing
        };
        Some(PartialArg { path, value })
    }
}

/// Whether a call says that there is more of it to come.
pub fn will_continue(call: Value<'_, '_>) -> bool {
    call.get("willContinue").and_then(Value::as_bool) == Some(true)
}

/// How replies end. A word that is not here is a stop.
pub const ENDINGS: [(&str, Ending); 28] = [
    ("STOP", Ending::Stop),
    ("1", Ending::Stop),
    ("MAX_TOKENS", Ending::MaxTokens),
    ("2", Ending::MaxTokens),
    // What is there is part of a reply, and nobody says how it would have gone on.
    ("CONTINUATION", Ending::MaxTokens),
    ("NO_IMAGE", Ending::MaxTokens),
    ("OTHER", Ending::MaxTokens),
    ("5", Ending::MaxTokens),
    ("SAFETY", Ending::Refused),
    ("3", Ending::Refused),
    ("RECITATION", Ending::Refused),
    ("4", Ending::Refused),
    ("LANGUAGE", Ending::Refused),
    ("BLOCKLIST", Ending::Refused),
    ("PROHIBITED_CONTENT", Ending::Refused),
    ("SPII", Ending::Refused),
    ("IMAGE_SAFETY", Ending::Refused),
    ("IMAGE_PROHIBITED_CONTENT", Ending::Refused),
    ("IMAGE_RECITATION", Ending::Refused),
    ("IMAGE_OTHER", Ending::Refused),
    ("MODEL_ARMOR", Ending::Refused),
    ("ESCALATION", Ending::Refused),
    ("PUP_LIMITED_DISABLED", Ending::Refused),
    ("MALFORMED_FUNCTION_CALL", Ending::Failed),
    ("MALFORMED_RESPONSE", Ending::Failed),
    ("UNEXPECTED_TOOL_CALL", Ending::Failed),
    ("TOO_MANY_TOOL_CALLS", Ending::Failed),
    ("MISSING_THOUGHT_SIGNATURE", Ending::Failed),
];

/// What a finish reason comes to; `None` where it is not known.
pub fn ending(finish_reason: &str) -> Option<Ending> {
    ENDINGS.iter().find(|(word, _)| *word == finish_reason).map(|(_, ending)| *ending)
}
