//! Where two values first differ.
//!
//! Values are compared as they are read, not as they are spelled: white space and escapes say
//! nothing, the order of members does. Marks of cache breakpoints are passed over on the units
//! themselves and on the blocks of a result, never inside what a caller or a model wrote.

use json::{Kind, Value};

use super::units::{is_mark, is_mark_block};

/// Levels below a unit down to which a member can be a cache mark: the unit, its content, a block.
const MARKS_DEPTH: usize = 2;

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
pub fn first(before: Value<'_, '_>, after: Value<'_, '_>) -> Option<Spot> {
    let (one, other) = (text_of(before), text_of(after));
    match (one, other) {
        // Both spellings of a text are one.
        (Some(one), Some(other)) => {
            let path = if after.kind() == Kind::Object { ".text" } else { "" };
            walk(one, other, path, MARKS_DEPTH + 1)
        }
        _ => walk(before, after, "", 0),
    }
}

/// Whether two units say the same.
pub fn is_same(before: Value<'_, '_>, after: Value<'_, '_>) -> bool {
    first(before, after).is_none()
}

/// The text of a block that is nothing but text, or of a string.
pub fn text_of<'d, 't>(value: Value<'d, 't>) -> Option<Value<'d, 't>> {
    if value.kind() == Kind::String {
        return Some(value);
    }
    let said = value.members().filter(|(name, _)| !is_mark(*name));
    let is_text = value.get("type").is_none_or(|kind| kind.is_str("text"));
    let members = 1 + usize::from(value.get("type").is_some());
    let text = value.get("text").filter(|text| text.kind() == Kind::String);
    text.filter(|_| is_text && said.count() == members)
}

fn walk(before: Value<'_, '_>, after: Value<'_, '_>, path: &str, depth: usize) -> Option<Spot> {
    if before.raw() == after.raw() {
        return None;
    }
    let here = |before: usize, after: usize| Spot { path: path.to_owned(), before, after };
    if before.kind() != after.kind() {
        return Some(here(before.offset(), after.offset()));
    }
    match before.kind() {
        Kind::Array => items(before, after, path, depth),
        Kind::Object => members(before, after, path, depth),
        Kind::String if before.as_str() == after.as_str() => None,
        Kind::String | Kind::Number | Kind::Bool | Kind::Null => {
            let same = common(before.raw(), after.raw());
            Some(here(before.offset() + same, after.offset() + same))
        }
    }
}

fn items(before: Value<'_, '_>, after: Value<'_, '_>, path: &str, depth: usize) -> Option<Spot> {
    let told = |item: &Value<'_, '_>| !(depth <= MARKS_DEPTH && is_mark_block(*item));
    let (mut own, mut others) = (before.items().filter(told), after.items().filter(told));
    for index in 0usize.. {
        let place = || format!("{path}[{index}]");
        match (own.next(), others.next()) {
            (Some(own), Some(other)) => {
                let found = walk(own, other, &place(), depth + 1);
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
                return Some(Spot { path: place(), before, after });
            }
        }
    }
    None
}

fn members(before: Value<'_, '_>, after: Value<'_, '_>, path: &str, depth: usize) -> Option<Spot> {
    let told =
        |(name, _): &(Value<'_, '_>, Value<'_, '_>)| !(depth <= MARKS_DEPTH && is_mark(*name));
    let (mut own, mut others) = (before.members().filter(told), after.members().filter(told));
    loop {
        match (own.next(), others.next()) {
            (Some((name, own)), Some((other_name, other))) => {
                let place = format!("{path}.{}", name.as_str().unwrap_or_default());
                if name.as_str() != other_name.as_str() {
                    let (before, after) = (name.offset(), other_name.offset());
                    return Some(Spot { path: path.to_owned(), before, after });
                }
                let found = walk(own, other, &place, depth + 1);
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
