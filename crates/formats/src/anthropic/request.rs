//! A request body, read as a record.

use json::{Doc, Kind, Text, Value};
use record::{
    EntryId, Fact, FindingKind, HeadDeclaration, Issuer, Message, Record, RefMove, Rest, Role,
    Sent, Source, Target, ToolDefinition,
};

use super::block::{API, BlockReader, CallNames, issuer};
use super::platform::platform_of;
use super::{DOCUMENT, oddities};
use crate::body::{Body, parameters_of};
use crate::error::ImportError;
use crate::rest::rest_of;
use crate::source::{BOM, one_line};
use crate::{Format, Imported};

/// Reads a body.
pub(crate) fn import(bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let doc = parse(text)?;
    let body = Body::new(Format::AnthropicMessages, DOCUMENT, bytes, file);
    let mut reader = Reader::new(doc.root(), body);
    for (value, words) in oddities::of(doc.root()) {
        let place = reader.body.places.of(value);
        reader.body.report.add(FindingKind::UnreadField, place, words);
    }
    if doc.root().kind() == Kind::Object {
        reader.head(doc.root());
    }
    reader.messages(doc.root());
    reader.sent(doc.root());
    Ok(reader.body.finish())
}

/// Parses a document, with the place of what is wrong.
pub(crate) fn parse(bytes: &[u8]) -> Result<Doc<'_>, ImportError> {
    let limit = json::limits::TEXT_BYTES_MAX as u64;
    if bytes.len() as u64 > limit {
        return Err(ImportError::TooLarge { bytes: bytes.len() as u64, limit });
    }
    Doc::parse(bytes).map_err(|error| ImportError::Json {
        error,
        position: json::Position::of(bytes, error.offset),
    })
}

struct Reader<'t> {
    body: Body<'t>,
    /// Who made what no message names another for.
    issuer: Issuer,
    names: CallNames,
}

impl<'t> Reader<'t> {
    fn new(root: Value<'_, '_>, mut body: Body<'t>) -> Reader<'t> {
        let model = root.get("model").and_then(Value::to_text).unwrap_or_default();
        if model.is_empty() {
            body.no_model();
        }
        let version = root.get("anthropic_version").and_then(Value::to_text);
        let platform = platform_of(&model, &version.unwrap_or_default()).into();
        let (account, api) = (None, API.into());
        let issuer = Issuer { platform, account, api, model };
        Reader { body, issuer, names: CallNames::new() }
    }

    fn head(&mut self, root: Value<'_, '_>) {
        let mut head = HeadDeclaration::default();
        match root.get("system") {
            Some(system) if system.kind() == Kind::String => head.system.extend(system.to_text()),
            Some(system) => {
                for block in system.items() {
                    match block.get("text").and_then(Value::to_text) {
                        Some(text) => head.system.push(text),
                        None => self.body.unread(block, "a system block without text"),
                    }
                }
            }
            None => {}
        }
        for tool in root.get("tools").into_iter().flat_map(Value::items) {
            match ToolDefinition::new(one_line(tool)) {
                Some(tool) => head.tools.push(tool),
                None => self.body.unread(tool, "a tool without a name"),
            }
        }
        self.body.head(head, None);
    }

    fn messages(&mut self, root: Value<'_, '_>) {
        let list = if root.kind() == Kind::Array { Some(root) } else { root.get("messages") };
        for (index, value) in list.into_iter().flat_map(Value::items).enumerate() {
            let id = EntryId::new(format!("messages.{index}"));
            let message = self.message(value);
            self.body.message(id, message, value);
        }
    }

    fn message(&mut self, value: Value<'_, '_>) -> Option<Message> {
        let role = Role::from_name(&value.get_str("role")?)?;
        let own = |name: &str| value.get(name).and_then(Value::to_text);
        let platform = own("provider").unwrap_or_else(|| self.issuer.platform.clone());
        let model = own("model").unwrap_or_else(|| self.issuer.model.clone());
        let place = self.body.places.of(value);
        let mut reader = BlockReader {
            issuer: issuer(platform.clone(), model.clone()),
            names: &mut self.names,
            report: &mut self.body.report,
            place,
        };
        let blocks = reader.content(value.get("content")?)?;
        let mut message = Message::new(role_of(role, &blocks), blocks);
        if role == Role::Assistant {
            message.source =
                Some(Source::Model { platform, api: API.into(), model, account: None });
        }
        message.rest = rest_of(value, &["role", "content", "model", "provider"]);
        Some(message)
    }

    fn sent(&mut self, root: Value<'_, '_>) {
        let rest = parameters_of(root, &["model", "system", "tools", "messages"]);
        self.body.sent_to(&self.issuer, rest);
    }
}

/// A user message of nothing but results is a tool's.
pub(crate) fn role_of(role: Role, blocks: &[record::Block]) -> Role {
    let result = |block: &record::Block| matches!(block, record::Block::ToolResult(_));
    match role {
        Role::User if !blocks.is_empty() && blocks.iter().all(result) => Role::Tool,
        Role::User | Role::System | Role::Assistant | Role::Tool => role,
    }
}

/// The request that a body is, left right after its last row: whatever is appended later was not in
/// it. `None` where the body ends with no row.
pub(crate) fn sent_of(record: &Record, agent: &str, target: Target, rest: Rest) -> Option<Fact> {
    let covers = record.entries.last().filter(|entry| entry.message().is_some())?;
    Some(Fact::Sent(Box::new(Sent {
        agent: agent.into(),
        target,
        covers: Some(covers.id.clone()),
        fills: Vec::new(),
        no_vision: false,
        digests: None,
        build: 0,
        rest,
    })))
}

/// The default branch points here, because a file was read.
pub(crate) fn main_ref(tip: Option<EntryId>) -> RefMove {
    let branch = Text::from("main");
    RefMove { branch, tip, reason: "import".into(), time: None, rest: Rest::default() }
}
