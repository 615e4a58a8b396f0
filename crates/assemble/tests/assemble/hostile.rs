//! Streams that mean harm end in a named error within their limit, or are read in linear work.

use assemble::chunk::{Chunk, End};
use assemble::limits::MESSAGE_BYTES_MAX;
use assemble::{Assembler, Dialect, Live, Stream, StreamError};
use json::Raw;
use record::limits::BLOCKS_MAX;
use record::{Block, Input, Reasoning, Rest, TextBlock, ToolUse};
use wire::limits::FRAME_BYTES_MAX;

use super::{asked, chat, clean, read, sse, told};

fn stream(dialect: Dialect) -> Stream {
    Stream::new(dialect, asked("some", dialect))
}

#[test]
fn a_frame_without_an_end_is_refused_at_the_limit() {
    let is_text = |dialect: &Dialect| *dialect != Dialect::BedrockConverse;
    for dialect in Dialect::ALL.into_iter().filter(is_text) {
        let mut stream = stream(dialect);
        stream.push(b"data: ", &mut |_| {}).expect("a frame begins");
        // A line of text, whichever framing it is read in.
        let packet = vec![b'x'; 1 << 20];
        let taken = (0..100).take_while(|_| stream.push(&packet, &mut |_| {}).is_ok()).count();
        assert_eq!(taken, FRAME_BYTES_MAX / packet.len() - 1);
        let error = stream.push(&packet, &mut |_| {}).expect_err("over the limit");
        assert!(error.to_string().contains("FRAME_BYTES_MAX"), "{error}");
    }
}

#[test]
fn a_hundred_megabytes_of_arguments_are_refused_at_the_limit() {
    let piece = "x".repeat(1 << 20);
    let call = format!(
        r#"{{"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"id":"a","function":{{"name":"n","arguments":"{piece}"}}}}]}}}}]}}"#
    );
    let frame = sse([call]);
    let mut stream = stream(Dialect::OpenAiChat);
    let taken = (0..100).take_while(|_| stream.push(&frame, &mut |_| {}).is_ok()).count();
    assert!(taken < 32, "{taken}");
    let error = stream.push(&frame, &mut |_| {}).expect_err("over the limit");
    assert!(error.to_string().contains("MESSAGE_BYTES_MAX"), "{error}");
    assert!(stream.interrupt().is_some(), "the call is told as dropped");
}

#[test]
fn what_is_no_delta_counts_against_the_limit_as_well() {
    let long = "x".repeat(1 << 20);
    let sealed = |member: &str| {
        let details = format!(r#"[{{"type":"reasoning.encrypted","index":0,"data":"{long}"}}]"#);
        let value = if member == "reasoning_details" { details } else { format!("\"{long}\"") };
        sse([format!(
            r#"{{"choices":[{{"index":0,"delta":{{"reasoning":"r","{member}":{value}}}}}]}}"#
        )])
    };
    for member in ["reasoning_details", "encrypted_content", "reasoning_content", "annotations"] {
        let (frame, mut stream) = (sealed(member), self::stream(Dialect::OpenAiChat));
        let taken = (0..100).take_while(|_| stream.push(&frame, &mut |_| {}).is_ok()).count();
        assert!(taken < 40, "{member}: {taken}");
    }
    let part = format!(r#"{{"type":"thinking","thinking":"","signature":"{long}"}}"#);
    let part = sse([format!(r#"{{"choices":[{{"index":0,"delta":{{"content":[{part}]}}}}]}}"#)]);
    let mut stream = self::stream(Dialect::OpenAiChat);
    let taken = (0..100).take_while(|_| stream.push(&part, &mut |_| {}).is_ok()).count();
    assert!(taken < 40, "{taken}");
    let signature = sse([format!(
        r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"signature_delta","signature":"{long}"}}}}"#
    )]);
    let mut stream = self::stream(Dialect::AnthropicMessages);
    let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#;
    stream.push(&sse([start]), &mut |_| {}).expect("a block begins");
    let taken = (0..100).take_while(|_| stream.push(&signature, &mut |_| {}).is_ok()).count();
    assert!(taken < 40, "{taken}");
}

#[test]
fn what_stands_beside_a_reply_counts_once_for_each_time_it_says_something_else() {
    let chunk = |nth: usize| {
        let long = format!("{nth}{}", "x".repeat(8 << 20));
        sse([format!(r#"{{"extra":"{long}","choices":[]}}"#)])
    };
    let taken = |chunks: &mut dyn Iterator<Item = Vec<u8>>| {
        let mut stream = stream(Dialect::OpenAiChat);
        chunks.take_while(|chunk| stream.push(chunk, &mut |_| {}).is_ok()).count()
    };
    let same = chunk(0);
    assert_eq!(taken(&mut (0..6).map(|_| same.clone())), 6);
    assert_eq!(taken(&mut (0..6).map(chunk)), MESSAGE_BYTES_MAX / (8 << 20) - 1);
}

#[test]
fn what_each_api_says_beside_a_reply_counts_against_the_limit() {
    use Dialect::{
        AnthropicMessages, BedrockConverse, Gemini, OllamaChat, OpenAiChat, OpenAiResponses,
    };
    let frames: [(Dialect, &str); 12] = [
        (AnthropicMessages, r#"{"type":"message_delta","usage":{"x":"LONG"}}"#),
        (AnthropicMessages, r#"{"type":"message_delta","context_management":"LONG"}"#),
        (Gemini, r#"{"usageMetadata":{"x":"LONG"}}"#),
        (Gemini, r#"{"candidates":[{"groundingMetadata":"LONG"}]}"#),
        (
            Gemini,
            r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true},"LONG":1}]}}]}"#,
        ),
        (BedrockConverse, r#"{"metadata":{"usage":{"x":"LONG"}}}"#),
        (OllamaChat, r#"{"message":{"role":"assistant","x":"LONG"}}"#),
        (OpenAiChat, r#"{"choices":[],"usage":{"x":"LONG"}}"#),
        (OpenAiChat, r#"{"choices":[{"index":0,"x":"LONG"}]}"#),
        (OpenAiChat, r#"{"choices":[{"index":0,"delta":{"x":"LONG"}}]}"#),
        (
            OpenAiChat,
            r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f"},"x":"LONG"}]}}]}"#,
        ),
        (OpenAiResponses, r#"{"type":"response.in_progress","response":{"usage":{"x":"LONG"}}}"#),
    ];
    for (dialect, frame) in frames {
        let mut stream = Stream::ndjson(dialect, asked("some", dialect));
        let taken = (0..9).take_while(|nth| {
            let long = format!("{nth}{}", "x".repeat(8 << 20));
            let data = frame.replace("LONG", &long);
            let bytes = format!("{data}\n").into_bytes();
            stream.push(&bytes, &mut |_| {}).is_ok()
        });
        assert_eq!(taken.count(), MESSAGE_BYTES_MAX / (8 << 20) - 1, "{frame}");
    }
}

#[test]
fn members_beside_a_block_count_against_the_limit() {
    let mut rest = Rest::default();
    rest.push("extra".into(), Raw::string(&"x".repeat(8 << 20).into()));
    let end = |index| {
        let (proof, rest) = (None, rest.clone());
        Chunk::BlockEnd { index, end: End::Sealed { proof, rest } }
    };
    let mut fold = Assembler::default();
    let taken = (0..6).take_while(|index| {
        let text = Chunk::TextDelta { index: *index, text: "x".into() };
        fold.take(text, &mut |_| {}).is_ok() && fold.take(end(*index), &mut |_| {}).is_ok()
    });
    assert_eq!(taken.count(), MESSAGE_BYTES_MAX / (8 << 20) - 1);
}

/// Each part of a block has four MiB and a bit: two blocks of three parts fit, two of four do not.
#[test]
fn every_part_of_a_block_counts_once() {
    let long = || "x".repeat(4 << 20);
    let proof = || {
        let sealed = Raw::string(&long().into());
        let mut proof = super::fold::proof("s");
        proof.as_mut().expect("a proof").sealed = sealed;
        proof
    };
    let rest = |parts: usize| {
        let mut rest = Rest::default();
        (0..parts).for_each(|_| rest.push(long().into(), Raw::string(&"v".into())));
        rest
    };
    let text =
        |parts| Block::Text(TextBlock { text: long().into(), proof: proof(), rest: rest(parts) });
    let thought = |parts| {
        Block::Reasoning(Reasoning { reasoning: long().into(), proof: proof(), rest: rest(parts) })
    };
    let call = |parts| {
        let (id, name) = ("c".into(), "n".into());
        let (input, proof) = (Input::new(long().into()), proof());
        Block::ToolUse(ToolUse { id, name, input, proof, rest: rest(parts) })
    };
    let taken = |chunks: &dyn Fn(u64) -> Vec<Chunk>| {
        let mut fold = Assembler::default();
        (0..9)
            .take_while(|index| {
                chunks(*index).into_iter().all(|chunk| fold.take(chunk, &mut |_| {}).is_ok())
            })
            .count()
    };
    let whole = |index, block| vec![Chunk::BlockEnd { index, end: End::Block(block) }];
    let sealed = |index, parts| {
        let end = End::Sealed { proof: proof(), rest: rest(parts) };
        vec![Chunk::TextDelta { index, text: long().into() }, Chunk::BlockEnd { index, end }]
    };
    let piece = |index, parts: u64| {
        let id = Some(long().into()).filter(|_| parts > 1);
        let name = Some(long().into());
        vec![Chunk::ToolCallDelta { index, id, name, arguments: long().into() }]
    };
    for (parts, fit) in [(1, 2), (2, 1)] {
        assert_eq!(taken(&|index| whole(index, text(parts))), fit, "a text");
        assert_eq!(taken(&|index| whole(index, thought(parts))), fit, "a thought");
        assert_eq!(taken(&|index| whole(index, call(parts))), fit, "a call");
        assert_eq!(taken(&|index| sealed(index, parts)), fit, "an end");
    }
    assert_eq!(taken(&|index| piece(index, 1)), 4, "arguments and a name");
    assert_eq!(taken(&|index| piece(index, 2)), 2, "an id as well");
}

#[test]
fn a_message_may_have_bytes_up_to_the_limit() {
    let mut fold = Assembler::default();
    let text = "x".repeat(MESSAGE_BYTES_MAX);
    fold.take(Chunk::TextDelta { index: 0, text: text.into() }, &mut |_| {}).expect("the limit");
    let more = Chunk::TextDelta { index: 0, text: "x".into() };
    let over = fold.take(more, &mut |_| {});
    assert_eq!(over, Err(StreamError::MessageTooLarge { limit: MESSAGE_BYTES_MAX }));
}

#[test]
fn a_message_may_have_blocks_up_to_the_limit() {
    let mut fold = Assembler::default();
    let whole = |index| Chunk::BlockEnd { index, end: End::Block(Block::text("")) };
    for index in 0..BLOCKS_MAX as u64 {
        fold.take(whole(index << 40), &mut |_| {}).expect("up to the limit");
    }
    let over = fold.take(whole(1), &mut |_| {});
    assert_eq!(over, Err(StreamError::TooManyBlocks { limit: BLOCKS_MAX }));
}

#[test]
fn an_index_of_any_size_is_a_block_like_another() {
    let start = |index: &str| {
        format!(
            r#"{{"type":"content_block_start","index":{index},"content_block":{{"type":"text","text":"{index}"}}}}"#
        )
    };
    let indexes = ["9223372036854775808", "0", "18446744073709551615"];
    let frames: Vec<String> = indexes.iter().map(|index| start(index)).collect();
    let frames = frames.into_iter().chain([r#"{"type":"message_stop"}"#.to_owned()]);
    let message = clean(read(Dialect::AnthropicMessages, "anthropic", &sse(frames)));
    assert_eq!(told(&message), indexes.map(|index| format!("text {index}")));
    let call = |index: u64| {
        format!(
            r#"{{"tool_calls":[{{"index":{index},"id":"c{index}","function":{{"name":"n","arguments":"{{}}"}}}}]}}"#
        )
    };
    let (first, second) = (call(1 << 63), call(0));
    let message = clean(read(
        Dialect::OpenAiChat,
        "openai",
        &chat::streamed(&[&first, &second], "tool_calls"),
    ));
    assert_eq!(told(&message), ["call c9223372036854775808 n({})", "call c0 n({})"]);
}

#[test]
fn characters_split_over_packets_are_whole_and_broken_ones_are_replaced() {
    let said =
        sse([r#"{"choices":[{"index":0,"delta":{"content":"a X b"},"finish_reason":"stop"}]}"#]);
    let with = |bytes: &[u8]| {
        let at = said.iter().position(|byte| *byte == b'X').expect("a place");
        [&said[..at], bytes, &said[at + 1..]].concat()
    };
    let fed = |bytes: &[u8]| {
        let mut stream = stream(Dialect::OpenAiChat);
        for byte in bytes {
            stream.push(&[*byte], &mut |_| {}).expect("within the limits");
        }
        stream.finish(&mut |_| {}).expect("a reply")
    };
    assert_eq!(told(&fed(&with("\u{1f642}".as_bytes())).message), ["text a \u{1f642} b"]);
    let broken = fed(&with(b"\xf0\x9f"));
    assert_eq!(told(&broken.message), ["text a \u{fffd} b"]);
    assert_eq!(broken.findings[0].kind.as_str(), "NOT_UTF8");
}

#[test]
fn findings_of_an_endless_stream_are_counted_and_not_listed() {
    let mut stream = stream(Dialect::AnthropicMessages);
    let noise = sse((0..1000).map(|nth| format!(r#"{{"type":"event_{nth}"}}"#)));
    for _ in 0..100 {
        stream.push(&noise, &mut |_| {}).expect("within the limits");
    }
    let failed = stream.finish(&mut |_| {}).expect_err("no reply");
    assert_eq!(failed.findings.len(), 1);
    assert_eq!(failed.findings[0].count, 100_000);
}

/// Ten megabytes of arguments, a byte at a time: what each delta costs does not grow with what was
/// there before, or this would not end.
#[test]
fn ten_million_deltas_are_ten_million_steps() {
    const DELTAS: usize = 10_000_000;
    let mut fold = Assembler::default();
    let (mut steps, mut bytes) = (0, 0);
    for nth in 0..DELTAS {
        let arguments = match nth {
            0 => "\"".into(),
            _ if nth == DELTAS - 1 => "\"".into(),
            _ => "x".into(),
        };
        let (id, name) = (Some("c".into()), Some("n".into()));
        let id = id.filter(|_| nth == 0);
        let name = name.filter(|_| nth == 0);
        let mut live = |live: Live<'_>| {
            if let Live::Call { arguments, .. } = live {
                steps += 1;
                bytes += arguments.len();
            }
        };
        fold.take(Chunk::ToolCallDelta { index: 0, id, name, arguments }, &mut live)
            .expect("within the limits");
    }
    let end = End::Sealed { proof: None, rest: Rest::NONE };
    fold.take(Chunk::BlockEnd { index: 0, end }, &mut |_| {}).expect("within the limits");
    assert_eq!((steps, bytes), (DELTAS, DELTAS));
    let reply = fold.finish(&asked("some", Dialect::OpenAiChat)).expect("a reply");
    let (_, call) = reply.calls().next().expect("a call");
    assert_eq!(call.input.text().len(), DELTAS);
}
