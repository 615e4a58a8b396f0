//! Request bodies that have `messages`, told apart.

use json::{Kind, Value};

use super::Verdict;
use crate::{Format, anthropic, bedrock_converse, openai_chat};

const OPENAI_CHAT: Verdict = Verdict::Is(Format::OpenAiChat);
const BEDROCK_CONVERSE: Verdict = Verdict::Is(Format::BedrockConverse);

/// Parameters that only Bedrock Converse has.
pub(super) const CONVERSE_PARAMETERS: [&str; 4] =
    ["toolConfig", "inferenceConfig", "additionalModelRequestFields", "modelId"];

/// Tells the bodies apart that have `messages`.
pub(super) fn verdict_of_messages(root: Value<'_, '_>, list: Value<'_, '_>) -> Verdict {
    if is_ollama(root, list) {
        return Verdict::Is(Format::OllamaChat);
    }
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
            Some("model") => return Verdict::Foreign("messages of a model under `messages`"),
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
        return Verdict::Is(Format::OpenAiResponses);
    }
    if first.as_deref() == Some("system") && root.get("system").is_none() && !sure {
        return OPENAI_CHAT;
    }
    if !sure && says_chat(root) {
        return OPENAI_CHAT;
    }
    if known { Verdict::Is(Format::AnthropicMessages) } else { Verdict::Open }
}

/// Whether a body says by a parameter or a message that it is for Ollama's native API.
fn is_ollama(root: Value<'_, '_>, list: Value<'_, '_>) -> bool {
    let parameter = ["options", "keep_alive", "think"].iter().any(|name| root.get(name).is_some());
    let by_object = |call: Value<'_, '_>| {
        let arguments = call.get("function").and_then(|function| function.get("arguments"));
        call.get("id").is_none() && arguments.is_some_and(|value| value.kind() == Kind::Object)
    };
    let message = |message: Value<'_, '_>| {
        let mut images = message.get("images").into_iter().flat_map(Value::items);
        let mut calls = message.get("tool_calls").into_iter().flat_map(Value::items);
        images.any(|image| image.kind() == Kind::String)
            || message.get("tool_name").is_some()
            || message.get("thinking").is_some_and(|thought| thought.kind() == Kind::String)
            || calls.any(by_object)
    };
    parameter || list.items().any(message)
}

/// Whether this is a list of messages and items.
pub(super) fn holds_items(list: Option<Value<'_, '_>>) -> bool {
    let mut items = list.into_iter().flat_map(Value::items);
    items.next().is_some_and(|first| first.get("role").is_some() || is_responses_item(first))
}

/// Whether what stands among messages is an item of the Responses API.
fn is_responses_item(message: Value<'_, '_>) -> bool {
    let is_item = match message.get_str("type").as_deref() {
        Some("reasoning" | "item_reference" | "compaction") => true,
        Some(kind) => kind.ends_with("_call") || kind.ends_with("_call_output"),
        None => false,
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
