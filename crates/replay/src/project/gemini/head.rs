//! The head on this wire: functions, and the system instruction, ahead of the contents.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use json::{Object, Raw, Text};
use record::ToolDefinition;
use record::blank::is_blank;
use wire::gemini::lint::{LintOptions, lint};
use wire::gemini::rules;

use super::Gemini;
use crate::declare::Declare;
use crate::digest;
use crate::project::head::{Head, judged, refuse};
use crate::project::tools::{self, Function};
use crate::refusal::Refusal;
use crate::report::{Change, ChangeKind};

/// Writes the head in force: the tools closed, the system instruction still open.
pub(in crate::project) fn write(gemini: &Gemini, declare: &Declare) -> Result<Head, Refusal> {
    let mut changes = Vec::new();
    let (names, declarations) = declarations(gemini, declare, &mut changes)?;
    let mut before_mark = Vec::new();
    for (index, declaration) in declarations.iter().enumerate() {
        let ahead: &[u8] = if index == 0 { br#""tools":[{"functionDeclarations":["# } else { b"," };
        before_mark.extend_from_slice(ahead);
        before_mark.extend_from_slice(declaration.as_str().as_bytes());
    }
    before_mark.extend_from_slice(if declarations.is_empty() { b"" } else { b"]}]" });
    judge(gemini, &before_mark)?;
    let mut after_mark = Vec::new();
    for text in declare.system().filter(|text| !is_blank(text)) {
        system_part(&mut after_mark, text);
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

/// Parameters, tools and the system instruction, up to the first content.
pub(in crate::project) fn lead(
    parameters: &[u8],
    head: &Head,
    principal: Option<&str>,
) -> Vec<Arc<[u8]>> {
    let mut out = Vec::with_capacity(
        parameters.len() + head.before_mark.len() + head.after_mark.len() + 1024,
    );
    out.extend_from_slice(parameters);
    if !head.before_mark.is_empty() {
        member(&mut out);
        out.extend_from_slice(&head.before_mark);
    }
    let mut system = head.after_mark.clone();
    if let Some(text) = principal {
        system_part(&mut system, text);
    }
    if !system.is_empty() {
        member(&mut out);
        out.extend_from_slice(&system);
        out.extend_from_slice(b"]}");
    }
    member(&mut out);
    out.extend_from_slice(br#""contents":["#);
    vec![Arc::from(out)]
}

/// Before a further member of the body.
fn member(out: &mut Vec<u8>) {
    if !out.ends_with(b"{") {
        out.push(b',');
    }
}

/// A text of the system instruction, which begins with its first.
fn system_part(out: &mut Vec<u8>, text: &str) {
    let ahead: &[u8] = if out.is_empty() { br#""systemInstruction":{"parts":["# } else { b"," };
    out.extend_from_slice(ahead);
    out.extend_from_slice(br#"{"text":"#);
    json::escape::push_literal(out, text);
    out.push(b'}');
}

/// The tools in force as declarations, and the names they go by.
fn declarations(
    gemini: &Gemini,
    declare: &Declare,
    changes: &mut Vec<Change>,
) -> Result<(Vec<Text>, Vec<Raw>), Refusal> {
    let (mut names, mut declarations) = (Vec::new(), Vec::new());
    let mut known = BTreeSet::new();
    for tool in declare.tools() {
        if tools::is_typed(tool) {
            changes.push(change(ChangeKind::ToolOmitted, tool.name().as_str().to_owned()));
            continue;
        }
        let name = gemini.name_of(tool.name());
        if let Cow::Owned(name) = &name {
            changes.push(change(ChangeKind::ToolRenamed, format!("{}: {name}", tool.name())));
        }
        if !known.insert(name.clone().into_owned()) {
            return Err(refuse(tool, "two tools have this name (G-019)"));
        }
        declarations.push(declaration(tool, &name, changes)?);
        names.push(Text::from(name.into_owned()));
    }
    Ok((names, declarations))
}

/// A tool as a declaration; its schema is JSON Schema, which has a member of its own (G-021).
fn declaration(
    tool: &ToolDefinition,
    name: &str,
    changes: &mut Vec<Change>,
) -> Result<Raw, Refusal> {
    let Function { description, schema, others } = tools::function(tool)?;
    let mut out = Object::new();
    out.string("name", name).optional_raw("description", description.as_ref());
    out.optional_raw("parametersJsonSchema", schema.as_ref());
    for (key, _) in others {
        changes.push(change(ChangeKind::ToolMemberOmitted, format!("{}: {key}", tool.name())));
    }
    Ok(out.finish())
}

fn change(kind: ChangeKind, detail: String) -> Change {
    Change { kind, row: None, block: None, detail: Some(detail.into_boxed_str()) }
}

/// Asks the rule book about the tools alone.
fn judge(gemini: &Gemini, tools: &[u8]) -> Result<(), Refusal> {
    if tools.is_empty() {
        return Ok(());
    }
    let mut body = b"{".to_vec();
    body.extend_from_slice(tools);
    body.extend_from_slice(br#","contents":[{"role":"user","parts":[{"text":"."}]}]}"#);
    let options = LintOptions { platform: gemini.platform, model: Some(gemini.model.id) };
    judged(&lint(&body, &options), rules::rule)
}
