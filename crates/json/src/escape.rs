//! Strings become literals here, and nowhere else.
//!
//! Escaping is the shortest JSON allows (`\n`, `\t`, `\"`, ..., `\u00XX`), so equal strings have
//! equal literals.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The length of the longest prefix without a control character, a quote or a backslash.
pub fn plain_len(bytes: &[u8]) -> usize {
    let mut plain = 0;
    let mut blocks = bytes.chunks_exact(32);
    for block in &mut blocks {
        let hit = block.iter().fold(false, |hit, byte| hit | is_special(*byte));
        if hit {
            return plain + first_special(block);
        }
        plain += 32;
    }
    plain + first_special(blocks.remainder())
}

#[inline]
fn is_special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// Eight bytes at a time: the lowest flagged byte of a subtract-and-mask test is always exact.
#[inline]
fn first_special(bytes: &[u8]) -> usize {
    let mut at = 0;
    for word in bytes.chunks_exact(8) {
        let mut eight = [0u8; 8];
        eight.copy_from_slice(word);
        let word = u64::from_le_bytes(eight);
        let quote = word ^ (LOW * u64::from(b'"'));
        let slash = word ^ (LOW * u64::from(b'\\'));
        let control = word.wrapping_sub(LOW * 0x20) & !word;
        let flags =
            (quote.wrapping_sub(LOW) & !quote | slash.wrapping_sub(LOW) & !slash | control) & HIGH;
        if flags != 0 {
            return at + (flags.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| is_special(*byte)).unwrap_or(rest.len())
}

/// The pieces of a string's literal, quotes not included: plain runs and escapes, alternating.
///
/// For a writer that fills pages; [`push_literal`] is for one that fills a `Vec`.
#[derive(Clone, Debug)]
pub struct Pieces<'s> {
    rest: &'s [u8],
}

/// The pieces of the literal of `text`.
pub fn pieces(text: &str) -> Pieces<'_> {
    Pieces { rest: text.as_bytes() }
}

impl<'s> Iterator for Pieces<'s> {
    type Item = &'s [u8];

    #[inline]
    fn next(&mut self) -> Option<&'s [u8]> {
        let first = *self.rest.first()?;
        if is_special(first) {
            self.rest = self.rest.get(1..).unwrap_or_default();
            return Some(escape_of(first));
        }
        let (plain, rest) = self.rest.split_at(plain_len(self.rest));
        self.rest = rest;
        Some(plain)
    }
}

const CONTROL: [&str; 32] = [
    "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007", "\\b",
    "\\t", "\\n", "\\u000b", "\\f", "\\r", "\\u000e", "\\u000f", "\\u0010", "\\u0011", "\\u0012",
    "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017", "\\u0018", "\\u0019", "\\u001a",
    "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f",
];

#[inline]
fn escape_of(byte: u8) -> &'static [u8] {
    match byte {
        b'"' => b"\\\"",
        b'\\' => b"\\\\",
        _ => CONTROL.get(byte as usize).copied().unwrap_or("\\u0000").as_bytes(),
    }
}

/// Appends the literal of `text`, quotes included.
pub fn push_literal(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for piece in pieces(text) {
        out.extend_from_slice(piece);
    }
    out.push(b'"');
}

/// The literal of `text`, quotes included.
pub fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut rest = text;
    while !rest.is_empty() {
        let (plain, tail) = rest.split_at(plain_len(rest.as_bytes()));
        out.push_str(plain);
        let mut chars = tail.chars();
        if let Some(special) = chars.next() {
            out.push_str(std::str::from_utf8(escape_of(special as u8)).unwrap_or_default());
        }
        rest = chars.as_str();
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_position_and_length_is_found() {
        for length in 0..80usize {
            for at in 0..length {
                for special in ["\"", "\\", "\n", "\u{0}", "\u{1f}"] {
                    let text = format!("{}{special}{}", "x".repeat(at), "é".repeat(length - at));
                    assert_eq!(plain_len(text.as_bytes()), at);
                }
            }
            assert_eq!(plain_len("\u{7f}".repeat(length).as_bytes()), length);
        }
    }

    #[test]
    fn a_literal_reads_back_as_its_text() {
        let text: String = (0..0x180u32).filter_map(char::from_u32).collect();
        let literal = literal(&text);
        let doc = crate::Doc::parse_str(&literal).expect("a literal is JSON");
        assert_eq!(doc.root().as_str().as_deref(), Some(text.as_str()));
        let mut pushed = Vec::new();
        push_literal(&mut pushed, &text);
        assert_eq!(pushed, literal.as_bytes());
    }
}
