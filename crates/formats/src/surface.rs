//! What Markdown, HTML and a terminal have in common: how a conversation is put before people.
//!
//! In: a path of a record. Out: words and parts for whoever adds the markup. Nothing here is inert
//! yet: that is done where a text is written.

use std::sync::Arc;

use json::{Doc, Kind, Text};
use record::{
    Entry, Image, ImageSource, Input, InputClass, Message, Reasoning, Record, Role, Source,
    StopKind, ToolResult,
};
use replay::{Outcome, Shown, What};

/// Characters of a line that stands for a longer text.
const SUMMARY_CHARS: usize = 80;

/// A conversation that is put before people: one path of a record.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// What it is called.
    pub title: String,
    /// Where it was read, and the like: a line of facts.
    pub facts: Vec<String>,
    rows: Vec<Arc<Entry>>,
    retractions: Vec<Arc<Entry>>,
}

impl Conversation {
    /// A path of a record. Without a title it is called by its first prompt.
    pub fn new(record: &Record, path: &[Arc<Entry>], title: Option<&str>) -> Conversation {
        let retractions = record.retractions();
        let title = called(path, &retractions, title).unwrap_or_else(|| "Conversation".to_owned());
        Conversation { title, facts: Vec::new(), rows: path.to_vec(), retractions }
    }

    /// What people are shown of it, in order.
    pub fn shown(&self) -> Vec<Shown<'_>> {
        replay::shown(&self.rows, &self.retractions)
    }
}

/// What a path is called: its title, else its first prompt.
pub(crate) fn called(
    path: &[Arc<Entry>],
    retractions: &[Arc<Entry>],
    title: Option<&str>,
) -> Option<String> {
    match title.map(str::trim) {
        Some(title) if !title.is_empty() => Some(title.to_owned()),
        _ => {
            let shown = replay::shown(path, retractions);
            let prompts = || shown.iter().filter_map(prompt).map(summary_of);
            // What begins with a tag was put there by a harness.
            prompts().find(|prompt| !prompt.starts_with('<')).or_else(|| prompts().next())
        }
    }
}

/// The text of a person's prompt, where this is one.
pub fn prompt<'r>(shown: &Shown<'r>) -> Option<&'r str> {
    match shown.what {
        What::Text { role: Role::User, text }
            if speaker(shown) == "User" && !text.trim().is_empty() =>
        {
            Some(text)
        }
        _ => None,
    }
}

/// Who speaks in an entry.
pub fn speaker(shown: &Shown<'_>) -> &'static str {
    let Some(message) = shown.entry.message() else { return "Compaction" };
    match (message.role, &message.source) {
        (Role::Assistant, _) => "Assistant",
        (Role::System, _) => "System",
        (Role::Tool, _) => "Tool",
        (Role::User, Some(Source::Runtime { .. })) => "Runtime",
        (Role::User, _) => "User",
    }
}

/// The model that spoke, where it is known.
pub fn model(message: &Message) -> Option<&str> {
    match &message.source {
        Some(Source::Model { model, .. }) if !model.is_empty() => Some(model),
        _ => None,
    }
}

/// What is to be said about how a reply ended; nothing where it ended well.
pub fn ending(message: &Message) -> Option<String> {
    let stop = message.stop.as_ref();
    let mut words = Vec::new();
    match stop.map(|stop| stop.kind) {
        Some(StopKind::MaxTokens) => words.push("the output limit was reached".to_owned()),
        Some(StopKind::Aborted) => words.push("the reply was cancelled".to_owned()),
        Some(StopKind::Error) => words.push("the reply failed".to_owned()),
        Some(StopKind::Stop | StopKind::ToolCalls) | None => {}
    }
    if message.interrupted {
        words.push("the reply was interrupted".to_owned());
    }
    for call in stop.iter().flat_map(|stop| &stop.dropped_calls) {
        words.push(format!("a call to {} was cut off and not run", call.name));
    }
    (!words.is_empty()).then(|| words.join("; "))
}

/// What became of a call.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'r> {
    /// It was never answered.
    Missing,
    /// It was never started, so it had no effect.
    NotStarted,
    /// Its result was taken out of every view.
    Removed,
    /// It returned this.
    Result(&'r ToolResult),
}

impl<'r> Answer<'r> {
    /// The answer to a call, which may stand among all that is shown.
    pub fn of(outcome: Outcome, all: &[Shown<'r>]) -> Answer<'r> {
        let place = match outcome {
            Outcome::Result(place) => place,
            Outcome::Unanswered => return Answer::Missing,
            Outcome::NotStarted => return Answer::NotStarted,
        };
        match all.get(place).map(|answer| answer.what) {
            Some(What::Result { result, .. }) => Answer::Result(result),
            Some(_) => Answer::Removed,
            None => Answer::Missing,
        }
    }

    /// The word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Answer::Missing => "no result",
            Answer::NotStarted => "never started",
            Answer::Removed => "result removed",
            Answer::Result(result) if result.is_error => "failed",
            Answer::Result(_) => "done",
        }
    }
}

/// A call's arguments by name, a text as it reads; what is no object has no name.
pub fn arguments(input: &Input) -> Vec<(String, String)> {
    let text = input.text().as_str();
    let Ok(doc) = Doc::parse_str(text) else { return unnamed(text) };
    if input.class() != InputClass::Object || doc.root().kind() != Kind::Object {
        return unnamed(text);
    }
    let members = doc.root().members().map(|(name, value)| {
        let read = |text: Option<Text>| text.map(|text| text.as_str().to_owned());
        let value = read(value.to_text()).unwrap_or_else(|| value.raw().to_owned());
        (read(name.to_text()).unwrap_or_default(), value)
    });
    members.collect()
}

fn unnamed(text: &str) -> Vec<(String, String)> {
    if text.is_empty() { Vec::new() } else { vec![(String::new(), text.to_owned())] }
}

/// One line about a call's arguments: the first of them.
pub fn argument_summary(arguments: &[(String, String)]) -> String {
    arguments.first().map(|(_, value)| summary_of(value)).unwrap_or_default()
}

/// The first line of a text that says something, bounded.
pub fn summary_of(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(SUMMARY_CHARS) {
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// What is known of a thought without reading it.
pub fn thought_words(thought: &Reasoning) -> String {
    let sealed = thought.proof.is_some();
    match (thought.reasoning.trim().is_empty(), sealed) {
        (true, true) => "sealed: only its provider can read it".to_owned(),
        (true, false) => "without text".to_owned(),
        (false, sealed) => {
            let characters = thought.reasoning.chars().count();
            let plural = if characters == 1 { "" } else { "s" };
            let signed = if sealed { ", signed" } else { "" };
            format!("{characters} character{plural}{signed}")
        }
    }
}

/// The type and bytes of an image that any browser may show: what it is was read from the bytes
/// themselves, and it is one of the four kinds that cannot hold a script.
pub fn picture(image: &Image) -> Option<(&'static str, &str)> {
    match (image.source(), image.measured()) {
        (ImageSource::Base64(data), Some(measured)) => Some((measured.media_type.as_str(), data)),
        _ => None,
    }
}

/// An image in words.
pub fn image_words(image: &Image) -> String {
    let media_type = image.media_type();
    let of = match image.source() {
        ImageSource::Base64(_) => match image.measured() {
            Some(m) => format!("{}, {} x {}", m.media_type.as_str(), m.width, m.height),
            None => format!("{media_type}, its data is no image that is shown"),
        },
        ImageSource::Blob(blob) => format!("{media_type}, stored as {blob}"),
        ImageSource::Url(url) => format!("{media_type}, not fetched: {}", summary_of(url)),
        ImageSource::File(file) => format!("{media_type}, a file the provider holds: {file}"),
    };
    format!("[Image: {}]", of.trim_start_matches(", "))
}
