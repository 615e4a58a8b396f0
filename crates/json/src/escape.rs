//! Strings become literals here, and nowhere else.
//!
//! Escaping is the shortest JSON allows (`\n`, `\t`, `\"`, ..., `\u00XX`), so equal strings have
//! equal literals.

use wide::u8x16;

/// Bytes that are looked at together.
const BLOCK: usize = 32;

/// Bytes of the longest escape.
const ESCAPE_BYTES_MAX: usize = 6;

/// The least room that [`fill`] makes use of.
pub const FILL_BYTES_MIN: usize = BLOCK + ESCAPE_BYTES_MAX;

/// The length of the longest prefix without a control character, a quote or a backslash.
pub fn plain_len(bytes: &[u8]) -> usize {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (nth, block) in blocks.iter().enumerate() {
        let plain = plain_in(block);
        if plain < BLOCK {
            return nth * BLOCK + plain;
        }
    }
    blocks.len() * BLOCK + plain_in(&padded(rest)).min(rest.len())
}

/// A text that is shorter than a block, with blanks after it.
#[inline(always)]
fn padded(bytes: &[u8]) -> [u8; BLOCK] {
    let mut block = [b' '; BLOCK];
    if let Some(to) = block.get_mut(..bytes.len()) {
        to.copy_from_slice(bytes);
    }
    block
}

/// The plain bytes that a block begins with.
#[inline(always)]
fn plain_in(block: &[u8; BLOCK]) -> usize {
    let (halves, _) = block.as_chunks::<16>();
    let [first, second] = halves else { return 0 };
    let (first, second) = (specials(*first), specials(*second));
    // Most blocks of a long text are plain: that is one test.
    if !(first | second).any() {
        return BLOCK;
    }
    (second.to_bitmask() << 16 | first.to_bitmask()).trailing_zeros() as usize
}

/// Which bytes are special.
#[inline(always)]
fn specials(half: [u8; 16]) -> u8x16 {
    let half = u8x16::from(half);
    let quote = half.simd_eq(u8x16::splat(b'"'));
    let slash = half.simd_eq(u8x16::splat(b'\\'));
    let control = half.simd_le(u8x16::splat(0x1f));
    quote | slash | control
}

/// How a NUL goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nul {
    /// As the escape `\u0000`.
    Escaped,
    /// As U+FFFD, for servers to whom it is no text.
    Replaced,
}

/// Appends the inside of a literal as far as the room in `out` goes; gives what is left of `text`.
///
/// Nothing is moved: room that is smaller than [`FILL_BYTES_MIN`] stays unused. Blocks are copied
/// whole and cut back, which costs less than a copy of each run's own length.
pub fn fill<'t>(out: &mut Vec<u8>, text: &'t [u8], nul: Nul) -> &'t [u8] {
    let mut rest = text;
    while !rest.is_empty() && out.capacity() - out.len() >= FILL_BYTES_MIN {
        let short;
        let (block, length) = match rest.first_chunk::<BLOCK>() {
            Some(block) => (block, BLOCK),
            None => {
                short = padded(rest);
                (&short, rest.len())
            }
        };
        let plain = plain_in(block).min(length);
        let start = out.len();
        out.extend_from_slice(block);
        out.truncate(start + plain);
        rest = rest.get(plain..).unwrap_or_default();
        if plain < length
            && let Some((special, after)) = rest.split_first()
        {
            match (special, nul) {
                (0, Nul::Replaced) => out.extend_from_slice("\u{fffd}".as_bytes()),
                _ => push_escape(out, *special),
            }
            rest = after;
        }
    }
    rest
}

/// The letter of a two-byte escape.
#[inline(always)]
fn letter(special: u8) -> Option<u8> {
    match special {
        b'\n' => Some(b'n'),
        b'"' | b'\\' => Some(special),
        b'\t' => Some(b't'),
        b'\r' => Some(b'r'),
        0x08 => Some(b'b'),
        0x0c => Some(b'f'),
        _ => None,
    }
}

#[inline(always)]
fn push_escape(out: &mut Vec<u8>, special: u8) {
    match letter(special) {
        Some(letter) => out.extend_from_slice(&[b'\\', letter]),
        None => out.extend_from_slice(&control(special)),
    }
}

/// The escape of a control character that has no letter.
fn control(special: u8) -> [u8; ESCAPE_BYTES_MAX] {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' - 10 + value };
    [b'\\', b'u', b'0', b'0', digit(special >> 4), digit(special & 0xf)]
}

/// Appends the literal of `text`, quotes included.
pub fn push_literal(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    push(out, text);
    out.push(b'"');
}

/// Appends a part of a literal, without quotes.
pub fn push(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        out.reserve(rest.len() + FILL_BYTES_MIN);
        rest = fill(out, rest, Nul::Escaped);
    }
}

/// The literal of `text`, quotes included.
pub fn literal(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len() + FILL_BYTES_MIN);
    push_literal(&mut out, text);
    String::from_utf8(out).unwrap_or_default()
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
