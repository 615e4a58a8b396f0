//! Stable: a request extends the last one, or the report names the first place that moved, and
//! why; no thought that binds its prefix goes out under another.

use std::collections::HashMap;
use std::sync::Arc;

use record::{Block, CompactionKind, Entry, Fact};
use replay::{Moved, MovedReason, Prepared, Unit};
use testkit::{Api, Played, Request, Script, TARGETS};

use crate::body::{Body, conversation, lead};

pub(crate) fn check(_: &Script, played: &Played) -> Result<(), String> {
    let mut last: HashMap<(usize, Api, &str, &str), (&Request, &Prepared)> = HashMap::new();
    for request in &played.requests {
        let Ok(prepared) = &request.outcome else { continue };
        let place = |words: String| format!("{words}\nat request e{}", request.number);
        repeats(request, prepared).map_err(place)?;
        // Whether the model is let see images is its caller's: it is one target with or without.
        let row = &TARGETS[request.target];
        let key = (request.agent, row.api, row.vendor, row.model);
        if let Some((before, told)) = last.insert(key, (request, prepared)) {
            // A request of an imported body in between is what the next one is measured against.
            let since = &played.path[before.after.min(request.at)..request.at];
            if !since.iter().any(|entry| is_imported(entry)) {
                extends((before, told), (request, prepared), played).map_err(place)?;
            }
        } else if let Some(moved) = prepared.request.report().moved
            && !played.path[..request.at].iter().any(|entry| is_imported(entry))
        {
            return Err(place(format!("moved without a request before: {moved:?}")));
        }
    }
    bound(played)
}

fn is_imported(entry: &Entry) -> bool {
    matches!(&entry.fact, Fact::Sent(sent) if sent.digests.is_none())
}

/// (a) The same request again, after what it asked for was appended.
fn repeats(request: &Request, prepared: &Prepared) -> Result<(), String> {
    let Some(again) = &request.again else { return Ok(()) };
    let again = again.as_ref().map_err(|refusal| format!("again: refused: {refusal}"))?;
    let (first, second) = (prepared.request.body().to_vec(), again.request.body().to_vec());
    if first != second {
        let report = again.request.report().moved;
        return Err(format!(
            "again: other bytes, moved {report:?}\n{}\n{}",
            String::from_utf8_lossy(&first),
            String::from_utf8_lossy(&second)
        ));
    }
    if !again.append().is_empty() {
        return Err(format!("again: appends once more: {:?}", again.append()));
    }
    Ok(())
}

/// (b) and (c): the next request begins with this one, or says where it does not, and why.
fn extends(
    (before, told): (&Request, &Prepared),
    (request, prepared): (&Request, &Prepared),
    played: &Played,
) -> Result<(), String> {
    let moved = prepared.request.report().moved;
    let (old, new) = (conversation(told), conversation(prepared));
    if moved.is_none() && lead(told) == lead(prepared) && new.starts_with(&old) {
        return Ok(());
    }
    let api = TARGETS[request.target].api;
    let (told_body, now_body) = (Body::of(told, api)?, Body::of(prepared, api)?);
    let first = first_difference(&told_body, &now_body);
    let said = moved.map(|moved| moved.unit);
    if first != said || (moved.is_none() && !new.starts_with(&old)) {
        return Err(format!(
            "moved: said {moved:?}, is {first:?}\n{}\n{}",
            String::from_utf8_lossy(&told.request.body().to_vec()),
            String::from_utf8_lossy(&prepared.request.body().to_vec()),
        ));
    }
    let Some(moved) = moved else { return Ok(()) };
    let since = &played.path[before.after..request.at];
    if !has_cause(moved, since, &played.path[..request.at], before, request) {
        return Err(format!(
            "moved without a cause: {moved:?}\n{}\n{}",
            String::from_utf8_lossy(&told.request.body().to_vec()),
            String::from_utf8_lossy(&prepared.request.body().to_vec()),
        ));
    }
    Ok(())
}

/// The first unit of `old` that is not in its place in `new`.
fn first_difference(old: &Body, new: &Body) -> Option<Unit> {
    if old.parameters() != new.parameters() {
        return Some(Unit::Parameters);
    }
    if old.head() != new.head() {
        return Some(Unit::Head);
    }
    let (old, new) = (old.units(), new.units());
    let mut others = new.iter();
    for (at, unit) in old.iter().enumerate() {
        let last = at + 1 == old.len();
        let same = others.next().is_some_and(|other| {
            (other.message, other.block, other.role) == (unit.message, unit.block, unit.role)
                && (other.value == unit.value || (last && goes_on(unit.value, other.value)))
        });
        if !same {
            let at = |unit: &crate::body::Unit<'_>| (unit.message as u64, unit.block as u64);
            let position = old.iter().position(|u| at(u) == at(unit)).unwrap_or_default();
            // Where a message got one block more, that block is the first that differs.
            let place = new.get(position).map_or(at(unit), |other| at(other).min(at(unit)));
            let place = match new.get(position) {
                Some(other) if at(other) > at(unit) => at(unit),
                Some(other) if at(other) < at(unit) => at(other),
                _ => place,
            };
            return Some(Unit::Content { message: place.0, block: place.1 });
        }
    }
    None
}

/// Whether a user's message that is one text begins as another did.
fn goes_on(old: &serde_json::Value, new: &serde_json::Value) -> bool {
    let text = |value: &serde_json::Value| match &value["content"] {
        serde_json::Value::Null => Some(String::new()),
        content => content.as_str().map(str::to_owned),
    };
    let images =
        |value: &serde_json::Value| value["images"].as_array().cloned().unwrap_or_default();
    old["role"] == "user"
        && text(old).zip(text(new)).is_some_and(|(old, new)| new.starts_with(&old))
        && images(new).starts_with(&images(old))
}

/// (c) Whether what came since the last request has a cause of this kind.
fn has_cause(
    moved: Moved,
    since: &[Arc<Entry>],
    path: &[Arc<Entry>],
    before: &Request,
    request: &Request,
) -> bool {
    let any = |is: fn(&Entry) -> bool| since.iter().any(|entry| is(entry));
    let compaction = || {
        let boundary = CompactionKind::Boundary;
        let is =
            |entry: &&Arc<Entry>| matches!(&entry.fact, Fact::Compaction(c) if c.kind == boundary);
        since.iter().any(|entry| is(&entry))
    };
    let micro = || {
        any(|entry| matches!(&entry.fact, Fact::Compaction(c) if c.kind == CompactionKind::Micro))
    };
    let elsewhere = before.elsewhere < request.elsewhere;
    let retraction = || elsewhere || any(|entry| matches!(&entry.fact, Fact::Retracted(_)));
    let change = || {
        any(|entry| {
            entry.message().is_some_and(|message| {
                message.blocks.iter().any(|block| matches!(block, Block::SystemChange(_)))
            })
        })
    };
    let head = || any(|entry| matches!(&entry.fact, Fact::Head(_)));
    let principal = before.choice.principal != request.choice.principal;
    let rung = request.choice.recovery.is_some();
    let (told, now) = (&TARGETS[before.target], &TARGETS[request.target]);
    let vision = told.vision != now.vision;
    // A tool stands for those a history calls from the first of its calls on.
    let in_rounds = matches!(now.api, Api::Chat | Api::Converse);
    let calls = in_rounds && any(has_call);
    match moved.reason {
        // The place is what was compared; the request's own choice or the record's is the cause.
        MovedReason::Parameters => moved.unit == Unit::Parameters,
        MovedReason::Head => {
            head() || change() || compaction() || retraction() || calls || told.tools != now.tools
        }
        MovedReason::Authority => principal,
        MovedReason::Compaction => compaction(),
        MovedReason::Microcompaction => micro(),
        MovedReason::Retraction => retraction(),
        MovedReason::ThinkingSpan => {
            rung || request.choice.thinking == replay::ThinkingChoice::Off
                || head()
                || change()
                || principal
                || compaction()
                || micro()
                || retraction()
                || images(path)
                || vision
        }
        MovedReason::Images => images(path),
        // Whatever is told on the user side comes before it.
        MovedReason::DemotedSystemNote => any(|entry| entry.message().is_some()),
        // A round that was sent is told otherwise where the user's side follows it (K-042).
        MovedReason::Capability => {
            (vision && images(path)) || path.iter().any(waits) || (in_rounds && any(is_row))
        }
        MovedReason::Build => false,
    }
}

fn is_row(entry: &Entry) -> bool {
    entry.message().is_some()
}

fn has_call(entry: &Entry) -> bool {
    let blocks = entry.message().map(|message| message.blocks.as_slice()).unwrap_or_default();
    // A call that the provider ran stands among the blocks of Bedrock Converse as any other.
    let is_call = |block: &Block| match block {
        Block::ToolUse(_) => true,
        Block::Opaque(opaque) => &*opaque.kind == "toolUse",
        _ => false,
    };
    blocks.iter().any(is_call)
}

/// Whether a reply may wait for its provider: one it paused, or one with a server's call.
fn waits(entry: &Arc<Entry>) -> bool {
    entry.message().is_some_and(|message| {
        message.stop.as_ref().is_some_and(|stop| stop.native.is_some())
            || message.blocks.iter().any(|block| {
                matches!(block, Block::Opaque(opaque) if &*opaque.kind == "server_tool_use")
            })
    })
}

/// Whether there are images that a limit can put out.
fn images(path: &[Arc<Entry>]) -> bool {
    path.iter().any(|entry| {
        entry.message().is_some_and(|message| {
            message.blocks.iter().any(|block| match block {
                Block::Image(_) => true,
                Block::ToolResult(result) => {
                    result.content.iter().any(|part| matches!(part, record::ResultPart::Image(_)))
                }
                _ => false,
            })
        })
    })
}

/// (d) Every thought on a binding target goes out under the prefix its reply was produced under.
fn bound(played: &Played) -> Result<(), String> {
    let binds = |target: usize| {
        let model = TARGETS[target].model;
        model.ends_with("claude-opus-5-5") || model == "gpt-6"
    };
    if !played.requests.iter().any(|request| binds(request.target)) {
        return Ok(());
    }
    let mut replies: HashMap<String, (&Entry, usize)> = HashMap::new();
    for (at, entry) in played.path.iter().enumerate() {
        let blocks = entry.message().map(|message| message.blocks.as_slice()).unwrap_or_default();
        for block in blocks {
            if let Block::Reasoning(thought) = block
                && let Some(proof) = &thought.proof
            {
                replies.insert(proof.sealed.as_str().trim_matches('"').to_owned(), (entry, at));
            }
        }
    }
    for request in played.requests.iter().filter(|request| binds(request.target)) {
        let Ok(prepared) = &request.outcome else { continue };
        let bytes = conversation(prepared);
        let bytes = String::from_utf8_lossy(&bytes);
        let names = ["thinking\"", "\"reasoning\"", "\"reasoningContent\""];
        if !names.iter().any(|name| bytes.contains(name)) {
            continue;
        }
        let api = TARGETS[request.target].api;
        let body = Body::of(prepared, api)?;
        for unit in body.units() {
            let thought = &unit.value["reasoningContent"];
            let sealed = match unit.value["type"].as_str() {
                Some("thinking") => unit.value["signature"].as_str(),
                Some("redacted_thinking") => unit.value["data"].as_str(),
                Some("reasoning") => {
                    unit.value["encrypted_content"].as_str().or(unit.value["id"].as_str())
                }
                _ => thought["reasoningText"]["signature"]
                    .as_str()
                    .or(thought["redactedContent"].as_str()),
            };
            if sealed.is_none() {
                continue;
            }
            let Some((reply, at)) = sealed.and_then(|sealed| replies.get(sealed)) else { continue };
            let place = |words: &str| {
                format!(
                    "thought {} {words}\nof {} at request e{}\n{}",
                    sealed.unwrap_or_default(),
                    reply.id,
                    request.number,
                    String::from_utf8_lossy(&prepared.request.body().to_vec()),
                )
            };
            let answers = reply.message().and_then(|message| message.answers.as_ref());
            let asked = answers.and_then(|id| asked_by(played, id));
            let imported =
                |id: &record::EntryId| played.path.iter().any(|e| e.id == *id && is_imported(e));
            // An imported request shows its prefix to be whole; it named no authority.
            if played.path[*at..request.at].iter().any(|entry| is_imported(entry))
                || answers.is_some_and(imported)
            {
                if asked.is_none() && request.now.principal.is_some() {
                    return Err(place("goes out under an authority, and was read without one"));
                }
                continue;
            }
            let Some((asked, told)) = asked else {
                return Err(place("goes out, though no request is known that it answers"));
            };
            if !binds(asked.target) || !TARGETS[asked.target].is_same(&TARGETS[request.target]) {
                return Err(place("was produced for another target"));
            }
            let produced = Body::of(told, api)?;
            let (old, new) = (produced.units(), body.units());
            let mut ahead: Vec<_> = new.iter().filter(|u| u.message < unit.message).collect();
            // What the same reply said before it is an item of its own.
            while ahead.len() > old.len() && ahead.last().is_some_and(|unit| is_replied(unit)) {
                ahead.pop();
            }
            let same = produced.head() == body.head()
                && ahead.len() == old.len()
                && old.iter().zip(&ahead).all(|(old, new)| {
                    (old.message, old.block, old.role, old.value)
                        == (new.message, new.block, new.role, new.value)
                });
            if !same {
                return Err(format!(
                    "{}\nproduced under\n{}",
                    place("goes out under another prefix"),
                    String::from_utf8_lossy(&told.request.body().to_vec()),
                ));
            }
        }
    }
    Ok(())
}

/// Whether an item is one of a reply.
fn is_replied(unit: &crate::body::Unit<'_>) -> bool {
    let kind = unit.value["type"].as_str().unwrap_or_default();
    kind == "reasoning"
        || kind.ends_with("_call")
        || kind == "output_text"
        || unit.value["role"] == "assistant"
}

/// The request that appended this `sent`, or repeated it.
fn asked_by<'p>(played: &'p Played, id: &record::EntryId) -> Option<(&'p Request, &'p Prepared)> {
    played.requests.iter().rev().find_map(|request| {
        let prepared = request.outcome.as_ref().ok()?;
        prepared.append().iter().any(|entry| entry.id == *id).then_some((request, prepared))
    })
}
