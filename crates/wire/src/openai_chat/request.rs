//! The request writer: the shapes of the dialect, each in one fixed form.
//!
//! A body is parameters, tools, and the messages last, compact, keys in a fixed order. Text goes
//! out as it is given, but for NUL, which is no text to a server (G-10) and goes out as U+FFFD.
//! What may stand where is the projection's business.

use super::vendors::ReasoningKey;
use crate::literal::{self, string_of};
use crate::pages::{Pages, Shared};

/// Who a message that is not a result is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `system`
    System,
    /// `developer` (K-001)
    Developer,
    /// `user`
    User,
    /// `assistant`
    Assistant,
}

impl Role {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::Developer => "developer",
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }
}

/// Begins a message up to the end of its role: what follows are its other members.
pub fn open_message(out: &mut Pages, role: Role, first: bool) {
    begin(out, role.as_str(), first);
}

/// Begins a `tool` message: what follows is its content.
pub fn open_result(out: &mut Pages, id: &str, first: bool) {
    begin(out, "tool", first);
    out.push(br#","tool_call_id":"#);
    string_of(out, &[id]);
}

/// Begins a `tool` message that matches its call by order (O-3): what follows is its content.
pub fn open_result_of(out: &mut Pages, tool: &str, first: bool) {
    begin(out, "tool", first);
    out.push(br#","tool_name":"#);
    string_of(out, &[tool]);
}

fn begin(out: &mut Pages, role: &str, first: bool) {
    out.push(if first { br#"{"role":""# } else { br#",{"role":""# });
    out.push(role.as_bytes());
    out.push(b"\"");
}

/// `content` as one string of several pieces.
pub fn content(out: &mut Pages, pieces: &[&str]) {
    out.push(br#","content":"#);
    string_of(out, pieces);
}

/// Begins `content` as one string: what follows are its pieces.
pub fn open_text(out: &mut Pages) {
    out.push(br#","content":""#);
}

/// `content: null`, beside calls (K-030).
pub fn content_null(out: &mut Pages) {
    out.push(br#","content":null"#);
}

/// A part of a literal, without quotes.
pub fn text_part(out: &mut Pages, text: &str) {
    literal::part(out, text);
}

/// Begins `images` (O-5): what follows are the images.
pub fn open_images(out: &mut Pages) {
    out.push(br#","images":["#);
}

/// Ends `images`.
pub fn close_images(out: &mut Pages) {
    out.push(b"]");
}

/// One of `images`: its bytes as base64.
pub fn image_plain(out: &mut Pages, data: Shared) {
    out.push(b"\"");
    out.share(data);
    out.push(b"\"");
}

/// Begins `content` as an array: what follows are its parts.
pub fn open_parts(out: &mut Pages) {
    out.push(br#","content":["#);
}

/// Ends `content` as an array.
pub fn close_parts(out: &mut Pages) {
    out.push(b"]");
}

/// A part of type `text`.
pub fn text(out: &mut Pages, pieces: &[&str], first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(br#"{"type":"text","text":"#);
    string_of(out, pieces);
    out.push(b"}");
}

/// A part of type `image_url` that holds the image's bytes as base64.
pub fn image_base64(out: &mut Pages, media_type: &str, data: Shared, first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(br#"{"type":"image_url","image_url":{"url":"data:"#);
    out.string_part(media_type);
    out.push(b";base64,");
    out.share(data);
    out.push(br#""}}"#);
}

/// A part of type `image_url` by address (K-036).
pub fn image_url(out: &mut Pages, url: &str, first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(br#"{"type":"image_url","image_url":{"url":"#);
    string_of(out, &[url]);
    out.push(b"}}");
}

/// Mistral's part of type `thinking`, closed; the signature is a JSON literal, kept byte for byte.
pub fn thinking(out: &mut Pages, thinking: &str, signature_literal: Option<&str>, first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(br#"{"type":"thinking","thinking":[{"type":"text","text":"#);
    string_of(out, &[thinking]);
    out.push(b"}]");
    if let Some(signature) = signature_literal {
        out.push(br#","signature":"#);
        out.push(signature.as_bytes());
    }
    out.push(b"}");
}

/// Reasoning as a string of several pieces, under the vendor's key.
/// [`ReasoningKey::ReasoningDetails`] and [`ReasoningKey::ThinkingPart`] have no string form:
/// nothing is written for them.
pub fn reasoning(out: &mut Pages, key: ReasoningKey, pieces: &[&str]) {
    match key {
        ReasoningKey::ReasoningContent => out.push(br#","reasoning_content":"#),
        ReasoningKey::Reasoning => out.push(br#","reasoning":"#),
        ReasoningKey::Thinking => out.push(br#","thinking":"#),
        ReasoningKey::ReasoningDetails | ReasoningKey::ThinkingPart => return,
    }
    string_of(out, pieces);
}

/// `reasoning_details`, a JSON array kept byte for byte.
pub fn reasoning_details(out: &mut Pages, details: &str) {
    out.push(br#","reasoning_details":"#);
    out.push(details.as_bytes());
}

/// Begins `tool_calls`: what follows are the calls.
pub fn open_calls(out: &mut Pages) {
    out.push(br#","tool_calls":["#);
}

/// Ends `tool_calls`.
pub fn close_calls(out: &mut Pages) {
    out.push(b"]");
}

/// A call of a function; `arguments` is the text the model wrote, whatever it is.
pub fn call(out: &mut Pages, id: &str, name: &str, arguments: &str, first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(br#"{"id":"#);
    string_of(out, &[id]);
    out.push(br#","type":"function","function":{"name":"#);
    string_of(out, &[name]);
    out.push(br#","arguments":"#);
    string_of(out, &[arguments]);
    out.push(b"}}");
}

/// A call that is known by its place; `arguments` is an object, as JSON text (O-2).
pub fn call_of(out: &mut Pages, name: &str, arguments: &str, first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(br#"{"function":{"name":"#);
    string_of(out, &[name]);
    out.push(br#","arguments":"#);
    out.push(arguments.as_bytes());
    out.push(b"}}");
}
