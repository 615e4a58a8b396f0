//! What another format did not carry: the record is compared with what is read back.
#![deny(clippy::wildcard_enum_match_arm)]

use stenograph::formats::surface;
use stenograph::record::{Block, CompactionKind, Fact, Record, ResultPart};

use crate::page::count;

/// How many there are of what a conversation consists of, on all branches.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Parts {
    texts: usize,
    calls: usize,
    results: usize,
    thoughts: usize,
    proofs: usize,
    images: usize,
    others: usize,
    /// Results that are marked as errors.
    failures: usize,
    /// Replies of which it is told that they did not end well.
    endings: usize,
    compactions: usize,
    tools: usize,
    systems: usize,
}

impl Parts {
    /// What a record holds.
    pub fn of(record: &Record) -> Parts {
        let mut parts = Parts::default();
        for entry in &record.entries {
            match &entry.fact {
                Fact::Message(message) => {
                    parts.endings += usize::from(surface::ending(message).is_some());
                    message.blocks.iter().for_each(|block| parts.add(block));
                }
                Fact::Compaction(compaction) => {
                    let is_boundary = compaction.kind == CompactionKind::Boundary;
                    parts.compactions += usize::from(is_boundary);
                }
                // Each says the whole of it again: the last one counts.
                Fact::Head(head) => {
                    parts.tools = head.head.as_ref().map_or(0, |head| head.tools.len());
                    parts.systems = head.head.as_ref().map_or(0, |head| head.system.len());
                }
                Fact::CallStarted(_) | Fact::Sent(_) | Fact::Retracted(_) | Fact::Opaque(_) => {}
            }
        }
        parts
    }

    fn add(&mut self, block: &Block) {
        match block {
            Block::Text(text) => self.texts += usize::from(!text.text.trim().is_empty()),
            Block::ToolUse(_) => self.calls += 1,
            Block::ToolResult(result) => {
                self.results += 1;
                self.failures += usize::from(result.is_error);
                for part in &result.content {
                    match part {
                        ResultPart::Text(_) => {}
                        ResultPart::Image(_) => self.images += 1,
                        ResultPart::Opaque(_) => self.others += 1,
                    }
                }
            }
            Block::Reasoning(thought) => {
                self.thoughts += 1;
                self.proofs += usize::from(thought.proof.is_some());
            }
            Block::Image(_) => self.images += 1,
            Block::SystemChange(_) | Block::Opaque(_) => self.others += 1,
        }
    }

    fn named(&self) -> [(&'static str, usize); 12] {
        [
            ("text", self.texts),
            ("call", self.calls),
            ("result", self.results),
            ("thought", self.thoughts),
            ("signature", self.proofs),
            ("image", self.images),
            ("other block", self.others),
            ("error mark", self.failures),
            ("reply ending", self.endings),
            ("compaction", self.compactions),
            ("tool definition", self.tools),
            ("system text", self.systems),
        ]
    }

    /// What is fewer in `after`, in words.
    pub fn without(&self, after: &Parts) -> Option<String> {
        let fewer = self.named().into_iter().zip(after.named());
        let fewer = fewer.filter_map(|((name, before), (_, after))| {
            before.checked_sub(after).filter(|lost| *lost > 0).map(|lost| count(lost, name))
        });
        let fewer: Vec<String> = fewer.collect();
        (!fewer.is_empty()).then(|| fewer.join(", "))
    }
}
