//! A request body, read as a record.

use std::sync::Arc;

use json::{Array, Doc, Kind, Text, Value};
use record::{
    Entry, EntryId, Fact, FindingKind, Head, HeadDeclaration, Issuer, Message, OpaqueFact, Origin,
    Record, Rest, Role, Source, Target,
};

use super::block::BlockReader;
use super::tools::Tools;
use super::{API, DOCUMENT, PLATFORM};
use crate::anthropic::block::CallNames;
use crate::anthropic::{main_ref, parse, role_of, sent_of};
use crate::error::ImportError;
use crate::openai_chat::TOOLS_AS_WRITTEN;
use crate::places::Places;
use crate::report::Report;
use crate::rest::rest_of;
use crate::source::{BOM, document_lines, number, one_line};
use crate::{Format, Imported};

/// Whose request it is taken to be.
const AGENT: &str = "main";

/// Reads a body.
pub(crate) fn import(bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let doc = parse(text)?;
    let mut reader = Reader::new(&doc, text, file);
    reader.document(bytes);
    let list = match doc.root().kind() {
        Kind::Array => Some(doc.root()),
        _ => doc.root().get("messages"),
    };
    reader.head(doc.root());
    for (index, value) in list.into_iter().flat_map(Value::items).enumerate() {
        reader.message(index, value);
    }
    reader.sent(doc.root());
    Ok(reader.finish())
}

struct Reader<'t> {
    places: Places<'t>,
    issuer: Arc<Issuer>,
    names: CallNames,
    report: Report,
    record: Record,
}

impl<'t> Reader<'t> {
    fn new(doc: &Doc<'_>, text: &'t [u8], file: &str) -> Reader<'t> {
        let model = doc.root().get("modelId").and_then(Value::to_text).unwrap_or_default();
        let (platform, api) = (Text::from(PLATFORM), Text::from(API));
        Reader {
            places: Places::new(text),
            issuer: Arc::new(Issuer { platform, account: None, api, model }),
            names: CallNames::new(),
            report: Report::new(file),
            record: Record::default(),
        }
    }

    fn push(&mut self, id: EntryId, fact: Fact, origin: Option<Box<Origin>>) {
        let parent = self.record.entries.last().map(|entry| entry.id.clone());
        let rest = Rest::default();
        let entry = Entry { id, parent, seq: 0, time: None, fact, origin, rest };
        self.record.entries.push(Arc::new(entry));
    }

    fn document(&mut self, bytes: &[u8]) {
        let fact = Fact::Opaque(OpaqueFact { kind: DOCUMENT.into(), raw: None });
        let format = Format::BedrockConverse.name().into();
        let origin = Origin { format, lines: document_lines(bytes) };
        self.push("document".into(), fact, Some(Box::new(origin)));
    }

    fn head(&mut self, root: Value<'_, '_>) {
        let mut system = Vec::new();
        for block in root.get("system").into_iter().flat_map(Value::items) {
            match block.get("text").and_then(Value::to_text) {
                Some(text) => system.push(text),
                None if block.get("cachePoint").is_some() => {}
                None => self.unread(block, "a system block without text"),
            }
        }
        let mut tools = Tools::default();
        let list = root.get("toolConfig").and_then(|config| config.get("tools"));
        for tool in list.into_iter().flat_map(Value::items) {
            if !tools.take(tool) {
                self.unread(tool, "a tool of an unknown kind");
            }
        }
        let Tools { definitions, as_written, has_as_written } = tools;
        let head = HeadDeclaration { tools: definitions, system };
        if head == HeadDeclaration::default() && !has_as_written {
            return;
        }
        let mut rest = Rest::default();
        if has_as_written {
            rest.push(TOOLS_AS_WRITTEN.into(), Array::finish(&as_written));
        }
        let head = Head {
            agent: AGENT.into(),
            head: Some(Arc::new(head)),
            folds_through: None,
            owners: None,
            reason: "imported".into(),
            rest,
        };
        self.push("head".into(), Fact::Head(Box::new(head)), None);
    }

    fn message(&mut self, index: usize, value: Value<'_, '_>) {
        let id = EntryId::new(format!("messages.{index}"));
        match self.known(value) {
            Some(message) => self.push(id, Fact::Message(Box::new(message)), None),
            None => {
                self.unread(value, "a message without a known role and content");
                let fact = OpaqueFact { kind: "message".into(), raw: Some(one_line(value)) };
                self.push(id, Fact::Opaque(fact), None);
            }
        }
    }

    fn known(&mut self, value: Value<'_, '_>) -> Option<Message> {
        let role = Role::from_name(&value.get_str("role")?)?;
        let mut reader = BlockReader {
            issuer: Arc::clone(&self.issuer),
            names: &mut self.names,
            report: &mut self.report,
            place: self.places.of(value),
        };
        let blocks = reader.content(value.get("content")?)?;
        let mut message = Message::new(role_of(role, &blocks), blocks);
        if role == Role::Assistant {
            let Issuer { platform, account, api, model } = (*self.issuer).clone();
            message.source = Some(Source::Model { platform, api, model, account });
        }
        message.rest = rest_of(value, &["role", "content"]);
        Some(message)
    }

    fn sent(&mut self, root: Value<'_, '_>) {
        let Issuer { platform, api, model, .. } = (*self.issuer).clone();
        if model.is_empty() {
            return;
        }
        let target = Target { dialect: api, platform, model, account: None };
        let rest = rest_of(root, &["modelId", "system", "messages"]);
        if let Some(sent) = sent_of(&self.record, AGENT, target, rest) {
            self.push("sent".into(), sent, None);
        }
    }

    fn unread(&mut self, value: Value<'_, '_>, what: &str) {
        let place = self.places.of(value);
        self.report.add(FindingKind::UnreadField, place, format!("{what} is kept as it is"));
    }

    fn finish(mut self) -> Imported {
        let tip = self.record.entries.last().map(|entry| entry.id.clone());
        self.record.refs.push(main_ref(tip));
        number(&mut self.record);
        let (record, findings) = (self.record, self.report.finish());
        Imported { format: Format::BedrockConverse, record, findings, title: None }
    }
}
