//! Chat histories of aider: Markdown, session after session in one file.
//!
//! Lines that begin with `####` and end in two spaces are a person's; a quote is what aider said to
//! the person, which no model is shown; the rest is the reply. So aider reads it back itself. Each
//! session is a conversation; a later one is said, and is a branch.

use std::io;

use json::Text;
use record::{Block, Entry, Fact, FindingKind, Message, Record, Role, Source as Speaker};

use crate::chain::{Chain, Line, Link};
use crate::error::ExportError;
use crate::harness::rows::{Piece, Rows};
use crate::origin;
use crate::report::Place;
use crate::source::{Keep, Source, text_of};
use crate::{Format, Imported};

/// How a session begins.
const SESSION: &str = "# aider chat started at ";

/// Whose lines they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// Of the heading of a session, or before there is one.
    Session,
    Person,
    Aider,
    Model,
}

/// Whether a text is such a history: told by its session headings, or by how aider is started.
pub(crate) fn is_history(text: &[u8]) -> bool {
    let begins = |line: &[u8]| {
        [SESSION.as_bytes(), b"> $ aider", b"> Aider v"].iter().any(|mark| line.starts_with(mark))
    };
    text.split(|byte| *byte == b'\n').any(begins)
}

/// Reads a history.
pub(crate) fn import(bytes: &[u8], file: &str) -> io::Result<Imported> {
    let mut history = History::new(file);
    let (mut source, mut lines, mut texts) = (Source::new(bytes), Vec::new(), Vec::new());
    while let Some(physical) = source.next_line()? {
        let text = std::str::from_utf8(text_of(&physical.line)).map(str::to_owned);
        texts.push(text.unwrap_or_else(|_| {
            let detail = "a line that is no text in UTF-8 is kept as it is";
            history.chain.report.add(FindingKind::CorruptLine, physical.place, detail);
            String::new()
        }));
        lines.push(physical);
    }
    let whose = speakers(&texts);
    for ((physical, text), whose) in lines.into_iter().zip(texts).zip(whose) {
        history.line(text, whose, physical.place);
        history.lines.push(Keep::Lines.of(physical.line));
    }
    history.end_run();
    let History { mut chain, .. } = history;
    chain.place();
    let (record, report) = chain.into_record();
    Ok(Imported { format: Format::Aider, record, findings: report.finish(), title: None })
}

fn is_prompt(text: &str) -> bool {
    text.starts_with("####") && text.ends_with("  ")
}

fn is_quote(text: &str) -> bool {
    text.starts_with("> ") || text == ">" || text.starts_with('>') && text.ends_with("  ")
}

/// Whose each line is; `None` for a blank one, which goes with the line before it.
fn speakers(texts: &[String]) -> Vec<Option<Whose>> {
    let ends = ends_of_output(texts);
    let (mut whose, mut fenced, mut output_until) = (Vec::with_capacity(texts.len()), false, None);
    for (at, text) in texts.iter().enumerate() {
        let speaker = if text.starts_with(SESSION) {
            Some(Whose::Session)
        } else if is_prompt(text) {
            Some(Whose::Person)
        } else if output_until.is_some_and(|end| at <= end) {
            Some(Whose::Aider)
        } else if is_quote(text) && (!fenced || text.ends_with("  ")) {
            let end = ends.get(at + 1).copied().flatten();
            output_until = end.filter(|_| !text.ends_with("  "));
            Some(Whose::Aider)
        } else if text.trim().is_empty() {
            None
        } else if !fenced
            && ["<div class=\"chat-transcript", "</div>"].iter().any(|m| text.starts_with(m))
        {
            // How transcripts are set in a page.
            Some(Whose::Aider)
        } else {
            Some(Whose::Model)
        };
        match speaker {
            Some(Whose::Model) if text.trim_start().starts_with("```") => fenced = !fenced,
            Some(Whose::Model) | None => {}
            Some(Whose::Session | Whose::Person | Whose::Aider) => fenced = false,
        }
        whose.push(speaker);
    }
    whose
}

/// For each line where the output ends that may have begun before it: aider quotes the first line
/// of an output alone, and ends its last one in two spaces.
fn ends_of_output(texts: &[String]) -> Vec<Option<usize>> {
    let mut ends = vec![None; texts.len()];
    let mut end = None;
    for (at, text) in texts.iter().enumerate().rev() {
        let ended = text.ends_with("  ");
        if text.starts_with(SESSION) || ended && (is_prompt(text) || is_quote(text)) {
            end = None;
        } else if ended && !text.trim().is_empty() {
            end = Some(at);
        }
        if let Some(slot) = ends.get_mut(at) {
            *slot = end;
        }
    }
    ends
}

struct History {
    chain: Chain,
    /// The lines of one speaker so far.
    whose: Whose,
    words: Vec<String>,
    lines: Vec<record::SourceLine>,
    begun: Place,
    sessions: usize,
    is_first_of_session: bool,
}

impl History {
    fn new(file: &str) -> History {
        History {
            chain: Chain::new(file, Format::Aider),
            whose: Whose::Session,
            words: Vec::new(),
            lines: Vec::new(),
            begun: Place::default(),
            sessions: 0,
            is_first_of_session: false,
        }
    }

    fn line(&mut self, text: String, whose: Option<Whose>, place: Place) {
        // What stands before the first prompt is no reply.
        let unasked = self.chain.nodes.is_empty() && self.whose == Whose::Session;
        let whose = whose.filter(|whose| !(*whose == Whose::Model && unasked));
        let whose = whose.unwrap_or(self.whose);
        // A blank line between two prompts parts them.
        let parted = self.words.last().is_some_and(|last| last.trim().is_empty());
        let again = whose == Whose::Person && parted && !text.trim().is_empty();
        if whose != self.whose || again || text.starts_with(SESSION) {
            self.end_run();
            (self.whose, self.begun) = (whose, place);
        }
        if text.starts_with(SESSION) {
            self.begin_session(&text, place);
        }
        self.words.push(text);
    }

    fn begin_session(&mut self, text: &str, place: Place) {
        self.sessions += 1;
        self.is_first_of_session = true;
        if self.sessions > 1 {
            let at = text.trim_start_matches(SESSION).trim();
            let detail = format!("the session of {at} begins here, as a branch of its own");
            self.chain.report.add(FindingKind::SeveralConversations, place, detail);
        }
    }

    /// Makes an entry of the lines of one speaker.
    fn end_run(&mut self) {
        if self.lines.is_empty() && self.words.is_empty() {
            return;
        }
        let words = std::mem::take(&mut self.words);
        let mut line = Line::silent(self.begun);
        let said = match self.whose {
            Whose::Person => prompt(&words),
            Whose::Model => words.join("\n").trim_matches('\n').to_owned(),
            Whose::Session | Whose::Aider => String::new(),
        };
        let node = if said.trim().is_empty() {
            let kind = if self.whose == Whose::Aider { "aider" } else { "session" };
            self.chain.aside(kind.into(), line)
        } else {
            if std::mem::take(&mut self.is_first_of_session) {
                line.link = Link::Root;
            }
            let role = if self.whose == Whose::Person { Role::User } else { Role::Assistant };
            let mut message = Message::new(role, vec![Block::text(said)]);
            message.source = (role == Role::User).then_some(Speaker::User);
            self.chain.view(Fact::Message(Box::new(message)), line)
        };
        if let Some(node) = self.chain.nodes.get_mut(node) {
            let kept = origin::lines_of(&mut node.entry, &Format::Aider.name().into());
            kept.append(&mut self.lines);
        }
    }
}

/// What a person wrote: the mark and the two spaces taken off each line.
fn prompt(words: &[String]) -> String {
    let line = |line: &String| {
        let line = line.strip_suffix("  ").unwrap_or(line);
        line.strip_prefix("#### ").or(line.strip_prefix("####")).unwrap_or(line).to_owned()
    };
    let lines: Vec<String> = words.iter().map(line).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// Writes the lines a record came from, then what the main branch holds beyond them.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    let mut out = origin::lines(record, Format::Aider.name());
    let path = record.branch_path("main");
    let is_new = out.is_empty();
    let rows = Rows::of(&path, Format::Aider, is_new, true)?;
    if let Some(row) = rows.first().filter(|_| is_new) {
        out.extend_from_slice(heading(row.entry).as_bytes());
    }
    for row in rows.iter().filter(|row| !row.is_head()) {
        for piece in row.pieces()? {
            match piece {
                Piece::Text(_) | Piece::Thought(_) => {}
                Piece::Call(_) | Piece::Result(_) | Piece::Image(_) | Piece::Opaque(_) => {
                    return row.refuse("a call, a result or an image");
                }
            }
        }
        let words = Text::from(row.words()?.as_str());
        origin::end_line(&mut out);
        out.push(b'\n');
        match row.message.role {
            Role::Assistant => out.extend_from_slice(format!("{words}\n").as_bytes()),
            Role::User | Role::Tool => {
                for line in words.lines() {
                    out.extend_from_slice(format!("#### {line}  \n").as_bytes());
                }
            }
            Role::System => return row.refuse("a system message"),
        }
    }
    if out.is_empty() { Err(ExportError::NothingToWrite) } else { Ok(out) }
}

fn heading(first: &Entry) -> String {
    let time = first.time.as_deref().unwrap_or("an unknown time");
    format!("\n{SESSION}{time}\n")
}
