//! The head on this wire: `toolConfig` and `system`, ahead of the conversation.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use json::{Object, Raw, Text};
use record::ToolDefinition;
use record::blank::is_blank;
use wire::bedrock_converse::lint::{LintOptions, lint};
use wire::bedrock_converse::request::CACHE_POINT;
use wire::bedrock_converse::rules;
use wire::takes::Takes;

use super::{Converse, name_of};
use crate::declare::Declare;
use crate::digest;
use crate::project::head::{Head, judged, refuse};
use crate::project::tools::{self, Function, empty_schema};
use crate::refusal::Refusal;
use crate::report::{Change, ChangeKind};
use crate::wording;

/// The type of a tool of the service's own, as an import names it.
const SYSTEM_TOOL: &str = "systemTool";

/// Writes the head in force; `calls` says whether calls stand in the conversation (B-009).
///
/// It begins inside of the object `toolConfig` where there are tools: parameters open that.
pub(in crate::project) fn write(
    to: &Converse,
    declare: &Declare,
    calls: bool,
) -> Result<Head, Refusal> {
    let mut changes: Vec<Change> = Vec::new();
    let (mut names, mut list) = (Vec::new(), Vec::new());
    let mut known = BTreeSet::new();
    for tool in declare.tools() {
        let Some((name, written)) = definition(to, tool, &mut changes)? else { continue };
        if !known.insert(name.clone()) {
            return Err(refuse(tool, "two tools have this name"));
        }
        names.push(name);
        list.push(written);
    }
    if names.is_empty() && calls {
        names.push(wording::STAND_IN_TOOL.into());
        list.push(stand_in());
        changes.push(change(ChangeKind::StandInTool, wording::STAND_IN_TOOL.to_owned()));
    }
    let mut out = Vec::new();
    for (index, tool) in list.iter().enumerate() {
        out.extend_from_slice(if index == 0 { br#""tools":["# } else { b"," });
        out.extend_from_slice(tool.as_str().as_bytes());
    }
    judge(to, &out)?;
    let mut system: Vec<&str> =
        declare.system().filter(|text| !is_blank(text)).map(Text::as_str).collect();
    if !to.tools {
        system.push(wording::NO_TOOLS);
    }
    if !system.is_empty() && to.model.system == Takes::No {
        return Err(Refusal::CannotCarry { rule: "B-023", what: "a system text" });
    }
    let mut after_mark = Vec::new();
    if !list.is_empty() {
        let closing: &[u8] = b"]}";
        let last = if system.is_empty() { &mut after_mark } else { &mut out };
        last.extend_from_slice(closing);
    }
    for (index, text) in system.iter().enumerate() {
        out.extend_from_slice(if index == 0 { br#","system":["# } else { b"," });
        out.extend_from_slice(br#"{"text":"#);
        json::escape::push_literal(&mut out, text);
        out.push(b'}');
    }
    let mut digested = out.clone();
    digested.extend_from_slice(&after_mark);
    Ok(Head {
        digest: digest::of(&digested),
        before_mark: out,
        after_mark,
        has_system: !system.is_empty(),
        tools: names,
        changes,
        betas: Vec::new(),
    })
}

/// Parameters, tools and system, up to the conversation's first byte; whether a cache point is in
/// it. The point stands before the authority.
pub(in crate::project) fn lead(
    parameters: &[u8],
    head: &Head,
    principal: Option<&str>,
    marked_bytes_min: Option<u64>,
) -> (Vec<Arc<[u8]>>, bool) {
    let mut out = Vec::with_capacity(parameters.len() + head.before_mark.len() + 1024);
    out.extend_from_slice(parameters);
    out.extend_from_slice(&head.before_mark);
    let marked = marked_bytes_min.is_some_and(|min| head.before_mark.len() as u64 >= min.max(1));
    if marked {
        out.extend_from_slice(CACHE_POINT.as_bytes());
    }
    out.extend_from_slice(&head.after_mark);
    if let Some(text) = principal {
        out.extend_from_slice(if head.has_system { b"," } else { br#","system":["# });
        out.extend_from_slice(br#"{"text":"#);
        json::escape::push_literal(&mut out, text);
        out.push(b'}');
    }
    if head.has_system || principal.is_some() {
        out.push(b']');
    }
    out.extend_from_slice(br#","messages":["#);
    (vec![Arc::from(out)], marked)
}

/// A tool as this wire has it, and the name it goes by; none for one that has no form here.
fn definition(
    to: &Converse,
    tool: &ToolDefinition,
    changes: &mut Vec<Change>,
) -> Result<Option<(Text, Raw)>, Refusal> {
    let own = tool.wire().doc().root().get("type").is_some_and(|kind| kind.is_str(SYSTEM_TOOL));
    if own && to.tools && to.model.server_tools == Takes::Yes && super::takes_name(tool.name()) {
        let mut inner = Object::new();
        inner.text("name", tool.name());
        return Ok(Some((tool.name().clone(), under(SYSTEM_TOOL, &inner.finish()))));
    }
    if tools::is_typed(tool) || !to.tools {
        changes.push(change(ChangeKind::ToolOmitted, tool.name().as_str().to_owned()));
        return Ok(None);
    }
    let name = name_of(tool.name());
    if let Cow::Owned(name) = &name {
        changes.push(change(ChangeKind::ToolRenamed, format!("{}: {name}", tool.name())));
    }
    let Function { description, schema, others } = tools::function(tool)?;
    let mut inner = Object::new();
    inner.string("name", &name);
    let says = description.filter(|text| text.as_str() != "\"\"");
    inner.optional_raw("description", says.as_ref());
    inner.raw("inputSchema", &under("json", &schema.unwrap_or_else(empty_schema)));
    for (key, value) in others {
        if key == "strict" && to.model.claude {
            inner.raw("strict", &value);
        } else {
            let kind = ChangeKind::ToolMemberOmitted;
            changes.push(change(kind, format!("{}: {key}", tool.name())));
        }
    }
    Ok(Some((name.into_owned().into(), under("toolSpec", &inner.finish()))))
}

/// The tool that stands for those a history calls where none is declared (B-009).
fn stand_in() -> Raw {
    let mut inner = Object::new();
    inner
        .string("name", wording::STAND_IN_TOOL)
        .string("description", wording::STAND_IN_DESCRIPTION)
        .raw("inputSchema", &under("json", &empty_schema()));
    under("toolSpec", &inner.finish())
}

/// An object with one member.
fn under(name: &str, inner: &Raw) -> Raw {
    let mut object = Object::new();
    object.raw(name, inner);
    object.finish()
}

fn change(kind: ChangeKind, detail: String) -> Change {
    Change { kind, row: None, block: None, detail: Some(detail.into_boxed_str()) }
}

/// Asks the rule book about the tools alone.
fn judge(to: &Converse, tools: &[u8]) -> Result<(), Refusal> {
    if tools.is_empty() {
        return Ok(());
    }
    let mut body = br#"{"toolConfig":{"#.to_vec();
    body.extend_from_slice(tools);
    body.extend_from_slice(br#"]},"messages":[{"role":"user","content":[{"text":"."}]}]}"#);
    judged(&lint(&body, &LintOptions { model: Some(&to.name) }), rules::rule)
}
