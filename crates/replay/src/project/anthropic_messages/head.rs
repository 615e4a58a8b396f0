//! The head on this wire: tools and system text, ahead of the conversation.

use std::collections::BTreeSet;
use std::sync::Arc;

use json::{Kind, Object, Raw};
use record::ToolDefinition;
use record::blank::is_blank;
use wire::anthropic_messages::lint::{LintOptions, lint};
use wire::anthropic_messages::rules;
use wire::anthropic_messages::typed_tools::is_typed_tool;
use wire::body::CACHE_MARK;

use crate::declare::Declare;
use crate::digest;
use crate::project::head::{Head, judged, refuse};
use crate::refusal::Refusal;
use crate::report::{Change, ChangeKind};

/// Characters of a tool's name (A-042: documents say 64, the API's pattern 128).
const TOOL_NAME_CHARS_MAX: usize = 128;

/// Members of a tool this wire takes, besides those of a provider's own typed tool (A-003).
const TOOL_MEMBERS: &[&str] = &[
    "type",
    "name",
    "description",
    "input_schema",
    "strict",
    "defer_loading",
    "input_examples",
    "allowed_callers",
    "eager_input_streaming",
];

/// Beta headers a provider's own typed tool needs, by the beginning of its type.
const TYPED_TOOL_BETAS: &[(&str, &str)] = &[("advisor_", "advisor-tool-2026-03-01")];

/// Writes the head in force.
pub(crate) fn write(declare: &Declare) -> Result<Head, Refusal> {
    let mut changes = Vec::new();
    let mut out = Vec::new();
    let (tools, others): (Vec<_>, Vec<_>) = declare.tools().into_iter().partition(is_own);
    for other in others {
        let detail = Some(other.name().as_str().into());
        let kind = ChangeKind::ToolOmitted;
        changes.push(Change { kind, row: None, block: None, detail });
    }
    if !tools.is_empty() {
        out.extend_from_slice(br#","tools":["#);
        let mut names = BTreeSet::new();
        for (index, tool) in tools.iter().enumerate() {
            if !names.insert(tool.name()) {
                return Err(refuse(tool, "two tools have this name (A-043)"));
            }
            if index > 0 {
                out.push(b',');
            }
            out.extend_from_slice(definition(tool, &mut changes)?.as_str().as_bytes());
        }
        out.push(b']');
    }
    let betas = betas(&tools);
    let system: Vec<_> = declare.system().filter(|text| !is_blank(text)).collect();
    for (index, text) in system.iter().enumerate() {
        out.extend_from_slice(if index == 0 { br#","system":["# } else { b"," });
        out.extend_from_slice(br#"{"type":"text","text":"#);
        json::escape::push_literal(&mut out, text);
        out.push(b'}');
    }
    if !tools.is_empty() {
        judge(&out, &betas)?;
    }
    let digest = digest::of(&out);
    // The mark goes before the last closing brace: of the last system block, or of the last tool.
    let tail = if system.is_empty() { 2 } else { 1 };
    let split = if out.is_empty() { 0 } else { out.len() - tail };
    let after_mark = out.split_off(split);
    let has_system = !system.is_empty();
    let tools = tools.iter().map(|tool| tool.name().clone()).collect();
    Ok(Head { tools, before_mark: out, after_mark, has_system, digest, changes, betas })
}

/// Parameters, tools and system, up to the conversation's first byte; whether a mark is in it.
pub(crate) fn lead(
    parameters: &[u8],
    head: &Head,
    principal: Option<&str>,
    marked_bytes_min: u64,
) -> (Vec<Arc<[u8]>>, bool) {
    let mut out = Vec::with_capacity(parameters.len() + head.before_mark.len() + 1024);
    out.extend_from_slice(parameters);
    out.extend_from_slice(&head.before_mark);
    let marked = head.before_mark.len() as u64 >= marked_bytes_min.max(1);
    if marked {
        out.extend_from_slice(CACHE_MARK.as_bytes());
    }
    out.extend_from_slice(&head.after_mark);
    if let Some(text) = principal {
        out.extend_from_slice(if head.has_system { b"," } else { br#","system":["# });
        out.extend_from_slice(br#"{"type":"text","text":"#);
        json::escape::push_literal(&mut out, text);
        out.push(b'}');
    }
    if head.has_system || principal.is_some() {
        out.push(b']');
    }
    out.extend_from_slice(br#","messages":["#);
    (vec![Arc::from(out)], marked)
}

/// Asks the rule book about the tools alone: their schemas are somebody else's JSON, and many.
fn judge(tools_and_system: &[u8], betas: &[&'static str]) -> Result<(), Refusal> {
    let mut body = br#"{"model":"claude-opus-4-8","max_tokens":1"#.to_vec();
    body.extend_from_slice(tools_and_system);
    let open_system = tools_and_system.ends_with(b"}");
    body.extend_from_slice(if open_system { b"]" } else { b"" });
    body.extend_from_slice(br#","messages":[{"role":"user","content":"."}]}"#);
    let options = LintOptions { betas, ..LintOptions::default() };
    judged(&lint(&body, &options), rules::rule)
}

/// Whether a tool is the caller's, or of a type that this API has.
fn is_own(tool: &&ToolDefinition) -> bool {
    tool.typed().is_none_or(|kind| is_typed_tool(&kind))
}

fn betas(tools: &[&ToolDefinition]) -> Vec<&'static str> {
    let needs = |(begins, _): &&(&str, &str)| {
        tools.iter().any(|tool| {
            let kind = tool.wire().doc().root().get_str("type").map(|kind| kind.into_owned());
            kind.is_some_and(|kind| kind.starts_with(begins))
        })
    };
    TYPED_TOOL_BETAS.iter().filter(needs).map(|(_, beta)| *beta).collect()
}

fn definition(tool: &ToolDefinition, changes: &mut Vec<Change>) -> Result<Raw, Refusal> {
    let name = tool.name();
    let legal = (1..=TOOL_NAME_CHARS_MAX).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if !legal {
        return Err(refuse(tool, "a name is 1 to 128 of A-Z a-z 0-9 _ - (A-042)"));
    }
    if tool.wire().has_lone_surrogate() {
        return Err(refuse(tool, "the definition holds a lone surrogate (A-004)"));
    }
    let doc = tool.wire().doc();
    let kind = doc.root().get_str("type");
    let typed = kind.as_ref().is_some_and(|kind| kind != "custom");
    if !typed {
        check_schema(tool, doc.root().get("input_schema"))?;
        if doc.root().get("description").is_some_and(|text| text.kind() != Kind::String) {
            return Err(refuse(tool, "the description is not a string"));
        }
    }
    let mut out = Object::new();
    for (key, value) in doc.root().members() {
        let Some(key) = key.as_str() else { continue };
        let null = value.is_null() && key != "name" && key != "input_schema";
        if key == "cache_control" || null {
            continue;
        }
        if typed || TOOL_MEMBERS.contains(&&*key) {
            out.raw(&key, &Raw::compact(value));
        } else {
            let detail = Some(format!("{name}: {key}").into_boxed_str());
            let kind = ChangeKind::ToolMemberOmitted;
            changes.push(Change { kind, row: None, block: None, detail });
        }
    }
    Ok(out.finish())
}

fn check_schema(tool: &ToolDefinition, schema: Option<json::Value<'_, '_>>) -> Result<(), Refusal> {
    let Some(schema) = schema.filter(|schema| schema.kind() == Kind::Object) else {
        return Err(refuse(tool, "input_schema is missing or no object (A-047)"));
    };
    if !schema.get("type").is_some_and(|kind| kind.is_str("object")) {
        return Err(refuse(tool, "input_schema.type is not \"object\" (A-047)"));
    }
    if ["oneOf", "allOf", "anyOf"].iter().any(|name| schema.get(name).is_some()) {
        return Err(refuse(tool, "input_schema has oneOf, allOf or anyOf at its top (A-047)"));
    }
    Ok(())
}
