//! The models as data: one row each, and the strictest row for a name nobody knows.

/// Whether a model's thinking blocks are bound to everything before them (rule A-060).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A replayed block is refused under another prefix.
    Yes,
    /// The prefix may change.
    No,
    /// Not known: as bound where an edit is chosen, as not bound where thoughts are sent.
    Unknown,
}

/// What a model does when a request has no `thinking`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenOmitted {
    /// It thinks.
    Thinks,
    /// It does not think.
    DoesNotThink,
    /// Not known.
    Unknown,
}

/// When `tool_choice` may be `any` or `tool` (rule A-046).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForcedToolChoice {
    /// Never on this model.
    Never,
    /// Only where the model does not think.
    ThinkingOff,
    /// Always.
    Always,
}

/// What one model accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// The exact id, without date suffix; empty for [`UNKNOWN`].
    pub id: &'static str,
    /// `thinking: {"type":"adaptive"}` is accepted.
    pub thinking_adaptive: bool,
    /// `thinking: {"type":"enabled","budget_tokens":..}` is accepted.
    pub thinking_enabled: bool,
    /// `thinking: {"type":"disabled"}` is accepted.
    pub thinking_disabled: bool,
    /// `thinking: {"type":"between_tools"}` is accepted.
    pub thinking_between_tools: bool,
    /// What no `thinking` means.
    pub thinking_when_omitted: WhenOmitted,
    /// `disabled` is refused at effort `xhigh` and `max`.
    pub thinking_disabled_caps_effort: bool,
    /// The provider's words where `disabled` is refused.
    pub thinking_disabled_refusal: &'static str,
    /// When a call may be forced.
    pub forced_tool_choice: ForcedToolChoice,
    /// Messages of role `system` are documented as accepted.
    pub system_mid_history: bool,
    /// They were accepted though the documents leave the model out: doubtful, not refused.
    pub system_mid_history_seen: bool,
    /// A request may end with an assistant message.
    pub prefill: bool,
    /// Sampling parameters other than the defaults are accepted.
    pub sampling: bool,
    /// `temperature` and `top_p` may be sent together.
    pub temperature_with_top_p: bool,
    /// Accepted levels of `output_config.effort`, in the order the provider lists them; none where
    /// the parameter is refused.
    pub efforts: &'static [&'static str],
    /// Tokens below which a prefix is not cached, without a word.
    pub cache_tokens_min: u32,
    /// Whether thinking is bound to its prefix.
    pub binds_thinking: Binding,
    /// All earlier thinking stays in context; else only the running turn's.
    pub keeps_all_thinking: bool,
    /// Images per request.
    pub images_max: u32,
    /// Upper limit of `max_tokens`.
    pub output_tokens_max: u32,
    /// Ids of other models whose thinking this one may read.
    pub reads: &'static [&'static str],
}

impl Model {
    /// Whether this is [`UNKNOWN`]: what it refuses is then a guess.
    pub fn is_unknown(&self) -> bool {
        self.id.is_empty()
    }
}

/// The model a history that names none is sent to: widely served, thinking not bound.
pub const DEFAULT_MODEL: &str = "claude-sonnet-4-5";

const USE_ADAPTIVE: &str = "\"thinking.type.disabled\" is not supported for this model. Use \
    \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior.";
const DEFAULTS_TO_ADAPTIVE: &str = "\"thinking.type.disabled\" is not supported for this model. \
    Thinking defaults to adaptive mode when not specified; use \"thinking.type.enabled\" with \
    \"budget_tokens\" for extended thinking.";
const USE_BETWEEN_TOOLS: &str = "To turn thinking off on this model, send \"thinking\": \
    {\"type\": \"between_tools\"} instead of {\"type\": \"disabled\"}. The model does not think \
    before responding.";

const EFFORTS_NONE: &[&str] = &[];
const EFFORTS_NO_MAX: &[&str] = &["high", "low", "medium"];
const EFFORTS_NO_XHIGH: &[&str] = &["high", "low", "max", "medium"];
const EFFORTS_ALL: &[&str] = &["high", "low", "max", "medium", "xhigh"];

/// The row of a model that is not in [`MODELS`]: whatever some model refuses, this one refuses.
pub static UNKNOWN: Model = STRICTEST;

const STRICTEST: Model = Model {
    id: "",
    thinking_adaptive: false,
    thinking_enabled: false,
    thinking_disabled: false,
    thinking_between_tools: false,
    thinking_when_omitted: WhenOmitted::Unknown,
    thinking_disabled_caps_effort: true,
    thinking_disabled_refusal: USE_ADAPTIVE,
    forced_tool_choice: ForcedToolChoice::Never,
    system_mid_history: false,
    system_mid_history_seen: false,
    prefill: false,
    sampling: false,
    temperature_with_top_p: false,
    efforts: EFFORTS_NONE,
    cache_tokens_min: 4096,
    binds_thinking: Binding::Unknown,
    keeps_all_thinking: false,
    images_max: 100,
    output_tokens_max: 32_000,
    reads: &[],
};

/// Up to 4.5: manual thinking, prefill, all sampling parameters.
const MANUAL: Model = Model {
    thinking_enabled: true,
    thinking_disabled: true,
    thinking_when_omitted: WhenOmitted::DoesNotThink,
    thinking_disabled_caps_effort: false,
    forced_tool_choice: ForcedToolChoice::ThinkingOff,
    prefill: true,
    sampling: true,
    temperature_with_top_p: true,
    cache_tokens_min: 1024,
    binds_thinking: Binding::No,
    output_tokens_max: 64_000,
    ..STRICTEST
};

/// Before 3.7: no thinking at all.
const THOUGHTLESS: Model = Model {
    thinking_enabled: false,
    forced_tool_choice: ForcedToolChoice::Always,
    output_tokens_max: 4_096,
    ..MANUAL
};

/// 4.6: manual and adaptive thinking, no prefill.
const EITHER: Model = Model {
    thinking_adaptive: true,
    prefill: false,
    temperature_with_top_p: false,
    efforts: EFFORTS_NO_XHIGH,
    keeps_all_thinking: true,
    images_max: 600,
    output_tokens_max: 128_000,
    ..MANUAL
};

/// 4.7 and 4.8: adaptive only, off unless asked for, no sampling parameters.
const ADAPTIVE: Model =
    Model { thinking_enabled: false, sampling: false, efforts: EFFORTS_ALL, ..EITHER };

/// 5: thinks unless told not to.
const THINKS: Model = Model {
    thinking_when_omitted: WhenOmitted::Thinks,
    system_mid_history: true,
    cache_tokens_min: 512,
    ..ADAPTIVE
};

/// Fable and Mythos: always think.
const ALWAYS_THINKS: Model = Model {
    thinking_disabled: false,
    thinking_disabled_refusal: DEFAULTS_TO_ADAPTIVE,
    forced_tool_choice: ForcedToolChoice::Never,
    ..THINKS
};

/// Thinking is bound to its prefix, and calls cannot be forced.
const BOUND: Model = Model { binds_thinking: Binding::Yes, ..ALWAYS_THINKS };

/// Every known model.
pub static MODELS: &[Model] = &[
    Model { id: "claude-fable-5-2", reads: &["claude-mythos-5-2"], ..BOUND },
    Model { id: "claude-mythos-5-2", reads: &["claude-fable-5-2"], ..BOUND },
    Model { id: "claude-fable-5-1", reads: &["claude-mythos-5-1", "claude-opus-5"], ..BOUND },
    Model { id: "claude-mythos-5-1", reads: &["claude-fable-5-1", "claude-opus-5"], ..BOUND },
    Model {
        id: "claude-opus-5-5",
        thinking_disabled_refusal: USE_ADAPTIVE,
        reads: &[
            "claude-opus-5",
            "claude-opus-4-8",
            "claude-opus-4-7",
            "claude-opus-4-6",
            "claude-sonnet-4-6",
            "claude-opus-4-5",
            "claude-sonnet-4-5",
            "claude-haiku-4-5",
        ],
        ..BOUND
    },
    Model {
        id: "claude-sonnet-5-5",
        thinking_between_tools: true,
        thinking_disabled_refusal: USE_BETWEEN_TOOLS,
        ..BOUND
    },
    Model {
        id: "claude-haiku-5-5",
        thinking_disabled: true,
        thinking_disabled_caps_effort: true,
        forced_tool_choice: ForcedToolChoice::ThinkingOff,
        ..BOUND
    },
    Model { id: "claude-fable-5", ..ALWAYS_THINKS },
    Model { id: "claude-mythos-5", ..ALWAYS_THINKS },
    Model {
        id: "claude-mythos-preview",
        thinking_when_omitted: WhenOmitted::Unknown,
        system_mid_history: false,
        efforts: EFFORTS_NO_XHIGH,
        cache_tokens_min: 4096,
        binds_thinking: Binding::Unknown,
        images_max: 100,
        ..ALWAYS_THINKS
    },
    Model { id: "claude-opus-5", thinking_disabled_caps_effort: true, ..THINKS },
    Model {
        id: "claude-sonnet-5",
        system_mid_history: false,
        system_mid_history_seen: true,
        cache_tokens_min: 1024,
        ..THINKS
    },
    Model { id: "claude-opus-4-8", system_mid_history: true, ..ADAPTIVE },
    Model { id: "claude-opus-4-7", cache_tokens_min: 2048, ..ADAPTIVE },
    Model { id: "claude-opus-4-6", cache_tokens_min: 4096, ..EITHER },
    Model { id: "claude-sonnet-4-6", ..EITHER },
    Model {
        id: "claude-opus-4-5",
        temperature_with_top_p: false,
        efforts: EFFORTS_NO_MAX,
        cache_tokens_min: 4096,
        keeps_all_thinking: true,
        ..MANUAL
    },
    Model { id: "claude-sonnet-4-5", temperature_with_top_p: false, ..MANUAL },
    Model {
        id: "claude-haiku-4-5",
        temperature_with_top_p: false,
        cache_tokens_min: 4096,
        ..MANUAL
    },
    Model { id: "claude-opus-4-1", output_tokens_max: 32_000, ..MANUAL },
    Model { id: "claude-opus-4-0", output_tokens_max: 32_000, ..MANUAL },
    Model { id: "claude-sonnet-4-0", ..MANUAL },
    Model { id: "claude-3-7-sonnet", output_tokens_max: 128_000, ..MANUAL },
    Model { id: "claude-3-5-sonnet", output_tokens_max: 8_192, ..THOUGHTLESS },
    Model {
        id: "claude-3-5-haiku",
        output_tokens_max: 8_192,
        cache_tokens_min: 2048,
        ..THOUGHTLESS
    },
    Model { id: "claude-3-opus", ..THOUGHTLESS },
    Model { id: "claude-3-sonnet", ..THOUGHTLESS },
    Model { id: "claude-3-haiku", cache_tokens_min: 2048, ..THOUGHTLESS },
];

/// Other names of a row, after [`bare`].
const ALIASES: &[(&str, &str)] =
    &[("claude-opus-4", "claude-opus-4-0"), ("claude-sonnet-4", "claude-sonnet-4-0")];

/// The row of a model's name as people and platforms write it; [`UNKNOWN`] for any other.
///
/// Never by substring: `claude-sonnet-5` is not `claude-sonnet-5-5`.
pub fn model(name: &str) -> &'static Model {
    let bare = bare(name);
    let id = ALIASES.iter().find(|(alias, _)| *alias == bare).map_or(bare.as_str(), |(_, id)| id);
    MODELS.iter().find(|model| model.id == id).unwrap_or(&UNKNOWN)
}

/// The name without platform prefix, version, date and `-latest`, dots as hyphens.
fn bare(name: &str) -> String {
    let name = name.strip_prefix("anthropic/").unwrap_or(name);
    let name = match name.split_once("anthropic.") {
        Some(("", rest)) => rest,
        Some((region, rest)) if region.ends_with('.') => rest,
        Some(_) | None => name,
    };
    let name = name.split('@').next().unwrap_or(name);
    let name = without_version(name);
    let name = name.strip_suffix("-latest").unwrap_or(name);
    without_date(name).replace('.', "-")
}

/// Without a platform's version, as `-v1:0` or `-v1`.
fn without_version(name: &str) -> &str {
    let version = |tail: &str| tail.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    match name.rsplit_once("-v") {
        Some((head, tail)) if !tail.is_empty() && version(tail) => head,
        Some(_) | None => name,
    }
}

/// Without a date of eight digits.
fn without_date(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((head, tail)) if tail.len() == 8 && tail.bytes().all(|b| b.is_ascii_digit()) => head,
        Some(_) | None => name,
    }
}
