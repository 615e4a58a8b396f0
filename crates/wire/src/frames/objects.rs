//! JSON objects one after the other: the elements of an array that is being written.
//!
//! An object ends with its own brace, so none waits for what follows it. Between two of them stands
//! what holds an array together, which is no frame.

use super::{Frame, FrameError, text_of};
use crate::limits::FRAME_BYTES_MAX;

/// Reads objects.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    /// The object being read, or the one that was given.
    object: Vec<u8>,
    /// How many braces are open.
    depth: usize,
    in_string: bool,
    after_backslash: bool,
    is_given: bool,
}

impl Objects {
    /// A stream at its start.
    pub fn new() -> Objects {
        Objects::default()
    }

    /// See [`super::Framing::next`].
    pub fn next<'s>(&'s mut self, packet: &mut &[u8]) -> Result<Option<Frame<'s>>, FrameError> {
        self.forget_given();
        if self.depth == 0 {
            let at = packet.iter().position(|byte| *byte == b'{').unwrap_or(packet.len());
            *packet = packet.get(at..).unwrap_or_default();
        }
        let end = packet.iter().position(|byte| self.ends_with(*byte)).map(|at| at + 1);
        let (piece, rest) = packet.split_at(end.unwrap_or(packet.len()));
        if self.object.len() + piece.len() > FRAME_BYTES_MAX {
            return Err(FrameError::TooLarge { limit: FRAME_BYTES_MAX });
        }
        self.object.extend_from_slice(piece);
        *packet = rest;
        Ok(end.map(|_| self.give(true)))
    }

    /// See [`super::Framing::end`].
    pub fn end(&mut self) -> Option<Frame<'_>> {
        self.forget_given();
        if self.object.is_empty() { None } else { Some(self.give(false)) }
    }

    /// Takes in a byte of an object; whether it is the last one.
    fn ends_with(&mut self, byte: u8) -> bool {
        if self.in_string {
            let is_escaped = std::mem::take(&mut self.after_backslash);
            self.after_backslash = byte == b'\\' && !is_escaped;
            self.in_string = byte != b'"' || is_escaped;
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' => self.depth += 1,
            b'}' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }

    fn forget_given(&mut self) {
        if std::mem::take(&mut self.is_given) {
            self.object.clear();
        }
    }

    fn give(&mut self, ended: bool) -> Frame<'_> {
        self.is_given = true;
        Frame { event: "".into(), data: text_of(&self.object), ended, is_exception: false }
    }
}
