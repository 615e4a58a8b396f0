//! The way back: what came over a dialect, sent over it again, is the same message.

use assemble::{Dialect, encode};
use json::{Doc, Raw, Text};
use record::{Block, Input, Message, Reasoning, Rest, Source, Stop, StopKind};

use super::{anthropic, bedrock, chat, clean, gemini, ollama, read, read_body, responses, told};

/// Sends a message as a stream and as a body, and reads both.
fn there_and_back(dialect: Dialect, platform: &str, message: &Message) -> [Message; 2] {
    let stream = encode::stream(dialect, message, "id-1").expect("a stream");
    let body = encode::body(dialect, message, "id-1").expect("a body");
    let mut both = [
        clean(read(dialect, platform, &stream)),
        clean(read_body(dialect, platform, body.as_str())),
    ];
    for message in &mut both {
        message.answers = None;
    }
    both
}

fn without_answer(message: &Message) -> Message {
    Message { answers: None, ..message.clone() }
}

#[test]
fn a_dialect_is_found_by_its_name() {
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::from_name(dialect.name()), Some(dialect));
    }
    assert_eq!(Dialect::from_name("some"), None);
}

#[test]
fn a_reply_of_anthropic_messages_comes_back_equal() {
    let bytes = anthropic::streamed(&anthropic::a_turn(), "tool_use");
    let message = clean(read(Dialect::AnthropicMessages, "anthropic", &bytes));
    let sent = there_and_back(Dialect::AnthropicMessages, "anthropic", &message);
    assert_eq!(sent, [without_answer(&message), without_answer(&message)]);
}

const THINKING: &str = r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}],"signature":"sig","closed":true}]}"#;
const DETAILS: &str = r#"{"reasoning":"because","reasoning_details":[{"type":"reasoning.text","text":"because","signature":"s","index":0}]}"#;

/// What a vendor of Chat Completions streams, in deltas.
pub const VENDORS_TURNS: [(&str, &[&str]); 7] = [
    ("openai", &chat::TWO_CALLS),
    (
        "deepseek",
        &[r#"{"reasoning_content":"a long thought, longer than a piece"}"#, r#"{"content":"x"}"#],
    ),
    (
        "openrouter",
        &[DETAILS, r#"{"content":"x"}"#, r#"{"annotations":[{"type":"url_citation"}]}"#],
    ),
    ("mistral", &[THINKING, r#"{"content":"words, and more words than a piece"}"#]),
    ("qwen", &[r#"{"reasoning_content":"r","encrypted_content":"gAAA"}"#, r#"{"content":"x"}"#]),
    ("azure", &[r#"{"refusal":"I will not do that, whatever you say"}"#]),
    (
        "groq",
        &[
            r#"{"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"sh","input":"ls -l"}}]}"#,
        ],
    ),
];

#[test]
fn replies_of_chat_completions_come_back_equal() {
    for (platform, deltas) in VENDORS_TURNS {
        let bytes = chat::streamed(deltas, "stop");
        let message = clean(read(Dialect::OpenAiChat, platform, &bytes));
        let sent = there_and_back(Dialect::OpenAiChat, platform, &message);
        assert_eq!(sent, [without_answer(&message), without_answer(&message)], "{platform}");
    }
}

#[test]
fn a_reply_of_responses_comes_back_equal() {
    let message = clean(read(Dialect::OpenAiResponses, "openai", &responses::a_stream()));
    let sent = there_and_back(Dialect::OpenAiResponses, "openai", &message);
    assert_eq!(sent, [without_answer(&message), without_answer(&message)]);
}

#[test]
fn a_reply_of_gemini_comes_back_equal() {
    let refused = br#"data: {"candidates":[{"content":{"parts":[{"text":"x"}]}}],"promptFeedback":{"blockReason":"OTHER"},"modelVersion":"m"}"#;
    for stream in [gemini::a_stream(), refused.to_vec()] {
        let message = clean(read(Dialect::Gemini, "google", &stream));
        let sent = there_and_back(Dialect::Gemini, "google", &message);
        assert_eq!(sent, [without_answer(&message), without_answer(&message)]);
    }
}

#[test]
fn a_reply_of_bedrock_comes_back_equal() {
    let message = clean(read(Dialect::BedrockConverse, "bedrock", &bedrock::a_stream()));
    let sent = there_and_back(Dialect::BedrockConverse, "bedrock", &message);
    assert_eq!(sent, [without_answer(&message), without_answer(&message)]);
}

#[test]
fn a_reply_of_ollama_comes_back_equal() {
    let message = clean(read(Dialect::OllamaChat, "ollama", &ollama::a_stream()));
    let sent = there_and_back(Dialect::OllamaChat, "ollama", &message);
    assert_eq!(sent, [without_answer(&message), without_answer(&message)]);
}

#[test]
fn generated_replies_come_back_equal() {
    for seed in 1..=5_000 {
        for dialect in Dialect::ALL {
            let (platform, message) = super::generate::reply(dialect, seed);
            let sent = there_and_back(dialect, platform, &message);
            assert_eq!(sent, [message.clone(), message], "seed {seed}, {}", dialect.name());
        }
    }
}

fn said_elsewhere() -> Message {
    let thought =
        Reasoning { reasoning: "hm".into(), proof: super::fold::proof("sealed"), rest: Rest::NONE };
    let call = record::ToolUse {
        id: "c1".into(),
        name: "ls".into(),
        input: Input::new("{}".into()),
        proof: None,
        rest: Rest::NONE,
    };
    let blocks = vec![Block::Reasoning(thought), Block::text("x"), Block::ToolUse(call)];
    Message::new(record::Role::Assistant, blocks)
}

#[test]
fn a_message_of_another_dialect_is_said_and_its_proofs_stay_behind() {
    let sent = there_and_back(Dialect::OpenAiChat, "openai", &said_elsewhere());
    for message in sent {
        assert_eq!(told(&message), ["thought hm", "text x", "call c1 ls({})"]);
    }
}

#[test]
fn what_another_dialect_cannot_say_is_left_out_and_named() {
    use encode::LeftOut;

    let kind = Text::from("shell_call");
    let native = Block::Opaque(record::OpaqueBlock {
        kind: kind.clone(),
        raw: Raw::parse(r#"{"id":"native-1"}"#).expect("JSON"),
        proof: super::fold::proof("sealed"),
    });
    let sealed =
        Reasoning { reasoning: "".into(), proof: super::fold::proof("s"), rest: Rest::NONE };
    for source in [None, Some("anthropic_messages")] {
        let mut message = said_elsewhere();
        message.blocks.extend([native.clone(), Block::Reasoning(sealed.clone())]);
        message.source = source.map(|api| Source::Model {
            platform: "anthropic".into(),
            api: api.into(),
            model: "m".into(),
            account: None,
        });
        for dialect in Dialect::ALL {
            let lost: &[LeftOut<'_>] = match dialect {
                Dialect::AnthropicMessages => &[],
                _ => &[LeftOut::Signature, LeftOut::Native(&kind), LeftOut::Thought],
            };
            assert_eq!(encode::left_out(dialect, &message), lost, "{}", dialect.name());
            let said = encode::body(dialect, &message, "id").expect("a body");
            assert_eq!(said.as_str().contains("native-1"), lost.is_empty(), "{}", dialect.name());
        }
    }
}

#[test]
fn a_reply_of_any_dialect_is_said_over_every_other_the_same_streamed_and_whole() {
    let ends: [(Dialect, &str, Vec<u8>); 4] = [
        (Dialect::OpenAiResponses, "openai", responses::a_stream()),
        (Dialect::Gemini, "google", gemini::a_stream()),
        (Dialect::BedrockConverse, "bedrock", bedrock::a_stream()),
        (Dialect::OllamaChat, "ollama", ollama::a_stream()),
    ];
    for (from, platform, stream) in ends {
        let mut message = clean(read(from, platform, &stream));
        let is_freeform = |block: &Block| {
            block.as_tool_use().is_some_and(|call| Doc::parse_str(call.input.text()).is_err())
        };
        let takes_any = |to| matches!(to, Dialect::OpenAiChat | Dialect::OpenAiResponses);
        for to in Dialect::ALL.into_iter().filter(|to| *to != from) {
            message.blocks.retain(|block| takes_any(to) || !is_freeform(block));
            let [streamed, whole] = there_and_back(to, "some", &message);
            // A body of these does not tell in which order words and calls came.
            if !matches!(to, Dialect::OpenAiChat | Dialect::OllamaChat) {
                let [streamed, whole] = [&streamed, &whole].map(|message| {
                    told(message).into_iter().map(|told| told.replace("\": ", "\":"))
                });
                assert!(streamed.eq(whole), "{} to {}", from.name(), to.name());
            }
            let calls = |message: &Message| {
                let calls = message.blocks.iter().filter_map(Block::as_tool_use);
                calls.map(|call| call.name.to_string()).collect::<Vec<_>>()
            };
            assert_eq!(calls(&streamed), calls(&message), "{} to {}", from.name(), to.name());
            assert_eq!(calls(&whole), calls(&message), "{} to {}", from.name(), to.name());
        }
    }
}

#[test]
fn a_reply_that_was_cut_is_sent_by_nobody() {
    let mut message = said_elsewhere();
    message.interrupted = true;
    for dialect in Dialect::ALL {
        assert_eq!(encode::stream(dialect, &message, "id"), Err(encode::CannotCarry::Cut));
        let result = record::ToolResult {
            tool_use_id: Text::default(),
            tool_name: Text::default(),
            content: Vec::new(),
            is_error: false,
            rest: Rest::NONE,
        };
        let other = Message::new(record::Role::Assistant, vec![Block::ToolResult(result)]);
        let error = encode::body(dialect, &other, "id").expect_err("no reply holds it");
        assert!(error.to_string().contains("block 0 is a result"), "{error}");
    }
}

#[test]
fn a_stream_is_made_of_whole_frames_in_the_order_of_its_dialect() {
    let stream = encode::stream(Dialect::AnthropicMessages, &said_elsewhere(), "msg_1").unwrap();
    let text = String::from_utf8(stream).unwrap();
    let events: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    assert_eq!((events[0], events[events.len() - 1]), ("message_start", "message_stop"));
    for data in text.lines().filter_map(|line| line.strip_prefix("data: ")) {
        assert!(Doc::parse_str(data).is_ok(), "{data}");
    }
    let body = encode::body(Dialect::AnthropicMessages, &said_elsewhere(), "msg_1").unwrap();
    assert_eq!(body.doc().root().get_str("stop_reason").as_deref(), Some("tool_use"));
    assert_eq!(Raw::of(body.doc().root().get("id").unwrap()).as_str(), "\"msg_1\"");
}

#[test]
fn texts_that_stand_apart_elsewhere_are_one_content() {
    let blocks = vec![Block::text("one"), Block::text("two")];
    let message = Message::new(record::Role::Assistant, blocks);
    for message in there_and_back(Dialect::OpenAiChat, "openai", &message) {
        assert_eq!(told(&message), ["text onetwo"]);
    }
}

/// A reply over a dialect: this call, and how it ended.
fn called(dialect: Dialect, arguments: &str, kind: StopKind, native: Option<&str>) -> Message {
    let call = record::ToolUse {
        id: "c1".into(),
        name: "ls".into(),
        input: Input::new(arguments.into()),
        proof: None,
        rest: Rest::NONE,
    };
    let mut message = Message::new(record::Role::Assistant, vec![Block::ToolUse(call)]);
    let (platform, model, account) = ("p".into(), "m".into(), None);
    message.source = Some(Source::Model { platform, api: dialect.name().into(), model, account });
    let (native, dropped_calls) = (native.map(Text::from), Vec::new());
    message.stop = Some(Stop { kind, native, failure: None, dropped_calls, rest: Rest::NONE });
    message
}

#[test]
fn arguments_that_are_no_json_are_sent_over_no_dialect() {
    for (dialect, arguments) in
        Dialect::ALL.into_iter().flat_map(|of| [(of, r#"{"a":"#), (of, "ls -l"), (of, " ")])
    {
        let message = called(dialect, arguments, StopKind::ToolCalls, None);
        let what = "a call whose arguments are no JSON";
        let cannot = encode::CannotCarry::Block { index: 0, what };
        assert_eq!(encode::stream(dialect, &message, "id"), Err(cannot));
        assert_eq!(encode::body(dialect, &message, "id"), Err(cannot));
        let whole = called(dialect, "", StopKind::ToolCalls, None);
        assert!(encode::stream(dialect, &whole, "id").is_ok());
    }
}

#[test]
fn a_word_of_a_harness_for_the_end_is_sent_as_one_that_the_api_has() {
    for dialect in Dialect::ALL {
        for kind in [StopKind::Stop, StopKind::ToolCalls, StopKind::MaxTokens] {
            let mut message = called(dialect, "{}", kind, Some("harness_word"));
            if kind != StopKind::ToolCalls {
                message.blocks = vec![Block::text("x")];
            }
            for sent in there_and_back(dialect, "p", &message) {
                let stop = sent.stop.expect("a stop");
                assert_eq!(stop.kind, kind, "{}", dialect.name());
                assert_ne!(stop.native.as_deref(), Some("harness_word"), "{}", dialect.name());
            }
        }
        let failed = called(dialect, "{}", StopKind::Error, Some("harness_word"));
        assert_eq!(encode::body(dialect, &failed, "id"), Err(encode::CannotCarry::Cut));
    }
}

#[test]
fn a_word_that_an_api_ended_a_reply_with_is_sent_again_though_nobody_knows_it() {
    for dialect in Dialect::ALL {
        let mut message = called(dialect, "{}", StopKind::ToolCalls, Some("brand_new"));
        let mut kept = json::Object::new();
        kept.string("kind", dialect.name()).number("version", 1);
        message.response = Some(kept.finish());
        let body = encode::body(dialect, &message, "id").expect("a body");
        assert!(body.as_str().contains(r#""brand_new""#), "{body}");
    }
}

#[test]
fn a_reply_of_responses_that_is_incomplete_and_says_not_why_is_sent_so() {
    let dialect = Dialect::OpenAiResponses;
    let mut message = called(dialect, "{}", StopKind::MaxTokens, Some("incomplete"));
    message.blocks = vec![Block::text("x")];
    let body = encode::body(dialect, &message, "id").expect("a body");
    assert!(body.doc().root().get("incomplete_details").is_none(), "{body}");
    for sent in there_and_back(dialect, "p", &message) {
        assert_eq!(sent.stop, message.stop);
    }
    let stream = encode::stream(dialect, &message, "id").expect("a stream");
    assert!(String::from_utf8(stream).expect("text").contains("event: response.incomplete"));
}

#[test]
fn usage_of_another_api_is_counted_in_the_way_of_this_one() {
    let mut message = called(Dialect::AnthropicMessages, "{}", StopKind::ToolCalls, None);
    message.usage = Some(record::Usage {
        input_tokens: 7,
        output_tokens: 12,
        cache_creation_input_tokens: 2,
        cache_read_input_tokens: 40,
    });
    for dialect in Dialect::ALL {
        for sent in there_and_back(dialect, "p", &message) {
            let usage = sent.usage.expect("a usage");
            let read = usage.input_tokens
                + usage.cache_creation_input_tokens
                + usage.cache_read_input_tokens;
            assert_eq!((read, usage.output_tokens), (49, 12), "{}", dialect.name());
        }
    }
}

#[test]
fn a_call_of_a_tool_that_takes_any_text_is_one_over_the_other_api_that_has_such_tools() {
    let freeform = r#"{"object":"response","status":"completed","output":[{"type":"custom_tool_call","call_id":"c","name":"sh","input":"ls -l"}]}"#;
    let of_responses = clean(read_body(Dialect::OpenAiResponses, "openai", freeform));
    let over_chat = encode::body(Dialect::OpenAiChat, &of_responses, "id").expect("a body");
    assert!(
        over_chat.as_str().contains(r#""custom":{"name":"sh","input":"ls -l"}"#),
        "{over_chat}"
    );
    let of_chat = clean(read_body(Dialect::OpenAiChat, "openai", over_chat.as_str()));
    let back = encode::body(Dialect::OpenAiResponses, &of_chat, "id").expect("a body");
    assert!(back.as_str().contains(r#""type":"custom_tool_call""#), "{back}");
    let again = clean(read_body(Dialect::OpenAiResponses, "openai", back.as_str()));
    assert_eq!(told(&again)[0].split(" [").next(), Some(told(&of_responses)[0].as_str()));
}
