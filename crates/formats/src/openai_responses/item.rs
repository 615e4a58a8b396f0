//! Items of this API, read: what was said, called and given, as blocks.
//!
//! A block's proof is its item's id, or what is sealed in it; a member [`ITEM`] names the item's
//! type where that is not the usual one, and other members keep their names.

use std::collections::HashMap;
use std::sync::Arc;

use json::{Kind, Raw, Text, Value};
use record::limits::BLOCKS_MAX;
use record::{
    Block, FindingKind, Image, Input, Issuer, OpaqueBlock, Proof, ProofKind, Reasoning, Rest,
    ResultPart, TextBlock, ToolResult, ToolUse,
};
use wire::openai_responses::calls::unnamed;

use super::ITEM;
use crate::openai_chat::image_of;
use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::one_line;

/// The output that has no `call_id`.
const LOCAL_SHELL_OUTPUT: &str = "local_shell_call_output";

/// Reads the blocks of one item.
pub(crate) struct ItemReader<'r> {
    pub(crate) issuer: Arc<Issuer>,
    /// Names of tools by the ids of their calls.
    pub(crate) names: &'r mut HashMap<Text, Text>,
    pub(crate) report: &'r mut Report,
    pub(crate) place: Place,
}

impl ItemReader<'_> {
    /// What the model said. Members of the item beyond its content stand on its first block.
    pub(crate) fn speech(&mut self, item: Value<'_, '_>) -> Option<Vec<Block>> {
        let mut blocks = self.parts(item.get("content")?)?;
        let proof = self.item_id(item);
        for (index, block) in blocks.iter_mut().enumerate() {
            let Block::Text(text) = block else { continue };
            text.proof.clone_from(&proof);
            if index == 0 {
                for (name, value) in rest_of(item, &["role", "content"]).iter() {
                    text.rest.push(name.clone(), value.clone());
                }
            }
        }
        Some(blocks)
    }

    pub(crate) fn parts(&mut self, content: Value<'_, '_>) -> Option<Vec<Block>> {
        match content.kind() {
            Kind::String => {
                let text = content.to_text()?;
                Some(if text.is_empty() { Vec::new() } else { vec![Block::text(text)] })
            }
            Kind::Array if content.items().nth(BLOCKS_MAX).is_none() => {
                Some(content.items().map(|part| self.part(part)).collect())
            }
            _ => None,
        }
    }

    fn part(&mut self, part: Value<'_, '_>) -> Block {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let text = |name: &str| part.get(name).and_then(Value::to_text);
        let read = match &*kind {
            "input_text" | "output_text" | "text" => text("text").map(|text| {
                Block::Text(TextBlock { text, proof: None, rest: rest_of(part, &["text"]) })
            }),
            "refusal" => text("refusal").map(|text| {
                let mut rest = rest_of(part, &["refusal"]);
                rest.push(ITEM.into(), Raw::string(&kind));
                Block::Text(TextBlock { text, proof: None, rest })
            }),
            "input_image" => self.image(part).map(Block::Image),
            _ => return self.native(kind, part),
        };
        read.unwrap_or_else(|| {
            let name = kind.as_str();
            let detail = format!("a part {name:?} of an unknown shape is kept as it is");
            self.report.add(FindingKind::UnreadField, self.place, detail);
            Block::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        })
    }

    fn image(&mut self, part: Value<'_, '_>) -> Option<Image> {
        let url = part.get("image_url")?.to_text()?;
        Some(image_of(&url, part, &["image_url"], &mut *self.report, self.place))
    }

    fn result_part(&mut self, part: Value<'_, '_>) -> ResultPart {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "input_text" | "output_text" | "text" => {
                part.get("text").and_then(Value::to_text).map(ResultPart::Text)
            }
            "input_image" | "computer_screenshot" => self.image(part).map(ResultPart::Image),
            _ => None,
        };
        read.unwrap_or_else(|| {
            ResultPart::Opaque(OpaqueBlock { kind, raw: one_line(part), proof: None })
        })
    }

    /// A thought: its text as far as it was shown, sealed where it was encrypted.
    pub(crate) fn reasoning(&mut self, item: Value<'_, '_>) -> Block {
        let texts = |name: &str| {
            let parts = item.get(name).into_iter().flat_map(Value::items);
            let texts: Vec<String> =
                parts.filter_map(|part| Some(part.get_str("text")?.into_owned())).collect();
            texts.join("\n\n")
        };
        let full = texts("content");
        let reasoning = if full.is_empty() { texts("summary") } else { full };
        let sealed = item.get("encrypted_content").filter(|sealed| sealed.kind() == Kind::String);
        let mut rest = rest_of(item, &["encrypted_content"]);
        let proof = match sealed {
            Some(sealed) => {
                if let Some(id) = item.get("id") {
                    rest.push("id".into(), one_line(id));
                }
                Some(self.proof(ProofKind::Encrypted, one_line(sealed)))
            }
            None => self.item_id(item),
        };
        Block::Reasoning(Reasoning { reasoning: reasoning.into(), proof, rest })
    }

    pub(crate) fn call(&mut self, kind: &str, item: Value<'_, '_>) -> Option<Vec<Block>> {
        let text = |name: &str| item.get(name).and_then(Value::to_text);
        let function = item.get("function").and_then(|function| function.get("name"));
        let unnamed = unnamed(kind);
        let name = match unnamed {
            Some(row) => row.tool.into(),
            None => text("name").or(function.and_then(Value::to_text))?,
        };
        let input = item.get("arguments").or(item.get("input"));
        let input = input.or(unnamed.and_then(|row| item.get(row.given)));
        let input = match input {
            Some(input) if input.kind() == Kind::String => Input::new(input.to_text()?),
            Some(input) if !input.is_null() => Input::of_value(input),
            Some(_) | None => Input::new(Text::default()),
        };
        let id = match text("call_id").or_else(|| text("id").filter(|_| kind != "function_call")) {
            Some(id) => id,
            None => {
                let detail = "a call has no call_id; it is taken as empty";
                self.report.add(FindingKind::UnreadField, self.place, detail);
                Text::default()
            }
        };
        if !id.is_empty() {
            self.names.insert(id.clone(), name.clone());
        }
        const KNOWN: [&str; 5] = ["call_id", "name", "arguments", "input", "function"];
        let member = unnamed.map_or("arguments", |row| row.given);
        let [a, b, c, d, e] = KNOWN;
        let mut rest = rest_of(item, &[a, b, c, d, e, member]);
        mark(&mut rest, kind, "function_call");
        let proof = self.item_id(item);
        Some(vec![Block::ToolUse(ToolUse { id, name, input, proof, rest })])
    }

    /// What a call was given back.
    pub(crate) fn result(&mut self, kind: &Text, item: Value<'_, '_>) -> ToolResult {
        let text = |name: &str| item.get(name).and_then(Value::to_text);
        let output = item.get("output").or(item.get("result")).or(item.get("tools"));
        // Its call is what a local shell's output is named by.
        let named =
            text("call_id").or_else(|| text("id").filter(|_| **kind == *LOCAL_SHELL_OUTPUT));
        let call_id = named.unwrap_or_else(|| {
            let detail = "a result has no call_id; it is taken as empty";
            self.report.add(FindingKind::UnreadField, self.place, detail);
            Text::default()
        });
        let failed = output.and_then(|output| output.get("success")).and_then(Value::as_bool);
        let tool_name = self.names.get(&call_id).cloned().or_else(|| text("name"));
        let mut rest = rest_of(item, &["call_id", "output", "result", "tools"]);
        mark(&mut rest, kind, "function_call_output");
        ToolResult {
            tool_use_id: call_id,
            tool_name: tool_name.unwrap_or_default(),
            content: output.map(|output| self.output(output)).unwrap_or_default(),
            is_error: failed == Some(false),
            rest,
        }
    }

    /// What a call returned: a string, parts, or (in older files) an object around them.
    fn output(&mut self, output: Value<'_, '_>) -> Vec<ResultPart> {
        let is_part = |part: Value<'_, '_>| {
            part.get("type").is_some_and(|kind| {
                ["input_text", "input_image", "output_text", "text"]
                    .iter()
                    .any(|name| kind.is_str(name))
            })
        };
        match output.kind() {
            Kind::Null => Vec::new(),
            Kind::String => {
                let text = output.to_text().filter(|text| !text.is_empty());
                text.map(ResultPart::Text).into_iter().collect()
            }
            Kind::Array if output.items().all(is_part) => {
                output.items().map(|part| self.result_part(part)).collect()
            }
            Kind::Object if is_part(output) || output.get("image_url").is_some() => {
                vec![self.result_part(output)]
            }
            Kind::Object if output.get("content").is_some() && output.get("success").is_some() => {
                output.get("content").map(|content| self.output(content)).unwrap_or_default()
            }
            Kind::Array | Kind::Object | Kind::Bool | Kind::Number => {
                vec![ResultPart::Text(Raw::compact(output).as_str().into())]
            }
        }
    }

    fn item_id(&self, item: Value<'_, '_>) -> Option<Box<Proof>> {
        let id = item.get("id").filter(|id| id.kind() == Kind::String && id.raw() != "\"\"")?;
        Some(self.proof(ProofKind::ItemId, one_line(id)))
    }

    fn proof(&self, kind: ProofKind, sealed: Raw) -> Box<Proof> {
        Box::new(Proof { issuer: Arc::clone(&self.issuer), kind, version: 1, sealed })
    }

    /// A block that only its provider can read; it is its own proof.
    pub(crate) fn native(&self, kind: Text, value: Value<'_, '_>) -> Block {
        let proof = Some(self.proof(ProofKind::Native, Raw::string(&Text::default())));
        Block::Opaque(OpaqueBlock { kind, raw: one_line(value), proof })
    }
}

/// Names the item a block came from, where it is not the usual one.
fn mark(rest: &mut Rest, kind: &str, usual: &str) {
    if kind != usual {
        rest.push(ITEM.into(), Raw::string(&kind.into()));
    }
}
