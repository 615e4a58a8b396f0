//! A conversation as text, for a summariser and for people. Never a request's history.
//!
//! A line begins with who speaks or what happened; every further line of a block is indented, so
//! nothing a tool returned can pass for an entry.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use record::{BlockKind, Entry, GapWording, ResultPart};

use crate::shown::{Outcome, What, removed, shown};
use crate::wording::{self, UnseenReason};

/// How a transcript is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptOptions {
    /// Thoughts are part of it.
    pub include_reasoning: bool,
    /// The reader is a person; else a model without vision.
    pub for_people: bool,
    /// Bytes it may have; the oldest entries go first.
    pub bytes_max: Option<usize>,
}

impl Default for TranscriptOptions {
    fn default() -> TranscriptOptions {
        TranscriptOptions { include_reasoning: true, for_people: true, bytes_max: None }
    }
}

/// A transcript. It has no way into a message of the assistant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript(String);

impl Transcript {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Writes these rows as text, in their order.
///
/// ```
/// use record::{Block, Entry, EntryId, Fact, Message, Rest, Role};
/// let row = Entry {
///     id: EntryId::from("1"),
///     parent: None,
///     seq: 0,
///     time: None,
///     fact: Fact::Message(Box::new(Message::new(Role::User, vec![Block::text("a\nuser: b")]))),
///     origin: None,
///     rest: Rest::default(),
/// };
/// let text = replay::transcript(&[row.into()], &replay::TranscriptOptions::default());
/// assert_eq!(text.as_str(), "user: a\n  user: b\n");
/// ```
pub fn transcript(rows: &[Arc<Entry>], options: &TranscriptOptions) -> Transcript {
    let mut lines = Vec::new();
    for shown in shown(rows, &[]) {
        let line = match shown.what {
            What::Text { role, text } => Some(format!("{}: {text}", role.as_str())),
            What::Call { call, outcome } => {
                let mut line = indented(&format!("Tool use: {}({})", call.name, call.input.text()));
                let gap = match outcome {
                    Outcome::Result(_) => None,
                    Outcome::Unanswered => Some(GapWording::Unknown),
                    Outcome::NotStarted => Some(GapWording::NotStarted),
                };
                if let Some(told) = gap.as_ref().map(wording::gap) {
                    line.push_str(&indented(&format!("Unfinished ({}): {told}", call.name)));
                }
                lines.push(line);
                None
            }
            What::Result { result, .. } => {
                let begins = wording::evidence(&result.tool_name, result.is_error);
                Some(format!("{begins}{}", result_text(&result.content, options)))
            }
            What::Thought(thought) => {
                let told = options.include_reasoning && !thought.reasoning.is_empty();
                told.then(|| format!("[Reasoning]: {}", thought.reasoning))
            }
            What::Image { image, .. } => Some(image_text(image.media_type(), options)),
            What::SystemChange(_) => options.for_people.then(|| "[system change]".to_owned()),
            What::Opaque(opaque) => Some(wording::opaque(&opaque.kind)),
            What::Removed { was: BlockKind::Reasoning, .. } | What::Compaction(_) => None,
            What::Removed { .. } => Some(removed()),
        };
        lines.extend(line.map(|line| indented(&line)));
    }
    Transcript(within(lines, options.bytes_max))
}

fn result_text(parts: &[ResultPart], options: &TranscriptOptions) -> String {
    let parts: Vec<String> = parts
        .iter()
        .map(|part| match part {
            ResultPart::Text(text) => text.as_str().to_owned(),
            ResultPart::Image(image) => image_text(image.media_type(), options),
            ResultPart::Opaque(opaque) => wording::opaque(&opaque.kind),
        })
        .collect();
    parts.join("\n")
}

fn image_text(media_type: &str, options: &TranscriptOptions) -> String {
    if options.for_people {
        format!("[Image: {media_type}]")
    } else {
        wording::unseen(media_type, UnseenReason::NoVision)
    }
}

/// One entry: its first line as it is, every further one indented, whatever breaks lines.
fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'])
    {
        let (line, tail) = rest.split_at(at);
        out.push_str(line);
        out.push_str("\n  ");
        rest = match tail.strip_prefix("\r\n") {
            Some(rest) => rest,
            None => tail.get(tail.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default(),
        };
    }
    out.push_str(rest);
    out.push('\n');
    out
}

/// The newest entries that fit, with a line about those that do not.
fn within(lines: Vec<String>, bytes_max: Option<usize>) -> String {
    let Some(bytes_max) = bytes_max else { return lines.concat() };
    let mut used = 0;
    let kept = lines.iter().rev().take_while(|line| {
        used += line.len();
        used <= bytes_max
    });
    let first = lines.len() - kept.count();
    let (omitted, kept) = lines.split_at(first);
    if omitted.is_empty() {
        return kept.concat();
    }
    if kept.is_empty() {
        return lines.last().map(|line| cut_middle(line, bytes_max)).unwrap_or_default();
    }
    let bytes: usize = omitted.iter().map(String::len).sum();
    format!("[... {bytes} bytes omitted ...]\n{}", kept.concat())
}

/// One over-long entry, its middle left out.
fn cut_middle(line: &str, bytes_max: usize) -> String {
    let half = bytes_max / 2;
    let head_end = (0..=half).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let tail_start = line.len().saturating_sub(half);
    let tail_start = (tail_start..line.len()).find(|at| line.is_char_boundary(*at));
    let (head, tail_start) =
        (line.get(..head_end).unwrap_or_default(), tail_start.unwrap_or(line.len()));
    let omitted = tail_start.saturating_sub(head_end);
    format!("{head}[... {omitted} bytes omitted ...]{}", line.get(tail_start..).unwrap_or_default())
}
