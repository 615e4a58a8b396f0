//! What the cache of each API hangs on, as data.

use crate::anthropic_messages::models as claude;
use crate::anthropic_messages::models::{Binding, WhenOmitted};
use crate::bedrock_converse::models as converse;
use crate::openai_responses::models as openai;

/// Who a body is for.
#[derive(Clone, Copy, Debug)]
pub struct Api<'a> {
    /// The dialect's name: `anthropic_messages`, `openai_chat`. Of one nobody knows no parameter is
    /// known to matter.
    pub dialect: &'a str,
    /// The model.
    pub model: &'a str,
    /// Tokens that the provider counted in the first of two requests, where that is recorded.
    pub tokens: Option<u64>,
}

/// The parts of a prompt cache, in the order in which they are read: what changes in one is lost
/// with all that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The model: caches are its own.
    Model,
    /// Tools, and what the whole cache hangs on.
    Tools,
    /// System text.
    System,
    /// The conversation.
    Messages,
}

impl Level {
    /// Every one, in order.
    pub const ALL: [Level; 4] = [Level::Model, Level::Tools, Level::System, Level::Messages];

    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Model => "model",
            Level::Tools => "tools",
            Level::System => "system",
            Level::Messages => "messages",
        }
    }
}

/// A parameter on which a cache hangs.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The dialect it is of.
    pub dialect: &'static str,
    /// Where it stands in a body.
    pub path: &'static [&'static str],
    /// The first part of the cache that a change of it loses.
    pub level: Level,
    /// The models that this is known of.
    pub of: Of,
}

/// Models that a row is known of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Every one.
    All,
    /// OpenAI's own.
    OpenAi,
    /// Claude's.
    Claude,
}

impl Of {
    fn holds(self, model: &str) -> bool {
        match self {
            Of::All => true,
            Of::OpenAi => is_openais(model),
            Of::Claude => converse::model(model).claude,
        }
    }
}

const fn row(
    dialect: &'static str,
    path: &'static [&'static str],
    level: Level,
    of: Of,
) -> Parameter {
    Parameter { dialect, path, level, of }
}

/// Rules A-087, P-05 and G-031.
pub static PARAMETERS: &[Parameter] = &[
    row("anthropic_messages", &["output_config", "format"], Level::Tools, Of::All),
    row("anthropic_messages", &["speed"], Level::System, Of::All),
    row("anthropic_messages", &["tool_choice"], Level::Messages, Of::All),
    row("anthropic_messages", &["thinking"], Level::Messages, Of::All),
    row("anthropic_messages", &["output_config", "effort"], Level::Messages, Of::All),
    row("bedrock_converse", &["toolConfig", "toolChoice"], Level::Messages, Of::Claude),
    row("bedrock_converse", &["additionalModelRequestFields"], Level::Messages, Of::Claude),
    row("openai_responses", &["prompt_cache_key"], Level::Tools, Of::All),
    row("openai_responses", &["service_tier"], Level::Tools, Of::All),
    row("openai_responses", &["text", "format"], Level::Tools, Of::All),
    row("openai_responses", &["text", "verbosity"], Level::Tools, Of::All),
    row("openai_responses", &["reasoning", "effort"], Level::Tools, Of::All),
    row("openai_chat", &["prompt_cache_key"], Level::Tools, Of::OpenAi),
    row("openai_chat", &["service_tier"], Level::Tools, Of::OpenAi),
    row("openai_chat", &["response_format"], Level::Tools, Of::OpenAi),
    row("openai_chat", &["verbosity"], Level::Tools, Of::OpenAi),
    row("openai_chat", &["reasoning_effort"], Level::Tools, Of::OpenAi),
    row("gemini", &["cachedContent"], Level::Tools, Of::All),
];

/// What an API takes a parameter for that is not given, as canonical JSON.
pub static OMITTED: &[(&str, &[&str], &str)] = &[
    ("anthropic_messages", &["tool_choice"], r#"{"type":"auto"}"#),
    ("anthropic_messages", THINKING, r#"{"type":"disabled"}"#),
    ("bedrock_converse", &["toolConfig", "toolChoice"], r#"{"auto":{}}"#),
    ("openai_responses", &["text", "format"], r#"{"type":"text"}"#),
    ("openai_chat", &["response_format"], r#"{"type":"text"}"#),
];

/// What leaving it out means hangs on the model.
const THINKING: &[&str] = &["thinking"];

/// What a parameter is taken for that is not given; empty where nothing says the same.
pub fn omitted(api: &Api<'_>, path: &[&str]) -> &'static str {
    let is_off = claude::model(api.model).thinking_when_omitted == WhenOmitted::DoesNotThink;
    let mut rows = OMITTED.iter().filter(|row| row.0 == api.dialect && row.1 == path);
    let row = rows.find(|row| row.1 != THINKING || is_off);
    row.map_or("", |row| row.2)
}

/// The parameters on which a level hangs.
pub fn parameters(
    api: &Api<'_>,
    level: Level,
) -> impl Iterator<Item = &'static [&'static str]> + use<> {
    let (dialect, model) = (api.dialect.to_owned(), api.model.to_owned());
    let rows = PARAMETERS.iter().filter(move |row| row.dialect == dialect && row.level == level);
    rows.filter(move |row| row.of.holds(&model)).map(|row| row.path)
}

/// How an API caches a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caching {
    /// Up to breakpoints that the request marks.
    Marked {
        /// Tokens below which nothing is cached (A-085).
        tokens_min: u64,
    },
    /// By itself.
    Automatic {
        /// Tokens below which nothing is cached.
        tokens_min: u64,
        /// What is read grows by as many tokens at a time.
        step: u64,
    },
}

/// Positions that a breakpoint looks back for what was written, its own included (A-084).
pub const LOOK_BACK_BLOCKS: usize = 20;

/// Of OpenAI's models (P-01, P-02).
const OPENAI: Caching = Caching::Automatic { tokens_min: 1024, step: 128 };

/// Of those that end what they cache at a breakpoint (P-03).
const OPENAI_EXACT: Caching = Caching::Automatic { tokens_min: 1024, step: 1 };

/// OpenAI's models that do.
const EXACT_FROM: [&str; 2] = ["gpt-5.6", "gpt-6"];

/// Of DeepSeek's (P-07).
const DEEPSEEK: Caching = Caching::Automatic { tokens_min: 64, step: 64 };

/// Of the Gemini models that cache the least (the larger ask for more).
const GEMINI: Caching = Caching::Automatic { tokens_min: 1024, step: 1 };

/// Of an API of whose cache nothing more is known than that it keeps a prefix.
const PREFIX: Caching = Caching::Automatic { tokens_min: 0, step: 1 };

/// How a body is cached; `is_marked` says whether it holds breakpoints.
pub fn caching(api: &Api<'_>, is_marked: bool) -> Caching {
    let claude_min = u64::from(claude::model(api.model).cache_tokens_min);
    match api.dialect {
        "anthropic_messages" => Caching::Marked { tokens_min: claude_min },
        "bedrock_converse" => {
            let row = converse::claude_model(api.model);
            Caching::Marked { tokens_min: u64::from(row.cache_tokens_min) }
        }
        "gemini" => GEMINI,
        "openai_chat" | "openai_responses" if is_openais(api.model) => {
            let exact = EXACT_FROM.contains(&openai::model(api.model).id);
            if exact { OPENAI_EXACT } else { OPENAI }
        }
        "openai_chat" if is_marked => Caching::Marked { tokens_min: 0 },
        "openai_chat" if api.model.starts_with("deepseek") => DEEPSEEK,
        _ => PREFIX,
    }
}

/// Whether a model's thoughts go back only under the prefix they were thought under (A-060, R-050).
pub fn binds(api: &Api<'_>) -> bool {
    let binding = match api.dialect {
        "anthropic_messages" => claude::model(api.model).binds_thinking,
        "bedrock_converse" => converse::claude_model(api.model).binds_thinking,
        "openai_responses" => openai::model(api.model).binds_reasoning,
        _ => Binding::No,
    };
    binding == Binding::Yes
}

/// Whether a model is one of OpenAI's.
pub fn is_openais(model: &str) -> bool {
    !openai::model(model).id.is_empty()
}
