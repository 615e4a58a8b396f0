//! Frames of a stream, wherever its bytes are cut.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test may

use wire::frames::{EventStream, FrameError, Framing, Ndjson, Objects, Sse, event_stream, http};
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

/// A message as the service writes one, its checksums computed elsewhere.
const MESSAGE: &[u8] = b"\x00\x00\x00\x3d\x00\x00\x00\x20\x07\xfd\x83\x96\x0ccontent-type\x07\x00\x10application/json{'foo':'bar'}\x8d\x9c\x08\xb1";

fn messages(bytes: &[u8]) -> Result<Vec<Given>, FrameError> {
    let mut stream = EventStream::new();
    let (mut given, mut packet) = (Vec::new(), bytes);
    while let Some(frame) = stream.next(&mut packet)? {
        given.push((frame.event.into(), frame.data.into(), frame.ended));
    }
    Ok(given)
}

#[test]
fn binary_messages_are_frames_once_they_pass_their_checks() {
    assert_eq!(messages(MESSAGE), Ok(vec![frame("", "{'foo':'bar'}")]));
    let mut bytes = MESSAGE.to_vec();
    let headers = [(":event-type", "messageStart"), (":message-type", "event")];
    event_stream::write(&mut bytes, &headers, b"{}");
    event_stream::write(&mut bytes, &[], b"");
    let all = [frame("", "{'foo':'bar'}"), frame("messageStart", "{}"), frame("", "")];
    for size in 1..20 {
        let cut = fed(Framing::EventStream(EventStream::new()), bytes.chunks(size));
        assert_eq!(cut, all, "packets of {size} bytes");
    }
    let torn = fed(Framing::EventStream(EventStream::new()), [&bytes[..bytes.len() - 1]]);
    assert_eq!(torn, all[..2], "a message that is not whole is none");
    assert!(EventStream::begins(&bytes) && !EventStream::begins(b"data: {}\n\ndata: {}"));
}

#[test]
fn a_message_with_a_bit_changed_is_refused_by_name() {
    for at in 0..MESSAGE.len() {
        for bit in 0..8 {
            let mut bytes = MESSAGE.to_vec();
            bytes[at] ^= 1 << bit;
            let refused = messages(&bytes);
            assert!(matches!(refused, Err(FrameError::Damaged { .. })), "{at}: {refused:?}");
        }
    }
}

#[test]
fn headers_of_every_type_are_read_and_those_of_another_refused() {
    let with = |header: &[u8]| {
        let mut bytes = Vec::new();
        event_stream::write(&mut bytes, &[(":event-type", "e")], header);
        // The payload becomes a header: its bytes follow the first one.
        let headers = (16 + header.len()) as u32;
        bytes[4..8].copy_from_slice(&headers.to_be_bytes());
        let end = bytes.len() - 4;
        let prelude = crc(&bytes[..8]).to_be_bytes();
        bytes[8..12].copy_from_slice(&prelude);
        let message = crc(&bytes[..end]).to_be_bytes();
        bytes[end..].copy_from_slice(&message);
        messages(&bytes)
    };
    for (kind, len) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 8), (8, 8), (9, 16)] {
        let header = [&[1, b'x', kind][..], &vec![7; len]].concat();
        assert_eq!(with(&header), Ok(vec![frame("e", "")]), "type {kind}");
    }
    assert_eq!(with(b"\x01x\x06\x00\x02ab"), Ok(vec![frame("e", "")]));
    for odd in [&b"\x01x\x0a"[..], b"\x09x", b"\x01x\x07\x00\x09ab", b"\x01x"] {
        assert!(matches!(with(odd), Err(FrameError::Damaged { .. })), "{odd:?}");
    }
}

/// The checksum, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
        }
    }
    !crc
}

#[test]
fn a_message_may_have_bytes_up_to_the_limit() {
    let prelude = |total: u32| {
        let mut bytes = total.to_be_bytes().to_vec();
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&crc(&bytes).to_be_bytes());
        bytes
    };
    let (most, more) = (FRAME_BYTES_MAX as u32, FRAME_BYTES_MAX as u32 + 1);
    assert_eq!(messages(&prelude(most)), Ok(Vec::new()), "it is waited for");
    assert_eq!(messages(&prelude(more)), Err(FrameError::TooLarge { limit: FRAME_BYTES_MAX }));
    assert!(matches!(messages(&prelude(15)), Err(FrameError::Damaged { .. })));
}

#[test]
fn a_body_is_taken_out_of_the_chunks_it_was_recorded_in_or_left_as_it_is() {
    let recorded = b"4\r\nab\r\n\r\n1A\r\n01234567890123456789abcdef\r\n0\r\n\r\n";
    let body = b"ab\r\n01234567890123456789abcdef";
    assert_eq!(http::without_chunk_lengths(recorded).as_deref(), Some(&body[..]));
    for other in [
        &b"{}"[..],
        b"",
        b"4\r\nab",
        b"+2\r\nab\r\n0\r\n\r\n",
        b"2\r\nab\r\n0\r\n\r\nx",
        b"ffffffffffffffffff\r\n",
        b"ffffffffffffffff\r\nx",
    ] {
        assert_eq!(http::without_chunk_lengths(other), None, "{other:?}");
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
