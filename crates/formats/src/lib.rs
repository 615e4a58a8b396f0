//! Foreign session files, read into a [`Record`] and written back line for line.
//!
//! * [`detect`] says what a file is, by its content.
//! * [`import`] and [`import_reader`] give a record, and a finding for everything that was not as
//!   the format says. Damage and unknown content never fail an import: they are kept as opaque
//!   facts with their bytes.
//! * [`export`] gives a file back: the same lines in the same order, equal byte for byte where they
//!   came from that format, and new lines after them for what was appended since.
//!
//! **Conventions.** An entry keeps the lines it was made of in its origin; one response spread over
//! lines is one entry with several. A line that is no message is an opaque fact. A document (not
//! lines) is kept whole in its first entry. Content the view has no use for hangs beside the path,
//! off the message before it, so a path holds messages, compactions and heads only.
//!
//! For people there are [`markdown`] and [`html`], made of what [`surface`] says a conversation
//! looks like. [`discover`] finds the files of the harnesses on this machine: the one place that
//! opens files; all else works on bytes and a `BufRead` handed in.
//!
//! Not here: what a model may be sent.

mod aider;
mod anthropic;
mod bedrock_converse;
mod body;
mod chain;
mod claude_code;
mod codex;
mod copilot_cli;
mod detect;
pub mod discover;
mod error;
mod failure;
mod gemini;
mod gemini_cli;
mod handoff;
mod harness;
pub mod html;
pub mod inert;
mod instant;
mod limits;
mod lines;
pub mod markdown;
mod neutral;
mod openai_chat;
mod openai_responses;
mod opencode;
mod origin;
mod pi;
mod picture;
mod places;
mod recover;
mod rendition;
mod report;
mod rest;
mod source;
mod splice;
pub mod surface;
pub mod three_logs;
mod typed;
mod written;

use std::io::{BufRead, Read};
use std::sync::Arc;

use record::jsonl::{self, Loaded};
use record::{EntryId, Fact, Finding, Record};

use source::Keep;
use wire::openai_chat::vendors::Form;

pub use detect::{detect, detect_in, detect_reader};
pub use error::{ExportError, ImportError};
pub use limits::{DETECTED_BYTES_MAX, HEAD_BYTES};
pub use openai_chat::platform_of;

/// The formats that are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Our own JSONL.
    Record,
    /// The neutral history of the benchmarks, as lines or as one document.
    NeutralHistory,
    /// A request body of the Anthropic Messages API, or its `messages` alone.
    AnthropicMessages,
    /// A request body of OpenAI Chat Completions, or its `messages` alone.
    OpenAiChat,
    /// A request body of Ollama's native API, or its `messages` alone.
    OllamaChat,
    /// A request body of OpenAI Responses, or its items alone.
    OpenAiResponses,
    /// A request body of AWS Bedrock Converse, or its `messages` alone.
    BedrockConverse,
    /// A session file of Claude Code.
    ClaudeCode,
    /// A rollout file of the Codex CLI.
    Codex,
    /// A three-log directory: several files, read and written by [`three_logs`].
    ThreeLogs,
    /// A session file of pi.
    Pi,
    /// An event log of the Copilot CLI.
    CopilotCli,
    /// An exported session of OpenCode.
    OpenCode,
    /// A chat of the Gemini CLI.
    GeminiCli,
    /// A session of Cline, or of Roo.
    Cline,
    /// A transcript of Cursor.
    Cursor,
    /// A session of Factory's droid.
    Droid,
    /// A conversation of Kiro.
    Kiro,
    /// A session or evaluation set of Google's Agent Development Kit.
    Adk,
    /// A trajectory of Antigravity.
    Antigravity,
    /// A compact transcript of Entire.
    EntireCompact,
    /// A chat history of Grok's command line.
    Grok,
    /// A session of Hermes.
    Hermes,
    /// A session of the Kimi CLI.
    Kimi,
    /// A trajectory of mini-SWE-agent.
    MiniSweAgent,
    /// A session of Qwen Code.
    Qwen,
    /// A trajectory of SWE-agent.
    SweAgent,
    /// Trajectories of tau-bench.
    TauBench,
    /// A chat history of aider.
    Aider,
    /// A trajectory of ATIF, the Agent Trajectory Interchange Format.
    Atif,
    /// Messages of the AI SDK.
    AiSdk,
    /// An evaluation log of Inspect.
    Inspect,
    /// Messages that LangChain dumped.
    LangChain,
    /// A trajectory of OpenHands.
    OpenHands,
    /// A session log of DeepSeek Harness.
    DeepSeekHarness,
    /// A log of Codex from before its rollouts.
    CodexLegacy,
    /// A session of Goose.
    Goose,
    /// A request body of Gemini's `generateContent`, or its `contents` alone.
    Gemini,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 38] = [
        Format::Record,
        Format::NeutralHistory,
        Format::AnthropicMessages,
        Format::OpenAiChat,
        Format::OllamaChat,
        Format::OpenAiResponses,
        Format::BedrockConverse,
        Format::ClaudeCode,
        Format::Codex,
        Format::ThreeLogs,
        Format::Pi,
        Format::CopilotCli,
        Format::OpenCode,
        Format::GeminiCli,
        Format::Cline,
        Format::Cursor,
        Format::Droid,
        Format::Kiro,
        Format::Adk,
        Format::Antigravity,
        Format::EntireCompact,
        Format::Grok,
        Format::Hermes,
        Format::Kimi,
        Format::MiniSweAgent,
        Format::Qwen,
        Format::SweAgent,
        Format::TauBench,
        Format::Aider,
        Format::Atif,
        Format::AiSdk,
        Format::Inspect,
        Format::LangChain,
        Format::OpenHands,
        Format::DeepSeekHarness,
        Format::CodexLegacy,
        Format::Goose,
        Format::Gemini,
    ];

    /// The name in reports, on the command line and in origins.
    pub fn name(self) -> &'static str {
        match self {
            Format::Record => "record",
            Format::NeutralHistory => "neutral-history",
            Format::AnthropicMessages => "anthropic-messages",
            Format::OpenAiChat => "openai-chat",
            Format::OllamaChat => "ollama-chat",
            Format::OpenAiResponses => "openai-responses",
            Format::BedrockConverse => "bedrock-converse",
            Format::ClaudeCode => "claude-code",
            Format::Codex => "codex",
            Format::ThreeLogs => "three-logs",
            Format::Pi => "pi",
            Format::CopilotCli => "copilot-cli",
            Format::OpenCode => "opencode",
            Format::GeminiCli => "gemini-cli",
            Format::Cline => "cline",
            Format::Cursor => "cursor",
            Format::Droid => "droid",
            Format::Kiro => "kiro",
            Format::Adk => "adk",
            Format::Antigravity => "antigravity",
            Format::EntireCompact => "entire-compact",
            Format::Grok => "grok",
            Format::Hermes => "hermes",
            Format::Kimi => "kimi",
            Format::MiniSweAgent => "mini-swe-agent",
            Format::Qwen => "qwen-code",
            Format::SweAgent => "swe-agent",
            Format::TauBench => "tau-bench",
            Format::Aider => "aider",
            Format::Atif => "atif",
            Format::AiSdk => "ai-sdk",
            Format::Inspect => "inspect",
            Format::LangChain => "langchain",
            Format::OpenHands => "openhands",
            Format::DeepSeekHarness => "deepseek-harness",
            Format::CodexLegacy => "codex-legacy",
            Format::Goose => "goose",
            Format::Gemini => "gemini",
        }
    }

    /// Whether its files are lines that are read one by one.
    pub fn is_lines(self) -> bool {
        const LINES: [Format; 5] =
            [Format::Record, Format::ClaudeCode, Format::Codex, Format::Pi, Format::CopilotCli];
        LINES.contains(&self)
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Imported {
    /// What it was.
    pub format: Format,
    /// The conversation.
    pub record: Record,
    /// What was not as the format says, in file order.
    pub findings: Vec<Finding>,
    /// The title the file gives it.
    pub title: Option<String>,
}

/// Who serves a model of this name over Chat Completions, where the name says so; one with a path
/// before it is some gateway's, and says nothing.
pub fn vendor_of_model(model: &str) -> Option<&'static str> {
    openai_chat::platform_of(model)
}

/// Says what a whole file is that is in memory: of a long document the beginning says little.
///
/// # Errors
///
/// [`ImportError`] where it is nothing that is read.
pub fn detect_whole(bytes: &[u8]) -> Result<Format, ImportError> {
    match detect_in(bytes)? {
        Format::AnthropicMessages if bytes.len() > HEAD_BYTES => {
            Ok(detect::of_document(bytes).unwrap_or(Format::AnthropicMessages))
        }
        format => Ok(format),
    }
}

/// Reads a whole file that is in memory; `file` is its name in findings.
///
/// # Errors
///
/// [`ImportError`] where the file as a whole is nothing that can be read; never for a part of it.
pub fn import(bytes: &[u8], file: &str) -> Result<Imported, ImportError> {
    match detect_whole(bytes)? {
        Format::Record => Ok(recorded(jsonl::load(bytes, file))),
        Format::NeutralHistory => neutral::import(bytes, file),
        Format::AnthropicMessages => anthropic::import(bytes, file),
        Format::OpenAiChat => openai_chat::import(bytes, file, Form::Completions),
        Format::OllamaChat => openai_chat::import(bytes, file, Form::Ollama),
        Format::OpenAiResponses => openai_responses::import(bytes, file),
        Format::BedrockConverse => bedrock_converse::import(bytes, file),
        Format::ClaudeCode => {
            claude_code::import(bytes, file, Keep::Lines).map_err(ImportError::Io)
        }
        Format::Codex => codex::import(bytes, file, Keep::Lines).map_err(ImportError::Io),
        Format::ThreeLogs => Err(directory()),
        Format::Pi => pi::import(bytes, file, Keep::Lines).map_err(ImportError::Io),
        Format::CopilotCli => {
            copilot_cli::import(bytes, file, Keep::Lines).map_err(ImportError::Io)
        }
        Format::OpenCode => opencode::import(bytes, file),
        Format::GeminiCli => gemini_cli::import(bytes, file),
        Format::Aider => aider::import(bytes, file).map_err(ImportError::Io),
        Format::Gemini => gemini::import(bytes, file),
        other => harness::import(other, bytes, file),
    }
}

/// Reads a file from a reader. Line formats are read line by line; a document is read whole.
///
/// # Errors
///
/// As [`import`], and [`ImportError::Io`] where the reader fails.
pub fn import_reader(input: impl BufRead, file: &str) -> Result<Imported, ImportError> {
    read(input, file, Keep::Lines)
}

/// As [`import_reader`], for a caller who will not export: of each line its number is kept, not its
/// bytes.
///
/// # Errors
///
/// As [`import_reader`].
pub fn import_view(input: impl BufRead, file: &str) -> Result<Imported, ImportError> {
    let mut imported = read(input, file, Keep::Numbers)?;
    // What is read as one document is split only then.
    for entry in &mut imported.record.entries {
        if let Some(origin) = Arc::get_mut(entry).and_then(|entry| entry.origin.as_mut()) {
            origin.lines.iter_mut().for_each(|line| line.bytes = Box::default());
        }
    }
    Ok(imported)
}

fn read(mut input: impl BufRead, file: &str, keep: Keep) -> Result<Imported, ImportError> {
    let (mut head, format) = detect_reader(&mut input)?;
    match format? {
        Format::Record => Ok(recorded(jsonl::load_from(head.as_slice().chain(input), file)?)),
        Format::ClaudeCode => {
            let lines = std::io::BufReader::with_capacity(1 << 16, head.as_slice().chain(input));
            claude_code::import(lines, file, keep).map_err(ImportError::Io)
        }
        Format::ThreeLogs => Err(directory()),
        Format::Codex => {
            let lines = std::io::BufReader::with_capacity(1 << 16, head.as_slice().chain(input));
            codex::import(lines, file, keep).map_err(ImportError::Io)
        }
        Format::Pi => {
            let lines = std::io::BufReader::with_capacity(1 << 16, head.as_slice().chain(input));
            pi::import(lines, file, keep).map_err(ImportError::Io)
        }
        Format::CopilotCli => {
            let lines = std::io::BufReader::with_capacity(1 << 16, head.as_slice().chain(input));
            copilot_cli::import(lines, file, keep).map_err(ImportError::Io)
        }
        Format::NeutralHistory if !detect::names_records(&head) => {
            neutral::import_lines(head.as_slice().chain(input), file)
        }
        _ => {
            input.read_to_end(&mut head)?;
            import(&head, file)
        }
    }
}

/// What one file of a directory cannot be read as.
fn directory() -> ImportError {
    let hint =
        "one file of a three-log directory, which `three_logs::read` takes as a whole".to_owned();
    ImportError::UnknownFormat { hint }
}

fn recorded(loaded: Loaded) -> Imported {
    let Loaded { record, findings } = loaded;
    Imported { format: Format::Record, record, findings, title: None }
}

/// Writes a record in a format.
///
/// Lines that came from that format are given back byte for byte and in their order; what has no
/// line there is written after them.
///
/// # Errors
///
/// [`ExportError`] where the record holds what the format must not or cannot carry.
pub fn export(record: &Record, format: Format) -> Result<Vec<u8>, ExportError> {
    if format != Format::Record {
        origin::refuse_retracted(record)?;
    }
    match format {
        Format::Record => {
            check_record(record)?;
            Ok(jsonl::save(record))
        }
        Format::NeutralHistory => neutral::export(record),
        Format::AnthropicMessages => anthropic::export(record),
        Format::OpenAiChat => openai_chat::export(record, Form::Completions),
        Format::OllamaChat => openai_chat::export(record, Form::Ollama),
        Format::OpenAiResponses => openai_responses::export(record),
        Format::BedrockConverse => bedrock_converse::export(record),
        Format::ClaudeCode => claude_code::export(record),
        Format::Codex => codex::export(record),
        Format::ThreeLogs => Err(ExportError::Directory),
        Format::Pi => pi::export(record),
        Format::CopilotCli => copilot_cli::export(record),
        Format::OpenCode => opencode::export(record),
        Format::GeminiCli => gemini_cli::export(record),
        Format::Aider => aider::export(record),
        Format::Gemini => gemini::export(record),
        other => harness::export(record, other),
    }
}

/// Whether [`jsonl::lines`] of a record give its conversation back: the entries that say nothing in
/// it and are over a limit of a line. They are read back as bytes, so the file they came from can
/// then not be written again.
///
/// # Errors
///
/// [`ExportError::OverLimit`] where something of the conversation would be lost.
pub fn check_record(record: &Record) -> Result<Vec<EntryId>, ExportError> {
    let judged = jsonl::over_limits(record).map(|(entry, over)| match &entry.fact {
        Fact::Opaque(_) => Ok(entry.id.clone()),
        Fact::Message(_)
        | Fact::CallStarted(_)
        | Fact::Compaction(_)
        | Fact::Head(_)
        | Fact::Sent(_)
        | Fact::Retracted(_) => Err(ExportError::OverLimit { entry: entry.id.clone(), over }),
    });
    judged.collect()
}
