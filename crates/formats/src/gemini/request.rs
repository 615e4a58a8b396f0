//! A request body, read as a record.

use std::sync::Arc;

use json::{Kind, Text, Value};
use record::limits::BLOCKS_MAX;
use record::{Block, EntryId, Fact, FindingKind, HeadDeclaration, Issuer, Message, Role, Source};
use wire::gemini::models::bare;

use super::ids::Ids;
use super::tools::{self, Tools};
use super::{API, DOCUMENT, PLATFORM};
use crate::anthropic::{parse, role_of};
use crate::body::{Body, parameters_of};
use crate::error::ImportError;
use crate::gemini_cli::part::{By, PartReader, member};
use crate::rest::rest_of;
use crate::source::{BOM, one_line};
use crate::{Format, Imported};

/// Members of a body that only Vertex has.
const VERTEX_MEMBERS: [&str; 2] = ["labels", "modelArmorConfig"];

/// Vertex, as issuers and targets name it.
const VERTEX: &str = "google-cloud";

/// Reads a body.
pub(crate) fn import(bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let doc = parse(text)?;
    let body = Body::new(Format::Gemini, DOCUMENT, bytes, file);
    let mut reader = Reader::new(doc.root(), body);
    reader.head(doc.root());
    reader.contents(doc.root());
    reader.sent(doc.root());
    Ok(reader.body.finish())
}

struct Reader<'t> {
    body: Body<'t>,
    /// Who made what the model said.
    issuer: Arc<Issuer>,
    /// The same of what the user gave: any model of the platform reads it.
    given: Arc<Issuer>,
    ids: Ids,
    /// The response at work: contents of the model in a row are one.
    response: Option<(EntryId, Vec<Block>)>,
}

impl<'t> Reader<'t> {
    fn new(root: Value<'_, '_>, mut body: Body<'t>) -> Reader<'t> {
        let named = root.get_str("model").map(|model| bare(&model).to_owned());
        let model = named.unwrap_or_default();
        if model.is_empty() {
            body.no_model();
        }
        let on_vertex = VERTEX_MEMBERS.iter().any(|name| root.get(name).is_some());
        let platform = Text::from(if on_vertex { VERTEX } else { PLATFORM });
        let of = |model: Text| {
            let (platform, api) = (platform.clone(), API.into());
            Arc::new(Issuer { platform, account: None, api, model })
        };
        Reader {
            body,
            issuer: of(model.into()),
            given: of(Text::default()),
            ids: Ids::new(root),
            response: None,
        }
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
                    None => self.body.unread(part, "a part of the system instruction without text"),
                }
            }
        }
        let list = root.get("tools").filter(|list| list.kind() == Kind::Array);
        let Tools { definitions, others, says_all } = list.map(tools::read).unwrap_or_default();
        for tool in others {
            self.body.unread(tool, "a tool that is no function");
        }
        let head = HeadDeclaration { tools: definitions, system };
        let as_written = list.filter(|_| !says_all);
        self.body.head(head, as_written.map(one_line));
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
                    self.body.push(id, Fact::Message(Box::new(message)));
                }
                Some(_) | None => {
                    self.close();
                    self.body.aside(
                        id,
                        "content",
                        value,
                        "a content without a known role and parts",
                    );
                }
            }
        }
        self.close();
    }

    /// Takes a content of the model.
    fn respond(&mut self, id: EntryId, value: Value<'_, '_>, parts: Value<'_, '_>) {
        let place = self.body.places.of(value);
        let more = parts.items().count();
        if self.response.as_ref().is_some_and(|(_, blocks)| blocks.len() + more > BLOCKS_MAX) {
            self.close();
        }
        if self.response.is_none() {
            self.ids.response();
        }
        let issuer = Arc::clone(&self.issuer);
        let mut reader = PartReader { by: By::Model, issuer, report: &mut self.body.report, place };
        let (_, blocks) = self.response.get_or_insert((id, Vec::new()));
        for part in parts.items() {
            let mut block = reader.part(part);
            if let Block::ToolUse(call) = &mut block {
                let own = std::mem::take(&mut call.id);
                call.id = self.ids.of_call(&call.name, own.clone());
                if !own.is_empty() && own != call.id {
                    let detail =
                        format!("a second call has the id {:?}: it is {}", own.as_str(), call.id);
                    reader.report.add(FindingKind::Assumed, place, detail);
                }
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
        self.body.push(id, Fact::Message(Box::new(message)));
    }

    /// What the user gave, and what functions responded.
    fn given(&mut self, value: Value<'_, '_>, parts: Value<'_, '_>) -> Vec<Block> {
        let place = self.body.places.of(value);
        let issuer = Arc::clone(&self.given);
        let mut reader =
            PartReader { by: By::Person, issuer, report: &mut self.body.report, place };
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
        let known = ["model", "contents", "tools", "systemInstruction", "system_instruction"];
        self.body.sent_to(&self.issuer, parameters_of(root, &known));
    }
}
