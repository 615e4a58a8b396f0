//! What was told to a model: the `sent` entry, its fills and its digests.

use std::fmt;

use json::{Raw, Text};

use crate::entry::{BlockRef, EntryId, Rest};

/// Where a request goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// `anthropic_messages`, ...
    pub dialect: Text,
    /// Who serves the model: `anthropic`, `bedrock`, ...
    pub platform: Text,
    /// The model's full name.
    pub model: Text,
    /// A non-secret label of the account, where known.
    pub account: Option<Text>,
}

/// Which stand-in was sent for an unanswered call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GapWording {
    /// It was still running.
    Running,
    /// It was never started.
    NotStarted,
    /// It may or may not have run.
    Unknown,
    /// A wording of another build, kept word for word.
    Text(Text),
}

/// A rung of the recovery ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rung {
    /// The provider is asked to drop blocks whose prefix differs.
    DropBlock,
    /// No thought from before is sent.
    Strip,
}

/// What had to be said to make a request valid, repeated from then on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fill {
    /// A stand-in for an unanswered call.
    Gap {
        /// The call.
        call: BlockRef,
        /// The words.
        wording: GapWording,
    },
    /// No thought of these rows is sent, ever again.
    ThinkingOut {
        /// The first row.
        from: EntryId,
        /// The last row.
        to: EntryId,
        /// Why.
        reason: Text,
    },
    /// An image is left out.
    ImageOut {
        /// The block that holds it.
        at: BlockRef,
        /// Which image of the block, for one with several.
        image: u32,
        /// Why, in the words of the marker.
        reason: Text,
    },
    /// A call's id on the wire.
    CallId {
        /// The call.
        call: BlockRef,
        /// The id it was sent under.
        wire_id: Text,
    },
    /// A continuation prompt stands after this row.
    Continue {
        /// The row.
        after: EntryId,
    },
    /// The form a system change was first sent in.
    ChangeForm {
        /// The change row.
        row: EntryId,
        /// Which part of it.
        part: Text,
        /// The form.
        form: Text,
    },
    /// A part of changes the target refused.
    ChangeOff {
        /// Which part.
        part: Text,
        /// The provider's words.
        refusal: Text,
    },
    /// The rung a refusal led to: the next request starts there.
    Recovery {
        /// Which rung.
        rung: Rung,
    },
    /// A fill of another build, kept as written.
    Other(Raw),
}

/// A BLAKE3 hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of 64 hexadecimal digits.
    pub fn from_hex(hex: &str) -> Option<Digest> {
        let mut bytes = [0u8; 32];
        if hex.len() != 64 || !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(hex.get(index * 2..index * 2 + 2)?, 16).ok()?;
        }
        Some(Digest(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' - 10 + value };
        let mut hex = [0; 64];
        let (pairs, _) = hex.as_chunks_mut::<2>();
        for (pair, byte) in pairs.iter_mut().zip(self.0) {
            *pair = [digit(byte >> 4), digit(byte & 0xf)];
        }
        f.write_str(std::str::from_utf8(&hex).unwrap_or_default())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The digest of everything up to the end of a message's last block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// How many messages are covered.
    pub messages: u64,
    /// How many content blocks of the last one.
    pub blocks: u64,
    /// Rolling over the conversation's units, cache marks taken out.
    pub digest: Digest,
}

/// Digests of a request, by which the first unit that moved is found after a restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// Tools and system text.
    pub head: Digest,
    /// The current authority block, where there was one.
    pub authority: Option<Digest>,
    /// Parameters that are part of the prompt: thinking, tool choice, effort and the like, not the
    /// limits of the reply, sampling or metadata. `None` in a record of a build that did not write
    /// it.
    pub parameters: Option<Digest>,
    /// At the end, and before it at multiples of 1, 2, 4, ... messages: the last of each.
    pub checkpoints: Vec<Checkpoint>,
}

/// A request is about to leave, written before its first byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Who asks.
    pub agent: Text,
    /// Where it goes.
    pub target: Target,
    /// The tip it covers; `None` where the record was empty.
    pub covers: Option<EntryId>,
    /// What had to be said.
    pub fills: Vec<Fill>,
    /// The caller lets this model see no image.
    pub no_vision: bool,
    /// What was sent, as digests; `None` on an imported request, which proves its own rows.
    pub digests: Option<Digests>,
    /// The projection version: wording, id form and layout.
    pub build: u32,
    /// Members this build has no field for.
    pub rest: Rest,
}
