//! Reading members into fields, so that what a field cannot say stays as it was written.

use std::sync::Arc;

use json::{Kind, Raw, Text, Value};

use crate::entry::{BlockRef, EntryId, Rest};
use crate::finding::{Finding, FindingKind, Place};
use crate::proof::Issuer;

/// What became of a member.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    /// The field says all of it.
    Exact,
    /// The field is set as far as it can be; the member is kept as written too.
    Kept,
    /// The field cannot be set: the member is kept as written and reported.
    Unread,
    /// No field has this name: the member is kept as written.
    Unknown,
    /// Another reader takes it.
    Skip,
}

/// A value read, and whether writing it again says all that was written.
pub(super) type Taken<T> = Option<(T, bool)>;

/// Why a line or block could not be read as what it says it is.
pub(super) enum Failed {
    /// A member without which it says nothing is missing or of a wrong type.
    Field(&'static str),
    /// A message of more blocks than [`crate::limits::BLOCKS_MAX`].
    TooManyBlocks,
}

/// Where reading is, and what was found so far.
#[derive(Debug, Default)]
pub(super) struct Context {
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) offset: u64,
    pub(super) bytes: u64,
    pub(super) findings: Vec<Finding>,
    /// The last issuer read, as written: the blocks of a response share one.
    pub(super) issuer: Option<(Box<str>, Arc<Issuer>, bool)>,
    /// The id of the entry before, which is most entries' parent.
    pub(super) last_id: Option<EntryId>,
}

impl Context {
    /// Reports something about the whole line.
    pub(super) fn found(&mut self, kind: FindingKind, detail: String) {
        self.found_at(kind, self.place(), detail);
    }

    /// Where the line stands.
    pub(super) fn place(&self) -> Place {
        Place { line: self.line, offset: self.offset, bytes: self.bytes }
    }

    /// Reports something about one value of the line.
    pub(super) fn unread(&mut self, value: Value<'_, '_>, detail: String) {
        let offset = self.offset + value.offset() as u64;
        let place = Place { line: self.line, offset, bytes: value.raw().len() as u64 };
        self.found_at(FindingKind::UnreadField, place, detail);
    }

    /// Reports something about a part of the file.
    pub(super) fn found_at(&mut self, kind: FindingKind, place: Place, detail: String) {
        let file = self.file.clone();
        let Place { line, offset, bytes } = place;
        self.findings.push(Finding { kind, file, line, offset, bytes, detail });
    }
}

/// Reads an object in one pass. Of a repeated name that has a field, the last counts.
pub(super) fn members<'d, 't>(
    context: &mut Context,
    object: Value<'d, 't>,
    mut each: impl FnMut(&mut Context, &str, Value<'d, 't>) -> Read,
) -> Rest {
    let mut rest = Rest::default();
    for (key, value) in object.members() {
        let name = key.as_str().unwrap_or_default();
        let read = each(context, &name, value);
        if matches!(read, Read::Exact | Read::Kept | Read::Unread) && !rest.is_empty() {
            rest.remove(&name);
        }
        if read == Read::Unread {
            context.unread(value, format!("`{name}` cannot be read and is kept as written"));
        }
        if matches!(read, Read::Kept | Read::Unread | Read::Unknown) {
            rest.push(key.to_text().unwrap_or_default(), Raw::of(value));
        }
    }
    rest
}

/// Sets a field from what was read; `null` is an absent value, written down.
pub(super) fn set<'d, 't, T>(
    field: &mut Option<T>,
    value: Value<'d, 't>,
    read: impl FnOnce(Value<'d, 't>) -> Taken<T>,
) -> Read {
    *field = None;
    if value.is_null() {
        return Read::Kept;
    }
    match read(value) {
        Some((read, exact)) => {
            *field = Some(read);
            if exact { Read::Exact } else { Read::Kept }
        }
        None => Read::Unread,
    }
}

/// Sets a flag that is written only where it is true.
pub(super) fn set_flag(field: &mut bool, value: Value<'_, '_>) -> Read {
    let read = value.as_bool();
    *field = read == Some(true);
    match read {
        Some(true) => Read::Exact,
        Some(false) => Read::Kept,
        None if value.is_null() => Read::Kept,
        None => Read::Unread,
    }
}

/// The members of these names, and whether there are no others and none twice.
pub(super) fn pick<'d, 't, const N: usize>(
    object: Value<'d, 't>,
    names: [&str; N],
) -> ([Option<Value<'d, 't>>; N], bool) {
    let mut found = [None; N];
    let mut exact = true;
    for (key, value) in object.members() {
        match names.iter().zip(found.iter_mut()).find(|(name, _)| key.is_str(name)) {
            Some((_, slot)) => exact &= slot.replace(value).is_none(),
            None => exact = false,
        }
    }
    (found, exact)
}

/// An optional member: `null` counts as absent, and is not what would be written.
pub(super) fn present<'d, 't>(
    value: Option<Value<'d, 't>>,
    exact: &mut bool,
) -> Option<Value<'d, 't>> {
    let value = value?;
    if value.is_null() {
        *exact = false;
        return None;
    }
    Some(value)
}

pub(super) fn text(value: Value<'_, '_>) -> Taken<Text> {
    Some((value.to_text()?, true))
}

/// An optional text member of a picked object: `None` where it is there and is no string.
pub(super) fn optional_text(
    value: Option<Value<'_, '_>>,
    exact: &mut bool,
) -> Option<Option<Text>> {
    match present(value, exact) {
        Some(value) => Some(Some(value.to_text()?)),
        None => Some(None),
    }
}

pub(super) fn raw(value: Value<'_, '_>) -> Raw {
    Raw::of(value)
}

pub(super) fn number_u32(value: Value<'_, '_>) -> Option<u32> {
    value.as_u64()?.try_into().ok()
}

/// An id; where it holds a lone surrogate the id has U+FFFD, which is not what was written.
pub(super) fn id(value: Value<'_, '_>) -> Taken<EntryId> {
    let text = value.to_text()?;
    Some((EntryId::new(text.as_str()), !text.has_lone_surrogate()))
}

/// An id or `null`; the outer `None` is neither.
pub(super) fn id_or_null(value: Value<'_, '_>) -> Taken<Option<EntryId>> {
    if value.is_null() {
        return Some((None, true));
    }
    let (id, exact) = id(value)?;
    Some((Some(id), exact))
}

/// An array in which every element can be read.
pub(super) fn array<'d, 't, T>(
    value: Value<'d, 't>,
    mut read: impl FnMut(Value<'d, 't>) -> Taken<T>,
) -> Taken<Vec<T>> {
    if value.kind() != Kind::Array {
        return None;
    }
    let mut all = true;
    let mut items = Vec::new();
    for item in value.items() {
        let (item, exact) = read(item)?;
        all &= exact;
        items.push(item);
    }
    Some((items, all))
}

/// As [`array`], for a field that is written only where it has elements.
pub(super) fn filled_array<'d, 't, T>(
    value: Value<'d, 't>,
    read: impl FnMut(Value<'d, 't>) -> Taken<T>,
) -> Taken<Vec<T>> {
    let (items, exact) = array(value, read)?;
    let filled = !items.is_empty();
    Some((items, exact && filled))
}

/// `{"row": id, "block": index}`, its members picked before.
pub(super) fn block_ref(
    row: Option<Value<'_, '_>>,
    block: Option<Value<'_, '_>>,
) -> Taken<BlockRef> {
    let (row, exact) = id(row?)?;
    Some((BlockRef { row, block: number_u32(block?)? }, exact))
}
