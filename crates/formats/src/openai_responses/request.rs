//! A request body, read as a record.

use std::collections::HashMap;
use std::sync::Arc;

use json::{Array, Kind, Text, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, EntryId, Fact, FindingKind, HeadDeclaration, Issuer, Message, Rest, Role, Source,
    SystemChange,
};
use wire::openai_responses::calls::unnamed;

use super::tools::{Tools, definition_of};
use super::{API, DOCUMENT, ITEM, ItemReader};
use crate::anthropic::parse;
use crate::body::{Body, parameters_of};
use crate::error::ImportError;
use crate::openai_chat::platform_of;
use crate::report::Place;
use crate::rest::rest_of;
use crate::source::{BOM, one_line};
use crate::{Format, Imported};

/// Members that name what the provider's server puts ahead of the input.
const ELSEWHERE: [&str; 3] = ["previous_response_id", "conversation", "prompt"];

/// Reads a body.
pub(crate) fn import(bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let doc = parse(text)?;
    let root = doc.root();
    let body = Body::new(Format::OpenAiResponses, DOCUMENT, bytes, file);
    let mut reader = Reader::new(root, body);
    reader.elsewhere(root);
    reader.head(root);
    match list_of(root) {
        Some(text) if text.kind() == Kind::String => reader.asked(text),
        Some(list) => list.items().enumerate().for_each(|(at, item)| reader.item(item, at)),
        None => {}
    }
    reader.sent(root);
    Ok(reader.body.finish())
}

/// The items of a body, or what it asks in one text.
fn list_of<'d, 't>(root: Value<'d, 't>) -> Option<Value<'d, 't>> {
    match root.kind() {
        Kind::Array => Some(root),
        _ => root.get("input").or(root.get("messages")),
    }
}

/// A reply that more items may belong to.
struct Open {
    /// Its place among the entries.
    entry: usize,
    /// Its calls that have no result yet.
    calls: Vec<Text>,
    has_calls: bool,
}

struct Reader<'t> {
    body: Body<'t>,
    issuer: Arc<Issuer>,
    names: HashMap<Text, Text>,
    open: Option<Open>,
}

/// What an item turned out to be.
enum Read {
    /// Something a model made.
    Reply(Vec<Block>),
    /// Something else, as a row of its own.
    Row(Box<Message>),
    /// Nothing that can be read.
    Aside(&'static str),
}

fn row(message: Message) -> Read {
    Read::Row(Box::new(message))
}

impl<'t> Reader<'t> {
    fn new(root: Value<'_, '_>, body: Body<'t>) -> Reader<'t> {
        let model = root.get("model").and_then(Value::to_text).unwrap_or_default();
        let platform = Text::from(platform_of(&model).unwrap_or_default());
        Reader {
            body,
            issuer: Arc::new(Issuer { platform, account: None, api: API.into(), model }),
            names: HashMap::new(),
            open: None,
        }
    }

    /// Says what the record cannot hold, of the whole file and so ahead of all else.
    fn elsewhere(&mut self, root: Value<'_, '_>) {
        for name in ELSEWHERE {
            if root.get(name).is_some_and(|value| !value.is_null()) {
                let detail = format!("{name}: what stands behind it is not in the file");
                self.body.report.add(FindingKind::HistoryElsewhere, Place::default(), detail);
            }
        }
    }

    /// Tools and instructions.
    fn head(&mut self, root: Value<'_, '_>) {
        let mut tools = Tools::default();
        for tool in root.get("tools").into_iter().flat_map(Value::items) {
            if !tools.take(tool) {
                self.body.unread(tool, "a tool that its provider runs");
            }
        }
        let instructions = root.get("instructions").and_then(Value::to_text);
        let system = instructions.filter(|text| !text.is_empty()).into_iter().collect();
        let Tools { definitions, as_written, has_as_written } = tools;
        let head = HeadDeclaration { tools: definitions, system };
        self.body.head(head, has_as_written.then(|| Array::finish(&as_written)));
    }

    /// An input that is one text.
    fn asked(&mut self, text: Value<'_, '_>) {
        let Some(text) = text.to_text().filter(|text| !text.is_empty()) else { return };
        let mut message = Message::new(Role::User, vec![Block::text(text)]);
        message.source = Some(Source::User);
        self.body.push("input".into(), Fact::Message(Box::new(message)));
    }

    fn item(&mut self, item: Value<'_, '_>, at: usize) {
        let id = EntryId::new(format!("input.{at}"));
        match self.read(item) {
            Read::Reply(blocks) => self.reply(id, blocks),
            Read::Row(message) => {
                let result = message.blocks.first().and_then(Block::as_tool_result);
                match (result, &mut self.open) {
                    (Some(result), Some(open)) => {
                        let answered = |call: &Text| *call == result.tool_use_id;
                        if let Some(at) = open.calls.iter().position(answered) {
                            open.calls.remove(at);
                        }
                    }
                    _ => self.open = None,
                }
                self.body.push(id, Fact::Message(message));
            }
            Read::Aside(what) => {
                self.body.aside(id, "item", item, what);
            }
        }
    }

    fn read(&mut self, item: Value<'_, '_>) -> Read {
        let kind = item.get("type").and_then(Value::to_text).unwrap_or_default();
        let role = item.get_str("role");
        let is_server = item.get("execution").is_some_and(|value| value.is_str("server"));
        let place = self.body.places.of(item);
        let issuer = Arc::clone(&self.issuer);
        let report = &mut self.body.report;
        let mut reader = ItemReader { issuer, names: &mut self.names, report, place };
        let is_call =
            matches!(&*kind, "function_call" | "custom_tool_call") || unnamed(&kind).is_some();
        let replied = match (&*kind, role.as_deref()) {
            ("message" | "", Some("assistant")) => reader.speech(item),
            ("message" | "", Some(role)) => {
                return said(&mut reader, item, role)
                    .map_or(Read::Aside("a message without a known role and content"), row);
            }
            ("reasoning", _) => Some(vec![reader.reasoning(item)]),
            (_, _) if is_call && !is_server => reader.call(&kind, item),
            ("additional_tools", _) => return row(added(item)),
            (name, _)
                if name.ends_with("_output") && item.get("call_id").is_some() && !is_server =>
            {
                return row(returned(reader.result(&kind, item)));
            }
            ("local_shell_call_output", _) => {
                return row(returned(reader.result(&kind, item)));
            }
            ("", _) => None,
            _ => Some(vec![reader.native(kind.clone(), item)]),
        };
        replied.map_or(Read::Aside("an item that cannot be read"), Read::Reply)
    }

    /// Adds blocks to the open reply, or begins one: a model's items follow each other until
    /// somebody speaks, or every call made so far has its result.
    fn reply(&mut self, id: EntryId, blocks: Vec<Block>) {
        let calls = blocks.iter().filter_map(Block::as_tool_use).map(|call| call.id.clone());
        let calls: Vec<Text> = calls.collect();
        let open = self.open.take().filter(|open| !open.has_calls || !open.calls.is_empty());
        if let Some(mut open) = open
            && let Some(Fact::Message(reply)) = self
                .body
                .record
                .entries
                .get_mut(open.entry)
                .and_then(Arc::get_mut)
                .map(|entry| &mut entry.fact)
            && reply.blocks.len() + blocks.len() <= BLOCKS_MAX
        {
            reply.blocks.extend(blocks);
            open.has_calls |= !calls.is_empty();
            open.calls.extend(calls);
            self.open = Some(open);
            return;
        }
        let mut reply = Message::new(Role::Assistant, blocks);
        if !self.issuer.model.is_empty() {
            reply.source = Some(Source::Model {
                platform: self.issuer.platform.clone(),
                api: API.into(),
                model: self.issuer.model.clone(),
                account: None,
            });
        }
        self.body.push(id, Fact::Message(Box::new(reply)));
        let entry = self.body.record.entries.len() - 1;
        self.open = Some(Open { entry, has_calls: !calls.is_empty(), calls });
    }

    fn sent(&mut self, root: Value<'_, '_>) {
        self.body.guessed(&self.issuer);
        self.body.sent_to(
            &self.issuer,
            parameters_of(root, &["model", "tools", "instructions", "input"]),
        );
    }
}

/// Something said on the person's side, or by the operator.
fn said(reader: &mut ItemReader<'_>, item: Value<'_, '_>, role: &str) -> Option<Message> {
    let role = match role {
        "user" => Role::User,
        "system" | "developer" => Role::System,
        _ => return None,
    };
    let mut message = Message::new(role, reader.parts(item.get("content")?)?);
    if role == Role::User {
        message.source = Some(Source::User);
    }
    message.rest = rest_of(item, &["role", "content"]);
    Some(message)
}

fn returned(result: record::ToolResult) -> Message {
    let call_id = result.tool_use_id.clone();
    let mut message = Message::new(Role::Tool, vec![Block::ToolResult(result)]);
    message.source = Some(Source::Tool { call_id });
    message
}

/// Tools that are there from here on.
fn added(item: Value<'_, '_>) -> Message {
    let tools = item.get("tools").into_iter().flat_map(Value::items);
    let mut rest = Rest::default();
    rest.push(ITEM.into(), one_line(item));
    let change = SystemChange {
        define_tools: tools.filter_map(definition_of).collect(),
        rest,
        ..SystemChange::default()
    };
    Message::new(Role::System, vec![Block::SystemChange(change)])
}
