//! Byte offsets of a text as lines and columns, all in one pass, and the piece of a line around
//! one.

use std::collections::BTreeMap;

use stenograph::json::Position;

use crate::inert::inert;

/// Bytes of a line shown before and after the place: a body is often one line of megabytes.
const BEFORE_BYTES: usize = 36;
const AFTER_BYTES: usize = 44;

/// The lines and columns of some offsets of a text.
#[derive(Debug)]
pub struct Places(BTreeMap<usize, Position>);

impl Places {
    /// Looks up all of `offsets`; one past the end is the end.
    pub fn of(text: &[u8], offsets: impl IntoIterator<Item = usize>) -> Places {
        Places::behind(text, 0, 1, offsets)
    }

    /// As [`Places::of`], of offsets behind `start`, where the line of this number begins: what
    /// stands before it is not read again.
    pub fn behind(
        text: &[u8],
        start: usize,
        line: usize,
        offsets: impl IntoIterator<Item = usize>,
    ) -> Places {
        let mut places: BTreeMap<usize, Position> =
            offsets.into_iter().map(|offset| (offset, Position { line: 1, column: 1 })).collect();
        let (mut at, mut line, mut column) = (start, line, 1);
        for (offset, place) in &mut places {
            let end = (*offset).min(text.len());
            for byte in text.get(at..end).unwrap_or_default() {
                match byte {
                    b'\n' => (line, column) = (line + 1, 1),
                    // Columns count characters: what continues one counts nothing.
                    0x80..=0xBF => {}
                    _ => column += 1,
                }
            }
            at = end;
            *place = Position { line, column };
        }
        Places(places)
    }

    /// The place of one of the offsets that were looked up.
    pub fn at(&self, offset: usize) -> Position {
        self.0.get(&offset).copied().unwrap_or(Position { line: 1, column: 1 })
    }
}

/// A piece of a line, and how many characters of it stand before the place.
#[derive(Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// One line, inert.
    pub text: String,
    /// Characters before the place.
    pub caret: usize,
}

/// The piece of the line around an offset, bounded on both sides.
pub fn excerpt(text: &[u8], offset: usize) -> Excerpt {
    let offset = offset.min(text.len());
    let (before, after) = text.split_at(offset);
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut from = start.max(offset.saturating_sub(BEFORE_BYTES));
    while from > start && text.get(from).is_some_and(|byte| byte & 0xC0 == 0x80) {
        from -= 1;
    }
    let line_end = after.iter().take(AFTER_BYTES).position(|byte| *byte == b'\n');
    let mut to = offset + line_end.unwrap_or(AFTER_BYTES.min(after.len()));
    while line_end.is_none() && text.get(to).is_some_and(|byte| byte & 0xC0 == 0x80) {
        to += 1;
    }
    let shown =
        |range| inert(&String::from_utf8_lossy(text.get(range).unwrap_or_default())).into_owned();
    let (lead, trail) = (shown(from..offset), shown(offset..to));
    let cut_before = if from > start { "..." } else { "" };
    let cut_after = if line_end.is_none() && to < text.len() { "..." } else { "" };
    let caret = cut_before.len() + lead.chars().count();
    Excerpt { text: format!("{cut_before}{lead}{trail}{cut_after}"), caret }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let text = "äb\n{\"ü\":1}\n".as_bytes();
        let offsets = [0, 2, 4, 9, 99];
        let places = Places::of(text, offsets);
        for offset in offsets {
            assert_eq!(places.at(offset), Position::of(text, offset.min(text.len())), "{offset}");
        }
        assert_eq!(places.at(9), Position { line: 2, column: 5 });
        let behind = Places::behind(text, 4, 2, [4, 9]);
        assert_eq!((behind.at(4), behind.at(9)), (places.at(4), places.at(9)));
    }

    #[test]
    fn an_excerpt_is_bounded_and_whole_characters() {
        let long = format!("{}X{}", "ä".repeat(500), "ö".repeat(500));
        let piece = excerpt(long.as_bytes(), 1000);
        assert_eq!(piece.text, format!("...{}X{}...", "ä".repeat(18), "ö".repeat(22)));
        assert_eq!(piece.text.chars().nth(piece.caret), Some('X'));
        let piece = excerpt(b"one\ntwo\nthree", 5);
        assert_eq!(piece, Excerpt { text: "two".into(), caret: 1 });
        assert_eq!(excerpt(b"", 7), Excerpt { text: String::new(), caret: 0 });
        assert_eq!(excerpt(b"a\x1b[2Jb", 6).caret, 11);
    }
}
