//! System messages in the conversation: whether the model takes them, where they may stand, what
//! they may hold.

use json::Value;

use super::Body;
use super::conversation::{Block, Kind, Message, Role, Turn};
use crate::report::{Fill, Report};

///
pub(super) fn check(body: &Body<'_, '_>, report: &mut Report) {
    let turns = &body.conversation.turns;
    for (index, turn) in turns.iter().enumerate() {
        if turn.role != Role::System {
            continue;
        }
        let messages = body.conversation.messages.get(turn.messages.clone()).unwrap_or_default();
        let numbered = || turn.messages.clone().zip(messages);
        for (number, message) in numbered() {
            content(body, number, message, report);
        }
        // A message that only sets the effort may stand anywhere.
        let Some((number, message)) = numbered().find(|(_, message)| !is_directive(message)) else {
            continue;
        };
        if taken(body, number, message, report) {
            let before = index.checked_sub(1).and_then(|before| turns.get(before));
            let place = Place { number, offset: message.value.offset() };
            position(body, place, before, turns.get(index + 1), report);
        }
    }
}

/// An effort-only message: no content, but `output_config`.
fn is_directive(message: &Message<'_, '_>) -> bool {
    let config = message.value.get("output_config").is_some_and(|config| !config.is_null());
    message.blocks.is_empty() && config
}

/// whether the model takes the role at all.
fn taken(
    body: &Body<'_, '_>,
    number: usize,
    message: &Message<'_, '_>,
    report: &mut Report,
) -> bool {
    let model = body.model;
    let path = format!("messages.{number}");
    let offset = message.value.get("role").unwrap_or(message.value).offset();
    if model.system_mid_history {
        return true;
    }
    if model.system_mid_history_seen || model.is_unknown() {
        report.warn("A-070", path, offset, &[]);
        return true;
    }
    // Models that came before adaptive thinking do not know the role.
    if model.thinking_adaptive {
        report.add("A-070", path, offset, &[]);
    } else {
        report.add("A-005", path, offset, &[("role", &"system")]);
    }
    false
}

struct Place {
    number: usize,
    offset: usize,
}

///
fn position(
    body: &Body<'_, '_>,
    place: Place,
    before: Option<&Turn>,
    after: Option<&Turn>,
    report: &mut Report,
) {
    let Place { number, offset } = place;
    let path = || format!("messages.{number}");
    let Some(before) = before else {
        return report.add("A-071", path(), offset, &[("n", &number)]);
    };
    let last = body.conversation.blocks(&before.blocks).last();
    let after_server = last.is_some_and(|block| block.kind == Kind::ServerResult);
    if !(before.role == Role::User || before.role == Role::Assistant && after_server) {
        report.add("A-072", path(), offset, &[("n", &number)]);
    }
    if after.is_some_and(|after| after.role != Role::Assistant) {
        report.add("A-073", path(), offset, &[("n", &number)]);
    }
}

///
fn content(body: &Body<'_, '_>, number: usize, message: &Message<'_, '_>, report: &mut Report) {
    let offset = message.value.offset();
    let blocks = body.conversation.blocks(&message.blocks);
    if blocks.is_empty() && !is_directive(message) {
        report.add("A-074", format!("messages.{number}"), offset, &[("n", &number)]);
    }
    let scoped = message.value.get("clear_at");
    let scoped = scoped.is_some_and(|value| value.is_str("next_user_message"));
    for block in blocks {
        if scoped {
            turn_scoped(number, block, report);
        }
        if matches!(block.kind, Kind::ToolAddition | Kind::ToolRemoval) {
            tool_change(body, block, report);
        }
    }
    let config = message.value.get("output_config").filter(|config| !config.is_null());
    if let Some(config) = config.filter(|_| scoped) {
        let words = format!(
            "messages.{number}: output_config is not permitted on a turn-scoped system message"
        );
        report.say("A-076", format!("messages.{number}.output_config"), config.offset(), words);
    }
}

///
fn turn_scoped(number: usize, block: &Block<'_, '_>, report: &mut Report) {
    if block.kind != Kind::Text {
        report.add("A-076", block.path(), block.value.offset(), &[("n", &number)]);
    }
    if let Some(mark) = block.value.get("cache_control").filter(|mark| !mark.is_null()) {
        let words = format!(
            "messages.{number}: cache_control is not permitted on a turn-scoped system message"
        );
        report.say("A-076", block.path(), mark.offset(), words);
    }
}

/// a change names a tool of `tools`.
fn tool_change(body: &Body<'_, '_>, block: &Block<'_, '_>, report: &mut Report) {
    let Some(tool) = block.value.get("tool") else { return };
    let is_reference = tool.get("type").is_some_and(|tag| tag.is_str("tool_reference"));
    let name = tool.get("name").filter(|_| is_reference);
    let Some(name) = name.and_then(Value::as_str) else { return };
    if !body.tool_names.contains(&name) {
        let fill: Fill<'_> = &[("kind", &block.tag()), ("name", &name)];
        report.add("A-075", block.path(), tool.offset(), fill);
    }
}
