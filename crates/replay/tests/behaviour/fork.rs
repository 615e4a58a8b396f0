//! A fork: the path under new ids, with every reference mapped.

use std::collections::HashMap;
use std::sync::Arc;

use record::{Block, BlockRef, Entry, EntryId, Fact, Fill, Sent};

use crate::history::{
    History, OPUS_5_5, at, body, call, clearing, extends, result, retraction, thought,
};

/// The path of a copy, as a fork makes it.
fn fork(path: &[Arc<Entry>]) -> Vec<Arc<Entry>> {
    let ids: HashMap<EntryId, EntryId> = path
        .iter()
        .map(|entry| (entry.id.clone(), EntryId::new(format!("fork/{}", entry.id))))
        .collect();
    let id = |id: &EntryId| ids.get(id).unwrap_or(id).clone();
    let block = |at: &BlockRef| BlockRef { row: id(&at.row), block: at.block };
    let fill = |fill: &Fill| match fill {
        Fill::Gap { call, wording } => Fill::Gap { call: block(call), wording: wording.clone() },
        Fill::CallId { call, wire_id } => {
            Fill::CallId { call: block(call), wire_id: wire_id.clone() }
        }
        Fill::Continue { after } => Fill::Continue { after: id(after) },
        Fill::ThinkingOut { from, to, reason } => {
            Fill::ThinkingOut { from: id(from), to: id(to), reason: reason.clone() }
        }
        other => panic!("this history has no {other:?}"),
    };
    let fact = |fact: &Fact| match fact {
        Fact::Message(message) => {
            let mut message = message.clone();
            message.answers = message.answers.as_ref().map(id);
            Fact::Message(message)
        }
        Fact::Sent(sent) => Fact::Sent(Box::new(Sent {
            covers: sent.covers.as_ref().map(id),
            fills: sent.fills.iter().map(fill).collect(),
            ..(**sent).clone()
        })),
        Fact::Compaction(compaction) => {
            let mut compaction = compaction.clone();
            compaction.retained_from = compaction.retained_from.as_ref().map(id);
            compaction.cleared = compaction.cleared.iter().map(block).collect();
            Fact::Compaction(compaction)
        }
        Fact::Retracted(retracted) => {
            let mut retracted = retracted.clone();
            retracted.blocks = retracted.blocks.iter().map(block).collect();
            Fact::Retracted(retracted)
        }
        Fact::CallStarted(_) | Fact::Head(_) | Fact::Opaque(_) => fact.clone(),
    };
    let copy = |entry: &Arc<Entry>| {
        Arc::new(Entry {
            id: id(&entry.id),
            parent: entry.parent.as_ref().map(id),
            fact: fact(&entry.fact),
            ..(**entry).clone()
        })
    };
    path.iter().map(copy).collect()
}

/// 136
#[test]
fn a_forks_first_request_has_the_sources_prefix_byte_for_byte() {
    let mut source = History::default();
    source.user("go");
    source.send(OPUS_5_5);
    let a = call("a|1", "ls", "{}");
    source.answer(OPUS_5_5, vec![thought(OPUS_5_5, "t", "s"), Block::text("first"), a.clone()]);
    let listed = source.results(vec![result("a|1", &"x".repeat(500))]);
    source.send(OPUS_5_5);
    source.answer(OPUS_5_5, vec![thought(OPUS_5_5, "u", "v"), a]);
    source.user("stop");
    source.send(OPUS_5_5);
    source.answer(OPUS_5_5, vec![Block::text("stopped")]);
    source.results(vec![result("a|1", "late")]);
    source.fact(clearing(vec![at(&listed, 0)]));
    let secret = source.user("secret");
    source.fact(retraction(vec![at(&secret, 0)], vec![]));
    source.user("on");
    let last = source.send(OPUS_5_5);
    source.answer(OPUS_5_5, vec![thought(OPUS_5_5, "w", "x"), Block::text("end")]);
    source.user("next");
    let copy = History { path: fork(&source.path) };
    let next = copy.prepare(OPUS_5_5).expect("a request");
    assert!(extends(&next, &last), "{}\n{}", body(&last), body(&next));
    assert!(next.request.report().moved.is_none());
    assert_eq!(
        next.request.body().to_vec(),
        source.prepare(OPUS_5_5).expect("a request").request.body().to_vec()
    );
    assert!(next.request.report().thoughts > 0);
}
