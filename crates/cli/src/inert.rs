//! Text from outside, made harmless for a terminal.
//!
//! Session content is hostile: an escape sequence could recolour, hide or retitle, and a mark that
//! turns the reading direction could make a line say what it does not.

use std::borrow::Cow;
use std::fmt::Write;

/// The text on one line, every character that acts instead of showing written as `\u{..}`.
pub fn inert(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if acts(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Controls, invisible marks, line separators, direction marks and tags.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// At most `max` characters of a text, and a sign where some are left out.
pub fn bounded(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        Some((end, _)) => Cow::Owned(format!("{}...", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_shown_and_what_shows_stays() {
        assert_eq!(inert("a\u{1b}[31mb\u{9b}0m"), "a\\u{1b}[31mb\\u{9b}0m");
        assert_eq!(
            inert("x\u{202e}y\u{2066}\u{feff}\u{7f}"),
            "x\\u{202e}y\\u{2066}\\u{feff}\\u{7f}"
        );
        assert_eq!(inert("a\nb\r\tc\0"), "a\\nb\\r\\tc\\u{0}");
        assert!(matches!(inert("naïve 日本 🙂 e\u{301}"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_bound_counts_characters() {
        assert_eq!(bounded("äöü", 3), "äöü");
        assert_eq!(bounded("äöü", 2), "äö...");
    }
}
