//! Where two values first differ.
//!
//! Values are compared as they are read, not as they are spelled: white space and escapes say
//! nothing, the order of members does. Marks of cache breakpoints are passed over on the units
//! themselves and on the blocks of a result, never inside what a caller or a model wrote.

use json::{Kind, Value};

use super::units::{Part, Unit, is_mark, is_mark_block};

/// What a value is to its unit: it says where a member can be a cache mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A unit, or a block of a result or document: its members may mark.
    Block,
    /// A list of blocks: one may do nothing but mark.
    Blocks,
    /// What a document is made of, which may be blocks.
    Source,
    /// What somebody wrote: arguments, a schema, a parameter.
    Inside,
}

impl Place {
    /// What a unit is.
    pub fn of(part: Part) -> Place {
        match part {
            Part::Parameter | Part::Role | Part::Member => Place::Inside,
            Part::Tool | Part::System | Part::Block | Part::Thought | Part::Item => Place::Block,
        }
    }

    /// What a member is.
    fn member(self, name: Value<'_, '_>, value: Value<'_, '_>) -> Place {
        let is_list = value.kind() == Kind::Array;
        match self {
            Place::Block if is_list && (name.is_str("content") || name.is_str("output")) => {
                Place::Blocks
            }
            Place::Block if name.is_str("source") => Place::Source,
            Place::Source if is_list && name.is_str("content") => Place::Blocks,
            Place::Block | Place::Blocks | Place::Source | Place::Inside => Place::Inside,
        }
    }

    /// What an item is.
    fn item(self) -> Place {
        if self == Place::Blocks { Place::Block } else { Place::Inside }
    }

    /// The items that say something.
    fn items<'d, 't>(self, list: Value<'d, 't>) -> impl Iterator<Item = Value<'d, 't>> {
        list.items().filter(move |item| !(self == Place::Blocks && is_mark_block(*item)))
    }

    /// The members that say something.
    fn members<'d, 't>(
        self,
        object: Value<'d, 't>,
    ) -> impl Iterator<Item = (Value<'d, 't>, Value<'d, 't>)> {
        object.members().filter(move |(name, _)| !(self == Place::Block && is_mark(*name)))
    }
}

/// Types of a block that is nothing but text.
const TEXTS: [&str; 3] = ["text", "input_text", "output_text"];

/// The first place at which two values differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// From the values on: `.text`, `.input.path`.
    pub path: String,
    /// Byte offset in the text of the first.
    pub before: usize,
    /// Byte offset in the text of the second.
    pub after: usize,
}

/// The first place at which two units differ; none where they say the same.
pub fn first(before: Value<'_, '_>, after: Value<'_, '_>, place: Place) -> Option<Spot> {
    match texts_of(before, after).filter(|_| place == Place::Block) {
        // Both spellings of a text are one.
        Some((one, other)) => {
            let path = if after.kind() == Kind::Object { ".text" } else { "" };
            walk(one, other, path, Place::Inside)
        }
        None => walk(before, after, "", place),
    }
}

/// Whether two units say the same.
pub fn is_same(before: Value<'_, '_>, after: Value<'_, '_>, place: Place) -> bool {
    first(before, after, place).is_none()
}

/// Whether two units hold the same values: one that is not given stands for what its API takes it
/// for.
pub fn is_same_unit(before: &Unit<'_, '_>, after: &Unit<'_, '_>) -> bool {
    match (before.value, after.value) {
        (Some(own), Some(other)) => is_same(own, other, Place::of(before.part)),
        (None, None) => true,
        (Some(given), None) => after.is_omitted(given),
        (None, Some(given)) => before.is_omitted(given),
    }
}

/// Whether two units say the same, their members in whatever order.
pub fn is_reordered(before: Value<'_, '_>, after: Value<'_, '_>, place: Place) -> bool {
    match (before.kind(), after.kind()) {
        (Kind::Object, Kind::Object) => {
            let sorted = |object| {
                let mut members: Vec<_> = place.members(object).collect();
                members.sort_by_cached_key(|(name, _)| name.to_text());
                members
            };
            let (own, others) = (sorted(before), sorted(after));
            let is_equal = |((name, own), (other_name, other)): (&(_, _), &(_, _))| {
                is_same_text(*name, *other_name)
                    && is_reordered(*own, *other, place.member(*name, *own))
            };
            own.len() == others.len() && own.iter().zip(&others).all(is_equal)
        }
        (Kind::Array, Kind::Array) => {
            let (mut own, mut others) = (place.items(before), place.items(after));
            loop {
                match (own.next(), others.next()) {
                    (Some(own), Some(other)) if is_reordered(own, other, place.item()) => {}
                    (own, other) => return own.is_none() && other.is_none(),
                }
            }
        }
        _ => walk(before, after, "", place).is_none(),
    }
}

/// Whether two strings are one: a lone surrogate is not any other.
fn is_same_text(before: Value<'_, '_>, after: Value<'_, '_>) -> bool {
    before.raw() == after.raw() || before.to_text() == after.to_text()
}

/// The texts of two blocks that are nothing but text of one type, or strings.
pub fn texts_of<'d, 't>(
    before: Value<'d, 't>,
    after: Value<'d, 't>,
) -> Option<(Value<'d, 't>, Value<'d, 't>)> {
    let kinds = before.get("type").zip(after.get("type"));
    let is_one_type = kinds.is_none_or(|(one, other)| one.as_str() == other.as_str());
    text_of(before).zip(text_of(after)).filter(|_| is_one_type)
}

/// The text of a block that is nothing but text, or of a string.
fn text_of<'d, 't>(value: Value<'d, 't>) -> Option<Value<'d, 't>> {
    if value.kind() == Kind::String {
        return Some(value);
    }
    let said = value.members().filter(|(name, _)| !is_mark(*name));
    let is_text = value.get("type").is_none_or(|kind| TEXTS.iter().any(|text| kind.is_str(text)));
    let members = 1 + usize::from(value.get("type").is_some());
    let text = value.get("text").filter(|text| text.kind() == Kind::String);
    text.filter(|_| is_text && said.count() == members)
}

fn walk(before: Value<'_, '_>, after: Value<'_, '_>, path: &str, place: Place) -> Option<Spot> {
    if before.raw() == after.raw() {
        return None;
    }
    let here = |before: usize, after: usize| Spot { path: path.to_owned(), before, after };
    if before.kind() != after.kind() {
        return Some(here(before.offset(), after.offset()));
    }
    match before.kind() {
        Kind::Array => items(before, after, path, place),
        Kind::Object => members(before, after, path, place),
        Kind::String if is_same_text(before, after) => None,
        Kind::String | Kind::Number | Kind::Bool | Kind::Null => {
            let same = common(before.raw(), after.raw());
            Some(here(before.offset() + same, after.offset() + same))
        }
    }
}

fn items(before: Value<'_, '_>, after: Value<'_, '_>, path: &str, place: Place) -> Option<Spot> {
    let (mut own, mut others) = (place.items(before), place.items(after));
    for index in 0usize.. {
        let here = || format!("{path}[{index}]");
        match (own.next(), others.next()) {
            (Some(own), Some(other)) => {
                let found = walk(own, other, &here(), place.item());
                if found.is_some() {
                    return found;
                }
            }
            (None, None) => return None,
            (own, other) => {
                let at = |item: Option<Value<'_, '_>>, list| {
                    item.map_or_else(|| end(list), Value::offset)
                };
                let (before, after) = (at(own, before), at(other, after));
                return Some(Spot { path: here(), before, after });
            }
        }
    }
    None
}

fn members(before: Value<'_, '_>, after: Value<'_, '_>, path: &str, place: Place) -> Option<Spot> {
    let (mut own, mut others) = (place.members(before), place.members(after));
    loop {
        match (own.next(), others.next()) {
            (Some((name, own)), Some((other_name, other))) => {
                let here = format!("{path}.{}", name.as_str().unwrap_or_default());
                if !is_same_text(name, other_name) {
                    let (before, after) = (name.offset(), other_name.offset());
                    return Some(Spot { path: path.to_owned(), before, after });
                }
                let found = walk(own, other, &here, place.member(name, own));
                if found.is_some() {
                    return found;
                }
            }
            (None, None) => return None,
            (own, other) => {
                let at = |member: Option<(Value<'_, '_>, Value<'_, '_>)>, object| {
                    member.map_or_else(|| end(object), |(name, _)| name.offset())
                };
                let (before, after) = (at(own, before), at(other, after));
                return Some(Spot { path: path.to_owned(), before, after });
            }
        }
    }
}

/// Offset of the bracket that closes a value.
fn end(value: Value<'_, '_>) -> usize {
    value.offset() + value.raw().len().saturating_sub(1)
}

/// Bytes that two texts begin with alike, cut where a character begins in both.
fn common(one: &str, other: &str) -> usize {
    let mut same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    while !(one.is_char_boundary(same) && other.is_char_boundary(same)) {
        same -= 1;
    }
    same
}
