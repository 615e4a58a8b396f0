//! The lines entries came from, given back.

use std::sync::Arc;

use record::{Entry, Fact, OpaqueBlock, Origin, Record, SourceLine};

use crate::Format;
use crate::error::ExportError;

/// A record with retractions is not written line by line: the lines would give the blocks back.
pub(crate) fn refuse_retracted(record: &Record) -> Result<(), ExportError> {
    let retracted = record.entries.iter().any(|entry| matches!(entry.fact, Fact::Retracted(_)));
    if retracted { Err(ExportError::Retracted) } else { Ok(()) }
}

/// The origin of an entry that came from this format.
pub(crate) fn of<'e>(entry: &'e Entry, format: &str) -> Option<&'e Origin> {
    entry.origin.as_deref().filter(|origin| &*origin.format == format)
}

/// Every line that came from this format, in file order, with its line feeds.
pub(crate) fn lines(record: &Record, format: &str) -> Vec<u8> {
    let mut lines: Vec<&SourceLine> = record
        .entries
        .iter()
        .filter_map(|entry| of(entry, format))
        .flat_map(|origin| &origin.lines)
        .collect();
    lines.sort_by_key(|line| line.number);
    let mut out = Vec::with_capacity(lines.iter().map(|line| line.bytes.len() + 1).sum());
    for line in lines {
        out.extend_from_slice(&line.bytes);
        if line.ended {
            out.push(b'\n');
        }
    }
    out
}

/// Whether a block of an unknown kind may be one of this API's: no other has issued it.
pub(crate) fn may_be_of(block: &OpaqueBlock, api: &str) -> bool {
    block.proof.as_deref().is_none_or(|proof| &*proof.issuer.api == api)
}

/// Ends the last line of `out`, so that another can follow.
pub(crate) fn end_line(out: &mut Vec<u8>) {
    if out.last().is_some_and(|byte| *byte != b'\n') {
        out.push(b'\n');
    }
}

/// The lines an entry was made of, which came from this format.
pub(crate) fn lines_of<'e>(entry: &'e mut Entry, format: &Arc<str>) -> &'e mut Vec<SourceLine> {
    let none = || Box::new(Origin { format: Arc::clone(format), lines: Vec::with_capacity(1) });
    &mut entry.origin.get_or_insert_with(none).lines
}

/// The document a record came from, where importing it gives the same record again; `kind` is that
/// of the opaque first entry which keeps it.
pub(crate) fn unchanged_document(record: &Record, format: Format, kind: &str) -> Option<Vec<u8>> {
    let Fact::Opaque(fact) = &record.entries.first()?.fact else { return None };
    if &*fact.kind != kind {
        return None;
    }
    let document = lines(record, format.name());
    let again = crate::import(&document, "").ok()?;
    (again.format == format && again.record == *record).then_some(document)
}
