//! The parts a model makes, read. What only its provider reads is opaque.

use std::sync::Arc;

use json::{Kind, Raw, Text, Value};
use record::jsonl::rest_of;
use record::{
    Block, Input, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning, Rest, TextBlock, ToolUse,
};
use wire::gemini::events::{data, filled, will_continue};

/// A part, as the reply holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A piece of speech, or of a thought.
    Piece {
        /// It is thought, not said.
        is_thought: bool,
        /// What is said.
        text: Text,
    },
    /// A block of its own.
    Whole(Block),
    /// Nothing.
    Empty,
}

/// Reads a part; `None` where its data has another shape than its name says.
pub fn part(part: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Part> {
    let proof = signature(part, issuer);
    match data(part) {
        Some((name, text)) if name.as_str() == "text" => {
            Some(self::text(part, text.to_text()?, proof))
        }
        Some((name, call)) if name.as_str() == "functionCall" => {
            self::call(part, call, proof).map(|call| Part::Whole(Block::ToolUse(call)))
        }
        Some((name, _)) => Some(Part::Whole(Block::Opaque(native(name, part, issuer)))),
        // A signature by itself is that of an empty text.
        None if proof.is_some() => Some(self::text(part, Text::default(), proof)),
        None => Some(Part::Empty),
    }
}

fn text(part: Value<'_, '_>, text: Text, proof: Option<Box<Proof>>) -> Part {
    let is_thought = part.get("thought").and_then(Value::as_bool) == Some(true);
    let rest = rest_of(part, &["text", "thought", "thoughtSignature"]);
    if proof.is_none() && rest.is_empty() {
        return if text.is_empty() { Part::Empty } else { Part::Piece { is_thought, text } };
    }
    Part::Whole(if is_thought {
        Block::Reasoning(Reasoning { reasoning: text, proof, rest })
    } else {
        Block::Text(TextBlock { text, proof, rest })
    })
}

fn call(part: Value<'_, '_>, call: Value<'_, '_>, proof: Option<Box<Proof>>) -> Option<ToolUse> {
    let name = call.get("name").filter(|_| !is_piece(call))?.to_text()?;
    let id = call.get("id").and_then(Value::to_text).unwrap_or_default();
    let input = filled(call, "args").map_or_else(|| Input::new(Text::default()), Input::of_value);
    Some(ToolUse { id, name, input, proof, rest: call_rest(part) })
}

/// Whether a call has arguments that come at once.
pub(super) fn has_arguments(call: Value<'_, '_>) -> bool {
    filled(call, "args").is_some_and(|args| args.members().next().is_some())
}

/// Whether a call says that this is a piece of it.
pub(super) fn is_piece(call: Value<'_, '_>) -> bool {
    filled(call, "partialArgs").is_some() || will_continue(call)
}

/// Members of a call's part beside it.
pub(super) fn call_rest(part: Value<'_, '_>) -> Rest {
    rest_of(part, &["functionCall", "thoughtSignature"])
}

/// The signature of a part, whichever block it is.
pub(super) fn signature(part: Value<'_, '_>, issuer: &Arc<Issuer>) -> Option<Box<Proof>> {
    let sealed = filled(part, "thoughtSignature")
        .filter(|sealed| sealed.kind() == Kind::String && sealed.raw() != "\"\"")?;
    let (issuer, sealed) = (Arc::clone(issuer), Raw::one_line(sealed));
    Some(Box::new(Proof { issuer, kind: ProofKind::Signature, version: 1, sealed }))
}

/// A part that only its provider reads, its signature inside; it is its own proof.
fn native(kind: Text, part: Value<'_, '_>, issuer: &Arc<Issuer>) -> OpaqueBlock {
    let (issuer, sealed) = (Arc::clone(issuer), Raw::string(&Text::default()));
    let proof = Box::new(Proof { issuer, kind: ProofKind::Native, version: 1, sealed });
    OpaqueBlock { kind, raw: Raw::one_line(part), proof: Some(proof) }
}
