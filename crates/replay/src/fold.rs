//! The fold: entries in, conversation out, one mark to go back to.

use std::collections::BTreeMap;
use std::sync::Arc;

use record::{Digest, Entry, Fact, Sent};
use wire::body::Ending;
use wire::pages::{Bytes, Chain};

use crate::bind::{Bind, ClosedCalls, ClosedGap};
use crate::compact::{self, Step};
use crate::declare::Declare;
use crate::digest::{End, Hashed, Places};
use crate::project::{Conversation, Dialect, head};
use crate::read::causal::Causal;
use crate::read::edits::Edits;
use crate::read::{Reader, Row};
use crate::report::{Change, Unit};
use crate::rewind::RewindMap;
use crate::target::Target;

/// What the fold reads and never changes.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) path: &'a [Arc<Entry>],
    pub(crate) edits: &'a Edits,
    pub(crate) reader: &'a Reader,
    pub(crate) target: &'a Target,
    pub(crate) dialect: &'a Dialect,
    /// Calls that are running while a request is made.
    pub(crate) running: &'a [record::BlockRef],
}

/// State that grows with the conversation; it goes back to the mark by its lengths and journals.
#[derive(Debug, Default)]
pub(crate) struct Grown {
    /// Calls of closed rounds, by id.
    pub(crate) calls: RewindMap<ClosedCalls>,
    /// Calls of closed rounds that had no result when their round closed.
    pub(crate) gaps: Vec<ClosedGap>,
    /// Ids used on the wire, and for each id how many rewritten forms of it were tried.
    pub(crate) used_ids: RewindMap<u32>,
    /// Ends of closed messages.
    pub(crate) ends: Vec<End>,
    /// Images on the wire.
    pub(crate) images: Vec<ImageAt>,
    /// The conversation's first image, whether it is seen or told: its row and where it stands.
    pub(crate) first_image: Vec<(u32, Unit)>,
    /// Rows whose thinking is on the wire, in the order of the wire.
    pub(crate) thoughts: Vec<u32>,
    /// Rows of which words or calls are on the wire under a signature, in the order of the wire.
    pub(crate) signed: Vec<u32>,
    /// Where edited blocks stand, or would have stood.
    pub(crate) edited: Vec<(record::BlockRef, Unit)>,
    /// Rows whose thoughts were left out by a span, and where they would have stood.
    pub(crate) thoughts_out: Vec<(u32, Unit)>,
    /// Taken out before the mark is set or gone back to.
    pub(crate) found: Found,
}

/// An image on the wire.
#[derive(Clone, Debug)]
pub(crate) struct ImageAt {
    pub(crate) at: record::BlockRef,
    pub(crate) nth: u32,
    /// The longer side in pixels.
    pub(crate) side: u32,
    /// Bytes on the wire.
    pub(crate) bytes: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Lengths {
    gaps: usize,
    ends: usize,
    images: usize,
    first_image: usize,
    thoughts: usize,
    signed: usize,
    edited: usize,
    thoughts_out: usize,
}

impl Grown {
    /// Where each edited block stands, or would have stood: its first place.
    pub(crate) fn edited_units(&self) -> BTreeMap<&record::BlockRef, Unit> {
        self.edited.iter().rev().map(|(block, unit)| (block, *unit)).collect()
    }

    fn lengths(&self) -> Lengths {
        Lengths {
            gaps: self.gaps.len(),
            ends: self.ends.len(),
            images: self.images.len(),
            first_image: self.first_image.len(),
            thoughts: self.thoughts.len(),
            signed: self.signed.len(),
            edited: self.edited.len(),
            thoughts_out: self.thoughts_out.len(),
        }
    }

    fn truncate(&mut self, to: Lengths) {
        self.gaps.truncate(to.gaps);
        self.ends.truncate(to.ends);
        self.images.truncate(to.images);
        self.first_image.truncate(to.first_image);
        self.thoughts.truncate(to.thoughts);
        self.signed.truncate(to.signed);
        self.edited.truncate(to.edited);
        self.thoughts_out.truncate(to.thoughts_out);
    }
}

/// State of a size that does not depend on the conversation's.
#[derive(Clone, Debug, Default)]
struct Stages {
    causal: Causal,
    bind: Bind,
    declare: Declare,
    conversation: Conversation,
    hashed: Hashed,
    changes: Chain<Vec<Change>>,
    /// What the last request of this agent and target covered, as this fold writes it.
    told: Option<Told>,
}

/// A request of this agent and target, as this fold writes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    /// Whether the digest it recorded is the one this fold computes.
    pub(crate) matches: bool,
    /// Messages up to the last of its checkpoints that this fold computes as well.
    pub(crate) messages_known: u64,
    /// The head that was in force, where the `sent` itself does not say.
    pub(crate) head: Option<Digest>,
}

impl Told {
    /// One of which nothing else is known.
    pub(crate) const AS_WRITTEN: Told = Told { matches: true, messages_known: 0, head: None };
}

/// The conversation of a request: closed, with nothing left open.
#[derive(Clone, Debug)]
pub(crate) struct Closed {
    pub(crate) conversation: Bytes,
    pub(crate) ending: Ending,
    pub(crate) changes: Chain<Vec<Change>>,
    pub(crate) places: Places,
    pub(crate) end: End,
    /// Offsets where a cache breakpoint may go: the last request's, before trailing system
    /// messages, the last.
    pub(crate) breakpoints: [Option<u64>; 3],
    /// The request goes on with a turn.
    pub(crate) turn_runs: bool,
    pub(crate) assistant_starts_with_thinking: bool,
    pub(crate) ends_with_assistant: bool,
    pub(crate) only_prompts: bool,
    pub(crate) last_turn_thinks: Option<bool>,
    /// The running turn's first reply.
    pub(crate) turn_start: Option<u32>,
    /// Calls stand on the wire as calls.
    pub(crate) has_calls: bool,
    /// Calls stand there without the reasoning that is due beside them (K-020).
    pub(crate) lacks_reasoning: bool,
}

/// Why a conversation is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closing {
    /// A request is being made; it may have to end with a prompt.
    Request,
    /// The same, but the caller wants no prompt.
    RequestAsItEnds,
    /// A request of this agent and target left; this is its place on the path.
    Told(u32),
    /// A request of this agent left for another target: prompts in it were not told to this one.
    ToldElsewhere,
}

/// The fold over one path, for one reader and target.
#[derive(Debug, Default)]
pub(crate) struct Fold {
    stages: Stages,
    pub(crate) grown: Grown,
    mark: Option<(Box<Stages>, Lengths)>,
    /// Where what is not settled begins, between the closing of a conversation and what follows.
    tail: Option<Lengths>,
}

/// What can only be known while folding, and for which the fold begins again: all of one pass, so
/// that the passes do not grow with the path.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Paused turns that were never resumed: the reply's row, and the row that came instead.
    pub(crate) pauses: Vec<(u32, u32)>,
    /// From the first row on that an imported request has otherwise than this fold writes it, up to
    /// the last such request.
    pub(crate) deviates: Option<(u32, u32)>,
}

impl Found {
    /// Whether there is nothing for which to begin again.
    pub(crate) fn is_empty(&self) -> bool {
        self.pauses.is_empty() && self.deviates.is_none()
    }
}

impl Fold {
    /// Folds one step of the view.
    pub(crate) fn step(&mut self, view: View<'_>, step: Step, handoff: Option<&Entry>) {
        match step {
            Step::Handoff => {
                if let Some(entry) = handoff {
                    self.stages.conversation.handoff(view, &mut self.grown, entry);
                }
            }
            Step::Entry(index) => {
                if let Some(entry) = view.path.get(index as usize) {
                    self.entry(view, index, entry);
                }
            }
        }
    }

    fn entry(&mut self, view: View<'_>, index: u32, entry: &Arc<Entry>) {
        let stages = &mut self.stages;
        match &entry.fact {
            Fact::Message(message) => {
                if view.reader.sees(message) {
                    stages.declare.changes(view, entry, message);
                    let mut rows = Vec::new();
                    stages
                        .causal
                        .row(Row { index, is_reply: false, entry: Arc::clone(entry) }, &mut rows);
                    self.rows(view, rows);
                }
            }
            Fact::CallStarted(started) => stages.bind.call_started(&started.call),
            Fact::Head(head) if view.edits.retracted_entries.contains(&entry.id) => {
                stages.declare.retire(head, view.reader);
            }
            Fact::Head(head) => stages.declare.head(head, view.reader),
            Fact::Compaction(compaction) => {
                if compact::boundary(entry).is_some() && !compaction.is_valid() {
                    let Stages { bind, declare, conversation, .. } = stages;
                    let grown = &mut self.grown;
                    bind.pair_invalid(
                        &mut crate::bind::On { view, grown, declare, conversation },
                        entry,
                    );
                }
            }
            Fact::Sent(sent) => self.sent(view, index, entry, sent),
            Fact::Opaque(opaque) => {
                if opaque.kind.as_str() == record::jsonl::CORRUPT_LINE {
                    stages.bind.damaged_line();
                }
            }
            Fact::Retracted(_) => {}
        }
    }

    fn rows(&mut self, view: View<'_>, rows: Vec<Row>) {
        for row in rows {
            let Stages { bind, declare, conversation, .. } = &mut self.stages;
            bind.row(
                &mut crate::bind::On { view, grown: &mut self.grown, declare, conversation },
                row,
            );
        }
    }

    fn sent(&mut self, view: View<'_>, index: u32, entry: &Arc<Entry>, sent: &Sent) {
        if sent.agent != view.reader.agent {
            if self.stages.bind.is_round_of(&sent.agent) {
                let Stages { bind, declare, conversation, .. } = &mut self.stages;
                let grown = &mut self.grown;
                bind.close_round(&mut crate::bind::On { view, grown, declare, conversation });
            }
            return;
        }
        let own = view.edits.own_sents.contains(&entry.id);
        let mut rows = Vec::new();
        self.stages.causal.sent(&entry.id, &mut rows);
        self.rows(view, rows);
        self.settle(view, if own { Closing::Told(index) } else { Closing::ToldElsewhere });
        if !own {
            return self.stages.conversation.sent(false);
        }
        if sent.digests.is_none() && view.target.binds_thinking() {
            self.deviation(view, index);
        }
        // Only the last one is extended: no earlier one has to be written out and read for its
        // digests.
        let last = view.edits.baseline.as_ref().is_some_and(|last| last.index == index);
        let told = if last { self.compare(view, sent) } else { Told::AS_WRITTEN };
        self.told(told);
    }

    /// Notes the rows that an imported request would not have had as this fold writes them, where
    /// thoughts stand among them that no earlier request shows to be wrong.
    fn deviation(&mut self, view: View<'_>, index: u32) {
        let Some(from) = self.stages.conversation.deviates_from else { return };
        // A turn found to be given up is told otherwise: another pass tells from where on.
        if view.edits.proven_through.is_none() || !self.grown.found.pauses.is_empty() {
            return;
        }
        let known = self.grown.found.deviates.map_or(0, |(_, to)| to + 1);
        let standing = self.grown.thoughts.iter().rev().any(|row| *row >= from.max(known));
        if standing {
            self.grown.found.deviates = Some((from, index));
        }
    }

    /// What a `sent` recorded beside what this fold makes of the same rows.
    fn compare(&mut self, view: View<'_>, sent: &Sent) -> Told {
        let closed = self.closed(view);
        self.drop_tail();
        let Some(digests) = &sent.digests else {
            let head = head::write(view.dialect, &self.stages.declare, closed.has_calls).ok();
            return Told { head: head.map(|head| head.digest), ..Told::AS_WRITTEN };
        };
        let own = self.stages.hashed.advance(&closed.conversation, &closed.places);
        let known = digests.checkpoints.iter().find(|recorded| own.contains(recorded));
        Told {
            matches: digests
                .checkpoints
                .first()
                .is_none_or(|recorded| own.first() == Some(recorded)),
            messages_known: known.map_or(0, |known| known.messages),
            head: None,
        }
    }

    /// What was just closed has left: it is not touched again.
    pub(crate) fn told(&mut self, told: Told) {
        self.stages.conversation.sent(true);
        self.stages.told = Some(told);
    }

    /// What is hashed so far.
    pub(crate) fn hashed(&self) -> &Hashed {
        &self.stages.hashed
    }

    /// Takes over what was hashed of the conversation that was just closed.
    pub(crate) fn take_hashed(&mut self, hashed: Hashed) {
        self.stages.hashed = hashed;
    }

    /// Notes that a request of this reader is under way.
    pub(crate) fn under_way(&mut self, id: &record::EntryId) {
        self.stages.causal.sent(id, &mut Vec::new());
    }

    fn close_round(&mut self, view: View<'_>) {
        let Stages { bind, declare, conversation, .. } = &mut self.stages;
        bind.close(&mut crate::bind::On { view, grown: &mut self.grown, declare, conversation });
    }

    /// Closes all that is open.
    pub(crate) fn close(&mut self, view: View<'_>, closing: Closing) -> Closed {
        self.settle(view, closing);
        self.closed(view)
    }

    /// Settles what a request that is about to leave would say.
    fn settle(&mut self, view: View<'_>, closing: Closing) {
        let mut rows = Vec::new();
        self.stages.causal.flush(&mut rows);
        self.rows(view, rows);
        self.close_round(view);
        let Stages { conversation, declare, .. } = &mut self.stages;
        conversation.finish(view, &mut self.grown, closing);
        if let Some(row) = conversation.pause_that_floats_follow() {
            // Nothing may stand where a turn waits for its provider and for results of ours
            //
            let at = conversation.row();
            conversation.give_up_pause(view, &mut self.grown, row, at);
        } else if let Some(row) = conversation.paused
            && !declare.can_resume(&conversation.paused_tools)
        {
            conversation.give_up_pause(view, &mut self.grown, row, row);
        }
    }

    /// The conversation as it was settled, and what is not: trailing system messages, and rounds
    /// whose form hangs on what follows them.
    fn closed(&mut self, view: View<'_>) -> Closed {
        let stages = &mut self.stages;
        let before_floats = stages.conversation.breakpoint();
        let told = stages.conversation.told_breakpoint();
        let floats_after_assistant = stages.conversation.floats_after_assistant();
        // What is last may not be settled: what comes may stand before it, or change its form.
        let lengths = self.grown.lengths();
        let mut tail = stages.conversation.freeze();
        stages.changes.append(tail.take_changes());
        stages.conversation = tail.clone();
        tail.push_tail(view, &mut self.grown);
        let (end, ending) = (tail.end(), tail.ending());
        let conversation = tail.freeze().bytes();
        let mut changes = stages.changes.clone();
        changes.append(tail.take_changes());
        let places = Places::new(&self.grown.ends, self.stages.conversation.end(), end);
        self.tail = Some(lengths);
        Closed {
            conversation,
            ending,
            changes,
            places,
            end,
            breakpoints: [told, before_floats, tail.breakpoint()],
            turn_runs: tail.turn_runs(),
            assistant_starts_with_thinking: tail.assistant_starts_with_thinking(),
            ends_with_assistant: tail.ends_with_assistant() || floats_after_assistant,
            only_prompts: tail.only_prompts(),
            last_turn_thinks: tail.last_turn_thinks,
            turn_start: tail.turn_start,
            has_calls: tail.has_calls(),
            lacks_reasoning: tail.lacks_reasoning(),
        }
    }

    /// From here on everything can be taken back.
    pub(crate) fn mark(&mut self) {
        self.stages.conversation.freeze();
        let changes = self.stages.conversation.take_changes();
        self.stages.changes.append(changes);
        self.mark = Some((Box::new(self.stages.clone()), self.grown.lengths()));
        self.grown.calls.mark();
        self.grown.used_ids.mark();
    }

    /// What is not settled is written again, after whatever comes.
    fn drop_tail(&mut self) {
        if let Some(lengths) = self.tail.take() {
            self.grown.truncate(lengths);
        }
    }

    /// What happened since the mark stays.
    pub(crate) fn keep(&mut self) {
        self.mark = None;
        self.drop_tail();
        self.grown.calls.keep();
        self.grown.used_ids.keep();
    }

    /// Goes back to the mark, if there is one.
    pub(crate) fn rewind(&mut self) {
        if let Some((stages, lengths)) = self.mark.take() {
            self.stages = *stages;
            self.tail = None;
            self.grown.truncate(lengths);
            self.grown.calls.rewind();
            self.grown.used_ids.rewind();
        }
    }

    pub(crate) fn declare(&self) -> &Declare {
        &self.stages.declare
    }

    pub(crate) fn conversation(&self) -> &Conversation {
        &self.stages.conversation
    }

    pub(crate) fn last_told(&self) -> Option<Told> {
        self.stages.told
    }

    /// What was found since it was last taken, for which the fold begins again.
    pub(crate) fn take_found(&mut self) -> Found {
        std::mem::take(&mut self.grown.found)
    }
}
