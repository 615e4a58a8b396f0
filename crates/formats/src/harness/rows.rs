//! Rows to be written, and what their blocks are to a harness's format.
#![deny(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use json::{Raw, Text};
use record::{
    Block, Compaction, CompactionKind, Entry, Fact, HeadDeclaration, Image, ImageSource, Message,
    Reasoning, ResultPart, Role, TextBlock, ToolResult, ToolUse,
};

use crate::Format;
use crate::error::ExportError;
use crate::origin;

/// One message to be written.
pub(crate) struct Row<'r> {
    pub(crate) entry: &'r Entry,
    pub(crate) message: Cow<'r, Message>,
    is_head: bool,
    compaction: Option<&'r Compaction>,
}

/// Formats that hold all that was said, and a compaction where it was made.
const KEEP_HISTORY: [Format; 1] = [Format::Atif];

/// The messages to be written, in their order.
pub(crate) struct Rows<'r> {
    rows: Vec<Row<'r>>,
    /// The entry of the file that they follow.
    after: Option<&'r str>,
    /// They go into lines, where the format has both.
    are_lines: bool,
    /// How many items stand before them: of a document's list, or lines.
    items_before: usize,
}

impl<'r> Deref for Rows<'r> {
    type Target = [Row<'r>];

    fn deref(&self) -> &[Row<'r>] {
        &self.rows
    }
}

impl<'r> Rows<'r> {
    /// What of these entries has no line in the file. In a new file a compaction's handoff takes
    /// the place of what it replaced, and the head's system text is a message before all.
    pub(crate) fn of(
        entries: &'r [Arc<Entry>],
        format: Format,
        is_new: bool,
        are_lines: bool,
    ) -> Result<Rows<'r>, ExportError> {
        let of_file = |entry: &&Arc<Entry>| origin::of(entry, format.name()).is_some();
        let after = entries.iter().rev().find(of_file).map(|entry| entry.id.as_str());
        let mut rows: Vec<Row<'r>> = Vec::new();
        for entry in entries.iter().filter(|entry| !of_file(entry)) {
            let mut is_head = false;
            let message = match &entry.fact {
                Fact::Message(message) => Cow::Borrowed(&**message),
                Fact::Head(head) => match system_text(head.head.as_deref()) {
                    Some(blocks) if is_new && rows.is_empty() => {
                        is_head = true;
                        Cow::Owned(Message::new(Role::System, blocks))
                    }
                    Some(_) | None => continue,
                },
                Fact::Compaction(compaction) => {
                    if let Some(row) = handoff_of(entry, compaction) {
                        if KEEP_HISTORY.contains(&format) {
                            rows.push(row);
                        } else if is_new {
                            compact(&mut rows, row, compaction);
                        } else {
                            return refuse(entry, "a compaction of what stands in the file");
                        }
                    }
                    continue;
                }
                Fact::CallStarted(_) | Fact::Sent(_) | Fact::Retracted(_) | Fact::Opaque(_) => {
                    continue;
                }
            };
            rows.push(Row { entry, message, is_head, compaction: None });
        }
        Ok(Rows { rows, after, are_lines, items_before: 0 })
    }

    /// The same, behind this many items of a document's list, or lines.
    pub(crate) fn after_items(self, items_before: usize) -> Rows<'r> {
        Rows { items_before, ..self }
    }

    /// How many items of a document's list, or lines, stand before them.
    pub(crate) fn items_before(&self) -> usize {
        self.items_before
    }

    /// The entry of the file that they follow.
    pub(crate) fn after(&self) -> Option<&'r str> {
        self.after
    }

    /// Whether they go into lines; else they are items of a document.
    pub(crate) fn are_lines(&self) -> bool {
        self.are_lines
    }

    /// The system text of the head, where that is in a row of its own.
    pub(crate) fn system_text(&self) -> Option<String> {
        self.rows.iter().find(|row| row.is_head)?.words().ok()
    }

    /// The result of a call of a row: in the rows after it, up to the next reply with calls.
    pub(crate) fn result_of(&self, at: usize, call: &ToolUse) -> Option<&ToolResult> {
        let later = self.rows.iter().skip(at + 1);
        let results = later
            .take_while(|row| row.message.role != Role::Assistant)
            .flat_map(|row| row.message.blocks.iter().filter_map(Block::as_tool_result));
        results.into_iter().find(|result| result.tool_use_id == call.id)
    }
}

/// The handoff of a boundary that applies, as a message.
fn handoff_of<'r>(entry: &'r Entry, compaction: &'r Compaction) -> Option<Row<'r>> {
    let applies = compaction.kind == CompactionKind::Boundary && compaction.is_valid();
    let handoff = compaction.handoff.as_ref().filter(|_| applies)?;
    let role = if compaction.handoff_by_user { Role::User } else { Role::Assistant };
    let message = Message::new(role, vec![Block::text(handoff.clone())]);
    let compaction = Some(compaction);
    Some(Row { entry, message: Cow::Owned(message), is_head: false, compaction })
}

/// Puts the handoff in the place of what it replaced.
fn compact<'r>(rows: &mut Vec<Row<'r>>, handoff: Row<'r>, compaction: &Compaction) {
    let from = compaction.retained_from.as_ref();
    let from = from.and_then(|id| rows.iter().position(|row| row.entry.id == *id));
    let mut at = 0;
    rows.retain(|row| {
        at += 1;
        row.is_head
            || from.is_some_and(|from| at > from)
            || compaction.retained.contains(&row.entry.id)
    });
    let heads = rows.iter().take_while(|row| row.is_head).count();
    rows.insert(heads, handoff);
}

fn system_text(head: Option<&HeadDeclaration>) -> Option<Vec<Block>> {
    let texts = head.map(|head| head.system.as_slice()).filter(|texts| !texts.is_empty())?;
    Some(texts.iter().map(|text| Block::text(text.clone())).collect())
}

/// A block, as formats of others know them.
pub(crate) enum Piece<'r> {
    Text(&'r TextBlock),
    Thought(&'r Reasoning),
    Call(&'r ToolUse),
    Result(&'r ToolResult),
    Image(&'r Image),
    /// A block of a kind nobody has a name for, that no provider issued.
    Opaque(&'r Raw),
}

impl<'r> Row<'r> {
    /// The blocks of a row. What a provider alone reads is left out: it is another's.
    pub(crate) fn pieces(&self) -> Result<Vec<Piece<'_>>, ExportError> {
        let mut pieces = Vec::new();
        for block in &self.message.blocks {
            pieces.push(match block {
                Block::Text(text) => Piece::Text(text),
                Block::Reasoning(thought) => Piece::Thought(thought),
                Block::ToolUse(call) => Piece::Call(call),
                Block::ToolResult(result) => Piece::Result(result),
                Block::Image(image) => Piece::Image(image),
                Block::Opaque(block) if block.proof.is_some() => continue,
                Block::Opaque(block) => Piece::Opaque(&block.raw),
                Block::SystemChange(_) => {
                    return refuse(self.entry, "a change of tools or system text");
                }
            });
        }
        Ok(pieces)
    }

    /// All that is said in a row, a line feed between its texts.
    pub(crate) fn words(&self) -> Result<String, ExportError> {
        let texts = self.pieces()?;
        let texts = texts.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.text.as_str()),
            Piece::Thought(_)
            | Piece::Call(_)
            | Piece::Result(_)
            | Piece::Image(_)
            | Piece::Opaque(_) => None,
        });
        Ok(texts.collect::<Vec<&str>>().join("\n"))
    }

    /// The compaction whose handoff this is.
    pub(crate) fn compaction(&self) -> Option<&'r Compaction> {
        self.compaction
    }

    /// Whether this is the head's system text, which not every format has a place for.
    pub(crate) fn is_head(&self) -> bool {
        self.is_head
    }

    pub(crate) fn refuse<T>(&self, what: &'static str) -> Result<T, ExportError> {
        refuse(self.entry, what)
    }

    /// The text of a result, where that is all there is of it.
    pub(crate) fn output_of(&self, result: &ToolResult) -> Result<String, ExportError> {
        let text = |part: &ResultPart| matches!(part, ResultPart::Text(_));
        if result.content.iter().all(text) {
            return Ok(result.output());
        }
        self.refuse("a result that is not text alone")
    }

    /// The same, of a format that has no mark for a call that failed.
    pub(crate) fn told_of(&self, result: &ToolResult) -> Result<String, ExportError> {
        let content = crate::failure::told(result).into_owned();
        self.output_of(&ToolResult { content, ..result.clone() })
    }

    /// The bytes of an image, in base64.
    pub(crate) fn bytes_of<'i>(&self, image: &'i Image) -> Result<&'i Text, ExportError> {
        match image.source() {
            ImageSource::Base64(data) => Ok(data),
            ImageSource::Url(_) | ImageSource::File(_) | ImageSource::Blob(_) => {
                self.refuse("an image whose bytes are elsewhere")
            }
        }
    }
}

fn refuse<T>(entry: &Entry, what: &'static str) -> Result<T, ExportError> {
    Err(ExportError::CannotCarry { entry: entry.id.clone(), what })
}
