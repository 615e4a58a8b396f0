//! A text that comes in pieces.

use json::{Doc, Text};

/// The pieces so far. Halves of a surrogate pair that stand in two pieces become one character.
#[derive(Clone, Debug, Default)]
pub(crate) struct Growing {
    value: String,
    /// The inside of the literal, from the first piece on that no string can hold.
    literal: Option<String>,
}

impl Growing {
    /// Adds a piece.
    pub(crate) fn push(&mut self, piece: &Text) {
        if piece.has_lone_surrogate() && self.literal.is_none() {
            self.literal = Some(inside(&Text::from(self.value.as_str())));
        }
        if let Some(literal) = &mut self.literal {
            literal.push_str(&inside(piece));
        }
        self.value.push_str(piece);
    }

    /// The value so far.
    pub(crate) fn as_str(&self) -> &str {
        &self.value
    }

    /// The whole.
    pub(crate) fn into_text(self) -> Text {
        let Some(inside) = self.literal else { return self.value.into() };
        let literal = format!("\"{inside}\"");
        let doc = Doc::parse_str(&literal).unwrap_or_default();
        doc.root().to_text().unwrap_or_else(|| self.value.into())
    }
}

/// The inside of a text's literal.
pub(crate) fn inside(text: &Text) -> String {
    let literal = text.to_literal();
    literal.get(1..literal.len() - 1).unwrap_or_default().to_owned()
}
