//! A request body: shared pages, small pieces before them, and marks spliced in on the way out.
//!
//! Every dialect ends a body with its conversation, whose last message may be gone on with. So the
//! pages end after that message's last block, and what closes the body stands apart.

use std::io;
use std::sync::Arc;

use crate::pages::Bytes;

/// The member a cache breakpoint adds to a block, where nothing else is said.
pub const CACHE_MARK: &str = r#","cache_control":{"type":"ephemeral"}"#;

/// What is open where the pages of a conversation end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The last message's array of blocks.
    #[default]
    Blocks,
    /// The last message's text.
    Text,
    /// The last message, with all that is in it written.
    Message,
}

impl Ending {
    /// Closes the last message.
    pub fn of_message(self) -> &'static str {
        match self {
            Ending::Blocks => "]}",
            Ending::Text => "\"}",
            Ending::Message => "}",
        }
    }

    /// Closes the last message, the conversation and the body.
    pub fn of_body(self) -> &'static str {
        match self {
            Ending::Blocks => "]}]}",
            Ending::Text => "\"}]}",
            Ending::Message => "}]}",
        }
    }
}

/// The bytes of a request.
#[derive(Clone, Debug)]
pub struct Body {
    /// Parameters and head with their marks, up to the conversation's first byte.
    lead: Vec<Arc<[u8]>>,
    conversation: Bytes,
    ending: Ending,
    /// Offsets in the conversation at which the mark goes, ascending.
    marks: Vec<u64>,
    mark: &'static str,
}

impl Body {
    /// A body of these parts; `conversation` ends after its last block, its message still open.
    pub fn new(lead: Vec<Arc<[u8]>>, conversation: Bytes, ending: Ending, marks: Vec<u64>) -> Body {
        Body { lead, conversation, ending, marks, mark: CACHE_MARK }
    }

    /// The same, where a cache breakpoint is marked otherwise than by [`CACHE_MARK`].
    pub fn marked_by(self, mark: &'static str) -> Body {
        Body { mark, ..self }
    }

    /// The body's bytes, as slices in order: nothing is copied.
    pub fn slices(&self) -> Vec<&[u8]> {
        let mut out: Vec<&[u8]> = self.lead.iter().map(|piece| &**piece).collect();
        let mut marks = self.marks.iter().peekable();
        let mut start = 0u64;
        for run in self.conversation.runs_from(0) {
            let mut rest = run;
            while let Some(mark) = marks.next_if(|mark| **mark <= start + rest.len() as u64) {
                let (before, after) = rest.split_at((*mark - start) as usize);
                out.extend([before, self.mark.as_bytes()]);
                start = *mark;
                rest = after;
            }
            start += rest.len() as u64;
            out.push(rest);
        }
        out.push(self.ending.of_body().as_bytes());
        out
    }

    /// Bytes of the whole body.
    pub fn len(&self) -> u64 {
        let lead: u64 = self.lead.iter().map(|piece| piece.len() as u64).sum();
        let marks = (self.marks.len() * self.mark.len()) as u64;
        lead + self.conversation.len() + marks + self.ending.of_body().len() as u64
    }

    /// A body is never empty.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The body in one piece.
    pub fn to_vec(&self) -> Vec<u8> {
        self.slices().concat()
    }

    /// Writes the body, slice by slice.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.slices().into_iter().try_for_each(|slice| out.write_all(slice))
    }

    /// Parameters and head with their marks.
    pub fn lead(&self) -> &[Arc<[u8]>] {
        &self.lead
    }

    /// The conversation without marks, up to the end of its last block.
    pub fn conversation(&self) -> &Bytes {
        &self.conversation
    }

    /// What is open at the end of the conversation.
    pub fn ending(&self) -> Ending {
        self.ending
    }
}
