//! Messages put together: from a document or from records, one a line.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use json::{Kind, Text, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, Entry, EntryId, Fact, Finding, FindingKind, Issuer, Message, OpaqueFact, Origin, Record,
    RefMove, Rest, Role, Source as Speaker, SourceLine, Usage,
};

use super::part::{By, PartReader, thought};
use super::{API, DOCUMENT, PLATFORM};
use crate::Format;
use crate::anthropic::main_ref;
use crate::lines::Lines;
use crate::places::Places;
use crate::report::{Place, Report};
use crate::source::{document_lines, number};

/// A message, or a line that is none.
struct Slot {
    id: Text,
    /// The message and the results of its calls; or what the line is.
    rows: Rows,
    lines: Vec<SourceLine>,
    time: Option<Text>,
    /// The message it follows.
    parent: Option<usize>,
}

enum Rows {
    View(Vec<Message>),
    Aside(Text),
}

/// A chat being read.
pub(crate) struct Chat {
    report: Report,
    slots: Vec<Slot>,
    /// Messages that were not taken back, by id.
    known: HashMap<Text, usize>,
    /// Where the chat ends.
    tip: Option<usize>,
    /// The lines are those of one document.
    document: bool,
    title: Option<String>,
}

/// Records, one a line.
impl Lines for Chat {
    fn report(&mut self) -> &mut Report {
        &mut self.report
    }

    fn is_line(root: Value<'_, '_>) -> bool {
        root.get("type").is_some() && root.get("id").is_some()
    }

    fn line(&mut self, root: Value<'_, '_>, place: Place) -> usize {
        self.record(root, place)
    }

    fn aside(&mut self, kind: Text, place: Place) -> usize {
        self.push(format!("line:{}", place.line).into(), Rows::Aside(kind), None)
    }

    fn lines_of(&mut self, slot: usize) -> Option<&mut Vec<SourceLine>> {
        self.slots.get_mut(slot).map(|slot| &mut slot.lines)
    }
}

impl Chat {
    pub(crate) fn new(file: &str) -> Chat {
        Chat {
            report: Report::new(file),
            slots: Vec::new(),
            known: HashMap::new(),
            tip: None,
            document: false,
            title: None,
        }
    }

    /// Reads a document; `text` is `bytes` without a mark before it.
    pub(crate) fn document(&mut self, root: Value<'_, '_>, text: &[u8], bytes: &[u8]) {
        self.document = true;
        let slot = self.push("document".into(), Rows::Aside(DOCUMENT.into()), None);
        if let Some(slot) = self.slots.get_mut(slot) {
            slot.lines = document_lines(bytes);
        }
        self.metadata(root);
        let mut places = Places::new(text);
        for message in root.get("messages").into_iter().flat_map(Value::items) {
            let place = places.of(message);
            self.message(message, place);
        }
    }

    fn metadata(&mut self, root: Value<'_, '_>) {
        if let Some(summary) = root.get_str("summary") {
            self.title = Some(summary.into_owned());
        }
    }

    fn record(&mut self, root: Value<'_, '_>, place: Place) -> usize {
        if let Some(to) = root.get("$rewindTo").and_then(Value::to_text) {
            self.rewind(&to);
            return self.aside("$rewindTo".into(), place);
        }
        if root.get("id").is_some() {
            return self.message(root, place);
        }
        let update = root.get("$set");
        self.metadata(update.unwrap_or(root));
        let slot = self.aside(if update.is_some() { "$set" } else { "metadata" }.into(), place);
        let list = update.and_then(|update| update.get("messages"));
        if let Some(list) = list.filter(|list| list.items().next().is_some()) {
            // The whole list again: another history from its beginning.
            self.known.clear();
            self.tip = None;
            for message in list.items() {
                let offset = place.offset + message.offset() as u64;
                let bytes = message.raw().len() as u64;
                self.message(message, Place { line: place.line, offset, bytes });
            }
        }
        slot
    }

    /// Takes a message and what follows it out of the chat; all of it, where it is not there.
    fn rewind(&mut self, to: &Text) {
        let at = self.known.get(to).copied();
        let stop = at.and_then(|at| self.slots.get(at)?.parent);
        while let Some(slot) = self.tip.filter(|tip| Some(*tip) != stop) {
            let Some(slot) = self.slots.get(slot) else { break };
            self.known.remove(&slot.id);
            self.tip = slot.parent;
        }
    }

    fn push(&mut self, id: Text, rows: Rows, time: Option<Text>) -> usize {
        let slot = self.slots.len();
        let parent = self.tip;
        if matches!(rows, Rows::View(_)) {
            self.tip = Some(slot);
        }
        self.slots.push(Slot { id, rows, lines: Vec::new(), time, parent });
        slot
    }

    /// Reads a message, or more of one.
    fn message(&mut self, message: Value<'_, '_>, place: Place) -> usize {
        let text = |name: &str| message.get(name).and_then(Value::to_text);
        let kind = text("type").unwrap_or_default();
        let rows = match &*kind {
            "user" => self.said(message, place),
            "gemini" => self.reply(message, place),
            "info" | "error" | "warning" => None,
            _ => {
                self.report.keep_aside(&format!("message of type {:?}", &*kind), place);
                None
            }
        };
        let id = text("id").filter(|id| !id.is_empty());
        let known = id.as_ref().and_then(|id| self.known.get(id).copied());
        match (rows, known) {
            (Some(rows), Some(known)) => {
                if let Some(slot) = self.slots.get_mut(known) {
                    slot.rows = Rows::View(rows);
                }
                known
            }
            (Some(rows), None) => {
                let named = id.clone().unwrap_or_else(|| self.unnamed(place));
                let slot = self.push(named, Rows::View(rows), text("timestamp"));
                self.known.extend(id.map(|id| (id, slot)));
                slot
            }
            // In a document the document itself keeps it.
            (None, _) if self.document => 0,
            (None, _) => {
                let named = id.unwrap_or_else(|| self.unnamed(place));
                self.push(named, Rows::Aside(kind), text("timestamp"))
            }
        }
    }

    fn unnamed(&self, place: Place) -> Text {
        if self.document {
            format!("messages.{}", self.slots.len() - 1).into()
        } else {
            format!("line:{}", place.line).into()
        }
    }

    fn unread(&mut self, place: Place) -> Option<Vec<Message>> {
        let detail = "a message whose content cannot be read is kept as it is";
        self.report.add(FindingKind::UnreadField, place, detail);
        None
    }

    fn said(&mut self, message: Value<'_, '_>, place: Place) -> Option<Vec<Message>> {
        // Media the user gave goes to any model of the API.
        let (platform, api): (Text, Text) = (PLATFORM.into(), API.into());
        let issuer = Arc::new(Issuer { platform, api, ..Issuer::default() });
        let mut parts = PartReader { by: By::Person, issuer, report: &mut self.report, place };
        let content = message.get("content").filter(|list| list.items().nth(BLOCKS_MAX).is_none());
        let Some(blocks) = content.and_then(|content| parts.content(content)) else {
            return self.unread(place);
        };
        let mut said = Message::new(Role::User, blocks);
        said.source = Some(Speaker::User);
        Some(vec![said])
    }

    fn reply(&mut self, message: Value<'_, '_>, place: Place) -> Option<Vec<Message>> {
        let model = message.get("model").and_then(Value::to_text).unwrap_or_default();
        let (platform, api): (Text, Text) = (PLATFORM.into(), API.into());
        let issuer = Arc::new(Issuer { platform, account: None, api, model });
        let list = |name: &str| message.get(name).into_iter().flat_map(Value::items);
        let long = |name: &str| list(name).nth(BLOCKS_MAX).is_some();
        if ["content", "thoughts", "toolCalls"].into_iter().any(long) {
            return self.unread(place);
        }
        let mut parts = PartReader {
            by: By::Model,
            issuer: Arc::clone(&issuer),
            report: &mut self.report,
            place,
        };
        let content = message.get("content").map(|content| parts.content(content));
        let Some(said) = content.unwrap_or_else(|| Some(Vec::new())) else {
            return self.unread(place);
        };
        // The parts of the API are all there is to say, where they hold more than words.
        let whole = said.iter().any(|b| matches!(b, Block::ToolUse(_) | Block::Reasoning(_)));
        let mut blocks: Vec<Block> = Vec::new();
        if !whole {
            blocks.extend(list("thoughts").filter_map(thought));
        }
        blocks.extend(said);
        if !whole {
            blocks.extend(list("toolCalls").filter_map(|call| parts.recorded_call(call)));
        }
        let results: Vec<_> = list("toolCalls").filter_map(|call| parts.result(call)).collect();
        let mut reply = Message::new(Role::Assistant, blocks);
        if !issuer.model.is_empty() {
            let (platform, api) = (issuer.platform.clone(), issuer.api.clone());
            let model = issuer.model.clone();
            reply.source = Some(Speaker::Model { platform, api, model, account: None });
        }
        reply.usage = message.get("tokens").and_then(usage_of);
        let mut rows = vec![reply];
        for result in results {
            let call_id = result.tool_use_id.clone();
            let mut row = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
            row.source = Some(Speaker::Tool { call_id });
            rows.push(row);
        }
        Some(rows)
    }

    /// The record, with what was found and the title.
    pub(crate) fn finish(self) -> (Record, Vec<Finding>, Option<String>) {
        let Chat { report, slots, tip, document, title, .. } = self;
        let format: Arc<str> = Format::GeminiCli.name().into();
        let mut ids = HashSet::new();
        let mut record = Record::default();
        // The last row of each slot, and whether it is no end.
        let mut last: Vec<Option<EntryId>> = Vec::with_capacity(slots.len());
        let aside = |slot: &Slot| matches!(slot.rows, Rows::Aside(_));
        let mut followed: Vec<bool> = slots.iter().map(aside).collect();
        for slot in slots {
            let Slot { id, rows, lines, time, parent } = slot;
            let mut above = parent.and_then(|at| last.get(at)).cloned().flatten();
            if document && parent.is_none() {
                above = last.first().cloned().flatten();
            }
            let view = matches!(rows, Rows::View(_));
            if let Some(followed) = parent.filter(|_| view).and_then(|at| followed.get_mut(at)) {
                *followed = true;
            }
            let facts = match rows {
                Rows::View(messages) => {
                    messages.into_iter().map(|row| Fact::Message(Box::new(row))).collect()
                }
                Rows::Aside(kind) => vec![Fact::Opaque(OpaqueFact { kind, raw: None })],
            };
            let mut lines = Some(lines).filter(|_| !document || last.is_empty());
            for (index, fact) in facts.into_iter().enumerate() {
                let name = match index {
                    0 => id.clone(),
                    index => format!("{id}:result.{}", index - 1).into(),
                };
                let id = free_name(&mut ids, name);
                let lines = lines.take().or_else(|| (!document).then(Vec::new));
                let origin =
                    lines.map(|lines| Box::new(Origin { format: Arc::clone(&format), lines }));
                let (time, rest, parent) = (time.clone(), Rest::default(), above.take());
                above = Some(id.clone());
                record.entries.push(Arc::new(Entry {
                    id,
                    parent,
                    seq: 0,
                    time,
                    fact,
                    origin,
                    rest,
                }));
            }
            last.push(above.filter(|_| view || document));
        }
        refs(&mut record, tip, &last, &followed);
        number(&mut record);
        (record, report.finish(), title)
    }
}

/// `main` ends at the tip; what was taken back is a branch.
fn refs(record: &mut Record, tip: Option<usize>, last: &[Option<EntryId>], followed: &[bool]) {
    let main = match tip {
        Some(tip) => last.get(tip).cloned().flatten(),
        None => last.first().cloned().flatten(),
    };
    if main.is_some() {
        record.refs.push(main_ref(main));
    }
    let ends = last.iter().zip(followed).enumerate();
    let ends = ends.filter(|(at, (_, followed))| Some(*at) != tip && !**followed);
    let ends = ends.filter_map(|(_, (id, _))| id.clone());
    for (index, end) in ends.enumerate() {
        let (branch, reason) = (format!("branch-{}", index + 2).into(), "import".into());
        let (tip, time, rest) = (Some(end), None, Rest::default());
        record.refs.push(RefMove { branch, tip, reason, time, rest });
    }
}

fn free_name(ids: &mut HashSet<Text>, mut name: Text) -> EntryId {
    let order = ids.len();
    while !ids.insert(name.clone()) {
        name = format!("{name}#{order}").into();
    }
    EntryId::new(name.as_str())
}

/// What was read counts what came from the cache; thoughts and the tools' own prompts are apart.
fn usage_of(tokens: Value<'_, '_>) -> Option<Usage> {
    let count = |name: &str| tokens.get(name).and_then(Value::as_u64).unwrap_or(0);
    (tokens.kind() == Kind::Object).then(|| Usage {
        input_tokens: count("input").saturating_sub(count("cached")).saturating_add(count("tool")),
        output_tokens: count("output").saturating_add(count("thoughts")),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: count("cached"),
    })
}
