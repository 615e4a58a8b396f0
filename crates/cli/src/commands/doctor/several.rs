//! `steno doctor` for a file that holds several requests: where each stops extending the last.

use stenograph::json::{Array, Object, Raw};
use stenograph::wire::prompt_cache::{Move, Side};

use super::times;
use crate::page::{Page, Style, count};
use crate::requests::{self, Difference};
use crate::source::Source;

/// Where a unit stands in the file, or where it stood, and the byte of it that differs.
struct Place {
    byte: usize,
    offset: usize,
}

impl Place {
    fn of(moved: &Move) -> Place {
        let side = moved.after.as_ref().or(moved.before.as_ref());
        let (offset, unit) = side.map_or((0, 0), |side| (side.offset, side.unit_offset));
        Place { byte: offset.saturating_sub(unit), offset: unit }
    }
}

/// The answer for a person.
pub fn page(source: &Source, requests: usize, differences: &[Difference]) -> Page {
    let mut page = Page::new();
    page.say(Style::Bold, &source.name).line(format!(": {}", count(requests, "request"))).end();
    for difference in differences {
        let Difference { request, moved } = difference;
        let Place { byte, offset } = Place::of(moved);
        page.say(Style::Red, "cache lost").say(
            Style::Bold,
            format!(": request {request} stops extending request {}", request - 1),
        );
        page.line(format!(": {}", moved.cause.words())).say(Style::Cyan, "  --> ");
        page.line(format!(
            "{}, byte {byte} (the unit begins at byte {offset} of the file)",
            requests::unit_of(moved)
        ));
        let text =
            |side: &Option<Side>| side.as_ref().map_or("nothing", |side| &side.text).to_owned();
        let (before, after) = (text(&moved.before), text(&moved.after));
        page.say(Style::Cyan, "   = ").say(Style::Bold, "was").line(format!(": {before}"));
        page.say(Style::Cyan, "   = ").say(Style::Bold, "is ").line(format!(": {after}")).end();
    }
    let style = if differences.is_empty() { Style::Green } else { Style::Yellow };
    page.say(style, "verdict:");
    let verdict = match differences.len() {
        0 => " each request extends the one before".to_owned(),
        lost => format!(
            " the prefix changed {}; keep what changes out of tools and system, and never rewrite \
             a message that was sent",
            times(lost),
        ),
    };
    page.line(verdict);
    page
}

/// The answer as a document, `steno.doctor.requests/1`.
pub fn document(source: &Source, requests: usize, differences: &[Difference]) -> Raw {
    let mut list = Array::new();
    for difference in differences {
        let Difference { request, moved } = difference;
        let Place { byte, offset } = Place::of(moved);
        let text = |side: &Option<Side>| side.as_ref().map_or("", |side| &side.text).to_owned();
        let mut one = Object::new();
        one.number("request", *request as u64)
            .string("unit", &requests::unit_of(moved))
            .string("cause", moved.cause.as_str())
            .number("byte", byte as u64)
            .number("offset", offset as u64)
            .string("before", &text(&moved.before))
            .string("after", &text(&moved.after));
        list.raw(&one.finish());
    }
    let mut out = Object::new();
    out.string("schema", "steno.doctor.requests/1")
        .string("file", &source.name)
        .number("requests", requests as u64)
        .raw("differences", &list.finish());
    out.finish()
}
