//! The chunks of a streamed reply, one a line, and how replies end. A body is one chunk that is the
//! last.

use json::{Kind, Text, Value};

use crate::ending::Ending;
pub use crate::member::filled;

/// One chunk.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'d, 't> {
    /// The whole of it.
    pub root: Value<'d, 't>,
    /// What it adds.
    pub message: Option<Value<'d, 't>>,
    /// It is the last one.
    pub is_done: bool,
}

impl<'d, 't> Chunk<'d, 't> {
    /// Reads a chunk.
    pub fn new(root: Value<'d, 't>) -> Chunk<'d, 't> {
        let message = filled(root, "message").filter(|message| message.kind() == Kind::Object);
        let is_done = root.get("done").and_then(Value::as_bool) == Some(true);
        Chunk { root, message, is_done }
    }

    /// An error that came in place of a reply or in the middle of it.
    pub fn error(&self) -> Option<Value<'d, 't>> {
        filled(self.root, "error")
    }

    /// Why the reply ended, as far as the last chunk says.
    pub fn done_reason(&self) -> Option<Text> {
        self.root.get("done_reason").and_then(Value::to_text).filter(|word| !word.is_empty())
    }
}

/// How replies end. A word that is not here is a stop.
pub const ENDINGS: [(&str, Ending); 4] = [
    ("stop", Ending::Stop),
    ("length", Ending::MaxTokens),
    // The model was loaded, or unloaded, and nothing was said.
    ("load", Ending::Stop),
    ("unload", Ending::Stop),
];

/// What a reason comes to; `None` where it is not known.
pub fn ending(done_reason: &str) -> Option<Ending> {
    ENDINGS.iter().find(|(word, _)| *word == done_reason).map(|(_, ending)| *ending)
}
