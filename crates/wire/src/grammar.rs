//! Grammars of ids and names: an alphabet and lengths.

use crate::takes::Takes;

/// Which characters a grammar allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Any.
    Any,
    /// Letters, digits, `_` and `-`.
    Word,
    /// As [`Charset::Word`], a letter first.
    LetterFirst,
    /// Letters and digits.
    Alphanumeric,
}

/// What an id or a name may look like; empty is never allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grammar {
    /// The alphabet.
    pub charset: Charset,
    /// Most characters, if there is a limit.
    pub max_len: Option<usize>,
    /// The one length allowed, if there is one.
    pub exact_len: Option<usize>,
    /// What becomes of a text outside of it.
    pub others: Takes,
}

impl Grammar {
    /// The fewest characters that tell apart what is made of hashes.
    pub const MADE_LEN_MIN: usize = 8;

    /// The most characters that what is made of a hash has.
    pub const MADE_LEN_MAX: usize = 64;

    /// How many characters a text has that is made here, of at most `most`; none where the lengths
    /// leave no room between [`Grammar::MADE_LEN_MIN`] and [`Grammar::MADE_LEN_MAX`].
    pub fn made_len(&self, most: usize) -> Option<usize> {
        let len = self.exact_len.unwrap_or(self.max_len.map_or(most, |max| max.min(most)));
        let has_room = (Self::MADE_LEN_MIN..=Self::MADE_LEN_MAX).contains(&len);
        (has_room && self.max_len.is_none_or(|max| len <= max)).then_some(len)
    }

    /// Whether a text can be made that is inside of it.
    pub fn has_room(&self) -> bool {
        self.made_len(Self::MADE_LEN_MAX).is_some()
    }

    /// Whether a text is inside of it.
    pub fn allows(&self, text: &str) -> bool {
        self.charset_allows(text) && self.length_allows(text)
    }

    /// Whether every character is of the alphabet and there is at least one.
    pub fn charset_allows(&self, text: &str) -> bool {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        !text.is_empty()
            && match self.charset {
                Charset::Any => true,
                Charset::Word => text.bytes().all(word),
                Charset::LetterFirst => {
                    text.bytes().all(word) && text.starts_with(|c: char| c.is_ascii_alphabetic())
                }
                Charset::Alphanumeric => text.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            }
    }

    /// Whether the length fits.
    pub fn length_allows(&self, text: &str) -> bool {
        let len = text.chars().count();
        self.max_len.is_none_or(|max| len <= max) && self.exact_len.is_none_or(|exact| len == exact)
    }
}
