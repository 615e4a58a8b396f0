//! A conversation as pages for a terminal: one page for what one entry says.
//!
//! In: what people are shown. Out: pages whose unindented lines are this program's own, so nothing
//! that was said can pass for a new speaker. Lines are broken here where the width is known, for
//! the same reason.

#![deny(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;

use regex::Regex;
use stenograph::formats::inert;
use stenograph::formats::surface::{self, Answer};
use stenograph::record::{ResultPart, Role, ToolResult, ToolUse};
use stenograph::replay::{Shown, What, removed};

use crate::inert::bounded;
use crate::page::{Page, Style, count, thousands};
use crate::words;

/// Lines of arguments, output and system text that are shown where not all are asked for.
const LINES_SHOWN: usize = 20;

/// Characters of a line that are shown where not all are asked for.
const LINE_CHARS: usize = 2000;

/// Characters shown before a match that stands far into a line.
const BEFORE_MATCH_CHARS: usize = 80;

/// What a tab is shown as.
const TAB: &str = "    ";

/// Characters of a model's name, a time or an id.
const ABOUT_CHARS: usize = 60;

const INDENT: &str = "  ";
const GUTTER: &str = "  | ";

/// What a piece of a conversation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The user's words.
    User,
    /// The model's words.
    Assistant,
    /// System text, changes, compactions, and what is none of the others.
    System,
    /// A thought.
    Thinking,
    /// A call.
    Call,
    /// A result.
    Result,
    /// A result that is an error.
    Error,
}

/// How a conversation is read.
#[derive(Debug)]
pub struct Reading<'a> {
    /// Thinking is shown in full.
    pub thinking: bool,
    /// Nothing is cut.
    pub full: bool,
    /// Only lines that match.
    pub grep: Option<Regex>,
    /// Only these kinds; all where there are none.
    pub only: &'a [Kind],
    /// Columns of the terminal, where there is one.
    pub width: Option<usize>,
}

/// A piece: a heading of our own and what was said.
struct Piece<'r> {
    kind: Kind,
    heading: Option<(Style, String)>,
    gutter: &'static str,
    text: Cow<'r, str>,
    style: Style,
    lines_max: usize,
}

impl<'r> Piece<'r> {
    fn new(kind: Kind, text: impl Into<Cow<'r, str>>) -> Piece<'r> {
        Piece {
            kind,
            heading: None,
            gutter: INDENT,
            text: text.into(),
            style: Style::Plain,
            lines_max: usize::MAX,
        }
    }

    fn note(kind: Kind, text: String) -> Piece<'r> {
        Piece { style: Style::Dim, ..Piece::new(kind, text) }
    }
}

impl Reading<'_> {
    /// The pages, in order.
    pub fn pages<'s>(&'s self, shown: &'s [Shown<'s>]) -> impl Iterator<Item = Page> + 's {
        let entries = shown.chunk_by(|one, next| one.entry.id == next.entry.id);
        entries.filter_map(|of_entry| self.page(of_entry, shown))
    }

    /// What stands above all: what the conversation is called, and where it was read.
    pub fn head(&self, title: &str, about: &str) -> Page {
        let mut page = Page::new();
        for (style, text) in [(Style::Bold, title), (Style::Dim, about)] {
            self.own_line(&mut page, &[(style, text)]);
        }
        page
    }

    /// A line that begins at the edge. Where it is broken, it goes on indented.
    fn own_line(&self, page: &mut Page, spans: &[(Style, &str)]) {
        let mut writer = Writer { page, gutter: INDENT, width: self.width, used: 0 };
        for (style, text) in spans {
            writer.write(*style, text);
        }
        writer.page.end();
    }

    /// Who speaks, with which model, when, and under which id.
    fn heading(&self, first: &Shown<'_>) -> Page {
        let mut page = Page::new();
        let speaker = surface::speaker(first);
        let style = match speaker {
            "User" => Style::Cyan,
            "Assistant" => Style::Green,
            _ => Style::Bold,
        };
        let mut spans = vec![(style, Cow::Borrowed(speaker))];
        let model = first.entry.message().and_then(surface::model);
        let time = first.entry.time.as_ref().map(|time| time.as_str());
        let id = words::short(&first.entry.id);
        for about in [model, time, Some(&*id)].into_iter().flatten() {
            spans.push((Style::Dim, Cow::Owned(format!("  {}", bounded(about, ABOUT_CHARS)))));
        }
        let spans: Vec<(Style, &str)> =
            spans.iter().map(|(style, text)| (*style, &**text)).collect();
        self.own_line(page.end(), &spans);
        page
    }

    /// The page of one entry, if there is something to show.
    fn page(&self, of_entry: &[Shown<'_>], all: &[Shown<'_>]) -> Option<Page> {
        let first = of_entry.first()?;
        let mut body = Page::new();
        let mut is_empty = true;
        for piece in of_entry.iter().flat_map(|one| pieces(one, all)) {
            if self.only.is_empty() || self.only.contains(&piece.kind) {
                is_empty &= !self.say(&mut body, &piece);
            }
        }
        if is_empty {
            return None;
        }
        let ending = first.entry.message().and_then(surface::ending);
        if let Some(ending) = ending.filter(|_| self.grep.is_none()) {
            body.plain(INDENT).say(Style::Yellow, ending).end();
        }
        let mut page = self.heading(first);
        page.append(body);
        Some(page)
    }

    /// Says a piece; `false` where nothing of it is asked for.
    fn say(&self, page: &mut Page, piece: &Piece<'_>) -> bool {
        let lines = piece.text.lines().filter(|line| self.is_wanted(line));
        let heading_matches =
            piece.heading.as_ref().is_some_and(|(_, heading)| self.is_wanted(heading));
        let mut lines = lines.peekable();
        if lines.peek().is_none() && !heading_matches {
            return false;
        }
        if let Some((style, heading)) = &piece.heading {
            self.line(page, INDENT, *style, heading);
        }
        if piece.kind == Kind::Thinking && !self.thinking && self.grep.is_none() {
            return true;
        }
        let is_cut = !self.full && self.grep.is_none();
        let lines_max = if is_cut { piece.lines_max } else { usize::MAX };
        for line in lines.by_ref().take(lines_max) {
            self.line(page, piece.gutter, piece.style, line);
        }
        let more = lines.count();
        if more > 0 {
            let more = format!("... {} (`--full` shows all)", count(more, "more line"));
            page.plain(piece.gutter).say(Style::Dim, more).end();
        }
        true
    }

    fn is_wanted(&self, line: &str) -> bool {
        self.grep.as_ref().is_none_or(|grep| grep.is_match(line))
    }

    /// One line that was said: what matches stands out, what is too long is cut and says so.
    fn line(&self, page: &mut Page, gutter: &str, style: Style, line: &str) {
        let first_match = self.grep.as_ref().and_then(|grep| grep.find(line));
        let mut start = 0;
        if let Some(found) = first_match.filter(|found| !self.full && found.start() > LINE_CHARS) {
            let before = line.get(..found.start()).unwrap_or_default();
            let kept = before.char_indices().rev().nth(BEFORE_MATCH_CHARS);
            start = kept.map_or(0, |(at, _)| at);
        }
        let text = line.get(start..).unwrap_or_default();
        let chars = if self.full { usize::MAX } else { LINE_CHARS };
        let end = text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
        let (text, left_out) = text.split_at(end);
        let mut writer = Writer { page, gutter, width: self.width, used: gutter.len() };
        writer.page.plain(gutter);
        if start > 0 {
            writer.write(Style::Dim, "... ");
        }
        let mut written = 0;
        for found in self.grep.iter().flat_map(|grep| grep.find_iter(text)) {
            writer.write(style, text.get(written..found.start()).unwrap_or_default());
            writer.write(Style::Red, found.as_str());
            written = found.end();
        }
        writer.write(style, text.get(written..).unwrap_or_default());
        if !left_out.is_empty() {
            let more = thousands(left_out.chars().count() as u64);
            writer.write(Style::Dim, &format!(" ... {more} more characters"));
        }
        writer.page.end();
    }
}

/// A line in the making, broken where the terminal ends.
struct Writer<'p> {
    page: &'p mut Page,
    gutter: &'p str,
    width: Option<usize>,
    used: usize,
}

impl Writer<'_> {
    fn write(&mut self, style: Style, text: &str) {
        let text = text.replace('\t', TAB);
        let text = inert::line(&text);
        let mut start = 0;
        for (at, c) in text.char_indices() {
            // No character below is wider than one column, none at all wider than two.
            let columns = if c < '\u{1100}' { 1 } else { 2 };
            let ends = self.width.is_some_and(|width| self.used + columns > width);
            if ends && self.used > 0 && self.used != self.gutter.len() {
                self.page.content(style, text.get(start..at).unwrap_or_default()).end();
                self.page.plain(self.gutter);
                self.used = self.gutter.len();
                start = at;
            }
            self.used += columns;
        }
        self.page.content(style, text.get(start..).unwrap_or_default());
    }
}

/// The pieces of what is shown; none for a result that its call's card shows.
fn pieces<'r>(one: &Shown<'r>, all: &[Shown<'r>]) -> Vec<Piece<'r>> {
    let note = |kind, text| vec![Piece::note(kind, text)];
    if one.is_bound() {
        return Vec::new();
    }
    match one.what {
        What::Text { role, text } => {
            let lines_max = if role == Role::System { LINES_SHOWN } else { usize::MAX };
            vec![Piece { lines_max, ..Piece::new(kind_of(role), text) }]
        }
        What::Thought(thought) => {
            let about = format!("Thinking ({})", surface::thought_words(thought));
            vec![Piece {
                heading: Some((Style::Dim, about)),
                gutter: GUTTER,
                style: Style::Dim,
                ..Piece::new(Kind::Thinking, thought.reasoning.as_str())
            }]
        }
        What::Call { call, outcome } => of_call(call, Answer::of(outcome, all)),
        What::Result { result, .. } => {
            let of = format!("{} without its call", result.tool_name);
            vec![of_result(result, of.trim_start())]
        }
        What::Image { role, image } => note(kind_of(role), surface::image_words(image)),
        What::SystemChange(change) => {
            let tools = change.define_tools.len() + change.remove_tools.len();
            let told = format!("Tools and system text changed: {}", count(tools, "tool"));
            let added = change.add_system.iter().map(|text| Piece {
                lines_max: LINES_SHOWN,
                ..Piece::new(Kind::System, text.as_str())
            });
            [Piece::note(Kind::System, told)].into_iter().chain(added).collect()
        }
        What::Opaque(opaque) => {
            note(Kind::System, format!("A block that is not shown here, of kind {}", opaque.kind))
        }
        What::Compaction(compaction) => {
            let told = "From here on the model was given a handoff in place of what stands above";
            let handoff = compaction.handoff.as_ref().map(|text| Piece {
                lines_max: LINES_SHOWN,
                gutter: GUTTER,
                ..Piece::new(Kind::System, text.as_str())
            });
            [Piece::note(Kind::System, told.to_owned())].into_iter().chain(handoff).collect()
        }
        What::Removed { .. } => note(Kind::System, removed()),
    }
}

fn kind_of(role: Role) -> Kind {
    match role {
        Role::User => Kind::User,
        Role::Assistant => Kind::Assistant,
        Role::System => Kind::System,
        Role::Tool => Kind::Result,
    }
}

/// A call and what it returned.
fn of_call<'r>(call: &'r ToolUse, answer: Answer<'r>) -> Vec<Piece<'r>> {
    let style = match answer {
        Answer::Result(result) if !result.is_error => Style::Bold,
        Answer::Removed => Style::Bold,
        Answer::Result(_) | Answer::Missing | Answer::NotStarted => Style::Red,
    };
    let arguments = surface::arguments(&call.input).into_iter().map(|(name, value)| match &*name {
        "" => value,
        _ if value.contains('\n') => format!("{name}:\n{value}"),
        _ => format!("{name}: {value}"),
    });
    let arguments: Vec<String> = arguments.collect();
    let told = Piece {
        heading: Some((style, format!("Call {} ({})", call.name, answer.as_str()))),
        gutter: GUTTER,
        lines_max: LINES_SHOWN,
        ..Piece::new(Kind::Call, arguments.join("\n"))
    };
    let answer = match answer {
        Answer::Missing | Answer::NotStarted => None,
        Answer::Removed => Some(Piece::note(Kind::Result, removed())),
        Answer::Result(result) => Some(of_result(result, &call.name)),
    };
    [told].into_iter().chain(answer).collect()
}

fn of_result<'r>(result: &'r ToolResult, of: &str) -> Piece<'r> {
    let parts: Vec<Cow<'r, str>> = result
        .content
        .iter()
        .map(|part| match part {
            ResultPart::Text(text) => Cow::Borrowed(text.as_str()),
            ResultPart::Image(image) => Cow::Owned(surface::image_words(image)),
            ResultPart::Opaque(opaque) => {
                Cow::Owned(format!("[A part that is not shown here, of kind {}]", opaque.kind))
            }
        })
        .collect();
    let (kind, style, word) = match result.is_error {
        true => (Kind::Error, Style::Red, "Error"),
        false => (Kind::Result, Style::Bold, "Result"),
    };
    let text = match <[Cow<'r, str>; 1]>::try_from(parts) {
        Ok([only]) => only,
        Err(parts) => Cow::Owned(parts.join("\n")),
    };
    let empty = if text.is_empty() { ", no output" } else { "" };
    Piece {
        heading: Some((style, format!("{word} ({of}){empty}"))),
        gutter: GUTTER,
        lines_max: LINES_SHOWN,
        ..Piece::new(kind, text)
    }
}
