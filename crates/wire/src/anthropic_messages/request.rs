//! The request writer: the shapes of section 2.1 of the rule book, each in one fixed form.
//!
//! A body is parameters, tools, system, and the conversation last, compact, keys in a fixed order.
//! Text goes out as it is given; what may stand where is the projection's business.

use crate::pages::{Pages, Shared};

/// Who a message on this wire is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `user`
    User,
    /// `assistant`
    Assistant,
    /// `system`, in the conversation (A-070)
    System,
}

impl Role {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::System => "system",
        }
    }
}

/// Begins a message: what follows are its blocks, separated by commas.
pub fn open_message(out: &mut Pages, role: Role, first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(match role {
        Role::User => br#"{"role":"user","content":["#,
        Role::Assistant => br#"{"role":"assistant","content":["#,
        Role::System => br#"{"role":"system","content":["#,
    });
}

/// `text`
pub fn text(out: &mut Pages, text: &str) {
    out.push(br#"{"type":"text","text":"#);
    out.string(text);
    out.push(b"}");
}

/// `text` made of several pieces, one after the other.
pub fn text_of(out: &mut Pages, pieces: &[&str]) {
    out.push(br#"{"type":"text","text":"#);
    string_of(out, pieces);
    out.push(b"}");
}

/// One literal of several pieces.
fn string_of(out: &mut Pages, pieces: &[&str]) {
    out.push(b"\"");
    for piece in pieces {
        out.string_part(piece);
    }
    out.push(b"\"");
}

/// `thinking`; the signature is a JSON literal, kept byte for byte.
pub fn thinking(out: &mut Pages, thinking: &str, signature_literal: &str) {
    out.push(br#"{"type":"thinking","thinking":"#);
    out.string(thinking);
    out.push(br#","signature":"#);
    out.push(signature_literal.as_bytes());
    out.push(b"}");
}

/// `redacted_thinking`; the data is a JSON literal, kept byte for byte.
pub fn redacted_thinking(out: &mut Pages, data_literal: &str) {
    out.push(br#"{"type":"redacted_thinking","data":"#);
    out.push(data_literal.as_bytes());
    out.push(b"}");
}

/// `tool_use`; the input, and the caller where there is one, are the text of a JSON object.
pub fn tool_use(out: &mut Pages, id: &str, name: &str, input: &str, caller: Option<&str>) {
    out.push(br#"{"type":"tool_use","id":"#);
    out.string(id);
    out.push(br#","name":"#);
    out.string(name);
    out.push(br#","input":"#);
    out.push(input.as_bytes());
    if let Some(caller) = caller {
        out.push(br#","caller":"#);
        out.push(caller.as_bytes());
    }
    out.push(b"}");
}

/// `image` with its bytes as base64.
pub fn image_base64(out: &mut Pages, media_type: &str, data: Shared) {
    out.push(br#"{"type":"image","source":{"type":"base64","media_type":"#);
    out.string(media_type);
    out.push(br#","data":""#);
    out.share(data);
    out.push(br#""}}"#);
}

/// `image` by URL (A-096: the Claude API only).
pub fn image_url(out: &mut Pages, url: &str) {
    out.push(br#"{"type":"image","source":{"type":"url","url":"#);
    out.string(url);
    out.push(b"}}");
}

/// `image` by the id of a file the provider holds (A-099).
pub fn image_file(out: &mut Pages, file_id: &str) {
    out.push(br#"{"type":"image","source":{"type":"file","file_id":"#);
    out.string(file_id);
    out.push(b"}}");
}

/// Begins a `tool_result` whose content is one string.
pub fn tool_result_string(out: &mut Pages, id: &str, content: &[&str], is_error: bool) {
    tool_result_open(out, id);
    string_of(out, content);
    tool_result_close(out, is_error);
}

/// Begins a `tool_result` up to its content's value.
pub fn tool_result_open(out: &mut Pages, id: &str) {
    out.push(br#"{"type":"tool_result","tool_use_id":"#);
    out.string(id);
    out.push(br#","content":"#);
}

/// Ends a `tool_result` after its content's value.
pub fn tool_result_close(out: &mut Pages, is_error: bool) {
    out.push(if is_error { br#","is_error":true}"# } else { b"}" });
}
