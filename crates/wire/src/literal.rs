//! String literals for servers to which NUL is no text: it goes out as U+FFFD (G-10).

use crate::pages::Pages;

/// One literal of several pieces.
pub(crate) fn string_of(out: &mut Pages, pieces: &[&str]) {
    out.push(b"\"");
    for piece in pieces {
        part(out, piece);
    }
    out.push(b"\"");
}

/// A part of a literal, without quotes.
pub(crate) fn part(out: &mut Pages, text: &str) {
    let mut rest = text;
    // Every byte of a conversation passes here, and hardly one is a NUL.
    while let Some(at) = memchr::memchr(0, rest.as_bytes()) {
        let (before, after) = rest.split_at(at);
        out.string_part(before);
        out.string_part("\u{fffd}");
        rest = after.strip_prefix('\0').unwrap_or_default();
    }
    out.string_part(rest);
}
