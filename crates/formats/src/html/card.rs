//! Single blocks of a page: speech, thoughts, calls with their results, pictures.

#![deny(clippy::wildcard_enum_match_arm)]

use record::{Image, Reasoning, ResultPart, ToolResult, ToolUse};
use replay::{Shown, What};

use super::markup::Markup;
use crate::surface::{self, Answer};

/// Writes a block; a call finds its result among all that is shown.
pub(super) fn write(page: &mut Markup, shown: &Shown<'_>, all: &[Shown<'_>]) {
    match shown.what {
        What::Text { text, .. } => speech(page, text),
        What::Thought(thought) => thinking(page, thought),
        What::Call { call, outcome } => {
            tool(page, call, Answer::of(outcome, all));
        }
        What::Result { result, .. } => orphan(page, result),
        What::Image { image, .. } => picture(page, image),
        What::SystemChange(change) => {
            page.raw("<p class=\"note\">Tools and system text changed: ");
            page.number(change.define_tools.len()).raw(" tools defined, ");
            page.number(change.remove_tools.len()).raw(" removed, ");
            page.number(change.add_system.len()).raw(" system texts added</p>");
            for text in &change.add_system {
                speech(page, text);
            }
        }
        What::Opaque(opaque) => {
            page.raw("<p class=\"note\">A block that is not shown here, of kind <code>");
            page.text(&opaque.kind).raw("</code></p>");
        }
        What::Compaction(compaction) => {
            page.raw("<p class=\"note\">From here on the model was given a handoff in place ");
            page.raw("of what stands above.</p>");
            if let Some(handoff) = &compaction.handoff {
                page.raw("<details><summary>Handoff</summary>\n");
                speech(page, handoff);
                page.raw("</details>");
            }
        }
        What::Removed { .. } => removed(page),
    }
}

fn tool(page: &mut Markup, call: &ToolUse, answer: Answer<'_>) {
    page.raw(match answer {
        Answer::Missing | Answer::NotStarted => "<details class=\"tool unresolved\" open>",
        Answer::Result(result) if result.is_error => "<details class=\"tool failed\" open>",
        Answer::Result(_) | Answer::Removed => "<details class=\"tool\">",
    });
    let arguments = surface::arguments(&call.input);
    page.raw("<summary><code class=\"name\">").text(&call.name).raw("</code> ");
    page.raw("<span class=\"gist\">").text(&surface::argument_summary(&arguments));
    page.raw("</span> <span class=\"state\">").raw(answer.as_str());
    page.raw("</span></summary>\n");
    for (name, value) in &arguments {
        page.raw("<p class=\"label\">");
        page.text(if name.is_empty() { "arguments, as written" } else { name });
        page.raw("</p>\n");
        code(page, value);
    }
    match answer {
        Answer::Result(result) => output(page, result),
        Answer::Removed => removed(page),
        Answer::Missing => {
            page.raw("<p class=\"note\">The turn ended before a result was saved.</p>\n");
        }
        Answer::NotStarted => {
            page.raw("<p class=\"note\">It was never started, so it had no effect.</p>\n");
        }
    }
    page.raw("</details>");
}

/// Text as it was written; code between fences is set apart.
fn speech(page: &mut Markup, text: &str) {
    let mut prose: Vec<&str> = Vec::new();
    let mut fenced: Option<(&str, Vec<&str>)> = None;
    for line in text.lines() {
        match &mut fenced {
            None => match opening(line) {
                Some(fence) => {
                    paragraph(page, &std::mem::take(&mut prose));
                    fenced = Some((fence, Vec::new()));
                }
                None => prose.push(line),
            },
            Some((fence, lines)) if closes(line, fence) => {
                code(page, &lines.join("\n"));
                fenced = None;
            }
            Some((_, lines)) => lines.push(line),
        }
    }
    paragraph(page, &prose);
    if let Some((_, lines)) = fenced {
        code(page, &lines.join("\n"));
    }
}

/// The backticks or tildes that begin fenced code.
fn opening(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ['`', '~'].into_iter().find_map(|mark| {
        let length = line.len() - line.trim_start_matches(mark).len();
        line.get(..length).filter(|_| length >= 3)
    })
}

fn closes(line: &str, fence: &str) -> bool {
    let line = line.trim();
    line.len() >= fence.len() && line.starts_with(fence) && opening(line) == Some(line)
}

fn paragraph(page: &mut Markup, lines: &[&str]) {
    let text = lines.join("\n");
    let text = text.trim_matches('\n');
    if !text.trim().is_empty() {
        page.raw("<div class=\"text\" dir=\"auto\">").text(text).raw("</div>\n");
    }
}

fn code(page: &mut Markup, text: &str) {
    // A line feed that begins the element would not be shown.
    page.raw("<pre dir=\"auto\">\n").text(text).raw("</pre>\n");
}

fn thinking(page: &mut Markup, thought: &Reasoning) {
    let about = surface::thought_words(thought);
    if thought.reasoning.trim().is_empty() {
        page.raw("<p class=\"note\">Thinking, ").text(&about).raw("</p>");
        return;
    }
    page.raw("<details class=\"thinking\"><summary>Thinking <span class=\"state\">");
    page.text(&about).raw("</span></summary>\n<div class=\"text\" dir=\"auto\">");
    page.text(&thought.reasoning).raw("</div>\n</details>");
}

/// A result that answers no call.
fn orphan(page: &mut Markup, result: &ToolResult) {
    page.raw("<details class=\"tool unresolved\" open><summary><code class=\"name\">");
    page.text(&result.tool_name).raw("</code> <span class=\"state\">a result without its call");
    page.raw("</span></summary>\n");
    output(page, result);
    page.raw("</details>");
}

fn output(page: &mut Markup, result: &ToolResult) {
    page.raw("<p class=\"label\">").raw(if result.is_error { "error" } else { "result" });
    page.raw("</p>\n");
    if result.content.is_empty() {
        page.raw("<p class=\"note\">no output</p>\n");
    }
    for part in &result.content {
        match part {
            ResultPart::Text(text) => code(page, text),
            ResultPart::Image(image) => picture(page, image),
            ResultPart::Opaque(opaque) => {
                page.raw("<p class=\"note\">A part that is not shown here, of kind <code>");
                page.text(&opaque.kind).raw("</code></p>\n");
            }
        }
    }
}

fn picture(page: &mut Markup, image: &Image) {
    let words = surface::image_words(image);
    match surface::picture(image) {
        Some((media_type, data)) => {
            page.raw("<img alt=\"").text(&words).raw("\" src=\"data:").raw(media_type);
            page.raw(";base64,").text(data).raw("\">");
        }
        None => {
            page.raw("<p class=\"note\">").text(&words).raw("</p>");
        }
    }
}

fn removed(page: &mut Markup) {
    page.raw("<p class=\"note\">").text(&replay::removed()).raw("</p>");
}
