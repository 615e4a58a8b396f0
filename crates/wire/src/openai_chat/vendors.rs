//! The vendors as data: what each takes on this wire, one row each, and the strictest row for a
//! host nobody knows.
//!
//! A row of one's own is a struct literal over one of these (`Vendor { .., ..UNKNOWN }`). What is
//! not established about a vendor is [`Takes::Doubtful`]: a projection avoids it, the linter warns.
//! Several calls of one reply alone are kept together there ([`Vendor::parallel_calls`]).

use super::models::Model;
pub use crate::grammar::{Charset, Grammar};
use crate::host;
pub use crate::takes::Takes;

/// A number that must not be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The most.
    pub max: usize,
    /// What becomes of more.
    pub more: Takes,
}

/// In which form a vendor takes messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Chat Completions.
    Completions,
    /// Ollama's native API: content is a string, images stand beside it, arguments are an object,
    /// and results match their calls by order (O-1 to O-5).
    Ollama,
}

impl Form {
    /// The name of the API, in targets and issuers.
    pub fn api(self) -> &'static str {
        match self {
            Form::Completions => "openai_chat",
            Form::Ollama => "ollama_chat",
        }
    }
}

/// Where reasoning stands in an assistant message (K-022).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningKey {
    /// `reasoning_content`, a string.
    ReasoningContent,
    /// `reasoning`, a string.
    Reasoning,
    /// `reasoning_details`, an array of typed items.
    ReasoningDetails,
    /// A part of type `thinking` at the head of `content`.
    ThinkingPart,
    /// `thinking`, a string.
    Thinking,
}

impl ReasoningKey {
    /// The key in the message; `content` for a part.
    pub fn as_str(self) -> &'static str {
        match self {
            ReasoningKey::ReasoningContent => "reasoning_content",
            ReasoningKey::Reasoning => "reasoning",
            ReasoningKey::ReasoningDetails => "reasoning_details",
            ReasoningKey::ThinkingPart => "content",
            ReasoningKey::Thinking => "thinking",
        }
    }
}

/// How a model is asked to think, or not to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskToThink {
    /// `reasoning_effort`, where the model's row takes it.
    Effort,
    /// `thinking` of the type `enabled` or `disabled`.
    Thinking,
    /// `enable_thinking`, a boolean.
    EnableThinking,
    /// `reasoning` with `enabled`.
    Reasoning,
    /// `chat_template_kwargs` with `enable_thinking`.
    Template,
    /// `think`, a boolean or a level.
    Think,
}

/// In whose words a vendor refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// OpenAI's, which most vendors copy.
    OpenAi,
    /// Mistral's.
    Mistral,
    /// Groq's.
    Groq,
    /// Cerebras's.
    Cerebras,
    /// DeepSeek's.
    DeepSeek,
    /// Moonshot's.
    Kimi,
    /// DashScope's.
    Qwen,
    /// Z.ai's.
    Glm,
    /// MiniMax's.
    MiniMax,
    /// Fireworks's, and other strict Python servers'.
    Fireworks,
    /// vLLM's.
    Vllm,
    /// llama.cpp's, and of servers built on it.
    LlamaCpp,
}

/// What one vendor takes. Every field names what a body may hold, and the rule that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vendor {
    /// In whose words it refuses.
    pub wording: Wording,
    /// The form of its messages (O-1 to O-6).
    pub form: Form,
    /// Ids of calls (C-005, M-4).
    pub ids: Grammar,
    /// An id that stood for an earlier call of the conversation (K-011).
    pub id_reuse: Takes,
    /// Names of tools and calls (C-010).
    pub tool_names: Grammar,
    /// Arguments that do not parse as JSON, the empty string included (K-010).
    pub arguments_not_json: Takes,
    /// Arguments that are JSON, but no object (K-010).
    pub arguments_not_object: Takes,
    /// Several calls in one message (C-029).
    pub parallel_calls: Takes,
    /// The role `developer` (K-001).
    pub developer: Takes,
    /// A system message after a user message (K-002).
    pub system_after_user: Takes,
    /// A system message after an assistant or a tool message (K-002).
    pub system_after_reply: Takes,
    /// A system message right after another (K-003).
    pub systems_in_a_row: Takes,
    /// `tools` in a system message (K-004).
    pub tools_in_system: Takes,
    /// A user message right after another (K-041).
    pub users_in_a_row: Takes,
    /// An assistant message right after another (K-041).
    pub assistants_in_a_row: Takes,
    /// A user message right after a tool message (K-042).
    pub user_after_tool: Takes,
    /// An assistant message at the end, without [`Vendor::prefill_key`] (K-043).
    pub last_assistant: Takes,
    /// The key that makes the last assistant message the start of the reply (M-8).
    pub prefill_key: Option<&'static str>,
    /// The last assistant message is the start of the reply without being marked (L-1, L-2).
    pub prefill_unmarked: bool,
    /// A conversation without any user message (K-040).
    pub no_user: Takes,
    /// `content: null` beside calls (K-030).
    pub null_content: Takes,
    /// No `content` beside calls (K-030).
    pub no_content: Takes,
    /// A user's or the system's content as an array (K-005).
    pub parts_user: Takes,
    /// An assistant's content as an array (K-005).
    pub parts_assistant: Takes,
    /// A tool's content as an array (K-005).
    pub parts_tool: Takes,
    /// `tools`, `tool_calls` and the content beside calls as empty arrays (C-007, C-013, C-027).
    pub empty_lists: Takes,
    /// An empty text of a user, a system or a tool message (C-012).
    pub empty_text: Takes,
    /// An assistant message without text and without calls (C-011, M-5).
    pub empty_assistant: Takes,
    /// Images in user messages, as data URIs (C-018).
    pub images: Takes,
    /// Images by address (K-036).
    pub image_urls: Takes,
    /// Images in tool messages (C-014).
    pub images_in_results: Takes,
    /// Images in a request (K-038).
    pub images_max: Option<Limit>,
    /// Parts of type `file` (K-037).
    pub files: Takes,
    /// Where reasoning is sent back, if it can be (K-022).
    pub reasoning_key: Option<ReasoningKey>,
    /// How its models are asked to think, if that is known.
    pub ask_to_think: Option<AskToThink>,
    /// An assistant message with calls and without its reasoning (K-020).
    pub calls_without_reasoning: Takes,
    /// Reasoning that is the empty string, where reasoning is due (K-020).
    pub reasoning_empty: Takes,
    /// `refusal`, `audio` and `function_call` of an assistant message (K-031).
    pub refusal: Takes,
    /// Keys of messages that no documentation names (C-024, K-021, K-031).
    pub unknown_keys: Takes,
    /// `name` in a tool message (K-013).
    pub tool_message_name: Takes,
    /// `name` in any other message (C-021).
    pub message_name: Takes,
    /// Marks of `cache_control` on parts (P-07).
    pub cache_marks: Takes,
    /// Tools in a request (C-027).
    pub tools_max: Option<Limit>,
    /// `tool_choice: "required"`, or a choice of one function (K-033).
    pub tool_choice_required: Takes,
    /// `strict: true` in a tool (K-034).
    pub strict: Takes,
    /// A tool without `parameters` (K-035).
    pub no_parameters: Takes,
    /// Calls or results in the conversation, and no `tools` (K-032).
    pub calls_without_tools: Takes,
    /// `max_completion_tokens` (C-034).
    pub max_completion_tokens: Takes,
    /// Entries of `stop` (K-039).
    pub stop_max: Option<Limit>,
    /// Its models are OpenAI's: one that is in no row is judged by the strictest (C-025, C-034).
    pub serves_openai: bool,
}

impl Vendor {
    /// The row with what a model changes about it. Who takes images takes parts where an image is
    /// one.
    pub fn with(self, model: &Model) -> Vendor {
        let images = model.images.unwrap_or(self.images);
        Vendor {
            ids: model.ids.filter(|_| self.ids.exact_len.is_none()).unwrap_or(self.ids),
            images,
            parts_user: match (self.form, images) {
                (Form::Completions, Yes) => Yes,
                _ => self.parts_user,
            },
            system_after_user: model.system_mid.unwrap_or(self.system_after_user),
            system_after_reply: model.system_mid.unwrap_or(self.system_after_reply),
            tools_in_system: model.tools_in_system.unwrap_or(self.tools_in_system),
            calls_without_reasoning: model
                .calls_without_reasoning
                .filter(|_| self.reasoning_key.is_some())
                .unwrap_or(self.calls_without_reasoning),
            tool_choice_required: model.tool_choice_required.unwrap_or(self.tool_choice_required),
            ..self
        }
    }
}

/// The row of a vendor by the name people write (`openai`, `llama.cpp`, `z.ai`) or by its host;
/// none if unknown.
pub fn vendor(name: &str) -> Option<&'static Vendor> {
    let name = canonical(name)?;
    VENDORS.iter().find(|(known, _)| *known == name).map(|(_, vendor)| vendor)
}

/// The one name of a vendor's row, from any that people write, or from its host
/// (`api.deepseek.com`); none if unknown.
///
/// ```
/// use wire::openai_chat::vendors::canonical;
/// assert_eq!(canonical("Kimi"), Some("moonshot"));
/// assert_eq!(canonical("my-resource.openai.azure.com"), Some("azure"));
/// assert_eq!(canonical("llm.example.org"), None);
/// ```
pub fn canonical(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let row = VENDORS.iter().map(|(known, _)| *known).find(|known| *known == name);
    let alias = || ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, name)| *name);
    let by_host =
        || HOSTS.iter().find(|(known, _)| host::is_of(&name, known)).map(|(_, name)| *name);
    row.or_else(alias).or_else(by_host)
}

/// Whose a host is, or one below it.
const HOSTS: &[(&str, &str)] = &[
    ("api.openai.com", "openai"),
    ("openai.azure.com", "azure"),
    ("openrouter.ai", "openrouter"),
    ("api.deepseek.com", "deepseek"),
    ("api.mistral.ai", "mistral"),
    ("api.groq.com", "groq"),
    ("api.x.ai", "xai"),
    ("api.cerebras.ai", "cerebras"),
    ("api.moonshot.ai", "moonshot"),
    ("api.moonshot.cn", "moonshot"),
    ("dashscope.aliyuncs.com", "qwen"),
    ("dashscope-intl.aliyuncs.com", "qwen"),
    ("api.z.ai", "zai"),
    ("open.bigmodel.cn", "zai"),
    ("api.minimax.io", "minimax"),
    ("api.minimaxi.com", "minimax"),
    ("api.together.xyz", "together"),
    ("api.fireworks.ai", "fireworks"),
];

/// Other names of a row.
const ALIASES: &[(&str, &str)] = &[
    ("azure-openai", "azure"),
    ("kimi", "moonshot"),
    ("dashscope", "qwen"),
    ("glm", "zai"),
    ("z.ai", "zai"),
    ("x.ai", "xai"),
    ("llamacpp", "llama.cpp"),
    ("llama-server", "llama.cpp"),
    ("lm-studio", "lmstudio"),
];

use Takes::{Doubtful, No, Yes};

/// Nothing but that an id or a name is not empty.
const ANY: Grammar =
    Grammar { charset: Charset::Any, max_len: None, exact_len: None, others: Doubtful };

/// Mistral's ids (M-4).
pub(crate) const NINE: Grammar =
    Grammar { charset: Charset::Alphanumeric, max_len: None, exact_len: Some(9), others: No };

const fn at_most(max: usize, more: Takes) -> Option<Limit> {
    Some(Limit { max, more })
}

/// The row of a host nobody knows: whatever some vendor refuses is doubtful here.
pub static UNKNOWN: Vendor = STRICTEST;

const STRICTEST: Vendor = Vendor {
    wording: Wording::OpenAi,
    form: Form::Completions,
    ids: Grammar { others: Doubtful, ..NINE },
    id_reuse: Doubtful,
    tool_names: Grammar {
        charset: Charset::LetterFirst,
        max_len: Some(64),
        exact_len: None,
        others: Doubtful,
    },
    arguments_not_json: Doubtful,
    arguments_not_object: Doubtful,
    parallel_calls: Doubtful,
    developer: Doubtful,
    system_after_user: Doubtful,
    system_after_reply: Doubtful,
    systems_in_a_row: Doubtful,
    tools_in_system: Doubtful,
    users_in_a_row: Doubtful,
    assistants_in_a_row: Doubtful,
    user_after_tool: Doubtful,
    last_assistant: Doubtful,
    prefill_key: None,
    prefill_unmarked: false,
    no_user: Doubtful,
    null_content: Doubtful,
    no_content: Doubtful,
    parts_user: Doubtful,
    parts_assistant: Doubtful,
    parts_tool: Doubtful,
    empty_lists: Doubtful,
    empty_text: Doubtful,
    empty_assistant: Doubtful,
    images: Doubtful,
    image_urls: Doubtful,
    images_in_results: Doubtful,
    images_max: at_most(5, Doubtful),
    files: Doubtful,
    reasoning_key: None,
    ask_to_think: None,
    calls_without_reasoning: Yes,
    reasoning_empty: Doubtful,
    refusal: Doubtful,
    unknown_keys: Doubtful,
    tool_message_name: Doubtful,
    message_name: Doubtful,
    cache_marks: Doubtful,
    tools_max: at_most(128, Doubtful),
    tool_choice_required: Doubtful,
    strict: Doubtful,
    no_parameters: Doubtful,
    calls_without_tools: Doubtful,
    max_completion_tokens: Doubtful,
    stop_max: at_most(4, Doubtful),
    serves_openai: false,
};

/// OpenAI itself.
pub static OPENAI: Vendor = THE_ORIGINAL;

const THE_ORIGINAL: Vendor = Vendor {
    wording: Wording::OpenAi,
    form: Form::Completions,
    ids: Grammar { charset: Charset::Any, max_len: Some(40), exact_len: None, others: No },
    id_reuse: Yes,
    tool_names: Grammar { charset: Charset::Word, max_len: Some(64), exact_len: None, others: No },
    arguments_not_json: Yes,
    arguments_not_object: Yes,
    parallel_calls: Yes,
    developer: Yes,
    system_after_user: Yes,
    system_after_reply: Yes,
    systems_in_a_row: Yes,
    tools_in_system: No,
    users_in_a_row: Yes,
    assistants_in_a_row: Yes,
    user_after_tool: Yes,
    last_assistant: Yes,
    prefill_key: None,
    prefill_unmarked: false,
    no_user: Yes,
    null_content: Yes,
    no_content: Yes,
    parts_user: Yes,
    parts_assistant: Yes,
    parts_tool: Yes,
    empty_lists: No,
    empty_text: Yes,
    empty_assistant: Yes,
    images: Yes,
    image_urls: Yes,
    images_in_results: No,
    images_max: None,
    files: Yes,
    reasoning_key: None,
    ask_to_think: Some(AskToThink::Effort),
    calls_without_reasoning: Yes,
    reasoning_empty: Yes,
    refusal: Yes,
    unknown_keys: No,
    tool_message_name: Doubtful,
    message_name: Yes,
    cache_marks: No,
    tools_max: at_most(128, No),
    tool_choice_required: Yes,
    strict: Yes,
    no_parameters: Yes,
    calls_without_tools: Yes,
    max_completion_tokens: Yes,
    stop_max: at_most(4, No),
    serves_openai: true,
};

/// A hosted service that copies the original, where nothing else is known.
const COMPATIBLE: Vendor = Vendor {
    ids: ANY,
    developer: No,
    tools_in_system: Doubtful,
    last_assistant: Doubtful,
    parts_assistant: Doubtful,
    parts_tool: Doubtful,
    empty_lists: Doubtful,
    empty_text: Doubtful,
    empty_assistant: Doubtful,
    images_in_results: Doubtful,
    files: Doubtful,
    ask_to_think: None,
    refusal: Doubtful,
    unknown_keys: Doubtful,
    cache_marks: Doubtful,
    tools_max: None,
    stop_max: None,
    serves_openai: false,
    ..THE_ORIGINAL
};

/// A local server: most is up to the chat template of the model.
const TEMPLATE: Vendor = Vendor {
    tool_names: Grammar { others: Doubtful, ..THE_ORIGINAL.tool_names },
    arguments_not_json: No,
    arguments_not_object: Doubtful,
    parallel_calls: Doubtful,
    developer: Doubtful,
    system_after_user: Doubtful,
    system_after_reply: Doubtful,
    systems_in_a_row: Doubtful,
    users_in_a_row: Doubtful,
    assistants_in_a_row: Doubtful,
    user_after_tool: Doubtful,
    no_user: Doubtful,
    images: Doubtful,
    images_in_results: No,
    ask_to_think: Some(AskToThink::Template),
    unknown_keys: Yes,
    refusal: Yes,
    tool_message_name: Yes,
    cache_marks: Yes,
    ..COMPATIBLE
};

/// Every known vendor.
pub static VENDORS: &[(&str, Vendor)] = &[
    ("openai", THE_ORIGINAL),
    ("azure", Vendor { files: No, ..THE_ORIGINAL }),
    (
        "openrouter",
        Vendor {
            arguments_not_json: Doubtful,
            arguments_not_object: Doubtful,
            developer: Yes,
            system_after_user: Doubtful,
            system_after_reply: Doubtful,
            user_after_tool: Doubtful,
            no_user: Doubtful,
            parts_assistant: Yes,
            parts_tool: Yes,
            images_in_results: Yes,
            files: Yes,
            reasoning_key: Some(ReasoningKey::ReasoningDetails),
            ask_to_think: Some(AskToThink::Reasoning),
            refusal: Yes,
            unknown_keys: Yes,
            tool_message_name: Yes,
            cache_marks: Yes,
            calls_without_tools: Doubtful,
            ..COMPATIBLE
        },
    ),
    (
        "deepseek",
        Vendor {
            wording: Wording::DeepSeek,
            system_after_user: Doubtful,
            system_after_reply: Doubtful,
            prefill_key: Some("prefix"),
            no_content: Doubtful,
            parts_user: Doubtful,
            images: Doubtful,
            reasoning_key: Some(ReasoningKey::ReasoningContent),
            ask_to_think: Some(AskToThink::Thinking),
            calls_without_reasoning: No,
            unknown_keys: Yes,
            refusal: Yes,
            tool_message_name: Yes,
            cache_marks: Yes,
            tool_choice_required: Doubtful,
            max_completion_tokens: Doubtful,
            ..COMPATIBLE
        },
    ),
    (
        "mistral",
        Vendor {
            wording: Wording::Mistral,
            ids: NINE,
            arguments_not_json: No,
            arguments_not_object: Doubtful,
            system_after_reply: No,
            tools_in_system: No,
            assistants_in_a_row: Doubtful,
            user_after_tool: Doubtful,
            last_assistant: No,
            prefill_key: Some("prefix"),
            null_content: Doubtful,
            parts_assistant: Yes,
            parts_tool: Yes,
            empty_lists: Yes,
            empty_assistant: No,
            files: No,
            reasoning_key: Some(ReasoningKey::ThinkingPart),
            refusal: No,
            unknown_keys: No,
            tool_message_name: Yes,
            message_name: No,
            cache_marks: No,
            strict: Doubtful,
            max_completion_tokens: No,
            ..COMPATIBLE
        },
    ),
    (
        "groq",
        Vendor {
            wording: Wording::Groq,
            developer: Doubtful,
            tools_in_system: No,
            null_content: Doubtful,
            images_in_results: Yes,
            images_max: at_most(5, Doubtful),
            reasoning_key: Some(ReasoningKey::Reasoning),
            refusal: No,
            unknown_keys: No,
            cache_marks: No,
            ..COMPATIBLE
        },
    ),
    ("xai", Vendor { message_name: Doubtful, strict: Doubtful, ..COMPATIBLE }),
    (
        "cerebras",
        Vendor {
            wording: Wording::Cerebras,
            tools_in_system: No,
            images: Doubtful,
            reasoning_key: Some(ReasoningKey::Reasoning),
            refusal: No,
            unknown_keys: No,
            cache_marks: No,
            ..COMPATIBLE
        },
    ),
    (
        "moonshot",
        Vendor {
            wording: Wording::Kimi,
            tool_names: Grammar { charset: Charset::LetterFirst, ..THE_ORIGINAL.tool_names },
            arguments_not_json: Doubtful,
            arguments_not_object: Doubtful,
            system_after_user: Doubtful,
            system_after_reply: Doubtful,
            prefill_key: Some("partial"),
            empty_assistant: No,
            reasoning_key: Some(ReasoningKey::ReasoningContent),
            ask_to_think: Some(AskToThink::Thinking),
            calls_without_reasoning: Doubtful,
            reasoning_empty: Doubtful,
            tool_choice_required: No,
            strict: Doubtful,
            ..COMPATIBLE
        },
    ),
    (
        "qwen",
        Vendor {
            wording: Wording::Qwen,
            arguments_not_json: No,
            arguments_not_object: Doubtful,
            system_after_user: Doubtful,
            system_after_reply: Doubtful,
            no_user: No,
            null_content: Doubtful,
            no_content: Doubtful,
            files: No,
            reasoning_key: Some(ReasoningKey::ReasoningContent),
            ask_to_think: Some(AskToThink::EnableThinking),
            cache_marks: Yes,
            max_completion_tokens: Doubtful,
            ..COMPATIBLE
        },
    ),
    (
        "zai",
        Vendor {
            wording: Wording::Glm,
            id_reuse: No,
            arguments_not_json: Doubtful,
            arguments_not_object: Doubtful,
            system_after_user: Doubtful,
            system_after_reply: Doubtful,
            no_user: No,
            null_content: Doubtful,
            no_content: Doubtful,
            reasoning_key: Some(ReasoningKey::ReasoningContent),
            ask_to_think: Some(AskToThink::Thinking),
            cache_marks: Yes,
            tool_choice_required: No,
            max_completion_tokens: Doubtful,
            ..COMPATIBLE
        },
    ),
    (
        "minimax",
        Vendor {
            wording: Wording::MiniMax,
            id_reuse: No,
            arguments_not_json: No,
            arguments_not_object: Doubtful,
            system_after_user: Doubtful,
            system_after_reply: Doubtful,
            systems_in_a_row: Doubtful,
            users_in_a_row: Doubtful,
            no_user: Doubtful,
            null_content: Doubtful,
            no_content: Doubtful,
            reasoning_key: Some(ReasoningKey::ReasoningDetails),
            cache_marks: Yes,
            strict: Doubtful,
            no_parameters: No,
            max_completion_tokens: Doubtful,
            ..COMPATIBLE
        },
    ),
    (
        "together",
        Vendor {
            arguments_not_json: Doubtful,
            arguments_not_object: Doubtful,
            reasoning_key: Some(ReasoningKey::ReasoningContent),
            ..COMPATIBLE
        },
    ),
    (
        "fireworks",
        Vendor {
            wording: Wording::Fireworks,
            system_after_user: Doubtful,
            system_after_reply: Doubtful,
            files: No,
            reasoning_key: Some(ReasoningKey::ReasoningContent),
            refusal: No,
            unknown_keys: No,
            cache_marks: No,
            strict: Doubtful,
            ..COMPATIBLE
        },
    ),
    (
        "vllm",
        Vendor {
            wording: Wording::Vllm,
            id_reuse: Doubtful,
            arguments_not_json: Doubtful,
            images_in_results: Doubtful,
            reasoning_key: Some(ReasoningKey::Reasoning),
            strict: Doubtful,
            ..TEMPLATE
        },
    ),
    (
        "llama.cpp",
        Vendor {
            wording: Wording::LlamaCpp,
            prefill_unmarked: true,
            files: No,
            reasoning_key: Some(ReasoningKey::ReasoningContent),
            ..TEMPLATE
        },
    ),
    (
        "lmstudio",
        Vendor {
            wording: Wording::LlamaCpp,
            image_urls: Doubtful,
            reasoning_key: Some(ReasoningKey::ReasoningContent),
            unknown_keys: Doubtful,
            refusal: Doubtful,
            tool_message_name: Doubtful,
            cache_marks: Doubtful,
            ..TEMPLATE
        },
    ),
    (
        "ollama",
        Vendor {
            wording: Wording::LlamaCpp,
            arguments_not_object: No,
            null_content: Doubtful,
            no_content: Doubtful,
            image_urls: No,
            images_in_results: Doubtful,
            reasoning_key: Some(ReasoningKey::Reasoning),
            ask_to_think: None,
            tool_choice_required: Doubtful,
            ..TEMPLATE
        },
    ),
    (
        "ollama_chat",
        Vendor {
            wording: Wording::LlamaCpp,
            form: Form::Ollama,
            arguments_not_object: No,
            null_content: Doubtful,
            no_content: Doubtful,
            parts_user: No,
            parts_assistant: No,
            parts_tool: No,
            image_urls: No,
            images_in_results: Yes,
            files: No,
            reasoning_key: Some(ReasoningKey::Thinking),
            ask_to_think: Some(AskToThink::Think),
            tool_choice_required: Doubtful,
            max_completion_tokens: Doubtful,
            ..TEMPLATE
        },
    ),
];
