//! Replies as they are sent again, byte for byte: what other clients read depends on more than our
//! own decoder does. `tests/sent` has a file for each, the body and then the stream.

use assemble::{Dialect, encode};
use record::Message;

use super::encode::VENDORS_TURNS;
use super::{anthropic, bedrock, chat, clean, gemini, ollama, read, responses};

/// What is sent of a message: its body, and its stream where that is text.
fn sent(dialect: Dialect, message: &Message) -> String {
    let body = encode::body(dialect, message, "id-1").expect("a body");
    let stream = encode::stream(dialect, message, "id-1").expect("a stream");
    let stream = match dialect {
        Dialect::BedrockConverse => String::new(),
        _ => String::from_utf8(stream).expect("text"),
    };
    format!("{body}\n\n{stream}")
}

/// Checks what is sent, where the dialect can say the message; where it cannot there is no file.
fn check(name: &str, dialect: Dialect, message: &Message) {
    let path = format!("{}/tests/sent/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let can = encode::body(dialect, message, "id-1").is_ok();
    let sent = if can { sent(dialect, message) } else { String::new() };
    assert!(sent == expected, "{path} should hold\n{sent}");
}

#[test]
fn a_reply_of_each_api_is_sent_as_that_api_sends_it() {
    let turn = anthropic::streamed(&anthropic::a_turn(), "tool_use");
    let replies: [(Dialect, &str, Vec<u8>); 5] = [
        (Dialect::AnthropicMessages, "anthropic", turn),
        (Dialect::OpenAiResponses, "openai", responses::a_stream()),
        (Dialect::Gemini, "google", gemini::a_stream()),
        (Dialect::BedrockConverse, "bedrock", bedrock::a_stream()),
        (Dialect::OllamaChat, "ollama", ollama::a_stream()),
    ];
    for (dialect, platform, stream) in replies {
        let message = clean(read(dialect, platform, &stream));
        check(dialect.name(), dialect, &message);
        for to in Dialect::ALL.into_iter().filter(|to| *to != dialect) {
            check(&format!("{}_as_{}", dialect.name(), to.name()), to, &message);
        }
    }
}

#[test]
fn a_reply_of_each_vendor_of_chat_completions_is_sent_as_that_vendor_sends_it() {
    for (platform, deltas) in VENDORS_TURNS {
        let message = clean(read(Dialect::OpenAiChat, platform, &chat::streamed(deltas, "stop")));
        check(&format!("openai_chat_{platform}"), Dialect::OpenAiChat, &message);
        for to in [Dialect::AnthropicMessages, Dialect::OpenAiResponses, Dialect::Gemini] {
            check(&format!("openai_chat_{platform}_as_{}", to.name()), to, &message);
        }
    }
}
