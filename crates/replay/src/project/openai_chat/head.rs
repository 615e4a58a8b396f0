//! The head on this wire: tools as functions, and one system message ahead of the conversation.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use json::{Object, Raw, Text};
use record::ToolDefinition;
use record::blank::is_blank;
use wire::literal::has_nul_escape;
use wire::openai_chat::lint::{LintOptions, lint};
use wire::openai_chat::request::Role;
use wire::openai_chat::rules;
use wire::openai_chat::vendors::Takes;

use super::Chat;
use crate::declare::Declare;
use crate::digest;
use crate::project::head::{Head, judged, refuse};
use crate::project::tools::{self, Function, empty_schema};
use crate::refusal::Refusal;
use crate::report::{Change, ChangeKind};
use crate::wording;

/// Between the texts of the one system message (K-003).
const BETWEEN: &str = "\n\n";

/// Writes the head in force; `calls` says whether calls stand in the conversation.
pub(in crate::project) fn write(
    chat: &Chat,
    declare: &Declare,
    calls: bool,
) -> Result<Head, Refusal> {
    let mut changes: Vec<Change> = Vec::new();
    if let Some(name) = &chat.unknown {
        changes.push(change(ChangeKind::VendorUnknown, name.as_str().to_owned()));
    }
    has_room(chat, calls, !declare.tools().is_empty())?;
    let (mut names, functions) = functions(chat, declare, &mut changes)?;
    let mut before_mark = list(&functions);
    if names.is_empty() && calls && chat.vendor.calls_without_tools != Takes::Yes {
        let name = chat.name_of(wording::STAND_IN_TOOL);
        before_mark = list(&[stand_in(&name)]);
        changes.push(change(ChangeKind::StandInTool, name.clone().into_owned()));
        names.push(name.into_owned().into());
    }
    judge(chat, &before_mark)?;
    let mut system: Vec<&str> =
        declare.system().filter(|text| !is_blank(text)).map(Text::as_str).collect();
    if !chat.tools {
        system.push(wording::NO_TOOLS);
    }
    let mut after_mark = Vec::new();
    for (index, text) in system.iter().enumerate() {
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
        before_mark,
        after_mark,
        has_system: !system.is_empty(),
        tools: names,
        changes,
        betas: Vec::new(),
    })
}

/// Parameters, tools and the system message, up to the conversation's first byte.
pub(in crate::project) fn lead(
    chat: &Chat,
    parameters: &[u8],
    head: &Head,
    principal: Option<&str>,
) -> Vec<Arc<[u8]>> {
    let mut out = Vec::with_capacity(
        parameters.len() + head.before_mark.len() + head.after_mark.len() + 1024,
    );
    out.extend_from_slice(parameters);
    out.extend_from_slice(&head.before_mark);
    out.extend_from_slice(br#","messages":["#);
    if head.has_system || principal.is_some() {
        let role = chat.operator();
        out.extend_from_slice(br#"{"role":""#);
        out.extend_from_slice(role.as_str().as_bytes());
        out.extend_from_slice(br#"","content":""#);
        if role == Role::User {
            json::escape::push(&mut out, wording::SYSTEM_NOTE);
        }
        out.extend_from_slice(&head.after_mark);
        if let Some(text) = principal {
            if head.has_system {
                json::escape::push(&mut out, BETWEEN);
            }
            json::escape::push(&mut out, &text.replace('\0', "\u{fffd}"));
        }
        out.extend_from_slice(br#""},"#);
    }
    vec![Arc::from(out)]
}

fn list(functions: &[Raw]) -> Vec<u8> {
    let mut out = Vec::new();
    for (index, function) in functions.iter().enumerate() {
        out.extend_from_slice(if index == 0 { br#","tools":["# } else { b"," });
        out.extend_from_slice(function.as_str().as_bytes());
    }
    out.extend_from_slice(if functions.is_empty() { b"" } else { b"]" });
    out
}

fn change(kind: ChangeKind, detail: String) -> Change {
    Change { kind, row: None, block: None, detail: Some(detail.into_boxed_str()) }
}

/// The tools in force as functions, and the names they go by.
fn functions(
    chat: &Chat,
    declare: &Declare,
    changes: &mut Vec<Change>,
) -> Result<(Vec<Text>, Vec<Raw>), Refusal> {
    let (mut names, mut functions) = (Vec::new(), Vec::new());
    let mut known = BTreeSet::new();
    for tool in declare.tools() {
        if tools::is_typed(tool) || !chat.tools {
            changes.push(change(ChangeKind::ToolOmitted, tool.name().as_str().to_owned()));
            continue;
        }
        let name = chat.name_of(tool.name());
        if let Cow::Owned(name) = &name {
            let detail = format!("{}: {name}", tool.name());
            changes.push(change(ChangeKind::ToolRenamed, detail));
        }
        if !known.insert(name.clone().into_owned()) {
            return Err(refuse(tool, "two tools have this name (C-010)"));
        }
        functions.push(function(chat, tool, &name, changes)?);
        names.push(Text::from(name.into_owned()));
    }
    Ok((names, functions))
}

/// Whether ids and names can be made where they are needed (C-005, C-010).
fn has_room(chat: &Chat, calls: bool, tools: bool) -> Result<(), Refusal> {
    if calls && !chat.vendor.ids.has_room() {
        return Err(Refusal::CannotCarry { rule: "C-005", what: "an id of a call" });
    }
    if (calls || tools) && !chat.vendor.tool_names.has_room() {
        return Err(Refusal::CannotCarry { rule: "C-010", what: "a name of a tool" });
    }
    Ok(())
}

fn function(
    chat: &Chat,
    tool: &ToolDefinition,
    name: &str,
    changes: &mut Vec<Change>,
) -> Result<Raw, Refusal> {
    if has_nul_escape(tool.wire().as_str()) {
        return Err(refuse(tool, "the definition holds a NUL (G-10)"));
    }
    let Function { description, schema, others } = tools::function(tool)?;
    let mut function = Object::new();
    function.string("name", name).optional_raw("description", description.as_ref());
    function.raw("parameters", &schema.unwrap_or_else(empty_schema));
    for (key, value) in others {
        if key == "strict" && chat.vendor.strict == Takes::Yes {
            function.raw("strict", &value);
        } else {
            changes.push(change(ChangeKind::ToolMemberOmitted, format!("{}: {key}", tool.name())));
        }
    }
    Ok(typed("function", function))
}

fn typed(kind: &str, function: Object) -> Raw {
    let mut tool = Object::new();
    tool.string("type", kind).raw("function", &function.finish());
    tool.finish()
}

/// The tool that stands for those a history calls where the vendor wants one (K-032).
fn stand_in(name: &str) -> Raw {
    let mut function = Object::new();
    function
        .string("name", name)
        .string("description", wording::STAND_IN_DESCRIPTION)
        .raw("parameters", &empty_schema());
    typed("function", function)
}

/// Asks the rule book about the tools alone.
fn judge(chat: &Chat, tools: &[u8]) -> Result<(), Refusal> {
    if tools.is_empty() {
        return Ok(());
    }
    let mut body = br#"{"model":"m""#.to_vec();
    body.extend_from_slice(tools);
    body.extend_from_slice(br#","messages":[{"role":"user","content":"."}]}"#);
    let options = LintOptions { vendor: &chat.vendor, model: Some("gpt-4o") };
    judged(&lint(&body, &options), rules::rule)
}
