//! A response as its provider sends it: bytes of a stream, or a whole body.

use std::sync::Arc;

use json::{Doc, Value};
use record::Issuer;
use wire::bedrock_converse::events::invoked;
use wire::frames::{EventStream, Frame, Framing, Ndjson, Objects, Sse};

use crate::chunk::{Chunk, Failure, Finish, FinishReason, MALFORMED_STREAM};
use crate::finding::FindingKind;
use crate::fold::Assembler;
use crate::live::Live;
use crate::reply::{Asked, Failed, Reply, StreamError};
use crate::{
    anthropic_messages, bedrock_converse, gemini, ollama_chat, openai_chat, openai_responses,
};

/// The dialects whose replies are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Anthropic Messages.
    AnthropicMessages,
    /// OpenAI Chat Completions, and the vendors that speak it.
    OpenAiChat,
    /// OpenAI Responses, and the hosts that speak it.
    OpenAiResponses,
    /// Gemini `generateContent`, of the Gemini API and of Vertex.
    Gemini,
    /// AWS Bedrock Converse.
    BedrockConverse,
    /// Ollama's native API.
    OllamaChat,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 6] = [
        Dialect::AnthropicMessages,
        Dialect::OpenAiChat,
        Dialect::OpenAiResponses,
        Dialect::Gemini,
        Dialect::BedrockConverse,
        Dialect::OllamaChat,
    ];

    /// The name in issuers and sources.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::AnthropicMessages => anthropic_messages::API,
            Dialect::OpenAiChat => openai_chat::API,
            Dialect::OpenAiResponses => openai_responses::API,
            Dialect::Gemini => gemini::API,
            Dialect::BedrockConverse => bedrock_converse::API,
            Dialect::OllamaChat => ollama_chat::API,
        }
    }

    /// The dialect of this name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

/// What AWS names an event in which one of the model's own is wrapped.
const INVOKED: &str = "chunk";

/// Where a decoder puts what it reads.
pub(crate) struct Sink<'s> {
    fold: &'s mut Assembler,
    live: &'s mut dyn FnMut(Live<'_>),
}

impl Sink<'_> {
    pub(crate) fn chunk(&mut self, chunk: Chunk) -> Result<(), StreamError> {
        self.fold.take(chunk, self.live)
    }

    pub(crate) fn finish(&mut self, finish: Finish) -> Result<(), StreamError> {
        self.chunk(Chunk::Finish(finish))
    }

    pub(crate) fn fail(&mut self, failure: Failure) -> Result<(), StreamError> {
        let reason = FinishReason::Error(failure);
        self.finish(Finish { reason, ..Finish::default() })
    }

    /// Counts bytes that the decoder holds for the message.
    pub(crate) fn hold(&mut self, bytes: usize) -> Result<(), StreamError> {
        self.fold.hold(bytes)
    }

    pub(crate) fn report(&mut self, kind: FindingKind, detail: impl FnOnce() -> String) {
        self.fold.findings.add(kind, detail);
    }

    /// The object that a frame is; what is none is told of.
    pub(crate) fn object<'f>(&mut self, frame: &'f Frame<'_>) -> Option<Doc<'f>> {
        let doc = Doc::parse_str(&frame.data);
        // Torn where the stream ends: that it ended is what is told then.
        if doc.is_err() && !frame.ended {
            return None;
        }
        let object = doc.ok().filter(|doc| doc.root().kind() == json::Kind::Object);
        if object.is_none() {
            self.report(FindingKind::MalformedStream, || {
                format!("a frame of {} bytes that is no JSON object", frame.data.len())
            });
        }
        object
    }

    /// A call as it stands: its id, its tool and its arguments.
    pub(crate) fn called(&self, index: u64) -> Option<(&json::Text, &json::Text, &str)> {
        self.fold.called(index)
    }

    /// What was said or thought in a block so far.
    pub(crate) fn said(&self, index: u64) -> Option<&str> {
        self.fold.said(index)
    }
}

#[derive(Debug)]
enum Decoder {
    AnthropicMessages(Box<anthropic_messages::decode::Decoder>),
    OpenAiChat(Box<openai_chat::decode::Decoder>),
    OpenAiResponses(Box<openai_responses::decode::Decoder>),
    Gemini(Box<gemini::decode::Decoder>),
    BedrockConverse(Box<bedrock_converse::decode::Decoder>),
    OllamaChat(Box<ollama_chat::decode::Decoder>),
}

/// A streamed reply being read, packet by packet. How the stream was cut into packets changes
/// nothing.
#[derive(Debug)]
pub struct Stream {
    asked: Asked,
    framing: Framing,
    decoder: Decoder,
    fold: Assembler,
}

impl Stream {
    /// A reply in a dialect, in the form its own API streams it.
    pub fn new(dialect: Dialect, asked: Asked) -> Stream {
        match dialect {
            Dialect::BedrockConverse => Stream::event_stream(dialect, asked),
            Dialect::OllamaChat => Stream::ndjson(dialect, asked),
            Dialect::AnthropicMessages
            | Dialect::OpenAiChat
            | Dialect::OpenAiResponses
            | Dialect::Gemini => Stream::framed(dialect, asked, Framing::Sse(Sse::new())),
        }
    }

    /// A reply in a dialect, as a binary event stream of AWS. One of another dialect than Bedrock's
    /// own is wrapped, as `InvokeModelWithResponseStream` gives it.
    pub fn event_stream(dialect: Dialect, asked: Asked) -> Stream {
        Stream::framed(dialect, asked, Framing::EventStream(EventStream::new()))
    }

    /// A reply in a dialect, one chunk a line.
    pub fn ndjson(dialect: Dialect, asked: Asked) -> Stream {
        Stream::framed(dialect, asked, Framing::Ndjson(Ndjson::new()))
    }

    /// A reply in a dialect, as a JSON array of its chunks.
    pub fn objects(dialect: Dialect, asked: Asked) -> Stream {
        Stream::framed(dialect, asked, Framing::Objects(Objects::new()))
    }

    fn framed(dialect: Dialect, asked: Asked, framing: Framing) -> Stream {
        let issuer = issuer(dialect, &asked);
        let decoder = match dialect {
            Dialect::AnthropicMessages => Decoder::AnthropicMessages(Box::new(
                anthropic_messages::decode::Decoder::new(issuer),
            )),
            Dialect::OpenAiChat => {
                Decoder::OpenAiChat(Box::new(openai_chat::decode::Decoder::new(issuer)))
            }
            Dialect::OpenAiResponses => {
                Decoder::OpenAiResponses(Box::new(openai_responses::decode::Decoder::new(issuer)))
            }
            Dialect::Gemini => Decoder::Gemini(Box::new(gemini::decode::Decoder::new(issuer))),
            Dialect::BedrockConverse => {
                Decoder::BedrockConverse(Box::new(bedrock_converse::decode::Decoder::new(issuer)))
            }
            Dialect::OllamaChat => {
                Decoder::OllamaChat(Box::new(ollama_chat::decode::Decoder::new(issuer)))
            }
        };
        Stream { asked, framing, decoder, fold: Assembler::default() }
    }

    /// Takes the next bytes; what they add is shown to `live`.
    pub fn push(
        &mut self,
        mut packet: &[u8],
        live: &mut dyn FnMut(Live<'_>),
    ) -> Result<(), StreamError> {
        let mut sink = Sink { fold: &mut self.fold, live };
        let is_binary = matches!(self.framing, Framing::EventStream(_));
        let is_converse = matches!(self.decoder, Decoder::BedrockConverse(_));
        while let Some(frame) = self.framing.next(&mut packet)? {
            // Some models answer an `InvokeModel` with the events of Converse.
            match is_binary && (!is_converse || frame.event == INVOKED) {
                true => self.decoder.wrapped(&frame, &mut sink)?,
                false => self.decoder.frame(&frame, &mut sink)?,
            }
        }
        Ok(())
    }

    /// The reply, once the stream is over.
    pub fn finish(mut self, live: &mut dyn FnMut(Live<'_>)) -> Result<Reply, Failed> {
        let mut sink = Sink { fold: &mut self.fold, live };
        let mut ended = match self.framing.end() {
            Some(frame) => self.decoder.frame(&frame, &mut sink),
            None => Ok(()),
        };
        // An error around the reply has ended it.
        if ended.is_ok() && !sink.fold.is_finished() {
            ended = self.decoder.end(&mut sink);
        }
        if let Err(error) = ended {
            let failure = Box::new(Failure::of(MALFORMED_STREAM, error.to_string()));
            let findings = std::mem::take(&mut self.fold.findings).into_vec();
            return Err(Failed { failure, usage: self.fold.usage, findings, cut: None });
        }
        let asked = Asked { issuer: self.decoder.issuer(), ..self.asked };
        self.fold.finish(&asked)
    }

    /// What was said up to now, for a caller that cancels; see [`Assembler::interrupt`].
    pub fn interrupt(self) -> Option<Reply> {
        let asked = Asked { issuer: self.decoder.issuer(), ..self.asked };
        self.fold.interrupt(&asked)
    }
}

impl Decoder {
    /// Reads a frame that holds one of the dialect's own.
    fn wrapped(&mut self, frame: &Frame<'_>, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        let doc = Doc::parse_str(&frame.data).unwrap_or_default();
        if frame.is_exception {
            let code = frame.event.as_ref().into();
            return sink.fail(Failure { code, ..failure_of(doc.root(), &[]) });
        }
        let Some(data) = invoked(doc.root()) else {
            sink.report(FindingKind::MalformedStream, || {
                format!("an event `{}` that holds none of the model's", frame.event)
            });
            return Ok(());
        };
        let own = Frame {
            event: "".into(),
            data: data.as_str().into(),
            ended: true,
            is_exception: false,
        };
        self.frame(&own, sink)
    }

    fn frame(&mut self, frame: &Frame<'_>, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        // What AWS says of an error is put together too, and holds what it held.
        if matches!(&frame.data, std::borrow::Cow::Owned(data) if data.contains('\u{fffd}')) {
            sink.report(FindingKind::NotUtf8, || "bytes that are no UTF-8 were replaced".into());
        }
        match self {
            Decoder::AnthropicMessages(decoder) => decoder.frame(frame, sink),
            Decoder::OpenAiChat(decoder) => decoder.frame(frame, sink),
            Decoder::OpenAiResponses(decoder) => decoder.frame(frame, sink),
            Decoder::Gemini(decoder) => decoder.frame(frame, sink),
            Decoder::BedrockConverse(decoder) => decoder.frame(frame, sink),
            Decoder::OllamaChat(decoder) => decoder.frame(frame, sink),
        }
    }

    fn end(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        match self {
            Decoder::AnthropicMessages(decoder) => decoder.end(sink),
            Decoder::OpenAiChat(decoder) => decoder.end(sink),
            Decoder::OpenAiResponses(decoder) => decoder.end(sink),
            Decoder::Gemini(decoder) => decoder.end(sink),
            Decoder::BedrockConverse(decoder) => decoder.end(sink),
            Decoder::OllamaChat(decoder) => decoder.end(sink),
        }
    }

    fn issuer(&self) -> Arc<Issuer> {
        match self {
            Decoder::AnthropicMessages(decoder) => Arc::clone(&decoder.issuer),
            Decoder::OpenAiChat(decoder) => Arc::clone(&decoder.issuer),
            Decoder::OpenAiResponses(decoder) => Arc::clone(&decoder.issuer),
            Decoder::Gemini(decoder) => Arc::clone(&decoder.issuer),
            Decoder::BedrockConverse(decoder) => Arc::clone(&decoder.issuer),
            Decoder::OllamaChat(decoder) => Arc::clone(&decoder.issuer),
        }
    }
}

/// The reply that a whole body holds: the same as a stream of it would give.
pub fn body(dialect: Dialect, asked: &Asked, root: Value<'_, '_>) -> Result<Reply, Failed> {
    let mut fold = Assembler::default();
    let mut sink = Sink { fold: &mut fold, live: &mut |_| {} };
    let issuer = issuer(dialect, asked);
    let read = match dialect {
        Dialect::AnthropicMessages => anthropic_messages::body::read(root, issuer, &mut sink),
        Dialect::OpenAiChat => openai_chat::body::read(root, issuer, &mut sink),
        Dialect::OpenAiResponses => openai_responses::body::read(root, issuer, &mut sink),
        Dialect::Gemini => gemini::body::read(root, issuer, &mut sink),
        Dialect::BedrockConverse => bedrock_converse::body::read(root, issuer, &mut sink),
        Dialect::OllamaChat => ollama_chat::body::read(root, issuer, &mut sink),
    };
    match read {
        Ok(issuer) => fold.finish(&Asked { issuer, ..asked.clone() }),
        Err(error) => {
            let failure = Box::new(Failure::of(MALFORMED_STREAM, error.to_string()));
            Err(Failed {
                failure,
                usage: fold.usage,
                findings: fold.findings.into_vec(),
                cut: None,
            })
        }
    }
}

/// Who answers, in the dialect it answers in.
fn issuer(dialect: Dialect, asked: &Asked) -> Arc<Issuer> {
    if &*asked.issuer.api == dialect.name() {
        return Arc::clone(&asked.issuer);
    }
    Arc::new(Issuer { api: dialect.name().into(), ..(*asked.issuer).clone() })
}

/// The issuer with the name that a response gives its model.
pub(crate) fn named(issuer: &Arc<Issuer>, model: json::Text) -> Arc<Issuer> {
    if model.is_empty() || issuer.model == model {
        return Arc::clone(issuer);
    }
    Arc::new(Issuer { model, ..(**issuer).clone() })
}

/// A provider's error, as a failure. In: the object that says what is wrong, or a string.
pub(crate) fn failure_of(error: Value<'_, '_>, codes: &[&str]) -> Failure {
    let text = |name: &str| {
        error
            .get(name)
            .filter(|value| !value.is_null())
            .map(|value| value.to_text().unwrap_or_else(|| value.raw().into()))
    };
    let code = codes.iter().find_map(|name| text(name)).unwrap_or_else(|| "error".into());
    let message = text("message").or_else(|| text("status_msg")).or_else(|| error.to_text());
    let status = error.get("status_code").or(error.get("code")).and_then(Value::as_u64);
    Failure {
        code,
        message: message.unwrap_or_default(),
        status: status.filter(|status| (400..600).contains(status)),
        ..Failure::default()
    }
}
