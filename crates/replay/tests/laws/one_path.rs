//! One path: fed in any division, with requests made between that never left, and after another
//! path, a replayer gives equal bytes and an equal report.

use std::sync::Arc;

use record::{Block, Entry, EntryId, Fact, Message, Role};
use replay::{Change, Moved, Now, Reader, Refusal, Replayer};
use testkit::{AGENTS, Played, Rng, Script, TARGETS, target};

use crate::valid;

/// What a request comes to.
#[derive(Debug, PartialEq)]
struct Outcome {
    body: Vec<u8>,
    changes: Vec<Change>,
    moved: Option<Moved>,
    append: Vec<Entry>,
}

fn outcome(replayer: &mut Replayer, now: &Now) -> Result<Outcome, Refusal> {
    let prepared = replayer.prepare(now)?;
    let report = prepared.request.report();
    Ok(Outcome {
        body: prepared.request.body().to_vec(),
        changes: report.changes().cloned().collect(),
        moved: report.moved,
        append: prepared.append().to_vec(),
    })
}

fn fresh(script: &Script) -> Replayer {
    Replayer::new(Reader::plain(AGENTS[0]), target(script.primary))
}

/// Each of these costs a fold or two: they take turns, by seed.
pub(crate) fn check(script: &Script, played: &Played) -> Result<(), String> {
    let mut rng = Rng::new(script.seed ^ 0xABCD);
    match rng.below(4) {
        0 | 1 => divided(script, played, &mut rng),
        2 => after_another_path(script, played, &mut rng),
        _ => reopened(played, &mut rng),
    }
}

/// The arguments of every request here.
fn now() -> Now {
    Now { id: Some("now".into()), ..Now::default() }
}

fn at_once(script: &Script, played: &Played) -> Result<Outcome, Refusal> {
    let mut replayer = fresh(script);
    replayer.retract(&played.elsewhere);
    replayer.feed(&played.path);
    outcome(&mut replayer, &now())
}

/// Fed in pieces, with requests between that never left; those are valid too.
fn divided(script: &Script, played: &Played, rng: &mut Rng) -> Result<(), String> {
    let path = &played.path;
    let mut replayer = fresh(script);
    let mut at = 0;
    while at < path.len() {
        at = (at + 1 + rng.below(3 + path.len() / 100)).min(path.len());
        replayer.feed(&path[..at]);
        if rng.one_in(4) {
            replayer.retract(&played.elsewhere);
        }
        if rng.one_in(path.len() / 3 + 1)
            && let Ok(prepared) = replayer.prepare(&now())
        {
            let body = prepared.request.body().to_vec();
            valid::accepted(&TARGETS[script.primary], &body, prepared.request.betas())
                .map_err(|words| format!("{words}\nat prefix {at}"))?;
        }
    }
    replayer.retract(&played.elsewhere);
    let wanted = at_once(script, played);
    same("divided", &wanted, &outcome(&mut replayer, &now()))?;
    same("asked twice", &wanted, &outcome(&mut replayer, &now()))
}

fn after_another_path(script: &Script, played: &Played, rng: &mut Rng) -> Result<(), String> {
    let path = &played.path;
    let mut replayer = fresh(script);
    replayer.feed(&other_path(path, rng.below(path.len() + 1)));
    if rng.one_in(2) {
        let _ = replayer.prepare(&now());
    }
    replayer.feed(path);
    replayer.retract(&played.elsewhere);
    same("after another path", &at_once(script, played), &outcome(&mut replayer, &now()))
}

/// What the session's own replayer gave is what one that is new to the record gives.
fn reopened(played: &Played, rng: &mut Rng) -> Result<(), String> {
    let Some(request) = played.requests.get(rng.below(played.requests.len())) else {
        return Ok(());
    };
    let mut replayer = Replayer::new(Reader::plain(AGENTS[request.agent]), target(request.target));
    replayer.retract(&played.elsewhere[..request.elsewhere]);
    replayer.feed(&played.path[..request.at]);
    let live = request.outcome.as_ref().map_err(Clone::clone).map(|prepared| Outcome {
        body: prepared.request.body().to_vec(),
        changes: prepared.request.report().changes().cloned().collect(),
        moved: prepared.request.report().moved,
        append: prepared.append().to_vec(),
    });
    same("reopened", &live, &outcome(&mut replayer, &request.now))
        .map_err(|words| format!("{words}\nat request e{}", request.number))
}

/// A path that leaves this one after `keep` entries.
fn other_path(path: &[Arc<Entry>], keep: usize) -> Vec<Arc<Entry>> {
    let mut other = path[..keep].to_vec();
    for at in 0..3u64 {
        let role = if at == 1 { Role::Assistant } else { Role::User };
        other.push(Arc::new(Entry {
            id: EntryId::new(format!("other{at}")),
            parent: other.last().map(|entry| entry.id.clone()),
            seq: other.len() as u64,
            time: None,
            fact: Fact::Message(Box::new(Message::new(role, vec![Block::text("elsewhere")]))),
            origin: None,
            rest: record::Rest::default(),
        }));
    }
    other
}

fn same(
    how: &str,
    wanted: &Result<Outcome, Refusal>,
    got: &Result<Outcome, Refusal>,
) -> Result<(), String> {
    if wanted == got {
        return Ok(());
    }
    let (Ok(wanted), Ok(got)) = (wanted, got) else {
        let refused = |outcome: &Result<Outcome, Refusal>| outcome.as_ref().err().cloned();
        return Err(format!("{how}: refusals {:?} and {:?}", refused(wanted), refused(got)));
    };
    let text = |outcome: &Outcome| String::from_utf8_lossy(&outcome.body).into_owned();
    if wanted.body != got.body {
        return Err(format!("{how}: other bytes\n{}\n{}", text(wanted), text(got)));
    }
    if wanted.changes != got.changes {
        return Err(format!("{how}: other changes\n{:?}\n{:?}", wanted.changes, got.changes));
    }
    if wanted.moved != got.moved {
        return Err(format!("{how}: moved {:?} and {:?}\n{}", wanted.moved, got.moved, text(got)));
    }
    Err(format!("{how}: other entries to append\n{:?}\n{:?}", wanted.append, got.append))
}
