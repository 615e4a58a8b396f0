//! Text from outside, made harmless for a terminal.
//!
//! Session content is hostile. What acts is decided in one place, `formats::inert`; here it is put
//! on one line.

use std::borrow::Cow;

use stenograph::formats::inert::line;

/// The joiners of scripts and emoji: in a name or an id they only hide.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// The text on one line, every character that acts or hides written as `\u{..}`.
pub fn inert(text: &str) -> Cow<'_, str> {
    if !text.contains(JOINERS) {
        return line(text);
    }
    let shown = line(text).replace('\u{200c}', "\\u{200c}").replace('\u{200d}', "\\u{200d}");
    Cow::Owned(shown)
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
        assert_eq!(inert("na\u{200d}me\u{200c}"), "na\\u{200d}me\\u{200c}");
        assert!(matches!(inert("naïve 日本 🙂 e\u{301}"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_bound_counts_characters() {
        assert_eq!(bounded("äöü", 3), "äöü");
        assert_eq!(bounded("äöü", 2), "äö...");
    }
}
