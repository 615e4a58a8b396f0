//! Which backend served each turn of a rollout: its first line names the vendor, and only the
//! limits counted with its tokens say that it was a ChatGPT plan. What that backend sealed no other
//! opens.
#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use json::{Kind, Text, Value};
use record::{Block, Entry, Fact, Proof, Source};

use super::PLATFORM;

/// The backend that serves accounts with a plan.
const OF_PLANS: &str = "chatgpt";

/// The plans there are. Any other name, `api` among them, is no plan.
const PLANS: &[&str] = &[
    "business",
    "edu",
    "edu_plus",
    "edu_pro",
    "education",
    "ent26",
    "enterprise",
    "enterprise_cbp_automation",
    "enterprise_cbp_usage_based",
    "free",
    "free_workspace",
    "go",
    "k12",
    "plus",
    "pro",
    "prolite",
    "self_serve_business_prolite",
    "self_serve_business_usage_based",
    "team",
];

/// The turns of a rollout, and how each was paid for.
pub(super) struct Logins {
    turns: Vec<Turn>,
}

struct Turn {
    /// Where its entries begin.
    first: usize,
    /// Whether its tokens were counted on a plan; `None` where no count says.
    on_plan: Option<bool>,
}

impl Logins {
    pub(super) fn new() -> Logins {
        Logins { turns: vec![Turn { first: 0, on_plan: None }] }
    }

    /// A turn begins with the entry that comes next.
    pub(super) fn turn(&mut self, first: usize) {
        self.turns.push(Turn { first, on_plan: None });
    }

    /// Tokens of the turn under way were counted. One count on a plan tells for its whole turn: the
    /// others may come from before its limits were known.
    pub(super) fn counted(&mut self, event: Value<'_, '_>) {
        let Some(turn) = self.turns.last_mut() else { return };
        if let Some(on_plan) = on_plan(event) {
            turn.on_plan = Some(turn.on_plan.unwrap_or(false) | on_plan);
        }
    }

    /// Names the backend of plans in the turns that it served, wherever the vendor stands. A turn
    /// without a count goes by the one before it, else by the one after.
    pub(super) fn name(&self, entries: &mut [Entry]) {
        let first_known = self.turns.iter().find_map(|turn| turn.on_plan);
        let mut on_plan = first_known.unwrap_or(false);
        let mut turns = self.turns.iter().peekable();
        for (index, entry) in entries.iter_mut().enumerate() {
            while let Some(turn) = turns.next_if(|turn| turn.first <= index) {
                on_plan = turn.on_plan.unwrap_or(on_plan);
            }
            if on_plan {
                to_plan(entry);
            }
        }
    }
}

/// Whether an event that counts tokens counts them on a plan. Limits come with a plan alone; older
/// ones do not name it.
fn on_plan(event: Value<'_, '_>) -> Option<bool> {
    let Some(limits) = event.get("rate_limits").filter(|limits| limits.kind() != Kind::Null) else {
        return Some(false);
    };
    let plan = limits.get("plan_type").and_then(Value::to_text)?;
    Some(PLANS.contains(&&*plan))
}

fn to_plan(entry: &mut Entry) {
    let Fact::Message(message) = &mut entry.fact else { return };
    if let Some(Source::Model { platform, .. }) = &mut message.source {
        rename(platform);
    }
    for proof in message.blocks.iter_mut().filter_map(proof_of) {
        if &*proof.issuer.platform == PLATFORM {
            rename(&mut Arc::make_mut(&mut proof.issuer).platform);
        }
    }
}

fn rename(platform: &mut Text) {
    if &**platform == PLATFORM {
        *platform = OF_PLANS.into();
    }
}

fn proof_of(block: &mut Block) -> Option<&mut Proof> {
    match block {
        Block::Text(text) => text.proof.as_deref_mut(),
        Block::ToolUse(call) => call.proof.as_deref_mut(),
        Block::Reasoning(thought) => thought.proof.as_deref_mut(),
        Block::Opaque(opaque) => opaque.proof.as_deref_mut(),
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => None,
    }
}
