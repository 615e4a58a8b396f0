//! A request body, read as a record.

use std::sync::Arc;

use json::{Array, Doc, Kind, Text, Value};
use record::{EntryId, HeadDeclaration, Issuer, Message, Role, Source};

use super::block::BlockReader;
use super::tools::Tools;
use super::{API, DOCUMENT, PLATFORM};
use crate::anthropic::block::CallNames;
use crate::anthropic::{parse, role_of};
use crate::body::{Body, parameters_of};
use crate::error::ImportError;
use crate::rest::rest_of;
use crate::source::BOM;
use crate::{Format, Imported};

/// Reads a body.
pub(crate) fn import(bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let doc = parse(text)?;
    let body = Body::new(Format::BedrockConverse, DOCUMENT, bytes, file);
    let mut reader = Reader::new(&doc, body);
    let list = match doc.root().kind() {
        Kind::Array => Some(doc.root()),
        _ => doc.root().get("messages"),
    };
    reader.head(doc.root());
    for (index, value) in list.into_iter().flat_map(Value::items).enumerate() {
        reader.message(index, value);
    }
    reader.sent(doc.root());
    Ok(reader.body.finish())
}

struct Reader<'t> {
    body: Body<'t>,
    issuer: Arc<Issuer>,
    names: CallNames,
}

impl<'t> Reader<'t> {
    fn new(doc: &Doc<'_>, body: Body<'t>) -> Reader<'t> {
        let model = doc.root().get("modelId").and_then(Value::to_text).unwrap_or_default();
        let (platform, api) = (Text::from(PLATFORM), Text::from(API));
        Reader {
            body,
            issuer: Arc::new(Issuer { platform, account: None, api, model }),
            names: CallNames::new(),
        }
    }

    fn head(&mut self, root: Value<'_, '_>) {
        let mut system = Vec::new();
        for block in root.get("system").into_iter().flat_map(Value::items) {
            match block.get("text").and_then(Value::to_text) {
                Some(text) => system.push(text),
                None if block.get("cachePoint").is_some() => {}
                None => self.body.unread(block, "a system block without text"),
            }
        }
        let mut tools = Tools::default();
        let list = root.get("toolConfig").and_then(|config| config.get("tools"));
        for tool in list.into_iter().flat_map(Value::items) {
            if !tools.take(tool) {
                self.body.unread(tool, "a tool of an unknown kind");
            }
        }
        let Tools { definitions, as_written, has_as_written } = tools;
        let head = HeadDeclaration { tools: definitions, system };
        self.body.head(head, has_as_written.then(|| Array::finish(&as_written)));
    }

    fn message(&mut self, index: usize, value: Value<'_, '_>) {
        let id = EntryId::new(format!("messages.{index}"));
        let message = self.known(value);
        self.body.message(id, message, value);
    }

    fn known(&mut self, value: Value<'_, '_>) -> Option<Message> {
        let role = Role::from_name(&value.get_str("role")?)?;
        let mut reader = BlockReader {
            issuer: Arc::clone(&self.issuer),
            names: &mut self.names,
            report: &mut self.body.report,
            place: self.body.places.of(value),
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
        self.body.sent_to(&self.issuer, parameters_of(root, &["modelId", "system", "messages"]));
    }
}
