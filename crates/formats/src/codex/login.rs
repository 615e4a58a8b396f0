//! Which backend served a rollout: its first line names the vendor, and only the limits counted
//! with its tokens say that it was a ChatGPT plan. What that backend sealed no other opens.
#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use json::{Text, Value};
use record::{Block, Entry, Fact, Proof, Source};

use super::PLATFORM;

/// The backend that serves accounts with a plan.
const OF_PLANS: &str = "chatgpt";

/// Whether an event that counts tokens names the plan they are counted on.
pub(super) fn has_plan(event: Value<'_, '_>) -> bool {
    let plan = event.get("rate_limits").and_then(|limits| limits.get("plan_type"));
    plan.and_then(Value::to_text).is_some_and(|plan| !plan.is_empty())
}

/// Names the backend of plans wherever the vendor stands.
pub(super) fn to_plan(entries: &mut [Entry]) {
    for entry in entries {
        let Fact::Message(message) = &mut entry.fact else { continue };
        if let Some(Source::Model { platform, .. }) = &mut message.source {
            rename(platform);
        }
        for proof in message.blocks.iter_mut().filter_map(proof_of) {
            if &*proof.issuer.platform == PLATFORM {
                rename(&mut Arc::make_mut(&mut proof.issuer).platform);
            }
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
