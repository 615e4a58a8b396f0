//! The blocks a stream emitted, each with its proof inside.
//!
//! There is no list of proofs, so nothing can misalign. What can be done is to keep some of the
//! blocks whole, to take every proof away, to name a call that has no name, and to make a row of
//! what is left. Proofs that an adapter gives beside its blocks are put in at the door, by
//! [`Blocks::sealed`], one for each block.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;

use json::Text;
use record::{Block, Message, Proof, Role};

/// One block and what is known of how it came.
#[derive(Clone, Debug)]
pub(crate) struct Emitted {
    /// The index its stream gave it.
    pub(crate) index: u64,
    /// It was closed.
    pub(crate) closed: bool,
    /// It is a call whose arguments need not be JSON.
    pub(crate) freeform: bool,
    /// It is a call that never became whole, whatever its reply did.
    pub(crate) cut: bool,
    /// The block, its proof inside.
    pub(crate) block: Block,
}

/// The blocks in the order in which they were first seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks(Vec<Emitted>);

impl Blocks {
    pub(crate) fn new(blocks: Vec<Emitted>) -> Blocks {
        Blocks(blocks)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Emitted> {
        self.0.iter()
    }

    /// Keeps the blocks for which `keep` says so.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Emitted) -> bool) {
        self.0.retain(keep);
    }

    /// Takes every proof away.
    pub(crate) fn without_proofs(self) -> Blocks {
        let none = vec![None; self.0.len()];
        self.sealed(none)
    }

    /// Gives each block its proof, or none.
    pub(crate) fn sealed(mut self, proofs: Vec<Option<Box<Proof>>>) -> Blocks {
        for (emitted, proof) in self.0.iter_mut().zip(proofs) {
            match &mut emitted.block {
                Block::Text(text) => text.proof = proof,
                Block::ToolUse(call) => call.proof = proof,
                Block::Reasoning(thought) => thought.proof = proof,
                Block::Opaque(block) => block.proof = proof,
                Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => {}
            }
        }
        self
    }

    /// Gives an id to each call that has none: its index, made unique within the row.
    pub(crate) fn with_ids(mut self) -> Blocks {
        let ids = self.0.iter().filter_map(|emitted| emitted.block.as_tool_use());
        let mut used: BTreeSet<Text> = ids.map(|call| call.id.clone()).collect();
        for emitted in &mut self.0 {
            let Block::ToolUse(call) = &mut emitted.block else { continue };
            let mut again = 1u64;
            while call.id.is_empty() || (again > 1 && used.contains(&call.id)) {
                call.id = match again {
                    1 => format!("call-{}", emitted.index).into(),
                    _ => format!("call-{}-{again}", emitted.index).into(),
                };
                again += 1;
            }
            used.insert(call.id.clone());
        }
        self
    }

    /// The row they make.
    pub(crate) fn into_row(self) -> Message {
        let blocks = self.0.into_iter().map(|emitted| emitted.block).collect();
        Message::new(Role::Assistant, blocks)
    }
}
