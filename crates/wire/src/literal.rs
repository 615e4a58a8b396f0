//! String literals for servers to which NUL is no text: it goes out as U+FFFD (G-10).

use json::escape::Nul;

use crate::pages::Pages;

/// Whether a text holds a NUL.
pub fn has_nul(text: &str) -> bool {
    // Every byte of a conversation passes here, and hardly one is a NUL.
    memchr::memchr(0, text.as_bytes()).is_some()
}

/// The escape that stands for NUL in a JSON text.
pub const NUL_ESCAPE: &str = "\\u0000";

/// Whether a JSON text may hold a NUL: another escape may stand before these signs.
pub fn has_nul_escape(json: &str) -> bool {
    memchr::memmem::find(json.as_bytes(), NUL_ESCAPE.as_bytes()).is_some()
}

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
    out.string_part_with(text, Nul::Replaced);
}
