//! Ids and names that are made: inside of a grammar, whatever its alphabet and its lengths.

use wire::grammar::{Charset, Grammar};

use crate::wording;

/// What an id begins with where the grammar has room for it.
const ID_LEAD: &str = "call_";

/// Digits of a hash in an id, where nothing limits them.
const ID_DIGITS: usize = 24;

/// An id out of a hash in hexadecimal digits; none where there is no room for one.
pub(in crate::project) fn id(grammar: &Grammar, hash: &str) -> Option<String> {
    let len = grammar.made_len(ID_LEAD.len() + ID_DIGITS)?;
    let has_room = grammar.exact_len.is_none() && len >= ID_LEAD.len() + Grammar::MADE_LEN_MIN;
    let lead = match grammar.charset {
        Charset::Any | Charset::Word | Charset::LetterFirst if has_room => ID_LEAD,
        Charset::LetterFirst => "c",
        Charset::Any | Charset::Word | Charset::Alphanumeric => "",
    };
    Some(lead.chars().chain(hash.chars()).take(len).collect())
}

/// Characters of a name that are kept beside a hash, where nothing limits them.
const NAME_CHARS_KEPT: usize = 48;

/// Digits of a hash beside what is kept of a name.
const NAME_DIGITS: usize = 8;

/// A name of the grammar's form: what can be kept of another, and a hash of the whole. Where there
/// is no room for both, the hash alone; where there is none for that, nothing.
pub(in crate::project) fn name(grammar: &Grammar, name: &str) -> String {
    if name.is_empty() && grammar.allows(wording::UNNAMED) {
        return wording::UNNAMED.to_owned();
    }
    let hash = blake3::hash(name.as_bytes()).to_hex();
    let between = if grammar.charset == Charset::Alphanumeric { "" } else { "_" };
    let letter = 1;
    let most = letter + NAME_CHARS_KEPT + between.len() + NAME_DIGITS;
    let len = grammar.made_len(most).unwrap_or_default();
    let room = len.saturating_sub(between.len() + NAME_DIGITS);
    if room <= letter {
        return id(grammar, &hash).unwrap_or_default();
    }
    let kept = name.chars().take(NAME_CHARS_KEPT).filter_map(|sign| match sign {
        _ if sign.is_ascii_alphanumeric() => Some(sign),
        '_' | '-' if !between.is_empty() => Some(sign),
        _ => between.chars().next(),
    });
    let kept: String = kept.collect();
    let starts = kept.starts_with(|sign: char| sign.is_ascii_alphabetic());
    let letter = if grammar.charset == Charset::LetterFirst && !starts { "t" } else { "" };
    let kept: String = letter.chars().chain(kept.chars()).take(room).collect();
    // An exact length that what is kept does not fill is filled by the hash.
    let digits = grammar.exact_len.map_or(NAME_DIGITS, |exact| exact - kept.len() - between.len());
    format!("{kept}{between}{}", hash.get(..digits).unwrap_or(&hash))
}

#[cfg(test)]
mod tests {
    use wire::takes::Takes;

    use super::*;

    const CHARSETS: [Charset; 4] =
        [Charset::Any, Charset::Word, Charset::LetterFirst, Charset::Alphanumeric];

    fn grammars() -> Vec<Grammar> {
        let lengths = || std::iter::once(None).chain((1..=70).map(Some));
        let mut all = Vec::new();
        for charset in CHARSETS {
            for (max_len, exact_len) in lengths()
                .map(|max| (max, None))
                .chain(lengths().map(|exact| (None, exact)))
                .chain(lengths().map(|exact| (Some(12), exact)))
            {
                all.push(Grammar { charset, max_len, exact_len, others: Takes::No });
            }
        }
        all
    }

    #[test]
    fn an_id_is_of_its_grammar_wherever_there_is_room_for_one() {
        for grammar in grammars() {
            let ids = ["a", "b"].map(|of| id(&grammar, &blake3::hash(of.as_bytes()).to_hex()));
            assert_eq!(ids[0].is_some(), grammar.has_room(), "{grammar:?}");
            assert!(ids.iter().flatten().all(|id| grammar.allows(id)), "{grammar:?} {ids:?}");
            assert!(!grammar.has_room() || ids[0] != ids[1], "{grammar:?}");
        }
    }

    #[test]
    fn a_name_is_of_its_grammar_and_another_for_another_name() {
        let names = ["mcp__files__read_a_file", "mcp__files__read_b_file", "", "7", "\u{e9}\u{e9}"];
        for grammar in grammars().iter().filter(|grammar| grammar.has_room()) {
            let made = names.map(|of| name(grammar, of));
            assert!(made.iter().all(|name| grammar.allows(name)), "{grammar:?} {made:?}");
            let apart: std::collections::BTreeSet<&String> = made.iter().collect();
            assert_eq!(apart.len(), names.len(), "{grammar:?} {made:?}");
        }
    }

    #[test]
    fn there_is_room_from_eight_characters_on_and_up_to_sixty_four() {
        let room = |max_len, exact_len| {
            let charset = Charset::Word;
            Grammar { charset, max_len, exact_len, others: Takes::No }.has_room()
        };
        assert!(room(None, None) && room(Some(8), None) && room(Some(1000), None));
        assert!(room(None, Some(8)) && room(Some(64), Some(64)));
        assert!(!room(Some(7), None) && !room(None, Some(7)) && !room(None, Some(65)));
        assert!(!room(Some(9), Some(10)));
    }
}
