//! What a file of replies holds: one stream, one body, or a recording of requests and answers.
//!
//! Told apart by content: an object is a body, or a recording where it has `exchanges` or a HAR
//! `log`; several objects are chunks, one a line, or the elements of an array, which may be torn;
//! anything else is an event stream, of text or of AWS's binary messages. The dialect is
//! the one that is asked for, else the one whose members the first object has.

use std::sync::Arc;

use stenograph::assemble::{self, Asked, Dialect, Failed, Reply, Stream, StreamError};
use stenograph::formats;
use stenograph::json::{Doc, Kind, Text, Value};
use stenograph::record::Issuer;
use stenograph::wire::bedrock_converse::events::{from_base64, invoked};
use stenograph::wire::frames::http::without_chunk_lengths;
use stenograph::wire::frames::{EventStream, Objects};
use stenograph::wire::gemini::platforms as gemini;
use stenograph::wire::openai_chat::vendors;
use stenograph::wire::openai_responses::platforms;

/// Who answered, as far as the command line says.
#[derive(Clone, Debug, Default)]
pub struct Answerer {
    /// The dialect.
    pub dialect: Option<Dialect>,
    /// Who served the model.
    pub vendor: Option<String>,
    /// The model that was asked for.
    pub model: Option<String>,
}

/// One answer.
#[derive(Debug)]
pub struct Response {
    /// Where it stands: its number in a recording, from 0.
    pub exchange: Option<usize>,
    /// The dialect it is read in.
    pub dialect: Dialect,
    asked: Asked,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Stream(Vec<u8>),
    Lines(Vec<u8>),
    Array(Vec<u8>),
    Messages(Vec<u8>),
    Body(String),
}

/// Why a file holds no reply that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Nothing in it is a reply of a known dialect, and none was named.
    Dialect,
    /// A recording without an answer.
    NoAnswer,
}

/// The replies a file holds.
pub fn responses(bytes: &[u8], answerer: &Answerer) -> Result<Vec<Response>, Unreadable> {
    let Ok(doc) = Doc::parse(bytes) else {
        return Ok(vec![response(None, stream(bytes), "", answerer)?]);
    };
    let root = doc.root();
    let in_har = root.get("log").and_then(|log| log.get("entries"));
    let Some(exchanges) = root.get("exchanges").or(in_har) else {
        let content = Content::Body(root.raw().to_owned());
        return Ok(vec![response(None, content, "", answerer)?]);
    };
    let answered = exchanges.items().enumerate().filter_map(|(index, exchange)| {
        let content = recorded(exchange.get("response")?)?;
        let request = exchange.get("request");
        let url = request.and_then(|request| request.get_str("url")).unwrap_or_default();
        let model = request.and_then(model_asked).or_else(|| model_in(&url)).unwrap_or_default();
        let vendor = answerer.vendor.clone().or(vendor_asked(&url).map(str::to_owned));
        let dialect = answerer.dialect.or_else(|| dialect_of(&content, &url));
        let answerer = Answerer { vendor, dialect, ..answerer.clone() };
        // What is recorded beside replies (files, tools) is passed over.
        response(Some(index), content, &model, &answerer).ok()
    });
    let answered: Vec<Response> = answered.collect();
    if answered.is_empty() { Err(Unreadable::NoAnswer) } else { Ok(answered) }
}

/// The body of a recorded answer: as text, as the object it is, or as bytes in base64.
fn recorded(response: Value<'_, '_>) -> Option<Content> {
    let (body, in_base64) = match (response.get("body"), response.get("content")) {
        (Some(body), _) => (body, body.get("base64")),
        (None, Some(content)) => {
            let text = content.get("text")?;
            let is_encoded = content.get("encoding").is_some_and(|of| of.is_str("base64"));
            (text, is_encoded.then_some(text))
        }
        (None, None) => return None,
    };
    if let Some(text) = in_base64.and_then(Value::as_str) {
        let bytes = from_base64(&text)?;
        return Some(match Doc::parse(&bytes) {
            Ok(doc) => Content::Body(doc.root().raw().to_owned()),
            Err(_) => stream(&bytes),
        });
    }
    let Some(text) = body.as_str() else {
        let is_body = matches!(body.kind(), Kind::Object | Kind::Array);
        return is_body.then(|| Content::Body(body.raw().to_owned()));
    };
    Some(match Doc::parse_str(&text) {
        Ok(_) => Content::Body(text.into_owned()),
        Err(_) => stream(text.as_bytes()),
    })
}

/// The model that a recorded request asks for.
fn model_asked(request: Value<'_, '_>) -> Option<String> {
    let of = |body: Value<'_, '_>| Some(body.get_str("model")?.into_owned());
    match request.get("body") {
        Some(body) => of(body),
        None => {
            let text = request.get("postData")?.get_str("text")?;
            of(Doc::parse_str(&text).ok()?.root())
        }
    }
}

/// The API that answered: by what it said, and where that tells none, by where the request went.
fn dialect_of(content: &Content, url: &str) -> Option<Dialect> {
    first(content).0.or_else(|| dialect_asked(url))
}

/// The API a recorded request went to, which an error does not tell.
fn dialect_asked(url: &str) -> Option<Dialect> {
    let path = url.split('?').next()?;
    let ends = |end: &str| path.ends_with(end);
    if ends("/chat/completions") {
        Some(Dialect::OpenAiChat)
    } else if ends("/api/chat") {
        Some(Dialect::OllamaChat)
    } else if ends("/messages") {
        Some(Dialect::AnthropicMessages)
    } else if ends("/responses") {
        Some(Dialect::OpenAiResponses)
    } else if ends("enerateContent") {
        Some(Dialect::Gemini)
    } else if ends("/converse") || ends("/converse-stream") {
        Some(Dialect::BedrockConverse)
    } else {
        None
    }
}

/// The model that a path names, as Gemini's and Bedrock's do: `models/NAME:method`.
fn model_in(url: &str) -> Option<String> {
    let (_, after) = url.split_once("/models/").or_else(|| url.split_once("/model/"))?;
    let name = after.split([':', '/', '?']).next()?;
    (!name.is_empty()).then(|| name.replace("%3A", ":").replace("%3a", ":"))
}

/// Whose host a recorded request went to.
fn vendor_asked(url: &str) -> Option<&'static str> {
    let (_, after) = url.split_once("://")?;
    let host = after.split(['/', ':', '?']).next()?;
    if host.ends_with("aiplatform.googleapis.com") {
        return Some("google-cloud");
    }
    if host.starts_with("bedrock-") {
        return Some("bedrock");
    }
    vendors::canonical(host)
}

fn stream(bytes: &[u8]) -> Content {
    let without_lengths = without_chunk_lengths(bytes);
    let bytes = without_lengths.as_deref().unwrap_or(bytes);
    if EventStream::begins(bytes) {
        return Content::Messages(bytes.to_vec());
    }
    let text = bytes.trim_ascii_start();
    match text.first() {
        Some(b'{') => Content::Lines(bytes.to_vec()),
        Some(b'[') => Content::Array(bytes.to_vec()),
        Some(_) | None => Content::Stream(bytes.to_vec()),
    }
}

/// What the first object of a content says: its dialect, and its model.
fn first(content: &Content) -> (Option<Dialect>, Text) {
    let text = match content {
        Content::Body(body) => body.clone(),
        // The first element, which is whole where the array is torn.
        Content::Array(bytes) => {
            let mut objects = Objects::new();
            let first = objects.next(&mut bytes.as_slice()).ok().flatten();
            first.map(|frame| frame.data.into_owned()).unwrap_or_default()
        }
        // An event of this API's own, unless it wraps one of the model's.
        Content::Messages(bytes) => {
            let mut messages = EventStream::new();
            let first = messages.next(&mut bytes.as_slice()).ok().flatten();
            let data = first.map(|frame| frame.data.into_owned()).unwrap_or_default();
            let wrapped = Doc::parse_str(&data).ok().and_then(|doc| invoked(doc.root()));
            match wrapped {
                Some(data) => data,
                None => return (Some(Dialect::BedrockConverse), Text::default()),
            }
        }
        Content::Lines(bytes) | Content::Stream(bytes) => {
            let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
            let data = lines.map(|line| line.strip_prefix(b"data:").unwrap_or(line).trim_ascii());
            let object =
                data.filter(|data| data.starts_with(b"{")).find(|data| Doc::parse(data).is_ok());
            String::from_utf8_lossy(object.unwrap_or_default()).into_owned()
        }
    };
    let doc = Doc::parse_str(&text).unwrap_or_default();
    let root = doc.root().items().next().unwrap_or(doc.root());
    let is = |name: &str| root.get("type").is_some_and(|kind| kind.is_str(name));
    let kind = root.get_str("type").unwrap_or_default();
    let is_output = root.get("output").is_some_and(|output| output.kind() == Kind::Array);
    let dialect = if root.get("choices").is_some() {
        Some(Dialect::OpenAiChat)
    } else if root.get("done").is_some_and(|done| done.kind() == Kind::Bool)
        && root.get("message").is_some()
    {
        Some(Dialect::OllamaChat)
    } else if root.get("candidates").is_some() || root.get("promptFeedback").is_some() {
        Some(Dialect::Gemini)
    } else if root.get("messageStart").is_some() || root.get("stopReason").is_some() {
        Some(Dialect::BedrockConverse)
    } else if kind.starts_with("response.") || is_output {
        Some(Dialect::OpenAiResponses)
    } else if ["message_start", "message", "ping", "error"].into_iter().any(is) {
        Some(Dialect::AnthropicMessages)
    } else {
        None
    };
    let message = root.get("message").or_else(|| root.get("response")).unwrap_or(root);
    let model = ["model", "modelVersion"].into_iter().find_map(|name| message.get(name));
    let model = model.or_else(|| root.get("model")).and_then(Value::to_text);
    (dialect, model.unwrap_or_default())
}

fn response(
    exchange: Option<usize>,
    content: Content,
    model_asked: &str,
    answerer: &Answerer,
) -> Result<Response, Unreadable> {
    let (dialect, named) = first(&content);
    let dialect = answerer.dialect.or(dialect).ok_or(Unreadable::Dialect)?;
    let model = match (dialect, &answerer.model) {
        (_, Some(model)) => Text::from(model.as_str()),
        // A vendor goes on by the name it is asked for; this API names its models itself.
        (
            Dialect::OpenAiChat
            | Dialect::OpenAiResponses
            | Dialect::Gemini
            | Dialect::BedrockConverse
            | Dialect::OllamaChat,
            None,
        ) => model_asked.into(),
        (Dialect::AnthropicMessages, None) => Text::default(),
    };
    let known = if model.is_empty() { &named } else { &model };
    let platform = match (&answerer.vendor, dialect) {
        (Some(vendor), _) => platform_name(vendor, dialect).into(),
        (None, Dialect::AnthropicMessages) => "anthropic".into(),
        (None, Dialect::OpenAiChat) => formats::platform_of(known).unwrap_or_default().into(),
        (None, Dialect::Gemini) => "google".into(),
        (None, Dialect::OllamaChat) => "ollama".into(),
        (None, Dialect::BedrockConverse) => "bedrock".into(),
        (None, Dialect::OpenAiResponses) => formats::platform_of(known).unwrap_or("openai").into(),
    };
    let api = dialect.name().into();
    let issuer = Arc::new(Issuer { platform, account: None, api, model });
    let asked = Asked { issuer, answers: None, runs_logged: false };
    Ok(Response { exchange, dialect, asked, content })
}

/// The name in records of a vendor or platform, as its API's table has it.
fn platform_name(vendor: &str, dialect: Dialect) -> &str {
    let known = match dialect {
        Dialect::Gemini => gemini::platform_name(vendor),
        Dialect::OpenAiResponses => platforms::platform(vendor).map(|row| row.name),
        Dialect::AnthropicMessages
        | Dialect::OpenAiChat
        | Dialect::BedrockConverse
        | Dialect::OllamaChat => None,
    };
    known.or_else(|| vendors::canonical(vendor)).unwrap_or(vendor)
}

impl Response {
    /// The reply it is.
    pub fn assembled(&self) -> Result<Result<Reply, Failed>, StreamError> {
        let (mut stream, bytes) = match &self.content {
            Content::Body(text) => {
                let doc = Doc::parse_str(text).unwrap_or_default();
                return Ok(assemble::body(self.dialect, &self.asked, doc.root()));
            }
            Content::Stream(bytes) => (Stream::new(self.dialect, self.asked.clone()), bytes),
            Content::Lines(bytes) => (Stream::ndjson(self.dialect, self.asked.clone()), bytes),
            Content::Messages(bytes) => {
                (Stream::event_stream(self.dialect, self.asked.clone()), bytes)
            }
            Content::Array(bytes) => (Stream::objects(self.dialect, self.asked.clone()), bytes),
        };
        stream.push(bytes, &mut |_| {})?;
        Ok(stream.finish(&mut |_| {}))
    }
}
