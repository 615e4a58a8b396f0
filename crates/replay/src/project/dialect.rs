//! The dialects, each with what its tables say of the target.

use record::{Input, InputClass, OpaqueBlock};
use wire::anthropic_messages::models::{Model, WhenOmitted};
use wire::bedrock_converse::request::CACHE_POINT;
use wire::body::CACHE_MARK;
use wire::literal;
use wire::takes::Takes;

use super::anthropic_messages::image::{IMAGES_MAX_ANYWHERE, MANY_IMAGES, SIDE_MAX_OF_MANY};
use super::output::ImagesStand;
use super::{Chat, Converse, Gemini, Responses, bedrock_converse};
use crate::refusal::LimitOf;

/// Bytes of a body that the Claude API takes (A-002; of the two meanings of 32 MB the smaller).
const BODY_BYTES_MAX: u64 = 32_000_000;

/// Bytes of a body that the Gemini API takes (G-028; newer versions of it take more).
const GEMINI_BODY_BYTES_MAX: u64 = 20_971_520;

/// Messages of a request that the Claude API takes.
const MESSAGES_MAX: u64 = 100_000;

/// The same where nobody says how many are taken, by our own limit.
const BODY_BYTES_MAX_ANYWHERE: u64 = 32_000_000;
const MESSAGES_MAX_ANYWHERE: u64 = 100_000;

/// The least bytes of a prefix for each token that caching takes: below, a mark is a mark wasted.
const BYTES_PER_TOKEN_MIN: u64 = 2;

/// How a target's requests are written.
#[derive(Clone, Debug)]
pub(crate) enum Dialect {
    /// Anthropic Messages, with the model's row.
    AnthropicMessages(&'static Model),
    /// Chat Completions, with what the vendor takes of this model.
    OpenAiChat(Box<Chat>),
    /// Responses, with who speaks it and the model's row.
    OpenAiResponses(Responses),
    /// `generateContent`, with what platform and model take.
    Gemini(Gemini),
    /// Bedrock Converse, with what it takes of this model.
    BedrockConverse(Box<Converse>),
}

impl Dialect {
    /// Bytes a body may have, where the caller says nothing.
    pub(crate) fn body_bytes_max(&self) -> u64 {
        match self {
            Dialect::AnthropicMessages(_) => BODY_BYTES_MAX,
            Dialect::OpenAiChat(_) | Dialect::OpenAiResponses(_) | Dialect::BedrockConverse(_) => {
                BODY_BYTES_MAX_ANYWHERE
            }
            Dialect::Gemini(_) => GEMINI_BODY_BYTES_MAX,
        }
    }

    /// Messages a request may have.
    pub(crate) fn messages_max(&self) -> u64 {
        match self {
            Dialect::AnthropicMessages(_) => MESSAGES_MAX,
            Dialect::OpenAiChat(_)
            | Dialect::OpenAiResponses(_)
            | Dialect::Gemini(_)
            | Dialect::BedrockConverse(_) => MESSAGES_MAX_ANYWHERE,
        }
    }

    /// Who sets these two.
    pub(crate) fn size_limits_of(&self) -> [LimitOf; 2] {
        match self {
            Dialect::AnthropicMessages(_) => [LimitOf::Provider, LimitOf::Provider],
            Dialect::OpenAiChat(_) | Dialect::OpenAiResponses(_) | Dialect::BedrockConverse(_) => {
                [LimitOf::Ours, LimitOf::Ours]
            }
            Dialect::Gemini(_) => [LimitOf::Provider, LimitOf::Ours],
        }
    }

    /// Images a request may hold, where the caller says nothing.
    pub(crate) fn images_max(&self) -> usize {
        match self {
            Dialect::AnthropicMessages(model) => model.images_max.min(IMAGES_MAX_ANYWHERE) as usize,
            Dialect::OpenAiChat(chat) => chat.vendor.images_max.map_or(usize::MAX, |most| most.max),
            Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => usize::MAX,
            Dialect::BedrockConverse(_) => bedrock_converse::image::IMAGES_MAX,
        }
    }

    /// With more images than the first, none may have a longer side than the second.
    pub(crate) fn side_max_of_many(&self) -> (usize, u32) {
        match self {
            Dialect::AnthropicMessages(_) => (MANY_IMAGES, SIDE_MAX_OF_MANY),
            Dialect::BedrockConverse(to) if to.model.claude => {
                (bedrock_converse::image::MANY_IMAGES, SIDE_MAX_OF_MANY)
            }
            Dialect::OpenAiChat(_)
            | Dialect::OpenAiResponses(_)
            | Dialect::Gemini(_)
            | Dialect::BedrockConverse(_) => (usize::MAX, u32::MAX),
        }
    }

    /// The least bytes of a prefix that is worth a cache breakpoint, where breakpoints are marked.
    pub(crate) fn marked_bytes_min(&self) -> Option<u64> {
        match self {
            Dialect::AnthropicMessages(model) => {
                Some(u64::from(model.cache_tokens_min) * BYTES_PER_TOKEN_MIN)
            }
            // Caching is automatic (P-01, P-07).
            Dialect::OpenAiChat(_) | Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => None,
            Dialect::BedrockConverse(to) => to.marked_bytes_min(BYTES_PER_TOKEN_MIN),
        }
    }

    /// Whether there is a place for thoughts.
    pub(crate) fn carries_thoughts(&self) -> bool {
        match self {
            Dialect::AnthropicMessages(_) | Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => {
                true
            }
            Dialect::OpenAiChat(chat) => chat.vendor.reasoning_key.is_some(),
            Dialect::BedrockConverse(to) => to.model.reasoning == Takes::Yes,
        }
    }

    /// Whether a text holds a NUL that goes out as another sign (G-10).
    pub(crate) fn replaces_nul(&self, text: &str) -> bool {
        match self {
            Dialect::AnthropicMessages(_) | Dialect::Gemini(_) | Dialect::BedrockConverse(_) => {
                false
            }
            Dialect::OpenAiChat(_) | Dialect::OpenAiResponses(_) => literal::has_nul(text),
        }
    }

    /// The same of what a call was given: an object has no NUL but as an escape.
    pub(crate) fn replaces_nul_in(&self, input: &Input) -> bool {
        match input.class() {
            InputClass::Empty | InputClass::Object => false,
            InputClass::Malformed => self.replaces_nul(input.text()),
        }
    }

    /// Whether a part that only its provider reads may stand in a result as it came.
    pub(crate) fn takes_in_results(&self, part: &OpaqueBlock) -> bool {
        match self {
            Dialect::AnthropicMessages(_)
            | Dialect::OpenAiChat(_)
            | Dialect::OpenAiResponses(_)
            | Dialect::BedrockConverse(_) => false,
            Dialect::Gemini(gemini) => gemini.takes_beside_response(part),
        }
    }

    /// Whether thoughts of a running turn are refused where thinking is off, and it can be.
    pub(crate) fn drops_running_thoughts(&self) -> bool {
        match self {
            Dialect::AnthropicMessages(model) => can_be_off(model),
            Dialect::OpenAiChat(_) | Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => false,
            Dialect::BedrockConverse(to) => to.claude.is_some_and(can_be_off),
        }
    }

    /// What Bedrock Converse takes of the model, where that is the dialect.
    pub(crate) fn converse(&self) -> Option<&Converse> {
        match self {
            Dialect::BedrockConverse(to) => Some(to),
            Dialect::AnthropicMessages(_)
            | Dialect::OpenAiChat(_)
            | Dialect::OpenAiResponses(_)
            | Dialect::Gemini(_) => None,
        }
    }

    /// Whether calls are said as calls, and not told as a record of actions.
    pub(crate) fn says_calls(&self) -> bool {
        match self {
            Dialect::AnthropicMessages(_) | Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => {
                true
            }
            Dialect::OpenAiChat(chat) => chat.tools,
            Dialect::BedrockConverse(to) => to.tools,
        }
    }

    /// Whether calls that are said as such have ids (O-3).
    pub(crate) fn has_call_ids(&self) -> bool {
        match self {
            Dialect::OpenAiChat(chat) => !chat.is_ollama(),
            Dialect::AnthropicMessages(_)
            | Dialect::OpenAiResponses(_)
            | Dialect::Gemini(_)
            | Dialect::BedrockConverse(_) => true,
        }
    }

    /// Whether words of the user's side may follow results, before the model speaks (K-042, B-014).
    pub(crate) fn takes_user_after_results(&self) -> bool {
        match self {
            Dialect::AnthropicMessages(_) | Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => {
                true
            }
            Dialect::OpenAiChat(chat) => chat.vendor.user_after_tool == Takes::Yes,
            Dialect::BedrockConverse(to) => to.takes_text_beside_tools(),
        }
    }

    /// Whether rounds wait for what follows them before they are written.
    pub(crate) fn holds_rounds(&self) -> bool {
        match self {
            Dialect::AnthropicMessages(_) | Dialect::OpenAiResponses(_) | Dialect::Gemini(_) => {
                false
            }
            Dialect::OpenAiChat(_) => true,
            Dialect::BedrockConverse(to) => to.holds_rounds(),
        }
    }

    /// Where the images of a result stand, an error's or another (A-037, C-014, G-029, B-016).
    pub(super) fn images_stand(&self, is_error: bool) -> ImagesStand {
        let inside = match self {
            Dialect::OpenAiChat(chat) => return chat.images_stand(),
            Dialect::OpenAiResponses(_) => true,
            Dialect::Gemini(gemini) => gemini.model.parts_in_responses == Takes::Yes,
            Dialect::AnthropicMessages(_) => !is_error,
            Dialect::BedrockConverse(to) => to.model.images_in_results == Takes::Yes && !is_error,
        };
        if inside { ImagesStand::Among } else { ImagesStand::Behind }
    }

    /// What marks a cache breakpoint, and how many bytes before a block's end it stands.
    pub(crate) fn cache_mark(&self) -> (&'static str, u64) {
        match self {
            Dialect::AnthropicMessages(_)
            | Dialect::OpenAiChat(_)
            | Dialect::OpenAiResponses(_)
            | Dialect::Gemini(_) => (CACHE_MARK, 1),
            Dialect::BedrockConverse(_) => (CACHE_POINT, 0),
        }
    }
}

/// Whether a model of Claude's can be asked not to think.
fn can_be_off(model: &Model) -> bool {
    model.thinking_when_omitted != WhenOmitted::Thinks
        || model.thinking_disabled
        || model.thinking_between_tools
}
