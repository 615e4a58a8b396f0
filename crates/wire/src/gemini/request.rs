//! The request writer: the shapes of the dialect, each in one fixed form.
//!
//! A body is parameters, tools, system instruction, and the contents last, compact, keys in camel
//! case and in a fixed order. Text goes out as it is given; what may stand where is the
//! projection's business.

use crate::pages::{Pages, Shared};

/// Who a content is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `user`, and what functions responded
    User,
    /// `model`
    Model,
}

/// Begins a content: what follows are its parts.
pub fn open_content(out: &mut Pages, role: Role, first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(match role {
        Role::User => br#"{"role":"user","parts":["#,
        Role::Model => br#"{"role":"model","parts":["#,
    });
}

/// A part of text, of several pieces, with the signature it came with: a JSON literal, kept byte
/// for byte.
pub fn text(out: &mut Pages, pieces: &[&str], signature_literal: Option<&str>) {
    out.push(br#"{"text":"#);
    string_of(out, pieces);
    signed(out, signature_literal);
}

/// A thought, as [`text`].
pub fn thought(out: &mut Pages, text: &str, signature_literal: &str) {
    out.push(br#"{"text":"#);
    out.string(text);
    out.push(br#","thought":true"#);
    signed(out, Some(signature_literal));
}

/// A call; `args` is an object in JSON.
pub fn function_call(
    out: &mut Pages,
    id: Option<&str>,
    name: &str,
    args: &str,
    signature_literal: Option<&str>,
) {
    out.push(br#"{"functionCall":{"#);
    named(out, id, name);
    out.push(br#","args":"#);
    out.push(args.as_bytes());
    out.push(b"}");
    signed(out, signature_literal);
}

/// What a function responded, under `output` or under `error`; what follows are the parts beside
/// it, or the end.
pub fn open_response(out: &mut Pages, id: Option<&str>, name: &str, key: &str, pieces: &[&str]) {
    out.push(br#"{"functionResponse":{"#);
    named(out, id, name);
    out.push(br#","response":{"#);
    out.string(key);
    out.push(b":");
    string_of(out, pieces);
    out.push(b"}");
}

/// The same, where the response is an object that is kept as it was.
pub fn open_response_as_it_was(out: &mut Pages, id: Option<&str>, name: &str, response: &str) {
    out.push(br#"{"functionResponse":{"#);
    named(out, id, name);
    out.push(br#","response":"#);
    out.push(response.as_bytes());
}

/// Before a part beside a response.
pub fn beside(out: &mut Pages, first: bool) {
    out.push(if first { br#","parts":["# } else { b"," });
}

/// Ends a response, with the parts beside it or without.
pub fn close_response(out: &mut Pages, has_parts: bool) {
    out.push(if has_parts { b"]}}" } else { b"}}" });
}

/// A part that holds bytes as base64.
pub fn inline_data(out: &mut Pages, mime_type: &str, data: Shared) {
    out.push(br#"{"inlineData":{"mimeType":"#);
    out.string(mime_type);
    out.push(br#","data":""#);
    out.share(data);
    out.push(br#""}}"#);
}

/// A part that names a file by its address.
pub fn file_data(out: &mut Pages, mime_type: &str, uri: &str) {
    out.push(br#"{"fileData":{"mimeType":"#);
    out.string(mime_type);
    out.push(br#","fileUri":"#);
    out.string(uri);
    out.push(b"}}");
}

fn named(out: &mut Pages, id: Option<&str>, name: &str) {
    if let Some(id) = id {
        out.push(br#""id":"#);
        out.string(id);
        out.push(b",");
    }
    out.push(br#""name":"#);
    out.string(name);
}

fn signed(out: &mut Pages, signature_literal: Option<&str>) {
    if let Some(signature) = signature_literal {
        out.push(br#","thoughtSignature":"#);
        out.push(signature.as_bytes());
    }
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
