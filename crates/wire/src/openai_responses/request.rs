//! The request writer: the items of the dialect, each in one fixed form.
//!
//! A body is parameters, tools, instructions, and the items of `input` last, compact, keys in a
//! fixed order. An item is written up to its closing brace: the next one, or the body's end, closes
//! it. Text goes out as it is given, but for NUL (G-10). What may stand where is the projection's
//! business.

use crate::literal::string_of;
use crate::pages::{Pages, Shared};

/// Who a message is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `user`
    User,
    /// `developer`
    Developer,
    /// `assistant`
    Assistant,
}

impl Role {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Developer => "developer",
            Role::Assistant => "assistant",
        }
    }
}

/// Begins a message with an array of parts: what follows are its parts.
pub fn open_message(out: &mut Pages, role: Role, first: bool) {
    message(out, role, first);
    out.push(br#","content":["#);
}

/// Begins a reply's message that the server knows by its id (R-021).
pub fn open_output_message(out: &mut Pages, id: &str, phase: Option<&str>, first: bool) {
    begin(out, "message", first);
    member(out, "id", id);
    out.push(br#","role":"assistant","status":"completed""#);
    optional(out, "phase", phase);
    out.push(br#","content":["#);
}

/// Begins a reply's message without an id, with an array of parts.
pub fn open_reply(out: &mut Pages, phase: Option<&str>, first: bool) {
    message(out, Role::Assistant, first);
    optional(out, "phase", phase);
    out.push(br#","content":["#);
}

/// A reply's message without an id, as one string.
pub fn reply(out: &mut Pages, text: &str, phase: Option<&str>, first: bool) {
    message(out, Role::Assistant, first);
    optional(out, "phase", phase);
    member(out, "content", text);
}

/// Ends the parts of a message.
pub fn close_parts(out: &mut Pages) {
    out.push(b"]");
}

/// A part of type `input_text`.
pub fn input_text(out: &mut Pages, pieces: &[&str], first: bool) {
    begin(out, "input_text", first);
    out.push(br#","text":"#);
    string_of(out, pieces);
    out.push(b"}");
}

/// A part of type `output_text` (R-036).
pub fn output_text(out: &mut Pages, text: &str, first: bool) {
    begin(out, "output_text", first);
    member(out, "text", text);
    out.push(br#","annotations":[]}"#);
}

/// A part of type `refusal`.
pub fn refusal(out: &mut Pages, text: &str, first: bool) {
    begin(out, "refusal", first);
    member(out, "refusal", text);
    out.push(b"}");
}

/// A part of type `input_image` that holds the image's bytes as base64.
pub fn image_base64(out: &mut Pages, detail: &str, media_type: &str, data: Shared, first: bool) {
    begin(out, "input_image", first);
    member(out, "detail", detail);
    out.push(br#","image_url":"data:"#);
    out.string_part(media_type);
    out.push(b";base64,");
    out.share(data);
    out.push(br#""}"#);
}

/// A part of type `input_image` by address.
pub fn image_url(out: &mut Pages, detail: &str, url: &str, first: bool) {
    begin(out, "input_image", first);
    member(out, "detail", detail);
    member(out, "image_url", url);
    out.push(b"}");
}

/// A call: its item's type, its ids, the tool's name, and what the model wrote.
#[derive(Clone, Copy, Debug)]
pub struct Call<'c> {
    /// Whether it is a custom tool's, which takes free text.
    pub is_custom: bool,
    /// The item's id, where the server knows it.
    pub id: Option<&'c str>,
    /// What pairs it with its output.
    pub call_id: &'c str,
    /// The tool's name.
    pub name: &'c str,
    /// The arguments, or the free text.
    pub input: &'c str,
    /// Where the tool was found (R-008).
    pub namespace: Option<&'c str>,
}

/// Writes a call.
pub fn call(out: &mut Pages, call: &Call<'_>, first: bool) {
    begin(out, if call.is_custom { "custom_tool_call" } else { "function_call" }, first);
    optional(out, "id", call.id);
    member(out, "call_id", call.call_id);
    member(out, "name", call.name);
    optional(out, "namespace", call.namespace);
    member(out, if call.is_custom { "input" } else { "arguments" }, call.input);
}

/// Begins what was returned to a call: what follows is its output.
pub fn open_output(out: &mut Pages, is_custom: bool, call_id: &str, first: bool) {
    let kind = if is_custom { "custom_tool_call_output" } else { "function_call_output" };
    begin(out, kind, first);
    member(out, "call_id", call_id);
    out.push(br#","output":"#);
}

/// An output as one string of several pieces.
pub fn output(out: &mut Pages, pieces: &[&str]) {
    string_of(out, pieces);
}

/// Begins an output of parts: what follows are its parts.
pub fn open_output_parts(out: &mut Pages) {
    out.push(b"[");
}

/// A thought, sealed or known to the server by its id; what is sealed is a JSON literal, kept byte
/// for byte, and so is the summary.
pub fn reasoning(
    out: &mut Pages,
    id: Option<&str>,
    summary: &str,
    sealed_literal: Option<&str>,
    first: bool,
) {
    begin(out, "reasoning", first);
    optional(out, "id", id);
    out.push(br#","summary":"#);
    out.push(summary.as_bytes());
    if let Some(sealed) = sealed_literal {
        out.push(br#","encrypted_content":"#);
        out.push(sealed.as_bytes());
    }
}

/// An item that goes back as it came: a JSON object.
pub fn item(out: &mut Pages, object: &str, first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(object.strip_suffix('}').unwrap_or(object).as_bytes());
}

fn message(out: &mut Pages, role: Role, first: bool) {
    begin(out, "message", first);
    out.push(br#","role":""#);
    out.push(role.as_str().as_bytes());
    out.push(b"\"");
}

fn begin(out: &mut Pages, kind: &str, first: bool) {
    out.push(if first { br#"{"type":""# } else { br#",{"type":""# });
    out.push(kind.as_bytes());
    out.push(b"\"");
}

fn member(out: &mut Pages, name: &str, value: &str) {
    out.push(b",\"");
    out.push(name.as_bytes());
    out.push(b"\":");
    string_of(out, &[value]);
}

fn optional(out: &mut Pages, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        member(out, name, value);
    }
}
