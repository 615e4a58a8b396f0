//! The head on this wire: tools side by side, and the system text as `instructions`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use json::{Kind, Object, Raw, Text};
use record::ToolDefinition;
use record::blank::is_blank;
use wire::literal::has_nul_escape;
use wire::openai_responses::lint::{LintOptions, lint};
use wire::openai_responses::rules;
use wire::takes::Takes;

use super::{Responses, name_of};
use crate::declare::Declare;
use crate::digest;
use crate::project::head::{Head, judged, refuse};
use crate::project::tools::{self, Function, empty_schema};
use crate::refusal::Refusal;
use crate::report::{Change, ChangeKind};
use crate::wording;

/// Between the texts of the instructions.
const BETWEEN: &str = "\n\n";

/// Writes the head in force.
pub(in crate::project) fn write(to: &Responses, declare: &Declare) -> Result<Head, Refusal> {
    let mut changes: Vec<Change> = Vec::new();
    if let Some(name) = &to.unknown {
        changes.push(change(ChangeKind::VendorUnknown, name.as_str().to_owned()));
    }
    let (names, tools) = in_force(declare, &mut changes)?;
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
fn in_force(
    declare: &Declare,
    changes: &mut Vec<Change>,
) -> Result<(Vec<Text>, Vec<Raw>), Refusal> {
    let (mut names, mut tools) = (Vec::new(), Vec::new());
    let mut known = BTreeSet::new();
    for tool in declare.tools() {
        if tools::is_typed(tool) {
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
        tools.push(definition(tool, &name, changes)?);
        names.push(Text::from(name.into_owned()));
    }
    Ok((names, tools))
}

/// A function, or a custom tool where the definition says in which format it takes its text.
fn definition(
    tool: &ToolDefinition,
    name: &str,
    changes: &mut Vec<Change>,
) -> Result<Raw, Refusal> {
    if has_nul_escape(tool.wire().as_str()) {
        return Err(refuse(tool, "the definition holds a NUL (G-10)"));
    }
    let Function { description, schema, others } = tools::function(tool)?;
    let is_typed = |value: &Raw| value.doc().root().get_str("type").is_some();
    let is_format = |(key, value): &(String, Raw)| key == "format" && is_typed(value);
    let (format, others): (Vec<_>, Vec<_>) = others.into_iter().partition(is_format);
    let format = format.first().map(|(_, format)| format);
    let mut out = Object::new();
    out.string("type", if format.is_some() { "custom" } else { "function" }).string("name", name);
    out.optional_raw("description", description.as_ref());
    let mut strict = Raw::bool(false);
    for (key, value) in others {
        if key == "strict" && format.is_none() && value.doc().root().kind() == Kind::Bool {
            strict = value;
        } else {
            let detail = format!("{}: {key}", tool.name());
            changes.push(change(ChangeKind::ToolMemberOmitted, detail));
        }
    }
    match format {
        Some(format) => out.raw("format", format),
        // The API takes a schema it is not told about to be strict.
        None => out.raw("parameters", &schema.unwrap_or_else(empty_schema)).raw("strict", &strict),
    };
    Ok(out.finish())
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
