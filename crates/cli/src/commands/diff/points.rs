//! Two points of a session: the requests that replay makes of them, and why the second does not
//! extend the first.
//!
//! The second is made as it would be had the first been sent: what was said stays said. What was
//! retracted since is in neither.

use std::sync::Arc;

use stenograph::At;
use stenograph::record::{
    Block, CompactionKind, Entry, EntryId, Fact, Message, Role, Source as Author,
};
use stenograph::replay::{Moved, MovedReason};

use super::Side;
use crate::commands::replay;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::place::no_such_place;
use crate::view::View;
use crate::words;

/// Two requests of a session.
pub struct Points {
    pub before: Side,
    pub after: Side,
    /// Tokens that the provider counted in the first, where the record says so.
    pub tokens: Option<u64>,
    pub reason: Option<Reason>,
}

/// What the record says about why a request does not extend the one before.
#[derive(Debug)]
pub struct Reason {
    pub moved: Moved,
    /// The entries since that can have brought it about.
    pub entries: Vec<EntryId>,
}

/// The requests of two points: of the entries named, or of the last reply and of now.
pub fn of(view: &View, at: &[String]) -> Result<Points, Failure> {
    let path = |entry: &String| {
        let found = view.session.path(At::Entry(entry));
        found.map_err(|error| no_such_place(&view.name, &error))
    };
    let (before, after) = match at {
        [] => (before_last_reply(view)?, view.path.clone()),
        [before] => (path(before)?, view.path.clone()),
        [before, after, ..] => (path(before)?, path(after)?),
    };
    let refused = |refusal| replay::refused(view, &refusal);
    let first = view.prepared_of(&before).map_err(refused)?;
    let since = after.get(before.len()..).filter(|_| is_prefix(&before, &after));
    let second = match since {
        Some(since) => {
            let sent = first.append().iter().cloned().map(Arc::new);
            let told: Vec<Arc<Entry>> =
                before.iter().cloned().chain(sent).chain(since.iter().cloned()).collect();
            view.prepared_of(&told).map_err(refused)?
        }
        None => view.prepared_of(&after).map_err(refused)?,
    };
    let since = since.unwrap_or_default();
    let moved = second.request.report().moved.filter(|_| !since.is_empty());
    let name = |path: &[Arc<Entry>]| match path.last() {
        Some(entry) => format!("{} up to {}", view.name, words::short(&entry.id)),
        None => view.name.clone(),
    };
    Ok(Points {
        before: Side::made(name(&before), &first, &view.to, &view.model),
        after: Side::made(name(&after), &second, &view.to, &view.model),
        tokens: counted(view, since),
        reason: moved.map(|moved| Reason { moved, entries: causes(moved.reason, since) }),
    })
}

/// The path up to the last reply.
fn before_last_reply(view: &View) -> Result<Vec<Arc<Entry>>, Failure> {
    let is_reply = |entry: &Arc<Entry>| is_of(entry, Role::Assistant);
    let last = view.path.iter().rposition(is_reply);
    let before = last.and_then(|at| view.path.get(..at)).unwrap_or_default();
    if !before.iter().any(|entry| entry.message().is_some()) {
        let what = format!("no two requests in `{}`", view.name);
        let cause = "no reply follows a first one";
        return Err(Failure::told(Exit::No, what, cause, "name two entries with `--at`"));
    }
    Ok(before.to_vec())
}

fn is_prefix(before: &[Arc<Entry>], after: &[Arc<Entry>]) -> bool {
    let last = before.last().map(|entry| &entry.id);
    let at = before.len().checked_sub(1).and_then(|at| after.get(at));
    before.is_empty() || last == at.map(|entry| &entry.id)
}

fn is_of(entry: &Entry, role: Role) -> bool {
    entry.message().is_some_and(|message| message.role == role)
}

/// What the provider counted in the first request: the usage of the reply that follows it, where
/// that came from the model the request is made for, and the record says which tools it had. Else
/// what was counted is another request.
fn counted(view: &View, since: &[Arc<Entry>]) -> Option<u64> {
    let reply = since.iter().find_map(|entry| entry.message())?;
    let is_models = match &reply.source {
        Some(Author::Model { api, model, .. }) => {
            api.as_str() == view.dialect() && model.as_str() == view.model
        }
        Some(Author::User | Author::Tool { .. } | Author::Runtime { .. } | Author::Other(_))
        | None => false,
    };
    let is_asked = reply.role == Role::Assistant && is_models && view.has_tools();
    let usage = reply.usage.as_ref().filter(|_| is_asked)?;
    let cached = usage.cache_creation_input_tokens.checked_add(usage.cache_read_input_tokens)?;
    usage.input_tokens.checked_add(cached).filter(|tokens| *tokens > 0)
}

/// The entries of a kind that moves a prefix for this reason.
fn causes(reason: MovedReason, since: &[Arc<Entry>]) -> Vec<EntryId> {
    let is_cause = |entry: &&Arc<Entry>| match (&entry.fact, reason) {
        (Fact::Compaction(compaction), MovedReason::Compaction) => {
            compaction.kind == CompactionKind::Boundary
        }
        (Fact::Compaction(compaction), MovedReason::Microcompaction) => {
            compaction.kind == CompactionKind::Micro
        }
        (Fact::Head(_), MovedReason::Head) => true,
        (Fact::Message(message), MovedReason::Head) => changes_head(message),
        _ => false,
    };
    since.iter().filter(is_cause).map(|entry| entry.id.clone()).collect()
}

fn changes_head(message: &Message) -> bool {
    message.blocks.iter().any(|block| matches!(block, Block::SystemChange(_)))
}
