//! A history as a list of steps: what is stored, and when a request is made.

use json::Text;
use record::{EntryId, Fact, Retracted, Rung};
use replay::{Target, ThinkingChoice};
use wire::openai_chat::vendors::{
    AskToThink, Charset, Form, Grammar, OPENAI, ReasoningKey,
    Takes::{No, Yes},
    UNKNOWN, Vendor,
};

use crate::tag::Tags;

/// Who asks, by index.
pub const AGENTS: [&str; 2] = ["main", "other"];

/// Over which API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Api {
    /// Anthropic Messages.
    Claude,
    /// Chat Completions.
    Chat,
    /// Responses.
    Responses,
    /// Gemini.
    Gemini,
    /// Bedrock Converse.
    Converse,
}

/// Where requests go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetRow {
    /// The API.
    pub api: Api,
    /// Who serves the model over Chat Completions, or the platform of Gemini; empty for the Claude
    /// API and for Bedrock.
    pub vendor: &'static str,
    /// The model.
    pub model: &'static str,
    /// Whether it is let see images.
    pub vision: bool,
    /// Whether it is let call tools.
    pub tools: bool,
    /// The vendor's row, where it is the caller's own.
    pub row: Option<&'static Vendor>,
    /// Whether the server keeps what it is sent.
    pub store: bool,
}

impl TargetRow {
    /// Whether it speaks Chat Completions.
    pub fn is_chat(&self) -> bool {
        self.api == Api::Chat
    }

    /// Whether it speaks Responses.
    pub fn is_responses(&self) -> bool {
        self.api == Api::Responses
    }

    /// Whether it speaks Gemini.
    pub fn is_gemini(&self) -> bool {
        self.api == Api::Gemini
    }

    /// Whether it speaks Bedrock Converse.
    pub fn is_converse(&self) -> bool {
        self.api == Api::Converse
    }

    /// Whether both are one target, whatever their callers let them have.
    pub fn is_same(&self, other: &TargetRow) -> bool {
        (self.api, self.vendor, self.model) == (other.api, other.vendor, other.model)
    }
}

const fn claude(model: &'static str, vision: bool) -> TargetRow {
    let api = Api::Claude;
    TargetRow { api, vendor: "", model, vision, tools: true, row: None, store: false }
}

const fn gemini(vendor: &'static str, model: &'static str, vision: bool) -> TargetRow {
    TargetRow { api: Api::Gemini, vendor, ..claude(model, vision) }
}

const fn chat(vendor: &'static str, model: &'static str, vision: bool) -> TargetRow {
    TargetRow { api: Api::Chat, vendor, ..claude(model, vision) }
}

const fn responses(vendor: &'static str, model: &'static str, vision: bool) -> TargetRow {
    TargetRow { api: Api::Responses, vendor, ..claude(model, vision) }
}

const fn converse(model: &'static str, vision: bool) -> TargetRow {
    TargetRow { api: Api::Converse, ..claude(model, vision) }
}

const fn own(vendor: &'static str, row: &'static Vendor, vision: bool) -> TargetRow {
    TargetRow { row: Some(row), ..chat(vendor, "somebody-9", vision) }
}

/// Sees images, and takes no two user messages in a row.
static SEES: Vendor = Vendor { images: Yes, users_in_a_row: No, ..UNKNOWN };

/// Takes one call of a reply, and no user message after its result.
static ONE_CALL: Vendor = Vendor {
    parallel_calls: No,
    user_after_tool: No,
    ids: Grammar { charset: Charset::Alphanumeric, max_len: Some(8), exact_len: None, others: No },
    ..GATE
};

/// Ids and names of narrow grammars.
static NARROW: Vendor = Vendor {
    ids: Grammar { charset: Charset::LetterFirst, max_len: Some(12), exact_len: None, others: No },
    tool_names: Grammar {
        charset: Charset::Alphanumeric,
        max_len: Some(16),
        exact_len: None,
        others: No,
    },
    calls_without_tools: No,
    ..GATE
};

/// Wants reasoning beside calls, none that is empty, and is asked not to think by a flag.
static REMEMBERS: Vendor = Vendor {
    reasoning_key: Some(ReasoningKey::ReasoningContent),
    ask_to_think: Some(AskToThink::EnableThinking),
    calls_without_reasoning: No,
    reasoning_empty: No,
    ids: Grammar { charset: Charset::Word, max_len: Some(20), exact_len: Some(11), others: No },
    ..GATE
};

/// The same, in parts of the content, and it cannot be asked not to think.
static INSISTS: Vendor = Vendor {
    reasoning_key: Some(ReasoningKey::ThinkingPart),
    ask_to_think: None,
    parts_assistant: Yes,
    ..REMEMBERS
};

/// Takes messages in the form of Ollama's native API, images among them.
static OLLAMA: Vendor = Vendor {
    form: Form::Ollama,
    parts_user: No,
    parts_assistant: No,
    parts_tool: No,
    image_urls: No,
    images_in_results: Yes,
    arguments_not_json: No,
    arguments_not_object: No,
    no_content: No,
    null_content: No,
    reasoning_key: Some(ReasoningKey::Thinking),
    ask_to_think: Some(AskToThink::Think),
    ..GATE
};

/// The same, where neighbours of one role are one message.
static OLLAMA_JOINS: Vendor = Vendor { users_in_a_row: No, images: No, ..OLLAMA };

/// What is like OpenAI and is not.
static GATE: Vendor = Vendor { serves_openai: false, ask_to_think: None, ..OPENAI };

/// Targets, by index: first those of the Claude API.
pub static TARGETS: &[TargetRow] = &[
    claude("claude-opus-5-5", true),
    claude("claude-opus-4-8", true),
    claude("claude-sonnet-4-5", true),
    claude("claude-haiku-4-5", true),
    claude("claude-opus-5", true),
    claude("model-nobody-knows", true),
    claude("claude-opus-5-5", false),
    claude("claude-sonnet-4-5", false),
    chat("openai", "gpt-4o", true),
    chat("openai", "gpt-4o", false),
    chat("openai", "gpt-5.6", true),
    chat("openai", "o1-mini", false),
    chat("azure", "gpt-4.1", true),
    chat("openrouter", "deepseek/deepseek-v4", true),
    chat("deepseek", "deepseek-v4-pro", false),
    chat("deepseek", "deepseek-chat", false),
    chat("mistral", "mistral-large", true),
    chat("groq", "llama-4", true),
    chat("xai", "grok-4", true),
    chat("cerebras", "gpt-oss-120b", false),
    chat("moonshot", "kimi-k2.6", true),
    chat("qwen", "qwen3-max", true),
    chat("zai", "glm-5", true),
    chat("minimax", "minimax-m2", true),
    chat("together", "kimi-k2.5", true),
    chat("fireworks", "kimi-k2p6", true),
    chat("vllm", "qwen3", false),
    chat("llama.cpp", "gemma-3", false),
    chat("lmstudio", "mistral-small", false),
    chat("ollama", "qwen3", false),
    chat("llm.example.org", "somebody-9", false),
    TargetRow { tools: false, ..chat("llm.example.org", "somebody-9", false) },
    TargetRow { tools: false, ..chat("openai", "gpt-4o", true) },
    own("own-sees", &SEES, true),
    own("own-one-call", &ONE_CALL, true),
    own("own-narrow", &NARROW, false),
    own("own-remembers", &REMEMBERS, true),
    own("own-insists", &INSISTS, false),
    responses("openai", "gpt-5.5", true),
    responses("openai", "gpt-6", true),
    TargetRow { store: true, ..responses("openai", "gpt-5.2", true) },
    TargetRow { store: true, ..responses("azure", "gpt-6", true) },
    responses("openai", "gpt-4o", false),
    responses("azure", "o3-mini", false),
    responses("chatgpt", "gpt-5.3-codex", true),
    responses("llm.example.org", "somebody-9", false),
    gemini("google", "gemini-3-pro-preview", true),
    gemini("google", "gemini-3-pro-preview", false),
    gemini("google", "gemini-2.5-flash", true),
    gemini("google", "gemini-3.8-flash", true),
    gemini("google", "model-nobody-knows", false),
    gemini("google-cloud", "gemini-3-pro-preview", true),
    gemini("google-cloud", "gemini-2.5-pro", true),
    gemini("google-cloud", "gemini-2.0-flash", false),
    chat("ollama_chat", "qwen3", false),
    own("own-ollama", &OLLAMA, true),
    own("own-ollama-joins", &OLLAMA_JOINS, false),
    converse("us.anthropic.claude-opus-5-5", true),
    converse("us.anthropic.claude-sonnet-4-5-20250929-v1:0", true),
    converse("global.anthropic.claude-opus-5", false),
    converse("us.amazon.nova-2-lite-v1:0", true),
    converse("us.meta.llama4-maverick-17b-instruct-v1:0", true),
    converse("mistral.mistral-large-2407-v1:0", false),
    converse("writer.palmyra-x5-v1:0", false),
    converse("us.deepseek.r1-v1:0", false),
    converse("qwen.qwen3-vl-235b-a22b", false),
    converse("somebody.new-v1:0", false),
    TargetRow { tools: false, ..converse("us.amazon.nova-2-lite-v1:0", true) },
];

/// How many of them are of the Claude API.
pub(crate) const CLAUDE_TARGETS: usize = 8;

/// The target of an index.
pub fn target(index: usize) -> Target {
    let TargetRow { api, vendor, model, vision, tools, row, store } = TARGETS[index];
    let target = match (api, row) {
        (_, Some(row)) => Target::openai_chat_by(vendor, *row, model),
        (Api::Claude, None) => Target::anthropic(model),
        (Api::Chat, None) => Target::openai_chat(vendor, model),
        (Api::Responses, None) => Target::openai_responses(vendor, model),
        (Api::Gemini, None) if vendor == "google" => Target::gemini(model),
        (Api::Gemini, None) => Target::vertex(model),
        (Api::Converse, None) => Target::bedrock(model),
    };
    Target { vision, tools, store, ..target }
}

/// The id of the entry a step appends.
pub fn op_id(number: u32) -> EntryId {
    EntryId::new(format!("e{number}"))
}

/// What differs between requests besides the history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// Which set of authority facts; 0 is none.
    pub principal: u8,
    /// Whether to think.
    pub thinking: ThinkingChoice,
    /// The calls that no result was stored for are running.
    pub running: bool,
    /// Refuse instead of continuing.
    pub no_continue: bool,
    /// Images allowed, where not the model's.
    pub images_max: Option<u32>,
    /// Bytes allowed, where not the provider's.
    pub body_bytes_max: Option<u64>,
    /// `max_tokens`, where not the model's.
    pub max_tokens: Option<u64>,
    /// `tool_choice`, as the wire writes it.
    pub tool_choice: Option<&'static str>,
    /// Further parameters: name and JSON.
    pub extra: Vec<(&'static str, &'static str)>,
    /// The rung of recovery.
    pub recovery: Option<Rung>,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum OpKind {
    /// Appends an entry of this fact.
    Entry(Box<Fact>),
    /// Makes a request and appends what it asks for.
    Send {
        /// Index into [`AGENTS`].
        agent: usize,
        /// Index into [`TARGETS`].
        target: usize,
        /// The rest.
        choice: Choice,
    },
    /// Takes something out on another branch.
    RetractElsewhere(Retracted),
    /// Appends a `sent` without digests that covers all that is there: an imported raw request.
    Imported {
        /// Index into [`TARGETS`].
        target: usize,
    },
}

/// A step, with the number its entry is named by.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// Unique in the script; references name it.
    pub number: u32,
    /// What it does.
    pub kind: OpKind,
}

/// A history to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// What it was made from.
    pub seed: u64,
    /// The target most requests go to.
    pub primary: usize,
    /// Another one.
    pub secondary: usize,
    /// The steps.
    pub ops: Vec<Op>,
    /// What is extreme about it.
    pub tags: Tags,
}

/// An agent's name.
pub(crate) fn agent(index: usize) -> Text {
    AGENTS[index].into()
}
