//! Markup in the making. Only markup of this program's own text and escaped text get in, so nothing
//! of a session can be an element, an attribute, a style or a script.

use crate::inert;

/// A page in the making.
#[derive(Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// Adds markup. It is part of this program: no text from outside lives that long.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Markup {
        self.0.push_str(markup);
        self
    }

    /// Adds text, between tags or in a quoted attribute.
    pub(super) fn text(&mut self, text: &str) -> &mut Markup {
        for c in inert::lines(text).chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                c => self.0.push(c),
            }
        }
        self
    }

    /// Adds a number.
    pub(super) fn number(&mut self, number: usize) -> &mut Markup {
        self.0.push_str(&number.to_string());
        self
    }

    /// The page.
    pub(super) fn finish(self) -> String {
        self.0
    }
}
