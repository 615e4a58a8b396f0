//! Replies whose proofs cannot be read back: told to a hook, which can keep nothing from being
//! sent.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use record::{Entry, EntryId, Source};
use replay::{Change, ChangeKind, Prepared};

/// A reply that a request carries from its blocks alone (`INVALID_REPLAY_STATE`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Degraded<'r> {
    /// Its row.
    pub row: &'r EntryId,
    /// Who served the model; empty where the row does not say.
    pub provider: &'r str,
    /// The model; empty where the row does not say.
    pub model: &'r str,
    /// Why its proofs cannot be read.
    pub reason: &'r str,
}

/// The replies of a path that a request carries from their blocks alone, each once.
pub fn degraded<'r>(prepared: &'r Prepared, path: &'r [Arc<Entry>]) -> Vec<Degraded<'r>> {
    let changes = prepared.request.report().changes();
    let is_degraded = |change: &&Change| change.kind == ChangeKind::InvalidReplayState;
    let degraded: Vec<&Change> = changes.filter(is_degraded).collect();
    if degraded.is_empty() {
        return Vec::new();
    }
    let rows: HashMap<&EntryId, &Entry> =
        path.iter().rev().map(|entry| (&entry.id, &**entry)).collect();
    degraded
        .into_iter()
        .filter_map(|change| {
            let row = change.row.as_ref()?;
            let message = rows.get(row).and_then(|entry| entry.message());
            let (provider, model) = match message.and_then(|message| message.source.as_ref()) {
                Some(Source::Model { platform, model, .. }) => (platform.as_str(), model.as_str()),
                Some(
                    Source::User | Source::Tool { .. } | Source::Runtime { .. } | Source::Other(_),
                )
                | None => ("", ""),
            };
            let reason = change.detail.as_deref().unwrap_or_default();
            Some(Degraded { row, provider, model, reason })
        })
        .collect()
}

/// Tells a hook of each of them. The request is made by then, and a hook that panics is contained:
/// the others are told all the same. Gives how many times it did.
pub fn on_replay_degrade(
    prepared: &Prepared,
    path: &[Arc<Entry>],
    hook: &mut dyn FnMut(&Degraded<'_>),
) -> usize {
    let told = degraded(prepared, path);
    let panics = |one: &&Degraded<'_>| catch_unwind(AssertUnwindSafe(|| hook(one))).is_err();
    told.iter().filter(panics).count()
}
