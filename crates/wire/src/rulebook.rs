//! The rule books of all dialects in one list: what is explained, indexed and reported from.
//!
//! A dialect joins by one row of [`BOOKS`].

use crate::rule::Rule;
use crate::{anthropic_messages, bedrock_converse, gemini, openai_chat, openai_responses};

/// The rules of one API.
#[derive(Clone, Copy, Debug)]
pub struct RuleBook {
    /// The name of its dialect.
    pub dialect: &'static str,
    /// What people call the API.
    pub title: &'static str,
    /// The rules, by id.
    pub rules: &'static [Rule],
}

/// Every rule book.
pub static BOOKS: &[RuleBook] = &[
    RuleBook {
        dialect: "anthropic_messages",
        title: "Anthropic Messages",
        rules: anthropic_messages::rules::RULES,
    },
    RuleBook {
        dialect: "openai_chat",
        title: "Chat Completions",
        rules: openai_chat::rules::RULES,
    },
    RuleBook {
        dialect: "openai_responses",
        title: "Responses",
        rules: openai_responses::rules::RULES,
    },
    RuleBook { dialect: "gemini", title: "Gemini", rules: gemini::rules::RULES },
    RuleBook {
        dialect: "bedrock_converse",
        title: "Bedrock Converse",
        rules: bedrock_converse::rules::RULES,
    },
];

/// The rules of this id, each with the book it stands in: APIs of one vendor share some.
pub fn all(id: &str) -> impl Iterator<Item = (&'static RuleBook, &'static Rule)> {
    BOOKS.iter().filter_map(move |book| Some((book, crate::rule::find(book.rules, id)?)))
}

/// The first of [`all`].
///
/// ```
/// let (book, rule) = wire::rulebook::find("K-020").ok_or("no rule")?;
/// assert_eq!((book.dialect, rule.id), ("openai_chat", "K-020"));
/// # Ok::<(), &str>(())
/// ```
pub fn find(id: &str) -> Option<(&'static RuleBook, &'static Rule)> {
    all(id).next()
}
