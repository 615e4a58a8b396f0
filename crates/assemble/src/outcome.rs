//! What a stream that has ended comes to: rules 6 to 8 of the fold, the interrupted case, and the
//! one row that is stored.

use std::collections::BTreeSet;

use json::{Doc, Object, Raw, Text};
use record::message::DroppedCall;
use record::{InputClass, Message, Rest, Source, Stop, StopKind, ToolUse};

use crate::chunk::{EMPTY_RESPONSE, Failure, Finish, FinishReason, MALFORMED_STREAM, STREAM_CUT};
use crate::emitted::{Blocks, Emitted};
use crate::envelope;
use crate::finding::FindingKind;
use crate::fold::Assembler;
use crate::keep::{Kept, keep};
use crate::reply::{Asked, Failed, Reply, is_hollow};

impl Assembler {
    /// The reply, once the stream is over; without a finish it counts as stopped.
    pub fn finish(mut self, asked: &Asked) -> Result<Reply, Failed> {
        let mut finish = self.finish.take().unwrap_or_default();
        let unfinished = self.unfinished().cloned();
        let mut blocks = self.take_blocks();
        if let Some(failure) = failure(&finish.reason, &blocks, unfinished) {
            return Err(self.failed(asked, failure, finish, blocks));
        }
        if let Some(envelope) = finish.envelope.take() {
            finish.response = None;
            match envelope::open(&envelope, &blocks, &asked.issuer) {
                Some(opened) => {
                    finish.response = opened.response;
                    blocks = blocks.sealed(opened.proofs);
                }
                None => {
                    let what = || "the proofs beside the blocks do not fit them".to_owned();
                    self.findings.add(FindingKind::EnvelopeMisaligned, what);
                    blocks = blocks.without_proofs();
                }
            }
        }
        let (kind, kept) = match finish.reason {
            FinishReason::Stop => (StopKind::Stop, Kept::Whole),
            FinishReason::ToolCalls => (StopKind::ToolCalls, Kept::Whole),
            FinishReason::MaxTokens => (StopKind::MaxTokens, Kept::WithoutCalls),
            FinishReason::Refused => (StopKind::Error, Kept::WithoutCalls),
            FinishReason::Aborted(_) => (StopKind::Aborted, Kept::Spoken),
            FinishReason::Error(_) => (StopKind::Error, Kept::WithoutCalls),
        };
        if kept == Kept::Whole {
            self.judge_calls(&blocks);
        }
        let is_refused = finish.reason == FinishReason::Refused;
        let mut message = self.row(asked, blocks, kept, kind);
        let dropped = message.stop.as_ref().is_some_and(|stop| !stop.dropped_calls.is_empty());
        let has_content = finish.has_media || !message.blocks.iter().all(is_hollow);
        if !is_refused && !dropped && !has_content {
            let native = finish.native.as_deref().unwrap_or(kind.as_str());
            let words = format!("the reply is empty (stop reason `{native}`)");
            let failure = Failure::of(EMPTY_RESPONSE, words);
            return Err(self.failed(asked, failure, finish, Blocks::default()));
        }
        if let Some(stop) = &mut message.stop {
            stop.native = finish.native;
        }
        message.response = finish.response;
        message.rest = finish.rest;
        Ok(Reply { message, findings: self.findings.into_vec() })
    }

    /// What was said when somebody cancelled the stream: the speech and the thoughts, without a
    /// proof, since the provider never saw this end. `None` where there is nothing to store.
    pub fn interrupt(mut self, asked: &Asked) -> Option<Reply> {
        let blocks = self.take_blocks().without_proofs();
        let mut message = self.row(asked, blocks, Kept::Spoken, StopKind::Aborted);
        message.interrupted = true;
        let dropped = message.stop.as_ref().is_some_and(|stop| !stop.dropped_calls.is_empty());
        let findings = self.findings.into_vec();
        (dropped || !message.blocks.is_empty()).then_some(Reply { message, findings })
    }

    fn failed(mut self, asked: &Asked, failure: Failure, finish: Finish, blocks: Blocks) -> Failed {
        let mut cut = None;
        if failure.code.as_str() == STREAM_CUT && blocks.len() > 0 {
            let mut message = self.row(asked, blocks, Kept::WithoutCalls, StopKind::Error);
            if let Some(stop) = &mut message.stop {
                stop.native = finish.native;
                stop.failure = Some(failure.to_raw());
            }
            cut = Some(Box::new(message));
        }
        let usage = self.usage.take();
        let failure = Box::new(failure);
        Failed { failure, usage, findings: self.findings.into_vec(), cut }
    }

    /// Reports calls that a result cannot tell apart, and those that give their tool no object.
    fn judge_calls(&mut self, blocks: &Blocks) {
        let mut ids = BTreeSet::new();
        for emitted in blocks.iter().filter(|emitted| !emitted.cut) {
            let Some(call) = emitted.block.as_tool_use() else { continue };
            let (id, name) = (&call.id, &call.name);
            if !id.is_empty() && !ids.insert(id) {
                self.malformed(|| format!("a second call with the id `{id}`"));
            }
            if !emitted.freeform && call.input.class() == InputClass::Malformed {
                self.malformed(|| format!("the input of the call `{name}` is no object"));
            }
        }
    }

    /// The row of the blocks that are kept; calls that are not are named in its stop.
    fn row(&mut self, asked: &Asked, mut blocks: Blocks, kept: Kept, kind: StopKind) -> Message {
        let mut dropped_calls = Vec::new();
        blocks.retain(|emitted| {
            let is_kept = keep(emitted, kept);
            if let (false, Some(call)) = (is_kept, emitted.block.as_tool_use()) {
                dropped_calls.push(dropped(emitted, call));
            }
            is_kept
        });
        let mut message = blocks.with_ids().into_row();
        let issuer = &asked.issuer;
        message.source = Some(Source::Model {
            platform: issuer.platform.clone(),
            api: issuer.api.clone(),
            model: issuer.model.clone(),
            account: issuer.account.clone(),
        });
        message.answers = asked.answers.clone();
        message.usage = self.usage.clone();
        let has_calls = message.blocks.iter().any(|block| block.as_tool_use().is_some());
        message.runs_logged = asked.runs_logged && has_calls;
        let rest = Rest::NONE;
        message.stop = Some(Stop { kind, native: None, failure: None, dropped_calls, rest });
        message
    }
}

/// Why there is no reply, if there is none.
fn failure(reason: &FinishReason, blocks: &Blocks, unfinished: Option<Text>) -> Option<Failure> {
    match reason {
        FinishReason::Aborted(failure) | FinishReason::Error(failure) => {
            return Some(failure.clone());
        }
        FinishReason::Stop | FinishReason::ToolCalls => {
            let mut whole = blocks.iter().filter(|emitted| !emitted.cut);
            if let Some(call) = whole.find_map(cut_call) {
                let words = format!("the arguments of the call `{}` are no JSON", call.name);
                return Some(Failure::of(STREAM_CUT, words));
            }
        }
        FinishReason::MaxTokens | FinishReason::Refused => {}
    }
    let words = |kind: Text| format!("a block of kind `{kind}` never ended");
    unfinished.map(|kind| Failure::of(MALFORMED_STREAM, words(kind)))
}

/// The call this is, where its arguments are cut. None at all is a call without arguments.
fn cut_call(emitted: &Emitted) -> Option<&ToolUse> {
    let call = emitted.block.as_tool_use()?;
    let text = call.input.text();
    let is_json = match call.input.class() {
        InputClass::Empty | InputClass::Object => true,
        InputClass::Malformed => emitted.freeform || Doc::parse_str(text).is_ok(),
    };
    (!is_json).then_some(call)
}

fn dropped(emitted: &Emitted, call: &ToolUse) -> DroppedCall {
    let mut members = Object::new();
    members.number("index", emitted.index).text("id", &call.id);
    members.number("args_bytes", call.input.text().len() as u64).bool("closed", emitted.closed);
    let mut rest = Rest::default();
    for (name, value) in members.finish().doc().root().members() {
        rest.push(name.to_text().unwrap_or_default(), Raw::of(value));
    }
    DroppedCall { name: call.name.clone(), rest }
}
