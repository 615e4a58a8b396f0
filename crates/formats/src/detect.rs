//! What a file is, by its content.
//!
//! Lines are looked at first: the first one whose shape one format alone has decides, so damage
//! before it does no harm. Where no line decides, the head is taken as one document. A file's name
//! is never asked.

use std::io::{BufRead, Read};

use json::{Doc, Kind, Value};

use crate::Format;
use crate::error::ImportError;
use crate::limits::{DETECTED_BYTES_MAX, HEAD_BYTES};
use crate::source::BOM;
use crate::{
    anthropic, bedrock_converse, codex, copilot_cli, gemini_cli, openai_chat, opencode, pi,
};

/// Says what a file is that begins with `head`; `whole` where that is all of it.
///
/// ```
/// let line = br#"{"type":"user","uuid":"u","message":{"role":"user","content":"hi"}}"#;
/// assert_eq!(formats::detect(line, true).ok(), Some(formats::Format::ClaudeCode));
/// ```
///
/// # Errors
///
/// [`ImportError`] saying what it is instead, as far as that can be seen.
pub fn detect(head: &[u8], whole: bool) -> Result<Format, ImportError> {
    refuse_encoding(head)?;
    let text = head.strip_prefix(BOM).unwrap_or(head);
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(if whole {
            ImportError::Empty
        } else {
            unknown("it begins with nothing but blanks")
        });
    }
    if whole && is_document(text) {
        return document(text, whole);
    }
    let mut verdict = None;
    let (mut objects, mut documents) = (0usize, 0usize);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let complete = whole || line.ends_with(b"\n");
        if !complete || !line.trim_ascii_start().starts_with(b"{") {
            continue;
        }
        let Ok(doc) = Doc::parse(line) else { continue };
        objects += 1;
        match verdict_of_line(doc.root()) {
            Verdict::Is(format) => return Ok(format),
            Verdict::Foreign(hint) => verdict = verdict.or(Some(hint)),
            Verdict::Document => documents += 1,
            Verdict::Open => {}
        }
    }
    if let Some(hint) = verdict {
        return Err(unknown(hint));
    }
    if documents > 1 {
        return Err(unknown("several request bodies, one a line; take one of them out"));
    }
    if objects > 1 {
        return Err(unknown("lines of JSON of no session format that is read"));
    }
    document(text, whole)
}

/// As [`detect`], of bytes that are a whole file; no more of them is looked at than is needed.
///
/// # Errors
///
/// As [`detect`].
pub fn detect_in(bytes: &[u8]) -> Result<Format, ImportError> {
    let mut limit = HEAD_BYTES;
    loop {
        let head = bytes.get(..limit).unwrap_or(bytes);
        let verdict = detect(head, head.len() == bytes.len());
        match further(&verdict, limit).filter(|_| head.len() < bytes.len()) {
            Some(next) => limit = next,
            None => return verdict,
        }
    }
}

/// As [`detect`], of a file that comes in: the bytes that were read, and what they say it is.
///
/// # Errors
///
/// [`ImportError::Io`] where the reader fails.
pub fn detect_reader(
    input: &mut impl BufRead,
) -> Result<(Vec<u8>, Result<Format, ImportError>), ImportError> {
    let (mut head, mut limit) = (Vec::new(), HEAD_BYTES);
    loop {
        input.by_ref().take((limit - head.len()) as u64).read_to_end(&mut head)?;
        let whole = input.fill_buf()?.is_empty();
        let verdict = detect(&head, whole);
        match further(&verdict, limit).filter(|_| !whole) {
            Some(next) => limit = next,
            None => return Ok((head, verdict)),
        }
    }
}

/// How much more is to be looked at, where this much did not tell.
fn further(verdict: &Result<Format, ImportError>, limit: usize) -> Option<usize> {
    let unknown = matches!(verdict, Err(ImportError::UnknownFormat { .. }));
    (unknown && limit < DETECTED_BYTES_MAX)
        .then_some(limit.saturating_mul(4).min(DETECTED_BYTES_MAX))
}

/// Whether a text is one document over several lines, whatever any of them looks like by itself.
fn is_document(text: &[u8]) -> bool {
    let first = text.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default();
    Doc::parse(first).is_err() && Doc::parse(text).is_ok()
}

fn unknown(hint: &str) -> ImportError {
    ImportError::UnknownFormat { hint: hint.to_owned() }
}

fn refuse_encoding(head: &[u8]) -> Result<(), ImportError> {
    const ENCODINGS: [(&[u8], &str); 4] = [
        (b"\xff\xfe\0\0", "UTF-32LE"),
        (b"\0\0\xfe\xff", "UTF-32BE"),
        (b"\xff\xfe", "UTF-16LE"),
        (b"\xfe\xff", "UTF-16BE"),
    ];
    const BINARY: [(&[u8], &str); 7] = [
        (b"SQLite format 3\0", "a SQLite database; give it to the command that reads stores"),
        (b"\x1f\x8b", "a gzip archive; unpack it first"),
        (b"\x28\xb5\x2f\xfd", "a zstd archive; unpack it first"),
        (b"PK\x03\x04", "a zip archive; unpack it first"),
        (b"%PDF", "a PDF"),
        (b"\x89PNG", "a PNG image"),
        (b"\x7fELF", "a program"),
    ];
    if let Some((_, name)) = ENCODINGS.iter().find(|(mark, _)| head.starts_with(mark)) {
        return Err(ImportError::Encoding { name });
    }
    match BINARY.iter().find(|(mark, _)| head.starts_with(mark)) {
        Some((_, looks_like)) => Err(ImportError::Binary { looks_like }),
        None => Ok(()),
    }
}

/// What one line, or one document, says.
enum Verdict {
    Is(Format),
    /// A format that is known and not read.
    Foreign(&'static str),
    /// A document, if it is alone.
    Document,
    Open,
}

fn verdict_of_line(line: Value<'_, '_>) -> Verdict {
    let has = |name: &str| line.get(name).is_some();
    match line.get_str("kind").as_deref() {
        Some("header") if has("v") => return Verdict::Is(Format::NeutralHistory),
        Some("msg") if has("role") && has("blocks") => return Verdict::Is(Format::NeutralHistory),
        _ => {}
    }
    if is_record(line) {
        return Verdict::Is(Format::Record);
    }
    if line.get("messages").is_some_and(|list| list.kind() == Kind::Array)
        || has("records")
        || has("contents")
    {
        return Verdict::Document;
    }
    if codex::is_line(line) {
        return Verdict::Is(Format::Codex);
    }
    if pi::is_line(line) {
        return Verdict::Is(Format::Pi);
    }
    if copilot_cli::is_line(line) {
        return Verdict::Is(Format::CopilotCli);
    }
    if gemini_cli::is_line(line) {
        return Verdict::Is(Format::GeminiCli);
    }
    claude_code(line).unwrap_or_else(|| foreign_line(line))
}

/// Entries and ref moves of our own JSONL.
fn is_record(line: Value<'_, '_>) -> bool {
    let has = |name: &str| line.get(name).is_some();
    let string = |name: &str| line.get(name).is_some_and(|value| value.kind() == Kind::String);
    has("stenograph")
        || string("entry")
        || string("role") && has("blocks")
        || string("ref") && has("tip")
}

fn claude_code(line: Value<'_, '_>) -> Option<Verdict> {
    let kind = line.get_str("type")?;
    let has = |name: &str| line.get(name).is_some();
    if let Some(message) = line.get("message")
        && message.get("parts").is_some()
    {
        return Some(Verdict::Foreign("a Qwen Code session; not read yet"));
    }
    let sure = match &*kind {
        "user" | "assistant" => has("message") && (has("uuid") || has("sessionId")),
        "summary" => has("leafUuid"),
        "file-history-snapshot" => has("snapshot"),
        "queue-operation" => has("operation") && has("sessionId"),
        "attachment" | "progress" => has("uuid") && has("parentUuid"),
        // Others write system lines of this shape too, so these alone do not decide.
        _ => false,
    };
    sure.then_some(Verdict::Is(Format::ClaudeCode))
}

/// Lines of formats that are told apart in order to say so.
fn foreign_line(line: Value<'_, '_>) -> Verdict {
    let has = |name: &str| line.get(name).is_some();
    let kind = line.get_str("type").unwrap_or_default();
    let hint = match &*kind {
        "session_start" if has("id") => "a Factory droid session; not read yet",
        "" if has("ts") && has("role") && has("content") => {
            "messages of a three-log directory; give the directory"
        }
        "" if has("role") && has("message") => "a Cursor transcript; not read yet",
        "" if has("role") && (has("tool_calls") || has("tool_call_id")) => {
            "OpenAI chat messages, one a line; not read yet"
        }
        _ => return Verdict::Open,
    };
    Verdict::Foreign(hint)
}

fn document(text: &[u8], whole: bool) -> Result<Format, ImportError> {
    if !whole {
        return beginning(text);
    }
    let doc = match Doc::parse(text) {
        Ok(doc) => doc,
        Err(_) if !matches!(text.trim_ascii_start().first(), Some(b'{' | b'[' | 0)) => {
            return Err(not_json(text));
        }
        Err(error) => {
            let position = json::Position::of(text, error.offset);
            return Err(ImportError::Json { error, position });
        }
    };
    match verdict_of_document(doc.root()) {
        Verdict::Is(format) => Ok(format),
        Verdict::Foreign(hint) => Err(unknown(hint)),
        Verdict::Document | Verdict::Open => {
            Err(unknown("JSON without `messages`; no session format that is read"))
        }
    }
}

fn not_json(text: &[u8]) -> ImportError {
    if text.contains(&0) || std::str::from_utf8(text).is_err_and(|e| e.error_len().is_some()) {
        ImportError::Binary { looks_like: "no text in UTF-8" }
    } else {
        unknown("text that is not JSON")
    }
}

fn verdict_of_document(root: Value<'_, '_>) -> Verdict {
    let has = |name: &str| root.get(name).is_some();
    if root.kind() == Kind::Array {
        return match root.items().next() {
            Some(first) if first.get("parts").is_some() => {
                Verdict::Foreign("Gemini contents; not read yet")
            }
            Some(_) => verdict_of_messages(root, root),
            None => Verdict::Foreign("an empty list"),
        };
    }
    if has("records") {
        return Verdict::Is(Format::NeutralHistory);
    }
    if has("contents") {
        return Verdict::Foreign("a Gemini request body; not read yet");
    }
    if gemini_cli::is_document(root) {
        return Verdict::Is(Format::GeminiCli);
    }
    if opencode::is_document(root) {
        return Verdict::Is(Format::OpenCode);
    }
    match root.get("messages") {
        Some(list) if list.kind() == Kind::Array => verdict_of_messages(root, list),
        Some(_) => Verdict::Foreign("an object whose `messages` is no list"),
        None if has("input") && has("model") => {
            Verdict::Foreign("an OpenAI Responses body; not read yet")
        }
        None if has("exchanges") => {
            Verdict::Foreign("recorded HTTP exchanges; take the body of one request out of it")
        }
        None => Verdict::Open,
    }
}

const OPENAI_CHAT: Verdict = Verdict::Is(Format::OpenAiChat);
const BEDROCK_CONVERSE: Verdict = Verdict::Is(Format::BedrockConverse);

/// Parameters that only Bedrock Converse has.
const CONVERSE_PARAMETERS: [&str; 4] =
    ["toolConfig", "inferenceConfig", "additionalModelRequestFields", "modelId"];

/// Tells the bodies apart that have `messages`.
fn verdict_of_messages(root: Value<'_, '_>, list: Value<'_, '_>) -> Verdict {
    let openai_tool = |tool: Value<'_, '_>| tool.get("function").is_some();
    if root.get("tools").is_some_and(|tools| tools.items().any(openai_tool)) {
        return OPENAI_CHAT;
    }
    if CONVERSE_PARAMETERS.iter().any(|name| root.get(name).is_some()) {
        return BEDROCK_CONVERSE;
    }
    let (mut known, mut responses) = (list.items().next().is_none(), false);
    let mut sure = root
        .get("tools")
        .is_some_and(|tools| tools.items().any(|tool| tool.get("input_schema").is_some()));
    for message in list.items() {
        match message.get_str("role").as_deref() {
            Some("user" | "assistant" | "system") => known = true,
            Some("tool" | "function" | "developer") => return OPENAI_CHAT,
            Some("model") => return Verdict::Foreign("Gemini contents; not read yet"),
            Some(_) | None => {}
        }
        if message.get("toolUse").is_some() || message.get("parts").is_some() {
            return Verdict::Foreign("messages of another API; not read yet");
        }
        responses |= is_responses_item(message);
        let calls = message.get("tool_calls").is_some_and(|calls| !calls.is_null());
        let thought = message.get("reasoning_content").is_some();
        if calls || thought || message.get("function_call").is_some() {
            return OPENAI_CHAT;
        }
        for block in message.get("content").into_iter().flat_map(Value::items) {
            match block.get_str("type").as_deref() {
                Some("image_url" | "input_audio" | "refusal") => return OPENAI_CHAT,
                Some("tool_use" | "tool_result" | "thinking" | "redacted_thinking" | "image") => {
                    sure = true;
                }
                Some(_) => {}
                None if bedrock_converse::is_block(block) => return BEDROCK_CONVERSE,
                None => {}
            }
        }
    }
    let first = list.items().next().and_then(|message| message.get_str("role"));
    if !sure && responses {
        return Verdict::Foreign("items of the OpenAI Responses API; not read yet");
    }
    if first.as_deref() == Some("system") && root.get("system").is_none() && !sure {
        return OPENAI_CHAT;
    }
    if !sure && says_chat(root) {
        return OPENAI_CHAT;
    }
    if known { Verdict::Is(Format::AnthropicMessages) } else { Verdict::Open }
}

/// Whether what stands among messages is an item of the Responses API.
fn is_responses_item(message: Value<'_, '_>) -> bool {
    let is_item = match message.get_str("type").as_deref() {
        Some("function_call" | "function_call_output" | "reasoning" | "item_reference") => true,
        Some(_) | None => false,
    };
    let mut blocks = message.get("content").into_iter().flat_map(Value::items);
    let is_part = |block: Value<'_, '_>| {
        matches!(
            block.get_str("type").as_deref(),
            Some("input_text" | "input_image" | "input_file" | "output_text")
        )
    };
    is_item && message.get("role").is_none() || blocks.any(is_part)
}

/// Whether a body says by its parameters or its model that it is no Anthropic one.
fn says_chat(root: Value<'_, '_>) -> bool {
    const PARAMETERS: [&str; 10] = [
        "frequency_penalty",
        "logit_bias",
        "max_completion_tokens",
        "n",
        "parallel_tool_calls",
        "presence_penalty",
        "reasoning_effort",
        "response_format",
        "stop",
        "stream_options",
    ];
    let model = root.get_str("model").unwrap_or_default();
    let platform = openai_chat::platform_of(&model);
    let has = |name: &str| root.get(name).is_some();
    // What the Anthropic API takes names a limit, and its models are all of one name.
    let elsewhere = !model.is_empty() && !model.contains("claude") && !has("max_tokens");
    !has("system")
        && (elsewhere
            || platform.is_some_and(|platform| platform != anthropic::block::PLATFORM)
            || PARAMETERS.into_iter().any(has))
}

/// Whether a whole document is of a format, where its head did not say.
pub(crate) fn is(document: &[u8], format: Format) -> bool {
    let doc = Doc::parse(document.strip_prefix(BOM).unwrap_or(document));
    doc.is_ok_and(|doc| match verdict_of_document(doc.root()) {
        Verdict::Is(known) => known == format,
        Verdict::Foreign(_) | Verdict::Document | Verdict::Open => false,
    })
}

/// A document that goes on after its head: told by the names at its top.
///
/// Only the outline is looked at; reading the document says the rest.
fn beginning(text: &[u8]) -> Result<Format, ImportError> {
    let start = text.trim_ascii_start();
    match start.first() {
        Some(b'[') => return Ok(Format::AnthropicMessages),
        Some(b'{') => {}
        _ => return Err(not_json(text)),
    }
    let names = top_names(start);
    let has = |name: &str| names.contains(&name.as_bytes());
    if has("sessionId") && (has("uuid") || has("parentUuid")) {
        Ok(Format::ClaudeCode)
    } else if has("entry") || has("role") && has("blocks") && !has("kind") {
        Ok(Format::Record)
    } else if has("type") && has("payload") {
        Ok(Format::Codex)
    } else if has("info") && has("messages") {
        Ok(Format::OpenCode)
    } else if has("projectHash") || has("lastUpdated") {
        Ok(Format::GeminiCli)
    } else if has("records") || has("header") || has("kind") && has("blocks") {
        Ok(Format::NeutralHistory)
    } else if CONVERSE_PARAMETERS.iter().any(|name| has(name)) {
        Ok(Format::BedrockConverse)
    } else if has("messages") || has("system") || has("max_tokens") {
        Ok(Format::AnthropicMessages)
    } else if has("contents") {
        Err(unknown("a Gemini request body; not read yet"))
    } else if has("input") {
        Err(unknown("an OpenAI Responses body; not read yet"))
    } else {
        Err(unknown("a document without `messages`; no session format that is read"))
    }
}

/// Whether a neutral history may be one document: its head names the list of records.
pub(crate) fn names_records(head: &[u8]) -> bool {
    let names = top_names(head);
    names.contains(&&b"records"[..]) || names.contains(&&b"header"[..])
}

/// The names of the members at depth one, as far as the text goes.
fn top_names(text: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    let (mut depth, mut at) = (0usize, 0usize);
    while let Some(byte) = text.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let inner = at + 1;
                at = string_end(text, inner);
                let after = text.get(at + 1..).unwrap_or_default().trim_ascii_start();
                if depth == 1 && after.starts_with(b":") {
                    names.extend(text.get(inner..at));
                }
            }
            _ => {}
        }
        at += 1;
    }
    names
}

/// The index of the quote that ends a string whose inside begins at `at`.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => break,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}
