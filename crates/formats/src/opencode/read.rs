//! A document, read as a record.

use std::collections::HashSet;
use std::sync::Arc;

use json::{Text, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, BlockRef, Compaction, CompactionKind, Entry, EntryId, Fact, FindingKind, Message,
    OpaqueFact, Origin, Record, RefMove, Rest, Role, Source as Speaker,
};

use super::part::{Parts, Step};
use super::{COMPACTION_QUESTION, DOCUMENT, proof};
use crate::anthropic::{main_ref, parse};
use crate::error::ImportError;
use crate::places::Places;
use crate::report::Report;
use crate::source::{BOM, document_lines, number};
use crate::{Format, Imported};

/// Reads an exported session.
pub(crate) fn import(bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let doc = parse(text)?;
    let mut reader = Reader::new(text, file);
    reader.document(bytes);
    let info = doc.root().get("info");
    let reverted = info.and_then(|info| info.get("revert")?.get("messageID")?.to_text());
    for message in doc.root().get("messages").into_iter().flat_map(Value::items) {
        reader.message(message, reverted.as_ref());
    }
    reader.unanswered_question();
    let title = info.and_then(|info| info.get_str("title")).map(|title| title.into_owned());
    Ok(reader.finish(title))
}

/// A question for a summary whose answer has not been seen.
struct Question {
    id: Text,
    message: Message,
    /// The first message that is kept.
    kept_from: Option<Text>,
}

struct Reader<'t> {
    places: Places<'t>,
    report: Report,
    record: Record,
    ids: HashSet<Text>,
    question: Option<Question>,
    /// Results whose output the harness cleared.
    cleared: Vec<BlockRef>,
    /// Where the view ends, if what follows was reverted.
    reverted_to: Option<Option<EntryId>>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8], file: &str) -> Reader<'t> {
        Reader {
            places: Places::new(text),
            report: Report::new(file),
            record: Record::default(),
            ids: HashSet::new(),
            question: None,
            cleared: Vec::new(),
            reverted_to: None,
        }
    }

    fn document(&mut self, bytes: &[u8]) {
        let fact = Fact::Opaque(OpaqueFact { kind: DOCUMENT.into(), raw: None });
        let format = Format::OpenCode.name().into();
        let origin = Origin { format, lines: document_lines(bytes) };
        let id = self.push("document".into(), fact);
        if let Some(entry) = self.record.entries.last_mut().filter(|entry| entry.id == id) {
            Arc::make_mut(entry).origin = Some(Box::new(origin));
        }
    }

    fn tip(&self) -> Option<EntryId> {
        self.record.entries.last().map(|entry| entry.id.clone())
    }

    fn push(&mut self, id: Text, fact: Fact) -> EntryId {
        let mut name = id;
        let order = self.record.entries.len();
        while !self.ids.insert(name.clone()) {
            name = format!("{name}#{order}").into();
        }
        let id = EntryId::new(name.as_str());
        let (parent, rest) = (self.tip(), Rest::default());
        let entry = Entry { id: id.clone(), parent, seq: 0, time: None, fact, origin: None, rest };
        self.record.entries.push(Arc::new(entry));
        id
    }

    fn message(&mut self, value: Value<'_, '_>, reverted: Option<&Text>) {
        let place = self.places.of(value);
        let (Some(info), Some(list)) = (value.get("info"), value.get("parts")) else {
            self.report.add(FindingKind::UnreadField, place, "a message without info and parts");
            return;
        };
        let role = info.get("role").and_then(Value::to_text).unwrap_or_default();
        let id = info.get("id").and_then(Value::to_text).filter(|id| !id.is_empty());
        if id.is_some() && id.as_ref() == reverted && self.reverted_to.is_none() {
            self.unanswered_question();
            self.reverted_to = Some(self.tip());
        }
        let id = id.unwrap_or_else(|| format!("messages.{}", self.record.entries.len()).into());
        if list.items().nth(BLOCKS_MAX).is_some() {
            self.report.add(FindingKind::UnreadField, place, "a message of too many parts");
            return;
        }
        let issuer = proof::issuer(info, list);
        let mut parts = Parts { issuer, report: &mut self.report, place };
        match &*role {
            "user" => {
                let blocks = parts.said(list);
                self.said(id, blocks, list);
            }
            "assistant" => {
                let steps = parts.steps(info, list);
                self.reply(id, info, steps);
            }
            _ => {
                let detail = format!("message of role {:?}", &*role);
                self.report.keep_aside(&detail, place);
            }
        }
    }

    fn said(&mut self, id: Text, blocks: Vec<Block>, list: Value<'_, '_>) {
        self.unanswered_question();
        if blocks.is_empty() {
            return;
        }
        let mut message = Message::new(Role::User, blocks);
        message.source = Some(Speaker::User);
        match list.items().find(|part| part.get_str("type").as_deref() == Some("compaction")) {
            Some(part) => {
                let kept_from = part.get("tail_start_id").and_then(Value::to_text);
                self.question = Some(Question { id, message, kept_from });
            }
            None => {
                self.push(id, Fact::Message(Box::new(message)));
            }
        }
    }

    /// A question without an answer is a message like others.
    fn unanswered_question(&mut self) {
        if let Some(Question { id, message, .. }) = self.question.take() {
            self.push(id, Fact::Message(Box::new(message)));
        }
    }

    fn reply(&mut self, id: Text, info: Value<'_, '_>, steps: Vec<Step>) {
        let summary = info.get("summary").and_then(Value::as_bool) == Some(true)
            && info.get("finish").is_some()
            && info.get("error").is_none();
        if let Some(handoff) = summary.then(|| spoken(&steps)).flatten() {
            self.compaction(id, handoff);
            return;
        }
        self.unanswered_question();
        for (index, step) in steps.into_iter().enumerate() {
            let id = match index {
                0 => id.clone(),
                index => format!("{id}:step.{index}").into(),
            };
            let row = self.push(id, Fact::Message(Box::new(step.reply)));
            for (index, result) in step.results.into_iter().enumerate() {
                let call_id = result.block.tool_use_id.clone();
                let mut message = Message::new(Role::Tool, vec![Block::ToolResult(result.block)]);
                message.source = Some(Speaker::Tool { call_id });
                let id = format!("{row}:result.{index}").into();
                let row = self.push(id, Fact::Message(Box::new(message)));
                if result.cleared {
                    self.cleared.push(BlockRef { row, block: 0 });
                }
            }
        }
    }

    fn compaction(&mut self, id: Text, handoff: Text) {
        let question = self.question.take();
        let kept = question.as_ref().and_then(|question| question.kept_from.as_ref());
        let kept = kept.filter(|id| self.ids.contains(id)).map(|id| EntryId::new(id.as_str()));
        let compaction = Compaction {
            kind: CompactionKind::Boundary,
            continuation: Some(COMPACTION_QUESTION.into()),
            handoff: Some(handoff),
            handoff_by_user: false,
            retained_from: kept,
            retained: Vec::new(),
            split_as_found: true,
            cleared: Vec::new(),
            rest: Rest::default(),
        };
        let id = question.map_or(id, |question| question.id);
        self.push(id, Fact::Compaction(Box::new(compaction)));
    }

    fn finish(mut self, title: Option<String>) -> Imported {
        let reverted = self.reverted_to.take();
        let last = self.tip();
        if !self.cleared.is_empty() {
            let cleared = std::mem::take(&mut self.cleared);
            self.push("cleared".into(), Fact::Compaction(Box::new(micro(cleared))));
            if let (Some(tip), Some(entry)) = (&reverted, self.record.entries.last_mut()) {
                Arc::make_mut(entry).parent = tip.clone();
            }
        }
        let tip = match (&reverted, self.tip()) {
            (Some(tip), newest) if newest == last => tip.clone(),
            (_, newest) => newest,
        };
        self.record.refs.push(main_ref(tip));
        if reverted.is_some() {
            let (branch, reason) = ("branch-2".into(), "import".into());
            let (time, rest) = (None, Rest::default());
            self.record.refs.push(RefMove { branch, tip: last, reason, time, rest });
        }
        number(&mut self.record);
        let findings = self.report.finish();
        Imported { format: Format::OpenCode, record: self.record, findings, title }
    }
}

/// What the steps of a message say, if they only speak.
fn spoken(steps: &[Step]) -> Option<Text> {
    let blocks = steps.iter().flat_map(|step| &step.reply.blocks);
    let texts = blocks.filter_map(Block::as_text).map(|text| &text.text);
    let mut texts = texts.filter(|text| !record::blank::is_blank(text));
    let first = texts.next()?;
    let rest: String = texts.map(|text| format!("\n{text}")).collect();
    Some(if rest.is_empty() { first.clone() } else { format!("{first}{rest}").into() })
}

fn micro(cleared: Vec<BlockRef>) -> Compaction {
    Compaction {
        kind: CompactionKind::Micro,
        continuation: None,
        handoff: None,
        handoff_by_user: false,
        retained_from: None,
        retained: Vec::new(),
        split_as_found: true,
        cleared,
        rest: Rest::default(),
    }
}
