//! Valid: what leaves would be accepted, and what is refused has its cause in the history.

use std::collections::HashSet;
use std::sync::Arc;

use record::blank::is_blank;
use record::{Block, Entry, Fact, Message, MessageKind, Role, Source};
use replay::Refusal;
use testkit::{Api, Played, Request, Script, TARGETS, TargetRow};
use wire::anthropic_messages::lint as anthropic;
use wire::bedrock_converse::lint as converse;
use wire::gemini::{lint as gemini, platforms};
use wire::openai_chat::{lint as chat, vendors};
use wire::openai_responses::{lint as responses, platforms as responses_platforms};
use wire::{Finding, Severity};

use crate::stored::View;
use crate::wording::AUTHORITY;

pub(crate) fn check(_: &Script, played: &Played) -> Result<(), String> {
    for request in &played.requests {
        let judged = match &request.outcome {
            Ok(prepared) => {
                let (body, betas) = (prepared.request.body().to_vec(), prepared.request.betas());
                accepted(&TARGETS[request.target], &body, betas)
            }
            Err(refusal) => confirmed(played, request, refusal),
        };
        judged.map_err(|words| format!("{words}\nat request e{}", request.number))?;
    }
    Ok(())
}

/// No finding of the linter, of whatever severity; but that several calls of one reply (C-029), or
/// system texts (B-023), are doubtful somewhere is no reason to tell them otherwise.
pub(crate) fn accepted(to: &TargetRow, body: &[u8], betas: &[&str]) -> Result<(), String> {
    let mut findings = findings(to, body, betas);
    let kept = |rule: &str| ["C-029", "B-023"].contains(&rule);
    findings.retain(|finding| !kept(finding.rule) || finding.severity == Severity::Error);
    let worst = findings.iter().find(|finding| finding.severity == Severity::Error);
    let Some(finding) = worst.or(findings.first()) else { return Ok(()) };
    Err(format!(
        "{:?} {} {}\nat {}\n{}",
        finding.severity,
        finding.rule,
        finding.message,
        finding.path,
        String::from_utf8_lossy(body)
    ))
}

fn findings(to: &TargetRow, body: &[u8], betas: &[&str]) -> Vec<Finding> {
    match to.api {
        Api::Claude => {
            anthropic::lint(body, &anthropic::LintOptions { betas, ..Default::default() })
        }
        Api::Chat => {
            let known = to.row.or_else(|| vendors::vendor(to.vendor));
            let vendor = known.unwrap_or(&vendors::UNKNOWN);
            chat::lint(body, &chat::LintOptions { vendor, model: None })
        }
        Api::Converse => converse::lint(body, &converse::LintOptions { model: Some(to.model) }),
        Api::Gemini => {
            let platform = platforms::platform(to.vendor);
            gemini::lint(body, &gemini::LintOptions { platform, model: Some(to.model) })
        }
        Api::Responses => {
            let known = responses_platforms::platform(to.vendor);
            let platform = known.unwrap_or(&responses_platforms::UNKNOWN);
            responses::lint(body, &responses::LintOptions { platform, model: None })
        }
    }
}

/// Whether the history has the cause a refusal names.
fn confirmed(played: &Played, request: &Request, refusal: &Refusal) -> Result<(), String> {
    let path = &played.path[..request.at];
    let view = View::at(played, request);
    let justified = match refusal {
        Refusal::NothingToSay => {
            let gone = results_gone(path, &view);
            let spoken = (0..path.len()).any(|at| says(&path[at], &view, at, &gone));
            let replied = path.iter().any(|entry| {
                entry.message().is_some_and(|message| message.role == Role::Assistant)
            });
            let boundary = view.boundary.is_some();
            !(spoken || boundary) || (request.choice.no_continue && (replied || boundary))
        }
        Refusal::TooLarge { count: bytes, limit, .. } => {
            request.choice.body_bytes_max == Some(*limit) && bytes > limit
        }
        Refusal::CompactionSplitsRound { compaction, row } => splits(path, &view, compaction, row),
        Refusal::ToolDefinition { name, .. } => name.starts_with("bad"),
        Refusal::CannotCarry { .. } | Refusal::NeverSettles { .. } => false,
    };
    if justified { Ok(()) } else { Err(format!("refused without a cause: {refusal}")) }
}

/// Whether a row has something that can be said, or a gap that has to be.
fn says(entry: &Entry, view: &View, at: usize, gone: &HashSet<&str>) -> bool {
    let Some(message) = entry.message() else { return false };
    if !view.holds[at] || message.kind == Some(MessageKind::CompactBoundary) {
        return false;
    }
    let cut = message.interrupted
        || message.stop.as_ref().is_some_and(|stop| !stop.dropped_calls.is_empty());
    let blocks = message.blocks.iter().zip(0u32..);
    (message.role == Role::Assistant && cut)
        || blocks.into_iter().any(|(block, index)| match block {
            Block::ToolResult(result) if gone.contains(result.tool_use_id.as_str()) => false,
            _ => block_says(message, block, view.is_retracted(&entry.id, index)),
        })
}

/// Ids of retracted calls: what they returned is gone with them.
fn results_gone<'p>(path: &'p [Arc<Entry>], view: &View) -> HashSet<&'p str> {
    let mut gone = HashSet::new();
    for entry in path {
        for (block, at) in entry.message().into_iter().flat_map(|m| &m.blocks).zip(0u32..) {
            if let Block::ToolUse(call) = block
                && view.is_retracted(&entry.id, at)
            {
                gone.insert(call.id.as_str());
            }
        }
    }
    gone
}

fn block_says(message: &Message, block: &Block, retracted: bool) -> bool {
    let runtime = matches!(message.source, Some(Source::Runtime { .. }));
    match block {
        Block::Reasoning(_) => false,
        Block::ToolResult(_) | Block::ToolUse(_) | Block::Image(_) | Block::Opaque(_) => true,
        Block::SystemChange(_) => message.role == Role::Assistant || retracted,
        Block::Text(_) if retracted => true,
        // A system text leads, or follows something that was said.
        Block::Text(_) if message.role == Role::System => false,
        Block::Text(text) => {
            let leaked = runtime && text.text.starts_with(AUTHORITY);
            !is_blank(&text.text) && !leaked
        }
    }
}

/// Whether the boundary that applies has a call on one side and its result in `row` on the other.
fn splits(
    path: &[Arc<Entry>],
    view: &View,
    compaction: &record::EntryId,
    row: &record::EntryId,
) -> bool {
    let Some(at) = view.boundary.filter(|at| path[*at].id == *compaction) else { return false };
    if matches!(&path[at].fact, Fact::Compaction(compaction) if compaction.split_as_found) {
        return false;
    }
    let Some(answered) = path.iter().position(|entry| entry.id == *row) else { return false };
    let ids: Vec<&json::Text> = standing(&path[answered], view)
        .filter_map(|block| match block {
            Block::ToolResult(result) => Some(&result.tool_use_id),
            _ => None,
        })
        .collect();
    path.iter().enumerate().any(|(called, entry)| {
        view.holds[called] != view.holds[answered]
            && standing(entry, view)
                .any(|block| matches!(block, Block::ToolUse(call) if ids.contains(&&call.id)))
    })
}

/// Blocks of a row that are not retracted.
fn standing<'e>(entry: &'e Entry, view: &View) -> impl Iterator<Item = &'e Block> {
    let blocks = entry.message().into_iter().flat_map(|message| &message.blocks).zip(0u32..);
    blocks.filter(|(_, at)| !view.is_retracted(&entry.id, *at)).map(|(block, _)| block)
}
