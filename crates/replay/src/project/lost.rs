//! What a reply came with beside its words and calls, and the target has no place for: signatures
//! of another issuer, and the sources that words cite.

#![deny(clippy::wildcard_enum_match_arm)]

use record::blank::is_blank;
use record::{Block, Message, TextBlock};

use super::conversation::is_retracted;
use super::gemini::{RowSignatures, is_stand_in};
use super::{Conversation, Dialect, proof};
use crate::fold::View;
use crate::read::Row;
use crate::report::ChangeKind;

/// Where words name their sources, as imports write it.
const CITED: [&str; 2] = ["annotations", "citations"];

impl Conversation {
    /// Reports it: of signatures one for the reply, of sources one for each text.
    pub(super) fn lost_beside(&mut self, view: View<'_>, row: &Row) {
        let Some(message) = row.entry.message() else { return };
        let mut signed = None;
        let own = SignaturesBack::of(view, row, message);
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if is_retracted(view, row, index) {
                continue;
            }
            let is_left = match block {
                Block::Text(text) if is_blank(&text.text) => false,
                Block::Text(text) => {
                    if cites(text) {
                        self.change(ChangeKind::CitationsOmitted, Some(&row.entry), Some(index));
                    }
                    own.leave(view, block)
                }
                Block::ToolUse(_) => own.leave(view, block),
                // Of a thought it is said what becomes of it with its signature.
                Block::Reasoning(_)
                | Block::ToolResult(_)
                | Block::Image(_)
                | Block::SystemChange(_)
                | Block::Opaque(_) => false,
            };
            signed = signed.or(is_left.then_some(index));
        }
        if signed.is_some() {
            self.change(ChangeKind::SignatureOmitted, Some(&row.entry), signed);
        }
    }
}

/// The signatures of a reply that go back; over most APIs words and calls have none.
struct SignaturesBack(Option<RowSignatures>);

impl SignaturesBack {
    fn of(view: View<'_>, row: &Row, message: &Message) -> SignaturesBack {
        SignaturesBack(match view.dialect {
            Dialect::Gemini(_) => Some(RowSignatures::new(view, row, message)),
            Dialect::AnthropicMessages(_)
            | Dialect::OpenAiChat(_)
            | Dialect::OpenAiResponses(_)
            | Dialect::BedrockConverse(_) => None,
        })
    }

    /// Whether a block is signed and its signature stays behind.
    fn leave(&self, view: View<'_>, block: &Block) -> bool {
        let proof = proof::of_block(block);
        let is_signature = proof
            .is_some_and(|proof| proof.kind == record::ProofKind::Signature && !is_stand_in(proof));
        is_signature && self.0.is_none_or(|own| own.literal(view, proof).is_none())
    }
}

/// Whether words cite sources.
fn cites(text: &TextBlock) -> bool {
    CITED.iter().any(|name| {
        let cited = text.rest.get(name).map(|raw| raw.doc().root().items().next().is_some());
        cited == Some(true)
    })
}
