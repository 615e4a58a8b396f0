//! One JSON text a line.

use super::{Frame, FrameError, take_line, text_of};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Reads lines; blank ones are no frames.
#[derive(Clone, Debug, Default)]
pub struct Ndjson {
    /// The line being read, or the one that was given.
    line: Vec<u8>,
    is_given: bool,
}

impl Ndjson {
    /// A stream at its start.
    pub fn new() -> Ndjson {
        Ndjson::default()
    }

    /// See [`super::Framing::next`].
    pub fn next<'s>(&'s mut self, packet: &mut &[u8]) -> Result<Option<Frame<'s>>, FrameError> {
        self.forget_given();
        while !packet.is_empty() {
            let Some(_) = take_line(packet, &mut self.line, 0, [b'\n', b'\n'])? else {
                return Ok(None);
            };
            if is_blank(&self.line) {
                self.line.clear();
                continue;
            }
            return Ok(Some(self.give(true)));
        }
        Ok(None)
    }

    /// See [`super::Framing::end`].
    pub fn end(&mut self) -> Option<Frame<'_>> {
        self.forget_given();
        if is_blank(&self.line) { None } else { Some(self.give(false)) }
    }

    fn forget_given(&mut self) {
        if std::mem::take(&mut self.is_given) {
            self.line.clear();
        }
    }

    fn give(&mut self, ended: bool) -> Frame<'_> {
        self.is_given = true;
        let line = self.line.strip_prefix(BOM).unwrap_or(&self.line);
        Frame { event: "".into(), data: text_of(line), ended, is_exception: false }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.strip_prefix(BOM).unwrap_or(line).iter().all(u8::is_ascii_whitespace)
}
