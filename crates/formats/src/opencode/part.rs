//! Parts of a message, read: what was said, and a reply step by step.

use std::sync::Arc;

use json::{Kind, Text, Value};
use record::{
    Block, FindingKind, Image, Input, Issuer, Message, OpaqueBlock, Reasoning, Rest, ResultPart,
    Role, Source as Speaker, Stop, StopKind, TextBlock, ToolResult, ToolUse, Usage,
};

use super::{COMPACTION_QUESTION, SUBTASK, proof};
use crate::picture;
use crate::report::{Place, Report};
use crate::source::one_line;

/// Parts that were never shown to a model.
const BOOKKEEPING: [&str; 5] = ["step-finish", "snapshot", "patch", "agent", "retry"];

/// One response and the results of its calls.
pub(crate) struct Step {
    pub(crate) reply: Message,
    pub(crate) results: Vec<Returned>,
}

/// A result, and whether the harness cleared its output since.
pub(crate) struct Returned {
    pub(crate) block: ToolResult,
    pub(crate) cleared: bool,
}

/// Reads the parts of one message.
pub(crate) struct Parts<'r> {
    pub(crate) issuer: Arc<Issuer>,
    pub(crate) report: &'r mut Report,
    pub(crate) place: Place,
}

impl Parts<'_> {
    /// What a person's message was sent as.
    pub(crate) fn said(&mut self, list: Value<'_, '_>) -> Vec<Block> {
        list.items().filter_map(|part| self.said_part(part)).collect()
    }

    fn said_part(&mut self, part: Value<'_, '_>) -> Option<Block> {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        match &*kind {
            "text" if part.get("ignored").and_then(Value::as_bool) == Some(true) => None,
            "text" => part.get("text")?.to_text().map(Block::text),
            "compaction" => Some(Block::text(COMPACTION_QUESTION)),
            "subtask" => Some(Block::text(SUBTASK)),
            "file" => self.file(part),
            _ => {
                self.aside(&kind);
                None
            }
        }
    }

    /// A file: text was put into text parts already, an image is one, the rest is kept as it is.
    fn file(&mut self, part: Value<'_, '_>) -> Option<Block> {
        let mime = part.get_str("mime").unwrap_or_default();
        if matches!(&*mime, "text/plain" | "application/x-directory") {
            return None;
        }
        Some(match self.image(part) {
            Some(image) => Block::Image(image),
            None => {
                let detail = format!("a file of type {mime:?} is kept as it is");
                self.report.add(FindingKind::UnreadField, self.place, detail);
                Block::Opaque(OpaqueBlock { kind: "file".into(), raw: one_line(part), proof: None })
            }
        })
    }

    fn image(&mut self, part: Value<'_, '_>) -> Option<Image> {
        let mime = part.get("mime")?.to_text().filter(|mime| mime.starts_with("image/"))?;
        let url = part.get("url")?.to_text()?;
        if !["data:", "https:", "http:"].iter().any(|scheme| url.starts_with(scheme)) {
            return None;
        }
        let image = picture::of_url(mime, &url);
        const KNOWN: [&str; 5] = ["mime", "url", "sessionID", "messageID", "filename"];
        Some(picture::read(image, part, &KNOWN, self.report, self.place))
    }

    fn aside(&mut self, kind: &str) {
        if !BOOKKEEPING.contains(&kind) {
            self.report.keep_aside(&format!("part {kind:?}"), self.place);
        }
    }

    /// A reply, split where a step starts.
    pub(crate) fn steps(&mut self, info: Value<'_, '_>, list: Value<'_, '_>) -> Vec<Step> {
        let mut steps = vec![self.step()];
        for part in list.items() {
            let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
            if &*kind == "step-start" && steps.last().is_some_and(|step| !step.is_empty()) {
                steps.push(self.step());
            }
            let Some(step) = steps.last_mut() else { continue };
            match &*kind {
                "text" => step.reply.blocks.extend(self.text(part)),
                "reasoning" => step.reply.blocks.extend(self.reasoning(part)),
                "tool" => self.tool(part, step),
                "step-finish" => {
                    step.reply.usage = part.get("tokens").and_then(usage_of);
                    step.reply.stop = part.get("reason").and_then(Value::to_text).map(stop_of);
                }
                "step-start" => {}
                _ => self.aside(&kind),
            }
        }
        if let Some(last) = steps.last_mut() {
            ending(&mut last.reply, info);
        }
        steps.retain(|step| !step.is_empty());
        steps
    }

    fn step(&self) -> Step {
        let mut reply = Message::new(Role::Assistant, Vec::new());
        if !self.issuer.model.is_empty() {
            reply.source = Some(Speaker::Model {
                platform: self.issuer.platform.clone(),
                api: self.issuer.api.clone(),
                model: self.issuer.model.clone(),
                account: None,
            });
        }
        Step { reply, results: Vec::new() }
    }

    fn text(&mut self, part: Value<'_, '_>) -> Option<Block> {
        let text = part.get("text")?.to_text()?;
        let mut rest = Rest::default();
        let proof = proof::of(part, &self.issuer, &mut rest);
        Some(Block::Text(TextBlock { text, proof, rest }))
    }

    fn reasoning(&mut self, part: Value<'_, '_>) -> Option<Block> {
        let reasoning = part.get("text").and_then(Value::to_text).unwrap_or_default();
        let mut rest = Rest::default();
        let proof = proof::of(part, &self.issuer, &mut rest);
        (proof.is_some() || !reasoning.is_empty()).then_some(Block::Reasoning(Reasoning {
            reasoning,
            proof,
            rest,
        }))
    }

    /// A call, and what it returned as far as it did.
    fn tool(&mut self, part: Value<'_, '_>, step: &mut Step) {
        let text = |name: &str| part.get(name).and_then(Value::to_text);
        let state = part.get("state");
        let (Some(id), Some(name), Some(state)) = (text("callID"), text("tool"), state) else {
            let detail = "a call of an unknown shape is kept as it is";
            self.report.add(FindingKind::UnreadField, self.place, detail);
            let block = OpaqueBlock { kind: "tool".into(), raw: one_line(part), proof: None };
            return step.reply.blocks.push(Block::Opaque(block));
        };
        // What of a call's arguments had been written when it was cut.
        let partial = state.get("raw").and_then(Value::to_text).filter(|raw| !raw.is_empty());
        let input = match (partial, state.get("input")) {
            (Some(raw), _) => Input::new(raw),
            (None, Some(input)) => Input::of_value(input),
            (None, None) => Input::new(Text::default()),
        };
        if let Some((content, is_error)) = self.returned(state) {
            let block = ToolResult {
                tool_use_id: id.clone(),
                tool_name: name.clone(),
                content,
                is_error,
                rest: Rest::default(),
            };
            let time = state.get("time").and_then(|time| time.get("compacted"));
            let cleared = time.is_some_and(|time| time.kind() == Kind::Number);
            step.results.push(Returned { block, cleared });
        }
        let mut rest = Rest::default();
        let proof = proof::of(part, &self.issuer, &mut rest);
        step.reply.blocks.push(Block::ToolUse(ToolUse { id, name, input, proof, rest }));
    }

    /// What the model is given of a call that ended; nothing of one that is pending or running.
    fn returned(&mut self, state: Value<'_, '_>) -> Option<(Vec<ResultPart>, bool)> {
        let text = |name: &str| state.get(name).and_then(Value::to_text);
        let said = |text: Text| (!text.is_empty()).then_some(ResultPart::Text(text));
        match state.get_str("status").as_deref() {
            Some("completed") => {
                let mut content: Vec<_> = text("output").and_then(said).into_iter().collect();
                let attached = state.get("attachments").into_iter().flat_map(Value::items);
                content.extend(attached.map(|file| match self.image(file) {
                    Some(image) => ResultPart::Image(image),
                    None => {
                        let (kind, raw) = ("file".into(), one_line(file));
                        ResultPart::Opaque(OpaqueBlock { kind, raw, proof: None })
                    }
                }));
                Some((content, false))
            }
            Some("error") => {
                let metadata = state.get("metadata");
                let cut = metadata
                    .filter(|all| all.get("interrupted").and_then(Value::as_bool) == Some(true));
                match cut.and_then(|all| all.get("output")?.to_text()) {
                    Some(output) => Some((said(output).into_iter().collect(), false)),
                    None => Some((text("error").and_then(said).into_iter().collect(), true)),
                }
            }
            Some(_) | None => None,
        }
    }
}

impl Step {
    fn is_empty(&self) -> bool {
        let Step { reply, results } = self;
        reply.blocks.is_empty() && results.is_empty() && reply.stop.is_none()
    }
}

/// How the message ended, where its last step does not say or was cut.
fn ending(reply: &mut Message, info: Value<'_, '_>) {
    if reply.usage.is_none() {
        reply.usage =
            info.get("tokens").and_then(usage_of).filter(|used| *used != Usage::default());
    }
    let Some(error) = info.get("error").filter(|error| !error.is_null()) else {
        if reply.stop.is_none() && !reply.blocks.is_empty() {
            reply.stop = info.get("finish").and_then(Value::to_text).map(stop_of);
        }
        return;
    };
    let native = error.get("name").and_then(Value::to_text);
    let kind = match native.as_deref() {
        Some("MessageAbortedError") => StopKind::Aborted,
        Some("MessageOutputLengthError") => StopKind::MaxTokens,
        Some(_) | None => StopKind::Error,
    };
    reply.interrupted = !reply.blocks.is_empty();
    let (failure, dropped_calls, rest) = (Some(one_line(error)), Vec::new(), Rest::default());
    reply.stop = Some(Stop { kind, native, failure, dropped_calls, rest });
}

fn stop_of(native: Text) -> Stop {
    let kind = match native.as_str() {
        "tool-calls" => StopKind::ToolCalls,
        "length" => StopKind::MaxTokens,
        "error" | "content-filter" => StopKind::Error,
        _ => StopKind::Stop,
    };
    let rest = Rest::default();
    Stop { kind, native: Some(native), failure: None, dropped_calls: Vec::new(), rest }
}

/// The counts are disjoint; a thought is output.
fn usage_of(tokens: Value<'_, '_>) -> Option<Usage> {
    let count = |value: Option<Value<'_, '_>>| value.and_then(Value::as_u64).unwrap_or(0);
    let cache = tokens.get("cache");
    let cached = |name: &str| count(cache.and_then(|cache| cache.get(name)));
    (tokens.kind() == Kind::Object).then(|| Usage {
        input_tokens: count(tokens.get("input")),
        output_tokens: count(tokens.get("output")).saturating_add(count(tokens.get("reasoning"))),
        cache_creation_input_tokens: cached("write"),
        cache_read_input_tokens: cached("read"),
    })
}
