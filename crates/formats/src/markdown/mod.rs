//! A conversation as Markdown.
//!
//! In: a [`Conversation`]. Out: headings of this program's own, and between fences what was said,
//! thought, called and returned, exactly as it was written. A fence is longer than any run of its
//! marks inside, so nothing said can end it: to a renderer it is text, not markup, link or image.

#![deny(clippy::wildcard_enum_match_arm)]

use record::{ResultPart, ToolResult, ToolUse};
use replay::{Shown, What};

use crate::inert;
use crate::surface::{self, Answer, Conversation};

/// Writes it.
pub fn write(conversation: &Conversation) -> String {
    let shown = conversation.shown();
    let mut page = Page::default();
    page.raw("# ").code(&conversation.title).raw("\n\n");
    for fact in &conversation.facts {
        page.raw("- ").code(fact).raw("\n");
    }
    let mut entry = None;
    for (one, at) in shown.iter().zip(1..) {
        if one.is_bound() {
            continue;
        }
        if entry != Some(&one.entry.id) {
            entry = Some(&one.entry.id);
            heading(&mut page, one);
        }
        block(&mut page, one, &shown);
        let ends = shown.get(at).is_none_or(|next| next.entry.id != one.entry.id);
        let ending = one.entry.message().filter(|_| ends).and_then(surface::ending);
        if let Some(ending) = ending {
            page.raw("\nNote: ").code(&ending).raw("\n");
        }
    }
    page.0
}

/// A page in the making: only text of this program's own and fenced text get in.
#[derive(Default)]
struct Page(String);

impl Page {
    /// Adds Markdown. It is part of this program: no text from outside lives that long.
    fn raw(&mut self, markdown: &'static str) -> &mut Page {
        self.0.push_str(markdown);
        self
    }

    /// Adds a text as a code span on one line.
    fn code(&mut self, text: &str) -> &mut Page {
        let text = inert::line(text);
        let marks = "`".repeat(longest_run(&text) + 1);
        // A space on both sides goes; one keeps a backtick at the edge apart from the marks.
        self.0.push_str(&format!("{marks} {text} {marks}"));
        self
    }

    /// Adds a text as a block of code.
    fn fenced(&mut self, kind: &'static str, text: &str) -> &mut Page {
        let text = inert::lines(text);
        let fence = "`".repeat((longest_run(&text) + 1).max(3));
        let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
        self.0.push_str(&format!("\n{fence}{kind}\n{text}{end}{fence}\n"));
        self
    }
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn heading(page: &mut Page, one: &Shown<'_>) {
    page.raw("\n## ").raw(surface::speaker(one));
    if let Some(model) = one.entry.message().and_then(surface::model) {
        page.raw(" ").code(model);
    }
    if let Some(time) = &one.entry.time {
        page.raw(" ").code(time);
    }
    page.raw("\n");
}

fn block(page: &mut Page, one: &Shown<'_>, shown: &[Shown<'_>]) {
    match one.what {
        // An empty text is no more than its place.
        What::Text { text, .. } if text.trim().is_empty() => {}
        What::Text { text, .. } => {
            page.fenced("text", text);
        }
        What::Thought(thought) => {
            page.raw("\n### Thinking ").code(&surface::thought_words(thought)).raw("\n");
            if !thought.reasoning.trim().is_empty() {
                page.raw("\n<details><summary>Thinking</summary>\n");
                page.fenced("text", &thought.reasoning).raw("\n</details>\n");
            }
        }
        What::Call { call, outcome } => {
            tool(page, call, Answer::of(outcome, shown));
        }
        What::Result { result, .. } => {
            page.raw("\n### A result without its call: ").code(&result.tool_name).raw("\n");
            output(page, result);
        }
        What::Image { image, .. } => {
            page.raw("\n").code(&surface::image_words(image)).raw("\n");
        }
        What::SystemChange(change) => {
            page.raw("\nTools and system text changed.\n");
            for text in &change.add_system {
                page.fenced("text", text);
            }
        }
        What::Opaque(opaque) => {
            page.raw("\nA block that is not shown here, of kind ").code(&opaque.kind).raw("\n");
        }
        What::Compaction(compaction) => {
            page.raw("\nFrom here on the model was given a handoff in place of what stands above.");
            page.raw("\n");
            if let Some(handoff) = &compaction.handoff {
                page.fenced("text", handoff);
            }
        }
        What::Removed { .. } => {
            page.raw("\n").code(&replay::removed()).raw("\n");
        }
    }
}

fn tool(page: &mut Page, call: &ToolUse, answer: Answer<'_>) {
    page.raw("\n### Call: ").code(&call.name).raw(", ").raw(answer.as_str()).raw("\n");
    page.fenced("json", call.input.text());
    match answer {
        Answer::Result(result) => output(page, result),
        Answer::Removed => {
            page.raw("\n").code(&replay::removed()).raw("\n");
        }
        Answer::Missing | Answer::NotStarted => {}
    }
}

fn output(page: &mut Page, result: &ToolResult) {
    page.raw(if result.is_error { "\nError:\n" } else { "\nResult:\n" });
    if result.content.is_empty() {
        page.raw("\nno output\n");
    }
    for part in &result.content {
        match part {
            ResultPart::Text(text) => {
                page.fenced("text", text);
            }
            ResultPart::Image(image) => {
                page.raw("\n").code(&surface::image_words(image)).raw("\n");
            }
            ResultPart::Opaque(opaque) => {
                page.raw("\nA part that is not shown here, of kind ").code(&opaque.kind);
                page.raw("\n");
            }
        }
    }
}
