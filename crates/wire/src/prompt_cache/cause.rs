//! Why a unit is not what it was.

use std::collections::BTreeSet;

use json::{Value, canonical};

use super::clock;
use super::rules::Level;
use super::spot::{Place, Spot, is_reordered, is_same_unit};
use super::units::{Part, Unit};

/// Units that are looked ahead for the one that stood here before.
const LOOK_AHEAD_UNITS: usize = 1000;

/// Between these some servers give a thought in the text of a reply.
const THOUGHT_TAGS: [&str; 2] = ["<think>", "</think>"];

/// Names of tools that are named, of several.
const NAMES_SHOWN: usize = 5;

/// Why a unit moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Another model.
    Model,
    /// A parameter on which the cache hangs.
    Parameter,
    /// Tools came.
    ToolsAdded,
    /// Tools went.
    ToolsRemoved,
    /// Tools came and went.
    ToolsReplaced,
    /// The same tools in another order.
    ToolsReordered,
    /// A tool goes by another name.
    ToolRenamed,
    /// What a tool is said to do is another.
    ToolDescription,
    /// A tool's members, or its schema's, stand in another order.
    ToolMembersReordered,
    /// A tool is another.
    ToolChanged,
    /// System text came.
    SystemAdded,
    /// System text went.
    SystemRemoved,
    /// A date or a time of day in the system text is another.
    SystemClock,
    /// System text is another.
    SystemChanged,
    /// A thought is no longer sent.
    ThoughtRemoved,
    /// Something stands before what was there.
    Inserted,
    /// Something that was there is not.
    Removed,
    /// The same members in another order.
    MembersReordered,
    /// What was said is another.
    Edited,
}

impl Cause {
    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// In words.
    pub fn words(self) -> &'static str {
        self.row().1
    }

    /// Whether it changes what stands before a thought that is bound to its prefix: neither
    /// parameters nor the order of members do.
    pub fn unbinds(self) -> bool {
        match self {
            Cause::Model
            | Cause::Parameter
            | Cause::ToolMembersReordered
            | Cause::MembersReordered => false,
            Cause::ToolsAdded
            | Cause::ToolsRemoved
            | Cause::ToolsReplaced
            | Cause::ToolsReordered
            | Cause::ToolRenamed
            | Cause::ToolDescription
            | Cause::ToolChanged
            | Cause::SystemAdded
            | Cause::SystemRemoved
            | Cause::SystemClock
            | Cause::SystemChanged
            | Cause::ThoughtRemoved
            | Cause::Inserted
            | Cause::Removed
            | Cause::Edited => true,
        }
    }

    fn row(self) -> (&'static str, &'static str) {
        match self {
            Cause::Model => ("model", "the model is another, and a cache is one model's"),
            Cause::Parameter => ("parameter", "a parameter on which the cache hangs changed"),
            Cause::ToolsAdded => ("tools added", "tools came"),
            Cause::ToolsRemoved => ("tools removed", "tools went"),
            Cause::ToolsReplaced => ("tools replaced", "tools came and went"),
            Cause::ToolsReordered => ("tools reordered", "the same tools, in another order"),
            Cause::ToolRenamed => ("tool renamed", "a tool goes by another name"),
            Cause::ToolDescription => ("tool description", "a tool's description changed"),
            Cause::ToolMembersReordered => {
                ("tool members reordered", "the same tool, its members in another order")
            }
            Cause::ToolChanged => ("tool changed", "a tool's definition changed"),
            Cause::SystemAdded => ("system added", "system text came"),
            Cause::SystemRemoved => ("system removed", "system text went"),
            Cause::SystemClock => ("system clock", "a date or time in the system text changed"),
            Cause::SystemChanged => ("system changed", "system text changed"),
            Cause::ThoughtRemoved => ("thought removed", "a thought is no longer sent"),
            Cause::Inserted => ("inserted", "something stands before what was there"),
            Cause::Removed => ("removed", "something that was sent is not there"),
            Cause::MembersReordered => {
                ("members reordered", "the same, its members in another order")
            }
            Cause::Edited => ("edited", "what was sent is another"),
        }
    }
}

/// Why the units of a level differ from `at` on, and what exactly where the cause does not say.
pub fn of(
    before: &[Unit<'_, '_>],
    after: &[Unit<'_, '_>],
    at: usize,
    spot: Option<&Spot>,
) -> (Cause, Option<String>) {
    let (own, other) = (before.get(at), after.get(at));
    let Some(first) = own.or(other) else { return (Cause::Edited, None) };
    let is_parameter = [own, other].into_iter().flatten().any(|u| u.part == Part::Parameter);
    match first.level {
        Level::Model => (Cause::Model, None),
        _ if is_parameter => (Cause::Parameter, None),
        Level::Tools => of_tools(before, after, at),
        Level::System => (of_system(own, other, spot), None),
        Level::Messages => (of_messages(before, after, at), None),
    }
}

fn of_tools(before: &[Unit<'_, '_>], after: &[Unit<'_, '_>], at: usize) -> (Cause, Option<String>) {
    let (own, others) = (names(before), names(after));
    let (here, there) = (BTreeSet::from_iter(&own), BTreeSet::from_iter(&others));
    let removed: Vec<&String> = own.iter().filter(|name| !there.contains(name)).collect();
    let added: Vec<&String> = others.iter().filter(|name| !here.contains(name)).collect();
    let pair = before.get(at).zip(after.get(at));
    let pair = pair.and_then(|(own, other)| own.value.zip(other.value));
    if let Some((own, other)) = pair {
        let (name, other_name) = (name(own), name(other));
        if name == other_name {
            let cause = if is_reordered(own, other, Place::Block) {
                Cause::ToolMembersReordered
            } else if is_same_but(own, other, "description") {
                Cause::ToolDescription
            } else {
                Cause::ToolChanged
            };
            return (cause, Some(name));
        }
        let is_swap = removed.contains(&&name) && added.contains(&&other_name);
        if is_swap && is_same_but(own, other, "name") {
            return (Cause::ToolRenamed, Some(format!("{name} -> {other_name}")));
        }
    }
    match (added.is_empty(), removed.is_empty()) {
        (true, true) => (Cause::ToolsReordered, None),
        (false, true) => (Cause::ToolsAdded, Some(joined(&added))),
        (true, false) => (Cause::ToolsRemoved, Some(joined(&removed))),
        (false, false) => {
            let detail = format!("{} -> {}", joined(&removed), joined(&added));
            (Cause::ToolsReplaced, Some(detail))
        }
    }
}

fn of_system(
    own: Option<&Unit<'_, '_>>,
    other: Option<&Unit<'_, '_>>,
    spot: Option<&Spot>,
) -> Cause {
    match (own.and_then(|unit| unit.value), other.and_then(|unit| unit.value)) {
        (None, _) => Cause::SystemAdded,
        (_, None) => Cause::SystemRemoved,
        (Some(own), Some(other)) => {
            let is_clock = spot.is_some_and(|spot| {
                clock::holds(own.raw(), spot.before.saturating_sub(own.offset()))
                    && clock::holds(other.raw(), spot.after.saturating_sub(other.offset()))
            });
            if is_clock { Cause::SystemClock } else { Cause::SystemChanged }
        }
    }
}

fn of_messages(before: &[Unit<'_, '_>], after: &[Unit<'_, '_>], at: usize) -> Cause {
    let (before, after) = (said(before, at), said(after, at));
    let Some(own) = before.first() else { return Cause::Edited };
    let Some(other) = after.first() else { return Cause::Removed };
    let is_thought = own.part == Part::Thought && !stand_in(&before, &after, 1);
    if is_thought || is_untagged(own, other) {
        return Cause::ThoughtRemoved;
    }
    if stand_in(&before, &after, 2) {
        return Cause::Inserted;
    }
    if stand_in(&after, &before, 2) {
        return Cause::Removed;
    }
    match own.value.zip(other.value) {
        Some((one, other)) if is_reordered(one, other, Place::of(own.part)) => {
            Cause::MembersReordered
        }
        Some(_) | None => Cause::Edited,
    }
}

/// Whether a text is what another says behind a thought that stands in it between tags.
fn is_untagged(own: &Unit<'_, '_>, other: &Unit<'_, '_>) -> bool {
    let text = |unit: &Unit<'_, '_>| {
        let value = unit.value?;
        value.as_str().or_else(|| value.get_str("text")).map(std::borrow::Cow::into_owned)
    };
    let (Some(own), Some(other)) = (text(own), text(other)) else { return false };
    let thought = own.trim_start().strip_prefix(THOUGHT_TAGS[0]);
    let said = thought.and_then(|thought| thought.split_once(THOUGHT_TAGS[1]));
    said.is_some_and(|(_, said)| said.trim() == other.trim())
}

/// What is said from a place on.
fn said<'u, 'd, 't>(units: &'u [Unit<'d, 't>], at: usize) -> Vec<&'u Unit<'d, 't>> {
    let ahead = units.iter().skip(at).filter(|unit| unit.part != Part::Role);
    ahead.take(LOOK_AHEAD_UNITS).collect()
}

/// Whether the first of these units, as many as are asked for or there are, stand in a row among
/// the others: one alone may be said again.
fn stand_in(units: &[&Unit<'_, '_>], others: &[&Unit<'_, '_>], asked: usize) -> bool {
    let row = units.get(..asked.min(units.len())).unwrap_or_default();
    let is_same = |(one, other): (&&Unit<'_, '_>, &&Unit<'_, '_>)| is_same_unit(one, other);
    others.windows(row.len().max(1)).any(|window| row.iter().zip(window).all(is_same))
}

/// The names of tools, in order.
fn names(units: &[Unit<'_, '_>]) -> Vec<String> {
    let tools = units.iter().filter(|unit| unit.part == Part::Tool);
    tools.filter_map(|unit| unit.value).map(name).collect()
}

/// What a tool is called; a tool that has no name is all it says.
fn name(tool: Value<'_, '_>) -> String {
    let inner = tool.get("function").or_else(|| tool.get("toolSpec")).unwrap_or(tool);
    let name = inner.get_str("name").or_else(|| tool.get_str("type")).or_else(|| tool.as_str());
    name.map_or_else(|| tool.raw().to_owned(), std::borrow::Cow::into_owned)
}

/// Whether two tools differ in nothing but one member.
fn is_same_but(one: Value<'_, '_>, other: Value<'_, '_>, but: &str) -> bool {
    let inner = |tool: Value<'_, '_>| -> Vec<(String, String)> {
        let inner = tool.get("function").or_else(|| tool.get("toolSpec"));
        let members = [Some(tool), inner].into_iter().flatten().flat_map(Value::members);
        let named = members.filter_map(|(key, value)| Some((key.as_str()?.into_owned(), value)));
        let rest = named.filter(|(key, _)| ![but, "function", "toolSpec"].contains(&key.as_str()));
        let mut rest: Vec<_> = rest.map(|(key, value)| (key, canonical::of(value))).collect();
        rest.sort();
        rest
    };
    inner(one) == inner(other)
}

fn joined(names: &[&String]) -> String {
    let shown: Vec<&str> = names.iter().take(NAMES_SHOWN).map(|name| name.as_str()).collect();
    match names.len().checked_sub(NAMES_SHOWN).filter(|more| *more > 0) {
        Some(more) => format!("{} and {more} more", shown.join(", ")),
        None => shown.join(", "),
    }
}
