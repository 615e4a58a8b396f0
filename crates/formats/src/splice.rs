//! Documents written back: as they came, or with messages added to their list.

use std::collections::HashSet;
use std::sync::Arc;

use json::{Doc, Kind, Raw, Value};
use record::{Entry, Fact, Record};

use crate::error::ExportError;
use crate::source::BOM;
use crate::{Format, ImportError, Imported, origin};

/// A document a record came from, and what was appended to its main branch since.
pub(crate) struct Document {
    pub(crate) bytes: Vec<u8>,
    pub(crate) appended: Vec<Arc<Entry>>,
}

/// The document an entry of this kind keeps, read again to tell what is new.
pub(crate) fn of(
    record: &Record,
    format: Format,
    kind: &str,
    import: impl Fn(&[u8], &str) -> Result<Imported, ImportError>,
) -> Document {
    let main = record.branch_path("main");
    let kept = record.entries.first().is_some_and(|first| {
        matches!(&first.fact, Fact::Opaque(fact) if &*fact.kind == kind)
            && origin::of(first, format.name()).is_some()
    });
    let bytes = if kept { origin::lines(record, format.name()) } else { Vec::new() };
    let Some(again) = kept.then(|| import(&bytes, "").ok()).flatten() else {
        return Document { bytes: Vec::new(), appended: main };
    };
    let known: HashSet<_> = again.record.entries.iter().map(|entry| &entry.id).collect();
    let appended = main.into_iter().filter(|entry| !known.contains(&entry.id)).collect();
    Document { bytes, appended }
}

/// The list of a document: the first that one of these ways leads to. A name in an array is one of
/// its last item.
fn list_of<'d, 't>(root: Value<'d, 't>, ways: &[&[&str]]) -> Option<Value<'d, 't>> {
    let step = |value: Value<'d, 't>, name: &&str| match value.kind() {
        Kind::Array => value.items().last()?.get(name),
        _ => value.get(name),
    };
    let lists = ways.iter().filter_map(|names| names.iter().try_fold(root, step));
    lists.into_iter().find(|list| list.kind() == Kind::Array)
}

/// How many items the list of a document has.
pub(crate) fn items_of(bytes: &[u8], ways: &[&[&str]]) -> usize {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let doc = Doc::parse(text).ok();
    let list = doc.as_ref().and_then(|doc| list_of(doc.root(), ways));
    list.map_or(0, |list| list.items().count())
}

/// The document with these messages after those of its list.
pub(crate) fn with(
    bytes: &[u8],
    ways: &[&[&str]],
    messages: &[Raw],
) -> Result<Vec<u8>, ExportError> {
    let skipped = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let text = bytes.get(skipped..).unwrap_or_default();
    let doc = Doc::parse(text).map_err(|_| ExportError::NothingToWrite)?;
    let list = list_of(doc.root(), ways).ok_or(ExportError::NothingToWrite)?;
    let mut first = list.items().next().is_none();
    let end =
        list.items().last().map_or(list.offset() + 1, |last| last.offset() + last.raw().len());
    let (before, after) = bytes.split_at_checked(skipped + end).unwrap_or((bytes, &[]));
    let mut out = before.to_vec();
    for message in messages {
        if !std::mem::take(&mut first) {
            out.push(b',');
        }
        out.extend_from_slice(message.as_str().as_bytes());
    }
    out.extend_from_slice(after);
    Ok(out)
}
