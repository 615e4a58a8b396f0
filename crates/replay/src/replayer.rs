//! The replayer: the fold over one path, for one reader and target, and the requests it gives.

use std::sync::Arc;

use json::Text;
use record::{BlockRef, Checkpoint, Digest, Digests, Entry, EntryId, Fact, Fill, Rest, Rung, Sent};
use wire::anthropic_messages::request::Body;
use wire::pages::Chain;

use crate::compact::{self, Applied, Step};
use crate::digest;
use crate::fold::{Closed, Fold, View};
use crate::moved;
use crate::now::{Now, Parameters, ThinkingChoice};
use crate::prepare::{Prepared, ValidRequest};
use crate::project::anthropic_messages::head::{self, Head};
use crate::project::anthropic_messages::image::{
    IMAGES_MAX_ANYWHERE, MANY_IMAGES, SIDE_MAX_OF_MANY,
};
use crate::project::anthropic_messages::parameters;
use crate::read::edits::{Baseline, Edits, position};
use crate::read::{Reader, ahead};
use crate::refusal::Refusal;
use crate::report::{Change, ChangeKind, Cost, Moved, MovedReason, Report, Unit};
use crate::target::Target;
use crate::wording::UnseenReason;

/// How often a request may begin again with something more left out; each time it is another thing.
const ATTEMPTS_MAX: usize = 8;

/// The least bytes of a prefix for each token that caching takes: below, a mark is a mark wasted.
const BYTES_PER_TOKEN_MIN: u64 = 2;

/// The fold over one path. Feed it entries, ask it for requests.
#[derive(Debug)]
pub struct Replayer {
    reader: Reader,
    target: Target,
    path: Vec<Arc<Entry>>,
    edits: Edits,
    applied: Option<Applied>,
    fold: Fold,
    /// What the request being made adds to what the record says.
    proposed: Vec<Fill>,
    /// The `sent` of the last request, as it would be appended.
    last: Option<Proposal>,
    head: Option<(u64, Arc<Head>)>,
}

/// A request that was prepared and may be appended.
#[derive(Clone, Debug)]
struct Proposal {
    sent: Entry,
}

impl Replayer {
    /// A replayer that has seen nothing.
    pub fn new(reader: Reader, target: Target) -> Replayer {
        Replayer {
            reader,
            target,
            path: Vec::new(),
            edits: Edits::default(),
            applied: None,
            fold: Fold::default(),
            proposed: Vec::new(),
            last: None,
            head: None,
        }
    }

    /// Takes a path, root first: what is new is folded, another path goes back first.
    ///
    /// Entries are told apart by id: an entry's parents are part of what it is.
    pub fn feed(&mut self, path: &[Arc<Entry>]) {
        let known = self.known(path);
        if known == path.len() && known == self.path.len() {
            return;
        }
        let new = path.get(known..).unwrap_or_default();
        let adopted = known == self.path.len() && self.is_adopted(new);
        if !adopted {
            self.forget_proposal();
        }
        let back = known < self.path.len();
        if back {
            self.path.truncate(known);
            self.edits = Edits::default();
        }
        let from = if back { 0 } else { self.path.len() };
        self.path.extend(new.iter().cloned());
        let concerns = if adopted {
            self.adopt();
            let after = from + 1;
            self.edits.scan(&self.path, after, &self.reader, &self.target)
        } else {
            self.edits.scan(&self.path, from, &self.reader, &self.target)
        };
        if from == 0 || concerns {
            self.refold();
        } else {
            let start = from + usize::from(adopted);
            let steps = (start..self.path.len()).map(|index| Step::Entry(index as u32)).collect();
            self.run(steps);
        }
    }

    /// How many entries of `path` are folded already. Paths of one tree share a prefix.
    fn known(&self, path: &[Arc<Entry>]) -> usize {
        let shared = self.path.len().min(path.len());
        let same = |at: usize| match (self.path.get(at), path.get(at)) {
            (Some(own), Some(other)) => own.id == other.id,
            _ => false,
        };
        if shared == 0 || same(shared - 1) {
            return shared;
        }
        let (mut same_until, mut differs_at) = (0, shared - 1);
        while same_until < differs_at {
            let middle = same_until + (differs_at - same_until) / 2;
            if same(middle) { same_until = middle + 1 } else { differs_at = middle }
        }
        same_until
    }

    fn is_adopted(&self, new: &[Arc<Entry>]) -> bool {
        let proposed = self.last.as_ref().map(|last| &last.sent);
        new.first().is_some_and(|first| Some(&**first) == proposed)
    }

    /// The prepared request was appended: what it closed stays closed.
    fn adopt(&mut self) {
        let Some(Proposal { sent }) = self.last.take() else { return };
        let at = position(&self.path, &sent.id).unwrap_or_default() as usize;
        self.proposed.clear();
        self.edits.adopt(&self.path, at, &self.reader, &self.target);
        self.fold.keep();
        self.fold.under_way(&sent.id);
        self.fold.told(true);
    }

    /// The prepared request was not appended: nothing of it is known.
    fn forget_proposal(&mut self) {
        self.last = None;
        if self.proposed.is_empty() {
            let version = self.fold.declare().version;
            self.fold.rewind();
            if version != self.fold.declare().version {
                self.head = None;
            }
            return;
        }
        self.proposed.clear();
        self.edits = Edits::default();
        self.edits.scan(&self.path, 0, &self.reader, &self.target);
        self.refold();
    }

    fn choose_compaction(&mut self) {
        self.applied = compact::choose(&self.path, &self.edits.retracted_entries);
    }

    /// Folds the whole path anew.
    fn refold(&mut self) {
        self.head = None;
        loop {
            self.fold = Fold::default();
            self.choose_compaction();
            let steps = match &self.applied {
                Some(applied) => applied.steps(&self.path),
                None => (0..self.path.len()).map(|index| Step::Entry(index as u32)).collect(),
            };
            if !self.run_once(steps) {
                return;
            }
        }
    }

    fn run(&mut self, steps: Vec<Step>) {
        if self.run_once(steps) {
            self.refold();
        }
    }

    /// Folds these steps; whether it has to begin again.
    fn run_once(&mut self, steps: Vec<Step>) -> bool {
        let handoff = self.applied.as_ref().and_then(|applied| self.path.get(applied.at as usize));
        let view = View {
            path: &self.path,
            edits: &self.edits,
            reader: &self.reader,
            target: &self.target,
            model: self.target.model(),
            running: &[],
        };
        for steps in steps.chunks(ahead::ROWS) {
            if let (Some(Step::Entry(first)), Some(Step::Entry(last))) =
                (steps.first(), steps.last())
            {
                ahead::look(self.path.get(*first as usize..=*last as usize).unwrap_or_default());
            }
            for step in steps {
                if let Some(again) = self.fold.step(view, *step, handoff.map(|entry| &**entry)) {
                    self.edits.again(again);
                    return true;
                }
            }
        }
        false
    }

    /// Makes the request of this moment.
    ///
    /// The same state gives the same bytes; nothing is appended, the caller does that.
    pub fn prepare(&mut self, now: &Now) -> Result<Prepared, Refusal> {
        self.forget_proposal();
        if let Some(applied) = &self.applied {
            applied.check_cut(&self.path, &self.reader)?;
        }
        for _ in 0..ATTEMPTS_MAX {
            if let Some(prepared) = self.attempt(now)? {
                return Ok(prepared);
            }
            self.refold();
        }
        Err(Refusal::CannotCarry { rule: "A-003", what: "a request of this history" })
    }

    /// One attempt; `None` where something more has to be left out first.
    fn attempt(&mut self, now: &Now) -> Result<Option<Prepared>, Refusal> {
        self.fold.mark();
        let view = View {
            path: &self.path,
            edits: &self.edits,
            reader: &self.reader,
            target: &self.target,
            model: self.target.model(),
            running: &now.running,
        };
        let closed = self.fold.close(view, !now.no_continue);
        if let Some(again) = self.fold.take_again() {
            self.edits.again(again);
            return Ok(None);
        }
        if closed.only_prompts || closed.end.messages == 0 || closed.ends_with_assistant {
            return Err(Refusal::NothingToSay);
        }
        let head = self.head()?;
        let principal = now.principal.as_ref().map(|facts| facts.text());
        let authority = principal.as_ref().map(|text| digest::of(text.as_bytes()));
        if self.leave_out(now, &closed, &head, authority) {
            return Ok(None);
        }
        self.request(now, &closed, &head, principal, authority).map(Some)
    }

    fn head(&mut self) -> Result<Arc<Head>, Refusal> {
        let declare = self.fold.declare();
        if let Some((version, head)) = &self.head
            && *version == declare.version
        {
            return Ok(Arc::clone(head));
        }
        let head = Arc::new(head::write(declare)?);
        self.head = Some((declare.version, Arc::clone(&head)));
        Ok(head)
    }

    /// Decides what cannot go into this request; whether anything was added to what is left out.
    fn leave_out(
        &mut self,
        now: &Now,
        closed: &Closed,
        head: &Head,
        authority: Option<Digest>,
    ) -> bool {
        let images = self.images_to_leave_out(now, closed, head);
        if !images.is_empty() {
            for (at, image) in images {
                self.edits.images_out.insert((at.clone(), image));
                let reason = UnseenReason::SizeLimit.as_str().into();
                self.proposed.push(Fill::ImageOut { at, image, reason });
            }
            return true;
        }
        let causes = [
            self.thoughts_to_leave_out(now, head, authority),
            self.thoughts_of_running_turn(now, closed),
        ];
        let span = causes.into_iter().flatten().find_map(|(from, reason)| {
            let standing = self.fold.grown.thoughts.iter().copied().filter(|row| *row >= from);
            Some((standing.clone().min()?, standing.max()?, reason))
        });
        let Some((first, last, reason)) = span else { return false };
        let ids = (self.path.get(first as usize), self.path.get(last as usize));
        if let (Some(from), Some(to)) = ids {
            self.edits.thinking_proposed_out.push((first, last));
            let (from, to) = (from.id.clone(), to.id.clone());
            self.proposed.push(Fill::ThinkingOut { from, to, reason: reason.into() });
        }
        true
    }

    /// Images over the provider's limits: the oldest, in one batch down to half of what is allowed.
    fn images_to_leave_out(&self, now: &Now, closed: &Closed, head: &Head) -> Vec<(BlockRef, u32)> {
        let images = &self.fold.grown.images;
        let own = self.target.model().images_max.min(IMAGES_MAX_ANYWHERE);
        let place = |image: &crate::fold::ImageAt| (image.at.clone(), image.nth);
        let allowed = now.limits.images_max.unwrap_or(own) as usize;
        if images.len() > allowed {
            let out = images.len() - allowed / 2;
            return images.iter().take(out).map(place).collect();
        }
        if images.len() > MANY_IMAGES {
            let large = |image: &&crate::fold::ImageAt| image.side > SIDE_MAX_OF_MANY;
            return images.iter().filter(large).map(place).collect();
        }
        let head_bytes = (head.before_mark.len() + head.after_mark.len()) as u64;
        let bytes = closed.conversation.len() + head_bytes + LEAD_BYTES_SPARE;
        if bytes <= now.limits.body_bytes_max {
            return Vec::new();
        }
        let over = bytes - now.limits.body_bytes_max;
        let half = images.iter().map(|image| image.bytes).sum::<u64>() / 2;
        let mut freed = 0;
        let needed = |image: &&crate::fold::ImageAt| {
            let wanted = freed < over.max(half);
            freed += image.bytes;
            wanted
        };
        images.iter().take_while(needed).map(place).collect()
    }

    /// The first row from which thinking is no longer valid for this target, and why.
    fn thoughts_to_leave_out(
        &self,
        now: &Now,
        head: &Head,
        authority: Option<Digest>,
    ) -> Option<(u32, &'static str)> {
        if now.recovery == Some(Rung::Strip) && self.edits.rung != Some(Rung::Strip) {
            let fresh = !self.proposed.iter().any(|fill| matches!(fill, Fill::ThinkingOut { .. }));
            return fresh.then_some((0, "recovery"));
        }
        if !self.target.binds_thinking() {
            return None;
        }
        let baseline = self.edits.baseline.as_ref()?;
        let sent = baseline.sent()?;
        if let Some(digests) = &sent.digests {
            if digests.authority != authority {
                return Some((0, MovedReason::Authority.as_str()));
            }
            if digests.head != head.digest {
                return Some((0, MovedReason::Head.as_str()));
            }
        }
        let mut moved: Vec<(u32, MovedReason)> = Vec::new();
        for event in self.edits.events_since_baseline() {
            match &event.block {
                None => moved.push((0, event.reason)),
                Some(block) => {
                    let stands = self.fold.grown.edited.iter().any(|(edited, _)| edited == block);
                    if let Some(row) = position(&self.path, &block.row).filter(|_| stands) {
                        moved.push((row, event.reason));
                    }
                }
            }
        }
        for fill in &self.proposed {
            if let Fill::ImageOut { at, .. } = fill
                && let Some(row) = position(&self.path, &at.row)
                && row < baseline.index
            {
                moved.push((row, MovedReason::Images));
            }
        }
        let build_differs = self.fold.last_told().is_some_and(|told| !told.matches);
        if moved.is_empty() && self.proposed.is_empty() && build_differs {
            moved.push((0, MovedReason::Build));
        }
        moved.into_iter().min().map(|(row, reason)| (row, reason.as_str()))
    }

    /// The running turn's first row, where thinking is off: its thoughts are left out (A-055).
    fn thoughts_of_running_turn(&self, now: &Now, closed: &Closed) -> Option<(u32, &'static str)> {
        let off = self.thinking_choice(now) == ThinkingChoice::Off && closed.ends_with_results;
        closed.turn_start.filter(|_| off).map(|row| (row, "thinking off"))
    }

    /// What the caller says about thinking, else what an imported request said of itself.
    fn thinking_choice(&self, now: &Now) -> ThinkingChoice {
        if now.parameters.thinking != ThinkingChoice::AsRecorded {
            return now.parameters.thinking;
        }
        let imported = self.edits.baseline.as_ref().and_then(|baseline| baseline.sent());
        let thinking = imported.and_then(|sent| sent.rest.get("thinking"));
        let off = thinking.is_some_and(|raw| {
            raw.doc().root().get("type").is_some_and(|kind| kind.is_str("disabled"))
        });
        if off { ThinkingChoice::Off } else { ThinkingChoice::AsRecorded }
    }

    fn request(
        &mut self,
        now: &Now,
        closed: &Closed,
        head: &Head,
        principal: Option<String>,
        authority: Option<Digest>,
    ) -> Result<Prepared, Refusal> {
        let model = self.target.model();
        let has_tools = head.before_mark.starts_with(br#","tools""#);
        // Dropping blocks is a remedy of the models that bind them.
        let rung = now.recovery.or(self.edits.rung).filter(|_| self.target.binds_thinking());
        let name = self.target.to.model.as_str();
        let asked = Parameters { thinking: self.thinking_choice(now), ..now.parameters.clone() };
        let written = parameters::write(model, name, &asked, closed, has_tools, rung)?;
        let (lead, lead_mark) =
            lead(&written.bytes, head, principal.as_deref(), model.cache_tokens_min);
        let lead_bytes: u64 = lead.iter().map(|piece| piece.len() as u64).sum();
        let marks = self.marks(closed, lead_bytes);
        let cache_breakpoints = marks.len() as u32 + u32::from(lead_mark);
        let body = Body::new(lead, closed.conversation.clone(), marks);
        if body.len() > now.limits.body_bytes_max {
            let (bytes, limit) = (body.len(), now.limits.body_bytes_max);
            return Err(Refusal::TooLarge { bytes, limit });
        }
        let mut changes = closed.changes.clone();
        let mut own = head.changes.clone();
        if written.turned_off {
            let kind = ChangeKind::ThinkingTurnedOff;
            own.push(Change { kind, row: None, block: None, detail: None });
        }
        changes.append(own);
        let report = Report {
            changes,
            moved: self.moved(closed, head, authority),
            messages: closed.end.messages,
            thoughts: self.fold.grown.thoughts.len() as u64,
            cache_breakpoints,
        };
        let append = self.append(now, closed, head, authority);
        let mut betas = written.betas;
        betas.extend(&head.betas);
        Ok(Prepared { append, request: ValidRequest::new(body, betas, report) })
    }

    /// Where cache breakpoints go: at the last request's end, before trailing system messages, at
    /// the end. With the head's they are at most four (A-080).
    fn marks(&self, closed: &Closed, lead_bytes: u64) -> Vec<u64> {
        let least = u64::from(self.target.model().cache_tokens_min) * BYTES_PER_TOKEN_MIN;
        let mut marks: Vec<u64> = closed
            .breakpoints
            .iter()
            .flatten()
            .copied()
            .filter(|at| lead_bytes + at >= least)
            .collect();
        marks.sort_unstable();
        marks.dedup();
        marks
    }

    /// The first unit that differs from the last request of this agent and target: the place is
    /// read off the bytes of both, the reason off what came since.
    fn moved(&self, closed: &Closed, head: &Head, authority: Option<Digest>) -> Option<Moved> {
        let baseline = self.edits.baseline.as_ref()?;
        let digests = baseline.sent()?.digests.as_ref()?;
        let (unit, reason) = if digests.head != head.digest {
            (Unit::Head, MovedReason::Head)
        } else if digests.authority != authority {
            (Unit::Head, MovedReason::Authority)
        } else {
            let mut causes = self.causes(baseline, digests);
            causes.sort_by_key(|(unit, _)| *unit);
            let expected = causes.first()?.0;
            let unit = match self.told(baseline) {
                Some(told) => moved::first_difference(&told, &closed.conversation)?,
                None => expected,
            };
            let at_or_before = causes.partition_point(|(cause, _)| *cause <= unit);
            let exact = causes.iter().find(|(cause, _)| *cause == unit);
            let cause = exact.or(causes.get(at_or_before.saturating_sub(1)))?;
            (unit, cause.1)
        };
        Some(Moved { unit, reason, cost: self.cost(closed, unit) })
    }

    /// The conversation of the last request, folded again; `None` where another build sent it.
    fn told(&self, baseline: &Baseline) -> Option<Chain<u8>> {
        let mut then = Replayer::new(self.reader.clone(), self.target.clone());
        then.feed(self.path.get(..=baseline.index as usize)?);
        if then.fold.last_told().is_none_or(|told| !told.matches) {
            return None;
        }
        let Replayer { path, edits, reader, target, fold, .. } = &mut then;
        let (model, running) = (target.model(), &[][..]);
        let view = View { path, edits, reader, target, model, running };
        Some(fold.close(view, false).conversation)
    }

    /// What can have moved a unit since the last request, and where it stands.
    fn causes(&self, baseline: &Baseline, digests: &Digests) -> Vec<(Unit, MovedReason)> {
        let mut causes = Vec::new();
        let start = Unit::Content { message: 0, block: 0 };
        let grown = &self.fold.grown;
        let stands = |block: &BlockRef| {
            grown.edited.iter().find(|(edited, _)| edited == block).map(|(_, unit)| *unit)
        };
        for event in self.edits.events_since_baseline() {
            let unit = event.block.as_ref().map_or(Some(start), stands);
            causes.extend(unit.map(|unit| (unit, event.reason)));
        }
        for fill in &self.proposed {
            match fill {
                Fill::ImageOut { at, .. } => {
                    let told =
                        position(&self.path, &at.row).is_some_and(|row| row < baseline.index);
                    causes.extend(stands(at).filter(|_| told).map(|u| (u, MovedReason::Images)));
                }
                Fill::ThinkingOut { from, to, reason } => {
                    let span = position(&self.path, from).zip(position(&self.path, to));
                    let out = span.and_then(|(from, to)| {
                        grown.thoughts_out.iter().find(|(row, _)| {
                            (from..=to).contains(row)
                                && *row < baseline.index
                                && self.edits.is_thinking_newly_out(*row)
                        })
                    });
                    let why = MovedReason::named(reason).unwrap_or(MovedReason::ThinkingSpan);
                    causes.extend(out.map(|(_, unit)| (*unit, why)));
                    if why == MovedReason::Build {
                        causes.push((self.first_unmatched(digests), why));
                    }
                }
                Fill::Gap { .. }
                | Fill::CallId { .. }
                | Fill::Continue { .. }
                | Fill::ChangeForm { .. }
                | Fill::ChangeOff { .. }
                | Fill::Recovery { .. }
                | Fill::Other(_) => {}
            }
        }
        for (row, given_up_at) in &self.edits.abandoned_pauses {
            let told = *row < baseline.index && baseline.index < *given_up_at;
            let of = self.path.get(*row as usize).filter(|_| told).map(|entry| &entry.id);
            let edited = grown.edited.iter().find(|(edited, _)| Some(&edited.row) == of);
            causes.extend(edited.map(|(_, unit)| (*unit, MovedReason::Capability)));
        }
        let floats = self.fold.conversation().floats_moved;
        causes.extend(floats.map(|unit| (unit, MovedReason::DemotedSystemNote)));
        if causes.is_empty() && self.fold.last_told().is_some_and(|told| !told.matches) {
            causes.push((self.first_unmatched(digests), MovedReason::Build));
        }
        causes
    }

    /// After the last checkpoint of a `sent` that this fold writes as well.
    fn first_unmatched(&self, digests: &Digests) -> Unit {
        let known = |checkpoint: &&Checkpoint| self.fold.grown.checkpoints.contains(checkpoint);
        let message = digests.checkpoints.iter().find(known).map_or(0, |known| known.messages);
        Unit::Content { message, block: 0 }
    }

    fn cost(&self, closed: &Closed, unit: Unit) -> Cost {
        let kept = match unit {
            Unit::Head => 0,
            Unit::Content { message, .. } => {
                let ends = &self.fold.grown.ends;
                let at = message.checked_sub(1).and_then(|at| ends.get(at as usize));
                at.map_or(0, |end| end.bytes)
            }
        };
        let lost = |row: &u32| self.edits.is_thinking_newly_out(*row);
        let mut rows: Vec<u32> =
            self.fold.grown.thoughts_out.iter().map(|(row, _)| *row).filter(lost).collect();
        rows.dedup();
        Cost { cache_bytes: closed.conversation.len() - kept, thoughts: rows.len() as u64 }
    }

    /// The `sent` to append; nothing where the last entry is one of equal bytes.
    fn append(
        &mut self,
        now: &Now,
        closed: &Closed,
        head: &Head,
        authority: Option<Digest>,
    ) -> Vec<Entry> {
        let digests =
            Digests { head: head.digest, authority, checkpoints: closed.checkpoints.clone() };
        let fills = self.fills(now);
        let tip = self.path.last();
        if fills.is_empty()
            && tip.is_some_and(|tip| is_retry(tip, &self.reader, &self.target, &digests))
        {
            return Vec::new();
        }
        let covers = tip.map(|tip| tip.id.clone());
        let id = now.id.clone().unwrap_or_else(|| self.derived_id(covers.as_ref(), &digests));
        let sent = Sent {
            agent: self.reader.agent.clone(),
            target: self.target.to.clone(),
            covers: covers.clone(),
            fills,
            digests: Some(digests),
            build: crate::BUILD,
            rest: Rest::default(),
        };
        let entry = Entry {
            id,
            parent: covers,
            seq: tip.map_or(0, |tip| tip.seq + 1),
            time: now.time.clone(),
            fact: Fact::Sent(Box::new(sent)),
            origin: None,
            rest: Rest::default(),
        };
        self.last = Some(Proposal { sent: entry.clone() });
        vec![entry]
    }

    fn fills(&self, now: &Now) -> Vec<Fill> {
        let conversation = self.fold.conversation();
        let mut fills = conversation.fills.clone();
        fills.extend(self.proposed.iter().cloned());
        for (from, to) in &conversation.unproven {
            let ends = (self.path.get(*from as usize), self.path.get(*to as usize));
            if let (Some(from), Some(to)) = ends {
                let (from, to) = (from.id.clone(), to.id.clone());
                fills.push(Fill::ThinkingOut { from, to, reason: "unknown-prefix".into() });
            }
        }
        let rung = now.recovery.filter(|rung| self.edits.rung != Some(*rung));
        fills.extend(rung.map(|rung| Fill::Recovery { rung }));
        fills
    }

    /// An id made of what the request covers: equal requests have equal ids.
    fn derived_id(&self, covers: Option<&EntryId>, digests: &Digests) -> EntryId {
        let mut of = String::new();
        let to = &self.target.to;
        let last = digests.checkpoints.first().map(|checkpoint| checkpoint.digest.to_string());
        let names = [&self.reader.agent, &to.dialect, &to.platform, &to.model].map(Text::as_str);
        for part in names.into_iter().chain(covers.map(EntryId::as_str)).chain(last.as_deref()) {
            of.push_str(part);
            of.push('\n');
        }
        let hash = digest::of(of.as_bytes()).to_string();
        EntryId::new(format!("sent-{}", hash.get(..24).unwrap_or_default()))
    }
}

/// Spare bytes for what stands ahead of the conversation besides the head.
const LEAD_BYTES_SPARE: u64 = 16 << 10;

/// Whether an entry is a request of the same bytes.
fn is_retry(tip: &Entry, reader: &Reader, target: &Target, digests: &Digests) -> bool {
    match &tip.fact {
        Fact::Sent(sent) => {
            sent.agent == reader.agent
                && sent.target == target.to
                && sent.digests.as_ref().is_some_and(|told| {
                    told.head == digests.head
                        && told.authority == digests.authority
                        && told.checkpoints.first() == digests.checkpoints.first()
                })
        }
        Fact::Message(_)
        | Fact::CallStarted(_)
        | Fact::Compaction(_)
        | Fact::Head(_)
        | Fact::Retracted(_)
        | Fact::Opaque(_) => false,
    }
}

/// Parameters, tools and system, up to the conversation's first byte; whether a mark is in it.
fn lead(
    parameters: &[u8],
    head: &Head,
    principal: Option<&str>,
    cache_tokens_min: u32,
) -> (Vec<Arc<[u8]>>, bool) {
    let mut out = Vec::with_capacity(parameters.len() + head.before_mark.len() + 1024);
    out.extend_from_slice(parameters);
    out.extend_from_slice(&head.before_mark);
    let least = u64::from(cache_tokens_min) * BYTES_PER_TOKEN_MIN;
    let marked = head.before_mark.len() as u64 >= least.max(1);
    if marked {
        out.extend_from_slice(wire::anthropic_messages::request::CACHE_MARK.as_bytes());
    }
    out.extend_from_slice(&head.after_mark);
    if let Some(text) = principal {
        out.extend_from_slice(if head.has_system { b"," } else { br#","system":["# });
        out.extend_from_slice(br#"{"type":"text","text":"#);
        json::escape::push_literal(&mut out, text);
        out.push(b'}');
    }
    if head.has_system || principal.is_some() {
        out.push(b']');
    }
    out.extend_from_slice(br#","messages":["#);
    (vec![Arc::from(out)], marked)
}
