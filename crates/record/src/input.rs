//! A call's arguments: the exact text the model wrote, classed once.

use json::{Doc, Kind, Raw, Text, Value};

/// What the arguments turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputClass {
    /// No text at all: called without arguments.
    Empty,
    /// A JSON object.
    Object,
    /// Anything else: cut, not JSON, or not an object.
    Malformed,
}

/// The arguments of a call, never re-serialised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    text: Text,
    class: InputClass,
    /// The text is an object in which an escape is a lone surrogate.
    lone_surrogate: bool,
}

impl Input {
    /// Classes a text.
    ///
    /// ```
    /// use record::{Input, InputClass};
    /// assert_eq!(Input::new(r#"{"a": 1}"#.into()).class(), InputClass::Object);
    /// assert_eq!(Input::new("[1]".into()).class(), InputClass::Malformed);
    /// assert_eq!(Input::new("".into()).class(), InputClass::Empty);
    /// ```
    pub fn new(text: Text) -> Input {
        if text.is_empty() {
            return Input { text, class: InputClass::Empty, lone_surrogate: false };
        }
        let object = !text.has_lone_surrogate()
            && Doc::parse_str(&text).is_ok_and(|doc| doc.root().kind() == Kind::Object);
        let class = if object { InputClass::Object } else { InputClass::Malformed };
        let lone_surrogate = object
            && text.contains("\\u")
            && Raw::parse(&text).is_ok_and(|raw| raw.has_lone_surrogate());
        Input { text, class, lone_surrogate }
    }

    /// The arguments of a dialect that writes them as a JSON value: its text, without the white
    /// space its file was laid out with.
    pub fn of_value(value: Value<'_, '_>) -> Input {
        let raw = Raw::compact(value);
        let object = value.kind() == Kind::Object;
        let class = if object { InputClass::Object } else { InputClass::Malformed };
        let lone_surrogate = object && raw.has_lone_surrogate();
        Input { text: raw.as_str().into(), class, lone_surrogate }
    }

    /// The exact text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// What it is.
    pub fn class(&self) -> InputClass {
        self.class
    }

    /// Whether an escape in it is a lone surrogate, which goes out as U+FFFD.
    pub fn has_lone_surrogate(&self) -> bool {
        self.lone_surrogate || self.text.has_lone_surrogate()
    }
}
