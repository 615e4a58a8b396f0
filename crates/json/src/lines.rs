//! Lines of a file, with number and offset, bounded in length.

use std::io::{self, BufRead, Read};

/// Bytes of a line from which on it is moved, not copied, out of the room it was read into.
const COPIED_BYTES_MAX: usize = 1 << 20;

/// One line as it stood in the file, without its line feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Line number, from 1.
    pub number: usize,
    /// Byte offset of the line's first byte in the file.
    pub offset: u64,
    /// The bytes; a carriage return before the line feed is part of them.
    pub bytes: Vec<u8>,
    /// Whether a line feed followed. Without one the line may be torn.
    pub ended: bool,
    /// The line was longer than the limit: `bytes` holds its beginning, this many bytes were read.
    pub over_long: Option<u64>,
}

/// Reads lines one by one; a line over `limit` bytes is cut to it, its rest read past.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    limit: usize,
    number: usize,
    offset: u64,
    /// The line being read, with room from line to line.
    read: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// Lines of `input`, each held up to `limit` bytes.
    pub fn new(input: R, limit: usize) -> Lines<R> {
        Lines { input, limit, number: 0, offset: 0, read: Vec::new() }
    }

    /// The next line; `None` at the end of the input.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        let bound = self.limit as u64 + 1;
        self.read.clear();
        let read = self.input.by_ref().take(bound).read_until(b'\n', &mut self.read)? as u64;
        if read == 0 {
            return Ok(None);
        }
        let offset = self.offset;
        self.number += 1;
        self.offset += read;
        let mut ended = self.read.last() == Some(&b'\n');
        let mut over_long = None;
        if ended {
            self.read.pop();
        } else if self.read.len() > self.limit {
            let (skipped, found) = self.skip_line()?;
            self.offset += skipped;
            ended = found;
            over_long = Some(read + skipped - u64::from(found));
            self.read.truncate(self.limit);
        }
        let bytes = self.take();
        Ok(Some(Line { number: self.number, offset, bytes, ended, over_long }))
    }

    /// What was read, in just the room it needs; a long line is not held twice for it.
    fn take(&mut self) -> Vec<u8> {
        if self.read.len() < COPIED_BYTES_MAX {
            self.read.as_slice().to_vec()
        } else {
            std::mem::take(&mut self.read)
        }
    }

    fn skip_line(&mut self) -> io::Result<(u64, bool)> {
        let mut skipped = 0u64;
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok((skipped, false));
            }
            let found = buffer.iter().position(|byte| *byte == b'\n');
            let used = found.map_or(buffer.len(), |at| at + 1);
            self.input.consume(used);
            skipped += used as u64;
            if found.is_some() {
                return Ok((skipped, true));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &str, limit: usize) -> Vec<(usize, u64, String, bool, Option<u64>)> {
        let mut lines = Lines::new(io::Cursor::new(input.to_owned()), limit);
        let mut out = Vec::new();
        while let Some(line) = lines.next_line().expect("a cursor does not fail") {
            let text = String::from_utf8(line.bytes).expect("text");
            out.push((line.number, line.offset, text, line.ended, line.over_long));
        }
        out
    }

    #[test]
    fn lines_keep_number_offset_and_ending() {
        let lines = all("a\r\n\nbc", 10);
        assert_eq!(lines[0], (1, 0, "a\r".into(), true, None));
        assert_eq!(lines[1], (2, 3, String::new(), true, None));
        assert_eq!(lines[2], (3, 4, "bc".into(), false, None));
    }

    #[test]
    fn an_over_long_line_is_cut_and_the_next_one_is_whole() {
        let lines = all("0123456789\nx\n0123", 3);
        assert_eq!(lines[0], (1, 0, "012".into(), true, Some(10)));
        assert_eq!(lines[1], (2, 11, "x".into(), true, None));
        assert_eq!(lines[2], (3, 13, "012".into(), false, Some(4)));
        assert_eq!(all("abc\n", 3), [(1, 0, "abc".into(), true, None)]);
    }
}
