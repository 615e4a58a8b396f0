//! What `steno diff` answers, for a person and as a document.

use stenograph::json::{Array, Object, Raw};
use stenograph::wire::prompt_cache::{Basis, CHARACTERS_PER_TOKEN, Cost, Move, Side as Found};

use super::{Diff, Reason, Side};
use crate::inert::bounded;
use crate::page::{Page, Style, count, thousands};
use crate::places::Places;
use crate::requests::unit_of;
use crate::words;

/// Characters of a detail, such as the names of tools, that are shown.
const DETAIL_CHARS: usize = 120;

/// Entries of a reason that are named.
const ENTRIES_SHOWN: usize = 3;

/// Millionths of a dollar.
const DOLLAR: u64 = 1_000_000;

/// Millionths of a dollar below which four digits are shown.
const CENT: u64 = 10_000;

/// The answer for a person.
pub fn page(diff: &Diff) -> Page {
    let mut page = Page::new();
    page.say(Style::Bold, &diff.before.name).plain(" -> ").say(Style::Bold, &diff.after.name);
    let model = if diff.model.is_empty() { "no model named" } else { &diff.model };
    page.line(format!(": {}, {model}", diff.to));
    if let [first, others @ ..] = diff.compared.moves.as_slice() {
        page.end();
        say_first(&mut page, diff, first);
        for other in others {
            let words = said(other);
            page.say(Style::Bold, "also moved:").line(format!(" {}: {words}", unit_of(other)));
        }
        page.end();
    }
    if !diff.compared.parameters.is_empty() {
        let names = diff.compared.parameters.join(", ");
        page.say(Style::Bold, "besides:");
        page.line(format!(
            " {} differs; no cache is known to hang on it",
            bounded(&names, DETAIL_CHARS)
        ));
    }
    say_cache(&mut page, diff);
    say_thoughts(&mut page, diff);
    if diff.compared.extends() {
        page.say(Style::Green, "verdict:");
        let more = count(diff.compared.appended as usize, "block");
        page.line(format!(" the second request extends the first by {more}"));
    } else {
        page.say(Style::Yellow, "verdict:").line(" the second request does not extend the first");
    }
    page
}

fn say_first(page: &mut Page, diff: &Diff, moved: &Move) {
    page.say(Style::Red, "moved").say(Style::Bold, format!(": {}", unit_of(moved)));
    page.line(format!(": {}", said(moved)));
    let own = place(&diff.before, moved.before.as_ref());
    let other = place(&diff.after, moved.after.as_ref());
    page.say(Style::Cyan, "  --> ").line(format!("{own} -> {other}"));
    let mut row = |name: &str, text: &str| {
        page.say(Style::Cyan, "   = ").say(Style::Bold, name).line(format!(": {text}"));
    };
    row("path", &moved.path);
    row("was", moved.before.as_ref().map_or("nothing", |side| &side.text));
    row("is ", moved.after.as_ref().map_or("nothing", |side| &side.text));
    if let Some(reason) = &diff.reason {
        row("reason", &reason_in_words(reason));
    }
}

fn said(moved: &Move) -> String {
    match &moved.detail {
        Some(detail) => format!("{} ({})", moved.cause.words(), bounded(detail, DETAIL_CHARS)),
        None => moved.cause.words().to_owned(),
    }
}

fn reason_in_words(reason: &Reason) -> String {
    let named = reason.entries.iter().take(ENTRIES_SHOWN).map(|id| words::short(id));
    let named: Vec<_> = named.map(|id| format!("entry {id}")).collect();
    let more = reason.entries.len().saturating_sub(named.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    match named.is_empty() {
        true => reason.moved.reason.as_str().to_owned(),
        false => format!("{} ({}{more})", reason.moved.reason.as_str(), named.join(", ")),
    }
}

/// A place in a file or in a body that was made.
fn place(side: &Side, found: Option<&Found>) -> String {
    let Some(found) = found else { return "nothing".to_owned() };
    let at = Places::of(&side.bytes, [found.offset]).at(found.offset);
    format!("line {}, column {} (byte {})", at.line, at.column, thousands(found.offset as u64))
}

fn say_cache(page: &mut Page, diff: &Diff) {
    let cost = &diff.compared.cost;
    page.say(Style::Bold, "cache:");
    let estimated = match cost.basis {
        Basis::Estimate => format!(" (an estimate: {CHARACTERS_PER_TOKEN} characters a token)"),
        Basis::Usage => " (of what the provider counted, in proportion)".to_owned(),
    };
    let before = thousands(cost.tokens_before);
    page.plain(match (thousands(cost.tokens_cached), thousands(cost.tokens_lost)) {
        _ if cost.is_unmarked => {
            format!(" none of {before} tokens are kept: the first request marks no breakpoint")
        }
        _ if cost.tokens_cached == 0 => {
            let least = thousands(cost.tokens_min);
            format!(" none of {before} tokens are kept, {least} is the least")
        }
        (cached, _) if cost.tokens_lost == 0 => {
            format!(" all {cached} tokens that are kept are found again")
        }
        (cached, lost) => format!(" {lost} of {cached} tokens that are kept are lost"),
    });
    page.line(estimated);
    if cost.is_out_of_reach {
        let hint = " no cache breakpoint reaches back to the last one: set another between";
        page.say(Style::Cyan, "hint:").line(hint);
    }
    if cost.tokens_lost > 0 {
        page.say(Style::Bold, "cost:").line(money(cost));
    }
}

fn money(cost: &Cost) -> String {
    let again = thousands(cost.tokens_again);
    match &cost.money {
        Some(money) => format!(
            " {} more than reading them, for {again} tokens sent again at {} a million, not {}",
            dollars(money.micro_dollars),
            dollars(money.again),
            dollars(money.read),
        ),
        None => format!(" {again} tokens are sent again; the price of this model is in no row"),
    }
}

/// `$3.75`, `$0.0138`.
fn dollars(micro: u64) -> String {
    let (whole, rest) = (micro / DOLLAR, micro % DOLLAR);
    if rest.is_multiple_of(CENT) {
        return format!("${}.{:02}", thousands(whole), rest / CENT);
    }
    let digits = format!("{rest:06}");
    let shown = if whole > 0 { digits.get(..4) } else { Some(digits.trim_end_matches('0')) };
    format!("${}.{}", thousands(whole), shown.unwrap_or_default())
}

fn say_thoughts(page: &mut Page, diff: &Diff) {
    let thoughts = &diff.compared.thoughts;
    if thoughts.gone > 0 {
        let gone = count(thoughts.gone as usize, "thought");
        page.say(Style::Bold, "thoughts:").line(format!(" {gone} not sent any more"));
    }
    if thoughts.unbound > 0 {
        let unbound = count(thoughts.unbound as usize, "thought");
        page.say(Style::Bold, "thoughts:").line(format!(
            " {unbound} behind it lost: this model takes them under their own prefix alone"
        ));
    }
}

/// The answer as a document, `steno.diff/1`.
pub fn document(diff: &Diff) -> Raw {
    let mut moves = Array::new();
    for moved in &diff.compared.moves {
        moves.raw(&moved_of(diff, moved));
    }
    let mut thoughts = Object::new();
    thoughts
        .number("gone", diff.compared.thoughts.gone)
        .number("unbound", diff.compared.thoughts.unbound);
    let names = diff.compared.parameters.iter().map(String::as_str);
    let reason = diff.reason.as_ref().map(reason_of);
    let mut out = Object::new();
    out.string("schema", "steno.diff/1")
        .raw("before", &side_of(&diff.before))
        .raw("after", &side_of(&diff.after))
        .string("to", &diff.to.to_string())
        .string("model", &diff.model)
        .bool("extends", diff.compared.extends())
        .number("appended", diff.compared.appended)
        .raw("moves", &moves.finish())
        .optional_raw("reason", reason.as_ref())
        .raw("parameters", &Array::of_strings(names))
        .raw("cache", &cache_of(&diff.compared.cost))
        .raw("thoughts", &thoughts.finish());
    out.finish()
}

fn side_of(side: &Side) -> Raw {
    let mut out = Object::new();
    out.string("name", &side.name).number("bytes", (side.end - side.start) as u64);
    out.finish()
}

fn moved_of(diff: &Diff, moved: &Move) -> Raw {
    let mut out = Object::new();
    out.string("level", moved.level.as_str())
        .string("unit", &moved.unit)
        .optional_string("instead_of", moved.instead_of.as_deref())
        .string("path", &moved.path)
        .string("cause", moved.cause.as_str())
        .optional_string("detail", moved.detail.as_deref());
    for (name, side, found) in
        [("before", &diff.before, &moved.before), ("after", &diff.after, &moved.after)]
    {
        let found = found.as_ref().map(|found| found_of(side, found));
        out.optional_raw(name, found.as_ref());
    }
    out.finish()
}

fn found_of(side: &Side, found: &Found) -> Raw {
    let at = Places::of(&side.bytes, [found.offset]).at(found.offset);
    let mut out = Object::new();
    out.number("offset", found.offset as u64)
        .number("line", at.line as u64)
        .number("column", at.column as u64)
        .number("unit_offset", found.unit_offset as u64)
        .string("text", &found.text);
    out.finish()
}

fn reason_of(reason: &Reason) -> Raw {
    let mut out = Object::new();
    out.string("name", reason.moved.reason.as_str())
        .string("unit", &reason.moved.unit.to_string())
        .raw("entries", &Array::of_strings(reason.entries.iter().map(|id| id.as_str())))
        .number("cache_bytes", reason.moved.cost.cache_bytes)
        .number("thoughts", reason.moved.cost.thoughts);
    out.finish()
}

fn cache_of(cost: &Cost) -> Raw {
    let mut out = Object::new();
    out.string("basis", cost.basis.as_str())
        .number("tokens_before", cost.tokens_before)
        .number("tokens_kept", cost.tokens_kept)
        .number("tokens_cached", cost.tokens_cached)
        .number("tokens_lost", cost.tokens_lost)
        .number("tokens_again", cost.tokens_again)
        .number("tokens_min", cost.tokens_min)
        .bool("is_unmarked", cost.is_unmarked)
        .bool("is_out_of_reach", cost.is_out_of_reach);
    if let Some(money) = &cost.money {
        out.string("currency", "USD")
            .number("micro_cost", money.micro_dollars)
            .number("micro_again", money.again)
            .number("micro_read", money.read);
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::dollars;

    #[test]
    fn dollars_have_the_digits_that_say_something() {
        let shown = [0, 300_000, 3_750_000, 13_814, 17, 2_800, 1_234_567_890].map(dollars);
        assert_eq!(
            shown,
            ["$0.00", "$0.30", "$3.75", "$0.013814", "$0.000017", "$0.0028", "$1,234.5678"]
        );
    }
}
