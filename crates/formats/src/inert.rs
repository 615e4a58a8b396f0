//! Text from outside, made harmless for whoever shows it.
//!
//! In: text as it is stored. Out: the same text, in which every character that acts instead of
//! showing is written as `\u{..}`. An escape sequence could recolour, hide or retitle; a mark that
//! turns the reading direction could make a line say what it does not. Markup is not looked at.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character acts instead of showing: controls, direction marks, invisible marks, line
/// separators, tags. The joiners that scripts and emoji are written with do not.
pub fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text of lines: line feeds and tabs stay, a carriage return before a line feed goes, all else
/// that acts is shown.
pub fn lines(text: &str) -> Cow<'_, str> {
    let stays = |c: char| matches!(c, '\n' | '\t') || !acts(c);
    if text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.replace("\r\n", "\n").chars() {
        if stays(c) {
            out.push(c);
        } else {
            show(c, &mut out);
        }
    }
    Cow::Owned(out)
}

/// A text on one line: what breaks lines is shown too.
pub fn line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if acts(c) => show(c, &mut out),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn show(c: char, out: &mut String) {
    let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_lines_and_what_acts_is_shown() {
        assert_eq!(lines("a\r\nb\n\tc"), "a\nb\n\tc");
        assert_eq!(lines("a\rb\u{1b}[2J\0\u{9b}"), "a\\u{d}b\\u{1b}[2J\\u{0}\\u{9b}");
        assert_eq!(lines("x\u{202e}y\u{2066}\u{2028}"), "x\\u{202e}y\\u{2066}\\u{2028}");
        assert_eq!(line("a\r\nb\tc\u{1b}"), "a\\r\\nb\\tc\\u{1b}");
    }

    #[test]
    fn joiners_of_scripts_and_emoji_stay() {
        let family = "\u{1f468}\u{200d}\u{1f469}, \u{645}\u{6cc}\u{200c}\u{62e}";
        assert!(matches!(lines(family), Cow::Borrowed(_)));
    }
}
