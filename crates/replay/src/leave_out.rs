//! What a request cannot hold: images over a limit, thoughts whose prefix is another.
//!
//! In: the conversation as it would close. Out: fills, for which the fold begins again. Nothing
//! here is stored before the request's `sent` is.

use json::Raw;
use record::{BlockRef, Digest, Fact, Fill, Rung};

use crate::fold::{Closed, ImageAt};
use crate::now::{Now, ThinkingChoice};
use crate::project::head::Head;
use crate::project::inherited;
use crate::read::edits::Baseline;
use crate::read::lookup::Positions;
use crate::replayer::Replayer;
use crate::report::{Change, MovedReason, Unit};
use crate::wording::UnseenReason;

/// Spare bytes for what stands ahead of the conversation besides the head.
const LEAD_BYTES_SPARE: u64 = 16 << 10;

impl Replayer {
    /// Decides what cannot go into this request; whether anything was added to what is left out.
    pub(crate) fn leave_out(
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
            let grown = &self.fold.grown;
            let sealed = grown.thoughts.iter().chain(&grown.signed).copied();
            let standing = sealed.filter(|row| *row >= from);
            Some((standing.clone().min()?, standing.max()?, reason))
        });
        let Some((first, last, reason)) = span else { return false };
        let ids = (self.path.get(first as usize), self.path.get(last as usize));
        if let (Some(from), Some(to)) = ids {
            self.edits.thinking_proposed_out.insert((first, last));
            let (from, to) = (from.id.clone(), to.id.clone());
            self.proposed.push(Fill::ThinkingOut { from, to, reason: reason.into() });
        }
        true
    }

    /// Images over the provider's limits: the oldest, in one batch down to half of what is allowed.
    fn images_to_leave_out(&self, now: &Now, closed: &Closed, head: &Head) -> Vec<(BlockRef, u32)> {
        let images = &self.fold.grown.images;
        let place = |image: &ImageAt| (image.at.clone(), image.nth);
        let own = self.dialect.images_max();
        let allowed = now.limits.images_max.map_or(own, |max| max as usize);
        if images.len() > allowed {
            // Where one may stand, the newest does.
            let out = images.len() - (allowed / 2).max(allowed.min(1));
            return images.iter().take(out).map(place).collect();
        }
        let (many, side_max) = self.dialect.side_max_of_many();
        let large = |image: &&ImageAt| image.side > side_max;
        if images.len() > many && images.iter().any(|image| large(&image)) {
            return images.iter().filter(large).map(place).collect();
        }
        let head_bytes = (head.before_mark.len() + head.after_mark.len()) as u64;
        let bytes = closed.conversation.len() + head_bytes + LEAD_BYTES_SPARE;
        let bytes_max = now.limits.body_bytes_max.unwrap_or(self.dialect.body_bytes_max());
        if bytes <= bytes_max {
            return Vec::new();
        }
        let over = bytes - bytes_max;
        let half = images.iter().map(|image| image.bytes).sum::<u64>() / 2;
        let mut freed = 0;
        let needed = |image: &&ImageAt| {
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
        if now.recovery == Some(Rung::Strip) {
            return Some((0, "recovery"));
        }
        if !self.target.binds_thinking() {
            return None;
        }
        let baseline = self.edits.baseline.as_ref()?;
        let (told_head, told_authority) = self.told_head(baseline)?;
        if told_authority != authority {
            return Some((0, MovedReason::Authority.as_str()));
        }
        if told_head.is_some_and(|told| told != head.digest) {
            return Some((0, MovedReason::Head.as_str()));
        }
        let mut moved: Vec<(u32, MovedReason)> = Vec::new();
        moved.extend(self.vision_moved(baseline).map(|(row, _)| (row, MovedReason::Capability)));
        let (edited, positions) = (self.fold.grown.edited_units(), Positions::new(&self.path));
        for event in self.events_since(baseline) {
            match &event.block {
                None => moved.push((0, event.reason)),
                Some(block) => {
                    let stands = edited.contains_key(block);
                    if let Some(row) = positions.of(&block.row).filter(|_| stands) {
                        moved.push((row, event.reason));
                    }
                }
            }
        }
        let given_up = self.edits.pauses_given_up();
        let given_up = given_up.filter(|(row, at)| (*row..*at).contains(&baseline.index));
        moved.extend(given_up.map(|(row, _)| (row, MovedReason::Capability)));
        for fill in &self.proposed {
            if let Fill::ImageOut { at, .. } = fill
                && let Some(row) = positions.of(&at.row)
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

    /// Digests of what stood ahead of the last request's conversation: its head, as far as it is
    /// known, and the authority it named. An imported request has no digests, and named none.
    pub(crate) fn told_head(
        &self,
        baseline: &Baseline,
    ) -> Option<(Option<Digest>, Option<Digest>)> {
        Some(match &baseline.sent()?.digests {
            Some(digests) => (Some(digests.head), digests.authority),
            None => (self.fold.last_told().and_then(|told| told.head), None),
        })
    }

    /// The first image that the last request showed otherwise, because its caller let the model see
    /// images and this one does not, or the other way round: its row and where it stands.
    pub(crate) fn vision_moved(&self, baseline: &Baseline) -> Option<(u32, Unit)> {
        let sent = baseline.sent().filter(|sent| sent.digests.is_some())?;
        let (row, unit) = self.fold.grown.first_image.first().copied()?;
        (sent.no_vision == self.target.vision && row < baseline.index).then_some((row, unit))
    }

    /// The running turn's first row, where thinking is off: its thoughts are left out.
    fn thoughts_of_running_turn(&self, now: &Now, closed: &Closed) -> Option<(u32, &'static str)> {
        let off = self.thinking_choice(now) == ThinkingChoice::Off;
        let off = off && self.dialect.drops_running_thoughts() && closed.turn_runs;
        closed.turn_start.filter(|_| off).map(|row| (row, "thinking off"))
    }

    /// What the caller says about thinking, else what an imported request said of itself.
    pub(crate) fn thinking_choice(&self, now: &Now) -> ThinkingChoice {
        if now.parameters.thinking != ThinkingChoice::AsRecorded {
            return now.parameters.thinking;
        }
        if self.inherited_thinking().is_some() {
            ThinkingChoice::Off
        } else {
            ThinkingChoice::AsRecorded
        }
    }

    /// The parameters of the request that was imported last which this one does not say.
    pub(crate) fn not_taken_over(&self, says: &Raw) -> Vec<Change> {
        let Some(entry) = &self.edits.imported else { return Vec::new() };
        let Fact::Sent(sent) = &entry.fact else { return Vec::new() };
        let mut changes = inherited::left_out(entry, sent, says);
        if self.inherited_thinking().is_some() {
            changes.retain(|change| change.detail.as_deref() != Some("thinking"));
        }
        changes
    }

    /// The parameter by which an imported request, or one that went on from it, turned thinking
    /// off.
    pub(crate) fn inherited_thinking(&self) -> Option<&Raw> {
        let baseline = self.edits.baseline.as_ref()?.sent()?;
        baseline
            .rest
            .get("thinking")
            .filter(|raw| raw.doc().root().get("type").is_some_and(|kind| kind.is_str("disabled")))
    }
}
