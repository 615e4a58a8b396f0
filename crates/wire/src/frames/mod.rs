//! Frames of a streamed response: bytes in, frames out, wherever the bytes were cut.
//!
//! [`Sse`] reads event streams, [`Ndjson`] one JSON text a line, [`Objects`] the elements of an
//! array, [`EventStream`] the binary messages of AWS. Each holds what is unfinished and nothing
//! else, bounded by [`FRAME_BYTES_MAX`]. What is inside of a frame is the dialect's.

pub mod event_stream;
pub mod http;
mod ndjson;
mod objects;
mod sse;

use std::borrow::Cow;
use std::fmt;

pub use event_stream::EventStream;
pub use ndjson::Ndjson;
pub use objects::Objects;
pub use sse::Sse;

use memchr::memchr2;

use crate::limits::FRAME_BYTES_MAX;

/// One frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame<'f> {
    /// The name of the event; empty where it has none.
    pub event: Cow<'f, str>,
    /// Its data; owned where bytes that are no UTF-8 were replaced.
    pub data: Cow<'f, str>,
    /// What ends a frame was there. Without, the stream ended inside of it and it may be torn.
    pub ended: bool,
    /// It says that the stream failed, by the name that its event has.
    pub is_exception: bool,
}

/// Why a stream cannot be read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// A frame is larger than the limit.
    TooLarge {
        /// [`FRAME_BYTES_MAX`]
        limit: usize,
    },
    /// The bytes are not those that were sent, or no such stream.
    Damaged {
        /// In what way.
        what: &'static str,
    },
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::TooLarge { limit } => {
                write!(f, "a frame of the stream has more than {limit} bytes (FRAME_BYTES_MAX)")
            }
            FrameError::Damaged { what } => write!(f, "the stream is damaged: {what}"),
        }
    }
}

impl std::error::Error for FrameError {}

/// How a stream is cut into frames.
#[derive(Clone, Debug)]
pub enum Framing {
    /// Server-sent events.
    Sse(Sse),
    /// One JSON text a line.
    Ndjson(Ndjson),
    /// The elements of a JSON array.
    Objects(Objects),
    /// Binary messages of AWS.
    EventStream(EventStream),
}

impl Framing {
    /// Takes bytes off the front of `packet` up to the end of the next frame and gives that frame;
    /// `None` where the packet is used up first.
    pub fn next<'s>(&'s mut self, packet: &mut &[u8]) -> Result<Option<Frame<'s>>, FrameError> {
        match self {
            Framing::Sse(sse) => sse.next(packet),
            Framing::Ndjson(lines) => lines.next(packet),
            Framing::Objects(objects) => objects.next(packet),
            Framing::EventStream(stream) => stream.next(packet),
        }
    }

    /// The frame that was left unfinished when the stream ended, if there is one.
    pub fn end(&mut self) -> Option<Frame<'_>> {
        match self {
            Framing::Sse(sse) => sse.end(),
            Framing::Ndjson(lines) => lines.end(),
            Framing::Objects(objects) => objects.end(),
            Framing::EventStream(stream) => stream.end(),
        }
    }
}

/// Bytes as text, replaced where they are none. What is text, as nearly all is, is only looked at.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Moves bytes from the packet to what is held, up to the next of `breaks` and past it; gives that
/// byte, or `None` where the packet is used up.
fn take_line(
    packet: &mut &[u8],
    held: &mut Vec<u8>,
    more: usize,
    breaks: [u8; 2],
) -> Result<Option<u8>, FrameError> {
    let [one, other] = breaks;
    let at = memchr2(one, other, packet);
    let (line, rest) = packet.split_at(at.unwrap_or(packet.len()));
    if held.len() + line.len() + more > FRAME_BYTES_MAX {
        return Err(FrameError::TooLarge { limit: FRAME_BYTES_MAX });
    }
    held.extend_from_slice(line);
    match rest.split_first() {
        Some((end, rest)) => {
            *packet = rest;
            Ok(Some(*end))
        }
        None => {
            *packet = rest;
            Ok(None)
        }
    }
}
