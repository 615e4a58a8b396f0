//! The columns of a vendor's row by name: what a row says can be listed, and a row of one's own
//! written down.
//!
//! [`COLUMNS`] names every field of [`Vendor`] once, in its order. How a cell is written in a file
//! is the business of whoever reads that file; here are the words for its values.

use super::vendors::{
    AskToThink, Charset, Form, Grammar, Limit, ReasoningKey, Takes, VENDORS, Vendor, Wording,
};

/// One column of the table of vendors.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The field of [`Vendor`].
    pub name: &'static str,
    /// What it says, for whoever writes a row.
    pub about: &'static str,
    /// The rules that ask for it, by id; none where no rule does.
    pub rules: &'static [&'static str],
    /// Where it stands in a row.
    pub cell: Cell,
}

/// Where a cell of a kind stands in a row.
#[derive(Clone, Copy, Debug)]
pub enum Cell {
    /// Whether something is taken.
    Takes(fn(&mut Vendor) -> &mut Takes),
    /// A plain yes or no.
    Flag(fn(&mut Vendor) -> &mut bool),
    /// The grammar of ids or names.
    Grammar(fn(&mut Vendor) -> &mut Grammar),
    /// A number with a limit, or none.
    Limit(fn(&mut Vendor) -> &mut Option<Limit>),
    /// Where reasoning is sent back, if it is.
    ReasoningKey(fn(&mut Vendor) -> &mut Option<ReasoningKey>),
    /// How its models are asked to think, if that is known.
    AskToThink(fn(&mut Vendor) -> &mut Option<AskToThink>),
    /// The key of a reply's start: one of [`prefill_keys`], or none.
    PrefillKey(fn(&mut Vendor) -> &mut Option<&'static str>),
    /// In whose words it refuses.
    Wording(fn(&mut Vendor) -> &mut Wording),
    /// In which form it takes messages.
    Form(fn(&mut Vendor) -> &mut Form),
}

/// A closed list of values, each with the word for it.
pub trait Named: Copy + PartialEq + 'static {
    /// Every value.
    const NAMES: &'static [(&'static str, Self)];

    /// The word for it.
    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, value)| *value == self).map_or("", |(name, _)| name)
    }

    /// The value of a word; none for another word.
    fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

impl Named for Takes {
    const NAMES: &'static [(&'static str, Takes)] =
        &[("yes", Takes::Yes), ("doubtful", Takes::Doubtful), ("no", Takes::No)];
}

impl Named for Form {
    const NAMES: &'static [(&'static str, Form)] =
        &[("completions", Form::Completions), ("ollama", Form::Ollama)];
}

impl Named for Charset {
    const NAMES: &'static [(&'static str, Charset)] = &[
        ("any", Charset::Any),
        ("word", Charset::Word),
        ("letter_first", Charset::LetterFirst),
        ("alphanumeric", Charset::Alphanumeric),
    ];
}

impl Named for ReasoningKey {
    const NAMES: &'static [(&'static str, ReasoningKey)] = &[
        ("reasoning_content", ReasoningKey::ReasoningContent),
        ("reasoning", ReasoningKey::Reasoning),
        ("reasoning_details", ReasoningKey::ReasoningDetails),
        ("thinking_part", ReasoningKey::ThinkingPart),
        ("thinking", ReasoningKey::Thinking),
    ];
}

impl Named for AskToThink {
    const NAMES: &'static [(&'static str, AskToThink)] = &[
        ("effort", AskToThink::Effort),
        ("thinking", AskToThink::Thinking),
        ("enable_thinking", AskToThink::EnableThinking),
        ("reasoning", AskToThink::Reasoning),
        ("template", AskToThink::Template),
        ("think", AskToThink::Think),
    ];
}

impl Named for Wording {
    const NAMES: &'static [(&'static str, Wording)] = &[
        ("openai", Wording::OpenAi),
        ("mistral", Wording::Mistral),
        ("groq", Wording::Groq),
        ("cerebras", Wording::Cerebras),
        ("deepseek", Wording::DeepSeek),
        ("moonshot", Wording::Kimi),
        ("qwen", Wording::Qwen),
        ("zai", Wording::Glm),
        ("minimax", Wording::MiniMax),
        ("fireworks", Wording::Fireworks),
        ("vllm", Wording::Vllm),
        ("llama.cpp", Wording::LlamaCpp),
    ];
}

/// The keys that mark the start of a reply at some vendor, each once.
pub fn prefill_keys() -> Vec<&'static str> {
    let mut keys: Vec<&'static str> =
        VENDORS.iter().filter_map(|(_, vendor)| vendor.prefill_key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The column of this name.
pub fn column(name: &str) -> Option<&'static Column> {
    COLUMNS.iter().find(|column| column.name == name)
}

/// A column of the kind that most are.
const fn takes(
    name: &'static str,
    about: &'static str,
    rules: &'static [&'static str],
    of: fn(&mut Vendor) -> &mut Takes,
) -> Column {
    Column { name, about, rules, cell: Cell::Takes(of) }
}

const fn limit(
    name: &'static str,
    about: &'static str,
    rules: &'static [&'static str],
    of: fn(&mut Vendor) -> &mut Option<Limit>,
) -> Column {
    Column { name, about, rules, cell: Cell::Limit(of) }
}

const fn grammar(
    name: &'static str,
    about: &'static str,
    rules: &'static [&'static str],
    of: fn(&mut Vendor) -> &mut Grammar,
) -> Column {
    Column { name, about, rules, cell: Cell::Grammar(of) }
}

const fn flag(
    name: &'static str,
    about: &'static str,
    rules: &'static [&'static str],
    of: fn(&mut Vendor) -> &mut bool,
) -> Column {
    Column { name, about, rules, cell: Cell::Flag(of) }
}

/// Every column, in the order of the fields of [`Vendor`].
pub static COLUMNS: &[Column] = &[
    Column {
        name: "wording",
        about: "the vendor in whose words it refuses",
        rules: &[],
        cell: Cell::Wording(|row| &mut row.wording),
    },
    Column {
        name: "form",
        about: "the form of its messages: Chat Completions', or Ollama's native one",
        rules: &["O-1", "O-2", "O-3", "O-5", "O-6"],
        cell: Cell::Form(|row| &mut row.form),
    },
    grammar("ids", "ids of calls", &["C-005", "M-4"], |row| &mut row.ids),
    takes(
        "id_reuse",
        "an id that stood for an earlier call of the conversation",
        &["K-011"],
        |row| &mut row.id_reuse,
    ),
    grammar("tool_names", "names of tools and calls", &["C-010"], |row| &mut row.tool_names),
    takes("arguments_not_json", "arguments that do not parse as JSON", &["K-010"], |row| {
        &mut row.arguments_not_json
    }),
    takes("arguments_not_object", "arguments that are JSON, but no object", &["K-010"], |row| {
        &mut row.arguments_not_object
    }),
    takes("parallel_calls", "several calls in one message", &["C-029"], |row| {
        &mut row.parallel_calls
    }),
    takes("developer", "the role `developer`", &["K-001"], |row| &mut row.developer),
    takes("system_after_user", "a system message after a user message", &["K-002"], |row| {
        &mut row.system_after_user
    }),
    takes(
        "system_after_reply",
        "a system message after an assistant or a tool message",
        &["K-002"],
        |row| &mut row.system_after_reply,
    ),
    takes("systems_in_a_row", "a system message right after another", &["K-003"], |row| {
        &mut row.systems_in_a_row
    }),
    takes("tools_in_system", "`tools` in a system message", &["K-004"], |row| {
        &mut row.tools_in_system
    }),
    takes("users_in_a_row", "a user message right after another", &["K-041"], |row| {
        &mut row.users_in_a_row
    }),
    takes("assistants_in_a_row", "an assistant message right after another", &["K-041"], |row| {
        &mut row.assistants_in_a_row
    }),
    takes("user_after_tool", "a user message right after a tool message", &["K-042"], |row| {
        &mut row.user_after_tool
    }),
    takes(
        "last_assistant",
        "an assistant message at the end, without the `prefill_key`",
        &["K-043"],
        |row| &mut row.last_assistant,
    ),
    Column {
        name: "prefill_key",
        about: "the key that makes the last assistant message the start of the reply",
        rules: &["M-8"],
        cell: Cell::PrefillKey(|row| &mut row.prefill_key),
    },
    flag(
        "prefill_unmarked",
        "the last assistant message is the start of the reply without being marked",
        &["L-1", "L-2"],
        |row| &mut row.prefill_unmarked,
    ),
    takes("no_user", "a conversation without any user message", &["K-040"], |row| &mut row.no_user),
    takes("null_content", "`content: null` beside calls", &["K-030"], |row| &mut row.null_content),
    takes("no_content", "no `content` beside calls", &["K-030"], |row| &mut row.no_content),
    takes("parts_user", "a user's or the system's content as an array", &["K-005"], |row| {
        &mut row.parts_user
    }),
    takes("parts_assistant", "an assistant's content as an array", &["K-005"], |row| {
        &mut row.parts_assistant
    }),
    takes("parts_tool", "a tool's content as an array", &["K-005"], |row| &mut row.parts_tool),
    takes(
        "empty_lists",
        "`tools`, `tool_calls` and the content beside calls as empty arrays",
        &["C-007", "C-013", "C-027"],
        |row| &mut row.empty_lists,
    ),
    takes("empty_text", "an empty text of a user, a system or a tool message", &["C-012"], |row| {
        &mut row.empty_text
    }),
    takes(
        "empty_assistant",
        "an assistant message without text and without calls",
        &["C-011", "M-5"],
        |row| &mut row.empty_assistant,
    ),
    takes("images", "images in user messages, as data URIs", &["C-018"], |row| &mut row.images),
    takes("image_urls", "images by address", &["K-036"], |row| &mut row.image_urls),
    takes("images_in_results", "images in tool messages", &["C-014"], |row| {
        &mut row.images_in_results
    }),
    limit("images_max", "images in a request", &["K-038"], |row| &mut row.images_max),
    takes("files", "parts of type `file`", &["K-037"], |row| &mut row.files),
    Column {
        name: "reasoning_key",
        about: "where reasoning is sent back",
        rules: &["K-022"],
        cell: Cell::ReasoningKey(|row| &mut row.reasoning_key),
    },
    Column {
        name: "ask_to_think",
        about: "how its models are asked to think",
        rules: &[],
        cell: Cell::AskToThink(|row| &mut row.ask_to_think),
    },
    takes(
        "calls_without_reasoning",
        "an assistant message with calls and without its reasoning",
        &["K-020"],
        |row| &mut row.calls_without_reasoning,
    ),
    takes(
        "reasoning_empty",
        "reasoning that is the empty string, where reasoning is due",
        &["K-020"],
        |row| &mut row.reasoning_empty,
    ),
    takes(
        "refusal",
        "`refusal`, `audio` and `function_call` of an assistant message",
        &["K-031"],
        |row| &mut row.refusal,
    ),
    takes(
        "unknown_keys",
        "keys of messages that no documentation names",
        &["C-024", "K-021", "K-031"],
        |row| &mut row.unknown_keys,
    ),
    takes("tool_message_name", "`name` in a tool message", &["K-013"], |row| {
        &mut row.tool_message_name
    }),
    takes("message_name", "`name` in any other message", &["C-021"], |row| &mut row.message_name),
    takes("cache_marks", "marks of `cache_control` on parts", &["P-07"], |row| {
        &mut row.cache_marks
    }),
    limit("tools_max", "tools in a request", &["C-027"], |row| &mut row.tools_max),
    takes(
        "tool_choice_required",
        "`tool_choice: \"required\"`, or a choice of one function",
        &["K-033"],
        |row| &mut row.tool_choice_required,
    ),
    takes("strict", "`strict: true` in a tool", &["K-034"], |row| &mut row.strict),
    takes("no_parameters", "a tool without `parameters`", &["K-035"], |row| &mut row.no_parameters),
    takes(
        "calls_without_tools",
        "calls or results in the conversation, and no `tools`",
        &["K-032"],
        |row| &mut row.calls_without_tools,
    ),
    takes("max_completion_tokens", "`max_completion_tokens`", &["C-034"], |row| {
        &mut row.max_completion_tokens
    }),
    limit("stop_max", "entries of `stop`", &["K-039"], |row| &mut row.stop_max),
    flag(
        "serves_openai",
        "its models are OpenAI's: one that is in no row is judged by the strictest",
        &["C-025", "C-034"],
        |row| &mut row.serves_openai,
    ),
];
