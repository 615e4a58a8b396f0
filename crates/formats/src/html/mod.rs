//! A conversation as one HTML page that needs nothing beside it.
//!
//! In: a [`Conversation`]. Out: a page without scripts, links to outside or anything that is
//! fetched; its policy forbids them too, should a browser ever read markup where there is text.
//! What was said is shown as it was written; only code between fences is set apart.
//!
//! `markup` keeps text from being markup, `card` writes single blocks.

mod card;
mod markup;

use record::Message;
use replay::Shown;

use crate::limits::PROMPTS_LISTED_MAX;
use crate::surface::{self, Conversation};
use markup::Markup;

/// The look of the page. Its hash stands in the policy: no other style applies.
const STYLE: &str = include_str!("style.css");
const HEAD: &str = concat!(
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; ",
    "style-src 'sha256-gsxNVefyVFW4YQK5vNreupI9CedIAZd329hUW6MHPRU='; base-uri 'none'; form-action 'none'\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<meta name=\"referrer\" content=\"no-referrer\">\n",
    "<meta name=\"color-scheme\" content=\"light dark\">\n",
    "<meta name=\"generator\" content=\"Stenograph\">\n<title>",
);

/// Writes a page.
pub fn write(conversation: &Conversation) -> String {
    let shown = conversation.shown();
    let mut page = Markup::default();
    page.raw(HEAD).text(&conversation.title).raw("</title>\n<style>").raw(STYLE);
    page.raw("</style>\n</head>\n<body>\n<header>\n<h1 dir=\"auto\">").text(&conversation.title);
    page.raw("</h1>\n<ul class=\"facts\">");
    for fact in &conversation.facts {
        page.raw("<li>").text(fact).raw("</li>");
    }
    page.raw("</ul>\n");
    contents(&mut page, &shown);
    page.raw("</header>\n<main>\n");
    let mut at = 0;
    while let Some(first) = shown.get(at) {
        let end = shown.iter().skip(at).take_while(|next| next.entry.id == first.entry.id).count();
        let of_entry = shown.get(at..at + end).unwrap_or_default();
        if !of_entry.iter().all(Shown::is_bound) {
            article(&mut page, &shown, at, of_entry);
        }
        at += end;
    }
    page.raw("</main>\n</body>\n</html>\n");
    page.finish()
}

/// The prompts, each leading to its place.
fn contents(page: &mut Markup, shown: &[Shown<'_>]) {
    let prompts = shown.iter().enumerate();
    let mut prompts: Vec<(usize, &str)> =
        prompts.filter_map(|(at, shown)| Some((at, surface::prompt(shown)?))).collect();
    if prompts.len() < 2 {
        return;
    }
    page.raw("<nav aria-label=\"Prompts\"><details><summary>Prompts <span class=\"state\">");
    page.number(prompts.len()).raw("</span></summary>\n<ol>\n");
    let more = prompts.len().saturating_sub(PROMPTS_LISTED_MAX);
    prompts.truncate(PROMPTS_LISTED_MAX);
    for (at, prompt) in prompts {
        page.raw("<li dir=\"auto\"><a href=\"#p").number(at).raw("\">");
        page.text(&surface::summary_of(prompt)).raw("</a></li>\n");
    }
    page.raw("</ol>\n");
    if more > 0 {
        page.raw("<p>and ").number(more).raw(" more</p>\n");
    }
    page.raw("</details></nav>\n");
}

/// What one entry says. `at` is the place of its first block among what is shown.
fn article(page: &mut Markup, all: &[Shown<'_>], at: usize, of_entry: &[Shown<'_>]) {
    let Some(first) = of_entry.first() else { return };
    let speaker = surface::speaker(first);
    page.raw(match speaker {
        "Assistant" => "<article class=\"assistant\">",
        "User" => "<article class=\"user\">",
        "Compaction" => "<article class=\"compaction\">",
        _ => "<article class=\"other\">",
    });
    page.raw("\n<h2>").raw(speaker).raw("</h2>");
    let message = first.entry.message();
    if let Some(model) = message.and_then(surface::model) {
        page.raw(" <span class=\"about\">").text(model).raw("</span>");
    }
    if let Some(time) = &first.entry.time {
        page.raw(" <span class=\"about\">").text(time).raw("</span>");
    }
    page.raw("\n");
    for (shown, place) in of_entry.iter().zip(at..) {
        if !shown.is_bound() {
            page.raw("<div class=\"block\" id=\"p").number(place).raw("\">");
            card::write(page, shown, all);
            page.raw("</div>\n");
        }
    }
    if let Some(ending) = message.and_then(|message: &Message| surface::ending(message)) {
        page.raw("<p class=\"note\">").text(&ending).raw("</p>\n");
    }
    page.raw("</article>\n");
}
