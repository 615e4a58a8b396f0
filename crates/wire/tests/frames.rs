//! Frames of a stream, wherever its bytes are cut.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

use wire::frames::{FrameError, Framing, Ndjson, Objects, Sse};
use wire::limits::FRAME_BYTES_MAX;

/// Event, data, and whether the frame was ended.
type Given = (String, String, bool);

fn fed<'p>(mut framing: Framing, packets: impl IntoIterator<Item = &'p [u8]>) -> Vec<Given> {
    let mut given = Vec::new();
    for mut packet in packets {
        while let Some(frame) = framing.next(&mut packet).expect("within the limit") {
            given.push((frame.event.into(), frame.data.into(), frame.ended));
        }
        assert!(packet.is_empty(), "a packet is used up");
    }
    if let Some(frame) = framing.end() {
        given.push((frame.event.into(), frame.data.into(), frame.ended));
    }
    given
}

fn sse(bytes: &[u8]) -> Vec<Given> {
    let whole = fed(Framing::Sse(Sse::new()), [bytes]);
    for size in 1..8 {
        let cut = fed(Framing::Sse(Sse::new()), bytes.chunks(size));
        assert_eq!(cut, whole, "packets of {size} bytes");
    }
    whole
}

fn frame(event: &str, data: &str) -> Given {
    (event.into(), data.into(), true)
}

#[test]
fn lines_end_with_cr_lf_or_both() {
    let expected = [frame("a", "1"), frame("", "2")];
    for end in ["\n", "\r", "\r\n"] {
        let text = "event: a\ndata: 1\n\ndata: 2\n\n".replace('\n', end);
        assert_eq!(sse(text.as_bytes()), expected, "{end:?}");
    }
    assert_eq!(sse(b"event: a\r\ndata: 1\r\rdata: 2\n\r\n"), expected);
}

#[test]
fn a_byte_order_mark_is_none_of_the_text_and_only_at_the_start() {
    assert_eq!(sse(b"\xEF\xBB\xBFdata: 1\n\n"), [frame("", "1")]);
    assert_eq!(sse(b"data: 1\n\n\xEF\xBB\xBFdata: 2\n\n"), [frame("", "1")]);
}

#[test]
fn comments_and_names_nobody_knows_are_passed_over() {
    let text = b": OPENROUTER PROCESSING\n\n:\n\nid: 7\nretry: 5\nfoo: bar\ndata\ndata:x\n\n";
    assert_eq!(sse(text), [frame("", "\nx")]);
    assert_eq!(
        sse(b": only\n\nevent: e\n\ndata: 1\n\n"),
        [frame("", "1")],
        "an event without data"
    );
}

#[test]
fn lines_of_data_are_joined_and_one_blank_is_taken_off() {
    let text = b"data: {\"a\":\ndata:1}\ndata:  x\n\n";
    assert_eq!(sse(text), [frame("", "{\"a\":\n1}\n x")]);
}

#[test]
fn a_frame_that_the_stream_leaves_unfinished_is_given_and_says_so() {
    for text in ["data: 1\n\ndata: [DONE]", "data: 1\n\ndata: [DONE]\n"] {
        let torn = ("".into(), "[DONE]".into(), false);
        assert_eq!(sse(text.as_bytes()), [frame("", "1"), torn]);
    }
    assert_eq!(sse(b"data: 1\n\nevent: e"), [frame("", "1")]);
    assert_eq!(sse(b""), []);
}

#[test]
fn characters_may_be_split_over_packets() {
    let text = "data: \u{1f642}\u{e9}\u{4e00}\n\n";
    assert_eq!(sse(text.as_bytes()), [frame("", "\u{1f642}\u{e9}\u{4e00}")]);
    assert_eq!(sse(b"data: a\xF0\x9Fb\n\n"), [frame("", "a\u{fffd}b")]);
}

#[test]
fn a_json_text_a_line_is_a_frame_a_line() {
    let bytes = b"\xEF\xBB\xBF{\"a\":1}\r\n\n \t\n{\"b\":2}";
    let whole = fed(Framing::Ndjson(Ndjson::new()), [&bytes[..]]);
    assert_eq!(whole, [frame("", "{\"a\":1}\r"), ("".into(), "{\"b\":2}".into(), false)]);
    for size in 1..8 {
        assert_eq!(fed(Framing::Ndjson(Ndjson::new()), bytes.chunks(size)), whole);
    }
}

#[test]
fn the_elements_of_an_array_are_frames_however_it_is_laid_out() {
    let bytes = b"[{\"a\":{\"}\":\"\\\"{\"}}\r\n,\r\n{\"b\": [{}]},{\"c\":\"]";
    let whole = fed(Framing::Objects(Objects::new()), [&bytes[..]]);
    let torn = ("".into(), "{\"c\":\"]".into(), false);
    let first = frame("", "{\"a\":{\"}\":\"\\\"{\"}}");
    assert_eq!(whole, [first, frame("", "{\"b\": [{}]}"), torn]);
    for size in 1..8 {
        assert_eq!(fed(Framing::Objects(Objects::new()), bytes.chunks(size)), whole);
    }
    for blank in ["", "[", "[]", "[ ]\n"] {
        assert_eq!(fed(Framing::Objects(Objects::new()), [blank.as_bytes()]), []);
    }
}

#[test]
fn a_frame_may_have_bytes_up_to_the_limit() {
    for (head, mut framing) in [
        (&b"data:"[..], Framing::Sse(Sse::new())),
        (b"", Framing::Ndjson(Ndjson::new())),
        (b"[{", Framing::Objects(Objects::new())),
    ] {
        let mut most = head.to_vec();
        let between = head.iter().filter(|byte| **byte == b'[').count();
        most.resize(FRAME_BYTES_MAX + between, b'x');
        let mut packet = most.as_slice();
        assert_eq!(framing.next(&mut packet), Ok(None));
        let over = framing.next(&mut &b"x"[..]).map(|_| ());
        assert_eq!(over, Err(FrameError::TooLarge { limit: FRAME_BYTES_MAX }));
    }
}

#[test]
fn lines_of_one_frame_count_together() {
    let mut sse = Sse::new();
    let line = [b"data:".as_slice(), &vec![b'x'; FRAME_BYTES_MAX / 2], b"\n"].concat();
    assert_eq!(sse.next(&mut line.as_slice()), Ok(None));
    assert!(sse.next(&mut line.as_slice()).is_err());
}
