//! A request body, read as a record.

use std::sync::Arc;

use json::{Array, Doc, Kind, Value};
use record::{EntryId, HeadDeclaration, Issuer, Message, Role, Source};
use wire::openai_chat::vendors::Form;

use super::message::MessageReader;
use super::ollama::{self, Waiting};
use super::tools::Tools;
use super::{document, format, platform_of};
use crate::Imported;
use crate::anthropic::block::CallNames;
use crate::anthropic::parse;
use crate::body::{Body, parameters_of};
use crate::error::ImportError;
use crate::source::BOM;

/// Reads a body.
pub(crate) fn import(bytes: &[u8], file: &str, form: Form) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let doc = parse(text)?;
    let body = Body::new(format(form), document(form), bytes, file);
    let mut reader = Reader::new(&doc, body, form);
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
    Ok(reader.body.finish())
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
    body: Body<'t>,
    form: Form,
    issuer: Arc<Issuer>,
    names: CallNames,
    /// Calls without a result yet, where results match them by order.
    waiting: Waiting,
}

impl<'t> Reader<'t> {
    fn new(doc: &Doc<'_>, body: Body<'t>, form: Form) -> Reader<'t> {
        let model = doc.root().get("model").and_then(Value::to_text).unwrap_or_default();
        let platform = match form {
            Form::Completions => platform_of(&model).unwrap_or_default(),
            Form::Ollama => ollama::PLATFORM,
        };
        let (platform, api) = (platform.into(), form.api().into());
        Reader {
            body,
            form,
            issuer: Arc::new(Issuer { platform, account: None, api, model }),
            names: CallNames::new(),
            waiting: Waiting::new(),
        }
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
                    self.body.unread(tool, "a tool that is no function");
                }
            }
        }
        let Tools { definitions, as_written, has_as_written } = tools;
        let head = HeadDeclaration { tools: definitions, system };
        self.body.head(head, has_as_written.then(|| Array::finish(&as_written)));
    }

    fn messages(&mut self, messages: &[Value<'_, '_>], leading: usize) {
        for (index, value) in messages.iter().enumerate() {
            let id = EntryId::new(format!("messages.{}", leading + index));
            let message = self.message(*value, &id);
            self.body.message(id, message, *value);
        }
    }

    fn message(&mut self, value: Value<'_, '_>, id: &EntryId) -> Option<Message> {
        let place = self.body.places.of(value);
        let mut reader = MessageReader {
            issuer: Arc::clone(&self.issuer),
            names: &mut self.names,
            report: &mut self.body.report,
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
        if self.form == Form::Completions {
            self.body.guessed(&self.issuer);
        }
        self.body.sent_to(
            &self.issuer,
            parameters_of(root, &["model", "tools", "functions", "messages"]),
        );
    }
}

/// Whose reply it is, where the body names a model.
fn source(issuer: &Issuer) -> Option<Source> {
    let Issuer { platform, api, model, account: _ } = issuer.clone();
    (!model.is_empty()).then_some(Source::Model { platform, api, model, account: None })
}
