//! Entries find their place: ids, parents and seqs that the lines left open, and no cycle.

use std::collections::HashMap;
use std::sync::Arc;

use json::{Raw, Text};

use crate::entry::{Entry, EntryId};
use crate::finding::FindingKind;
use crate::jsonl::entry::{Parent, Parsed};
use crate::jsonl::fields::Context;
use crate::jsonl::reader::Pending;

/// The entries in order of lines, each with an id of its own and a parent that is in the record.
pub(super) fn settle(
    context: &mut Context,
    mut pending: Vec<Pending>,
    mut ids: HashMap<EntryId, usize>,
) -> Vec<Arc<Entry>> {
    let names = name(&context.file, &mut pending, &mut ids);
    let parents = place(context, &mut pending, &names, &ids);
    let mut seq = None;
    let mut entries = Vec::with_capacity(pending.len());
    for ((pending, id), parent) in pending.into_iter().zip(&names).zip(parents) {
        let Parsed { seq: own, time, fact, origin, rest, .. } = pending.parsed;
        let order = own.unwrap_or_else(|| seq.map_or(0, |seq: u64| seq.saturating_add(1)));
        seq = Some(order);
        let parent = parent.and_then(|index| names.get(index)).cloned();
        entries.push(Arc::new(Entry {
            id: id.clone(),
            parent,
            seq: order,
            time,
            fact,
            origin,
            rest,
        }));
    }
    entries
}

/// Gives an id to every entry without one, after all written ids are known.
fn name(file: &str, pending: &mut [Pending], ids: &mut HashMap<EntryId, usize>) -> Vec<EntryId> {
    let mut names = Vec::with_capacity(pending.len());
    for (index, entry) in pending.iter_mut().enumerate() {
        let id = entry.parsed.id.take().unwrap_or_else(|| {
            let mut name = format!("legacy:{file}:{}", entry.place.line);
            while ids.contains_key(name.as_str()) {
                name.push('+');
            }
            let id = EntryId::new(name);
            ids.insert(id.clone(), index);
            id
        });
        names.push(id);
    }
    names
}

/// The index of every entry's parent.
///
/// Parents that come earlier cannot form a cycle. One that comes later is taken only where it does
/// not lead back to its child; what cannot be taken is reported, and file order stands in.
fn place(
    context: &mut Context,
    pending: &mut [Pending],
    names: &[EntryId],
    ids: &HashMap<EntryId, usize>,
) -> Vec<Option<usize>> {
    let mut tops = Tops::new(pending.len());
    let mut parents = vec![None; pending.len()];
    let mut later = Vec::new();
    for (index, (entry, parent)) in pending.iter_mut().zip(&mut parents).enumerate() {
        let before = index.checked_sub(1);
        let found = match &entry.parsed.parent {
            Parent::Root => None,
            Parent::Before => before,
            Parent::Named(named) if before.and_then(|at| names.get(at)) == Some(named) => before,
            Parent::Named(named) => match ids.get(named) {
                Some(found) if *found < index => Some(*found),
                Some(found) => {
                    later.push((index, *found));
                    continue;
                }
                None => {
                    dangling(context, entry, "is not in the record");
                    before
                }
            },
        };
        *parent = found;
        tops.join(index, found);
    }
    for (index, found) in later {
        let mut parent = Some(found);
        if !tops.join(index, parent) {
            parent = index.checked_sub(1);
            if let Some(entry) = pending.get_mut(index) {
                dangling(context, entry, "leads back to the entry itself");
            }
            if !tops.join(index, parent) {
                parent = None;
            }
        }
        if let Some(slot) = parents.get_mut(index) {
            *slot = parent;
        }
    }
    parents
}

/// Reports a parent that cannot be taken, and keeps what was written.
fn dangling(context: &mut Context, entry: &mut Pending, what: &str) {
    if let Parent::Named(parent) = &entry.parsed.parent {
        let detail = format!("parent `{parent}` {what}; the entry before stands in");
        context.found_at(FindingKind::DanglingParent, entry.place, detail);
        if entry.parsed.rest.get("parent_id").is_none() {
            let written = Raw::string(&Text::new(parent.as_str()));
            entry.parsed.rest.push("parent_id".into(), written);
        }
    }
}

/// The topmost known ancestor of each entry, found in almost constant time.
struct Tops(Vec<usize>);

impl Tops {
    fn new(count: usize) -> Tops {
        Tops((0..count).collect())
    }

    fn top(&mut self, mut index: usize) -> usize {
        loop {
            let above = self.0.get(index).copied().unwrap_or(index);
            if above == index {
                return index;
            }
            let further = self.0.get(above).copied().unwrap_or(above);
            if let Some(slot) = self.0.get_mut(index) {
                *slot = further;
            }
            index = above;
        }
    }

    /// Puts an entry without parent under one; `false` where that would close a cycle.
    fn join(&mut self, index: usize, parent: Option<usize>) -> bool {
        let Some(parent) = parent else { return true };
        let top = self.top(parent);
        if top == index {
            return false;
        }
        if let Some(slot) = self.0.get_mut(index) {
            *slot = top;
        }
        true
    }
}
