//! A cell of a vendor's row as a file writes it, both ways.

use stenograph::wire::openai_chat::columns::{Cell, Named, prefill_keys};
use stenograph::wire::openai_chat::vendors::{Charset, Grammar, Limit, Takes, Vendor};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::setting::one_of;
use super::wrong::Wrong;

/// The word for nothing: no limit, no key.
pub const NONE: &str = "none";

/// The keys of a grammar and of a limit.
const GRAMMAR: [&str; 4] = ["charset", "max_len", "exact_len", "others"];
const LIMIT: [&str; 2] = ["max", "more"];

/// A cell as a file writes it.
pub fn text(cell: Cell, row: &Vendor) -> String {
    let mut row = *row;
    match cell {
        Cell::Takes(of) => quoted(of(&mut row).name()),
        Cell::Flag(of) => of(&mut row).to_string(),
        Cell::Wording(of) => quoted(of(&mut row).name()),
        Cell::Form(of) => quoted(of(&mut row).name()),
        Cell::ReasoningKey(of) => quoted(of(&mut row).map_or(NONE, Named::name)),
        Cell::AskToThink(of) => quoted(of(&mut row).map_or(NONE, Named::name)),
        Cell::PrefillKey(of) => quoted(of(&mut row).unwrap_or(NONE)),
        Cell::Grammar(of) => grammar_text(of(&mut row)),
        Cell::Limit(of) => match of(&mut row) {
            Some(Limit { max, more }) => format!("{{ max = {max}, more = \"{}\" }}", more.name()),
            None => quoted(NONE),
        },
    }
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

/// All four members, so that what is read back is the same over any row.
fn grammar_text(grammar: &Grammar) -> String {
    let length = |len: Option<usize>| len.map_or(quoted(NONE), |len| len.to_string());
    format!(
        "{{ charset = \"{}\", max_len = {}, exact_len = {}, others = \"{}\" }}",
        grammar.charset.name(),
        length(grammar.max_len),
        length(grammar.exact_len),
        grammar.others.name(),
    )
}

/// Puts what a file says into a cell.
pub fn set(cell: Cell, row: &mut Vendor, value: &Spanned<DeValue<'_>>) -> Result<(), Wrong> {
    match cell {
        Cell::Takes(of) => *of(row) = word(value, &[])?,
        Cell::Wording(of) => *of(row) = word(value, &[])?,
        Cell::Form(of) => *of(row) = word(value, &[])?,
        Cell::Flag(of) => {
            let flag = value.get_ref().as_bool();
            *of(row) = flag.ok_or_else(|| Wrong::value(value, "true or false"))?;
        }
        Cell::ReasoningKey(of) if is_none(value) => *of(row) = None,
        Cell::ReasoningKey(of) => *of(row) = Some(word(value, &[NONE])?),
        Cell::AskToThink(of) if is_none(value) => *of(row) = None,
        Cell::AskToThink(of) => *of(row) = Some(word(value, &[NONE])?),
        Cell::PrefillKey(of) if is_none(value) => *of(row) = None,
        Cell::PrefillKey(of) => *of(row) = Some(prefill_key(value)?),
        Cell::Grammar(of) => grammar(of(row), value)?,
        Cell::Limit(of) if is_none(value) => *of(row) = None,
        Cell::Limit(of) => *of(row) = Some(limit(*of(row), value)?),
    }
    Ok(())
}

fn is_none(value: &Spanned<DeValue<'_>>) -> bool {
    value.get_ref().as_str() == Some(NONE)
}

/// One of the words for a kind of value; `more` are taken too, and were looked for already.
fn word<T: Named>(value: &Spanned<DeValue<'_>>, more: &[&str]) -> Result<T, Wrong> {
    let named = value.get_ref().as_str().and_then(T::named);
    named.ok_or_else(|| {
        let words: Vec<&str> = T::NAMES.iter().map(|(name, _)| *name).collect();
        Wrong::value(value, &one_of(&[&words, more].concat()))
    })
}

fn prefill_key(value: &Spanned<DeValue<'_>>) -> Result<&'static str, Wrong> {
    let keys = prefill_keys();
    let key = keys.iter().find(|key| value.get_ref().as_str() == Some(**key));
    key.copied().ok_or_else(|| Wrong::value(value, &one_of(&[&keys[..], &[NONE]].concat())))
}

/// What a table says about a grammar; what it does not name stays.
fn grammar(grammar: &mut Grammar, value: &Spanned<DeValue<'_>>) -> Result<(), Wrong> {
    for (key, value) in members(value, &GRAMMAR, "a table such as { charset = \"word\" }")? {
        match key {
            "charset" => grammar.charset = word::<Charset>(value, &[])?,
            "max_len" => grammar.max_len = length(value)?,
            "exact_len" => grammar.exact_len = length(value)?,
            _ => grammar.others = word::<Takes>(value, &[])?,
        }
    }
    if grammar.has_room() {
        return Ok(());
    }
    let (least, most) = (Grammar::MADE_LEN_MIN, Grammar::MADE_LEN_MAX);
    let wanted = format!(
        "lengths that leave room for ids and names we make: \"max_len\" from {least} on, \
         \"exact_len\" from {least} to {most} and not above \"max_len\""
    );
    Err(Wrong::value(value, &wanted))
}

fn length(value: &Spanned<DeValue<'_>>) -> Result<Option<usize>, Wrong> {
    if is_none(value) { Ok(None) } else { number(value, " or \"none\"").map(Some) }
}

/// What a table says about a limit; what it does not name stays, and without a limit before, more
/// is refused.
fn limit(before: Option<Limit>, value: &Spanned<DeValue<'_>>) -> Result<Limit, Wrong> {
    let mut max = before.map(|limit| limit.max);
    let mut more = before.map_or(Takes::No, |limit| limit.more);
    let wanted = "a table such as { max = 128, more = \"no\" }, or \"none\"";
    for (key, value) in members(value, &LIMIT, wanted)? {
        match key {
            "max" => max = Some(number(value, "")?),
            _ => more = word::<Takes>(value, &[])?,
        }
    }
    let max = max.ok_or_else(|| Wrong::value(value, wanted))?;
    Ok(Limit { max, more })
}

fn number(value: &Spanned<DeValue<'_>>, or: &str) -> Result<usize, Wrong> {
    let number = count(value).and_then(|count| usize::try_from(count).ok());
    number.ok_or_else(|| Wrong::value(value, &format!("a whole number from 1 on{or}")))
}

/// A whole number from 1 on.
pub fn count(value: &Spanned<DeValue<'_>>) -> Option<u64> {
    let integer = value.get_ref().as_integer()?;
    let count = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
    count.filter(|count| *count > 0)
}

/// The members of a table in the order of the file, all of them known.
fn members<'v, 't>(
    value: &'v Spanned<DeValue<'t>>,
    known: &'static [&'static str],
    wanted: &str,
) -> Result<Vec<(&'static str, &'v Spanned<DeValue<'t>>)>, Wrong> {
    let table = value.get_ref().as_table().ok_or_else(|| Wrong::value(value, wanted))?;
    in_order(table)
        .into_iter()
        .map(|(key, value)| {
            let name = known.iter().find(|name| **name == &**key.get_ref());
            let name = name.ok_or_else(|| Wrong::key(key, known.iter().copied()))?;
            Ok((*name, value))
        })
        .collect()
}

/// The members of a table in the order of the file.
pub fn in_order<'v, 't>(
    table: &'v DeTable<'t>,
) -> Vec<(&'v Spanned<DeString<'t>>, &'v Spanned<DeValue<'t>>)> {
    let mut members: Vec<_> = table.iter().collect();
    members.sort_by_key(|(key, _)| key.span().start);
    members
}
