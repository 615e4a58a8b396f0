//! The request writer: the shapes of section 3.1 of the rule book, each in one fixed form.
//!
//! A body is parameters, `toolConfig`, `system`, and the messages last, compact, keys in a fixed
//! order. Every block is an object with one member, named by its kind. Text goes out as it is
//! given; what may stand where is the projection's business.

use crate::pages::{Pages, Shared};

/// Who a message on this wire is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `user`
    User,
    /// `assistant`
    Assistant,
}

/// The block that marks a cache breakpoint, behind the block it marks.
pub const CACHE_POINT: &str = r#",{"cachePoint":{"type":"default"}}"#;

/// Begins a message: what follows are its blocks, separated by commas.
pub fn open_message(out: &mut Pages, role: Role, first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(match role {
        Role::User => br#"{"role":"user","content":["#,
        Role::Assistant => br#"{"role":"assistant","content":["#,
    });
}

/// `text` made of several pieces, one after the other.
pub fn text(out: &mut Pages, pieces: &[&str]) {
    out.push(br#"{"text":""#);
    for piece in pieces {
        out.string_part(piece);
    }
    out.push(br#""}"#);
}

/// `reasoningContent` with its text; the signature is a JSON literal, kept byte for byte.
pub fn reasoning(out: &mut Pages, text: &str, signature_literal: &str) {
    out.push(br#"{"reasoningContent":{"reasoningText":{"text":"#);
    out.string(text);
    out.push(br#","signature":"#);
    out.push(signature_literal.as_bytes());
    out.push(b"}}}");
}

/// `reasoningContent` that is sealed; the content is a JSON literal, kept byte for byte.
pub fn redacted(out: &mut Pages, content_literal: &str) {
    out.push(br#"{"reasoningContent":{"redactedContent":"#);
    out.push(content_literal.as_bytes());
    out.push(b"}}");
}

/// `toolUse`; the input is the text of a JSON object.
pub fn tool_use(out: &mut Pages, id: &str, name: &str, input: &str) {
    out.push(br#"{"toolUse":{"toolUseId":"#);
    out.string(id);
    out.push(br#","name":"#);
    out.string(name);
    out.push(br#","input":"#);
    out.push(input.as_bytes());
    out.push(b"}}");
}

/// `image` with its bytes as base64; the format is the type after `image/`.
pub fn image(out: &mut Pages, format: &str, data: Shared) {
    out.push(br#"{"image":{"format":"#);
    out.string(format);
    out.push(br#","source":{"bytes":""#);
    out.share(data);
    out.push(br#""}}}"#);
}

/// Begins a `toolResult` up to its content: what follows are its parts, separated by commas.
pub fn open_result(out: &mut Pages, id: &str) {
    out.push(br#"{"toolResult":{"toolUseId":"#);
    out.string(id);
    out.push(br#","content":["#);
}

/// Ends a `toolResult` after its content.
pub fn close_result(out: &mut Pages, is_error: bool) {
    out.push(if is_error { br#"],"status":"error"}}"# } else { b"]}}" });
}
