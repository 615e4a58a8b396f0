//! What later entries say about earlier ones: retractions, clearings, compactions, and the fills of
//! what was told to this agent and target.
//!
//! An edit that concerns something already folded sends the fold back to its start; folding from
//! scratch knows every edit before the first row. Both give the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use json::Text;
use record::{
    BlockRef, CompactionKind, Entry, EntryId, Fact, Fill, GapWording, Message, Role, Rung, Sent,
};

use crate::bind::call_of;
use crate::fold::Found;
use crate::read::Reader;
use crate::read::lookup::{Answers, Positions, Results};
use crate::report::MovedReason;
use crate::target::Target;

/// An edit of the view, and the place of the entry that made it.
#[derive(Clone, Debug)]
pub(crate) struct EditEvent {
    /// Position of the entry on the path.
    pub(crate) at: u32,
    pub(crate) reason: MovedReason,
    /// What it concerns; `None` is the whole view.
    pub(crate) block: Option<BlockRef>,
    /// Which of the retractions on other branches it is of, if it is.
    pub(crate) elsewhere: Option<usize>,
}

/// The last request of this agent to this target on this path.
#[derive(Clone, Debug)]
pub(crate) struct Baseline {
    pub(crate) index: u32,
    pub(crate) entry: Arc<Entry>,
}

impl Baseline {
    pub(crate) fn sent(&self) -> Option<&Sent> {
        match &self.entry.fact {
            Fact::Sent(sent) => Some(sent),
            Fact::Message(_)
            | Fact::CallStarted(_)
            | Fact::Compaction(_)
            | Fact::Head(_)
            | Fact::Retracted(_)
            | Fact::Opaque(_) => None,
        }
    }
}

/// Everything later entries say about earlier ones, for one reader and target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits {
    pub(crate) retracted: BTreeSet<BlockRef>,
    /// Ids of the calls among them.
    retracted_calls: BTreeSet<Text>,
    /// Which call of such an id each result answers.
    answers: Answers,
    pub(crate) retracted_entries: BTreeSet<EntryId>,
    pub(crate) cleared: BTreeSet<BlockRef>,
    pub(crate) gaps: BTreeMap<BlockRef, GapWording>,
    pub(crate) call_ids: BTreeMap<BlockRef, Text>,
    pub(crate) images_out: BTreeSet<(BlockRef, u32)>,
    /// By row, the first request that ended with the prompt.
    pub(crate) continues: BTreeMap<EntryId, u32>,
    /// Position ranges whose thinking is out, both ends included.
    pub(crate) thinking_out: Spans,
    /// The same, found while folding: what an imported request would not have had so.
    deviations: Spans,
    /// The same, as the request being made proposes it.
    pub(crate) thinking_proposed_out: Spans,
    /// Requests of this agent to this target: a reply to one was made under its prefix.
    pub(crate) own_sents: BTreeSet<EntryId>,
    /// Rows up to here were sent as they stand, in a request that was imported.
    pub(crate) proven_through: Option<u32>,
    /// Paused rows that were not resumed, and the row at which that was seen.
    abandoned_pauses: BTreeMap<u32, u32>,
    /// The same, found while folding.
    found_pauses: BTreeMap<u32, u32>,
    pub(crate) rung: Option<Rung>,
    pub(crate) events: Vec<EditEvent>,
    pub(crate) baseline: Option<Baseline>,
    /// The last request of this agent, where it was imported.
    pub(crate) imported: Option<Arc<Entry>>,
    /// The last reply, while nothing but what resumes it may follow.
    paused: Option<u32>,
}

impl Edits {
    /// Reads the entries of `path` from `from` on; whether one of them concerns a row before it.
    pub(crate) fn scan(
        &mut self,
        path: &[Arc<Entry>],
        from: usize,
        reader: &Reader,
        target: &Target,
    ) -> bool {
        let mut concerns_folded = false;
        let new = path.get(from..).unwrap_or_default();
        let (positions, results) = (Positions::new(path), Results::default());
        for (entry, at) in new.iter().zip(from..) {
            let (positions, results) = (&positions, &results);
            let scope = Scope { path, positions, results, from, at: at as u32 };
            concerns_folded |= match &entry.fact {
                Fact::Message(message) => self.message(message, &scope, reader),
                Fact::CallStarted(_) | Fact::Head(_) | Fact::Opaque(_) => false,
                Fact::Compaction(compaction) => match compaction.kind {
                    CompactionKind::Boundary => {
                        if compaction.is_valid() {
                            self.event(scope.at, MovedReason::Compaction, None);
                        }
                        compaction.is_valid() && from > 0
                    }
                    CompactionKind::Micro => self.clear(&compaction.cleared, &scope),
                },
                Fact::Retracted(retracted) => self.retract(retracted, &scope),
                Fact::Sent(sent) => self.sent(entry, sent, &scope, reader, target),
            };
        }
        if !self.retracted_calls.is_empty() {
            self.answers.read(path, &self.retracted_calls);
        }
        concerns_folded
    }

    /// Retractions that stand on other branches; what they name may be on this path.
    pub(crate) fn retract_elsewhere(&mut self, path: &[Arc<Entry>], elsewhere: &[Arc<Entry>]) {
        let (positions, results) = (&Positions::new(path), &Results::default());
        let scope = Scope { path, positions, results, from: 0, at: 0 };
        for (nth, entry) in elsewhere.iter().enumerate() {
            if let Fact::Retracted(retracted) = &entry.fact {
                let known = self.events.len();
                self.retract(retracted, &scope);
                for event in self.events.iter_mut().skip(known) {
                    event.elsewhere = Some(nth);
                }
            }
        }
    }

    /// Sees a paused turn that the next row does not resume; whether it was folded as paused.
    fn message(&mut self, message: &Message, scope: &Scope<'_>, reader: &Reader) -> bool {
        if !reader.sees(message) {
            return false;
        }
        let given_up = self.paused.take().filter(|_| message.role != Role::Assistant);
        if let Some(row) = given_up {
            self.abandoned_pauses.insert(row, scope.at);
        }
        let native = message.stop.as_ref().and_then(|stop| stop.native.as_deref());
        let pauses = message.role == Role::Assistant && native == Some("pause_turn");
        self.paused = pauses.then_some(scope.at);
        given_up.is_some_and(|row| (row as usize) < scope.from)
    }

    fn event(&mut self, at: u32, reason: MovedReason, block: Option<BlockRef>) {
        self.events.push(EditEvent { at, reason, block, elsewhere: None });
    }

    fn clear(&mut self, cleared: &[BlockRef], scope: &Scope<'_>) -> bool {
        let mut folded = false;
        for block in cleared {
            folded |= scope.is_folded(&block.row);
            self.event(scope.at, MovedReason::Microcompaction, Some(block.clone()));
            self.cleared.insert(block.clone());
        }
        folded
    }

    fn retract(&mut self, retracted: &record::Retracted, scope: &Scope<'_>) -> bool {
        let mut folded = false;
        for block in &retracted.blocks {
            folded |= scope.is_folded(&block.row);
            self.retract_block(scope, block.clone());
        }
        for id in &retracted.entries {
            folded |= scope.is_folded(id);
            self.retracted_entries.insert(id.clone());
            let Some(at) = scope.position(id) else { continue };
            match scope.path.get(at as usize).map(|entry| &entry.fact) {
                Some(Fact::Message(message)) => {
                    for index in 0..message.blocks.len() {
                        let block = BlockRef { row: id.clone(), block: index as u32 };
                        self.retract_block(scope, block);
                    }
                }
                _ => self.event(scope.at, MovedReason::Retraction, None),
            }
        }
        folded
    }

    fn retract_block(&mut self, scope: &Scope<'_>, block: BlockRef) {
        self.event(scope.at, MovedReason::Retraction, Some(block.clone()));
        let row = scope.position(&block.row);
        if let Some(call) = row.and_then(|row| call_of(scope.path, row, block.block)) {
            self.retracted_calls.insert(call.id.clone());
        }
        self.retracted.insert(block);
    }

    /// The call that the result at this row and block answers, if it is retracted: the nearest
    /// earlier one of its id that had no result. Only for a result whose call is not folded.
    pub(crate) fn retracted_call_of(&self, result: (u32, u32)) -> Option<BlockRef> {
        self.answers.call_of(result).filter(|call| self.retracted.contains(call)).cloned()
    }

    fn sent(
        &mut self,
        entry: &Arc<Entry>,
        sent: &Sent,
        scope: &Scope<'_>,
        reader: &Reader,
        target: &Target,
    ) -> bool {
        let own_agent = sent.agent == reader.agent;
        if own_agent {
            self.paused = None;
            self.imported = sent.digests.is_none().then(|| Arc::clone(entry));
        }
        let own = own_agent && (sent.target == target.to || may_have_gone_to(sent, target));
        let mut folded = false;
        for fill in &sent.fills {
            if let Fill::Gap { call, wording } = fill {
                let told = own_agent
                    || (scope.is_of(&call.row, &sent.agent) && !scope.is_answered(call, reader));
                if told && !self.gaps.contains_key(call) {
                    self.gaps.insert(call.clone(), wording.clone());
                    folded |= scope.is_folded(&call.row);
                }
            } else {
                folded |= self.fill(fill, own, scope);
            }
        }
        if own {
            self.own_sents.insert(entry.id.clone());
            self.baseline = Some(Baseline { index: scope.at, entry: Arc::clone(entry) });
            if sent.digests.is_none() {
                self.proven_through = sent.covers.as_ref().and_then(|id| scope.position(id));
                // It proves rows that were folded as unproven.
                folded |= target.binds_thinking() && scope.from > 0;
            }
        }
        folded
    }

    /// Takes a fill in; whether it concerns a row already folded and was not known before.
    fn fill(&mut self, fill: &Fill, own: bool, scope: &Scope<'_>) -> bool {
        match fill {
            Fill::ThinkingOut { from, to, .. } if own => {
                let span = scope.position(from).zip(scope.position(to));
                let Some(span) = span else { return false };
                let new = self.thinking_out.insert(span);
                new && scope.is_folded(from)
            }
            Fill::ImageOut { at, image, .. } if own => {
                let new = self.images_out.insert((at.clone(), *image));
                new && scope.is_folded(&at.row)
            }
            Fill::CallId { call, wire_id } if own => {
                let new = self.call_ids.insert(call.clone(), wire_id.clone()).is_none();
                new && scope.is_folded(&call.row)
            }
            Fill::Continue { after } if own => {
                let new = !self.continues.contains_key(after);
                self.continues.entry(after.clone()).or_insert(scope.at);
                new && scope.is_folded(after)
            }
            Fill::Recovery { rung } if own => {
                self.rung = Some(*rung);
                false
            }
            Fill::Gap { .. }
            | Fill::ThinkingOut { .. }
            | Fill::ImageOut { .. }
            | Fill::CallId { .. }
            | Fill::Continue { .. }
            | Fill::Recovery { .. }
            | Fill::ChangeForm { .. }
            | Fill::ChangeOff { .. }
            | Fill::Other(_) => false,
        }
    }

    /// Takes in a request that was just made here: all it says is known.
    pub(crate) fn adopt(
        &mut self,
        path: &[Arc<Entry>],
        at: usize,
        reader: &Reader,
        target: &Target,
    ) {
        let upto = path.get(..=at).unwrap_or_default();
        self.thinking_proposed_out.clear();
        self.scan(upto, at, reader, target);
    }

    fn is_thinking_known_out(&self, row: u32) -> bool {
        self.thinking_out.holds(row) || self.deviations.holds(row)
    }

    /// Forgets what a fold found that begins anew with other edits.
    pub(crate) fn forget_found(&mut self) {
        self.deviations = Spans::default();
        self.found_pauses = BTreeMap::new();
    }

    /// Takes in what was found while folding.
    pub(crate) fn take_in(&mut self, found: Found) {
        self.found_pauses.extend(found.pauses);
        if let Some(span) = found.deviates {
            self.deviations.insert(span);
        }
    }

    /// Whether the row at this position paused a turn that was not resumed.
    pub(crate) fn is_pause_abandoned(&self, row: u32) -> bool {
        self.abandoned_pauses.contains_key(&row) || self.found_pauses.contains_key(&row)
    }

    /// Paused rows that were not resumed, and the row at which that was seen.
    pub(crate) fn pauses_given_up(&self) -> impl Iterator<Item = (u32, u32)> {
        self.abandoned_pauses.iter().chain(&self.found_pauses).map(|(row, at)| (*row, *at))
    }

    /// Whether the thoughts of the row at this position are out.
    pub(crate) fn is_thinking_out(&self, row: u32) -> bool {
        self.is_thinking_known_out(row) || self.thinking_proposed_out.holds(row)
    }

    /// Whether the thoughts of the row are out for the first time in the request being made.
    pub(crate) fn is_thinking_newly_out(&self, row: u32) -> bool {
        self.thinking_proposed_out.holds(row) && !self.is_thinking_known_out(row)
    }
}

/// Ranges of rows, apart and ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spans(Vec<(u32, u32)>);

impl Spans {
    /// Adds a range, both ends included; whether some of it was not in before.
    pub(crate) fn insert(&mut self, (from, to): (u32, u32)) -> bool {
        let first = self.0.partition_point(|(_, end)| end.saturating_add(1) < from);
        let touched = self.0.get(first..).unwrap_or_default();
        let count = touched.iter().take_while(|(start, _)| *start <= to.saturating_add(1)).count();
        let mut joined = (from, to);
        for (start, end) in touched.iter().take(count) {
            joined = (joined.0.min(*start), joined.1.max(*end));
        }
        let known = count == 1 && touched.first() == Some(&joined);
        self.0.splice(first..first + count, [joined]);
        !known
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    fn holds(&self, row: u32) -> bool {
        let at = self.0.partition_point(|(_, end)| *end < row);
        self.0.get(at).is_some_and(|(start, _)| *start <= row)
    }
}

struct Scope<'p> {
    path: &'p [Arc<Entry>],
    positions: &'p Positions<'p>,
    results: &'p Results<'p>,
    /// Entries before this position are folded.
    from: usize,
    at: u32,
}

impl Scope<'_> {
    fn position(&self, id: &EntryId) -> Option<u32> {
        self.positions.of(id)
    }

    /// Whether a row is written by this agent.
    fn is_of(&self, row: &EntryId, agent: &Text) -> bool {
        let entry = self.position(row).and_then(|at| self.path.get(at as usize));
        entry.and_then(|entry| entry.message()).is_some_and(|m| m.author.as_ref() == Some(agent))
    }

    /// Whether this reader sees a result of the call before the entry that is read.
    fn is_answered(&self, call: &BlockRef, reader: &Reader) -> bool {
        let Some(row) = self.position(&call.row) else { return false };
        let Some(declared) = call_of(self.path, row, call.block) else { return false };
        let at = self.results.of(self.path, &declared.id);
        let seen = |at: &u32| {
            let message = self.path.get(*at as usize).and_then(|entry| entry.message());
            message.is_some_and(|message| reader.sees(message))
        };
        let since = at.partition_point(|at| *at < row);
        at.iter().skip(since).take_while(|at| **at < self.at).any(seen)
    }

    fn is_folded(&self, id: &EntryId) -> bool {
        self.from > 0 && self.position(id).is_some_and(|at| (at as usize) < self.from)
    }
}

/// Whether an imported request that names no model may have been to this target: many clients name
/// the model in the address alone.
fn may_have_gone_to(sent: &Sent, target: &Target) -> bool {
    let (from, to) = (&sent.target, &target.to);
    let unnamed = sent.digests.is_none() && from.model.is_empty();
    unnamed && from.dialect == to.dialect && from.platform == to.platform
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join_where_they_touch() {
        let mut spans = Spans::default();
        assert!(spans.insert((5, 6)) && spans.insert((1, 2)) && spans.insert((9, 9)));
        assert!(!spans.insert((5, 5)) && spans.insert((3, 4)));
        assert_eq!(spans.0, [(1, 6), (9, 9)]);
        assert!(spans.insert((0, 20)) && !spans.insert((9, 9)));
        assert!(spans.holds(0) && spans.holds(20) && !spans.holds(21));
    }
}
