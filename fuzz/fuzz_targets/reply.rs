//! Any bytes as a streamed reply, in every framing: read in packets of any size to the same end,
//! without a panic; and as a body.

#![no_main]

use assemble::{Asked, Dialect, Stream};
use libfuzzer_sys::fuzz_target;

type Framed = fn(Dialect, Asked) -> Stream;

/// Binary messages pass a check that no fuzzer guesses: lines bring it to what is behind.
const FRAMINGS: [Framed; 4] =
    [Stream::new, Stream::ndjson, Stream::objects, Stream::event_stream];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    for dialect in Dialect::ALL {
        for framed in FRAMINGS {
            let read = |packet: usize| {
                let mut stream = framed(dialect, Asked::default());
                for packet in bytes.chunks(packet) {
                    if stream.push(packet, &mut |_| {}).is_err() {
                        return None;
                    }
                }
                Some(stream.finish(&mut |_| {}))
            };
            assert_eq!(read(usize::from(*first).max(1)), read(usize::MAX));
        }
        if let Ok(doc) = json::Doc::parse(bytes) {
            let _ = assemble::body(dialect, &Asked::default(), doc.root());
        }
    }
});
