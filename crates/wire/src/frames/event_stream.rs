//! Binary event streams of AWS: messages of a prelude, headers and a payload, each with checksums.
//!
//! A prelude of 12 bytes says how long the message and its headers are, and closes with a checksum
//! of itself; the message closes with one of all before it. What fails its check ends the stream by
//! name: nothing after it can be found.

use std::borrow::Cow;

use json::Object;

use super::{Frame, FrameError, text_of};
use crate::limits::FRAME_BYTES_MAX;

/// Bytes of a prelude: two lengths and a checksum.
const PRELUDE: usize = 12;
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 4;

/// Reads messages.
#[derive(Clone, Debug, Default)]
pub struct EventStream {
    /// The message being read, or the one that was given.
    message: Vec<u8>,
    is_given: bool,
}

impl EventStream {
    /// A stream at its start.
    pub fn new() -> EventStream {
        EventStream::default()
    }

    /// Whether bytes begin as such a stream does: with a prelude that passes its check.
    pub fn begins(bytes: &[u8]) -> bool {
        let prelude = bytes.get(..PRELUDE).map(lengths);
        matches!(prelude, Some(Ok(_)))
    }

    /// See [`super::Framing::next`].
    pub fn next<'s>(&'s mut self, packet: &mut &[u8]) -> Result<Option<Frame<'s>>, FrameError> {
        if std::mem::take(&mut self.is_given) {
            self.message.clear();
        }
        if !self.fill(packet, PRELUDE) {
            return Ok(None);
        }
        let (total, headers) = lengths(&self.message)?;
        if !self.fill(packet, total) {
            return Ok(None);
        }
        let (checked, checksum) = self.message.split_at(total - CHECKSUM);
        if u32_at(checksum, 0) != Some(crc32fast::hash(checked)) {
            return Err(FrameError::Damaged { what: "a message does not pass its check" });
        }
        self.is_given = true;
        let (headers, payload) = checked
            .get(PRELUDE..)
            .unwrap_or_default()
            .split_at_checked(headers)
            .unwrap_or_default();
        let headers = Headers::read(headers)
            .ok_or(FrameError::Damaged { what: "the headers of a message cannot be read" })?;
        Ok(Some(headers.frame(payload)))
    }

    /// A message that the stream leaves unfinished is none: its check is missing.
    pub fn end(&mut self) -> Option<Frame<'_>> {
        None
    }

    /// Takes bytes until there are so many; whether there are.
    fn fill(&mut self, packet: &mut &[u8], len: usize) -> bool {
        let missing = len.saturating_sub(self.message.len()).min(packet.len());
        let (piece, rest) = packet.split_at(missing);
        self.message.extend_from_slice(piece);
        *packet = rest;
        self.message.len() >= len
    }
}

/// The lengths of a message and of its headers, as its prelude says.
fn lengths(message: &[u8]) -> Result<(usize, usize), FrameError> {
    let checked = message.get(..PRELUDE - CHECKSUM).unwrap_or_default();
    if u32_at(message, PRELUDE - CHECKSUM) != Some(crc32fast::hash(checked)) {
        return Err(FrameError::Damaged { what: "a prelude does not pass its check" });
    }
    let len = |at| u32_at(message, at).and_then(|len| usize::try_from(len).ok());
    let (total, headers) = (len(0).unwrap_or(0), len(4).unwrap_or(0));
    if total > FRAME_BYTES_MAX {
        return Err(FrameError::TooLarge { limit: FRAME_BYTES_MAX });
    }
    if headers > total.saturating_sub(PRELUDE + CHECKSUM) || total < PRELUDE + CHECKSUM {
        return Err(FrameError::Damaged { what: "a prelude says lengths that cannot be" });
    }
    Ok((total, headers))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The headers that say what a message is.
#[derive(Default)]
struct Headers<'m> {
    event: &'m [u8],
    is_exception: bool,
    error_message: Option<&'m [u8]>,
}

impl<'m> Headers<'m> {
    /// Reads headers; `None` where they are of another form.
    fn read(mut bytes: &'m [u8]) -> Option<Headers<'m>> {
        let mut headers = Headers::default();
        while let Some((len, rest)) = bytes.split_first() {
            let (name, rest) = rest.split_at_checked(usize::from(*len))?;
            let (kind, rest) = rest.split_first()?;
            let (len, rest) = match kind {
                0 | 1 => (0, rest),
                2 => (1, rest),
                3 => (2, rest),
                4 => (4, rest),
                5 | 8 => (8, rest),
                6 | 7 => {
                    let (len, rest) = rest.split_first_chunk()?;
                    (usize::from(u16::from_be_bytes(*len)), rest)
                }
                9 => (16, rest),
                _ => return None,
            };
            let (value, rest) = rest.split_at_checked(len)?;
            match name {
                b":event-type" => headers.event = value,
                b":exception-type" | b":error-code" => {
                    (headers.event, headers.is_exception) = (value, true);
                }
                b":error-message" => headers.error_message = Some(value),
                _ => {}
            }
            bytes = rest;
        }
        Some(headers)
    }

    fn frame(&self, payload: &'m [u8]) -> Frame<'m> {
        let event = text_of(self.event);
        let data = match self.error_message {
            // An error has no payload: its message is a header.
            Some(message) if payload.is_empty() => {
                let mut data = Object::new();
                data.string("message", &text_of(message));
                Cow::Owned(data.finish().as_str().to_owned())
            }
            Some(_) | None => text_of(payload),
        };
        Frame { event, data, ended: true, is_exception: self.is_exception }
    }
}

/// Writes a message whose headers are strings.
pub fn write(out: &mut Vec<u8>, headers: &[(&str, &str)], payload: &[u8]) {
    let mut written = Vec::new();
    for (name, value) in headers {
        // Names and values of ours are short.
        written.push(name.len() as u8);
        written.extend_from_slice(name.as_bytes());
        written.push(7);
        written.extend_from_slice(&(value.len() as u16).to_be_bytes());
        written.extend_from_slice(value.as_bytes());
    }
    let total = PRELUDE + written.len() + payload.len() + CHECKSUM;
    let start = out.len();
    out.extend_from_slice(&(total as u32).to_be_bytes());
    out.extend_from_slice(&(written.len() as u32).to_be_bytes());
    let prelude = crc32fast::hash(out.get(start..).unwrap_or_default());
    out.extend_from_slice(&prelude.to_be_bytes());
    out.extend_from_slice(&written);
    out.extend_from_slice(payload);
    let message = crc32fast::hash(out.get(start..).unwrap_or_default());
    out.extend_from_slice(&message.to_be_bytes());
}
