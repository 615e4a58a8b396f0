//! Any bytes: parsing gives a document or an error, and what parsed is kept exactly.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(doc) = json::Doc::parse(bytes) {
        let raw = doc.root().raw();
        let again = json::Doc::parse(raw.as_bytes()).expect("the text of a value parses");
        assert_eq!(again.root().raw(), raw);
    }
});
