//! `steno doctor` for a file that holds several requests: where each stops extending the last.

use stenograph::json::{Array, Object, Raw};

use super::times;
use crate::page::{Page, Style, count};
use crate::requests::Difference;
use crate::source::Source;

/// The answer for a person.
pub fn page(source: &Source, requests: usize, differences: &[Difference]) -> Page {
    let mut page = Page::new();
    page.say(Style::Bold, &source.name).line(format!(": {}", count(requests, "request"))).end();
    for difference in differences {
        let Difference { request, unit, byte, offset, before, after } = difference;
        page.say(Style::Red, "cache lost").say(
            Style::Bold,
            format!(": request {request} stops extending request {}", request - 1),
        );
        page.end().say(Style::Cyan, "  --> ");
        page.line(format!("{unit}, byte {byte} (the unit begins at byte {offset} of the file)"));
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
        let mut one = Object::new();
        one.number("request", difference.request as u64)
            .string("unit", &difference.unit)
            .number("byte", difference.byte as u64)
            .number("offset", difference.offset as u64)
            .string("before", &difference.before)
            .string("after", &difference.after);
        list.raw(&one.finish());
    }
    let mut out = Object::new();
    out.string("schema", "steno.doctor.requests/1")
        .string("file", &source.name)
        .number("requests", requests as u64)
        .raw("differences", &list.finish());
    out.finish()
}
