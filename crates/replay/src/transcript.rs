//! A conversation as text, for a summariser and for people. Never a request's history.
//!
//! A line begins with who speaks or what happened; every further line of a block is indented, so
//! nothing a tool returned can pass for an entry.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use record::{
    Block, BlockKind, BlockRef, Compaction, CompactionKind, Entry, EntryId, Fact, GapWording,
    Image, Message, OpaqueBlock, Reasoning, ResultPart, Role, Source, SystemChange, ToolResult,
    ToolUse,
};

use crate::principal::is_principal_block;
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
            What::Call { call, result } => {
                let mut line = indented(&format!("Tool use: {}({})", call.name, call.input.text()));
                if result.is_none() {
                    let told = wording::gap(&GapWording::Unknown);
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

/// One thing of a conversation that people are shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'r> {
    /// The entry it stands in.
    pub entry: &'r Entry,
    /// What it is.
    pub what: What<'r>,
}

impl Shown<'_> {
    /// Whether a call names it as its result: whoever shows the call shows it there.
    pub fn is_bound(&self) -> bool {
        matches!(self.what, What::Result { bound: true, .. } | What::Removed { bound: true, .. })
    }
}

/// What people are shown.
#[derive(Clone, Copy, Debug)]
pub enum What<'r> {
    /// Speech.
    Text {
        /// Who speaks.
        role: Role,
        /// What was said; U+FFFD where the source held a lone surrogate.
        text: &'r str,
    },
    /// A thought. Never speech.
    Thought(&'r Reasoning),
    /// A call.
    Call {
        /// The call.
        call: &'r ToolUse,
        /// Where its result is among what is shown; `None` where it was never answered.
        result: Option<usize>,
    },
    /// What a call returned.
    Result {
        /// The result.
        result: &'r ToolResult,
        /// A call names this as its result; else it stands alone.
        bound: bool,
    },
    /// A picture.
    Image {
        /// Who shows it.
        role: Role,
        /// The picture.
        image: &'r Image,
    },
    /// A declared change of tools and system text.
    SystemChange(&'r SystemChange),
    /// A block of a kind this build cannot show.
    Opaque(&'r OpaqueBlock),
    /// From here on a handoff stands for what came before.
    Compaction(&'r Compaction),
    /// Something taken out of every view.
    Removed {
        /// What it was.
        was: BlockKind,
        /// A call names this as its result.
        bound: bool,
    },
}

/// The words that stand where something was taken out.
pub fn removed() -> String {
    wording::redacted("content")
}

/// What people are shown of these rows, in their order: every block once, but for what says who a
/// request runs as. `retractions` are those of the whole record; those among the rows count anyway.
pub fn shown<'r>(rows: &'r [Arc<Entry>], retractions: &'r [Arc<Entry>]) -> Vec<Shown<'r>> {
    let retracted = Retractions::of(rows, retractions);
    let mut all: Vec<Shown<'r>> = Vec::new();
    let mut open = OpenCalls::new();
    for entry in rows.iter().map(Arc::as_ref) {
        match &entry.fact {
            Fact::Message(message) => {
                for (block, index) in message.blocks.iter().zip(0u32..) {
                    let removed = retracted.holds(entry, index, block);
                    let Some(mut what) = what(message, block, removed) else { continue };
                    bind(&mut open, &mut all, &mut what, block, entry);
                    all.push(Shown { entry, what });
                }
            }
            Fact::Compaction(compaction) if compaction.kind == CompactionKind::Boundary => {
                let removed = retracted.entries.contains(&entry.id);
                let was = What::Removed { was: BlockKind::Text, bound: false };
                let what = if removed { was } else { What::Compaction(compaction) };
                all.push(Shown { entry, what });
            }
            Fact::Compaction(_)
            | Fact::CallStarted(_)
            | Fact::Head(_)
            | Fact::Sent(_)
            | Fact::Retracted(_)
            | Fact::Opaque(_) => {}
        }
    }
    all
}

/// Calls that wait for their results, by id: where they are among what is shown.
type OpenCalls<'r> = BTreeMap<&'r str, Vec<usize>>;

/// A block as it is shown; `None` for what says who a request runs as.
fn what<'r>(message: &'r Message, block: &'r Block, removed: bool) -> Option<What<'r>> {
    if removed {
        return Some(What::Removed { was: block.kind(), bound: false });
    }
    Some(match block {
        Block::Text(text) if is_runtime(message) && is_principal_block(&text.text) => return None,
        Block::Text(text) => What::Text { role: message.role, text: &text.text },
        Block::ToolUse(call) => What::Call { call, result: None },
        Block::ToolResult(result) => What::Result { result, bound: false },
        Block::Reasoning(thought) => What::Thought(thought),
        Block::Image(image) => What::Image { role: message.role, image },
        Block::SystemChange(change) => What::SystemChange(change),
        Block::Opaque(opaque) => What::Opaque(opaque),
    })
}

/// Ties a result to the first call that waits for it. A call whose id is used again by a later
/// message waits no longer.
fn bind<'r>(
    open: &mut OpenCalls<'r>,
    all: &mut [Shown<'r>],
    what: &mut What<'r>,
    block: &'r Block,
    entry: &Entry,
) {
    match block {
        Block::ToolUse(call) => {
            let waiting = open.entry(&call.id).or_default();
            waiting.retain(|at| all.get(*at).is_some_and(|call| call.entry.id == entry.id));
            waiting.push(all.len());
        }
        Block::ToolResult(result) => {
            let waiting = open.get_mut(result.tool_use_id.as_str());
            let Some(waiting) = waiting.filter(|waiting| !waiting.is_empty()) else { return };
            let call = waiting.remove(0);
            let at = all.len();
            if let Some(Shown { what: What::Call { result, .. }, .. }) = all.get_mut(call) {
                *result = Some(at);
            }
            if let What::Result { bound, .. } | What::Removed { bound, .. } = what {
                *bound = true;
            }
        }
        Block::Text(_)
        | Block::Reasoning(_)
        | Block::Image(_)
        | Block::SystemChange(_)
        | Block::Opaque(_) => {}
    }
}

/// What was taken out of every view, of these rows.
struct Retractions<'r> {
    blocks: BTreeSet<&'r BlockRef>,
    entries: BTreeSet<&'r EntryId>,
    calls: BTreeSet<&'r str>,
}

impl<'r> Retractions<'r> {
    fn of(rows: &'r [Arc<Entry>], elsewhere: &'r [Arc<Entry>]) -> Retractions<'r> {
        let facts = || {
            rows.iter().chain(elsewhere).filter_map(|entry| match &entry.fact {
                Fact::Retracted(retracted) => Some(retracted),
                Fact::Message(_)
                | Fact::CallStarted(_)
                | Fact::Compaction(_)
                | Fact::Head(_)
                | Fact::Sent(_)
                | Fact::Opaque(_) => None,
            })
        };
        let mut own = Retractions {
            blocks: facts().flat_map(|retracted| &retracted.blocks).collect(),
            entries: facts().flat_map(|retracted| &retracted.entries).collect(),
            calls: BTreeSet::new(),
        };
        for entry in rows {
            let Some(message) = entry.message() else { continue };
            for (block, index) in message.blocks.iter().zip(0u32..) {
                if let Block::ToolUse(call) = block
                    && own.holds(entry, index, block)
                {
                    own.calls.insert(call.id.as_str());
                }
            }
        }
        own
    }

    /// Whether a block is out; a result goes with its call.
    fn holds(&self, entry: &Entry, block: u32, of: &Block) -> bool {
        let at = BlockRef { row: entry.id.clone(), block };
        self.entries.contains(&entry.id)
            || self.blocks.contains(&at)
            || matches!(of, Block::ToolResult(result)
                if self.calls.contains(result.tool_use_id.as_str()))
    }
}

/// Whether a message is the operator's or the runtime's, not somebody's words.
fn is_runtime(message: &Message) -> bool {
    message.role == Role::System || matches!(message.source, Some(Source::Runtime { .. }))
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
