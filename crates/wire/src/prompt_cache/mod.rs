//! Two bodies, and where the second stops extending the first: the unit and the byte that moved,
//! why, and what that costs in cached tokens and in thoughts.
//!
//! A provider caches a prefix: tools, then system text, then messages. In go two bodies of one API
//! as JSON, out comes a [`Comparison`]. What a record knows about the reason is not here.

mod cause;
mod clock;
mod cost;
mod prices;
mod rules;
mod spot;
mod units;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use json::{Kind, Text, Value, canonical};

pub use cause::Cause;
pub use cost::{Basis, CHARACTERS_PER_TOKEN, Cost, Money};
pub use prices::{CLAUDE, DEEPSEEK, GEMINI, Long, OPENAI, Price, price};
pub use rules::{Api, LOOK_BACK_BLOCKS, Level, OMITTED, Of, PARAMETERS, Parameter, binds};
use rules::{Caching, caching};
use spot::{Place, Spot};
pub use units::Part;
use units::Unit;

/// Bytes of a unit that are shown from the first difference on, and half as many before.
const EXCERPT_BYTES: usize = 32;

/// A unit that differs, the first of its level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Which part of the cache it is in.
    pub level: Level,
    /// The unit: `model`, `tools[0]`, `system[1]`, `messages[2].content[0]`.
    pub unit: String,
    /// What stood in its place, where that was another kind of unit.
    pub instead_of: Option<String>,
    /// The value in it that differs, as a path of the body.
    pub path: String,
    /// Why.
    pub cause: Cause,
    /// What exactly, where the cause does not say it all.
    pub detail: Option<String>,
    /// What stood there; none where nothing did.
    pub before: Option<Side>,
    /// What stands there; none where nothing does.
    pub after: Option<Side>,
}

/// One side of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// Offset in the body of the first byte that differs.
    pub offset: usize,
    /// Offset in the body of the unit.
    pub unit_offset: usize,
    /// The unit from a little before the difference on.
    pub text: String,
}

/// Thoughts that a model does not get back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thoughts {
    /// Thoughts of the first request that are not in the second.
    pub gone: u64,
    /// Thoughts of the second that stand behind the difference, to a model that takes them only
    /// under the prefix they were thought under.
    pub unbound: u64,
}

/// What two bodies have in common, and what not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The first difference of each part of the cache, in the order in which it is read. Empty
    /// where the second body extends the first.
    pub moves: Vec<Move>,
    /// Content blocks of the second body behind all of the first.
    pub appended: u64,
    /// Other members that differ: nothing says that a cache hangs on them.
    pub parameters: Vec<String>,
    /// Thoughts that are lost.
    pub thoughts: Thoughts,
    /// What it costs.
    pub cost: Cost,
}

impl Comparison {
    /// Whether the second body extends the first.
    pub fn extends(&self) -> bool {
        self.moves.is_empty()
    }
}

/// Compares two bodies of one API.
///
/// ```
/// use wire::prompt_cache::{Api, compare};
/// let one = json::Doc::parse(br#"{"system":"You are A.","messages":["m1"]}"#)?;
/// let two = json::Doc::parse(br#"{"system":"You are B.","messages":["m1","m2"]}"#)?;
/// let api = Api { dialect: "anthropic_messages", model: "", tokens: None };
/// let comparison = compare(one.root(), two.root(), &api);
/// assert_eq!(comparison.moves[0].unit, "system[0]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare(before: Value<'_, '_>, after: Value<'_, '_>, api: &Api<'_>) -> Comparison {
    let (own, others) = (units::of(before, api), units::of(after, api));
    let (mut moves, mut kept) = (Vec::new(), None);
    for level in Level::ALL {
        let (from, ours) = of_level(&own, level);
        let (_, theirs) = of_level(&others, level);
        let moved = first_move(ours, theirs, level);
        if let Some((at, moved)) = moved.filter(|(at, _)| !goes_on(&own, &others, from + at, api)) {
            kept.get_or_insert(from + at);
            moves.push(moved);
        }
    }
    let kept = kept.unwrap_or(own.len());
    let behind = others.iter().skip(own.len()).filter(|unit| unit.is_block()).count();
    let appended = if moves.is_empty() { behind as u64 } else { 0 };
    let thoughts = thoughts(&own, &others, kept, &moves, api);
    let cost = cost::of(&own, &others, kept, api);
    Comparison { moves, appended, parameters: parameters(before, after, api), thoughts, cost }
}

/// The units of a level, and how many stand before them.
fn of_level<'u, 'd, 't>(units: &'u [Unit<'d, 't>], level: Level) -> (usize, &'u [Unit<'d, 't>]) {
    let from = units.partition_point(|unit| unit.level < level);
    let to = units.partition_point(|unit| unit.level <= level);
    (from, units.get(from..to).unwrap_or_default())
}

/// The first unit of a level that is not what it was. A conversation may go on; nothing else may.
fn first_move(
    own: &[Unit<'_, '_>],
    others: &[Unit<'_, '_>],
    level: Level,
) -> Option<(usize, Move)> {
    let ends = own.len().min(others.len());
    let differs = |(at, (own, other)): (usize, (&Unit<'_, '_>, &Unit<'_, '_>))| {
        if own.name != other.name {
            return Some((at, None));
        }
        let place = Place::of(own.part);
        match own.value.zip(other.value) {
            Some((own, other)) => spot::first(own, other, place).map(|spot| (at, Some(spot))),
            None => (!spot::is_same_unit(own, other)).then_some((at, None)),
        }
    };
    let found = own.iter().zip(others).enumerate().find_map(differs);
    let may_go_on = level == Level::Messages && own.len() <= others.len();
    let (at, spot) = match found {
        Some(found) => found,
        None if own.len() == others.len() || may_go_on => return None,
        None => (ends, None),
    };
    Some((at, move_of(own, others, at, spot.as_ref())))
}

/// Whether a unit that differs is the last text of the first body, and the second says more behind
/// it. A cache that goes by tokens holds all of it; one that goes by breakpoints has it as a block.
fn goes_on(own: &[Unit<'_, '_>], others: &[Unit<'_, '_>], at: usize, api: &Api<'_>) -> bool {
    let is_marked = own.iter().chain(others).any(|unit| unit.mark.is_some());
    let by_tokens = match caching(api, is_marked) {
        Caching::Automatic { .. } => true,
        Caching::Marked { .. } => false,
    };
    let is_content = |unit: &Unit<'_, '_>| matches!(unit.part, Part::Block | Part::System);
    let pair = own.get(at).zip(others.get(at)).filter(|(own, other)| own.name == other.name);
    let pair = pair.filter(|(own, other)| is_content(own) && is_content(other));
    let pair = pair.and_then(|(own, other)| own.value.zip(other.value));
    let texts = pair.and_then(|(own, other)| spot::texts_of(own, other));
    let texts = texts.and_then(|(own, other)| own.to_text().zip(other.to_text()));
    let is_last = at + 1 == own.len();
    // What stands for a lone surrogate is no character that could be the same.
    let goes_on = |(own, other): (Text, Text)| {
        !own.has_lone_surrogate() && !other.has_lone_surrogate() && other.starts_with(own.as_str())
    };
    by_tokens && is_last && texts.is_some_and(goes_on)
}

fn move_of(own: &[Unit<'_, '_>], others: &[Unit<'_, '_>], at: usize, spot: Option<&Spot>) -> Move {
    let (before, after) = (own.get(at), others.get(at));
    let (cause, detail) = cause::of(own, others, at, spot);
    let named = after.or(before);
    let other_name = before.zip(after).map(|(before, _)| before.name.clone());
    let path = named.map_or("", Unit::path);
    Move {
        level: named.map_or(Level::Messages, |unit| unit.level),
        unit: named.map(|unit| unit.name.clone()).unwrap_or_default(),
        instead_of: other_name.filter(|name| named.is_some_and(|unit| unit.name != *name)),
        path: format!("{path}{}", spot.map_or("", |spot| &spot.path)),
        cause,
        detail,
        before: before.and_then(|unit| side(unit, spot.map(|spot| spot.before))),
        after: after.and_then(|unit| side(unit, spot.map(|spot| spot.after))),
    }
}

fn side(unit: &Unit<'_, '_>, spot: Option<usize>) -> Option<Side> {
    let value = unit.value?;
    let unit_offset = value.offset();
    let offset = spot.unwrap_or(unit_offset);
    let text = around(value.raw(), offset.saturating_sub(unit_offset));
    Some(Side { offset, unit_offset, text })
}

/// A piece of a text, from a little before a byte on.
fn around(text: &str, byte: usize) -> String {
    let mut from = byte.saturating_sub(EXCERPT_BYTES / 2).min(text.len());
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    let mut to = (byte + EXCERPT_BYTES).min(text.len());
    while !text.is_char_boundary(to) {
        to += 1;
    }
    let cut = |yes: bool| if yes { "..." } else { "" };
    let piece = text.get(from..to).unwrap_or_default();
    format!("{}{piece}{}", cut(from > 0), cut(to < text.len()))
}

fn thoughts(
    own: &[Unit<'_, '_>],
    others: &[Unit<'_, '_>],
    kept: usize,
    moves: &[Move],
    api: &Api<'_>,
) -> Thoughts {
    // However it is spelled.
    let said = |thought: &Unit<'_, '_>| thought.value.map(canonical::of).unwrap_or_default();
    let mut sent: BTreeMap<String, u64> = BTreeMap::new();
    for thought in others.iter().filter(|unit| unit.part == Part::Thought) {
        *sent.entry(said(thought)).or_default() += 1;
    }
    let mut gone = 0;
    for thought in own.iter().filter(|unit| unit.part == Part::Thought) {
        match sent.get_mut(&said(thought)) {
            Some(left) if *left > 0 => *left -= 1,
            Some(_) | None => gone += 1,
        }
    }
    let is_unbound = binds(api) && moves.iter().any(|moved| moved.cause.unbinds());
    let behind = others.iter().skip(kept).filter(|unit| unit.part == Part::Thought).count();
    Thoughts { gone, unbound: if is_unbound { behind as u64 } else { 0 } }
}

/// Members of the bodies that are no units and differ, sorted.
fn parameters(before: Value<'_, '_>, after: Value<'_, '_>, api: &Api<'_>) -> Vec<String> {
    let mut read = units::read(before, api);
    read.extend(units::read(after, api));
    let mut differing = Vec::new();
    let bodies = (Some(before), Some(after));
    add_differing(bodies, &mut Vec::new(), &read, &mut differing);
    differing
}

/// Adds the members of two objects that differ and are not read as units. Of one that is read in
/// part, the members in it are.
fn add_differing<'t>(
    (before, after): (Option<Value<'_, 't>>, Option<Value<'_, 't>>),
    path: &mut Vec<String>,
    read: &BTreeSet<Vec<&'static str>>,
    differing: &mut Vec<String>,
) {
    let (own, others) = (members(before), members(after));
    let names: BTreeSet<&str> = own.keys().chain(others.keys()).map(|name| &**name).collect();
    for name in names {
        let values = (own.get(name).copied(), others.get(name).copied());
        path.push(name.to_owned());
        let is_object =
            |value: Option<Value<'_, '_>>| value.is_none_or(|v| v.kind() == Kind::Object);
        let is_in_part = read.iter().any(|read| read.len() > path.len() && starts(read, path));
        if read.iter().any(|read| read.len() == path.len() && starts(read, path)) {
            // Compared as units.
        } else if is_in_part && is_object(values.0) && is_object(values.1) {
            add_differing(values, path, read, differing);
        } else if !is_same_member(values) {
            differing.push(path.join("."));
        }
        path.pop();
    }
}

/// The members of an object by name; of repeated ones the last.
fn members<'d, 't>(object: Option<Value<'d, 't>>) -> BTreeMap<Cow<'t, str>, Value<'d, 't>> {
    let members = object.into_iter().flat_map(Value::members);
    members.filter_map(|(name, value)| Some((name.as_str()?, value))).collect()
}

fn starts(read: &[&str], path: &[String]) -> bool {
    read.iter().zip(path).all(|(read, name)| read == name)
}

fn is_same_member(values: (Option<Value<'_, '_>>, Option<Value<'_, '_>>)) -> bool {
    match values {
        (Some(own), Some(other)) => spot::is_same(own, other, Place::Inside),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}
