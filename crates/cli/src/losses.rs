//! What another format did not carry: the record is compared with what is read back.
#![deny(clippy::wildcard_enum_match_arm)]

use stenograph::record::{Block, Record, ResultPart};

use crate::page::count;

/// How many there are of what a conversation consists of, on all branches.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parts {
    texts: usize,
    calls: usize,
    results: usize,
    thoughts: usize,
    proofs: usize,
    images: usize,
    others: usize,
}

impl Parts {
    fn of(record: &Record) -> Parts {
        let mut parts = Parts::default();
        let messages = record.entries.iter().filter_map(|entry| entry.message());
        for block in messages.flat_map(|message| &message.blocks) {
            match block {
                Block::Text(text) => parts.texts += usize::from(!text.text.trim().is_empty()),
                Block::ToolUse(_) => parts.calls += 1,
                Block::ToolResult(result) => {
                    parts.results += 1;
                    let is_image = |part: &&ResultPart| matches!(part, ResultPart::Image(_));
                    parts.images += result.content.iter().filter(is_image).count();
                }
                Block::Reasoning(thought) => {
                    parts.thoughts += 1;
                    parts.proofs += usize::from(thought.proof.is_some());
                }
                Block::Image(_) => parts.images += 1,
                Block::SystemChange(_) | Block::Opaque(_) => parts.others += 1,
            }
        }
        parts
    }

    fn named(&self) -> [(&'static str, usize); 7] {
        [
            ("text", self.texts),
            ("call", self.calls),
            ("result", self.results),
            ("thought", self.thoughts),
            ("signature", self.proofs),
            ("image", self.images),
            ("other block", self.others),
        ]
    }
}

/// What is fewer in `after` than in `before`, in words.
pub fn between(before: &Record, after: &Record) -> Option<String> {
    let (before, after) = (Parts::of(before).named(), Parts::of(after).named());
    let fewer = before.iter().zip(after).filter_map(|((name, before), (_, after))| {
        before.checked_sub(after).filter(|lost| *lost > 0).map(|lost| count(lost, name))
    });
    let fewer: Vec<String> = fewer.collect();
    (!fewer.is_empty()).then(|| fewer.join(", "))
}
