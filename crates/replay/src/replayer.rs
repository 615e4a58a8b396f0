//! The replayer: the fold over one path, for one reader and target, and the requests it gives.

use std::collections::BTreeSet;
use std::sync::Arc;

use record::{Digest, Digests, Entry, EntryId, Fact, Fill};
use wire::body::Body;

use crate::compact::{self, Applied, Step};
use crate::digest;
use crate::fold::{Closed, Closing, Fold, Told, View};
use crate::now::{Now, Parameters};
use crate::prepare::{Prepared, ValidRequest};
use crate::project::head::{self, Head};
use crate::project::{Dialect, parameters};
use crate::read::edits::Edits;
use crate::read::{Reader, ahead};
use crate::refusal::{LimitOf, Refusal};
use crate::report::{Change, ChangeKind, Report};
use crate::sent::{Digested, Proposal};
use crate::target::Target;

/// How often a request may begin again with something more left out, beside once for each entry:
/// each time it is another entry's, or at least half of the images that are left.
const ATTEMPTS_SPARE: usize = 64;

/// The fold over one path. Feed it entries, ask it for requests.
#[derive(Debug)]
pub struct Replayer {
    pub(crate) reader: Reader,
    pub(crate) target: Target,
    pub(crate) dialect: Dialect,
    pub(crate) path: Vec<Arc<Entry>>,
    /// Retractions of the record that are not on the path.
    pub(crate) elsewhere: Vec<Arc<Entry>>,
    /// Entries that these name, or name blocks of.
    named_elsewhere: BTreeSet<EntryId>,
    pub(crate) edits: Edits,
    applied: Option<Applied>,
    /// Whether the compaction's cut was found sound, once nothing that comes can change that.
    cut_is_sound: bool,
    pub(crate) fold: Fold,
    /// What the request being made adds to what the record says.
    pub(crate) proposed: Vec<Fill>,
    /// The request being made found something for which the fold began again.
    found: bool,
    /// The `sent` of the last request, as it would be appended.
    pub(crate) last: Option<Arc<Proposal>>,
    /// By the head's version, and whether calls stand in the conversation.
    head: Option<(u64, bool, Arc<Head>)>,
    /// How often the path was folded from its start.
    #[cfg(test)]
    folds: usize,
}

impl Replayer {
    /// A replayer that has seen nothing.
    pub fn new(reader: Reader, target: Target) -> Replayer {
        Replayer {
            reader,
            dialect: target.dialect(),
            target,
            path: Vec::new(),
            elsewhere: Vec::new(),
            named_elsewhere: BTreeSet::new(),
            edits: Edits::default(),
            applied: None,
            cut_is_sound: false,
            fold: Fold::default(),
            proposed: Vec::new(),
            found: false,
            last: None,
            head: None,
            #[cfg(test)]
            folds: 0,
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
        self.path.truncate(known);
        let named = |entry: &Arc<Entry>| self.named_elsewhere.contains(&entry.id);
        let from = if back || new.iter().any(named) { 0 } else { self.path.len() };
        self.path.extend(new.iter().cloned());
        if from == 0 {
            self.read_edits();
            self.refold();
            return;
        }
        let concerns = if adopted {
            self.adopt(from);
            let after = from + 1;
            self.edits.scan(&self.path, after, &self.reader, &self.target)
        } else {
            self.edits.scan(&self.path, from, &self.reader, &self.target)
        };
        if concerns {
            self.refold();
        } else {
            let start = from + usize::from(adopted);
            let steps = (start..self.path.len()).map(|index| Step::Entry(index as u32)).collect();
            self.run(steps);
        }
    }

    /// Takes the record's retractions, wherever they stand: what one names is out on every branch.
    pub fn retract(&mut self, retractions: &[Arc<Entry>]) {
        if self.elsewhere.len() == retractions.len()
            && self.elsewhere.iter().zip(retractions).all(|(own, other)| own.id == other.id)
        {
            return;
        }
        self.last = None;
        self.elsewhere = retractions.to_vec();
        self.named_elsewhere = named(retractions);
        self.read_edits();
        self.refold();
    }

    /// Reads anew what the entries say about each other.
    fn read_edits(&mut self) {
        self.proposed.clear();
        self.found = false;
        self.edits = Edits::default();
        self.edits.retract_elsewhere(&self.path, &self.elsewhere);
        self.edits.scan(&self.path, 0, &self.reader, &self.target);
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
        let (Some(first), Some(last)) = (new.first(), &self.last) else { return false };
        last.may_be(first) && matches!(last.append(), [sent] if sent == &**first)
    }

    /// The prepared request was appended, at this place: what it closed stays closed.
    fn adopt(&mut self, at: usize) {
        let Some(proposal) = self.last.take() else { return };
        let Digested { append, hashed } = proposal.digested();
        let Some(sent) = append.first() else { return };
        self.proposed.clear();
        self.found = false;
        self.edits.adopt(&self.path, at, &self.reader, &self.target);
        self.fold.keep();
        self.fold.take_hashed(hashed.clone());
        self.fold.under_way(&sent.id);
        self.fold.told(Told { messages_known: proposal.messages(), ..Told::AS_WRITTEN });
    }

    /// The prepared request was not appended: nothing of it is known.
    fn forget_proposal(&mut self) {
        self.last = None;
        if self.proposed.is_empty() && !self.found {
            let version = self.fold.declare().version;
            self.fold.rewind();
            if version != self.fold.declare().version {
                self.head = None;
            }
            return;
        }
        self.read_edits();
        self.refold();
    }

    fn choose_compaction(&mut self) {
        self.cut_is_sound = false;
        self.applied = compact::choose(&self.path, &self.edits.retracted_entries);
    }

    /// Folds the whole path anew, with what entries say of each other and nothing else.
    fn refold(&mut self) {
        self.edits.forget_found();
        self.fold_anew();
    }

    /// Folds the whole path anew, with what was found while it was folded before.
    fn fold_anew(&mut self) {
        self.head = None;
        loop {
            #[cfg(test)]
            {
                self.folds += 1;
            }
            self.fold = Fold::default();
            self.choose_compaction();
            let steps = match &self.applied {
                Some(applied) => applied.steps(&self.path, &self.reader),
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
            dialect: &self.dialect,
            running: &[],
        };
        for steps in steps.chunks(ahead::ROWS) {
            if let (Some(Step::Entry(first)), Some(Step::Entry(last))) =
                (steps.first(), steps.last())
            {
                let rows = self.path.get(*first as usize..=*last as usize).unwrap_or_default();
                ahead::look(rows, self.dialect.carries_thoughts());
            }
            for step in steps {
                self.fold.step(view, *step, handoff.map(|entry| &**entry));
            }
        }
        self.take_found()
    }

    /// Takes in what folding found; whether it has to begin again.
    fn take_found(&mut self) -> bool {
        let found = self.fold.take_found();
        let again = !found.is_empty();
        self.edits.take_in(found);
        again
    }

    /// Makes the request of this moment.
    ///
    /// The same state gives the same bytes; nothing is appended, the caller does that.
    pub fn prepare(&mut self, now: &Now) -> Result<Prepared, Refusal> {
        self.forget_proposal();
        if let Some(applied) = self.applied.as_ref().filter(|_| !self.cut_is_sound) {
            self.cut_is_sound =
                applied.check_cut(&self.path, &self.reader, &self.edits.retracted)?;
        }
        let attempts = self.path.len() + ATTEMPTS_SPARE;
        for _ in 0..attempts {
            if let Some(prepared) = self.attempt(now)? {
                return Ok(prepared);
            }
            self.fold_anew();
        }
        Err(Refusal::NeverSettles { attempts: attempts as u64 })
    }

    /// One attempt; `None` where something more has to be left out first.
    fn attempt(&mut self, now: &Now) -> Result<Option<Prepared>, Refusal> {
        self.fold.mark();
        let view = View {
            path: &self.path,
            edits: &self.edits,
            reader: &self.reader,
            target: &self.target,
            dialect: &self.dialect,
            running: &now.running,
        };
        let closing = if now.no_continue { Closing::RequestAsItEnds } else { Closing::Request };
        let closed = self.fold.close(view, closing);
        if self.take_found() {
            self.found = true;
            return Ok(None);
        }
        if closed.only_prompts || closed.end.messages == 0 || closed.ends_with_assistant {
            return Err(Refusal::NothingToSay);
        }
        let head = self.head(closed.has_calls)?;
        let principal = now.principal.as_ref().map(|facts| facts.text());
        let authority = principal.as_ref().map(|text| digest::of(text.as_bytes()));
        if self.leave_out(now, &closed, &head, authority) {
            return Ok(None);
        }
        self.request(now, &closed, &head, principal, authority).map(Some)
    }

    fn head(&mut self, calls: bool) -> Result<Arc<Head>, Refusal> {
        let declare = self.fold.declare();
        if let Some((version, with_calls, head)) = &self.head
            && *version == declare.version
            && *with_calls == calls
        {
            return Ok(Arc::clone(head));
        }
        let head = Arc::new(head::write(&self.dialect, declare, calls)?);
        self.head = Some((declare.version, calls, Arc::clone(&head)));
        Ok(head)
    }

    fn request(
        &mut self,
        now: &Now,
        closed: &Closed,
        head: &Head,
        principal: Option<String>,
        authority: Option<Digest>,
    ) -> Result<Prepared, Refusal> {
        // Dropping blocks is a remedy of the models that bind them.
        let rung = now.recovery.or(self.edits.rung).filter(|_| self.target.binds_thinking());
        let name = self.target.to.model.as_str();
        let asked = Parameters { thinking: self.thinking_choice(now), ..now.parameters.clone() };
        let written = parameters::write(&self.dialect, name, &asked, closed, head, rung)?;
        let (lead, lead_mark) =
            head::lead(&self.dialect, &written.bytes, head, principal.as_deref());
        let lead_bytes: u64 = lead.iter().map(|piece| piece.len() as u64).sum();
        let marks = self.marks(closed, lead_bytes);
        let cache_breakpoints = marks.len() as u32 + u32::from(lead_mark);
        let body = Body::new(lead, closed.conversation.clone(), closed.ending, marks);
        let body = body.marked_by(self.dialect.cache_mark().0);
        self.within_limits(now, body.len(), closed.end.messages)?;
        let mut changes = closed.changes.clone();
        let mut own = head.changes.clone();
        if written.turned_off {
            let kind = ChangeKind::ThinkingTurnedOff;
            own.push(Change { kind, row: None, block: None, detail: None });
        }
        own.extend(written.changes);
        own.extend(self.not_taken_over(&written.says));
        changes.append(own);
        let parameters = digest::of(&written.prompt);
        let report = Report {
            changes,
            moved: self.moved(closed, head, authority, parameters),
            messages: closed.end.messages
                + head::messages_ahead(&self.dialect, head, authority.is_some()),
            thoughts: self.fold.grown.thoughts.len() as u64,
            cache_breakpoints,
        };
        let digests = Digests {
            head: head.digest,
            authority,
            parameters: Some(parameters),
            checkpoints: Vec::new(),
        };
        let proposal = Arc::new(self.propose(now, closed, digests));
        self.last = Some(Arc::clone(&proposal));
        let mut betas = written.betas;
        betas.extend(&head.betas);
        Ok(Prepared::new(proposal, ValidRequest::new(body, betas, report)))
    }

    /// Whether a request is no larger than its provider takes, or than we do where that is not
    /// known.
    fn within_limits(&self, now: &Now, bytes: u64, messages: u64) -> Result<(), Refusal> {
        let dialect = &self.dialect;
        let [of_bytes, of_messages] = dialect.size_limits_of();
        let bytes_max = match now.limits.body_bytes_max {
            Some(max) => (max, LimitOf::Provider),
            None => (dialect.body_bytes_max(), of_bytes),
        };
        let messages_max = (dialect.messages_max(), of_messages);
        for (what, count, (limit, of)) in
            [("bytes", bytes, bytes_max), ("messages", messages, messages_max)]
        {
            if count > limit {
                return Err(Refusal::TooLarge { what, count, limit, of });
            }
        }
        Ok(())
    }

    /// Where cache breakpoints go: at the last request's end, before trailing system messages, at
    /// the end. With the head's they are at most four.
    fn marks(&self, closed: &Closed, lead_bytes: u64) -> Vec<u64> {
        let Some(least) = self.dialect.marked_bytes_min() else { return Vec::new() };
        let (_, inside) = self.dialect.cache_mark();
        let mut marks: Vec<u64> = closed
            .breakpoints
            .iter()
            .flatten()
            .map(|end| end.saturating_sub(inside))
            .filter(|at| lead_bytes + at >= least)
            .collect();
        marks.sort_unstable();
        marks.dedup();
        marks
    }
}

/// The entries that retractions name, or name blocks of.
fn named(retractions: &[Arc<Entry>]) -> BTreeSet<EntryId> {
    let mut named = BTreeSet::new();
    for entry in retractions {
        if let Fact::Retracted(retracted) = &entry.fact {
            named.extend(retracted.entries.iter().cloned());
            named.extend(retracted.blocks.iter().map(|block| block.row.clone()));
        }
    }
    named
}

#[cfg(test)]
mod tests;
