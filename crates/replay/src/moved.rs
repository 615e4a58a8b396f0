//! The first place at which a request stops extending the last one, why, and what that costs.
//!
//! The place is read off the bytes of both conversations; the last one is folded again from the
//! record, so the answer does not depend on what was fed when.

use json::{Doc, Kind, Value};
use record::{BlockRef, Digest, Fill};
use wire::pages::Bytes;

use crate::fold::{Closed, Closing, View};
use crate::project::head::{self, Head};
use crate::read::edits::{Baseline, EditEvent};
use crate::read::lookup::Positions;
use crate::replayer::Replayer;
use crate::report::{Cost, Moved, MovedReason, Unit};
use crate::target::Target;

/// Retractions on other branches, newest first, without which the last request is folded again to
/// find what it knew.
const RETRACTIONS_TRIED: usize = 8;

/// Members of a message that is nothing but blocks.
const ROLE_AND_CONTENT: usize = 2;

impl Replayer {
    /// The first unit that differs from the last request of this agent and target: the place is
    /// read off the bytes of both, the reason off what came since.
    pub(crate) fn moved(
        &self,
        closed: &Closed,
        head: &Head,
        authority: Option<Digest>,
        parameters: Digest,
    ) -> Option<Moved> {
        let baseline = self.edits.baseline.as_ref()?;
        let (told_head, told_authority) = self.told_head(baseline)?;
        let told_parameters = baseline.sent()?.digests.as_ref().and_then(|told| told.parameters);
        let (unit, reason) = if told_parameters.is_some_and(|told| told != parameters) {
            (Unit::Parameters, MovedReason::Parameters)
        } else if told_head.is_some_and(|told| told != head.digest) {
            (Unit::Head, MovedReason::Head)
        } else if told_authority != authority {
            (Unit::Head, MovedReason::Authority)
        } else {
            let mut causes = self.causes(baseline);
            causes.sort_by_key(|(unit, _)| *unit);
            let expected = causes.first()?.0;
            let unit = match self.told(baseline) {
                Some((told, _)) => first_difference(&told, closed)?,
                None => expected,
            };
            let at_or_before = causes.partition_point(|(cause, _)| *cause <= unit);
            let exact = causes.iter().find(|(cause, _)| *cause == unit);
            let cause = exact.or(causes.get(at_or_before.saturating_sub(1)))?;
            (unit, cause.1)
        };
        let cost = self.cost(closed, unit);
        let ahead = head::messages_ahead(&self.dialect, head, authority.is_some());
        let unit = match unit {
            Unit::Content { message, block } => Unit::Content { message: message + ahead, block },
            Unit::Parameters | Unit::Head => unit,
        };
        Some(Moved { unit, reason, cost })
    }

    /// The conversation of the last request folded again, under as many of the retractions on other
    /// branches as it knew, and how many those are; `None` where another build sent it.
    fn told(&self, baseline: &Baseline) -> Option<(Closed, usize)> {
        let vision = !baseline.sent()?.no_vision;
        let all = self.elsewhere.len();
        (all.saturating_sub(RETRACTIONS_TRIED)..=all).rev().find_map(|known| {
            let target = Target { vision, ..self.target.clone() };
            let mut then = Replayer::new(self.reader.clone(), target);
            then.retract(self.elsewhere.get(..known)?);
            then.feed(self.path.get(..=baseline.index as usize)?);
            if then.fold.last_told().is_none_or(|told| !told.matches) {
                return None;
            }
            let Replayer { path, edits, reader, target, dialect, fold, .. } = &mut then;
            let view = View { path, edits, reader, target, dialect, running: &[] };
            Some((fold.close(view, Closing::Told(baseline.index)), known))
        })
    }

    /// The edits of the view that the last request did not know.
    pub(crate) fn events_since(&self, baseline: &Baseline) -> impl Iterator<Item = &EditEvent> {
        let all = self.elsewhere.len();
        let differs = all > 0 && self.fold.last_told().is_some_and(|told| !told.matches);
        let told = if differs { self.told(baseline) } else { None };
        let known = told.map_or(all, |(_, known)| known);
        let since = baseline.index;
        self.edits.events.iter().filter(move |event| match event.elsewhere {
            Some(nth) => nth >= known,
            None => event.at > since,
        })
    }

    /// What can have moved a unit since the last request, and where it stands.
    fn causes(&self, baseline: &Baseline) -> Vec<(Unit, MovedReason)> {
        let mut causes = Vec::new();
        let start = Unit::Content { message: 0, block: 0 };
        let grown = &self.fold.grown;
        let (edited, positions) = (grown.edited_units(), Positions::new(&self.path));
        let stands = |block: &BlockRef| edited.get(block).copied();
        for event in self.events_since(baseline) {
            let unit = event.block.as_ref().map_or(Some(start), stands);
            causes.extend(unit.map(|unit| (unit, event.reason)));
        }
        let vision = self.vision_moved(baseline);
        causes.extend(vision.map(|(_, unit)| (unit, MovedReason::Capability)));
        for fill in &self.proposed {
            match fill {
                Fill::ImageOut { at, .. } => {
                    let told = positions.of(&at.row).is_some_and(|row| row < baseline.index);
                    causes.extend(stands(at).filter(|_| told).map(|u| (u, MovedReason::Images)));
                }
                Fill::ThinkingOut { from, to, reason } => {
                    let span = positions.of(from).zip(positions.of(to));
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
                        causes.push((self.first_unmatched(), why));
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
        for (row, given_up_at) in self.edits.pauses_given_up() {
            let told = row < baseline.index && baseline.index < given_up_at;
            let Some(entry) = self.path.get(row as usize).filter(|_| told) else { continue };
            let first = BlockRef { row: entry.id.clone(), block: 0 };
            let blocks = edited
                .range::<&BlockRef, _>(&first..)
                .take_while(|(block, _)| block.row == entry.id);
            let unit = blocks.map(|(_, unit)| *unit).min();
            causes.extend(unit.map(|unit| (unit, MovedReason::Capability)));
        }
        causes.extend(self.fold.conversation().demoted);
        if causes.is_empty() && self.fold.last_told().is_some_and(|told| !told.matches) {
            causes.push((self.first_unmatched(), MovedReason::Build));
        }
        causes
    }

    /// After the last checkpoint of the last request that this fold writes as well.
    fn first_unmatched(&self) -> Unit {
        let message = self.fold.last_told().map_or(0, |told| told.messages_known);
        Unit::Content { message, block: 0 }
    }

    fn cost(&self, closed: &Closed, unit: Unit) -> Cost {
        let kept = match unit {
            Unit::Parameters | Unit::Head => 0,
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
}

/// The first block of `told` that is not in its place in `now`; `None` where all of them are.
///
/// Both end after a block, their last message still open.
fn first_difference(told: &Closed, now: &Closed) -> Option<Unit> {
    if extends(&told.conversation, &now.conversation) {
        return None;
    }
    let (told, now) = (array(told), array(now));
    let (told, now) = (Doc::parse(&told).ok()?, Doc::parse(&now).ok()?);
    let mut others = now.root().items();
    let mut told = told.root().items().zip(0u64..).peekable();
    while let Some((message, at)) = told.next() {
        let start = Unit::Content { message: at, block: 0 };
        let other = others.next().filter(|other| role(*other) == role(message));
        let Some(other) = other else { return Some(start) };
        let (own, others) = (blocks(message), blocks(other));
        let (mut own, mut others) = (own.iter(), others.iter());
        for block in 0u64.. {
            let same = match (own.next(), others.next()) {
                (Some(own), Some(other)) => own.raw() == other.raw(),
                (None, None) => break,
                // The last message may have been gone on with.
                (None, Some(_)) if told.peek().is_none() => break,
                (None, Some(_)) | (Some(_), None) => false,
            };
            if !same {
                return Some(Unit::Content { message: at, block });
            }
        }
    }
    None
}

fn extends(told: &Bytes, now: &Bytes) -> bool {
    let mut now_bytes = now.runs_from(0).into_iter().flatten();
    told.len() <= now.len()
        && told.runs_from(0).into_iter().flatten().all(|byte| now_bytes.next() == Some(byte))
}

fn array(closed: &Closed) -> Vec<u8> {
    let mut out = vec![b'['];
    out.extend(closed.conversation.runs_from(0).concat());
    out.extend_from_slice(closed.ending.of_message().as_bytes());
    out.push(b']');
    out
}

fn role<'t>(message: Value<'_, 't>) -> Option<std::borrow::Cow<'t, str>> {
    message.get_str("role")
}

/// The units of a message: the blocks it is an array of, else the message as a whole.
fn blocks<'d, 't>(message: Value<'d, 't>) -> Vec<Value<'d, 't>> {
    let content = message.get("content").or_else(|| message.get("parts"));
    let content = content.filter(|content| content.kind() == Kind::Array);
    // What kind of item it is says nothing more.
    let members = message.members().filter(|(name, _)| !name.is_str("type")).count();
    match content.filter(|_| members == ROLE_AND_CONTENT) {
        Some(content) => content.items().collect(),
        None => vec![message],
    }
}
