//! A request body, read as a record.

use std::sync::Arc;

use json::{Kind, Text, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, Entry, EntryId, Fact, FindingKind, Head, HeadDeclaration, Issuer, Message, OpaqueFact,
    Origin, Record, Rest, Role, Source, Target,
};
use wire::gemini::models::{DEFAULT_MODEL, bare};

use super::ids::Ids;
use super::tools::{self, Tools};
use super::{API, DOCUMENT, PLATFORM, TOOLS_AS_WRITTEN};
use crate::anthropic::{main_ref, parse, role_of, sent_of};
use crate::error::ImportError;
use crate::gemini_cli::part::{PartReader, member};
use crate::places::Places;
use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::{BOM, document_lines, number, one_line};
use crate::{Format, Imported};

/// Whose request it is taken to be.
const AGENT: &str = "main";

/// Members of a body that only Vertex has.
const VERTEX_MEMBERS: [&str; 2] = ["labels", "modelArmorConfig"];

/// Vertex, as issuers and targets name it.
const VERTEX: &str = "google-cloud";

/// Reads a body.
pub(crate) fn import(bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let doc = parse(text)?;
    let mut reader = Reader::new(doc.root(), text, file);
    reader.document(bytes);
    reader.head(doc.root());
    reader.contents(doc.root());
    reader.sent(doc.root());
    Ok(reader.finish())
}

struct Reader<'t> {
    places: Places<'t>,
    /// Who made what the model said.
    issuer: Arc<Issuer>,
    /// The same of what the user gave: any model of the platform reads it.
    given: Arc<Issuer>,
    ids: Ids,
    report: Report,
    record: Record,
    /// The response at work: contents of the model in a row are one.
    response: Option<(EntryId, Vec<Block>)>,
}

impl<'t> Reader<'t> {
    fn new(root: Value<'_, '_>, text: &'t [u8], file: &str) -> Reader<'t> {
        let mut report = Report::new(file);
        let named = root.get_str("model").map(|model| bare(&model).to_owned());
        let model = named.filter(|model| !model.is_empty()).unwrap_or_else(|| {
            let detail = format!("the body names no model; {DEFAULT_MODEL} is assumed");
            report.add(FindingKind::Assumed, Place::default(), detail);
            DEFAULT_MODEL.to_owned()
        });
        let on_vertex = VERTEX_MEMBERS.iter().any(|name| root.get(name).is_some());
        let platform = Text::from(if on_vertex { VERTEX } else { PLATFORM });
        let of = |model: Text| {
            let (platform, api) = (platform.clone(), API.into());
            Arc::new(Issuer { platform, account: None, api, model })
        };
        Reader {
            places: Places::new(text),
            issuer: of(model.into()),
            given: of(Text::default()),
            ids: Ids::new(root),
            report,
            record: Record::default(),
            response: None,
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
        let origin = Origin { format: Format::Gemini.name().into(), lines: document_lines(bytes) };
        self.push("document".into(), fact, Some(Box::new(origin)));
    }

    /// Tools, and the system instruction.
    fn head(&mut self, root: Value<'_, '_>) {
        let mut system = Vec::new();
        if let Some(instruction) = member(root, "systemInstruction") {
            let parts = instruction.get("parts").unwrap_or(instruction);
            let one = Some(parts).filter(|parts| parts.kind() != Kind::Array);
            for part in parts.items().chain(one) {
                match part.to_text().or_else(|| part.get("text")?.to_text()) {
                    Some(text) if text.is_empty() => {}
                    Some(text) => system.push(text),
                    None => self.unread(part, "a part of the system instruction without text"),
                }
            }
        }
        let list = root.get("tools").filter(|list| list.kind() == Kind::Array);
        let Tools { definitions, others, says_all } = list.map(tools::read).unwrap_or_default();
        for tool in others {
            self.unread(tool, "a tool that is no function");
        }
        let head = HeadDeclaration { tools: definitions, system };
        let as_written = list.filter(|_| !says_all);
        if head == HeadDeclaration::default() && as_written.is_none() {
            return;
        }
        let mut rest = Rest::default();
        if let Some(list) = as_written {
            rest.push(TOOLS_AS_WRITTEN.into(), one_line(list));
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

    fn contents(&mut self, root: Value<'_, '_>) {
        let list = if root.kind() == Kind::Array { Some(root) } else { root.get("contents") };
        for (index, value) in list.into_iter().flat_map(Value::items).enumerate() {
            let id = EntryId::new(format!("contents.{index}"));
            let parts = value.get("parts").filter(|parts| parts.kind() == Kind::Array);
            let parts = parts.filter(|parts| parts.items().nth(BLOCKS_MAX).is_none());
            let role = value.get("role").filter(|role| !role.is_null());
            let by_model = role.is_some_and(|role| role.is_str("model"));
            let by_user = role.is_none_or(|role| {
                ["user", "function", "tool", ""].iter().any(|name| role.is_str(name))
            });
            match parts {
                Some(parts) if by_model => self.respond(id, value, parts),
                Some(parts) if by_user => {
                    self.close();
                    let blocks = self.given(value, parts);
                    let mut message = Message::new(role_of(Role::User, &blocks), blocks);
                    message.rest = rest_of(value, &["role", "parts"]);
                    self.push(id, Fact::Message(Box::new(message)), None);
                }
                Some(_) | None => {
                    self.close();
                    self.unread(value, "a content without a known role and parts");
                    let fact = OpaqueFact { kind: "content".into(), raw: Some(one_line(value)) };
                    self.push(id, Fact::Opaque(fact), None);
                }
            }
        }
        self.close();
    }

    /// Takes a content of the model.
    fn respond(&mut self, id: EntryId, value: Value<'_, '_>, parts: Value<'_, '_>) {
        let place = self.places.of(value);
        if self.response.is_none() {
            self.ids.response();
        }
        let issuer = Arc::clone(&self.issuer);
        let mut reader = PartReader { issuer, report: &mut self.report, place };
        let (_, blocks) = self.response.get_or_insert((id, Vec::new()));
        for part in parts.items() {
            let mut block = reader.part(part);
            if let Block::ToolUse(call) = &mut block {
                call.id = self.ids.of_call(&call.name, std::mem::take(&mut call.id));
            }
            blocks.push(block);
        }
    }

    /// The response is whole.
    fn close(&mut self) {
        let Some((id, blocks)) = self.response.take() else { return };
        let mut message = Message::new(Role::Assistant, blocks);
        let Issuer { platform, model, .. } = &*self.issuer;
        message.source = Some(Source::Model {
            platform: platform.clone(),
            api: API.into(),
            model: model.clone(),
            account: None,
        });
        self.push(id, Fact::Message(Box::new(message)), None);
    }

    /// What the user gave, and what functions responded.
    fn given(&mut self, value: Value<'_, '_>, parts: Value<'_, '_>) -> Vec<Block> {
        let place = self.places.of(value);
        let issuer = Arc::clone(&self.given);
        let mut reader = PartReader { issuer, report: &mut self.report, place };
        let mut blocks = Vec::new();
        for part in parts.items() {
            let Some(response) = member(part, "functionResponse") else {
                blocks.push(reader.part(part));
                continue;
            };
            let text = |name: &str| response.get(name).and_then(Value::to_text).unwrap_or_default();
            let name = text("name");
            let id = self.ids.of_answer(&name, text("id"));
            blocks.push(Block::ToolResult(reader.response(part, id, name)));
        }
        blocks
    }

    fn sent(&mut self, root: Value<'_, '_>) {
        let Issuer { platform, model, .. } = &*self.issuer;
        let (platform, model) = (platform.clone(), model.clone());
        let target = Target { dialect: API.into(), platform, model, account: None };
        let known = ["model", "contents", "tools", "systemInstruction", "system_instruction"];
        let rest = rest_of(root, &known);
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
        Imported { format: Format::Gemini, record, findings, title: None }
    }
}
