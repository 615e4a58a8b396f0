//! Parameters of a request: in a fixed order ahead of everything else.

use json::{Raw, Text};
use record::Rung;
use wire::anthropic_messages::lint::{LintOptions, lint};
use wire::anthropic_messages::models::Model;

use crate::fold::Closed;
use crate::now::Parameters;
use crate::project::parameters::{Written, chosen, open, without_refused};
use crate::project::thinking::{Thinking, max_tokens};
use crate::refusal::Refusal;

/// Parameters this writer places itself, or that would not be what the record says.
const OWN: &[&str] =
    &["model", "max_tokens", "thinking", "tools", "system", "messages", "cache_control"];

/// Parameters that are no part of the prompt: neither the cache nor what a thought is bound to
/// depends on them (A-063, A-087). Any other is taken to be, one that is not known included.
const NO_PROMPT: &[&str] = &[
    "max_tokens",
    "metadata",
    "stop_sequences",
    "stream",
    "temperature",
    "top_p",
    "top_k",
    "service_tier",
    "inference_geo",
    "billing_policy",
    "diagnostics",
    "fallback_credit_token",
    "user_profile_id",
];

/// Writes the parameters of a request to `model`.
pub(crate) fn write(
    model: &Model,
    name: &str,
    asked: &Parameters,
    closed: &Closed,
    tools: &[Text],
    rung: Option<Rung>,
) -> Result<Written, Refusal> {
    let mut changes = Vec::new();
    let max_tokens = max_tokens(model, asked, &mut changes);
    let Thinking { parameter, turned_off, betas } =
        Thinking::of(model, asked.thinking, closed, max_tokens, rung, &mut changes)?;
    let mut own = vec![("max_tokens", Raw::number(max_tokens))];
    own.extend(parameter.map(|thinking| ("thinking", thinking)));
    let chosen = chosen(asked, |name| OWN.contains(&name), &mut changes);
    let refused = |bytes: &[u8], chosen: &[(&str, &Raw)]| refused(bytes, tools, &betas, chosen);
    let (says, prompt) = without_refused(name, &own, chosen, NO_PROMPT, &mut changes, refused);
    Ok(Written { bytes: open(&says), says, prompt, betas, changes, turned_off })
}

/// Asks the rule book about the parameters alone: what a caller chose is somebody else's JSON, and
/// what a model takes of it are many rules (A-003, A-013, A-014, A-045, A-046). Gives one that is
/// refused.
fn refused(
    bytes: &[u8],
    tools: &[Text],
    betas: &[&'static str],
    chosen: &[(&str, &Raw)],
) -> Option<usize> {
    if chosen.is_empty() {
        return None;
    }
    let mut body = bytes.to_vec();
    for (index, tool) in tools.iter().enumerate() {
        body.extend_from_slice(if index == 0 { br#","tools":["# } else { b"," });
        body.extend_from_slice(br#"{"name":"#);
        json::escape::push_literal(&mut body, tool);
        body.extend_from_slice(br#","input_schema":{"type":"object"}}"#);
    }
    body.extend_from_slice(if tools.is_empty() { b"" } else { b"]" });
    body.extend_from_slice(br#","messages":[{"role":"user","content":"."}]}"#);
    let options = LintOptions { betas, ..LintOptions::default() };
    lint(&body, &options).iter().find_map(|finding| {
        let place = |name: &str| chosen.iter().position(|(known, _)| *known == name);
        match finding.path.split('.').next().unwrap_or_default() {
            // A body that cannot be read has no path.
            "" => Some(chosen.len() - 1),
            // How much to think stands elsewhere than whether to.
            "thinking" => place("output_config"),
            name => place(name),
        }
    })
}
