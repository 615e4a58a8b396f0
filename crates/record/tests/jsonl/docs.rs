//! The examples of `docs/record-format.md` are lines of one sound file.

use std::collections::BTreeSet;
use std::path::Path;

use record::{BlockKind, Fact, jsonl};
use serde_json::Value;

#[test]
fn the_examples_of_the_page_are_a_sound_record() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/record-format.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let mut lines: Vec<&str> = Vec::new();
    for example in page.split("```jsonl\n").skip(1) {
        lines.extend(example.split("```").next().expect("an example").lines());
    }
    let loaded = jsonl::load(lines.join("\n").as_bytes(), "page");
    assert_eq!(loaded.findings, []);
    let saved = String::from_utf8(jsonl::save(&loaded.record)).expect("text");
    let value = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
    assert_eq!(
        saved.lines().map(value).collect::<Vec<_>>(),
        lines.into_iter().map(value).collect::<Vec<_>>()
    );
    assert_eq!(loaded.record.branch_path("main").len(), loaded.record.entries.len());

    let facts = loaded.record.entries.iter().map(|entry| std::mem::discriminant(&entry.fact));
    assert_eq!(facts.collect::<std::collections::HashSet<_>>().len(), 7, "every fact");
    let mut kinds = BTreeSet::new();
    for entry in &loaded.record.entries {
        if let Fact::Message(message) = &entry.fact {
            kinds.extend(message.blocks.iter().map(|block| format!("{:?}", block.kind())));
        }
    }
    assert_eq!(kinds.len(), BlockKind::ALL.len(), "every block");
}
