//! Rows of messages: with blocks, and in the older form.

use json::{Array, Object, Raw, Text, Value};
use record::FindingKind;

use super::calls::given;
use super::log::Log;
use super::read::Joiner;
use super::row::Held;
use super::{envelope, row};
use crate::report::Place;

impl Joiner<'_> {
    /// A row with blocks. What a record says of a result counts before the block.
    pub(super) fn typed(
        &mut self,
        index: usize,
        line: Value<'_, '_>,
        id: &str,
        blocks: Value<'_, '_>,
        place: Place,
    ) {
        let values: Vec<Value<'_, '_>> = blocks.items().collect();
        let mut held = self.held(line, &values, place);
        let mut from = Vec::new();
        for (at, (value, block)) in values.iter().zip(&mut held.blocks).enumerate() {
            let text = |name: &str| value.get(name).and_then(Value::to_text);
            match value.get_str("type").as_deref() {
                Some("tool_use") => {
                    let call = text("id").unwrap_or_default();
                    self.calls.called(&call, id, at);
                }
                Some("tool_result") => {
                    let call = text("tool_use_id").unwrap_or_default();
                    let Some(run) = self.calls.of_row(&call) else { continue };
                    from.push((Log::ToolCalls, run));
                    if let Some(other) = self.other(*value, run, place) {
                        *block = other;
                    }
                }
                _ => {}
            }
        }
        let json = held.row(line, id);
        self.row((Log::Messages, index), line, id, json, place);
        self.rows.iter_mut().rev().take(1).for_each(|row| row.from.append(&mut from));
    }

    /// Opens a row's envelope; one that does not fit is reported.
    fn held(&mut self, line: Value<'_, '_>, blocks: &[Value<'_, '_>], place: Place) -> Held {
        let held = row::held(line, blocks);
        if held.misfit.is_some() {
            let detail = "an envelope that does not fit its blocks is kept beside the row";
            self.find(FindingKind::EnvelopeMisaligned, Log::Messages, place, detail);
        }
        held
    }

    /// The result of a record, where it says another thing than the block.
    fn other(&mut self, block: Value<'_, '_>, run: usize, place: Place) -> Option<Raw> {
        let runs = self.runs;
        let record = runs.get(run)?.doc()?.root();
        let output = given(record)?;
        let failed = record.get("ok").and_then(Value::as_bool).map(|ok| !ok);
        let flag = block.get("is_error").and_then(Value::as_bool).unwrap_or(false);
        let same = block.get("output").is_some_and(|said| said.to_text() == output.to_text());
        if same && failed.is_none_or(|failed| failed == flag) {
            return None;
        }
        let detail = "a result and the record of its run differ; the record counts";
        self.find(FindingKind::ResultMismatch, Log::Messages, place, detail);
        let mut object = envelope::copied(block, &["output", "parts", "is_error"]);
        object.raw("output", &Raw::of(output)).bool("is_error", failed.unwrap_or(flag));
        Some(object.finish())
    }

    /// A row of the older form.
    pub(super) fn untyped(&mut self, index: usize, line: Value<'_, '_>, id: &str, place: Place) {
        let log = Log::Messages;
        let text = line.get("content").and_then(Value::to_text);
        let role = line.get_str("role").unwrap_or_default();
        if role == "tool" {
            return self.tool(index, line, id, place);
        }
        let known = ["assistant", "user", "system"].contains(&&*role);
        let Some(text) = text.filter(|_| known) else {
            let detail = "a row without a known role and a string content is kept as it is";
            self.find(FindingKind::UnreadField, log, place, detail);
            return self.aside(log, index, "row", place, self.here());
        };
        let mut blocks: Vec<Raw> = Vec::new();
        let thought = line.get("reasoning_content").and_then(Value::to_text);
        if let Some(thought) = thought.filter(|thought| !thought.is_empty()) {
            blocks.push(typed("reasoning", "reasoning", &thought));
        }
        if !text.is_empty() {
            blocks.push(typed("text", "text", &text));
        }
        let calls = line.get("meta").and_then(|meta| meta.get("tool_calls"));
        for call in calls.into_iter().flat_map(Value::items) {
            let block = self.call(call, id, blocks.len());
            blocks.push(block);
        }
        let list = Array::of(&blocks);
        let doc = list.doc();
        let values: Vec<Value<'_, '_>> = doc.root().items().collect();
        let held = self.held(line, &values, place);
        let mut json = held.row(line, id);
        if line.get("source").is_none() {
            json.optional_raw("source", source_of(&role, held.issuer.as_ref()).as_ref());
        }
        self.row((log, index), line, id, json, place);
    }

    /// A call; one whose arguments nobody wrote down is none that could be repeated.
    fn call(&mut self, call: Value<'_, '_>, row: &str, at: usize) -> Raw {
        let id = call.get("id").and_then(Value::to_text).unwrap_or_default();
        let runs = self.calls.called(&id, row, at);
        let records = runs.iter().filter_map(|run| Some(self.runs.get(*run)?.doc()?.root()));
        let written = records.chain([call]).find_map(|from| from.get("raw_args")?.to_text());
        let mut block = match written {
            Some(arguments) => {
                let mut block = Object::new();
                block.string("type", "tool_use").text("id", &id);
                block.text("name", &call.get("name").and_then(Value::to_text).unwrap_or_default());
                block.text("input", &arguments);
                block
            }
            None => {
                let mut block = Object::new();
                block.string("type", "tool_call_without_arguments");
                block.raw("call", &Raw::of(call));
                block
            }
        };
        for (key, member) in call.members() {
            let name = key.as_str().unwrap_or_default();
            let known = ["id", "name", "raw_args", "args", "type", "input", "proof", "call"];
            if !known.contains(&&*name) {
                block.raw(&name, &Raw::of(member));
            }
        }
        block.finish()
    }

    /// A tool's row: the record of its run is the result, the row's own content a preview.
    fn tool(&mut self, index: usize, line: Value<'_, '_>, id: &str, place: Place) {
        let log = Log::Messages;
        let call = line.get("tool_call_id").and_then(Value::to_text).unwrap_or_default();
        let name = line.get("tool_name").and_then(Value::to_text);
        let run = self.calls.of_row(&call);
        let runs = self.runs;
        let record = run.and_then(|run| Some((run, runs.get(run)?)));
        let result = record.and_then(|(_, line)| {
            let record = line.doc()?.root();
            Some((row::result_of(&call, name.as_ref(), record)?, row::meta_run(record)))
        });
        match result {
            Some((block, run)) => {
                let mut json = row::ours(line, id, &Array::of([&block]), run.as_ref());
                let mut source = Object::new();
                source.string("kind", "tool").text("call_id", &call);
                if line.get("source").is_none() {
                    json.raw("source", &source.finish());
                }
                self.row((log, index), line, id, json, place);
            }
            None => {
                if let Some((_, line)) = record {
                    self.legacy(line.place);
                }
                self.aside(log, index, "preview", place, self.here());
            }
        }
        if let (Some((run, _)), Some(row)) = (record, self.rows.last_mut()) {
            row.from.push((Log::ToolCalls, run));
        }
    }

    pub(super) fn legacy(&mut self, place: Place) {
        let detail = "the record of a run without what the model was given is no result";
        self.find(FindingKind::LegacyToolRecord, Log::ToolCalls, place, detail);
    }
}

fn typed(kind: &str, member: &str, text: &Text) -> Raw {
    let mut block = Object::new();
    block.string("type", kind).text(member, text).finish()
}

/// Who a row of the older form is from.
fn source_of(role: &str, issuer: Option<&Raw>) -> Option<Raw> {
    let mut source = Object::new();
    match (role, issuer) {
        ("user", _) => {
            source.string("kind", "user");
        }
        ("assistant", Some(issuer)) => {
            source.string("kind", "model");
            for (key, value) in issuer.doc().root().members() {
                source.raw(&key.as_str().unwrap_or_default(), &Raw::of(value));
            }
        }
        _ => return None,
    }
    Some(source.finish())
}
