//! One path: fed in any division, with requests made between that never left, and after another
//! path, a replayer gives equal bytes and an equal report.

use std::sync::Arc;

use record::{Block, Entry, EntryId, Fact, Message, Role};
use replay::{Change, Moved, Now, Reader, Refusal, Replayer};
use testkit::{AGENTS, Played, Rng, Script, target};

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
        append: prepared.append.clone(),
    })
}

fn fresh(script: &Script) -> Replayer {
    Replayer::new(Reader::plain(AGENTS[0]), target(script.primary))
}

pub(crate) fn check(script: &Script, played: &Played) -> Result<(), String> {
    let mut rng = Rng::new(script.seed ^ 0xABCD);
    let path = &played.path;
    let now = Now { id: Some("now".into()), ..Now::default() };
    let mut at_once = fresh(script);
    at_once.feed(path);
    let wanted = outcome(&mut at_once, &now);
    same("asked twice", &wanted, &outcome(&mut at_once, &now))?;

    let mut divided = fresh(script);
    let mut at = 0;
    while at < path.len() {
        at = (at + 1 + rng.below(3 + path.len() / 100)).min(path.len());
        divided.feed(&path[..at]);
        if rng.one_in(path.len() / 3 + 1) {
            let prepared = divided.prepare(&now);
            if let Ok(prepared) = prepared {
                let body = prepared.request.body().to_vec();
                valid::accepted(&body, prepared.request.betas())
                    .map_err(|words| format!("{words}\nat prefix {at}"))?;
            }
        }
    }
    same("divided", &wanted, &outcome(&mut divided, &now))?;

    // Each of these costs a fold more: they take turns.
    if rng.one_in(2) {
        let mut elsewhere = fresh(script);
        elsewhere.feed(&other_path(path, rng.below(path.len() + 1)));
        if rng.one_in(2) {
            let _ = elsewhere.prepare(&now);
        }
        elsewhere.feed(path);
        return same("after another path", &wanted, &outcome(&mut elsewhere, &now));
    }

    // What the session's own replayer gave is what one that is new to the record gives.
    if let Some(request) = played.requests.get(rng.below(played.requests.len())) {
        let mut other = Replayer::new(Reader::plain(AGENTS[request.agent]), target(request.target));
        other.feed(&path[..request.at]);
        let live = request.outcome.as_ref().map_err(Clone::clone).map(|prepared| Outcome {
            body: prepared.request.body().to_vec(),
            changes: prepared.request.report().changes().cloned().collect(),
            moved: prepared.request.report().moved,
            append: prepared.append.clone(),
        });
        same("reopened", &live, &outcome(&mut other, &request.now))
            .map_err(|words| format!("{words}\nat request e{}", request.number))?;
    }
    Ok(())
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
