//! What a person reads: lines of spans, inert, coloured only on the way out.

use std::sync::Arc;

use stenograph::formats::inert::line;
use stenograph::record::Entry;

use crate::inert::inert;

/// How a span looks where colour is on. Meaning is never by colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// Stands out.
    Bold,
    /// Steps back.
    Dim,
    /// Something is wrong.
    Red,
    /// Something to look at.
    Yellow,
    /// Fine.
    Green,
    /// What to do.
    Cyan,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Bold => "1",
            Style::Dim => "2",
            Style::Red => "1;31",
            Style::Yellow => "1;33",
            Style::Green => "1;32",
            Style::Cyan => "36",
        }
    }
}

/// Lines for a person. Nothing gets in without being made inert.
#[derive(Debug, Default)]
pub struct Page {
    spans: Vec<(Style, String)>,
}

impl Page {
    /// A page without lines.
    pub fn new() -> Page {
        Page::default()
    }

    /// Adds to the line.
    pub fn say(&mut self, style: Style, text: impl AsRef<str>) -> &mut Page {
        self.spans.push((style, inert(text.as_ref()).into_owned()));
        self
    }

    /// Adds what somebody said to the line: the joiners of scripts and emoji stay.
    pub fn content(&mut self, style: Style, text: impl AsRef<str>) -> &mut Page {
        self.spans.push((style, line(text.as_ref()).into_owned()));
        self
    }

    /// Adds another page.
    pub fn append(&mut self, other: Page) -> &mut Page {
        self.spans.extend(other.spans);
        self
    }

    /// Adds plain text to the line.
    pub fn plain(&mut self, text: impl AsRef<str>) -> &mut Page {
        self.say(Style::Plain, text)
    }

    /// Ends the line.
    pub fn end(&mut self) -> &mut Page {
        self.spans.push((Style::Plain, "\n".to_owned()));
        self
    }

    /// A whole plain line.
    pub fn line(&mut self, text: impl AsRef<str>) -> &mut Page {
        self.plain(text).end()
    }

    /// The page as it goes to a terminal or a file.
    pub fn render(&self, colour: bool) -> String {
        let mut out = String::new();
        for (style, text) in &self.spans {
            if colour && *style != Style::Plain && !text.is_empty() {
                out.push_str("\u{1b}[");
                out.push_str(style.code());
                out.push('m');
                out.push_str(text);
                out.push_str("\u{1b}[0m");
            } else {
                out.push_str(text);
            }
        }
        out
    }
}

/// How many of these entries are messages.
pub fn messages_of(entries: &[Arc<Entry>]) -> usize {
    entries.iter().filter(|entry| entry.message().is_some()).count()
}

/// `1 finding`, `2 findings`; `1 entry`, `2 entries`.
pub fn count(number: usize, one: &str) -> String {
    if number == 1 {
        return format!("1 {one}");
    }
    let number = thousands(number as u64);
    match one.strip_suffix('y') {
        Some(stem) => format!("{number} {stem}ies"),
        None if one.ends_with("ch") => format!("{number} {one}es"),
        None => format!("{number} {one}s"),
    }
}

/// A number with its thousands apart.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_itself_colours_and_ends_lines() {
        let mut page = Page::new();
        page.say(Style::Red, "err\u{1b}[0mor").plain(": a\nb").end();
        assert_eq!(page.render(false), "err\\u{1b}[0mor: a\\nb\n");
        assert_eq!(page.render(true), "\u{1b}[1;31merr\\u{1b}[0mor\u{1b}[0m: a\\nb\n");
        let mut page = Page::new();
        page.content(Style::Plain, "\u{1b}[0m\nx\u{202e}");
        assert_eq!(page.render(false), "\\u{1b}[0m\\nx\\u{202e}");
    }

    #[test]
    fn thousands_stand_apart() {
        let numbers = [0, 999, 1000, 1_234_567].map(thousands);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(count(1, "finding"), "1 finding");
        assert_eq!([count(0, "finding"), count(2, "entry")], ["0 findings", "2 entries"]);
        assert_eq!(count(2, "branch"), "2 branches");
    }
}
