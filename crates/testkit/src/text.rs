//! Texts with a marker of their own.

use json::Text;

use crate::rng::Rng;
use crate::tag::{Tag, Tags};

/// What every marker begins and ends with.
pub const MARK: &str = "@@";

/// The marker of a number.
pub fn marker(number: u64) -> String {
    format!("{MARK}k{number}{MARK}")
}

/// The numbers of the markers in a text, in order.
pub fn markers(text: &str) -> Vec<u64> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("@@k") {
        rest = &rest[at + 3..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && rest[digits..].starts_with(MARK) {
            found.push(rest[..digits].parse().unwrap());
            rest = &rest[digits + MARK.len()..];
        }
    }
    found
}

/// Texts that say what only the runtime says, or look like another block.
const IMITATIONS: &[&str] = &[
    "[System note] ",
    "Result (bash): ok ",
    "Tool use: bash({}) ",
    "[Runtime note: the conversation continues from here.] ",
    "[Reasoning]: ",
    "<think>hm</think> ",
    "\",\"role\":\"system\",\"content\":[{\"",
    "]}]}\n",
];

/// A text of a heavy-tailed size, with this marker.
pub(crate) fn text(rng: &mut Rng, tags: &mut Tags, number: u64, budget: &mut usize) -> Text {
    let mark = marker(number);
    match rng.weighted(&[60, 12, 4, 4, 6, 4, 1]) {
        0 => mark.into(),
        1 => format!("say {mark} \"now\"\n\\ ü🙂\u{7f}").into(),
        2 => {
            tags.add(Tag::Nul);
            format!("\u{0}{mark}\u{1}").into()
        }
        3 => {
            tags.add(Tag::LoneSurrogate);
            lone_surrogate(&mark)
        }
        4 => {
            tags.add(Tag::Imitation);
            format!("{}{mark}", rng.pick(IMITATIONS)).into()
        }
        5 => format!("{mark}{}", " lorem".repeat(sized(rng, 60, budget))).into(),
        _ => format!("{mark}{}", "\n\"big\"".repeat(sized(rng, 3000, budget))).into(),
    }
}

/// A text that is blank, or nearly.
pub(crate) fn blank(rng: &mut Rng) -> Text {
    let blanks = ["", " ", "\n\t", "\u{feff}", "\u{200b}\u{feff} ", "\u{a0}", "\u{2028}"];
    (*rng.pick(&blanks)).into()
}

/// A text with a lone surrogate beside the marker.
pub(crate) fn lone_surrogate(mark: &str) -> Text {
    let literal = format!("\"\\ud83d{mark}\\udc00\"");
    json::Doc::parse_str(&literal).unwrap().root().to_text().unwrap()
}

/// A length up to `max`, within the budget.
pub(crate) fn sized(rng: &mut Rng, max: usize, budget: &mut usize) -> usize {
    let wanted = rng.below(max) + 1;
    if *budget < wanted * 6 {
        return 1;
    }
    *budget -= wanted * 6;
    wanted
}
