//! Server-sent events, as browsers and every SDK read them.
//!
//! A line ends with CR, LF or CRLF; a blank line ends a frame; a line that begins with a colon is a
//! comment; a byte order mark at the very start is none of the text. Unlike a browser, the frame
//! that a stream leaves unfinished is given as well, and says so: many servers leave the last blank
//! line out.

use super::{Frame, FrameError, take_line, text_of};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Reads an event stream.
#[derive(Clone, Debug, Default)]
pub struct Sse {
    /// The line being read.
    line: Vec<u8>,
    event: Vec<u8>,
    /// The lines of data, joined by line feeds.
    data: Vec<u8>,
    has_data: bool,
    /// The last byte was a CR: an LF belongs to it.
    after_cr: bool,
    is_past_start: bool,
    /// The frame was given: what it was made of goes with the next call.
    is_given: bool,
}

impl Sse {
    /// A stream at its start.
    pub fn new() -> Sse {
        Sse::default()
    }

    /// See [`super::Framing::next`].
    pub fn next<'s>(&'s mut self, packet: &mut &[u8]) -> Result<Option<Frame<'s>>, FrameError> {
        self.forget_given();
        while !packet.is_empty() {
            if std::mem::take(&mut self.after_cr)
                && let Some(rest) = packet.strip_prefix(b"\n")
            {
                *packet = rest;
                continue;
            }
            let more = self.data.len() + self.event.len();
            let Some(end) = take_line(packet, &mut self.line, more, [b'\n', b'\r'])? else {
                return Ok(None);
            };
            self.after_cr = end == b'\r';
            if self.end_line() {
                return Ok(self.give(true));
            }
        }
        Ok(None)
    }

    /// See [`super::Framing::end`].
    pub fn end(&mut self) -> Option<Frame<'_>> {
        self.forget_given();
        if !self.line.is_empty() {
            self.end_line();
        }
        if self.has_data { self.give(false) } else { None }
    }

    fn forget_given(&mut self) {
        if std::mem::take(&mut self.is_given) {
            self.event.clear();
            self.data.clear();
            self.has_data = false;
        }
    }

    fn give(&mut self, ended: bool) -> Option<Frame<'_>> {
        self.is_given = true;
        let data = self.data.strip_suffix(b"\n").unwrap_or(&self.data);
        let event = text_of(&self.event);
        Some(Frame { event, data: text_of(data), ended, is_exception: false })
    }

    /// Takes in the line that was read; true where it ends a frame that has data.
    fn end_line(&mut self) -> bool {
        let mut line = std::mem::take(&mut self.line);
        let mut text = line.as_slice();
        if !std::mem::replace(&mut self.is_past_start, true) {
            text = text.strip_prefix(BOM).unwrap_or(text);
        }
        let ends = text.is_empty();
        let (name, value) = match text.iter().position(|byte| *byte == b':') {
            Some(at) => (text.get(..at), text.get(at + 1..)),
            None => (Some(text), None),
        };
        let value = value.unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name.unwrap_or_default() {
            b"data" => {
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
                self.has_data = true;
            }
            b"event" => {
                self.event.clear();
                self.event.extend_from_slice(value);
            }
            // A comment has no name; `id` and `retry` say how to reconnect, which a request
            // for a reply never does; a name nobody knows is ignored, as the standard has it.
            _ => {}
        }
        line.clear();
        self.line = line;
        if ends && !self.has_data {
            self.event.clear();
        }
        ends && self.has_data
    }
}
