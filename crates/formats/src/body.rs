//! A request body read as a record: what the reader of every API does alike.
#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::HashSet;
use std::sync::Arc;

use json::{Object, Raw, Text, Value};
use record::{
    Block, Entry, EntryId, Fact, FindingKind, Head, HeadDeclaration, Issuer, Message, OpaqueFact,
    Origin, Record, Rest, Target,
};

use crate::anthropic::{main_ref, sent_of};
use crate::places::Places;
use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::{BOM, document_lines, number, one_line};
use crate::{Format, Imported};

/// Whose request it is taken to be.
const AGENT: &str = "main";

/// The member of a head that holds tools as the body wrote them, where the head's form says less.
pub(crate) const TOOLS_AS_WRITTEN: &str = "tools_as_written";

/// The member of a `sent` that holds parameters whose names mean something else in its line.
pub(crate) const PARAMETERS: &str = "parameters";

/// The parameters of a request: its members beside those that are known.
pub(crate) fn parameters_of(root: Value<'_, '_>, known: &[&str]) -> Rest {
    let mut rest = rest_of(root, &[known, &[PARAMETERS]].concat());
    let names: HashSet<Text> = rest.iter().map(|(name, _)| name.clone()).collect();
    let (mut aside, mut has_aside) = (Object::new(), false);
    for (name, value) in root.members() {
        let Some(name) = name.to_text() else { continue };
        if !known.contains(&name.as_str()) && !names.contains(&name) {
            aside.raw(&name, &one_line(value));
            has_aside = true;
        }
    }
    if has_aside {
        rest.push(PARAMETERS.into(), aside.finish());
    }
    rest
}

/// A body at work: its entries, each behind the one before, and what was found in it.
pub(crate) struct Body<'t> {
    pub(crate) places: Places<'t>,
    pub(crate) report: Report,
    pub(crate) record: Record,
    format: Format,
}

impl<'t> Body<'t> {
    /// The document alone, whose bytes the first entry keeps; `kind` is that entry's.
    pub(crate) fn new(format: Format, kind: &str, bytes: &'t [u8], file: &str) -> Body<'t> {
        let mut body = Body {
            places: Places::new(bytes.strip_prefix(BOM).unwrap_or(bytes)),
            report: Report::new(file),
            record: Record::default(),
            format,
        };
        let fact = Fact::Opaque(OpaqueFact { kind: kind.into(), raw: None });
        let origin = Origin { format: format.name().into(), lines: document_lines(bytes) };
        body.add("document".into(), fact, Some(Box::new(origin)));
        body
    }

    /// An entry behind the last.
    pub(crate) fn push(&mut self, id: EntryId, fact: Fact) {
        self.add(id, fact, None);
    }

    fn add(&mut self, id: EntryId, fact: Fact, origin: Option<Box<Origin>>) {
        let parent = self.record.entries.last().map(|entry| entry.id.clone());
        let rest = Rest::default();
        let entry = Entry { id, parent, seq: 0, time: None, fact, origin, rest };
        self.record.entries.push(Arc::new(entry));
    }

    /// Tools and system text, if there are any; the tools as they were written where the head's
    /// form says less.
    pub(crate) fn head(&mut self, head: HeadDeclaration, as_written: Option<Raw>) {
        if head == HeadDeclaration::default() && as_written.is_none() {
            return;
        }
        let mut rest = Rest::default();
        if let Some(tools) = as_written {
            rest.push(TOOLS_AS_WRITTEN.into(), tools);
        }
        let head = Head {
            agent: AGENT.into(),
            head: Some(Arc::new(head)),
            folds_through: None,
            owners: None,
            reason: "imported".into(),
            rest,
        };
        self.push("head".into(), Fact::Head(Box::new(head)));
    }

    /// A message; what is none that is known is kept as it is.
    pub(crate) fn message(&mut self, id: EntryId, message: Option<Message>, value: Value<'_, '_>) {
        match message {
            Some(message) => self.push(id, Fact::Message(Box::new(message))),
            None => self.aside(id, "message", value, "a message without a known role and content"),
        }
    }

    /// A value that is no message, kept as it is.
    pub(crate) fn aside(&mut self, id: EntryId, kind: &str, value: Value<'_, '_>, what: &str) {
        self.unread(value, what);
        let fact = OpaqueFact { kind: kind.into(), raw: Some(one_line(value)) };
        self.push(id, Fact::Opaque(fact));
    }

    /// Says that who answers is named nowhere in the body: many clients name the model in the
    /// address alone.
    pub(crate) fn no_model(&mut self) {
        let detail = "the body names no model: of its replies and their proofs it is not known";
        self.report.add(FindingKind::Assumed, Place::default(), detail);
    }

    /// Says that the platform was taken from the model's name, where something hangs on it: what a
    /// model thought and what was sealed goes back to that platform alone.
    pub(crate) fn guessed(&mut self, issuer: &Issuer) {
        let blocks = self.record.entries.iter().filter_map(|entry| entry.message());
        let mut blocks = blocks.flat_map(|message| &message.blocks);
        let platform = &*issuer.platform;
        if !platform.is_empty() && blocks.any(hangs_on_platform) {
            let detail =
                format!("the body does not say who served its model; {platform} is assumed");
            self.report.add(FindingKind::Assumed, Place::default(), detail);
        }
    }

    /// The request that the body is, to whoever is to answer; none where it ends with no message.
    pub(crate) fn sent_to(&mut self, issuer: &Issuer, rest: Rest) {
        let Issuer { platform, api, model, account: _ } = issuer.clone();
        let target = Target { dialect: api, platform, model, account: None };
        if let Some(sent) = sent_of(&self.record, AGENT, target, rest) {
            self.push("sent".into(), sent);
        }
    }

    /// Says of a value that it was not read.
    pub(crate) fn unread(&mut self, value: Value<'_, '_>, what: &str) {
        let place = self.places.of(value);
        self.report.add(FindingKind::UnreadField, place, format!("{what} is kept as it is"));
    }

    /// The record, with its branch.
    pub(crate) fn finish(mut self) -> Imported {
        let tip = self.record.entries.last().map(|entry| entry.id.clone());
        self.record.refs.push(main_ref(tip));
        number(&mut self.record);
        let (record, findings) = (self.record, self.report.finish());
        Imported { format: self.format, record, findings, title: None }
    }
}

fn hangs_on_platform(block: &Block) -> bool {
    match block {
        Block::Reasoning(_) => true,
        Block::Text(text) => text.proof.is_some(),
        Block::ToolUse(call) => call.proof.is_some(),
        Block::Opaque(opaque) => opaque.proof.is_some(),
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => false,
    }
}
