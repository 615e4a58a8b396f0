//! Compactions in a format that has none: the handoff takes the place of what it replaced.

use json::{Object, Raw, Text};
use record::{Compaction, CompactionKind, Entry, EntryId};

/// A handoff as a message of role and content: whether it is the user's, and what it says.
pub(crate) fn message(by_user: bool, handoff: &Text) -> Raw {
    let mut object = Object::new();
    object.string("role", if by_user { "user" } else { "assistant" });
    object.text("content", handoff);
    object.finish()
}

/// Replaces the messages before a boundary by its handoff, in this form, and what it names as kept.
pub(crate) fn compact(
    messages: &mut Vec<(EntryId, Raw)>,
    entry: &Entry,
    compaction: &Compaction,
    message: fn(bool, &Text) -> Raw,
) {
    let valid = compaction.kind == CompactionKind::Boundary && compaction.is_valid();
    let Some(handoff) = compaction.handoff.as_ref().filter(|_| valid) else { return };
    let from = compaction.retained_from.as_ref();
    let start = from.and_then(|id| messages.iter().position(|(kept, _)| kept == id));
    let kept = std::mem::take(messages).into_iter().enumerate();
    let kept = kept.filter(|(index, (id, _))| {
        start.is_some_and(|start| *index >= start) || compaction.retained.contains(id)
    });
    let handoff = (entry.id.clone(), message(compaction.handoff_by_user, handoff));
    *messages = std::iter::once(handoff).chain(kept.map(|(_, kept)| kept)).collect();
}
