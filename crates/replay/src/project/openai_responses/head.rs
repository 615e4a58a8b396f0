//! The head on this wire: tools side by side, and the system text as `instructions`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use json::{Kind, Object, Raw, Text, Value};
use record::ToolDefinition;
use record::blank::is_blank;
use wire::openai_chat::vendors::Takes;
use wire::openai_responses::lint::{LintOptions, lint};
use wire::openai_responses::rules;

use super::{Responses, has_nul, name_of};
use crate::declare::Declare;
use crate::digest;
use crate::project::head::{Head, judged, refuse};
use crate::refusal::Refusal;
use crate::report::{Change, ChangeKind};
use crate::wording;

/// Between the texts of the instructions.
const BETWEEN: &str = "\n\n";

/// Members of a tool that a function has a place for.
const TOOL_MEMBERS: &[&str] = &["type", "name", "description", "input_schema", "cache_control"];

/// Writes the head in force.
pub(in crate::project) fn write(to: &Responses, declare: &Declare) -> Result<Head, Refusal> {
    let mut changes: Vec<Change> = Vec::new();
    if let Some(name) = &to.unknown {
        changes.push(change(ChangeKind::VendorUnknown, name.as_str().to_owned()));
    }
    let (names, tools) = tools(declare, &mut changes)?;
    let before_mark = list(&tools);
    judge(to, &before_mark)?;
    let mut after_mark = Vec::new();
    let system = declare.system().filter(|text| !is_blank(text));
    for (index, text) in system.enumerate() {
        if index > 0 {
            json::escape::push(&mut after_mark, BETWEEN);
        }
        json::escape::push(&mut after_mark, &text.replace('\0', "\u{fffd}"));
    }
    let mut digested = before_mark.clone();
    digested.extend_from_slice(b"\n");
    digested.extend_from_slice(&after_mark);
    Ok(Head {
        digest: digest::of(&digested),
        has_system: !after_mark.is_empty(),
        before_mark,
        after_mark,
        tools: names,
        changes,
        betas: Vec::new(),
    })
}

/// Parameters, tools and instructions, up to the conversation's first byte. The current authority
/// ends the instructions, which no later request inherits (R-047).
pub(in crate::project) fn lead(
    to: &Responses,
    parameters: &[u8],
    head: &Head,
    principal: Option<&str>,
) -> Vec<Arc<[u8]>> {
    let mut out = parameters.to_vec();
    out.extend_from_slice(&head.before_mark);
    let stand_in = (to.platform.no_instructions != Takes::Yes).then_some(wording::NO_INSTRUCTIONS);
    let ends = match (head.has_system, principal) {
        (_, Some(text)) => Some(text),
        (true, None) => None,
        (false, None) => stand_in,
    };
    if head.has_system || ends.is_some() {
        out.extend_from_slice(br#","instructions":""#);
        out.extend_from_slice(&head.after_mark);
        if let Some(text) = ends {
            if head.has_system {
                json::escape::push(&mut out, BETWEEN);
            }
            json::escape::push(&mut out, &text.replace('\0', "\u{fffd}"));
        }
        out.push(b'"');
    }
    out.extend_from_slice(br#","input":["#);
    vec![Arc::from(out)]
}

fn list(tools: &[Raw]) -> Vec<u8> {
    let mut out = Vec::new();
    for (index, tool) in tools.iter().enumerate() {
        out.extend_from_slice(if index == 0 { br#","tools":["# } else { b"," });
        out.extend_from_slice(tool.as_str().as_bytes());
    }
    out.extend_from_slice(if tools.is_empty() { b"" } else { b"]" });
    out
}

fn change(kind: ChangeKind, detail: String) -> Change {
    Change { kind, row: None, block: None, detail: Some(detail.into_boxed_str()) }
}

/// The tools in force, and the names they go by.
fn tools(declare: &Declare, changes: &mut Vec<Change>) -> Result<(Vec<Text>, Vec<Raw>), Refusal> {
    let (mut names, mut tools) = (Vec::new(), Vec::new());
    let mut known = BTreeSet::new();
    for tool in declare.tools() {
        let doc = tool.wire().doc();
        if doc.root().get_str("type").is_some_and(|kind| kind != "custom") {
            changes.push(change(ChangeKind::ToolOmitted, tool.name().as_str().to_owned()));
            continue;
        }
        let name = name_of(tool.name());
        if let Cow::Owned(name) = &name {
            let detail = format!("{}: {name}", tool.name());
            changes.push(change(ChangeKind::ToolRenamed, detail));
        }
        if !known.insert(name.clone().into_owned()) {
            return Err(refuse(tool, "two tools have this name (C-010)"));
        }
        tools.push(definition(tool, doc.root(), &name, changes)?);
        names.push(Text::from(name.into_owned()));
    }
    Ok((names, tools))
}

/// A function, or a custom tool where the definition says in which format it takes its text.
fn definition(
    tool: &ToolDefinition,
    root: Value<'_, '_>,
    name: &str,
    changes: &mut Vec<Change>,
) -> Result<Raw, Refusal> {
    if tool.wire().has_lone_surrogate() {
        return Err(refuse(tool, "the definition holds a lone surrogate (G-10)"));
    }
    if has_nul(tool.wire()) {
        return Err(refuse(tool, "the definition holds a NUL (G-10)"));
    }
    let member = |name: &str| root.get(name).filter(|value| !value.is_null());
    let format = member("format").filter(|format| format.get_str("type").is_some());
    let mut out = Object::new();
    out.string("type", if format.is_some() { "custom" } else { "function" }).string("name", name);
    if let Some(description) = member("description") {
        if description.kind() != Kind::String {
            return Err(refuse(tool, "the description is not a string"));
        }
        out.raw("description", &Raw::compact(description));
    }
    let mut strict = Raw::bool(false);
    for (key, value) in root.members() {
        let key = key.as_str().unwrap_or_default();
        match &*key {
            _ if value.is_null() || TOOL_MEMBERS.contains(&&*key) => {}
            "format" if format.is_some() => {}
            "strict" if format.is_none() && value.kind() == Kind::Bool => strict = Raw::of(value),
            _ => {
                let detail = format!("{}: {key}", tool.name());
                changes.push(change(ChangeKind::ToolMemberOmitted, detail));
            }
        }
    }
    match format {
        Some(format) => out.raw("format", &Raw::compact(format)),
        // The API takes a schema it is not told about to be strict.
        None => {
            out.raw("parameters", &parameters(tool, member("input_schema"))?).raw("strict", &strict)
        }
    };
    Ok(out.finish())
}

fn parameters(tool: &ToolDefinition, schema: Option<Value<'_, '_>>) -> Result<Raw, Refusal> {
    match schema {
        Some(schema) if schema.kind() == Kind::Object => {
            if !schema.get("type").is_some_and(|kind| kind.is_str("object")) {
                return Err(refuse(tool, "input_schema.type is not \"object\""));
            }
            Ok(Raw::compact(schema))
        }
        Some(_) => Err(refuse(tool, "input_schema is no object (K-035)")),
        None => {
            let mut schema = Object::new();
            schema.string("type", "object").raw("properties", &Object::new().finish());
            Ok(schema.finish())
        }
    }
}

/// Asks the rule book about the tools alone.
fn judge(to: &Responses, tools: &[u8]) -> Result<(), Refusal> {
    if tools.is_empty() {
        return Ok(());
    }
    let mut body = br#"{"model":"m""#.to_vec();
    body.extend_from_slice(tools);
    body.extend_from_slice(br#","input":"."}"#);
    let options = LintOptions { platform: to.platform, model: Some("gpt-4o") };
    judged(&lint(&body, &options), rules::rule)
}
