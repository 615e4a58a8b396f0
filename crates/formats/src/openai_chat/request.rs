//! A request body, read as a record.

use std::sync::Arc;

use json::{Array, Doc, Kind, Value};
use record::{
    Entry, EntryId, Fact, FindingKind, Head, HeadDeclaration, Issuer, Message, OpaqueFact, Origin,
    Record, Rest, Role, Source, Target,
};
use wire::openai_chat::vendors::Form;

use super::message::MessageReader;
use super::ollama::{self, Waiting};
use super::tools::Tools;
use super::{TOOLS_AS_WRITTEN, document, format, platform_of};
use crate::Imported;
use crate::anthropic::block::CallNames;
use crate::anthropic::{main_ref, parse, sent_of};
use crate::error::ImportError;
use crate::places::Places;
use crate::report::Report;
use crate::rest::rest_of;
use crate::source::{BOM, document_lines, number, one_line};

/// Whose request it is taken to be.
const AGENT: &str = "main";

/// Reads a body.
pub(crate) fn import(bytes: &[u8], file: &str, form: Form) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let doc = parse(text)?;
    let mut reader = Reader::new(&doc, text, file, form);
    reader.document(bytes);
    let list = match doc.root().kind() {
        Kind::Array => Some(doc.root()),
        _ => doc.root().get("messages"),
    };
    let messages: Vec<Value<'_, '_>> = list.into_iter().flat_map(Value::items).collect();
    let leading = messages.iter().take_while(|message| is_instruction(**message)).count();
    let (ahead, rest) = messages.split_at_checked(leading).unwrap_or((&[], &messages));
    reader.head(doc.root(), ahead);
    reader.messages(rest, leading);
    reader.sent(doc.root());
    Ok(reader.finish())
}

/// Whether a message is nothing but text of the operator.
fn is_instruction(message: Value<'_, '_>) -> bool {
    let role = message.get_str("role");
    let text = |part: Value<'_, '_>| part.get("text").is_some_and(|t| t.kind() == Kind::String);
    matches!(role.as_deref(), Some("system" | "developer"))
        && message.get("content").is_some_and(|content| match content.kind() {
            Kind::String => true,
            Kind::Array => content.items().all(text),
            _ => false,
        })
}

struct Reader<'t> {
    places: Places<'t>,
    form: Form,
    issuer: Arc<Issuer>,
    names: CallNames,
    /// Calls without a result yet, where results match them by order.
    waiting: Waiting,
    report: Report,
    record: Record,
}

impl<'t> Reader<'t> {
    fn new(doc: &Doc<'_>, text: &'t [u8], file: &str, form: Form) -> Reader<'t> {
        let model = doc.root().get("model").and_then(Value::to_text).unwrap_or_default();
        let platform = match form {
            Form::Completions => platform_of(&model).unwrap_or_default(),
            Form::Ollama => ollama::PLATFORM,
        };
        let (platform, api) = (platform.into(), form.api().into());
        Reader {
            places: Places::new(text),
            form,
            issuer: Arc::new(Issuer { platform, account: None, api, model }),
            names: CallNames::new(),
            waiting: Waiting::new(),
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
        let fact = Fact::Opaque(OpaqueFact { kind: document(self.form).into(), raw: None });
        let format = format(self.form).name().into();
        let origin = Origin { format, lines: document_lines(bytes) };
        self.push("document".into(), fact, Some(Box::new(origin)));
    }

    /// Tools, and the system messages ahead of the conversation.
    fn head(&mut self, root: Value<'_, '_>, ahead: &[Value<'_, '_>]) {
        let mut system = Vec::new();
        for content in ahead.iter().filter_map(|message| message.get("content")) {
            system.extend(content.to_text().filter(|text| !text.is_empty()));
            let parts = content.items().filter_map(|part| part.get("text"));
            system.extend(parts.filter_map(Value::to_text));
        }
        let mut tools = Tools::default();
        for list in ["tools", "functions"] {
            for tool in root.get(list).into_iter().flat_map(Value::items) {
                if !tools.take(tool) {
                    self.unread(tool, "a tool that is no function");
                }
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

    fn messages(&mut self, messages: &[Value<'_, '_>], leading: usize) {
        for (index, value) in messages.iter().enumerate() {
            let id = EntryId::new(format!("messages.{}", leading + index));
            match self.message(*value, &id) {
                Some(message) => self.push(id, Fact::Message(Box::new(message)), None),
                None => {
                    self.unread(*value, "a message without a known role and content");
                    let fact = OpaqueFact { kind: "message".into(), raw: Some(one_line(*value)) };
                    self.push(id, Fact::Opaque(fact), None);
                }
            }
        }
    }

    fn message(&mut self, value: Value<'_, '_>, id: &EntryId) -> Option<Message> {
        let place = self.places.of(value);
        let mut reader = MessageReader {
            issuer: Arc::clone(&self.issuer),
            names: &mut self.names,
            report: &mut self.report,
            place,
        };
        if self.form == Form::Ollama {
            let mut message = reader.ollama(value, id, &mut self.waiting)?;
            if message.role == Role::Assistant {
                message.source = source(&self.issuer);
            }
            return Some(message);
        }
        reader.message(value)
    }

    fn sent(&mut self, root: Value<'_, '_>) {
        let Issuer { platform, model, .. } = &*self.issuer;
        if model.is_empty() {
            return;
        }
        let (platform, model) = (platform.clone(), model.clone());
        let target = Target { dialect: self.issuer.api.clone(), platform, model, account: None };
        let rest = rest_of(root, &["model", "tools", "functions", "messages"]);
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
        Imported { format: format(self.form), record, findings, title: None }
    }
}

/// Whose reply it is, where the body names a model.
fn source(issuer: &Issuer) -> Option<Source> {
    let Issuer { platform, api, model, account: _ } = issuer.clone();
    (!model.is_empty()).then_some(Source::Model { platform, api, model, account: None })
}
