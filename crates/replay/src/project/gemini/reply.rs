//! A reply: its parts in the order they came, each with the signature it came with.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;

use record::blank::is_blank;
use record::{Block, Message, Role, ToolUse};
use wire::gemini::request;
use wire::takes::Takes;

use super::Gemini;
use super::native::is_signed_part;
use super::signature::{RowSignatures, STAND_IN, is_signed};
use crate::bind::BoundCall;
use crate::fold::{Grown, View};
use crate::project::Conversation;
use crate::project::conversation::is_retracted;
use crate::project::input;
use crate::project::notes::{is_cut, retracted_calls};
use crate::project::proof;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

/// How a call goes out.
struct HowCalled<'c> {
    signature: Option<&'c str>,
    /// The calls of its reply have ids.
    writes_ids: bool,
}

impl Conversation {
    /// Writes a reply's parts and gives its calls. Text from block `split` on waits for the
    /// results.
    pub(in crate::project) fn gemini_reply(
        &mut self,
        view: View<'_>,
        gemini: &Gemini,
        grown: &mut Grown,
        row: &Row,
        split: u32,
    ) -> Vec<BoundCall> {
        let Some(message) = row.entry.message() else { return Vec::new() };
        self.row = row.index;
        self.note_turn(view, message);
        self.turn_start = self.turn_start.or(Some(row.index));
        let signatures = RowSignatures::new(view, row, message);
        let writes_ids = gemini.writes_ids(row);
        let mut bound = Vec::new();
        for index in self.gemini_parts(view, gemini, row, message, split, &signatures) {
            let Some(block) = message.blocks.get(index as usize) else { continue };
            self.gemini_sealed(view, grown, row, block, &signatures);
            self.begin(view, grown, Role::Assistant);
            match block {
                Block::Text(text) => {
                    let signature = signatures.literal(view, text.proof.as_deref());
                    let text = self.told_text(view, &text.text, &row.entry, index);
                    self.gemini_text(&[text], signature);
                }
                Block::Reasoning(thought) => {
                    let signature = signatures.literal(view, thought.proof.as_deref());
                    let text = self.told_text(view, &thought.reasoning, &row.entry, index);
                    request::thought(&mut self.pages, text, signature.unwrap_or_default());
                }
                Block::ToolUse(call) => {
                    let asked = bound.is_empty() && gemini.model.calls_unsigned != Takes::Yes;
                    let signature = self.call_signature(view, row, index, call, &signatures, asked);
                    let how = HowCalled { signature, writes_ids };
                    bound.push(self.gemini_call(view, grown, row, index, call, how));
                }
                Block::Opaque(opaque) => self.pages.push(opaque.raw.as_str().as_bytes()),
                Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => {}
            }
            self.written_reply = Some(row.entry.id.clone());
        }
        if bound.is_empty() && split as usize == message.blocks.len() {
            self.reply_is_written(&row.entry);
        }
        bound.extend(retracted_calls(view, row, message));
        bound.sort_unstable_by_key(|call| call.block);
        bound
    }

    /// Notes of the row what it has on the wire that a later request may have to leave out, and
    /// what this one does.
    fn gemini_sealed(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        block: &Block,
        signatures: &RowSignatures,
    ) {
        let is_thought = block.as_reasoning().is_some();
        let proof = proof::of_block(block);
        let goes_back = signatures.literal(view, proof).is_some() || is_signed_part(block);
        if is_thought || goes_back {
            let rows = if is_thought { &mut grown.thoughts } else { &mut grown.signed };
            if rows.last() != Some(&row.index) {
                rows.push(row.index);
            }
        } else if signatures.out && is_signed(proof) {
            self.thoughts_out.push(row.index);
        }
    }

    /// Which blocks are written, in their order; what is not is reported here. Where nothing is
    /// said, thoughts and signatures alone are no content.
    fn gemini_parts(
        &mut self,
        view: View<'_>,
        gemini: &Gemini,
        row: &Row,
        message: &Message,
        split: u32,
        signatures: &RowSignatures,
    ) -> Vec<u32> {
        let (mut parts, mut silent) = (Vec::new(), BTreeSet::new());
        let natives = gemini.natives(view, row, message, split);
        let takes_empty = gemini.platform.empty_text_signed == Takes::Yes;
        for (block, index) in message.blocks.iter().zip(0u32..) {
            if is_retracted(view, row, index) {
                self.retracted(row, index, block);
                continue;
            }
            let signed = |proof| signatures.literal(view, proof).is_some();
            match block {
                Block::Text(_) if index >= split => {}
                Block::Text(text) if is_blank(&text.text) => {
                    if takes_empty && signed(text.proof.as_deref()) {
                        parts.push(index);
                        silent.insert(index);
                    } else {
                        self.change(ChangeKind::BlankText, Some(&row.entry), Some(index));
                    }
                }
                Block::Text(_) | Block::ToolUse(_) => parts.push(index),
                Block::Reasoning(thought) => {
                    let proof = thought.proof.as_deref();
                    let has_text = takes_empty || !is_blank(&thought.reasoning);
                    let whole = !thought.reasoning.has_lone_surrogate();
                    if signatures.out && is_signed(proof) {
                        self.thoughts_out.push(row.index);
                        self.change(ChangeKind::ThinkingOut, Some(&row.entry), Some(index));
                    } else if index < split && has_text && whole && signed(proof) {
                        parts.push(index);
                        silent.insert(index);
                    } else {
                        self.change(ChangeKind::ThinkingWithheld, Some(&row.entry), Some(index));
                    }
                }
                Block::Opaque(_) if natives.contains(&index) => parts.push(index),
                Block::Opaque(_) | Block::Image(_) | Block::SystemChange(_) => {
                    if signatures.out && is_signed_part(block) {
                        self.thoughts_out.push(row.index);
                    }
                    self.notes_due = true;
                }
                Block::ToolResult(_) => {}
            }
        }
        self.notes_due |= is_cut(message);
        if let Some(reason) = signatures.degraded {
            let detail = Some(reason.into());
            self.change_with(ChangeKind::InvalidReplayState, Some(&row.entry), None, detail);
        }
        if parts.len() > silent.len() {
            return parts;
        }
        for index in parts {
            let block = message.blocks.get(index as usize);
            let thought = block.is_some_and(|block| block.as_reasoning().is_some());
            let kind = if thought { ChangeKind::ThinkingTrailing } else { ChangeKind::BlankText };
            self.change(kind, Some(&row.entry), Some(index));
        }
        Vec::new()
    }

    /// The signature of a call: its own; where it has none and is asked for one, the documented
    /// stand-in. Of the calls of a step only the first is asked, and only there a stand-in is taken
    /// (G-025). Which turn an older step belongs to is read in two ways (G-022): it has one in
    /// either.
    fn call_signature<'c>(
        &mut self,
        view: View<'_>,
        row: &Row,
        index: u32,
        call: &'c ToolUse,
        signatures: &RowSignatures,
        is_asked: bool,
    ) -> Option<&'c str> {
        let (entry, block) = (Some(&*row.entry), Some(index));
        let signature = signatures.literal(view, call.proof.as_deref());
        if signature.is_none() && is_asked {
            self.change(ChangeKind::SignatureStandIn, entry, block);
            return Some(STAND_IN);
        }
        signature
    }

    fn gemini_call(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        index: u32,
        call: &ToolUse,
        HowCalled { signature, writes_ids }: HowCalled<'_>,
    ) -> BoundCall {
        let (entry, block) = (Some(&*row.entry), Some(index));
        let wire_id =
            if writes_ids { self.wire_id(view, grown, row, index, &call.id) } else { None };
        let id = wire_id.as_deref().unwrap_or(&call.id);
        let name = self.wire_name(view, row, index, &call.name);
        if call.input.has_lone_surrogate() {
            self.change(ChangeKind::SurrogateReplaced, entry, block);
        }
        let args = input::object(call).unwrap_or_else(|| {
            self.change(ChangeKind::CallArgsUnparsed, entry, block);
            let mut args = json::Object::new();
            args.string(wording::UNPARSED_ARGUMENTS, call.input.text());
            args.finish().as_str().to_owned().into()
        });
        let id = writes_ids.then_some(id);
        request::function_call(&mut self.pages, id, &name, &args, signature);
        BoundCall::open(index, wire_id, false)
    }
}
