//! A neutral history, read as a record.

use std::io::{BufRead, Cursor};
use std::sync::Arc;

use json::{Doc, Kind, Text, Value};
use record::{
    Block, Entry, EntryId, Fact, FindingKind, Head, HeadDeclaration, Image, ImageSource, Input,
    Issuer, Message, OpaqueBlock, OpaqueFact, Origin, Proof, ProofKind, Reasoning, Record, Rest,
    ResultPart, Role, Source as Speaker, SourceLine, Stop, StopKind, SystemChange, TextBlock,
    ToolDefinition, ToolResult, ToolUse,
};

use super::{APIS, DOCUMENT};
use crate::anthropic::main_ref;
use crate::error::ImportError;
use crate::lines::{self, Lines};
use crate::origin;
use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::{BOM, Keep, document_lines, number, one_line};
use crate::{Format, Imported};

/// Reads a history, in either form.
pub(crate) fn import(bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    match Doc::parse(text) {
        Ok(doc) if doc.root().get("records").is_some() => {
            let mut reader = Reader::new(file);
            reader.document(&doc, bytes);
            Ok(reader.finish())
        }
        Ok(_) | Err(_) => import_lines(Cursor::new(bytes), file),
    }
}

/// Reads a history of lines, one by one.
pub(crate) fn import_lines(input: impl BufRead, file: &str) -> Result<Imported, ImportError> {
    let mut reader = Reader::new(file);
    lines::read(&mut reader, input, Keep::Lines)?;
    Ok(reader.finish())
}

struct Reader {
    report: Report,
    record: Record,
    title: Option<String>,
    format: Arc<str>,
}

impl Lines for Reader {
    fn report(&mut self) -> &mut Report {
        &mut self.report
    }

    fn is_line(_: Value<'_, '_>) -> bool {
        // A damaged line is kept as it is.
        false
    }

    fn line(&mut self, root: Value<'_, '_>, place: Place) -> usize {
        let fact = self.record_of(root, place);
        self.push_line(fact, place)
    }

    fn aside(&mut self, kind: Text, place: Place) -> usize {
        self.push_line(opaque(&kind), place)
    }

    fn lines_of(&mut self, entry: usize) -> Option<&mut Vec<SourceLine>> {
        let entry = Arc::get_mut(self.record.entries.get_mut(entry)?)?;
        Some(origin::lines_of(entry, &self.format))
    }
}

impl Reader {
    fn new(file: &str) -> Reader {
        Reader {
            report: Report::new(file),
            record: Record::default(),
            title: None,
            format: Format::NeutralHistory.name().into(),
        }
    }

    fn finish(mut self) -> Imported {
        let tip = self.record.entries.last().map(|entry| entry.id.clone());
        self.record.refs.push(main_ref(tip));
        number(&mut self.record);
        Imported {
            format: Format::NeutralHistory,
            record: self.record,
            findings: self.report.finish(),
            title: self.title,
        }
    }

    fn push(&mut self, id: EntryId, fact: Fact, origin: Option<Box<Origin>>) {
        let parent = self.record.entries.last().map(|entry| entry.id.clone());
        let rest = Rest::default();
        let entry = Entry { id, parent, seq: 0, time: None, fact, origin, rest };
        self.record.entries.push(Arc::new(entry));
    }

    fn push_line(&mut self, fact: Fact, place: Place) -> usize {
        self.push(EntryId::new(format!("line:{}", place.line)), fact, None);
        self.record.entries.len() - 1
    }

    fn document(&mut self, doc: &Doc<'_>, bytes: &[u8]) {
        let fact = Fact::Opaque(OpaqueFact { kind: DOCUMENT.into(), raw: None });
        let origin = Origin { format: Arc::clone(&self.format), lines: document_lines(bytes) };
        self.push("document".into(), fact, Some(Box::new(origin)));
        let root = doc.root();
        if let Some(header) = root.get("header") {
            let fact = self.header(header, Place::default());
            self.push("header".into(), fact, None);
        }
        for (index, value) in root.get("records").into_iter().flat_map(Value::items).enumerate() {
            let offset = value.offset() as u64;
            let place = Place { line: 0, offset, bytes: value.raw().len() as u64 };
            let mut fact = self.record_of(value, place);
            if let Fact::Opaque(unread) = &mut fact {
                unread.raw = Some(one_line(value));
            }
            self.push(EntryId::new(format!("records.{index}")), fact, None);
        }
    }

    fn record_of(&mut self, value: Value<'_, '_>, place: Place) -> Fact {
        let kind = value.get("kind").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "header" => Some(self.header(value, place)),
            "msg" => self.message(value, place).map(|row| Fact::Message(Box::new(row))),
            "tools" => Some(self.change(value, place)),
            _ => None,
        };
        read.unwrap_or_else(|| {
            let detail = format!("a record of kind {kind:?} is kept as it is");
            self.report.add(FindingKind::UnreadField, place, detail);
            opaque(&kind)
        })
    }

    fn header(&mut self, value: Value<'_, '_>, place: Place) -> Fact {
        self.title = value.get_str("name").map(|name| name.into_owned());
        let system = value.get("system").filter(|system| !system.is_null());
        let head = HeadDeclaration {
            tools: self.tools(value.get("tools"), place),
            system: match system {
                Some(system) if system.kind() == Kind::Array => {
                    system.items().filter_map(Value::to_text).collect()
                }
                Some(system) => {
                    system.to_text().filter(|text| !text.is_empty()).into_iter().collect()
                }
                None => Vec::new(),
            },
        };
        Fact::Head(Box::new(Head {
            agent: "main".into(),
            head: Some(Arc::new(head)),
            folds_through: None,
            owners: None,
            reason: "imported".into(),
            rest: Rest::default(),
        }))
    }

    fn tools(&mut self, list: Option<Value<'_, '_>>, place: Place) -> Vec<ToolDefinition> {
        let mut tools = Vec::new();
        for tool in list.into_iter().flat_map(Value::items) {
            match ToolDefinition::new(one_line(tool)) {
                Some(tool) => tools.push(tool),
                None => self.report.add(FindingKind::UnreadField, place, "a tool without a name"),
            }
        }
        tools
    }

    fn change(&mut self, value: Value<'_, '_>, place: Place) -> Fact {
        let removed = value.get("removed").into_iter().flat_map(Value::items);
        let change = SystemChange {
            define_tools: self.tools(value.get("added"), place),
            remove_tools: removed.filter_map(Value::to_text).collect(),
            add_system: Vec::new(),
            rest: Rest::default(),
        };
        let blocks = vec![Block::SystemChange(change)];
        Fact::Message(Box::new(Message::new(Role::System, blocks)))
    }

    fn message(&mut self, value: Value<'_, '_>, place: Place) -> Option<Message> {
        let role = Role::from_name(&value.get_str("role")?)?;
        let list = value.get("blocks").filter(|list| list.kind() == Kind::Array)?;
        let text = |name: &str| value.get(name).and_then(Value::to_text);
        let api = text("api").map(api_of).unwrap_or_default();
        let issuer = Arc::new(Issuer {
            platform: text("provider").unwrap_or_default(),
            account: None,
            api,
            model: text("model").unwrap_or_default(),
        });
        let mut blocks = BlockReader { issuer: &issuer, report: &mut self.report, place };
        let mut message = Message::new(role, list.items().map(|b| blocks.block(b)).collect());
        if role == Role::Assistant && !issuer.model.is_empty() {
            message.source = Some(Speaker::Model {
                platform: issuer.platform.clone(),
                api: issuer.api.clone(),
                model: issuer.model.clone(),
                account: None,
            });
        }
        if let Some(stop) = text("stop") {
            message.interrupted = &*stop == "aborted";
            message.stop = Some(stop_of(stop));
        }
        const KNOWN: [&str; 7] = ["kind", "role", "blocks", "provider", "api", "model", "stop"];
        message.rest = rest_of(value, &KNOWN);
        Some(message)
    }
}

fn opaque(kind: &str) -> Fact {
    Fact::Opaque(OpaqueFact { kind: kind.into(), raw: None })
}

/// Our name of a dialect.
fn api_of(name: Text) -> Text {
    let ours = APIS.iter().find(|(_, theirs)| *theirs == &*name);
    ours.map_or_else(|| name.replace('-', "_").into(), |(ours, _)| Text::from(*ours))
}

fn stop_of(native: Text) -> Stop {
    let kind = match &*native {
        "tool_use" => StopKind::ToolCalls,
        "max_tokens" => StopKind::MaxTokens,
        "aborted" => StopKind::Aborted,
        "error" => StopKind::Error,
        _ => StopKind::Stop,
    };
    let rest = Rest::default();
    Stop { kind, native: Some(native), failure: None, dropped_calls: Vec::new(), rest }
}

struct BlockReader<'r> {
    issuer: &'r Arc<Issuer>,
    report: &'r mut Report,
    place: Place,
}

impl BlockReader<'_> {
    fn block(&mut self, value: Value<'_, '_>) -> Block {
        let kind = value.get("type").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "text" => text_of(value).map(|text| {
                Block::Text(TextBlock { text, proof: None, rest: rest_of(value, &["text"]) })
            }),
            "image" => self.image(value).map(Block::Image),
            "reasoning" => self.reasoning(value),
            "tool_use" => tool_use(value),
            "tool_result" => self.tool_result(value),
            _ => None,
        };
        read.unwrap_or_else(|| {
            let detail = format!("a block of type {kind:?} is kept as it is");
            self.report.add(FindingKind::UnreadField, self.place, detail);
            Block::Opaque(OpaqueBlock { kind, raw: one_line(value), proof: None })
        })
    }

    fn image(&mut self, value: Value<'_, '_>) -> Option<Image> {
        let text = |name: &str| value.get(name).and_then(Value::to_text);
        let mut image = Image::new(text("media_type")?, ImageSource::Base64(text("data")?));
        image.rest = rest_of(value, &["media_type", "data"]);
        crate::rendition::add(&mut image);
        let declared = image.media_type();
        if image.measured().is_none_or(|m| m.media_type.as_str() != declared.as_str()) {
            let detail = format!("an image declared {declared} is something else");
            self.report.add(FindingKind::ImageCorrected, self.place, detail);
        }
        Some(image)
    }

    fn reasoning(&mut self, value: Value<'_, '_>) -> Option<Block> {
        let reasoning = text_of(value).unwrap_or_default();
        const KINDS: [(&str, ProofKind); 3] = [
            ("signature", ProofKind::Signature),
            ("redacted", ProofKind::Redacted),
            ("encrypted", ProofKind::Encrypted),
        ];
        let sealed = KINDS.into_iter().find_map(|(name, kind)| {
            let sealed = value.get(name).filter(|sealed| sealed.kind() == Kind::String)?;
            (sealed.raw() != "\"\"").then_some((name, kind, sealed))
        });
        let proof = sealed.as_ref().map(|(_, kind, sealed)| {
            let issuer = Arc::clone(self.issuer);
            Box::new(Proof { issuer, kind: kind.clone(), version: 1, sealed: one_line(*sealed) })
        });
        let taken = sealed.map_or("", |(name, _, _)| name);
        let mut rest = rest_of(value, &["text", taken]);
        if let Some(id) = value.get("id") {
            rest.push("id".into(), one_line(id));
        }
        Some(Block::Reasoning(Reasoning { reasoning, proof, rest }))
    }

    fn tool_result(&mut self, value: Value<'_, '_>) -> Option<Block> {
        let content = match value.get("content") {
            Some(content) if content.kind() == Kind::String => {
                content.to_text().map(ResultPart::Text).into_iter().collect()
            }
            Some(content) => content.items().map(|part| self.part(part)).collect(),
            None => Vec::new(),
        };
        Some(Block::ToolResult(ToolResult {
            tool_use_id: value.get("call_id")?.to_text()?,
            tool_name: value.get("name").and_then(Value::to_text).unwrap_or_default(),
            content,
            is_error: value.get("is_error").and_then(Value::as_bool).unwrap_or(false),
            rest: rest_of(value, &["call_id", "name", "content", "is_error"]),
        }))
    }

    fn part(&mut self, part: Value<'_, '_>) -> ResultPart {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "text" => text_of(part).map(ResultPart::Text),
            "image" => self.image(part).map(ResultPart::Image),
            _ => None,
        };
        read.unwrap_or_else(|| {
            ResultPart::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        })
    }
}

fn tool_use(value: Value<'_, '_>) -> Option<Block> {
    let input = match (value.get("input_raw"), value.get("input")) {
        (Some(raw), _) => Input::new(raw.to_text()?),
        (None, Some(input)) => Input::of_value(input),
        (None, None) => Input::new(Text::default()),
    };
    Some(Block::ToolUse(ToolUse {
        id: value.get("id")?.to_text()?,
        name: value.get("name")?.to_text()?,
        input,
        proof: None,
        rest: rest_of(value, &["id", "name", "input", "input_raw"]),
    }))
}

fn text_of(value: Value<'_, '_>) -> Option<Text> {
    value.get("text")?.to_text()
}
