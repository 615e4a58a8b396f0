//! Law 5: what is assembled does not depend on how the stream was cut; any beginning of it gives a
//! valid message or none, and no call before it is complete.

use assemble::{Dialect, Failed, Reply, Stream, StreamError};
use testkit::Rng;

use super::{anthropic, asked, bedrock, chat, gemini, ollama, responses};

fn streams() -> Vec<(Dialect, Vec<u8>)> {
    let anthropic = anthropic::streamed(&anthropic::a_turn(), "tool_use");
    let chat = chat::streamed(&chat::TWO_CALLS, "tool_calls");
    let with_noise = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).expect("text");
        let text = text.replace("data: ", ": keep-alive\r\ndata:").replace('\n', "\r\n");
        format!(
            "\u{feff}{}",
            text.replace("look", "l\u{1f642}\u{e9}k").replace("first", "\u{4e00}")
        )
    };
    let mut streams = vec![
        (Dialect::AnthropicMessages, anthropic),
        (Dialect::OpenAiChat, chat),
        (Dialect::OpenAiResponses, responses::a_stream()),
        (Dialect::Gemini, gemini::a_stream()),
    ];
    for (dialect, bytes) in streams.clone() {
        streams.push((dialect, with_noise(&bytes).into_bytes()));
    }
    streams.push((Dialect::BedrockConverse, bedrock::a_stream()));
    streams.push((Dialect::OllamaChat, ollama::a_stream()));
    streams
}

/// Why a stream cannot be read on, and what was said by then.
type Unread = (StreamError, Option<Box<Reply>>);

/// What packets come to; or why they cannot be read on, and what was said up to there.
fn read<'p>(
    dialect: Dialect,
    packets: impl IntoIterator<Item = &'p [u8]>,
) -> Result<Result<Reply, Failed>, Unread> {
    let mut stream = Stream::new(dialect, asked("some", dialect));
    for packet in packets {
        if let Err(error) = stream.push(packet, &mut |_| {}) {
            return Err((error, stream.interrupt().map(Box::new)));
        }
    }
    Ok(stream.finish(&mut |_| {}))
}

fn fed<'p>(dialect: Dialect, packets: impl IntoIterator<Item = &'p [u8]>) -> Result<Reply, Failed> {
    read(dialect, packets).expect("within the limits")
}

#[test]
fn packets_of_any_size_give_the_same_message() {
    for (dialect, bytes) in streams() {
        let whole = fed(dialect, [bytes.as_slice()]);
        assert!(whole.is_ok());
        for size in 1..=64 {
            assert_eq!(fed(dialect, bytes.chunks(size)), whole, "packets of {size} bytes");
        }
        for at in 0..=bytes.len() {
            let (head, tail) = bytes.split_at(at);
            assert_eq!(fed(dialect, [head, tail]), whole, "cut at {at}");
        }
    }
}

#[test]
fn any_beginning_of_a_stream_gives_a_valid_message_or_none_and_no_call_that_is_not_whole() {
    for (dialect, bytes) in streams() {
        let whole = fed(dialect, [bytes.as_slice()]).expect("a reply");
        let calls: Vec<_> = whole.calls().map(|(_, call)| call).collect();
        for at in 0..bytes.len() {
            let head = &bytes[..at];
            match fed(dialect, [head]) {
                Ok(reply) => {
                    let all: Vec<_> = reply.calls().map(|(_, call)| call).collect();
                    assert_eq!(all, calls, "cut at {at}: some of the calls");
                }
                Err(failed) => {
                    assert_eq!(failed.failure.code.as_str(), "STREAM_CUT", "cut at {at}");
                    let cut = failed.cut.into_iter().flat_map(|cut| cut.blocks);
                    assert!(cut.into_iter().all(|block| block.as_tool_use().is_none()));
                }
            }
            let mut stream = Stream::new(dialect, asked("some", dialect));
            stream.push(head, &mut |_| {}).expect("within the limits");
            if let Some(reply) = stream.interrupt() {
                assert_eq!(reply.calls().count(), 0, "interrupted at {at}");
                assert!(reply.message.interrupted);
            }
        }
    }
}

#[test]
fn damaged_streams_do_not_depend_on_how_they_were_cut() {
    for seed in 1..=3_000 {
        let mut rng = Rng::new(seed);
        let (dialect, mut bytes) = rng.pick(&streams()).clone();
        for _ in 0..rng.below(8) {
            let at = rng.below(bytes.len());
            match rng.below(4) {
                0 => bytes[at] = rng.word() as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, *rng.pick(b"\n\r:{}[]\",\\u\xff\xed")),
                _ => {
                    let end = (at + rng.below(200)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    let to = rng.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
            }
        }
        let whole = read(dialect, [bytes.as_slice()]);
        let size = 1 + rng.below(40);
        assert_eq!(read(dialect, bytes.chunks(size)), whole, "seed {seed}");
        assert_eq!(read(dialect, bytes.chunks(1)), whole, "seed {seed}");
    }
}
