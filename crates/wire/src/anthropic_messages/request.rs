//! The request writer: the shapes of section 2.1 of the rule book, each in one fixed form.
//!
//! A body is parameters, tools, system, and the conversation last, compact, keys in a fixed order.
//! Text goes out as it is given; what may stand where is the projection's business.

use std::io;
use std::sync::Arc;

use crate::pages::{Chain, Pages};

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

/// The member a cache breakpoint adds to a block.
pub const CACHE_MARK: &str = r#","cache_control":{"type":"ephemeral"}"#;

/// What ends the last message, the conversation and the body.
const CLOSE: &str = "]}]}";

/// Begins a message: what follows are its blocks, separated by commas.
pub fn open_message(out: &mut Pages, role: Role, first: bool) {
    out.push(if first { b"" } else { b"," });
    out.push(match role {
        Role::User => br#"{"role":"user","content":["#,
        Role::Assistant => br#"{"role":"assistant","content":["#,
        Role::System => br#"{"role":"system","content":["#,
    });
}

/// Ends a message.
pub fn close_message(out: &mut Pages) {
    out.push(b"]}");
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
pub fn image_base64(out: &mut Pages, media_type: &str, data: &str) {
    out.push(br#"{"type":"image","source":{"type":"base64","media_type":"#);
    out.string(media_type);
    out.push(br#","data":""#);
    out.push(data.as_bytes());
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

/// A request body: shared pages, small pieces before them, and marks spliced in on the way out.
#[derive(Clone, Debug)]
pub struct Body {
    /// Parameters, then tools and system with their marks, up to the conversation's first byte.
    lead: Vec<Arc<[u8]>>,
    conversation: Chain<u8>,
    /// Offsets in the conversation before which a [`CACHE_MARK`] goes, ascending.
    marks: Vec<u64>,
}

impl Body {
    /// A body of these parts; `conversation` ends after its last block, its message still open.
    pub fn new(lead: Vec<Arc<[u8]>>, conversation: Chain<u8>, marks: Vec<u64>) -> Body {
        Body { lead, conversation, marks }
    }

    /// The body's bytes, as slices in order: nothing is copied.
    pub fn slices(&self) -> Vec<&[u8]> {
        let mut out: Vec<&[u8]> = self.lead.iter().map(|piece| &**piece).collect();
        let mut marks = self.marks.iter().peekable();
        let mut start = 0u64;
        for run in self.conversation.runs_from(0) {
            let mut rest = run;
            while let Some(mark) = marks.next_if(|mark| **mark <= start + rest.len() as u64) {
                let (before, after) = rest.split_at((*mark - start) as usize);
                out.extend([before, CACHE_MARK.as_bytes()]);
                start = *mark;
                rest = after;
            }
            start += rest.len() as u64;
            out.push(rest);
        }
        out.push(CLOSE.as_bytes());
        out
    }

    /// Bytes of the whole body.
    pub fn len(&self) -> u64 {
        let lead: u64 = self.lead.iter().map(|piece| piece.len() as u64).sum();
        let marks = (self.marks.len() * CACHE_MARK.len()) as u64;
        lead + self.conversation.len() + marks + CLOSE.len() as u64
    }

    /// A body is never empty.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The body in one piece.
    pub fn to_vec(&self) -> Vec<u8> {
        self.slices().concat()
    }

    /// Writes the body, slice by slice.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.slices().into_iter().try_for_each(|slice| out.write_all(slice))
    }

    /// Parameters, tools and system with their marks.
    pub fn lead(&self) -> &[Arc<[u8]>] {
        &self.lead
    }

    /// The conversation without marks, up to the end of its last block.
    pub fn conversation(&self) -> &Chain<u8> {
        &self.conversation
    }
}
